"""Random plays with any machine: recorded, searched for ill-defined states, or held against another machine."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from ludisect.errors import Problem
from ludisect.gdl.machine import Machine, State
from ludisect.gdl.trace import Match, Mismatch, Step, replay


def record(machine: Machine, *, seed: int | random.Random = 0, max_length: int = 1000, game: str = "") -> Match:
    """Play at random until the end, until some role cannot move, or for ``max_length`` joint moves."""
    rng = seed if isinstance(seed, random.Random) else random.Random(seed)
    state = machine.initial_state()
    steps: list[Step] = []
    while not (terminal := machine.is_terminal(state)) and len(steps) < max_length:
        legal = machine.legal_moves(state)
        if not all(legal.values()):
            break
        moves = {role: rng.choice(some) for role, some in legal.items()}
        steps.append(Step(state, {role: frozenset(some) for role, some in legal.items()}, moves))
        state = machine.next_state(state, moves)
    return Match(game, tuple(steps), state, terminal, machine.goals(state) if terminal else None)


def check_machine(
    machine: Machine, reference: Machine, *, plays: int = 20, seed: int = 0, max_length: int = 200
) -> list[Mismatch]:
    """Hold a machine against another on the states of random plays: empty if they agree everywhere.

    Asked are roles, initial state, sets of legal moves, next state, end, and goals where the play stopped. Not asked:
    how either treats illegal moves, and states that no play reaches.
    """
    found: list[Mismatch] = []
    if machine.roles != reference.roles:
        found.append(Mismatch(1, 1, "order of the roles", reference.roles, machine.roles))
    rng = random.Random(seed)
    for number in range(1, plays + 1):
        match = record(reference, seed=rng, max_length=max_length)
        goals = reference.goals(match.final)
        found += replay(machine, Match(match.game, match.steps, match.final, match.terminal, goals, number))
    return found
