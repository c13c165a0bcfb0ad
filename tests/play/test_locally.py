"""Parts in a match: where each stands, what its trees say, and what the player does with it."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from typing import Literal

import pytest

from ludisect.circuit.game import Game
from ludisect.circuit.midgame import at_state
from ludisect.composition.ondemand import compose
from ludisect.decomposition.methods import decompose
from ludisect.games.source import find_rules
from ludisect.gdl.byrole import ByRole
from ludisect.gdl.state import State
from ludisect.gdl.terms import Rules, Term
from ludisect.loader import load
from ludisect.play.byparts import PartsPlayer
from ludisect.play.limits import PlayLimits
from ludisect.play.locally import LocalTrees, Worths, trusted
from ludisect.play.partview import PartView
from ludisect.play.player import Assignment, Choice
from ludisect.play.regional import regional
from ludisect.play.regionplayer import RegionPlayer
from ludisect.play.trap import judged, trap
from ludisect.play.tree import MoveWorth, Outlook, TreeSearch
from ludisect.search.solve import solve
from ludisect.settings import using

AMPLE = 300.0


@pytest.fixture(scope="module")
def double() -> Game:
    return load("double-tictactoe")


def plays(game: Game, n: int, seed: int = 1) -> list[tuple[State[Game], dict[str, Term]]]:
    """States of random plays, each with the joint move that was made in it."""
    draw, out = random.Random(seed), list[tuple[State[Game], dict[str, Term]]]()
    while len(out) < n:
        state = game.start
        while not state.is_over:
            joint = {role: draw.choice(moves) for role, moves in state.legal.items()}
            out.append((state, joint))
            state = state.play(joint)
    return out[:n]


@pytest.mark.parametrize("name", ["double-tictactoe", "nim:2,3", "parallel-tictactoe", "serial-tictactoe"])
def test_a_part_follows_the_whole(name: str) -> None:
    """What a joint move does in the part's own game is what the whole does to the part."""
    parts = decompose(load(name))
    views = [PartView(part, parts.game) for part in parts.dependent]
    moved = 0
    for state, joint in plays(parts.game, 80):
        after = state.play(joint)
        for view in views:
            here, there = view.state(state.fluents), view.state(after.fluents)
            if not view.going(here):
                continue
            local = view.joint(here, joint)
            own = set(view.part.fluents)
            if local is None:
                assert own & here == own & there  # nobody moved here
            else:
                moved += 1
                assert own & view.game.next_state(here, local) == own & there
    assert moved > 10


def test_every_legal_move_is_a_move_of_one_part(double: Game) -> None:
    parts = decompose(double)
    views = [PartView(part, double) for part in parts.dependent]
    for state, _ in plays(double, 40):
        for role in state.choosing:
            for move in state.legal[role]:
                assert sum(view.local(role, move) is not None for view in views) == 1


def test_only_parts_that_score_have_trees(double: Game) -> None:
    assert LocalTrees.fit(decompose(double))
    assert not LocalTrees.fit(decompose(load("nim:2,3")))  # won by the last move, wherever that is made
    assert not LocalTrees.fit(decompose(load("tictactoe")))
    assert not LocalTrees.fit(decompose(load("two-track")))


def test_trees_see_what_every_move_is_worth_in_the_parts() -> None:
    """Two boards whose points add up, a row of two on each for either side: the worth of every move is what following
    every play of each part gives."""
    game = load(compose("choice", ["tictactoe", "tictactoe"]).rules)
    parts = decompose(game)
    state = game.start.play_line(
        "(go1 (mark 1 1)) (go1 (mark 2 2)) (go1 (mark 1 2)) (go1 (mark 1 3))"
        "(go2 (mark 1 1)) (go2 (mark 3 3)) (go2 (mark 1 2)) (go2 (mark 3 2))"
    )
    role = state.choosing[0]
    trees = LocalTrees(parts, role, seed=1)
    found = trees.search(state, time.monotonic() + AMPLE)  # ends when all parts are proved
    assert found is not None
    assert trees.sure
    known: Known = {}
    expected = {m: sum(plain_worth(view, state, role, m, known) for view in trees.views) for m in found.worth}
    best = max(found.worth, key=found.worth.__getitem__)
    assert str(best) == "(go2 (mark 1 3))"
    assert found.worth[best] == pytest.approx(max(expected.values()))
    for move, worth in found.worth.items():  # what was left open when the best was proved is never praised
        assert worth <= found.worth[best]
        assert expected[move] <= expected[best]


