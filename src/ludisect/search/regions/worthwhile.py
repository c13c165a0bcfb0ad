"""Whether regions are likely to be the quickest way to solve a game: by random plays, parts known or not.

Nothing rests on it but time: what regions need is proved when they are tried.
"""

from __future__ import annotations

from contextlib import suppress
from math import comb

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import plays, unique_rows
from ludisect.circuit.rows import Rows, unpack
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import BudgetExceeded
from ludisect.search.budget import Budget
from ludisect.search.limits import SearchLimits
from ludisect.search.whole.positions import paid
from ludisect.search.whole.statespace import explore
from ludisect.unionfind import Joined

Bools = NDArray[np.bool_]


def applies(parts: Decomposition) -> str | None:
    """Two players in turn, whose parts are too many to list; whether the rest holds is proved when it is tried."""
    if len(parts.game.roles) != 2 or parts.turns != "alternating":
        return None
    return "regions that fall apart as play goes on"


def slower(parts: Decomposition) -> str | None:
    """Why another way is likely to be quicker, or None; asked unless the way was asked for by name."""
    game, limits = parts.game, SearchLimits.current()
    ends: set[tuple[int, int]] = set()
    states: list[Rows] = [game.batch.initial]
    for present, _, following in plays(game, limits.nimsum_plays, seed=0):
        over = game.batch.terminal(following)
        ends |= {(int(a), int(b)) for a, b in paid(game.batch.goals(following[over])).tolist()}
        states.append(present)
    if len({a + b for a, b in ends}) != 1:
        return "the players do not share the same total at the ends of some plays"
    if 2 < len(ends) < 4:
        return "there are wins, losses and draws, which are no points"
    if not parts.dependent:
        return "nobody has a choice"
    rows = unpack(np.concatenate(states), len(game.fluents))
    size = max(_size(rows[:, list(part.fluent_numbers)]) for part in parts.dependent)
    if len(parts.dependent) > 1 and size <= limits.regions_listed:
        return "the states of its parts can be listed"
    if len(parts.dependent) == 1:
        with suppress(BudgetExceeded):
            explore(game, budget=Budget(work=limits.regions_look))
            return "it is one part, and a search of the whole is quicker"
    return None


def before_parts(game: Game) -> bool:
    """Whether to try regions before parts are looked for, which may take much longer.

    That is where plays look like a sum in normal play (who cannot move loses, and facts that change together make
    several groups), one of whose parts has too many states to be listed.
    """
    limits = SearchLimits.current()
    if len(game.roles) != 2:
        return False
    states: list[Rows] = [game.batch.initial]
    changes: list[Rows] = []
    for present, _, following in plays(game, limits.nimsum_plays, seed=0):
        if not _last_mover_won(game, following[game.batch.terminal(following)]):
            return False
        states.append(present)
        changes.append(present ^ following)
    width = len(game.fluents)
    rows = unpack(np.concatenate(states), width)
    groups = _groups(np.concatenate(changes), width) if changes else []
    return len(groups) > 1 and max(_size(rows[:, group]) for group in groups) > limits.regions_listed


def _last_mover_won(game: Game, ends: Rows) -> bool:
    """Whether in every one of these ends one role alone has no move, and gets less than the other."""
    able, gets = game.batch.able(ends), paid(game.batch.goals(ends))
    return bool((able.sum(axis=1) == 1).all() and (able == (gets > gets[:, ::-1])).all())


def _groups(changes: Rows, width: int) -> list[list[int]]:
    """The facts that steps change, in groups of those that one step changes; without turns, which most steps change."""
    first, kind = unique_rows(changes)
    changed = unpack(changes[first], width)
    often = np.bincount(kind, minlength=first.size) @ changed
    changed[:, 2 * often > changes.shape[0]] = False
    joined = Joined[int]()
    for row in changed:
        together = np.flatnonzero(row).tolist()
        for f in together:
            joined.join(together[0], f)
    groups: dict[int, list[int]] = {}
    for f in np.flatnonzero(changed.any(axis=0)).tolist():
        groups.setdefault(joined.root(f), []).append(f)
    return list(groups.values())


def _size(seen: Bools) -> int:
    """How many states a part may have: as many of its facts hold as in those that were seen."""
    held = seen.sum(axis=1)
    return sum(comb(seen.shape[1], k) for k in range(int(held.min()), int(held.max()) + 1))
