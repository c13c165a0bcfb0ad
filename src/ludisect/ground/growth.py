"""Whether terms may grow without end: a rule wraps what it reads, and reads what it made.

``(<= (next (n (s ?x))) (true (n ?x)))`` is good GDL, and an interpreter plays it; its ground rules never end. Places
are the arguments of relations, fluents and moves. Each is given a level, how deep its terms are at most: a variable in
a head comes from the shallowest of the positive literals that bind it, and lies deeper by what is put around it. Where
the levels settle, the program is argument-restricted, and grounding ends (Lierler and Lifschitz 2009, "One More
Decidable Class of Finitely Ground Programs"). Where they rise for ever, it may not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ludisect.gdl.terms import Term, TermOrVariable, Variable
from ludisect.ground.normalize import Clause, Literal


class Argument(NamedTuple):
    """An argument of a relation, a fluent or a move; or, without a name, any fluent or move as a whole."""

    kind: str
    name: str
    arity: int
    number: int

    def __str__(self) -> str:
        if not self.name:
            return f"any {self.kind}"
        args = ["?x" if i == self.number else "…" for i in range(self.arity)]
        return f"({' '.join([self.name, *args])})"


Flow = tuple[Argument, list[tuple[Argument, int]]]
"""A place in a head that holds a variable, and the places that bind it, each with what the head puts around it."""

_HELD = {
    ("true", 1): ("fluent", 0),
    ("init", 1): ("fluent", 0),
    ("next", 1): ("fluent", 0),
    ("does", 2): ("move", 1),
    ("legal", 2): ("move", 1),
}
"""Relations that hold a fluent or a move, and where."""


def growing(clauses: Sequence[Clause]) -> list[Argument]:
    """The places whose terms may grow without end, none if grounding is sure to end."""
    if not any(map(_wraps, clauses)):
        return []
    flows = [flow for clause in clauses for flow in _flows(clause)]
    flows += _wholes(flows)
    level = dict.fromkeys((p for head, binders in flows for p in (head, *(b for b, _ in binders))), 0)
    steepest: dict[Argument, int] = {}
    for head, binders in flows:
        steepest[head] = max(steepest.get(head, 0), min(rise for _, rise in binders))
    deepest = sum(steepest.values())  # of a way that comes to no place twice
    changed = True
    while changed:
        changed = False
        for head, binders in flows:
            found = min(level[place] + rise for place, rise in binders)
            if level[head] < found and level[head] <= deepest:
                level[head] = found
                changed = True
    return sorted(place for place, depth in level.items() if depth > deepest)


def _wraps(clause: Clause) -> bool:
    """Whether a clause may put something around a variable: in its head, or a fluent or move as a whole. Few do."""
    if any(isinstance(arg, Term) and arg.args for _, arg in _places(clause.head)):
        return True
    atoms = (literal.atom for literal in clause.body if isinstance(literal, Literal))
    held = (atom.args[_HELD[key][1]] for atom in atoms if (key := (atom.name, len(atom.args))) in _HELD)
    return any(isinstance(one, Variable) for one in held)


def _flows(clause: Clause) -> Iterator[Flow]:
    bound: dict[Variable, list[tuple[Argument, int]]] = {}
    for literal in clause.body:
        if isinstance(literal, Literal) and literal.positive:
            for place, term in _places(literal.atom):
                for variable, depth in _depths(term):
                    bound.setdefault(variable, []).append((place, depth))
    for place, term in _places(clause.head):
        for variable, depth in _depths(term):
            binders = [(where, depth - below) for where, below in bound.get(variable, ())]
            if binders and not any(where == place and rise <= 0 for where, rise in binders):
                yield place, binders


def _wholes(flows: list[Flow]) -> list[Flow]:
    """What ties a fluent as a whole to the places of each: it is one deeper than they are, and may become any."""
    places = {p for head, binders in flows for p in (head, *(b for b, _ in binders))}
    made = {head for head, _ in flows}
    out: list[Flow] = []
    for whole in (p for p in places if not p.name):
        for place in (p for p in places if p.name and p.kind == whole.kind):
            out.append((whole, [(place, 1)]))
            if whole in made:
                out.append((place, [(whole, -1)]))
    return out


def _places(atom: Term) -> Iterator[tuple[Argument, TermOrVariable]]:
    kind, index = _HELD.get((atom.name, len(atom.args)), ("relation", -1))
    held = atom if index < 0 else atom.args[index]
    if isinstance(held, Variable):
        yield Argument(kind, "", 0, 0), held
        return
    for i, arg in enumerate(held.args):
        yield Argument(kind, held.name, len(held.args), i), arg


def _depths(term: TermOrVariable, depth: int = 0) -> Iterator[tuple[Variable, int]]:
    if isinstance(term, Variable):
        yield term, depth
    else:
        for arg in term.args:
            yield from _depths(arg, depth + 1)
