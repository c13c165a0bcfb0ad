"""States to hold: what they answer is what the machine says; every wrong move gets a message that helps."""

from __future__ import annotations

import pickle
import random
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludisect
from ludisect.circuit.game import Game
from ludisect.errors import IllegalMove, InputError, UnknownRole
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter, State, Term
from ludisect.gdl.byrole import ByRole
from ludisect.gdl.line import read_line, read_terms

ODD_ROLES = """
(role (player 1)) (role self) (init (turn 0)) (succ 0 1) (succ 1 2)
(legal (player 1) a) (legal (player 1) b) (legal self c)
(<= (next (turn ?y)) (true (turn ?x)) (succ ?x ?y))
(<= terminal (true (turn 2)))
(<= (goal (player 1) 50)) (<= (goal self 50))
"""

STUCK = """
(role r) (init (at 0)) (legal r go)
(<= (legal s stay) (true (at 0))) (role s)
(<= (next (at 1)) (true (at 0))) (<= terminal (true (at 2))) (goal r 0) (goal s 0)
"""


@cache
def game_of(name: str) -> Game:
    return ludisect.load(name)


@cache
def rules_of(name: str) -> Interpreter:
    return Interpreter(find_rules(name))


ENGINES = [game_of, rules_of]
NAMES = ["tictactoe", "nim:1,2", "rock-paper-scissors", "four-lamps", "relay", "tron"]


def walk(state: State[Any], seed: int, most: int = 60) -> list[State[Any]]:
    """The states of a random play."""
    rng, seen = random.Random(seed), [state]
    while not seen[-1].is_over and len(seen) < most:
        seen.append(seen[-1].play({role: rng.choice(moves) for role, moves in seen[-1].legal.items()}))
    return seen


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
def test_a_state_says_what_the_machine_says(engine: Any, name: str) -> None:
    machine = engine(name)
    fluents = machine.initial_state()
    play = walk(machine.start, 1)
    for i, state in enumerate(play):
        assert state.fluents == fluents
        assert state.is_over == machine.is_terminal(fluents)
        assert dict(state.goals) == machine.goals(fluents)
        assert len(state.moves_made) == i
        if state.is_over:
            assert set(state.legal.values()) == {()}
        else:
            assert {role: list(moves) for role, moves in state.legal.items()} == machine.legal_moves(fluents)
            fluents = machine.next_state(fluents, play[i + 1].moves_made[-1])
    assert play[-1].is_over


@settings(max_examples=30)
@given(st.sampled_from(NAMES), st.integers(0, 10_000), st.sampled_from(["all", "choosing", "plain", "mappings"]))
def test_a_line_of_moves_leads_where_its_steps_lead(name: str, seed: int, form: str) -> None:
    play = walk(game_of(name).start, seed)
    steps = []
    for before, after in pairwise(play):
        joint = after.moves_made[-1]
        some = before.choosing or before.game.roles[:1]
        steps.append(list(joint.values()) if form == "all" else [joint[role] for role in some])
    line: Any = "; ".join(" ".join(map(str, step)) for step in steps)
    if form == "plain":
        line = line.replace(";", "")
    if form == "mappings":
        line = [dict(made) for made in play[-1].moves_made]
    assert play[0].play_line(line) == play[-1]
    assert play[0].play_line(line).moves_made == play[-1].moves_made


def test_roles_without_a_choice_may_be_left_out() -> None:
    start = game_of("tictactoe").start
    after = start.play(xplayer="(mark 1 1)", oplayer=Term("noop"))
    for same in (
        start.play(xplayer="(mark 1 1)"),
        start.play(xplayer=Term.parse("(mark 1 1)")),
        start.play({"xplayer": "mark(1, 1)"}),
        start.play("(mark 1 1)"),
        start.play("(mark 1 1) noop"),
        start.play(Term.parse("(mark 1 1)")),
        start.play(["(mark 1 1)"]),
        start.play_line("(mark 1 1);"),
    ):
        assert same == after
        assert list(map(dict, same.moves_made)) == [{"xplayer": Term.parse("(mark 1 1)"), "oplayer": Term("noop")}]


def test_roles_that_are_no_identifiers() -> None:
    start = game_of(ODD_ROLES).start
    assert start.play({"(player 1)": "a"}) == start.play(**{"(player 1)": "b"}) == start.play("a")
    assert start.play({"(player 1)": "a", "self": "c"}).play("b").is_over


def test_a_step_in_which_nobody_has_a_choice() -> None:
    start = game_of("tictactoe").start
    before = start.play_line("(mark 1 1)(mark 1 2)(mark 1 3)(mark 2 2)(mark 2 1)(mark 2 3)(mark 3 2)(mark 3 1)")
    assert before.choosing == ()
    assert repr(before) == "<State of tictactoe: 8 moves made, no choice>"
    assert before.play() == before.play("(mark 3 3)") == before.play_line("(mark 3 3)") == before.play_line(" ; ")
    assert before.play_line("") is before
    with pytest.raises(
        IllegalMove, match=r"^move 1: illegal move '\(mark 1 1\)' of role 'xplayer'; legal here: \(mark"
    ):
        before.play_line("(mark 1 1)")


