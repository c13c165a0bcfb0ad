"""Greedy decomposition search for one player (Günther 2007, Alg. 4.1), and when it is known to be optimal.

Each part is searched by itself while the others stay as they are, and the part that promises most moves next. A part
promises the best goal among the local states at which it stops: those that end the play, and those without a move.
The search sees no goal that needs several parts at once, and no end that several parts bring about together.

It is known to be optimal if the parts neither compete for time nor end each other's play (the play ends exactly when
nobody can move) and the goals are strictly ordered: of any two concepts of a part one is better, or both are equal,
whatever the other parts show. (At least as good would not do: where a goal needs two parts at once, neither looks worth
the trouble.) It is also optimal where it happens to reach a goal that no combination of concepts beats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ludisect import clock
from ludisect.answer import Answer
from ludisect.circuit.batch import UNDEFINED
from ludisect.circuit.game import Game
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.foresight import KnownPlan, foreseen
from ludisect.search.limits import SearchLimits
from ludisect.search.oneplayer.following import named_moves
from ludisect.search.oneplayer.plans import applies, plan_answer
from ludisect.search.part.compound import WAIT, Compound, PartGraph, States
from ludisect.search.part.reading import Reading
from ludisect.search.study import Study
from ludisect.search.way import UNDECIDED, Way
from ludisect.search.whole.positions import choosers
from ludisect.search.whole.statespace import joint_moves

NAME = "greedy"


@dataclass(frozen=True, slots=True)
class GreedyPlay:
    """The moves that the greedy search makes to the end, and what they yield (None if it gets stuck)."""

    value: int | None
    moves: tuple[tuple[int, int], ...]
    optimal: str | None
    """Why the value is known to be the best possible; None if it is not."""
    states: int = 0
    """Local states looked at."""


def strictly_ordered(compound: Compound) -> bool:
    """Whether of any two concepts of a part one is better, or both are equal, whatever else the position shows."""
    for i in range(len(compound.parts)):
        goal = np.moveaxis(compound.goal[..., 0], 1 + i, 0).reshape(compound.goal.shape[1 + i], -1)
        above = (goal[:, None, :] > goal[None, :, :]).all(axis=2)
        equal = (goal[:, None, :] == goal[None, :, :]).all(axis=2)
        if not bool((above | above.T | equal).all()):
            return False
    return True


def ends_when_stuck(compound: Compound) -> bool:
    """Whether the play ends exactly when nobody can move."""
    return bool(np.array_equal(compound.over, compound.idle))


def greedy_play(compound: Compound, *, depth: int | None = None) -> GreedyPlay:
    """Play a single-player game to its end by greedy moves; ``depth`` limits each local search."""
    states, context = compound.start, compound.context
    taken: list[tuple[int, int]] = []
    looked = 0
    seen: set[tuple[States, int]] = set()
    while True:
        goals = compound.goals_at_end(compound.key(states, context))
        if goals is not None:
            return GreedyPlay(goals[0], tuple(taken), _why_optimal(compound, goals[0], depth), looked)
        if (states, context) in seen:
            return GreedyPlay(None, tuple(taken), None, looked)
        seen.add((states, context))
        promises, count = _promises(compound, states, context, depth)
        looked += count
        if not promises:
            return GreedyPlay(None, tuple(taken), None, looked)
        _, i, way = promises[0]
        label, t = way[0]
        taken.append((i, label))
        states = (*states[:i], t, *states[i + 1 :])
        context = compound.follow[context]


def _promises(
    compound: Compound, states: States, context: int, depth: int | None
) -> tuple[list[tuple[int, int, list[tuple[int, int]]]], int]:
    """(promise, part, way there) of every part that can move, the one to be made first; and states looked at."""
    found, looked = [], 0
    for i, part in enumerate(compound.parts):
        if not part.moves[0][states[i]]:
            continue
        if compound.rest is not None and i == len(compound.parts) - 1:
            promise, way, count = _promise_of_waiting(compound, states, context)
        else:
            promise, way, count = _promise(compound, part, i, states, context, depth)
        looked += count
        if way:
            found.append((promise, i, way))
    # of equal promises the shorter way, so that the play gets on
    return sorted(found, key=lambda one: (-one[0], len(one[2]))), looked


def _promise(
    compound: Compound, part: PartGraph, i: int, states: States, context: int, depth: int | None
) -> tuple[int, list[tuple[int, int]], int]:
    """(best goal that the part can stop at, the way there, states looked at), the other parts left as they are."""
    before: dict[int, tuple[int, int, int]] = {}
    reached = {states[i]: context}
    layer = [states[i]]
    steps = 0
    best: tuple[int, int] | None = None
    while layer and (depth is None or steps < depth):
        steps += 1
        following = []
        for s in layer:
            for label, t in part.moves[0][s]:
                if t in reached:
                    continue
                reached[t] = compound.follow[reached[s]]
                before[t] = (s, label, steps)
                key = compound.key((*states[:i], t, *states[i + 1 :]), reached[t])
                over = bool(compound.over[key])
                if not over:
                    following.append(t)
                if over or not part.moves[0][t] or (depth is not None and steps == depth):
                    value = int(compound.goal[(*key, 0)])
                    if best is None or value > best[0]:
                        best = value, t
        layer = following
    if best is None:
        # the part never stops: any of its states will do, the best of them first
        options = [(int(compound.goal[(*compound.key((*states[:i], t, *states[i + 1 :]), c), 0)]), t)
                   for t, c in reached.items() if t != states[i]]  # fmt: skip
        if not options:
            return 0, [], len(reached)
        best = max(options, key=lambda x: (x[0], -before[x[1]][2]))
    way: list[tuple[int, int]] = []
    t = best[1]
    while t != states[i]:
        s, label, _ = before[t]
        way.append((label, t))
        t = s
    return best[0], way[::-1], len(reached)


def _promise_of_waiting(compound: Compound, states: States, context: int) -> tuple[int, list[tuple[int, int]], int]:
    """(what the play ends with if nothing is done any more, the waits until then, positions looked at)."""
    assert compound.rest is not None
    for steps in range(1, 1 + len(compound.mover)):
        if not compound.rest[compound.key(states, context)]:
            break
        context = compound.follow[context]
        key = compound.key(states, context)
        if compound.over[key]:
            return int(compound.goal[(*key, 0)]), [(WAIT, states[-1])] * steps, steps
    return 0, [], 0


def _why_optimal(compound: Compound, value: int, depth: int | None) -> str | None:
    ends = compound.over | compound.idle
    most = int(compound.goal[..., 0][ends].max())
    if value >= most:
        return f"no combination of concepts is worth more than {most}"
    if depth is None and ends_when_stuck(compound) and strictly_ordered(compound):
        return "the goals are strictly ordered and the play ends only when nobody can move"
    return None


def solve_greedy(study: Study, budget: Budget, depth: int | None = None) -> Answer:
    """What greedy moves yield; exact only where that is known to be the best. Of parts that are not known whole, only
    the first move, and what it promises as a guess."""
    begin = clock.now()
    parts, choice = study.parts, study.reading(budget, waiting=True)
    if depth is not None and not choice.complete:
        return _first_move(parts, choice, depth, begin)
    play = greedy_play(choice.compound, depth=depth)
    certain, rests_on = grounds(parts)
    start = parts.game.batch.initial
    plan = [label for _, label in named_moves(choice, start, play.moves)]
    value = play.value
    notes = [] if certain else [rests_on]
    if value is None:
        notes.append("greedy moves, which come to no end of the play; nothing says that they are best")
    elif value != paid(parts.game, plan):
        notes.append(f"greedy moves; by the parts they reach {value}, but played on the rules they do not")
        value = None
    elif play.optimal:
        notes.append(f"these moves were played on the rules and reach {value}; optimal: {play.optimal}")
    else:
        notes.append(f"these moves were played on the rules and reach {value}; nothing says that no others reach more")
    exact = value is not None and play.optimal is not None and certain
    answer = plan_answer(parts, choice, NAME, value, play.moves, exact, rests_on, notes, play.states,
                         clock.now() - begin)  # fmt: skip
    return foreseen(parts.game, answer, KnownPlan(parts, start, plan, float(value or 0)))


def paid(game: Game, plan: Sequence[int]) -> int | None:
    """What a single player's moves pay, played on the rules from the start; None if they do not end the play."""
    batch = game.batch
    row = batch.initial
    for move in plan:
        if batch.terminal(row)[0] or not batch.legal(row)[0][move]:
            return None
        row = batch.next(row, np.array([[move]], np.int32))
    for _ in range(SearchLimits.current().checking_moves):  # what follows without a choice
        joint, after = joint_moves(game, row)
        if not joint.shape[0]:  # the play is over, or stops and pays nobody
            goal = int(batch.goals(row)[0, 0]) if batch.terminal(row)[0] else 0
            return 0 if goal == UNDEFINED else goal
        if any(choosers(joint, after)):
            break
        row = after[:1]
    return None


def _first_move(parts: Decomposition, choice: Reading, depth: int, begin: float) -> Answer:
    """The loop of Alg. 4.1 at one depth: what a part shows when the depth is reached counts as what it stops at."""
    compound = choice.compound
    promises, looked = _promises(compound, compound.start, compound.context, depth)
    moves = tuple((i, way[0][0]) for _, i, way in promises[:1])
    answer = plan_answer(parts, choice, NAME, None, moves, False, "", [], looked, clock.now() - begin)
    role = parts.game.roles[0]
    notes = [f"a guess: each part was searched {depth} moves deep and then counted as it stands"]
    if len({promise for promise, _, _ in promises}) < 2:
        notes.append(UNDECIDED)
    guess = {role: float(promises[0][0])} if promises else {}
    return replace(answer, guess=guess, notes=tuple(notes))


WAY = Way(
    NAME, "single player: the part that promises most moves first", applies, solve_greedy, exact=False, by_depth=True
)
