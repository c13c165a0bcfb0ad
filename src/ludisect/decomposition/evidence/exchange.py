"""Exchanges: two states swap parts, and the score tells whether it is put together from the parts.

A *question* is a number per state: the score of a role; whether it has one yet; whether the play is over. Where the
rules give two scores, the higher counts. Where they give none, nothing follows from how high it is: while play goes on,
there is no score yet; where it is over, the rules have a gap.

Two states s and t swap some parts and become s' and t'. If the question adds up over the parts, the sums over s, t and
over s', t' are the same. If it only rises with what the parts contribute ("all of", "any two of", "the most of"), the
span of the one pair still meets the span of the other: were both of s and t above both of s' and t', no weights of the
parts could explain it. What breaks either is a *witness*, made small: s and t are made alike, part by part, as long as
it still breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import Rows
from ludisect.decomposition.evidence.localmoves import mask_of
from ludisect.decomposition.evidence.sample import Sample, some_of
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.effort import spend

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Holds = Callable[[Rows, Ints], Bools]
"""Whether something holds in rows that come from the given places."""

UNKNOWN = -1

PER_VALUE = 25
"""Steps (see ``effort``) for a part of a mixed state. Measured: 15 to 20 ns."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a state: the score of a role, whether it has one, or (role -1) whether the play is over."""

    role: int
    kind: Literal["score", "scored", "over"]

    def of(self, game: Game, rows: Rows) -> Ints:
        """A number per state, UNKNOWN where the question has no answer."""
        if self.kind == "over":
            return game.batch.terminal(rows).astype(np.int64)
        score = game.batch.highest_goals(rows)[:, self.role].astype(np.int64)
        if self.kind == "score":
            return score
        return np.where(score >= 0, 1, np.where(game.batch.terminal(rows), UNKNOWN, 0))

    def event(self, game: Game, level: int) -> str:
        """For people: that the number is at least ``level``."""
        if self.kind == "over":
            return "the end of the game"
        if self.kind == "scored":
            return f"a score of {game.roles[self.role]}, of whatever height,"
        return f"a score of {game.roles[self.role]} of at least {level}"


@dataclass(frozen=True, slots=True, eq=False)
class Broken:
    """Two states at a level or above it that swap parts and are both below; ``parts`` are those in which the two still
    differ."""

    question: Question
    level: int
    parts: tuple[int, ...]
    states: Rows


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """Two states that break a question when they swap what is masked."""

    question: Question
    states: Rows
    mask: Rows


