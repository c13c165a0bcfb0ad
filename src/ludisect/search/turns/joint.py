"""Simultaneous moves (Zhao 2009, §5.2): every role picks a part and a move at once, so parts have joint moves.

Locally a turn is joint: some roles move in the part, the others are elsewhere. Equal local trees of joint moves are
shared, and the whole is searched over combinations of their nodes. Every combination is a stage game, and its value is
that of best mixed play (two roles with opposite goals). That is Method II with joint turns and nothing dropped that the
opponent could still choose; Method I with joint moves is in ``urgent``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.answer import Answer
from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import pack
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.gdl.terms import Term
from ludisect.progress import report
from ludisect.ruleofplay import EQUILIBRIUM
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.foresight import KnownParts, foreseen
from ludisect.search.part.concepts import fluents_read
from ludisect.search.part.shape import fits_choice, part_answer, refuse_structure
from ludisect.search.part.verdicts import judge, times_of
from ludisect.search.part.views import Views
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable, Way
from ludisect.search.whole.matrix import solve_matrix

ELSEWHERE = -1
"""In a joint local move: this role does not move in the part."""

Joint = tuple[int, ...]
"""Per role a local move or ELSEWHERE."""

Action = tuple[int, int] | None
"""What one role does: (part, local move), or nothing if it rests."""

ENTRY = 400
"""Bytes that a remembered combination takes, about."""

STEPS = 100_000
"""Steps (see ``effort``) that a combination counts, about."""


@dataclass(frozen=True, eq=False)
class JointPart:
    """A part with joint moves: ``step[state][joint]`` is the next state, for every combination that can be chosen."""

    step: tuple[dict[Joint, int], ...]
    concept: tuple[int, ...]
    start: int = 0

    @cached_property
    def options(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Per state and role the local moves, ELSEWHERE left out."""
        out = []
        for step in self.step:
            roles = len(next(iter(step), ()))
            out.append(tuple(tuple(sorted({j[r] for j in step} - {ELSEWHERE})) for r in range(roles)))
        return tuple(out)


@dataclass(frozen=True, eq=False)
class JointCompound:
    """Parts with joint moves and the tables that judge them, as in ``Compound``.

    ``rest[r]`` is a move of role r that does nothing in any part and is always legal; None if there is none, and the
    role then rests only if it cannot move.
    """

    parts: tuple[JointPart, ...]
    follow: tuple[int, ...]
    over: NDArray[np.bool_]
    goal: NDArray[np.int32]
    context: int = 0
    rest: tuple[int | None, ...] = (None, None)
    must_move: bool = False
    """Whether the rules have no move for a role that can neither move nor rest; otherwise it rests all the same."""

    @property
    def roles(self) -> int:
        """Number of roles."""
        return int(self.goal.shape[-1])


@dataclass(frozen=True, slots=True)
class JointNode:
    """Everything that can still happen in a part: its concept, and where joint moves lead."""

    concept: int
    step: tuple[tuple[Joint, int], ...]


@dataclass(frozen=True, slots=True)
class Mixed:
    """Value to role 0, and per role the odds of its actions."""

    value: float
    odds: tuple[dict[Action, float], ...]
    positions: int


