"""Prove condition 4: the score is a sum over the parts, in every state that satisfies the invariants.

Four copies of the goal nets and a switch per part: two states are free, the other two are what they become when they
swap the parts whose switch is on. The solver is asked for an exchange that breaks a level (see ``exchange``). No model:
over these parts every level is a sum. If there is one, parts whose points are added up are told apart first, and each
class of the rest is asked by itself.

What is proved is that the parts are a sum, not that they are the finest ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ludisect.circuit.game import Game
from ludisect.circuit.rows import pack
from ludisect.circuit.solver import Model, Prover
from ludisect.decomposition.evidence.exchange import Exchange, Question, Swaps
from ludisect.decomposition.evidence.goals import asked_of
from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.localmoves import mask_of
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.blocks import merge
from ludisect.effort import Effort


def prove_score(
    game: Game, invariants: Invariants, parts: Sequence[Sequence[int]], effort: Effort
) -> list[Exchange | bool]:
    """Per question that reads several parts: True if it is proved, False if that is open, or what breaks it."""
    asked = asked_of(game, parts)
    return [_prove(game, invariants, parts, q, inside, effort.part(1 / len(asked))) for q, inside in asked]


def _prove(
    game: Game, invariants: Invariants, parts: Sequence[Sequence[int]], q: Question, inside: list[int], effort: Effort
) -> Exchange | bool:
    copies = _Copies(game, invariants, parts, q, inside, effort)
    found = copies.level([[p] for p in inside], inside)
    if isinstance(found, bool) or q.kind != "score":
        return found
    groups = [[p] for p in inside]
    while len(groups) > 1:
        tie = copies.points(groups)
        if tie is True:
            break
        if tie is False:
            return False
        place = {p: i for i, p in enumerate(inside)}
        groups = [[inside[i] for i in g] for g in merge([[place[p] for p in g] for g in [*groups, tie]], len(inside))]
    for area in groups if len(groups) > 1 else []:
        found = copies.level([[p] for p in area], area) if len(area) > 1 else True
        if found is not True:
            return found
    return found


class _Copies:
    """Four copies of the nets of a question, two of them made from the other two by switches."""

    def __init__(
        self,
        game: Game,
        invariants: Invariants,
        parts: Sequence[Sequence[int]],
        question: Question,
        inside: Sequence[int],
        effort: Effort,
    ) -> None:
        self.game, self.parts, self.question = game, parts, question
        self.prover = p = Prover(game, copies=4, effort=effort, moves=False)
        with p.building():
            invariants.assume(p, game.circuit.initial)
            self.swapped = {i: p.switch() for i in inside}
            self.alike = {i: p.switch() for i in inside}
            owner = {f: i for i in inside for f in parts[i]}
            for f in range(len(game.fluents)):
                self._mix(f, owner.get(f, -1))
            self.asked = {"level": p.switch(), "points": p.switch()}
            p.require([-self.asked["level"], *self._levels()])
            p.require([-self.asked["points"], *(self._sums() if question.kind == "score" else ())])

    def _mix(self, f: int, part: int) -> None:
        """Tie a fluent of the third and fourth copy to the first two."""
        p = self.prover
        first, second, third, fourth = (p.fluent(f, copy) for copy in range(4))
        if part < 0:
            for x in (second, third, fourth):
                p.require([-p.differ(first, x)])
            return
        on = self.swapped[part]
        p.require([-self.alike[part], -p.differ(first, second)])
        for one, stays, comes in ((third, first, second), (fourth, second, first)):
            p.require([on, -p.differ(one, stays)])
            p.require([-on, -p.differ(one, comes)])

    def _nets(self) -> list[tuple[int, int]]:
        """(value, net) of the role's goals, rising."""
        game, role = self.game, self.question.role
        nets = zip(game.goal_table, game.circuit.goal.tolist(), strict=True)
        return sorted((v, net) for (r, v), net in nets if r == role)

    def _levels(self) -> list[int]:
        """A literal per level: both states reach it, and neither does after the exchange, though it is known."""
        p, circuit = self.prover, self.game.circuit
        if self.question.kind == "over":
            over = [p.lit(circuit.terminal, copy) for copy in range(4)]
            return [p.all_of([over[0], over[1], -over[2], -over[3]])]
        nets = self._nets()
        scored = [p.any_of([p.lit(net, copy) for _, net in nets]) for copy in range(4)]
        if self.question.kind == "scored":
            yet = [-p.lit(circuit.terminal, copy) for copy in (2, 3)]
            return [p.all_of([scored[0], scored[1], -scored[2], -scored[3], *yet])]
        out = []
        for level in sorted({v for v, _ in nets})[1:]:
            reach = [p.any_of([p.lit(net, copy) for v, net in nets if v >= level]) for copy in range(4)]
            out.append(p.all_of([reach[0], reach[1], -reach[2], -reach[3], scored[2], scored[3]]))
        return out

    def _sums(self) -> list[int]:
        """Literals of which one holds where the points of the first two copies are not those of the other two, with the
        same allowance for rounding as in ``exchange``."""
        p, nets = self.prover, self._nets()
        values = sorted({v for v, _ in nets})
        scored = [p.any_of([p.lit(net, copy) for _, net in nets]) for copy in range(4)]
        rungs = [
            [(p.any_of([p.lit(net, copy) for v, net in nets if v >= b]), b - a) for a, b in pairwise(values)]
            for copy in range(4)
        ]

        def more(by: int, these: Sequence[int], those: Sequence[int]) -> int:
            plus, minus = ([rung for copy in copies for rung in rungs[copy]] for copies in (these, those))
            return p.at_least(by, [*plus, *((x, -w) for x, w in minus)])

        rounded = DecompositionLimits.current().goals_rounded
        near = [p.all_of([-more(rounded, [0], [k]), -more(rounded, [k], [0])]) for k in (2, 3)]
        one, other = ([0, 1], [2, 3]), ([2, 3], [0, 1])
        by_two = [more(2, *sides) for sides in (one, other)]
        by_one = [p.all_of([more(1, *sides), p.any_of(near)]) for sides in (one, other)]
        return [p.all_of([*scored, x]) for x in (*by_two, *by_one)]

    def _ask(self, what: str, blocks: Sequence[Sequence[int]], inside: Sequence[int]) -> Model | bool | None:
        """Exchanges of whole blocks between states that are alike but inside some parts."""
        free = set(inside)
        with self.prover.building():
            on = self.prover.switch()
            for block in blocks:
                for one, other in pairwise(block):
                    self.prover.require([-on, -self.prover.differ(self.swapped[one], self.swapped[other])])
        others = [-switch for name, switch in self.asked.items() if name != what]
        alike = [-switch if part in free else switch for part, switch in self.alike.items()]
        return self.prover.ask([self.asked[what], on, -self.swapped[blocks[0][0]], *others, *alike])

    def level(self, blocks: Sequence[Sequence[int]], inside: Sequence[int]) -> Exchange | bool:
        """Whether no exchange breaks a level."""
        answer = self._ask("level", blocks, inside)
        if not isinstance(answer, Model):
            return answer is False
        states = pack(answer.states)
        swapped = [i for i in inside if ((states[0] ^ states[2]) & mask_of(self.game, self.parts[i])).any()]
        return Exchange(self.question, states[:2], mask_of(self.game, [f for i in swapped for f in self.parts[i]]))

    def points(self, groups: Sequence[Sequence[int]]) -> list[int] | bool:
        """Whether the points of the groups are added up; or parts of two groups at least of which they are not."""
        answer = self._ask("points", groups, list(self.swapped))
        if not isinstance(answer, Model):
            return answer is False
        states = pack(answer.states)
        swaps = Swaps(self.game, self.parts, np.random.default_rng(0))
        (found,) = swaps.shrunk(
            self.question, list(self.swapped), states[:1], states[1:2], states[:1] ^ states[2:3], points=True
        )
        return list(found.parts)
