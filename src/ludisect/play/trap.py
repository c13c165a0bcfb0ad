"""Traps: where every move loses, the one to which a search by plays would give a wrong reply.

Who has proved that every move loses knows more than an opponent who searches. So the opponent's search is made in its
place, from each of a few moves, and its favourite replies are judged exactly: a reply after which we win is what we
hope for. Of all moves the one is made at whose replies most visits went wrong; that costs nothing, for all moves lose.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from ludisect.circuit.game import Game
from ludisect.gdl.state import State
from ludisect.gdl.terms import Term
from ludisect.play.limits import PlayLimits
from ludisect.play.tree import TreeSearch
from ludisect.play.tree.knowledge import Known

Replies = Mapping[Term, Sequence[tuple[Term, float]]]
"""Per move the replies with their visits, the most visited first."""


def trap(search: TreeSearch, state: State[Game], role: str, known: Known, deadline: float) -> tuple[Term, float]:
    """The move with the most tempting wrong replies and their share of the visits; where none was found, the move that
    looks best in plays. The search must not know better."""
    limits = PlayLimits.current()
    found = search.search(state, seconds=max(0.0, limits.trap_look * (deadline - time.monotonic())))
    tried = [one.move for one in found.worth[role] if not one.proved][: limits.trap_moves]
    if found.proved or not tried:
        return found.moves[role], 0.0
    search.narrow(role, tried)
    search.search(seconds=max(0.0, limits.trap_reply * (deadline - time.monotonic())))
    replies = search.replies()
    wrong = judged(state, role, {move: replies[move] for move in tried if move in replies}, known, deadline)
    return max(((move, wrong.get(move, 0.0)) for move in tried), key=lambda one: one[1])


def judged(state: State[Game], role: str, replies: Replies, known: Known, deadline: float) -> dict[Term, float]:
    """Per move the share of the visits of its replies that went to wrong ones, as far as they were judged in time.

    The favourite of each move is judged first, then the second of each, and so on.
    """
    game = state.game
    r = game.roles.index(role)
    least = min(value for k, value in game.goal_table if k == r)
    (other,) = (one for one in game.roles if one != role)
    wrong, longest = dict.fromkeys(replies, 0.0), 0.0
    for rank in range(PlayLimits.current().trap_replies):
        for move, some in replies.items():
            begin = time.monotonic()
            if begin + longest > deadline:
                return wrong
            if rank >= len(some) or not some[rank][1]:
                continue
            reply, visits = some[rank]
            after: State[Any] = state.play({role: move}).play({other: reply})
            exact = after.goals[role] if after.is_over else known(game.batch.row(after.fluents))[0, r]
            gets = float(exact or 0)
            if gets > least:
                wrong[move] += visits / sum(each for _, each in some)
            longest = max(longest, time.monotonic() - begin)
    return wrong
