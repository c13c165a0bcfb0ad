"""Parts that are played one after the other: the order of serial games (Zhao 2009, §6.2.1).

A condition that the moves of one part need to be true and those of another need to be false keeps the two apart in
time. If it is about fluents that only one of the two changes, that one is played first, and the condition is an order
and no tie. Moves that need such a condition in the same manner belong together. Two things are added, so that there
may be any number of stages: moves that need one condition in the same manner stay apart if they need another one in
different manners; and a move needs a condition also if its legality implies it (walking implies a way to walk).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

from ludisect.decomposition.model.blocks import merge
from ludisect.decomposition.rules.clauses import Body, Clauses, RuleLiteral, bind_body
from ludisect.decomposition.rules.lumps import Lumps
from ludisect.decomposition.rules.relations import Flow, Precondition, Relations, role_term
from ludisect.gdl.terms import Term
from ludisect.gdl.unify import Substitution, canonical, unify, variables_of

Manner = bool | None
"""Needed to be true, needed to be false, or not needed by every rule for the move."""


@dataclass(frozen=True, slots=True)
class SerialOrder:
    """Relations without those that only order parts, and the order: fluent lump -> fluent lumps of earlier parts.

    ``together``: pairs of moves that belong to one part because they wait for the same.
    """

    relations: Relations
    after: Mapping[int, frozenset[int]]
    ordering: tuple[Precondition, ...]
    """The conditions set aside."""
    together: tuple[tuple[int, int], ...]


def order(clauses: Clauses, lumps: Lumps, relations: Relations) -> SerialOrder:
    """Set aside the conditions by which parts wait for each other."""
    acting = sorted({e.move for e in relations.effects})
    legal = {m: Term("legal", (role_term(lumps.moves[m]), lumps.moves[m].pattern)) for m in acting}
    needs = {m: [bind_body(body, bound) for body, bound in clauses.defining(legal[m])] for m in acting}
    conditions = _ground_conditions(relations)
    manners = {(m, key): _manner(clauses, needs[m], key) for key in conditions for m in acting}
    crossing = [key for key in conditions if {True, False} <= {manners[m, key] for m in acting}]
    together = _together(acting, crossing, manners)
    first = len(lumps.fluents)
    plain = replace(
        relations,
        preconditions={p for p in relations.preconditions if canonical(p.atom) not in crossing},
        flows={f for f in relations.flows if canonical(f.atom) not in crossing},
    )
    group = _groups(first, len(lumps.moves), plain, together)
    aside: set[Precondition] = set()
    aside_flows: set[Flow] = set()
    after: dict[int, frozenset[int]] = {}
    for key in crossing:
        needing = {p for p in relations.preconditions if canonical(p.atom) == key}
        flows = {f for f in relations.flows if canonical(f.atom) == key}
        fluents = frozenset(f for p in needing for f in p.fluents)
        stages = {group[f] for f in fluents}
        earlier = {manners[m, key] for m in acting if group[first + m] in stages}
        if len(stages) != 1 or len(earlier) != 1 or None in earlier:
            continue
        (early,) = earlier
        waiting = ({group[first + p.move] for p in needing} | {group[f.fluent] for f in flows}) - stages
        for later in waiting:
            if all(manners[m, key] is (not early) for m in acting if group[first + m] == later):
                aside |= {p for p in needing if group[first + p.move] == later}
                aside_flows |= {f for f in flows if group[f.fluent] == later}
                for f in range(first):
                    if group[f] == later:
                        after[f] = after.get(f, frozenset()) | fluents
    kept = replace(relations, preconditions=relations.preconditions - aside, flows=relations.flows - aside_flows)
    return SerialOrder(kept, after, tuple(aside), tuple(together) if aside else ())


def _ground_conditions(relations: Relations) -> list[Term]:
    """Ground conditions of legality: the only ones that all moves of a part can need in one manner."""
    found = {canonical(p.atom) for p in relations.preconditions if p.legal and p.atom.is_ground}
    return sorted(found, key=str)


def _together(
    acting: Sequence[int], keys: Sequence[Term], manners: Mapping[tuple[int, Term], Manner]
) -> list[tuple[int, int]]:
    """Moves that need a condition in the same manner, and none in different manners."""
    kinds: dict[tuple[Manner, ...], list[int]] = {}
    for m in acting:
        kinds.setdefault(tuple(manners[m, k] for k in keys), []).append(m)
    out: list[tuple[int, int]] = []
    for a, b in combinations_with_replacement(kinds, 2):
        shared = any(x is not None and x is y for x, y in zip(a, b, strict=True))
        apart = any(x is not None and y is not None and x is not y for x, y in zip(a, b, strict=True))
        if shared and not apart:
            out += [(kinds[a][0], m) for m in (*kinds[a], *kinds[b])]
    return out


def _groups(fluents: int, moves: int, relations: Relations, together: Sequence[tuple[int, int]]) -> list[int]:
    ties: list[tuple[int, ...]] = [(e.fluent, fluents + e.move) for e in relations.effects]
    ties += [(fluents + a, fluents + b) for a, b in together]
    ties += [(*p.fluents, fluents + p.move) for p in relations.preconditions]
    ties += [(f.fluent, *f.fluents) for f in relations.flows]
    out = [0] * (fluents + moves)
    for number, block in enumerate(merge(ties, fluents + moves)):
        for x in block:
            out[x] = number
    return out


def _manner(clauses: Clauses, bodies: Sequence[Body], atom: Term) -> Manner:
    """How a move needs a condition: in the same manner in every rule for it, said or implied."""
    manners = {_manner_in(clauses, body, atom) for body in bodies}
    return manners.pop() if len(manners) == 1 else None


def _manner_in(clauses: Clauses, body: Body, atom: Term) -> Manner:
    for literal in body:
        if literal.atom == atom:
            return literal.positive
    return True if _implied(clauses, body, atom) else None


def _implied(clauses: Clauses, body: Body, atom: Term) -> bool:
    """Whether some definition of the atom is part of the body."""
    frozen = {v for literal in body for v in variables_of([literal.atom])}

    def match(wanted: Sequence[RuleLiteral], bound: Substitution) -> bool:
        if not wanted:
            return True
        for literal in body:
            if literal.positive == wanted[0].positive and literal.ways is None:
                more = unify(wanted[0].atom, literal.atom, bound, frozen)
                if more is not None and match(wanted[1:], more):
                    return True
        return False

    return any(
        definition and all(x.ways is None for x in definition) and match(definition, bound)
        for definition, bound in clauses.defining(atom)
    )
