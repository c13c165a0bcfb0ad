"""Slow, obvious searches on sets of terms, against which the arrays are held."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

from ludisect.circuit.game import Game
from ludisect.gdl.machine import Fluents
from ludisect.gdl.terms import Term

Steps = Callable[[Fluents], list[tuple[dict[str, Term], Fluents]]]
"""Every joint move of a state and the state that it leads to; none where the play is over."""


def steps_of(game: Game) -> Steps:
    """The steps of a game, asked of it once per state."""

    @cache
    def steps(state: Fluents) -> list[tuple[dict[str, Term], Fluents]]:
        legal = game.legal_moves(state) if not game.is_terminal(state) else {role: [] for role in game.roles}
        joint = (dict(zip(game.roles, moves, strict=True)) for moves in product(*(legal[role] for role in game.roles)))
        return [(moves, game.next_state(state, moves)) for moves in joint]

    return steps


def reachable(game: Game, steps: Steps | None = None) -> set[Fluents]:
    """All states, by a stack and a set."""
    steps = steps or steps_of(game)
    seen = {game.initial_state()}
    waiting = list(seen)
    while waiting:
        for _, after in steps(waiting.pop()):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return seen


def choosers(game: Game, steps: Steps, state: Fluents) -> list[int]:
    """The roles of whose moves two lead to different states, for some moves of the others."""
    out = []
    for r, role in enumerate(game.roles):
        found: dict[tuple[Term, ...], set[Fluents]] = {}
        for moves, after in steps(state):
            others = tuple(m for name, m in moves.items() if name != role)
            found.setdefault(others, set()).add(after)
        if any(len(states) > 1 for states in found.values()):
            out.append(r)
    return out


def rule_and_values(game: Game) -> tuple[bool, dict[str, int]]:
    """Whether several roles choose at once somewhere, and the values of a game without cycles of unequal sums.

    Values are then worst cases in single moves, and max-n otherwise.
    """
    steps = steps_of(game)
    if not any(len(choosers(game, steps, s)) > 1 for s in reachable(game, steps)):
        return False, max_n(game, steps)

    @cache
    def worst_case(state: Fluents, role: str) -> int:
        if game.is_terminal(state):
            return game.goals(state)[role] or 0
        found: dict[Term, int] = {}
        for moves, after in steps(state):
            value = worst_case(after, role)
            found[moves[role]] = min(value, found.get(moves[role], value))
        return max(found.values())

    return True, {role: worst_case(game.initial_state(), role) for role in game.roles}


def max_n(game: Game, steps: Steps | None = None) -> dict[str, int]:
    """Values of a game without cycles in which one role chooses at a time, by recursion."""
    step = steps or steps_of(game)

    @cache
    def value(state: Fluents) -> tuple[int, ...]:
        if game.is_terminal(state):
            goals = game.goals(state)
            return tuple(goals[role] or 0 for role in game.roles)
        choosing = choosers(game, step, state)
        assert len(choosing) <= 1
        results = [value(after) for _, after in step(state)]
        if not choosing:
            return results[0]
        r = choosing[0]
        return min(results, key=lambda v: (-v[r], v))

    return dict(zip(game.roles, value(game.initial_state()), strict=True))
