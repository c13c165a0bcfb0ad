"""Every built-in player keeps the contract: legal moves in time, whatever the game, and it follows what was played."""

from __future__ import annotations

import math
import random
import time

import pytest

from ludisect.errors import InputError, UnknownRole
from ludisect.games.source import find_rules
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.state import State
from ludisect.gdl.terms import Rules, Term
from ludisect.loader import load
from ludisect.play.byparts import PartsPlayer
from ludisect.play.flat import FlatPlayer, Means
from ludisect.play.limits import PlayLimits
from ludisect.play.player import Assignment, Choice, GamePlayer
from ludisect.play.players import PLAYERS, make_player
from ludisect.play.tree import Outlook, TreeSearch
from ludisect.play.treeplayer import TreePlayer
from ludisect.search.solve import solve
from ludisect.settings import using

GAMES = ("tictactoe", "nim:1,2,3", "rock-paper-scissors", "two-track", "three-player-tictactoe")
SOON, READY, AMPLE = 0.05, 0.5, 60.0


def seated(name: str, rules: Rules, role: str, **more: object) -> GamePlayer:
    player = make_player(name)
    player.start(Assignment(rules, role, READY, SOON, **more), time.monotonic() + READY)  # type: ignore[arg-type]
    return player


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", PLAYERS)
def test_a_whole_match_of_legal_moves(name: str, game: str) -> None:
    rules = find_rules(game)
    machine, draw = Interpreter(rules), random.Random(7)
    player = seated(name, rules, machine.roles[-1])
    state = machine.start
    while not state.is_over:
        told: list[Choice] = []
        choice = player.choose(time.monotonic() + SOON, told.append)
        assert choice.move in state.legal[player.role]
        assert choice.why
        assert all(one.move in state.legal[player.role] for one in told)
        joint = {role: draw.choice(moves) for role, moves in state.legal.items()}  # not always what it wanted
        player.told(joint)
        state = state.play(joint)
        assert player.state.fluents == state.fluents
    player.stop()


def test_who_is_not_a_role_is_refused() -> None:
    with pytest.raises(UnknownRole, match="xplayr"):
        seated("legal", find_rules("tictactoe"), "xplayr")
    with pytest.raises(InputError, match="no player is called 'part'; did you mean parts"):
        make_player("part")


@pytest.mark.parametrize("name", ["alphabeta", "tree", "parts"])
def test_exact_players_lose_nothing_that_is_won(name: str) -> None:
    """Nim from a won start, against every reply of a random opponent."""
    rules = find_rules("nim:1,3,4")
    for seed in range(4):
        draw = random.Random(seed)
        player = seated(name, rules, "player1", game=load(rules))
        state = load(rules).start
        while not state.is_over:
            mine = player.choose(time.monotonic() + AMPLE)
            joint = {"player1": mine.move, "player2": draw.choice(state.legal["player2"])}
            state = state.play(joint)
            player.told(joint)
        assert state.goals["player1"] == 100
        player.stop()


@pytest.mark.parametrize("name", ["nim:9,12,17", "kayles:5,7,4"])
def test_a_won_sum_is_won_against_a_perfect_opponent(name: str) -> None:
    """Both sides play by the answer, in one process; the first player wins by theory."""
    rules, game = find_rules(name), load(name)
    seats = {role: PartsPlayer() for role in game.roles}
    for role, player in seats.items():
        player.start(Assignment(rules, role, AMPLE, AMPLE, game=game), time.monotonic() + AMPLE)
    state = game.start
    while not state.is_over:
        joint = {role: player.choose(time.monotonic() + AMPLE).move for role, player in seats.items()}
        state = state.play(joint)
        for player in seats.values():
            player.told(joint)
    assert state.goals["player1"] == 100
    for player in seats.values():
        player.stop()


def test_parts_plays_by_the_value_of_the_answer_from_any_state() -> None:
    """Whatever was played before, its move keeps the value that a new search of the whole finds."""
    game = load("kayles:2,2,1")
    draw = random.Random(3)
    for _ in range(3):
        player = PartsPlayer()
        player.start(Assignment(find_rules("kayles:2,2,1"), "player1", AMPLE, AMPLE, game=game), time.monotonic() + 60)
        state = game.start
        while not state.is_over:
            choice = player.choose(time.monotonic() + 2.0)
            if "player1" in state.choosing:
                before = solve_value(state, "player1")
                joint = {"player1": choice.move, "player2": state.legal["player2"][0]}
                assert solve_value(state.play(joint), "player1") == before
                if before > 0:
                    assert choice.certain
            joint = {role: draw.choice(moves) for role, moves in state.legal.items()}
            player.told(joint)
            state = state.play(joint)
        player.stop()


def solve_value(state: State, role: str) -> float:  # type: ignore[type-arg]
    if state.is_over:
        return float(state.goals[role] or 0)
    from ludisect.circuit.midgame import at_state

    value = solve(at_state(state.game, state.fluents), "whole").value[role]
    assert value is not None
    return value


def test_parts_mixes_where_no_single_move_is_best() -> None:
    rules = find_rules("rock-paper-scissors")
    seen = set()
    for seed in range(9):
        player = make_player("parts")
        seat = Assignment(rules, "left", AMPLE, AMPLE, seed=seed, game=load(rules))
        player.start(seat, time.monotonic() + AMPLE)  # until it is solved, which ends the start clock
        seen.add(str(player.choose(time.monotonic() + AMPLE).move))
        player.stop()
    assert len(seen) == 3


