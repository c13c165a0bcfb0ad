"""States to reason on: a spread of visited states with every legal move of each, and where the plays ended.

Distinct states fill up in the first plies, so states are kept by depth: each depth gets its share, deep ones included.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.firstseen import first_seen
from ludisect.circuit.game import Game
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.record import Transitions, plays, random_joint, unique_rows
from ludisect.circuit.rows import Rows, unpack
from ludisect.decomposition.limits import DecompositionLimits

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Sample:
    """``states`` are visited and not terminal; ``joint`` holds the legal joint move that play made there.

    ``endings`` are terminal states. ``pairs``: for state ``pair_state[k]``, role ``pair_role[k]`` can play move
    ``pair_move[k]``; in ``pair_next[k]`` the other roles made their move of ``joint``.
    """

    game: Game
    states: Rows
    joint: NDArray[np.int32]
    endings: Rows

    @property
    def n_roles(self) -> int:
        """Roles of the game."""
        return len(self.game.roles)

    @cached_property
    def legal(self) -> NDArray[np.bool_]:
        """States x moves."""
        return self.game.batch.legal(self.states)

    @cached_property
    def bits(self) -> NDArray[np.bool_]:
        """States x fluents."""
        return unpack(self.states, len(self.game.fluents))

    @cached_property
    def _pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], Rows]:
        state, column = np.nonzero(self.legal)
        role = np.searchsorted(self.game.batch.first_move, column, side="right") - 1
        move = column - self.game.batch.first_move[role]
        joint = self.joint[state].copy()
        joint[np.arange(len(state)), role] = move
        return state, role, move, self.game.batch.next(self.states[state], joint)

    @property
    def pair_state(self) -> NDArray[np.int64]:
        """Index of the state of each (state, role, legal move)."""
        return self._pairs[0]

    @property
    def pair_role(self) -> NDArray[np.int64]:
        """Its role."""
        return self._pairs[1]

    @property
    def pair_move(self) -> NDArray[np.int64]:
        """Its move, an index into ``moves[role]``."""
        return self._pairs[2]

    @property
    def pair_next(self) -> Rows:
        """The state after it, the other roles playing as in ``joint``."""
        return self._pairs[3]

    @cached_property
    def contested(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The pairs in whose state another role has a choice too, and a number per state and role of each."""
        key = self.pair_state * self.n_roles + self.pair_role
        counts = np.bincount(key, minlength=len(self.states) * self.n_roles).reshape(-1, self.n_roles) > 1
        others = counts.sum(axis=1, keepdims=True) - counts
        at = np.flatnonzero(others.ravel()[key] > 0)
        return at, np.unique(key[at], return_inverse=True)[1].ravel()

    @cached_property
    def ranges(self) -> tuple[Rows, Rows]:
        """Per state and role: the fluents that can be true next, and those that must be."""
        n, width = len(self.states), self.states.shape[1]
        can = np.zeros((n, self.n_roles, width), np.uint64)
        must = np.zeros((n, self.n_roles, width), np.uint64)
        if not len(self.pair_state):
            return can, must
        key = self.pair_state * self.n_roles + self.pair_role  # ascending
        cuts = np.flatnonzero(np.diff(key, prepend=-1))
        can.reshape(-1, width)[key[cuts]] = np.bitwise_or.reduceat(self.pair_next, cuts, axis=0)
        must.reshape(-1, width)[key[cuts]] = np.bitwise_and.reduceat(self.pair_next, cuts, axis=0)
        return can, must

    @cached_property
    def last(self) -> Rows:
        """The endings, and those that another move than the one that was made leads to."""
        some = self.pair_next[some_of(len(self.pair_next), DecompositionLimits.current().sample_ends)]
        rows = np.concatenate([self.endings, some[self.game.batch.terminal(some)]])
        return rows[unique_rows(rows)[0]] if len(rows) else rows

    @cached_property
    def changed(self) -> Rows:
        """One row: the fluents that were not as at the start in some state, end or next state."""
        initial = self.game.batch.initial
        seen = [np.bitwise_or.reduce(rows ^ initial, axis=0) for rows in (self.states, self.endings, self.pair_next)]
        return np.asarray(seen[0] | seen[1] | seen[2])[None]

    def idle(self, role: int) -> Rows:
        """What the rules make of each state if a role makes no move at all (which never happens in play)."""
        if role not in self._idle:
            joint = self.joint.copy()
            joint[:, role] = -1
            self._idle[role] = self.game.batch.next(self.states, joint)
        return self._idle[role]

    def once(self, function: Callable[Concatenate[Sample, P], T], *args: P.args, **options: P.kwargs) -> T:
        """What a pure function makes of this sample: worked out the first time, kept as long as the sample is."""
        key = (function, args, *options.items())
        if key not in self._worked_out:
            self._worked_out[key] = function(self, *args, **options)
        found: T = self._worked_out[key]
        return found

    @cached_property
    def _worked_out(self) -> dict[Any, Any]:
        return {}

    @cached_property
    def _idle(self) -> dict[int, Rows]:
        return {}

    def has(self, states: Rows, joint: NDArray[np.int32]) -> bool:
        """Whether all these states are in the sample with these joint moves."""
        return all(
            bool(((self.states == state).all(axis=1) & (self.joint == moves).all(axis=1)).any())
            for state, moves in zip(states, joint, strict=True)
        )

    def thinned(self, pairs: int) -> Sample:
        """Every so many states, so that there are about that many (state, move) pairs, but some states at least."""
        step = max(
            1,
            min(len(self.pair_state) // max(1, pairs), len(self.states) // DecompositionLimits.current().sample_least),
        )
        some = slice(None, None, step)
        return Sample(self.game, self.states[some], self.joint[some], self.endings)

    def with_states(self, states: Rows, joint: NDArray[np.int32]) -> Sample:
        """More states (counterexamples of a solver, say) at the end of the sample."""
        both = np.concatenate([self.states, states]), np.concatenate([self.joint, joint])
        return Sample(self.game, *both, self.endings)


def some_of(n: int, most: int) -> NDArray[np.int64]:
    """So many of n indices at most, in order. Not every k-th: pairs run through the moves of each state, and a step
    that divides their number would never meet some of them."""
    return np.arange(n) if n <= most else np.sort(np.random.default_rng(0).choice(n, most, replace=False))


def take_sample(game: Game, *, playouts: int | None = None, states: int | None = None, seed: int = 0) -> Sample:
    """Play at random and keep a spread of what was visited."""
    limits = DecompositionLimits.current()
    playouts = limits.sample_plays if playouts is None else playouts
    states = limits.sample_states if states is None else states
    rng = np.random.default_rng(seed)
    by_depth: list[tuple[Rows, NDArray[np.int32]]] = []
    endings: list[Rows] = []
    kept_endings = 0
    for depth, (present, joint, following) in enumerate(
        plays(
            game, min(playouts, CircuitLimits.current().record_at_once), seed=seed, max_length=limits.sample_max_length
        )
    ):
        if depth % max(1, depth // limits.sample_depths) == 0:
            by_depth.append((present, joint))
        if kept_endings < 4 * states:
            over = game.batch.terminal(following)
            endings.append(following[over])
            kept_endings += int(over.sum())
    width = game.batch.initial.shape[1]
    none = np.empty((0, width), np.uint64)
    if not by_depth:
        return Sample(game, none, np.empty((0, len(game.roles)), np.int32), none)
    share = max(2, states // len(by_depth))
    chosen_states, chosen_joint = [], []
    for present, joint in by_depth:
        first, _ = unique_rows(_apart(present, joint))
        picked = first if first.size <= share else np.sort(rng.choice(first, share, replace=False))
        chosen_states.append(present[picked])
        chosen_joint.append(joint[picked])
    all_states, all_joint = np.concatenate(chosen_states), np.concatenate(chosen_joint)
    first, _ = unique_rows(all_states)
    if first.size < states // 2 and len(game.roles) > 1:
        # few states: what a role can do to them with the others moving in several ways is worth knowing
        first, _ = unique_rows(_apart(all_states, all_joint))
    if first.size > states:
        first = np.sort(rng.choice(first, states, replace=False))
    all_states, all_joint = all_states[first], all_joint[first]
    legal_moves = np.bitwise_count(game.batch.legal_rows(all_states)).sum(axis=1).astype(np.int64)
    order = rng.permutation(len(all_states))
    fits = order[
        np.cumsum(legal_moves[order]) <= max(limits.sample_pairs, int(legal_moves[order[: limits.sample_least]].sum()))
    ]
    fits = np.sort(fits)
    ends = np.concatenate(endings) if endings else none
    if len(ends):
        ends = ends[unique_rows(ends)[0]]
    return Sample(game, all_states[fits], all_joint[fits], ends[: 4 * states])


def cover(sample: Sample, transitions: Transitions) -> Sample:
    """Add recorded states so that every move that was made, and every change of a fluent, is in the sample."""
    game, limits = sample.game, DecompositionLimits.current()
    moves = [transitions.joint[:, r] + game.batch.first_move[r] for r in range(len(game.roles))]
    rare: list[int] = []
    seen = sample.legal.sum(axis=0)
    for column in moves:
        values, first = np.unique(column, return_index=True)
        rare += [int(i) for v, i in zip(values.tolist(), first.tolist(), strict=True) if seen[v] < limits.cover_each]
    before = sample.states[sample.pair_state]
    for up in (True, False):
        known = np.bitwise_or.reduce(_changes(before, sample.pair_next, up), axis=0)
        for low in range(0, len(transitions), 4096):
            part = slice(low, low + 4096)
            new = _changes(transitions.states[part], transitions.following[part], up) & ~known
            rows = np.flatnonzero(new.any(axis=1))
            if len(rows):
                bits = unpack(new[rows], len(game.fluents))
                rare += [low + int(rows[i]) for i in np.unique(bits.argmax(axis=0)[bits.any(axis=0)])]
                known |= np.bitwise_or.reduce(new, axis=0)
    chosen = np.unique(rare)[: limits.cover_most].astype(np.int64)
    if len(chosen):
        legal_moves = np.bitwise_count(game.batch.legal_rows(transitions.states[chosen])).sum(axis=1).astype(np.int64)
        chosen = chosen[np.cumsum(legal_moves) <= max(limits.sample_pairs, int(legal_moves[0]))]
        sample = sample.with_states(transitions.states[chosen], transitions.joint[chosen])
    return _varied(_with_first_seen(sample), limits.sample_often, limits.cover_most)


def _with_first_seen(sample: Sample) -> Sample:
    """Where a fluent never changed or a move was never legal: with states that take care to reach, if they show what no
    other state of the sample does."""
    game, limits = sample.game, DecompositionLimits.current()
    legal = sample.legal.any(axis=0)
    told = unpack(sample.changed, len(game.fluents))[0] | game.circuit.constant_fluents
    if told.all() and (legal | (game.circuit.input_value[1 + told.size :] != 2)).all():
        return sample
    states, joint = first_seen(game, limits.cover_first_seen)
    new = ((states ^ game.batch.initial) & ~sample.changed).any(axis=1)
    rows = np.flatnonzero(new | (game.batch.legal(states) & ~legal).any(axis=1))[: limits.cover_most]
    return sample.with_states(states[rows], joint[rows]) if len(rows) else sample


def _varied(sample: Sample, often: int, most: int) -> Sample:
    """With more moves of the others beside moves that were rarely legal: what one role does to a part may not show
    while another does the same."""
    game = sample.game
    choosing = [sample.legal[:, low:high].sum(axis=1) > 1 for low, high in pairwise(game.batch.first_move.tolist())]
    together = np.flatnonzero(np.sum(choosing, axis=0) > 1)
    if not len(together):
        return sample
    legal = sample.legal[together]
    rarely = (legal.sum(axis=0) > 0) & (sample.legal.sum(axis=0) < often)
    at = np.repeat(together[legal[:, rarely].any(axis=1)], often)[:most]
    joint, _ = random_joint(game, sample.states[at], np.random.default_rng(0))
    new, _ = unique_rows(_apart(sample.states[at], joint))
    return sample.with_states(sample.states[at[new]], joint[new]) if len(new) else sample


def _changes(before: Rows, after: Rows, up: bool) -> Rows:
    """The fluents that became true, or false."""
    return after & ~before if up else before & ~after


def _apart(states: Rows, joint: NDArray[np.int32]) -> Rows:
    """States and moves side by side, to tell both apart."""
    return np.concatenate([states, joint.astype(np.uint64)], axis=1)
