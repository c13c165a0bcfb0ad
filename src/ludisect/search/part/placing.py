"""Whether moves do what their classes say: looked at in every local state where nothing certain is known.

A decomposition that was only tested may take a move that no play made for one that leaves a part alone. What a search
builds on that is wrong, so it looks at every legal move of every state that it fills in.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import Rows
from ludisect.decomposition.model.decomposition import Part
from ludisect.search.limits import SearchLimits
from ludisect.search.way import Inapplicable
from ludisect.search.whole.statespace import EDGES_AT_ONCE, count_joint, list_joint


def refuse_misplaced(
    game: Game,
    part: Part,
    rows: Rows,
    skip: NDArray[np.bool_],
    class_of: NDArray[np.int32],
    mask: NDArray[np.uint64],
) -> None:
    """Raise Inapplicable if, in one of some states, joint moves of the same classes lead to different states of a part.

    ``class_of`` gives the class of every move (roles side by side), ``mask`` the bits of the part.
    """
    legal = game.batch.legal_rows(rows)
    degree = np.empty(len(rows), np.int64)
    count_joint(legal, game.batch.first_move, skip, degree)
    if degree.max(initial=0) > SearchLimits.current().placing_joint:
        raise Inapplicable(f"part {part.id} is only tested, and has too many joint moves to look at each")
    low = 0
    while low < len(rows):
        within = int(np.searchsorted(np.cumsum(degree[low:]), EDGES_AT_ONCE, side="right"))
        some = slice(low, low + max(1, within))
        low = some.stop
        start = np.concatenate([[0], np.cumsum(degree[some])])
        joint = np.empty((int(start[-1]), len(game.roles)), np.int32)
        source = np.empty(len(joint), np.int64)
        list_joint(legal[some], game.batch.first_move, start, joint, source)
        after = game.batch.next(rows[some][source], joint) & mask
        classes = class_of[joint + game.batch.first_move[:-1]]
        first, kind = unique_rows(np.concatenate([source[:, None], classes], axis=1).astype(np.uint64))
        differs = np.flatnonzero((after != after[first[kind]]).any(axis=1))
        if len(differs):
            pair = joint[first[kind[differs[0]]]], joint[differs[0]]
            r = int(np.flatnonzero(pair[0] != pair[1])[0])
            one, other = (game.moves[r][int(made[r])] for made in pair)
            raise Inapplicable(f"in part {part.id}, {one} and {other} should do the same and do not")
