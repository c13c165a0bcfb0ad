"""Which move causes which change: the filters of Hufschmitt, Vittaut and Jouandeau 2018, §4.2.

A change that follows a move in the plays may be a coincidence. A pair (move, change) is dropped when no rule allows it,
when a change that always comes with it is not the move's, when other moves of the same change are confirmed and this
one is not, and when another move of the same joint move goes with it far more often. A fluent whose changes have no
cause left is action-independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows, unpack
from ludisect.circuit.signals import Conjunctions, Reach
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.statistics.tally import Plays, Statistics, change_bit, changes_in


@dataclass(frozen=True, slots=True, eq=False)
class MoveEffects:
    """``strength[move, change]`` is P where the move causes the change, else 0.

    ``named[move, change]``: some rule names the move as a way to the change, not only as one that lets it last.
    """

    strength: NDArray[np.float64]
    named: NDArray[np.bool_]
    independent: NDArray[np.bool_]
    """Per fluent: it changes, and no move is the cause."""

    @property
    def causes(self) -> NDArray[np.bool_]:
        """[move, change]."""
        return self.strength > 0


def find_effects(
    game: Game, seen: Plays, table: Statistics, next_reach: Reach, own: Conjunctions, other: NDArray[np.bool_],
    sample: Sample, limits: DecompositionLimits,
) -> MoveEffects:  # fmt: skip
    """Run all filters. ``own`` and ``other`` are as from ``own_conjunctions``."""
    n_fluents, n_moves = len(game.fluents), game.circuit.legal.size
    reached = _reached(next_reach, n_fluents, n_moves)
    alternating, noop = alternate_moves(sample)
    choices = compare_choices(sample)
    control = np.zeros(n_fluents, np.bool_)
    if alternating:
        control = control_fluents(table, noop, n_fluents) & ~choices.matters
    bit = change_bit(table.change, table.words)
    # What a move was seen to do where another one did not, no filter takes from it; filters judge the rest. The paper
    # has no such comparison; without it, moves that few plays make lose true effects for want of confirmation.
    shown = (choices.shown[table.move, bit >> 6] >> (bit & 63).astype(np.uint64) & np.uint64(1)) == 1
    alive = ~shown & ~noop[table.move] & ~control[table.change // 2] & ~seen.at_start[table.change]
    # The paper asks of the initial state whether a change comes whatever is played; asked of every state, this finds
    # turn markers and counters whose rules mention moves, without a guess at which moves are noops.
    alive &= (choices.matters | (choices.chances <= limits.psi))[table.change // 2]
    alive &= choices.vain[table.move, table.change] < limits.theta
    by_others: NDArray[np.bool_] = np.any(reached & ~noop[:, None], axis=0)
    alive &= (by_others[0::2] | by_others[1::2])[table.change // 2]
    alive &= allowed_by_rules(game, reached, own, other)[table.move, table.change]
    alive |= shown
    strength = np.zeros((n_moves, 2 * n_fluents))
    strength[table.move[alive], table.change[alive]] = table.strength[alive]
    if len(game.roles) > 1:
        # The authors' program compares the moves of a joint move last. Done first, it compares clean frequencies, and
        # coincidences between roles are gone before changes that come together are counted as proof.
        _prefer(seen, strength, limits.phi)
        strength[table.move[shown], table.change[shown]] = table.strength[shown]
        alive &= strength[table.move, table.change] > 0
    named = reached & ~noop[:, None]
    lasts = own.premise == own.head
    named[own.move[lasts], own.head[lasts]] = False
    # a change that a rule names and that always follows needs no company to be believed
    certain = shown | (named[table.move, table.change] & (table.strength > 1 - 1e-9))
    _co_occurrence(seen, table, alive, certain, limits)
    strength[table.move[~alive], table.change[~alive]] = 0
    idle = (table.n_joint > 0) & ~reached.any(axis=1)
    _forget_drift(game, idle, strength, named)
    changed = seen.seen[0::2] | seen.seen[1::2]
    caused: NDArray[np.bool_] = np.any(strength > 0, axis=0)
    independent = changed & ~(caused[0::2] | caused[1::2])
    return MoveEffects(strength, named, independent)


def _forget_drift(game: Game, idle: NDArray[np.bool_], strength: NDArray[np.float64], named: NDArray[np.bool_]) -> None:
    """A change that comes too when a role makes an ``idle`` move, one that no rule of next mentions, is not the effect
    of its other moves that no rule names for it."""
    for low, high in zip(game.batch.first_move[:-1], game.batch.first_move[1:], strict=True):
        drifts: NDArray[np.bool_] = np.any(strength[low:high][idle[low:high]] > 0, axis=0)
        mine = strength[low:high]
        mine[~named[low:high] & drifts[None, :]] = 0


def _reached(next_reach: Reach, n_fluents: int, n_moves: int) -> NDArray[np.bool_]:
    """[move, change]: the move's input reaches the next net with the sign of the change."""
    out = np.empty((n_moves, 2 * n_fluents), np.bool_)
    out[:, 0::2] = unpack(next_reach.up, n_fluents + n_moves)[:, n_fluents:].T
    out[:, 1::2] = unpack(next_reach.down, n_fluents + n_moves)[:, n_fluents:].T
    return out


