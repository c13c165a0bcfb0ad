"""The order in which the interpreter takes the formulas of a body, given which variables have values already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Union

from ludisect.gdl.dependence import Predicate, may_match, predicate
from ludisect.gdl.safety import gives
from ludisect.gdl.terms import And, Distinct, Formula, Not, Or, Term, TermOrVariable, Variable, variables

Values = list[Term]
"""The values of a rule's variables, one slot for each; those without a value yet hold anything."""

Build = Callable[[Values], Term]
Match = Callable[[Term, Values], bool]


@dataclass(frozen=True, slots=True)
class Call:
    """Ask for the answers of an atom: arguments in ``form.mask`` are known and built, the others are matched."""

    form: BodyForm
    known: tuple[Build, ...]
    open: tuple[tuple[int, Match], ...]


class BodyForm(NamedTuple):
    """What can be said of a question before the values are there.

    ``mask`` numbers the arguments that will be known. ``shape`` holds the patterns of the others: without them,
    (<= (can ?r) (legal ?r (mark ?x))) would ask the rules for (legal ?r noop) too, and these may ask (not (can ?r)).
    """

    predicate: Predicate
    mask: tuple[int, ...] = ()
    shape: tuple[TermOrVariable, ...] = ()

    def admits(self, head: Term) -> bool:
        """Whether a rule with this head may have answers."""
        others = [arg for i, arg in enumerate(head.args) if i not in self.mask]
        return not self.shape or all(map(may_match, self.shape, others))


@dataclass(frozen=True, slots=True)
class Differ:
    """Go on if two terms differ."""

    left: Build
    right: Build


@dataclass(frozen=True, slots=True)
class Fail:
    """Go on if the steps have no solution."""

    steps: Steps


@dataclass(frozen=True, slots=True)
class Branch:
    """Go on with every solution of every branch."""

    branches: tuple[Steps, ...]


Step = Union[Call, Differ, Fail, Branch]
Steps = tuple[Step, ...]


