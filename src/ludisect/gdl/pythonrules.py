"""``PythonRules``: a game written as a Python class, whose loops make the ground rules of a sheet."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from inspect import isgenerator, unwrap
from linecache import getline
from pathlib import Path
from typing import Any, Concatenate, TypeVar, Union

from ludisect.errors import Place, Problem, RulesInvalidError, did_you_mean
from ludisect.gdl.dependence import uses
from ludisect.gdl.expressions import (
    ALWAYS,
    NEVER,
    Argument,
    Condition,
    ConditionLike,
    FluentTerm,
    MoveTerm,
    argument_terms,
    as_condition,
)
from ludisect.gdl.reader import read_term
from ludisect.gdl.terms import KEYWORDS, And, Rule, Rules, Term, TermOrVariable

R = TypeVar("R", bound="PythonRules")

FluentRule = Union[FluentTerm, tuple[FluentTerm, ConditionLike]]
MoveRule = Union[MoveTerm, tuple[MoveTerm, ConditionLike]]
GoalRule = Union[int, tuple[int, ConditionLike]]
Alternatives = Union[ConditionLike, Iterable[ConditionLike]]
"""A condition, or several of which one is enough."""


class PythonRules(ABC):
    """The rules of a game, written in Python: ``load(MyGame())`` plays it, ``write(MyGame().rules)`` writes its sheet.

    A subclass names its ``roles`` and has five methods. What they give is pairs of a head and the condition under which
    it holds; a head alone always holds. They do not see a state: they are called once, and their loops write out the
    rules for all states.
    """

    roles: Sequence[str] = ()
    name: str = ""
    """What the game is called; the name of the class unless given."""

    @abstractmethod
    def start(self) -> Iterable[FluentTerm]:
        """The fluents that hold when play begins."""

    @abstractmethod
    def legal(self, role: str) -> Iterable[MoveRule]:
        """A role's moves, each with the condition under which it is legal."""

    @abstractmethod
    def next(self) -> Iterable[FluentRule]:
        """The fluents that hold after a step, each with a condition on the state and the moves before it."""

    @abstractmethod
    def terminal(self) -> Alternatives:
        """When play is over."""

    @abstractmethod
    def goal(self, role: str) -> Iterable[GoalRule]:
        """What a role gets, from 0 to 100, each value with its condition."""

    @cached_property
    def rules(self) -> Rules:
        """The rule sheet. Raises RulesInvalidError with all that is wrong, and where."""
        return _Build(self).rules()

    @cached_property
    def _asked(self) -> dict[Term, tuple[Callable[..., Alternatives], tuple[Argument, ...]]]:
        """The named conditions that were used, and what defines each."""
        return {}


def condition(method: Callable[Concatenate[R, ...], Alternatives]) -> Callable[Concatenate[R, ...], Condition]:
    """Give a condition a name: the method becomes a relation of the rule sheet, written once however often it is used.

    It returns a condition, or several of which one is enough. It may use itself, as recursive rules do.
    """
    name = method.__name__
    if name.lower() in KEYWORDS:
        raise RulesInvalidError([Problem(f"no condition can be called {name}: that is a word of the rule language")])

    @wraps(method)
    def asked(self: R, *args: Argument) -> Condition:
        atom = Term(name, argument_terms(args, name))
        self._asked.setdefault(atom, (method, args))
        return Condition(atom)

    return asked


