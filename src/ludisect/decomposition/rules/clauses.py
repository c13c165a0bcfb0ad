"""Rules as clauses: disjunctions apart, predicates that ask for moves unfolded, static literals provable.

A clause is a head and a conjunction of literals. Three things are put right on the way, because the published methods
read effects off the text of the rules:

- ``does`` of a move that is its role's only legal one whenever it is legal (a forced move, in practice ``noop``) says
  no more than ``legal``, and becomes that;
- ``does`` of a move that occurs nowhere else in the rule says only that somebody moves, and becomes ``role``;
- in the rules for ``next``, predicates that depend on ``does`` are replaced by their definitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ludisect.decomposition.limits import DecompositionLimits
from ludisect.effort import spend
from ludisect.gdl.dependence import Predicate, predicate
from ludisect.gdl.digraph import leading_to
from ludisect.gdl.terms import And, Distinct, Formula, Not, Or, Rules, Term, Variable
from ludisect.gdl.unify import (
    Substitution,
    apply,
    bind,
    canonical,
    rename,
    unifiable,
    unify,
    unify_all,
)


@dataclass(frozen=True, slots=True)
class RuleLiteral:
    """An atom with its sign; ``distinct`` is an atom too.

    A negative literal that was unfolded carries the ways in which its atom could hold: it says that none of them does.
    """

    atom: Term
    positive: bool = True
    ways: tuple[Body, ...] | None = None

    @property
    def predicate(self) -> Predicate:
        """Name and number of arguments of the atom."""
        return predicate(self.atom)


Body = tuple[RuleLiteral, ...]


@dataclass(frozen=True, slots=True)
class RuleClause:
    """``head`` holds if all literals do."""

    head: Term
    body: Body

    def atoms(self) -> Iterator[Term]:
        """The head, and the atoms of all literals."""
        yield self.head
        yield from (x.atom for x in literals(self.body))


class _TooManyError(Exception):
    """A rule unfolds into more clauses than are wanted."""


IsForced = Callable[[Term], bool]
"""Whether every move that a ``does`` atom can mean is forced."""


class Clauses:
    """All clauses of a rule sheet, by the predicate of their heads."""

    def __init__(self, rules: Rules, is_forced: IsForced = lambda _: False) -> None:
        self.limits = DecompositionLimits.current()
        self.of: dict[Predicate, list[RuleClause]] = {}
        for rule in rules:
            for body in _disjoint(rule.body):
                clause = _plain(RuleClause(rule.head, body), is_forced)
                # names of their own, so that no term from elsewhere shares a variable by chance
                self.of.setdefault(predicate(rule.head), []).append(RuleClause(*renamed(clause)))
        graph = {p: {x.predicate for c in cs for x in literals(c.body)} for p, cs in self.of.items()}
        self.steps_left = self.limits.clauses_all_steps
        self._written = 0
        self._answers: dict[tuple[object, ...], tuple[bool, bool]] = {}
        self._alike: dict[tuple[Predicate, tuple[str | None, ...]], list[RuleClause]] = {}
        # what is done is legal: a question about moves is a question about the state
        self.moving = leading_to(graph, [("does", 2)])
        self.dynamic = leading_to(graph, [("true", 1), ("does", 2), ("legal", 2)])
        self.next = [c for clause in self.of.get(("next", 1), ()) for c in self._unfolded(clause)]

    def _unfolded(self, clause: RuleClause) -> list[RuleClause]:
        self._written = 0
        try:
            bodies = self._unfold(clause.body, self.limits.clauses_depth)
        except _TooManyError:
            return [clause]
        return [RuleClause(bind(clause.head, bound), bind_body(body, bound)) for body, bound in bodies]

    def _unfold(self, body: Body, depth: int) -> list[tuple[Body, Substitution]]:
        done: list[tuple[Body, Substitution]] = [((), {})]
        for literal in body:
            p = literal.predicate
            if literal.ways is not None:
                ways = tuple(bind_body(b, bound) for w in literal.ways for b, bound in self._unfold(w, depth))
                done = [((*before, RuleLiteral(literal.atom, False, ways)), bound) for before, bound in done]
            elif p not in self.moving or p == ("does", 2) or depth == 0:
                done = [((*before, literal), bound) for before, bound in done]
            elif literal.positive:
                done = self._few(
                    ((*before, *inner), more)
                    for before, bound in done
                    for inner, more in self._definitions(literal.atom, bound, depth - 1)
                )
            else:
                # variables of the other literals keep their names inside: the ways share them
                ways = tuple(
                    (*_values(literal.atom, bound), *bind_body(inner, bound))
                    for inner, bound in self._definitions(literal.atom, {}, depth - 1)
                )
                done = [((*before, RuleLiteral(literal.atom, False, ways)), bound) for before, bound in done]
        return done

    def _few(self, bodies: Iterable[tuple[Body, Substitution]]) -> list[tuple[Body, Substitution]]:
        """The bodies, if they are not too many; else it ends as soon as that is known."""
        out = list(islice(bodies, self.limits.clauses_variants + 1))
        if len(out) > self.limits.clauses_variants:
            raise _TooManyError
        return out

    def _definitions(self, atom: Term, bound: Substitution, depth: int) -> Iterator[tuple[Body, Substitution]]:
        for body, known in self.defining(atom, bound):
            for inner, more in self._unfold(body, depth):
                both = unify_all(more.items(), known)
                if both is not None:
                    self._write(inner)
                    yield inner, both

    def defining(self, atom: Term, bound: Substitution | None = None) -> Iterator[tuple[Body, Substitution]]:
        """The bodies of the rules whose heads an atom matches, in variables of their own, with what the match binds."""
        for clause in self._matching(atom):
            head, body = renamed(clause)
            known = unify(head, atom, bound or {})  # in this order, what can keep its name does
            if known is not None:
                yield body, known

    def _write(self, body: Body) -> None:
        """Count the literals of a body; negations inside negations make them many without making many bodies."""
        self._written += sum(1 for _ in literals(body))
        if self._written > self.limits.clauses_literals:
            raise _TooManyError
        spend(0)

    # ---- static questions ----

    def is_static(self, literal: RuleLiteral) -> bool:
        """Whether neither the state nor the moves matter to a literal."""
        return literal.ways is None and literal.predicate not in self.dynamic

    def possible(self, literals: Sequence[RuleLiteral], bound: Substitution) -> bool:
        """Whether some values make all static literals hold; yes if the search for them takes too long."""
        if self.steps_left <= 0:
            return True
        static = _ordered(x for x in literals if self.is_static(x))
        found, is_open = self._ask(static, bound)
        return found or is_open

    def proves(self, atom: Term) -> bool:
        """Whether a static atom is found to hold for some values of its variables."""
        return self._ask([RuleLiteral(atom)], {})[0]

    def certain(self, literal: RuleLiteral, bound: Substitution) -> bool:
        """Whether a static literal holds whatever the values of its variables; no if that is not found out."""
        atom = bind(literal.atom, bound)
        if literal.predicate == ("distinct", 2):
            left, right = atom.args
            return not unifiable(left, right) if literal.positive else left == right
        if not atom.is_ground:
            return False
        found, is_open = self._ask([RuleLiteral(atom)], {})
        return found if literal.positive else not found and not is_open

    def _ask(self, goals: Sequence[RuleLiteral], bound: Substitution) -> tuple[bool, bool]:
        """Whether a solution was found, and whether the search was broken off. Questions come again and again."""
        if not goals:
            return True, False
        atoms = canonical(Term("", tuple(apply(x.atom, bound) for x in goals)))
        key = (atoms, tuple(x.positive for x in goals))
        if key not in self._answers:
            allowed = min(self.limits.clauses_steps, self.steps_left)
            budget = [allowed]
            found = next(self._solve(goals, bound, budget), None) is not None
            self.steps_left -= allowed - max(budget[0], 0)
            self._answers[key] = found, budget[0] <= 0
        return self._answers[key]

    def _solve(self, goals: Sequence[RuleLiteral], bound: Substitution, budget: list[int]) -> Iterator[Substitution]:
        if not goals:
            yield bound
            return
        budget[0] -= 1
        if budget[0] <= 0:
            return
        goal, rest = goals[0], goals[1:]
        atom = bind(goal.atom, bound)
        if goal.predicate == ("distinct", 2):
            left, right = atom.args
            if left != right if goal.positive else unifiable(left, right):
                yield from self._solve(rest, bound, budget)
        elif not goal.positive:
            proven = atom.is_ground and next(self._solve([RuleLiteral(atom)], {}, budget), None) is not None
            if not proven:
                yield from self._solve(rest, bound, budget)
        else:
            for clause in self._matching(atom):
                budget[0] -= 1
                head, body = renamed(clause)
                known = unify(head, atom, bound)
                if known is not None:
                    yield from self._solve([*_ordered(body), *rest], known, budget)
                if budget[0] <= 0:
                    return

    def _matching(self, atom: Term) -> list[RuleClause]:
        """The clauses for an atom whose constants do not differ from its own; tables have many that do."""
        constants = _constants(atom)
        key = (predicate(atom), constants)
        if key not in self._alike:
            self._alike[key] = [
                clause
                for clause in self.of.get(key[0], ())
                if not any(
                    a is not None and b is not None and a != b
                    for a, b in zip(constants, _constants(clause.head), strict=True)
                )
            ]
        return self._alike[key]


def renamed(clause: RuleClause) -> tuple[Term, Body]:
    """A clause with fresh variables."""
    if not clause.body and clause.head.is_ground:
        return clause.head, clause.body
    names: dict[Variable, Variable] = {}
    return rename(clause.head, names), each_atom(clause.body, lambda a: rename(a, names))


def each_atom(body: Body, change: Callable[[Term], Term]) -> Body:
    """A body with other atoms, inside the ways of its literals too."""
    return tuple(
        RuleLiteral(change(x.atom), x.positive, None if x.ways is None else tuple(each_atom(w, change) for w in x.ways))
        for x in body
    )


def bind_body(body: Body, bound: Substitution) -> Body:
    """A body with bindings put in."""
    return each_atom(body, lambda a: bind(a, bound))


def _values(atom: Term, bound: Substitution) -> Body:
    """What a definition demands of the variables of an atom, as literals."""
    return tuple(
        RuleLiteral(Term("distinct", (v, apply(v, bound))), False)
        for v in dict.fromkeys(atom.variables())
        if v in bound
    )


def _ordered(literals: Iterable[RuleLiteral]) -> list[RuleLiteral]:
    """Positive literals first: they bind what the others compare."""
    return sorted(literals, key=lambda x: not x.positive or x.predicate == ("distinct", 2))


def _constants(atom: Term) -> tuple[str | None, ...]:
    """The arguments of an atom that are constants, by name; nothing in the other places."""
    return tuple([a.name if isinstance(a, Term) and not a.args else None for a in atom.args])


def literals(body: Body) -> Iterator[RuleLiteral]:
    """All literals of a body, those in the ways of a negated one instead of it."""
    for literal in body:
        if literal.ways is None:
            yield literal
        else:
            for way in literal.ways:
                yield from literals(way)


def _disjoint(body: Sequence[Formula]) -> list[Body]:
    """The conjunctions whose disjunction a body is."""
    done: list[Body] = [()]
    for formula in body:
        done = [(*before, *more) for before in done for more in _cases(formula)]
    return done


def _cases(formula: Formula) -> list[Body]:
    if isinstance(formula, Term):
        return [(RuleLiteral(formula),)]
    if isinstance(formula, Distinct):
        return [(RuleLiteral(Term("distinct", (formula.left, formula.right))),)]
    if isinstance(formula, And):
        return _disjoint(formula.parts)
    if isinstance(formula, Or):
        return [case for part in formula.parts for case in _cases(part)]
    inner = formula.body
    if isinstance(inner, Not):
        return _cases(inner.body)
    ways = tuple(_cases(inner))
    if all(len(w) == 1 and w[0].ways is None for w in ways):
        return [tuple(RuleLiteral(w[0].atom, not w[0].positive) for w in ways)]
    return [(RuleLiteral(Term("not"), False, ways),)]


def _plain(clause: RuleClause, is_forced: IsForced) -> RuleClause:
    """Without ``does`` where it says nothing about a choice."""
    seen = [v for atom in clause.atoms() for v in atom.variables()]

    def plain(atom: Term) -> Term:
        if predicate(atom) != ("does", 2):
            return atom
        role, move = atom.args
        if isinstance(move, Variable) and seen.count(move) == 1:
            return Term("role", (role,))
        return Term("legal", (role, move)) if is_forced(atom) else atom

    return RuleClause(clause.head, each_atom(clause.body, plain))
