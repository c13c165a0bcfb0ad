"""Parts that are played one after the other (Zhao 2009, §6.2.2), solved stage by stage.

A stage is a part, or several among which the mover picks, and the next opens when nobody can move in it any more. What
a later stage is worth depends on how it is entered: the concepts that the finished parts show, and the context (whose
turn it is). Each stage is therefore solved once per way of entering it, and its values are the ends of the stage
before: the work grows with the sum of the stages. ``stages`` is the same where stages are sums.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ludisect import clock
from ludisect.answer import Answer, PartAnswer
from ludisect.decomposition.model.blocks import ancestors
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.progress import report
from ludisect.ruleofplay import in_turn
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.foresight import KnownParts, foreseen
from ludisect.search.part.concepts import Nets, concepts
from ludisect.search.part.reading import idle_literals
from ludisect.search.part.shape import name_part, part_answer, refuse_shared_moves, refuted, turns_by_effect
from ludisect.search.part.verdicts import constant_bits, times_of
from ludisect.search.part.views import PASS, Views
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable, Way
from ludisect.search.whole.positions import paid

NAME = "serial"

START = 0
"""The time at which a play begins."""

ENTRY = 300
"""Bytes that a remembered position takes, about."""

STEPS = 20_000
"""Steps (see ``effort``) that a position counts, about."""

Locals = tuple[int, ...]
"""A local state per part. Of a finished part, one state stands for all with the same concepts."""

Step = tuple[int, int, int]
"""(role, global move, next local state)."""

Verdict = tuple[bool, tuple[int, ...], set[int]]
"""(over, goals, roles that may make a move without effect) of a position."""


def stages_of(parts: Decomposition) -> list[list[int]] | None:
    """The dependent parts (indices) stage by stage, if each stage opens after all parts of those before; else None."""
    index = {s.id: i for i, s in enumerate(parts.dependent)}
    before = {i: {index[x] for x in s.after if x in index} for i, s in enumerate(parts.dependent)}
    earlier = {i: ancestors(before, i) for i in before}
    out: list[list[int]] = []
    done: set[int] = set()
    while len(done) < len(before):
        stage = [i for i in before if i not in done and earlier[i] == done]
        if not stage:
            return None
        out.append(stage)
        done |= set(stage)
    return out if len(out) > 1 else None


def _with_all_before(parts: Decomposition, stages: list[list[int]]) -> Decomposition:
    """The same parts, each after all parts of earlier stages: its rules may read any of them."""
    after: dict[int, tuple[int, ...]] = {}
    seen: tuple[int, ...] = ()
    for stage in stages:
        ids = tuple(parts.dependent[i].id for i in stage)
        after |= dict.fromkeys(ids, seen)
        seen += ids
    return replace(parts, parts=tuple(replace(s, after=after.get(s.id, s.after)) for s in parts.parts))


class Stages:
    """The stages of a serial game and the values of their positions."""

    def __init__(self, parts: Decomposition, budget: Budget) -> None:
        stages = stages_of(parts)
        if stages is None:
            raise Inapplicable("the parts do not open one after the other")
        self.parts, self.stages, self.budget = parts, stages, budget
        self.roles = len(parts.game.roles)
        if self.roles > 2:
            raise Inapplicable("serial games are solved for one or two roles")
        refuse_shared_moves(parts)
        self.views = Views(_with_all_before(parts, stages), budget=budget)
        n = len(parts.dependent)
        self.graphs = [self.views.graph(i) for i in range(n)]
        self.idle_roles, idle = idle_literals(self.views)
        self.idle = Nets(parts.game.circuit, idle) if idle else None
        times = times_of(self.views, idle)
        self.follow, self.times, self.colour = times.follow, times.example.tolist(), times.colour
        self.number = times.number
        self.loose = constant_bits(parts)
        self.guards: list[list[int]] = [self.views.guards(i).tolist() for i in range(n)]
        self.choices = [max(g) + 1 for g in self.guards]
        self.settings = [{(x.context, x.guard): k for k, x in enumerate(g.settings)} for g in self.graphs]
        self.kind, self._first = self._number_kinds(idle)
        self._steps: dict[tuple[int, int, int], list[Step]] = {}
        self._verdicts: dict[tuple[int, ...], Verdict] = {}
        self._values: dict[tuple[int, Locals, int], int] = {}
        self._busy: set[tuple[int, Locals, int]] = set()
        self.sum: int | None = None
        self.entered: list[set[int]] = [set() for _ in stages]
        """Per stage what it is worth to role 0 in all the ways in which it was entered."""

    @property
    def start(self) -> Locals:
        """The local states at the start."""
        return (0,) * len(self.graphs)

    @property
    def positions(self) -> int:
        """Positions whose values were worked out."""
        return len(self._values)

    def _number_kinds(self, idle: list[int]) -> tuple[list[list[int]], list[list[int]]]:
        """Per part: the number of each state's concepts and guard, and the first state with each number.

        Concepts are what goal and end ask, and the legality of moves without effect (``idle``).
        """
        circuit = self.parts.game.circuit
        asked = concepts(self.parts, [int(circuit.terminal), *circuit.goal.tolist(), *idle])
        kinds, firsts = [], []
        for i, guards in enumerate(self.guards):
            shown = self.views.values(i, asked[i])
            _, kind = np.unique(shown * self.choices[i] + np.array(guards, np.int64), return_inverse=True)
            kinds.append(kind.reshape(-1).tolist())
            firsts.append(np.unique(kind, return_index=True)[1].tolist())
        return kinds, firsts

    def verdict(self, states: Locals, context: int) -> Verdict:
        """What the rules say of a position as a whole."""
        key = (context, *(kind[s] for kind, s in zip(self.kind, states, strict=True)))
        if key not in self._verdicts:
            row = self.views.context.rows[self.times[context]] | self.loose
            for graph, s in zip(self.graphs, states, strict=True):
                row = row | graph.states[s]
            over = bool(self.parts.game.batch.terminal(row[None, :])[0])
            goals = tuple(paid(self.parts.game.batch.goals(row[None, :])[0]).tolist())
            if over and self.roles == 2:
                self.note_sum(sum(goals))
            passes = self.idle(row[None, :])[0].tolist() if self.idle else []
            self._verdicts[key] = over, goals, {r for r, may in zip(self.idle_roles, passes, strict=True) if may}
        return self._verdicts[key]

    def note_sum(self, total: int) -> None:
        """What the goals of two roles add up to at some end; raises Inapplicable if it differs from another's."""
        if self.sum not in (None, total):
            raise Inapplicable("the goals of the two roles do not add up to the same everywhere")
        self.sum = total

    def stuck(self) -> int:
        """What role 0 gets where some role has no move at all: nobody gets anything."""
        if self.roles == 2:
            self.note_sum(0)
        return 0

    def guard(self, i: int, states: Locals) -> int:
        """The number of what part i can see of the parts before it."""
        guard = 0
        for before in self.graphs[i].part.after:
            j = self.views.index.get(before)
            if j is not None:
                guard = guard * self.choices[j] + self.guards[j][states[j]]
        return guard

    def part_steps(self, i: int, state: int, setting: int) -> list[Step]:
        """The local moves with an effect in part i."""
        key = (i, state, setting)
        if key not in self._steps:
            graph = self.graphs[i]
            out: dict[Step, None] = {}
            edges = graph.edges_of(state, setting)
            for e in range(edges.start, edges.stop):
                acting = np.flatnonzero(graph.move[e] != PASS)
                if acting.size > 1:
                    raise Inapplicable(f"in part {graph.part.id} two roles move at once")
                if acting.size:
                    r = int(acting[0])
                    out[r, int(graph.joint[e, r]), int(graph.successor[e])] = None
                elif int(graph.successor[e]) != state:
                    raise Inapplicable(f"part {graph.part.id} changes while nobody moves there")
            self._steps[key] = list(out)
        return self._steps[key]

    def _steps_in(self, i: int, states: Locals, context: int) -> list[Step]:
        return self.part_steps(i, states[i], self.settings[i][self.colour[context], self.guard(i, states)])

    def moves(self, stage: int, states: Locals, context: int) -> list[tuple[int, Step]]:
        """(part, step) of every move that can be made; only this stage may be open."""
        out = [(i, step) for i in self.stages[stage] for step in self._steps_in(i, states, context)]
        movers = {step[0] for _, step in out}
        if len(movers) > 1:
            raise Inapplicable("two roles can move at the same time")
        if movers & self.verdict(states, context)[2]:
            raise Inapplicable("a role may pass although it could move")
        # a stage in which nobody can move just now is open all the same if somebody can later
        later = [j for behind in self.stages[stage + 1 :] for j in behind]
        if any(self._steps_in(j, states, context) for j in later) and (out or not self._is_dead(stage, states)):
            raise Inapplicable("two stages are open at once")
        return out

    def _is_dead(self, stage: int, states: Locals) -> bool:
        """Whether nobody can move in a stage any more, whatever the context."""
        return not any(
            self.part_steps(i, states[i], k)
            for i in self.stages[stage]
            for (_, guard), k in self.settings[i].items()
            if guard == self.guard(i, states)
        )

    def value(self, stage: int, states: Locals, context: int, passes: int = 0) -> int:
        """What role 0 gets from here on."""
        key = (stage, states, context)
        if key in self._values:
            return self._values[key]
        over, goals, _ = self.verdict(states, context)
        if over:
            return goals[0]
        if key in self._busy:
            raise Inapplicable(f"stage {stage + 1} can go round in circles")
        self._busy.add(key)
        out = self._below(stage, states, context, passes)
        self._busy.discard(key)
        self._values[key] = out
        if not len(self._values) & 0x3FF:
            report("searching stages", len(self._values))
            self.budget.check(ENTRY * len(self._values), steps=0x400 * STEPS)
        return out

    def _below(self, stage: int, states: Locals, context: int, passes: int) -> int:
        moves = self.moves(stage, states, context)
        after = self.follow[context]
        opens = not moves and stage + 1 < len(self.stages) and self._is_dead(stage, states)
        if not opens and len({r for _, (r, _, _) in moves} | self.verdict(states, context)[2]) < self.roles:
            return self.stuck()
        if moves:
            below = (self.value(stage, (*states[:i], t, *states[i + 1 :]), after) for i, (_, _, t) in moves)
            return max(below) if moves[0][1][0] == 0 else min(below)
        if opens:
            return self.after(stage, states, context)
        if passes > len(self.follow):
            raise Inapplicable("some positions are not over and have no move")
        return self.value(stage, states, after, passes + 1)

    def after(self, stage: int, states: Locals, context: int) -> int:
        """What role 0 gets from the stage that opens when a stage has ended."""
        return self.enter(stage + 1, self._closed(stage, states), context)

    def _closed(self, stage: int, states: Locals) -> Locals:
        """The states with one state for all that show the same in a stage that has ended."""
        return tuple(self._first[i][self.kind[i][s]] if i in self.stages[stage] else s for i, s in enumerate(states))

    def enter(self, stage: int, states: Locals, context: int) -> int:
        """What role 0 gets when a stage opens."""
        value = self.value(stage, states, context)
        self.entered[stage].add(value)
        return value

    def kept(self, states: Locals, context: int) -> int | None:
        """What role 0 gets when the parts are in some states; None if that was not worked out."""
        stage = 0
        while stage + 1 < len(self.stages) and self._is_dead(stage, states):
            stage, states = stage + 1, self._closed(stage, states)
        return self.kept_in(stage, states, context)

    def kept_in(self, stage: int, states: Locals, context: int) -> int | None:
        """The same where a stage is open."""
        return self._values.get((stage, states, context))

    def best_move(self) -> tuple[int, int] | None:
        """(role, global move) of a best first move; None if there is nothing to choose."""
        value = self.enter(0, self.start, START)
        if self.verdict(self.start, START)[0]:
            return None
        stage, states = 0, self.start
        while stage + 1 < len(self.stages) and self._is_dead(stage, states):
            stage, states = stage + 1, self._closed(stage, states)
        return self.first_move(stage, states, value)

    def first_move(self, stage: int, states: Locals, value: int) -> tuple[int, int] | None:
        """(role, global move) of a move at the start of the play that is worth as much as the play."""
        after = self.follow[START]
        return next(
            (
                (role, m)
                for i, (role, m, t) in self.moves(stage, states, START)
                if self.value(stage, (*states[:i], t, *states[i + 1 :]), after) == value
            ),
            None,
        )

    def account(self, stage: int) -> str:
        """What a stage is worth, in words."""
        role = self.parts.game.roles[0]
        worth = [str(v) for v in sorted(self.entered[stage])]
        how = f"{' or '.join(worth)} to {role}" if worth else "nothing: the play is over before"
        return f"is worth {how}" + (", depending on how the stages before end" if len(worth) > 1 else "")


