"""Unification of terms: substitutions, renaming apart, canonical names, generalisation.

The interpreter does without: in a proof from the facts up one side is always ground, so ``plan`` compiles a pattern
into functions that match and build.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import count
from typing import TypeVar

from ludisect.gdl.terms import Term, TermOrVariable, Variable, variables

Some = TypeVar("Some", Term, TermOrVariable)
"""A term stays one, whatever its variables become."""

Substitution = Mapping[Variable, TermOrVariable]

NONE_FROZEN: frozenset[Variable] = frozenset()

_fresh = count()


def walk(term: TermOrVariable, bound: Substitution) -> TermOrVariable:
    """What a variable stands for, as far as its own chain of bindings goes."""
    while isinstance(term, Variable) and term in bound:
        term = bound[term]
    return term


def apply(term: TermOrVariable, bound: Substitution) -> TermOrVariable:
    """A term with all bindings put in."""
    if not bound:
        return term
    while isinstance(term, Variable):
        value = bound.get(term)
        if value is None:
            return term
        term = value
    return _apply(term, bound)


def _apply(term: Term, bound: Substitution) -> Term:
    """The same, told in the form that costs least: it is most of what the methods that read rules do."""
    if term.is_ground:
        return term
    args: list[TermOrVariable] = []
    changed = False
    for arg in term.args:
        value = arg
        while isinstance(value, Variable):
            known = bound.get(value)
            if known is None:
                break
            value = known
        else:
            value = _apply(value, bound)
        changed = changed or value is not arg
        args.append(value)
    return Term(term.name, tuple(args)) if changed else term


def bind(term: Term, bound: Substitution) -> Term:
    """``apply`` for what is no variable."""
    return _apply(term, bound) if bound else term


def unify(
    left: TermOrVariable,
    right: TermOrVariable,
    bound: Substitution,
    frozen: AbstractSet[Variable] = NONE_FROZEN,
) -> dict[Variable, TermOrVariable] | None:
    """The bindings, extended so that two terms become equal; None if that is impossible.

    Frozen variables stand for unknown values: they are equal to themselves alone.
    """
    out = dict(bound)
    return out if _unify(left, right, out, frozen) else None


def unify_all(
    pairs: Iterable[tuple[TermOrVariable, TermOrVariable]], bound: Substitution
) -> dict[Variable, TermOrVariable] | None:
    """The bindings, extended so that the two terms of every pair become equal; None if that is impossible."""
    out = dict(bound)
    return out if all(_unify(left, right, out, NONE_FROZEN) for left, right in pairs) else None


def _unify(
    left: TermOrVariable,
    right: TermOrVariable,
    bound: dict[Variable, TermOrVariable],
    frozen: AbstractSet[Variable],
) -> bool:
    left, right = walk(left, bound), walk(right, bound)
    if left is right:
        return True
    if isinstance(left, Variable):
        if left == right:
            return True
        if left not in frozen:
            return _assign(left, right, bound)
    if isinstance(right, Variable):
        return right not in frozen and _assign(right, left, bound)
    if isinstance(left, Variable):
        return False
    if left.is_ground and right.is_ground:
        return left == right
    if left.name != right.name or len(left.args) != len(right.args):
        return False
    for a, b in zip(left.args, right.args, strict=True):  # noqa: SIM110 (a generator would cost more)
        if a is not b and not _unify(a, b, bound, frozen):
            return False
    return True


def _assign(variable: Variable, value: TermOrVariable, bound: dict[Variable, TermOrVariable]) -> bool:
    if isinstance(value, Term) and not value.is_ground and variable in bind(value, bound).variables():
        return False  # a term is never a part of itself
    bound[variable] = value
    return True


def fresh_name(variable: Variable, names: dict[Variable, Variable]) -> Variable:
    """The new name of a variable, made when it is first asked for."""
    known = names.get(variable)
    if known is None:
        known = names[variable] = Variable(f"{variable.name.partition('#')[0]}#{next(_fresh)}")
    return known


def rename(term: Some, names: dict[Variable, Variable]) -> Some:
    """A term with fresh variables; ``names`` collects them, so that one clause keeps its variables together."""
    if isinstance(term, Variable):
        return fresh_name(term, names)
    if term.is_ground:
        return term
    return Term(term.name, tuple([rename(a, names) for a in term.args]))


def canonical(term: Some) -> Some:
    """A term with its variables numbered in the order of their first occurrence: equal for variants."""
    names: dict[Variable, Variable] = {}

    def number(t: TermOrVariable) -> TermOrVariable:
        if isinstance(t, Variable):
            if t not in names:
                names[t] = Variable(str(len(names)))
            return names[t]
        return t if t.is_ground else Term(t.name, tuple(map(number, t.args)))

    found: Some = number(term)  # type: ignore[assignment]
    return found


def unifiable(left: TermOrVariable, right: TermOrVariable) -> bool:
    """Whether two terms that share no variables have a common instance."""
    return _unify(left, right, {}, NONE_FROZEN)


def generalise(terms: Sequence[Term]) -> Term:
    """The most special pattern that covers terms of one symbol (Plotkin's least general generalisation)."""
    names: dict[tuple[TermOrVariable, ...], Variable] = {}

    def lub(column: tuple[TermOrVariable, ...]) -> TermOrVariable:
        first = column[0]
        if all(t == first for t in column):
            return first
        if all(isinstance(t, Term) for t in column):
            shapes: set[tuple[str, int]] = {(t.name, len(t.args)) for t in column if isinstance(t, Term)}
            if len(shapes) == 1 and isinstance(first, Term) and first.args:
                rows = [t.args for t in column if isinstance(t, Term)]
                return Term(first.name, tuple(map(lub, zip(*rows, strict=True))))
        if column not in names:
            names[column] = Variable(f"v#{next(_fresh)}")
        return names[column]

    out = lub(tuple(terms))
    assert isinstance(out, Term), "terms of different symbols"
    return out


def variables_of(terms: Iterable[TermOrVariable]) -> set[Variable]:
    """All variables of some terms."""
    return {v for term in terms for v in variables(term)}
