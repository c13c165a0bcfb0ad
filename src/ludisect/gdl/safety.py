"""Safety: every variable of a rule gets its value from a positive literal of the body."""

from __future__ import annotations

from collections.abc import Iterator

from ludisect.errors import Problem
from ludisect.gdl.places import Path, Places
from ludisect.gdl.terms import And, Distinct, Formula, Not, Or, Rule, Rules, Term, TermOrVariable, Variable, variables


def gives(formula: Formula) -> set[Variable]:
    """The variables that have a value wherever the formula holds."""
    if isinstance(formula, Term):
        return set(formula.variables())
    if isinstance(formula, And):
        return {variable for part in formula.parts for variable in gives(part)}
    if isinstance(formula, Or) and formula.parts:
        return set.intersection(*map(gives, formula.parts))
    return set()


def unsafe_variables(rules: Rules, places: Places) -> Iterator[Problem]:
    """One problem for each variable of each rule that nothing binds, at its first place that needs a value."""
    for rule in rules:
        bound = {variable for formula in rule.body for variable in gives(formula)}
        reported: set[Variable] = set()
        # The body comes first: a "not" there is more often the cause than the head.
        for variable, path in [*_needed(rule, bound), *_occurrences(rule.head, (1,))]:
            if variable not in bound and variable not in reported:
                reported.add(variable)
                what, help = _explain(rule, variable, bound)
                yield places.problem(what, rule, path, help=help)


def _needed(rule: Rule, bound: set[Variable]) -> Iterator[tuple[Variable, Path]]:
    for i, formula in enumerate(rule.body, 2):
        yield from _unbound(formula, (i,), bound)


def _unbound(formula: Formula, path: Path, bound: set[Variable]) -> Iterator[tuple[Variable, Path]]:
    """Variables under "not" and "distinct" that have no value there."""
    if isinstance(formula, Not | Distinct):
        for variable, place in _occurrences(formula, path):
            if variable not in bound:
                yield variable, place
    elif isinstance(formula, And):
        inner = bound | gives(formula)
        for i, part in enumerate(formula.parts, 1):
            yield from _unbound(part, (*path, i), inner)
    elif isinstance(formula, Or):
        for i, part in enumerate(formula.parts, 1):
            yield from _unbound(part, (*path, i), bound)


def _occurrences(formula: Formula | TermOrVariable, path: Path) -> Iterator[tuple[Variable, Path]]:
    parts: tuple[Formula | TermOrVariable, ...]
    if isinstance(formula, Variable):
        yield formula, path
        return
    if isinstance(formula, Term):
        parts = formula.args
    elif isinstance(formula, Distinct):
        parts = (formula.left, formula.right)
    elif isinstance(formula, Not):
        parts = (formula.body,)
    else:
        parts = formula.parts
    for i, part in enumerate(parts, 1):
        yield from _occurrences(part, (*path, i))


def _explain(rule: Rule, variable: Variable, bound: set[Variable]) -> tuple[str, str]:
    if not rule.body:
        return f"a fact cannot hold the variable {variable}", f"add a body that binds {variable}, or name a constant"
    from difflib import get_close_matches  # rarely needed and slow to load

    near = get_close_matches(variable.name, sorted(v.name for v in bound), n=1, cutoff=0.75)
    if any(variable in _given_somewhere(formula) for formula in rule.body):
        what = f"variable {variable} is not bound in every branch of the 'or'"
        return what, f"add a literal that binds {variable} to each branch, or outside of the 'or'"
    what = f"variable {variable} is not bound: no positive literal of the body contains it"
    if near:
        return what, f"did you mean ?{near[0]}?"
    pattern = next((f for f in rule.body if isinstance(f, Term) and len(f.args) == 1 and gives(f)), None)
    example = f", for example ({pattern.name} {variable})" if pattern and pattern.name != "true" else ""
    return what, f"add a positive literal that binds {variable}{example}"


def _given_somewhere(formula: Formula) -> set[Variable]:
    if isinstance(formula, Or | And):
        return {variable for part in formula.parts for variable in _given_somewhere(part)}
    return set(variables(formula)) if isinstance(formula, Term) else set()
