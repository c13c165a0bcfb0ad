"""Families of bundled games: which parameters each takes, and the facts that they stand for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate, count

from ludisect.errors import InputError
from ludisect.games.limits import GamesLimits

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Family:
    """A rule sheet with a block of facts that depends on parameters.

    ``form`` shows how the parameters are written, ``example`` is one that works. ``facts`` turns their text into
    groups of facts, one group per paragraph of the block, and raises `InputError` where they make no sense.
    ``parts`` counts the action-dependent parts at the start.
    """

    default: str
    form: str
    example: str
    facts: Callable[[str], list[list[str]]]
    parts: Callable[[str], int] = lambda text: 1


def block(groups: Iterable[list[str]], width: int = 96) -> str:
    """The facts as lines of at most ``width`` characters, each group on lines of its own."""
    lines: list[str] = []
    for group in groups:
        line = ""
        for fact in group:
            if line and len(line) + 1 + len(fact) > width:
                lines.append(line)
                line = fact
            else:
                line = f"{line} {fact}".strip()
        lines.append(line)
    return "\n".join(lines)


# Reading parameters.


def shown(text: str, most: int = 40) -> str:
    """What a user wrote, in quotes, cut short if it is very long."""
    return repr(text if len(text) <= most else f"{text[:most]}…")


def _number(text: str, what: str, least: int, most: int) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10 and least <= int(digits) <= most):
        raise InputError(f"{what} {shown(digits)} is not a number from {least} to {most}")
    return int(digits)


def _list(text: str, what: str, most: int = len(LETTERS)) -> list[str]:
    items = [item.strip() for item in text.split(",")]
    if len(items) > most:
        raise InputError(f"{len(items)} {what} are too many; at most {most} are allowed")
    return items


def _grid(text: str, first: tuple[str, int, int], second: tuple[str, int, int]) -> tuple[int, int]:
    """Read ``AxB``; each side is given as (what it counts, least, most)."""
    sides = text.lower().split("x")
    if len(sides) != 2:
        raise InputError(f"{shown(text)} is not of the form {first[0].upper()}x{second[0].upper()}")
    return _number(sides[0], *first), _number(sides[1], *second)


def _boards(text: str, most: int | None = None, what: str = "squares") -> list[tuple[int, int]]:
    boards = [_grid(item, ("rows", 1, 50), ("columns", 1, 50)) for item in _list(text, "boards")]
    squares, most = sum(r * c for r, c in boards), most or GamesLimits.current().families_squares
    if squares > most:
        raise InputError(f"{squares} {what} are too many; at most {most} are allowed")
    return boards


# Writing facts.


def _each(name: str, values: Iterable[object]) -> list[str]:
    return [f"({name} {value})" for value in values]


def _chain(low: int, high: int) -> list[str]:
    """The successor facts from ``low`` to ``high``."""
    return [f"(succ {n} {n + 1})" for n in range(low, high)]


def _on_grid(boards: list[tuple[int, int]], fact: Callable[[int, int, int, int], str]) -> list[list[str]]:
    """Facts for boards set side by side, a column apart, row by row.

    ``fact`` is given a square's row and column on the common grid, then those on its board.
    """
    lines: dict[int, list[str]] = {}
    for left, (rows, columns) in zip(_lefts(boards), boards, strict=True):
        for r in range(1, rows + 1):
            lines.setdefault(r, []).extend(fact(r, left + c, r, c) for c in range(1, columns + 1))
    width = sum(columns + 1 for _, columns in boards) - 1
    return [*lines.values(), _chain(1, max(width, *lines, 2))]


def _lefts(boards: list[tuple[int, int]]) -> list[int]:
    """How many columns of the common grid lie to the left of each board."""
    return list(accumulate((columns + 1 for _, columns in boards[:-1]), initial=0))


# The families.


def _piles(text: str, what: str, fact: str, low: int, most: int) -> list[list[str]]:
    sizes = [_number(item, what, 1, most) for item in _list(text, f"{what}s")]
    named = [f"({fact} {name} {n})" for name, n in zip(LETTERS, sizes, strict=False)]
    return [named, _chain(low, max(max(sizes), low + 1))]


def _nim(text: str) -> list[list[str]]:
    return _piles(text, "heap", "heapsize", 0, 100)


def _kayles(text: str) -> list[list[str]]:
    return _piles(text, "row", "rowsize", 1, 40)


def _domineering(text: str) -> list[list[str]]:
    boards = _boards(text)
    if all(rows < 2 for rows, _ in boards):
        raise InputError("vertical, who begins, has no move; give some board two rows or more")
    return _on_grid(boards, lambda r, c, y, x: f"(square {r} {c})")


def _clobber(text: str) -> list[list[str]]:
    boards = _boards(text)
    if all(rows * columns < 2 for rows, columns in boards):
        raise InputError("black, who begins, has no move; give some board two squares or more")
    return _on_grid(boards, lambda r, c, y, x: f"(start {('black', 'white')[(y + x) % 2]} {r} {c})")


def _squares(text: str) -> list[list[str]]:
    return _on_grid(_boards(text), lambda r, c, y, x: f"(square {r} {c})")


def _nogo(text: str) -> list[list[str]]:
    boards = _boards(text, most=36)
    if all(rows * columns < 2 for rows, columns in boards):
        raise InputError("black, who begins, has no move; give some board two squares or more")
    return _on_grid(boards, lambda r, c, y, x: f"(square {r} {c})")


def _amazons(text: str) -> list[list[str]]:
    boards = _boards(text, most=48)
    for rows, columns in boards:
        if not 3 <= rows * columns <= 36:
            raise InputError(f"a board of {rows}x{columns} is not of 3 to 36 squares")
    corners = {(left + 1, 1): "white" for left in _lefts(boards)}
    corners |= {(left + c, r): "black" for left, (r, c) in zip(_lefts(boards), boards, strict=True)}
    return _on_grid(boards, lambda r, c, y, x: f"(start {corners.get((c, r), 'empty')} {r} {c})")


def _counted(boards: list[tuple[int, int]]) -> list[list[str]]:
    """Squares with their place in a count of all of them, and where the count ends."""
    number = count(1)
    facts = _on_grid(boards, lambda r, c, y, x: f"(ordinal {r} {c} {next(number)})")
    total = sum(rows * columns for rows, columns in boards)
    furthest = max(*(rows for rows, _ in boards), sum(columns + 1 for _, columns in boards))
    return [*facts[:-1], [f"(last {total})"], _chain(0, max(total, furthest + 1))]


def _regio(text: str) -> list[list[str]]:
    return _counted(_boards(text, most=100))


def _dots(text: str) -> list[list[str]]:
    return _counted(_boards(text, most=49, what="boxes"))


def _pawns(text: str) -> list[list[str]]:
    boards = [(rows, columns) for columns, rows in _boards(text)]
    for rows, columns in boards:
        if rows < 4:
            raise InputError(f"a board of {columns}x{rows} leaves no row between the pawns; give it 4 rows or more")
    starts = [
        f"(start {player} {left + c} {row})"
        for left, (rows, columns) in zip(_lefts(boards), boards, strict=True)
        for c in range(1, columns + 1)
        for player, row in (("white", 2), ("black", rows - 1))
    ]
    *squares, chain = _on_grid(boards, lambda r, c, y, x: f"(square {c} {r})")
    return [*squares, chain, starts]


def _toads(text: str) -> list[list[str]]:
    lanes = _lanes(text)
    content = {"T": "t", "F": "f", "_": "empty"}
    for lane in lanes:
        if not 2 <= len(lane) <= 12 or set(lane) - set(content):
            raise InputError(f"lane {shown(lane)} is not 2 to 12 squares written T (toad), F (frog) or _ (empty)")
    if not any("T_" in lane or "TF_" in lane for lane in lanes):
        raise InputError("the toads, who begin, have no move; give one of them an empty square to go to")
    facts = [
        [f"(start {name} {i} {content[x]})" for i, x in enumerate(lane, 1)]
        for name, lane in zip(LETTERS, lanes, strict=False)
    ]
    return [*facts, _chain(1, max(map(len, lanes)))]


def _chomp(text: str) -> list[list[str]]:
    rows, columns = _grid(text, ("rows", 1, 12), ("columns", 1, 12))
    if rows * columns == 1:
        raise InputError("a bar of one square leaves only the poisoned one; make it larger")
    return _rows_columns(rows, columns)


def _rows_columns(rows: int, columns: int) -> list[list[str]]:
    high = max(rows, columns, 2)
    return [_each("row", range(1, rows + 1)), _each("column", range(1, columns + 1)), _chain(1, high)]


def _connect_four(text: str) -> list[list[str]]:
    columns, rows = _grid(text, ("columns", 4, 10), ("rows", 4, 10))
    return [_each("column", range(1, columns + 1)), _each("row", range(1, rows + 1)), _chain(1, max(columns, rows))]


def _breakthrough(text: str) -> list[list[str]]:
    columns, rows = _grid(text, ("columns", 2, 10), ("rows", 4, 10))
    return [
        _each("column", range(1, columns + 1)),
        _each("row", range(1, rows + 1)),
        _chain(1, max(columns, rows)),
        ["(homerow white 1)", "(homerow white 2)", f"(homerow black {rows - 1})", f"(homerow black {rows})"],
        [f"(farrow white {rows})", "(farrow black 1)"],
    ]


def _hex(text: str) -> list[list[str]]:
    size = _number(text, "size", 2, 11)
    return [[f"(size {size})"], _chain(1, size)]


def _reversi(text: str) -> list[list[str]]:
    size = _number(text, "size", 4, 8)
    if size % 2:
        raise InputError(f"size {size} is odd; the four discs of the start need an even one: 4, 6 or 8")
    m = size // 2
    start = [f"(start white {m} {m})", f"(start black {m} {m + 1})"]
    start += [f"(start black {m + 1} {m})", f"(start white {m + 1} {m + 1})"]
    span = range(1, size + 1)
    ordinals = [[f"(ordinal {r} {c} {(r - 1) * size + c})" for c in span] for r in span]
    return [_each("index", span), start, *ordinals, [f"(last {size * size})"], _chain(0, size * size)]


def _throws(text: str) -> list[list[str]]:
    throws = _number(text, "number of throws", 1, 20)
    return [[f"(throws {throws})"], _chain(0, throws)]


def _tron(text: str) -> list[list[str]]:
    columns, rows = _grid(text, ("columns", 2, 10), ("rows", 2, 10))
    return [
        _each("column", range(1, columns + 1)),
        _each("row", range(1, rows + 1)),
        _chain(1, max(columns, rows)),
        ["(start blue 1 1)", f"(start orange {columns} {rows})"],
    ]


def _lights_out(text: str) -> list[list[str]]:
    rows, columns = _grid(text, ("rows", 2, 8), ("columns", 2, 8))
    limit = rows * columns
    return [
        _each("row", range(1, rows + 1)),
        _each("column", range(1, columns + 1)),
        [f"(limit {limit})"],
        _chain(0, limit),
    ]


def _knights_tour(text: str) -> list[list[str]]:
    return _rows_columns(*_grid(text, ("rows", 3, 8), ("columns", 3, 8)))


def _queens(text: str) -> list[list[str]]:
    size = _number(text, "size", 4, 12)
    return [_each("index", range(1, size + 1)), [f"(full {size + 1})"], _chain(1, size + 1)]


def _lanes(text: str) -> list[str]:
    return [lane.upper() for lane in _list(text, "lanes")]


def _count(text: str) -> int:
    return len(_list(text, "parts"))


def _count_boards(text: str) -> int:
    return sum(rows * columns > 1 for rows, columns in _boards(text))


def _count_lanes(text: str) -> int:
    """The lanes in which something can move; one where all frogs stand left of all toads is two of them."""
    pieces = [piece for lane in _lanes(text) for piece in re.sub(r"^([F_]*)(T[T_]*)$", r"\1 \2", lane).split()]
    return sum(bool(re.search("T_|TF_|_F|_TF", piece)) for piece in pieces)


FAMILIES: dict[str, Family] = {
    "amazons": Family("3x3", "ROWSxCOLUMNS,...", "amazons:4x4", _amazons, _count),
    "breakthrough": Family("8x8", "COLUMNSxROWS", "breakthrough:5x6", _breakthrough),
    "chomp": Family("4x5", "ROWSxCOLUMNS", "chomp:3x4", _chomp),
    "clobber": Family("3x4", "ROWSxCOLUMNS,...", "clobber:2x3,2x4", _clobber, _count_boards),
    "col": Family("3x4", "ROWSxCOLUMNS,...", "col:2x3,4x4", _squares, _count),
    "connect-four": Family("7x6", "COLUMNSxROWS", "connect-four:5x4", _connect_four),
    "domineering": Family("4x4", "ROWSxCOLUMNS,...", "domineering:2x3,4x4", _domineering, _count_boards),
    "dots": Family("1x3", "ROWSxCOLUMNS,...", "dots:2x2,1x4", _dots, _count),
    "hex": Family("5", "SIZE", "hex:7", _hex),
    "kayles": Family("5,7", "ROW,ROW,...", "kayles:3,5,6", _kayles, _count),
    "knights-tour": Family("3x4", "ROWSxCOLUMNS", "knights-tour:5x5", _knights_tour),
    "lights-out": Family("3x3", "ROWSxCOLUMNS", "lights-out:4x5", _lights_out),
    "nim": Family("1,5,4,2", "HEAP,HEAP,...", "nim:3,5,7", _nim, _count),
    "nim-misere": Family("1,5,4,2", "HEAP,HEAP,...", "nim-misere:3,5,7", _nim, _count),
    "nogo": Family("2x3", "ROWSxCOLUMNS,...", "nogo:2x2,3x3", _nogo, _count_boards),
    "pawns": Family("3x5", "COLUMNSxROWS,...", "pawns:2x6,3x5", _pawns, _count),
    "queens": Family("6", "SIZE", "queens:8", _queens),
    "regio": Family("3x3", "ROWSxCOLUMNS,...", "regio:2x3,4x4", _regio, _count),
    "reversi": Family("6", "SIZE", "reversi:8", _reversi),
    "rock-paper-scissors": Family("3", "THROWS", "rock-paper-scissors:5", _throws),
    "snort": Family("3x4", "ROWSxCOLUMNS,...", "snort:2x3,4x4", _squares, _count),
    "toads-and-frogs": Family("TT_FF,TT__F", "LANE,LANE,...", "toads-and-frogs:T_F,TT__FF", _toads, _count_lanes),
    "tron": Family("5x5", "COLUMNSxROWS", "tron:4x6", _tron),
}
"""The bundled games that take parameters, by name."""
