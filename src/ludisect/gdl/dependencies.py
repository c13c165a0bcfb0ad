"""Which predicate depends on which: the graph behind strata, cycles, and what is static."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ludisect.gdl.places import Path
from ludisect.gdl.terms import And, Distinct, Formula, Not, Or, Rule, Term

Predicate = tuple[str, int]
"""A predicate's name and number of arguments."""


def predicate(atom: Term) -> Predicate:
    """The predicate of an atom."""
    return atom.name, len(atom.args)


def atoms(formula: Formula, path: Path = (), negative: bool = False) -> Iterator[tuple[Term, Path, bool]]:
    """Every atom of a formula with its path and whether a "not" stands above it."""
    if isinstance(formula, Term):
        yield formula, path, negative
    elif isinstance(formula, Not):
        yield from atoms(formula.body, (*path, 1), True)
    elif isinstance(formula, And | Or):
        for i, part in enumerate(formula.parts, 1):
            yield from atoms(part, (*path, i), negative)
    else:
        assert isinstance(formula, Distinct)


def body_atoms(rule: Rule) -> Iterator[tuple[Term, Path, bool]]:
    """Every atom of a rule's body with its path in the rule and whether a "not" stands above it."""
    for i, formula in enumerate(rule.body, 2):
        yield from atoms(formula, (i,))


@dataclass(frozen=True, slots=True)
class Edge:
    """The first place where a predicate's rules use another; a negative use counts before positive ones."""

    rule: Rule
    path: Path
    negative: bool


class Dependencies:
    """The graph over the predicates of a rule sheet, from heads to the atoms in their bodies."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.edges: dict[Predicate, dict[Predicate, Edge]] = {}
        for rule in rules:
            uses = self.edges.setdefault(predicate(rule.head), {})
            for atom, path, negative in body_atoms(rule):
                used = predicate(atom)
                if used not in uses or (negative and not uses[used].negative):
                    uses[used] = Edge(rule, path, negative)
        self.component = self._components()

    def dependents(self, roots: Iterable[Predicate]) -> set[Predicate]:
        """The roots and everything that depends on one of them, however far."""
        users: dict[Predicate, list[Predicate]] = {}
        for user, uses in self.edges.items():
            for used in uses:
                users.setdefault(used, []).append(user)
        found = set(roots)
        todo = list(found)
        while todo:
            for user in users.get(todo.pop(), ()):
                if user not in found:
                    found.add(user)
                    todo.append(user)
        return found

    def is_recursive(self, one: Predicate) -> bool:
        """Whether the predicate depends on itself."""
        return one in self.edges.get(one, ()) or len(self._members[self.component[one]]) > 1

    def path(self, start: Predicate, end: Predicate, within: int | None = None) -> list[Predicate]:
        """A shortest way from one predicate to another along at least one edge; empty if there is none.

        With ``within``, only predicates of that component are visited.
        """
        before: dict[Predicate, Predicate] = {}
        todo = deque([start])
        while todo:
            here = todo.popleft()
            for used in self.edges.get(here, ()):
                if used == end:
                    way = [end, here]
                    while way[-1] != start:
                        way.append(before[way[-1]])
                    return way[::-1]
                if used not in before and used != start and within in (None, self.component.get(used)):
                    before[used] = here
                    todo.append(used)
        return []

    def _components(self) -> Mapping[Predicate, int]:
        """The number of each predicate's strongly connected component; what it depends on has lower numbers.

        Tarjan's algorithm with a stack of iterators, so that long chains of predicates are no trouble.
        """
        order: dict[Predicate, int] = {}
        low: dict[Predicate, int] = {}
        component: dict[Predicate, int] = {}
        self._members: list[list[Predicate]] = []
        open_: list[Predicate] = []
        for root in self.edges:
            if root in order:
                continue
            todo = [(root, iter(self.edges[root]))]
            order[root] = low[root] = len(order)
            open_.append(root)
            while todo:
                here, uses = todo[-1]
                for used in uses:
                    if used not in order:
                        order[used] = low[used] = len(order)
                        open_.append(used)
                        todo.append((used, iter(self.edges.get(used, ()))))
                        break
                    if used not in component:
                        low[here] = min(low[here], order[used])
                else:
                    todo.pop()
                    if todo:
                        low[todo[-1][0]] = min(low[todo[-1][0]], low[here])
                    if low[here] == order[here]:
                        members: list[Predicate] = []
                        while not members or members[-1] != here:
                            members.append(open_.pop())
                            component[members[-1]] = len(self._members)
                        self._members.append(members)
        return component
