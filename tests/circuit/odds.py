"""The odds of random play, by following every play: the plain twin of playouts."""

from __future__ import annotations

from functools import cache

from ludisect.gdl import Fluents, Machine


def exact_odds(game: Machine) -> dict[tuple[int, ...], float]:
    """The probability of each vector of goals under uniform random play, by following every play."""

    @cache
    def odds(state: Fluents) -> dict[tuple[int, ...], float]:
        if game.is_terminal(state):
            return {tuple(v if v is not None else -1 for v in game.goals(state).values()): 1.0}
        joint: list[dict[str, object]] = [{}]
        legal = game.legal_moves(state)
        for role, moves in legal.items():
            joint = [{**some, role: m} for some in joint for m in moves]
        out: dict[tuple[int, ...], float] = {}
        for moves_ in joint:
            for goals, p in odds(game.next_state(state, moves_)).items():  # type: ignore[arg-type]
                out[goals] = out.get(goals, 0.0) + p / len(joint)
        return out

    return odds(game.initial_state())


def mean_goal(game: Machine, role: int) -> float:
    """What a role gets on average under uniform random play."""
    return sum(goals[role] * p for goals, p in exact_odds(game).items())