def test_few_visits_tell_nothing() -> None:
    a, b, c, d = (Term(x) for x in "abcd")
    some = (worth_of(a, 1000, 60.0), worth_of(b, 200, 40.0), worth_of(c, 5, 99.0), worth_of(d, 0, float("nan")))
    open_ = Outlook(ByRole({"x": a}), ByRole({"x": some}), ByRole({"x": 60.0}), False, 1205, 1205, 9, 0.1)
    assert trusted(open_, "x") == {a: 60.0, b: 40.0, c: 40.0, d: 40.0}
    proved = (worth_of(a, 10, 100.0, proved=True), *some[1:])
    closed = Outlook(ByRole({"x": a}), ByRole({"x": proved}), ByRole({"x": 100.0}), True, 1205, 1205, 9, 0.1)
    assert trusted(closed, "x") == {a: 100.0, b: 0.0, c: 0.0, d: 0.0}


Known = dict[tuple[int, frozenset[Term]], float]


def plain_worth(view: PartView, state: State[Game], role: str, move: Term, known: Known) -> float:
    """What a part is worth after a move, if its two sides move in turn in it, by following every play."""
    here = view.state(state.fluents)
    joint = {**{r: moves[0] for r, moves in state.legal.items()}, role: move}
    local = view.joint(here, joint)
    there = view.game.next_state(here, local) if local is not None else view.state(state.play(joint).fluents)
    return value(view.game, there, role, known)


def value(game: Game, fluents: frozenset[Term], role: str, known: Known) -> float:
    key = id(game), fluents
    if key not in known:
        if game.is_terminal(fluents):
            known[key] = float(game.goals(fluents)[role] or 0)
        else:
            legal = game.legal_moves(fluents)
            who = next((r for r, moves in legal.items() if len(moves) > 1), game.roles[0])
            rest = {r: moves[0] for r, moves in legal.items()}
            after = [value(game, game.next_state(fluents, {**rest, who: m}), role, known) for m in legal[who]]
            known[key] = max(after) if who == role else min(after)
    return known[key]


def test_what_the_parts_say_is_told_relative_to_the_best() -> None:
    a, b, c = (Term(x) for x in "abc")
    found = Worths({a: 30.0, b: 10.0, c: 30.0}, idle=(a, c))
    assert found.expected(60.0) == {a: 60.0, b: 40.0, c: 60.0}
    assert found.kept == (a, b)  # one stands for all that act nowhere
    assert Worths({a: 1.0, b: 2.0}).kept == (a, b)
    assert found.told(b) == "number 3 of 3 by the trees of the parts"


def test_advice_is_so_many_plays_and_nothing_is_left_out() -> None:
    """A root begins as if every move had had ten plays; after many more, the tree of the whole decides."""
    game = load("connect-four")
    search, told = TreeSearch(game, seed=1), TreeSearch(game, seed=1)
    for one in (search, told):
        one.look_at(game.start)
    legal = game.start.legal["red"]
    goals = {move: 100.0 if str(move) == "(drop 1)" else 0.0 for move in legal}
    told.advise("red", goals, 10)
    before = {one.move: one for one in told.search(visits=1).worth["red"]}
    assert {move: (one.visits, one.goal) for move, one in before.items()} == {m: (10, goals[m]) for m in legal}
    assert str(told.search(visits=100).moves["red"]) == "(drop 1)"
    found = told.search(visits=20_000)
    assert found.moves == search.search(visits=20_000).moves
    assert all(one.visits > 10 for one in found.worth["red"])
    told.advise("red", goals, 0)  # nobody says anything
    assert told.search(visits=1).visits == found.visits


