"""Random walks on a graph: machines of one variable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

from ludisect.composition.part import Joint, LocalGame, State
from ludisect.composition.random_machine import LABELS, PASS, Wanted, as_part, random_worths
from ludisect.gdl.terms import Term


@dataclass(frozen=True)
class Walk:
    """One variable that walks on a graph; the move, or all roles' moves together, choose the way."""

    wanted: Wanted
    n: int
    sinks: frozenset[int]
    arcs: dict[tuple[int, Joint], int]
    """By place and joint move; a role's own table unless all roles share one."""
    shared: bool
    worths: dict[tuple[State, int], int]
    style: str
    start: State = (0,)

    @staticmethod
    def random(rng: Random, wanted: Wanted) -> Walk:
        """A walk of three to eight places; without cycles unless they are wanted."""
        roles = len(wanted.roles)
        together = wanted.together
        n = rng.randint(4, 6 if roles < 3 else 5) if together else rng.randint(4, 8)
        ends = not wanted.cyclic or rng.random() < 0.5
        sinks = frozenset(range(n - rng.randint(2, min(3, n - 2)), n)) if ends else frozenset[int]()
        shared = together or roles == 1 or wanted.owner is not None or rng.random() < 0.6
        arcs: dict[tuple[int, Joint], int] = {}
        for s in range(n):
            if s in sinks:
                continue
            targets = [t for t in range(n) if t != s] if wanted.cyclic else list(range(s + 1, n))
            if together:
                labels = LABELS[: 2 if roles == 3 or wanted.passes else rng.choice((2, 2, 3))]
                for joint in product((*labels, None) if wanted.passes else labels, repeat=roles):
                    if any(joint):
                        arcs[s, joint] = rng.choice(targets[:4])
                continue
            for r in [wanted.owner or 0] if shared else range(roles):
                picked = rng.sample(targets, min(len(targets), rng.choice((2, 2, 3))))
                for label, t in zip(LABELS, picked, strict=False):
                    arcs[s, tuple(label if q == r else None for q in range(roles))] = t
        places = [(s,) for s in range(n)]
        worths = random_worths(rng, wanted, places, [(s,) for s in sorted(sinks)] or places[1:])
        style = rng.choice(("left",) if together else ("left", "leaves")) if wanted.negated else "idle"
        return Walk(wanted, n, sinks, arcs, shared, worths, style)

    def states(self) -> list[State]:
        """Every combination of values, reached or not."""
        return [(s,) for s in range(self.n)]

    def fluents(self, state: State) -> tuple[Term, ...]:
        return (Term("at", (Term(_place(state[0])),)),)

    def legal(self, state: State, role: int) -> tuple[Term, ...]:
        if self.wanted.owner not in (None, role):
            return ()
        if self.wanted.together:
            present = {j[role] for s, j in self.arcs if s == state[0]}
            return tuple(m for m in LABELS if m in present)
        key = self._row(role)
        return tuple(m for m in LABELS if (state[0], self._alone(key, m)) in self.arcs)

    def _row(self, role: int) -> int:
        return role if not self.shared else self.wanted.owner or 0

    def _alone(self, role: int, move: Term) -> Joint:
        return tuple(move if q == role else None for q in range(len(self.wanted.roles)))

    def step(self, state: State, joint: Joint) -> State:
        if not any(joint):
            return state
        if self.wanted.together:
            return (self.arcs[state[0], joint],)
        role, move = next((r, m) for r, m in enumerate(joint) if m is not None)
        return (self.arcs[state[0], self._alone(self._row(role), move)],)

    def over(self, state: State) -> bool:
        return state[0] in self.sinks

    def worth(self, state: State, role: int) -> int:
        return self.worths[state, role]

    def whole(self, going: Sequence[State], *, lone: bool) -> bool:
        """Somewhere one role chooses, the others' moves being what they are."""
        outcomes: dict[tuple[int, int, Joint], set[int]] = {}
        for (s, joint), t in self.arcs.items():
            if (s,) in going:
                for r, move in enumerate(joint):
                    if move is not None:
                        rest = tuple(None if q == r else m for q, m in enumerate(joint))
                        outcomes.setdefault((s, r, rest), set()).add(t)
        return any(len(some) > 1 for some in outcomes.values())

    def part(self, name: str) -> LocalGame:
        """The walk in local rules."""
        roles = self.wanted.roles
        facts = [f"(init (at {_place(0)}))"]
        if self.wanted.together:
            does = " ".join(f"(does {role} ?m{r})" for r, role in enumerate(roles))
            labels = " ".join(f"?m{r}" for r in range(len(roles)))
            for (s, joint), t in self.arcs.items():
                facts.append(f"(lead {_place(s)} {' '.join(str(m or PASS) for m in joint)} {_place(t)})")
            legal = [f"(choice {_place(s)} {m})" for s in range(self.n) for m in self.legal((s,), 0)]
            facts += [*legal, "(<= (legal ?r ?a) (role ?r) (true (at ?s)) (choice ?s ?a))"]
            moves = f"(true (at ?s)) {does} (lead ?s {labels} ?t)"
        elif self.shared:
            owner = "?r" if self.wanted.owner is None else roles[self.wanted.owner]
            for (s, joint), t in self.arcs.items():
                facts.append(f"(arc {_place(s)} {next(filter(None, joint))} {_place(t)})")
            facts.append(f"(<= (legal {owner} ?a) (role {owner}) (true (at ?s)) (arc ?s ?a ?t))")
            moves = f"(true (at ?s)) (does {owner} ?a) (arc ?s ?a ?t)"
        else:
            for (s, joint), t in self.arcs.items():
                r, move = next((r, m) for r, m in enumerate(joint) if m is not None)
                facts.append(f"(road {roles[r]} {_place(s)} {move} {_place(t)})")
            facts.append("(<= (legal ?r ?a) (true (at ?s)) (road ?r ?s ?a ?t))")
            moves = "(true (at ?s)) (does ?r ?a) (road ?r ?s ?a ?t)"
        facts.append(f"(<= (next (at ?t)) {moves})")
        facts += {
            "idle": ["(<= (next (at ?s)) (true (at ?s)) idle)"],
            "left": [f"(<= left {moves})", "(<= (next (at ?s)) (true (at ?s)) (not left))"],
            "leaves": [
                f"(<= (leaves ?s) {moves} (distinct ?s ?t))",
                "(<= (next (at ?s)) (true (at ?s)) (not (leaves ?s)))",
            ],
        }[self.style]
        facts += [f"(<= terminal (true (at {_place(s)})))" for s in sorted(self.sinks)]
        for (state, r), value in self.worths.items():
            facts.append(f"(prize {roles[r]} {_place(state[0])} {value})")
        facts.append("(<= (goal ?r ?v) (true (at ?s)) (prize ?r ?s ?v))")
        return as_part(self, name, facts)


def _place(s: int) -> str:
    return f"p{s}"
