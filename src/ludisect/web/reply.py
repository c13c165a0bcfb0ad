"""The engine's reply in a position: a player with a clock, for rules; a strategy, for sums."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from ludisect.circuit.game import Game
from ludisect.errors import InputError, did_you_mean
from ludisect.gdl.state import State
from ludisect.gdl.terms import Rules
from ludisect.play.player import Assignment
from ludisect.play.players import make_player
from ludisect.rulesets.position import Player
from ludisect.sums.play import STRATEGIES, optimal
from ludisect.sums.table import Sum


def reply_by_rules(rules: Rules, state: State[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """What a player does for every role that has a choice; who has none does the only thing it can."""
    if state.is_over:
        raise InputError(f"the game is over ({state.result}); there is nothing left to play")
    clock = float(options.get("clock", 1.0))
    moves: dict[str, str] = {}
    told: list[dict[str, Any]] = []
    for role, legal in state.legal.items():
        if len(legal) == 1:
            moves[role] = str(legal[0])
            continue
        player = make_player(str(options.get("player", "parts")))
        game = state.game if isinstance(state.game, Game) else None
        seat = Assignment(rules, role, clock, clock, int(options.get("seed", 0)), game=game, build=game is not None)
        player.start(seat, time.monotonic() + clock / 2)
        player.sit_at(state)
        choice = player.choose(time.monotonic() + clock)
        player.stop()
        moves[role] = str(choice.move)
        values = {str(move): value for move, value in choice.values.items()}
        told.append(
            {"role": role, "move": str(choice.move), "why": choice.why, "certain": choice.certain, "values": values}
        )
    first = told[0] if told else {"role": None, "move": None, "why": "nobody has a choice", "certain": True}
    return {**first, "moves": moves, "choices": told}


def reply_in_sum(here: Sum, mover: Player, options: Mapping[str, Any]) -> dict[str, Any]:
    """What a strategy does for the player who is to move."""
    name = str(options.get("player", "optimal"))
    if name not in STRATEGIES:
        near = did_you_mean(name, STRATEGIES) or f"; there are {', '.join(STRATEGIES)}"
        raise InputError(f"no strategy is called {name!r}{near}")
    seconds = float(options.get("clock", 1.0))
    advice = optimal(here, mover, seconds=seconds) if name == "optimal" else STRATEGIES[name](here, mover)
    if advice.move is None:
        raise InputError(f"{mover.name.lower()} cannot move; there is nothing left to play")
    role = mover.name.lower()
    return {
        "role": role,
        "move": advice.move.text,
        "moves": {role: advice.move.text},
        "why": advice.why,
        "certain": advice.proved,
        "wins": advice.wins,
    }