class JointSearch:
    """The whole over combinations of shared local nodes."""

    def __init__(self, compound: JointCompound, *, budget: Budget | None = None) -> None:
        self.compound, self.budget = compound, budget or Budget()
        self.nodes: list[JointNode] = []
        self._numbers: dict[tuple[int, tuple[tuple[Joint, int], ...]], int] = {}
        self.node_of = [self._share(part) for part in compound.parts]
        """Per part the node of each of its states."""
        self.roots = tuple(of_state[part.start] for of_state, part in zip(self.node_of, compound.parts, strict=True))
        self._values: dict[tuple[int, tuple[int, ...]], float] = {}
        self._busy: set[tuple[int, tuple[int, ...]]] = set()

    def _share(self, part: JointPart) -> dict[int, int]:
        known: dict[int, int] = {}
        busy: set[int] = set()
        stack = [part.start]
        while stack:
            s = stack[-1]
            below = [t for t in part.step[s].values() if t not in known and t != s]
            if below:
                if s in busy:
                    raise Inapplicable("a part can go round in circles")
                busy.add(s)
                stack.extend(below)
                continue
            # a joint move without effect leads back; it is written as -1, so that equal nodes look alike
            step = tuple(sorted((j, -1 if t == s else known[t]) for j, t in part.step[s].items()))
            key = (part.concept[s], step)
            if key not in self._numbers:
                self._numbers[key] = len(self.nodes)
                self.nodes.append(JointNode(*key))
            known[s] = self._numbers[key]
            stack.pop()
        return known

    def solve(self) -> Mixed:
        """Value of the start and best mixed actions."""
        value = self.value(self.compound.context, self.roots)
        key = self._key(self.compound.context, self.roots)
        if bool(self.compound.over[key]):
            return Mixed(value, ({}, {}), len(self._values))
        mine, theirs, payoff = self._stage(self.compound.context, self.roots)
        _, rows, columns = solve_matrix(payoff)
        return Mixed(value, (_odds(mine, rows), _odds(theirs, columns)), len(self._values))

    def _key(self, context: int, roots: tuple[int, ...]) -> tuple[int, ...]:
        return (context, *(self.nodes[x].concept for x in roots))

    def value(self, context: int, roots: tuple[int, ...]) -> float:
        """What role 0 gets in best mixed play."""
        here = (context, roots)
        if here in self._values:
            return self._values[here]
        key = self._key(context, roots)
        if bool(self.compound.over[key]):
            return float(self.compound.goal[(*key, 0)])
        if here in self._busy:
            raise Inapplicable("the play can go on for ever without a change")
        self._busy.add(here)
        _, _, payoff = self._stage(context, roots)
        value, _, _ = solve_matrix(payoff)
        self._busy.discard(here)
        self._values[here] = value
        if not len(self._values) & 0xFF:
            report("combining parts", len(self._values))
            self.budget.check(ENTRY * len(self._values), steps=0x100 * STEPS)
        return value

    def kept(self, context: int, states: Sequence[int]) -> float | None:
        """What role 0 gets when the parts are in some states, if that was searched."""
        nodes = [of_state.get(s) for of_state, s in zip(self.node_of, states, strict=True)]
        return self._values.get((context, tuple(x for x in nodes if x is not None)))

    def _stage(self, context: int, roots: tuple[int, ...]) -> tuple[list[Action], list[Action], NDArray[np.float64]]:
        mine, theirs = (self.actions(r, roots) for r in range(2))
        if self.compound.must_move and any(
            some == [None] and rest is None for some, rest in zip((mine, theirs), self.compound.rest, strict=True)
        ):
            raise Inapplicable("a role can be left without a move")
        payoff = np.empty((len(mine), len(theirs)))
        after = self.compound.follow[context]
        for (a, one), (b, two) in product(enumerate(mine), enumerate(theirs)):
            payoff[a, b] = self.value(after, self.after(roots, (one, two)))
        return mine, theirs, payoff

    def actions(self, role: int, roots: tuple[int, ...]) -> list[Action]:
        """What a role can do."""
        out: list[Action] = [
            (i, m) for i, x in enumerate(roots) for m in sorted({j[role] for j, _ in self.nodes[x].step} - {ELSEWHERE})
        ]
        return out if out and self.compound.rest[role] is None else [*out, None]

    def after(self, roots: tuple[int, ...], actions: Sequence[Action]) -> tuple[int, ...]:
        out = []
        for i, x in enumerate(roots):
            joint = tuple(a[1] if a is not None and a[0] == i else ELSEWHERE for a in actions)
            to = dict(self.nodes[x].step).get(joint, -1)
            out.append(x if to == -1 else to)
        return tuple(out)


def read_joint(study: Study, budget: Budget) -> JointCompound:
    """The compound of a decomposition in which every role picks a part and a move every turn.

    Raises:
        Inapplicable: the game does not have that form.
    """
    parts = study.parts
    refuse_structure(parts)
    views = study.views(budget)
    if views.first_time.size != 1:
        raise Inapplicable("the moves depend on the time")
    rest = _rests(views)
    joint_parts = []
    concept = []
    for i in range(len(parts.dependent)):
        graph = views.graph(i)
        start, successor = graph.edge_start.tolist(), graph.successor.tolist()
        joint = [tuple(row) for row in graph.move.tolist()]
        step = tuple({joint[e]: successor[e] for e in range(start[s], start[s + 1])} for s in range(graph.positions))
        idle = np.array([len(d) <= 1 for d in step])
        _, kind = unique_rows(pack(np.concatenate([views.answers(i, views.concepts[i]), idle[:, None]], axis=1)))
        concept.append(graph.known_kinds(np.asarray(kind, np.int64)))
        joint_parts.append(JointPart(step, tuple(concept[-1].tolist())))
    times = times_of(views)
    judgement = judge(views, concept, times)
    return JointCompound(tuple(joint_parts), times.follow, judgement.over, judgement.goal, rest=rest, must_move=True)


def refuse_unopposed(compound: JointCompound) -> None:
    """Raise Inapplicable unless two roles have opposite goals."""
    if compound.roles != 2:
        raise Inapplicable("simultaneous moves are solved for two roles")
    sums = compound.goal.sum(axis=-1)[compound.over]
    if not sums.size or bool((sums != sums[0]).any()):
        raise Inapplicable("the goals of the two roles are not opposite")


