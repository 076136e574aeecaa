"""The words that say what a quantity is of, and whether that grows or shrinks.

A rule looks at what stands at once behind a quantity, or at once before it: a number claims
something only where a reader would say so, and one more word between them often makes it
another's (`a 4x larger model is slower`).
"""

import re
from dataclasses import dataclass

NOUNS = {
    "count": r"(?:trainable |model )?(?:parameters?|params)|flops?|multiplications|additions"
    r"|bytes|(?:memory|hbm|dram|global memory) (?:traffic|accesses|reads|writes|transfers)"
    r"|(?:kernel )?launches|kernel calls|matmuls|(?:arithmetic )?operations|work"
    r"|(?:파라미터|매개변수)(?:\s?수)?|연산(?:량|\s?수)?|(?:곱셈|덧셈|연산)\s?횟수|바이트(?:\s?수)?"
    r"|(?:메모리|HBM|DRAM)\s?(?:접근|트래픽|읽기|쓰기)(?:\s?횟수)?"
    r"|커널\s?(?:호출|실행)(?:\s?횟수)?|FLOPs?\s?수",
    "speed": r"throughput|speeds?|performance|tokens (?:per|a) second|처리량|속도|성능",
    "time": r"latenc(?:y|ies)|(?:(?:wall[- ]?clock|run|step|training|inference|compute|execution"
    r"|compile|compilation)[- ]?)?time|(?:학습|추론|실행|소요|계산|컴파일|처리)\s?시간"
    r"|지연(?:\s?시간)?|시간",
    "memory": r"memory(?: (?:use|usage|footprint|consumption))?|vram|(?:memory )?footprint"
    r"|kv[- ]cache|KV\s?캐시|(?:최대\s?)?메모리(?:\s?(?:사용량|사용|소비량))?|vram\s?사용량",
}
"""What may be more or less, in the order in which it is looked for: `memory traffic` is a count."""
_NOUN = "(?:" + "|".join(f"(?P<{name}>{words})" for name, words in NOUNS.items()) + ")"
_OWN = (
    r"(?:(?:the|its|their|peak|total|overall|gpu|device|activation|training|inference|"
    r"working|hbm|dram|decoding|use of)\s){0,3}"
)
"""What may stand between a quantity and its noun."""
_NAMED = rf"{_NOUN}(?![\w-])(?!\s(?:step|budget|series|limit|bandwidth))"
_THING = _OWN + _NAMED
_LESS = r"(?:less|fewer|lower|smaller|reduced|shorter)"
_MUCH = r"(?:more|higher|greater|better|larger|bigger|additional|extra|longer)"
_FALLS = (
    r"(?:reduced|lowered|cut|drop(?:s|ped)?|falls?|fell|shrinks?|shrank|decreases?d?|goes down"
    r"|down|shortened)"
)
_RISES = r"(?:increases?d?|improves?d?|grows?|rises?|rose|goes up|up|boosted|raised)"
_CUT = r"(?:reduc|cut|lower|shrink|decreas|shorten|sav|trim|shav)\w{0,4}"
_LIFT = r"(?:increas|improv|boost|rais|lift)\w{0,3}"
_FEW = r"(?:[\w'’-]+\s){0,4}?"
_BY = r"(?:by|to|in)\s"
_STOP = (
    r"\s*(?:$|[,.;:!?)\]|—–]|-\s|[가-힣]|(?:on|for|in|with|over|when|at|than|compared|versus|vs"
    r"|against|from|by|to|and|or|while|as|if|after|under|here|there|without|because|where|relative"
    r"|but|is|was|are|were)\b)"
)
"""A quantity that nothing else takes: its phrase is over."""
_ENDED = r"(?=\s*(?:$|[,.;:!?)]|(?:to|than|on|in|with|for|without|because|when|if|as|and|or)\b))"

