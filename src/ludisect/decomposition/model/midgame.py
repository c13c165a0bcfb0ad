"""A game from a state of a match: what can no longer change is folded in, so smaller parts come apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ludisect.circuit.game import Game
from ludisect.circuit.rows import unpack
from ludisect.errors import InputError, LudisectError
from ludisect.gdl.machine import Fluents
from ludisect.gdl.reader import read_term
from ludisect.gdl.terms import Term


def at_state(game: Game, state: Fluents) -> Game:
    """The same game with another initial state; fluents and moves that this settles for good are constants of it."""
    initial = unpack(game.batch.row(state), len(game.fluents))[0]
    known = game.circuit.input_value[1 : 1 + len(game.fluents)]
    for f, value in enumerate(known.tolist()):
        if value != 2 and bool(value) != bool(initial[f]):
            always = "always" if value else "never"
            raise InputError(f"that is no state of {game.name}: {game.fluents[f]} {always} holds in it")
    circuit = replace(game.circuit, initial=initial).fold()
    return replace(game, circuit=circuit)


def read_state(game: Game, path: Path) -> Fluents:
    """A state from a file of KIF terms (one per line, or separated by blanks; ``;`` begins a comment)."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    terms = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            found = read_term(f"(state {line}\n)").args
        except LudisectError:
            raise InputError(f"{path}:{number}: {line!r} is no list of KIF terms such as (cell 1 1 b)") from None
        for term in found:
            if not isinstance(term, Term) or term not in game.fluent_index:
                raise InputError(f"{path}:{number}: {term} can never hold in {game.name}")
            terms.append(term)
    return frozenset(terms)
