"""The way regions: the same values as a search of the whole, from the start and in the middle of play."""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import ludisect
from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.errors import BudgetExceeded, InputError
from ludisect.gdl.terms import Term
from ludisect.rulesets.position import Player
from ludisect.search.budget import Budget
from ludisect.search.foresight import Foresight
from ludisect.search.limits import SearchLimits
from ludisect.search.regions import Contest, Region, operators, outcome
from ludisect.search.regions.changes import bits
from ludisect.search.regions.premises import premises
from ludisect.search.regions.regions import RegionPlay, solve_regions
from ludisect.search.regions.winsearch import RegionWins
from ludisect.search.regions.worthwhile import before_parts
from ludisect.search.solve import solve
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable
from ludisect.settings import using
from tests.search.regions.variants import either_stuck, misere

SMALL = (
    "amazons:2x3", "breakthrough:2x5", "chomp:3x3", "clobber:2x4,1x2", "col:3x3", "domineering:3x4,2x2", "dots:1x3",
    "kayles:5,3", "nim-misere:2,3,4", "nogo:2x3", "pawns:2x5", "pawns:2x4,1x5", "regio:2x3,1x4", "snort:3x3",
    "tictactoe", "toads-and-frogs:TT_F,T__F", "misère domineering:3x3", "misère clobber:2x3,1x3",
    "either domineering:3x4", "either amazons:2x3", "either amazons:2x4",
)  # fmt: skip

LARGE = (
    "amazons:3x3", "clobber:3x4", "col:3x4,2x2", "domineering:4x4", "dots:1x4", "nim-misere:3,4,5",
    "pawns:3x5", "pawns:2x5,2x4", "regio:3x3,2x2", "snort:3x4,2x2", "misère domineering:4x4", "misère col:3x3",
    "either domineering:4x4", "either amazons:3x3", "nogo:3x3",
)  # fmt: skip


def game_of(name: str) -> Game:
    kind, _, rest = name.partition(" ")
    if kind == "either":
        return either_stuck(rest)
    return misere(rest) if kind == "misère" else ludisect.load(name)


def agree(name: str, states: int) -> None:
    """Regions and whole-game search give the same goals in states of random plays."""
    game = game_of(name)
    sample = take_sample(game, seed=3)
    picked = random.Random(name).sample(range(len(sample.states)), min(states, len(sample.states)))
    rows: Rows = np.concatenate([game.batch.initial, sample.states[picked]])
    whole = solve(game, "whole").solution
    assert isinstance(whole, Foresight)
    expected = whole.known.values(rows)
    play = RegionPlay(premises(operators(game)), Budget())
    for row, goals in zip(rows, expected.tolist(), strict=True):
        found = play.judge(row[None], told=False)
        assert list(found.gets) == goals, game.batch.state(row[None])
        assert play.judge(row[None], move=False).gets == found.gets
        if found.move is not None:
            assert found.move in {
                str(m) for some in game.legal_moves(game.batch.state(row[None])).values() for m in some
            }


@pytest.mark.parametrize("name", SMALL)
def test_the_same_as_the_whole_game_in_the_middle_of_play(name: str) -> None:
    agree(name, 25)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_the_same_as_the_whole_game_in_many_states(name: str) -> None:
    agree(name, 300)


@pytest.mark.parametrize("name", ["domineering:3x4", "regio:2x3", "pawns:2x5", "dots:1x2", "misère domineering:2x3"])
def test_a_line_of_best_play_reaches_the_value(name: str) -> None:
    """Every step of the line keeps the value, and its end pays it; answers on the way agree."""
    game = game_of(name)
    answer = solve(game, "regions")
    assert answer.exact
    assert answer.algorithm == "regions"
    state = game.start
    for joint in answer.line:
        assert ludisect.solve(state, "whole").value == answer.value
        state = state.play(joint)
    assert state.is_over
    assert state.goals == answer.value
    first = answer.after(answer.line[0])
    assert first.value == answer.value
    assert first.exact


def test_an_answer_tells_values_and_the_reason_of_its_move() -> None:
    """A domino in the middle of 2x3 leaves two places that only Vertical can use."""
    answer = solve(ludisect.load("domineering:2x3,2x1"), "regions")
    assert [str(part.value) for part in answer.parts] == ["{2|-1/2}", "1"]
    assert answer.parts[1].why == "region 2 (2 facts: (free 1 5) (free 2 5)) is worth 1"
    assert answer.parts[1].to_json()["facts"] == ["(free 1 5)", "(free 2 5)"]
    assert str(answer.move["vertical"]) == "(place 1 2)"
    told = "(place 1 2) makes region 1 2, and leaves regions that horizontal, to move, loses"
    assert answer.conclusion == (told,)
    assert answer.rule == "normal play"
    assert answer.evidence.startswith("every move lowers a count of facts")


