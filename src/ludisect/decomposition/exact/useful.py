"""Useless parts: those that reach neither the score, nor the end of the game, nor the start of a useful part.

A part that nobody reads can still be a lifeline: if every move outside it, whenever there is one inside, ends the game
with less than the best score, having a move inside is what counts (placing queens so as not to have to resign). It has
no score of its own and belongs to the part in which it spares a move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ludisect.circuit.game import Game
from ludisect.decomposition.evidence.freechoice import outcome_rows
from ludisect.decomposition.evidence.localmoves import PASS
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.model.blocks import ancestors


def useless_parts(game: Game, parts: Sequence[Sequence[int]], gates: Iterable[tuple[int, int]] = ()) -> frozenset[int]:
    """The indices of useless parts: no path in the folded circuit leads from them to goal or terminal, and they open no
    useful part. ``gates`` are pairs of parts of which the second reads the first; that the one always comes before the
    other is not enough."""
    circuit = game.circuit
    outputs = np.concatenate([circuit.goal, np.array([circuit.terminal], np.int32)])
    read = set((circuit.support(outputs) - 1).tolist())
    useful = {i for i, part in enumerate(parts) if read & set(part)}
    before: dict[int, set[int]] = {}
    for a, b in gates:
        before.setdefault(b, set()).add(a)
    useful = useful.union(*(ancestors(before, i) for i in useful))
    return frozenset(i for i in range(len(parts)) if i not in useful)


def lifelines(game: Game, sample: Sample, parts: Sequence[Sequence[int]]) -> list[list[int]]:
    """Sets of parts to be joined: a part that nobody reads, and those in which it spares its players a losing move."""
    unread = useless_parts(game, parts)
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
