"""Random rings: machines of two or three variables that depend on each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from random import Random

from ludisect.composition.part import Joint, LocalGame, State
from ludisect.composition.random_machine import LABELS, Wanted, as_part, random_worths
from ludisect.gdl.terms import Term


@dataclass(frozen=True)
class Ring:
    """Two or three variables; how each may change depends on the value of the next one, around the ring."""

    wanted: Wanted
    tops: tuple[int, ...]
    arcs: dict[tuple[int, Term, int, int], int]
    """By variable, label, its own value and its neighbour's."""
    owned: bool
    """Whether role r may change variable r only; otherwise every mover may change any."""
    closes: bool
    worths: dict[tuple[State, int], int]
    start: State = field(default=())

    @staticmethod
    def random(rng: Random, wanted: Wanted) -> Ring:
        """Variables that only grow, or run around where cycles are wanted."""
        roles = len(wanted.roles)
        together = wanted.together
        size = roles if together else rng.choice((2, 2, 2, 3))
        owned = together or (roles == size and wanted.owner is None and rng.random() < 0.3)
        # Variables that all grow at once need room to be seen apart.
        large = (4 if size == 2 else 3) if together and not wanted.passes else 3 if size == 2 else 2
        tops = tuple(rng.randint(max(2, large - 1), large) for _ in range(size))
        closes = not wanted.cyclic or rng.random() < 0.4
        arcs: dict[tuple[int, Term, int, int], int] = {}
        for v in range(size):
            for m, k in product(range(tops[v] + 1), range(tops[(v + 1) % size] + 1)):
                targets = [t for t in range(tops[v] + 1) if t > m or (wanted.cyclic and t != m)]
                picked = rng.sample(targets, min(len(targets), rng.choice((1, 2))))
                if together and targets:
                    picked = [rng.choice(targets), rng.choice(targets)]
                for label, t in zip(LABELS, picked, strict=False):
                    arcs[v, label, m, k] = t
        states = list(product(*(range(top + 1) for top in tops)))
        ends = [s for s in states if not closes or any(m == top for m, top in zip(s, tops, strict=True))]
        return Ring(wanted, tops, arcs, owned, closes, random_worths(rng, wanted, states, ends[1:]), (0,) * size)

    def states(self) -> list[State]:
        """Every combination of values, reached or not."""
        return list(product(*(range(top + 1) for top in self.tops)))

    def fluents(self, state: State) -> tuple[Term, ...]:
        return tuple(_dial(v, m) for v, m in enumerate(state))

    def over(self, state: State) -> bool:
        return self.closes and any(m == top for m, top in zip(state, self.tops, strict=True))

    def _options(self, state: State, v: int) -> list[tuple[Term, int]]:
        k = state[(v + 1) % len(state)]
        return [(a, self.arcs[v, a, state[v], k]) for a in LABELS if (v, a, state[v], k) in self.arcs]

    def legal(self, state: State, role: int) -> tuple[Term, ...]:
        if self.over(state) or self.wanted.owner not in (None, role):
            return ()
        mine = [role] if self.owned else range(len(self.tops))
        return tuple(_turn(v, a) for v in mine for a, _ in self._options(state, v))

    def step(self, state: State, joint: Joint) -> State:
        out = list(state)
        for v in range(len(state)):
            for a, t in self._options(state, v):
                if _turn(v, a) in joint:
                    out[v] = t
        return tuple(out)

    def worth(self, state: State, role: int) -> int:
        return self.worths[state, role]

    def whole(self, going: Sequence[State], *, lone: bool) -> bool:
        """For each variable, two visited states that differ in its neighbour alone, and in what can be done with it."""
        seen = [s for s in going if not self.over(s)]
        for v in range(len(self.tops)):
            u = (v + 1) % len(self.tops)
            outcomes: dict[State, set[frozenset[int]]] = {}
            for s in seen:
                key = (*s[:u], -1, *s[u + 1 :])
                if targets := frozenset(t for _, t in self._options(s, v)):
                    outcomes.setdefault(key, set()).add(targets)
            if not any(len(some) > 1 for some in outcomes.values()):
                return False
        return True

    def part(self, name: str) -> LocalGame:
        """The ring in local rules."""
        roles, size = self.wanted.roles, len(self.tops)
        facts = [f"(init {_dial(v, 0)})" for v in range(size)]
        for (v, a, m, k), t in self.arcs.items():
            facts.append(f"(arc{_letter(v)} {a} n{m} n{k} n{t})")
        closed = "(not closed)" if self.closes else ""
        if self.closes:
            facts += [f"(<= closed (true {_dial(v, top)}))" for v, top in enumerate(self.tops)]
            facts.append("(<= terminal closed)")
        for v in range(size):
            x = f"dial{_letter(v)}"
            values = f"(true ({x} ?m)) (true (dial{_letter((v + 1) % size)} ?k)) (arc{_letter(v)} ?a ?m ?k ?n)"
            who = roles[v] if self.owned else "?r" if self.wanted.owner is None else roles[self.wanted.owner]
            facts += [
                f"(<= (legal {who} (turn{_letter(v)} ?a)) (role {who}) {values} {closed})",
                f"(<= (next ({x} ?n)) (does {who} (turn{_letter(v)} ?a)) {values})",
                f"(<= turned{_letter(v)} (does {who} (turn{_letter(v)} ?a)) {values})",
                f"(<= (next ({x} ?m)) (true ({x} ?m)) (not turned{_letter(v)}))",
            ]
        names = [f"?v{v}" for v in range(size)]
        award = "award" if size == 2 else "honor"
        for (state, r), value in self.worths.items():
            facts.append(f"({award} {roles[r]} {' '.join(f'n{m}' for m in state)} {value})")
        held = " ".join(f"(true (dial{_letter(v)} {names[v]}))" for v in range(size))
        facts.append(f"(<= (goal ?r ?v) {held} ({award} ?r {' '.join(names)} ?v))")
        return as_part(self, name, facts)


def _letter(v: int) -> str:
    return "xyz"[v]


@cache
def _dial(v: int, m: int) -> Term:
    return Term(f"dial{_letter(v)}", (Term(f"n{m}"),))


@cache
def _turn(v: int, a: Term) -> Term:
    return Term(f"turn{_letter(v)}", (a,))
