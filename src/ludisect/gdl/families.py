"""Families of bundled games: which parameters each takes, and the facts that they stand for in its rule sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ludisect.errors import InputError

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_SQUARES = 144


@dataclass(frozen=True, slots=True)
class Family:
    """A rule sheet with a block of facts that depends on parameters.

    ``form`` shows how the parameters are written, ``example`` is one that works. ``facts`` turns their text into
    groups of facts, one group per paragraph of the block, and raises `InputError` where they make no sense.
    ``parts`` counts the action-dependent subgames at the start.
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


def _number(text: str, what: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit()) or not least <= int(text) <= most:
        raise InputError(f"{what} {text!r} is not a number from {least} to {most}")
    return int(text)


def _list(text: str, what: str, most: int = len(LETTERS)) -> list[str]:
    items = [item.strip() for item in text.split(",")]
    if len(items) > most:
        raise InputError(f"{len(items)} {what} are too many; at most {most} are allowed")
    return items


def _grid(text: str, first: tuple[str, int, int], second: tuple[str, int, int]) -> tuple[int, int]:
    """Read ``AxB``; each side is given as (what it counts, least, most)."""
    sides = text.lower().split("x")
    if len(sides) != 2:
        raise InputError(f"{text!r} is not of the form {first[0].upper()}x{second[0].upper()}")
    return _number(sides[0].strip(), *first), _number(sides[1].strip(), *second)


def _boards(text: str) -> list[tuple[int, int]]:
    boards = [_grid(item, ("rows", 1, 50), ("columns", 1, 50)) for item in _list(text, "boards")]
    if sum(r * c for r, c in boards) > MOST_SQUARES:
        raise InputError(f"{sum(r * c for r, c in boards)} squares are too many; at most {MOST_SQUARES} are allowed")
    return boards


# Writing facts.


def _each(name: str, values: Iterable[object]) -> list[str]:
    return [f"({name} {value})" for value in values]


def _chain(low: int, high: int) -> list[str]:
    """The successor facts from ``low`` to ``high``."""
    return [f"(succ {n} {n + 1})" for n in range(low, high)]


def _squares(boards: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int, int, int]]:
    """Row and column on the common grid, then row and column on the board, of boards set side by side."""
    left = 0
    for rows, columns in boards:
        for r in range(1, rows + 1):
            for c in range(1, columns + 1):
                yield r, left + c, r, c
        left += columns + 1


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
    squares = list(_squares(boards))
    widest = max(max(r, c) for r, c, _, _ in squares)
    rows = sorted({r for r, _, _, _ in squares})
    return [[f"(square {r} {c})" for r, c, _, _ in squares if r == row] for row in rows] + [_chain(1, widest)]


def _clobber(text: str) -> list[list[str]]:
    boards = _boards(text)
    if all(rows * columns < 2 for rows, columns in boards):
        raise InputError("black, who begins, has no move; give some board two squares or more")
    squares = list(_squares(boards))
    widest = max(max(r, c) for r, c, _, _ in squares)
    rows = sorted({r for r, _, _, _ in squares})
    color = ("black", "white")
    return [
        [f"(start {color[(y + x) % 2]} {r} {c})" for r, c, y, x in squares if r == row] for row in rows
    ] + [_chain(1, widest)]


def _toads(text: str) -> list[list[str]]:
    lanes = [lane.upper() for lane in _list(text, "lanes")]
    content = {"T": "t", "F": "f", "_": "empty"}
    for lane in lanes:
        if not 2 <= len(lane) <= 12 or set(lane) - set(content):
            raise InputError(f"lane {lane!r} is not 2 to 12 squares written T (toad), F (frog) or _ (empty)")
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
    rows, columns = _grid(text, ("rows", 1, 8), ("columns", 1, 8))
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


def _count(text: str) -> int:
    return len(_list(text, "parts"))


def _count_boards(text: str) -> int:
    return sum(rows * columns > 1 for rows, columns in _boards(text))


FAMILIES: dict[str, Family] = {
    "breakthrough": Family("8x8", "COLUMNSxROWS", "breakthrough:5x6", _breakthrough),
    "chomp": Family("4x5", "ROWSxCOLUMNS", "chomp:3x4", _chomp),
    "clobber": Family("3x4", "ROWSxCOLUMNS,...", "clobber:2x3,2x4", _clobber, _count_boards),
    "connect-four": Family("7x6", "COLUMNSxROWS", "connect-four:5x4", _connect_four),
    "domineering": Family("4x4", "ROWSxCOLUMNS,...", "domineering:2x3,4x4", _domineering, _count_boards),
    "hex": Family("5", "SIZE", "hex:7", _hex),
    "kayles": Family("5,7", "ROW,ROW,...", "kayles:3,5,6", _kayles, _count),
    "knights-tour": Family("3x4", "ROWSxCOLUMNS", "knights-tour:5x5", _knights_tour),
    "lights-out": Family("3x3", "ROWSxCOLUMNS", "lights-out:4x5", _lights_out),
    "nim": Family("1,5,4,2", "HEAP,HEAP,...", "nim:3,5,7", _nim, _count),
    "nim-misere": Family("1,5,4,2", "HEAP,HEAP,...", "nim-misere:3,5,7", _nim, _count),
    "queens": Family("6", "SIZE", "queens:8", _queens),
    "reversi": Family("6", "SIZE", "reversi:8", _reversi),
    "rock-paper-scissors": Family("3", "THROWS", "rock-paper-scissors:5", _throws),
    "toads-and-frogs": Family("TT_FF,TT__F", "LANE,LANE,...", "toads-and-frogs:T_F,TT__FF", _toads, _count),
    "tron": Family("5x5", "COLUMNSxROWS", "tron:4x6", _tron),
}
"""The bundled games that take parameters, by name."""
