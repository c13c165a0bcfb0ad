"""Engines: the reply in a position, by a player with a clock or a strategy; strategies against each other."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from ludisect.circuit.game import Game
from ludisect.errors import InputError, did_you_mean
from ludisect.gdl.state import State
from ludisect.gdl.terms import Rules
from ludisect.play.player import Assignment
from ludisect.play.players import make_player
from ludisect.progress import report
from ludisect.rulesets.position import Player
from ludisect.sums.match import play_match
from ludisect.sums.strategies import STRATEGIES, Strategy, optimal
from ludisect.sums.table import Sum
from ludisect.web.worth import Partial


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


def strategy(name: str, seconds: float) -> Strategy:
    """A strategy for sums by its name; the one that looks for the best move gets so many seconds for it."""
    if name not in STRATEGIES:
        near = did_you_mean(name, STRATEGIES) or f"; there are {', '.join(STRATEGIES)}"
        raise InputError(f"no strategy is called {name!r}{near}")
    return partial(optimal, seconds=seconds) if name == "optimal" else STRATEGIES[name]


def reply_in_sum(here: Sum, mover: Player, options: Mapping[str, Any]) -> dict[str, Any]:
    """What a strategy does for the player who is to move."""
    advice = strategy(str(options.get("player", "optimal")), float(options.get("clock", 1.0)))(here, mover)
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


def match_in_sum(here: Sum, options: Mapping[str, Any], told: Partial) -> dict[str, Any]:
    """Strategies against each other: every two of them, on either side, with either player beginning."""
    names = options["players"]
    clock = float(options.get("clock", 1.0))
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]] or [(names[0], names[0])]
    seats = list(dict.fromkeys(seat for a, b in pairs for seat in ((a, b), (b, a))))
    table: list[dict[str, Any]] = []
    wins = dict.fromkeys(names, 0)
    result = {"game": str(here), "matches": 0, "wins": wins, "table": table}
    for left, right in seats:
        for first in Player:
            played = play_match(here, left=strategy(left, clock), right=strategy(right, clock), first=first)
            won = None if played.winner is None else played.winner.name.lower()
            if won is not None:
                wins[left if won == "left" else right] += 1
            points = None if played.end.points is None else str(played.end.points)
            row = {"left": left, "right": right, "begins": first.name.lower(), "winner": won, "points": points}
            table.append({**row, "moves": len(played.moves), "line": "; ".join(played.line)})
            result["matches"] = len(table)
            told(result)
            report("holding matches", len(table), 2 * len(seats))
    return result
