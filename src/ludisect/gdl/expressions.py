"""Fluents, moves and conditions as Python objects: what rules that are written in Python are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn, TypeVar, Union

from ludisect.errors import InputError
from ludisect.gdl.reader import read_term
from ludisect.gdl.terms import KEYWORDS, And, Formula, Not, Or, Term, is_word

Argument = Union[str, int, Term, "FluentTerm", "MoveTerm"]
ConditionLike = Union["Condition", bool]


class Condition:
    """Something that holds in a state or not: fluents, moves that are made, and what ``&``, ``|`` and ``~`` make of it.

    >>> cell, control = fluent("cell"), fluent("control")
    >>> print(control("x") & ~cell(1, 1, "b"))
    (and (true (control x)) (not (true (cell 1 1 b))))
    """

    __slots__ = ("formula",)

    def __init__(self, formula: Formula) -> None:
        self.formula: Formula = formula

    def __and__(self, other: ConditionLike) -> Condition:
        return all_of((self, other))

    def __or__(self, other: ConditionLike) -> Condition:
        return any_of((self, other))

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> Condition:
        if self == ALWAYS:
            return NEVER
        if self == NEVER:
            return ALWAYS
        return Condition(self.formula.body if isinstance(self.formula, Not) else Not(self.formula))

    def __eq__(self, other: object) -> bool:
        return self.formula == other.formula if isinstance(other, Condition) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.formula)

    def __bool__(self) -> NoReturn:
        raise TypeError("a condition holds in some states and not in others: write &, |, ~ for 'and', 'or', 'not'")

    def __str__(self) -> str:
        return str(self.formula)

    def __repr__(self) -> str:
        return f"<Condition {self}>"


ALWAYS, NEVER = Condition(And(())), Condition(Or(()))


class FluentTerm(Condition):
    """A fluent: as a condition it holds where it is true. A name without arguments can be called with some."""

    __slots__ = ("term",)

    def __init__(self, term: Term) -> None:
        super().__init__(Term("true", (term,)))
        self.term = term

    def __call__(self, *args: Argument) -> FluentTerm:
        return FluentTerm(_applied(self.term, args))

    def __repr__(self) -> str:
        return f"<fluent {self.term}>"


class MoveTerm:
    """A move. It is no condition: ``does(role, move)`` is one. A name without arguments can be called with some."""

    __slots__ = ("term",)

    def __init__(self, term: Term) -> None:
        self.term = term

    def __call__(self, *args: Argument) -> MoveTerm:
        return MoveTerm(_applied(self.term, args))

    def __eq__(self, other: object) -> bool:
        return self.term == other.term if isinstance(other, MoveTerm) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.term)

    def __repr__(self) -> str:
        return f"<move {self.term}>"


def fluent(name: str) -> FluentTerm:
    """A fluent, or the name of many: ``cell = fluent("cell")``, then ``cell(1, 1, "b")``."""
    return FluentTerm(_word(name, "a fluent"))


def move(name: str) -> MoveTerm:
    """A move, or the name of many: ``mark = move("mark")``, then ``mark(1, 1)``."""
    return MoveTerm(_word(name, "a move"))


def does(role: str, move: MoveTerm) -> Condition:
    """The condition that a role makes a move now; for rules of the next state."""
    if not isinstance(move, MoveTerm):
        raise TypeError(f"does takes a role and a move such as mark(1, 1), not {_shown(move)}")
    return Condition(Term("does", (read_term(role), move.term)))


def all_of(conditions: Iterable[ConditionLike]) -> Condition:
    """Holds where each of them holds; always, if there are none."""
    return _joined(conditions, And, ALWAYS, NEVER)


def any_of(conditions: Iterable[ConditionLike]) -> Condition:
    """Holds where at least one of them holds; never, if there are none."""
    return _joined(conditions, Or, NEVER, ALWAYS)


def as_condition(thing: object) -> Condition:
    """A condition; True and False are some, too."""
    if isinstance(thing, Condition):
        return thing
    if isinstance(thing, bool):
        return ALWAYS if thing else NEVER
    if isinstance(thing, MoveTerm):
        raise TypeError(f"the move {thing.term} is no condition; write does(role, move)")
    raise TypeError(f"a condition is made of fluents, does(role, move), &, | and ~, not {_shown(thing)}")


J = TypeVar("J", bound="type[And] | type[Or]")


def _joined(conditions: Iterable[ConditionLike], kind: J, nothing: Condition, enough: Condition) -> Condition:
    """A conjunction or disjunction without others of its kind in it, and without constants."""
    parts: dict[Formula, None] = {}
    for condition in map(as_condition, conditions):
        if condition == enough:
            return enough
        formula = condition.formula
        parts.update(dict.fromkeys(formula.parts if isinstance(formula, kind) else (formula,)))
    if len(parts) == 1:
        return Condition(next(iter(parts)))
    return Condition(kind(tuple(parts))) if parts else nothing


def argument_terms(args: Iterable[Argument], of: str) -> tuple[Term, ...]:
    """The arguments of a fluent, a move or a named condition as terms."""
    return tuple(_argument(arg, of) for arg in args)


def _applied(name: Term, args: tuple[Argument, ...]) -> Term:
    if name.args:
        raise TypeError(f"{name} has its arguments already")
    return Term(name.name, argument_terms(args, name.name))


def _argument(arg: object, of: str) -> Term:
    if isinstance(arg, FluentTerm | MoveTerm):
        return arg.term
    if isinstance(arg, Term) and arg.is_ground:
        return arg
    if isinstance(arg, int) and not isinstance(arg, bool):
        return Term(str(arg))
    if isinstance(arg, str):
        return _word(arg, f"an argument of {of}")
    raise TypeError(f"an argument of {of} is a name or a whole number, not {_shown(arg)}")


def _word(name: str, what: str) -> Term:
    if not isinstance(name, str):
        raise TypeError(f"{what} has a name, not {_shown(name)}")
    if not is_word(name) or name.startswith("?"):
        raise InputError(f"{what} cannot be called {name!r}: names have no blanks, brackets or question mark in front")
    if name.lower() in KEYWORDS:
        raise InputError(f"{what} cannot be called {name!r}: that is a word of the rule language")
    return Term(name)


def _shown(thing: object) -> str:
    return f"{type(thing).__name__} ({str(thing)[:40]})"
