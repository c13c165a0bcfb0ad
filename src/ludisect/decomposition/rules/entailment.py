"""What a move and a fluent imply, allow and rule out in the body of a rule.

Patterns stand for all their members: a body is *sure* if it holds for every member of the fluent pattern and every
member of the move pattern, *possible* if it holds for some. Conditions that depend on neither state nor moves are
decided from the facts. What cannot be decided counts as possible and not as sure, so that a doubt makes an edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.rules.clauses import Body, Clauses, RuleLiteral
from ludisect.gdl.terms import Term, TermOrVariable, Variable
from ludisect.gdl.unify import Substitution, apply, bind, unifiable, unify, variables_of

DOES = ("does", 2)
TRUE = ("true", 1)


def done_by(done: Term) -> TermOrVariable:
    """The role of a ``does`` atom."""
    return done.args[0]


class Entailment:
    """Questions about bodies, given that a fluent holds and that a role makes a move."""

    def __init__(self, clauses: Clauses, *, alternating: bool) -> None:
        """``alternating``: never do two roles have a choice at once."""
        self.clauses, self.alternating = clauses, alternating
        self.most = DecompositionLimits.current().entailment_values
        self._certain: dict[tuple[Term, bool], bool] = {}
        self._owner: dict[Variable, tuple[Term, Sequence[Term]]] = {}
        self._needs: dict[Term, frozenset[tuple[Term, bool]]] = {}
        self._unknown: dict[tuple[Term, Term], set[Variable]] = {}

    def register(self, pattern: Term, members: Sequence[Term]) -> None:
        """Say which ground terms a pattern stands for."""
        for variable in pattern.variables():
            self._owner[variable] = (pattern, members)

    def needs(self, done: Term) -> frozenset[tuple[Term, bool]]:
        """What holds whenever a move is made: atoms and signs that every rule for its legality names."""
        if done not in self._needs:
            found = [
                frozenset((bind(x.atom, bound), x.positive) for x in body if x.ways is None)
                for body, bound in self.clauses.defining(Term("legal", done.args))
            ]
            self._needs[done] = frozenset.intersection(*found) if found else frozenset()
        return self._needs[done]

    def _frozen(self, pattern: Term, done: Term) -> set[Variable]:
        """The variables that stand for unknown members of the two patterns."""
        key = (pattern, done)
        if key not in self._unknown:
            self._unknown[key] = variables_of(key)
        return self._unknown[key]

    def is_frame(self, body: Body, pattern: Term) -> bool:
        """Whether a body implies that the fluent holds already."""
        wanted = Term("true", (pattern,))
        return any(x.positive and self._implies(x.atom, wanted, 3) for x in body)

    def _implies(self, atom: Term, wanted: Term, depth: int) -> bool:
        if atom == wanted:
            return True
        asked = Term("legal", atom.args) if (atom.name, len(atom.args)) == DOES else atom
        if depth == 0 or (asked.name, len(asked.args)) not in self.clauses.dynamic:
            return False
        some = False
        for clause in self.clauses.of.get((asked.name, len(asked.args)), ()):
            bound = unify(clause.head, asked, {}, variables_of([wanted]))
            if bound is None:
                if unifiable(asked, clause.head):
                    return False
                continue
            some = True
            if not any(x.positive and self._implies(bind(x.atom, bound), wanted, depth - 1) for x in clause.body):
                return False
        return some

    def compatible(self, body: Body, pattern: Term, done: Term) -> bool:
        """Whether a body can hold when a move is made: consistency, each role making one move."""
        mine = [x.atom for x in body if x.predicate == DOES and x.positive]
        return any(
            self._unhindered(body, pattern, bound, done)
            for bound, count in self._assigned(mine, {}, done)
            if count == len(mine) or not self.alternating
        )

    def _unhindered(self, body: Body, pattern: Term, bound: Substitution, done: Term) -> bool:
        """Whether no negative or static literal stands against a body."""
        frozen, needed = self._frozen(pattern, done), self.needs(done)
        for literal in body:
            if needed and literal.ways is None and (bind(literal.atom, bound), not literal.positive) in needed:
                return False
            if literal.positive:
                continue
            if literal.ways is not None:
                if any(self._sure(way, pattern, bound, done) for way in literal.ways):
                    return False
            elif literal.predicate == DOES and unify(literal.atom, done, bound, frozen) is not None:
                return False
        return self.clauses.possible(body, bound)

    def _assigned(self, atoms: Sequence[Term], bound: Substitution, done: Term) -> Iterator[tuple[Substitution, int]]:
        """Which ``does`` atoms of a body are the move made, and how many: the others are moves of other roles."""
        if not atoms:
            yield bound, 0
            return
        joined = unify(atoms[0], done, bound)
        if joined is not None:
            yield from ((more, count + 1) for more, count in self._assigned(atoms[1:], joined, done))
        if apply(atoms[0].args[0], bound) != done_by(done):
            yield from self._assigned(atoms[1:], bound, done)

    def sure(self, body: Body, pattern: Term, done: Term) -> bool:
        """Whether the fluent's truth and the move imply a body; moves of other roles are their own affair."""
        return self._sure(body, pattern, {}, done)

    def _sure(self, body: Body, pattern: Term, bound: Substitution, done: Term) -> bool:
        frozen = self._frozen(pattern, done)
        for literal in body:
            if not literal.positive or literal.predicate not in (TRUE, DOES):
                continue
            known = done if literal.predicate == DOES else Term("true", (pattern,))
            if literal.predicate == DOES and not unifiable(apply(literal.atom.args[0], bound), done_by(done)):
                if self.alternating:
                    return False
                continue
            more = unify(literal.atom, known, bound, frozen)
            if more is None:
                return False
            bound = more
        return all(self._sure_literal(x, pattern, bound, done) for x in body)

    def _sure_literal(self, literal: RuleLiteral, pattern: Term, bound: Substitution, done: Term) -> bool:
        if literal.positive and literal.predicate in (TRUE, DOES):
            return True  # bound above
        if literal.ways is not None:
            return all(self._refuted(way, bound, done) for way in literal.ways)
        if literal.predicate == DOES:
            return self._refuted((RuleLiteral(literal.atom),), bound, done)
        if self.clauses.is_static(literal):
            return self._certain_everywhere(literal, bound, self._frozen(pattern, done))
        return (bind(literal.atom, bound), literal.positive) in self.needs(done)

    def _refuted(self, body: Body, bound: Substitution, done: Term) -> bool:
        """Whether a conjunction is sure to fail when the move is made, whatever its variables.

        One that asks only for moves of other roles is their affair: it counts as refuted.
        """
        mine = [x.atom for x in body if x.positive and x.predicate == DOES]
        return not any(
            self.clauses.possible(body, joined)
            for joined, count in self._assigned(mine, bound, done)
            if count == len(mine) or (count > 0 and not self.alternating)
        )

    def _certain_everywhere(self, literal: RuleLiteral, bound: Substitution, frozen: set[Variable]) -> bool:
        atom = bind(literal.atom, bound)
        unknown = [v for v in dict.fromkeys(atom.variables()) if v in frozen]
        if not unknown:
            if literal.positive and literal.predicate != ("distinct", 2):
                return self.clauses.proves(atom)  # some values will do
            return self.clauses.certain(RuleLiteral(atom, literal.positive), {})
        key = (atom, literal.positive)
        if key not in self._certain:
            self._certain[key] = all(
                self.clauses.certain(RuleLiteral(bind(atom, values), literal.positive), {})
                for values in self._values(unknown)
            )
        return self._certain[key]

    def _values(self, unknown: Sequence[Variable]) -> Iterator[Substitution]:
        """All values that members give to some variables of their patterns; nothing bound if there are too many."""
        owned: dict[Term, tuple[Sequence[Term], list[Variable]]] = {}
        for v in unknown:
            if v not in self._owner:
                yield {}
                return
            pattern, members = self._owner[v]
            owned.setdefault(pattern, (members, []))[1].append(v)
        columns: list[set[tuple[tuple[Variable, TermOrVariable], ...]]] = []
        size = 1
        for pattern, (members, mine) in owned.items():
            found = set()
            for member in members:
                values = unify(pattern, member, {})
                assert values is not None
                found.add(tuple((v, values[v]) for v in mine))
            columns.append(found)
            size *= len(found)
        if size > self.most:
            yield {}
            return
        for row in product(*columns):
            yield dict(pair for values in row for pair in values)
