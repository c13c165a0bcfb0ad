"""What the roles can bring about in a state, variable by variable; and which variables change that (dependencies).

For a role and a state, the moves of the others fixed, take all legal moves and note which fluents can rise and which
can fall. For a variable of several fluents the fluents that can rise are the values it can be given, its present value
("stay") apart: leaving "stay" out is what makes a part that is over, or a part that one passes in, harmless. Where
roles choose at the same time, what happens if the role does not move at all is left out for the same reason.

u → v: with u given another value in a visited state, what can become of v changes. The two states are the witness.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.batch import Rows, pack, unpack
from ludisect.circuit.game import Game
from ludisect.decompose.localmoves import mask_of
from ludisect.decompose.sample import Sample
from ludisect.decompose.variables import Variable

CHUNK = 200_000
"""(state, move) pairs evaluated at once."""

JOINT = 128
"""States with more joint moves are not looked at for all roles together."""

VALUES = 2
"""Other values that are tried per state and variable."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Per state and role: which fluents can rise and fall (packed), and whether the question made sense."""

    rises: Rows
    falls: Rows
    sound: NDArray[np.bool_]
    idle: Rows
    """Fluents that change though a role (of several that choose) does not move."""


def outcomes(game: Game, states: Rows, joint: NDArray[np.int32]) -> Outcomes:
    """Of each state: arrays of shape states x views (x words). A view per role, with the others' moves of ``joint``
    fixed, and one more, in games of several roles, for all joint moves together.

    Unsound: terminal, a role stuck, another role's move of ``joint`` not legal; too many joint moves.
    """
    n, roles, width = len(states), views(game), states.shape[1]
    rises = np.zeros((n, roles, width), np.uint64)
    falls = np.zeros((n, roles, width), np.uint64)
    sound = np.zeros((n, roles), np.bool_)
    idle = np.zeros((n, roles, width), np.uint64)
    moves = max(1, game.circuit.legal.size)
    step = max(64, min(n, 16_000_000 // moves)) if n else 1
    for low in range(0, n, step):
        part = slice(low, min(n, low + step))
        _outcomes(game, states[part], joint[part], rises[part], falls[part], sound[part], idle[part])
    return Outcomes(rises, falls, sound, idle)


def views(game: Game) -> int:
    """How many views ``outcomes`` gives."""
    return len(game.roles) + (len(game.roles) > 1)


def _together(game: Game, states: Rows, legal: NDArray[np.bool_], going: NDArray[np.bool_]) -> tuple[Any, Any]:
    """All joint moves of the states that have few enough: (index of the state, joint move)."""
    cuts = game.first_move
    counts = np.stack([legal[:, cuts[r] : cuts[r + 1]].sum(axis=1) for r in range(len(game.roles))], axis=1)
    total = np.where(going, counts.prod(axis=1), 0)
    few = np.flatnonzero((total > 0) & (total <= JOINT))
    state = np.repeat(few, total[few])
    place = np.arange(len(state)) - np.repeat(np.cumsum(total[few]) - total[few], total[few])
    joint = np.zeros((len(state), len(game.roles)), np.int32)
    for r in range(len(game.roles)):
        own = legal[few, cuts[r] : cuts[r + 1]]
        order = np.argsort(~own, axis=1, kind="stable")  # legal moves first
        joint[:, r] = order[np.searchsorted(few, state), place % counts[state, r]]
        place = place // counts[state, r]
    return state, joint


def _outcomes(
    game: Game, states: Rows, joint: NDArray[np.int32], rises: Rows, falls: Rows, sound: NDArray[np.bool_], idle: Rows
) -> None:
    legal = game.legal(states)
    going = ~game.terminal(states)
    n = len(states)
    allowed = np.stack([legal[np.arange(n), game.first_move[r] + joint[:, r]] for r in range(len(game.roles))], axis=1)
    for r in range(len(game.roles)):
        own = legal[:, game.first_move[r] : game.first_move[r + 1]]
        others = np.delete(allowed, r, axis=1).all(axis=1)
        sound[:, r] = going & own.any(axis=1) & others
        state, move = np.nonzero(own & sound[:, r : r + 1])
        made = joint[state].copy()
        made[:, r] = move
        _gather(game, states, state, made, rises[:, r], falls[:, r])
        at = np.flatnonzero(sound[:, r] & (legal.sum(axis=1) - own.sum(axis=1) > len(game.roles) - 1))
        if len(at):
            resting = joint[at].copy()
            resting[:, r] = -1
            _gather(game, states, at, resting, idle[:, r], idle[:, r])
    if len(game.roles) > 1:
        state, made = _together(game, states, legal, going)
        sound[np.unique(state), -1] = True
        _gather(game, states, state, made, rises[:, -1], falls[:, -1])


def _gather(
    game: Game, states: Rows, state: NDArray[np.int64], made: NDArray[np.int32], rises: Rows, falls: Rows
) -> None:
    """Note what the moves ``made`` in the states (indices, ascending) let rise and fall."""
    for low in range(0, len(state), CHUNK):
        at = state[low : low + CHUNK]
        present = states[at]
        following = game.next(present, made[low : low + CHUNK])
        cuts = np.flatnonzero(np.diff(at, prepend=-1))
        rises[at[cuts]] |= np.bitwise_or.reduceat(following & ~present, cuts, axis=0)
        falls[at[cuts]] |= np.bitwise_or.reduceat(present & ~following, cuts, axis=0)


def with_choice(sample: Sample) -> NDArray[np.bool_]:
    """Which fluents have a next value that some role can choose, in some sampled state."""
    can, must = sample.ranges
    varied = np.bitwise_or.reduce(can & ~must, axis=(0, 1))
    return np.asarray(unpack(varied[None], len(sample.game.fluents))[0])


@dataclass(frozen=True, slots=True, eq=False)
class Witness:
    """Two states that differ in one variable, and the joint move that fixes the roles other than ``role`` (none, if it
    is the number of roles)."""

    states: Rows
    joint: NDArray[np.int32]
    role: int
    fluent: int


class Dependencies:
    """Edges u → v between variables, each with its witness."""

    def __init__(self, sample: Sample, variables: Sequence[Variable]) -> None:
        self.game, self.variables = sample.game, list(variables)
        self.owner = np.full(len(self.game.fluents), -1, np.int64)
        for i, v in enumerate(self.variables):
            self.owner[list(v.fluents)] = i
        self.edges: dict[tuple[int, int], Witness] = {}
        self.look_at(sample)

    def look_at(self, sample: Sample) -> None:
        """Take another sample; edges already found stay."""
        self.sample = sample
        true = np.bitwise_or.reduce(np.concatenate([sample.states, sample.pair_next]), axis=0)
        self._seen = unpack(true[None], len(self.game.fluents))[0]

    def stand_in(self, picked: NDArray[np.int64]) -> None:
        """Choose the states of the sample (indices) in which variables are given other values."""
        self.picked = picked
        self.base = outcomes(self.game, self.sample.states[picked], self.sample.joint[picked])

    def flip(self, u: int, rng: np.random.Generator, *, seen: bool) -> tuple[Rows, NDArray[np.int64]]:
        """The picked states with variable u given another value; and for each, which of them it came from.

        The value is one that plays showed it to have or, if not ``seen``, one that they did not.
        """
        variable = self.variables[u]
        bits = self.sample.bits[self.picked]
        every = np.arange(len(bits))
        if not variable.is_group and seen:
            changed = bits.copy()
            changed[:, variable.fluents[0]] ^= True
            return pack(changed), every
        rows, source = [], []
        values = [f for f in variable.fluents if self._seen[f] == seen]
        rounds = min(VALUES, max(len(values) - 1, int(bool(values))))
        if not seen and values:  # each of them somewhere: it may be the one that matters
            rounds = max(rounds, -(-len(values) // max(1, len(bits))))
        for k in range(rounds):
            at = rng.integers(0, len(values), len(bits)) if seen else (every + k * len(bits)) % len(values)
            value = np.array(values)[at]
            different = ~bits[every, value]
            changed = bits[different].copy()
            changed[:, list(variable.fluents)] = False
            changed[np.arange(len(changed)), value[different]] = True
            rows.append(changed)
            source.append(every[different])
        if not rows:
            return self.sample.states[:0], every[:0]
        return pack(np.concatenate(rows)), np.concatenate(source)

    def look(
        self, u: int, rng: np.random.Generator, *, seen: bool = True, into: AbstractSet[int] | None = None
    ) -> set[int]:
        """Find edges u → v from the picked states (only to some variables, if told); gives those v that are new."""
        states, source = self.flip(u, rng, seen=seen)
        new: set[int] = set()
        if not len(states):
            return new
        joint = self.sample.joint[self.picked[source]]
        after = outcomes(self.game, states, joint)
        for r in range(views(self.game)):
            sound = after.sound[:, r] & self.base.sound[source, r]
            if not sound.any():
                continue
            at = np.flatnonzero(sound)
            changed = (after.rises[at, r] ^ self.base.rises[source[at], r]) | (
                after.falls[at, r] ^ self.base.falls[source[at], r]
            )
            changed &= ~(after.idle[at, r] | self.base.idle[source[at], r])
            before = self.base.rises[source[at], r] | self.base.falls[source[at], r]
            now = after.rises[at, r] | after.falls[at, r]
            total = np.bitwise_or.reduce(changed, axis=0)
            bits = np.unpackbits(total[None].view(np.uint8), axis=1, bitorder="little")[0, : len(self.owner)]
            for f in np.flatnonzero(bits).tolist():
                v = int(self.owner[f])
                if v < 0 or v == u or (u, v) in self.edges or (into is not None and v not in into):
                    continue
                shown = ((changed[:, f >> 6] >> np.uint64(f & 63)) & np.uint64(1)).astype(np.bool_)
                if r == len(self.game.roles):
                    shown &= self._starts_or_stops(v, before, now)
                if shown.any():
                    k = int(np.flatnonzero(shown)[0])
                    pair = np.stack([self.sample.states[self.picked[source[at[k]]]], states[at[k]]])
                    self.edges[u, v] = Witness(pair, joint[at[k]], r, f)
                    new.add(v)
        return new

    def look_plainly(self, u: int, rng: np.random.Generator, into: AbstractSet[int]) -> set[int]:
        """Find edges u → v on single moves: with u given another value, shown by play or not, the move that was made
        leads to another value of v. Gives those v that are new."""
        new: set[int] = set()
        for seen in (True, False):
            states, source = self.flip(u, rng, seen=seen)
            origin, joint = self.sample.states[self.picked[source]], self.sample.joint[self.picked[source]]
            legal = self.game.legal(states)[np.arange(len(states))[:, None], joint + self.game.first_move[:-1]]
            able = np.flatnonzero(legal.all(axis=1) & ~self.game.terminal(states))
            differs = self.game.next(states[able], joint[able]) ^ self.game.next(origin[able], joint[able])
            bits = unpack(differs, len(self.owner))
            for f in np.flatnonzero(bits.any(axis=0)).tolist():
                v = int(self.owner[f])
                if v in into and v != u and (u, v) not in self.edges:
                    k = int(able[bits[:, f].argmax()])
                    self.edges[u, v] = Witness(np.stack([origin[k], states[k]]), joint[k], 0, f)
                    new.add(v)
        return new

    def _starts_or_stops(self, v: int, before: Rows, now: Rows) -> NDArray[np.bool_]:
        """Where nothing can become of a variable in one of two states: all that the view of all roles together is good
        for, since a role that gains a move elsewhere may leave the others alone with their moves here."""
        mask = mask_of(self.game, self.variables[v].fluents)
        return np.asarray(((before & mask) == 0).all(axis=1) | ((now & mask) == 0).all(axis=1))

    def along(
        self, states: Rows, changed: Sequence[int], target: Sequence[int], joint: NDArray[np.int32] | None
    ) -> bool:
        """Edges from the variables that change along a walk (``changed[k]`` between states k and k + 1) to variables of
        the target. Without a joint move, each role's first legal moves stand for it. True if an edge is new."""
        game = self.game
        if joint is None:
            legal = game.legal(states[:1])[0]
            first = [int(legal[game.first_move[r] : game.first_move[r + 1]].argmax()) for r in range(len(game.roles))]
            joint = np.array([first], np.int32)
        made = np.repeat(joint[:1].astype(np.int32), len(states), axis=0)
        seen = outcomes(game, states, made)
        plain = game.next(states, made)
        fluents = [f for v in target for f in self.variables[v].fluents]
        before = len(self.edges)
        for k, u in enumerate(changed):
            for r in range(views(game)):
                if seen.sound[k, r] and seen.sound[k + 1, r]:
                    differs = (seen.rises[k, r] ^ seen.rises[k + 1, r]) | (seen.falls[k, r] ^ seen.falls[k + 1, r])
                    differs &= ~(seen.idle[k, r] | seen.idle[k + 1, r])
                    shown = fluents
                    if r == len(game.roles):
                        one, two = (seen.rises[i, r] | seen.falls[i, r] for i in (k, k + 1))
                        shown = [
                            f for f in fluents if self._starts_or_stops(int(self.owner[f]), one[None], two[None])[0]
                        ]
                    self._note(u, differs, shown, states[k : k + 2], made[0], r)
        if len(self.edges) == before:  # the walk may lead through states that no play can be in: look at one move only
            for k, u in enumerate(changed):
                self._note(u, plain[k] ^ plain[k + 1], fluents, states[k : k + 2], made[0], 0)
        return len(self.edges) > before

    def _note(
        self, u: int, differs: Rows, fluents: Sequence[int], pair: Rows, joint: NDArray[np.int32], role: int
    ) -> None:
        for f in fluents:
            v = int(self.owner[f])
            if v != u and (u, v) not in self.edges and (int(differs[f >> 6]) >> (f & 63)) & 1:
                self.edges[u, v] = Witness(pair, joint, role, f)
