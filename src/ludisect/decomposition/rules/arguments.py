"""Which arguments to tell apart: the two published heuristics.

An argument of a fluent is told apart if its value never changes from one state to the next. ``thesis`` (Zhao 2009,
§3.3): in every rule for the fluent, the argument comes from the same argument of the same fluent, directly, through
other predicates, or through the ``legal`` rules of a move. ``paper`` (Zhao, Schiffel, Thielscher 2009, §3): besides,
no rule looks at an instance of the fluent with another value there. The argument of a move is told apart if it is
that of a fluent in some rule; the role counts as an argument of the move.

The paper's words, taken literally, would not tell the heaps of its own Nim apart: the rule that keeps a heap asks for
a move on another heap, whose legality looks at that other heap. So ``does`` is followed only where it holds the
argument in question.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Literal as Choice

from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.rules.callgraph import CallGraph
from ludisect.decomposition.rules.clauses import Clauses, RuleClause, RuleLiteral, literals
from ludisect.decomposition.rules.entailment import DOES, TRUE
from ludisect.decomposition.rules.lumps import ROLE, Places
from ludisect.gdl.dependence import Predicate, predicate
from ludisect.gdl.terms import Term, TermOrVariable, Variable
from ludisect.gdl.unify import apply, bind, variables_of

Heuristic = Choice["paper", "thesis"]


def places(
    clauses: Clauses, graph: CallGraph, heuristic: Heuristic, move_symbols: Collection[Predicate]
) -> tuple[Places, Places]:
    """The places to tell apart in fluents and in moves."""
    rules: dict[Predicate, list[RuleClause]] = {}
    for clause in clauses.of.get(("next", 1), ()):
        fluent = clause.head.args[0]
        if isinstance(fluent, Term):
            rules.setdefault(predicate(fluent), []).append(clause)
    fluents: dict[Predicate, set[int]] = {}
    moves: dict[Predicate, set[int]] = {}
    for symbol, mine in rules.items():
        for i in range(symbol[1]):
            if heuristic == "paper":
                steady = all(_refers(graph, c, symbol, i) for c in mine)
            else:
                steady = all(_comes_from(clauses, c, symbol, i) for c in mine)
            if steady:
                fluents.setdefault(symbol, set()).add(i)
                for move, j in _move_places(graph, mine, i, move_symbols):
                    moves.setdefault(move, set()).add(j)
    return fluents, moves


def _argument(clause: RuleClause, i: int) -> TermOrVariable:
    fluent = clause.head.args[0]
    assert isinstance(fluent, Term)
    return fluent.args[i]


def _refers(graph: CallGraph, clause: RuleClause, symbol: Predicate, i: int) -> bool:
    """The paper's condition for one rule: this value of the argument occurs in its call graph, and no other."""
    wanted = _argument(clause, i)
    atoms = [
        x.atom
        for x in literals(clause.body)
        if x.predicate != DOES or isinstance(wanted, Variable) or _holds(x, wanted)
    ]
    through = {wanted} if isinstance(wanted, Variable) else None
    same = False
    for carried, atom in graph.carrying(atoms, wanted, through=through):
        if predicate(atom) != TRUE:
            continue
        fluent = atom.args[0]
        if isinstance(fluent, Variable):
            return False  # any fluent at all
        if predicate(fluent) == symbol:
            if fluent.args[i] != carried:
                return False
            same = True
    return same


def _holds(literal: RuleLiteral, wanted: TermOrVariable) -> bool:
    move = literal.atom.args[1]
    return isinstance(move, Term) and wanted in move.args


def _comes_from(clauses: Clauses, clause: RuleClause, symbol: Predicate, i: int) -> bool:
    """The thesis's condition for one rule: its argument is taken over from the same place of the same fluent."""
    wanted = _argument(clause, i)

    def origin(literal: RuleLiteral, value: TermOrVariable, depth: int) -> bool:
        if literal.predicate == TRUE:
            fluent = literal.atom.args[0]
            return isinstance(fluent, Term) and predicate(fluent) == symbol and fluent.args[i] == value
        if depth == 0 or literal.predicate not in clauses.dynamic:
            return False
        if isinstance(value, Variable) and value not in variables_of([literal.atom]):
            return False
        every = literal.predicate == DOES
        asked = Term("legal", literal.atom.args) if every else literal.atom
        answers = list(definitions(asked, value, depth))
        return bool(answers) and (all(answers) if every else any(answers))

    def definitions(asked: Term, value: TermOrVariable, depth: int) -> Iterator[bool]:
        for body, bound in clauses.defining(asked):
            now = apply(value, bound)
            yield any(origin(RuleLiteral(bind(x.atom, bound)), now, depth - 1) for x in literals(body))

    calls = DecompositionLimits.current().arguments_calls
    return any(origin(x, wanted, calls) for x in literals(clause.body))


def _move_places(
    graph: CallGraph, rules: Sequence[RuleClause], i: int, move_symbols: Collection[Predicate]
) -> Iterator[tuple[Predicate, int]]:
    """Places of moves that hold the argument of a fluent in some rule for it."""
    for clause in rules:
        wanted = _argument(clause, i)
        for carried, atom in graph.carrying([x.atom for x in literals(clause.body)], wanted):
            if predicate(atom) != DOES:
                continue
            role, move = atom.args
            # of a move that may be any, only the role can be told apart
            meant = [predicate(move)] if isinstance(move, Term) else move_symbols
            args = move.args if isinstance(move, Term) else ()
            for j, arg in (*enumerate(args), (ROLE, role)):
                if arg == carried:
                    yield from ((symbol, j) for symbol in meant)
