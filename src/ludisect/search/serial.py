"""Serial games (Zhao 2009, §6.2.2): parts that are played one after the other, solved stage by stage.

Only one part moves at a time, and the next opens when it is done. What a later stage is worth depends on how it is
entered: the concepts that the finished parts show, and the context (whose turn it is). Each stage is therefore solved
once per way of entering it, and its values are the ends of the stage before: sums of stages, not products.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from time import monotonic

import numpy as np

from ludisect.decompose.model import Decomposition
from ludisect.decompose.patterns import patterns
from ludisect.search.answer import Answer
from ludisect.search.budget import Budget
from ludisect.search.grounds import grounds
from ludisect.search.judge import constant_bits, times_of
from ludisect.search.local import PASS, Views
from ludisect.search.ways import Inapplicable, Way, register

NAME = "serial"

START = 0
"""The time at which a play begins."""

ENTRY = 250
"""Bytes that a remembered position takes, about."""

Entered = tuple[int, ...]
"""A local state per finished stage; one stands for all with the same concepts."""


def order_of(parts: Decomposition) -> list[int] | None:
    """The dependent parts (indices) in the order of play, if each opens after the one before it; else None."""
    index = {s.id: i for i, s in enumerate(parts.dependent)}
    before = {i: {index[x] for x in s.after if x in index} for i, s in enumerate(parts.dependent)}
    out = sorted(before, key=lambda i: len(_earlier(before, i)))
    if len(out) < 2 or any(b not in _earlier(before, a) for b, a in pairwise(out)):
        return None
    return out


def _earlier(before: Mapping[int, set[int]], i: int) -> set[int]:
    found: set[int] = set()
    stack = list(before[i])
    while stack:
        j = stack.pop()
        if j not in found:
            found.add(j)
            stack.extend(before[j])
    return found


def _with_all_before(parts: Decomposition, order: list[int]) -> Decomposition:
    """The same parts, each after all that are played before it."""
    ids = [parts.dependent[i].id for i in order]
    after = {x: tuple(ids[:k]) for k, x in enumerate(ids)}
    return replace(parts, subgames=tuple(replace(s, after=after.get(s.id, s.after)) for s in parts.subgames))


class Stages:
    """The stages of a serial game and the values of their positions."""

    def __init__(self, parts: Decomposition, order: list[int], budget: Budget) -> None:
        self.parts, self.order, self.budget = parts, order, budget
        # a stage may read any stage before it, not only the last
        self.views = Views(_with_all_before(parts, order), budget=budget)
        self.graphs = [self.views.graph(i) for i in order]
        self.roles = len(parts.game.roles)
        if self.roles > 2:
            raise Inapplicable("serial games are solved for one or two roles")
        self.loose = constant_bits(parts)
        times = times_of(self.views)
        self.follow, self.times, self.colour = times.follow, times.example.tolist(), times.colour
        self._guards = [self.views.guards(i).tolist() for i in range(len(order))]
        self._choices = [max(g) + 1 for g in self._guards]
        self._settings = [{(x.context, x.guard): k for k, x in enumerate(g.settings)} for g in self.graphs]
        self._kind, self._first = self._kinds()
        self._verdicts: dict[tuple[int, ...], tuple[bool, tuple[int, ...]]] = {}
        self._values: dict[tuple[int, int, int, Entered], int] = {}
        self._busy: set[tuple[int, int, int, Entered]] = set()
        self.sum: int | None = None

    def _kinds(self) -> tuple[list[list[int]], list[list[int]]]:
        """Per stage: the number of each state's concepts and guard, and the first state with each number."""
        kinds, firsts = [], []
        for i in self.order:
            concepts, guards = self.views.concept_values(i), np.array(self._guards[i], np.int64)
            _, kind = np.unique(concepts * (int(guards.max()) + 1) + guards, return_inverse=True)
            kinds.append(kind.reshape(-1).tolist())
            firsts.append(np.unique(kind, return_index=True)[1].tolist())
        return kinds, firsts

    def _verdict(self, states: Entered, context: int) -> tuple[bool, tuple[int, ...]]:
        """(over, goals) of a position; later stages are at their start."""
        full = (*states, *(0 for _ in range(len(self.order) - len(states))))
        key = (context, *(kind[s] for kind, s in zip(self._kind, full, strict=True)))
        if key not in self._verdicts:
            row = self.views.context.rows[self.times[context]] | self.loose
            for graph, s in zip(self.graphs, full, strict=True):
                row = row | graph.states[s]
            over = bool(self.parts.game.terminal(row[None, :])[0])
            goals = tuple(np.maximum(0, self.parts.game.goal_values(row[None, :])[0]).tolist())
            if over and self.roles == 2:
                if self.sum is not None and sum(goals) != self.sum:
                    raise Inapplicable("the goals of the two roles do not add up to the same everywhere")
                self.sum = sum(goals)
            self._verdicts[key] = over, goals
        return self._verdicts[key]

    def _setting(self, stage: int, context: int, entered: Entered) -> int:
        """Which setting of the stage's graph holds."""
        graph = self.graphs[stage]
        guard = 0
        for before in graph.subgame.after:
            if before in self.views.index:
                i = self.views.index[before]
                guard = guard * self._choices[i] + self._guards[i][entered[self.order.index(i)]]
        return self._settings[stage][self.colour[context], guard]

    def moves(self, stage: int, state: int, context: int, entered: Entered) -> list[tuple[int, int, int]]:
        """(role, global move, next local state) of every local move that has an effect here."""
        graph = self.graphs[stage]
        out = []
        edges = graph.edges_of(state, self._setting(stage, context, entered))
        for e in range(edges.start, edges.stop):
            acting = np.flatnonzero(graph.move[e] != PASS)
            if acting.size > 1:
                raise Inapplicable(f"in part {graph.subgame.id} two roles move at once")
            if acting.size:
                r = int(acting[0])
                out.append((r, int(graph.joint[e, r]), int(graph.successor[e])))
            elif int(graph.successor[e]) != state:
                raise Inapplicable(f"part {graph.subgame.id} changes while nobody moves there")
        if len({r for r, _, _ in out}) > 1:
            raise Inapplicable(f"in part {graph.subgame.id} two roles can move at the same time")
        return out

    def value(self, stage: int, state: int, context: int, entered: Entered, passes: int = 0) -> int:
        """What role 0 gets from here on."""
        key = (stage, state, context, entered)
        if key in self._values:
            return self._values[key]
        over, goals = self._verdict((*entered, state), context)
        if over:
            return goals[0]
        if key in self._busy:
            raise Inapplicable(f"part {self.graphs[stage].subgame.id} can go round in circles")
        moves = self.moves(stage, state, context, entered)
        self._busy.add(key)
        after = self.follow[context]
        if moves:
            below = (self.value(stage, t, after, entered) for _, _, t in moves)
            out = max(below) if moves[0][0] == 0 else min(below)
        elif stage + 1 < len(self.order):
            out = self.value(stage + 1, 0, context, (*entered, self._stand_in(stage, state)))
        elif passes < len(self.follow):
            self._busy.discard(key)
            return self.value(stage, state, after, entered, passes + 1)
        else:
            raise Inapplicable("some positions are not over and have no move")
        self._busy.discard(key)
        self._values[key] = out
        if not len(self._values) & 0x3FF:
            self.budget.tell("positions of stages", len(self._values))
            self.budget.check(ENTRY * len(self._values))
        return out

    def _stand_in(self, stage: int, state: int) -> int:
        """The first state with the same concepts and guard."""
        return int(self._first[stage][self._kind[stage][state]])

    @property
    def positions(self) -> int:
        """Positions whose values were worked out."""
        return len(self._values)


