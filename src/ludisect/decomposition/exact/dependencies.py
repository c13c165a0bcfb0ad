"""Dependencies: what the roles can bring about in a state, and which variables change that.

For a role and a state, the moves of the others fixed, take all legal moves and note which fluents can rise and which
can fall. For a variable of several fluents the fluents that can rise are the values it can be given, its present value
("stay") apart: leaving "stay" out is what makes a part that is over, or a part that one passes in, harmless. Where
roles choose at the same time, what happens if the role does not move at all is left out for the same reason.

u → v: with u given another value in a visited state, what can become of v changes. The two states are the witness.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import LANES, Rows, pack, set_bits, unpack
from ludisect.circuit.wires import AT_ONCE, affected
from ludisect.decomposition.evidence.localmoves import mask_of
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.exact.variables import FluentGroup
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.dependency import Witness

Ints = NDArray[np.int64]

CHUNK = 200_000
"""(state, move) pairs evaluated at once; it bounds memory, as the next does, and no result hangs on them."""

ENTRIES = 16_000_000
"""Entries (states x moves) of a table of legal moves."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Per state and role: which fluents can rise and fall (packed), and whether the question made sense."""

    rises: Rows
    falls: Rows
    sound: NDArray[np.bool_]
    idle: Rows
    """Fluents that change though a role (of several that choose) does not move."""

    def part(self, some: slice | Ints) -> Outcomes:
        """Those of some of the states."""
        return Outcomes(self.rises[some], self.falls[some], self.sound[some], self.idle[some])


