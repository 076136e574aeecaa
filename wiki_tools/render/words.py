"""What the site says, in each of its languages."""

import datetime

from wiki_tools.errors import counted

WORDS: dict[str, dict[str, str]] = {
    "declared": {"en": "declared", "ko": "저자 선언"},
    "trust": {"en": "source trust", "ko": "출처 신뢰도"},
    "confidence": {"en": "confidence", "ko": "확신도"},
    "reinforced": {"en": "last reinforced", "ko": "마지막 보강"},
    "aged": {"en": "aged", "ko": "오래됨"},
    "also": {"en": "Also called", "ko": "다른 이름"},
    "tags": {"en": "Tags", "ko": "태그"},
    "sources": {"en": "Sources", "ko": "출처"},
    # statuses of a page
    "failing": {"en": "failing", "ko": "실패 있음"},
    "outdated": {"en": "outdated", "ko": "갱신 필요"},
    "partial": {"en": "partial", "ko": "일부 확인"},
    "verified": {"en": "verified", "ko": "검증됨"},
    "unverified": {"en": "unverified", "ko": "미검증"},
    # what an author declares
    "draft": {"en": "draft", "ko": "초안"},
    "review": {"en": "review", "ko": "검토 중"},
    "deprecated": {"en": "deprecated", "ko": "폐기됨"},
    # statuses of a run
    "passed": {"en": "passed", "ko": "통과"},
    "failed": {"en": "failed", "ko": "실패"},
    "incomplete": {"en": "incomplete", "ko": "불완전"},
    "skipped": {"en": "skipped", "ko": "건너뜀"},
    "timed_out": {"en": "timed out", "ko": "시간 초과"},
    "crashed": {"en": "crashed", "ko": "비정상 종료"},
    "not-run": {"en": "not run", "ko": "실행 안 함"},
    # why a run was skipped, as the worker says it
    "needs-card": {"en": "needs a CUDA device", "ko": "CUDA 장치가 필요함"},
    "needs-program": {
        "en": "needs the program {name}, which is not installed",
        "ko": "설치되지 않은 프로그램이 필요함: {name}",
    },
    "needs-package": {
        "en": "needs {name}, which is not installed",
        "ko": "설치되지 않은 패키지가 필요함: {name}",
    },
    # judgements
    "confirmed": {"en": "confirmed", "ko": "확인됨"},
    "refuted": {"en": "refuted", "ko": "반박됨"},
    "inconclusive": {"en": "inconclusive", "ko": "판단 보류"},
    "invalid": {"en": "invalid", "ko": "비교 불가"},
    "untested": {"en": "untested", "ko": "미측정"},
    # the row under a pattern
    "never-run": {
        "en": "No run of this code is recorded yet.",
        "ko": "이 코드를 실행한 기록이 아직 없다.",
    },
    "no-evidence": {
        "en": "Nothing on this page has been run yet.",
        "ko": "이 문서의 코드는 아직 실행된 적이 없다.",
    },
    "changed-since": {
        "en": "The code has changed since this run of {date} ({status}); it counts for nothing"
        " until it is run again.",
        "ko": "{date} 실행({status}) 이후 코드가 바뀌었다. 다시 실행하기 전까지는 근거가 되지"
        " 않는다.",
    },
    "retargeted": {
        "en": "The code names a GPU and ran on this CPU instead, so this says nothing about a GPU.",
        "ko": "GPU를 지정한 코드를 이 CPU에서 대신 실행했으므로 GPU에 대한 근거는 아니다.",
    },
    "retargeted-short": {"en": "on this CPU in place of a GPU", "ko": "GPU 대신 이 CPU에서"},
    "off-card": {
        "en": "The code ran on this machine's CPU and used no GPU, so this says nothing about one.",
        "ko": "이 컴퓨터의 CPU에서 돌았고 GPU는 쓰지 않았으므로 GPU에 대한 근거는 아니다.",
    },
    "off-card-short": {"en": "on the CPU beside the GPU", "ko": "GPU 옆의 CPU에서"},
    "no-gpu": {
        "en": "untested: no GPU has run this yet",
        "ko": "미측정: 아직 GPU에서 실행된 적이 없음",
    },
    "gpu": {"en": "GPU", "ko": "GPU"},
    "on-machine": {"en": "{word} on {where}", "ko": "{word} · {where}"},
    "over-baseline": {
        "en": "{ratio} ({low} to {high}) over the baseline",
        "ko": "기준 코드 대비 속도 {ratio} ({low}~{high})",
    },
    "over-ablation": {
        "en": "{ratio} ({low} to {high}) over {meaning}",
        "ko": "{meaning} 대비 속도 {ratio} ({low}~{high})",
    },
    "over-pattern": {
        "en": "{ratio} ({low} to {high}) the pattern's time",
        "ko": "패턴 대비 소요 시간 {ratio} ({low}~{high})",
    },
    "memory-of": {
        "en": "{ratio} ({low} to {high}) of the peak memory of {meaning}",
        "ko": "{meaning} 대비 최대 메모리 {ratio} ({low}~{high})",
    },
    "memory-exact": {
        "en": "{ratio} of the peak memory of {meaning}",
        "ko": "{meaning} 대비 최대 메모리 {ratio}",
    },
    "the-baseline": {"en": "the baseline", "ko": "기준 코드"},
    "the-pattern": {"en": "the pattern", "ko": "패턴"},
    "slower": {"en": "slower, not faster", "ko": "빨라지지 않고 느려짐"},
    "no-difference": {"en": "no difference seen", "ko": "차이가 보이지 않음"},
    "invalid-comparison": {
        "en": "No fair comparison with {meaning}: {reason}",
        "ko": "{meaning} 대비 공정한 비교가 아님: {reason}",
    },
    "no-ratio": {
        "en": "Not enough to compare it with {meaning}: {reason}",
        "ko": "{meaning} 대비 비율을 말하기에는 부족함: {reason}",
    },
    "not-measured": {
        "en": "Not measured here against {meaning}",
        "ko": "{meaning} 대비 측정값은 아직 없음",
    },
    "claim": {"en": "claim {text}", "ko": "주장 {text}"},
    "owned": {
        "en": "the page knows that this claim fails",
        "ko": "틀린 주장임을 문서가 밝혀 둠",
    },
    "ran-in": {"en": "ran in {time}", "ko": "{time} 동안 실행"},
    "asserted": {"en": "{n:assertion} held", "ko": "단언 {n}개 성립"},
    "on": {"en": "on {hardware}", "ko": "{hardware} 기준"},
    "medians-baseline": {
        "en": "medians: baseline {baseline}, pattern {candidate}",
        "ko": "중앙값: 기준 {baseline}, 패턴 {candidate}",
    },
    "medians-pattern": {
        "en": "medians: anti-pattern {baseline}, pattern {candidate}",
        "ko": "중앙값: 안티패턴 {baseline}, 패턴 {candidate}",
    },
    "medians-ablation": {
        "en": "medians: without {baseline}, with {candidate}",
        "ko": "중앙값: 없이 {baseline}, 쓰면 {candidate}",
    },
    "identical": {"en": "identical results", "ko": "결과가 완전히 같음"},
    "equal": {"en": "results agree to {error}", "ko": "결과 차이 {error} 이하"},
    "one-input": {
        "en": "compared on one set of inputs only",
        "ko": "입력 한 벌로만 비교함",
    },
    "threads": {"en": "{n:thread}", "ko": "스레드 {n}개"},
    "attention": {"en": "attention: {kernels}", "ko": "어텐션: {kernels}"},
    "precision": {"en": "float32 products: {precision}", "ko": "float32 곱: {precision}"},
    "less": {"en": "less than claimed", "ko": "주장보다 작음"},
    "more": {"en": "more than claimed", "ko": "주장보다 큼"},
    "busy": {
        "en": "other programs used {cores} cores meanwhile",
        "ko": "측정하는 동안 다른 프로그램이 코어 {cores}개를 썼음",
    },
    "noise": {
        "en": "identical code differed by {share} in the same run",
        "ko": "같은 실행에서 똑같은 코드도 {share} 차이가 났음",
    },
    "across": {
        "en": "the interval crosses an edge of the claim",
        "ko": "구간이 주장의 경계에 걸침",
    },
    "too-few": {"en": "too few samples", "ko": "표본이 부족함"},
    "samples": {"en": "{n:paired sample}", "ko": "표본 {n}쌍"},
    "rounds": {"en": "{n:paired sample} in {rounds:round}", "ko": "{rounds}회에 걸친 표본 {n}쌍"},
    "narrow": {"en": "until the interval was narrow", "ko": "(구간이 좁아질 때까지)"},
    "budget": {"en": "until the time was spent", "ko": "(정해진 시간이 다할 때까지)"},
    "first-call": {"en": "first call {time}", "ko": "첫 호출 {time}"},
    "pays-off": {"en": "pays off after {calls} calls", "ko": "{calls}번 호출하면 본전"},
    "not-found": {"en": "No such page", "ko": "없는 문서"},
    "not-found-help": {
        "en": "It may have moved, or nobody has written it yet. Search for it, or begin at {home}.",
        "ko": "옮겨졌거나 아직 쓰이지 않은 문서다. 검색하거나 {home}에서 시작한다.",
    },
    "start": {"en": "the start", "ko": "첫 문서"},
    "line": {"en": "line {line}", "ko": "{line}번째 줄"},
    "traceback": {"en": "Traceback", "ko": "트레이스백"},
    "notebook": {"en": "notebook with outputs", "ko": "출력이 담긴 노트북"},
    "download": {"en": "runnable file", "ko": "실행 파일"},
    "context": {
        "en": "Names filled in from elsewhere",
        "ko": "다른 곳에서 채워 넣은 이름",
    },
    "name": {"en": "Name", "ko": "이름"},
    "provider": {"en": "Provided by", "ko": "출처"},
    "from-setup": {"en": "the setup fence", "ko": "setup 코드 블록"},
    "from-import": {"en": "usual import", "ko": "관례적 import"},
    "from-stock": {"en": "stock fixture ({what})", "ko": "내장 픽스처 ({what})"},
    "from-fence": {"en": "earlier code on this page", "ko": "이 문서의 앞선 코드"},
    "nothing": {
        "en": "nothing provides it (line {line})",
        "ko": "제공하는 것이 없음 ({line}번째 줄)",
    },
    "chart": {
        "en": "Speed over {meaning} at each size, with its 95% interval",
        "ko": "크기별 {meaning} 대비 속도와 95% 구간",
    },
    "chart-pattern": {
        "en": "Time over that of {meaning} at each size, with its 95% interval",
        "ko": "크기별 {meaning} 대비 소요 시간과 95% 구간",
    },
    "chart-memory": {
        "en": "Peak memory over that of {meaning} at each size, with its 95% interval",
        "ko": "크기별 {meaning} 대비 최대 메모리와 95% 구간",
    },
    "times": {"en": "{number}x", "ko": "{number}배"},
    # where a claim holds, of the sizes of a sweep
    "holds-everywhere": {
        "en": "holds at every size that was measured",
        "ko": "· 잰 모든 크기에서 성립",
    },
    "holds-from": {"en": "holds from {axis} = {first} on", "ko": "· {axis} = {first}부터 성립"},
    "holds-up-to": {"en": "holds up to {axis} = {last}", "ko": "· {axis} = {last}까지 성립"},
    "holds-only-at": {
        "en": "holds only at {axis} = {first}",
        "ko": "· {axis} = {first}에서만 성립",
    },
    "holds-between": {
        "en": "holds from {axis} = {first} to {last}",
        "ko": "· {axis} = {first}부터 {last}까지 성립",
    },
    "holds-at": {"en": "holds at {axis} = {sizes}", "ko": "· {axis} = {sizes}에서 성립"},
    "holds-nowhere": {
        "en": "holds at no size that was measured",
        "ko": "· 잰 어느 크기에서도 성립하지 않음",
    },
    "holds-open": {
        "en": "holds at no size for certain",
        "ko": "· 확실히 성립한다고 할 크기가 없음",
    },
    "antipattern": {"en": "anti-pattern", "ko": "안티패턴"},
    # labels of fences
    "role-setup": {"en": "setup: runs before the patterns", "ko": "setup: 패턴보다 먼저 실행"},
    "role-baseline": {
        "en": "baseline: what the pattern is measured against",
        "ko": "baseline: 패턴과 비교하는 기준 코드",
    },
    "role-antipattern": {"en": "anti-pattern: what not to do", "ko": "안티패턴: 하지 말 것"},
    "role-check": {
        "en": "check: assertions that run after the pattern",
        "ko": "check: 패턴 다음에 실행하는 단언",
    },
    "role-continues": {"en": "continues the code above", "ko": "위 코드에 이어서"},
    "role-out": {"en": "prints", "ko": "출력"},
    "role-no-run": {"en": "compiled, not run", "ko": "컴파일만 하고 실행하지 않음"},
    # links
    "wanted-link": {"en": "no such page yet", "ko": "아직 없는 문서"},
    "ambiguous-link": {"en": "more than one page answers to this", "ko": "해당하는 문서가 여럿"},
    "broken-link": {"en": "leads nowhere", "ko": "가리키는 곳이 없음"},
    "embedded": {"en": "From {link}", "ko": "{link}에서"},
    "backlinks": {"en": "Linked from", "ko": "이 문서를 가리키는 문서"},
    "as-parent": {"en": "As parent", "ko": "상위 문서로 삼은 문서"},
    "as-application": {"en": "As an application", "ko": "응용으로 꼽은 문서"},
    "as-adjacent": {"en": "As adjacent", "ko": "인접 문서로 꼽은 문서"},
    "as-mention": {"en": "In their text", "ko": "본문에서 언급한 문서"},
    "as-other": {"en": "As {label}", "ko": "'{label}' 관계로 꼽은 문서"},
    "duplicate": {
        "en": "This page is a duplicate. Read {link} instead.",
        "ko": "중복된 문서다. {link} 문서를 보라.",
    },
    # generated pages
    "status": {"en": "Status", "ko": "상태"},
    "status-lead": {
        "en": "Every pattern of the wiki, and what each environment saw of it. A word in this table"
        " is computed from recorded runs; nobody types it.",
        "ko": "위키의 모든 패턴과 각 환경에서 확인한 결과다. 이 표의 낱말은 기록된 실행에서"
        " 계산되며, 손으로 적은 것은 없다.",
    },
    "page": {"en": "Page", "ko": "문서"},
    "pattern": {"en": "Pattern", "ko": "패턴"},
    "patterns": {"en": "Patterns", "ko": "패턴"},
    "environments": {"en": "Environments", "ko": "환경"},
    "environment": {"en": "Environment", "ko": "환경"},
    "no-patterns": {
        "en": "No page of this wiki has code to run.",
        "ko": "이 위키에는 실행할 코드가 있는 문서가 없다.",
    },
    "no-environments": {
        "en": "No run is recorded yet: `wiki verify` makes the first.",
        "ko": "기록된 실행이 아직 없다. 첫 기록은 `wiki verify`가 만든다.",
    },
    "processor": {"en": "Processor", "ko": "프로세서"},
    "cores": {"en": "{n:core}", "ko": "코어 {n}개"},
    "system": {"en": "System", "ko": "운영체제"},
    "driver": {"en": "Driver", "ko": "드라이버"},
    "compiler": {"en": "C++ compiler", "ko": "C++ 컴파일러"},
    "libraries": {"en": "Libraries", "ko": "라이브러리"},
    "none": {"en": "none", "ko": "없음"},
    "wanted": {"en": "Wanted pages", "ko": "작성이 필요한 문서"},
    "wanted-lead": {
        "en": "Pages that others link to and nobody has written, the most wanted first.",
        "ko": "다른 문서가 가리키지만 아직 쓰이지 않은 문서다. 많이 찾는 것부터 적었다.",
    },
    "wanted-none": {"en": "Every link leads to a page.", "ko": "모든 링크가 문서로 이어진다."},
    "wanted-by": {"en": "wanted by", "ko": "찾는 문서"},
    "home": {"en": "Pages of this wiki", "ko": "이 위키의 문서"},
    # what code printed and drew
    "output-of": {"en": "{where}, {date}", "ko": "{where}, {date}"},
    "figure": {"en": "Figure that this code drew", "ko": "이 코드가 그린 그림"},
    "outdated-output": {
        "en": "The code has changed since it ran, so its outputs are left out.",
        "ko": "실행한 뒤에 코드가 바뀌어 출력을 싣지 않았다.",
    },
    "lab": {
        "en": "A lab: what its code printed and drew stands below the code.",
        "ko": "실습 문서다. 코드가 출력하고 그린 것이 코드 바로 아래에 있다.",
    },
    "open-notebook": {"en": "Read it as a notebook", "ko": "노트북으로 보기"},
    "download-notebook": {"en": "Download the notebook", "ko": "노트북 내려받기"},
    # notebooks
    "nb-lead": {
        "en": "Outputs were recorded by `wiki verify` on {where}, {date}; building this page ran"
        " nothing.",
        "ko": "출력은 {date} {where}에서 `wiki verify`가 기록한 것이며, 이 문서를 만들 때는"
        " 아무것도 실행하지 않았다.",
    },
    "nb-none": {
        "en": "No run is recorded yet, so there are no outputs.",
        "ko": "기록된 실행이 없어 출력이 없다.",
    },
    "back": {"en": "What was measured stands on the page", "ko": "측정 결과가 있는 문서"},
}
"""Key to language to text; every key has every language. `{n:core}` counts in English."""

