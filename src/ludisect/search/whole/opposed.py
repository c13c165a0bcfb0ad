"""Two players who share the same total wherever a play ends: refuted by random plays, or proved for all.

Proved by induction: the total at ends is claimed, and beside it, where all states seen agree, that in every state each
role has exactly one goal value and both have the total. Claims that a legal joint move breaks, from some state that
satisfies all of them and the invariants of the fluents, are dropped; what is left in the end holds wherever play can
come to. A position in which a role has no move pays nobody and is no end: whoever relies on a total looks out for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.batch import UNDEFINED
from ludisect.circuit.game import Game
from ludisect.circuit.record import plays
from ludisect.circuit.rows import Rows, pack
from ludisect.circuit.solver import Model, Prover
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.exact.variables import find_invariants
from ludisect.effort import STEPS_PER_SECOND, Effort
from ludisect.search.budget import Budget
from ludisect.search.limits import SearchLimits
from ludisect.search.whole.positions import paid


@dataclass(frozen=True, slots=True)
class Total:
    """What two roles get together at the ends of random plays, and whether that is proved of all ends."""

    seen: frozenset[int]
    proved: bool


class Opposition:
    """Whether the roles of a game are opponents: worked out once, when first asked."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._total: Total | None = None

    def total(self, budget: Budget) -> Total:
        """The totals of a game with two roles."""
        limits = SearchLimits.current()
        return self._found(budget.effort(limits.opposed_work, limits.opposed_share))

    def _found(self, effort: Effort) -> Total:
        if self._total is None:
            seen = _seen(self.game, effort)
            proved = len(seen) == 1 and _proved(self.game, min(seen), effort)
            self._total = Total(frozenset(seen), proved)
        return self._total

    def seen(self, budget: Budget) -> int | None:
        """The total at the ends of random plays, if it is one and the same."""
        totals = (
            self._total.seen
            if self._total is not None
            else _seen(self.game, budget.effort(SearchLimits.current().opposed_work))
        )
        return min(totals) if len(totals) == 1 else None

    def proved(self, budget: Budget) -> bool:
        """Whether two roles are proved to share the same total at every end, asked when a search came to its limit."""
        limits = SearchLimits.current()
        work, seconds = limits.opposed_late_work, None
        if budget.left is not None and budget.seconds is not None:
            late = limits.opposed_late * budget.seconds
            seconds = min(max(limits.opposed_share * budget.left, late), work / STEPS_PER_SECOND)
        effort = Effort(work, seconds)
        return len(self.game.roles) == 2 and self._found(effort).proved


def _seen(game: Game, effort: Effort) -> set[int]:
    """The totals at the ends of some random plays, and at the start if the play is over there; two are enough."""
    sums: set[int] = set()
    played = plays(game, SearchLimits.current().opposed_plays)
    for rows in chain([game.batch.initial], (following for _, _, following in played)):
        sums |= set(paid(game.batch.goals(rows[game.batch.terminal(rows)])).sum(axis=1).tolist())
        if len(sums) > 1 or effort.over():
            break
    return sums


def _holds(game: Game, total: int, rows: Rows) -> NDArray[np.bool_]:
    """States x claims: each role has one goal value, the total holds, the total holds if the play is over."""
    goals = game.batch.goals(rows)
    adds_up = paid(goals).sum(axis=1) == total
    return np.column_stack([goals != UNDEFINED, adds_up, adds_up | ~game.batch.terminal(rows)])


def _proved(game: Game, total: int, effort: Effort) -> bool:
    """Whether the last claim is in the largest set of claims that is inductive."""
    circuit = game.circuit
    if 2 * (circuit.n_inputs + circuit.gates) * SearchLimits.current().opposed_node_steps > effort.left:
        return False
    sample = take_sample(game)
    seen = np.concatenate([game.batch.initial, sample.states, sample.endings])
    claimed = np.asarray(_holds(game, total, seen).all(axis=0))
    free = np.flatnonzero(~game.circuit.constant_fluents).tolist()
    invariants = find_invariants(game, sample, free, effort.rest().part(0.5))
    prover = Prover(game, copies=2, effort=effort)
    with prover.building():
        prover.in_play()
        invariants.assume(prover, circuit.initial)
        for f in range(len(game.fluents)):
            prover.require([-prover.differ(prover.fluent(f, 1), prover.lit(int(circuit.next[f])))])
        before, after = (_claims(prover, total, copy) for copy in range(2))
        switches = [prover.switch() for _ in before]
        for on, holds in zip(switches, before, strict=True):
            prover.require([-on, holds])
        prover.require([prover.all_of([on, -holds]) for on, holds in zip(switches, after, strict=True)])
    while claimed[-1]:
        answer = prover.ask([on if alive else -on for on, alive in zip(switches, claimed, strict=True)])
        if not isinstance(answer, Model):
            return answer is False
        claimed = claimed & _holds(game, total, pack(answer.states[1:]))[0]
    return False


def _claims(prover: Prover, total: int, copy: int) -> list[int]:
    """Literals of the claims (see ``_holds``) in one copy of the rules."""
    one_each, pays = [], []
    for role in range(2):
        nets = [
            (value, prover.lit(int(literal), copy))
            for (of_role, value), literal in zip(prover.game.goal_table, prover.circuit.goal, strict=True)
            if of_role == role
        ]
        not_one = prover.not_exactly_one([x for _, x in nets])
        one_each.append(-not_one)
        some = {value: prover.all_of([x, -not_one]) for value, x in nets if value > 0}
        pays.append(some | {0: prover.all_of([-x for x in some.values()])})
    first, second = pays
    adds_up = prover.any_of([prover.all_of([x, second[total - v]]) for v, x in first.items() if total - v in second])
    return [*one_each, adds_up, prover.any_of([adds_up, -prover.lit(int(prover.circuit.terminal), copy)])]
