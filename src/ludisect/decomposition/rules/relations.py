"""Potential effects and preconditions of moves, read off the rules (Zhao and others 2009, Def. 1).

The definition is that of Zhao, Schiffel and Thielscher 2009.

A fluent is a potential *positive effect* of a move if some rule for it that is no frame axiom can apply when the move
is made, a potential *negative effect* if no frame axiom is sure to apply then, and a potential *precondition* if it is
in the call graph of the move's ``legal`` rules or of the rules for one of its effects.

Who is responsible for what all moves do alike? The definition says "every move"; that ties every lamp that fades by
itself to every move of the game. Here, under the reading "mentioned", a move is responsible for the change of a fluent
if some rule for that fluent names it under ``does``, and moves that no rule names share what happens by default: it
is their effect only if it differs from what some named move leaves as it was. ``reading="compatible"`` is the
definition to the letter, for one role.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal as Choice

from ludisect.decomposition.rules.callgraph import CallGraph
from ludisect.decomposition.rules.clauses import Body, Clauses, RuleClause, RuleLiteral, bind_body, literals
from ludisect.decomposition.rules.entailment import DOES, TRUE, Entailment, done_by
from ludisect.decomposition.rules.lumps import ROLE, Lumps, MoveLump
from ludisect.effort import spend
from ludisect.gdl.dependence import Predicate, predicate
from ludisect.gdl.terms import Term, TermOrVariable, Variable
from ludisect.gdl.unify import Substitution, bind, generalise, unifiable, unify, variables_of

Reading = Choice["mentioned", "compatible"]


@dataclass(frozen=True, slots=True)
class Effect:
    """A move lump may make a fluent lump true or false. ``args``: the places of the move that the rule uses."""

    move: int
    fluent: int
    positive: bool
    args: frozenset[int]


@dataclass(frozen=True, slots=True)
class Precondition:
    """A literal that a move, or one of its effects, rests on, and the fluent lumps in its call graph.

    ``legal`` tells conditions of the move itself from conditions of its effects.
    """

    move: int
    atom: Term
    positive: bool
    fluents: frozenset[int]
    args: frozenset[int]
    legal: bool


@dataclass(frozen=True, slots=True)
class Flow:
    """A literal by which a fluent lump follows others without a move's doing."""

    fluent: int
    atom: Term
    fluents: frozenset[int]


@dataclass(slots=True)
class Relations:
    """All that ties fluents and moves: the edges of the dependency graph before any of them is set aside."""

    effects: set[Effect] = field(default_factory=set)
    preconditions: set[Precondition] = field(default_factory=set)
    flows: set[Flow] = field(default_factory=set)
    independent: set[int] = field(default_factory=set)
    """Fluent lumps that no choice of moves can influence."""
    context_edges: set[tuple[int, int]] = field(default_factory=set)
    """Which of the independent lumps read each other."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A rule for a class of fluents: its body with the fluent put in.

    ``covers``: the head stands for every member of the class; ``frame``: the body implies that the fluent holds.
    """

    clause: RuleClause
    body: Body
    covers: bool
    frame: bool
    does: tuple[Term, ...]


