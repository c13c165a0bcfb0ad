"""Useless parts: those that reach neither the score, nor the end of the game, nor the start of a useful part.

A part that nobody reads can still be a lifeline: if every move outside it, whenever there is one inside, ends the game
with less than the best score, having a move inside is what counts (placing queens so as not to have to resign). It has
no score of its own and belongs to the part in which it spares a move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.decomposition.evidence.freechoice import outcome_rows
from ludisect.decomposition.evidence.localmoves import PASS, mask_of
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.model.blocks import ancestors


def unread_parts(game: Game, parts: Sequence[Sequence[int]]) -> frozenset[int]:
    """The indices of parts from which no path in the folded circuit leads to goal or terminal."""
    circuit = game.circuit
    read = set((circuit.support([*circuit.goal.tolist(), circuit.terminal]) - 1).tolist())
    return frozenset(i for i, part in enumerate(parts) if read.isdisjoint(part))


def that_matter(game: Game, rows: Rows, parts: Sequence[Sequence[int]]) -> frozenset[int]:
    """The indices of parts for which another value, from another of some states, changes a score or ends the play in
    one. What is read need not matter: rules can ask for "this, with that or without"."""
    other = rows[np.random.default_rng(0).permutation(len(rows))]

    def told(states: Rows) -> NDArray[np.int64]:
        return np.column_stack([game.batch.highest_goals(states), game.batch.terminal(states)])

    known = told(rows)
    masks = [mask_of(game, part) for part in parts]
    return frozenset(i for i, mask in enumerate(masks) if (told((rows & ~mask) | (other & mask)) != known).any())


def useless_parts(unread: Iterable[int], n: int, gates: Iterable[tuple[int, int]]) -> frozenset[int]:
    """Of n parts those on which neither score nor end hang, and that open no useful part. ``gates`` are pairs of parts
    of which the second reads the first; that the one always comes before the other is not enough."""
    before: dict[int, set[int]] = {}
    for a, b in gates:
        before.setdefault(b, set()).add(a)
    useful = set(range(n)).difference(unread)
    return frozenset(range(n)).difference(useful, *(ancestors(before, i) for i in useful))


def lifelines(game: Game, sample: Sample, parts: Sequence[Sequence[int]]) -> list[list[int]]:
    """Sets of parts to be joined: a part that nobody reads, and those in which it spares its players a losing move."""
    unread = unread_parts(game, parts)
    if not unread or len(parts) < 2 or not len(sample.pair_state):
        return []
    acts = outcome_rows(sample, parts) != PASS
    ended = game.batch.terminal(sample.pair_next)
    score = game.batch.goals(sample.pair_next)[np.arange(len(ended)), sample.pair_role]
    best = np.array([max((v for r, v in game.goal_table if r == role), default=0) for role in range(sample.n_roles)])
    lost = ended & (score < best[sample.pair_role])
    key = sample.pair_state * sample.n_roles + sample.pair_role
    size = int(key.max()) + 1
    out = []
    for part in sorted(unread):
        passes = ~acts[:, part]
        elsewhere = np.bincount(key[passes], minlength=size)
        lost_elsewhere = np.bincount(key[passes & lost], minlength=size)
        alive_here = np.bincount(key[~passes & ~ended], minlength=size)
        asked = (elsewhere > 0) & (alive_here > 0)
        critical = asked & (elsewhere == lost_elsewhere)
        if not critical.any() or (asked & ~critical).any():
            continue
        spared = np.flatnonzero(acts[passes & critical[key]].any(axis=0)).tolist()
        if spared:
            out.append([part, *spared])
    return out