def test_regions_by_name_need_no_decomposition(monkeypatch: pytest.MonkeyPatch) -> None:
    """To find the parts of a large game may take far longer than to solve its regions."""
    asked: list[str] = []
    monkeypatch.setattr("ludisect.search.solve.decompose", lambda game, **_: asked.append(game.name))
    assert solve(ludisect.load("kayles:3,4"), "regions").value == {"player1": 100, "player2": 0}
    assert not asked


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("kayles:20,25", True),
        ("domineering:4x4,4x4", True),
        ("kayles:5,4", False),  # its parts can be listed
        ("nim:11,12,15,25", False),
        ("domineering:6x6", False),  # one part, found at once
        ("double-tictactoe", False),  # play ends while there are moves
        ("nim-misere:12,12", False),  # who cannot move wins
    ],
)
def test_what_is_tried_before_parts_are_known(name: str, first: bool) -> None:
    assert before_parts(ludisect.load(name)) is first


def test_where_plays_look_like_a_sum_no_parts_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("ludisect.search.solve.decompose", lambda game, **_: asked.append(game.name))
    answer = solve(ludisect.load("kayles:17,2"))
    assert not asked
    assert (answer.algorithm, answer.exact) == ("regions", True)
    assert answer.notes[0] == "solved by regions, before parts were looked for"


def test_regions_that_were_tried_in_vain_are_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[str] = []

    def refused(game: Game, *_: object, **__: object) -> None:
        tries.append(game.name)
        raise Inapplicable("no")

    monkeypatch.setattr("ludisect.search.solve.solve_by_regions", refused)
    monkeypatch.setattr("ludisect.search.regions.regions.solve_by_regions", refused)
    with using(SearchLimits(regions_listed=8)):
        answer = solve(ludisect.load("kayles:4,3"))
    assert len(tries) == 1
    assert answer.algorithm == "nimbers"
    assert "regions was tried and does not fit: no" in answer.notes


def test_from_a_state_on() -> None:
    """A state is split anew: after the middle is filled, 2x5 is two boards of 2x2."""
    game = ludisect.load("domineering:2x5")
    state = game.start.play(vertical="(place 1 3)")
    answer = ludisect.solve(state, "regions")
    assert [str(part.value) for part in answer.parts] == ["±1", "±1"]
    assert answer.value == ludisect.solve(state, "whole").value == {"vertical": 100, "horizontal": 0}
    assert answer.after(answer.line[0]).value == answer.value


def test_a_zugzwang_is_told_and_the_sum_searched() -> None:
    answer = solve(ludisect.load("dots:1x3"), "regions")
    (note,) = answer.notes
    assert note.startswith("regions have no values, so their sum was searched: dots:1x3: ")
    assert "is a zugzwang" in note


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tron:3x3", "does not have the form that 'regions' needs"),
        ("hex:3", "cannot be solved by 'regions': "),
        ("double-crisscross", "play may never end"),
        ("reversi:4", "play may never end"),
    ],
)
def test_refusals_by_name(name: str, message: str) -> None:
    game = ludisect.load(name)
    if name == "hex:3":
        with using(SearchLimits(regions_threats=1)), pytest.raises(InputError, match=message):
            solve(game, "regions")
        return
    with pytest.raises(InputError, match=message):
        solve(game, "regions")


@pytest.mark.parametrize(
    ("name", "algorithm", "note"),
    [
        ("nim:3,5,7", "nimbers", "regions was tried and does not fit: the states of its parts can be listed"),
        ("kayles:17,2", "regions", ""),
        ("domineering:3x3", "whole", "regions was tried and does not fit: it is one part, and a search of the whole is "
                                     "quicker"),
        ("tictactoe", "whole", "regions was tried and does not fit: there are wins, losses and draws, which are no "
                               "points"),
    ],
)  # fmt: skip
def test_solve_takes_regions_where_they_are_quicker(name: str, algorithm: str, note: str) -> None:
    answer = solve(ludisect.load(name))
    assert answer.algorithm == algorithm
    assert not note or note in answer.notes


