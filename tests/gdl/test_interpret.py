"""The interpreter: small games by hand, recursion and negation, and random rules against a brute-force twin."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.errors import IllegalMove, InputError, RulesInvalidError
from ludisect.gdl import And, Distinct, Fluents, Formula, Interpreter, Not, Or, Rule, Rules, Term, Variable, read

from .brute import model

COINS = """
(role left) (role right)
(init (coin 1)) (init (coin 2)) (init (coin 3)) (init (turn left))
(other left right) (other right left)
(<= (legal ?r (take ?c)) (true (turn ?r)) (true (coin ?c)))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= taken (does ?r (take ?c)) (distinct ?c 3))
(<= (next (coin ?c)) (true (coin ?c)) (not (gone ?c)))
(<= (gone ?c) (does ?r (take ?c)))
(<= (next (turn ?s)) (true (turn ?r)) (other ?r ?s))
(<= terminal (not (true (coin 1))) (not (true (coin 2))) (not (true (coin 3))))
(<= (goal ?r 100) (true (turn ?s)) (other ?r ?s) terminal)
(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
"""


def game(text: str) -> Interpreter:
    return Interpreter(read(text))


def terms(*texts: str) -> Fluents:
    return frozenset(map(Term.parse, texts))


def puzzle(rules: str) -> set[str]:
    """What ``ok`` holds of, asked through the legal moves of a single role."""
    machine = game("(role r) (<= (legal r ?x) (ok ?x))" + rules)
    return set(map(str, machine.legal_moves(frozenset())["r"]))


def test_one_play_in_full() -> None:
    machine = game(COINS)
    assert machine.roles == ("left", "right")
    state = machine.initial_state()
    assert state == terms("(coin 1)", "(coin 2)", "(coin 3)", "(turn left)")
    assert machine.legal_moves(state) == {
        "left": [Term.parse("(take 1)"), Term.parse("(take 2)"), Term.parse("(take 3)")],
        "right": [Term("noop")],
    }
    assert not machine.is_terminal(state)
    assert machine.goals(state) == {"left": 0, "right": 0}
    for number, (role, coin) in enumerate([("left", 2), ("right", 3), ("left", 1)]):
        moves = {"left": Term("noop"), "right": Term("noop")} | {role: Term.parse(f"(take {coin})")}
        state = machine.next_state(state, moves)
        assert machine.is_terminal(state) == (number == 2)
    assert state == terms("(turn right)")
    assert machine.goals(state) == {"left": 100, "right": 0}


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    machine = game(COINS)
    start = machine.initial_state()
    after = machine.next_state(start, {"left": Term.parse("(take 1)"), "right": Term("noop")})
    assert machine.is_terminal(terms("(turn left)"))
    assert machine.legal_moves(start) == game(COINS).legal_moves(start)
    assert machine.legal_moves(after) == game(COINS).legal_moves(after)


def test_an_illegal_move() -> None:
    machine = game(COINS)
    with pytest.raises(IllegalMove) as caught:
        machine.next_state(machine.initial_state(), {"left": Term.parse("(take 4)"), "right": Term("noop")})
    assert str(caught.value) == (
        "illegal move '(take 4)' of role 'left'; legal here: (take 1), (take 2), (take 3)"
    )  # fmt: skip


def test_a_joint_move_that_is_not_one_for_each_role() -> None:
    machine = game(COINS)
    start, take = machine.initial_state(), Term.parse("(take 1)")
    with pytest.raises(InputError, match="no move for role 'right'; give one for each of left, right"):
        machine.next_state(start, {"left": take})
    with pytest.raises(InputError, match="a move for 'x', which is no role; the roles are left, right"):
        machine.next_state(start, {"left": take, "right": Term("noop"), "x": take})


def test_rules_with_errors_are_refused_with_all_of_them() -> None:
    with pytest.raises(RulesInvalidError) as caught:
        game("(role r) (<= (legal r ?x) (not (ok ?x))) (<= p (not p))")
    assert [problem.what for problem in caught.value.problems] == [
        "variable ?x is not bound: no positive literal of the body contains it",
        "p depends on its own negation: p → not p",
    ]


def test_goals_that_are_missing_doubled_or_no_number() -> None:
    machine = game("""
        (role a) (role b) (role c) (role d) (legal a x) (legal b x) (legal c x) (legal d x)
        (goal b 10) (goal b 20) (score fifty) (<= (goal c ?x) (score ?x)) (<= (goal d 30)) (goal d 30)""")
    assert machine.goals(frozenset()) == {"a": None, "b": None, "c": None, "d": 30}


def test_terms_that_are_no_role_neither_move_nor_score() -> None:
    machine = game("(role a) (legal a x) (legal b x) (goal a 1) (goal b 2)")
    assert machine.legal_moves(frozenset()) == {"a": [Term("x")]}
    assert machine.goals(frozenset()) == {"a": 1}


def test_roles_may_be_compound_terms() -> None:
    machine = game("(role (player 1)) (legal (player 1) x) (<= (next (did ?r ?m)) (does ?r ?m))")
    assert machine.roles == ("(player 1)",)
    assert machine.next_state(frozenset(), {"(player 1)": Term("x")}) == terms("(did (player 1) x)")


def test_fluents_as_a_whole() -> None:
    machine = game("(role r) (legal r x) (init a) (init (b 1)) (init (b 1 2)) (<= (next ?f) (true ?f) (distinct ?f a))")
    assert machine.next_state(machine.initial_state(), {"r": Term("x")}) == terms("(b 1)", "(b 1 2)")


ARROWS = "(arrow a b) (arrow b c) (arrow c a) (arrow d a) (arrow e f) "


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (to ?x ?y) (arrow ?x ?y)) (<= (to ?x ?z) (arrow ?x ?y) (to ?y ?z))",
        "(<= (to ?x ?y) (arrow ?x ?y)) (<= (to ?x ?z) (to ?x ?y) (arrow ?y ?z))",
        "(<= (to ?x ?y) (arrow ?x ?y)) (<= (to ?x ?z) (to ?x ?y) (to ?y ?z))",
        "(<= (to ?x ?z) (or (arrow ?x ?z) (and (arrow ?x ?y) (via ?y ?z)))) (<= (via ?x ?y) (to ?x ?y))",
    ],
    ids=["right", "left", "both sides", "mutual"],
)
def test_recursion(rules: str) -> None:
    assert puzzle(ARROWS + rules + "(<= (ok ?x) (to d ?x))") == {"a", "b", "c"}
    assert puzzle(ARROWS + rules + "(<= (ok ?x) (to ?x c))") == {"a", "b", "c", "d"}
    assert puzzle(ARROWS + rules + "(<= (ok (pair ?x ?y)) (arrow ?y ?z) (arrow ?x ?w) (not (to ?x ?y)))") == {
        f"(pair {x} {y})" for x in "abcde" for y in "abcde" if y in "de" or x == "e"
    }


def test_a_rule_that_uses_itself_adds_nothing() -> None:
    assert puzzle("(<= (ok ?x) (ok ?x)) (ok 1)") == {"1"}
    assert puzzle("(<= (ok ?x) (even ?x)) (even 0) (<= (even ?x) (odd ?y) (s ?y ?x)) (<= (odd ?x) (even ?y) (s ?y ?x))"
                  "(s 0 1) (s 1 2) (s 2 3) (s 3 4)") == {"0", "2", "4"}  # fmt: skip


def test_long_chains_do_not_exhaust_the_stack() -> None:
    steps = "".join(f"(s {i} {i + 1})" for i in range(3000))
    assert puzzle(steps + "(<= (up 3000)) (<= (up ?x) (s ?x ?y) (up ?y)) (<= (ok yes) (up 0))") == {"yes"}
    chain = "".join(f"(<= (p{i} ?x) (p{i + 1} ?x))" for i in range(3000))
    assert puzzle(chain + "(p3000 a) (<= (ok ?x) (p0 ?x))") == {"a"}


def test_negation() -> None:
    facts = "(d 1) (d 2) (d 3) (p 1) (q 2) (both 3 3) (both 1 2)"
    assert puzzle(facts + "(<= (ok ?x) (d ?x) (not (p ?x)))") == {"2", "3"}
    assert puzzle(facts + "(<= (ok ?x) (not (or (p ?x) (q ?x))) (d ?x))") == {"3"}
    assert puzzle(facts + "(<= (ok ?x) (d ?x) (not (and (d ?x) (not (p ?x)))))") == {"1"}
    assert puzzle(facts + "(<= (ok ?x) (d ?x) (not (not (q ?x))))") == {"2"}
    assert puzzle(facts + "(<= (ok ?x) (d ?x) (not (distinct ?x 2)))") == {"2"}
    assert puzzle(facts + "(<= (ok ?x) (d ?x) (d ?y) (distinct ?x ?y) (not (both ?x ?y)) (not (q ?y)))") == {
        "1",
        "2",
        "3",
    }
    assert puzzle(facts + "(<= (ok ?x) (d ?x) (or)) (<= (ok all) (and))") == {"all"}


def test_one_rule_of_a_predicate_may_negate_others() -> None:
    """Predicates are cyclic here, rules are not: a wait is legal if nothing else is."""
    rules = """
        (<= (ok (mark ?x)) (free ?x))
        (<= (ok wait) (not can))
        (<= can (ok (mark ?x)))"""
    assert puzzle(rules) == {"wait"}
    assert puzzle(rules + "(free 1)") == {"(mark 1)"}


def test_disjunctions_that_wait_for_each_other() -> None:
    rules = """(q 1) (q 2)
        (<= (ok (pair ?x ?y))
            (or (and (q ?x) (distinct ?y 1)) (and (q ?x) (distinct ?x 1)))
            (or (and (q ?y) (distinct ?x 1)) (and (q ?y) (distinct ?y 1))))"""
    assert puzzle(rules) == {"(pair 1 2)", "(pair 2 1)", "(pair 2 2)"}


def test_deep_formulas_are_planned_soon() -> None:
    assert puzzle("(d 1) (d 2) (<= (ok yes) " + "(or (d 3) (and (d 1) " * 60 + "(d 2)" + "))" * 60 + ")") == {"yes"}
    facts = "".join(f"(e{i} 1)" for i in range(40))
    literals = " ".join(f"(e{i} ?b{i})" for i in range(40))
    chain = "".join(f"(<= (p{i} ?x) (p{i + 1} ?x) {literals})" for i in range(40))
    assert puzzle(facts + chain + "(p40 1) (<= (ok ?x) (p0 ?x))") == {"1"}


def test_distinct_compares_whole_terms() -> None:
    assert puzzle("(p (f a) a) (p (f b) b) (<= (ok ?x) (p ?x ?y) (distinct ?x (f a)) (distinct (f ?y) (f c)))") == {
        "(f b)"
    }


def test_variables_that_occur_twice_in_an_atom() -> None:
    assert puzzle("(p 1 1) (p 1 2) (p (f 3) 3) (<= (ok ?x) (p ?x ?x)) (<= (ok ?x) (p (f ?x) ?x))") == {"1", "3"}


# Random rules: predicates p0 to p2, each a stratum, over three terms. Every variable is bound by (dom ?v), which may
# stand anywhere in the body.

UNIVERSE = tuple(map(Term.parse, ("a", "b", "(f a)")))
VARIABLES = (Variable("x"), Variable("y"), Variable("z"))
FACTS = tuple(Term("dom", (term,)) for term in UNIVERSE)


FLAT = st.sampled_from([*UNIVERSE, *VARIABLES])
ARGUMENTS = st.sampled_from([*UNIVERSE, *VARIABLES, *VARIABLES, Term("f", (Variable("x"),))])


def pairs(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[tuple[Formula, ...]]:
    return st.lists(inner, min_size=1, max_size=2).map(tuple)


def joined(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return st.builds(And, pairs(inner)) | st.builds(Or, pairs(inner))


def atoms(strata: int) -> st.SearchStrategy[Formula]:
    """Fluents, and atoms of that many strata."""
    fluents = st.builds(lambda arg: Term("true", (Term("e", (arg,)),)), ARGUMENTS)
    predicates = st.sampled_from([f"p{i}" for i in range(strata)]) if strata else st.nothing()
    return fluents | st.builds(lambda name, *args: Term(name, args), predicates, ARGUMENTS, ARGUMENTS)


def rules_of(stratum: int) -> st.SearchStrategy[Rule]:
    distinct: st.SearchStrategy[Formula] = st.builds(Distinct, ARGUMENTS, ARGUMENTS)
    lower = st.recursive(atoms(stratum) | distinct, lambda inner: st.builds(Not, inner) | joined(inner), max_leaves=3)
    # the recursion restriction of GDL: a predicate must not ask itself about ever larger terms
    recursive = st.builds(lambda *args: Term(f"p{stratum}", args), FLAT, FLAT)
    literals = atoms(stratum) | recursive | lower.map(Not) | distinct
    bound = [Term("dom", (variable,)) for variable in VARIABLES]
    bodies = st.lists(st.recursive(literals, joined, max_leaves=4), max_size=3)
    shuffled = bodies.flatmap(lambda body: st.permutations([*body, *bound])).map(tuple)
    heads = st.builds(lambda *args: Term(f"p{stratum}", args), FLAT, FLAT)
    return st.builds(Rule, heads, shuffled)


STRATA = st.tuples(*(st.lists(rules_of(i), min_size=1, max_size=2) for i in range(3)))


@settings(deadline=None, max_examples=100)
@given(STRATA, st.sets(st.sampled_from(UNIVERSE)), st.integers(0, 9))
def test_random_rules_mean_what_brute_force_finds(program: tuple[list[Rule], ...], held: set[Term], seed: int) -> None:
    state = frozenset(Term("e", (term,)) for term in held)
    expected = {
        atom
        for atom in model(program, [*FACTS, *(Term("true", (fluent,)) for fluent in state)], UNIVERSE)
        if atom.name.startswith("p")
    }
    x, y = VARIABLES[:2]
    asked = [
        Rule(Term("legal", (Term("r"), Term(f"p{i}", (x, y)))), (Term(f"p{i}", (x, y)),)) for i in range(len(program))
    ]
    rules = [Rule(Term("role", (Term("r"),))), *map(Rule, FACTS), *asked, *(rule for some in program for rule in some)]
    random.Random(seed).shuffle(rules)
    machine = Interpreter(Rules(tuple(rules)))
    some = machine.some_legal_move(state, "r")  # what is left half asked must not be taken for all
    assert some in expected if expected else some is None
    assert set(machine.legal_moves(state)["r"]) == expected
