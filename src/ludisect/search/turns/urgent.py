"""Method I (Zhao 2009, Alg. 5.1, 5.3, 5.4): what each part promises each role; the most urgent part first.

A local search brings back one number per role: the best goal that the part still leaves open to it if everybody wants
to help. It knows nothing of the other parts and of the opponent's choices, so that the move it finds is a guess; it is
found in time linear in the sizes of the parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from ludisect import clock
from ludisect.answer import Answer
from ludisect.search.budget import Budget
from ludisect.search.part.compound import Compound, Options, PartGraph
from ludisect.search.part.shape import part_answer
from ludisect.search.study import Study
from ludisect.search.turns.tmseq import applies
from ludisect.search.way import Way

NAME = "urgent"

Promise = tuple[int, ...]
"""Per role the best goal left open."""


@dataclass(frozen=True, slots=True)
class UrgentMove:
    """The chosen move, what it promises the mover, and how much it loses if the others move there first."""

    part: int
    label: int
    promise: int
    urgency: int
    forced_by_self: bool
    """Whether the best promise of the part needs the mover to move there."""


def promises(compound: Compound, i: int, depth: int | None = None) -> list[Promise]:
    """Per state of part i what it promises each role (Alg. 5.1); states deeper than ``depth`` count as they stand."""
    part = compound.parts[i]
    at_end = _at_end(compound, i)
    if depth is None and part.height is not None:
        out: list[Promise] = [()] * part.size
        for s in sorted(range(part.size), key=part.height.__getitem__):
            out[s] = _value(part, s, at_end, out)
        return out
    out = [at_end[c] for c in part.concept]
    for _ in range(part.size if depth is None else depth):
        following = [_value(part, s, at_end, out) for s in range(part.size)]
        if following == out:
            break
        out = following
    return out


def _at_end(compound: Compound, i: int) -> list[Promise]:
    """Per concept the best goal of each role among the ends that it can be part of."""
    over = np.moveaxis(compound.over, 1 + i, 0).reshape(compound.over.shape[1 + i], -1)
    goal = np.moveaxis(compound.goal, 1 + i, 0).reshape(*over.shape, compound.roles)
    best = np.where(over[..., None], goal, 0).max(axis=1)
    return [tuple(row) for row in best.tolist()]


def _best(options: Options, role: int, known: list[Promise]) -> Promise:
    """The promise that a role likes best among the states it can move to."""
    return max((known[t] for _, t in options), key=itemgetter(role))


def _value(part: PartGraph, s: int, at_end: list[Promise], known: list[Promise]) -> Promise:
    best = [_best(of_role[s], r, known) for r, of_role in enumerate(part.moves) if of_role[s]]
    if not best:
        return at_end[part.concept[s]]
    return tuple(max(column) for column in zip(*best, strict=True))


def urgent_move(compound: Compound, depth: int | None = None) -> UrgentMove | None:
    """Alg. 5.4: among the parts whose promise needs the mover to move, the one with most to lose; None without."""
    role = compound.mover[compound.context]
    found: list[UrgentMove] = []
    for i, part in enumerate(compound.parts):
        s = part.start
        mine = part.moves[role][s]
        if not mine:
            continue
        values = promises(compound, i, depth)
        label, t = max(mine, key=lambda move: values[move[1]][role])
        promise = values[t][role]
        # what is left to the mover if each of the others, moving first, picks what it likes best
        others = [
            _best(of_role[s], r, values)[role] for r, of_role in enumerate(part.moves) if r != role and of_role[s]
        ]
        worst = min(others, default=promise)
        found.append(UrgentMove(i, label, promise, promise - worst, promise >= max(others, default=0)))
    if not found:
        return None
    own = [m for m in found if m.forced_by_self]
    if own:
        return max(own, key=lambda m: (m.urgency, m.promise))
    return max(found, key=lambda m: m.promise)


def solve_urgent(study: Study, budget: Budget, depth: int | None = None) -> Answer:
    """Method I: a move in the most urgent part; no value, since it is a guess."""
    begin = clock.now()
    parts, compound, game = study.parts, study.reading(budget).compound, study.game
    found = urgent_move(compound, depth)
    role = compound.mover[compound.context]
    told = []
    move = {}
    if found is not None:
        move = {game.roles[role]: game.moves[role][found.label]}
        why = (
            f"is the most urgent: {game.roles[role]} can still get {found.promise} there, and {found.urgency} less if"
            " the opponent moves first"
        )
        told = [part_answer(parts, found.part, why, found.promise, move.values())]
    return Answer(
        game.name, NAME, False, dict.fromkeys(game.roles), move, nodes=sum(p.size for p in compound.parts),
        seconds=clock.now() - begin, parts=tuple(told),
        notes=("a guess: the parts were looked at as if everybody helped",),
    )  # fmt: skip


WAY = Way(
    NAME, "the part with most at stake first (Method I); a guess", applies, solve_urgent, exact=False, by_depth=True
)
