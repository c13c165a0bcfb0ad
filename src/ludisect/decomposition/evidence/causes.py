"""Minimal causes: what in a state an event needs, found by putting all else back to its initial values.

An event is "the score of a role is at least v", its opposite, or the end of the game. Causes are looked for in ends of
plays, in states put together from them, and for every group of parts that is in none yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import Rows
from ludisect.decomposition.evidence.localmoves import mask_of
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.effort import spend
from ludisect.kernels.kernel import jit


@dataclass(frozen=True, slots=True)
class Event:
    """``role`` is -1 for the end of the game; ``level`` and ``holds``: score >= level is to be (un)true."""

    role: int
    level: int
    holds: bool

    def of(self, game: Game, rows: Rows) -> NDArray[np.bool_]:
        """In which rows it holds."""
        if self.role < 0:
            return game.batch.terminal(rows)
        return np.asarray((game.batch.goals(rows)[:, self.role] >= self.level) == self.holds)

    def defined(self, game: Game, rows: Rows) -> NDArray[np.bool_]:
        """Where the rules give the role exactly one score."""
        if self.role < 0:
            return np.ones(len(rows), np.bool_)
        return game.batch.goals(rows)[:, self.role] >= 0

    def name(self, game: Game) -> str:
        """For people."""
        if self.role < 0:
            return "the end of the game"
        return f"a score of {game.roles[self.role]} {'of at least' if self.holds else 'below'} {self.level}"


def events(game: Game) -> list[Event]:
    """The highest score of each role first, then lower ones, then the end of the game."""
    out: list[tuple[int, Event]] = []
    for role in range(len(game.roles)):
        levels = sorted({v for r, v in game.goal_table if r == role}, reverse=True)
        for depth, level in enumerate(levels[:-1] if len(levels) > 1 else levels):
            out += [(depth, Event(role, level, True)), (depth, Event(role, level, False))]
    return [e for _, e in sorted(out, key=lambda pair: pair[0])] + [Event(-1, 0, True)]


@jit("(uint64[:, ::1], uint64[::1], uint64[:, ::1], int64[::1], int64[::1], boolean[:, ::1])")
def _differ(rows: Any, one: Any, masks: Any, first: Any, end: Any, out: Any) -> None:
    """Rows x masks: whether a row differs from ``one`` in what is masked (words first..end)."""
    for i in range(rows.shape[0]):
        for g in range(masks.shape[0]):
            word = np.uint64(0)
            for w in range(first[g], end[g]):
                word |= (rows[i, w] ^ one[w]) & masks[g, w]
            out[i, g] = word != 0


class Causes:
    """Minimal causes of one event, over the parts as they are grouped now."""

    def __init__(
        self,
        game: Game,
        sample: Sample,
        parts: Sequence[Sequence[int]],
        groups: Sequence[Sequence[int]],
        event: Event,
        rows: Rows,
        rng: np.random.Generator,
    ) -> None:
        self.game, self.sample, self.event, self.rng = game, sample, event, rng
        self.limits = DecompositionLimits.current()
        self.masks = np.stack([mask_of(game, [f for p in g for f in parts[p]]) for g in groups])
        self.first = (self.masks != 0).argmax(axis=1)
        """Of each group: its first word, and past its last."""
        self.end = self.masks.shape[1] - (self.masks[:, ::-1] != 0).argmax(axis=1)
        self.parts = [g[0] for g in groups]
        self.more = False
        """Whether there are more states in which the event holds than were looked at."""
        self.telling = self._telling(rows)
        self.minimal = self.telling[:0]
        """Minimal causes, distinct as states."""
        self.causes = self._causes(rows)
        self.members = self._members(self.causes)
        self.matters: list[int] = np.flatnonzero(self.members.any(axis=0)).tolist() if len(self.causes) else []

    def _members(self, rows: Rows) -> NDArray[np.bool_]:
        """Rows x groups: which groups are away from their initial values."""
        out = np.empty((len(rows), len(self.masks)), np.bool_)
        _differ(rows, self.game.batch.initial[0], self.masks, self.first, self.end, out)
        return out

    def _reset(self, rows: Rows, group: NDArray[np.int64]) -> Rows:
        """Each row with the given group of it put back."""
        mask = self.masks[group]
        return (rows & ~mask) | (self.game.batch.initial & mask)

    def _shrink(self, rows: Rows, order: NDArray[np.int64] | None = None) -> Rows:
        """Put back groups one by one, in each row's own order (rows x groups; random), while the event holds."""
        if order is None:
            order = np.argsort(self.rng.random((len(rows), len(self.masks))), axis=1)
        rows = rows.copy()
        while True:  # a loss put back can make room for putting back a win
            before = rows.copy()
            for step in range(order.shape[1]):
                tried = self._reset(rows, order[:, step])
                keep = np.flatnonzero((tried != rows).any(axis=1))
                if len(keep):
                    ok = keep[self.event.of(self.game, tried[keep])]
                    rows[ok] = tried[ok]
            if (rows == before).all():
                return rows

    def _causes(self, rows: Rows) -> Rows:
        """Minimal causes, distinct as sets of groups."""
        mixtures = self._mixtures(rows)
        telling = np.concatenate([self.telling, self._telling(mixtures)])
        if not len(telling):
            return telling
        causes = self._shrink(telling)
        pool = np.concatenate([telling, self._pivotal(np.concatenate([rows, mixtures]), self._members(causes))])
        causes = np.concatenate([causes, self._causes_with(pool, self._members(causes))])
        self.minimal = causes[unique_rows(causes)[0]]
        first: NDArray[np.int64] = unique_rows(self._members(causes).astype(np.uint64))[0]
        return self._spread(causes[first])

    def _pivotal(self, rows: Rows, known: NDArray[np.bool_]) -> Rows:
        """Rows in which the event holds, and would not with a group put back that is in none of the known causes."""
        rows = rows[self.event.of(self.game, rows)]
        away = self._members(rows)
        out = [rows[:0]]
        for g in np.flatnonzero(~known.any(axis=0) & away.any(axis=0))[: self.limits.causes_missing].tolist():
            some = rows[away[:, g]]
            decided = ~self.event.of(self.game, self._reset(some, np.full(len(some), g)))
            out.append(some[decided][: self.limits.causes_tries])
        return np.concatenate(out)

    def _causes_with(self, telling: Rows, known: NDArray[np.bool_]) -> Rows:
        """Minimal causes with groups that are in none of the known ones: they are put back last."""
        away = self._members(telling) & ~known.any(axis=0)
        row, group = np.nonzero(away)
        order = np.argsort(self.rng.random(len(row)))
        order = order[np.argsort(group[order], kind="stable")]
        first = np.searchsorted(group[order], group[order])
        some = order[np.arange(len(order)) - first < self.limits.causes_tries]
        row, group = row[some], group[some]
        rank = self.rng.random((len(row), len(self.masks)))
        rank[np.arange(len(row)), group] = 2.0
        shrunk = self._shrink(telling[row], np.argsort(rank, axis=1))
        return shrunk[self._members(shrunk)[np.arange(len(row)), group]]

    def _telling(self, rows: Rows) -> Rows:
        """Some of the rows in which the event holds, and would not if nothing had been played."""
        everything: Rows = np.bitwise_or.reduce(self.masks)
        nothing_played = (rows & ~everything) | (self.game.batch.initial & everything)
        telling = np.flatnonzero(self.event.of(self.game, rows) & ~self.event.of(self.game, nothing_played))
        self.more |= len(telling) > 2 * self.limits.causes_kept
        return self._spread(rows[self.rng.permutation(telling)])

    def _spread(self, rows: Rows) -> Rows:
        """The first rows, and for each group that is away in none of them one in which it is, if there is any."""
        most = 2 * self.limits.causes_kept
        if len(rows) <= most:
            return rows
        away = self._members(rows)
        missing = ~away[:most].any(axis=0) & away.any(axis=0)
        return np.concatenate([rows[:most], rows[np.unique(away[:, missing].argmax(axis=0))]])

    def _mixtures(self, rows: Rows) -> Rows:
        """States put together from the values of the groups in many states: play seldom shows every way to score."""
        donors, n = np.concatenate([rows, self.sample.states]), self.limits.causes_mixtures
        spend(25 * n * len(self.masks))  # measured: 15 to 20 ns
        out = rows[self.rng.integers(0, len(rows), n)].copy()
        part = self.rng.choice(self.limits.causes_mixed, n)
        away = self._members(donors)
        for g, mask in enumerate(self.masks):
            with_g = np.flatnonzero(away[:, g])
            if not len(with_g):
                continue
            played = self.rng.random(n) < part
            donor = with_g[self.rng.integers(0, len(with_g), n)]
            words = slice(self.first[g], self.end[g])
            value = np.where(played[:, None], donors[donor, words], self.game.batch.initial[:, words])
            out[:, words] = (out[:, words] & ~mask[words]) | (value & mask[words])
        return out

    def harmful(self) -> list[int]:
        """Groups that a cause needs to stay as they are at the start: the score reads them, though no cause does."""
        if not len(self.causes):
            return []
        causes = self.causes[: self.limits.causes_harmed]
        away = self._members(self.sample.states)
        out = []
        for g in np.flatnonzero(~self.members.any(axis=0)).tolist():
            donors = np.flatnonzero(away[:, g])[: self.limits.causes_donors]
            mask = self.masks[g]
            tried = (causes[:, None] & ~mask) | (self.sample.states[donors][None] & mask)
            if len(donors) and not self.event.of(self.game, tried.reshape(-1, tried.shape[-1])).all():
                out.append(g)
        return out
