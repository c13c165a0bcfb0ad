"""Operators packed for compiled code: a record of machine words each, with the facts that are still open.

A book is made for one region: operators that differ only in settled facts are one, and open facts are numbered anew, so
that 128 of them fit into two words. Regions that play makes of it are lists of operators of the same book.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ludisect.rulesets.position import Player
from ludisect.search.regions.changes import bits

if TYPE_CHECKING:
    from ludisect.search.regions.region import Region

MOST_FACTS = 128
"""Open facts that a book can hold."""

# fields of the record of an operator; words of facts in pairs, low word first
NEEDS, BARS, SETS, CLEARS, TOUCHES = 0, 2, 4, 6, 8
WHO, KEY, EDGES, LAST_EDGE, STAYS = 10, 11, 13, 14, 15
RECORD = 16

# bits of the kind of an edge between an operator and a fact
NEED, BAR, SET, CLEAR = 1, 2, 4, 8
KINDS = 16

# the words before the first record; MARKED: for each player, in how many ways operators are marked that STAY where
# others are crossed out (a bit each)
FIRST = 8
COUNT, MARKED = 0, 1

# fields of the frame of a region on a stack, before its operators (the places of their records)
N, KEYS, LEFTS, STATE, OPEN, NAME, SIGN, LOWER, UPPER, OPS = 0, 1, 3, 4, 6, 8, 10, 11, 12, 13

_WORD = (1 << 64) - 1


@dataclass(frozen=True, eq=False, slots=True)
class Book:
    """The array of records, and what the numbers in it stand for."""

    words: NDArray[np.int64]
    operators: tuple[int, ...]
    """Per record: the operator of the region."""
    facts: tuple[int, ...]
    """Per bit: the fact of the region's operators."""
    frame: NDArray[np.int64]
    """The region itself as a frame without keys."""

    @property
    def most(self) -> int:
        """Operators of the book, which no region of it exceeds."""
        return len(self.operators)


def book_of(region: Region, seed: int = 0) -> Book:
    """The book of a region, which has no more than MOST_FACTS open facts; ``seed`` tells books of one table apart."""
    facts = tuple(bits(region.open))
    if len(facts) > MOST_FACTS:
        raise ValueError(f"{len(facts)} open facts do not fit into a book")
    place = {f: k for k, f in enumerate(facts)}
    known: dict[tuple[Player, int, int, int, int], int] = {}
    packed: dict[int, int] = {}

    def pack(word: int) -> int:
        found = packed.get(word)
        if found is None:
            found = packed[word] = sum(1 << place[f] for f in bits(word))
        return found

    for i in region.live:
        op = region.operators.listed[i]
        needs, bars, sets, clears = (pack(word & region.open) for word in (op.needs, op.bars, op.sets, op.clears))
        known.setdefault((op.player, needs, bars, sets, clears), i)
    count = len(known)
    keys = np.random.default_rng([1970, seed]).integers(-(1 << 63), 1 << 63, size=(count, 2), dtype=np.int64)
    records: list[int] = []
    edges: list[int] = []
    first = FIRST + count * RECORD
    for player, *masks in known:
        for word in (*masks, masks[0] | masks[1] | masks[2] | masks[3]):
            records += word & _WORD, word >> 64
        begin = first + len(edges)
        edges += _edges(masks)
        records += int(player is Player.RIGHT), 0, 0, begin, first + len(edges), 0
    words = np.array([count, *[0] * (FIRST - 1), *records, *edges], np.uint64).view(np.int64)
    words[FIRST:first].reshape(count, RECORD)[:, KEY : KEY + 2] = keys
    frame = np.zeros(OPS + count, np.int64)
    frame[N] = count
    frame[OPS:] = FIRST + RECORD * np.arange(count)
    frame[STATE : STATE + 2] = words_of(pack(region.holding))
    return Book(words, tuple(known.values()), facts, frame)


def _edges(form: Sequence[int]) -> list[int]:
    """The facts of an operator, each with how it is used."""
    needs, bars, sets, clears = form
    touched = needs | bars | sets | clears
    return [
        f * KINDS
        + sum(kind for word, kind in ((needs, NEED), (bars, BAR), (sets, SET), (clears, CLEAR)) if word >> f & 1)
        for f in bits(touched)
    ]


def words_of(word: int) -> NDArray[np.int64]:
    """A word of up to 128 bits as two of the machine's, the low one first."""
    return np.array([word & _WORD, word >> 64 & _WORD], np.uint64).view(np.int64)
