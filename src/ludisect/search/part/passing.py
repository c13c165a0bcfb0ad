"""When a role may do nothing in any part: never, always, or exactly when it cannot move in any of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import pack
from ludisect.search.part.concepts import concepts
from ludisect.search.part.verdicts import Times, judged_combinations
from ludisect.search.part.views import PASS, Views
from ludisect.search.quotient.classes import Quotient
from ludisect.search.way import Inapplicable

NEVER, ALWAYS, FORCED = 0, 1, 2

Ints = NDArray[np.int64]


def idle_moves(game: Game, nowhere: Ints) -> list[Ints]:
    """Per role: which of some moves (roles side by side) are its own, as indices into ``nowhere``."""
    role = np.searchsorted(game.batch.first_move, nowhere, side="right") - 1
    return [np.flatnonzero(role == r) for r in range(len(game.roles))]


def mobile(views: Views, i: int) -> NDArray[np.bool_]:
    """States of part i x colours of the context: whether somebody can move there."""
    graph = views.graph(i)
    lengths = np.diff(graph.edge_start)
    place = np.repeat(np.arange(lengths.size), lengths)[(graph.move != PASS).any(axis=1)]
    out = np.zeros(lengths.size, np.bool_)
    out[place] = True
    return out.reshape(graph.positions, len(graph.settings))


def passes(q: Quotient, nowhere: Ints, times: Times) -> Ints | None:
    """Per time what the acting role may do; None if it is none of the three, or if another role cannot do nothing.

    ``nowhere`` are the moves without effect in any part. One state is looked at for every combination of what their
    legality asks of the parts, and of where the parts have moves.
    """
    assert q.actor is not None
    views, game = q.views, q.views.game
    k = len(views.parts.dependent)
    asked = concepts(views.parts, [int(game.circuit.terminal), *game.circuit.legal[nowhere].tolist()])
    kinds, able = [], []
    for i in range(k):
        moves = mobile(views, i)
        first, kind = unique_rows(pack(np.concatenate([views.answers(i, asked[i]), moves], axis=1)))
        kinds.append(np.asarray(kind, np.int64))
        able.append(moves[first])
    try:
        every = judged_combinations(views, kinds, times)
    except Inapplicable:
        return None
    by_role = idle_moves(game, nowhere)
    actor = np.array([max(q.actor[c], 0) for c in times.colour])
    # per time: passes are always, never, exactly when forced, as far as was seen
    holds = np.ones((actor.size, 3), np.bool_)
    for _, place, rows in every.batches():
        going = ~game.batch.terminal(rows)
        legal = game.batch.legal(rows)[:, nowhere]
        free = np.stack([legal[:, of_role].any(axis=1) for of_role in by_role], axis=1)
        mine = actor[place[0]]
        moves = np.zeros(going.size, np.bool_)
        for of_part, kind in zip(able, place[1:], strict=True):
            moves |= of_part[kind, np.array(times.colour)[place[0]]]
        for r in range(len(by_role)):
            if (going & (mine != r) & ~free[:, r]).any():
                return None
        may = free[np.arange(going.size), mine]
        for mode, wrong in ((NEVER, may), (ALWAYS, ~may), (FORCED, may == moves)):
            holds[place[0][going & wrong], mode] = False
    return np.asarray(holds.argmax(axis=1)) if holds.any(axis=1).all() else None