def worth_of(move: Term, visits: int, goal: float, *, proved: bool = False) -> MoveWorth:
    return MoveWorth(move, visits, goal, 0.0, proved)


def test_a_narrow_root_tries_nothing_else() -> None:
    game = load("connect-four")
    search = TreeSearch(game, seed=1)
    before = {one.move: one.visits for one in search.search(game.start, visits=2000).worth["red"]}
    kept = [Term.parse("(drop 2)"), Term.parse("(drop 6)")]
    search.narrow("red", kept)
    after = {one.move: one.visits for one in search.search(visits=8000).worth["red"]}
    assert {move for move in after if after[move] > before[move]} == set(kept)
    search.narrow("red", [])  # nothing is left: that is no advice
    search.search(visits=9000)
    state = game.start.play("(drop 4)")
    search.advance({"red": Term.parse("(drop 4)"), "yellow": Term.parse("noop")})
    assert search.state == state
    wide = search.search(visits=4000).worth["yellow"]
    assert all(one.visits > 0 for one in wide)


def test_a_part_that_is_left_alone_is_the_whole_and_not_searched_again() -> None:
    game = load(compose("choice", ["tictactoe", "tictactoe"]).rules)
    trees = {role: LocalTrees(decompose(game), role, seed=1) for role in game.roles[:1]}
    alone, seen = 0, 0
    for state, _ in plays(game, 60):
        for role in set(state.choosing) & set(trees):
            of_role = trees[role]
            assert not of_role.instep(state)
            going = [view for view in of_role.views if not view.game.is_terminal(view.state(state.fluents))]
            if len(going) < 2:
                alone += 1
                assert of_role.search(state, time.monotonic() + AMPLE) is None
            seen += 1
    assert 0 < alone < seen


def both_boards(goals: str) -> Game:
    """Two roles choose a number on each of two boards at once, and keep it."""
    return load(
        "(role a) (role b) (n 0) (n 1) (n 2) (init (p none)) (init (q none))"
        "(<= (legal a (both ?x ?y)) (n ?x) (n ?y)) (<= (legal b (both ?x ?y)) (n ?x) (n ?y))"
        "(<= (next (p ?x ?u)) (does a (both ?x ?y)) (does b (both ?u ?v)))"
        "(<= (next (q ?y ?v)) (does a (both ?x ?y)) (does b (both ?u ?v)))"
        "(init (step 0)) (next (step 1)) (<= terminal (true (step 1)))"
        "(<= high1 (true (p 2 ?u))) (<= low2 (true (q 0 ?v)))"
        "(<= (goal b 50) (role b))" + goals
    )


def test_parts_that_move_at_once_draw_their_factors() -> None:
    """Two on the first board and nought on the second are best whatever the other does, and the points add up."""
    game = both_boards(
        "(<= (goal a 100) high1 low2) (<= (goal a 50) high1 (not low2)) (<= (goal a 50) (not high1) low2)"
        "(<= (goal a 0) (not high1) (not low2))"
    )
    parts = decompose(game)
    assert len(parts.dependent) == 2
    trees = LocalTrees(parts, "a", seed=1)
    assert trees.adds_up
    with using(PlayLimits(locally_slice=0.05)):
        found = trees.search(game.start, time.monotonic() + 0.5)
    assert found is not None
    assert str(found.drawn) == "(both 2 0)"
    assert found.told(Term.parse("(both 2 0)")) == "every part has chosen its own factor"


def test_points_that_do_not_add_up_leave_the_choice_to_the_whole() -> None:
    game = both_boards("(<= (goal a 100) high1 low2) (<= (goal a 0) (not high1)) (<= (goal a 0) high1 (not low2))")
    parts = decompose(game)
    trees = LocalTrees(parts, "a", seed=1)
    assert not trees.adds_up
    assert trees.search(game.start, time.monotonic() + AMPLE) is None


