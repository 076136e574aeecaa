import json
import subprocess
import sys
import time
import unicodedata
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import make_config, make_page, seed_config, seed_page
from wiki_tools.checks.survey import outline_vault
from wiki_tools.config import read_config
from wiki_tools.graph import (
    BrokenLink,
    FileLink,
    Files,
    LinkGraph,
    Outline,
    ResolvedLink,
    Resolver,
    backlinks,
    canonical_keys,
    declaration_of,
    find_pages,
    link_outlines,
    link_pages,
    orphans,
    outline_of,
    path_between,
    wanted,
)
from wiki_tools.graph.answers import (
    backlinks_answer,
    central_answer,
    orphans_answer,
    path_answer,
    wanted_answer,
)
from wiki_tools.graph.central import central
from wiki_tools.graph.crowd import Crowd
from wiki_tools.graph.document import graph_document, write_document
from wiki_tools.graph.drawing import write_dot, write_graphml, write_mermaid
from wiki_tools.graph.queries import as_networkx
from wiki_tools.graph.sentences import sentence_around
from wiki_tools.pages import Page, read_pages

WIKIS = Path(__file__).parent / "wikis"
GENERATOR = Path(__file__).parents[2] / "shared" / "tools" / "gen_vault.py"


def pages_of(files: dict[str, str]) -> tuple[Page, ...]:
    return tuple(make_page(text, path) for path, text in sorted(files.items()))


def outlines_of(files: dict[str, str]) -> tuple[Outline, ...]:
    return tuple(outline_of(page, make_config()) for page in pages_of(files))


def link(files: dict[str, str]) -> LinkGraph:
    return link_pages(pages_of(files), make_config())


def target(text: str, *others: str, **files: str) -> str:
    """Where the one link of `from/page.md` leads: path, anchor and resolution, or why not."""
    named = dict.fromkeys(others, "") | {k.replace("__", "/") + ".md": v for k, v in files.items()}
    graph = link({"from/page.md": text, **named})
    rows: list[ResolvedLink | BrokenLink] = [*graph.resolved, *graph.broken]
    (row,) = (row for row in rows if row.path == "from/page.md")
    if isinstance(row, BrokenLink):
        return " ".join((row.reason, *row.candidates))
    return f"{row.target_path}{'#' * bool(row.anchor)}{row.anchor} {row.resolution}"


def matter(**keys: str) -> str:
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in keys.items()) + "---\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[Deep-Learning]]", "a/Deep-Learning.md name"),
        ("[[deep learning]]", "a/Deep-Learning.md name"),
        ("[[DEEP_LEARNING]]", "a/Deep-Learning.md name"),
        ("[[Deep-Learning.md]]", "a/Deep-Learning.md name"),
        ("[[a/Deep-Learning]]", "a/Deep-Learning.md path"),
        ("[[../a/Deep-Learning]]", "a/Deep-Learning.md path"),
        ("[[/a/Deep-Learning]]", "a/Deep-Learning.md path"),
        ("[[The Title]]", "a/Deep-Learning.md title"),
        ("[[the-title]]", "a/Deep-Learning.md title"),
        ("[[DL]]", "a/Deep-Learning.md alias"),
        ("[[심층 학습]]", "a/Deep-Learning.md alias"),
        ("[[wiki-1]]", "a/Deep-Learning.md id"),
        ("![[DL#Part one]]", "a/Deep-Learning.md#part-one alias"),
        ("[x](../a/Deep-Learning.md#part-one)", "a/Deep-Learning.md#part-one path"),
        ("[x](../a/Deep-Learning.md#Part%20one)", "a/Deep-Learning.md#part-one path"),
        ("[x](../a/Deep-Learning.md#part%20two)", "missing-heading The Title Part one"),
        ("[x](../a/Deep-Learning.md#^key)", "a/Deep-Learning.md#^key path"),
        ("[x](../a/Deep-Learning.md#^no)", "missing-block key"),
        ("[x](../a/Deep-Learning.md#nowhere)", "missing-heading The Title Part one"),
        ("[x](Deep-Learning.md)", "a/Deep-Learning.md name"),
        ("[[Nowhere]]", "wanted-page"),
        ("[[b/Deep-Learning]]", "wanted-page"),
        ("![[nowhere.png]]", "missing-file"),
        ("[x](nowhere.zip)", "missing-file"),
        ("[[v1.2]]", "wanted-page"),
    ],
)
def test_a_link_finds_its_page(text: str, expected: str) -> None:
    page = (
        matter(id="wiki-1", aliases="[DL, 심층 학습]")
        + "# The Title\n\n## Part one\n\nText. ^key\n"
    )
    assert target(text, **{"a__Deep-Learning": page}) == expected


