"""Every game: its moves and values against a naive twin, and what the literature knows."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.cgt import Value, make, nimber, number, parse
from ludisect.rulesets import GAMES, Hackenbush, Impartial, Player, Position, read_component
from ludisect.rulesets.grid import GridPosition
from ludisect.sums.local import LocalSearch

from .twins import RULES, all_blocks_breathe, brute_value, grid

quick = settings(max_examples=25, deadline=None)

CELLS = {
    "amazons": ".....#XO",
    "cannibal_clobber": "..XOXO#",
    "clobber": ".XOXO#",
    "col": "....#XO",
    "cram": "...#",
    "domineering": "....#",
    "nogo": "....#XO",
    "snort": "....#XO",
    "toads": "..XO#",
}
SHAPES = {"amazons": [(1, 4), (2, 3)], "nogo": [(2, 3), (1, 6)], "toads": [(1, 7), (2, 4)]}


def position(expression: str) -> Position:
    found = read_component(expression)
    assert isinstance(found, Position)
    return found


def value(expression: str) -> Value:
    return LocalSearch().value(position(expression))


def legal(game: str, board: str) -> bool:
    """Whether stones could have come about: nothing captured in NoGo, no clash of colours in Col and Snort."""
    cells = grid(board)
    if game in ("col", "snort"):
        pairs = [(x, cells.get((r, c + 1), "#")) for (r, c), x in cells.items()]
        pairs += [(x, cells.get((r + 1, c), "#")) for (r, c), x in cells.items()]
        return not any(x in "XO" and y in "XO" and (x == y) == (game == "col") for x, y in pairs)
    if game == "nogo":
        return all_blocks_breathe(cells)
    return True


def boards(game: str) -> st.SearchStrategy[str]:
    def fill(shape: tuple[int, int]) -> st.SearchStrategy[str]:
        rows, cols = shape
        row = st.text(CELLS[game], min_size=cols, max_size=cols)
        return st.lists(row, min_size=rows, max_size=rows).map("|".join)

    shapes = st.sampled_from(SHAPES.get(game, [(2, 3), (3, 3), (1, 6)]))
    return shapes.flatmap(fill).filter(lambda board: legal(game, board))


@pytest.mark.parametrize("game", sorted(CELLS))
def test_board_games_against_the_twin(game: str) -> None:
    @quick
    @given(boards(game))
    def check(board: str) -> None:
        start = position(f"{game} {board}")
        value = brute_value(game, board)
        assert LocalSearch().value(start) is value
        bounds = start.bounds()
        assert bounds is not None
        assert bounds[0] <= value <= bounds[1]
        if game not in ("col", "snort"):  # these two keep open cells instead of stones
            for player in Player:
                after = {str(start.play(player, m)) for m in start.moves(player)}
                assert after == RULES[game](board, player.value)

    check()


@quick
@given(st.text("XO#", min_size=1, max_size=6))
def test_toppling_dominoes_against_the_twin(row: str) -> None:
    start = position(f"toppling_dominoes {row}")
    assert LocalSearch().value(start) is brute_value("toppling_dominoes", row)
    low, high = start.bounds() or (1, -1)
    assert low <= start.value <= high
    for player in Player:
        assert {str(start.play(player, m)) for m in start.moves(player)} == RULES["toppling_dominoes"](
            row, player.value
        )


@quick
@given(st.lists(st.text("BRG", min_size=1, max_size=3), min_size=1, max_size=2))
def test_hackenbush_stalks_against_the_twin(words: list[str]) -> None:
    picture = " ".join(words)
    assert value(f"hackenbush {picture}") is brute_value("hackenbush", picture)


@pytest.mark.parametrize("game", ["nim", "kayles"])
def test_heaps_against_the_twin(game: str) -> None:
    for heaps in product(range(1, 4), repeat=2):
        listed = " ".join(map(str, heaps))
        assert value(f"{game} {listed}") is brute_value(game, listed)


def brute_impartial(game: str, board: str, known: dict[str, Value]) -> Value:
    if board not in known:
        after = RULES[game](board, "L") | RULES[game](board, "R")
        values = {brute_impartial(game, x, known) for x in after}
        known[board] = parse("{" + ",".join(map(str, values)) + "|" + ",".join(map(str, values)) + "}")
    return known[board]


@pytest.mark.parametrize(
    "expression", ["domineering 2x3", "clobber XO|OX|XO", "nogo 1x4", "toppling_dominoes XXOX", "toads X.O.X"]
)
def test_impartial_forms(expression: str) -> None:
    """Both players may make either player's moves; nim values come from the nim search."""
    game, _, _ = expression.partition(" ")
    start = position(f"impartial {expression}")
    assert isinstance(start, Impartial)
    assert LocalSearch().value(start) is brute_impartial(game, str(start), {})


