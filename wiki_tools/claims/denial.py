"""Tells what a text denies, asks or only supposes: it states something else, if anything."""

import re

_DEGREES = r"a|an|the|any|even|really|quite|actually|necessarily|always|yet|nearly|almost|that|such"
_BEING = (
    r"be|been|become|becomes|becoming|have|had|it|them|this|these|those|of|to|by"
    r"|run|runs|running|get|gets|got|give|gives|gave|given|bring|brings|make|makes|made|yield|yields"
    r"|see|saw|seen|show|shows|find|found|observe|observed|measure|measured|reach|reaches|reached"
    r"|achieve|achieves|achieved|deliver|delivers|provide|provides|offer|offers|take|takes|cost"
    r"|costs|need|needs|use|uses|save|saves|cut|cuts|reduce|reduces|lower|lowers|grow|grows|go|goes"
    r"|come|comes|speed|up|slow|down|memory|time|latency|throughput|performance|training|inference"
)
"""What may stand between a `not` and what it denies; any other word begins something else."""
_DENIED = re.compile(
    rf"\b(?:not|never|cannot|no longer|hardly|\w+n['’]t)\s(?:(?:{_DEGREES}|{_BEING})\s){{0,6}}$"
    rf"|\b(?:no|nor|neither|without|nowhere near|far from|rather than|instead of)\s"
    rf"(?:(?:{_DEGREES}|being)\s){{0,3}}$"
    rf"|\b(?:nothing|nobody|no one|none of (?:the )?\w+|not (?:every|all|each) [\w-]+)\s(?:else\s)?"
    rf"(?:(?:{_DEGREES}|{_BEING}|is|are|was|were|has)\s){{1,4}}$"
    r"|\b(?:not (?:true|the case)|myth|false|no evidence) that\b",
    re.IGNORECASE,
)
_OR_NOT = re.compile(r"\bor not\s[^,]*$", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"\b(?:if|whether|unless)\s(?:(?:the|a|an|any)\s)?[\w'’-]+\s(?:\w+ly\s)?"
    r"(?:is|are|was|were|be|runs?|ran|gets?|becomes?|became|gives?|brings?|saves?|takes?|uses?"
    rf"|needs?|makes?\s[\w-]+)\s(?:(?:{_DEGREES})\s){{0,2}}$",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"[\w-]*\s(?:(?!(?:and|but|or|while|which|that|when|where|although|though|so)\b)[\w-]+\s){0,5}?"
    r"(?:(?:is|was|are|were|has|have|had|did|does|do|can|could|will|would)\s(?:not|never)"
    r"|\w+n['’]t|cannot|never)\s(?:been\s|be\s|to\sbe\s)?"
    r"(?:seen|observed|measured|reached|achieved|reproduced|confirmed|found|there|real|true"
    r"|possible|appear|show\sup|hold|happen|materiali[sz]e|exist|appears|holds|happens)\b"
    r"|[\w-]*\s(?:(?!(?:and|but|or|while|which|when|where|although|though|so)\b)[\w-]+\s){0,5}?"
    r"(?:is|was|are|were)\s(?:a\s|just\sa\s)?(?:myth|false|wrong|untrue|folklore|fiction)\b",
    re.IGNORECASE,
)

_JOINED = (
    r"(?<![며면니져려워])(?<![^다라냐]고)(?<!지만)(?<!므로)(?<![는은]데)(?<![라어아해려여][서도])"
    r"(?<!빨라)(?<!줄어)(?<!늘어)(?<!작아)(?<!커서)"
)
"""Behind a Korean word that does not end a clause, as `빠르고` does, and begin another."""
_WORDS = rf"\s?(?:[^\s.,()]+{_JOINED}\s){{0,4}}?[^\s.,()]*?"
_DENIES = re.compile(
    rf"{_WORDS}(?:지(?:는|도|를|가|만은)?\s?(?:않|못)|아니(?:다|며|고|라|었|지)|아닙)"
    rf"|{_WORDS}(?<!관계)(?<!상관)없(?:다|었|고|으며|음|습)"
    rf"|{_WORDS}(?:거짓|틀렸|틀리|사실과 다르)"
)


def _ending(final: int) -> str:
    """All syllables that end in a consonant, as a class of a pattern."""
    return "".join(chr(first + final) for first in range(0xAC00, 0xD7A4, 28))


_ASKS = re.compile(
    rf"[가-힣]*?(?:[{_ending(4)}](?:가|가요|지|지는|지를|지도)|[{_ending(8)}](?:까|까요|지|지는|지를|지도)"
    rf"|[{_ending(17)}]니까|냐|나요)(?![가-힣])"
)
"""The end of a Korean verb that asks, or that says what somebody does not know: `빠른지 잰다`."""
_SUPPOSES = re.compile(r"[가-힣]*?(?:면|더라도)(?![가-힣])")
"""The end of one that only supposes: `빠르면`."""


def is_denied(before: str, after: str, said: int) -> bool:
    """Say whether what stands around a quantity takes back what it says.

    Args:
        before: what stands before it in its clause.
        after: what stands behind it there.
        said: how much of that says what it is of: `2x` `faster`.
    """
    if _DENIED.search(before) and not _OR_NOT.search(before):
        return True
    if _SUPPOSED.search(before) or _REFUSED.match(after, said) or _DENIES.match(after):
        return True
    word = re.match(r".*?(?=[가-힣]*$)", after[:said], re.DOTALL)
    at = word.end() if word else said
    asked = _ASKS.match(after, at) and "왜" not in before  # 왜 2배 빠른가: it is
    return bool(asked or _SUPPOSES.match(after, at))
