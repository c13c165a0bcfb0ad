"""Random rule sheets with a clock that waits for choices: boxes are opened, and only then does it run."""

from __future__ import annotations

import random
from itertools import product


def waiting(seed: int) -> str:
    """Two roles in turn open boxes on one of two colours; what a role gets depends on the colours if the clock is done.

    The clock waits for all boxes, for any, or for the first. It counts the rests that are made, or the moves made since
    it need not wait; one may rest at any time or only then.
    """
    rng = random.Random(seed)
    boxes = "pqr"[: rng.choice([2, 3])]
    ready = {
        "all": f"(<= ready {' '.join(f'opened{x}' for x in boxes)})",
        "any": " ".join(f"(<= ready opened{x})" for x in boxes),
        "first": "(<= ready openedp)",
    }[rng.choice(["all", "any", "first"])]
    ticks, idle = rng.choice([("(does ?r rest)", "ready"), ("(does ?r rest)", ""), ("ready", "ready"), ("ready", "")])
    done = rng.choice([1, 2])
    steps = len(boxes) + done + rng.choice([0, 1])
    numbers = " ".join(f"(succ {n} {n + 1})" for n in range(steps))
    opened = "".join(
        f"""
(<= opened{x} (true ({x} ?c)))
(<= (legal ?r (open{x} ?c)) (true (turn ?r)) (colour ?c) (not opened{x}))
(<= (next ({x} ?c)) (does ?r (open{x} ?c)))
(<= (next ({x} ?c)) (true ({x} ?c)))"""
        for x in boxes
    )
    pays = []
    for colours in product(("red", "blue"), repeat=len(boxes)):
        shown = " ".join(f"(true ({x} {c}))" for x, c in zip(boxes, colours, strict=True))
        pays.append(f"(<= (pay {rng.choice([20, 40, 60, 80, 100])}) (true (clock {done})) {shown})")
    return f"""
(role a) (role b) (init (turn a)) (init (clock 0)) (init (step 0)) (colour red) (colour blue) {numbers}
(<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
{opened}
{ready}
(<= (legal ?r rest) (true (turn ?r)) {idle})
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= ticks {ticks})
(<= (next (clock ?n)) (true (clock ?m)) (succ ?m ?n) ticks)
(<= (next (clock ?n)) (true (clock ?n)) (not ticks))
(<= terminal (true (step {steps})))
(<= terminal (true (clock {done})))
{chr(10).join(pays)}
(<= paid (pay ?v))
(<= (gets ?v) (pay ?v))
(<= (gets 0) (not paid))
(<= (goal a ?v) (gets ?v))
{" ".join(f"(<= (goal b {100 - v}) (gets {v}))" for v in (0, 20, 40, 60, 80, 100))}
"""


def boxes_of(rules: str) -> str:
    """The names of the boxes of such a sheet."""
    return "pqr" if "openr" in rules else "pq"
