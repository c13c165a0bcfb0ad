"""Conformance: one machine held against another on the states of random plays."""

from __future__ import annotations

from dataclasses import replace

from ludisect.gdl.machine import Machine
from ludisect.gdl.randomplay import generator, record
from ludisect.gdl.trace import Mismatch, compare_goals, replay


def check_machine(
    machine: Machine, reference: Machine, *, plays: int = 20, seed: int = 0, max_length: int = 200
) -> list[Mismatch]:
    """Where a machine differs from the reference, which chooses the moves; empty if they agree everywhere.

    Asked are the roles, the initial state, and in every state of the plays the set of legal moves, the next state,
    the end and the goals. Not asked: illegal moves, and states that no play reached.
    """
    found: list[Mismatch] = []
    if machine.roles != reference.roles:
        wanted, given = " ".join(reference.roles), " ".join(machine.roles)
        found.append(Mismatch(0, 0, "order of the roles", (wanted,), (given,)))
    rng = generator(seed)
    for number in range(1, plays + 1):
        match = record(reference, seed=rng, max_length=max_length)
        found += replay(machine, replace(match, goals=reference.goals(match.final), number=number))
        for at, step in enumerate(match.steps, 1):
            found += compare_goals(number, at, reference.goals(step.state), machine.goals(step.state))
    return found
