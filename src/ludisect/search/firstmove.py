"""A first move where a search found out nothing: the one behind which random plays went best."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import random_joint
from ludisect.circuit.rows import Rows
from ludisect.effort import Effort
from ludisect.gdl.terms import Term
from ludisect.search.limits import SearchLimits
from ludisect.search.whole.positions import paid


def guess_moves(game: Game, effort: Effort | None = None, *, seed: int = 0) -> tuple[dict[str, Term], int]:
    """Per role that has a choice at the start, the move with the best mean goal in random plays of all roles.

    Also the number of plays that came to an end within the effort; without any, the moves are merely legal.
    """
    limits = SearchLimits.current()
    effort = effort or Effort(limits.firstmove_work)
    rng = np.random.default_rng(seed)
    legal = _legal_at_start(game)
    choices = max(some.size for some in legal)
    if bool(game.batch.terminal(game.batch.initial)[0]) or choices < 2:
        return {}, 0
    first = np.empty((0, len(game.roles)), np.int32)
    goals = np.empty((0, len(game.roles)), np.int32)
    while first.shape[0] < limits.firstmove_plays * choices and not effort.over():
        begun, ended = random_plays(game, np.repeat(game.batch.initial, max(32, 2 * choices), axis=0), rng, effort)
        first, goals = np.concatenate([first, begun]), np.concatenate([goals, ended])
    out: dict[str, Term] = {}
    for r, some in enumerate(legal):
        if some.size > 1:
            means = [_mean(goals[first[:, r] == m, r]) for m in some.tolist()]
            out[game.roles[r]] = game.moves[r][int(some[int(np.argmax(means))])]
    return out, int((goals[:, 0] >= 0).sum())


def random_plays(
    game: Game, rows: Rows, rng: np.random.Generator, effort: Effort
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """First joint moves and final goals of random plays, one from each state, in none of which the game is over.

    Goals are -1 where a play was not over within the effort, or a role had no move.
    """
    joint, stuck = random_joint(game, rows, rng)
    first = joint
    play = np.arange(rows.shape[0])
    goals = np.full((rows.shape[0], len(game.roles)), -1, np.int32)
    while rows.shape[0] and not effort.over():
        rows, play = game.batch.next(rows[~stuck], joint[~stuck]), play[~stuck]
        over = game.batch.terminal(rows)
        goals[play[over]] = paid(game.batch.goals(rows[over]))
        rows, play = rows[~over], play[~over]
        joint, stuck = random_joint(game, rows, rng)
    return first, goals


def _mean(goals: NDArray[np.int32]) -> float:
    finished = goals[goals >= 0]
    return float(finished.mean()) if finished.size else -1.0


def _legal_at_start(game: Game) -> list[NDArray[np.int64]]:
    legal = game.batch.legal(game.batch.initial)[0]
    return [np.flatnonzero(legal[low:high]) for low, high in pairwise(game.batch.first_move.tolist())]
