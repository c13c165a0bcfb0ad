"""The families of random machines, and the test that one is a part that cannot be split."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

from ludisect.composition.board import RandomBoard
from ludisect.composition.limits import CompositionLimits
from ludisect.composition.part import LocalGame
from ludisect.composition.random_machine import RandomMachine, Wanted
from ludisect.composition.ring import Ring
from ludisect.composition.walk import Walk

FAMILIES: dict[str, Callable[[Random, Wanted], RandomMachine]] = {
    "walk": Walk.random,
    "ring": Ring.random,
    "board": RandomBoard.random,
}
"""How to make a random machine of each family."""


def sound_part(family: str, wanted: Wanted, rng: Random, name: str) -> LocalGame | None:
    """A random part of a family, or None if none that came up was sound."""
    for _ in range(CompositionLimits.current().machines_tries):
        machine = FAMILIES[family](rng, wanted)
        if sound(machine):
            return machine.part(name)
    return None


def sound(machine: RandomMachine) -> bool:
    """Whether the machine by itself is one part: whole, every fluent reached, and its goal not always the same."""
    wanted = machine.wanted
    roles = range(len(wanted.roles))
    seen, todo = {machine.start}, [machine.start]
    while todo:
        state = todo.pop()
        legal = [(*machine.legal(state, r), None) for r in roles]
        if wanted.together and not wanted.passes:
            joints = list(product(*(some[:-1] for some in legal)))
        elif wanted.together:
            joints = list(product(*legal))
        else:
            joints = [tuple(m if q == r else None for q in roles) for r in roles for m in legal[r][:-1]]
        for joint in joints:
            after = machine.step(state, joint)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    ends = [state for state in seen if machine.over(state)] or list(seen)
    reached = {f for state in seen for f in machine.fluents(state)}
    varied = all(len({machine.worth(state, r) for state in ends}) > 1 for r in roles)
    every = {f for state in machine.states() for f in machine.fluents(state)}
    return varied and len(reached) == len(every) and machine.whole(sorted(seen), lone=False)
