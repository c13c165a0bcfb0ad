"""A small game that shows everything a machine can be asked, shared by the tests of traces, plays and conformance."""

from __future__ import annotations

from ludisect.gdl import Interpreter, read

RACE = """
(role red) (role blue) (init (at red 0)) (init (at blue 0))
(step 0 1) (step 0 2) (step 1 2) (step 1 3) (step 2 3) (other red blue) (other blue red)
(<= (legal ?r (go ?y)) (true (at ?r ?x)) (step ?x ?y))
(<= (next (at ?r ?y)) (does ?r (go ?y)))
(<= terminal (true (at ?r 3)))
(<= (goal ?r 100) (true (at ?r 3)) (other ?r ?s) (not (true (at ?s 3))))
(<= (goal ?r 50) (true (at ?r 3)) (other ?r ?s) (true (at ?s 3)))
(<= (goal ?r 0) (role ?r) (not (true (at ?r 3))))
"""
"""Both run at once, by one or two steps, to 3."""


def race(old: str = "", new: str = "") -> Interpreter:
    """The race, or the race with one piece of its rules replaced."""
    assert RACE.count(old) == 1 or not old
    return Interpreter(read(RACE.replace(old, new) if old else RACE))
