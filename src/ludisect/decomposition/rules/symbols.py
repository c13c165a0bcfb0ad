"""The method ``symbols``: dependency graph over fluent and action symbols (Günther 2007, Algorithm 3.1).

A fluent symbol and an action symbol are tied if one of the fluents is a potential precondition or effect of one of the
actions; the connected components are the parts. Algorithm 3.1 has to be told the action-independent fluents and
gives up if one of them is a precondition. Here they are found in the rules, and set apart as later work does: their
part is the context of all the others.
"""

from __future__ import annotations

from ludisect.circuit.game import Game
from ludisect.decomposition.model.assemble import Found
from ludisect.decomposition.rules.forced import choices, clauses_of, noop_lumps
from ludisect.decomposition.rules.lumps import Lumps
from ludisect.decomposition.rules.parts import found_parts
from ludisect.decomposition.rules.relations import Potential, Reading


def find(game: Game, *, reading: Reading = "mentioned") -> Found:
    """The parts of a game by its symbols. Raises InputError if the game has no rules to read."""
    found = choices(game)
    lumps = Lumps(game, {}, {})
    potential = Potential(
        clauses_of(game, found), lumps, noops=noop_lumps(lumps, found), alternating=found.alternating, reading=reading
    )
    return found_parts(lumps, potential.relations(), potential.graph)