def _rests(views: Views) -> tuple[int | None, ...]:
    """Per role a move without effect in any part that is always legal, or None if it has no move without effect."""
    game = views.game
    nowhere = views.nowhere
    legal = game.batch.legal(game.batch.initial)[0]
    out: list[int | None] = []
    for low, high in pairwise(game.batch.first_move.tolist()):
        idle = nowhere[(low <= nowhere) & (nowhere < high)]
        if fluents_read(game.circuit, game.circuit.legal[idle]):
            raise Inapplicable("whether a role may rest depends on the position")
        possible = idle[legal[idle]]
        out.append(int(possible[0]) - low if possible.size else None)
    return tuple(out)


def _odds(actions: list[Action], weights: NDArray[np.float64]) -> dict[Action, float]:
    return {a: float(w) for a, w in zip(actions, weights, strict=True) if w > 1e-9}


NAME = "joint"


def action_term(parts: Decomposition, compound: JointCompound, role: int, action: Action) -> Term:
    """The global move of an action."""
    moves = parts.game.moves[role]
    if action is None:
        rest = compound.rest[role]
        return moves[0 if rest is None else rest]
    part, local = action
    return moves[parts.dependent[part].move_numbers[role][local][0]]


def applies(parts: Decomposition) -> str | None:
    """Two roles that both pick a part and a move every turn."""
    if not fits_choice(parts, (2,), ("simultaneous",)):
        return None
    return "both players pick a part and a move at once"


def solve_joint(study: Study, budget: Budget) -> Answer:
    """Value and odds of best mixed play."""
    begin = clock.now()
    parts = study.parts
    compound = read_joint(study, budget)
    refuse_unopposed(compound)
    search = JointSearch(compound, budget=budget)
    try:
        found = search.solve()
    except RecursionError:
        raise Inapplicable("plays are too long for this search") from None
    game = parts.game
    certain, rests_on = grounds(parts)
    total = float(search.compound.goal.sum(axis=-1)[search.compound.over][0])
    move: dict[str, Term] = {}
    mixed: dict[str, dict[Term, float]] = {}
    for r, odds in enumerate(found.odds):
        terms = {action_term(parts, search.compound, r, a): p for a, p in odds.items()}
        if len(search.actions(r, search.roots)) > 1:
            move[game.roles[r]] = max(terms, key=terms.__getitem__)
        if len(terms) > 1:
            mixed[game.roles[r]] = terms
    answer = Answer(
        game.name, NAME, certain, {game.roles[0]: found.value, game.roles[1]: total - found.value}, move, mixed=mixed,
        nodes=found.positions, seconds=clock.now() - begin,
        parts=tuple(
            part_answer(parts, i, f"has {_nodes(search, root)} really different states")
            for i, root in enumerate(search.roots)
        ),
        conclusion=tuple(_conclusion(parts, found, total, move, mixed)), rule=EQUILIBRIUM,
        evidence=rests_on, notes=() if certain else (rests_on,),
    )  # fmt: skip
    return foreseen(game, answer, KnownStageGames(study.views(budget), search, total))


class KnownStageGames(KnownParts):
    """What combinations of parts are worth, those that were searched."""

    rule = "equilibrium"

    def __init__(self, views: Views, search: JointSearch, total: float) -> None:
        super().__init__(views, times_of(views).number)
        self._search, self._total = search, total

    def worth(self, states: tuple[int, ...], time: int) -> list[float] | None:
        """See ``KnownParts``."""
        value = self._search.kept(time, states)
        return None if value is None else [value, self._total - value]


def _conclusion(
    parts: Decomposition, found: Mixed, total: float, move: dict[str, Term], mixed: dict[str, dict[Term, float]]
) -> list[str]:
    """Per role what its first move makes sure of."""
    lines = []
    for role, value in zip(parts.game.roles, (found.value, total - found.value), strict=True):
        if role in mixed:
            odds = ", ".join(f"{m} in {100 * p:.0f} %" for m, p in mixed[role].items())
            lines.append(f"{role} is sure of {value:.4g} on average whatever the other does: {odds} of cases")
        elif role in move:
            lines.append(f"{role} is sure of {value:.4g} whatever the other does, with {move[role]}")
    return lines


def _nodes(search: JointSearch, root: int) -> int:
    """How many different nodes a part has."""
    seen, waiting = {root}, [root]
    while waiting:
        for _, to in search.nodes[waiting.pop()].step:
            if to >= 0 and to not in seen:
                seen.add(to)
                waiting.append(to)
    return len(seen)


WAY = Way(NAME, "simultaneous moves: stage games over combinations of local trees", applies, solve_joint)
