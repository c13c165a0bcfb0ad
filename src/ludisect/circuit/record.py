"""Transitions seen in random plays: states, joint moves and what came next, each with how often it was seen.

Plays run on packed rows, a few thousand states side by side, because rows are what is kept. As in ``lanes``, exactly
the asked number of plays is started and every one is played to its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit import twins
from ludisect.circuit.game import Game
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.rows import Rows
from ludisect.circuit.rowtable import slot_of
from ludisect.errors import BudgetExceeded
from ludisect.kernels.kernel import jit
from ludisect.progress import report

MERGED_WORDS, LEAST = 1 << 22, 1024
"""Words of new transitions that are merged at a time, a fraction of a second, and rows at least. No result hangs on
it."""


@dataclass(frozen=True, slots=True, eq=False)
class Transitions:
    """Rows (state, joint move, next state), each seen ``count`` times; ``joint[i, r]`` indexes ``game.moves[r]``."""

    states: Rows
    joint: NDArray[np.int32]
    following: Rows
    count: NDArray[np.int64]
    playouts: int

    def __len__(self) -> int:
        return int(self.states.shape[0])

    def distinct(self) -> Transitions:
        """Equal transitions merged, their counts added, in the order in which they were first seen."""
        table = np.concatenate([self.states, self.joint.astype(np.uint64), self.following], axis=1)
        first, group = unique_rows(table)
        count = np.zeros(first.size, np.int64)
        np.add.at(count, group, self.count)
        return Transitions(self.states[first], self.joint[first], self.following[first], count, self.playouts)


def unique_rows(table: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of a matrix of words: the first row of each kind, and for every row the number of its kind."""
    return _unique_rows(np.ascontiguousarray(table))  # type: ignore[no-any-return]


@jit("(uint64[:, ::1])", twin=twins.unique_rows, small=twins.few_words)
def _unique_rows(table: Any) -> Any:
    """A hash table with full comparison: sorting the rows, as numpy does, costs ten times as much."""
    n = table.shape[0]
    size = 16
    while size < 2 * n:
        size *= 2
    slots = np.full(size, -1, np.int32)
    first = np.empty(n, np.int64)
    group = np.empty(n, np.int64)
    kinds = 0
    for i in range(n):
        slot = slot_of(slots, table, table, i)
        if slots[slot] < 0:
            slots[slot] = i
            first[kinds] = i
            group[i] = kinds
            kinds += 1
        else:
            group[i] = group[slots[slot]]
    return first[:kinds].copy(), group


mixed = jit(twins.mixed)
"""The bits of a word well mixed, in kernels."""


def salts(n: int, seed: int = 0) -> NDArray[np.uint64]:
    """A random word per column."""
    return np.random.default_rng(seed).integers(0, 1 << 64, n, np.uint64)


@jit("(uint64[:, ::1], uint64[::1], uint64[::1])", twin=twins.fingerprints, small=twins.few_words)
def _fingerprints(rows: Any, salt: Any, out: Any) -> None:
    """Sums of each row's words, every word mixed with the salt of its column."""
    for i in range(rows.shape[0]):
        total = np.uint64(0)
        for w in range(rows.shape[1]):
            total += mixed(rows[i, w] ^ salt[w])
        out[i] = total


def fingerprints(rows: Rows, seed: int = 0) -> NDArray[np.uint64]:
    """A number per row of words: the same for equal rows, different for others but for a chance in 2**64."""
    out = np.empty(rows.shape[0], np.uint64)
    _fingerprints(np.ascontiguousarray(rows), salts(rows.shape[1], seed), out)
    return out


@jit
def _bits_below(word: Any, low: Any, high: Any) -> Any:
    """The bits low..high of a word, at their places."""
    out = word >> np.uint64(low) << np.uint64(low)
    if high < 64:
        out &= (np.uint64(1) << np.uint64(high)) - np.uint64(1)
    return out