class Swaps:
    """Judges exchanges of parts, and makes those that break a question small."""

    def __init__(self, game: Game, parts: Sequence[Sequence[int]], rng: np.random.Generator) -> None:
        self.game, self.rng = game, rng
        self.limits = DecompositionLimits.current()
        self.masks: Rows = np.stack([mask_of(game, p) for p in parts])

    def broken(self, question: Question, first: Rows, second: Rows, mask: Rows, points: bool) -> Bools:
        """Per pair: whether the exchange of what is masked breaks the rule."""
        one, two = (first & ~mask) | (second & mask), (second & ~mask) | (first & mask)
        u = question.of(self.game, np.concatenate([first, second, one, two])).reshape(4, -1)
        known = np.asarray((u != UNKNOWN).all(axis=0))
        if points:
            excess = np.abs(u[0] + u[1] - u[2] - u[3])
            # shares of a hundred points are rounded
            near = np.minimum(np.abs(u[0] - u[2]), np.abs(u[0] - u[3])) < self.limits.goals_rounded
            return np.asarray(known & ((excess > 1) | ((excess == 1) & near)))
        apart = (u[:2].min(axis=0) > u[2:].max(axis=0)) | (u[:2].max(axis=0) < u[2:].min(axis=0))
        return np.asarray(known & apart)

    def shrunk(
        self,
        question: Question,
        inside: Sequence[int],
        first: Rows,
        second: Rows,
        mask: Rows,
        *,
        points: bool = False,
    ) -> list[Broken]:
        """The pairs made alike part by part, in each pair's own order and either direction, while they are broken."""
        first, second = first.copy(), second.copy()
        order = np.array(inside)[np.argsort(self.rng.random((len(first), len(inside))), axis=1)]
        while True:
            before = first ^ second
            for step in range(order.shape[1]):
                part = self.masks[order[:, step]]
                for _ in range(2):
                    at = np.flatnonzero(((first ^ second) & part).any(axis=1))
                    if not len(at):
                        break
                    # the first as the second; next time the other way round
                    tried = (first[at] & ~part[at]) | (second[at] & part[at])
                    fine = self.broken(question, tried, second[at], mask[at], points)
                    first[at[fine]] = tried[fine]
                    first, second = second, first
            if ((first ^ second) == before).all():
                break
        return self._witnesses(question, inside, first, second, mask)

    def _witnesses(
        self, question: Question, inside: Sequence[int], first: Rows, second: Rows, mask: Rows
    ) -> list[Broken]:
        """Pairs that cannot be made smaller, each told by those two of its four states that are above."""
        states = np.stack([first, second, (first & ~mask) | (second & mask), (second & ~mask) | (first & mask)])
        u = question.of(self.game, states.reshape(-1, states.shape[-1])).reshape(4, -1)
        differ: Bools = np.asarray(((first ^ second)[:, None] & self.masks[list(inside)]).any(axis=2))
        out = []
        for k, parts in enumerate(differ):
            above = slice(0, 2) if u[:2, k].min() > u[2:, k].max() else slice(2, 4)
            numbers = tuple(inside[i] for i in np.flatnonzero(parts).tolist())
            out.append(Broken(question, int(u[above, k].min()), numbers, states[above, k]))
        return out

    def tables(self, found: Sequence[Broken]) -> list[tuple[int, ...]]:
        """Of witnesses of one question: for every choice between the two states, part by part (bit i: part i as in the
        second), whether the level is reached, 1 or 0, or UNKNOWN."""
        rows = []
        for broken in found:
            first, second = broken.states
            mixed = np.repeat(first[None], 1 << len(broken.parts), axis=0)
            for i, p in enumerate(broken.parts):
                taken = (np.arange(len(mixed)) >> i & 1).astype(np.bool_)
                mixed[taken] = (mixed[taken] & ~self.masks[p]) | (second & self.masks[p])
            rows.append(mixed)
        if not rows:
            return []
        values = found[0].question.of(self.game, np.concatenate(rows))
        each = np.split(values, np.cumsum([len(r) for r in rows])[:-1])
        return [tuple(np.where(v == UNKNOWN, UNKNOWN, v >= b.level).tolist()) for b, v in zip(found, each, strict=True)]


