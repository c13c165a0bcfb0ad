"""Call graphs: every atom that the truth of an atom can rest on, moves replaced by their legality.

Günther (2007) and Zhao, Schiffel and Thielscher (2009): the call graph of a formula is the least set of atoms that
holds the atoms of the formula and, with each atom, those of every rule whose head matches it. ``does`` counts as
``legal``, since what is done is legal. Only atoms that depend on the state are kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.rules.clauses import Clauses, literals
from ludisect.effort import spend
from ludisect.gdl.dependence import predicate
from ludisect.gdl.terms import Term, TermOrVariable, Variable
from ludisect.gdl.unify import apply, bind, canonical, unify

CARRY = "carry"


class CallGraph:
    """Asks the clauses of one rule sheet what atoms rest on."""

    def __init__(self, clauses: Clauses) -> None:
        self.clauses = clauses
        self.depth = DecompositionLimits.current().callgraph_depth
        self._known: dict[Term, frozenset[Term]] = {}

    def of_atom(self, atom: Term) -> frozenset[Term]:
        """All dynamic atoms that an atom rests on, itself included, with canonical variables."""
        key = canonical(atom)
        if key not in self._known:
            self._known[key] = frozenset(a for _, a in self.carrying([key], Term(CARRY)))
        return self._known[key]

    def fluents(self, atoms: Iterable[Term]) -> set[Term]:
        """The fluents under ``true`` in the call graphs of some atoms."""
        out: set[Term] = set()
        for atom in atoms:
            for found in self.of_atom(atom):
                if predicate(found) == ("true", 1):
                    fluent = found.args[0]
                    out.add(fluent if isinstance(fluent, Term) else Term("", (fluent,)))
        return out

    def carrying(
        self,
        atoms: Iterable[Term],
        carried: TermOrVariable,
        *,
        through: AbstractSet[Variable] | None = None,
    ) -> set[tuple[TermOrVariable, Term]]:
        """The call graph with one term carried along: pairs of what that term has become, and an atom.

        With ``through``, a ``does`` among the given atoms is followed into ``legal`` only if it holds one of these
        variables.
        """
        found: set[tuple[TermOrVariable, Term]] = set()
        seen: set[tuple[TermOrVariable, Term, bool]] = set()
        todo: list[tuple[TermOrVariable, Term, bool]] = []
        for atom in atoms:
            follow = through is None or bool(through & set(atom.variables()))
            todo.append((carried, atom, follow))
        spend(0)
        while todo:
            carry, atom, follow = todo.pop()
            if predicate(atom) not in self.clauses.dynamic:
                continue
            carry, cut = canonical(Term(CARRY, (carry, _cut(atom, self.depth)))).args
            assert isinstance(cut, Term)
            if (carry, cut, follow) in seen:
                continue
            seen.add((carry, cut, follow))
            found.add((carry, cut))
            if predicate(cut) == ("does", 2):
                if follow:
                    todo.append((carry, Term("legal", cut.args), True))
                continue
            for clause in self.clauses.of.get(predicate(cut), ()):
                bound = unify(cut, clause.head, {})
                if bound is None:
                    continue
                for literal in literals(clause.body):
                    if literal.predicate in self.clauses.dynamic:
                        todo.append((apply(carry, bound), bind(literal.atom, bound), True))
        return found


def _cut(term: TermOrVariable, depth: int) -> Term:
    def cut(t: TermOrVariable, d: int, at: tuple[int, ...]) -> TermOrVariable:
        if isinstance(t, Variable) or not t.args:
            return t
        if d == 0:
            return Variable("cut" + ".".join(map(str, at)))
        return Term(t.name, tuple(cut(a, d - 1, (*at, i)) for i, a in enumerate(t.args)))

    out = cut(term, depth, ())
    assert isinstance(out, Term)
    return out
