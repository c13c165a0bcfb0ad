"""Plays compounds of machines without any rules, to see that each part really is what the answer will say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from random import Random

from ludisect.composition.glue import Blueprint, Leaf, Tree, leaves, waited_for
from ludisect.composition.part import LocalMachine, State, Turns
from ludisect.gdl.terms import Term

Choice = tuple[str, dict[int, Term]]
"""A move of one role: its kind ("move", "wait", "rest", "advance") and its local moves by part."""


IDLE_STEPS = "the step counter never ends the play"


@dataclass(frozen=True)
class CompoundState:
    """A state of the compound."""

    states: tuple[State, ...]
    turn: int = 0
    step: int = 1
    flags: frozenset[int] = frozenset()


class Simulator:
    """The compound as a program. It shares nothing with the rules that `write.compound` makes of the same plan."""

    def __init__(self, plan: Blueprint) -> None:
        self.plan = plan
        machines = [part.machine for part in plan.parts]
        self.machines: list[LocalMachine] = [m for m in machines if m is not None]
        if len(self.machines) < len(machines):
            raise ValueError("only compounds of machines can be simulated")
        # The few states of a machine come up again and again.
        self._over = [cache(machine.over) for machine in self.machines]
        self._legal = [cache(machine.legal) for machine in self.machines]
        self._step = [cache(machine.step) for machine in self.machines]
        self._counted, self._locked = plan.counted, plan.locked

    def start(self) -> CompoundState:
        """The first position."""
        return CompoundState(tuple(m.start for m in self.machines))

    def over(self, position: CompoundState, index: int) -> bool:
        """Whether a part is over."""
        return self._over[index](position.states[index])

    def terminal(self, position: CompoundState) -> bool:
        """Whether the play is over."""
        plan = self.plan
        over = [self.over(position, i) for i in self._counted]
        return (all(over) if plan.end == "all" else any(over)) or position.step == plan.steps

    def goals(self, position: CompoundState) -> tuple[int, ...]:
        """The goal of each role."""
        return tuple(self.plan.score(self.local(position, r), r) for r in range(len(self.plan.roles)))

    def local(self, position: CompoundState, role: int) -> dict[int, int]:
        """A role's local goal values in the parts that count."""
        return {i: self.machines[i].worth(position.states[i], role) for i in self._counted}

    def legal(self, position: CompoundState, role: int) -> list[Choice]:
        """The moves of a role."""
        plan = self.plan
        if plan.turns == "alternating" and role != position.turn:
            return [("wait", {})]
        return self._moves(plan.tree, position, role) + ([("rest", {})] if plan.rest else [])

    def _moves(self, tree: Tree, position: CompoundState, role: int) -> list[Choice]:
        if isinstance(tree, Leaf):
            i = tree.index
            if self.over(position, i):
                return []
            return [("move", {i: m}) for m in self._legal[i](position.states[i], role)]
        if tree.op == "choice":
            return [move for child in tree.children for move in self._moves(child, position, role)]
        if tree.op == "serial":
            out: list[Choice] = []
            for child in tree.children:
                out += self._moves(child, position, role)
                if not all(self.over(position, i) for i in leaves(child)):
                    break
                waiting = tree.locks & set(leaves(child)) - position.flags
                if waiting:
                    return [*out, ("advance", {})]
            return out
        options = [self._moves(child, position, role) for child in tree.children]
        if self.plan.owners:
            return options[role] or [("move", {})]
        if not any(options):
            return []
        return [
            ("move", {i: m for _, local in chosen for i, m in local.items()})
            for chosen in product(*(some or [("move", {})] for some in options))
        ]

    def next(self, position: CompoundState, joint: Sequence[Choice]) -> CompoundState:
        """The position after a joint move."""
        plan = self.plan
        states = tuple(
            step(position.states[i], tuple([local.get(i) for _, local in joint])) for i, step in enumerate(self._step)
        )
        turn = (position.turn + 1) % len(plan.roles) if plan.turns == "alternating" else 0
        step = position.step + (plan.steps is not None)
        flags = position.flags
        if self._locked:
            flags |= {i for i in self._locked if self.over(position, i)}
        return CompoundState(states, turn, step, flags)


