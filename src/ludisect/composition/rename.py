"""Other names for everything in a rule sheet, and other orders of arguments, with the way back.

Goal values keep their names: they are numbers. So do all integers that the rules may pass on to a goal value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from ludisect.composition.words import words
from ludisect.gdl.terms import (
    KEYWORDS,
    And,
    Distinct,
    Formula,
    Not,
    Or,
    Rule,
    Rules,
    Term,
    TermOrVariable,
    Variable,
    integer,
)

Symbol = tuple[str, int]
"""A name and the number of arguments it stands with."""


@dataclass(frozen=True)
class Renaming:
    """New names for symbols, and for each symbol the order in which its arguments are written now."""

    names: Mapping[str, str] = field(default_factory=dict)
    orders: Mapping[Symbol, tuple[int, ...]] = field(default_factory=dict)

    def term(self, term: Term) -> Term:
        """A fluent, move or role in its new form."""
        return Term(self.names.get(term.name, term.name), tuple(map(self._argument, self._ordered(term))))

    def _argument(self, term: TermOrVariable) -> TermOrVariable:
        return term if isinstance(term, Variable) else self.term(term)

    def _ordered(self, term: Term) -> Iterable[TermOrVariable]:
        order = self.orders.get((term.name, len(term.args)))
        return term.args if order is None else [term.args[k] for k in order]

    def rules(self, rules: Rules) -> Rules:
        """The whole sheet in its new form."""
        out = (Rule(self.term(rule.head), tuple(mapped(self._argument, f) for f in rule.body)) for rule in rules)
        return Rules(tuple(out), rules.name)


def mapped(change: Callable[[TermOrVariable], TermOrVariable], formula: Formula) -> Formula:
    """The formula with every atom, and both sides of every "distinct", changed."""
    if isinstance(formula, Term):
        out = change(formula)
        assert isinstance(out, Term)
        return out
    if isinstance(formula, Not):
        return Not(mapped(change, formula.body))
    if isinstance(formula, Distinct):
        return Distinct(change(formula.left), change(formula.right))
    parts = tuple(mapped(change, part) for part in formula.parts)
    return And(parts) if isinstance(formula, And) else Or(parts)


def atoms(formula: Formula) -> list[TermOrVariable]:
    """Every atom of a formula, and both sides of every "distinct"."""
    out: list[TermOrVariable] = []

    def keep(term: TermOrVariable) -> TermOrVariable:
        out.append(term)
        return term

    mapped(keep, formula)
    return out


def random_names(rules: Rules, rng: Random) -> Renaming:
    """A random word for every symbol that is neither a keyword nor a number that may become a goal."""
    kept = _goal_values(rules)
    fresh = words(rng)
    names = dict.fromkeys(name for name, _ in _symbols(rules) if name not in KEYWORDS and name not in kept)
    return Renaming({name: next(fresh) for name in names})


def random_orders(rules: Rules, rng: Random) -> Renaming:
    """A random order of arguments for every symbol that is no keyword."""
    orders = {}
    for name, arity in _symbols(rules):
        if name not in KEYWORDS and arity > 1:
            orders[name, arity] = tuple(rng.sample(range(arity), arity))
    return Renaming({}, orders)


def _symbols(rules: Rules) -> dict[Symbol, None]:
    """Every symbol in the order of the sheet."""
    out: dict[Symbol, None] = {}

    def visit(term: TermOrVariable) -> TermOrVariable:
        if isinstance(term, Term):
            out[term.name, len(term.args)] = None
            for arg in term.args:
                visit(arg)
        return term

    for rule in rules:
        visit(rule.head)
        for formula in rule.body:
            mapped(visit, formula)
    return out


def _goal_values(rules: Rules) -> set[str]:
    """Integers in argument places from which a goal value may come, however far."""
    places: set[tuple[str, int, int]] = {("goal", 2, 1)}
    found: set[str] = set()
    while True:
        before = len(places), len(found)
        for rule in rules:
            body = [atom for formula in rule.body for atom in atoms(formula) if isinstance(atom, Term)]
            for k, arg in enumerate(rule.head.args):
                if (rule.head.name, len(rule.head.args), k) not in places:
                    continue
                found.update(_integers(arg))
                wanted = {arg} if isinstance(arg, Variable) else set(arg.variables())
                for atom in body:
                    for j, value in enumerate(atom.args):
                        inside = {value} if isinstance(value, Variable) else set(value.variables())
                        if inside & wanted:
                            places.add((atom.name, len(atom.args), j))
                            if atom.name == "true":  # fluents get their values from init and next
                                places |= {("init", 1, 0), ("next", 1, 0)}
                            if atom.name == "does":
                                places.add(("legal", 2, j))
        if (len(places), len(found)) == before:
            return found


def _integers(term: TermOrVariable) -> set[str]:
    if isinstance(term, Variable):
        return set()
    if not term.args:
        return {term.name} if integer(term) is not None else set()
    return set().union(*map(_integers, term.args))
