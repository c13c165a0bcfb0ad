"""A stage of several parts as a compound of its own: its ends are worth what the stages after it are worth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.rows import Rows
from ludisect.search.limits import SearchLimits
from ludisect.search.part.compound import Compound, PartGraph, table
from ludisect.search.part.reading import moves_of, refuse_standstill, turns_of
from ludisect.search.part.verdicts import Combinations, refuse_many
from ludisect.search.part.views import LocalGraph
from ludisect.search.serial.serial import Locals, Stages
from ludisect.search.way import Inapplicable
from ludisect.search.whole.positions import paid

Ints = NDArray[np.int64]


def stage_sum(stages: Stages, stage: int, states: Locals) -> Compound:
    """A stage that is entered when the parts are in ``states``, with context 0 first.

    Raises:
        Inapplicable: it is not a choice of one mover, or a later stage is open before it ends.
    """
    return _StageSum(stages, stage, states).compound


class _StageSum:
    """The graphs of a stage's parts under what the stages before have left, and the table that judges them."""

    def __init__(self, stages: Stages, stage: int, states: Locals) -> None:
        self.stages, self.stage, self.states = stages, stage, states
        self.members = stages.stages[stage]
        graphs = [_under(stages.graphs[i], stages.guard(i, states)) for i in self.members]
        turn = turns_of(tuple(graphs))
        mover = tuple(max(0, turn[colour]) for colour in stages.colour)
        parts = []
        self.examples: list[Ints] = []
        for i, graph in zip(self.members, graphs, strict=True):
            moves = moves_of(graph, turn, stages.roles, stages.budget)
            able = np.array([[bool(options) for options in of_role] for of_role in moves], np.int64)
            kind = np.array(stages.kind[i], np.int64) << stages.roles | (1 << np.arange(stages.roles)) @ able
            _, first, concept = np.unique(kind, return_index=True, return_inverse=True)
            parts.append(PartGraph(moves, tuple(concept.reshape(-1).tolist())))
            self.examples.append(first)
        rest = stages.views.context.rows[stages.times] | stages.loose
        for i in set(range(len(states))) - set(self.members):
            rest = rest | stages.graphs[i].states[states[i]]
        shown = (stages.graphs[i].states[first] for i, first in zip(self.members, self.examples, strict=True))
        every = refuse_many(Combinations(rest, *shown))
        over, goal = table((*every.shape, stages.roles))
        self.compound = Compound(tuple(parts), mover, stages.follow, over, goal, stages.roles)
        for _, place, rows in every.batches():
            self._judge(place, rows)
            stages.budget.check(steps=200 * rows.shape[0])
        refuse_standstill(self.compound, [turn[colour] for colour in stages.colour])
        if stage + 1 < len(stages.stages):
            self._follow_up()
        if stages.roles == 2:
            goal[..., 1] = (stages.sum or 0) - goal[..., 0]

    def _judge(self, place: tuple[Ints, ...], rows: Rows) -> None:
        """What the rules say of some combinations (time, concept of every member), given as states of the whole too."""
        stages, compound = self.stages, self.compound
        over = stages.parts.game.batch.terminal(rows)
        goals = paid(stages.parts.game.batch.goals(rows))
        if stages.roles == 2:
            for total in np.unique(goals[over].sum(axis=1)).tolist():
                stages.note_sum(total)
        compound.over[place] = over
        compound.goal[..., 0][place] = goals[:, 0]
        mover = np.array(compound.mover)[place[0]]
        able = np.zeros(over.size, np.bool_)
        for of_part, where in zip(compound.able, place[1:], strict=True):
            able |= of_part[mover, where]
        able &= ~over
        may = np.zeros((over.size, stages.roles), np.bool_)
        if stages.idle is not None:
            np.logical_or.at(may.T, stages.idle_roles, stages.idle(rows).T)
        here = np.arange(over.size)
        if bool((may[here, mover] & able).any()):
            raise Inapplicable("a role may pass although it could move")
        may[here, mover] |= able
        opens = compound.idle[place] & (self.stage + 1 < len(stages.stages))
        stuck = ~over & ~opens & ~may.all(axis=1)
        if bool(stuck.any()):
            compound.goal[..., 0][tuple(axis[stuck] for axis in place)] = stages.stuck()
            compound.over[place] = over | stuck
        if bool((self._later_open(place) & ~over & ~compound.idle[place]).any()):
            raise Inapplicable("two stages are open at once")

    def _later_open(self, place: tuple[Ints, ...]) -> NDArray[np.bool_]:
        """Whether somebody could move in a later stage, per combination."""
        stages = self.stages
        out = np.zeros(place[0].size, np.bool_)
        colour = np.array(stages.colour)[place[0]]
        for j in (j for later in stages.stages[self.stage + 1 :] for j in later):
            guard = np.zeros(place[0].size, np.int64)
            for before in stages.graphs[j].part.after:
                i = stages.views.index.get(before)
                if i is None:
                    continue
                if i in self.members:
                    k = self.members.index(i)
                    answer = np.array(stages.guards[i])[self.examples[k]][place[1 + k]]
                else:
                    answer = np.full(place[0].size, stages.guards[i][self.states[i]])
                guard = guard * stages.choices[i] + answer
            for (c, g), setting in stages.settings[j].items():
                here = (colour == c) & (guard == g)
                if bool(here.any()) and stages.part_steps(j, self.states[j], setting):
                    out |= here
        return out

    def _follow_up(self) -> None:
        """Where nobody can move any more, the stage is worth what the next one is worth."""
        compound = self.compound
        ends = np.argwhere(compound.idle & ~compound.over)
        if len(ends) > SearchLimits.current().stagesum_ends:
            raise Inapplicable(f"{len(ends)} ways to end a stage are too many to follow each")
        for place in map(tuple, ends.tolist()):
            states = list(self.states)
            for i, first, k in zip(self.members, self.examples, place[1:], strict=True):
                states[i] = int(first[k])
            compound.over[place] = True
            compound.goal[(*place, 0)] = self.stages.after(self.stage, tuple(states), place[0])


def _under(graph: LocalGraph, guard: int) -> LocalGraph:
    """A local graph with one guard only."""
    kept = [k for k, setting in enumerate(graph.settings) if setting.guard == guard]
    place = (np.arange(graph.positions)[:, None] * len(graph.settings) + kept).reshape(-1)
    lengths = np.diff(graph.edge_start)[place]
    start = np.concatenate([[0], np.cumsum(lengths)])
    edges = np.arange(start[-1]) + np.repeat(graph.edge_start[place] - start[:-1], lengths)
    return replace(
        graph, settings=tuple(graph.settings[k] for k in kept), edge_start=start, move=graph.move[edges],
        joint=graph.joint[edges], successor=graph.successor[edges],
    )  # fmt: skip
