"""A game from a state of a match: what can no longer change is folded in, so smaller parts come apart."""

from __future__ import annotations

from dataclasses import replace

from ludisect.circuit.game import Game
from ludisect.circuit.movewise import settled
from ludisect.circuit.rows import unpack
from ludisect.errors import InputError
from ludisect.gdl.machine import Fluents


def at_state(game: Game, state: Fluents) -> Game:
    """The same game with another initial state; fluents and moves that this settles for good are constants of it."""
    initial = unpack(game.batch.row(state), len(game.fluents))[0]
    known = game.circuit.input_value[1 : 1 + len(game.fluents)]
    for f, value in enumerate(known.tolist()):
        if value != 2 and bool(value) != bool(initial[f]):
            always = "always" if value else "never"
            raise InputError(f"that is no state of {game.name}: {game.fluents[f]} {always} holds in it")
    circuit = replace(game.circuit, initial=initial).fold()
    values = settled(circuit)
    if (values != circuit.input_value).any():
        circuit = circuit.known(values).fold()
    return replace(game, circuit=circuit)