@pytest.mark.parametrize(
    "expression", ["domineering 3x4", "clobber 3x3", "nogo 2x4", "col 3x3", "snort 2x3", "cram 3x4"]
)
def test_off_switches_change_nothing(expression: str) -> None:
    """Normal forms and parts only save work."""

    class Whole(LocalSearch):
        def _sum(self, start: Position) -> Value:
            known = self._seen.get(start)
            if known is None:
                known = self._part(start)
                self._seen.put(start, known)
            return known

    plain = LocalSearch(normal_forms=False)
    expected = value(expression)
    assert plain.value(position(expression)) is expected
    if not position(expression).impartial:
        assert Whole().value(position(expression)) is expected


@pytest.mark.parametrize("game", sorted(CELLS))
def test_parts_hold_all_moves(game: str) -> None:
    """A split must not change what can be played: the moves of the parts are the moves of the whole."""
    source = random.Random(game)
    for _ in range(40):
        board = "|".join("".join(source.choices(CELLS[game], k=4)) for _ in range(4))
        if not legal(game, board):
            continue
        start = position(f"{game} {board}")
        for player in Player:
            assert len(start.moves(player)) == sum(len(x.moves(player)) for x in start.parts())


@pytest.mark.parametrize("game", sorted(CELLS))
def test_key_is_shared_by_all_images(game: str) -> None:
    source = random.Random(game)
    for _ in range(10):
        board = "|".join("".join(source.choices(CELLS[game], k=3)) for _ in range(2 if game != "toads" else 1))
        start = position(f"{game} {board}")
        assert isinstance(start, GridPosition)
        turned = position(f"{game} {board[::-1]}")
        if game != "toads":  # a half turn exchanges toads and frogs
            assert start.key()[0] == turned.key()[0]
        else:
            swapped = position(f"toads {board[::-1].translate(str.maketrans('XO', 'OX'))}")
            assert start.key()[0] == swapped.key()[0]
        assert hash(start.key()) == hash(start.key())


# ---- values known in the literature -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        ("1x7", "-3"),
        ("6x1", "3"),
        ("2x2", "+-1"),
        ("2x3", "{2|-1/2}"),
        ("3x3", "+-1"),
        ("2x4", "miny(2)"),
        ("2x5", "1/2"),
        ("3x5", "-1"),
        ("4x4", "+-(0,{{2|0},{2|{2|0}}|miny(2),{2|0}})"),
    ],
)
def test_domineering_rectangles(board: str, expected: str) -> None:
    """Conway, On Numbers and Games, ch. 10; Berlekamp, Blockbusting and Domineering, J. Combin. Theory A 49 (1988)."""
    assert value(f"domineering {board}") is parse(expected)


@pytest.mark.parametrize(("heaps", "expected"), [("3 5 7", 1), ("1 2 3", 0), ("1000000 1", 1000001), ("0", 0)])
def test_nim(heaps: str, expected: int) -> None:
    """Bouton, Nim, a game with a complete mathematical theory (1902)."""
    assert value(f"nim {heaps}") is nimber(expected)


def test_cram() -> None:
    """Gardner 1974: even by even is a second-player win, even by odd a first-player win; 1xn is Dawson's Kayles."""
    assert [value(f"cram {b}").outcome for b in ("2x2", "2x4", "4x4", "2x3", "2x5", "3x4")] == list("PPPNNN")
    assert all(value(f"cram 1x{n}") is value(f"dawsons-kayles {n}") for n in range(1, 20))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("T.F", "*"),
        ("TT.FF", "*"),
        ("TTTT..FFF", "{{1|1}|{*|0}}"),
        ("TTTTT..FFF", "{{2|2}|{*|0}}"),
        ("TTT...FF", "1*"),
        ("TTTT...FF", "2*"),
        ("TTTTT...FFF", "3/2"),
    ],
)
def test_toads_and_frogs(expression: str, expected: str) -> None:
    """Winning Ways, ch. 1 and 5; for two and three blanks Thanatipanonda, Further hopping with Toads and Frogs (2011).

    There: a toads, two blanks, b frogs are {{a-3|a-b}|{*|3-b}} for a > b >= 2; with three blanks and two frogs
    {a-2|a-2}, with three blanks and three frogs a - 7/2 from a = 5 on.
    """
    assert value(f"toads {expression}") is parse(expected)