def test_a_decomposed_file_name_and_a_composed_link_are_one() -> None:
    name = unicodedata.normalize("NFD", "행렬 곱")
    assert target("[[행렬 곱]]", f"a/{name}.md") == f"a/{name}.md name"
    assert target(f"[[{name}]]", "a/행렬 곱.md") == "a/행렬 곱.md name"


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        (("from/X.md", "a/X.md"), "from/X.md name"),
        (("a/X.md", "from/b/X.md"), "from/b/X.md name"),
        (("X.md", "a/X.md"), "X.md name"),
        (("a/X.md", "b/X.md"), "ambiguous-link a/X.md b/X.md"),
        (("a/X.md", "a/x.md"), "a/X.md name"),
        (("a/X.md", "a/X.ko.md"), "a/X.md name"),
    ],
)
def test_the_same_folder_wins_then_the_nearest(others: tuple[str, ...], expected: str) -> None:
    assert target("[[X]]", *others) == expected


@given(
    st.sets(st.text("ab/", max_size=8).map(lambda folder: f"{folder}/X.md".strip("/"))),
    st.text("ab/", max_size=6),
)
def test_the_nearest_of_a_crowd_are_the_fewest_steps_away(paths: set[str], folder: str) -> None:
    outlines = tuple(map(outlined, sorted(paths)))
    rows = [(1, index, False, "X") for index in range(len(outlines))]
    crowd = Crowd(rows, outlines)
    found = (
        [outlines[row[1]].path for row in crowd.least_deep(crowd.nearest(f"{folder}/from.md"))]
        if paths
        else []
    )
    steps = {path: steps_between(f"{folder}/from.md", path) for path in sorted(paths)}
    assert found == [path for path in steps if steps[path] == min(steps.values())]


def outlined(path: str) -> Outline:
    return outlines_of({"a.md": ""})[0]._replace(path=path)


def steps_between(source: str, goal: str) -> int:
    here, there = source.split("/")[:-1], goal.split("/")[:-1]
    common = next((n for n in range(len(here), 0, -1) if here[:n] == there[:n]), 0)
    return len(here) + len(there) - 2 * common


@pytest.mark.parametrize(
    ("files", "text"),
    [
        ({f"{n}/X.md": "" for n in range(3000)}, "[[X]]"),
        ({f"a/{n}/X.md": "" for n in range(3000)}, "[[9/X]] [[{n}/X]]"),
        ({f"a/{n}/X.md": "" for n in range(3000)}, "[x](X.md) [x](x.md) [x](0/X.md)"),
        ({f"{n}.md": matter(title="X") for n in range(3000)}, "[[X]]"),
        ({f"{n}.md": matter(id="X") for n in range(3000)}, "[[X]]"),
        ({f"{n}.md": matter(aliases="[X]") for n in range(3000)}, "[[X]]"),
        ({f"b/{n}.md": matter(aliases="[X]") for n in range(3000)}, "![[X#a]] [[X.md]]"),
    ],
    ids=["name", "path", "distant", "title", "id", "alias", "folder"],
)
def test_pages_of_one_name_that_link_by_it_take_no_quadratic_time(
    files: dict[str, str], text: str
) -> None:
    outlines = outlines_of(files)
    links = [make_page(text.format(n=n)).markup.links for n in range(3000)]
    resolver = Resolver(outlines, Files(make_config().docs))
    begin = time.process_time()
    for outline, row in zip(outlines, links, strict=True):
        for found in row:
            resolver.resolve(outline, found, "mention")
    assert time.process_time() - begin < 2  # comparing each with each took 50 times as long


