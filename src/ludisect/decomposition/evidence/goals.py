"""What the score needs together: the rule that ties parts which have no score of their own.

Take an event ("the score of a role is at least v", or its opposite, whichever does not hold when nothing was played)
and a state in which it holds. Put parts back to their initial values as long as it still holds; what is left is a
*minimal cause*. The causes of an event form a family of sets of parts, and its shape decides:

- *a sum*: if no two causes can exchange parts so that the event holds in neither, it is like "what the parts contribute
  adds up to enough": scores that are added, all of n conditions, any of n, any k of n. The parts stay apart, unless the
  causes are alternatives that share some of their parts and are none of these.
- *all of*: a part of one cause can be exchanged for parts of another cause without touching the rest, or its value for
  the value it has there. Parts that have to be exchanged together belong together; what can be exchanged by itself is a
  condition by itself. Tic-tac-toe on two boards, both to be won, falls into two; a nonogram, where every cell is needed
  in every win, into its cells; two numbers that have to match are one game.
- *any of*: causes that share no part. Four groups of lamps, any of which wins, stay four groups.
- *bundles*: parts with the same membership in all causes, if the event is a sum of bundles (any two of four groups).
- otherwise (the eight lines of one tic-tac-toe board) the parts are entangled: one game.

Parts on which the score is additive are never tied. Parts that no player has a hand in both of are tied if the score
compares them (the lower number wins): neither player has a game without the other. Conditions that fade unless
attended to (lamps that go out) cannot wait for each other: needed together, they belong together. Parts that the score
never reads are judged by the end of the game in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import Rows, unpack
from ludisect.decomposition.evidence.causes import Causes, events
from ludisect.decomposition.evidence.freechoice import outcome_rows
from ludisect.decomposition.evidence.localmoves import PASS
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.blocks import merge
from ludisect.effort import spend


@dataclass(frozen=True, slots=True, eq=False)
class Tie:
    """Parts (indices), two at least, that belong together; the event that needs them so; and a state that shows it."""

    parts: tuple[int, ...]
    event: str
    states: Rows

    @property
    def what(self) -> str:
        """The reason in words."""
        return f"{self.event} needs them together, and not in every case"


@dataclass(slots=True)
class Verdict:
    """Groups of parts that the score needs together, and the ties that say so."""

    groups: list[list[int]]
    ties: list[Tie] = field(default_factory=list)


def tie_by_goals(
    game: Game, sample: Sample, parts: Sequence[Sequence[int]], *, wins: Rows | None = None, seed: int = 0
) -> Verdict:
    """Which parts the score needs together. ``wins`` are further states to look at (from a solver, say)."""
    rows = sample.last if wins is None or not len(wins) else np.concatenate([sample.last, wins])
    groups = [[i] for i in range(len(parts))]
    ties: list[Tie] = []
    if len(parts) < 2 or not len(rows):
        return Verdict(groups, ties)
    rng = np.random.default_rng(seed)
    read: set[int] = set()
    for event in events(game):
        unread = [g for g in groups if not any(p in read for p in g)]
        groups_now = unread if event.role < 0 else groups
        if len(groups_now) < 2:
            continue
        for _ in range(DecompositionLimits.current().goals_again):
            view = _View(game, sample, parts, groups_now, event, rows, rng)
            found = view.entangled()
            read |= {p for g in (*view.matters, *view.harmful()) for p in groups_now[g]}
            ties += [tie for block in found for tie in view.ties(block)]
            count = len(groups)
            groups = merge([*groups, *([p for g in block for p in groups_now[g]] for block in found)], len(parts))
            if len(groups) in (1, count) or not view.more:
                break
    return Verdict(groups, ties)


def judge_evaluation(
    game: Game, sample: Sample, parts: Sequence[Sequence[int]], wins: Rows | None = None
) -> Tie | None:
    """A tie between two parts of a finished decomposition, if there is one: then it is over-decomposed."""
    ties = tie_by_goals(game, sample, parts, wins=wins).ties
    return ties[0] if ties else None


class _View(Causes):
    """The shape of the causes of one event."""

    def entangled(self) -> list[list[int]]:
        """Blocks of groups that belong together (each of two or more)."""
        if len(self.matters) < 2:
            return []
        n = len(self.masks)
        whole = [[g] for g in self.matters]
        pairs_apart = self._additive()
        all_of = self._blocks([_linked(t, pairs_apart) for t in self._exchanges()], n)
        if self._plain(whole, pairs_apart) and self._sums(whole):
            blocks = self._fading(all_of) if all(len(b) == 1 for b in all_of) else whole
            blocks = self._blocks([blocks, self._contests(pairs_apart)], n)
        elif len(all_of) > 1:
            blocks = self._fading(self._blocks([all_of, self._exchanges_of_values()], n))
        else:
            together = [np.flatnonzero(m).tolist() for m in self.members]
            blocks = self._blocks([_linked(t, pairs_apart) for t in together], n)
            if len(blocks) == 1:
                bundles = self._bundles()
                blocks = bundles if self._plain(bundles, pairs_apart) and self._sums(bundles) else blocks
        return [b for b in blocks if len(b) > 1]

    def _contests(self, apart: set[tuple[int, int]]) -> list[list[int]]:
        """Pairs of groups that no role steers both of and that the event compares: whether the value of the one will do
        hangs on the value of the other. Neither player has a game without the other's."""
        can, must = self.sample.ranges
        steered = np.bitwise_or.reduce(can & ~must, axis=0)
        by_role = ((self.masks[:, None] & steered[None]) != 0).any(axis=2)
        meeting = {pair for m in self.members for pair in combinations(np.flatnonzero(m).tolist(), 2)}
        rivals = [
            (u, v)
            for u, v in meeting - apart
            if by_role[u].any() and by_role[v].any() and not (by_role[u] & by_role[v]).any()
        ]
        if not rivals:
            return []
        first, second = self._alike(self.minimal, np.bitwise_or.reduce(self.masks))
        out = []
        for u, v in sorted(rivals)[: self.limits.goals_rivals]:
            one, other = (((first ^ second) & self.masks[g]).any(axis=1) for g in (u, v))
            both = np.flatnonzero(one & other)
            mask = self.masks[u]
            swapped = (first[both] & ~mask) | (second[both] & mask), (second[both] & ~mask) | (first[both] & mask)
            if not all(self.event.of(self.game, rows).all() for rows in swapped):
                out.append([u, v])
        return out

    def _plain(self, bundles: list[list[int]], apart: set[tuple[int, int]]) -> bool:
        """Whether no two causes are alternatives that share a bundle, unless every k of the n bundles are a cause, or
        the groups that meet in a cause have scores that add up (or only ever meet)."""
        held = np.stack([self.members[:, b].any(axis=1) for b in bundles], axis=1)
        families = np.unique(held, axis=0)
        both = families.astype(np.int64) @ families.T.astype(np.int64)
        size = families.sum(axis=1)
        partly = (both > 0) & (both < size[:, None]) & (both < size[None, :])
        if not partly.any():
            return True
        if len(set(size.tolist())) == 1 and len(families) == comb(len(bundles), int(size[0])):
            return True
        meeting = {pair for f in self.members for pair in combinations(np.flatnonzero(f).tolist(), 2)}
        # what is never needed one without the other makes one score
        return bool(apart) and all((self.members[:, u] == self.members[:, v]).all() for u, v in meeting - apart)

    def _sums(self, bundles: list[list[int]]) -> bool:
        """Whether the event can be "a sum of what each bundle contributes is large enough": then two states in which it
        holds cannot exchange bundles so that it holds in neither. Tried on many pairs."""
        if len(bundles) < 2:
            return False
        masks = np.stack([np.bitwise_or.reduce(self.masks[b]) for b in bundles])
        pool = np.concatenate([self.minimal, self.telling])
        first, second = self._alike(pool, np.bitwise_or.reduce(masks))
        if not len(first):
            return False
        swapped = self.rng.random((len(first), len(bundles))) < self.rng.choice(
            self.limits.goals_swapped, (len(first), 1)
        )
        mask = np.zeros_like(first)
        for b, m in enumerate(masks):
            mask[swapped[:, b]] |= m
        lost, judged = self._swapped(first, second, mask)
        return not (lost & judged).any() if judged.any() else not lost.any()

    def _alike(self, pool: Rows, every: Rows) -> tuple[Rows, Rows]:
        """Pairs of states in which the event holds, alike but for what ``every`` masks."""
        a, b = self._pairs(pool)
        first = pool[a]
        second = (first & ~every) | (pool[b] & every)
        sound = self.event.of(self.game, second)
        return first[sound], second[sound]

    def _swapped(self, first: Rows, second: Rows, mask: Rows) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Whether the event holds in neither of two states that have exchanged what is masked; and whether that says
        anything: where the rules give no score the state is none that play ends in, unless they never give any."""
        one, two = (first & ~mask) | (second & mask), (second & ~mask) | (first & mask)
        lost = ~(self.event.of(self.game, one) | self.event.of(self.game, two))
        return lost, self.event.defined(self.game, one) & self.event.defined(self.game, two)

    def _pairs(self, pool: Rows) -> NDArray[np.int64]:
        """Pairs of rows: half of them any, half with the same groups away, rare families as often as frequent ones."""
        swaps = self.limits.goals_swaps
        half = swaps // 2
        family = unique_rows(self._members(pool).astype(np.uint64))[1]
        order = np.argsort(family, kind="stable")
        size = np.bincount(family)
        picked = self.rng.integers(0, len(size), half)
        same = (np.cumsum(size) - size)[picked] + (self.rng.random((2, half)) * size[picked]).astype(np.int64)
        return np.concatenate([self.rng.integers(0, len(pool), (2, swaps - half)), order[same]], axis=1)

    def _blocks(self, links: Sequence[Sequence[Sequence[int]]], n: int) -> list[list[int]]:
        flat = [group for some in links for group in some]
        return [b for b in merge(flat, n) if set(b) & set(self.matters)]

    def _exchanges(self) -> list[list[int]]:
        """Sets of groups that had to be exchanged together between two causes."""
        count = len(self.causes)
        if count < 2:
            return []
        pairs = self.limits.goals_exchanges
        a = self.rng.integers(0, count, pairs)
        b = (a + self.rng.integers(1, count, pairs)) % count
        only = self.members[a] & ~self.members[b]
        fine = only.any(axis=1)
        a, b, only = a[fine], b[fine], only[fine]
        if not len(a):
            return []
        noise = self.rng.random(only.shape)
        given_up = np.where(only, noise, -1).argmax(axis=1)
        rows = self.causes[a].copy()
        for g, mask in enumerate(self.masks):
            take = self.members[b][:, g]
            rows[take] = (rows[take] & ~mask) | (self.causes[b[take]] & mask)
        rows = self._reset(rows, given_up)
        sound = self.event.of(self.game, rows)
        a, b, rows, noise, given_up = a[sound], b[sound], rows[sound], noise[sound], given_up[sound]
        if not len(a):
            return []
        # what only the other cause brought goes first, so that nothing more of it stays than giving up needs
        rank = noise + np.where(self.members[b] & ~self.members[a], 0.0, 2.0)
        shrunk = self._shrink(rows, np.argsort(rank, axis=1))
        out = []
        after = self._members(shrunk)
        for k in range(len(a)):
            changed = np.flatnonzero(after[k] != self.members[a[k]]).tolist()
            if len(changed) > 1:
                out.append(changed)
        return out

    def _exchanges_of_values(self) -> list[list[int]]:
        """Sets of groups whose values had to be exchanged together between two states in which the event holds: with
        the other's value of one group alone, it holds in neither."""
        first, second = self._alike(self.minimal, np.bitwise_or.reduce(self.masks))
        differs = np.stack([((first ^ second) & mask).any(axis=1) for mask in self.masks], axis=1)
        shared = differs & self._members(first) & self._members(second)
        fine = np.flatnonzero(shared.any(axis=1))[: self.limits.goals_exchanges]
        first, second, shared = first[fine], second[fine], shared[fine]
        if not len(first):
            return []
        noise = self.rng.random(shared.shape)
        given = np.where(shared, noise, -1).argmax(axis=1)
        lost, judged = self._swapped(first, second, self.masks[given])
        out = []
        for k in np.flatnonzero(lost & judged).tolist():
            row = second[k : k + 1].copy()
            kept = set(np.flatnonzero(((first[k] ^ second[k]) & self.masks).any(axis=1)).tolist())
            for g in np.argsort(noise[k]).tolist():
                if g in kept and g != given[k]:
                    tried = (row & ~self.masks[g]) | (first[k] & self.masks[g])
                    if self.event.of(self.game, tried)[0]:
                        row = tried
                        kept.discard(g)
            if len(kept) > 1:
                out.append(sorted(kept))
        return out

    def _additive(self) -> set[tuple[int, int]]:
        """Pairs on which the role's score is a sum, in every cause that has both."""
        if self.event.role < 0:
            return set()
        apart: set[tuple[int, int]] = set()
        entangled: set[tuple[int, int]] = set()
        asked: list[tuple[int, int, int]] = []
        for k, member in enumerate(self.members):
            groups = np.flatnonzero(member).tolist()
            if len(groups) <= self.limits.goals_additive_parts:
                asked += [(k, u, v) for u, v in combinations(groups, 2)]
        if not asked:
            return set()
        most = self.limits.goals_additive_pairs
        if len(asked) > most:
            asked = [asked[i] for i in self.rng.choice(len(asked), most, replace=False)]
        index = np.array(asked)
        rows = self.causes[index[:, 0]]
        without_u, without_v = self._reset(rows, index[:, 1]), self._reset(rows, index[:, 2])
        without = self._reset(without_u, index[:, 2])
        score = [self.game.batch.goals(x)[:, self.event.role] for x in (rows, without_u, without_v, without)]
        defined = np.stack(score).min(axis=0) >= 0
        by_u, by_v = np.abs(score[0] - score[1]), np.abs(score[0] - score[2])
        excess = np.abs(score[0] - score[1] - score[2] + score[3])
        rounded = (excess == 1) & (np.minimum(by_u, by_v) >= self.limits.goals_rounded)
        sums = defined & ((excess == 0) | rounded) & ((by_u > 0) | (by_v > 0))
        for (_, u, v), yes in zip(asked, sums.tolist(), strict=True):
            (apart if yes else entangled).add((u, v))
        return apart - entangled

    def _fading(self, blocks: list[list[int]]) -> list[list[int]]:
        """Of conditions that are all needed, join those that do not keep by themselves."""
        fading = [b for b in blocks if self._fades(b)]
        if len(fading) < 2:
            return blocks
        joined = sorted(g for b in fading for g in b)
        return [joined] + [b for b in blocks if b not in fading]

    def _fades(self, block: list[int]) -> bool:
        """Whether a value of the block with which the event holds is lost while nothing is done about it."""
        s = self.sample
        spend(100 * len(s.pair_state))  # measured: 8 ms for 60,000
        mask = np.bitwise_or.reduce(self.masks[block])
        fluents = np.flatnonzero(unpack(mask[None], len(self.game.fluents))[0]).tolist()
        alone = np.bincount(s.pair_state, minlength=len(s.states))  # states in which one role at most has a choice
        own = np.stack([np.bincount(s.pair_state[s.pair_role == r], minlength=len(s.states)) for r in range(s.n_roles)])
        alone = alone == own.max(axis=0) + s.n_roles - 1
        idle = np.flatnonzero((outcome_rows(s, [fluents])[:, 0] == PASS) & alone[s.pair_state])
        before, after = s.states[s.pair_state[idle]] & mask, s.pair_next[idle] & mask
        moved = (before != after).any(axis=1)
        if not moved.any():
            return False
        # a forced move in the block itself is no fading: something else must have been done
        key = s.pair_state[idle] * s.n_roles + s.pair_role[idle]
        kinds = key[unique_rows(np.concatenate([key[:, None].astype(np.uint64), s.pair_next[idle]], axis=1))[0]]
        moved &= (np.bincount(kinds) > 1)[key]
        both = np.concatenate([before[moved], after[moved]], axis=1)
        both = both[unique_rows(both)[0]]
        if not len(both):
            return False
        width = len(mask)
        with_block = np.flatnonzero(self.members[:, block].any(axis=1))
        for cause in self.causes[with_block[: self.limits.goals_fading_causes]]:
            kept = self.event.of(self.game, (cause & ~mask) | both[:, :width])
            lost = ~self.event.of(self.game, (cause & ~mask) | both[:, width:])
            if (kept & lost).any():
                return True
        return False

    def _bundles(self) -> list[list[int]]:
        """Groups with the same membership in all causes."""
        columns = self.members[:, self.matters]
        bundle_of = np.unique(columns, axis=1, return_inverse=True)[1].ravel()
        return [[self.matters[i] for i in np.flatnonzero(bundle_of == b)] for b in range(int(bundle_of.max()) + 1)]

    def ties(self, block: list[int]) -> list[Tie]:
        """For people: causes that show the parts of a block together, first the one with most of them, then small ones,
        until the block hangs together. What never meets in a cause is named beside the first."""
        inside = self.members[:, block].sum(axis=1)
        first = int(inside.argmax())
        size = self.members.sum(axis=1)
        small = [int(k) for k in np.argsort(size, kind="stable") if inside[k] > 1 and k != first]
        out: list[Tie] = []
        pieces = [[g] for g in block]
        for k in [first, *small]:
            held = [g for g in block if self.members[k, g]]
            meeting = [piece for piece in pieces if not set(piece).isdisjoint(held)]
            if len(meeting) > 1 or not out:
                held = held if len(held) > 1 else (held + [g for g in block if g not in held])[:2]
                out.append(self._tie(held, k))
                pieces = [p for p in pieces if p not in meeting] + [[g for piece in meeting for g in piece]]
        if len(pieces) > 1:
            out.append(self._tie([piece[0] for piece in pieces], first))
        return out

    def _tie(self, groups: Sequence[int], cause: int) -> Tie:
        return Tie(tuple(self.parts[g] for g in groups), self.event.name(self.game), self.causes[cause : cause + 1])


def _linked(groups: Sequence[int], apart: set[tuple[int, int]]) -> list[list[int]]:
    """The pairs of groups that are not additive."""
    if not apart:
        return [list(groups)]
    return [[u, v] for u, v in combinations(sorted(groups), 2) if (u, v) not in apart]
