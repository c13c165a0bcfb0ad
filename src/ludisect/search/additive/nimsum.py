"""Impartial sums: the nimber of every part, nim-sum play, and which convention the rules of the end set.

A game is impartial in its parts if in every local state both roles can make the same moves (Zhao 2009, Def. 4.1, here
checked on the local graphs). If the play ends exactly when nobody can move, and the goals then depend only on whose
turn it is, the last to move wins (normal play) or loses (misère play). In normal play the nimbers decide (Sprague and
Grundy); misère play is another matter, see ``misere``.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ludisect.cgt.impartial import mex, nim_sum
from ludisect.circuit.record import plays
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.limits import SearchLimits
from ludisect.search.part.compound import Compound, PartGraph
from ludisect.search.part.reading import Reading
from ludisect.search.way import Inapplicable
from ludisect.search.whole.positions import paid

Convention = Literal["normal", "misère"]


@dataclass(frozen=True, slots=True)
class NimSum:
    """An impartial sum: its convention, and what the player who wins and the one who loses get."""

    convention: Convention
    win: int
    loss: int


def may_be_last_mover(parts: Decomposition) -> bool:
    """Whether some random plays all end with one player winning one prize and the other losing it.

    A quick look that refuses most games whose end depends on more than who moved last, before their parts are explored.
    """
    game = parts.game
    seen: set[tuple[int, ...]] = set()
    for _, _, following in plays(game, SearchLimits.current().nimsum_plays, seed=0):
        seen |= {tuple(row) for row in paid(game.batch.goals(following[game.batch.terminal(following)])).tolist()}
        if len(seen) > 2 or any(a == b for a, b in seen):
            return False
    return len(seen) < 2 or sorted(seen)[0] == sorted(seen)[1][::-1]


def impartial_sum(compound: Compound, seen: NimSum | None = None) -> NimSum:
    """Recognise an impartial sum of two alternating roles.

    Where only states near the start are known, no end may be among them: then what was ``seen`` in plays is believed.

    Raises:
        Inapplicable: it is none; the text says what is missing.
    """
    if compound.roles != 2:
        raise Inapplicable(f"impartial sums have two roles, not {compound.roles}")
    if any(compound.mover[c] == compound.mover[after] for c, after in enumerate(compound.follow)):
        raise Inapplicable("the roles do not move in turn")
    unequal = unequal_part(compound)
    if unequal is not None:
        raise Inapplicable(f"in part {unequal + 1} the two roles do not have the same moves")
    for i, part in enumerate(compound.parts):
        if part.height is None:
            raise Inapplicable(f"part {i + 1} can go round in circles")
    return _convention(compound) if seen is None else seen


def seen_convention(reading: Reading) -> NimSum:
    """What random plays show: whether the last to move wins or loses, and what that is worth.

    Raises:
        Inapplicable: they show that it depends on more, or come to no end.
    """
    views, mover = reading.views, np.array(reading.compound.mover)
    game = views.game
    found: set[tuple[int, int]] = set()
    for _, _, following in plays(game, SearchLimits.current().nimsum_plays, seed=0):
        ends = following[game.batch.terminal(following)]
        time = views.time(ends)
        here = mover[reading.times.number[np.maximum(time, 0)]]
        goals = paid(game.batch.goals(ends))
        rows = np.arange(here.size)
        found |= set(zip(goals[rows, here].tolist(), goals[rows, 1 - here].tolist(), strict=True))
    return _of_ends(found)


def unequal_part(compound: Compound) -> int | None:
    """The first part in some state of which two roles do not have the same moves; None if they do in all."""
    for i, part in enumerate(compound.parts):
        if any({t for _, t in a} != {t for _, t in b} for a, b in zip(*part.moves, strict=True)):
            return i
    return None


def _convention(compound: Compound) -> NimSum:
    if compound.ends is None:
        raise Inapplicable("the play does not end exactly when nobody can move")
    return _of_ends(compound.ends)


def _of_ends(found: Set[tuple[int, int]]) -> NimSum:
    """The convention, from what the player to move at an end and the other one get."""
    if len(found) != 1:
        raise Inapplicable("the goals at the end depend on more than whose turn it is")
    ((mover_gets, other_gets),) = found
    if mover_gets == other_gets:
        raise Inapplicable("the play has no winner")
    if mover_gets < other_gets:
        return NimSum("normal", other_gets, mover_gets)
    return NimSum("misère", mover_gets, other_gets)


def by_height(part: PartGraph) -> list[int]:
    """The states of a part without circles, each after all that follow it."""
    assert part.height is not None
    height = part.height
    return sorted(range(part.size), key=height.__getitem__)


def nimbers(part: PartGraph) -> list[int]:
    """The nimber of every state (Zhao 2009, Alg. 4.6, each state once)."""
    out = [0] * part.size
    for s in by_height(part):
        out[s] = mex(out[t] for _, t in part.moves[0][s])
    return out


def guessed_nimbers(part: PartGraph, role: int, depth: int) -> tuple[dict[int, int], bool]:
    """(nimbers of the start and of the states to which a role can move, whether one is only a guess) (Alg. 4.6).

    Below ``depth`` moves from the start the number of moves stands in for the nimber. The start is worth what the
    values of its moves say, so that a move to every smaller number is among them.
    """
    known: dict[tuple[int, int], tuple[int, bool]] = {}
    height = part.height
    assert height is not None

    def value(s: int, d: int) -> tuple[int, bool]:
        d = min(d, height[s])
        if (s, d) not in known:
            below = {t for _, t in part.moves[0][s]}
            if d == 0:
                known[s, d] = len(below), bool(below)
            else:
                each = [value(t, d - 1) for t in below]
                known[s, d] = mex(v for v, _ in each), any(guess for _, guess in each)
        return known[s, d]

    each = {t: value(t, max(0, depth - 1)) for _, t in part.moves[role][part.start]}
    each[part.start] = value(part.start, depth)
    return {s: v for s, (v, _) in each.items()}, each[part.start][1]


@dataclass(frozen=True, slots=True)
class NimMove:
    """A move in ``part`` with a label, to a state of nimber ``to``."""

    part: int
    label: int
    state: int
    to: int


def nim_move(compound: Compound, values: list[list[int]]) -> NimMove | None:
    """A move that makes the nim-sum zero (Alg. 4.8, normal play); None if it is zero already."""
    here = [v[p.start] for v, p in zip(values, compound.parts, strict=True)]
    total = nim_sum(here)
    role = compound.mover[compound.context]
    for i, part in enumerate(compound.parts):
        for label, t in part.moves[role][part.start]:
            if total and values[i][t] == here[i] ^ total:
                return NimMove(i, label, t, values[i][t])
    return None
