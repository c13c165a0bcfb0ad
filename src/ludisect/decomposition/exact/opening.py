"""Stages of serial games: one part opens another if what that reads of it rests when it has a choice.

A *step* is a single fact with one way between its two states: a latch that somebody may set. Where one step opens
another they are no games of their own but a way to go, one part; a step alone goes with what it opens, or else with
what it follows, if that is one part. Steps side by side, which open nothing and follow the same (the cells of a board
that a stage opens) or nothing, stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.movewise import playable_at
from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import Rows
from ludisect.decomposition.evidence.localmoves import local_moves, mask_of
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.exact.dependencies import Dependencies
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.blocks import ancestors, directly_before
from ludisect.gdl.digraph import cyclic


class Openings:
    """Judges one-way dependencies between parts."""

    def __init__(
        self,
        sample: Sample,
        dependencies: Dependencies,
        parts: Sequence[Sequence[int]],
        groups: Sequence[Sequence[int]],
    ) -> None:
        self.sample, self.dependencies = sample, dependencies
        self.parts, self.groups = parts, groups
        self.can, self.must = sample.ranges
        self.choosing = [self._chooses(mask_of(sample.game, p)) for p in parts]
        self.branches: list[bool] = [bool(c.any()) for c in self.choosing]
        owner = {v: k for k, g in enumerate(groups) for v in g}
        self.reads: dict[tuple[int, int], set[int]] = {}
        """Of two parts (a, b), the variables of a that b depends on."""
        for u, v in dependencies.edges:
            if u in owner and v in owner and owner[u] != owner[v]:
                self.reads.setdefault((owner[u], owner[v]), set()).add(u)

    def _chooses(self, mask: Rows) -> NDArray[np.bool_]:
        """Per sampled state: whether some role has a choice in the part."""
        return np.asarray(((self.can & ~self.must) & mask).any(axis=(1, 2)))

    def opens(self, a: int, b: int) -> bool:
        """Whether a is a stage before b (there is an edge a → b and none back). Moves may be left in a, as long as they
        touch nothing that b reads."""
        return self.branches[a] and self.branches[b] and self.rests(a, b)

    def rests(self, a: int, b: int) -> bool:
        """Whether what b reads of a offers no choice, and is mostly at rest, whenever b can be steered (or, if it never
        can, whenever it changes): a gate, not a cause."""
        read = self.reads.get((a, b), ())
        mask = mask_of(self.sample.game, [f for u in read for f in self.dependencies.variables[u].fluents])
        at = self.choosing[b] if self.branches[b] else self._changes(mask_of(self.sample.game, self.parts[b]))
        if ((self.can[at] & ~self.must[at]) & mask).any():
            return False
        present = self.sample.states[at][:, None, :]
        moves = np.asarray((((self.can[at] ^ present) | (self.must[at] ^ present)) & mask).any(axis=(1, 2)))
        return bool(len(moves) and (~moves).mean() >= DecompositionLimits.current().opening_frozen)

    def _changes(self, mask: Rows) -> NDArray[np.bool_]:
        """Per sampled state: whether some move changes the part."""
        present = self.sample.states[:, None, :]
        return np.asarray((((self.can ^ present) | (self.must ^ present)) & mask).any(axis=(1, 2)))

    def gated(self, b: int, before: Sequence[int]) -> bool:
        """Whether b runs by itself but for being started or stopped: a turn marker or counter of a stage. Not a latch,
        which only remembers that a stage is over."""
        if self.branches[b] or self._latch(b):
            return False
        at = self._changes(mask_of(self.sample.game, self.parts[b]))
        return all(not self.choosing[a][at].any() and self.rests(a, b) for a in before)

    def _latch(self, b: int) -> bool:
        mask = mask_of(self.sample.game, self.parts[b])
        present = self.sample.states[:, None, :]
        rises = bool((self.can & ~present & mask).any())
        falls = bool((~self.must & present & mask).any())
        return not (rises and falls)

    def is_step(self, k: int) -> bool:
        """Whether the part is a single fact, and one of its two states leads to the other and not back."""
        if len(self.parts[k]) != 1:
            return False
        s, mask = self.sample, mask_of(self.sample.game, self.parts[k])
        words = np.flatnonzero(mask)
        before, after = (rows[:, words] & mask[words] for rows in (s.states, s.pair_next))
        values = unique_rows(np.concatenate([before, after]))[0]
        if len(values) != 2:
            return False
        changed = (before[s.pair_state] != after).any(axis=1)
        return len(unique_rows(after[changed])[0]) == 1

    def steps(self, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
        """What steps (that somebody takes) are joined with."""
        step = {k for k in range(len(self.parts)) if self.branches[k] and self.is_step(k)}
        opened, followed = ({k: {x[1 - side] for x in edges if x[side] == k} for k in step} for side in (0, 1))
        ways = [followed[k] for k in step if not opened[k]]
        beside = {k for k in step if not opened[k] and ways.count(followed[k]) > 1}
        chained = [[a, b] for a, b in edges if a in step and b in step - beside]
        if chained:
            return chained
        going_with = [(k, opened[k] if len(opened[k]) == 1 else followed[k]) for k in sorted(step - beside)]
        return [[k, *others] for k, others in going_with if len(others) == 1]

    def not_stages(self, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
        """The one-way dependencies that join two parts. What has no choice of its own goes first, with what causes it
        (or, for want of a cause, with what opens it); the rest is judged when that is done."""
        urgent: list[list[int]] = []
        apart: set[int] = set()
        for b in {b for _, b in edges if not self.branches[b]}:
            before = [a for a, c in edges if c == b]
            if self.gated(b, before):
                apart.add(b)
                continue
            causes = [a for a in before if not self.rests(a, b)]
            urgent += [[a, b] for a in causes or before]
        followers = {b for _, b in edges}
        urgent += [
            [a, b]
            for a, b in edges
            if self.branches[b] and not self.branches[a] and a not in followers and a not in apart
        ]
        return urgent or self.steps(edges) or [[a, b] for a, b in edges if not {a, b} & apart and not self.opens(a, b)]

    def order(self) -> dict[int, set[int]]:
        """Which parts come directly after which: by dependency, and by a clock that gives each part its own time."""
        before: dict[int, set[int]] = {k: set() for k in range(len(self.groups))}
        for a, b in self.reads:
            before[b].add(a)
        for a, b in self._by_the_clock():
            if b not in ancestors(before, a):
                before[b].add(a)
        if cyclic(before):
            return {}
        reduced = directly_before(before)
        return {b: reduced[b] for b in before if before[b]}

    def _by_the_clock(self) -> list[tuple[int, int]]:
        """Pairs of parts of which the first can offer moves only before the second can, by what runs by itself, not by
        what plays showed. A single turn is no time of its own."""
        playable, again = self.sample.once(_playable)
        spans = []
        for part in self.parts:
            at = np.flatnonzero(playable[:, local_moves(self.sample, part).acting].any(axis=1))
            spans.append((at[0], at[-1]) if len(at) else (0, again))
        return [
            (a, b)
            for a, (first, last) in enumerate(spans)
            for b, (start, _) in enumerate(spans)
            if first < last < min(start, again)
        ]


def _playable(sample: Sample) -> tuple[NDArray[np.bool_], int]:
    """Turns x moves: which can be legal when, and the turn that comes after the last."""
    return playable_at(sample.game.circuit, DecompositionLimits.current().opening_turns)