def test_a_file_name_is_stronger_than_a_title_and_a_title_than_an_alias() -> None:
    files = {"a/X.md": "", "a/T.md": "# X\n", "a/A.md": matter(aliases="[X, Y]"), "a/Z.md": "# Y\n"}
    assert target("[[X]]", **{k[:-3].replace("/", "__"): v for k, v in files.items()}).startswith(
        "a/X.md"
    )
    assert target("[[Y]]", **{k[:-3].replace("/", "__"): v for k, v in files.items()}).startswith(
        "a/Z.md"
    )


@pytest.mark.parametrize(
    ("text", "others", "expected"),
    [
        ("[x](X.md)", ("b/X.md",), "b/X.md name"),
        ("[x](x.md#h)", ("b/X.md",), "missing-heading"),
        ("[x](b/X.md)", ("a/b/X.md", "a/c/X.md"), "a/b/X.md name"),
        ("[x](X.md)", ("b/X.md", "b/X.ko.md"), "b/X.md name"),
        ("[x](X.ko.md)", ("b/X.md", "b/X.ko.md"), "b/X.ko.md name"),
        ("[x](X.md)", ("b/X.md", "from/X.md"), "from/X.md path"),
        ("[x](X.md)", ("b/X.md", "a/X.md"), "wanted-page"),
        ("[x](./X.md)", ("b/X.md",), "wanted-page"),
        ("[x](../X.md)", ("b/X.md",), "wanted-page"),
        ("[x](/X.md)", ("b/X.md",), "wanted-page"),
        ("[x](X)", ("b/X.md",), "missing-file"),
    ],
)
def test_a_markdown_link_finds_the_one_page_of_its_name_as_in_obsidian(
    text: str, others: tuple[str, ...], expected: str
) -> None:
    assert target(text, *others) == expected


def test_as_written_is_stronger_than_folded() -> None:
    assert target("[[foo bar]]", "a/Foo-Bar.md", a__T="# foo bar\n") == "a/T.md title"


def test_a_number_sign_or_a_slash_may_be_part_of_a_title() -> None:
    assert target("[[PR #452/453 Layer]]", a__X="# PR #452/453 Layer\n") == "a/X.md title"
    assert target("[[C#]]", "a/C#.md", "b/C.md") == "a/C#.md name"
    assert target("[[C#|c]]", "a/C#.md") == "a/C#.md name"
    assert target("[[C# Notes#One]]", a__X="# C# Notes\n## One\n") == "a/X.md#one title"


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("패턴", "-패턴"),
        ("💻 패턴", "-패턴"),
        ("-패턴", "-패턴"),
        ("A#Sub", "sub"),
        ("B#Sub", "sub_1"),
        ('<font color="#ffc000">B</font>#Sub', "sub_1"),
        ("A#B", None),
        ("own", "own"),
        ("^b1", "^b1"),
        ("^b2", None),
    ],
)
def test_a_heading_is_found_as_it_reads(heading: str, expected: str | None) -> None:
    page = "# 💻 패턴\n\ntext ^b1\n\n# A\n## Sub\n# B\n## Sub\n# C {#own}\n"
    found = target(f"[[X#{heading}]]", a__X=page)
    assert found.startswith(f"a/X.md#{expected} " if expected else "missing-")


def test_a_link_within_the_page_leads_to_its_heading() -> None:
    assert target("# One\n\n[[#One]]") == "from/page.md#one path"
    assert target("# One\n\n[[#Two]]") == "missing-heading One"


def test_a_link_leads_to_the_readers_own_language() -> None:
    files = {
        "X.md": "", "X.ko.md": "", "only.ko.md": "",
        "a.md": "[[X]] [[X.ko]] [[only]]", "a.ko.md": "[[X]]",
    }  # fmt: skip
    graph = link(files)
    assert [(row.path, row.target, row.target_path) for row in graph.resolved] == [
        ("a.ko.md", "X", "X.ko.md"),
        ("a.md", "X", "X.md"),
        ("a.md", "X", "X.ko.md"),
        ("a.md", "only", "only.ko.md"),
    ]


def test_duplicates_hand_their_links_on() -> None:
    files = {
        "a.md": matter(id="a"),
        "b.md": matter(id="b", duplicate_of="a"),
        "c.md": matter(id="c", canonical_id="b"),
        "from.md": "[[b]] [[c]]",
    }
    graph = link(files)
    assert [(row.target, row.canonical) for row in graph.resolved] == [("b", "a"), ("c", "a")]
    assert len(backlinks(graph)["a"]) == 2
    assert orphans(outlines_of(files), graph) == ("from",)


