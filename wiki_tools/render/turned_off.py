"""What a pattern is held against once its accelerator is off, in the site's other languages."""

TURNED_OFF: dict[str, dict[str, str]] = {
    "ko": {
        "torch.compile": "torch.compile 없는 같은 코드",
        "torch.compile mode": "기본 모드로 컴파일한 같은 코드",
        "CUDA graphs": "커널을 하나씩 따로 띄우는 같은 코드",
        "torch.jit": "torch.jit 없는 같은 코드",
        "jax.jit": "jax.jit 없는 같은 코드",
        "autocast": "autocast 없는 같은 코드",
        "scaled_dot_product_attention": "math 백엔드로 돌린 scaled_dot_product_attention",
        "float32 matmul precision": "float32 행렬 곱을 float32로 하는 같은 코드",
        "JAX matmul precision": "JAX 기본 정밀도로 돌린 같은 코드",
        "channels_last": "channels_last 없는 같은 코드",
        "vmap": "vmap 대신 파이썬 루프를 쓰는 같은 코드",
        "jax.vmap": "vmap 대신 파이썬 루프를 쓰는 같은 코드",
        "jax.lax loops": "반복을 파이썬 루프로 도는 같은 코드",
        "fused optimizer": "융합 커널을 쓰지 않는 같은 옵티마이저",
        "foreach optimizer": "파라미터를 하나씩 갱신하는 같은 옵티마이저",
        "einsum path": "왼쪽부터 차례로 계산하는 같은 einsum",
        "numpy.einsum path": "모든 첨자를 반복문 하나로 도는 같은 einsum",
        "checkpoint": "활성값을 모두 남겨 두는 같은 코드",
        "pinned memory": "pageable 메모리를 쓰는 같은 코드",
        "inference_mode": "기울기를 기록하는 같은 코드",
        "no_grad": "기울기를 기록하는 같은 코드",
        "contiguous": "놓인 그대로의 텐서를 쓰는 같은 코드",
    },
}
"""Language to the name of an ablation to its baseline; a comparison brings the English words."""
