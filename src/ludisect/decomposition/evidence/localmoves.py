"""Local moves: which moves of a role have the same effect on a part, and which leave it alone (its pass).

Two moves are one local move if they lead to the same next values of the part in every sampled state, legal there or
not; or if they do so wherever both are legal, and such a state was seen. The second form is for rules whose frame
axioms lean on legality and say nothing sensible about illegal moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import fingerprints, unique_rows
from ludisect.circuit.rows import Rows
from ludisect.circuit.rows import mask_of as bits_of
from ludisect.decomposition.evidence.crosses import crosses
from ludisect.decomposition.evidence.meetings import Occurrences, meetings
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.decomposition import Classes

PASS = -1


@dataclass(frozen=True, slots=True, eq=False)
class LocalMoves:
    """``classes[r]`` are the classes of role r's moves that act in the part; ``number[r][m]`` is the class of move m,
    or PASS."""

    classes: tuple[Classes, ...]
    number: tuple[NDArray[np.int64], ...]

    @property
    def acting(self) -> NDArray[np.bool_]:
        """Which moves, roles side by side, act in the part."""
        return np.concatenate([number != PASS for number in self.number])

    def of_pairs(self, sample: Sample) -> NDArray[np.int64]:
        """The class of each (state, role, move) pair of a sample."""
        out = np.empty(len(sample.pair_state), np.int64)
        for r, number in enumerate(self.number):
            mine = sample.pair_role == r
            out[mine] = number[sample.pair_move[mine]]
        return out


def mask_of(game: Game, fluents: Sequence[int]) -> Rows:
    """A row with the bits of the given fluents set."""
    return bits_of(fluents, len(game.fluents))


def local_moves(sample: Sample, fluents: Sequence[int]) -> LocalMoves:
    """The local moves of the part that owns ``fluents``."""
    return sample.once(_local_moves, tuple(fluents))


def _local_moves(sample: Sample, fluents: Sequence[int]) -> LocalMoves:
    classes, numbers = [], []
    for r in range(sample.n_roles):
        group = _OfRole(sample, r, fluents).classes()
        members = {c: tuple(np.flatnonzero(group == c).tolist()) for c in dict.fromkeys(group.tolist()) if c != PASS}
        classes.append(tuple(members.values()))
        renumber = {c: i for i, c in enumerate(members)}
        numbers.append(np.array([renumber.get(c, PASS) for c in group.tolist()], np.int64))
    return LocalMoves(tuple(classes), tuple(numbers))


class _OfRole:
    """What the moves of one role do to a part in the states of a sample."""

    def __init__(self, sample: Sample, role: int, fluents: Sequence[int]) -> None:
        self.sample, self.role, self.n = sample, role, len(sample.game.moves[role])
        self.mask = mask_of(sample.game, fluents)
        self.words = np.flatnonzero(self.mask)
        self.mine = np.flatnonzero(sample.pair_role == role)
        self.state, self.move = sample.pair_state[self.mine], sample.pair_move[self.mine]
        self.after = self._part(sample.pair_next)[self.mine]

    def _part(self, rows: Rows) -> Rows:
        """The words of the part in some states."""
        return rows[:, self.words] & self.mask[self.words]

    def classes(self) -> NDArray[np.int64]:
        """Per move: a number for all that do the same, PASS if it leaves the part alone."""
        return self._without_pass(self._merge_where_legal(self._equal_everywhere()))

    def _equal_everywhere(self) -> NDArray[np.int64]:
        """Moves grouped by their outcomes in some sampled states, legal there or not."""
        n, circuit, total = self.n, self.sample.game.circuit, len(self.sample.states)
        gates = circuit.gates + circuit.n_inputs
        limits = DecompositionLimits.current()
        work = limits.localmoves_evaluations
        least = 4 if 4 * n * gates <= work else 2
        count = min(total, max(least, int(min(limits.localmoves_pairs, work // gates)) // max(1, n)))
        if count == 0 or n == 0:
            return np.arange(n)
        # spread over the sample: depths are in order there
        picked = np.unique(np.linspace(0, total - 1, count).astype(np.int64))
        group = np.asarray(unique_rows(self._effects(picked))[1])
        while len(picked) < total:
            # states that were not picked, in which legal moves of one group do different things
            picked = self._clashing(group)[: limits.localmoves_at_once]
            if not len(picked):
                break
            code = np.concatenate([group[:, None].astype(np.uint64), self._effects(picked)], axis=1)
            group = np.asarray(unique_rows(code)[1])
        return group

    def _effects(self, picked: NDArray[np.int64]) -> Rows:
        """Per move: a code of what it leads to in some sampled states, legal there or not."""
        n, sample = self.n, self.sample
        code = np.zeros((n, 2), np.uint64)
        step = max(1, 65_536 // max(1, n))
        for low in range(0, len(picked), step):
            some = picked[low : low + step]
            joint = np.repeat(sample.joint[some], n, axis=0)
            joint[:, self.role] = np.tile(np.arange(n, dtype=np.int32), len(some))
            outcome = self._part(sample.game.batch.next(np.repeat(sample.states[some], n, axis=0), joint))
            mixed = np.stack([fingerprints(outcome, seed) for seed in (1, 2)], axis=1).reshape(len(some), n, 2)
            for k in range(len(some)):
                code = code * np.uint64(0x9E3779B97F4A7C15) + mixed[k]
                code ^= code >> np.uint64(29)
        return code

    def _clashing(self, group: NDArray[np.int64]) -> NDArray[np.int64]:
        """The sampled states in which legal moves of one group lead to different values."""
        first, kind = unique_rows(np.stack([self.state, group[self.move]], axis=1).astype(np.uint64))
        return np.unique(self.state[(self.after != self.after[first[kind]]).any(axis=1)])

    def _outcomes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Per state and outcome: where it is first seen; and per pair the number of the two."""
        return unique_rows(np.concatenate([self.state[:, None].astype(np.uint64), self.after], axis=1))

    def _merge_where_legal(self, group: NDArray[np.int64]) -> NDArray[np.int64]:
        """Join groups that agree wherever both are legal, if they ever are."""
        n = int(group.max(initial=-1)) + 1
        if n < 2 or n > DecompositionLimits.current().localmoves_merged or not len(self.mine):
            return group
        shared, met = (_meetings(place, group[self.move], n) for place in (self._outcomes()[1], self.state))
        differ = shared != met
        joined = (shared > 0) & ~differ
        label = np.arange(n)
        for a in range(n):
            if label[a] != a:
                continue
            for b in np.flatnonzero(joined[a] & (label == np.arange(n))):
                members = np.flatnonzero(label == a)
                if b != a and not differ[np.ix_(members, [b])].any():
                    label[b] = a
        return label[group]

    def _without_pass(self, group: NDArray[np.int64]) -> NDArray[np.int64]:
        """Mark as PASS the groups that leave the part alone. Moves that were never legal stay local moves.

        A move leaves the part alone if the part stays as it is; or if no move of the role makes a difference to it
        while another role is choosing; or if the part is as if the role had not moved, provided that this is what
        happens wherever its moves make no difference (else the rules say nothing sensible about not moving). So does a
        move that is at the centre of every cross in which it is legal (see ``crosses``), and of one at least while it
        acts elsewhere. Where no group does, what a strict majority of the moves makes of the part in every state counts
        as its drift.
        """
        sample, mine, state, after = self.sample, self.mine, self.state, self.after
        if not len(mine):
            return np.full(len(group), PASS, np.int64)
        stays = (self._part(sample.states)[state] == after).all(axis=1)
        idle = (self._part(sample.idle(self.role))[state] == after).all(axis=1)
        n_states = len(sample.states)
        own = np.bincount(state, minlength=n_states)
        others_choose = np.bincount(sample.pair_state, minlength=n_states) - own > sample.n_roles - 1
        indifferent = (np.bincount(state[self._outcomes()[0]], minlength=n_states) == 1)[state]
        of_pair = group[self.move]
        n = int(group.max()) + 1

        def ever(flag: NDArray[np.bool_]) -> NDArray[np.bool_]:
            return np.bincount(of_pair, weights=flag, minlength=n) > 0

        passing = ever(stays | (indifferent & others_choose[state])) & ~ever(~(stays | indifferent))
        several = indifferent & (own > 1)[state]  # a single legal move may well act here
        sensible = idle[several].all() and several.any()
        everywhere = np.bincount(state, weights=idle, minlength=n_states)[own > 0].min() > 0
        if sensible or (everywhere and varied(state[idle], sample.pair_next[mine[idle]]).any()):
            drifting = passing | (ever(idle) & ~ever(~idle))
            # two ways of leaving a part alone cannot come to different things
            if not varied(state[drifting[of_pair]], after[drifting[of_pair]]).any():
                passing = drifting
        seen = crosses(sample, self.mask)
        crossed, centre = seen.crossed[mine], seen.centre[mine]
        if crossed.any():
            central = ever(seen.elsewhere[mine]) & ~ever(crossed & ~centre)
            both = passing | central
            passing = both if not varied(state[both[of_pair]], after[both[of_pair]]).any() else central
        if not passing.any():
            largest = int(np.bincount(of_pair).argmax())
            share = np.bincount(state[of_pair == largest], minlength=n_states)
            branching = own > 1
            passing[largest] = bool(branching.any() and (2 * share > own)[branching].all())
        return np.where(passing[group], PASS, group)


def _meetings(place: NDArray[np.int64], group: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Groups x groups: in how many places two groups occur together."""
    once = np.unique(place * n + group)
    table = Occurrences(once // n, once % n, n)
    return meetings(table, table)


def varied(keys: NDArray[np.int64], rows: Rows, size: int = 0) -> NDArray[np.bool_]:
    """Per key (below ``size``, or as many as there are): whether its rows differ."""
    first, _ = unique_rows(np.concatenate([keys[:, None].astype(np.uint64), rows], axis=1))
    return np.bincount(keys[first], minlength=size) > 1