def test_a_loop_of_duplicates_leads_back_to_the_page() -> None:
    pages = pages_of({
        "a.md": matter(id="a", duplicate_of="b"),
        "b.md": matter(id="b", duplicate_of="a"),
    })  # fmt: skip
    assert canonical_keys([declaration_of(page) for page in pages]) == {"a": "a", "b": "b"}


def test_a_name_shared_with_a_duplicate_is_not_ambiguous() -> None:
    files = {
        "a/X.md": matter(id="a"),
        "b/X.md": matter(id="b", duplicate_of="a"),
        "c/from.md": "[[X]]",
    }
    (row,) = link(files).resolved
    assert (row.target, row.canonical) == ("a", "a")


def test_files_that_are_there_are_no_pages_and_not_broken(tmp_path: Path) -> None:
    for name in ("img/a.png", "a.pdf", "한글 그림.png", "img/pic.heic", "문서.hwp"):
        (tmp_path / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "docs" / name).write_bytes(b"")
    text = "![[a.png]] ![[img/a.png|40]] [x](a.pdf) [y](img) [[한글-그림.png]] [z](../mkdocs.yml)"
    text += " [up](../README.md) ![[pic.heic]] [[문서.hwp]]"
    for name in ("mkdocs.yml", "README.md"):
        (tmp_path / name).write_text("")
    graph = link_pages((make_page(text),), make_config(tmp_path))
    assert [row.target for row in graph.files] == [
        "img/a.png", "img/a.png", "a.pdf", "img", "한글 그림.png", "../mkdocs.yml", "../README.md",
        "img/pic.heic", "문서.hwp",
    ]  # fmt: skip
    assert graph.broken == ()


def test_the_seed_has_seven_typed_links() -> None:
    graph = link_pages((seed_page(),), seed_config())
    relations = [row.relation for row in graph.broken]
    assert relations == ["parent"] * 2 + ["application"] * 2 + ["adjacent"] * 3
    assert len(wanted(graph)) == 7
    assert graph.resolved == ()


@pytest.mark.parametrize(
    ("bullets", "relations"),
    [
        ("- 상위: [[a]]", ["parent"]),
        ("- **Parent(s)**: [[a]], [[b]]", ["parent", "parent"]),
        ("* applications : [[a]]", ["application"]),
        ("- 관련：[[a]]", ["adjacent"]),
        ("- 반대: [[a]]", ["반대"]),
        ("- Disproved by: [[a]]", ["Disproved by"]),
        ("- [[a]]: what it is", ["mention"]),
        ("- [[a]]", ["mention"]),
        ("- Parent:\n  - [[a]]\n  - Related: [[b]]\n  - [[c]]", ["parent", "adjacent", "parent"]),
        ("- Parent: [[a]],\n  [[b]]\n\nSee [[c]]", ["parent", "parent", "mention"]),
        ("Parent: [[a]]", ["mention"]),
    ],
)
def test_bullets_of_the_graph_section_type_their_links(bullets: str, relations: list[str]) -> None:
    graph = link(
        {"x.md": f"Parent: [[z]]\n\n## 🔗 Graph\n{bullets}\n\n## Notes\n- Parent: [[y]]\n"}
    )
    assert [row.relation for row in graph.broken] == ["mention", *relations, "mention"]


def test_wanted_pages_are_ranked_by_how_many_ask() -> None:
    graph = link({"a.md": "[[One]] [[two pages]]", "b.md": "[[Two-Pages]]", "c.md": "[[b]]"})
    assert [(name, len(rows)) for name, rows in wanted(graph).items()] == [
        ("two pages", 2),
        ("One", 1),
    ]


def test_orphans_are_pages_that_no_other_page_leads_to() -> None:
    files = {"index.md": "", "a.md": "[[b]]", "b.md": "", "c.md": "[[c]]"}
    assert orphans(outlines_of(files), link(files)) == ("a", "c")


