"""Rewritten sheets play the same game: state by state, under the names that the rewriting reports."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludisect.circuit.game import Game
from ludisect.composition.rewrite import KINDS, Rewritten, rewrite
from ludisect.errors import InputError
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter, check, read, read_file
from ludisect.gdl.machine import Machine
from ludisect.gdl.terms import Rules
from ludisect.loader import load

GAMES = ("tictactoe", "nim:2,3", "lights-on", "runners", "peg-solitaire", "relay", "chomp:2x3", "rock-paper-scissors")


@cache
def original(name: str) -> Game:
    return load(name)


def difference(old: Machine, new: Machine, to: Rewritten, seed: int, *, plays: int = 3) -> str:
    """Play both at random side by side; what differs, if anything does."""
    rng = random.Random(seed)
    if [to.role(role) for role in old.roles] != list(new.roles):
        return "roles"
    for _ in range(plays):
        here, there = old.initial_state(), new.initial_state()
        for _ in range(60):
            if frozenset(map(to.fluent, here)) != there:
                return "state"
            if {to.role(r): goal for r, goal in old.goals(here).items()} != new.goals(there):
                return "goals"
            if old.is_terminal(here) != new.is_terminal(there):
                return "terminal"
            legal, other = old.legal_moves(here), new.legal_moves(there)
            if any({to.move(m) for m in moves} != set(other[to.role(r)]) for r, moves in legal.items()):
                return "legal"
            if old.is_terminal(here) or not all(legal.values()):
                break
            joint = {role: rng.choice(moves) for role, moves in legal.items()}
            here = old.next_state(here, joint)
            there = new.next_state(there, {to.role(role): to.move(move) for role, move in joint.items()})
    return ""


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(GAMES), st.sets(st.sampled_from(KINDS), min_size=1), st.integers(0, 10**6))
def test_rewriting_keeps_the_game(name: str, kinds: set[str], seed: int) -> None:
    old = original(name)
    assert old.rules is not None
    new = rewrite(old.rules, random.Random(seed), kinds=sorted(kinds))
    assert not [p for p in check(new.rules) if p.level == "error"]
    assert difference(old, load(new.rules), new, seed) == ""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["tictactoe", "lights-on"])
def test_each_kind_does_something(name: str, kind: str) -> None:
    rules = find_rules(name)
    if kind == "merge":  # only rules with the same head are merged
        rules = read(str(rules) + "(<= terminal (true (never))) (<= terminal (true (ever)))")
    new = rewrite(rules, random.Random(0), kinds=[kind], share=1.0)
    assert str(new.rules) != str(rules)
    assert difference(Interpreter(rules), Interpreter(new.rules), new, 0, plays=1) == ""


def test_rewriting_again_and_again() -> None:
    rules, rng = find_rules("nim:2,2"), random.Random(5)
    for _ in range(3):
        new = rewrite(rules, rng, share=0.3)
        assert not [p for p in check(new.rules) if p.level == "error"]
        assert difference(load(rules), load(new.rules), new, 0) == ""
        rules = new.rules


def test_goal_values_keep_their_names() -> None:
    rules = find_rules("relay")
    new = rewrite(rules, random.Random(3), kinds=["rename"])
    assert not any(p.level == "error" for p in check(new.rules))
    goals = {value for _, value in load(new.rules).goal_table}
    assert goals == {value for _, value in load(rules).goal_table}


def test_numbers_that_are_no_goals_are_renamed() -> None:
    new = rewrite(find_rules("tictactoe"), random.Random(3), kinds=["rename"])
    assert " 1 " not in str(new.rules)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(InputError, match=r"no rewriting is called 'turn'.*split, merge"):
        rewrite(find_rules("tictactoe"), random.Random(0), kinds=["turn"])


CORPUS_GAMES = ("ticTacToe", "nim1", "buttons", "blocks", "maze", "lightsOut", "connectFour", "hanoi")


@pytest.mark.corpus
@pytest.mark.parametrize("name", CORPUS_GAMES)
def test_public_games(name: str, corpus: Path) -> None:
    path = corpus / "games" / f"{name}.kif"
    if not path.exists():
        pytest.skip(f"{name} is not in the corpus")
    rules: Rules = read_file(path)
    new = rewrite(rules, random.Random(9))
    assert not [p for p in check(new.rules) if p.level == "error"]
    assert difference(load(rules), load(new.rules), new, 1, plays=1) == ""
