"""The page: well-formed, self-contained, with every table, and its parts point at each other."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.draw.drawing import decomposition_html
from ludisect.draw.graphdata import GraphData

from .samples import SAMPLES, double_tictactoe, four_lamps, serial_tictactoe

VOID = {"meta", "br"}


class Reader(HTMLParser):
    """Checks that elements nest; keeps all text and attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(params=list(SAMPLES))
def parts(request: pytest.FixtureRequest) -> Decomposition:
    return SAMPLES[request.param]()


def test_page_is_well_formed_and_needs_nothing_else(parts: Decomposition) -> None:
    page = decomposition_html(parts)
    read = Reader(page)
    for tag, attributes in read.elements:
        assert tag not in ("link", "iframe", "img", "object", "use", "image")
        assert not {"src", "href", "xlink:href", "style"} & attributes.keys()
    assert set(re.findall(r"https?://[^\s\"'<]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "url(" not in page
    assert "@import" not in page


def test_every_part_has_a_row_and_can_be_found_in_the_picture(parts: Decomposition) -> None:
    read = Reader(decomposition_html(parts))
    rows = [a["data-part"] for tag, a in read.elements if tag == "tr" and "data-part" in a]
    assert rows == [str(s.id) for s in parts.parts]
    drawn = {p for tag, a in read.elements if tag == "g" for p in (a.get("data-part") or "").split()}
    assert drawn >= {str(s.id) for s in parts.parts[:60]}


def test_every_edge_of_the_list_is_drawn_hidden_until_its_node_is_lit() -> None:
    parts = double_tictactoe()
    data = GraphData(parts)
    read = Reader(decomposition_html(parts))
    listed = [a["data-edge"] for tag, a in read.elements if tag == "tr" and "data-edge" in a]
    drawn = {a["data-edge"]: a for tag, a in read.elements if tag == "g" and "data-edge" in a}
    assert listed == [str(edge.edges[0]) for edge in data.drawn]
    inside = [e for e in data.drawn if data.nodes[e.source].place == data.nodes[e.target].place]
    assert {str(e.edges[0]) for e in inside} == {i for i, a in drawn.items() if a.get("visibility") == "hidden"}
    nodes = {a["data-node"] for tag, a in read.elements if tag == "g" and "data-node" in a}
    for a in drawn.values():
        assert a.get("visibility") != "hidden" or {a["data-from"], a["data-to"]} <= nodes


def test_dark_by_what_the_system_prefers() -> None:
    page = decomposition_html(double_tictactoe())
    assert "@media (prefers-color-scheme:dark)" in page
    read = Reader(page)
    assert not any(a.get("fill", "none") != "none" for _, a in read.elements)


def test_counterexample_marks_what_differs() -> None:
    page = decomposition_html(four_lamps())
    assert "Condition 1, part 1: the next value of &lt;part 1&gt; &amp; its friends differs" in page
    assert "<mark>(on b)</mark>" in page
    assert "<mark>(on c)</mark>" in page
    assert "<mark>player: (push a)</mark>" not in page  # both situations have it


def test_fluents_and_local_moves_are_listed() -> None:
    text = " ".join(Reader(decomposition_html(serial_tictactoe())).text)
    parts = serial_tictactoe()
    for term in parts.game.fluents:
        assert str(term) in text
    for s in parts.parts:
        for r, classes in enumerate(s.move_numbers):
            assert all(str(parts.game.moves[r][m]) in text for members in classes for m in members)


def test_what_is_set_apart_is_told() -> None:
    parts = replace(
        four_lamps(),
        unseen_move_numbers=((0, 1),),
        notes=("lamp <d> is idle",),
        constant_numbers=(0,),
        unseen_numbers=(1,),
    )
    text = " ".join(Reader(decomposition_html(parts)).text)
    assert "1 fluents never change" not in text
    for words in ("1 fluent never changes", "1 fluent not seen to change", "1 move that no playout made"):
        assert words in text
    assert "lamp <d> is idle" in text
