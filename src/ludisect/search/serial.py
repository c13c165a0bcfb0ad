"""Serial games (Zhao 2009, §6.2.2): parts that are played one after the other, solved stage by stage.

A stage is a part, or several among which the mover picks, and the next opens when nobody can move in it any more. What
a later stage is worth depends on how it is entered: the concepts that the finished parts show, and the context (whose
turn it is). Each stage is therefore solved once per way of entering it, and its values are the ends of the stage
before: the work grows with the sum of the stages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
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

ENTRY = 300
"""Bytes that a remembered position takes, about."""

Locals = tuple[int, ...]
"""A local state per part. Of a finished part, one state stands for all with the same concepts."""

Step = tuple[int, int, int]
"""(role, global move, next local state)."""


def stages_of(parts: Decomposition) -> list[list[int]] | None:
    """The dependent parts (indices) stage by stage, if each stage opens after all parts of those before; else None."""
    index = {s.id: i for i, s in enumerate(parts.dependent)}
    before = {i: {index[x] for x in s.after if x in index} for i, s in enumerate(parts.dependent)}
    earlier = {i: _closure(before, i) for i in before}
    out: list[list[int]] = []
    done: set[int] = set()
    while len(done) < len(before):
        stage = [i for i in before if i not in done and earlier[i] == done]
        if not stage:
            return None
        out.append(stage)
        done |= set(stage)
    return out if len(out) > 1 else None


def _closure(before: Mapping[int, set[int]], i: int) -> set[int]:
    found: set[int] = set()
    stack = list(before[i])
    while stack:
        j = stack.pop()
        if j not in found:
            found.add(j)
            stack.extend(before[j])
    return found


def _with_all_before(parts: Decomposition, stages: list[list[int]]) -> Decomposition:
    """The same parts, each after all parts of earlier stages: its rules may read any of them."""
    after: dict[int, tuple[int, ...]] = {}
    seen: tuple[int, ...] = ()
    for stage in stages:
        ids = tuple(parts.dependent[i].id for i in stage)
        after |= dict.fromkeys(ids, seen)
        seen += ids
    return replace(parts, subgames=tuple(replace(s, after=after.get(s.id, s.after)) for s in parts.subgames))


class Stages:
    """The stages of a serial game and the values of their positions."""

    def __init__(self, parts: Decomposition, stages: list[list[int]], budget: Budget) -> None:
        self.parts, self.stages, self.budget = parts, stages, budget
        self.roles = len(parts.game.roles)
        if self.roles > 2:
            raise Inapplicable("serial games are solved for one or two roles")
        self.views = Views(_with_all_before(parts, stages), budget=budget)
        n = len(parts.dependent)
        self.graphs = [self.views.graph(i) for i in range(n)]
        times = times_of(self.views)
        self.follow, self._times, self._colour = times.follow, times.example.tolist(), times.colour
        self._loose = constant_bits(parts)
        self._guards: list[list[int]] = [self.views.guards(i).tolist() for i in range(n)]
        self._choices = [max(g) + 1 for g in self._guards]
        self._settings = [{(x.context, x.guard): k for k, x in enumerate(g.settings)} for g in self.graphs]
        self._kind, self._first = self._kinds()
        self._steps: dict[tuple[int, int, int], list[Step]] = {}
        self._verdicts: dict[tuple[int, ...], tuple[bool, tuple[int, ...]]] = {}
        self._values: dict[tuple[int, Locals, int], int] = {}
        self._busy: set[tuple[int, Locals, int]] = set()
        self.sum: int | None = None

    @property
    def start(self) -> Locals:
        """The local states at the start."""
        return (0,) * len(self.graphs)

    @property
    def positions(self) -> int:
        """Positions whose values were worked out."""
        return len(self._values)

    def _kinds(self) -> tuple[list[list[int]], list[list[int]]]:
        """Per part: the number of each state's concepts and guard, and the first state with each number."""
        kinds, firsts = [], []
        for i, guards in enumerate(self._guards):
            concepts = self.views.concept_values(i)
            _, kind = np.unique(concepts * self._choices[i] + np.array(guards, np.int64), return_inverse=True)
            kinds.append(kind.reshape(-1).tolist())
            firsts.append(np.unique(kind, return_index=True)[1].tolist())
        return kinds, firsts

    def verdict(self, states: Locals, context: int) -> tuple[bool, tuple[int, ...]]:
        """(over, goals) of a position."""
        key = (context, *(kind[s] for kind, s in zip(self._kind, states, strict=True)))
        if key not in self._verdicts:
            row = self.views.context.rows[self._times[context]] | self._loose
            for graph, s in zip(self.graphs, states, strict=True):
                row = row | graph.states[s]
            over = bool(self.parts.game.terminal(row[None, :])[0])
            goals = tuple(np.maximum(0, self.parts.game.goal_values(row[None, :])[0]).tolist())
            if over and self.roles == 2:
                if self.sum is not None and sum(goals) != self.sum:
                    raise Inapplicable("the goals of the two roles do not add up to the same everywhere")
                self.sum = sum(goals)
            self._verdicts[key] = over, goals
        return self._verdicts[key]

    def _guard(self, i: int, states: Locals) -> int:
        """The number of what part i can see of the parts before it."""
        guard = 0
        for before in self.graphs[i].subgame.after:
            j = self.views.index.get(before)
            if j is not None:
                guard = guard * self._choices[j] + self._guards[j][states[j]]
        return guard

    def _part_steps(self, i: int, state: int, setting: int) -> list[Step]:
        """The local moves with an effect in part i."""
        key = (i, state, setting)
        if key not in self._steps:
            graph = self.graphs[i]
            out: dict[Step, None] = {}
            edges = graph.edges_of(state, setting)
            for e in range(edges.start, edges.stop):
                acting = np.flatnonzero(graph.move[e] != PASS)
                if acting.size > 1:
                    raise Inapplicable(f"in part {graph.subgame.id} two roles move at once")
                if acting.size:
                    r = int(acting[0])
                    out[r, int(graph.joint[e, r]), int(graph.successor[e])] = None
                elif int(graph.successor[e]) != state:
                    raise Inapplicable(f"part {graph.subgame.id} changes while nobody moves there")
            self._steps[key] = list(out)
        return self._steps[key]

    def _steps_in(self, i: int, states: Locals, context: int) -> list[Step]:
        return self._part_steps(i, states[i], self._settings[i][self._colour[context], self._guard(i, states)])

    def moves(self, stage: int, states: Locals, context: int) -> list[tuple[int, Step]]:
        """(part, step) of every move that can be made; only this stage may be open."""
        out = [(i, step) for i in self.stages[stage] for step in self._steps_in(i, states, context)]
        if len({step[0] for _, step in out}) > 1:
            raise Inapplicable("two roles can move at the same time")
        if out and any(self._steps_in(j, states, context) for later in self.stages[stage + 1 :] for j in later):
            raise Inapplicable("two stages are open at once")
        return out

    def _is_dead(self, stage: int, states: Locals) -> bool:
        """Whether nobody can move in a stage any more, whatever the context."""
        return not any(
            self._part_steps(i, states[i], k)
            for i in self.stages[stage]
            for (_, guard), k in self._settings[i].items()
            if guard == self._guard(i, states)
        )

    def value(self, stage: int, states: Locals, context: int, passes: int = 0) -> int:
        """What role 0 gets from here on."""
        key = (stage, states, context)
        if key in self._values:
            return self._values[key]
        over, goals = self.verdict(states, context)
        if over:
            return goals[0]
        if key in self._busy:
            raise Inapplicable(f"stage {stage + 1} can go round in circles")
        self._busy.add(key)
        out = self._below(stage, states, context, passes)
        self._busy.discard(key)
        self._values[key] = out
        if not len(self._values) & 0x3FF:
            self.budget.tell("positions of stages", len(self._values))
            self.budget.check(ENTRY * len(self._values))
        return out

    def _below(self, stage: int, states: Locals, context: int, passes: int) -> int:
        moves = self.moves(stage, states, context)
        after = self.follow[context]
        if moves:
            below = (self.value(stage, (*states[:i], t, *states[i + 1 :]), after) for i, (_, _, t) in moves)
            return max(below) if moves[0][1][0] == 0 else min(below)
        if stage + 1 < len(self.stages) and self._is_dead(stage, states):
            closed = tuple(
                self._first[i][self._kind[i][s]] if i in self.stages[stage] else s for i, s in enumerate(states)
            )
            return self.value(stage + 1, closed, context)
        if passes > len(self.follow):
            raise Inapplicable("some positions are not over and have no move")
        return self.value(stage, states, after, passes + 1)