@pytest.mark.parametrize("name", ["double-tictactoe", "parallel-tictactoe", "serial-tictactoe"])
def test_the_player_keeps_the_contract_with_trees_of_parts(name: str) -> None:
    """Whatever the parts say, its moves are legal; solving is switched off, so that the trees are all it has."""
    game = load(name)
    parts = decompose(game)

    class Unsolved(PartsPlayer):
        def _solve(self, deadline: float) -> None:
            self._local = self._local or LocalTrees(parts, self.role, 0)

    draw = random.Random(5)
    player = Unsolved()
    with using(PlayLimits(locally_slice=0.001)):
        player.start(Assignment(find_rules(name), game.roles[0], 0.2, 0.05, game=game), time.monotonic() + 0.2)
        state = game.start
        while not state.is_over:
            choice: Choice = player.choose(time.monotonic() + 0.2)
            assert choice.move in state.legal[game.roles[0]]
            joint = {role: draw.choice(moves) for role, moves in state.legal.items()}
            joint[game.roles[0]] = choice.move
            state = state.play(joint)
            player.told(joint)
    player.stop()
    assert LocalTrees.fit(parts)


# ---- regions ----


def test_regions_judge_states_as_the_search_of_the_whole_does() -> None:
    game = load("domineering:3x3,2x3")
    judge = regional(game)
    assert judge is not None
    for state, _ in plays(game, 25, seed=3):
        if not state.choosing:
            continue
        (role,) = state.choosing
        found = judge.judge(state, time.monotonic() + AMPLE)
        assert found is not None
        value, move, why = found
        assert why
        after = state.play({role: move})
        assert value == whole(state, role)
        if value:
            assert whole(after, role) == value


def whole(state: State[Game], role: str) -> float:
    if state.is_over:
        return float(state.goals[role] or 0)
    found = solve(at_state(state.game, state.fluents), "whole").value[role]
    assert found is not None
    return found


def test_other_games_are_not_judged_by_regions() -> None:
    for name in ("tictactoe", "two-track", "rock-paper-scissors"):
        assert regional(load(name)) is None


def test_a_sum_of_regions_is_decided_before_it_is_taken_apart() -> None:
    """Four rows of sixty pins: the start clock ends at once, and nothing else is begun."""
    game = load("kayles:9,14,17,20")
    player = PartsPlayer()
    player.start(
        Assignment(find_rules("kayles:9,14,17,20"), game.roles[0], AMPLE, AMPLE, game=game), time.monotonic() + AMPLE
    )
    choice = player.choose(time.monotonic() + AMPLE)
    player.stop()
    assert choice.why.startswith("regions: worth 100, exact")
    assert player._solving is None


def test_from_the_moment_it_is_solved_no_move_loses() -> None:
    """Boards of Domineering against random replies: once an answer is exact and won, it stays won."""
    name = "domineering:3x4,4x3"
    game, rules = load(name), find_rules(name)
    for seed in range(2):
        draw, won = random.Random(seed), False
        player = PartsPlayer()
        role = game.roles[seed % 2]
        player.start(Assignment(rules, role, AMPLE, AMPLE, game=game), time.monotonic() + 1.0)
        state = game.start
        while not state.is_over:
            mine = role in state.choosing
            choice = player.choose(time.monotonic() + AMPLE)
            won = won or (mine and choice.certain and "worth 100" in choice.why)
            joint = {r: draw.choice(moves) for r, moves in state.legal.items()}
            joint[role] = choice.move
            state = state.play(joint)
            player.told(joint)
            if won and mine:
                assert whole(state, role) == 100
        player.stop()
        assert not won or state.goals[role] == 100