@pytest.mark.parametrize("engine", ENGINES)
def test_wrong_moves(engine: Any) -> None:
    start = engine("tictactoe").start
    with pytest.raises(UnknownRole, match=r"^no role is called 'xplayr'; did you mean xplayer\?$"):
        start.play(xplayr="(mark 1 1)")
    with pytest.raises(UnknownRole, match=r"^no role is called 'zoe'; the roles are xplayer, oplayer$"):
        start.play(zoe="(mark 1 1)")
    with pytest.raises(InputError, match=r"^no move for xplayer, who has a choice: \(mark 1 1\), .*\(mark 3 2\), …$"):
        start.play()
    with pytest.raises(
        IllegalMove, match=r"^illegal move '\(mark 1 4\)' of role 'xplayer'; legal here: \(mark 1 1\), "
    ):
        start.play(xplayer="(mark 1 4)")
    with pytest.raises(
        InputError, match=r"^the move of xplayer is '\(mark 1', which is no term such as \(cell 1 1 b\)$"
    ):
        start.play(xplayer="(mark 1")
    with pytest.raises(TypeError, match=r"^the move of xplayer is a Term or its text such as '.*', not int$"):
        start.play(xplayer=3)
    with pytest.raises(TypeError, match=r"^play takes moves as text, as terms or by role, not int$"):
        start.play(3)
    with pytest.raises(TypeError, match="not both"):
        start.play("(mark 1 1)", oplayer="noop")
    message = (
        r"^3 moves given where xplayer can choose; give one for each who can, or one for each of xplayer, oplayer$"
    )
    with pytest.raises(InputError, match=message):
        start.play("(mark 1 1) noop noop")
    with pytest.raises(InputError, match=r"is a line of moves; play_line plays it$"):
        start.play("(mark 1 1); (mark 2 2)")


@pytest.mark.parametrize("engine", ENGINES)
def test_who_asks_the_machine_itself_is_told_what_it_takes(engine: Any) -> None:
    machine = engine("tictactoe")
    fluents = machine.initial_state()
    with pytest.raises(TypeError, match=r"^a move is a Term, not '\(mark 1 1\)'; State.play takes texts, too$"):
        machine.next_state(fluents, {"xplayer": "(mark 1 1)", "oplayer": "noop"})


def test_who_asks_the_circuit_for_another_kind_of_state_is_told_so() -> None:
    game: Any = game_of("tictactoe")
    with pytest.raises(TypeError, match=r"^a set of fluents \(of Terms\) is needed here, not ndarray$"):
        game.legal_moves(game.batch.initial)
    with pytest.raises(TypeError, match=r"^a set of fluents \(of Terms\) is needed here, not State$"):
        game.legal_moves(game.start)
    with pytest.raises(TypeError, match=r"^a fluent is a Term, not '\(cell 1 1 b\)'; game.state takes texts, too$"):
        game.legal_moves({"(cell 1 1 b)"})


def test_wrong_lines() -> None:
    start = game_of("tictactoe").start
    with pytest.raises(
        IllegalMove, match=r"^move 2: illegal move '\(mark 1 1\)' of role 'oplayer'; legal here: "
    ) as at:
        start.play_line("(mark 1 1) (mark 1 1)")
    assert (at.value.number, at.value.role, at.value.move, len(at.value.legal)) == (2, "oplayer", "(mark 1 1)", 8)
    with pytest.raises(InputError, match=r"^move 2: no move given where oplayer can choose; "):
        start.play_line("(mark 1 1);; (mark 1 2)")
    with pytest.raises(InputError, match=r"^a line of moves with an open bracket: '\(mark 1 1; \(mark 2 2\)'$"):
        start.play_line("(mark 1 1; (mark 2 2)")
    with pytest.raises(InputError, match=r"^a line of moves with a bracket too many: "):
        start.play_line("(mark 1 1)); (mark 2 2)")
    with pytest.raises(InputError, match=r"^'\(\)' is no move; write a name or \(name argument …\)$"):
        start.play_line("()")
    over = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2) (mark 1 3)"
    with pytest.raises(
        InputError, match=r"^move 6: the game is over \(xplayer 100, oplayer 0\); there is nothing left"
    ):
        start.play_line(f"{over} (mark 3 3)")
    with pytest.raises(InputError, match=r"^the game is over"):
        start.play_line(over).play()
    together = game_of("rock-paper-scissors").start
    with pytest.raises(InputError, match=r"^move 1: 1 move given where left and right can choose"):
        together.play_line("rock")


