"""Hackenbush: Left cuts blue edges, Right red ones, both green ones; what loses the ground falls.

References: *Winning Ways*, ch. 1, 2 and 7; Berlekamp's rule for red-blue strings (1974).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from ludisect.cgt.dyadic import Number
from ludisect.errors import InputError
from ludisect.rulesets.coloredgraph import Edge, canonical_edges, components, reachable
from ludisect.rulesets.position import Player, Position

GROUND = 0
_CUTS = {Player.LEFT: "BG", Player.RIGHT: "RG"}
_SWAP = str.maketrans("BR", "RB")
_EDGE = re.compile(r"(\d{1,9})-(\d{1,9})([BRG])")


@dataclass(frozen=True)
class Hackenbush(Position):
    """A picture of blue, red and green edges, from its text or its edges; node 0 is the ground.

    A move is the edge that is cut.
    """

    edges: tuple[Edge, ...]

    name = "hackenbush"

    def __init__(self, edges: str | Iterable[Edge]) -> None:
        found = self.parse(edges).edges if isinstance(edges, str) else tuple(edges)
        object.__setattr__(self, "edges", found)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read stalks and edges: ``BRG BB`` are two stalks from the ground up, ``0-1B 1-2R`` two edges."""
        edges: list[Edge] = []
        words = text.replace(",", " ").split()
        free = 1 + max((int(n) for pair in _EDGE.findall(text) for n in pair[:2]), default=0)
        for word in words:
            edge = _EDGE.fullmatch(word)
            if edge:
                edges.append((int(edge[1]), int(edge[2]), edge[3]))
            elif set(word) <= set("BRG"):
                for i, color in enumerate(word):
                    edges.append((free - 1 if i else GROUND, free, color))
                    free += 1
            else:
                raise InputError(
                    f"hackenbush: {word!r} is neither a stalk of B, R and G from the ground up nor an edge like 0-1B"
                )
        if not words:
            raise InputError("hackenbush: the picture is empty; write for example BRG, or 0-1B 1-2R 2-0G")
        return cls(reachable(edges, GROUND))

    def __str__(self) -> str:
        return " ".join(f"{u}-{v}{color}" for u, v, color in self.edges)

    def __repr__(self) -> str:
        return f"Hackenbush({str(self) or ()!r})"

    def __neg__(self) -> Hackenbush:
        return Hackenbush(_exchanged(self.edges))

    def moves(self, player: Player) -> Sequence[Edge]:
        return sorted({e for e in self.edges if e[2] in _CUTS[player]})

    def play(self, player: Player, move: Edge) -> Hackenbush:
        rest = list(self.edges)
        rest.remove(move)
        return Hackenbush(reachable(rest, GROUND))

    def parts(self) -> Sequence[Position]:
        return [Hackenbush(group) for group in components(self.edges, GROUND)]

    def bounds(self) -> tuple[Number, Number]:
        """Every move cuts an edge of the player's."""
        low, high = (sum(e[2] in _CUTS[p] for e in self.edges) for p in (Player.RIGHT, Player.LEFT))
        return -low, high

    def key(self) -> tuple[Hashable, bool]:
        same = canonical_edges(self.edges, GROUND)
        other = canonical_edges(_exchanged(self.edges), GROUND)
        return (self.name, min(same, other)), other < same

    def move_text(self, move: Edge) -> str:
        return f"{move[0]}-{move[1]}{move[2]}"


def _exchanged(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Blue edges red, red ones blue."""
    return tuple((u, v, color.translate(_SWAP)) for u, v, color in edges)
