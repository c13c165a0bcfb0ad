"""Rule splitting: literals around one variable become a predicate of their own, so fewer variables meet.

A rule with n variables over domains of size d can have d^n ground instances. Eliminating a body variable v (every
literal that holds v goes into an auxiliary rule, whose head keeps the other variables) is one step of bucket
elimination: the rule becomes two with fewer variables each. The idea is known from tree decompositions of rules
(Morak and Woltran, "Preprocessing of Complex Non-Ground Rules in Answer Set Programming", ICLP 2012). The auxiliary
atoms become shared gates of the circuit, which makes it smaller too; see ``ground`` for when splitting is not used.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludisect.gdl.terms import Term, TermOrVariable, Variable
from ludisect.ground.limits import GroundLimits
from ludisect.ground.normalize import AUXILIARY, BodyLiteral, Clause, Literal, Unequal


def split(clauses: Iterable[Clause], *, prefix: str = "join") -> list[Clause]:
    """Split every clause as far as it pays; equal auxiliary bodies share one predicate, its name begins with prefix."""
    splitter = _Splitter(prefix, GroundLimits.current().split_literals)
    for clause in clauses:
        splitter.add(clause)
    return splitter.out


class _Splitter:
    def __init__(self, prefix: str, most: int) -> None:
        self.prefix, self.most = prefix, most
        self.out: list[Clause] = []
        self.known: dict[tuple[object, ...], str] = {}

    def add(self, clause: Clause) -> None:
        head, body = clause.head, list(clause.body)
        if 1 < len(body) <= self.most:
            fixed = frozenset(head.variables())
            while (found := _best(body, fixed)) is not None:
                variable, bucket = found
                body = [lit for lit in body if lit not in bucket]
                body.append(self.auxiliary(bucket, variable))
        self.out.append(Clause(head, tuple(body)))

    def auxiliary(self, bucket: list[BodyLiteral], variable: Variable) -> Literal:
        """A literal that stands for the join of ``bucket`` with ``variable`` projected away."""
        kept = sorted({v for lit in bucket for v in lit.variables()} - {variable}, key=lambda v: v.name)
        rename = {v: Variable(f"v{i}") for i, v in enumerate([*kept, variable])}
        body = tuple(sorted((_rename(lit, rename) for lit in bucket), key=str))
        key = (body, len(kept))
        name = self.known.get(key)
        if name is None:
            name = self.known[key] = f"{AUXILIARY}{self.prefix}{len(self.known)}"
            self.out.append(Clause(Term(name, tuple(rename[v] for v in kept)), body))
        return Literal(Term(name, tuple(kept)))


def _best(body: list[BodyLiteral], fixed: frozenset[Variable]) -> tuple[Variable, list[BodyLiteral]] | None:
    """The variable whose elimination joins fewest variables, if that is fewer than the whole rule has."""
    sets = [lit.variables() for lit in body]
    everything = fixed.union(*sets)
    best: tuple[int, int, str] | None = None
    choice: tuple[Variable, list[BodyLiteral]] | None = None
    for variable in everything - fixed:
        joined = frozenset[Variable]().union(*(s for s in sets if variable in s))
        if len(joined) >= len(everything):
            continue
        # Literals over the joined variables only come along: they are filters that keep the join small.
        bucket = [lit for lit, s in zip(body, sets, strict=True) if s and s <= joined]
        bound = frozenset[Variable]().union(
            *(lit.variables() for lit in bucket if isinstance(lit, Literal) and lit.positive)
        )
        if not joined <= bound or len(bucket) >= len(body):
            continue
        rank = (len(joined), len(bucket), variable.name)
        if best is None or rank < best:
            best, choice = rank, (variable, bucket)
    return choice


def _rename(literal: BodyLiteral, names: dict[Variable, Variable]) -> BodyLiteral:
    if isinstance(literal, Unequal):
        return Unequal(_rename_term(literal.left, names), _rename_term(literal.right, names))
    atom = _rename_term(literal.atom, names)
    assert isinstance(atom, Term)
    return Literal(atom, literal.positive)


def _rename_term(term: TermOrVariable, names: dict[Variable, Variable]) -> TermOrVariable:
    if isinstance(term, Variable):
        return names[term]
    if not term.args:
        return term
    return Term(term.name, tuple(_rename_term(a, names) for a in term.args))
