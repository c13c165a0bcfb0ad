"""Random walks written as rules: parts in which both players step from state to state, for points where they stop."""

from __future__ import annotations

from random import Random

from ludisect import load
from ludisect.decomposition.model.decomposition import Decomposition
from tests.search.byhand import by_hand

RULES = """
(role a) (role b) (follows a b) (follows b a) (init (control a))
(<= (can ?p ?i ?y) (true (at ?i ?x)) (goes ?i ?p ?x ?y))
(<= (able ?p) (can ?p ?i ?y))
(<= (legal ?p (walk ?i ?y)) (true (control ?p)) (can ?p ?i ?y))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (legal ?p pass) (true (control ?p)) (not (able ?p)))
(<= (moved ?i) (does ?p (walk ?i ?y)))
(<= (next (at ?i ?y)) (does ?p (walk ?i ?y)))
(<= (next (at ?i ?x)) (true (at ?i ?x)) (not (moved ?i)))
(<= (next (control ?q)) (true (control ?p)) (follows ?p ?q))
(<= terminal (not (able a)) (not (able b)))
(total 0 0)
(<= (total ?i ?t) (previous ?h ?i) (total ?h ?s) (true (at ?i ?x)) (points ?i ?x ?n) (plus ?s ?n ?t))
"""


def random_walks(rng: Random, *, both: bool) -> Decomposition:
    """Two or three walks; with ``both``, where one player can step the other can too.

    The goal rises with the points of all walks together, or is won from some number of points on.
    """
    parts = rng.choice([2, 2, 3])
    facts = []
    most = 3
    for i in range(1, parts + 1):
        states = rng.randint(4, 7)
        facts += [f"(previous {i - 1} {i})", f"(init (at {i} 0))"]
        for x in range(states):
            later = range(x + 1, states)
            stops = x > states - 3
            for p in "ab":
                few = min(len(later), rng.randint(1 if both or x == 0 else 0, 2))
                for y in [] if stops else rng.sample(later, few):
                    facts.append(f"(goes {i} {p} {x} {y})")
            facts.append(f"(points {i} {x} {rng.randint(0, most)})")
    top = most * parts
    facts += [f"(plus {s} {n} {s + n})" for s in range(top + 1) for n in range(most + 1)]
    begin = rng.randint(1, top - 1)
    won = rng.random() < 0.4
    for t in range(top + 1):
        goal = 100 * (t >= begin) if won else 5 * t
        facts += [f"(<= (goal a {goal}) (total {parts} {t}))", f"(<= (goal b {100 - goal}) (total {parts} {t}))"]
    game = load(RULES + "\n".join(facts))
    return by_hand(game, [(rf"\(at {i} ", rf"\(walk {i} ") for i in range(1, parts + 1)], [r"\(control "])
