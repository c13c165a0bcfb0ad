"""Who moves when: single-player, alternating, simultaneous or mixed, from states seen in random plays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.record import plays

Turns = Literal["single-player", "alternating", "simultaneous", "mixed"]


def turns(game: Game, *, playouts: int | None = None, seed: int = 0) -> Turns:
    """The turn structure, from the states of random plays: others do not count."""
    seen = plays(game, playouts or CircuitLimits.current().turns_plays, seed=seed)
    return turns_in(game, (game.batch.legal(states) for states, _, _ in seen))


def turns_in(game: Game, legal: Iterable[NDArray[np.bool_]], first: NDArray[np.int64] | None = None) -> Turns:
    """The turn structure in some states, given their legal moves (matrices of states x moves).

    Alternating if never more than one role has a choice, simultaneous if all roles do at once. ``first`` says where the
    columns of each role begin, if not where its moves do.
    """
    if len(game.roles) == 1:
        return "single-player"
    alone = together = partly = False
    cuts = game.batch.first_move if first is None else first
    for some in legal:
        choosing = np.stack(
            [some[:, cuts[r] : cuts[r + 1]].sum(axis=1) > 1 for r in range(len(game.roles))], axis=1
        ).sum(axis=1)
        alone |= bool((choosing == 1).any())
        together |= bool((choosing == len(game.roles)).any())
        partly |= bool(((choosing > 1) & (choosing < len(game.roles))).any())
    if not together and not partly:
        return "alternating"
    return "simultaneous" if not alone and not partly else "mixed"
