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
    lump_nodes: int = number(150, "Nodes of a graph,", least=10)
    lump_comfortable: int = number(
        84, "and those that a person takes in: only a game with very many parts gets more", least=1
    )
    lump_lines: int = number(
        240, "With more lines inside parts than this a drawing is made coarser, if it can be", least=0
    )
    clusters_ties: int = number(500, "Lines that are drawn; the lightest are left to the list of edges", least=0)
    clusters_column: int = number(26, "Fluents or moves of a part that stand in one column", least=1)
    lines_bundle: int = number(
        3,
        "Where at least so many nodes are all tied to the same nodes, at least so many, lines meet in one point",
        least=2,
    )
    layout_seed: int = number(7, "The same graph is drawn in the same way every time", least=0)
    legend_named: int = number(14, "Parts that the legend names; the boxes of the graph name all", least=0)
    page_listed: int = number(
        2_000, "Edges, fluents or moves in one list; the JSON of the decomposition has all", least=0
    )
