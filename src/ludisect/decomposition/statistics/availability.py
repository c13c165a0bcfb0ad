"""Local availability: parts that decide what is legal in another part belong to it (condition 2).

A literal of one part may condition a move that acts in another. That ties the two unless the role can have the same
effect there by a move that does not need the literal, as it can with compound moves: the same move on the first board
goes with every move on the second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import unique_rows
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.blocks import merge


def join_by_availability(
    game: Game,
    parts: Sequence[Sequence[int]],
    causes: NDArray[np.bool_],
    legal_premises: NDArray[np.bool_],
    made: NDArray[np.bool_],
    counts: Callable[[int, Sequence[int]], bool],
) -> list[list[int]]:
    """Blocks of indices of parts. ``counts(fluent, moves)``: whether a fluent counts as a condition of the moves."""
    n, limits = len(parts), DecompositionLimits.current()
    if n < 2 or n > limits.availability_parts:
        return [[i] for i in range(n)]
    part_of = np.full(len(game.fluents), -1, np.int64)
    for i, fluents in enumerate(parts):
        part_of[list(fluents)] = i
    signatures = np.stack([_signatures(causes, fluents) for fluents in parts])
    ties: list[tuple[int, int]] = []
    for low, high in zip(game.batch.first_move[:-1].tolist(), game.batch.first_move[1:].tolist(), strict=True):
        seen = made[low:high]
        for needing, literals in _by_moves(legal_premises[:, low:high]):
            owners = {int(part_of[x // 2]): x // 2 for x in literals if part_of[x // 2] >= 0}
            if not owners:
                continue
            for i in range(n):
                here = signatures[i, low:high]
                acting = here[needing & seen & (here > 0)]
                if not acting.size or np.isin(acting, here[~needing & seen]).mean() > 1 - limits.availability_share:
                    continue
                moves = (low + np.flatnonzero(needing & (here > 0))).tolist()
                ties += [(i, j) for j, f in owners.items() if j != i and counts(f, moves)]
    return merge(ties, n)


def _signatures(causes: NDArray[np.bool_], fluents: Sequence[int]) -> NDArray[np.int64]:
    """A number per move: what it can change in a part; 0 if nothing."""
    columns = np.repeat(2 * np.array(fluents, np.int64), 2)
    columns[1::2] += 1
    mine = causes[:, columns]
    packed = np.packbits(mine, axis=1)
    padded = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), np.uint8)
    padded[:, : packed.shape[1]] = packed
    number = unique_rows(padded.view(np.uint64))[1] + 1
    return np.where(mine.any(axis=1), number, 0)


def _by_moves(premises: NDArray[np.bool_]) -> list[tuple[NDArray[np.bool_], list[int]]]:
    """Sets of moves that need the same literals, each with the literals."""
    rows = np.flatnonzero(premises.any(axis=1))
    groups: dict[bytes, list[int]] = {}
    for x in rows.tolist():
        groups.setdefault(premises[x].tobytes(), []).append(x)
    return [(premises[literals[0]], literals) for literals in groups.values()]
