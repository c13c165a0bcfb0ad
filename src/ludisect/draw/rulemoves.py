"""Where the moves of rules are made: the squares that their arguments name, and those that they change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ludisect.draw.boarddata import At, Where
from ludisect.draw.layers import Layers, RuleLayers
from ludisect.gdl.machine import Fluents
from ludisect.gdl.terms import Term, integer

Changed = dict[int, set[At]]
"""Per board the squares that a step changes."""


def changes(seen: RuleLayers, before: Fluents, after: Fluents) -> Changed:
    """What a step changes on the boards."""
    out: Changed = {}
    for term in before ^ after:
        if term in seen.at:
            board, at = seen.at[term]
            out.setdefault(board, set()).add(at)
    return out


def named(layers: Layers, move: Term) -> list[At]:
    """The squares of a board that a move's arguments name, in their order: two arguments each, or one."""
    first = layers.boards[0]
    args = [str(a) for a in move.args]
    size = 1 if first.coordinates[0] == first.coordinates[1] else 2
    out: list[At] = []
    k = 0
    while k + size <= len(args):
        found = first.named(args[k : k + size])
        at = layers.shown(*found) if found is not None else None
        if at is None:
            k += 1
            continue
        if at not in out:
            out.append(at)
        k += size
    return out


def where(seen: RuleLayers, move: Term, before: Fluents, after: Fluents | None, common: Changed) -> Where:
    """Where a move is made. ``after`` is the state that it leads to, if that is known; ``common`` is what every move of
    the role changes here."""
    changed = None if after is None else changes(seen, before, after)
    found: list[tuple[tuple[int, ...], Where]] = []
    args = {str(a) for a in move.args}
    for board, layers in enumerate(seen.layers):
        mine = None if changed is None else changed.get(board, set())
        if layers.heaps:
            place = _on_heap(seen, board, layers, move, after, mine)
        else:
            place = _on_grid(seen, board, layers, move, (before, after), mine, common.get(board, set()))
        if place is not None:
            hits = len(set(place.cells) & set(named(layers, move))) if mine else 0
            found.append(((len(args.intersection(layers.boards[0].constants)), hits, len(place.cells)), place))
    if not found:
        return Where()
    best = max(rank for rank, _ in found)
    first, *others = [place for rank, place in found if rank == best]
    return replace(first, also=tuple(others)) if changed is not None and best[1] else first


def _on_heap(
    seen: RuleLayers, board: int, layers: Layers, move: Term, after: Fluents | None, mine: set[At] | None
) -> Where | None:
    """The lowest counter that is taken from the only heap that changes, or that the move names with its new size."""
    if mine is not None:
        heaps = {row for row, _ in mine}
        if len(heaps) != 1:
            return None
        heap = heaps.pop()
        held = [column for term in after or () if (at := seen.at.get(term)) and at[0] == board and at[1][0] == heap
                for column in [at[1][1]]]  # fmt: skip
    else:
        squares = named(layers, move)
        if len(squares) != 1:
            return None
        heap, held = squares[0][0], [squares[0][1]]
    sizes = [integer(Term(layers.columns[column])) for column in held]
    return Where("heap", board, ((sizes[0] or 0, heap),)) if len(sizes) == 1 else None


def _on_grid(
    seen: RuleLayers,
    board: int,
    layers: Layers,
    move: Term,
    states: tuple[Fluents, Fluents | None],
    mine: set[At] | None,
    common: set[At],
) -> Where | None:
    squares = named(layers, move)
    before, after = states
    if mine is None or after is None:
        if not squares:
            return None
        filled = bool(_standing(seen, board, squares[0], before, layers))
        return Where("cell" if len(squares) == 1 else "from-to" if filled else "edge", board, tuple(squares))
    if not mine:
        return None
    told = [at for at in squares if at in mine]
    if len(told) > 1:
        filled = bool(_standing(seen, board, told[0], before, layers))
        return Where("from-to" if filled else "edge", board, tuple(told))
    if len(mine) == 2:
        pair = _pair(seen, board, layers, (before, after), told, mine)
        if pair is not None and not told and layers.rows[pair.cells[0][0]] in {str(a) for a in move.args}:
            return Where("cell", board, pair.cells[-1:])  # a row that the move names gets another value
        if pair is not None:
            return pair
    if told:
        return Where("cell", board, (told[0],))
    own = mine - common if mine - common else mine
    if len(own) != 1:
        return None
    (at,) = own
    args = {str(a) for a in move.args}
    if layers.columns[at[1]] in args and layers.rows[at[0]] not in args | {""}:
        return Where("column", board, (at,))
    if len(move.args) == 1 and layers.columns[at[1]] in args:
        return Where("column", board, (at,))
    return Where("cell", board, (at,))


def _pair(
    seen: RuleLayers,
    board: int,
    layers: Layers,
    states: tuple[Fluents, Fluents],
    told: Sequence[At],
    mine: Iterable[At],
) -> Where | None:
    """Two squares change: something goes from the one to the other, or lies on both."""
    one, other = sorted(mine, key=lambda at: (at not in told, at))
    for start, end in ((one, other), (other, one)):
        moved = _standing(seen, board, start, states[0], layers)
        if moved and moved <= _standing(seen, board, end, states[1], layers) and not moved & _standing(
            seen, board, start, states[1], layers
        ):  # fmt: skip
            return Where("from-to", board, (start, end))
    alike = all(seen.words_at(board, one, fluents) == seen.words_at(board, other, fluents) for fluents in states)
    return Where("edge", board, (one, other)) if alike else None


def _standing(seen: RuleLayers, board: int, at: At, fluents: Fluents, layers: Layers) -> set[str]:
    """What stands on a square: words, without those for nothing and marks on the ground."""
    ground = {w for w, glyph in layers.glyphs.items() if glyph in ("mark", "blocked")}
    return {w for w in seen.words_at(board, at, fluents) if w not in ground}