@dataclass
class _Build:
    """Calls the methods, turns what they give into rules, and collects what is wrong."""

    game: PythonRules
    made: list[Rule] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    sources: dict[Place, tuple[str, str]] = field(default_factory=dict)
    """The method and the line of code at a place."""

    def rules(self) -> Rules:
        roles = self.roles()
        self.made += [Rule(Term("role", (role,))) for role in roles]
        for given, place in self.results("start"):
            self.head("init", (), FluentTerm, given, place)
        for role in roles:
            for given, place in self.results("legal", str(role)):
                self.head("legal", (role,), MoveTerm, given, place)
        for given, place in self.results("next"):
            self.head("next", (), FluentTerm, given, place)
        for given, place in self.alternatives("terminal", self.game.terminal):
            self.add(Term("terminal"), given, place)
        for role in roles:
            for given, place in self.results("goal", str(role)):
                self.head("goal", (role,), int, given, place)
        self.conditions()
        if not self.problems:
            self.check(roles)
        if self.problems:
            raise RulesInvalidError(self.problems)
        return Rules(tuple(self.made), self.game.name or type(self.game).__name__)

    def roles(self) -> list[Term]:
        names, kind = self.game.roles, type(self.game).__name__
        if isinstance(names, str) or not all(isinstance(name, str) for name in names):
            raise TypeError(f"{kind}.roles is a tuple of names, not {names!r}")
        if not names:
            raise RulesInvalidError([Problem(f"{kind} has no roles", help='write roles = ("white", "black") in it')])
        return [read_term(name) for name in names]

    # ---- calling ----

    def results(self, method: str, *args: str) -> Iterator[tuple[object, Place]]:
        """What a method gives, each with its place."""
        function = getattr(self.game, method)
        yield from self.each(method, function, function(*args))

    def alternatives(self, method: str, function: Callable[..., Any], *args: Any) -> Iterator[tuple[object, Place]]:
        """The conditions that a method gives, or the only one."""
        given = function(*args)
        yield from self.each(method, function, [given] if isinstance(given, Condition | bool) else given)

    def each(self, method: str, function: Callable[..., Any], given: object) -> Iterator[tuple[object, Place]]:
        if isgenerator(given):
            for one in given:
                frame = given.gi_frame
                yield one, self.place(method, function, frame.f_lineno if frame else None)
        elif isinstance(given, Iterable):
            for one in given:
                yield one, self.place(method, function)
        else:
            help = "yield what it is made of, or return a list"
            self.fault(f"gives {_shown(given)}", self.place(method, function), help)

    def conditions(self) -> None:
        """The named conditions that were used; each may use others."""
        done: set[Term] = set()
        asked = self.game._asked
        while len(done) < len(asked):
            for atom in [atom for atom in asked if atom not in done]:
                done.add(atom)
                method, args = asked[atom]
                for given, place in self.alternatives(atom.name, method, self.game, *args):
                    self.add(atom, given, place)

    def place(self, method: str, function: Callable[..., Any], line: int | None = None) -> Place:
        code = unwrap(function).__code__
        line = code.co_firstlineno if line is None else line
        text = getline(code.co_filename, line).rstrip("\n")
        column = len(text) - len(text.lstrip()) + 1
        place = Place(Path(code.co_filename).name, line, column, max(1, len(text.strip())))
        self.sources[place] = f"{type(self.game).__name__}.{method}", text
        return place

    # ---- rules ----

    def head(self, keyword: str, role: tuple[Term, ...], kind: type, given: object, place: Place) -> None:
        """A rule of legal, init, next or goal, from what a method gave."""
        head, body = given if isinstance(given, tuple) and len(given) == 2 else (given, True)
        if not isinstance(head, kind) or isinstance(head, bool) or (keyword == "init" and isinstance(given, tuple)):
            self.fault(f"gives {_shown(given)}", place, f"what it gives is {_RIGHT[keyword]}")
            return
        term = head.term if isinstance(head, FluentTerm | MoveTerm) else Term(str(head))
        self.add(Term(keyword, (*role, term)), body, place)

    def add(self, head: Term, given: object, place: Place) -> None:
        try:
            body = as_condition(given)
        except TypeError as error:
            self.fault(f"{error}, as the condition of {head}", place)
            return
        if body == NEVER:
            return
        formula = body.formula
        parts = formula.parts if isinstance(formula, And) else (formula,)
        self.made.append(Rule(head, () if body == ALWAYS else parts, place))

    def fault(self, what: str, place: Place, help: str = "") -> None:
        method, line = self.sources[place]
        problem = Problem(f"{method}: {what}", place, help, line_text=line)
        if problem not in self.problems:
            self.problems.append(problem)

    # ---- checks ----

    def check(self, roles: Iterable[Term]) -> None:
        """Every role can move and gets something; what conditions ask for can come about."""
        heads: dict[str, set[tuple[TermOrVariable, ...]]] = {word: set() for word in ("init", "next", "legal", "goal")}
        for rule in self.made:
            if rule.head.name in heads:
                heads[rule.head.name].add(rule.head.args)
        for role in roles:
            for keyword, what in (("legal", "legal move"), ("goal", "goal")):
                if not any(head[0] == role for head in heads[keyword]):
                    place = self.place(keyword, getattr(type(self.game), keyword))
                    self.fault(f"role {role} has no {what}", place, f"{keyword}({str(role)!r}) has to give one")
        known = {"true": heads["init"] | heads["next"], "does": heads["legal"]}
        never: dict[tuple[str, str, Place], dict[Term, None]] = {}
        for rule in self.made:
            for atom, _, _ in uses(rule):
                if atom.name in known and atom.args not in known[atom.name]:
                    (thing,) = (arg for arg in atom.args[-1:] if isinstance(arg, Term))
                    assert rule.place is not None
                    never.setdefault((atom.name, thing.name, rule.place), {})[atom] = None
        for (keyword, _, place), atoms in never.items():
            self.never(keyword, list(atoms), place, known[keyword])

    def never(
        self, keyword: str, atoms: Sequence[Term], place: Place, known: Iterable[tuple[TermOrVariable, ...]]
    ) -> None:
        """Conditions that ask for fluents or moves of one name that cannot be."""
        state = keyword == "true"
        shown = str(atoms[0].args[0] if state else atoms[0])
        near = did_you_mean(shown, sorted(str(args[0] if state else Term(keyword, args)) for args in known))
        makes = "neither start nor next gives it" if state else "legal does not give the role that move"
        more = f", nor {len(atoms) - 1} more like it" if len(atoms) > 1 else ""
        help = near.removeprefix("; ") or "mend the name, or leave it out of the condition"
        self.fault(f"{shown} can never hold, for {makes}{more}", place, help)


_RIGHT = {
    "init": "fluents such as cell(1, 1, 'b')",
    "legal": "moves such as mark(1, 1), or pairs of a move and its condition",
    "next": "fluents such as cell(1, 1, 'x'), or pairs of a fluent and its condition",
    "goal": "whole numbers, or pairs of a number and its condition",
}


def _shown(thing: object) -> str:
    return repr(thing)[:80]
