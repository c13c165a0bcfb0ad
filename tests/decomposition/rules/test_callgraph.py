"""Call graphs and potential effects: what the rules say covers what plays show."""

from __future__ import annotations

import pytest

import ludisect
from ludisect.circuit.game import Game
from ludisect.circuit.record import record
from ludisect.circuit.rows import unpack
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.rules.arguments import places
from ludisect.decomposition.rules.callgraph import CallGraph
from ludisect.decomposition.rules.clauses import Clauses, RuleLiteral, literals
from ludisect.decomposition.rules.forced import choices, clauses_of, noop_lumps
from ludisect.decomposition.rules.lumps import Lumps, Places
from ludisect.decomposition.rules.relations import Potential, Relations, used_args
from ludisect.effort import Effort, OutOfTime, ending
from ludisect.gdl import read
from ludisect.gdl.dependence import predicate
from ludisect.gdl.terms import Term, Variable

NIM = """
(role player1) (role player2)
(init (heap a 1)) (init (heap b 2)) (init (heap c 3)) (init (heap d 5)) (init (control player1))
(<= (legal ?p noop) (true (control ?x)) (role ?p) (distinct ?x ?p))
(<= (legal ?p (reduce ?x ?n)) (true (control ?p)) (true (heap ?x ?m)) (smaller ?n ?m))
(<= (next (heap ?x ?n)) (does ?p (reduce ?x ?n)))
(<= (next (heap ?x ?n)) (true (heap ?x ?n)) (does ?p (reduce ?y ?m)) (distinct ?x ?y))
(<= (next (control ?q)) (true (control ?p)) (after ?p ?q))
(<= terminal (true (heap a 0)) (true (heap b 0)) (true (heap c 0)) (true (heap d 0)))
(<= (goal ?p 100) (true (control ?p)))
(<= (goal ?p 0) (true (control ?q)) (after ?p ?q))
(after player1 player2) (after player2 player1)
(<= (smaller ?x ?y) (succ ?x ?y))
(<= (smaller ?x ?y) (succ ?x ?z) (smaller ?z ?y))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
"""
"""Nim with the two rules for ``heap`` that the 2009 paper quotes."""


def test_a_call_graph_follows_does_into_legal() -> None:
    graph = CallGraph(Clauses(read(NIM)))
    found = {str(a) for a in graph.of_atom(Term.parse("(does ?p (reduce a ?n))"))}
    assert found == {
        "(does ?0 (reduce a ?1))",
        "(legal ?0 (reduce a ?1))",
        "(true (control ?0))",
        "(true (heap a ?0))",
    }
    assert {str(f) for f in graph.fluents([Term.parse("(next (heap b 1))")])} == {
        "(control ?0)", "(heap b ?0)", "(heap b 1)", "(heap ?0 ?1)",
    }  # fmt: skip


def test_a_call_graph_of_growing_terms_is_finite() -> None:
    graph = CallGraph(Clauses(read("(<= (p ?x) (q ?x)) (<= (q ?x) (true (f ?x)) (q (s ?x)))")))
    assert 5 < len(graph.of_atom(Term.parse("(p 0)"))) < 50


def test_static_questions() -> None:
    clauses = Clauses(read(NIM))
    x = Variable("x")
    assert clauses.certain(RuleLiteral(Term.parse("(smaller 1 4)")), {})
    assert clauses.certain(RuleLiteral(Term.parse("(smaller 4 1)"), False), {})
    assert clauses.certain(RuleLiteral(Term("distinct", (Term("a"), Term("b")))), {})
    assert not clauses.certain(RuleLiteral(Term("distinct", (Term("a"), x))), {})
    assert clauses.possible(
        [RuleLiteral(Term("smaller", (x, Term("2")))), RuleLiteral(Term("succ", (x, Term("1"))))], {}
    )
    assert not clauses.possible(
        [RuleLiteral(Term("smaller", (x, Term("1")))), RuleLiteral(Term("succ", (x, Term("5"))))], {}
    )


def test_moves_that_occur_once_and_forced_moves_leave_the_rules() -> None:
    rules = read("(<= (next (step ?y)) (does ?r ?m) (true (step ?x)) (succ ?x ?y)) (<= (next on) (does r noop))")
    clauses = Clauses(rules, lambda atom: str(atom.args[1]) == "noop")
    assert clauses.moving == {("does", 2)}
    assert [str(x.atom.name) for c in clauses.of["next", 1] for x in c.body] == ["role", "true", "succ", "legal"]


def test_negated_definitions_keep_their_variables() -> None:
    rules = read("""
        (<= (next (f ?x)) (true (f ?x)) (not (hit ?x)))
        (<= (hit ?y) (does r (shoot ?y))) (<= (hit a) (does r bomb))
    """)
    (clause,) = Clauses(rules).next
    fluent, ways = clause.head.args[0], clause.body[1].ways
    assert isinstance(fluent, Term)
    assert ways is not None
    shot, bombed = ways
    assert [x.atom for x in shot] == [Term("does", (Term("r"), Term("shoot", fluent.args)))]
    assert [(x.atom.name, x.positive) for x in bombed] == [("distinct", False), ("does", True)]


