"""Rewritings of clauses that show the grounder what does not hang on the state.

``known_fluents``: a fluent that only its frame rule can make next never changes, so whether it is true is whether it is
initial, which the grounder can decide. ``open_inequalities``: a predicate that says that two tuples differ (in their
first place, or in their second) is put into the rules that read it; each alternative then compares one variable
with one other, where the predicate compared all with all.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from ludisect.gdl.terms import Term, TermOrVariable, Variable
from ludisect.ground.limits import GroundLimits
from ludisect.ground.normalize import BodyLiteral, Clause, Literal, Unequal

Predicate = tuple[str, int]


def predicate_of(atom: Term) -> Predicate:
    """Name and number of arguments."""
    return atom.name, len(atom.args)


def by_head(clauses: Iterable[Clause]) -> dict[Predicate, list[Clause]]:
    """The clauses of each predicate."""
    out: dict[Predicate, list[Clause]] = {}
    for clause in clauses:
        out.setdefault(predicate_of(clause.head), []).append(clause)
    return out


def known_fluents(clauses: Iterable[Clause]) -> list[Clause]:
    """Read fluents that never change from ``init``; the frame rules stay, so that states hold these fluents too."""
    given = list(clauses)
    constant = _constant_fluents(given)
    if not constant:
        return given

    def known(literal: BodyLiteral) -> BodyLiteral:
        fluent = _fluent(literal.atom, "true") if isinstance(literal, Literal) else None
        if not isinstance(fluent, Term) or predicate_of(fluent) not in constant:
            return literal
        assert isinstance(literal, Literal)
        return Literal(Term("init", literal.atom.args), literal.positive)

    return [
        clause if _is_frame(clause) else Clause(clause.head, tuple(known(literal) for literal in clause.body))
        for clause in given
    ]


def _constant_fluents(clauses: list[Clause]) -> set[Predicate]:
    """Name and arity of the fluents that are next exactly if they are true, whatever happens."""
    kept, changed = set[Predicate](), set[Predicate]()
    for clause in clauses:
        fluent = _fluent(clause.head, "next")
        if fluent is None:
            continue
        if isinstance(fluent, Variable):
            if not _is_frame(clause):
                return set()
        elif not _is_frame(clause):
            changed.add(predicate_of(fluent))
        elif _distinct_variables(fluent):
            kept.add(predicate_of(fluent))
    return kept - changed


def _fluent(atom: Term, keyword: str) -> TermOrVariable | None:
    return atom.args[0] if predicate_of(atom) == (keyword, 1) else None


def _is_frame(clause: Clause) -> bool:
    """``(<= (next f) (true f))`` and nothing else."""
    return predicate_of(clause.head) == ("next", 1) and clause.body == (Literal(Term("true", clause.head.args)),)


def _distinct_variables(term: Term) -> bool:
    return all(isinstance(arg, Variable) for arg in term.args) and len(set(term.args)) == len(term.args)


def open_inequalities(clauses: Iterable[Clause]) -> list[Clause]:
    """Put predicates that only compare into the bodies that read them."""
    given, limits = list(clauses), GroundLimits.current()
    few = limits.rewriting_alternatives
    opened = {p: of for p, of in by_head(given).items() if len(of) <= few and all(map(_compares, of))}
    return [new for clause in given for new in _alternatives(clause, opened, limits.normalize_clauses)]


def _compares(clause: Clause) -> bool:
    """Whether a clause says that some of its arguments differ, and otherwise only of what kind each of them is."""
    return (
        _distinct_variables(clause.head)
        and any(isinstance(literal, Unequal) for literal in clause.body)
        and all(
            isinstance(literal, Unequal) or (literal.positive and len(literal.variables()) <= 1)
            for literal in clause.body
        )
        and {v for literal in clause.body for v in literal.variables()} <= set(clause.head.variables())
    )


def _alternatives(clause: Clause, opened: dict[Predicate, list[Clause]], most: int) -> list[Clause]:
    options: list[list[tuple[BodyLiteral, ...]]] = []
    width = 1
    for literal in clause.body:
        found = opened.get(predicate_of(literal.atom)) if isinstance(literal, Literal) and literal.positive else None
        if found is None or width * len(found) > most:
            options.append([(literal,)])
            continue
        assert isinstance(literal, Literal)
        width *= len(found)
        options.append([_instance(definition, literal.atom) for definition in found])
    return [Clause(clause.head, tuple(lit for part in parts for lit in part)) for parts in product(*options)]


def _instance(definition: Clause, call: Term) -> tuple[BodyLiteral, ...]:
    """The body of a clause with the arguments of a call in place of the variables of its head."""
    binding = {v: arg for v, arg in zip(definition.head.args, call.args, strict=True) if isinstance(v, Variable)}

    def put(term: TermOrVariable) -> TermOrVariable:
        if isinstance(term, Variable):
            return binding[term]
        return Term(term.name, tuple(put(arg) for arg in term.args)) if term.args else term

    out: list[BodyLiteral] = []
    for literal in definition.body:
        if isinstance(literal, Unequal):
            out.append(Unequal(put(literal.left), put(literal.right)))
        else:
            out.append(Literal(Term(literal.atom.name, tuple(put(arg) for arg in literal.atom.args))))
    return tuple(out)
