"""Conditions 1 to 3 the slow and obvious way: every reachable state, every joint move, plain sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations, product
from typing import NamedTuple

from ludisect.decomposition.model.decomposition import Decomposition, Part
from ludisect.gdl.machine import Fluents, Machine
from ludisect.gdl.terms import Term

Joint = Mapping[str, Term]


class Step(NamedTuple):
    """A state, a joint move, and what follows."""

    state: Fluents
    moves: Joint
    following: Fluents


def explore(machine: Machine, most: int = 20_000) -> list[Step] | None:
    """Every transition that play can come to, or None if there are more than ``most``."""
    seen = {machine.initial_state()}
    waiting = list(seen)
    out: list[Step] = []
    while waiting:
        state = waiting.pop()
        if machine.is_terminal(state):
            continue
        legal = machine.legal_moves(state)
        for choice in product(*(legal[role] for role in machine.roles)):
            moves = dict(zip(machine.roles, choice, strict=True))
            following = machine.next_state(state, moves)
            out.append(Step(state, moves, following))
            if len(out) > most:
                return None
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return out


class Brute:
    """A decomposition held against all transitions."""

    def __init__(self, parts: Decomposition, machine: Machine, steps: Iterable[Step]) -> None:
        self.parts, self.machine, self.steps = parts, machine, list(steps)
        self.context = {parts.game.fluents[f] for f in parts.context_numbers}
        self.fluents = {s.id: {parts.game.fluents[f] for f in s.fluent_numbers} for s in parts.parts}
        self.local = {
            s.id: [
                {parts.game.moves[r][m]: c for c, members in enumerate(classes) for m in members}
                for r, classes in enumerate(s.move_numbers)
            ]
            for s in parts.dependent
        }
        self.legal = {state: machine.legal_moves(state) for state in {step.state for step in self.steps}}

    def available(self, s: Part, state: Fluents) -> frozenset[tuple[int, int]]:
        """The local moves (role, class) that some legal move makes."""
        return frozenset(
            (r, self.local[s.id][r][move])
            for r, role in enumerate(self.machine.roles)
            for move in self.legal[state][role]
            if move in self.local[s.id][r]
        )

    def made(self, s: Part, moves: Joint) -> tuple[int | None, ...]:
        """The local move of each role, None for a pass."""
        return tuple(self.local[s.id][r].get(moves[role]) for r, role in enumerate(self.machine.roles))

    def broken(self) -> list[str]:
        """What does not hold: empty if the decomposition is right."""
        return [*self._transition(), *self._context(), *self._availability(), *self._choice()]

    def _transition(self) -> list[str]:
        for s in self.parts.dependent:
            mine, known = self.fluents[s.id], dict[object, object]()
            for step in self.steps:
                if s.after and not self.available(s, step.state):
                    continue
                key = (step.state & (mine | self.context), self.made(s, step.moves))
                if known.setdefault(key, step.following & mine) != step.following & mine:
                    return [f"transition of {s.id}"]
        return []

    def _context(self) -> list[str]:
        serial = any(s.after for s in self.parts.parts)
        known: dict[object, object] = {}
        for step in self.steps:
            opened = tuple(bool(self.available(s, step.state)) for s in self.parts.dependent) if serial else ()
            key = (step.state & self.context, opened)
            if known.setdefault(key, step.following & self.context) != step.following & self.context:
                return ["context"]
        return []

    def _availability(self) -> list[str]:
        for s in self.parts.dependent:
            known: dict[object, object] = {}
            for state in self.legal:
                there = self.available(s, state)
                if s.after and not there:
                    continue
                if known.setdefault(state & (self.fluents[s.id] | self.context), there) != there:
                    return [f"availability in {s.id}"]
        return []

    def _choice(self) -> list[str]:
        """For local moves of two parts: some move makes both, or some move makes each without touching the other."""
        for state, legal in self.legal.items():
            for r, role in enumerate(self.machine.roles):
                for s, t in combinations(self.parts.dependent, 2):
                    pairs = {(self.local[s.id][r].get(m), self.local[t.id][r].get(m)) for m in legal[role]}
                    for c, d in product({a for a, _ in pairs} - {None}, {b for _, b in pairs} - {None}):
                        if (c, d) not in pairs and not {(c, None), (None, d)} <= pairs:
                            return [f"free choice of {role} between {s.id} and {t.id} in {sorted(map(str, state))}"]
        return []