def test_a_rule_that_unfolds_into_too_much_stays_as_it_is() -> None:
    """Too many clauses, or few clauses with too many literals in negations inside negations."""
    many = "".join(f"(<= (hit ?x) (does r (shoot ?x {k})))" for k in range(9))
    rules = read(f"(<= (next (f ?x ?y)) (true (f ?x ?y)) (hit ?x) (hit ?y)) {many}")
    assert len(Clauses(rules).next) == 1  # 81 clauses
    assert len(Clauses(read(f"(<= (next (f ?x)) (true (f ?x)) (hit ?x)) {many}")).next) == 9
    deep = "".join(
        f"(<= (p{k} ?x) (not (p{k + 1} ?x)) (true (f ?x))) (<= (p{k} ?x) (not (p{k + 1} a)) (true (f ?x)))"
        for k in range(4)
    )
    nested = read(f"(<= (next (f ?x)) (not (p0 ?x))) {deep} (<= (p4 ?x) (does r (shoot ?x)))")
    (unfolded,) = Clauses(nested).next
    assert len(list(literals(unfolded.body))) > 16
    with DecompositionLimits.given(DecompositionLimits(clauses_literals=16)):
        (kept,) = Clauses(nested).next
    assert [x.predicate for x in kept.body] == [("p0", 1)]


def test_call_graphs_and_unfolding_end_with_the_time() -> None:
    graph = CallGraph(Clauses(read(NIM)))
    with pytest.raises(OutOfTime), ending(Effort(1e9, seconds=0.0)):
        graph.of_atom(Term.parse("(does ?p (reduce a ?n))"))
    with pytest.raises(OutOfTime), ending(Effort(1e9, seconds=0.0)):
        Clauses(read("(<= (next (f ?x)) (hit ?x)) (<= (hit ?x) (does r (shoot ?x)))"))


def test_static_questions_look_at_rows_that_can_match() -> None:
    """A table of facts is asked by its constants; the answers are those of a look at every row."""
    rows = [(i, j) for i in range(6) for j in range(6) if (i * j) % 5 == 1]
    clauses = Clauses(read(" ".join(f"(t {i} {j})" for i, j in rows) + "(<= (t ?x ?x) (same ?x)) (same 3)"))
    for i in range(6):
        for j in range(6):
            holds = (i, j) in rows or i == j == 3
            assert clauses.proves(Term.parse(f"(t {i} {j})")) == holds
        assert clauses.proves(Term.parse(f"(t {i} ?y)")) == (i == 3 or any(a == i for a, _ in rows))


def test_used_arguments_of_a_compound_move() -> None:
    """Example 6.1 of the thesis: this rule uses the first two arguments of ``mark``."""
    rules = read("""
        (<= (next (cell1 ?x ?y ?m)) (true (cell1 ?x ?y ?m)) (does xplayer (mark ?x1 ?y1 ?x2 ?y2))
            (distinctcell ?x ?y ?x1 ?y1))
    """)
    assert used_args(Clauses(rules).next[0], ("mark", 4)) - {-1} == {0, 1}


def _relations(game: Game, told: tuple[Places, Places] | None) -> tuple[Lumps, Relations, Potential]:
    found = choices(game)
    clauses = clauses_of(game, found)
    symbols = {predicate(m) for of_role in game.moves for m in of_role}
    lumps = Lumps(game, *(told or places(clauses, CallGraph(clauses), "paper", symbols)))
    potential = Potential(clauses, lumps, noops=noop_lumps(lumps, found), alternating=found.alternating)
    return lumps, potential.relations(), potential


GAMES = [
    "nim", "kayles", "double-tictactoe", "serial-tictactoe", "parallel-tictactoe", "four-lamps", "blocks-maze",
    "two-track", "tictactoe", "relay", "toads-and-frogs", "connect-four", "multiple-hanoi", "peg-solitaire",
    "rock-paper-scissors", "runners", "double-crisscross", "knights-tour", "queens", "tron",
]  # fmt: skip


@pytest.mark.parametrize("by_symbol", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_every_change_seen_in_plays_is_a_potential_effect(name: str, by_symbol: bool) -> None:
    game = ludisect.load(name)
    lumps, relations, _ = _relations(game, ({}, {}) if by_symbol else None)
    fluent_of = {f: i for i, lump in enumerate(lumps.fluents) for f in lump.members}
    move_of = {m: i for i, lump in enumerate(lumps.moves) for m in lump.members}
    effects = {(e.move, e.fluent, e.positive) for e in relations.effects}
    following = {flow.fluent for flow in relations.flows}
    seen = record(game, 20, seed=1)
    before, after = unpack(seen.states, len(game.fluents)), unpack(seen.following, len(game.fluents))
    changes = 0
    for row in range(len(seen)):
        made = {move_of[r, m] for r, m in enumerate(seen.joint[row].tolist())}
        for f in (before[row] != after[row]).nonzero()[0].tolist():
            lump = fluent_of[f]
            if lump in relations.independent or lump in following:
                continue
            changes += 1
            assert any((m, lump, bool(after[row, f])) in effects for m in made), (game.fluents[f], seen.joint[row])
    assert changes > 0


@pytest.mark.parametrize("name", GAMES)
def test_legality_follows_the_preconditions(name: str) -> None:
    """States that agree on the fluents that a move's legality rests on agree on its legality."""
    game = ludisect.load(name)
    lumps, relations, potential = _relations(game, None)
    seen = record(game, 30, seed=2)
    states, legal = unpack(seen.states, len(game.fluents)), game.batch.legal(seen.states)
    context = [f for i in relations.independent for f in lumps.fluents[i].members]
    acting = {e.move for e in relations.effects}
    for m in sorted(acting):
        read = sorted({f for p in relations.preconditions if p.move == m and p.legal for f in p.fluents})
        columns = [*context, *(f for i in read for f in lumps.fluents[i].members)]
        for r, k in lumps.moves[m].members[:3]:
            answers: dict[bytes, bool] = {}
            for row in range(len(seen)):
                key = states[row, columns].tobytes()
                allowed = bool(legal[row, game.batch.first_move[r] + k])
                assert answers.setdefault(key, allowed) == allowed, (game.moves[r][k], potential.graph)
