"""LaTeX into MathML, which browsers draw by themselves: formulas need no script and no network."""

import re

from wiki_tools.render.text import escape

_TEXT = re.compile(r">([^<]+)<")
_PLAIN = re.compile(r"[^\w\s&;#.,()+/%-]|_", re.ASCII)


def to_mathml(latex: str, *, display: bool) -> str:
    """Write a formula as MathML that survives inside Markdown; its source where it is no LaTeX."""
    from latex2mathml import converter

    try:
        markup = converter.convert(latex.strip(), display="block" if display else "inline")
    except Exception:
        return f'<code class="wiki-maths">{escape(latex.strip())}</code>'
    return f'<span class="wiki-maths">{_TEXT.sub(_guard, markup)}</span>'


def _guard(match: re.Match[str]) -> str:
    """Keep Markdown from reading a formula's own `*`, `_` or `|`."""
    return ">" + _PLAIN.sub(lambda m: f"&#{ord(m[0])};" if m[0].isascii() else m[0], match[1]) + "<"
