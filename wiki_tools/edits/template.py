"""The page that `wiki new` writes."""

import datetime
import re
from string import Template

from wiki_tools.edits.matter import quoted
from wiki_tools.markup import parse_markup

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_MARKUP = re.compile(r"[!-/:-@\[-`{-~]")

HEADINGS: dict[str, dict[str, str]] = {
    "en": {
        "one": "One line",
        "say": "What a reader should remember, in one sentence.",
        "core": "Core",
        "fact": "The idea, with its formula.",
        "patterns": "Patterns",
        "pattern": "Sum without a loop",
        "decisions": "Decision table",
        "row": "Situation | Approach",
        "graph": "Graph",
        "parent": "Parent",
        "llm": "LLM use",
        "when": "**When**: \n\n**When not**: ",
        "anti": "Anti-patterns",
        "dont": "What not to do, and why.",
        "verification": "Verification",
        "seen": "The row under each pattern says what was run, and where.",
        "changelog": "Changelog",
        "date": "Date | Change",
        "first": "First version",
    },
    "ko": {
        "one": "매 한 줄",
        "say": "독자가 기억할 한 문장.",
        "core": "매 핵심",
        "fact": "핵심 개념과 식.",
        "patterns": "패턴",
        "pattern": "반복문 없이 더하기",
        "decisions": "매 결정 기준",
        "row": "상황 | 접근",
        "graph": "Graph",
        "parent": "부모",
        "llm": "LLM 활용",
        "when": "**언제**: \n\n**언제 X**: ",
        "anti": "안티패턴",
        "dont": "하지 말아야 할 것과 그 이유.",
        "verification": "검증 / 중복",
        "seen": "패턴마다 붙은 줄이 어디에서 무엇을 실행했는지 말해 준다.",
        "changelog": "Changelog",
        "date": "날짜 | 변경",
        "first": "첫 판",
    },
}

PAGE = Template("""\
---
id: $id
title: $title
category: $category
status: draft
canonical_id: self
aliases: []
duplicate_of: none
source_trust_level: C
confidence_score: 0.5
verification_status: pending
tags: []
raw_sources: []
last_reinforced: $today
github_commit: pending
tech_stack: { language: python, framework: numpy }
---

# $heading

## $one
> $say

## $core
- $fact

## 💻 $patterns

### Pattern 1 — $pattern
```python setup
values = np.arange(10_000.0)
```

```python speedup=">10"
total = values.sum()
```

```python baseline
total = 0.0
for value in values:
    total += value
```

```python check
assert total == 10_000 * 9_999 / 2
```

## $decisions
| $row |
|---|---|

## 🔗 $graph

## 🤖 $llm
$when

## ❌ $anti
- $dont

## 🧪 $verification
- $seen

## 🕓 $changelog
| $date |
|---|---|
| $today | $first |
""")


def page_template(*, title: str, id_: str, category: str, language: str) -> str:
    """Write a page in the format of the wiki, with one measured pattern to begin from."""
    words = HEADINGS.get(language, HEADINGS["en"])
    return PAGE.substitute(
        words,
        id=quoted(id_),
        title=quoted(title),
        heading=heading_text(title),
        category=quoted(category),
        today=f"{datetime.date.today():%Y-%m-%d}",
    )


def heading_text(title: str) -> str:
    """A title as Markdown that reads as just that, on one line; plain where it can be."""
    plain = " ".join(_CONTROL.sub(" ", title).split())
    if _reads_as(plain, plain):
        return plain
    return _MARKUP.sub(r"\\\g<0>", plain)


def _reads_as(text: str, title: str) -> bool:
    markup = parse_markup(f"# {text}\n")
    rows = [(row.text, row.slug) for row in markup.headings]
    plain = not markup.links and not set(text) & set("*_`<&$")
    return plain and rows == [(title, "")] * bool(title)
