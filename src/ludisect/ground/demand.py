"""Demand: derive an atom only where some rule may ask for it.

A grounder works bottom up: it derives every atom of every predicate, also those that nothing reads. A predicate that
counts from a given number, or measures from a given cell, is defined for all numbers and cells and is asked for few.
The remedy is known from databases as magic sets (Beeri and Ramakrishnan, "On the power of magic", PODS 1987): a new
predicate holds the arguments that a predicate is called with, and guards its rules.

Two things differ here. The state is not known when rules are grounded, so the demand is that of any state: demand
clauses read a relaxed copy of the rules, in which fluents that can hold do hold and what hangs on them is never
negated. The relaxed copy has no inputs; its atoms are facts, which the grounder evaluates away, so that guards leave no
trace in the ground rules. And each predicate gets one guard, over the argument positions that are bound in all of
its calls, because a copy for each way to call it would copy gates.

Names across this arrow: predicate ``p`` -> ``p`` with a guard ``wanted p`` in its bodies; the relaxed copy is
``possible p``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ludisect.gdl.terms import Term, Variable, variables
from ludisect.ground.normalize import AUXILIARY, BodyLiteral, Clause, Literal, Unequal
from ludisect.ground.rewriting import Predicate, by_head, predicate_of
from ludisect.ground.split import split

INPUTS: tuple[Predicate, ...] = (("true", 1), ("does", 2))

ASKED: tuple[Predicate, ...] = (
    ("role", 1), ("init", 1), ("next", 1), ("legal", 2), ("goal", 2), ("terminal", 0),
)  # fmt: skip
"""What is read from outside, and therefore wanted in full."""


def needed(clauses: Iterable[Clause]) -> list[Clause]:
    """The clauses that the asked predicates depend on."""
    given = list(clauses)
    found = _reach(by_head(given), ASKED)
    return [clause for clause in given if predicate_of(clause.head) in found]


def restrict(clauses: Iterable[Clause]) -> list[Clause]:
    """Clauses with the same meaning for the asked predicates, in which other predicates hold only where wanted."""
    given = needed(clauses)
    plan = _plan(given)
    if not plan.bound:
        return given
    demand: dict[Clause, None] = {}
    out: list[Clause] = []
    for clause in given:
        out.append(plan.guarded(clause, clause.body))
        demand |= dict.fromkeys(plan.demand_of(clause))
    relaxed = [
        plan.relaxed(clause) for clause in (*given, *_INPUT_CLAUSES) if predicate_of(clause.head) in plan.dynamic
    ]
    static = [clause for clause in out if predicate_of(clause.head) not in plan.dynamic]
    support = by_head([*split(demand, prefix="demand"), *relaxed, *static])
    wanted = _reach(support, {predicate_of(clause.head) for clause in demand})
    known = {predicate_of(clause.head) for clause in out}
    return out + [clause for predicate in support if predicate in wanted - known for clause in support[predicate]]


def _reach(defined: dict[Predicate, list[Clause]], start: Iterable[Predicate]) -> set[Predicate]:
    """Every predicate that the given ones depend on, themselves included."""
    found = set(start)
    todo = list(found)
    while todo:
        for clause in defined.get(todo.pop(), ()):
            for literal in clause.body:
                if isinstance(literal, Literal) and predicate_of(literal.atom) not in found:
                    found.add(predicate_of(literal.atom))
                    todo.append(predicate_of(literal.atom))
    return found


_FLUENT, _ROLE, _MOVE = Variable("f"), Variable("r"), Variable("m")

_INPUT_CLAUSES = (
    Clause(Term("true", (_FLUENT,)), (Literal(Term("init", (_FLUENT,))),)),
    Clause(Term("true", (_FLUENT,)), (Literal(Term("next", (_FLUENT,))),)),
    Clause(Term("does", (_ROLE, _MOVE)), (Literal(Term("legal", (_ROLE, _MOVE))), Literal(Term("role", (_ROLE,))))),
)
"""What can hold and be done, in the relaxed copy."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which predicates hang on the state or the moves, and by which argument positions the others are guarded."""

    reading: _Reading
    dynamic: frozenset[Predicate]
    bound: dict[Predicate, tuple[int, ...]]

    def guard(self, atom: Term) -> Literal | None:
        """The literal that says that an atom is wanted; none if it always is."""
        positions = self.bound.get(predicate_of(atom))
        if not positions:
            return None
        name = f"{AUXILIARY}wanted {len(atom.args)} {atom.name}"
        return Literal(Term(name, tuple(atom.args[i] for i in positions)))

    def guarded(self, clause: Clause, body: tuple[BodyLiteral, ...]) -> Clause:
        guard = self.guard(clause.head)
        return Clause(clause.head, body if guard is None else (guard, *body))

    def relax(self, literals: Iterable[BodyLiteral]) -> tuple[BodyLiteral, ...]:
        """What of a body can be said without knowing the state: an over-approximation."""
        out: list[BodyLiteral] = []
        for literal in literals:
            if isinstance(literal, Unequal) or predicate_of(literal.atom) not in self.dynamic:
                out.append(literal)
            elif literal.positive:
                out.append(Literal(_possible(literal.atom)))
        return tuple(out)

    def relaxed(self, clause: Clause) -> Clause:
        whole = self.guarded(clause, self.relax(clause.body))
        return Clause(_possible(whole.head), whole.body)

    def demand_of(self, clause: Clause) -> Iterable[Clause]:
        """One clause for each guarded literal of a body: wanted if the head is, and what is read before can hold."""
        own = self.guard(clause.head)
        order = self.reading.order(clause, self.bound)
        for i, literal in enumerate(order):
            guard = self.guard(literal.atom) if isinstance(literal, Literal) else None
            if guard is None:
                continue
            before = ((own,) if own is not None else ()) + self.relax(order[:i])
            if guard not in before:
                yield Clause(guard.atom, _connected(before, guard.variables()))