class Potential:
    """Finds the relations among the lumps of one game."""

    def __init__(
        self,
        clauses: Clauses,
        lumps: Lumps,
        *,
        noops: Collection[int] = (),
        alternating: bool = False,
        reading: Reading = "mentioned",
    ) -> None:
        """``noops``: move lumps that leave their role no choice; where no rule names them, nothing is their effect.

        ``alternating``: never do two roles have a choice at once.
        """
        self.clauses, self.lumps, self.reading = clauses, lumps, reading
        self.graph = CallGraph(clauses)
        self.logic = Entailment(clauses, alternating=alternating)
        self._resting: dict[Term, frozenset[int]] = {}
        self._done = [_done(lump, lumps.game.roles) for lump in lumps.moves]
        for lump in lumps.moves:
            self.logic.register(lump.pattern, [lumps.game.moves[r][i] for r, i in lump.members])
        named = [a for c in clauses.next for a in self._does_atoms(c.body)]
        self.noops = {m for m in noops if not any(unifiable(a, done) for done in self._done[m] for a in named)}

    def relations(self, apart: Iterable[int] | None = None) -> Relations:
        """Everything; ``apart`` overrides which fluent lumps are set apart as action-independent."""
        out = Relations()
        rules = [self._rules_of(f.pattern) for f in self.lumps.fluents]
        out.independent, reads = self._independent(rules)
        if apart is not None:
            out.independent = set(apart)
        out.context_edges = {(f, g) for f in out.independent for g in reads[f] & out.independent if f != g}
        for m in range(len(self.lumps.moves)):
            out.preconditions.update(self._legality(m, out.independent))
        for f in range(len(self.lumps.fluents)):
            if f not in out.independent:
                self._changes(f, rules[f], out)
        # a move without effect ties nothing together, whatever its legality rests on
        acting = {e.move for e in out.effects}
        out.preconditions = {p for p in out.preconditions if p.move in acting}
        return out

    # ---- fluents that run by themselves ----

    def _rules_of(self, pattern: Term) -> list[RuleClause]:
        return [c for c in self.clauses.next if unifiable(c.head.args[0], pattern)]

    def _independent(self, rules: Sequence[Sequence[RuleClause]]) -> tuple[set[int], list[set[int]]]:
        reads: list[set[int]] = []
        found: set[int] = set()
        for f, mine in enumerate(rules):
            atoms: set[Term] = set()
            for clause in mine:
                bound = unify(clause.head.args[0], self.lumps.fluents[f].pattern, {})
                assert bound is not None
                for literal in literals(clause.body):
                    if not self.clauses.is_static(literal):
                        atoms |= self.graph.of_atom(bind(literal.atom, bound))
            if not any((a.name, len(a.args)) == DOES for a in atoms):
                found.add(f)
            reads.append({g for a in atoms if (a.name, len(a.args)) == TRUE for g in self.lumps.touched(a.args[0])})
        while True:
            kept = {f for f in found if reads[f] <= found}
            if kept == found:
                return found, reads
            found = kept

    def _fluents(self, atom: Term, apart: set[int]) -> frozenset[int]:
        """The fluent lumps in the call graph of an atom that are not set apart."""
        if atom not in self._resting:
            self._resting[atom] = frozenset(
                g for f in self.graph.fluents([atom]) for g in self.lumps.touched(_fluent(f))
            )
        return self._resting[atom] - apart

    def _read(self, body: Body, literal: RuleLiteral, bound: Substitution, apart: set[int]) -> frozenset[int]:
        """The fluent lumps that a literal of a body rests on; of a fluent itself, those that the facts allow."""
        atom = bind(literal.atom, bound)
        fluents = self._fluents(atom, apart)
        if literal.predicate != TRUE or len(fluents) < 2 or self.clauses.steps_left <= 0:
            return fluents
        allowed = set()
        for g in fluents:
            joined = unify(atom.args[0], self.lumps.fluents[g].pattern, bound)
            if joined is not None and self.clauses.possible(body, joined):
                allowed.add(g)
        return frozenset(allowed)

    # ---- legality ----

    def _legality(self, m: int, apart: set[int]) -> Iterator[Precondition]:
        lump = self.lumps.moves[m]
        asked = Term("legal", (role_term(lump), lump.pattern))
        for clause in self.clauses.of.get(("legal", 2), ()):
            bound = unify(clause.head, asked, {})
            if bound is None:
                continue
            for literal in literals(clause.body):
                if self.clauses.is_static(literal):
                    continue
                atom = bind(literal.atom, bound)
                fluents = self._read(clause.body, literal, bound, apart)
                if fluents:
                    args = shared_args(clause.head.args[1], variables_of([literal.atom]))
                    yield Precondition(m, atom, literal.positive, fluents, args, True)

    # ---- changes of one fluent lump ----

    def _changes(self, f: int, rules: Sequence[RuleClause], out: Relations) -> None:
        for pattern, members in self._classes(f, rules):
            self.logic.register(pattern, members)
            cases = [case for c in rules if (case := self._case(c, pattern)) is not None]
            named = self._named(cases)
            kept = {m for m in sorted(named) if not self._effects_of(m, f, pattern, named[m], cases, out)}
            self._default(f, pattern, cases, set(named), kept, out)
            for case in cases:
                if not any(x.predicate == DOES and x.positive for x in case.body):
                    self._flows(f, case, out)

    def _classes(self, f: int, rules: Sequence[RuleClause]) -> list[tuple[Term, list[Term]]]:
        """The members of a lump by the rules that can make them true: different rules, different frame axioms."""
        kinds: dict[tuple[bool, ...], list[Term]] = {}
        for index in self.lumps.fluents[f].members:
            term = self.lumps.game.fluents[index]
            kinds.setdefault(tuple(unifiable(c.head.args[0], term) for c in rules), []).append(term)
        return [(generalise(terms), terms) for terms in kinds.values()]

    def _case(self, clause: RuleClause, pattern: Term) -> _Case | None:
        bound = unify(clause.head.args[0], pattern, {})
        if bound is None:
            return None
        body = bind_body(clause.body, bound)
        covers = bind(pattern, bound) == pattern
        return _Case(clause, body, covers, self.logic.is_frame(body, pattern), tuple(self._does_atoms(body)))

    def _does_atoms(self, body: Body) -> Iterator[Term]:
        """The ``does`` atoms of a body; of predicates that could not be unfolded, those in their call graphs."""
        for literal in literals(body):
            if literal.predicate == DOES:
                yield literal.atom
            elif literal.predicate in self.clauses.moving:
                yield from (a for a in self.graph.of_atom(literal.atom) if (a.name, len(a.args)) == DOES)

    def _named(self, cases: Sequence[_Case]) -> dict[int, list[tuple[_Case, Term]]]:
        """Per move lump that rules name: the rules, and the move as made by one of its roles."""
        out: dict[int, list[tuple[_Case, Term]]] = {}
        for case in cases:
            meant = {m for atom in case.does for m in self.lumps.meant(atom.args[1])}
            if self.reading == "compatible":
                meant = set(range(len(self.lumps.moves)))
            for m in meant - self.noops:
                for done in self._done[m]:
                    named = any(unifiable(atom, done) for atom in case.does)
                    if named or (self.reading == "compatible" and not case.does):
                        out.setdefault(m, []).append((case, done))
        return out

    def _effects_of(
        self,
        m: int,
        f: int,
        pattern: Term,
        naming: Sequence[tuple[_Case, Term]],
        cases: Sequence[_Case],
        out: Relations,
    ) -> bool:
        """Record what a move that the rules name does to a class of fluents; False if it leaves them alone."""
        spend(0)
        move = predicate(self.lumps.moves[m].pattern)
        effects: set[Effect] = set()
        for case, done in naming:
            if not case.frame and self.logic.compatible(case.body, pattern, done):
                effects.add(Effect(m, f, True, used_args(case.clause, move)))
        for done in self._done[m]:
            mine = [used_args(case.clause, move) for case, by in naming if by == done]
            if mine and not any(c.covers and self.logic.sure(c.body, pattern, done) for c in cases):
                effects.add(Effect(m, f, False, frozenset[int]().union(*mine)))
        if not effects:
            return False
        out.effects |= effects
        args = frozenset[int]().union(*(e.args for e in effects))
        for done in self._done[m]:
            for case in cases:
                if self.logic.compatible(case.body, pattern, done):
                    self._conditions(m, case, done, args, out)
        return True

    def _conditions(self, m: int, case: _Case, done: Term, args: frozenset[int], out: Relations) -> None:
        bound: Substitution = {}
        for literal in case.body:
            if literal.predicate == DOES and literal.positive:
                bound = unify(literal.atom, done, bound) or bound
        for literal in literals(case.body):
            if self.clauses.is_static(literal) or literal.predicate == DOES:
                continue  # what a move needs to be made is its own affair, this one's and those of other roles
            atom = bind(literal.atom, bound)
            fluents = self._read(case.body, literal, bound, out.independent)
            if fluents:
                out.preconditions.add(Precondition(m, atom, literal.positive, fluents, args, False))

    def _default(
        self, f: int, pattern: Term, cases: Sequence[_Case], named: set[int], kept: set[int], out: Relations
    ) -> None:
        """Moves that no rule names: all of them have the effect that the rules have by default."""
        if not kept or self.reading == "compatible":
            return
        nobody = Term("does", (Variable("nobody"), Term("")))
        if any(c.covers and self.logic.sure(c.body, pattern, nobody) for c in cases):
            return
        for m in range(len(self.lumps.moves)):
            if m in named or m in self.noops or not self._affects(m, cases):
                continue
            if not all(
                any(c.covers and self.logic.sure(c.body, pattern, done) for c in cases) for done in self._done[m]
            ):
                out.effects.add(Effect(m, f, False, frozenset()))

    def _affects(self, m: int, cases: Sequence[_Case]) -> bool:
        """Whether a role of the lump occurs under ``does`` in the rules: the paper's "r affects f"."""
        roles = [done_by(done) for done in self._done[m]]
        return any(unifiable(a.args[0], r) for c in cases for a in c.does for r in roles)

    def _flows(self, f: int, case: _Case, out: Relations) -> None:
        for literal in literals(case.body):
            if literal.predicate != DOES and not self.clauses.is_static(literal):
                fluents = self._fluents(literal.atom, out.independent) - {f}
                if fluents:
                    out.flows.add(Flow(f, literal.atom, fluents))


