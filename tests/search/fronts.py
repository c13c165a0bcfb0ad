"""Rule sheets for choices at the same time: two generals and some fronts, each picks where and how to act.

What becomes of a front depends on what both do there (or that one is away); the tables are random, and every act leads
to a later state. Whoever rests leaves all fronts alone. After some rounds the states of the fronts are added up.
"""

from __future__ import annotations

import random

ACTS = ("charge", "hold")


def fronts(seed: int, names: str = "ab", *, states: int = 5, rounds: int = 4) -> str:
    """The rules of a random game; what the first general gets, the second loses."""
    rng = random.Random(seed)
    facts, inits, goals = [], [], []
    worth = {}
    for f in names:
        worth[f] = [rng.choice([-2, -1, 0, 1, 2]) for _ in range(states)]
        inits.append(f"(init (line {f} 0))")
        for s in range(states - 1):
            facts.append(f"(open {f} {s})")
            for a in (*ACTS, "away"):
                for b in (*ACTS, "away"):
                    to = s if a == b == "away" else rng.randrange(s + 1, states)
                    facts.append(f"(becomes {f} {s} {a} {b} {to})")
    totals: dict[tuple[int, ...], int] = {(): 0}
    for f in names:
        totals = {(*k, s): v + worth[f][s] for k, v in totals.items() for s in range(states)}
    for at, total in totals.items():
        shown = " ".join(f"(true (line {f} {s}))" for f, s in zip(names, at, strict=True))
        goals += [f"(<= (goal one {50 + 5 * total}) {shown})", f"(<= (goal two {50 - 5 * total}) {shown})"]
    fixed = " ".join([*(f"(front {f})" for f in names), *(f"(act {a})" for a in ACTS), *facts])
    succ = " ".join(f"(succ {n} {n + 1})" for n in range(rounds))
    return f"""
(role one) (role two) {fixed} {succ} {" ".join(inits)} (init (round 0))
(<= (legal ?p (do ?a ?f)) (role ?p) (act ?a) (true (line ?f ?s)) (open ?f ?s))
(<= (legal ?p rest) (role ?p))
(<= (acts ?p ?f ?a) (does ?p (do ?a ?f)))
(<= (present ?p ?f) (does ?p (do ?a ?f)))
(<= (acts ?p ?f away) (role ?p) (front ?f) (not (present ?p ?f)))
(<= (next (line ?f ?t)) (true (line ?f ?s)) (acts one ?f ?a) (acts two ?f ?b) (becomes ?f ?s ?a ?b ?t))
(<= (next (line ?f ?s)) (true (line ?f ?s)) (not (open ?f ?s)))
(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
(<= terminal (true (round {rounds})))
{" ".join(goals)}
"""
