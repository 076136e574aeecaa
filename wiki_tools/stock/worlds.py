"""The stock's worlds: sizes and arrays whose shapes agree with each other.

A page writes `x @ W1` and trusts its reader to see the shapes; a world is one way to see them.
Sizes are large enough that a matrix product outweighs what surrounds it, and small enough that
a pattern runs well under a second on two CPU cores.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Array(NamedTuple):
    """An array of the stock."""

    names: str
    """What pages call it, separated by spaces."""
    shape: str
    """Its dimensions: sizes of its world, or numbers."""
    meaning: str
    kind: str = "normal"
    """`normal`, `weight`, `ones`, `zeros`, `below <size>` (integers), `causal`, `coin`, `range`."""


class World(NamedTuple):
    """Sizes and arrays that agree."""

    sizes: Mapping[str, int]
    arrays: tuple[Array, ...]
    aliases: Mapping[str, str]
    """Other names of its sizes."""


SEQUENCE = World(
    sizes={"B": 4, "S": 512, "D": 512, "H": 8, "E": 64, "F": 2048, "V": 1000},
    arrays=(
        Array("x X inputs input batch h hidden hidden_states", "B S D", "Activations"),
        Array("features emb embeddings residual z a", "B S D", "Activations"),
        Array("y target targets", "B S D", "What a model should give for `x`"),
        Array("grad grad_output noise", "B S D", "As large as the activations"),
        Array("Q q query queries", "B H S E", "Queries"),
        Array("K k key keys", "B H S E", "Keys"),
        Array("V v value values", "B H S E", "Values"),
        Array("scores attn_scores", "B H S S", "Attention scores before the softmax"),
        Array("mask attn_mask causal_mask", "S S", "True where a position may look", "causal"),
        Array("attention_mask padding_mask key_padding_mask", "B S", "1 where a token is", "ones"),
        Array("tokens idx input_ids token_ids ids", "B S", "Token ids", "below V"),
        Array("labels label", "B S", "The next token's ids", "below V"),
        Array("logits", "B S V", "Scores of each token of the vocabulary"),
        Array("positions pos position_ids", "S", "0 to S - 1", "range"),
        Array("W w weight Wq Wk Wv Wo W_q W_k W_v W_o wq wk wv wo", "D D", "Weights", "weight"),
        Array("W_Q W_K W_V W_O", "D D", "Weights", "weight"),
        Array("W_xh W_hh W_hy W_ih W_x W_h Wx Wh", "D D", "Weights", "weight"),
        Array("b_h b_y b_ih b_hh bh by", "D", "A bias", "weight"),
        Array("W1 w1 W_1 W_up W_gate W3 w3", "D F", "Weights up to the wide layer", "weight"),
        Array("W2 w2 W_2 W_down", "F D", "Weights down from the wide layer", "weight"),
        Array("b bias b2", "D", "A bias", "weight"),
        Array("b1", "F", "A bias of the wide layer", "weight"),
        Array("gamma", "D", "A norm's scale", "ones"),
        Array("beta", "D", "A norm's shift", "zeros"),
    ),
    aliases={
        **dict.fromkeys(("batch_size", "bs", "bsz", "N"), "B"),
        **dict.fromkeys(("T", "L", "seq_len", "seqlen", "max_len", "block_size", "n_ctx"), "S"),
        **dict.fromkeys(("dim", "d_model", "embed_dim", "hidden_dim", "hidden_size"), "D"),
        **dict.fromkeys(("n_embd", "d", "C", "K"), "D"),
        **dict.fromkeys(("heads", "n_heads", "num_heads", "n_head", "nhead", "h"), "H"),
        **dict.fromkeys(("head_dim", "d_k", "d_head", "dk", "d_v"), "E"),
        **dict.fromkeys(("d_ff", "dim_feedforward", "intermediate_size"), "F"),
        **dict.fromkeys(("vocab_size", "n_vocab", "num_embeddings"), "V"),
    },
)

MATRIX = World(
    sizes={"N": 512, "D": 512, "K": 512, "M": 512, "F": 1024},
    arrays=(
        Array("x X inputs input batch h hidden features z a data", "N D", "Rows of features"),
        Array("A", "M K", "A matrix"),
        Array("B", "K N", "A matrix"),
        Array("C", "M N", "As large as A @ B"),
        Array("Q q query queries", "N D", "Queries"),
        Array("K k key keys", "N D", "Keys"),
        Array("V v value values", "N D", "Values"),
        Array("scores sim similarity mat matrix", "N N", "A score for each pair of rows"),
        Array("y labels label target targets", "N", "Classes", "below K"),
        Array("logits preds outputs output", "N K", "Scores of each class"),
        Array("idx indices index ids", "N", "Numbers of rows", "below N"),
        Array("mask", "N D", "True for about half of the features", "coin"),
        Array("W w weight", "D K", "Weights", "weight"),
        Array("W1 w1 W_1", "D F", "Weights up to the wide layer", "weight"),
        Array("W2 w2 W_2", "F K", "Weights down from the wide layer", "weight"),
        Array("b bias b2", "K", "A bias", "weight"),
        Array("b1", "F", "A bias of the wide layer", "weight"),
        Array("vec vector u", "D", "A vector"),
        Array("grad grad_output noise", "N D", "As large as the rows"),
        Array("gamma", "D", "A norm's scale", "ones"),
        Array("beta", "D", "A norm's shift", "zeros"),
    ),
    aliases={
        **dict.fromkeys(("batch_size", "bs", "bsz", "B", "n", "m", "rows", "size"), "N"),
        **dict.fromkeys(("dim", "d", "k", "d_model", "hidden_dim", "hidden_size"), "D"),
        **dict.fromkeys(("in_features", "input_dim", "in_dim", "d_in"), "D"),
        **dict.fromkeys(("out_features", "output_dim", "out_dim", "d_out"), "K"),
        **dict.fromkeys(("num_classes", "n_classes"), "K"),
    },
)

IMAGE = World(
    sizes={"N": 8, "C": 3, "H": 64, "W": 64, "O": 16, "K": 10},
    arrays=(
        Array("x X inputs input batch img image images data", "N C H W", "Images"),
        Array("features h", "N O H W", "What a convolution of the images gives"),
        Array("y labels label target targets", "N", "Classes", "below K"),
        Array("logits preds outputs output", "N K", "Scores of each class"),
        Array("mask", "N 1 H W", "True for about half of the pixels", "coin"),
        Array("w weight kernel filters", "O C 3 3", "A convolution's weights", "weight"),
        Array("bias b", "O", "A convolution's bias", "weight"),
    ),
    aliases={
        **dict.fromkeys(("batch_size", "bs", "bsz", "B"), "N"),
        **dict.fromkeys(("in_channels", "channels"), "C"),
        **dict.fromkeys(("out_channels",), "O"),
        **dict.fromkeys(("height", "img_size", "image_size"), "H"),
        **dict.fromkeys(("width",), "W"),
        **dict.fromkeys(("num_classes", "n_classes"), "K"),
    },
)

WORLDS: Mapping[str, World] = {"sequence": SEQUENCE, "matrix": MATRIX, "image": IMAGE}
"""In the order in which they are tried."""

SCALARS: Mapping[str, str] = {
    **dict.fromkeys(("lr", "learning_rate"), "1e-3"),
    **dict.fromkeys(("eps", "epsilon"), "1e-5"),
    **dict.fromkeys(("num_epochs", "n_epochs", "epochs", "num_steps", "n_steps", "steps"), "2"),
    **dict.fromkeys(("num_layers", "n_layers", "depth"), "2"),
    **dict.fromkeys(("dropout", "dropout_p", "p"), "0.1"),
    **dict.fromkeys(("scale", "temperature", "alpha"), "0.125"),
    **dict.fromkeys(("accum_steps", "accumulation_steps", "world_size"), "2"),
    **dict.fromkeys(("i", "epoch", "step", "batch_idx", "iteration", "global_step"), "0"),
    "max_norm": "1.0",
    "weight_decay": "0.01",
    "seed": "0",
}
"""Numbers that agree with every world."""