def test_judging_ahead_changes_no_answer() -> None:
    """What was judged in advance is only known sooner."""
    game = load("domineering:2x3,3x2")
    fresh, warm = regional(game), regional(game)
    assert fresh is not None
    assert warm is not None
    with using(PlayLimits(regional_plays=12, regional_ahead=3)):
        warm.warm_up(game.start, time.monotonic() + AMPLE, seed=1)
        warm.prepare(game.start, time.monotonic() + AMPLE, seed=1)
    for state, _ in plays(game, 12, seed=8):
        if state.choosing:
            one, other = (judge.judge(state, time.monotonic() + AMPLE) for judge in (fresh, warm))
            assert one is not None
            assert other is not None
            assert one[0] == other[0]


def test_regions_that_fail_get_less_of_a_move() -> None:
    player = PartsPlayer()
    with using(PlayLimits(byparts_decided=0.8, byparts_regions=0.15)):
        player._trust_regions(decided=True)
        shares = [player._judging]
        for _ in range(4):
            player._trust_regions(decided=False)
            shares.append(player._judging)
    assert shares == pytest.approx([0.8, 0.4, 0.2, 0.15, 0.15])
    assert player._decided


def sketched(rules: Rules, game: Game) -> PartsPlayer:
    """A player that has sketched the parts, and nothing else."""
    player = PartsPlayer()
    player.assignment = Assignment(rules, game.roles[0], AMPLE, AMPLE, game=game)
    player.role, player.game, player.state = game.roles[0], game, game.start
    player._sketch(time.monotonic() + AMPLE)
    return player


def test_parts_are_sketched_before_they_are_proved(double: Game) -> None:
    """What statistics find is there at once; the same parts, proved later, find their trees grown."""
    player = sketched(find_rules("double-tictactoe"), double)
    local = player._local
    assert local is not None
    assert not local.sure
    player._listen_to(decompose(double))
    assert player._local is local
    assert local.sure
    player.stop()


@pytest.mark.parametrize("goal", ["additive", "all"])
def test_the_tree_of_the_whole_learns_by_parts_where_points_do_not_add_up(goal: Literal["additive", "all"]) -> None:
    rules = compose("choice", ["tictactoe", "tictactoe"], goal=goal).rules
    game = load(rules)
    player = sketched(rules, game)
    local = player._local
    assert local is not None
    player._learn_by_parts(time.monotonic() + AMPLE)
    parts = [set(view.part.fluents) for view in local.views]
    assert [set(some) for some in player._learning] == ([] if goal == "additive" else parts)
    numbers = PlayLimits()
    assert local.share(game.start) == (numbers.locally_choice if goal == "additive" else 0.0)
    player.stop()


def test_parts_choose_unless_the_whole_has_proved_something() -> None:
    a, b, c = (Term(x) for x in "abc")
    some = (worth_of(a, 900, 50.0), worth_of(b, 90, 40.0), worth_of(c, 10, 30.0))
    found = Outlook(ByRole({"x": a}), ByRole({"x": some}), ByRole({"x": 50.0}), False, 1000, 1000, 9, 0.1)
    assert Worths({a: 1.0, b: 2.0, c: 2.0}, decides=True).pick(found, "x") == b  # of equals the more visited
    assert Worths({a: 1.0, b: 2.0, c: 2.0}).pick(found, "x") == a  # advice alone
    assert Worths({}, drawn=c).pick(found, "x") == c
    lost = replace(found, worth=ByRole({"x": (some[0], worth_of(b, 90, 0.0, proved=True), some[2])}))
    assert Worths({a: 1.0, b: 2.0, c: 1.0}, decides=True).pick(lost, "x") == a
    proved = replace(found, proved=True)
    assert Worths({a: 1.0, b: 2.0, c: 2.0}, decides=True).pick(proved, "x") == a


