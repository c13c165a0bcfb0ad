"""The numbers of pictures: how much of a decomposition is drawn before it is made coarser or listed instead."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class DrawLimits(Numbers):
    """How much is drawn; widths, gaps and sizes of letters are no numbers to set: they fit each other."""

    boards_side: int = number(60, "Squares along a side of a board; larger ones are not drawn as boards", least=2)
    boards_most: int = number(24, "Boards of a game that are drawn", least=0)
    boards_plays: int = number(3, "Random plays in which boards that change together are seen to be one", least=0)
    boards_steps: int = number(40, "and the steps of each that are looked at", least=0)
    boards_tried: int = number(600, "Legal moves that are tried out to see what they change on the boards", least=0)
    graph_nodes: int = number(150, "Nodes of a graph; with more, rows, symbols or parts are nodes", least=10)
    graph_parts: int = number(60, "Parts with a box of their own; the others share one", least=1)
    graph_column: int = number(24, "Nodes of one symbol that a part has off its boards, before they are one", least=1)
    graph_hidden: int = number(600, "Edges inside parts that a page can show when the pointer rests on a node", least=0)
    graph_links: int = number(40, "Lines between parts; the others are told by the list of edges", least=0)
    legend_named: int = number(14, "Parts that the legend names; the boxes of the graph name all", least=0)
    page_listed: int = number(
        2_000, "Edges, fluents or moves in one list; the JSON of the decomposition has all", least=0
    )
