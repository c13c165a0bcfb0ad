"""Replays a claimed outcome: the winner's strategy against every reply (small sums) or against random ones."""

from __future__ import annotations

import random

from ludisect.rulesets.position import Player
from ludisect.sums.play import Strategy, optimal
from ludisect.sums.table import Sum


def refute(
    game: Sum, winner: Player, first: Player, *, strategy: Strategy = optimal, plays: int | None = None, seed: int = 0
) -> list[str] | None:
    """Play ``winner`` by ``strategy`` with ``first`` to move; a line that ``winner`` loses, or ``None``.

    With ``plays`` the opponent makes random moves in that many plays; without, every reply is tried.
    """
    if plays is None:
        return _all_replies(game, winner, first, strategy, set())
    source = random.Random(seed)
    for _ in range(plays):
        line = _random_play(game, winner, first, strategy, source)
        if line is not None:
            return line
    return None


def _all_replies(
    game: Sum, winner: Player, mover: Player, strategy: Strategy, done: set[tuple[Player, tuple[object, ...]]]
) -> list[str] | None:
    key = (mover, game.components)
    if key in done:
        return None
    if mover is winner:
        move = strategy(game, mover).move
        if move is None:
            return []
        replies = [move]
    else:
        replies = game.moves(mover)
    for move in replies:
        line = _all_replies(game.play(move), winner, mover.opponent, strategy, done)
        if line is not None:
            return [f"{mover.name.lower()} {move.text}", *line]
    done.add(key)
    return None


def _random_play(
    game: Sum, winner: Player, mover: Player, strategy: Strategy, source: random.Random
) -> list[str] | None:
    line: list[str] = []
    while True:
        if mover is winner:
            move = strategy(game, mover).move
            if move is None:
                return line
        else:
            moves = game.moves(mover)
            if not moves:
                return None
            move = source.choice(moves)
        line.append(f"{mover.name.lower()} {move.text}")
        game, mover = game.play(move), mover.opponent
