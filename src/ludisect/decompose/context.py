"""The context: variables that run by themselves (turn markers, counters), found by induction.

Of all variables that nobody was seen to choose, those that a counterexample breaks are taken out, one after another:
two states that agree on the variables left, with whatever legal moves, and disagree on the next value of one of them.
What remains is closed: its next value is a function of its value. Where the rules of a variable name neither a move nor
a fluent outside the context, nothing need be asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.batch import pack, unpack
from ludisect.circuit.game import Game
from ludisect.decompose.induction import Invariants
from ludisect.decompose.prover import Model, Prover
from ludisect.decompose.variables import Variable


def closed_context(
    game: Game, invariants: Invariants, variables: Sequence[Variable], candidates: Sequence[int], *, seconds: float
) -> list[int]:
    """The candidates that run by themselves; out of time, those of which the structure of the circuit shows it."""
    left = list(candidates)
    plain = structurally_closed(game, invariants, variables, left)
    if len(plain) == len(left):
        return left
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
            return plain
        following = unpack(game.next(pack(answer.states), answer.joint), len(game.fluents))
        differs = following[0] != following[1]
        left = [v for v in left if not differs[list(variables[v].fluents)].any()]
    return left


def plainly_closed(game: Game, invariants: Invariants, context: Sequence[int]) -> bool:
    """Whether the next values of some fluents read no other ones, through whatever gates, but for constants."""
    return bool(_inside(game, invariants, context)[game.circuit.support(game.circuit.next[list(context)])].all())


def _inside(game: Game, invariants: Invariants, fluents: Sequence[int]) -> NDArray[np.bool_]:
    """Per input node: whether it is one of the fluents or always the same."""
    inside = np.asarray(game.circuit.input_value < 2)
    inside[[1 + f for f in (*fluents, *invariants.constant)]] = True
    return inside


def structurally_closed(
    game: Game, invariants: Invariants, variables: Sequence[Variable], candidates: Sequence[int]
) -> list[int]:
    """The candidates whose next value reads no move and no fluent outside them, through whatever gates."""
    circuit = game.circuit
    left = list(candidates)
    reads = {v: circuit.support(circuit.next[list(variables[v].fluents)]) for v in left}
    while True:
        inside = _inside(game, invariants, [f for v in left for f in variables[v].fluents])
        kept = [v for v in left if inside[reads[v]].all()]
        if len(kept) == len(left):
            return left
        left = kept
