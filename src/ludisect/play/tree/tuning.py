"""Which way of playing to the end pays in a game: matches of the search against itself, in the start clock.

Whether plays should prefer moves that did well in the tree depends on the game: it gains in breakthrough and loses in
connect four. So both play short matches at equal clocks from random openings, sides swapped, and the one that is ahead
by more than chance is taken; in doubt, uniform plays.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.gdl.state import State
from ludisect.play.tree.limits import TreeLimits
from ludisect.play.tree.searcher import TreeSearch

OPENING = 2
"""Random moves at the start of a match."""

TUNE_LEAST = 0.004
"""Seconds a move at least: with fewer, neither way of playing has learnt anything."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """What matches between the two ways of playing gave."""

    policy: bool
    """Whether plays are to prefer moves that did well."""
    matches: int
    score: float
    """Of the plays that prefer, from 0 to 1."""

    def __str__(self) -> str:
        kind = "plays prefer moves that did well" if self.policy else "uniform plays"
        return f"{kind}: preferring scored {100 * self.score:.0f} % in {self.matches} matches"


def tune(
    game: Game, *, deadline: float, seed: int = 0, limits: TreeLimits | None = None, move_seconds: float | None = None
) -> Tuned:
    """Find out until ``deadline`` (of ``ludisect.clock``) whether a learnt policy pays; in games of other than two
    roles it is left out.

    A move has ``move_seconds``, or a two-thousandth of the time there is, but a few milliseconds at least.
    """
    base = limits or TreeLimits.current()
    least = replace(base, tree_policy=0, tree_megabytes=min(64, base.tree_megabytes))
    if len(game.roles) != 2:
        return Tuned(False, 0, 0.5)
    each = move_seconds or max(TUNE_LEAST, (deadline - clock.now()) / 2000)
    players = [
        TreeSearch(game, seed=seed + 1, limits=replace(least, tree_policy=1)),
        TreeSearch(game, seed=seed + 2, limits=least),
    ]
    draw = random.Random(seed)
    scores: list[float] = []
    while clock.now() < deadline:
        start = _opening(game, draw)
        pair: list[float] = []
        for swapped in (False, True):
            order = players[::-1] if swapped else players
            ours = 1 if swapped else 0
            goals = _match(start, dict(zip(game.roles, order, strict=True)), each, lambda: clock.now() >= deadline)
            if goals is not None:
                pair.append(0.5 + (goals[ours] - goals[1 - ours]) / 200)
        if len(pair) == 2:
            scores += pair
        else:
            break
    return _judged(scores)


def _judged(scores: list[float]) -> Tuned:
    if not scores:
        return Tuned(False, 0, 0.5)
    mean = sum(scores) / len(scores)
    error = math.sqrt(max(0.05, sum((one - mean) ** 2 for one in scores) / len(scores)) / len(scores))
    return Tuned(mean > 0.5 + error, len(scores), mean)


def _opening(game: Game, draw: random.Random) -> State[Game]:
    state = game.start
    for _ in range(OPENING):
        following = state.play({role: draw.choice(moves) for role, moves in state.legal.items()})
        if following.is_over:
            return state
        state = following
    return state


def _match(
    state: State[Game], sides: dict[str, TreeSearch], seconds: float, over: Callable[[], bool]
) -> tuple[float, ...] | None:
    """The goals of one match, or None if time was up before its end."""
    for search in sides.values():
        search.look_at(state)
    while not state.is_over:
        moves = {role: legal[0] for role, legal in state.legal.items()}
        for role in state.choosing:
            found = sides[role].search(state, seconds=seconds)
            moves[role] = found.moves[role]
            if found.proved:
                return tuple(found.goals.values())
        if over():
            return None
        state = state.play(moves)
        for search in sides.values():
            search.advance(moves)
    return tuple(float(goal or 0) for goal in state.goals.values())