class JoinPlanner:
    """Plans the bodies of one rule; ``size`` estimates the answers of an atom whose arguments are all open."""

    def __init__(self, slots: dict[Variable, int], size: Callable[[Term], float]) -> None:
        self._slots, self._size = slots, size

    def steps(self, formulas: Iterable[Formula], known: set[Variable]) -> Steps:
        """Order a conjunction; ``known`` grows by the variables that get a value."""
        return tuple(self.each_step(formulas, known))

    def each_step(self, formulas: Iterable[Formula], known: set[Variable]) -> Iterator[Step]:
        """As `steps`, one by one.

        Tests come as soon as their variables are known, then the atom with the fewest answers to expect.
        """
        todo = list(_flattened(formulas))
        while todo:
            given = {variable for formula in todo for variable in gives(formula)}
            ready = [formula for formula in todo if _is_ready(formula, known, given)]
            if not ready:
                yield self._distributed(todo, known)
                return
            best = min(ready, key=lambda formula: self._cost(formula, known))
            todo.remove(best)
            yield self._step(best, known)

    def _distributed(self, formulas: list[Formula], known: set[Variable]) -> Branch:
        """Disjunctions that wait for each other's variables: each branch of one goes with all the others."""
        split = next((formula for formula in formulas if isinstance(formula, Or)), None)
        assert split is not None, "our bug: unsafe rules are refused before"
        others = [formula for formula in formulas if formula is not split]
        branches = tuple(self.steps([part, *others], set(known)) for part in split.parts)
        known.update(variable for formula in formulas for variable in gives(formula))
        return Branch(branches)

    def _cost(self, formula: Formula, known: set[Variable]) -> float:
        if isinstance(formula, Distinct):
            return -2.0
        if isinstance(formula, Not):
            return -1.0
        if isinstance(formula, Or):
            return max((self._cost(p, known) for p in _flattened(formula.parts)), default=0.0) + 1.0
        assert isinstance(formula, Term)
        args: tuple[TermOrVariable, ...] = formula.args
        if formula.name == "true" and args and isinstance(args[0], Term):
            args = args[0].args
        if not args:
            return 0.0
        unknown = sum(1 for arg in args if not known.issuperset(variables(arg)))
        return 0.0 if not unknown else float(self._size(formula) ** (unknown / len(args)))

    def _step(self, formula: Formula, known: set[Variable]) -> Step:
        if isinstance(formula, Distinct):
            return Differ(self.build(formula.left), self.build(formula.right))
        if isinstance(formula, Not):
            return Fail(self.steps([formula.body], set(known)))
        if isinstance(formula, Or):
            branches = tuple(self.steps([part], set(known)) for part in formula.parts)
            known |= gives(formula)
            return Branch(branches)
        assert isinstance(formula, Term)
        return self.call(formula, known)

    def call(self, atom: Term, known: set[Variable]) -> Call:
        """The step for an atom; its variables become known."""
        used, args = flat(atom)
        mask = tuple(i for i, arg in enumerate(args) if known.issuperset(variables(arg)))
        builds = tuple(self.build(args[i]) for i in mask)
        matches = tuple((i, self.match(arg, known)) for i, arg in enumerate(args) if i not in mask)
        shape = tuple(_shape(args[i]) for i, _ in matches)
        return Call(BodyForm(used, mask, shape), builds, matches)

    def build(self, pattern: TermOrVariable) -> Build:
        """A function that makes the term of a pattern whose variables are known."""
        if isinstance(pattern, Variable):
            slot = self._slots[pattern]
            return lambda values: values[slot]
        if pattern.is_ground:
            return lambda values: pattern
        name, builds = pattern.name, [self.build(arg) for arg in pattern.args]
        return lambda values: Term(name, tuple([build(values) for build in builds]))

    def match(self, pattern: TermOrVariable, known: set[Variable]) -> Match:
        """A function that compares a term with a pattern and sets unknown variables; these become known."""
        if isinstance(pattern, Variable):
            slot = self._slots[pattern]
            if pattern in known:
                return lambda term, values: term == values[slot]
            known.add(pattern)

            def assign(term: Term, values: Values) -> bool:
                values[slot] = term
                return True

            return assign
        if pattern.is_ground:
            return lambda term, values: term == pattern
        name, count = pattern.name, len(pattern.args)
        matches = [self.match(arg, known) for arg in pattern.args]

        def compare(term: Term, values: Values) -> bool:
            if term.name != name or len(term.args) != count:
                return False
            return all(match(arg, values) for match, arg in zip(matches, term.args, strict=True))  # type: ignore[arg-type]

        return compare


def flat(atom: Term) -> tuple[Predicate, tuple[TermOrVariable, ...]]:
    """The predicate and arguments of an atom; ``true`` of a fluent gives the fluent's, under the name ``true f``."""
    if atom.name == "true" and len(atom.args) == 1 and isinstance(atom.args[0], Term):
        fluent = atom.args[0]
        return (f"true {fluent.name}", len(fluent.args)), fluent.args
    return predicate(atom), atom.args


def _is_ready(formula: Formula, known: set[Variable], given: set[Variable]) -> bool:
    """Whether all variables are known that the formula needs; ``given`` are those that some formula can give."""
    if isinstance(formula, Or):
        own = gives(formula)
        if any(v in given and v not in known and v not in own for v in variables(formula)):
            return False
    return known.issuperset(_needs(formula))


def _needs(formula: Formula) -> set[Variable]:
    """The variables that must have values before the formula is asked."""
    if isinstance(formula, Term):
        return set()
    if isinstance(formula, And):
        return {variable for part in formula.parts for variable in _needs(part)} - gives(formula)
    if isinstance(formula, Or):
        return {variable for part in formula.parts for variable in _needs(part)}
    return set(variables(formula))


def _shape(pattern: TermOrVariable) -> TermOrVariable:
    """A pattern whose variables have no names, so that questions of one kind share their answers."""
    return Variable("") if isinstance(pattern, Variable) else Term(pattern.name, tuple(map(_shape, pattern.args)))


def _flattened(formulas: Iterable[Formula]) -> Iterator[Formula]:
    for formula in formulas:
        if isinstance(formula, And):
            yield from _flattened(formula.parts)
        else:
            yield formula
