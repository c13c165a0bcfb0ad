"""Method I (Zhao 2009, Alg. 5.1, 5.3, 5.4; §5.2): what each part promises each role; the most urgent first.

A local search brings back one number per role: the best goal that the part still leaves open to it if everybody wants
to help. It knows nothing of the other parts and of the opponent's choices, so that the move it finds is a guess; it is
found in time linear in the sizes of the parts.

Where all players move at once, the local search looks at joint moves: some players move in the part, the others are
elsewhere. The thesis leaves open how urgency is judged then. Here a role compares the best that a move of its own
leaves open, whoever joins it, with the worst that is left if it is elsewhere; of equal moves it takes the one that
needs no company.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from ludisect import clock
from ludisect.answer import Answer
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.gdl.terms import Term
from ludisect.ruleofplay import HELPING
from ludisect.search.budget import Budget
from ludisect.search.part.compound import Compound, Options, PartGraph
from ludisect.search.part.shape import fits_choice, part_answer, turns_by_effect
from ludisect.search.study import Study
from ludisect.search.turns.joint import ELSEWHERE, Joint, JointCompound, action_term, read_joint
from ludisect.search.way import UNDECIDED, Way

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


Chosen = dict[str, tuple[UrgentMove, Term]]
"""Per role that has a choice: what it does, and the move of the game."""


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


def _at_end(compound: Compound | JointCompound, i: int) -> list[Promise]:
    """Per concept the best goal of each role among the ends that it can be part of."""
    over = np.moveaxis(compound.over, 1 + i, 0).reshape(compound.over.shape[1 + i], -1)
    goal = np.moveaxis(compound.goal, 1 + i, 0).reshape(*over.shape, compound.roles)
    best = np.where(over[..., None], goal, 0).max(axis=1)
    return [tuple(row) for row in best.tolist()]


def _best(options: Options, role: int, known: list[Promise]) -> Promise:
    """The promise that a role likes best among the states it can move to."""
    return max((known[t] for _, t in options), key=itemgetter(role))


def joint_promises(compound: JointCompound, i: int, depth: int | None = None) -> list[Promise]:
    """Per state of part i what it promises each role, with joint moves; deeper than ``depth`` states count as they
    stand."""
    part = compound.parts[i]
    at_end = _at_end(compound, i)
    out = [at_end[c] for c in part.concept]
    for _ in range(len(out) if depth is None else depth):
        following = [_joint_value(step, here, out) for step, here in zip(part.step, out, strict=True)]
        if following == out:
            break
        out = following
    return out


def _joint_value(step: dict[Joint, int], here: Promise, known: Sequence[Promise]) -> Promise:
    """What a state promises: each role likes one joint move best in which it moves; of these the best for each."""
    best = [
        max((known[t] for j, t in step.items() if j[r] != ELSEWHERE), key=itemgetter(r), default=None)
        for r in range(len(here))
    ]
    some = [promise for promise in best if promise is not None]
    return tuple(max(column) for column in zip(*some, strict=True)) if some else here


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
    return most_urgent(found)


def most_urgent(found: Sequence[UrgentMove]) -> UrgentMove | None:
    """Among the moves without which their part keeps less, the one with most to lose; else the most promising."""
    own = [m for m in found if m.forced_by_self]
    if own:
        return max(own, key=lambda m: (m.urgency, m.promise))
    return max(found, key=lambda m: m.promise, default=None)


def urgent_action(compound: JointCompound, role: int, depth: int | None = None) -> UrgentMove | None:
    """The same where all move at once: the move of one role; None if it has none."""
    found: list[UrgentMove] = []
    for i, part in enumerate(compound.parts):
        step = part.step[part.start]
        mine = part.options[part.start][role] if step else ()
        if not mine:
            continue
        values = [promise[role] for promise in joint_promises(compound, i, depth)]
        nobody = (ELSEWHERE,) * compound.roles
        others = [values[t] for j, t in step.items() if j[role] == ELSEWHERE and j != nobody]

        left_open = {m: max(values[t] for j, t in step.items() if j[role] == m) for m in mine}
        alone = {m: values[step.get((*nobody[:role], m, *nobody[role + 1 :]), part.start)] for m in mine}
        label = max(mine, key=lambda m: (left_open[m], alone[m]))
        promise = left_open[label]
        worst = min(others, default=promise)
        found.append(UrgentMove(i, label, promise, promise - worst, promise >= max(others, default=0)))
    return most_urgent(found)


def applies(parts: Decomposition) -> str | None:
    """Every move is in one part, whether one player moves at a time or all at once."""
    roles = (len(parts.game.roles),)
    if fits_choice(parts, roles):
        return "one mover at a time picks the part to move in"
    return "all players pick a part and a move at once" if fits_choice(parts, roles, ("simultaneous",)) else None


def solve_urgent(study: Study, budget: Budget, depth: int | None = None) -> Answer:
    """Method I: a move in the most urgent part, and at a guess what that part still leaves open to its role."""
    begin = clock.now()
    parts, game = study.parts, study.game
    together = turns_by_effect(parts) == "simultaneous"
    moves, sizes = (_at_once if together else _in_turn)(study, budget, depth)
    decided = any(found.urgency for found, _ in moves.values())
    told = []
    for role, (found, move) in moves.items():
        why = f"is the most urgent for {role}, who can still get {found.promise} there, and {found.urgency} less if "
        why += "it is elsewhere" if together else "the opponent moves first"
        told.append(part_answer(parts, found.part, why, found.promise, [move]))
    return Answer(
        game.name, NAME, False, dict.fromkeys(game.roles), {role: move for role, (_, move) in moves.items()},
        guess={role: float(found.promise) for role, (found, _) in moves.items()},
        nodes=sum(sizes), seconds=clock.now() - begin, parts=tuple(told), rule=HELPING,
        notes=("a guess: the parts were looked at as if everybody helped", *([] if decided else [UNDECIDED])),
    )  # fmt: skip


def _in_turn(study: Study, budget: Budget, depth: int | None) -> tuple[Chosen, list[int]]:
    """The urgent move of whoever is to move, and the sizes of the parts."""
    compound, game = study.reading(budget).compound, study.game
    found = urgent_move(compound, depth)
    role = compound.mover[compound.context]
    moves = {} if found is None else {game.roles[role]: (found, game.moves[role][found.label])}
    return moves, [p.size for p in compound.parts]


def _at_once(study: Study, budget: Budget, depth: int | None) -> tuple[Chosen, list[int]]:
    """The urgent move of every role, and the sizes of the parts."""
    compound = read_joint(study, budget)
    moves: Chosen = {}
    for r, role in enumerate(study.game.roles):
        found = urgent_action(compound, r, depth)
        if found is not None:
            moves[role] = found, action_term(study.parts, compound, r, (found.part, found.label))
    return moves, [len(p.step) for p in compound.parts]


WAY = Way(
    NAME, "the part with most at stake first (Method I); a guess", applies, solve_urgent, exact=False, by_depth=True
)
