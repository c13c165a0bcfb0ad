"""Layers: boards of fluents that are one board to a person, what lies on its squares, heaps, parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from ludisect.circuit.game import Game
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.draw.boarddata import At, BoardData, Square
from ludisect.draw.boards import Axis, Board, boards_of
from ludisect.draw.contents import TAKEN, content, empty_words, signs, tells_free
from ludisect.draw.limits import DrawLimits
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.machine import Fluents
from ludisect.gdl.randomplay import record
from ludisect.gdl.terms import Term, integer


@dataclass(frozen=True, slots=True)
class Layers:
    """Boards of several symbols with the same squares that are one board to a person; or heaps."""

    boards: tuple[Board, ...]
    heaps: bool
    rows: Axis
    columns: Axis
    """Those that are shown."""
    unused: str
    empty: frozenset[str]
    glyphs: dict[str, str]

    @property
    def title(self) -> str:
        """The symbols, and what tells the board from others."""
        first = self.boards[0]
        names = list(dict.fromkeys(board.symbol for board in self.boards))
        return " ".join([", ".join(names), *first.constants])

    def shown(self, row: int, column: int) -> At | None:
        """Where a square is shown; of heaps the row is the heap, and the column how many counters it has."""
        first = self.boards[0]
        names = first.rows[row], first.columns[column]
        if names[0] not in self.rows or names[1] not in self.columns:
            return None
        return self.rows.index(names[0]), self.columns.index(names[1])


class RuleLayers:
    """The boards of a game, found once; then of any state what lies on them."""

    def __init__(self, game: Any, parts: Decomposition | None = None, known: Iterable[Term] = ()) -> None:
        """``known`` are fluents that hold somewhere: of a machine that does not list its fluents they are all there is
        to go by, for it is too slow to be watched at play."""
        self.game = game
        self.parts = parts
        self.start: Fluents = game.initial_state()
        rules = game.rules if isinstance(game, Game | Interpreter) else None
        limits = DrawLimits.current()
        plays = range(limits.boards_plays if isinstance(game, Game) else 0)
        self._plays = [record(game, seed=seed, max_length=limits.boards_steps) for seed in plays]
        self.fluents: Sequence[Term] = (
            game.fluents if isinstance(game, Game) else sorted(self.start.union(known), key=str)
        )
        homes = None if parts is None else [int(p) for p in parts.part_of()]
        self._found = boards_of(self.fluents, self.start, rules, homes)
        self._changed_at: dict[Term, tuple[int, At]] = {
            self.fluents[f]: (b, at)
            for b, board in enumerate(self._found)
            for at, cell in board.cells.items()
            for f in cell.fluents
        }

    # ---- which boards there are ----

    @cached_property
    def layers(self) -> list[Layers]:
        """The boards that a person sees."""
        groups = _joined(self._found, self._changes())
        return [self._layers([self._found[b] for b in group]) for group in groups]

    @cached_property
    def at(self) -> dict[Term, tuple[int, At]]:
        """For each fluent on a board that is shown: the board's number, and the square as it is shown."""
        out: dict[Term, tuple[int, At]] = {}
        for k, layers in enumerate(self.layers):
            for board in layers.boards:
                for (row, column), cell in board.cells.items():
                    at = layers.shown(row, column)
                    if at is not None:
                        out |= {self.fluents[f]: (k, at) for f in cell.fluents}
        return out

    def _changes(self) -> Iterator[dict[int, set[At]]]:
        """For each step of the plays, which squares it changed on each board."""
        for play in self._plays:
            for before, after in pairwise([*(step.state for step in play.steps), play.final]):
                out: dict[int, set[At]] = {}
                for term in before ^ after:
                    if term in self._changed_at:
                        b, at = self._changed_at[term]
                        out.setdefault(b, set()).add(at)
                yield out

    def _layers(self, boards: Sequence[Board]) -> Layers:
        first = boards[0]
        heaps = len(boards) == 1 and self._is_heaps(first)
        empty: frozenset[str] = frozenset()
        words: dict[str, list[str]] = {}
        for board in boards:
            empty |= empty_words(board, self.fluents, self.start)
            for cell in board.cells.values():
                for f in cell.fluents:
                    word = content(self.fluents[f], board)
                    if word not in words.setdefault(board.symbol, []):
                        words[board.symbol].append(word)
        shown = {name: [w for w in some if w not in empty] for name, some in words.items()}
        rows, columns, unused = self._used(boards)
        glyphs = signs(boards, shown, self.game.roles, self._lasting)
        return Layers(tuple(boards), heaps, rows, columns, unused, empty, glyphs)

    @cached_property
    def _lasting(self) -> frozenset[str]:
        """Names of fluents that plays make true and never false: marks on the ground, not pieces."""
        states = [[*(step.state for step in play.steps), play.final] for play in self._plays]
        ended = {term.name for play in states for before, after in pairwise(play) for term in before - after}
        return frozenset(term.name for term in self.fluents if term.name not in ended)

    def _is_heaps(self, board: Board) -> bool:
        """Rows that have one number each, at first their greatest, and can come down to 0."""
        numbers = [integer(Term(c)) for c in board.columns]
        if board.contents or board.coordinates[0] > board.coordinates[1] or 0 not in numbers:
            return False
        for r in range(len(board.rows)):
            mine = [c for row, c in board.cells if row == r]
            held = [c for c in mine if any(self.fluents[f] in self.start for f in board.cells[r, c].fluents)]
            if len(held) != 1 or held[0] != max(mine) or len(mine) < 2:
                return False
        return True

    def _used(self, boards: Sequence[Board]) -> tuple[Axis, Axis, str]:
        """Rows and columns in which something can happen, or lies from the beginning on; and what was left out."""
        first = boards[0]
        busy: set[At] = set()
        empty = {board.symbol: empty_words(board, self.fluents, self.start) for board in boards}
        for board in boards:
            for at, cell in board.cells.items():
                held = [content(self.fluents[f], board) for f in cell.fluents if self.fluents[f] in self.start]
                if self.parts is None or any(p >= 0 for p in cell.parts) or set(held) - empty[board.symbol]:
                    busy.add(at)
        if not busy:
            return first.rows, first.columns, ""
        kept_rows = tuple(v for r, v in enumerate(first.rows) if any(at[0] == r for at in busy))
        kept_columns = tuple(v for c, v in enumerate(first.columns) if any(at[1] == c for at in busy))
        told = [
            f"{name}{'s' * (len(gone) > 1)} {_spans(gone, axis)} never used"
            for name, axis, kept in (("row", first.rows, kept_rows), ("column", first.columns, kept_columns))
            if (gone := [v for v in axis if v not in kept])
        ]
        return kept_rows, kept_columns, ", ".join(told)

    # ---- a state ----

    def board(self, layers: Layers, fluents: Fluents) -> BoardData:
        """What lies on a board."""
        if layers.heaps:
            return self._heaps(layers, fluents)
        held: dict[At, list[Term]] = {}
        homes: dict[At, set[int]] = {}
        words: dict[At, list[str]] = {}
        for board in layers.boards:
            for place, cell in board.cells.items():
                at = layers.shown(*place)
                if at is None:
                    continue
                mine = [self.fluents[f] for f in cell.fluents if self.fluents[f] in fluents]
                held.setdefault(at, []).extend(mine)
                homes.setdefault(at, set()).update(self._id(p) for p in cell.parts if p >= 0)
                told = words.setdefault(at, [])
                told += [w for t in mine if (w := content(t, board)) not in layers.empty and w not in told]
        free = any(map(tells_free, layers.boards))
        squares = []
        for at in sorted(held):
            told, glyph = _seen(words[at], layers.glyphs)
            if free and not held[at]:
                told, glyph = [TAKEN], "blocked"
            squares.append(Square(at, "/".join(told), glyph, tuple(map(str, held[at])), tuple(sorted(homes[at]))))
        return BoardData(layers.title, "grid", layers.rows, layers.columns, tuple(squares), layers.unused)

    def words_at(self, board: int, at: At, fluents: Fluents) -> list[str]:
        """What lies on a square as it is shown."""
        return [word for term, word in self._words.get((board, at), ()) if term in fluents]

    @cached_property
    def _words(self) -> dict[tuple[int, At], list[tuple[Term, str]]]:
        """For each square the fluents that can hold there, in words, without those for nothing."""
        out: dict[tuple[int, At], list[tuple[Term, str]]] = {}
        for k, layers in enumerate(self.layers):
            for layer in layers.boards:
                for place, cell in layer.cells.items():
                    at = layers.shown(*place)
                    for f in cell.fluents if at is not None else ():
                        word = content(self.fluents[f], layer)
                        if at is not None and word not in layers.empty:
                            out.setdefault((k, at), []).append((self.fluents[f], word))
        return out

    def _heaps(self, layers: Layers, fluents: Fluents) -> BoardData:
        board = layers.boards[0]
        squares, tallest = [], 0
        for heap in range(len(board.rows)):
            mine = [(at, cell) for at, cell in board.cells.items() if at[0] == heap]
            told = [(at, t) for at, cell in mine for f in cell.fluents if (t := self.fluents[f]) in fluents]
            size = max((integer(Term(board.columns[at[1]])) or 0 for at, _ in told), default=0)
            tallest = max([tallest, *(integer(Term(board.columns[at[1]])) or 0 for at, _ in mine)])
            numbers = tuple(sorted({self._id(p) for _, cell in mine for p in cell.parts if p >= 0}))
            held = tuple(str(t) for _, t in told)
            squares += [Square((height, heap), "counter", "counter", held, numbers) for height in range(size)]
        rows = tuple(str(i + 1) for i in range(tallest))
        return BoardData(layers.title, "heaps", rows, board.rows, tuple(squares))

    def _id(self, place: int) -> int:
        assert self.parts is not None  # places come from it
        return self.parts.parts[place].id


