"""Random compound games on plain graphs, and the obvious search of the whole that judges every other."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import numpy as np

from ludisect.search.part.compound import WAIT, Compound, PartGraph, States, table
from ludisect.search.turns.joint import ELSEWHERE, JointCompound, JointPart


def random_part(rng: random.Random, *, roles: int, states: int, concepts: int, moves: int) -> PartGraph:
    """An acyclic part: moves lead to states with higher numbers."""
    out = []
    for _ in range(roles):
        of_role = []
        for s in range(states):
            later = range(s + 1, states)
            count = min(len(later), rng.randint(0, moves))
            of_role.append(tuple(enumerate(sorted(rng.sample(later, count)))))
        out.append(tuple(of_role))
    # a state without moves has concepts of its own, so that the end can read that nobody can move
    leaf = [not any(of_role[s] for of_role in out) for s in range(states)]
    kinds = [rng.randrange(concepts) + concepts * leaf[s] for s in range(states)]
    return PartGraph(tuple(out), tuple(kinds))


def random_compound(
    rng: random.Random, *, roles: int = 2, parts: int = 2, states: int = 5, concepts: int = 2, moves: int = 2
) -> Compound:
    """Parts glued as a choice of the mover; two roles get opposite goals. Ends are few, goals of a few kinds."""
    graphs = tuple(
        random_part(rng, roles=roles, states=rng.randint(2, states), concepts=concepts, moves=moves)
        for _ in range(parts)
    )
    kinds = 2 * concepts
    shape = [roles, *(kinds for _ in graphs)]
    over, goal = table([*shape, roles])
    kind = rng.choice(["random", "additive", "conjunctive", "disjunctive"])
    worth = [[rng.choice([0, 10, 25, 50]) for _ in range(kinds)] for _ in graphs]
    wins = [[rng.random() < 0.5 for _ in range(kinds)] for _ in graphs]
    ends = [[rng.random() < 0.3 for _ in range(kinds)] for _ in graphs]
    how = rng.choice(["leaves", "any", "all"])
    for c in np.ndindex(*shape[1:]):
        if kind == "random":
            value = rng.choice([0, 25, 50, 100])
        elif kind == "additive":
            value = min(100, sum(w[x] for w, x in zip(worth, c, strict=True)))
        else:
            each = [w[x] for w, x in zip(wins, c, strict=True)]
            value = 100 * (all(each) if kind == "conjunctive" else any(each))
        end = [e[x] for e, x in zip(ends, c, strict=True)]
        done = (how == "any" and any(end)) or (how == "all" and all(end)) or all(x >= concepts for x in c)
        for context in range(roles):
            over[(context, *c)] = done
            goal[(context, *c, 0)] = value
            if roles == 2:
                goal[(context, *c, 1)] = 100 - value
    mover = tuple(range(roles))
    return Compound(graphs, mover, tuple((c + 1) % roles for c in mover), over, goal, roles)


def whole_value(compound: Compound) -> int:
    """What role 0 gets in best play, by plain recursion over all positions of the whole."""
    return _solver(compound)(compound.start, compound.context)


def best_moves(compound: Compound) -> set[tuple[int, int]]:
    """(part, state that it becomes) of every best first move; empty if there is none to make."""
    value = _solver(compound)
    states, role = compound.start, compound.mover[compound.context]
    if compound.over[compound.key(states, compound.context)]:
        return set()
    after = compound.follow[compound.context]
    found = {
        (i, t): value((*states[:i], t, *states[i + 1 :]), after)
        for i, part in enumerate(compound.parts)
        for _, t in part.moves[role][states[i]]
    }
    if not found:
        return set()
    best = (max if role == 0 else min)(found.values())
    return {move for move, v in found.items() if v == best}


def _solver(compound: Compound) -> Callable[[States, int], int]:
    @cache
    def value(states: States, context: int, passed: int = 0) -> int:
        key = compound.key(states, context)
        if compound.over[key] or passed > len(compound.mover):
            return int(compound.goal[(*key, 0)])
        role, after = compound.mover[context], compound.follow[context]
        values = [
            value((*states[:i], t, *states[i + 1 :]), after)
            for i, part in enumerate(compound.parts)
            for label, t in part.moves[role][states[i]]
            if label != WAIT or (compound.rest is not None and compound.rest[key])
        ]
        if not values:
            return value(states, after, passed + 1)
        return max(values) if role == 0 else min(values)

    return value


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def tictactoe_part() -> PartGraph:
    """One board on which both sides may always move; concepts: 0 open, 1 x has a line, 2 o has, 3 full without."""
    numbers = {"." * 9: 0}
    boards = ["." * 9]
    moves: list[list[tuple[tuple[int, int], ...]]] = [[], []]
    concept = []
    for board in boards:  # grows while it is walked
        lines = [m for m in "xo" if any(all(board[i] == m for i in line) for line in LINES)]
        closed = bool(lines) or "." not in board
        concept.append(("xo".index(lines[0]) + 1 if lines else 3) if closed else 0)
        for role, mark in enumerate("xo"):
            found = []
            for i in range(9):
                if board[i] == "." and not closed:
                    after = board[:i] + mark + board[i + 1 :]
                    if after not in numbers:
                        numbers[after] = len(boards)
                        boards.append(after)
                    found.append((i, numbers[after]))
            moves[role].append(tuple(found))
    return PartGraph((tuple(moves[0]), tuple(moves[1])), tuple(concept))


def boards_compound(count: int) -> Compound:
    """``count`` boards of tic-tac-toe, the mover picks one; the goal is the mean of the results."""
    part = tictactoe_part()
    over, goal = table([2, *[4] * count, 2])
    worth = [50, 100, 0, 50]
    for c in np.ndindex(*[4] * count):
        for context in range(2):
            over[(context, *c)] = 0 not in c
            mean = sum(worth[x] for x in c) // count
            goal[(context, *c)] = (mean, 100 - mean)
    return Compound((part,) * count, (0, 1), (1, 0), over, goal, 2)


def simple_compound(parts: list[PartGraph], worth: list[int], *, mover: tuple[int, ...] = (0, 1)) -> Compound:
    """Only the first part counts, by its concept; the play ends when its concept is worth something (not -1)."""
    over, goal = table([len(mover), *(p.concepts for p in parts), 2])
    for c, value in enumerate(worth):
        over[:, c] = value >= 0
        goal[:, c, ..., 0] = max(0, value)
        goal[:, c, ..., 1] = 100 - max(0, value)
    follow = tuple((c + 1) % len(mover) for c in range(len(mover)))
    return Compound(tuple(parts), mover, follow, over, goal, 2)


def against_sequences() -> Compound:
    """The thesis' rule fails: O begins, can only move in the fork, and X has one free move elsewhere.

    fork --O--> p: there X moves to ``lost`` and O to ``won``; fork --O--> q: there X moves to ``won`` and O to
    ``lost`` (from X's side). Per order of turns the rule keeps what is best for O: after O, X the way over p, after
    O, O the way over q. So it forgets that X can win at once when O goes to q.
    """
    fork = PartGraph(
        (((), ((0, 3),), ((0, 4),), (), ()), (((0, 1), (1, 2)), ((0, 4),), ((0, 3),), (), ())),
        (0, 0, 0, 1, 2),
    )
    free_move = PartGraph(((((0, 1),), ()), ((), ())), (0, 0))
    return simple_compound([fork, free_move], [-1, 0, 100], mover=(1, 0))


def against_sets() -> Compound:
    """The paper's rule fails: X can make sure of 50, or enter the fork, where O picks the branch.

    Each of the sequences behind the safe move is dominated by one behind the fork, so the rule drops the safe move;
    but the sequences that dominate lie behind different moves of O, who picks the branch on which X gets nothing.
    """
    x: list[tuple[tuple[int, int], ...]] = [()] * 9
    o: list[tuple[tuple[int, int], ...]] = [()] * 9
    x[0] = ((0, 1), (1, 3))  # safe, fork
    o[1] = ((0, 2),)
    x[2], o[2] = ((0, 6),), ((0, 6),)
    o[3] = ((0, 4), (1, 5))
    x[4], o[4] = ((0, 8),), ((0, 7),)
    x[5], o[5] = ((0, 7),), ((0, 8),)
    return simple_compound(
        [PartGraph((tuple(x), tuple(o)), (0, 0, 0, 0, 0, 0, 1, 2, 3)), PartGraph((((),), ((),)), (0,))],
        [-1, 50, 0, 100],
    )


def random_joint(rng: random.Random) -> JointCompound:
    """Parts with joint moves that lead to later states; a joint move of nobody changes nothing."""
    parts = []
    for _ in range(2):
        n = rng.randint(3, 6)
        steps, kinds = [], []
        for s in range(n):
            step: dict[tuple[int, ...], int] = {}
            counts = [rng.choice([1, 2]) for _ in range(2)]
            if s == 0 or (s + 2 < n and rng.random() < 0.4):
                for a in range(ELSEWHERE, counts[0]):
                    for b in range(ELSEWHERE, counts[1]):
                        idle = a == b == ELSEWHERE
                        step[a, b] = s if idle else rng.randrange(s + 1, n)
            steps.append(step)
            kinds.append(0 if step else rng.randint(1, 3))
        parts.append(JointPart(tuple(steps), tuple(kinds)))
    over, goal = table([1, 4, 4, 2])
    for c in np.ndindex(4, 4):
        over[(0, *c)] = min(c) >= 1
        value = rng.choice([0, 25, 50, 100])
        goal[(0, *c)] = (value, 100 - value)
    return JointCompound(tuple(parts), (0,), over, goal)
