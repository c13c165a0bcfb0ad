"""Who moves when: single-player, alternating, simultaneous or mixed, from states seen in random plays."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ludisect.circuit.game import Game
from ludisect.circuit.record import plays

Turns = Literal["single-player", "alternating", "simultaneous", "mixed"]


def turns(game: Game, *, playouts: int = 256, seed: int = 0) -> Turns:
    """The turn structure: alternating if never more than one role has a choice, simultaneous if all roles do at once.

    A sampled answer: states that no play reached do not count.
    """
    if len(game.roles) == 1:
        return "single-player"
    alone = together = partly = False
    for states, _, _ in plays(game, playouts, seed=seed):
        legal = game.legal(states)
        cuts = game.first_move
        choosing = np.stack(
            [legal[:, cuts[r] : cuts[r + 1]].sum(axis=1) > 1 for r in range(len(game.roles))], axis=1
        ).sum(axis=1)
        alone |= bool((choosing == 1).any())
        together |= bool((choosing == len(game.roles)).any())
        partly |= bool(((choosing > 1) & (choosing < len(game.roles))).any())
    if not together and not partly:
        return "alternating"
    return "simultaneous" if not alone and not partly else "mixed"