def applies(parts: Decomposition) -> str | None:
    """Serial games are those whose parts open one after the other."""
    if parts.structure != "serial" or parts.unseen or (parts.evidence and parts.evidence.status == "failed"):
        return None
    order = order_of(parts)
    if order is None or len(parts.game.roles) > 2 or parts.turns == "simultaneous":
        return None
    return f"{len(order)} stages, each of which opens when the one before it is over"


def solve_serial(parts: Decomposition, budget: Budget, depth: int | None = None) -> Answer:
    """The value of a serial game, its last stage first. ``depth`` is not used: stages are solved to their ends.

    Raises Inapplicable if the stages turn out not to be such.
    """
    begin = monotonic()
    order = order_of(parts)
    if order is None:
        raise Inapplicable("the parts do not open one after the other")
    stages = Stages(parts, order, budget)
    try:
        value = stages.value(0, 0, START, ())
    except RecursionError:
        raise Inapplicable("stages are too long for this search") from None
    game = parts.game
    certain, rests_on = grounds(parts)
    move = {}
    over, _ = stages._verdict((0,), START)
    for role, m, t in [] if over else stages.moves(0, 0, START, ()):
        if stages.value(0, t, stages.follow[START], ()) == value:
            move[game.roles[role]] = game.moves[role][m]
            break
    values: dict[str, float | None] = {game.roles[0]: value}
    if len(game.roles) == 2:
        assert stages.sum is not None
        values[game.roles[1]] = stages.sum - value
    why = [
        f"stage {k + 1} is part {g.subgame.id}, {' '.join(patterns(game, g.subgame.fluents)[:2])}: {g.positions} states"
        for k, g in enumerate(stages.graphs)
    ]
    why += [f"{role} begins with {chosen} in stage 1" for role, chosen in move.items()]
    return Answer(
        game.name, NAME, certain, values, move, nodes=stages.positions, seconds=monotonic() - begin,
        why=tuple(why), notes=() if certain else (rests_on,),
    )  # fmt: skip


WAY = register(
    Way(NAME, "stages that open one after the other, the last solved first", applies, solve_serial, strength=40)
)