def test_a_path_between_pages_is_the_shortest() -> None:
    files = {"a.md": "[[b]] [[c]]", "b.md": "[[c]]", "c.md": "[[d]]", "d.md": "[[a]]"}
    graph = link(files)
    chain = path_between(graph, "a", "d")
    assert chain is not None
    assert [row.canonical for row in chain] == ["c", "d"]
    assert path_between(graph, "a", "a") == ()
    assert path_between(link({"a.md": "", "b.md": "[[a]]"}), "a", "b") is None


def test_a_wanted_page_is_asked_for_once_by_a_page_and_its_translation() -> None:
    graph = link({"a.md": "[[One]] [[one]]", "a.ko.md": "[[One]]", "b.md": "[[Two]]",
                  "c.md": "[[two]]"})  # fmt: skip
    rows = wanted_answer(graph)["wanted"]
    assert [(row["target"], row["pages"], len(row["links"])) for row in rows] == [
        ("Two", 2, 2),
        ("One", 1, 3),
    ]


CENTRAL = {
    "a.md": "[[a]] [[b]] [[b]]",
    "b.md": matter(id="b"),
    "c.md": matter(id="c", duplicate_of="b") + "[[a]]",
    "d.md": "[[c]] [[b]] [[nowhere]]",
    "e.md": "[[d]] [[c]]",
}


def test_the_page_that_others_lead_to_is_the_most_central() -> None:
    rows = central(outlines_of(CENTRAL), link(CENTRAL))
    assert [(row.key, row.backlinks) for row in rows] == [("b", 3), ("a", 1), ("d", 1), ("e", 0)]
    assert sum(row.rank for row in rows) == pytest.approx(1)
    assert central((), link({})) == ()


wikis_of_links = st.dictionaries(
    st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdefg")), min_size=1
)


@given(wikis_of_links)
def test_centrality_is_networkxs_pagerank(leads: dict[str, list[str]]) -> None:
    pytest.importorskip("scipy")
    import networkx as nx

    files = {f"{name}.md": " ".join(f"[[{to}]]" for to in out) for name, out in leads.items()}
    graph = nx.DiGraph()
    graph.add_nodes_from(leads)
    graph.add_edges_from(
        (name, to) for name, out in leads.items() for to in out if to in leads and to != name
    )
    expected = nx.pagerank(graph, tol=1e-9, max_iter=1000)
    found = {row.key: row.rank for row in central(outlines_of(files), link(files))}
    assert found == pytest.approx(expected, abs=1e-5)


def test_answers_are_documents_with_the_edges_of_the_graph() -> None:
    files = {"a.md": "See [[b]]. Done.\n", "b.md": "# Bee\n", "c.md": ""}
    pages, graph = outlines_of(files), link(files)
    read = {page.path: page for page in pages_of(files)}.__getitem__
    (edge,) = graph_document(pages, graph)["edges"]
    bee = {"id": "b", "path": "b.md", "title": "Bee"}
    assert backlinks_answer(pages, graph, "b", read) == {
        "page": bee,
        "backlinks": [edge | {"sentence": "See b."}],
    }
    assert path_answer(pages, graph, "a", "b")["path"] == [edge]
    assert path_answer(pages, graph, "b", "a")["path"] is None
    assert [row["id"] for row in orphans_answer(pages, graph)["orphans"]] == ["a", "c"]
    (first,) = central_answer(pages, graph, 1)["central"]
    assert {key: first[key] for key in bee} == bee
    assert first["backlinks"] == 1


@given(st.lists(st.dictionaries(st.text(), st.text(), min_size=1)))
def test_a_document_is_written_with_a_row_a_line(rows: list[dict[str, str]]) -> None:
    text = write_document({"rows": rows, "one": '}, {"'})
    assert json.loads(text) == {"rows": rows, "one": '}, {"'}
    assert text.count("\n") == max(len(rows) - 1, 0)