def _possible(atom: Term) -> Term:
    return Term(f"{AUXILIARY}possible {atom.name}", atom.args)


def _connected(body: tuple[BodyLiteral, ...], given: frozenset[Variable]) -> tuple[BodyLiteral, ...]:
    """The literals that share variables with the given ones, through others too; the rest would only multiply."""
    reached, kept = set(given), list[BodyLiteral]()
    rest = list(body)
    while True:
        touching = [literal for literal in rest if not reached.isdisjoint(literal.variables())]
        if not touching:
            break
        kept += touching
        rest = [literal for literal in rest if literal not in touching]
        reached.update(*(literal.variables() for literal in touching))
    return tuple(literal for literal in body if literal in kept)


def _plan(clauses: list[Clause]) -> _Plan:
    defined = by_head(clauses)
    dynamic = _depending_on(clauses, INPUTS)
    # A static predicate that is negated must be known in full before the demand is, or the demand would be circular.
    negated = {
        predicate_of(literal.atom)
        for clause in clauses
        for literal in clause.body
        if isinstance(literal, Literal) and not literal.positive and predicate_of(literal.atom) not in dynamic
    }
    # What init and role depend on is asked for before any demand is known, too.
    in_full = _reach(defined, negated | {("init", 1), ("role", 1)}) | set(ASKED) | set(INPUTS)
    bound = {
        predicate: frozenset(range(predicate[1]))
        for predicate, of_predicate in defined.items()
        if predicate not in in_full and any(clause.body for clause in of_predicate)
    }
    reading = _Reading(defined, dynamic)
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            positions = {predicate: tuple(sorted(at)) for predicate, at in bound.items() if at}
            have = _bound_in_head(clause.head, positions)
            for literal in reading.order(clause, positions):
                if isinstance(literal, Literal):
                    predicate = predicate_of(literal.atom)
                    at = bound.get(predicate)
                    if at:
                        now = at & _bound_positions(literal.atom, have)
                        changed = changed or now != at
                        bound[predicate] = now
                    if literal.positive:
                        have = have | literal.variables()
    return _Plan(reading, dynamic, {predicate: tuple(sorted(at)) for predicate, at in bound.items() if at})


def _depending_on(clauses: list[Clause], sources: Iterable[Predicate]) -> frozenset[Predicate]:
    """The given predicates and every one that is defined by way of them."""
    readers: dict[Predicate, set[Predicate]] = {}
    for clause in clauses:
        for literal in clause.body:
            if isinstance(literal, Literal):
                readers.setdefault(predicate_of(literal.atom), set()).add(predicate_of(clause.head))
    found = set(sources)
    todo = list(found)
    while todo:
        new = readers.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return frozenset(found)


def _bound_in_head(head: Term, positions: dict[Predicate, tuple[int, ...]]) -> frozenset[Variable]:
    return frozenset(v for i in positions.get(predicate_of(head), ()) for v in variables(head.args[i]))


def _bound_positions(atom: Term, have: frozenset[Variable]) -> frozenset[int]:
    return frozenset(i for i, arg in enumerate(atom.args) if have.issuperset(variables(arg)))


@dataclass(frozen=True, slots=True)
class _Reading:
    """The order in which the literals of a body pass bindings on."""

    defined: dict[Predicate, list[Clause]]
    dynamic: frozenset[Predicate]

    def order(self, clause: Clause, positions: dict[Predicate, tuple[int, ...]]) -> list[BodyLiteral]:
        """Tests first, then what has no guard, calls last; of equals, what binds fewest new variables."""
        have = _bound_in_head(clause.head, positions)
        rest = list(enumerate(clause.body))
        out: list[BodyLiteral] = []
        while rest:
            ready = [(i, lit) for i, lit in rest if _positive(lit) or have >= lit.variables()]
            at, best = min(ready, key=lambda entry: (*self.rank(entry[1], have, positions), entry[0]))
            out.append(best)
            if _positive(best):
                have = have | best.variables()
            rest = [entry for entry in rest if entry[0] != at]
        return out

    def rank(
        self, literal: BodyLiteral, have: frozenset[Variable], positions: dict[Predicate, tuple[int, ...]]
    ) -> tuple[int, ...]:
        new = literal.variables() - have
        if not new:
            return (0,)
        assert isinstance(literal, Literal)
        predicate = predicate_of(literal.atom)
        loose = bool(have) and predicate not in self.dynamic and self.multiplies(literal.atom, have)
        return (1, loose, predicate in positions, len(new), predicate[1])

    def multiplies(self, atom: Term, have: frozenset[Variable]) -> bool:
        """Whether the arguments that are free can be combined with any that are bound, by some clause of the atom.

        ``(<= (differ ?x ?y) (d ?x) (d ?y) (distinct ?x ?y))`` is such a clause: to bind ?y by it gains nothing.
        """
        at = _bound_positions(atom, have)
        if not at:
            return have.isdisjoint(atom.variables())
        for clause in self.defined.get(predicate_of(atom), ()):
            reached = {v for i in at for v in variables(clause.head.args[i])}
            while True:
                more = {
                    v
                    for literal in clause.body
                    if _positive(literal) and not reached.isdisjoint(literal.variables())
                    for v in literal.variables()
                }
                if more <= reached:
                    break
                reached |= more
            if not reached.issuperset(clause.head.variables()):
                return True
        return False


def _positive(literal: BodyLiteral) -> bool:
    return isinstance(literal, Literal) and literal.positive
