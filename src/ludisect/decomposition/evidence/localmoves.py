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

    def acts(self, sample: Sample) -> NDArray[np.bool_]:
        """Which pairs act in the part."""
        return np.asarray(self.of_pairs(sample) != PASS)


def mask_of(game: Game, fluents: Sequence[int]) -> Rows:
    """A row with the bits of the given fluents set."""
    return bits_of(fluents, len(game.fluents))


def local_moves(sample: Sample, fluents: Sequence[int]) -> LocalMoves:
    """The local moves of the part that owns ``fluents``."""
    return sample.once(_local_moves, tuple(fluents))


def _local_moves(sample: Sample, fluents: Sequence[int]) -> LocalMoves:
    game = sample.game
    mask = mask_of(game, fluents)
    words = np.flatnonzero(mask)
    classes, numbers = [], []
    for r, moves in enumerate(game.moves):
        group = _equal_everywhere(game, sample, r, len(moves), mask, words)
        group = _merge_where_legal(sample, r, group, mask, words)
        number = _without_pass(sample, r, group, mask, words)
        members: dict[int, list[int]] = {}
        for m, c in enumerate(number.tolist()):
            if c != PASS:
                members.setdefault(c, []).append(m)
        classes.append(tuple(tuple(g) for g in members.values()))
        renumber = {c: i for i, c in enumerate(members)}
        numbers.append(np.array([renumber.get(c, PASS) for c in number.tolist()], np.int64))
    return LocalMoves(tuple(classes), tuple(numbers))


