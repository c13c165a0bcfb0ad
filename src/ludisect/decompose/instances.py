"""The method ``instances``: dependency graph over partially instantiated terms (Zhao 2009; with Schiffel, Thielscher).

As ``symbols``, but fluents and moves that differ in an argument whose value never changes are told apart; compound
moves are split into the moves of the parts (thesis §6.1.1), and conditions by which one part waits for the end of
another give an order instead of an edge (§6.2.1).
"""

from __future__ import annotations

from ludisect.circuit.game import Game
from ludisect.decompose.callgraph import CallGraph
from ludisect.decompose.common import Found
from ludisect.decompose.forced import choices, clauses_of, noop_lumps
from ludisect.decompose.lumps import Lumps
from ludisect.decompose.potential import Potential, Reading
from ludisect.decompose.zhao_parts import found_parts
from ludisect.decompose.zhao_places import Heuristic, places
from ludisect.decompose.zhao_serial import order
from ludisect.decompose.zhao_split import compound_moves, divide
from ludisect.gdl.dependencies import predicate


def find(game: Game, *, heuristic: Heuristic = "paper", reading: Reading = "mentioned") -> Found:
    """The parts of a game by partially instantiated terms. Raises InputError if the game has no rules to read."""
    found = choices(game)
    clauses = clauses_of(game, found)
    symbols = {predicate(m) for of_role in game.moves for m in of_role}
    fluent_places, move_places = places(clauses, CallGraph(clauses), heuristic, symbols)
    lumps = Lumps(game, fluent_places, move_places, compound_moves(clauses, symbols))
    potential = Potential(
        clauses, lumps, noops=noop_lumps(lumps, found), alternating=found.alternating, reading=reading
    )
    relations = divide(lumps, potential.relations())
    stages = order(clauses, lumps, relations)
    return found_parts(
        lumps,
        stages.relations,
        potential.graph,
        after=stages.after,
        ordering=stages.ordering,
        together=stages.together,
    )