@jit
def _population(word: Any) -> Any:
    x = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@jit(
    "(uint64[:, ::1], int64[::1], float64[:, ::1], int32[:, ::1], boolean[::1])",
    twin=twins.choose,
    small=twins.few_words,
)
def _choose(legal: Any, first_move: Any, random: Any, joint: Any, stuck: Any) -> None:
    """A uniform legal move per row and role: the k-th set bit among the role's bits, k drawn below their number."""
    n_roles = first_move.size - 1
    for s in range(legal.shape[0]):
        stuck[s] = False
        for r in range(n_roles):
            low, high = first_move[r], first_move[r + 1]
            count = 0
            for w in range(low >> 6, (high + 63) >> 6):
                count += _population(_bits_below(legal[s, w], max(0, low - 64 * w), min(64, high - 64 * w)))
            if count == 0:
                stuck[s] = True
                joint[s, r] = 0
                continue
            # random[s, r] is uniform in [0, 1); 53 bits over a few thousand moves leave no bias worth a name
            k = np.int64(random[s, r] * count)
            for w in range(low >> 6, (high + 63) >> 6):
                word = _bits_below(legal[s, w], max(0, low - 64 * w), min(64, high - 64 * w))
                here = _population(word)
                if k >= here:
                    k -= here
                    continue
                for _ in range(k):
                    word &= word - np.uint64(1)
                joint[s, r] = 64 * w + _population((word & (~word + np.uint64(1))) - np.uint64(1)) - low
                break


def random_joint(game: Game, states: Rows, rng: np.random.Generator) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """A uniform legal move per state and role, and the states in which some role has none."""
    joint = np.zeros((states.shape[0], len(game.roles)), np.int32)
    stuck = np.zeros(states.shape[0], np.bool_)
    _choose(game.batch.legal_rows(states), game.batch.first_move, rng.random(joint.shape), joint, stuck)
    return joint, stuck


def plays(
    game: Game, playouts: int, *, seed: int = 0, max_length: int | None = None
) -> Iterator[tuple[Rows, NDArray[np.int32], Rows]]:
    """Random plays, step by step: yields (states, joint moves, next states) of all plays under way."""
    rng = np.random.default_rng(seed)
    limits = CircuitLimits.current()
    n = min(playouts, limits.record_at_once)
    longest = limits.lanes_max_length if max_length is None else max_length
    states = np.repeat(game.batch.initial, n, axis=0)
    age = np.zeros(n, np.int64)
    to_start = playouts - n
    while states.shape[0]:
        report("playing", playouts - to_start - states.shape[0], playouts)
        over = game.batch.terminal(states) | (age >= longest)
        joint, stuck = random_joint(game, states, rng)
        going = ~(over | stuck)
        if going.any():
            present, moves = states[going], joint[going]
            following = game.batch.next(present, moves)
            yield present, moves, following
            states, age = following, age[going] + 1
        else:
            states, age = states[:0], age[:0]
        begun = min(to_start, n - states.shape[0])
        if begun:
            to_start -= begun
            states = np.concatenate([states, np.repeat(game.batch.initial, begun, axis=0)])
            age = np.concatenate([age, np.zeros(begun, np.int64)])
    report("playing", playouts, playouts)


def record(
    game: Game,
    playouts: int,
    *,
    seed: int = 0,
    max_length: int | None = None,
    distinct: bool = True,
) -> Transitions:
    """The transitions of random plays; with ``distinct``, equal ones are one row with a count."""
    words = game.batch.initial.shape[1]
    known = Transitions(
        np.empty((0, words), np.uint64), np.empty((0, len(game.roles)), np.int32), np.empty((0, words), np.uint64),
        np.empty(0, np.int64), playouts,
    )  # fmt: skip
    fresh: list[tuple[Rows, NDArray[np.int32], Rows]] = []
    waiting, limits, width = 0, CircuitLimits.current(), 2 * words + len(game.roles)
    most = min(limits.record_merge_at, max(LEAST, MERGED_WORDS // width))
    for step in plays(game, playouts, seed=seed, max_length=max_length):
        fresh.append(step)
        waiting += step[0].shape[0]
        if (
            3 * 8 * width * (len(known) + waiting) > limits.record_bytes
        ):  # while they are merged there are three of each
            what = f"{playouts:,} plays need more memory to be recorded than {limits.record_bytes / 2**30:.3g} GB"
            raise BudgetExceeded(f"{what}; ask for fewer --playouts, or give it more --memory", budget="memory")
        if distinct and waiting >= max(most, len(known) // 2):
            known, fresh, waiting = _append(known, fresh).distinct(), [], 0
    known = _append(known, fresh)
    return known.distinct() if distinct else known


def _append(known: Transitions, fresh: list[tuple[Rows, NDArray[np.int32], Rows]]) -> Transitions:
    added = sum(s.shape[0] for s, _, _ in fresh)
    return Transitions(
        np.concatenate([known.states, *(s for s, _, _ in fresh)]),
        np.concatenate([known.joint, *(j for _, j, _ in fresh)]),
        np.concatenate([known.following, *(f for _, _, f in fresh)]),
        np.concatenate([known.count, np.ones(added, np.int64)]),
        known.playouts,
    )
