"""One player whose best goal asks each part for something of its own: reach each, then play it through.

If the net of the highest goal value is a conjunction, every part has its subgoal: what the net asks of it; where the
net leaves a choice between such conjunctions, each is tried in turn. Subgoals are reached one after the other, each by
a short way through its own part, so that many parts cost no more than each of them, and no more of a part is
explored than its way needs. All moves are made on the rules themselves, and the answer counts only if the play ends
with that goal. So it rests on nothing but the rules, and no goal is higher.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.answer import Answer
from ludisect.circuit.circuit import Circuit
from ludisect.circuit.rows import Rows, mask_of, unpack
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.ruleofplay import OPTIMUM
from ludisect.search.budget import Budget
from ludisect.search.foresight import KnownPlan, foreseen
from ludisect.search.limits import SearchLimits
from ludisect.search.oneplayer.errand import Errand, run_errand
from ludisect.search.part.concepts import MIXED, Nets, fluents_read, owners, ruling
from ludisect.search.part.shape import part_answer
from ludisect.search.part.views import stages_before
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable, Way

NAME = "subgoals"

TRUE, FALSE = 0, 1
"""The literals that always hold and never."""


@dataclass(frozen=True, slots=True, eq=False)
class Subgoals:
    """What a conjunction asks: values of single fluents, and per dependent part literals of ``circuit``."""

    circuit: Circuit
    fixed: dict[int, bool]
    literals: list[list[int]]


def best_goal(parts: Decomposition) -> tuple[int, int]:
    """(highest goal value that the rules know, the number of its net)."""
    nets = enumerate(zip(parts.game.goal_table, parts.game.circuit.goal.tolist(), strict=True))
    return max(((value, k) for k, ((_, value), literal) in nets if literal != FALSE), default=(0, -1))


def subgoals(parts: Decomposition, net: int) -> Iterator[Subgoals]:
    """What the net of a goal asks of each part, for each way to satisfy it that asks parts one by one.

    Fluents that a conjunction fixes are put in, which may make more of it fall apart, until nothing new is fixed. A
    disjunction that reads several parts is a choice of one of its members.
    """
    circuit = parts.game.circuit
    waiting: list[tuple[Circuit, dict[int, bool]]] = [(replace(circuit, goal=circuit.goal[net : net + 1]), {})]
    for _ in range(SearchLimits.current().subgoals_alternatives):
        if not waiting:
            return
        circuit, fixed = waiting.pop()
        found = _conjunction(parts, circuit)
        while inputs := {x >> 1: not x & 1 for x in (found or {}) if 0 < x >> 1 <= circuit.n_fluents}:
            fixed = fixed | {node - 1: value for node, value in inputs.items()}
            circuit = circuit.cofactor({node: int(value) for node, value in inputs.items()})
            found = _conjunction(parts, circuit)
        if found is None:
            continue
        mixed = [x for x, who in found.items() if who == MIXED]
        if not mixed:
            by_part = [[x for x, who in found.items() if who == i] for i in range(len(parts.dependent))]
            yield Subgoals(circuit, fixed, by_part)
            continue
        others = [x for x in found if x != mixed[0]]
        for child in circuit.gate(mixed[0] >> 1).tolist()[::-1]:
            goal = np.array([*others, child ^ 1], circuit.goal.dtype)
            waiting.append((replace(circuit, goal=goal), fixed))


def _conjunction(parts: Decomposition, circuit: Circuit) -> dict[int, int] | None:
    """The literals of the conjunction of all goals and the part that each reads (MIXED for several).

    Literals are fluents or negated gates. None if the conjunction cannot hold.
    """
    owner = owners(replace(parts, game=replace(parts.game, circuit=circuit)))
    out: dict[int, int] = {}
    waiting: list[int] = [x for x in circuit.goal.tolist() if x != TRUE]
    seen = set(waiting)
    while waiting:
        here = waiting.pop()
        if here == FALSE:
            return None
        who = int(owner[here >> 1])
        if here & 1 or here >> 1 <= circuit.n_inputs:
            out[here] = who
            continue
        new = [x for x in circuit.gate(here >> 1).tolist() if x not in seen]
        waiting += new
        seen |= set(new)
    return out


def applies(parts: Decomposition) -> str | None:
    """One player, and a best goal that asks single parts for something."""
    if len(parts.game.roles) != 1 or len(parts.dependent) < 2 or parts.in_step:
        return None
    return "the best goal may ask each part for something of its own"


def solve_subgoals(study: Study, budget: Budget) -> Answer:
    """A play with the best goal that the rules know.

    Raises Inapplicable if the parts cannot all reach their subgoals one after the other.
    """
    begin, parts = clock.now(), study.parts
    value, net = best_goal(parts)
    if net < 0 or parts.game.circuit.edges > SearchLimits.current().subgoals_edges:
        raise Inapplicable("the rules know no goal, or are too large to take the goal apart")
    play = _first_play(parts, net, value, budget)
    game = parts.game
    told = []
    for i, way in play.ways.items():
        own = [game.moves[0][m] for m in way]
        if own:
            why = f"takes {len(own)} moves: {' '.join(map(str, own))}"
            told.append(part_answer(parts, i, why, len(own), own, kind="plan"))
    role = game.roles[0]
    checked = f"all {len(play.moves)} moves were played through; no goal is higher than {value}"
    answer = Answer(
        game.name, NAME, True, {role: value}, {role: game.moves[0][play.moves[0]]} if play.moves else {},
        nodes=play.looked, seconds=clock.now() - begin, parts=tuple(told),
        conclusion=("in this order: " + " ".join(str(game.moves[0][m]) for m in play.moves),),
        rule=OPTIMUM, evidence=checked, notes=(checked,),
    )  # fmt: skip
    return foreseen(game, answer, KnownPlan(parts, game.batch.initial, play.moves, value))


def _first_play(parts: Decomposition, net: int, value: int, budget: Budget) -> _Play:
    """The first way to satisfy the goal that can be played."""
    refused = "the best goal does not ask single parts for something"
    for asked in subgoals(parts, net):
        play = _Play(parts, asked, value, budget)
        try:
            play.run()
        except Inapplicable as error:
            refused = str(error)
            continue
        return play
    raise Inapplicable(refused)


class _Play:
    """A play that does one subgoal after the other, on the rules."""

    def __init__(self, parts: Decomposition, asked: Subgoals, value: int, budget: Budget) -> None:
        self.parts, self.game, self.asked, self.value, self.budget = parts, parts.game, asked, value, budget
        n = len(self.game.fluents)
        rules = [x for s in parts.dependent for x in ruling(self.game, s)]
        context = set(fluents_read(self.game.circuit, rules)) & set(parts.context_numbers)
        self._seen = [mask_of({*s.fluent_numbers, *context}, n) for s in parts.dependent]
        acting = Counter(m for s in parts.dependent for members in s.move_numbers[0] for m in members)
        self._moves = [
            np.array([m for members in s.move_numbers[0] for m in members if acting[m] == 1], np.int64)
            for s in parts.dependent
        ]
        self._idle = [m for m in range(len(self.game.moves[0])) if m not in acting]
        self.row = self.game.batch.initial
        self.moves: list[int] = []
        self.ways: dict[int, list[int]] = {}
        self.looked = 0

    def run(self) -> None:
        """All errands; raises Inapplicable if that does not lead to the goal.

        A part whose errand ends the play is left for the end.
        """
        waiting = self._by_stages()
        postponed: set[int] = set()
        while waiting:
            i = waiting.pop(0)
            errand = self._errand(i)
            if errand is None:
                raise Inapplicable(f"part {self.parts.dependent[i].id} cannot do what the best goal asks of it then")
            self.looked += errand.looked
            if errand.over and waiting:
                if i in postponed:
                    raise Inapplicable("the subgoals can be reached one by one, but not in any order that was tried")
                postponed.add(i)
                waiting.append(i)
                continue
            self.ways[i] = errand.moves
            self.moves += errand.moves
            self.row = errand.row
        self._finish()
        if not self.game.batch.terminal(self.row)[0] or int(self.game.batch.goals(self.row)[0, 0]) != self.value:
            raise Inapplicable("the subgoals can be reached one by one, but not in any order that was tried")

    def _by_stages(self) -> list[int]:
        """The parts of which something is asked, earlier stages first."""
        asked = [
            i
            for i, s in enumerate(self.parts.dependent)
            if self.asked.literals[i] or any(f in self.asked.fixed for f in s.fluent_numbers)
        ]
        return sorted(asked, key=lambda i: len(stages_before(self.parts, self.parts.dependent[i])))

    def _errand(self, i: int) -> Errand | None:
        """A way to do what is asked of a part, without undoing what was asked of the parts before it."""
        fixed = {
            f: value
            for k in (*self.ways, i)
            for f, value in self.asked.fixed.items()
            if f in self.parts.dependent[k].fluent_numbers
        }
        literals = [x for k in (*self.ways, i) for x in self.asked.literals[k]]
        return run_errand(
            self.game,
            self.row,
            self._moves[i],
            self._seen[i],
            self._unmet(fixed, literals),
            self.budget,
            wanted=None if literals else fixed,
        )

    def _unmet(self, fixed: dict[int, bool], literals: list[int]) -> Callable[[Rows], NDArray[np.int64]]:
        """How many fluents have another value in a state, and how many literals do not hold."""
        columns, values = list(fixed), np.array(list(fixed.values()), np.bool_)
        nets = Nets(self.asked.circuit, literals) if literals else None

        def unmet(rows: Rows) -> NDArray[np.int64]:
            wrong = unpack(rows, len(self.game.fluents))[:, columns] != values
            out: NDArray[np.int64] = wrong.sum(axis=1)
            return out if nets is None else out + (~nets(rows)).sum(axis=1)

        return unmet

    def _finish(self) -> None:
        """End the play with the goal if some move does; until then make moves without effect in any part."""
        game = self.game
        for _ in range(SearchLimits.current().subgoals_waits):
            if game.batch.terminal(self.row)[0]:
                return
            legal = np.flatnonzero(game.batch.legal(self.row)[0])
            after = game.batch.next(np.repeat(self.row, legal.size, axis=0), legal[:, None])
            ends = np.flatnonzero(game.batch.terminal(after) & (game.batch.goals(after)[:, 0] == self.value))
            rests = np.flatnonzero(np.isin(legal, self._idle))
            if not ends.size and not rests.size:
                return
            k = int([*np.intersect1d(ends, rests), *ends, *rests][0])
            self.moves.append(int(legal[k]))
            self.row = after[k : k + 1]


WAY = Way(NAME, "single player: what the best goal asks of each part", applies, solve_subgoals)