def berlekamp(stalk: str) -> Fraction:
    """Berlekamp's rule: the first run counts whole, then each edge half of the one before."""
    total, step, turned = Fraction(0), Fraction(1), False
    for edge in stalk:
        turned = turned or edge != stalk[0]
        step = step / 2 if turned else step
        total += step if edge == "B" else -step
    return total


def test_hackenbush_strings() -> None:
    """Winning Ways, ch. 3 (Berlekamp's rule); a green stalk is a nim heap (ch. 2); a flower (ch. 7)."""
    for n in range(1, 7):
        for edges in product("BR", repeat=n):
            stalk = "".join(edges)
            assert value(f"hackenbush {stalk}") is number(berlekamp(stalk))
    assert value("hackenbush GGGG") is nimber(4)
    assert value("hackenbush GB") is parse("^*")
    assert value("hackenbush 0-1G 0-1G") == 0


def cut_value(edges: tuple[tuple[int, int, str], ...]) -> Value:
    """Hackenbush by the definition: cut an edge, drop what has no path to the ground."""
    sides: list[list[Value]] = [[], []]
    for i, (_, _, colour) in enumerate(edges):
        rest = [e for j, e in enumerate(edges) if j != i]
        held = {0}
        for _ in rest:
            held |= {x for u, v, _ in rest if u in held or v in held for x in (u, v)}
        after = cut_value(tuple(e for e in rest if e[0] in held))
        for side, colours in enumerate(("BG", "RG")):
            if colour in colours:
                sides[side].append(after)
    return make(sides[0], sides[1])


@quick
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from("BRG")), min_size=1, max_size=5))
def test_hackenbush_graphs(edges: list[tuple[int, int, str]]) -> None:
    start = position("hackenbush " + " ".join(f"{u}-{v}{colour}" for u, v, colour in edges))
    assert isinstance(start, Hackenbush)
    assert LocalSearch().value(start) is cut_value(start.edges)


def test_hackenbush_fusion() -> None:
    """Green cycles may be fused (Winning Ways, ch. 7): an odd cycle on the ground is one edge, an even one none."""
    assert value("hackenbush 0-1G 1-2G 2-0G") is nimber(1)
    assert value("hackenbush 0-1G 1-2G 2-3G 3-0G") == 0


def test_linear_clobber() -> None:
    """Albert, Grossman, Nowakowski, Wolfe 2005: X…XO are ups; XOXOXO alone of the alternating even rows is 0."""
    assert [str(value("clobber " + "X" * n + "O")) for n in range(1, 5)] == ["*", "↑", "↑↑*", "↑↑↑"]
    assert [value("clobber " + "XO" * n).outcome for n in range(1, 7)] == list("NNPNNN")


@quick
@given(boards("col"))
def test_col_is_cold(board: str) -> None:
    """Every Col position is x or x + * (Winning Ways, ch. 2)."""
    nus = value(f"col {board}").number_up_star
    assert nus is not None
    assert nus[1] == 0
    assert nus[2] <= 1


def test_toppling_dominoes() -> None:
    """Fink, Nowakowski, Siegel, Wolfe 2015: one colour is an integer, a gray row a nim heap."""
    assert value("toppling_dominoes XXX") == 3
    assert value("toppling_dominoes ####") is nimber(4)


def test_a_lone_amazon_makes_as_many_moves_as_there_are_cells() -> None:
    assert value("amazons X....") == 4
    assert value("amazons O..#.X.#X") == 0


def test_every_game_has_a_twin() -> None:
    assert set(GAMES) - {"octal", "pawns", "regio"} == set(RULES) - {"kayles"}  # two have theirs elsewhere
