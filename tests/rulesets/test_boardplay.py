"""Compiled search of plays against plain search, and the bitboards below it against lists of cells."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.errors import BudgetExceeded
from ludisect.rulesets import (
    Amazons,
    CannibalClobber,
    Clobber,
    Domineering,
    Impartial,
    NoGo,
    Player,
    bitboard,
    read_component,
)
from ludisect.rulesets.boardplay import KINDS, BoardPlay, _children, _settled
from ludisect.rulesets.grid import GridPosition, neighbours, rays, symmetries
from ludisect.sums.local import LocalSearch
from ludisect.sums.wholesearch import WholeSearch

from ..kernels.doors import door
from .twins import all_blocks_breathe, grid

LETTERS: dict[type[GridPosition], str] = {Amazons: "....#XO", CannibalClobber: "..XO#", Clobber: ".XO#", NoGo: "...XO#"}
GAMES = sorted(LETTERS, key=lambda game: game.name)


def boards(game: type[GridPosition], sizes: list[tuple[int, int]], number: int) -> list[GridPosition]:
    source = random.Random(game.name)
    out: list[GridPosition] = []
    while len(out) < number:
        rows, cols = source.choice(sizes)
        board = game(rows, cols, "".join(source.choices(LETTERS[game], k=rows * cols)))
        if game is not NoGo or all_blocks_breathe(grid(str(board))):
            out.append(board)
    return out


@pytest.mark.parametrize("game", GAMES)
def test_winners_and_nim_values_agree(game: type[GridPosition]) -> None:
    search = BoardPlay()
    sizes = [(1, 5), (2, 3)] if game is Amazons else [(1, 6), (1, 9), (2, 3), (3, 2), (2, 4)]
    for board in boards(game, sizes, 40):
        for player in Player:
            plain = WholeSearch(local_nodes=0).wins([board], player)
            assert search.wins(board, player) == plain, (str(board), player)
        nim = LocalSearch(kernel="plain").value(Impartial(board)).number_up_star
        assert nim is not None
        assert search.nim(Impartial(board)) == nim[2], str(board)


@pytest.mark.parametrize("game", GAMES)
def test_a_tiny_table_changes_nothing(game: type[GridPosition]) -> None:
    large, small = BoardPlay(), BoardPlay(entries=4)
    for board in boards(game, [(3, 4)] if game in (Clobber, CannibalClobber) else [(2, 3)], 10):
        assert [small.wins(board, p) for p in Player] == [large.wins(board, p) for p in Player]
    assert small.nodes > large.nodes


@pytest.mark.parametrize("game", GAMES)
def test_slices_and_larger_tables_change_nothing(game: type[GridPosition], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = BoardPlay()
    board = boards(game, [(3, 3)], 1)[0]
    expected = [whole.wins(board, p) for p in Player]
    monkeypatch.setattr(BoardPlay, "SLICE", max(20, whole.nodes // 8))
    assert [BoardPlay().wins(board, p) for p in Player] == expected


@pytest.mark.parametrize("game", GAMES)
def test_the_hash_changes_move_by_move(game: type[GridPosition]) -> None:
    """The hash of every child, made from that of its parent, is the hash of the child from nothing; equal positions
    have equal hashes, different ones (here) different hashes."""
    keys = bitboard.zobrist(4)
    children = door(_children)
    stack = np.zeros((4096, 6), dtype=np.int64)

    def hashed(words: tuple[int, int, int]) -> int:
        out = 0
        for kind, cells in enumerate(words):
            out ^= bitboard.toggled(keys, kind, cells)
        return out

    seen: dict[int, tuple[int, int, int]] = {}
    for board in boards(game, [(3, 4), (1, 14)], 15):
        env = np.array([KINDS[game], board.cols + 1, board.rows, 0, 0, 0, 0], dtype=np.int64)
        words = [bitboard.word(board.cols, board.cells, x) for x in "XO."]
        position = _settled(KINDS[game], board.cols + 1, *words)
        for side, player in enumerate(Player):
            child = np.array([0, 0, 0, *position, side, hashed(position), 0], dtype=np.int64)
            end = children(env, keys, stack, 0, child)
            assert end == len(board.moves(player))
            for row in stack[:end].tolist():
                after = (row[0], row[1], row[2])
                assert row[3] == hashed(after)
                assert seen.setdefault(row[3], after) == after
    assert len(seen) > 20


SIZES = st.tuples(st.integers(1, 7), st.integers(1, 7)).filter(lambda size: bitboard.fits(*size))


@st.composite
def regions(draw: st.DrawFn) -> tuple[int, int, str]:
    rows, cols = draw(SIZES)
    return rows, cols, draw(st.text(".#", min_size=rows * cols, max_size=rows * cols))


def cells_of(rows: int, cols: int, word: int) -> str:
    return "".join(".#"[not word >> (i // cols * (cols + 1) + i % cols) & 1] for i in range(rows * cols))


@settings(max_examples=60, deadline=None)
@given(regions())
def test_flood_fill(region: tuple[int, int, str]) -> None:
    rows, cols, cells = region
    word = bitboard.word(cols, cells, ".")
    assert cells_of(rows, cols, word) == cells
    assert door(bitboard.count)(word) == cells.count(".")
    filled = door(bitboard.filled)
    around = tuple(tuple(line[0] for line in lines if line) for lines in rays(rows, cols))
    for corners, near in enumerate((neighbours(rows, cols), around)):
        rest, found = word, set()
        while rest:
            group = filled(rest & -rest, word, cols + 1, corners)
            rest &= ~group
            found.add(cells_of(rows, cols, group))
        expected = set()
        for start in range(rows * cols):
            if cells[start] == ".":
                group_cells = [start]
                for i in group_cells:  # grows while it is walked
                    group_cells += [j for j in near[i] if cells[j] == "." and j not in group_cells]
                expected.add("".join(".#"[i not in group_cells] for i in range(rows * cols)))
        assert found == expected


@settings(max_examples=60, deadline=None)
@given(regions())
def test_mirrors(region: tuple[int, int, str]) -> None:
    """The eight images are those of the text."""
    rows, cols, cells = region
    word = bitboard.word(cols, cells, ".")
    images = []
    transposed, upside_down, reflected = map(door, (bitboard.transposed, bitboard.upside_down, bitboard.reflected))
    for turned in (False, True):
        r, c = (cols, rows) if turned else (rows, cols)
        start = transposed(word, rows, cols) if turned else word
        down, across = upside_down(start, r, c), reflected(start, r, c)
        images += [cells_of(r, c, x) for x in (start, down, across, upside_down(across, r, c))]
    assert images == ["".join(pick(cells)) for _, pick in symmetries(rows, cols)]


@pytest.mark.parametrize("board", ["nogo 2x4", "nogo 1x8", "clobber 2x5", "amazons X..|...|..O", "amazons X.O|.#.|O.X"])
def test_mirror_images_only_save_work(board: str) -> None:
    position = read_component(board)
    assert isinstance(position, GridPosition)
    for player in Player:
        assert BoardPlay().wins(position, player) == WholeSearch(local_nodes=50).wins([position], player)


def test_what_fits() -> None:
    assert BoardPlay.fits(NoGo.parse("1x30"))
    assert BoardPlay.fits(Impartial(Amazons.parse("X..|..O")))
    assert not BoardPlay.fits(Domineering.parse("3x3"))
    assert not BoardPlay.fits(Clobber.parse("1x62"))


def test_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoardPlay, "SLICE", 50)
    with pytest.raises(BudgetExceeded, match="time limit"):
        BoardPlay().wins(NoGo.parse("5x5"), Player.LEFT, seconds=0.0)
    with pytest.raises(BudgetExceeded, match="time limit"):
        BoardPlay().nim(Impartial(NoGo.parse("5x5")), seconds=0.0)
