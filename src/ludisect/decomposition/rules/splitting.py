"""Compound moves, split into the moves of the parts that they move in at once (Zhao 2009, §6.1.1).

The arguments of a move that some rule for ``next`` uses together belong together. If they fall into several sets, and
no condition of the move's legality looks at arguments of two of them, the move is one move in each part.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from ludisect.decomposition.model.blocks import merge
from ludisect.decomposition.rules.clauses import Clauses, literals
from ludisect.decomposition.rules.entailment import DOES
from ludisect.decomposition.rules.lumps import ROLE, Lumps, MoveLump, Sets
from ludisect.decomposition.rules.relations import Precondition, Relations, shared_args, used_args
from ludisect.gdl.dependence import Predicate, predicate
from ludisect.gdl.terms import Term, Variable
from ludisect.gdl.unify import variables_of


def argument_sets(clauses: Clauses, symbol: Predicate) -> Sets:
    """The sets of arguments into which a move falls; a single one if it cannot be split."""
    arity = symbol[1]
    used: list[frozenset[int]] = []
    for clause in clauses.next:
        if any(_is_move(x.atom, symbol) for x in literals(clause.body) if x.predicate == DOES):
            used.append(used_args(clause, symbol) - {ROLE})
    every = frozenset[int]().union(*used)
    sets = tuple(frozenset(block) for block in merge(used, arity) if every & set(block))
    if len(sets) < 2 or any(len(_met(places, sets)) > 1 for places in _legal_ties(clauses, symbol)):
        return (frozenset(range(arity)),)
    return sets


def _is_move(does: Term, symbol: Predicate) -> bool:
    move = does.args[1]
    return isinstance(move, Variable) or predicate(move) == symbol


def _legal_ties(clauses: Clauses, symbol: Predicate) -> Iterator[frozenset[int]]:
    """Arguments that one condition of the move's legality looks at together."""
    for clause in clauses.of.get(("legal", 2), ()):
        head = clause.head.args[1]
        if isinstance(head, Variable):
            yield frozenset(range(symbol[1]))
        elif predicate(head) == symbol:
            for literal in literals(clause.body):
                yield shared_args(head, variables_of([literal.atom]))
            for variable in variables_of([head]):
                yield shared_args(head, {variable})


def _met(places: frozenset[int], sets: Sets) -> list[int]:
    return [k for k, s in enumerate(sets) if places & s]


def compound_moves(clauses: Clauses, symbols: Collection[Predicate]) -> dict[Predicate, Sets]:
    """The moves that can be split, with the sets of their arguments."""
    found = {symbol: argument_sets(clauses, symbol) for symbol in symbols if symbol[1] > 1}
    return {symbol: sets for symbol, sets in found.items() if len(sets) > 1}


def divide(lumps: Lumps, relations: Relations) -> Relations:
    """The relations with each part of a compound move left with what its own arguments are about."""

    def concerns(move: int, args: frozenset[int]) -> bool:
        part = lumps.moves[move].part
        return part is None or not args - {ROLE} or bool(args & part)

    effects = {e for e in relations.effects if concerns(e.move, e.args)}
    changed: dict[int, set[int]] = {}
    for e in effects:
        changed.setdefault(e.move, set()).add(e.fluent)
    owners: dict[int, list[int]] = {}
    for m, lump in enumerate(lumps.moves):
        if lump.part is not None:
            for f in changed.get(m, ()):
                owners.setdefault(f, []).append(m)

    def belongs(p: Precondition) -> bool:
        lump = lumps.moves[p.move]
        if lump.part is None or p.args - {ROLE}:
            return concerns(p.move, p.args)
        # a condition on no argument belongs to the part that it is about, if there is one
        theirs = {lumps.moves[m].part for f in p.fluents for m in owners.get(f, ()) if _same_symbol(lumps, m, lump)}
        return not theirs or lump.part in theirs

    return replace(relations, effects=effects, preconditions={p for p in relations.preconditions if belongs(p)})


def _same_symbol(lumps: Lumps, m: int, lump: MoveLump) -> bool:
    return predicate(lumps.moves[m].pattern) == predicate(lump.pattern)
