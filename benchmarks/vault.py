"""Writes vaults of any size for the benchmarks: pages of 4 kB in two languages."""

import random
from pathlib import Path

TOPICS = ("math", "ml", "optim", "vision", "nlp", "systems", "data", "theory")
FIRST = ("Sparse", "Convex", "Spectral", "Latent", "Causal", "볼록", "희소", "확률적", "변분")
SECOND = ("Attention", "Descent", "Sampling", "Pruning", "추론", "하강법", "정규화", "탐색")
SENTENCES = (
    "The update rule trades bias for variance and is sensitive to the step size.",
    "A tighter bound follows when the loss is smooth and strongly convex.",
    "이 방법은 학습률에 민감하므로 스케줄을 함께 검토해야 한다.",
    "손실 함수가 매끄럽고 강볼록이면 더 강한 수렴 한계를 얻을 수 있다.",
)
FENCE = "```python\nrows = [[{0}, 2], [3, 4]]\nassert sum(map(sum, rows)) == {0} + 9\n```\n"
PAGE = """---
id: kb-{i}
title: "{name}"
aliases:
  - "EA{i}"
  - "별칭 {i}"
category: {topic}
tags: [{topic}, level/{level}]
status: draft
source_trust_level: B
confidence_score: 0.7
last_reinforced: 2026-05-{day:02d}
raw_sources: ["https://example.invalid/{i}"]
tech_stack: {{ language: python, framework: none }}
---
# {name}

{said}

이 문서는 [[{0}]] 및 [[{1}|이 방법]]과 관련된다. It also cites [[{2}#Details]].

{fences}
## Details

{said} ^b1

| 항목 | Link |
| --- | --- |
| 표 | [[{3}\\|see here]] |

{fences}
> [!note] 참고
> {said}

{fences}
## 🔗 Graph
- Parent: [[{4}]]
- Applications: [[{5}]], [[EA{far}]]
- 인접: [[{6}]], [[kb-{far}]], [[Missing {i}]]

## Notes

{notes}
"""


def write_vault(docs: Path, count: int) -> None:
    """Write `count` pages of about 4 kB, each with ten links, one of them broken."""
    chance = random.Random(7)
    names = [f"{chance.choice(FIRST)} {chance.choice(SECOND)} {i:05d}" for i in range(count)]
    for i, name in enumerate(names):
        topic = TOPICS[i % len(TOPICS)]
        text = PAGE.format(
            *(names[chance.randrange(count)] for _ in range(4)),
            names[i // 2] if i else names[0],
            *(names[chance.randrange(count)] for _ in range(2)),
            i=i,
            name=name,
            topic=topic,
            level=i % 4,
            day=1 + i % 28,
            far=chance.randrange(count),
            said=f"{chance.choice(SENTENCES)} {chance.choice(SENTENCES)}",
            fences="\n".join(FENCE.format(i + k) for k in range(2)),
            notes="\n\n".join(f"{i}: {chance.choice(SENTENCES)}" for _ in range(14)),
        )
        folder = docs / topic
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