def test_a_page_is_found_by_whatever_a_person_calls_it() -> None:
    config = make_config()
    pages = outlines_of(
        {"a/X.md": matter(id="x-1", aliases="[Ex]") + "# Title\n", "a/X.ko.md": matter(id="x-1")}
    )
    for name in ("a/X.md", "docs/a/X.md", "./docs/a/X.md", "X", "x-1", "Ex", "title", "a/X"):
        assert [page.path for page in find_pages(name, pages, config)] == ["a/X.md"], name
    assert find_pages("nothing", pages, config) == ()
    assert [page.path for page in find_pages("a/X.ko.md", pages, config)] == ["a/X.ko.md"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One. Two [[x]] here! Three.", "Two x here!"),
        ("**Bold** [[x|shown]] and `code`.", "Bold shown and code."),
        ("*Slanted* [[x]], 2 * 3 and $a*b$, *both*.", "Slanted x, 2 * 3 and $a*b$, both."),
        ("하나다. 둘은 [[x]]를 쓴다. 셋.", "둘은 x를 쓴다."),
        ("- Parent: [[x]], [[y]]", "Parent: x, y"),
        ("> [!note] Title\n> see [[x]] ^b1", "Title see x"),
        ("| a [[x]] | b |\n|---|---|\n| c | d |", "a x"),
        ("# On [[x]]", "On x"),
    ],
)
def test_a_backlink_has_the_sentence_it_stands_in(text: str, sentence: str) -> None:
    page = make_page(text)
    assert sentence_around(page, page.markup.links[0]) == sentence


def test_the_document_has_the_shape_of_wiki_graph() -> None:
    files = {"X.md": matter(id="x") + "See [[y|that]], ![[z]].\n", "y.md": "# Why\n"}
    files["X.ko.md"] = matter(id="x", title="엑스")
    document = graph_document(outlines_of(files), link(files))
    assert [(row["id"], row["path"], row["title"]) for row in document["pages"]] == [
        ("x", "X.md", "X"),
        ("y", "y.md", "Why"),
    ]
    assert document["pages"][0]["translations"] == [
        {"language": "ko", "path": "X.ko.md", "title": "엑스"}
    ]
    assert document["edges"][0] == {
        "source": "x", "target": "y", "canonical": "y", "relation": "mention", "path": "X.md",
        "line": 4, "column": 5, "text": "[[y|that]]", "form": "wikilink", "resolution": "name",
    }  # fmt: skip
    assert document["edges"][1]["target"] is None
    assert document["edges"][1]["resolution"] == "wanted"
    assert json.loads(json.dumps(document)) == document


NAMES = {
    "a.md": "---\ntitle: 'Quotes \" and <tags> & \\ b'\n---\n[[b]]\n",
    "b.md": "---\nid: 'x \"y\" <z>'\n---\n[[a]] \x01\n",
}


def test_graphml_is_xml_that_networkx_reads() -> None:
    import networkx as nx

    text = write_graphml(outlines_of(NAMES), link(NAMES))
    ElementTree.fromstring(text)
    graph = nx.parse_graphml(text)
    assert set(graph.nodes) == {"a", 'x "y" <z>'}
    assert graph.nodes["a"]["title"] == 'Quotes " and <tags> & \\ b'
    assert len(graph.edges) == 2


def test_dot_and_mermaid_name_every_page_and_escape_their_titles() -> None:
    pages, graph = outlines_of(NAMES), link(NAMES)
    dot = write_dot(pages, graph)
    assert r'"a" [label="Quotes \" and <tags> & \\ b"];' in dot
    assert '"a" -> "x \\"y\\" <z>" [label="mention"];' in dot
    mermaid = write_mermaid(pages, graph)
    assert 'n0["Quotes #quot; and #lt;tags#gt; & \\ b"]' in mermaid
    assert 'n0 -->|"mention"| n1' in mermaid


def test_networkx_gets_every_page_and_resolved_link() -> None:
    files = {"a.md": "[[b]] [[b]] [[nowhere]]", "b.md": "# Bee\n"}
    graph = as_networkx(link(files), outlines_of(files))
    assert dict(graph.nodes(data="title")) == {"a": "a", "b": "Bee"}
    assert [(s, t, d["relation"]) for s, t, d in graph.edges(data=True)] == [
        ("a", "b", "mention"),
        ("a", "b", "mention"),
    ]


