"""Who has a choice when: forced moves, alternation, and the clauses with forced moves taken out of them.

What is found here is found in random plays, not in the rules: a move that is accompanied very rarely may be taken for
forced. Verification judges what comes of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import plays
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.rules.clauses import Clauses
from ludisect.decomposition.rules.lumps import Lumps
from ludisect.errors import InputError
from ludisect.gdl.terms import Rules, Term
from ludisect.gdl.unify import unifiable


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """``forced``: moves (roles side by side) that were their role's only legal one in every state that allowed them;
    as a rule, ``noop`` of a player who is not in control. ``alternating``: never could two roles make other moves."""

    forced: NDArray[np.bool_]
    alternating: bool


def rules_of(game: Game) -> Rules:
    """The rules that a game was read from; the methods that read rules cannot do without."""
    if game.rules is None:
        raise InputError(f"{game.name} has no rules to read (it is a part of another game); use another method")
    return game.rules


def choices(game: Game, *, playouts: int | None = None, seed: int = 0) -> Choices:
    """Forced moves and alternation, as seen in random plays."""
    cuts = list(zip(game.batch.first_move[:-1].tolist(), game.batch.first_move[1:].tolist(), strict=True))
    legal_at_all = np.zeros(int(game.batch.first_move[-1]), np.bool_)
    accompanied = np.zeros_like(legal_at_all)
    seen = []
    for states, _, _ in plays(game, playouts or DecompositionLimits.current().forced_plays, seed=seed):
        legal = game.batch.legal(states)
        seen.append(legal)
        legal_at_all |= legal.any(axis=0)
        for low, high in cuts:
            mine = legal[:, low:high]
            accompanied[low:high] |= (mine & (mine.sum(axis=1) > 1)[:, None]).any(axis=0)
    forced = legal_at_all & ~accompanied
    alternating = True
    for legal in seen:
        choosing = np.stack([(legal[:, low:high] & ~forced[low:high]).any(axis=1) for low, high in cuts], axis=1)
        alternating &= not (choosing.sum(axis=1) > 1).any()
    return Choices(forced, bool(alternating))


def noop_lumps(lumps: Lumps, found: Choices) -> list[int]:
    """The move lumps all of whose moves are forced."""
    first = lumps.game.batch.first_move
    return [i for i, m in enumerate(lumps.moves) if all(found.forced[int(first[r]) + k] for r, k in m.members)]


def clauses_of(game: Game, found: Choices) -> Clauses:
    """The clauses of a game, ``does`` of forced moves replaced by ``legal``."""
    known = [
        (Term("does", (Term.parse(role), move)), bool(found.forced[int(game.batch.first_move[r]) + m]))
        for r, role in enumerate(game.roles)
        for m, move in enumerate(game.moves[r])
    ]

    def is_forced(atom: Term) -> bool:
        meant = [flag for done, flag in known if unifiable(atom, done)]
        return bool(meant) and all(meant)

    return Clauses(rules_of(game), is_forced)