def _joined(boards: Sequence[Board], changes: Iterator[dict[int, set[At]]]) -> list[list[int]]:
    """Boards of other symbols with the same squares, of which plays never change the one where the other stays.

    Two boards that lie side by side in a game change each by itself, or both at squares that have nothing in common.
    """
    together: set[tuple[int, int]] = set()
    apart: set[tuple[int, int]] = set()
    for changed in changes:
        for a in changed:
            for b in changed:
                if a < b:
                    one, other = changed[a], changed[b]
                    (together if one <= other or other <= one else apart).add((a, b))
    groups: list[list[int]] = []
    for b, board in enumerate(boards):
        for group in groups:
            first = boards[group[0]]
            alike = (
                (first.rows, first.columns, first.constants) == (board.rows, board.columns, board.constants)
                and board.symbol not in {boards[x].symbol for x in group}
                and (first.coordinates[0] < first.coordinates[1]) == (board.coordinates[0] < board.coordinates[1])
            )
            if alike and all((x, b) in together and (x, b) not in apart for x in group):
                group.append(b)
                break
        else:
            groups.append([b])
    return groups


def _seen(words: Sequence[str], glyphs: Mapping[str, str]) -> tuple[list[str], str]:
    """What is said and drawn of all that lies on a square: what stands there hides a mark on the ground."""
    standing = [w for w in words if glyphs.get(w) not in ("mark", "blocked")] or list(words)
    return standing, "letter" if len(standing) > 1 else glyphs.get(standing[0], "letter") if standing else ""


def _spans(gone: Sequence[str], axis: Axis) -> str:
    """Values as spans: 5-20, 23."""
    places = sorted(axis.index(v) for v in gone)
    out: list[list[int]] = []
    for place in places:
        if out and out[-1][-1] == place - 1:
            out[-1].append(place)
        else:
            out.append([place])
    return ", ".join(axis[s[0]] if len(s) == 1 else f"{axis[s[0]]}-{axis[s[-1]]}" for s in out)
