"""Slow, obvious searches on sets of terms, against which the arrays are held."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from ludisect.circuit.game import Game
from ludisect.gdl.machine import Fluents
from ludisect.gdl.terms import Term


def joint_moves(game: Game, state: Fluents) -> Iterator[dict[str, Term]]:
    """Every joint move of a state."""
    legal = game.legal_moves(state)
    for moves in product(*(legal[role] for role in game.roles)):
        yield dict(zip(game.roles, moves, strict=True))


def reachable(game: Game) -> set[Fluents]:
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


def choosers(game: Game, state: Fluents) -> list[int]:
    """The roles of whose moves two lead to different states, for some moves of the others."""
    out = []
    for r, role in enumerate(game.roles):
        found: dict[tuple[Term, ...], set[Fluents]] = {}
        for moves in joint_moves(game, state):
            others = tuple(m for name, m in moves.items() if name != role)
            found.setdefault(others, set()).add(game.next_state(state, moves))
        if any(len(states) > 1 for states in found.values()):
            out.append(r)
    return out


def rule_and_values(game: Game) -> tuple[bool, dict[str, int]]:
    """Whether several roles choose at once somewhere, and the values of a game without cycles of unequal sums.

    Values are then worst cases in single moves, and max-n otherwise.
    """
    several = any(len(choosers(game, s)) > 1 for s in reachable(game) if not game.is_terminal(s))
    if not several:
        return False, max_n(game)

    @cache
    def worst_case(state: Fluents, role: str) -> int:
        if game.is_terminal(state):
            return game.goals(state)[role] or 0
        found: dict[Term, int] = {}
        for moves in joint_moves(game, state):
            value = worst_case(game.next_state(state, moves), role)
            found[moves[role]] = min(value, found.get(moves[role], value))
        return max(found.values())

    return True, {role: worst_case(game.initial_state(), role) for role in game.roles}


def max_n(game: Game) -> dict[str, int]:
    """Values of a game without cycles in which one role chooses at a time, by recursion."""

    @cache
    def value(state: Fluents) -> tuple[int, ...]:
        if game.is_terminal(state):
            goals = game.goals(state)
            return tuple(goals[role] or 0 for role in game.roles)
        choosing = choosers(game, state)
        assert len(choosing) <= 1
        results = [value(game.next_state(state, moves)) for moves in joint_moves(game, state)]
        if not choosing:
            return results[0]
        r = choosing[0]
        return min(results, key=lambda v: (-v[r], v))

    return dict(zip(game.roles, value(game.initial_state()), strict=True))