class Exchanges(Swaps):
    """Looks for broken exchanges between states put together from what plays showed."""

    def __init__(
        self, game: Game, sample: Sample, parts: Sequence[Sequence[int]], rows: Rows, rng: np.random.Generator
    ) -> None:
        super().__init__(game, parts, rng)
        self.sample = sample
        self.every: Rows = np.bitwise_or.reduce(self.masks, axis=0)
        self.rows = rows
        self.pool = np.concatenate([rows, self._mixtures()])
        self._values: dict[Question, Ints] = {}
        self._small: dict[Question, Ints] = {}
        """The states of the pool that hold no more than a score needs."""

    def values(self, question: Question) -> Ints:
        """Of each state of the pool."""
        if question not in self._values:
            found = question.of(self.game, self.pool)
            if len(found) and question.kind == "score":
                small = self._minimal(question, found)
                self._small[question] = np.arange(len(self.pool), len(self.pool) + len(small))
                self.pool = np.concatenate([self.pool, small])
                self._values = {q: np.concatenate([v, q.of(self.game, small)]) for q, v in self._values.items()}
                found = np.concatenate([found, question.of(self.game, small)])
            self._values[question] = found
        return self._values[question]

    def _mixtures(self) -> Rows:
        """States put together from the values of the parts in many states: play seldom shows every way to score."""
        donors, n = np.concatenate([self.rows, self.sample.states]), self.limits.goals_mixtures
        spend(PER_VALUE * n * len(self.masks))
        out = self.rows[self.rng.integers(0, len(self.rows), n)].copy()
        share = self.rng.choice(self.limits.goals_mixed, n)
        initial = self.game.batch.initial[0]
        for mask in self.masks:
            words = np.flatnonzero(mask)
            value = donors[:, words] & mask[words]
            away = np.flatnonzero((value != initial[words] & mask[words]).any(axis=1))
            if not len(away):
                continue
            played = self.rng.random(n) < share
            given = np.where(
                played[:, None], value[away[self.rng.integers(0, len(away), n)]], initial[words] & mask[words]
            )
            out[:, words] = (out[:, words] & ~mask[words]) | given
        return out

    def _minimal(self, question: Question, values: Ints) -> Rows:
        """Some states of the pool, of every score, with parts put back to the start as long as the score is no nearer
        to what it is there: what is left is what it needs."""
        start = (self.pool & ~self.every) | (self.game.batch.initial & self.every)
        level = question.of(self.game, start)
        telling = np.flatnonzero((values != level) & (values != UNKNOWN))
        some: list[Ints] = []
        each = self.limits.goals_minimal // max(1, len(np.unique(values[telling])))
        for v in np.unique(values[telling]):
            of_value = telling[values[telling] == v]
            some.append(self.rng.permutation(of_value)[: max(2, each)])
        picked = np.concatenate(some) if some else telling[:0]
        kept, above = values[picked], values[picked] > level[picked]

        def holds(rows: Rows, at: Ints) -> Bools:
            now = question.of(self.game, rows)
            return np.asarray((now != UNKNOWN) & np.where(above[at], now >= kept[at], now <= kept[at]))

        return self._put_back(self.pool[picked], holds)

    def needed(self, broken: Broken, last: Sequence[int]) -> Rows:
        """The two states of a witness with all put back that its level does not need, some parts last."""

        def holds(rows: Rows, at: Ints) -> Bools:
            return np.asarray(broken.question.of(self.game, rows) >= broken.level)

        rank = self.rng.random((2, len(self.masks)))
        rank[:, list(last)] += 1
        return self._put_back(broken.states, holds, rank)

    def _put_back(self, rows: Rows, holds: Holds, rank: NDArray[np.float64] | None = None) -> Rows:
        """Put parts back to the start, one by one in each row's own order (random), while it holds."""
        rows = rows.copy()
        order = np.argsort(self.rng.random((len(rows), len(self.masks))) if rank is None else rank, axis=1)
        for step in range(order.shape[1] if len(rows) else 0):
            mask = self.masks[order[:, step]]
            tried = (rows & ~mask) | (self.game.batch.initial & mask)
            at = np.flatnonzero((tried != rows).any(axis=1))
            if len(at):
                good = at[holds(tried[at], at)]
                rows[good] = tried[good]
        return rows

    # ---- looking ----

    def pairs(self, question: Question, n: int) -> tuple[Ints, Ints]:
        """Pairs of states of the pool: a third of them any, a third of one score, rare scores as often as frequent
        ones, and a third of one score and as small as they can be."""
        values = self.values(question)
        known = np.flatnonzero(values != UNKNOWN)
        third = n // 3
        small = known[np.isin(known, self._small.get(question, known))]
        both = [known[self.rng.integers(0, len(known), (2, n - 2 * third))]]
        for some in (known, small if len(small) else known):
            order = some[np.argsort(values[some], kind="stable")]
            first = np.flatnonzero(np.diff(values[order], prepend=UNKNOWN - 1))
            size = np.append(first[1:], len(order)) - first
            stratum = self.rng.integers(0, len(first), third)
            both.append(order[first[stratum] + (self.rng.random((2, third)) * size[stratum]).astype(np.int64)])
        joined = np.concatenate(both, axis=1)
        return joined[0], joined[1]

    def look(
        self, question: Question, inside: Sequence[int], blocks: Sequence[Sequence[int]], *, points: bool = False
    ) -> list[Broken]:
        """Broken exchanges of unions of some of the blocks, between states that differ inside some parts only; made
        small. With ``points``, of "the sums are the same", otherwise of "the spans meet"."""
        values = self.values(question)
        if len(blocks) < 2 or len(np.unique(values[values != UNKNOWN])) < 2:
            return []
        a, b = self.pairs(question, self.limits.goals_swaps)
        area: Rows = np.bitwise_or.reduce(self.masks[list(inside)], axis=0)
        first = self.pool[a]
        second = (first & ~area) | (self.pool[b] & area)
        share = self.rng.choice(self.limits.goals_swapped, len(first))[:, None]
        swapped = self.rng.random((len(first), len(blocks))) < share
        mask = np.zeros_like(first)
        for k, block in enumerate(blocks):
            mask[swapped[:, k]] |= np.bitwise_or.reduce(self.masks[list(block)], axis=0)
        broken = self.broken(question, first, second, mask, points)
        at = np.flatnonzero(broken)[: self.limits.goals_witnesses]
        return self.shrunk(question, inside, first[at], second[at], mask[at], points=points) if len(at) else []


def ends_of(sample: Sample, wins: Rows | None) -> Rows:
    """The states that scores are read in: where plays ended, and others that are given."""
    rows = sample.last[some_of(len(sample.last), DecompositionLimits.current().goals_ends)]
    rows = rows if wins is None or not len(wins) else np.concatenate([rows, wins])
    return rows[unique_rows(rows)[0]] if len(rows) else rows