def test_a_game_too_large_for_a_circuit_is_played_by_its_rules() -> None:
    rules = find_rules("tictactoe")
    with using(PlayLimits(players_memory=0.1)):
        player = FlatPlayer()
        player.start(Assignment(rules, "xplayer", 0.0, SOON), time.monotonic())  # no time at all to build
        choice = player.choose(time.monotonic() + 0.2)
    assert choice.move in Interpreter(rules).start.legal["xplayer"]
    player.stop()


def test_who_may_not_build_plays_by_the_rules() -> None:
    rules = find_rules("tictactoe")
    for name in PLAYERS:
        player = make_player(name)
        player.start(Assignment(rules, "xplayer", SOON, SOON, build=False), time.monotonic() + AMPLE)
        assert player.choose(time.monotonic() + 0.1).move in Interpreter(rules).start.legal["xplayer"]
        assert player.game is None
        player.stop()


def test_flat_prefers_the_move_that_wins_at_once() -> None:
    rules = find_rules("tictactoe")
    state = load(rules).start.play_line("(mark 1 1) (mark 3 1) (mark 1 2) (mark 3 2)")
    for game in (load(rules), None):  # on the circuit, and by the rules alone
        player = _Slow() if game is None else FlatPlayer()
        player.start(Assignment(rules, "xplayer", AMPLE, AMPLE, game=game), time.monotonic() + 0.0)
        for joint in state.moves_made:
            player.told(joint)
        means = Means(player.state.legal["xplayer"])
        for number in range(60 if game is None else 2):  # so many rounds, however long they take
            player.sample(means, time.monotonic() + AMPLE, number)
        choice = means.choice()
        assert str(choice.move) == "(mark 1 3)"
        assert choice.values[choice.move] == 100
        player.stop()


class _Slow(FlatPlayer):
    """Never has a circuit."""

    def build(self, deadline: float) -> None:
        """It takes for ever."""


def test_means_without_plays_are_a_legal_move() -> None:
    one, other = Term("a"), Term("b")
    means = Means((one, other))
    assert means.choice().move == one
    means.add(one, 10.0)
    means.add(other, 30.0, 2)
    means.add(other, 0.0)
    assert means.choice().move == one or means.choice().values == {one: 10.0, other: 10.0}
    means.add(other, 100.0)
    assert means.choice().move == other


def test_nobody_is_told_of_a_goal_that_is_not_known() -> None:
    """Before an end was seen, a search knows nothing of the goal of a role without a choice."""
    game = load("connect-four")
    found = TreeSearch(game, seed=1).search(game.start, visits=1)
    assert math.isnan(found.goals["yellow"])
    player = TreePlayer()
    for role in game.roles:
        player.role = role
        choice = player._choice(found)
        assert "nan" not in choice.why
        assert not any(map(math.isnan, choice.values.values()))


def test_a_tree_goes_along_and_goes_on_while_others_think() -> None:
    rules = find_rules("connect-four")
    player = TreePlayer()
    seat = Assignment(rules, "red", AMPLE, AMPLE, ponder=True, game=load(rules))
    player.start(seat, time.monotonic() + 0.3)
    assert player._tree(time.monotonic() + AMPLE) is not None  # on a busy machine it may take longer than the clock
    seen: list[Choice] = []
    for _ in range(2):
        choice = player.choose(time.monotonic() + 0.2, seen.append)
        assert set(choice.values) <= set(player.state.legal["red"])
        joint = {"red": choice.move, "yellow": player.state.legal["yellow"][0]}
        assert player._searching is not None  # it thinks on
        assert not player._searching.done
        player.told(joint)
        reply = player.choose(time.monotonic() + 0.2)
        assert reply.why == "the only legal move"
        player.told({"red": reply.move, "yellow": player.state.legal["yellow"][0]})
    assert seen
    player.stop()
    assert player._searching is None


def test_what_the_solver_finds_late_is_used_at_once() -> None:
    """The tree is being searched when the answer comes."""

    class Late(PartsPlayer):
        def _look_for_regions(self, deadline: float) -> None:
            """They would be quicker than the solver."""

        def _solve(self, deadline: float) -> None:
            if not held:
                super()._solve(deadline)

    rules, held = find_rules("nim:15,20,26"), [True]
    tree_only: list[Choice] = []

    def tell(choice: Choice) -> None:
        tree_only.append(choice)
        held.clear()

    late = Late()
    late.start(Assignment(rules, "player1", AMPLE, AMPLE, game=load(rules)), time.monotonic() + 0.1)
    choice = late.choose(time.monotonic() + AMPLE, tell)
    assert tree_only
    assert choice.why.startswith("nimbers: worth 100, exact")
    late.stop()


class Ticking:
    """A clock that goes on a little whenever it is read, and as told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1e-3
        return self.now


def test_where_nothing_falls_apart_parts_is_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed and as many simulations, counted instead of timed: the same words at every move."""
    clock = Ticking()
    monkeypatch.setattr(time, "monotonic", clock)

    def searched(player: TreePlayer, search: TreeSearch, seconds: float) -> Outlook:
        clock.now += seconds
        assert player.played is not None
        search.look_at(player.played)
        return search.search(visits=500 + search._trees[0].visits)

    monkeypatch.setattr(TreePlayer, "_searched", searched)
    rules = find_rules("connect-four")
    game, draw = load(rules), random.Random(3)
    players = (make_player("tree"), make_player("parts"))
    for player in players:
        player.start(Assignment(rules, "red", READY, SOON, seed=4, game=game), clock() + READY)
    state = game.start
    for _ in range(8):
        said = [player.choose(clock() + SOON) for player in players]
        assert said[0] == said[1]
        joint = {role: draw.choice(moves) for role, moves in state.legal.items()}
        state = state.play(joint)
        for player in players:
            player.told(joint)
    for player in players:
        player.stop()