def _equal_everywhere(
    game: Game, sample: Sample, role: int, n: int, mask: Rows, words: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Moves grouped by their outcomes in some sampled states, legal there or not."""
    gates = game.circuit.gates + game.circuit.n_inputs
    limits = DecompositionLimits.current()
    work = limits.localmoves_evaluations
    least = 4 if 4 * n * gates <= work else 2
    count = min(len(sample.states), max(least, int(min(limits.localmoves_pairs, work // gates)) // max(1, n)))
    if count == 0 or n == 0:
        return np.arange(n)
    # spread over the sample: depths are in order there
    picked = np.unique(np.linspace(0, len(sample.states) - 1, count).astype(np.int64))
    group = np.asarray(unique_rows(_effects(game, sample, role, n, mask, words, picked))[1])
    while len(picked) < len(sample.states):
        # states that were not picked, in which legal moves of one group do different things
        picked = _clashing(sample, role, group, mask, words)[: limits.localmoves_at_once]
        if not len(picked):
            break
        code = _effects(game, sample, role, n, mask, words, picked)
        group = np.asarray(unique_rows(np.concatenate([group[:, None].astype(np.uint64), code], axis=1))[1])
    return group


def _effects(
    game: Game, sample: Sample, role: int, n: int, mask: Rows, words: NDArray[np.int64], picked: NDArray[np.int64]
) -> Rows:
    """Per move of a role: a code of what it leads to in some sampled states, legal there or not."""
    code = np.zeros((n, 2), np.uint64)
    step = max(1, 65_536 // max(1, n))
    for low in range(0, len(picked), step):
        some = picked[low : low + step]
        states = np.repeat(sample.states[some], n, axis=0)
        joint = np.repeat(sample.joint[some], n, axis=0)
        joint[:, role] = np.tile(np.arange(n, dtype=np.int32), len(some))
        outcome = (game.batch.next(states, joint) & mask)[:, words]
        mixed = np.stack([fingerprints(outcome, seed) for seed in (1, 2)], axis=1).reshape(len(some), n, 2)
        for k in range(len(some)):
            code = code * np.uint64(0x9E3779B97F4A7C15) + mixed[k]
            code ^= code >> np.uint64(29)
    return code


def _clashing(
    sample: Sample, role: int, group: NDArray[np.int64], mask: Rows, words: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The sampled states in which legal moves of one group lead to different values."""
    mine = np.flatnonzero(sample.pair_role == role)
    state = sample.pair_state[mine]
    first, kind = unique_rows(np.stack([state, group[sample.pair_move[mine]]], axis=1).astype(np.uint64))
    outcome = (sample.pair_next[mine] & mask)[:, words]
    return np.unique(state[(outcome != outcome[first[kind]]).any(axis=1)])


def _merge_where_legal(
    sample: Sample, role: int, group: NDArray[np.int64], mask: Rows, words: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Join groups that agree wherever both are legal, if they ever are."""
    n = int(group.max(initial=-1)) + 1
    mine = np.flatnonzero(sample.pair_role == role)
    if n < 2 or n > DecompositionLimits.current().localmoves_merged or not len(mine):
        return group
    outcome = (sample.pair_next[mine] & mask)[:, words]
    key = np.concatenate([sample.pair_state[mine, None].astype(np.uint64), outcome], axis=1)
    kind = np.asarray(unique_rows(key)[1])  # one number per (state, outcome)
    of_pair = group[sample.pair_move[mine]]
    shared, met = (_meetings(place, of_pair, n) for place in (kind, sample.pair_state[mine]))
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


def _meetings(place: NDArray[np.int64], group: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Groups x groups: in how many places two groups occur together."""
    once = np.unique(place * n + group)
    table = Occurrences(once // n, once % n, n)
    return meetings(table, table)


def _without_pass(
    sample: Sample, role: int, group: NDArray[np.int64], mask: Rows, words: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Mark as PASS the groups that leave the part alone. Moves that were never legal stay local moves.

    A move leaves the part alone if the part stays as it is; or if no move of the role makes a difference to it while
    another role is choosing; or if the part is as if the role had not moved, provided that this is what happens
    wherever its moves make no difference (else the rules say nothing sensible about not moving). So does a move that is
    at the centre of every cross in which it is legal (see ``crosses``), and of one at least while it acts elsewhere.
    Where no group does, what a strict majority of the moves makes of the part in every state counts as its drift.
    """
    mine = np.flatnonzero(sample.pair_role == role)
    if not len(mine):
        return np.full(len(group), PASS, np.int64)
    state = sample.pair_state[mine]
    after = (sample.pair_next[mine] & mask)[:, words]
    stays = ((sample.states[state] & mask)[:, words] == after).all(axis=1)
    idle = ((sample.idle(role) & mask)[:, words][state] == after).all(axis=1)
    n_states = len(sample.states)
    own = np.bincount(state, minlength=n_states)
    others_choose = np.bincount(sample.pair_state, minlength=n_states) - own > sample.n_roles - 1
    kinds = np.concatenate([state[:, None].astype(np.uint64), after], axis=1)
    outcomes = np.bincount(state[unique_rows(kinds)[0]], minlength=n_states)
    indifferent = (outcomes == 1)[state]
    of_pair = group[sample.pair_move[mine]]
    n = int(group.max()) + 1

    def always(flag: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.asarray(
            (np.bincount(of_pair, minlength=n) > 0) & (np.bincount(of_pair, weights=~flag, minlength=n) == 0)
        )

    telling = np.bincount(of_pair, weights=stays | (indifferent & others_choose[state]), minlength=n) > 0
    passing = telling & always(stays | indifferent)
    several = indifferent & (own > 1)[state]  # a single legal move may well act here
    sensible = idle[several].all() and several.any()
    everywhere = np.bincount(state, weights=idle, minlength=n_states)[own > 0].min() > 0
    if sensible or (everywhere and varied(state[idle], sample.pair_next[mine[idle]]).any()):
        drifting = passing | always(idle)
        # two ways of leaving a part alone cannot come to different things
        if not varied(state[drifting[of_pair]], after[drifting[of_pair]]).any():
            passing = drifting
    seen = crosses(sample, mask)
    crossed, centre = seen.crossed[mine], seen.centre[mine]
    if crossed.any():
        central = (np.bincount(of_pair, weights=seen.elsewhere[mine], minlength=n) > 0) & (
            np.bincount(of_pair, weights=crossed & ~centre, minlength=n) == 0
        )
        both = passing | central
        passing = both if not varied(state[both[of_pair]], after[both[of_pair]]).any() else central
    if not passing.any():
        largest = int(np.bincount(of_pair).argmax())
        share = np.bincount(state[of_pair == largest], minlength=n_states)
        branching = own > 1
        passing[largest] = bool(branching.any() and (2 * share > own)[branching].all())
    out = group.astype(np.int64)
    out[passing[group]] = PASS
    return out


def varied(keys: NDArray[np.int64], rows: Rows, size: int = 0) -> NDArray[np.bool_]:
    """Per key (below ``size``, or as many as there are): whether its rows differ."""
    first, _ = unique_rows(np.concatenate([keys[:, None].astype(np.uint64), rows], axis=1))
    return np.bincount(keys[first], minlength=size) > 1
