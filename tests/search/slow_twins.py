"""Slow, obvious searches on sets of terms, against which the arrays are held."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from ludisect.circuit.game import Game
from ludisect.gdl.machine import State
from ludisect.gdl.terms import Term


def joint_moves(game: Game, state: State) -> Iterator[dict[str, Term]]:
    """Every joint move of a state."""
    legal = game.legal_moves(state)
    for moves in product(*(legal[role] for role in game.roles)):
        yield dict(zip(game.roles, moves, strict=True))


def reachable(game: Game) -> set[State]:
    """All states, by a stack and a set."""
    seen = {game.initial_state()}
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            continue
        for moves in joint_moves(game, state):
            after = game.next_state(state, moves)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return seen


def max_n(game: Game) -> dict[str, int]:
    """Values of a game without cycles in which one role chooses at a time, by recursion."""

    @cache
    def value(state: State) -> tuple[int, ...]:
        if game.is_terminal(state):
            goals = game.goals(state)
            return tuple(goals[role] or 0 for role in game.roles)
        legal = game.legal_moves(state)
        choosing = [r for r, role in enumerate(game.roles) if len(legal[role]) > 1]
        assert len(choosing) <= 1
        results = [value(game.next_state(state, moves)) for moves in joint_moves(game, state)]
        if not choosing:
            return results[0]
        r = choosing[0]
        return min(results, key=lambda v: (-v[r], v))

    return dict(zip(game.roles, value(game.initial_state()), strict=True))
