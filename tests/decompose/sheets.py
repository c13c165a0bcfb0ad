"""Small rule sheets made for one question each."""

from __future__ import annotations

from collections.abc import Iterable


def switches(names: str, goal: str, *, steps: int = 4, moves: str = "") -> str:
    """One switch per letter, to be put on one at a time and for good, or not; after some steps the play is over.

    ``goal`` is the body of the rule for 100 points, in which ``(on x)`` is a condition; otherwise there are none.
    ``moves`` are further rules for ``legal`` and ``put``: (put x) follows from what the player does.
    """
    numbers = " ".join(f"(succ {n} {n + 1})" for n in range(steps))
    return f"""
(role player) {" ".join(f"(switch {x})" for x in names)} {numbers}
(init (step 0))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (up ?x)) (true (up ?x)))
(<= (next (up ?x)) (put ?x))
(<= (put ?x) (does player (push ?x)))
(<= (legal player (push ?x)) (switch ?x) (not (true (up ?x))))
(legal player rest)
{moves}
(<= (on ?x) (true (up ?x)))
(<= terminal (true (step {steps})))
(<= won {goal})
(<= (goal player 100) won)
(<= (goal player 0) (not won))
"""


def lines(sets: Iterable[str]) -> str:
    """A goal that is reached if all switches of one of the sets are on."""
    return "(or " + " ".join(f"(and {' '.join(f'(on {x})' for x in one)})" for one in sets) + ")"


FIXED_ORDER = """
(role player) (path s a) (path s b) (path a end) (path b end)
(init (at s)) (init (up no))
(<= (legal player (walk ?y)) (true (at ?x)) (path ?x ?y))
(<= (legal player switch) (true (at end)))
(<= (legal player leave) (true (at end)))
(<= (next (at ?y)) (does player (walk ?y)))
(<= (next (at ?x)) (true (at ?x)) (not walked))
(<= walked (does player (walk ?y)))
(<= (next (up yes)) (does player switch))
(<= (next (up no)) (true (up no)) (not (does player switch)))
(<= (next (up yes)) (true (up yes)))
(<= (next (gone)) (does player leave))
(<= (next (passed ?x)) (true (at ?x)))
(<= (next (passed ?x)) (true (passed ?x)))
(<= terminal (true (gone)))
(<= (goal player 100) (true (passed a)) (true (up yes)))
(<= (goal player 50) (true (passed a)) (true (up no)))
(<= (goal player 50) (not (true (passed a))) (true (up yes)))
(<= (goal player 0) (not (true (passed a))) (true (up no)))
"""
"""A walk of two ways, then a switch: the stages of a serial game."""
