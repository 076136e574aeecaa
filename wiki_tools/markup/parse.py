"""Reads a page's text into what it holds."""

from wiki_tools.markup.blocks import apart, find_block_ids, find_comments, has_comments, range_at
from wiki_tools.markup.headings import number_headings
from wiki_tools.markup.matter import clean_text, find_nul, split_matter
from wiki_tools.markup.quick import read_body
from wiki_tools.markup.types import Markup


def parse_markup(text: str, *, decoded: bool = False) -> Markup:
    """Read a page's text; whatever it holds, it is read as far as possible and nothing raises.

    One that was `decoded` from bytes holds no lone surrogates, and is not searched for them.
    """
    text = clean_text(text, decoded=decoded)
    matter, body, problems = split_matter(text)
    found = read_body(text, body)
    links = found.links
    if has_comments(text):
        covered = [*found.opaque(), *(link.span[:2] for link in links)]
        comments = find_comments(text, body, apart(covered))
        links = [link for link in links if not range_at(link.span.start, comments)]
    return Markup(
        text=text,
        body=body,
        frontmatter=matter,
        headings=number_headings(found.headings, len(text)),
        links=tuple(links),
        fences=tuple(found.fences),
        blocks=find_block_ids(text, body, found.find_opaque),
        anchors=tuple(found.anchors),
        problems=(*problems, *find_nul(text), *found.problems),
    )
