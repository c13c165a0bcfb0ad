"""Variants of bundled games in which one condition of regions is another, or fails."""

from __future__ import annotations

from ludisect.circuit.game import Game
from ludisect.games import bundled
from ludisect.loader import load

ABLE = {
    "domineering": "(<= (able ?p) (fits ?p ?r ?c ?r2 ?c2) (true (free ?r ?c)) (true (free ?r2 ?c2)))",
    "amazons": "(<= (able ?p) (true (queen ?p ?r ?c)) (step ?d ?r ?c ?r2 ?c2) (true (free ?r2 ?c2)))",
}

STUCK = """
(<= terminal (role ?p) (not (able ?p)))
(<= (goal ?p 0) (role ?p) (not (able ?p)) (true (control ?p)))
(<= (goal ?p 0) (follows ?p ?q) (not (able ?p)) (able ?q))
(<= (goal ?p 100) (able ?p))
(<= (goal ?p 100) (not (able ?p)) (follows ?p ?q) (true (control ?q)) (not (able ?q)))
"""
"""Play ends as soon as either player could not move; if neither can, who is to move loses."""


def variant(name: str, *changes: tuple[str, str], more: str = "") -> Game:
    """A bundled game with pieces of its sheet replaced, each of which must be there."""
    text = bundled.source(name)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return load(text + more)


LOSES = "(<= (goal ?p 0) (true (control ?p)))\n(<= (goal ?q 100) (true (control ?p)) (follows ?p ?q))"
ENDS = "(<= terminal (not can-move))"


def misere(name: str) -> Game:
    """The same game, in which whoever cannot move wins."""
    return variant(name, ("(goal ?p 0)", "(goal ?p 100)"), ("(goal ?q 100)", "(goal ?q 0)"))


def either_stuck(name: str) -> Game:
    """A board of Domineering, or another game, that ends when either player could not move."""
    name = name if ":" in name else f"domineering:{name}"
    return variant(name, (ENDS, ""), (LOSES, ""), more=ABLE[name.partition(":")[0]] + STUCK)
