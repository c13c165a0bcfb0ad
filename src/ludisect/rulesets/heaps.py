"""Nim, Kayles and all other octal games: heaps whose nim values are known without search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from ludisect.cgt import Value, nimber
from ludisect.cgt.impartial import NAMED, Octal
from ludisect.errors import InputError
from ludisect.rulesets.depiction import Diagram, heaps_diagram
from ludisect.rulesets.limits import PositionLimits
from ludisect.rulesets.position import Player, Position


def read_heaps(name: str, text: str) -> tuple[int, ...]:
    """Heap sizes separated by blanks or commas."""
    words = re.split(r"[\s,]+", text.strip())
    most = PositionLimits.current().heaps_digits
    for word in words:
        if not word.isdecimal():
            raise InputError(f"{name}: {word!r} is no heap size; write for example {name} 3 5 7")
        if len(word) > most:
            raise InputError(f"{name}: a heap size has at most {most} digits, not {len(word)}")
    return tuple(int(word) for word in words)


@lru_cache(maxsize=64)
def octal_game(code: str) -> Octal:
    """The octal game with this code or name; its nim values are kept."""
    return Octal(code)


@dataclass(frozen=True)
class Nim(Position):
    """Heaps, from their text or their sizes; a move (i, k) leaves k tokens in heap i."""

    heaps: tuple[int, ...]

    name = "nim"
    impartial = True

    def __init__(self, heaps: str | Iterable[int]) -> None:
        found = read_heaps(self.name, heaps) if isinstance(heaps, str) else tuple(heaps)
        object.__setattr__(self, "heaps", found)

    def __repr__(self) -> str:
        return f"Nim({str(self) or ()!r})"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read heap sizes such as ``3 5 7``."""
        return cls(text)

    def __str__(self) -> str:
        return " ".join(map(str, self.heaps))

    def moves(self, player: Player) -> Sequence[tuple[int, int]]:
        return [(i, k) for i, n in enumerate(self.heaps) for k in range(n)]

    def play(self, player: Player, move: tuple[int, int]) -> Nim:
        i, k = move
        return Nim((*self.heaps[:i], k, *self.heaps[i + 1 :]))

    def parts(self) -> Sequence[Position]:
        return [Nim((n,)) for n in self.heaps if n]

    def terminal_value(self) -> Value | None:
        return nimber(self.heaps[0]) if len(self.heaps) == 1 else None

    def move_text(self, move: tuple[int, int]) -> str:
        return f"heap {move[0] + 1} to {move[1]}"

    def diagram(self) -> Diagram:
        return heaps_diagram(self.heaps, PositionLimits.current().heaps_drawn)

    def move_cells(self, move: tuple[int, int]) -> Sequence[int]:
        return _counter(self.heaps, *move)

    def cell_glyph(self, cell: int) -> str:
        return "counter"


@dataclass(frozen=True)
class OctalHeaps(Position):
    """Heaps of an octal game, from their text or from code and sizes; a move (i, rest) replaces heap i by ``rest``."""

    code: str
    heaps: tuple[int, ...]

    name = "octal"
    impartial = True

    def __init__(self, code: str, heaps: Iterable[int] | None = None) -> None:
        if heaps is None:
            code, _, rest = code.strip().partition(" ")
            code, heaps = octal_game(code).code, read_heaps(f"{self.name} {code}", rest)
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "heaps", tuple(heaps))

    def __repr__(self) -> str:
        return f"OctalHeaps({str(self)!r})" if self.heaps else f"OctalHeaps({self.code!r}, ())"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a code and heap sizes such as ``0.137 12 5``."""
        return cls(text)

    def __str__(self) -> str:
        return f"{self.code} {' '.join(map(str, self.heaps))}"

    def moves(self, player: Player) -> Sequence[tuple[int, tuple[int, ...]]]:
        game = octal_game(self.code)
        return [(i, rest) for i, n in enumerate(self.heaps) for rest in game.moves(n)]

    def play(self, player: Player, move: tuple[int, tuple[int, ...]]) -> OctalHeaps:
        i, rest = move
        return OctalHeaps(self.code, (*self.heaps[:i], *rest, *self.heaps[i + 1 :]))

    def parts(self) -> Sequence[Position]:
        return [OctalHeaps(self.code, (n,)) for n in self.heaps if n]

    def terminal_value(self) -> Value | None:
        return nimber(octal_game(self.code).nim_value(self.heaps[0])) if len(self.heaps) == 1 else None

    def move_text(self, move: tuple[int, tuple[int, ...]]) -> str:
        return f"heap {move[0] + 1} to {'+'.join(map(str, move[1])) or '0'}"

    def diagram(self) -> Diagram:
        return heaps_diagram(self.heaps, PositionLimits.current().heaps_drawn)

    def move_cells(self, move: tuple[int, tuple[int, ...]]) -> Sequence[int]:
        return _counter(self.heaps, move[0], sum(move[1]))

    def cell_glyph(self, cell: int) -> str:
        return "counter"


def _counter(heaps: Sequence[int], heap: int, left: int) -> list[int]:
    """The lowest counter that is taken where so many are left; one that merely splits the heap is about its top."""
    drawn = PositionLimits.current().heaps_drawn
    if left >= drawn:
        return []
    before = sum(min(n, drawn) for n in heaps[:heap])
    return [before + min(left, heaps[heap] - 1)]


def named_octal(name: str, text: str) -> OctalHeaps:
    """A game such as ``kayles 7``, by its name instead of its code."""
    return OctalHeaps(NAMED[name], read_heaps(name, text))