def outcomes(game: Game, states: Rows, joint: NDArray[np.int32]) -> Outcomes:
    """Of each state: arrays of shape states x views (x words). A view per role, with the others' moves of ``joint``
    fixed, and one more, in games of several roles, for all joint moves together.

    Unsound: terminal, a role stuck, another role's move of ``joint`` not legal; too many joint moves.
    """
    n, shape = len(states), (len(states), views(game), states.shape[1])
    rises, falls, idle = (np.zeros(shape, np.uint64) for _ in range(3))
    out = Outcomes(rises, falls, np.zeros(shape[:2], np.bool_), idle)
    moves = max(1, game.circuit.legal.size)
    step = max(64, min(n, ENTRIES // moves)) if n else 1
    for low in range(0, n, step):
        part = slice(low, min(n, low + step))
        _note_outcomes(game, states[part], joint[part], out.part(part))
    return out


def views(game: Game) -> int:
    """How many views ``outcomes`` gives."""
    return len(game.roles) + (len(game.roles) > 1)


def _together(
    game: Game, moves: Sequence[tuple[Ints, Ints]], counts: Ints, going: NDArray[np.bool_]
) -> tuple[Ints, NDArray[np.int32]]:
    """All joint moves of the states that have few enough: (index of the state, joint move)."""
    total = np.where(going, counts.prod(axis=1), 0)
    few = np.flatnonzero((total > 0) & (total <= DecompositionLimits.current().dependencies_joint))
    state = np.repeat(few, total[few])
    place = np.arange(len(state)) - np.repeat(np.cumsum(total[few]) - total[few], total[few])
    joint = np.zeros((len(state), len(game.roles)), np.int32)
    for r, (_, move) in enumerate(moves):
        own = counts[state, r]
        first = (np.cumsum(counts[:, r]) - counts[:, r])[state]
        joint[:, r] = move[first + place % own]
        place = place // own
    return state, joint


def _note_outcomes(game: Game, states: Rows, joint: NDArray[np.int32], out: Outcomes) -> None:
    legal = game.batch.legal_rows(states)
    going = ~game.batch.terminal(states)
    n, cuts = len(states), game.batch.first_move.tolist()
    made = joint + game.batch.first_move[:-1]
    allowed = ((legal[np.arange(n)[:, None], made >> 6] >> (made & 63).astype(np.uint64)) & np.uint64(1)).astype(bool)
    moves = [set_bits(legal, low, high) for low, high in pairwise(cuts)]
    counts = np.stack([np.bincount(state, minlength=n) for state, _ in moves], axis=1)
    for r, (state, move) in enumerate(moves):
        others = np.delete(allowed, r, axis=1).all(axis=1)
        out.sound[:, r] = going & (counts[:, r] > 0) & others
        kept = out.sound[state, r]
        made = joint[state[kept]].copy()
        made[:, r] = move[kept]
        _gather(game, states, state[kept], made, out.rises[:, r], out.falls[:, r])
        at = np.flatnonzero(out.sound[:, r] & (counts.sum(axis=1) - counts[:, r] > len(game.roles) - 1))
        if len(at):
            resting = joint[at].copy()
            resting[:, r] = -1
            _gather(game, states, at, resting, out.idle[:, r], out.idle[:, r])
    if len(game.roles) > 1:
        state, made = _together(game, moves, counts, going)
        out.sound[np.unique(state), -1] = True
        _gather(game, states, state, made, out.rises[:, -1], out.falls[:, -1])


def _gather(game: Game, states: Rows, state: Ints, made: NDArray[np.int32], rises: Rows, falls: Rows) -> None:
    """Note what the moves ``made`` in the states (indices, ascending) let rise and fall."""
    for low in range(0, len(state), CHUNK):
        at = state[low : low + CHUNK]
        present = states[at]
        following = game.batch.next(present, made[low : low + CHUNK])
        cuts = np.flatnonzero(np.diff(at, prepend=-1))
        rises[at[cuts]] |= np.bitwise_or.reduceat(following & ~present, cuts, axis=0)
        falls[at[cuts]] |= np.bitwise_or.reduceat(present & ~following, cuts, axis=0)


def with_choice(sample: Sample) -> NDArray[np.bool_]:
    """Which fluents have a next value that some role can choose, in some sampled state."""
    can, must = sample.ranges
    varied = np.bitwise_or.reduce(can & ~must, axis=(0, 1))
    return np.asarray(unpack(varied[None], len(sample.game.fluents))[0])


class Dependencies:
    """Edges u → v between variables, each with its witness."""

    def __init__(self, sample: Sample, variables: Sequence[FluentGroup]) -> None:
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
        gates = self.game.circuit.gates + self.game.circuit.n_inputs
        moves = len(self.sample.pair_state) / max(1, len(self.sample.states))
        limits = DecompositionLimits.current()
        work = limits.dependencies_values * len(picked) * (1 + moves) * gates
        fits = limits.dependencies_evaluations // max(1, work)
        self.at_once = int(min(AT_ONCE, max(1, fits, LANES // max(1, len(picked)))))

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
        rounds = min(DecompositionLimits.current().dependencies_values, max(len(values) - 1, int(bool(values))))
        if not seen and values:  # each of them somewhere: it may be the one that matters
            rounds = max(rounds, -(-len(values) // max(1, len(bits))))
        for k in range(rounds):
            at = every + k * len(bits)
            if seen:  # another than it has: no state is wasted
                at = bits[:, values].argmax(axis=1) + rng.integers(1, max(2, len(values)), len(bits))
            value = np.array(values)[at % len(values)]
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
        self,
        sources: Sequence[int],
        rng: np.random.Generator,
        *,
        seen: bool = True,
        into: AbstractSet[int] | None = None,
    ) -> list[set[int]]:
        """Find edges u → v from the picked states for several u (about ``at_once`` is best), and only to some v, if
        told; gives, per u, those v that are new."""
        flipped = [self.flip(u, rng, seen=seen) for u in sources]
        wanted = affected(self.game.circuit, [self.variables[u].fluents for u in sources])
        for k, u in enumerate(sources):
            wanted[k] &= (self.owner >= 0) & (self.owner != u)
        if into is not None:
            wanted &= np.isin(self.owner, list(into))
        asked = [k for k, (states, _) in enumerate(flipped) if len(states) and wanted[k].any()]
        after = self._outcomes_of([flipped[k] for k in asked]) if asked else []
        new: list[set[int]] = [set() for _ in sources]
        for k, found in zip(asked, after, strict=True):
            states, source = flipped[k]
            origin, joint = self._origin(source)
            new[k] = self._note_changes(sources[k], origin, states, joint, self.base.part(source), found, wanted[k])
        return new

    def _origin(self, source: Ints) -> tuple[Rows, NDArray[np.int32]]:
        """The picked states with these numbers, and the joint moves made there."""
        return self.sample.states[self.picked[source]], self.sample.joint[self.picked[source]]

    def _outcomes_of(self, flipped: Sequence[tuple[Rows, Ints]]) -> list[Outcomes]:
        """The outcomes of states that were changed (with the indices of those they came from), each lot by itself."""
        states = np.concatenate([rows for rows, _ in flipped])
        source = np.concatenate([source for _, source in flipped])
        after = outcomes(self.game, states, self.sample.joint[self.picked[source]])
        ends = np.cumsum([len(rows) for rows, _ in flipped]).tolist()
        return [after.part(slice(low, high)) for low, high in pairwise([0, *ends])]

    def _note_changes(
        self,
        u: int,
        first: Rows,
        second: Rows,
        joint: NDArray[np.int32],
        base: Outcomes,
        after: Outcomes,
        wanted: NDArray[np.bool_],
    ) -> set[int]:
        """Edges from u to the owners of the wanted fluents, shown by pairs of states that differ in u, and by what can
        become of both. Gives the owners that are new."""
        new: set[int] = set()
        for r in range(views(self.game)):
            at = np.flatnonzero(after.sound[:, r] & base.sound[:, r])
            if not len(at):
                continue
            changed = (after.rises[at, r] ^ base.rises[at, r]) | (after.falls[at, r] ^ base.falls[at, r])
            changed &= ~(after.idle[at, r] | base.idle[at, r])
            total = unpack(np.bitwise_or.reduce(changed, axis=0)[None], len(self.owner))[0]
            for f in np.flatnonzero(total & wanted).tolist():
                v = int(self.owner[f])
                if (u, v) in self.edges:
                    continue
                shown = ((changed[:, f >> 6] >> np.uint64(f & 63)) & np.uint64(1)).astype(np.bool_)
                if r == len(self.game.roles):
                    mask = mask_of(self.game, self.variables[v].fluents)
                    before = base.rises[at, r] | base.falls[at, r]
                    shown &= _starts_or_stops(mask, before, after.rises[at, r] | after.falls[at, r])
                if shown.any():
                    k = int(at[shown.argmax()])
                    self.edges[u, v] = Witness(np.stack([first[k], second[k]]), joint[k], r, f)
                    new.add(v)
        return new

    def _note_moves(
        self, u: int, first: Rows, second: Rows, joint: NDArray[np.int32], wanted: NDArray[np.bool_]
    ) -> set[int]:
        """The same by single moves: the one that was made leads to another value of a wanted fluent."""
        new: set[int] = set()
        bits = unpack(self.game.batch.next(second, joint) ^ self.game.batch.next(first, joint), len(self.owner))
        for f in np.flatnonzero(bits.any(axis=0) & wanted).tolist():
            v = int(self.owner[f])
            if (u, v) not in self.edges:
                k = int(bits[:, f].argmax())
                self.edges[u, v] = Witness(np.stack([first[k], second[k]]), joint[k], 0, f)
                new.add(v)
        return new

    def look_plainly(self, u: int, rng: np.random.Generator, into: AbstractSet[int]) -> bool:
        """Find edges u → v on single moves, with u given another value, shown by play or not. True if one is new."""
        new: set[int] = set()
        for seen in (True, False):
            states, source = self.flip(u, rng, seen=seen)
            origin, joint = self._origin(source)
            made = joint + self.game.batch.first_move[:-1]
            legal = self.game.batch.legal(states)[np.arange(len(states))[:, None], made]
            able = legal.all(axis=1) & ~self.game.batch.terminal(states)
            new |= self._note_moves(u, origin[able], states[able], joint[able], self._owned_by(into, u))
        return bool(new)

    def _owned_by(self, variables: Iterable[int], but: int) -> NDArray[np.bool_]:
        """Which fluents are of some variables, one apart."""
        return np.isin(self.owner, [v for v in variables if v != but])

    def along(
        self, states: Rows, changed: Sequence[int], target: Sequence[int], joint: NDArray[np.int32] | None
    ) -> bool:
        """Edges from the variables that change along a walk (``changed[k]`` between states k and k + 1) to variables of
        the target. Without a joint move, each role's first legal moves stand for it. True if an edge is new."""
        game = self.game
        if joint is None:
            legal = game.batch.legal(states[:1])[0]
            joint = np.array([[legal[low:high].argmax() for low, high in pairwise(game.batch.first_move)]], np.int32)
        made = np.repeat(joint[:1].astype(np.int32), len(states), axis=0)
        seen = outcomes(game, states, made)
        steps = [(u, slice(k, k + 1), slice(k + 1, k + 2), self._owned_by(target, u)) for k, u in enumerate(changed)]
        new: set[int] = set()
        for u, a, b, wanted in steps:
            new |= self._note_changes(u, states[a], states[b], made[a], seen.part(a), seen.part(b), wanted)
        if not new:  # the walk may lead through states that no play can be in: look at one move only
            for u, a, b, wanted in steps:
                new |= self._note_moves(u, states[a], states[b], made[a], wanted)
        return bool(new)


def _starts_or_stops(mask: Rows, before: Rows, now: Rows) -> NDArray[np.bool_]:
    """Where nothing can become of a variable (masked) in one of two states: all that the view of all roles together is
    good for, since a role that gains a move elsewhere may leave the others alone with their moves here."""
    return np.asarray(((before & mask) == 0).all(axis=1) | ((now & mask) == 0).all(axis=1))
