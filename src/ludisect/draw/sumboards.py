"""A sum on the table as boards: regions that keep their numbers in play, dominoes, moves in their places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ludisect.draw.boarddata import At, BoardData, BoardPiece, MoveData, Square, Where, as_json
from ludisect.rulesets.depiction import Diagram
from ludisect.rulesets.position import Component, Player, Position
from ludisect.sums.table import Sum, SumMove

Regions = tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class TablePart:
    """A part of the sum: its number, the component it belongs to (from 0), what it is, and its cells there."""

    number: int
    component: int
    position: Component
    board: int | None = None
    cells: tuple[At, ...] = ()

    @property
    def text(self) -> str:
        """The part as an expression."""
        return f"{self.position.name} {self.position}" if isinstance(self.position, Position) else str(self.position)

    def to_json(self) -> dict[str, Any]:
        """As the page reads it."""
        cells = [list(at) for at in self.cells]
        return {
            "number": self.number, "component": self.component, "text": self.text, "board": self.board, "cells": cells
        }  # fmt: skip


class SumBoards:
    """What a sum looks like. A sum that was played to (``Sum.before``) has its past on the boards."""

    def __init__(self, table: Sum) -> None:
        self.table = table
        self._past: list[Sum] = [table]
        while self._past[-1].before is not None:
            self._past.append(self._past[-1].before)
        self._past.reverse()

    @cached_property
    def _diagrams(self) -> list[Diagram | None]:
        return [_diagram(x) for x in self.table.components]

    @cached_property
    def _board_of(self) -> list[int | None]:
        """For each component the number of its board."""
        out: list[int | None] = []
        for diagram in self._diagrams:
            out.append(None if diagram is None else sum(x is not None for x in out))
        return out

    @cached_property
    def _numbers(self) -> list[list[int]]:
        """For each component the numbers of its parts, as they have grown out of those at the beginning."""
        numbers: list[list[int]] = []
        regions: list[Regions] = []
        used = 0
        for table in self._past:
            if not numbers:
                for x in table.components:
                    regions.append(_regions(x))
                    numbers.append(list(range(used + 1, used + len(regions[-1]) + 1)))
                    used += len(regions[-1])
                continue
            move = table.last
            assert move is not None  # a sum with a past knows the move that led to it
            i = move.component
            now = _regions(table.components[i])
            numbers[i] = _inherited(regions[i], numbers[i], now, {n for row in numbers for n in row})
            regions[i] = now
        return numbers

    @cached_property
    def parts(self) -> list[TablePart]:
        """All parts, by number."""
        out = []
        for i, x in enumerate(self.table.components):
            pieces, diagram = _pieces(x), self._diagrams[i]
            for number, piece, cells in zip(self._numbers[i], pieces, _regions(x), strict=True):
                places = tuple(diagram.cells[c] for c in sorted(cells)) if diagram else ()
                out.append(TablePart(number, i, piece, self._board_of[i], places))
        return sorted(out, key=lambda part: part.number)

    @cached_property
    def boards(self) -> list[BoardData]:
        """A board for every component that can be drawn."""
        out = []
        for i, (x, diagram) in enumerate(zip(self.table.components, self._diagrams, strict=True)):
            if diagram is None or not isinstance(x, Position):
                continue
            home = {c: n for n, cells in zip(self._numbers[i], _regions(x), strict=True) for c in cells}
            pieces = self._placed(i)
            covered = {at for piece in pieces if piece.glyph for at in piece.cells}
            squares = tuple(
                Square(at, holds, "" if at in covered else x.cell_glyph(c), (), (home[c],) if c in home else ())
                for c, (at, holds) in enumerate(zip(diagram.cells, diagram.holds, strict=True))
            )
            out.append(
                BoardData(
                    x.name,
                    diagram.kind,
                    diagram.rows,
                    diagram.columns,
                    squares,
                    "",
                    pieces,
                    diagram.points,
                    diagram.lines,
                )
            )
        return out

    def _placed(self, component: int) -> tuple[BoardPiece, ...]:
        """What moves have put on a component's board: pieces that lie on cells which they blocked, and the last."""
        out = []
        for before, after in zip(self._past, self._past[1:], strict=False):
            move = after.last
            if move is None or move.component != component:
                continue
            x, y = before.components[component], after.components[component]
            shown, later = _diagram(x), _diagram(y)
            if shown is None or later is None or shown.kind != "grid" or shown.cells != later.cells:
                continue
            assert isinstance(x, Position)  # it has a diagram,
            assert isinstance(y, Position)  # as has this
            places = tuple(shown.cells[c] for c in x.move_cells(move.move))
            blocked = [c for c in x.move_cells(move.move) if y.cell_glyph(c) == "blocked" != x.cell_glyph(c)]
            laid = len(blocked) == len(places)
            glyph = "" if not laid else f"{'domino' if len(places) > 1 else 'stone'}-{_SIDE[move.player]}"
            last = after is self.table
            if laid or last:
                out.append(BoardPiece(places, move.player.name.lower(), glyph, last))
        return tuple(out)

    @cached_property
    def moves(self) -> list[MoveData]:
        """The moves of both players."""
        out = []
        home = {(part.component, at): part.number for part in self.parts for at in part.cells}
        for player in Player:
            for move in self.table.moves(player):
                where = self._where(move)
                found = {home.get((move.component, at)) for at in where.cells} - {None}
                numbers = self._numbers[move.component]
                alone = numbers[0] if len(numbers) == 1 else None
                out.append(
                    MoveData(player.name.lower(), move.text, next(iter(found)) if len(found) == 1 else alone, where)
                )
        return out

    def _where(self, move: SumMove) -> Where:
        x, diagram = self.table.components[move.component], self._diagrams[move.component]
        board = self._board_of[move.component]
        if diagram is None or not isinstance(x, Position):
            return Where()
        cells = list(x.move_cells(move.move))
        places = tuple(diagram.cells[c] for c in cells)
        if not places:
            return Where()
        if diagram.kind == "heaps":
            return Where("heap", board, places)
        if diagram.kind == "lines":
            return Where("edge", board, places)
        if len(places) == 1:
            return Where("cell", board, places)
        # What is moved lies on the first cell; what is placed covers cells that were empty.
        return Where("from-to" if diagram.holds[cells[0]] else "edge", board, places)

    def to_json(self) -> dict[str, Any]:
        """Boards, moves and parts."""
        parts = [part.to_json() | {"name": self._name(part)} for part in self.parts]
        return as_json(self.boards, self.moves) | {"parts": parts}

    def _name(self, part: TablePart) -> str:
        """A part in few words: ``d1 and 7 more`` where it has cells on a board."""
        if part.board is None or not part.cells:
            return part.text
        board, (row, column) = self.boards[part.board], part.cells[0]
        name = board.columns[column] if column < len(board.columns) else ""
        first = f"{name}{board.rows[row]}" if name.isalpha() and row < len(board.rows) else f"{board.title} {name}"
        return first.strip() if len(part.cells) == 1 else f"{first.strip()} and {len(part.cells) - 1} more"