def applies(parts: Decomposition) -> str | None:
    """Serial games are those whose parts open one after the other."""
    if refuted(parts):
        return None
    stages = stages_of(parts)
    if stages is None or len(parts.game.roles) > 2 or turns_by_effect(parts) == "simultaneous":
        return None
    return f"{len(stages)} stages, each of which opens when the one before it is over"


def solve_serial(study: Study, budget: Budget) -> Answer:
    """The value of a serial game, its last stage first.

    Raises Inapplicable if the stages turn out not to be such.
    """
    begin = clock.now()
    return solve_stages(Stages(study.parts, budget), NAME, begin)


def solve_stages(stages: Stages, algorithm: str, begin: float) -> Answer:
    """The answer of a way that goes stage by stage and began at a time."""
    try:
        value = stages.enter(0, stages.start, START)
        chosen = stages.best_move()
    except RecursionError:
        raise Inapplicable("stages are too long for this search") from None
    parts, game = stages.parts, stages.parts.game
    move = {} if chosen is None else {game.roles[chosen[0]]: game.moves[chosen[0]][chosen[1]]}
    values: dict[str, float | None] = {game.roles[0]: value}
    if len(game.roles) == 2:
        values[game.roles[1]] = (stages.sum or 0) - value
    told, why = [], []
    for k, stage in enumerate(stages.stages):
        account = stages.account(k)
        if len(stage) == 1:
            worth = next(iter(stages.entered[k])) if len(stages.entered[k]) == 1 else None
            name = name_part(parts, stage[0])
            about = f"stage {k + 1}, {name} {account}"
            told.append(PartAnswer(parts.dependent[stage[0]].id, about, worth, kind="goal"))
        else:
            told += [part_answer(parts, i, f"is a part of stage {k + 1}") for i in stage]
            why.append(f"stage {k + 1} {account}")
    why += [f"{role} begins with {first} in stage 1" for role, first in move.items()]
    certain, rests_on = grounds(parts)
    answer = Answer(
        game.name, algorithm, certain, values, move, nodes=stages.positions, seconds=clock.now() - begin,
        parts=tuple(told), conclusion=tuple(why), rule=in_turn(len(game.roles)),
        evidence=rests_on, notes=() if certain else (rests_on,),
    )  # fmt: skip
    return foreseen(game, answer, KnownStages(stages))


class KnownStages(KnownParts):
    """What positions of the stages are worth, those that were worked out."""

    def __init__(self, stages: Stages) -> None:
        super().__init__(stages.views, stages.number)
        self._stages = stages

    def worth(self, states: Locals, time: int) -> list[float] | None:
        """See ``KnownParts``."""
        value = self._stages.kept(states, time)
        if value is None:
            return None
        return [float(value), float((self._stages.sum or 0) - value)][: self._stages.roles]


WAY = Way(NAME, "stages that open one after the other, the last solved first", applies, solve_serial)
