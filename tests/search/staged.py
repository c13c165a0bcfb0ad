"""Random stages of several walks each, written as rules: a stage opens when nobody can step in those before it."""

from __future__ import annotations

from random import Random
from typing import Literal

from ludisect import load
from ludisect.decomposition.model.decomposition import Decomposition
from tests.search.byhand import by_hand

Kind = Literal["last mover", "cannot move", "points", "one player"]

STOPS = 2
"""States of a walk in which it is over."""

TURNS = """
(role a) (role b) (follows a b) (follows b a) (init (control a))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (legal ?p pass) (true (control ?p)) (not (able ?p)))
(<= (next (control ?q)) (true (control ?p)) (follows ?p ?q))
"""

ALONE = """
(role a) (init (control a)) (<= (next (control a)) (true (control a)))
"""

RULES = """
(<= (step ?p ?i ?y) (true (at ?i ?x)) (goes ?i ?p ?x ?y))
(<= (unfinished ?s) (stage ?i ?s) (step ?p ?i ?y))
(<= (closed ?s) (before ?t ?s) (unfinished ?t))
(<= (can ?p ?i ?y) (step ?p ?i ?y) (stage ?i ?s) (not (closed ?s)))
(<= (able ?p) (can ?p ?i ?y))
(<= (legal ?p (walk ?i ?y)) (true (control ?p)) (can ?p ?i ?y))
(<= (moved ?i) (does ?p (walk ?i ?y)))
(<= (next (at ?i ?y)) (does ?p (walk ?i ?y)))
(<= (next (at ?i ?x)) (true (at ?i ?x)) (not (moved ?i)))
(<= open (unfinished ?s))
(total 0 0)
(<= (total ?i ?t) (previous ?h ?i) (total ?h ?s) (true (at ?i ?x)) (points ?i ?x ?n) (plus ?s ?n ?t))
"""


ENDS: dict[Kind, str] = dict.fromkeys(("last mover", "points", "one player"), "(<= terminal (not open))")
ENDS["cannot move"] = "(<= terminal (true (control ?p)) (not (able ?p)))"


def staged_walks(
    stages: list[list[int]], rng: Random, kind: Kind, *, wins: bool = True, steps: int = 2
) -> Decomposition:
    """Walks of so many states, stage by stage, with up to so many steps from each state.

    "last mover": both players have the same steps, and who steps last wins (or loses, without ``wins``). "cannot move":
    who cannot step loses. Otherwise the goal rises with the points where the walks stop, or is reached by some number.
    """
    walks = [(s, states) for s, stage in enumerate(stages) for states in stage]
    most = 3 if kind in ("points", "one player") else 0
    facts = [f"(before {t} {s})" for s in range(len(stages)) for t in range(s)]
    for i, (s, states) in enumerate(walks, 1):
        facts += [f"(previous {i - 1} {i})", f"(init (at {i} 0))", f"(stage {i} {s})"]
        for x in range(states):
            later = range(x + 1, states) if x < states - STOPS else range(0)
            for p in "a" if kind == "one player" else "ab":
                if p == "a" or kind != "last mover":
                    few = rng.sample(later, min(len(later), rng.randint(kind != "cannot move", steps)))
                facts += [f"(goes {i} {p} {x} {y})" for y in few]
            facts.append(f"(points {i} {x} {rng.randint(0, most)})")
    top = most * len(walks)
    facts += [f"(plus {s} {n} {s + n})" for s in range(top + 1) for n in range(most + 1)]
    if not most:
        mine, yours = (0, 100) if wins or kind == "cannot move" else (100, 0)
        facts += [f"(<= (goal ?p {mine}) (true (control ?p)))"]
        facts += [f"(<= (goal ?p {yours}) (role ?p) (not (true (control ?p))))"]
    begin = rng.randint(1, max(1, top - 1))
    all_or_none = rng.random() < 0.4
    for t in range(top + 1) if most else []:
        goal = 100 * (t >= begin) if all_or_none else 4 * t
        facts.append(f"(<= (goal a {goal}) (total {len(walks)} {t}))")
        if kind == "points":
            facts.append(f"(<= (goal b {100 - goal}) (total {len(walks)} {t}))")
    game = load((ALONE if kind == "one player" else TURNS) + RULES + ENDS[kind] + "\n".join(facts))
    after = [tuple(j for j, (t, _) in enumerate(walks, 1) if t < s) for s, _ in walks]
    return by_hand(
        game,
        [(rf"\(at {i} ", rf"\(walk {i} ") for i in range(1, len(walks) + 1)],
        [r"\(control "],
        structure="mixed",
        after=after,
    )