def _fluent(term: Term) -> TermOrVariable:
    """Undo the wrapping of a variable that stands for any fluent."""
    return term.args[0] if not term.name else term


def role_term(lump: MoveLump) -> TermOrVariable:
    """The role that makes the moves of a lump, or a variable if there are several."""
    return Variable("role") if lump.role is None else Term.parse(lump.role)


def _done(lump: MoveLump, roles: Sequence[str]) -> list[Term]:
    """``does`` atoms of a lump, one per role that makes its moves."""
    makers = sorted({r for r, _ in lump.members})
    return [Term("does", (Term.parse(roles[r]), lump.pattern)) for r in makers]


def used_args(clause: RuleClause, symbol: Predicate) -> frozenset[int]:
    """The places of a move that a rule uses: what stands there under ``does`` is no variable, or occurs again.

    The role counts as place ROLE.
    """
    of_any, by_symbol = _used(clause)
    return by_symbol.get(symbol, frozenset()) | frozenset(range(symbol[1]) if of_any else ())


@lru_cache(maxsize=4096)
def _used(clause: RuleClause) -> tuple[bool, dict[Predicate, frozenset[int]]]:
    """Whether a rule asks for a move without a name, and the places that it uses of those with one."""
    counts = Counter(v for term in clause.atoms() for v in term.variables())
    of_any = False
    out: dict[Predicate, frozenset[int]] = {}
    for literal in literals(clause.body):
        if literal.predicate != DOES:
            continue
        role, done = literal.atom.args
        if isinstance(done, Variable):
            of_any = True
            continue
        places = (*enumerate(done.args), (ROLE, role))
        used = {k for k, arg in places if not isinstance(arg, Variable) or counts[arg] > 1}
        out[predicate(done)] = out.get(predicate(done), frozenset()) | used
    return of_any, out


def shared_args(move: TermOrVariable, wanted: set[Variable]) -> frozenset[int]:
    """The places of a move in a head whose variables are among the wanted ones."""
    if isinstance(move, Variable):
        return frozenset()
    return frozenset(k for k, arg in enumerate(move.args) if variables_of([arg]) & wanted)
