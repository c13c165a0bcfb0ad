"""Play by parts: every move is told to its part, and strategies see a board of many parts as the sum of these."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from ludisect.cgt import Value, number, reduced
from ludisect.errors import BudgetExceeded
from ludisect.rulesets import Domineering, Player, Position, Regio, read_component
from ludisect.settings import using
from ludisect.sums import STRATEGIES, LocalSearch, Sum, play_match
from ludisect.sums.guessing import GuessedValues
from ludisect.sums.limits import SumsLimits
from ludisect.sums.partmoves import all_parts, part_moves, split
from ludisect.sums.winner import solve

BOARDS = [
    "domineering ..#..|..#..|##...|...#.",
    "domineering ...#.|.##..|##...|.#..#",
    "col ..#.X|.#...|O.#..",
    "clobber XO.XX|..XO.|OX..O",
    "amazons X..#.O|..O#X.",
    "toads T.F.#T..F|TF..#F.T.",
    "hackenbush BRG GB RRB",
    "nim 1 3 4",
    "regio ..#.X|.#...|O.#..",
    "regio 1-2 2-3 4-5 6 7X 8X 9O",
]


def position(text: str) -> Position:
    found = read_component(text)
    assert isinstance(found, Position)
    return found


@pytest.mark.parametrize("text", BOARDS)
def test_every_move_is_made_in_one_part(text: str) -> None:
    """What a move gains is what it gains in its part; and a part's moves are those of the part played alone."""
    game, search = Sum(text), LocalSearch()
    board = position(text)
    parts = split(board)
    assert len(parts) > 1
    for player in Player:
        moves = part_moves(game, player)
        gains: dict[object, set[Value]] = {}
        for m in moves:
            assert len(m.part) == 1
            assert m.part[0] in parts
            before, after = game.value_of(*m.part), game.value_of(*m.after)
            whole = search.value(m.move.after) - search.value(board)  # type: ignore[arg-type]
            assert reduced(after - before) == reduced(whole) if game.scored else after - before == whole
            gains.setdefault(m.part[0], set()).add(reduced(after - before))
        for part in parts:
            alone = {reduced(game.value_of(m.after) - game.value_of(part)) for m in Sum([part]).moves(player)}
            if not (isinstance(part, Value) and part.is_number):
                assert gains.get(part, set()) == alone


@pytest.mark.parametrize("text", [text for text in BOARDS if "hackenbush" not in text])  # of equally wide parts, any
@pytest.mark.parametrize("name", ["greedy-hotstrat", "hotstrat", "thermostrat"])
def test_a_board_is_played_as_the_sum_of_its_parts(text: str, name: str) -> None:
    game = Sum(text)
    apart = Sum(all_parts(game))
    for player in Player:
        one, other = STRATEGIES[name](game, player), STRATEGIES[name](apart, player)
        assert (one.move is None) == (other.move is None)
        if one.move is not None and other.move is not None:
            left = [
                sum(Sum([]).search.all_values([*table.components]), number(0))
                for table in (game.play(one.move), apart.play(other.move))
            ]
            assert reduced(left[0]) == reduced(left[1]) if game.scored else left[0] == left[1]
            assert (one.wins, one.proved) == (other.wins, other.proved)


def test_hotstrat_plays_in_the_hottest_part() -> None:
    """The 2x2 square is ±1, the corner of three cells is ±1/2 hot at most; as one board they were one component."""
    game = Sum("domineering ..#...|..#.##")
    assert [str(x) for x in all_parts(game)] == ["..|..", "...|.##"]
    choice = STRATEGIES["hotstrat"](game, Player.LEFT)
    assert choice.move is not None
    assert choice.move.text in ("1: a1-a2", "1: b1-b2")
    assert choice.why.startswith("the part ..|.. of component 1 has the highest temperature, 1")


