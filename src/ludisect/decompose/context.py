"""The context: variables that run by themselves (turn markers, counters), found by induction.

Of all variables that nobody was seen to choose, those that a counterexample breaks are taken out, one after another:
two states that agree on the variables left, with whatever legal moves, and disagree on the next value of one of them.
What remains is closed: its next value is a function of its value.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.batch import pack, unpack
from ludisect.circuit.game import Game
from ludisect.decompose.prover import Model, Prover
from ludisect.decompose.variables import Invariants, Variable


def closed_context(
    game: Game, invariants: Invariants, variables: Sequence[Variable], candidates: Sequence[int], *, seconds: float
) -> list[int]:
    """The candidates that run by themselves; out of time, those of which the structure of the circuit shows it."""
    left = list(candidates)
    if not left:
        return []
    circuit = game.circuit
    prover = Prover(game, copies=2, seconds=seconds)
    switches: dict[int, int] = {}
    with prover.building():
        invariants.assume(prover, circuit.initial)
        prover.in_play(0)
        prover.in_play(1)
        broken = []
        for v in left:
            on = switches[v] = prover.switch()
            for f in variables[v].fluents:
                prover.require([-on, -prover.differ(prover.fluent(f, 0), prover.fluent(f, 1))])
            changes = [
                prover.differ(prover.lit(int(circuit.next[f]), 0), prover.lit(int(circuit.next[f]), 1))
                for f in variables[v].fluents
            ]
            broken.append(prover.all_of([on, prover.any_of(changes)]))
        prover.require(broken)
    while left:
        inside = set(left)
        answer = prover.ask([s if v in inside else -s for v, s in switches.items()])
        if answer is False:
            return left
        if not isinstance(answer, Model):
            return _structural(game, variables, left)
        following = unpack(game.next(pack(answer.states), answer.joint), len(game.fluents))
        differs = following[0] != following[1]
        left = [v for v in left if not differs[list(variables[v].fluents)].any()]
    return left


def _structural(game: Game, variables: Sequence[Variable], candidates: Sequence[int]) -> list[int]:
    """The candidates whose next value reads no move and no fluent outside them, through whatever gates."""
    circuit = game.circuit
    left = set(candidates)
    reads = {v: _support(game, list(variables[v].fluents)) for v in left}
    while True:
        inside = np.zeros(circuit.n_inputs + 1, np.bool_)
        for v in left:
            inside[[1 + f for f in variables[v].fluents]] = True
        out = {v for v in left if not inside[reads[v]].all()}
        if not out:
            return sorted(left)
        left -= out


def _support(game: Game, fluents: list[int]) -> NDArray[np.int64]:
    return game.circuit.support(game.circuit.next[fluents])
