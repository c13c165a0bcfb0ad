"""The rules of every game once more, written as naively as possible: board text in, set of board texts out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from ludisect.cgt import Value, make

Rule = Callable[[str, str], set[str]]
"""Board and player (``L`` or ``R``) to the boards after one move."""

Cell = tuple[int, int]
ACROSS = [(0, 1), (1, 0), (0, -1), (-1, 0)]
AROUND = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]


def grid(text: str) -> dict[Cell, str]:
    return {(r, c): x for r, row in enumerate(text.split("|")) for c, x in enumerate(row)}


def text(board: dict[Cell, str]) -> str:
    rows = 1 + max(r for r, _ in board)
    return "|".join("".join(board[cell] for cell in sorted(board) if cell[0] == r) for r in range(rows))


def near(cell: Cell) -> Iterator[Cell]:
    return ((cell[0] + a, cell[1] + b) for a, b in ACROSS)


def dominoes(board: str, steps: list[Cell]) -> set[str]:
    cells = grid(board)
    return {
        text(cells | {(r, c): "#", (r + a, c + b): "#"})
        for r, c in cells
        for a, b in steps
        if cells[r, c] == "." == cells.get((r + a, c + b))
    }


def domineering(board: str, player: str) -> set[str]:
    return dominoes(board, [(1, 0)] if player == "L" else [(0, 1)])


def cram(board: str, player: str) -> set[str]:
    return dominoes(board, [(1, 0), (0, 1)])


def _clobber(board: str, player: str, prey: str) -> set[str]:
    cells, own = grid(board), "X" if player == "L" else "O"
    return {
        text(cells | {x: ".", y: own}) for x in cells for y in near(x) if cells[x] == own and cells.get(y, "#") in prey
    }


def clobber(board: str, player: str) -> set[str]:
    return _clobber(board, player, "O" if player == "L" else "X")


def cannibal_clobber(board: str, player: str) -> set[str]:
    return _clobber(board, player, "XO")


def all_blocks_breathe(cells: dict[Cell, str]) -> bool:
    for start, stone in cells.items():
        block = {start}
        while True:
            grown = block | {y for x in block for y in near(x) if cells.get(y) == stone}
            if grown == block:
                break
            block = grown
        if stone in "XO" and not any(cells.get(y) == "." for x in block for y in near(x)):
            return False
    return True


def nogo(board: str, player: str) -> set[str]:
    cells, own = grid(board), "X" if player == "L" else "O"
    after = [cells | {x: own} for x in cells if cells[x] == "."]
    return {text(b) for b in after if all_blocks_breathe(b)}


def toads(board: str, player: str) -> set[str]:
    cells = grid(board)
    own, other, step = ("X", "O", 1) if player == "L" else ("O", "X", -1)
    out = set()
    for r, c in cells:
        if cells[r, c] == own:
            if cells.get((r, c + step)) == ".":
                out.add(text(cells | {(r, c): ".", (r, c + step): own}))
            if cells.get((r, c + step)) == other and cells.get((r, c + 2 * step)) == ".":
                out.add(text(cells | {(r, c): ".", (r, c + 2 * step): own}))
    return out


def toppling_dominoes(row: str, player: str) -> set[str]:
    mine = [i for i, x in enumerate(row) if x in ("X#" if player == "L" else "O#")]
    return {row[:i] for i in mine} | {row[i + 1 :] for i in mine}


def amazons(board: str, player: str) -> set[str]:
    cells, own = grid(board), "X" if player == "L" else "O"

    def seen(b: dict[Cell, str], start: Cell) -> list[Cell]:
        out = []
        for a, c in AROUND:
            at = (start[0] + a, start[1] + c)
            while b.get(at) == ".":
                out.append(at)
                at = (at[0] + a, at[1] + c)
        return out

    out = set()
    for queen in [x for x in cells if cells[x] == own]:
        for goal in seen(cells, queen):
            moved = cells | {queen: ".", goal: own}
            out |= {text(moved | {arrow: "#"}) for arrow in seen(moved, goal)}
    return out


def _colour(board: str, player: str, clash: Callable[[str, str], bool]) -> set[str]:
    """Stones on the board as they are; the product keeps only what may still be coloured."""
    cells, own = grid(board), "X" if player == "L" else "O"
    return {
        text(cells | {x: own})
        for x in cells
        if cells[x] == "." and not any(cells.get(y, "#") in "XO" and clash(cells[y], own) for y in near(x))
    }


def col(board: str, player: str) -> set[str]:
    return _colour(board, player, lambda a, b: a == b)


def snort(board: str, player: str) -> set[str]:
    return _colour(board, player, lambda a, b: a != b)


def stalks(picture: str, player: str) -> set[str]:
    """Hackenbush stalks: everything above the cut edge falls."""
    words, own = picture.split(), "BG" if player == "L" else "RG"
    return {
        " ".join([*words[:i], word[:k], *words[i + 1 :]]).strip()
        for i, word in enumerate(words)
        for k, colour in enumerate(word)
        if colour in own
    }


def kayles(heaps: str, player: str) -> set[str]:
    """Pins in rows, one or two neighbours bowled over."""
    rows = [int(n) for n in heaps.split()]
    out = set()
    for i, n in enumerate(rows):
        for taken in (1, 2):
            for a in range(n - taken + 1):
                left = [*rows[:i], a, n - taken - a, *rows[i + 1 :]]
                out.add(" ".join(str(x) for x in sorted(left) if x))
    return out


def nim(heaps: str, player: str) -> set[str]:
    rows = [int(n) for n in heaps.split()]
    return {" ".join(map(str, [*rows[:i], k, *rows[i + 1 :]])) for i, n in enumerate(rows) for k in range(n)}


RULES: dict[str, Rule] = {
    "amazons": amazons,
    "cannibal_clobber": cannibal_clobber,
    "clobber": clobber,
    "col": col,
    "cram": cram,
    "domineering": domineering,
    "hackenbush": stalks,
    "kayles": kayles,
    "nim": nim,
    "nogo": nogo,
    "snort": snort,
    "toads": toads,
    "toppling_dominoes": toppling_dominoes,
}


@cache
def brute_value(game: str, position: str) -> Value:
    """The value by the definition, without parts, normal forms or nim values."""
    rule = RULES[game]
    return make(
        [brute_value(game, x) for x in sorted(rule(position, "L"))],
        [brute_value(game, x) for x in sorted(rule(position, "R"))],
    )
