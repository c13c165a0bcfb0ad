"""A brute-force twin of the interpreter: tries every value of every variable, stratum by stratum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from ludisect.gdl import And, Distinct, Formula, Not, Rule, Term, Variable
from ludisect.gdl.terms import TermOrVariable, variables

Values = Mapping[Variable, Term]


def model(strata: Iterable[Sequence[Rule]], facts: Iterable[Term], universe: Sequence[Term]) -> set[Term]:
    """The atoms that hold; a rule may negate only what facts and earlier strata define."""
    holds = set(facts)
    for stratum in strata:
        before = -1
        while len(holds) > before:
            before = len(holds)
            for rule in stratum:
                holds |= consequences(rule, holds, universe)
    return holds


def consequences(rule: Rule, holds: set[Term], universe: Sequence[Term]) -> set[Term]:
    names = list(dict.fromkeys([*rule.head.variables(), *(v for part in rule.body for v in variables(part))]))
    found = set()
    for choice in product(universe, repeat=len(names)):
        values = dict(zip(names, choice, strict=True))
        if all(is_true(part, values, holds) for part in rule.body):
            found.add(filled(rule.head, values))
    return found


def is_true(formula: Formula, values: Values, holds: set[Term]) -> bool:
    if isinstance(formula, Term):
        return filled(formula, values) in holds
    if isinstance(formula, Distinct):
        return filled(formula.left, values) != filled(formula.right, values)
    if isinstance(formula, Not):
        return not is_true(formula.body, values, holds)
    parts = (is_true(part, values, holds) for part in formula.parts)
    return all(parts) if isinstance(formula, And) else any(parts)


def filled(term: TermOrVariable, values: Values) -> Term:
    if isinstance(term, Variable):
        return values[term]
    return Term(term.name, tuple(filled(arg, values) for arg in term.args))
