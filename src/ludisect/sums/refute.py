"""Replays a claimed outcome: the winner's strategy against every reply (small sums) or against random ones."""

from __future__ import annotations

import random

from ludisect.errors import InputError
from ludisect.rulesets.position import Player
from ludisect.sums.match import play_match
from ludisect.sums.strategies import Advice, Strategy, optimal, sentestrat
from ludisect.sums.table import Sum


def refute(
    game: Sum, winner: Player, first: Player, *, strategy: Strategy = optimal, plays: int | None = None, seed: int = 0
) -> list[str] | None:
    """Play ``winner`` by ``strategy`` with ``first`` to move; a line that ``winner`` loses, or ``None``.

    With ``plays`` the opponent makes random moves in that many plays; without, every reply is tried. Positions that
    are reached again are not played again, so a strategy must not depend on the past then, as sentestrat does.
    """
    if plays is None:
        if strategy is sentestrat:
            raise InputError("sentestrat looks at the past, so not every reply can be tried; say how many plays")
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
    game: Sum, winner: Player, first: Player, strategy: Strategy, source: random.Random
) -> list[str] | None:
    def at_random(later: Sum, player: Player) -> Advice:
        moves = later.moves(player)
        return Advice(source.choice(moves) if moves else None, None, False, "at random")

    both = (strategy, at_random) if winner is Player.LEFT else (at_random, strategy)
    match = play_match(game, left=both[0], right=both[1], first=first)
    return None if match.winner is winner else list(match.line)
