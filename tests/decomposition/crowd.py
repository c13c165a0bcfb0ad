"""Random rule sheets in which some moves are rare: several roles at once, in a few steps, push lamps or a cart.

The cart goes where the first role says that pushes it. Its last places are seldom reached, and what a role does to it
there seldom shows, because others push it too.
"""

from __future__ import annotations

import random


def crowd(seed: int) -> str:
    """Two or three roles, lamps that can be pressed in many ways at first, and a cart on a few tracks.

    It leaves place 3 in few plays, if in any, and mostly with several roles pushing.
    """
    rng = random.Random(seed)
    roles = ["ann", "bob", "cid"][: rng.choice([2, 3, 3])]
    lamps, fingers = range(rng.choice([1, 2])), range(rng.choice([8, 12, 16, 24]))
    tracks = [("?r", 0, 1), ("?r", 0, 2), (roles[-1], 1, 3)]  # (who may use it, from, to)
    tracks += [(role, 1, 2) for role in roles[:-1]]
    tracks += [(who, 3, rng.choice([2, 4])) for who in (*roles, "?r", "?r")]
    places, steps = 5, 3
    legal, moved = [], []
    for k, (who, start, to) in enumerate(tracks):
        name = f"t{k}"
        any_role = "(role ?r) " if who == "?r" else ""
        legal.append(f"(<= (can {who} (push {name})) {any_role}(true (cart {start})))")
        moved.append(f"(leads {name} {start} {to})")
    pushes = []
    for k, role in enumerate(roles):
        earlier = " ".join(f"(not (pushes {x}))" for x in roles[:k])
        pushes.append(f"(<= (pushes {role}) (does {role} (push ?t)))")
        pushes.append(f"(<= (goes ?t) (does {role} (push ?t)) {earlier})")
    goals = []
    for where in range(places):
        for lit in ("(true (lit 0))", "(not (true (lit 0)))"):
            goals += [f"(<= (goal {x} {rng.choice([0, 25, 50, 100])}) (true (cart {where})) {lit})" for x in roles]
    return f"""
{" ".join(f"(role {x})" for x in roles)} {" ".join(f"(lamp {x})" for x in lamps)}
{" ".join(f"(finger {x})" for x in fingers)}
(init (cart 0)) (init (step 0)) {" ".join(f"(succ {n} {n + 1})" for n in range(steps))}
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (can ?r (press ?x 0)) (role ?r) (lamp ?x))
(<= (can ?r (press ?x ?f)) (role ?r) (lamp ?x) (finger ?f) (not (true (step 2))))
{chr(10).join(legal)}
{chr(10).join(moved)}
(<= (able ?r) (can ?r ?m))
(<= (legal ?r ?m) (can ?r ?m))
(<= (legal ?r noop) (role ?r) (not (able ?r)))
(<= (next (lit ?x)) (does ?r (press ?x ?f)))
(<= (next (lit ?x)) (true (lit ?x)))
{chr(10).join(pushes)}
(<= moves (goes ?t))
(<= (next (cart ?b)) (goes ?t) (leads ?t ?a ?b))
(<= (next (cart ?a)) (true (cart ?a)) (not moves))
(<= terminal (true (step {steps})))
{chr(10).join(goals)}
"""