def alternate_moves(sample: Sample) -> tuple[bool, NDArray[np.bool_]]:
    """Whether never more than one role has a choice, and the moves that roles without one make meanwhile.

    A role with a single legal move may still be the one whose turn it is; so only states in which some other role has
    a choice tell what a noop is.
    """
    cuts = sample.game.batch.first_move
    noop = np.zeros(sample.legal.shape[1], np.bool_)
    if sample.n_roles == 1 or not len(sample.states):
        return False, noop
    options = np.stack([sample.legal[:, a:b].sum(axis=1) for a, b in pairwise(cuts)], axis=1)
    choosing = (options > 1).sum(axis=1)
    if (choosing > 1).any() or not (choosing == 1).any():
        return False, noop
    for r in range(sample.n_roles):
        idle = (choosing == 1) & (options[:, r] == 1)
        noop[cuts[r] : cuts[r + 1]] = sample.legal[idle, cuts[r] : cuts[r + 1]].any(axis=0)
    chosen = np.zeros_like(noop)
    for r in range(sample.n_roles):
        chosen[cuts[r] : cuts[r + 1]] = sample.legal[options[:, r] > 1, cuts[r] : cuts[r + 1]].any(axis=0)
    return True, noop & ~chosen


def control_fluents(table: Statistics, noop: NDArray[np.bool_], n_fluents: int) -> NDArray[np.bool_]:
    """The fluents that change most often while a noop is made."""
    out = np.zeros(n_fluents, np.bool_)
    for move in np.flatnonzero(noop):
        mine = table.move == move
        if mine.any():
            best = table.strength[mine].max()
            out[table.change[mine][table.strength[mine] >= best - 1e-9] // 2] = True
    return out


@dataclass(frozen=True, slots=True, eq=False)
class SeenChoices:
    """What other legal moves would have done in the same states, the other roles playing the same.

    ``shown``: rows of changes per move that the move brought about where another move did not; ``matters``: per fluent,
    whether there is such a move at all; ``chances``: per fluent, in how many (state, role) with a choice it changed;
    ``vain``: [move, change], how often it came whatever was chosen.
    """

    shown: Rows
    matters: NDArray[np.bool_]
    chances: NDArray[np.int64]
    vain: NDArray[np.int32]


def compare_choices(sample: Sample) -> SeenChoices:
    """Look at every legal move of every sampled state."""
    game, n_fluents = sample.game, len(sample.game.fluents)
    key = sample.pair_state * sample.n_roles + sample.pair_role
    can, must = (rows.reshape(-1, rows.shape[-1]) for rows in sample.ranges)
    several = np.bincount(key, minlength=len(can)) > 1
    before = np.repeat(sample.states, sample.n_roles, axis=0)
    chances = unpack(((can ^ before) | (must ^ before))[several], n_fluents).sum(axis=0)
    free, before = can & ~must, before[key]
    flipped = before ^ sample.pair_next
    # what hangs on the choice, and what comes whatever is chosen
    told, vain = (
        np.concatenate([flipped & kind[key] & now for now in (sample.pair_next, before)], axis=1)
        for kind in (free, np.where(several[:, None], ~free, np.uint64(0)))
    )
    column = game.batch.first_move[sample.pair_role] + sample.pair_move
    shown = np.zeros((game.circuit.legal.size, told.shape[1]), np.uint64)
    np.bitwise_or.at(shown, column, told)
    row, change = changes_in(vain)
    often = np.zeros((game.circuit.legal.size, 2 * n_fluents), np.int32)
    np.add.at(often, (column[row], change), 1)
    return SeenChoices(shown, unpack(np.bitwise_or.reduce(free, axis=0)[None], n_fluents)[0], chances, often)


def allowed_by_rules(
    game: Game, reached: NDArray[np.bool_], own: Conjunctions, other: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """[move, change]: a rule says so, or may imply it.

    The rules may imply change L for move d if another move of the same role reaches the opposite of L, and not only
    under the condition L: not making that move is then a way to L. (A move that turns L off where it is on says nothing
    about how L comes on.)
    """
    opposite = reached[:, np.arange(reached.shape[1]) ^ 1]  # [x, L]: x reaches not L
    bound = own.premise == own.head ^ 1
    only_if = np.zeros_like(reached)
    only_if[own.move[bound], own.head[bound] ^ 1] = ~other[own.move[bound], own.head[bound]]
    opposite &= ~only_if
    allowed = reached.copy()
    for low, high in zip(game.batch.first_move[:-1], game.batch.first_move[1:], strict=True):
        rivals = opposite[low:high].sum(axis=0)
        allowed[low:high] |= rivals - opposite[low:high] > 0
    return allowed


def _co_occurrence(
    seen: Plays, table: Statistics, alive: NDArray[np.bool_], shown: NDArray[np.bool_], limits: DecompositionLimits
) -> None:
    """Drop pairs by the changes that come with them, until nothing falls: those without a change that always comes with
    theirs, and those that no company confirms where it confirms another move of the change."""
    move, change = table.move, table.change
    companions, implying = _companions(seen, table, limits, np.bitwise_or.reduce(_caused(table, alive), axis=0))
    trusted = np.flatnonzero((table.times >= limits.theta) & seen.late[change])
    witness, beside = changes_in(table.together[trusted])
    witness = trusted[witness]
    witness, beside = witness[change[witness] != beside], beside[change[witness] != beside]
    left = -1
    while left != alive.sum():
        left = int(alive.sum())
        alive &= shown | ~(companions[change] & ~_caused(table, alive)[move]).any(axis=1)
        company = np.zeros((seen.n_moves, len(companions)), np.bool_)
        company[move[witness[alive[witness]]], beside[alive[witness]]] = True
        confirmed = alive & (company[move, change] | (implying[change] & _caused(table, alive)[move]).any(axis=1))
        some = np.bincount(change[confirmed], minlength=len(companions)) > 0
        alive &= confirmed | shown | ~some[change]


def _caused(table: Statistics, alive: NDArray[np.bool_]) -> Rows:
    """Per move: the changes of the pairs that are alive."""
    has = np.zeros((len(table.n_joint), 2 * table.words), np.uint64)
    bit = change_bit(table.change[alive], table.words)
    np.bitwise_or.at(has, (table.move[alive], bit >> 6), _single(bit))
    return has


def _companions(seen: Plays, table: Statistics, limits: DecompositionLimits, known: Rows) -> tuple[Rows, Rows]:
    """GCE of every change seen often enough, and its inverse (late ones only); only changes that some move may cause
    are in it."""
    often = table.global_times >= limits.psi
    companions = np.where(often[:, None], table.global_together & known, np.uint64(0))
    change = np.arange(len(companions))
    bit = change_bit(change, table.words)
    companions[change, bit >> 6] &= ~_single(bit)
    implying = np.zeros_like(companions)
    implied, other = changes_in(companions)
    implied, other = implied[seen.late[implied]], other[seen.late[implied]]
    np.bitwise_or.at(implying, (other, bit[implied] >> 6), _single(bit[implied]))
    return companions, implying


def _single(bit: NDArray[np.int64]) -> Rows:
    """The word of a bit with it alone."""
    return np.uint64(1) << (bit & 63).astype(np.uint64)


def _prefer(seen: Plays, strength: NDArray[np.float64], phi: float) -> None:
    """Where moves of a joint move share a change, a Φ times stronger one takes it; all by the old table."""
    row, change = changes_in(seen.changes)
    joint, change = seen.joint[row], change[:, None]
    here = strength[joint, change]
    beaten = (here > 0) & (here.max(axis=1, initial=0)[:, None] > phi * here)
    strength[joint[beaten], np.broadcast_to(change, joint.shape)[beaten]] = 0