def test_sentestrat_answers_in_the_part_that_was_touched() -> None:
    """Right leaves a square of 2x2 behind, which is hotter than anything was before."""
    game = Sum("domineering ...#.|...#.|#..#. + {1/4|0}")
    for move in part_moves(game, Player.RIGHT):
        later = game.play(move.move)
        reply = STRATEGIES["sentestrat"](later, Player.LEFT)
        hot = [x for x in move.after if later.thermograph_of(x).temperature > max(map(later_heat, all_parts(game)))]
        if hot:
            assert reply.why.startswith("the threat in")


def later_heat(part: object) -> Fraction:
    return Sum([part]).thermograph_of(part).temperature  # type: ignore[arg-type,list-item,return-value]


# ---- guesses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", BOARDS)
@pytest.mark.parametrize("name", ["greedy-hotstrat", "hotstrat", "sentestrat", "thermostrat"])
def test_guesses_that_are_exact_are_played_as_values(text: str, name: str) -> None:
    game = Sum(text)
    guessed = game.asked_of(GuessedValues(game.components))
    assert guessed.search.doubts(game.components) == ""
    for player in Player:
        one, other = STRATEGIES[name](game, player), STRATEGIES[name](guessed, player)
        assert (one.move and one.move.text, one.why, one.proved) == (
            other.move and other.move.text,
            other.why,
            other.proved,
        )


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_a_guess_proves_nothing(name: str) -> None:
    """Whatever the guesses say, who plays by them claims no win, optimal among them."""
    game = Sum("domineering 6x6 + domineering 5x7 + 7")
    guessed = game.asked_of(GuessedValues(game.components, depth=1))
    assert guessed.search.doubts(game.components)
    if name == "alpha-beta":
        return  # it looks at no value
    choice = STRATEGIES[name](guessed, Player.LEFT)
    assert choice.move is not None
    assert not choice.proved
    assert choice.wins is None
    assert choice.why.endswith("guessed: searched to depth 1, estimates beyond")


@pytest.mark.parametrize("by", ["greedy-hotstrat", "hotstrat", "optimal", "sentestrat", "thermostrat"])
def test_solve_gives_a_move_where_values_are_out_of_reach(by: str) -> None:
    with pytest.raises(BudgetExceeded) as caught:
        solve("domineering 8x8 + domineering 2x2", by=by, seconds=0.2)
    answer = caught.value.partial
    assert set(answer.move) == {"left", "right"}  # type: ignore[attr-defined]
    assert answer.exact is False  # type: ignore[attr-defined]
    assert answer.between == ["-34", "34"]  # type: ignore[attr-defined]
    assert answer.evidence.startswith("guessed: searched to depth")  # type: ignore[attr-defined]
    assert list(answer.value) == ["left", "right"]  # type: ignore[attr-defined]
    assert answer.line == ()  # type: ignore[attr-defined]


def test_parts_may_be_searched_in_processes() -> None:
    text = "domineering 3x4 + domineering 4x3 + clobber 2x4 + {1|*}"
    one, other = solve(text), solve(text, jobs=2)
    assert (one.value, one.move, one.exact) == (other.value, other.move, other.exact)


def test_without_a_limit_on_time_work_is_counted() -> None:
    game = Sum("domineering 6x6")
    with using(SumsLimits(guess_nodes=300)):
        assert 0 < GuessedValues(game.components).nodes <= 301


def test_guesses_play_well() -> None:
    """Guesses to depth 2 lose to nobody who plays at random, on either side of some boards of Regio."""
    source, ahead = random.Random(5), 0

    def guessing(game: Sum, player: Player) -> object:
        return STRATEGIES["greedy-hotstrat"](game.asked_of(GuessedValues(game.components, depth=2)), player)

    def blind(game: Sum, player: Player) -> object:
        choice = STRATEGIES["hotstrat"](game, player)
        moves = game.moves(player)
        return type(choice)(source.choice(moves) if moves else None, None, False, "")

    for rows, cols in ((3, 4), (4, 4), (2, 7)):
        match = play_match(Regio(f"{rows}x{cols}"), left=guessing, right=blind)  # type: ignore[arg-type]
        assert match.end.points is not None
        ahead += match.end.points > 0
    assert ahead == 3
    assert Domineering("2x2").value == Value("±1")
