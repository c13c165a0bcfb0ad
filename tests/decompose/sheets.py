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


WALK_THEN_SWITCH = """
(role player) (path s a) (path s b) (path a end) (path b end) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(init (at s)) (init (up no)) (init (step 0))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal player (walk ?y)) (true (at ?x)) (path ?x ?y))
(<= (legal player switch) (true (at end)))
(<= (legal player rest) (true (at end)))
(<= (next (at ?y)) (does player (walk ?y)))
(<= (next (at ?x)) (true (at ?x)) (not walked))
(<= walked (does player (walk ?y)))
(<= (next (up yes)) (does player switch) (true (up no)))
(<= (next (up no)) (does player switch) (true (up yes)))
(<= (next (up ?x)) (true (up ?x)) (not (does player switch)))
(<= (next (passed ?x)) (true (at ?x)))
(<= (next (passed ?x)) (true (passed ?x)))
(<= terminal (true (step 4)))
(<= (goal player 100) (true (passed a)) (true (up yes)))
(<= (goal player 50) (true (passed a)) (true (up no)))
(<= (goal player 50) (not (true (passed a))) (true (up yes)))
(<= (goal player 0) (not (true (passed a))) (true (up no)))
"""
"""A walk of two ways, then a switch: the stages of a serial game."""

ODOMETER = """
(role player) (succ 0 1) (succ 1 2) (succ 2 0) (after 0 1) (after 1 2) (after 2 3) (after 3 4)
(init (low 0)) (init (high 0)) (init (step 0))
(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
(legal player turn) (legal player rest)
(<= carry (does player turn) (true (low 2)))
(<= (next (low ?n)) (does player turn) (true (low ?m)) (succ ?m ?n))
(<= (next (low ?n)) (true (low ?n)) (not (does player turn)))
(<= (next (high ?n)) carry (true (high ?m)) (succ ?m ?n))
(<= (next (high ?n)) (true (high ?n)) (not carry))
(<= terminal (true (step 4)))
(<= (goal player 100) (true (high 1)))
(<= (goal player 0) (not (true (high 1))))
"""
"""A wheel that turns the next one once in a round."""

BY_THE_CLOCK = switches("abcd", lines(["ab", "cd"]), steps=6).replace(
    "(<= (legal player (push ?x)) (switch ?x) (not (true (up ?x))))",
    "(<= (legal player (push ?x)) (open ?n ?x) (true (step ?n)) (not (true (up ?x))))",
) + " ".join(f"(open {n} {x})" for n in range(6) for x in ("ab" if n < 3 else "cd"))
"""Of four switches two can be put early and two late; either pair wins."""

LIFELINE = """
(role player) (cell a) (cell b) (cell c) (next-to a b) (next-to b a) (next-to b c) (next-to c b)
(succ 0 1) (succ 1 2) (init (step 0))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (blocked ?x) (next-to ?x ?y) (true (stone ?y)))
(<= (legal player (put ?x)) (cell ?x) (not (true (stone ?x))) (not (blocked ?x)))
(legal player quit)
(<= (next (stone ?x)) (does player (put ?x)))
(<= (next (stone ?x)) (true (stone ?x)))
(<= (next finished) (does player quit))
(<= terminal (true finished))
(<= terminal (true (step 2)))
(<= (goal player 0) (true finished))
(<= (goal player 100) (not (true finished)))
"""
"""Stones that nobody counts, put so as not to have to give up before the time is over."""
