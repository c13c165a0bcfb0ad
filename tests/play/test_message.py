"""Messages read as they are sent, and spellings that lead there and back."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludisect.errors import InputError
from ludisect.games.bundled import names
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter, read
from ludisect.gdl.terms import KEYWORDS, Term
from ludisect.loader import load
from ludisect.play.message import Message, message_moves, message_role, message_rules, read_message, written
from ludisect.play.pursuit import understood
from ludisect.play.spelling import Spelling


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(INFO)", Message("info")),
        (" ( Play m.1 nil ) ", Message("play", "m.1")),
        ("( PLAY m (( mark 2 2 ) noop ) )", Message("play", "m", moves="( mark 2 2 ) noop")),
        ("(stop m (a b) more)", Message("stop", "m", moves="a b")),
        ("(ABORT m)", Message("abort", "m")),
        ("(START m r ((role r)) 10 5)", Message("start", "m", "r", "(role r)", ("10", "5"))),
        ("(START m (p 1) ((role (p 1))) 10 5)", Message("start", "m", "(p 1)", "(role (p 1))", ("10", "5"))),
        ("(START m r ((role r)) 10 5 (x y) z)", Message("start", "m", "r", "(role r)", ("10", "5", "(x", "y)", "z"))),
        ("(START m r (\n(role r)\n(init a)\n)10 5)", Message("start", "m", "r", "\n(role r)\n(init a)\n", ("10", "5"))),
        ("(PREVIEW ((role r)) 7)", Message("preview", rules="(role r)", clocks=("7",))),
        ("info()", Message("info", infix=True)),
        ("play(m, nil)", Message("play", "m", infix=True)),
        ("play(m, [f(1,2), noop])", Message("play", "m", moves="f(1,2), noop", infix=True)),
        (
            "start(m, r, [role(r), init(a)], 10, 5)",
            Message("start", "m", "r", "role(r), init(a)", ("10", "5"), infix=True),
        ),
    ],
)
def test_messages(text: str, message: Message) -> None:
    assert read_message(text) == message


@pytest.mark.parametrize("text", ["(", ")", "(a", "a b", "((a))", "(PLAY m x y)", "f(", "%", "(START m r rules 1 1)"])
def test_what_is_no_message(text: str) -> None:
    with pytest.raises(InputError):
        read_message(text)


@given(st.text(alphabet="() aSTARPLYnilm1,[].\n\t", max_size=60))
def test_any_text_is_a_message_or_an_input_error(text: str) -> None:
    with suppress(InputError):
        assert read_message(text).verb


def test_rules_and_moves_of_both_notations() -> None:
    kif = message_rules("(role r) (init (f 1)) (<= (legal r go) (true (f 1)))", infix=False, name="m")
    for text in (
        "role(r), init(f(1)), legal(r, go) :- true(f(1))",
        "role(r). init(f(1)). legal(r, go) :- true(f(1)).",
    ):
        assert message_rules(text, infix=True, name="m") == kif
    moves = [Term.parse("(mark 1 2)"), Term("noop")]
    assert message_moves("( mark 1 2 ) noop", infix=False) == message_moves("mark(1, 2), noop", infix=True) == moves
    assert written("(mark 1 2)", infix=True) == "mark(1, 2)"
    assert written("(mark 1 2)", infix=False) == "(mark 1 2)"
    assert message_role("( p 1 )", infix=False) == message_role("p(1)", infix=True) == "(p 1)"
    for text, infix in (("a b", False), ("?x", False), ("f(", True)):
        with pytest.raises(InputError):
            message_role(text, infix=infix)
    with pytest.raises(InputError):
        message_moves("f(, b", infix=True)


@pytest.mark.parametrize("game", names()[::5])
@pytest.mark.parametrize(("upper", "scramble"), [(False, False), (True, False), (False, True), (True, True)])
def test_a_spelling_is_the_same_game(game: str, upper: bool, scramble: bool) -> None:
    rules = find_rules(game)
    spelling = Spelling(rules, upper=upper, scramble=scramble, seed=3)
    spoken = read(spelling.rules())
    ours, theirs = Interpreter(rules), Interpreter(spoken)
    assert [spelling.text(role) for role in ours.roles] == list(theirs.roles)
    for role, other in zip(ours.roles, theirs.roles, strict=True):
        legal = theirs.start.legal[other]
        assert {spelling.read(str(move)) for move in legal} == set(ours.start.legal[role])
        assert {spelling.term(move) for move in ours.start.legal[role]} == set(map(str, legal))
    if scramble:
        words = {rule.head.name for rule in spoken} - KEYWORDS
        assert not words & {rule.head.name for rule in rules}
    assert spelling.read("(a") is None


# ---- following a match ----


def test_following_by_what_is_told() -> None:
    machine = Interpreter(find_rules("tictactoe"))
    state = machine.start

    def follow(moves: str | None, answered: str | None = None) -> str:
        nonlocal state
        after, note = understood(state, moves, infix=False, role="xplayer", answered=answered)
        if after is None:
            return note or "nowhere"
        state = after
        return "on"

    assert follow(None) == "nowhere"
    assert follow("(mark 1 1) noop", "(mark 3 3)") == "on"  # not what we answered
    assert follow("(mark 1 1) noop", "noop") == "nowhere"  # again
    assert follow("noop (mark 1 1)").startswith("out of step: illegal move '(mark 1 1)' of role 'oplayer'")
    assert follow("noop").startswith("out of step")
    assert follow("(mark").endswith("is no list of KIF terms such as (cell 1 1 b)")
    assert follow(None) == "NIL in the middle of a match"
    assert follow("(mark 2 2)") == "on"  # of the one who can choose
    assert len(state.moves_made) == 2


def test_the_same_moves_twice_are_two_steps_if_we_made_them_twice() -> None:
    state = load("rock-paper-scissors").start
    for _ in range(2):
        after, _ = understood(state, "(show rock) (show paper)", infix=False, role="left", answered="(show rock)")
        assert after is not None
        state = after
    again, note = understood(state, "(show rock) (show paper)", infix=False, role="left", answered="(show paper)")
    assert (again, note) == (None, "")


def test_a_long_start_is_read_by_its_frame() -> None:
    text = f"(START m r ((role r) {'(init (cell 1 1 b)) ' * 100_000}) 10 5)"
    message = read_message(text)
    assert message.clocks == ("10", "5")
    assert message.rules.count("init") == 100_000
    infix = read_message(f"start(m, r, [{'init(cell(1, 1, b)). ' * 100_000}], 10, 5)")
    assert (infix.id, infix.role, infix.clocks) == ("m", "r", ("10", "5"))
    assert infix.rules.count("init") == 100_000
    for text in (
        "a" * 2_000_000,
        f"play(m, {'a, ' * 1_000_000})",
        f"f({',' * 2_000_000})",
        "(" * 2_000_000,
        f"(PLAY m ({'a ' * 1_000_000}))",
    ):
        with pytest.raises(InputError):
            read_message(text)
    with pytest.raises(InputError, match="of an unknown form"):
        read_message(f"(START m r ({'(init (cell 1 1 b)) ' * 100_000}) 10 5 (more))")