LANGUAGES = ("en", "ko")


class _Count(int):
    """A number that a text counts something with: `{n:thread}`."""

    def __format__(self, word: str) -> str:
        return counted(int(self), word) if word else str(int(self))


def say(language: str, key: str, **values: object) -> str:
    """Give a text in a language, in English where the site does not speak it.

    Raises:
        KeyError: there is no such text.
    """
    texts = WORDS[key]
    said = {name: _Count(value) if type(value) is int else value for name, value in values.items()}
    return texts.get(language, texts["en"]).format(**said)


def day(language: str, moment: str) -> str:
    """Write the day of a UTC time stamp as that language's readers expect it."""
    try:
        date = datetime.datetime.fromisoformat(moment)
    except ValueError:
        return moment
    if language == "ko":
        return f"{date.year}년 {date.month}월 {date.day}일"
    return f"{date.day} {date:%b} {date.year}"


def times(language: str, value: float) -> str:
    """Write a ratio: two significant digits, and thousands without a fraction."""
    return say(language, "times", number=number(value))


def number(value: float) -> str:
    """Write a positive number with two digits; three around 1, where they matter, and from 100."""
    if value >= 100:
        return f"{float(f'{value:.3g}'):,.0f}"
    if value >= 10:
        return f"{value:.0f}"
    if value < 0.9:
        return f"{value:#.2g}"
    return f"{value:.2f}" if value < 2 else f"{value:.1f}"


def duration(seconds: float) -> str:
    """Write seconds with the unit that suits them."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{number(seconds / scale)} {unit}"
    return f"{number(seconds / 1e-9)} ns"
