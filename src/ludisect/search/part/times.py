"""The context of a game: turn markers and counters, which run by themselves whatever is played.

Because no move influences them, their values from the start on are one sequence that runs into a loop. Position t of
the sequence is called time t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.netlist import TRUE
from ludisect.circuit.record import plays
from ludisect.circuit.rows import Rows, mask_of, unpack
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import BudgetExceeded
from ludisect.search.limits import SearchLimits
from ludisect.search.settle import not_by_itself, reading_more
from ludisect.search.way import Inapplicable


@dataclass(frozen=True, eq=False)
class Context:
    """The context at every time: ``rows[t]`` holds its bits and no others; after the last comes time ``loop_to``."""

    game: Game
    fluents: tuple[int, ...]
    rows: Rows
    loop_to: int

    @property
    def times(self) -> int:
        """How many times there are."""
        return int(self.rows.shape[0])

    @property
    def following(self) -> NDArray[np.int64]:
        """The time after each time."""
        out = np.arange(1, self.times + 1)
        out[-1] = self.loop_to
        return out

    def projected(self, fluents: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """What can be told apart by some of its fluents: (a number per time, the first time that has each number)."""
        seen = self.rows & mask_of(fluents, len(self.game.fluents))
        numbers: dict[bytes, int] = {}
        first: list[int] = []
        out = np.empty(self.times, np.int64)
        for t in range(self.times):
            key = seen[t].tobytes()
            if key not in numbers:
                numbers[key] = len(first)
                first.append(t)
            out[t] = numbers[key]
        return out, np.array(first, np.int64)

    def minimal(self, colour: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Times with equal futures become one: (number per time, following per number, first time per number).

        ``colour`` says which times must be told apart at once. Time 0 gets number 0.
        """
        following = self.following
        _, number = np.unique(colour, return_inverse=True)
        while True:
            kinds = number.max() + 1
            _, finer = np.unique(number * kinds + number[following], return_inverse=True)
            if finer.max() + 1 == kinds:
                break
            number = finer
        order: dict[int, int] = {}
        for x in number.tolist():
            order.setdefault(x, len(order))
        number = np.array([order[x] for x in number.tolist()], np.int64)
        first = np.array([int(np.argmax(number == k)) for k in range(len(order))], np.int64)
        return number, number[following[first]], first


def context_of(parts: Decomposition) -> Context:
    """Step the context of a decomposition until it repeats.

    Raises Inapplicable if it may not run by itself; ``settle`` mends that.
    """
    if not_by_itself(parts):
        raise Inapplicable("the context waits for what is played")
    game = parts.game
    fluents = parts.context_numbers
    mask = mask_of(fluents, len(game.fluents))
    others = game.batch.initial & ~mask
    seen: dict[bytes, int] = {}
    rows: list[NDArray[np.uint64]] = []
    row = game.batch.initial & mask
    by_form = not reading_more(parts)
    longest = SearchLimits.current().times_longest
    while row.tobytes() not in seen:
        if len(rows) == longest:
            raise BudgetExceeded(f"the context of {game.name} does not repeat within {longest} steps", budget="memory")
        seen[row.tobytes()] = len(rows)
        rows.append(row[0])
        state = row | others
        if not by_form and not _going(game, state)[0]:
            state = _going_on(game, row, mask)
        legal = game.batch.legal(state)[0]
        joint = [
            int(np.argmax(legal[low:high]))  # any move does, the context depends on none
            for low, high in zip(game.batch.first_move[:-1].tolist(), game.batch.first_move[1:].tolist(), strict=True)
        ]
        row = game.batch.next(state, np.array([joint])) & mask
    return Context(game, fluents, np.array(rows), seen[row.tobytes()])


def _going(game: Game, states: Rows) -> NDArray[np.bool_]:
    """Whether the play goes on: it is not over, and every role can move."""
    legal = game.batch.legal(states)
    able = [legal[:, low:high].any(axis=1) for low, high in pairwise(game.batch.first_move.tolist())]
    return np.asarray(~game.batch.terminal(states) & np.all(able, axis=0))


def _going_on(game: Game, row: Rows, mask: NDArray[np.uint64]) -> Rows:
    """A state with this value of the context in which the play goes on, made from those of random plays: a proof that
    the context runs by itself speaks of such states. If there is none, any state will do where the context alone ends
    the play."""
    limits = SearchLimits.current()
    for present, _, _ in plays(game, limits.times_plays, max_length=limits.times_moves):
        states = row | (present & ~mask)
        going = _going(game, states)
        if going.any():
            return np.asarray(states[going.argmax()][None])
    bits = unpack(row, len(game.fluents))[0]
    fixed = {1 + f: int(bits[f]) for f in np.flatnonzero(unpack(mask[None], len(game.fluents))[0]).tolist()}
    if game.circuit.cofactor(fixed).terminal != TRUE:
        raise Inapplicable("what runs by itself cannot be followed to the end of the play")
    return row
