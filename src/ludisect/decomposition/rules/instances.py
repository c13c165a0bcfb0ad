"""The method ``instances``: a dependency graph over partly instantiated terms (Zhao 2009 and others).

Sources: Zhao's thesis of 2009, and Zhao, Schiffel and Thielscher 2009.

As ``symbols``, but fluents and moves that differ in an argument whose value never changes are told apart; compound
moves are split into the moves of the parts (thesis §6.1.1), and conditions by which one part waits for the end of
another give an order instead of an edge (§6.2.1).
"""

from __future__ import annotations

from dataclasses import replace

from ludisect.circuit.game import Game
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.assemble import Found
from ludisect.decomposition.rules.arguments import Heuristic, places
from ludisect.decomposition.rules.callgraph import CallGraph
from ludisect.decomposition.rules.clauses import Clauses
from ludisect.decomposition.rules.forced import choices, clauses_of, noop_lumps
from ludisect.decomposition.rules.lumps import Lumps
from ludisect.decomposition.rules.order import order
from ludisect.decomposition.rules.parts import found_parts
from ludisect.decomposition.rules.relations import Potential, Reading
from ludisect.decomposition.rules.splitting import compound_moves, divide
from ludisect.gdl.dependence import predicate


def find(game: Game, *, heuristic: Heuristic = "paper", reading: Reading = "mentioned") -> Found:
    """The parts of a game by partially instantiated terms. Raises InputError if the game has no rules to read."""
    found = choices(game)
    clauses = clauses_of(game, found)
    lumps, notes = _lumps(game, clauses, heuristic)
    potential = Potential(
        clauses, lumps, noops=noop_lumps(lumps, found), alternating=found.alternating, reading=reading
    )
    relations = divide(lumps, potential.relations())
    stages = order(clauses, lumps, relations)
    parts = found_parts(
        lumps,
        stages.relations,
        potential.graph,
        after=stages.after,
        ordering=stages.ordering,
        together=stages.together,
    )
    return replace(parts, notes=(*notes, *parts.notes))


def _lumps(game: Game, clauses: Clauses, heuristic: Heuristic) -> tuple[Lumps, tuple[str, ...]]:
    """The terms of a heuristic, or of the next coarser one that does not give too many, and a note about it."""
    symbols = {predicate(m) for of_role in game.moves for m in of_role}
    compound = compound_moves(clauses, symbols)
    coarser: list[Heuristic] = ["thesis", "paper"]
    notes: tuple[str, ...] = ()
    for name in coarser[coarser.index(heuristic) :]:
        lumps = Lumps(game, *places(clauses, CallGraph(clauses), name, symbols), compound)
        if len(lumps.fluents) * len(lumps.moves) <= DecompositionLimits.current().instances_pairs:
            return lumps, notes
        notes = (f"too many terms with the heuristic {name!r}; fewer arguments were told apart",)
    return Lumps(game, {}, {}, compound), notes
