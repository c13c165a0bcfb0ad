"""Rules with nested formulas -> flat clauses: a head and a list of literals, (in)equalities among them.

`or` is distributed where that stays small, and otherwise becomes an auxiliary predicate; `not` is pushed inward first.

Names across this arrow: ``Rule`` -> ``Clause``; ``Term`` under ``Not`` -> ``Literal(positive=False)``;
``Distinct`` -> ``Unequal``; a negated ``Distinct`` -> substitution of one side for the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, product
from typing import Union

from ludisect.gdl.terms import And, Distinct, Formula, Not, Or, Rule, Term, TermOrVariable, Variable, variables
from ludisect.gdl.unify import Substitution, apply, bind, unify, variables_of
from ludisect.ground.limits import GroundLimits

AUXILIARY = "\x00"
"""First character of the names of predicates that we invent: no rule sheet can contain it."""


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom or its negation."""

    atom: Term
    positive: bool = True

    def variables(self) -> frozenset[Variable]:
        """The variables that occur in the atom."""
        return frozenset(self.atom.variables())


@dataclass(frozen=True, slots=True)
class Unequal:
    """``distinct``: the two terms differ."""

    left: TermOrVariable
    right: TermOrVariable

    def variables(self) -> frozenset[Variable]:
        """The variables of both sides."""
        return frozenset(variables_of((self.left, self.right)))


BodyLiteral = Union[Literal, Unequal]


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule whose body is a plain conjunction."""

    head: Term
    body: tuple[BodyLiteral, ...]


def normalize(rules: Iterable[Rule]) -> list[Clause]:
    """Turn rules into clauses with the same least model."""
    out: list[Clause] = []
    fresh = count()
    most = GroundLimits.current().normalize_clauses
    for rule in rules:
        _Normalizer(out, rule, fresh, most).run()
    return out


class _Normalizer:
    """One rule on its way to clauses; keeps the list that auxiliary predicates are added to, and their numbers."""

    def __init__(self, out: list[Clause], rule: Rule, fresh: Iterator[int], most: int) -> None:
        self.out, self.rule, self.fresh, self.most = out, rule, fresh, most

    def run(self) -> None:
        if all(type(f) is Term for f in self.rule.body):  # the common case, without ceremony
            self.out.append(Clause(self.rule.head, tuple(Literal(f) for f in self.rule.body if isinstance(f, Term))))
            return
        body = [_push(f, True) for f in self.rule.body]
        for choice in self.alternatives(body, []):
            clause = _substitute_equalities(self.rule.head, choice)
            if clause is not None:
                self.out.append(clause)

    def alternatives(self, body: list[Formula], around: list[Formula]) -> list[list[Formula]]:
        """The disjunctive normal form of a body, with large safe disjunctions named by new predicates.

        ``around`` is what stands in conjunction with the body: its variables mean the same there.
        """
        width = 1
        parts: list[list[list[Formula]]] = []
        for i, formula in enumerate(body):
            options = self.options(formula, [*around, *body[:i], *body[i + 1 :]])
            width *= max(1, len(options))
            parts.append(options)
        if width > self.most:
            for i, formula in enumerate(body):
                if len(parts[i]) > 1:
                    named = self.name_disjunction(formula, [*around, *body[:i], *body[i + 1 :]], parts[i])
                    if named is not None:
                        parts[i] = [[named]]
        return [[f for part in combo for f in part] for combo in product(*parts)]

    def options(self, formula: Formula, around: list[Formula]) -> list[list[Formula]]:
        if isinstance(formula, Or):
            return [option for part in formula.parts for option in self.options(part, around)]
        if isinstance(formula, And):
            return self.alternatives(list(formula.parts), around)
        return [[formula]]

    def name_disjunction(self, formula: Formula, rest: list[Formula], options: list[list[Formula]]) -> Term | None:
        """A predicate for the disjunction, or None if some alternative does not bind the variables it shares."""
        inside = set(variables(formula))
        outside = {v for f in rest for v in variables(f)} | set(self.rule.head.variables())
        shared = sorted(inside & outside, key=lambda v: v.name)
        for option in options:
            bound = {v for f in option if isinstance(f, Term) for v in f.variables()}
            if not bound >= set(shared) or not bound >= {v for f in option for v in variables(f)}:
                return None
        head = Term(f"{AUXILIARY}or{next(self.fresh)}", tuple(shared))
        for option in options:
            clause = _substitute_equalities(head, option)
            if clause is not None:
                self.out.append(clause)
        return head


def _push(formula: Formula, positive: bool) -> Formula:
    """Negation normal form: `not` only directly before an atom or a `distinct`."""
    if isinstance(formula, Not):
        return _push(formula.body, not positive)
    if isinstance(formula, (And, Or)):
        parts = tuple(_push(p, positive) for p in formula.parts)
        return And(parts) if isinstance(formula, And) == positive else Or(parts)
    return formula if positive else Not(formula)


def _substitute_equalities(head: Term, body: list[Formula]) -> Clause | None:
    """Flatten a conjunction; ``(not (distinct a b))`` unifies a and b. None if the body can never hold."""
    binding: Substitution = {}
    for f in body:
        if isinstance(f, Not) and isinstance(f.body, Distinct):
            extended = unify(f.body.left, f.body.right, binding)
            if extended is None:
                return None
            binding = extended
    literals: list[BodyLiteral] = []
    for f in body:
        if isinstance(f, Term):
            literals.append(Literal(bind(f, binding)))
        elif isinstance(f, Distinct):
            left, right = apply(f.left, binding), apply(f.right, binding)
            if left == right:
                return None
            if not (isinstance(left, Term) and isinstance(right, Term) and left.is_ground and right.is_ground):
                literals.append(Unequal(left, right))
        elif isinstance(f, Not) and isinstance(f.body, Term):
            literals.append(Literal(bind(f.body, binding), positive=False))
    return Clause(bind(head, binding), tuple(literals))