def test_at_a_limit_what_is_known_of_the_regions_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search of the sum comes to no end: the goals are bounds, and regions have values all the same."""

    def endless(*_: object, **__: object) -> None:
        raise BudgetExceeded("not finished within 1 s", budget="seconds")

    monkeypatch.setattr("ludisect.search.regions.regions.outcome", endless)
    monkeypatch.setattr("ludisect.search.regions.regions.RegionPlay._by_values", lambda *_: None)
    study = Study(ludisect.decompose("domineering:2x2,2x3"))
    study.by_name = True
    with pytest.raises(BudgetExceeded) as caught:
        solve_regions(study, Budget())
    answer = caught.value.partial
    assert isinstance(answer, Answer)
    assert not answer.exact
    assert answer.value == {"vertical": None, "horizontal": None}
    assert answer.bounds == {"vertical": (0, 100), "horizontal": (0, 100)}
    assert [str(part.value) for part in answer.parts] == ["±1", "{2|-1/2}"]


def test_a_region_without_choice_has_a_value() -> None:
    """One place is left for each player, which ``decompose`` counts as context unless values are asked for."""
    game = ludisect.load("domineering:2x2,1x2")
    state = game.state(["(control horizontal)", "(free 1 1)", "(free 2 1)", "(free 1 4)", "(free 1 5)"])
    assert not ludisect.decompose(state).dependent
    assert len(ludisect.decompose(state, values=True).dependent) == 2
    answer = ludisect.solve(state, "values")
    assert [str(part.value) for part in answer.parts] == ["1", "-1"]
    assert answer.value == ludisect.solve(state, "whole").value


@pytest.mark.parametrize("name", ["domineering:4x4", "col:3x4", "clobber:3x4"])
def test_parts_for_values_are_the_regions(name: str) -> None:
    """Late in a play, where many moves are forced."""
    game = ludisect.load(name)
    found, rng = operators(game), random.Random(2)
    for _ in range(3):
        state, following = game.start, game.start
        while not following.is_over:
            if rng.random() < 0.3 and len(found.regions(following)) > 1:
                break
            state = following
            following = state.play({role: rng.choice(moves) for role, moves in state.legal.items()})
        parts = ludisect.decompose(state, values=True)
        regions = [{str(found.facts[k]) for k in bits(region.open)} for region in found.regions(state)]
        assert sorted(map(sorted, regions)) == sorted(sorted(map(str, part.fluents)) for part in parts.dependent)
        assert parts.evidence is not None
        assert parts.evidence.status == "proved"


def test_only_exact_finds_parts_for_values() -> None:
    with pytest.raises(InputError, match="found by the method 'exact', not by 'symbols'"):
        ludisect.decompose("four-lamps", method="symbols", values=True)


def test_bounds_of_regions_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board that is too large for a value within the time has bounds, which say so."""

    def at_once(regions: list[Region], player: Player, *, seconds: float | None, **more: Any) -> Contest:
        return outcome(regions, player, seconds=0.0, **more)

    monkeypatch.setattr("ludisect.search.regions.regions.outcome", at_once)
    monkeypatch.setattr(RegionWins, "SLICE", 20)  # the clock is looked at early
    study = Study(ludisect.decompose("domineering:8x8"))
    study.by_name = True
    with using(SearchLimits(regions_quick=100)), pytest.raises(BudgetExceeded) as caught:
        solve_regions(study, Budget())
    answer = caught.value.partial
    assert isinstance(answer, Answer)
    (part,) = answer.parts
    assert "is worth between -" in part.why
    low, high = part.to_json()["between"]
    assert -32 < Fraction(low) < 0 < Fraction(high) < 32
    assert answer.notes[0] == f"all regions together are worth between {low} and {high} to the first role"


@pytest.mark.parametrize("text", ["domineering:3x4,4x3,3x3,2x4", "clobber:3x3,2x4,3x2"])
def test_states_judged_in_a_row(text: str) -> None:
    """What is kept from one state to the next changes no verdict, also where a question was broken off."""
    game = ludisect.load(text)
    known = premises(operators(game))
    kept, seen = RegionPlay(known, Budget()), set()
    draw = random.Random(text)
    for _ in range(3):
        state = game.start
        while not state.is_over:
            row = game.batch.row(state.fluents)
            with suppress(BudgetExceeded):
                kept.budget = Budget(draw.random() * 0.002)
                kept.judge(row, told=False, move=False)
            kept.budget = Budget()
            gets = kept.judge(row, told=False, move=False).gets
            ruling = kept.judge(row, told=False)
            assert gets == ruling.gets == RegionPlay(known, Budget()).judge(row).gets
            seen.add(gets)
            if state.choosing and gets[game.roles.index(state.choosing[0])] == 100:  # the move that is told wins
                assert ruling.move is not None
                after = state.play({state.choosing[0]: Term.parse(ruling.move)})
                end = tuple(after.goals.values()) if after.is_over else None
                assert (end or RegionPlay(known, Budget()).judge(game.batch.row(after.fluents)).gets) == gets
            state = state.play({role: draw.choice(moves) for role, moves in state.legal.items()})
    assert len(seen) == 2
