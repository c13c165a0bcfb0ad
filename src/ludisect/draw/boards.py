"""Boards inside a game: fluents of one symbol that two ordered arguments spread over a grid.

An argument is ordered if its values are integers, single letters in a row, or lie on one chain of a relation that the
rules give as facts (``(succ a b)``). One argument of squares such as ``b3`` does the work of two.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.draw.boarddata import At
from ludisect.draw.limits import DrawLimits
from ludisect.gdl.terms import Rules, Term, TermOrVariable, Variable, integer

_SQUARE = re.compile(r"([A-Za-z])([0-9]{1,2})")

_COLUMN, _ROW = ("c", "col", "column", "file", "x"), ("r", "row", "rank", "y")
"""Names of variables that say what they count."""

Axis = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A square: its fluents, and the places of their parts in ``Decomposition.parts`` (-1, last: in none)."""

    fluents: tuple[int, ...]
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A grid: ``cells[row, column]``. In the title ↓ or ↑ stands for the row, → for the column, □ for both in one.

    ``contents`` are the arguments of the fluents that say what lies on a square.
    """

    title: str
    rows: Axis
    columns: Axis
    cells: Mapping[At, Cell]
    contents: tuple[int, ...] = ()
    symbol: str = ""
    coordinates: tuple[int, int] = (0, 1)
    """The arguments of the fluents that are row and column; one of squares such as ``b3`` is both."""
    constants: tuple[str, ...] = ()
    """The arguments that tell this board from others of the same symbol."""

    def named(self, values: Sequence[str]) -> At | None:
        """The square that arguments of a move name, given as in the fluents: row and column in their order, or one."""
        row, column = self.coordinates
        if row == column:
            square = _SQUARE.fullmatch(values[0])
            names = (str(int(square[2])), square[1]) if square else ("", "")
        else:
            names = (values[0], values[1]) if row < column else (values[1], values[0])
            names = (_canonical(names[0]), _canonical(names[1]))
        if names[0] not in self.rows or names[1] not in self.columns:
            return None
        at = self.rows.index(names[0]), self.columns.index(names[1])
        return at if at in self.cells else None


@dataclass(frozen=True, slots=True)
class _Grid:
    """Which arguments are the coordinates (row, column; or the same one twice) and where each value lies."""

    row: int
    column: int
    rows: Axis
    columns: Axis
    upwards: bool = False
    """Whether rows are counted from the lowest."""

    def at(self, term: Term) -> At:
        r, c = str(term.args[self.row]), str(term.args[self.column])
        if self.row == self.column:
            file, rank = r[0], r[1:]
            return self.rows.index(str(int(rank))), self.columns.index(file)
        return self.rows.index(_canonical(r)), self.columns.index(_canonical(c))


def boards(parts: Decomposition) -> list[Board]:
    """Every board of a decomposed game, in the order in which its fluents name them."""
    game = parts.game
    held = {game.fluents[f] for f in np.flatnonzero(game.circuit.initial)}
    return boards_of(game.fluents, held, game.rules, [int(p) for p in parts.part_of()])


def boards_of(
    fluents: Sequence[Term], start: Collection[Term], rules: Rules | None, part_of: Sequence[int] | None = None
) -> list[Board]:
    """Every board that some fluents make; ``start`` has those that hold in the initial state."""
    by_symbol: dict[tuple[str, int], list[int]] = {}
    for f, term in enumerate(fluents):
        by_symbol.setdefault((term.name, len(term.args)), []).append(f)
    homes = [-1] * len(fluents) if part_of is None else part_of
    chains = _chains(rules)
    out: list[Board] = []
    for (name, arity), mine in by_symbol.items():
        terms = {f: fluents[f] for f in mine}
        grid = _grid(list(terms.values()), arity, chains)
        if grid is None:
            continue
        grid = _upright(grid, rules, name, arity)
        apart = _apart(terms, grid, homes, start)
        split: dict[tuple[str, ...], list[int]] = {}
        for f in mine:
            split.setdefault(tuple(str(terms[f].args[k]) for k in apart), []).append(f)
        for values, some in split.items():
            title = _title(name, arity, grid, dict(zip(apart, values, strict=True)))
            contents = tuple(k for k in range(arity) if k not in (grid.row, grid.column, *apart))
            board = _board(title, grid, {f: terms[f] for f in some}, homes, contents)
            out.append(replace(board, symbol=name, coordinates=(grid.row, grid.column), constants=values))
    return out[: DrawLimits.current().boards_most]


def _board(
    title: str, grid: _Grid, terms: Mapping[int, Term], part_of: Sequence[int], contents: tuple[int, ...]
) -> Board:
    where: dict[At, list[int]] = {}
    for f, term in terms.items():
        where.setdefault(grid.at(term), []).append(f)
    cells = {
        at: Cell(tuple(fs), tuple(sorted({part_of[f] for f in fs}, key=lambda p: (p < 0, p))))
        for at, fs in where.items()
    }
    return Board(title, grid.rows, grid.columns, cells, contents)


def _title(name: str, arity: int, grid: _Grid, values: Mapping[int, str]) -> str:
    marks = {**values, grid.row: "↑" if grid.upwards else "↓", grid.column: "→"}
    if grid.row == grid.column:
        marks[grid.row] = "□"
    return f"({' '.join([name, *(marks.get(k, '*') for k in range(arity))])})"


# ---- coordinates ----


def _canonical(value: str) -> str:
    """``01`` and ``1`` are one coordinate."""
    number = integer(Term(value))
    return value if number is None else str(number)


def _grid(terms: Sequence[Term], arity: int, chains: Sequence[Axis]) -> _Grid | None:
    """The two arguments that make a grid of these fluents, if any do."""
    axes: dict[int, Axis] = {}
    longest = DrawLimits.current().boards_side
    for k in range(arity):
        axis = _axis({str(t.args[k]) for t in terms}, chains)
        if axis is not None and 2 <= len(axis) <= longest:
            axes[k] = axis
    # Coordinates mostly run over the same values, and come before what lies there.
    for r, c in sorted(combinations(axes, 2), key=lambda pair: axes[pair[0]] != axes[pair[1]]):
        grid = _Grid(r, c, axes[r], axes[c])
        if 4 * len({grid.at(t) for t in terms}) >= len(axes[r]) * len(axes[c]):
            return grid
    # Where two arguments name squares, the first names the board.
    for k in reversed(range(arity)):
        squares = [_SQUARE.fullmatch(str(t.args[k])) for t in terms]
        found = [m for m in squares if m]
        if len(found) == len(squares):
            files = _axis({m[1] for m in found}, chains)
            ranks = _axis({m[2] for m in found}, chains)
            if files and ranks and min(len(files), len(ranks)) >= 2 and max(len(files), len(ranks)) <= longest:
                return _Grid(k, k, ranks[::-1], files)
    return None


def _upright(grid: _Grid, rules: Rules | None, name: str, arity: int) -> _Grid:
    """The grid as its author saw it: who writes ``(cell ?column ?row)`` or ``(cell ?x ?y)`` counts rows upwards."""
    if rules is None or grid.row == grid.column:
        return grid
    turned = 0
    for rule in rules:
        for atom in (rule.head, *(f for f in rule.body if isinstance(f, Term))):
            for term in atom.args if atom.name in ("init", "true", "next", "base") else ():
                if isinstance(term, Term) and (term.name, len(term.args)) == (name, arity):
                    first, second = (_axis_of(term.args[k]) for k in (grid.row, grid.column))
                    turned += (first, second) == ("column", "row")
                    turned -= (first, second) == ("row", "column")
    if turned <= 0:
        return grid
    return _Grid(grid.column, grid.row, grid.columns[::-1], grid.rows, upwards=True)


def _axis_of(arg: TermOrVariable) -> str:
    """What a variable counts, by its name: ``?c2`` is a column."""
    word = arg.name.rstrip("0123456789_'").lower() if isinstance(arg, Variable) else ""
    return "column" if word in _COLUMN else "row" if word in _ROW else ""


def _axis(values: set[str], chains: Sequence[Axis]) -> Axis | None:
    """The values in order, if they have one. A few missing integers are filled in: boards side by side have gaps."""
    numbers = {integer(Term(v)) for v in values if v[:1] not in "()"}
    integers = sorted(n for n in numbers if n is not None)
    if len(integers) == len(numbers) == len({_canonical(v) for v in values}):
        span = integers[-1] - integers[0] + 1
        return tuple(str(n) for n in range(integers[0], integers[-1] + 1)) if span <= 2 * len(integers) else None
    if all(len(v) == 1 and v.isascii() and v.isalpha() for v in values):
        letters = sorted(values)
        if ord(letters[-1]) - ord(letters[0]) + 1 == len(letters):
            return tuple(letters)
    for chain in chains:
        if values <= set(chain):
            return tuple(v for v in chain if v in values)
    return None


def _chains(rules: Rules | None) -> list[Axis]:
    """The maximal chains of each two-place relation of facts in which nothing has two successors or predecessors."""
    if rules is None:
        return []
    pairs: dict[str, dict[str, str]] = defaultdict(dict)
    forked: set[str] = set()
    for rule in rules:
        head = rule.head
        if not rule.body and len(head.args) == 2 and all(isinstance(a, Term) and not a.args for a in head.args):
            a, b = map(str, head.args)
            if pairs[head.name].setdefault(a, b) != b:
                forked.add(head.name)
    out: list[Axis] = []
    for name, after in pairs.items():
        if name in forked or len(set(after.values())) < len(after):
            continue
        for first in sorted(after.keys() - set(after.values())):
            chain = [first]
            while chain[-1] in after:
                chain.append(after[chain[-1]])
            out.append(tuple(chain))
    return out


# ---- several boards of one symbol ----


def _apart(terms: Mapping[int, Term], grid: _Grid, part_of: Sequence[int], start: Collection[Term]) -> tuple[int, ...]:
    """The arguments that tell boards apart, not what lies on a square.

    Such an argument takes several values at once on the same square of the initial state: on most squares, on all that
    are not empty, or on some if it tells parts apart that would share squares without it. Of what lies on a square only
    one value holds.
    """
    arity = len(next(iter(terms.values())).args)
    rest = [k for k in range(arity) if k not in (grid.row, grid.column)]
    if not rest:
        return ()
    held = [term for term in terms.values() if term in start]
    taken = len({grid.at(term) for term in held})
    out = []
    for k in rest:
        at_once = _several((grid.at(term), term.args[k]) for term in held)
        squares = len({grid.at(t) for t in terms.values()})
        mixed = _several((grid.at(t), part_of[f]) for f, t in terms.items())
        still = _several(((grid.at(t), t.args[k]), part_of[f]) for f, t in terms.items())
        if 2 * at_once > squares or (at_once and (at_once == taken or still < mixed)):
            out.append(k)
    return tuple(out)


def _several(pairs: Iterable[tuple[object, object]]) -> int:
    """How many keys come with more than one value."""
    return sum(n > 1 for n in Counter(key for key, _ in set(pairs)).values())