_SIDE = {Player.LEFT: "first", Player.RIGHT: "second"}


def _diagram(x: Component) -> Diagram | None:
    return x.diagram() if isinstance(x, Position) else None


def _pieces(x: Component) -> list[Component]:
    """The parts of a component, without points that nobody can change any more; a value is one."""
    if not isinstance(x, Position):
        return [x]
    return [p for p in x.parts() if p.diagram() is not None or p.terminal_value() is None]


def _regions(x: Component) -> Regions:
    """The cells of each part, as far as the diagram tells them: all to the first where it does not."""
    pieces, diagram = _pieces(x), _diagram(x)
    if diagram is not None and len(diagram.parts) == len(pieces):
        return tuple(map(frozenset, diagram.parts))
    return tuple(frozenset() for _ in pieces)


def _inherited(before: Regions, numbers: Sequence[int], now: Regions, used: set[int]) -> list[int]:
    """Numbers of the regions after a move: the largest that a region leaves keeps its number, others get free ones."""
    taken = used - set(numbers)
    out: dict[int, int] = {}
    for old, number in zip(before, numbers, strict=True):
        heirs = [k for k, cells in enumerate(now) if k not in out and (cells & old or not cells | old)]
        if heirs:
            out[max(heirs, key=lambda k: (len(now[k] & old), -k))] = number
            taken.add(number)
    for k in range(len(now)):
        if k not in out:
            out[k] = next(n for n in range(1, len(taken) + 2) if n not in taken)
            taken.add(out[k])
    return [out[k] for k in range(len(now))]
