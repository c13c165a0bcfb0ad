"""What random plays show of a puzzle's moves: what each does and needs, which are never made together.

Whatever was seen in every play so far is taken for the rule. Nothing here is proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows, row_words, unpack

Bits = NDArray[np.bool_]

ENOUGH = 64
"""Times that a move is looked at: what it does then is taken for what it does."""


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """One move of some plays: their numbers, the states before, the moves, the states after."""

    plays: NDArray[np.int64]
    before: Rows
    moves: NDArray[np.int64]
    after: Rows


def plays_of(
    game: Game, start: Rows, plays: int, allowed: Bits, draw: np.random.Generator, most: int
) -> Iterator[Moved]:
    """Random plays of allowed moves, side by side, each to its end or until no such move is legal."""
    numbers, states = np.arange(plays), np.repeat(start, plays, axis=0)
    for _ in range(most):
        legal = game.batch.legal(states) & allowed
        going = legal.any(axis=1) & ~game.batch.terminal(states)
        if not going.any():
            return
        numbers, states, legal = numbers[going], states[going], legal[going]
        moves = (draw.random(legal.shape, np.float32) * legal).argmax(axis=1)
        after = game.batch.next(states, moves[:, None].astype(np.int32))
        yield Moved(numbers, states, moves, after)
        states = after


class Habits:
    """What was seen of every move (rows) and every fluent (columns), and of pairs of moves."""

    def __init__(self, game: Game, start: Rows, seed: int, most_moves: int) -> None:
        self.game, self._start, self._most = game, start, most_moves
        self._draw = np.random.default_rng(seed)
        moves, fluents = len(game.moves[0]), len(game.fluents)
        self.made = np.zeros(moves, np.bool_)
        """Moves that were made in some play."""
        words = row_words(fluents)
        self._true, self._false, self._changed = (np.zeros((moves, words), np.uint64) for _ in range(3))
        self._held, self._lacked = (~np.zeros((moves, words), np.uint64) for _ in range(2))
        self._together = np.zeros((moves, moves), np.bool_)
        self._looked = np.zeros(moves, np.int64)
        self.plays = 0
        self.longest = 0

    def watch(self, plays: int, allowed: Bits) -> None:
        """Learn from so many more random plays of allowed moves."""
        made = np.zeros((plays, self.made.size), np.float32)
        length = 0
        for step in plays_of(self.game, self._start, plays, allowed, self._draw, self._most):
            made[step.plays, step.moves] = 1.0
            self._learn(step)
            length += 1
        self._together |= (made.T @ made) > 0
        self.made |= made.any(axis=0)
        self.plays += plays
        self.longest = max(self.longest, length)

    def _learn(self, step: Moved) -> None:
        few = np.flatnonzero(self._looked[step.moves] < ENOUGH)
        if not few.size:
            return
        order = few[np.argsort(step.moves[few], kind="stable")]
        moves, first, times = np.unique(step.moves[order], return_index=True, return_counts=True)
        self._looked[moves] += times
        before, after = step.before[order], step.after[order]
        self._true[moves] |= np.bitwise_or.reduceat(after, first, axis=0)
        self._false[moves] |= np.bitwise_or.reduceat(~after, first, axis=0)
        self._changed[moves] |= np.bitwise_or.reduceat(before ^ after, first, axis=0)
        self._held[moves] &= np.bitwise_and.reduceat(before, first, axis=0)
        self._lacked[moves] &= np.bitwise_and.reduceat(~before, first, axis=0)

    def _bits(self, rows: Rows) -> Bits:
        return unpack(rows, len(self.game.fluents))

    @property
    def adds(self) -> Bits:
        """Per move the fluents that it makes true, whatever was before."""
        return self._bits(self._changed & ~self._false)

    @property
    def deletes(self) -> Bits:
        """Per move the fluents that it makes false."""
        return self._bits(self._changed & ~self._true)

    @property
    def irregular(self) -> Bits:
        """Fluents of which it depends on more than the move what becomes of them."""
        return np.asarray(self._bits(self._changed & self._true & self._false).any(axis=0))

    @property
    def needs(self) -> tuple[Bits, Bits]:
        """Per move the fluents that held whenever it was made, and those that did not."""
        return self._bits(self._held), self._bits(self._lacked)

    @property
    def apart(self) -> Bits:
        """Pairs of moves that were never made in one play."""
        out = ~self._together
        np.fill_diagonal(out, val=False)
        return out


def cliques(apart: Bits, members: NDArray[np.int64]) -> list[list[int]]:
    """Groups of which no two members go together, all of them in one group each; greedily, so that there are few."""
    left, out = list(members.tolist()), list[list[int]]()
    while left:
        group, could = [left[0]], apart[left[0]].copy()
        for move in left[1:]:
            if could[move]:
                group.append(move)
                could &= apart[move]
        out.append(group)
        inside = set(group)
        left = [move for move in left if move not in inside]
    return out
