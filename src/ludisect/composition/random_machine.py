"""What random machines of every family share: what they must fit, their goals, how they become parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from ludisect.composition.part import LocalGame, LocalMachine, State, Turns
from ludisect.gdl.reader import read
from ludisect.gdl.terms import Rule, Term

LABELS = tuple(map(Term, "abc"))
PASS = Term("pass")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a machine must fit: the roles, who moves when, and what else the compound has.

    ``cyclic`` machines need a step counter beside them; ``passes`` says that roles which move at once may each be
    elsewhere; ``levels`` are the local goal values to use; ``owner`` is the only role that may move in it.
    """

    roles: tuple[str, ...]
    turns: Turns
    cyclic: bool = False
    passes: bool = False
    levels: tuple[int, ...] = (0, 100)
    owner: int | None = None
    negated: bool = False
    """Whether what stays is told by negation of what changes, wherever there is another way."""

    @property
    def together(self) -> bool:
        """Whether several roles move in the machine at once."""
        return self.turns == "simultaneous" and len(self.roles) > 1 and self.owner is None


class RandomMachine(LocalMachine, Protocol):
    """A machine that knows what it was made for and can be written down."""

    @property
    def wanted(self) -> Wanted:
        """What it was made for."""
        ...

    def states(self) -> list[State]:
        """Every combination of values, reached or not."""
        ...

    def part(self, name: str) -> LocalGame:
        """The machine in local rules."""
        ...


def random_worths(
    rng: Random, wanted: Wanted, states: Sequence[State], ends: Sequence[State]
) -> dict[tuple[State, int], int]:
    """A local goal for every state and role; the first state, before anything is done, is worth nothing to anybody.

    The ends are not all worth the same. Of two players, what one wins the other loses, more often than not.
    """
    opposed = len(wanted.roles) == 2 and rng.random() < 0.7
    out: dict[tuple[State, int], int] = {}
    for r in range(len(wanted.roles)):
        if opposed and r:
            out |= {(state, r): 100 - out[state, 0] for state in states}
            continue
        out |= {(state, r): rng.choice(wanted.levels) for state in states}
        best, worst = rng.sample(ends, 2)
        out[best, r], out[worst, r] = wanted.levels[-1], wanted.levels[0]
    return out | {(states[0], r): 0 for r in range(len(wanted.roles))}


def as_part(machine: RandomMachine, name: str, facts: list[str]) -> LocalGame:
    """The part whose local rules are given as text."""
    states = machine.states()
    fluents = dict.fromkeys(f for state in states for f in machine.fluents(state))
    roles = range(len(machine.wanted.roles))
    moves = [dict.fromkeys(m for state in states for m in machine.legal(state, r)) for r in roles]
    return LocalGame(
        name=name,
        rules=tuple(Rule(rule.head, rule.body) for rule in read("\n".join(facts)).rules),
        fluents=tuple(fluents),
        moves=tuple(map(tuple, moves)),
        values=tuple(sorted({machine.worth(state, r) for state in states for r in roles})),
        ends=any(machine.over(state) for state in states),
        guarded=True,
        machine=machine,
    )