_PART = r"(?:\s?(?:사용량|사용|수|횟수))?(?:이|가|은|는|을|를|도|의|에서|까지)?"
_SO = r"(?:\s?(?:평균|각각|더|약|최대|거의))?\s?"
_AND = r"[)\]*_\"'\s]*(?:의|이나|나|쯤|정도|가량|만큼|가까이)?\s?(?:더|훨씬)?\s?"
_TO = r"[)\]*_\"'\s]*(?:로|으로|만|가|이|쯤|정도|가량|까지)?\s?(?:더\s?)?"
_SHRINK = r"(?:줄|준다|줄임|감소|절감|적|작|낮|단축|짧|절약|아끼|아낄|떨어|내려|축소|덜|하락|저하)"
_GROW = (
    r"(?:늘|증가|커|크|큰|많|향상|개선|높|올라|오르|올린|올려|상승|좋아|좋|뛰|길|된|되|걸"
    r"|쓴|쓰|필요|든|들|이다|다\b)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Where a quantity stands, what it is of, and whether that is more or less."""

    sign: int
    """1 where there is more of it, -1 where less."""
    after: re.Pattern[str]
    before: re.Pattern[str] | None = None
    metric: str = ""
    """Empty where a noun of one of the patterns says it."""
    units: tuple[str, ...] = ("factor", "percent", "share")


def _rule(
    sign: int,
    after: str,
    before: str = "",
    metric: str = "",
    units: tuple[str, ...] = ("factor", "percent", "share"),
) -> Rule:
    return Rule(
        sign=sign,
        after=re.compile(after, re.IGNORECASE),
        before=re.compile(f"{before}$", re.IGNORECASE) if before else None,
        metric=metric,
        units=units,
    )


_CHANGES = ("factor", "percent")
_SAID = r"[\s)]*(?:much |even |significantly )?"
_FAST = r"(?:faster|quicker|sooner|as (?:fast|quick(?:ly)?)|(?:[\w-]+\s){0,2}speed-?ups?)\b"
RULES = (
    # 2x faster, twice as fast, a 2x speedup
    _rule(1, rf"{_SAID}{_FAST}", metric="speed"),
    _rule(1, r"\s?(?:gain|win|boost)\b(?!\s(?:in|of)\b)", metric="speed", units=("factor",)),
    _rule(1, rf"{_SAID}(?:slower|as slow(?:ly)?|slow-?downs?)\b", metric="time"),
    _rule(1, rf"{_SAID}(?:longer|as long){_ENDED}", metric="time"),
    _rule(-1, rf"{_SAID}shorter{_ENDED}", metric="time"),
    _rule(1, r"\s?memory overhead\b", metric="memory", units=_CHANGES),
    _rule(1, r"\s?(?:(?:run-?time|time|latency|compute) )?overhead\b", metric="time",
          units=("percent",)),
    # 30% less memory, 2x higher throughput, half the FLOPs, a 30% memory reduction
    _rule(-1, rf"\s?{_LESS}\s{_THING}"),
    _rule(-1, rf"\s?{_THING}\s(?:reduction|savings?|decrease|drop|cut)\b", units=_CHANGES),
    _rule(1, rf"\s?{_THING}\s(?:improvement|gain|increase|boost|uplift)\b", units=_CHANGES),
    _rule(-1, rf"\s?(?:reduction|decrease|drop|savings?|cut)\s(?:in|of)\s{_THING}", units=_CHANGES),
    _rule(1, rf"\s?(?:improvement|gain|increase|boost|uplift)\s(?:in|of)\s{_THING}",
          units=_CHANGES),
    _rule(1, rf"\s?(?:{_MUCH})\s{_THING}"),
    _rule(-1, rf"\s?(?:of\s)?{_THING}", r"\b(?:sav|cut|reduc|trim|shav|avoid)\w{0,4}\s(?:\w+\s)?",
          units=("percent",)),
    _rule(1, rf"\s?(?:(?:the|as much|as many|its|those|these)\s){{1,2}}{_THING}",
          units=("factor", "share")),
    _rule(1, rf"\s?{_THING}", units=("factor",)),
    # a speedup of 2x, reduces memory by 30%, latency drops by half, memory 8x smaller
    _rule(1, _STOP, r"\b(?:speed-?ups?|acceleration)\s?(?:(?:of|is|was|by|to)\s|[:=]\s?)?",
          metric="speed"),
    _rule(1, _STOP, rf"\bspeed(?:s|ed|ing)?\s{_FEW}up\s{_FEW}(?:by\s)?", metric="speed"),
    _rule(1, _STOP, rf"\baccelerat\w+\s{_FEW}by\s", metric="speed"),
    _rule(1, _STOP, r"\b(?:faster|quicker)\sby\s", metric="speed"),
    _rule(1, _STOP, rf"\bslow(?:s|ed|ing)?\s{_FEW}down\s{_FEW}(?:by\s)?", metric="time"),
    _rule(1, _STOP, r"\b(?:slow-?downs?\s(?:of|is|by)|slower\sby)\s", metric="time"),
    _rule(-1, _STOP, rf"\b{_CUT}\s{_THING}\s(?:{_BY})?"),
    _rule(1, _STOP, rf"\b{_LIFT}\s{_FEW}{_THING}\s(?:by\s)?"),
    _rule(-1, _STOP, rf"\b{_NAMED}\s(?:is\s|are\s|was\s)?{_FALLS}\s(?:{_BY})?"),
    _rule(1, _STOP, rf"\b{_NAMED}\s(?:is\s|are\s|was\s)?{_RISES}\s(?:by\s)?"),
    _rule(-1, _STOP, rf"\b{_NAMED}\s(?:reduction|savings?|decrease|drop)\s(?:of|by)\s"),
    _rule(1, _STOP, rf"\b{_NAMED}\s(?:improvement|gain|increase|boost|uplift)\s(?:of|by)\s"),
    _rule(-1, rf"\s?{_LESS}\b", rf"\b{_NAMED}\s(?:is\s|are\s|was\s)?"),
    _rule(1, rf"\s?{_MUCH}\b", rf"\b{_NAMED}\s(?:is\s|are\s|was\s)?"),
    _rule(1, _STOP, rf"(?<![가-힣])(?P<speed>{NOUNS['speed']})\s?(?:(?:is|of|by)\s|[:—-]\s?)?",
          units=("factor",)),
    # 두 배 빠르다, 30% 적은 메모리, 2배의 처리량
    _rule(1, rf"{_AND}(?:빠르|빠른|빠를|빠름|빨라|빨리|빨랐|빠릅|신속|가속)", metric="speed"),
    _rule(1, rf"{_AND}(?:느리|느린|느릴|느림|느려|느렸|더디|더뎌|오래\s?걸)", metric="time"),
    _rule(1, rf"{_AND}오버헤드", metric="time", units=("percent",)),
    _rule(-1, rf"{_AND}(?:적은|낮은|작은|짧은|줄어든)\s{_NOUN}"),
    _rule(1, rf"{_AND}(?:높은|많은|큰|긴|늘어난|향상된|나은|좋은)\s{_NOUN}"),
    _rule(1, rf"{_AND}{_NOUN}\s?(?:향상|개선|증가|상승)", units=_CHANGES),
    _rule(-1, rf"{_AND}{_NOUN}\s?(?:감소|절감|단축|절약|하락|저하)", units=_CHANGES),
    _rule(1, rf"{_AND}{_NOUN}", units=("factor", "share")),
    # 메모리를 30% 줄인다, 처리량이 두 배가 된다
    _rule(-1, rf"{_TO}{_SHRINK}", rf"{_NOUN}{_PART}{_SO}"),
    _rule(1, rf"{_TO}{_GROW}", rf"{_NOUN}{_PART}{_SO}"),
    _rule(1, r"\s*(?:$|[,.;)])", rf"(?P<speed>{NOUNS['speed']}){_PART}{_SO}", units=("factor",)),
)  # fmt: skip
"""In the order in which they are tried; the first that fits says what a quantity is of."""

AHEAD = re.compile(
    r"speed|slow|accelerat|faster|quicker|sav|cut|reduc|lower|shrink|decreas|shorten|trim|shav"
    r"|avoid|increas|improv|boost|rais|lift|" + "|".join(NOUNS.values()),
    re.IGNORECASE,
)
"""One of these stands before a quantity wherever a rule asks for anything there."""

SPENT = re.compile(
    r"\b(?:(?:take|took|taken|taking|need|use|cost|require|run|finish|train)\w{0,3}|in|only|for)"
    r"\s(?:only\s|about\s|in\s)?$",
    re.IGNORECASE,
)
"""Before a share of the time that is spent; `half the time` may also mean how often."""
SIZE = re.compile(
    r"dim|width|hidden|channel|param|larger|bigger|wider|longer|upsampl|oversampl|zoom|expan"
    r"|차원|크기|채널|파라미터|확대|축소|확장",
    re.IGNORECASE,
)
"""What a bare range of factors speaks of when it is no claim about speed."""
STOP = re.compile(_STOP, re.IGNORECASE)
"""Where the phrase of a quantity is over."""
THING_AFTER = re.compile(rf"\s{_THING}", re.IGNORECASE)
THING_BEFORE = re.compile(rf"\b{_NAMED}\s(?:nearly\s|almost\s|roughly\s)?$", re.IGNORECASE)
"""What a verb such as `doubles` speaks of."""