@dataclass
class Seen:
    """What random plays of a plan saw."""

    going: list[dict[State, None]]
    """Per part: its states while play went on."""
    last: list[dict[State, None]]
    """Per part: its states at the end."""
    results: list[tuple[dict[int, int], ...]] = field(default_factory=list)
    """Per play and role: the local goals at the end."""
    longest: int = 0
    flags: set[int] = field(default_factory=set)
    pace: set[tuple[int, int, bool]] = field(default_factory=set)
    """(part, number of moves made so far, whether the part is over), while play goes on."""
    stuck: bool = False
    choosing: set[int] = field(default_factory=set)
    """How many roles had a choice at once."""

    def turns(self, roles: int) -> Turns | str:
        """Who moves when, in the words of `circuit.turns`."""
        if roles == 1:
            return "single-player"
        if not self.choosing - {0, 1}:
            return "alternating"
        return "simultaneous" if not self.choosing - {0, roles} else "mixed"


def explore(plan: Blueprint, rng: Random, plays: int) -> tuple[Seen, list[str]]:
    """Play at random until no fault is left, or for so many plays; what was seen, and the faults."""
    simulator = Simulator(plan)
    seen = Seen([{} for _ in plan.parts], [{} for _ in plan.parts])
    wrong: list[str] = []
    for number in range(1, plays + 1):
        _play(simulator, rng, seen)
        if seen.stuck:
            return seen, ["a role cannot move"]
        if number % 25 == 0 or number == plays:  # what was seen once stays seen
            wrong = faults(plan, seen)
            if IDLE_STEPS in wrong and number >= plays // 2:
                break
            if not wrong and number >= plays // 2:
                break
    return seen, wrong


def _play(simulator: Simulator, rng: Random, seen: Seen) -> None:
    """One play; stops (``stuck``) where a role cannot move."""
    roles = range(len(simulator.plan.roles))
    position, length = simulator.start(), 0
    while not simulator.terminal(position):
        options = [simulator.legal(position, r) for r in roles]
        if not all(options):
            seen.stuck = True
            return
        seen.choosing.add(sum(len(some) > 1 for some in options))
        for i, state in enumerate(position.states):
            seen.going[i][state] = None
            seen.pace.add((i, length, simulator.over(position, i)))
        position = simulator.next(position, [rng.choice(some) for some in options])
        length += 1
    for i, state in enumerate(position.states):
        seen.last[i][state] = None
    seen.flags |= position.flags
    seen.longest = max(seen.longest, length)
    seen.results.append(tuple(simulator.local(position, r) for r in roles))


def faults(plan: Blueprint, seen: Seen) -> list[str]:
    """Why the plan's known answer would not be the right one; empty if it is."""
    out: list[str] = []
    roles = range(len(plan.roles))
    for i, part in enumerate(plan.parts):
        machine = part.machine
        assert machine is not None
        reached = {f for states in (seen.going[i], seen.last[i]) for state in states for f in machine.fluents(state)}
        if len(reached) < len(part.fluents):
            out.append(f"part {i + 1}: a fluent that never holds")
        lone = i in plan.counted and (plan.end == "any" or len(plan.counted) == 1)
        if not machine.whole(list(seen.going[i]), lone=lone):
            out.append(f"part {i + 1}: may be split, or is not seen to depend on the moves")
        if i in plan.counted and not any(_matters(plan, seen, i, r) for r in roles):
            out.append(f"part {i + 1}: does not matter to any goal")
    for i in waited_for(plan.tree):
        # A stage that always takes the same time would look as if it ran by itself.
        if not any((i, time, not over) in seen.pace for j, time, over in seen.pace if i == j):
            out.append(f"part {i + 1}: always over at the same time")
    if plan.steps is not None and seen.longest < plan.steps - 1:
        out.append(IDLE_STEPS)
    if plan.locked - seen.flags:
        out.append("a flag that is never set")
    return out


def _matters(plan: Blueprint, seen: Seen, i: int, r: int) -> bool:
    """Whether a part is seen to make a difference to a role's goal."""
    if plan.owners:
        return i == r and len({local[r][i] for local in seen.results}) > 1
    values = [local[r] for local in seen.results]
    if plan.goal == "additive" or len(plan.counted) == 1:
        return len({v[i] for v in values}) > 1
    won = [{k: x == 100 for k, x in v.items()} for v in values]
    if plan.goal == "all":
        return any(all(w.values()) for w in won) and any(not w[i] for w in won)
    return any(not any(w.values()) for w in won) and any(w[i] and sum(w.values()) == 1 for w in won)