def applies(parts: Decomposition) -> str | None:
    """Serial games are those whose parts open one after the other."""
    if parts.unseen or (parts.evidence and parts.evidence.status == "failed"):
        return None
    stages = stages_of(parts)
    if stages is None or len(parts.game.roles) > 2 or parts.turns == "simultaneous":
        return None
    return f"{len(stages)} stages, each of which opens when the one before it is over"


def solve_serial(parts: Decomposition, budget: Budget, depth: int | None = None) -> Answer:
    """The value of a serial game, its last stage first. ``depth`` is not used: stages are solved to their ends.

    Raises Inapplicable if the stages turn out not to be such.
    """
    begin = monotonic()
    order = stages_of(parts)
    if order is None:
        raise Inapplicable("the parts do not open one after the other")
    stages = Stages(parts, order, budget)
    try:
        value = stages.value(0, stages.start, START)
    except RecursionError:
        raise Inapplicable("stages are too long for this search") from None
    game = parts.game
    move = {}
    over, _ = stages.verdict(stages.start, START)
    for i, (role, m, t) in [] if over else stages.moves(0, stages.start, START):
        after = (*stages.start[:i], t, *stages.start[i + 1 :])
        if stages.value(0, after, stages.follow[START]) == value:
            move[game.roles[role]] = game.moves[role][m]
            break
    values: dict[str, float | None] = {game.roles[0]: value}
    if len(game.roles) == 2:
        values[game.roles[1]] = (stages.sum or 0) - value
    why = [
        f"stage {k + 1}: part {s.id}, {' '.join(patterns(game, s.fluents)[:2])}, {stages.graphs[i].positions} states"
        for k, stage in enumerate(order)
        for i, s in ((i, parts.dependent[i]) for i in stage)
    ]
    why += [f"{role} begins with {chosen} in stage 1" for role, chosen in move.items()]
    certain, rests_on = grounds(parts)
    return Answer(
        game.name, NAME, certain, values, move, nodes=stages.positions, seconds=monotonic() - begin,
        why=tuple(why), notes=() if certain else (rests_on,),
    )  # fmt: skip


WAY = register(
    Way(NAME, "stages that open one after the other, the last solved first", applies, solve_serial, strength=40)
)