def test_every_link_lands_in_exactly_one_bucket() -> None:
    config = read_config(WIKIS / "broken-links")
    pages = read_pages(config)
    graph = link_pages(pages, config)
    rows: list[ResolvedLink | BrokenLink | FileLink] = [
        *graph.resolved, *graph.broken, *graph.files,
    ]  # fmt: skip
    written = [(page.path, link.span) for page in pages for link in page.markup.links]
    assert sorted((row.path, row.link.span.start) for row in rows) == sorted(
        (path, span.start) for path, span in written
    )


@pytest.mark.parametrize("name", ["broken-links", "seed", "bad-input"])
def test_outlines_have_the_links_of_their_pages(name: str) -> None:
    config = read_config(WIKIS / name)
    pages = read_pages(config)
    rows = outline_vault(config)
    outlines = [outline_of(page, config) for page in pages]
    assert [(o.face, o.landings) for o, _ in rows] == [(o.face, o.landings) for o in outlines]
    assert link_outlines(rows, config) == link_pages(pages, config)


links_ = st.lists(
    st.sampled_from(["[[a]]", "[[b]]", "[[c|x]]", "[[d]]", "[[#h]]", "[x](a.md)", "[[sub/a]]"])
)
wikis = st.dictionaries(
    st.sampled_from(["a.md", "b.md", "c.md", "sub/a.md", "sub/c.md", "c.ko.md", "d.md"]),
    links_.map(" ".join),
    min_size=1,
)


@given(wikis)
def test_backlinks_invert_links(files: dict[str, str]) -> None:
    graph = link(files)
    back = backlinks(graph)
    assert {(key, row.source) for key, rows in back.items() for row in rows} == {
        (row.canonical, row.source) for row in graph.resolved if row.source != row.canonical
    }
    assert sum(map(len, back.values())) == len(
        [row for row in graph.resolved if row.source != row.canonical]
    )


@given(wikis, st.randoms(use_true_random=False))
def test_resolution_does_not_depend_on_the_order_of_files(
    files: dict[str, str], random: Random
) -> None:
    pages = list(pages_of(files))
    expected = link_pages(pages, make_config())
    random.shuffle(pages)
    assert link_pages(pages, make_config()) == expected


@given(st.text(), st.text())
def test_no_name_breaks_the_resolver(name: str, text: str) -> None:
    page = make_page(f"# {text}\n\n[[{name}]] [x]({name}) ![[{name}#{text}]]\n", "a/b.md")
    graph = link_pages((page,), make_config())
    count = len(graph.resolved) + len(graph.broken) + len(graph.files)
    assert count == len(page.markup.links)
    for found in page.markup.links:
        sentence_around(page, found)


@pytest.mark.skipif(not GENERATOR.exists(), reason="the vault generator is not beside this clone")
def test_a_generated_vault_resolves_as_its_manifest_says(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(GENERATOR), str(tmp_path), "300"], check=True)
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    config = read_config(tmp_path)
    pages = read_pages(config)
    outlines = tuple(outline_of(page, config) for page in pages)
    edges = graph_document(outlines, link_pages(pages, config))["edges"]
    found = [
        [e["source"], e["line"], e["column"], e["text"], e["relation"], e["target"]] for e in edges
    ]
    planted = [
        [page, line, column, text, relation, outcome if outcome.startswith("kb-") else None]
        for page, line, column, _, relation, text, outcome in manifest["links"]
    ]
    assert sorted(found, key=str) == sorted(planted, key=str)
    unresolved = {"ambiguous": "ambiguous", "broken:missing": "wanted", "broken:typo": "wanted"}
    reasons = {(e["source"], e["line"], e["column"]): e["resolution"] for e in edges}
    for page, line, column, *_, outcome in manifest["links"]:
        if outcome in unresolved:
            assert reasons[page, line, column] == unresolved[outcome]


def test_hostile_links_take_linear_time() -> None:
    """A hundred thousand signs in a link, and thousands of links to headings that are not there."""
    signs = "#" * 100_000
    headings = "".join(f"# H{number}\n" for number in range(3000))
    links = "".join(f"[[b#No{number}]] [x](b.md#no{number})\n" for number in range(3000))
    graph = link(
        {"a.md": f"[[b{signs}]] [[b{'#h' * 50_000}]]\n{links}", "b.md": f"# C# {headings}"}
    )
    assert len(graph.broken) == 6002
    assert len({id(row.candidates) for row in graph.broken}) == 1
