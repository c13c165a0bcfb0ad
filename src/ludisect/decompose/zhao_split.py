"""Compound moves, split into the moves of the parts that they move in at once (Zhao 2009, §6.1.1).

The arguments of a move that some rule for ``next`` uses together belong together. If they fall into several sets, and
no condition of the move's legality looks at arguments of two of them, the move is one move in each part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ludisect.decompose.clauses import Clauses, literals
from ludisect.decompose.entailment import DOES
from ludisect.decompose.graph import merge
from ludisect.decompose.lumps import ROLE, Lumps, MoveLump
from ludisect.decompose.potential import Relations, shared_args, used_args
from ludisect.decompose.unification import variables_of
from ludisect.gdl.dependencies import Predicate, predicate
from ludisect.gdl.terms import Term, Variable

Sets = tuple[frozenset[int], ...]


def argument_sets(clauses: Clauses, symbol: Predicate) -> Sets:
    """The sets of arguments into which a move falls; a single one if it cannot be split."""
    name, arity = symbol
    move = Term(name, tuple(Variable(str(k)) for k in range(arity)))
    used: list[frozenset[int]] = []
    for clause in clauses.next:
        if any(_is_move(x.atom, symbol) for x in literals(clause.body) if x.predicate == DOES):
            used.append(used_args(clause, move) - {ROLE})
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


def split(clauses: Clauses, lumps: Lumps, relations: Relations) -> tuple[list[MoveLump], Relations]:
    """Move lumps with compound ones split, and the relations of the parts of each."""
    sets = {symbol: argument_sets(clauses, symbol) for symbol in {predicate(m.pattern) for m in lumps.moves}}
    moves: list[MoveLump] = []
    number: dict[tuple[object, ...], int] = {}
    parts: list[list[int]] = []
    for m, lump in enumerate(lumps.moves):
        mine = sets[predicate(lump.pattern)]
        if len(mine) == 1:
            parts.append([len(moves)])
            moves.append(lump)
            continue
        parts.append([])
        for k, places in enumerate(mine):
            key = (predicate(lump.pattern), k, _told(lumps, lump, places))
            if key not in number:
                number[key] = len(moves)
                moves.append(replace(lump, members=(), label=_label(lump, places), part=tuple(sorted(places))))
            at = number[key]
            moves[at] = replace(moves[at], members=tuple(sorted({*moves[at].members, *lumps.moves[m].members})))
            parts[m].append(at)
    return moves, _divided(lumps, sets, parts, relations)


def _told(lumps: Lumps, lump: MoveLump, places: frozenset[int]) -> tuple[object, ...]:
    told = lumps.move_places.get(predicate(lump.pattern), frozenset())
    role = (lump.role,) if ROLE in told else ()
    return (*role, *(lump.pattern.args[k] for k in sorted(places & told)))


def _label(lump: MoveLump, places: frozenset[int]) -> str:
    shown = (
        "-" if k not in places else "*" if isinstance(arg, Variable) else str(arg)
        for k, arg in enumerate(lump.pattern.args)
    )
    return f"({' '.join([lump.pattern.name, *shown])})"


def _divided(
    lumps: Lumps, sets: dict[Predicate, Sets], parts: Sequence[Sequence[int]], relations: Relations
) -> Relations:
    out = replace(relations, effects=set(), preconditions=set())
    for e in relations.effects:
        mine = _met(e.args, sets[predicate(lumps.moves[e.move].pattern)]) if len(parts[e.move]) > 1 else []
        out.effects |= {replace(e, move=parts[e.move][k]) for k in mine or range(len(parts[e.move]))}
    changed: dict[int, set[int]] = {}
    for e in out.effects:
        changed.setdefault(e.move, set()).add(e.fluent)
    for p in relations.preconditions:
        pieces = parts[p.move]
        mine = _met(p.args, sets[predicate(lumps.moves[p.move].pattern)]) if len(pieces) > 1 else []
        if not mine:
            # a condition on no argument belongs to the part that it is about
            mine = [k for k, at in enumerate(pieces) if p.fluents & changed.get(at, set())]
        out.preconditions |= {replace(p, move=pieces[k]) for k in mine or range(len(pieces))}
    return out