def test_a_role_without_a_legal_move() -> None:
    state = game_of(STUCK).start.play()
    assert state.legal["s"] == ()
    with pytest.raises(
        InputError, match=r"^s has no legal move here although the game is not over: a fault of the rules"
    ):
        state.play()


def test_states_from_terms() -> None:
    game = game_of("nim:1,2")
    texts = ["(heap a 1)", "(heap b 0)", "(control player2)"]
    state = game.state(texts)
    assert (
        state == game.state(map(Term.parse, texts)) == game.state("(heap a 1) (heap b 0)\n(control player2) ; his turn")
    )
    assert rules_of("nim:1,2").state(texts).fluents == state.fluents
    assert state.play().is_over
    with pytest.raises(InputError, match=r"^\(heap a 7\) can never hold in nim:1,2; did you mean \(heap a "):
        game.state(["(heap a 7)"])
    with pytest.raises(InputError, match=r"^\(pile a\) can never hold in nim:1,2$"):
        game.state(["(pile a)"])
    with pytest.raises(InputError, match=r"^a fluent is '\(heap', which is no term"):
        game.state(["(heap"])
    with pytest.raises(TypeError, match=r"^a state is made of fluents \(terms or their texts\), not of int$"):
        game.state(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^a fluent is a Term or its text such as '.*', not int$"):
        game.state([3])  # type: ignore[list-item]


def test_equality_and_hash_are_by_content() -> None:
    one, two = ludisect.load("nim:1,2"), ludisect.load("nim:1,2")
    assert one == two
    assert hash(one) == hash(two)
    assert one != ludisect.load("nim:2,1")
    assert one != ludisect.load("nim-misere:1,2")
    assert one != "nim:1,2"
    a = one.start.play("(reduce a 0)").play("(reduce b 1)")
    b = two.start.play("(reduce b 1)").play("(reduce a 0)")
    assert a == b
    assert a.moves_made != b.moves_made
    assert len({a, b, one.start}) == 2
    assert a != rules_of("nim:1,2").start.play_line("(reduce a 0) (reduce b 1)")  # another machine
    assert a != a.fluents
    assert Interpreter(find_rules("nim:1,2")).start == rules_of("nim:1,2").start


@pytest.mark.parametrize("engine", ENGINES)
def test_states_can_be_pickled(engine: Any) -> None:
    state = engine("tictactoe").start.play("(mark 1 1)")
    assert state.legal
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert again.moves_made == state.moves_made
    assert again.play("(mark 2 2)") == state.play("(mark 2 2)")


def test_a_game_is_pickled_without_what_it_has_worked_out() -> None:
    fresh, used = ludisect.load("nim:1,2"), ludisect.load("nim:1,2")
    used.playouts.run(10)
    assert used.start.legal
    assert pickle.loads(pickle.dumps(used)) == fresh
    assert len(pickle.dumps(used)) <= 1.05 * len(pickle.dumps(fresh))  # the seconds that building took may differ


def test_by_role() -> None:
    goals = ByRole({"a": 1, "b": 2})
    assert goals == {"a": 1, "b": 2}
    assert repr(goals) == "{'a': 1, 'b': 2}"
    assert pickle.loads(pickle.dumps(goals)) == goals
    assert goals.get("c") is None
    with pytest.raises(KeyError):
        goals["c"]
    error = UnknownRole("c", ("a", "b"))
    assert str(pickle.loads(pickle.dumps(error))) == str(error) == "no role is called 'c'; the roles are a, b"


def test_state_files_for_the_interpreter(tmp_path: Path) -> None:
    path = tmp_path / "state.kif"
    path.write_text("(heap a 1)\n(heap b 0) (control player2)\n")
    assert rules_of("nim:1,2").read_state(path).legal["player2"] == (Term.parse("(reduce a 0)"),)
    path.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match=r"cannot read .*state\.kif: this is no text$"):
        game_of("nim:1,2").read_state(path)
    path.write_text("; nobody wrote what holds\n")
    with pytest.raises(InputError, match=r"state\.kif: no fluents in this file; write those that hold"):
        game_of("nim:1,2").read_state(path)


@given(st.lists(st.lists(st.sampled_from(["noop", "(mark 1 1)", "(a (b c) d)"]), min_size=1), min_size=1))
def test_lines_read_back(steps: list[list[str]]) -> None:
    found, divided = read_line(";".join(" ".join(step) for step in steps))
    assert [[str(move) for move in step] for step in found] == steps
    assert divided == (len(steps) > 1)


def test_terms_in_a_row() -> None:
    assert read_terms("") == []
    with pytest.raises(InputError, match=r"^\?x is a variable; write terms"):
        read_terms("?x")
    with pytest.raises(InputError, match=r"is no list of KIF terms such as \(cell 1 1 b\)$"):
        read_terms("(a")