def test_trees_grown_in_the_opponents_turn_serve_in_ours(double: Game) -> None:
    """Both stand at the part as it is, one for each side to move: the next move elsewhere changes nothing in them."""
    state = double.start
    (mover,) = state.choosing
    (other,) = (role for role in double.roles if role != mover)
    trees = LocalTrees(decompose(double), other, seed=1)
    with using(PlayLimits(locally_slice=0.001)):
        trees.grow(state, time.monotonic() + 0.05)
        grown = {id(t): t.search(visits=1).visits for some in trees._trees for t in some}
        joint = {role: moves[0] for role, moves in state.legal.items()}
        trees.told(joint)
        after = state.play(joint)
        trees.search(after, time.monotonic() + 0.05)
    (untouched,) = (
        some for view, some in zip(trees.views, trees._trees, strict=True) if view.local(mover, joint[mover]) is None
    )
    assert all(tree.search(visits=1).visits > grown[id(tree)] for tree in untouched)


# ---- traps ----


def test_replies_are_those_of_the_rules() -> None:
    game = load("domineering:3x3,2x3")
    search = TreeSearch(game, seed=1)
    search.search(game.start, visits=3000)
    (role,) = game.start.choosing
    (other,) = (one for one in game.roles if one != role)
    replies = search.replies()
    assert len(replies) > 1
    for move, some in replies.items():
        assert {reply for reply, _ in some} == set(game.start.play({role: move}).legal[other])
        visits = [n for _, n in some]
        assert visits == sorted(visits, reverse=True)


def lost_states(game: Game) -> list[tuple[State[Game], str, str]]:
    """States of random plays in which every move loses, with the role that moves and the other."""
    first, second = game.roles
    choosing = [(state, state.choosing[0]) for state, _ in plays(game, 30, seed=3) if state.choosing]
    found = [(state, role, second if role == first else first) for state, role in choosing if not whole(state, role)]
    assert len(found) > 3
    return found[:4]


def test_a_trap_is_where_replies_go_wrong() -> None:
    """In lost states the share of wrong replies is what the search of the whole says of each; the best is chosen."""
    game = load("domineering:3x3,2x3")
    judge = regional(game)
    assert judge is not None
    for state, role, other in lost_states(game):
        alike = {move: [(reply, 1.0) for reply in state.play({role: move}).legal[other]] for move in state.legal[role]}
        with using(PlayLimits(trap_replies=99, regional_moment=AMPLE)):
            wrong = judged(state, role, alike, judge.known, time.monotonic() + AMPLE)
        for move, some in alike.items():
            won = [whole(state.play({role: move}).play({other: reply}), role) > 0 for reply, _ in some]
            assert wrong[move] == pytest.approx(sum(won) / len(won))
        move, _ = trap(TreeSearch(game, seed=1), state, role, judge.known, time.monotonic() + 0.02)
        assert move in state.legal[role]


def test_where_all_is_lost_the_fewest_right_replies_are_left() -> None:
    """The replies to a move of who has lost are counted exactly, and the move is one with the fewest that win."""
    game = load("domineering:3x3,2x3")
    for state, role, other in lost_states(game):
        wrong = {}
        for move in state.legal[role]:
            after = state.play({role: move})
            won = [whole(after.play({other: reply}), role) > 0 for reply in after.legal[other]]
            wrong[move] = sum(won) / len(won)
        player = RegionPlayer()
        player.assignment = Assignment(find_rules("domineering:3x3,2x3"), role, AMPLE, AMPLE, game=game)
        player.role, player.game, player.state = role, game, state
        player.look_for_regions(time.monotonic() + AMPLE)
        assert player.judged(state.legal[role], time.monotonic() + AMPLE) is None
        choice = player.baited(state.legal[role], time.monotonic() + AMPLE)
        player.stop()
        assert choice is not None
        assert wrong[choice.move] == max(wrong.values())


def test_moves_compete_where_one_chooses_the_part() -> None:
    for name, competing in (("double-tictactoe", True), ("serial-tictactoe", False)):
        game = load(name)
        (role, *_) = game.start.choosing
        assert LocalTrees(decompose(game, method="playouts"), role, seed=1).compete(game.start) == competing
