"""Decompositions that are known: of bundled games by hand, of random compounds as they were made."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from ludisect import load
from ludisect.circuit.game import Game
from ludisect.composition import compose_one
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.assemble import Found, assemble
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.games import bundled
from ludisect.search.part.reading import Reading, read_choice
from tests.search.byhand import by_hand


@cache
def taken_apart(name: str) -> Decomposition:
    """A bundled game as the program takes it apart, once for all tests, which only read it."""
    return decompose(load(name))


BLOCKS = r"\((on|table|clear) "
FREE_BLOCKS = r"(\((?:stack|unstack) .*)"


@cache
def nim(*heaps: int, misere: bool = False) -> Decomposition:
    """One part per heap."""
    game = load(("nim-misere:" if misere else "nim:") + ",".join(map(str, heaps)))
    letters = "abcdefghijklmnopqrstuvwxyz"[: len(heaps)]
    return by_hand(game, [(rf"\(heap {x} ", rf"\(reduce {x} ") for x in letters], [r"\(control "])


@cache
def kayles(*rows: int, misere: bool = False) -> Decomposition:
    """One part per row; in misère play whoever takes the last pin loses."""
    name = "kayles:" + ",".join(map(str, rows))
    if misere:
        swapped = bundled.source(name).replace("(goal ?p 0)", "(goal ?p won)").replace("(goal ?q 100)", "(goal ?q 0)")
        game = load(swapped.replace("(goal ?p won)", "(goal ?p 100)"))
    else:
        game = load(name)
    letters = "abcdefghijklmnopqrstuvwxyz"[: len(rows)]
    return by_hand(game, [(rf"\(standing {x} ", rf"\(bowl {x} ") for x in letters], [r"\(control "])


@cache
def double_tictactoe() -> Decomposition:
    """Two boards and the turn."""
    return by_hand(load("double-tictactoe"), [(r"\(cell1 ", r"\(mark1 "), (r"\(cell2 ", r"\(mark2 ")], [r"\(control "])


@cache
def double_tictactoe_read() -> Reading:
    """Its local graphs, explored once for all tests."""
    return read_choice(double_tictactoe())


@cache
def double_crisscross() -> Decomposition:
    """Two crossings and the turn."""
    return by_hand(
        load("double-crisscross"), [(r"\(man a ", r"\(move a "), (r"\(man b ", r"\(move b ")], [r"\(control "]
    )


@cache
def two_track() -> Decomposition:
    """Two walkers."""
    return by_hand(load("two-track"), [(r"\(at1 ", r"\(move1 "), (r"\(at2 ", r"\(move2 ")])


@cache
def blocks_maze() -> Decomposition:
    """The walk, the blocks, the step."""
    return by_hand(
        load("blocks-maze"),
        [(r"\((cell|gold) ", r"(move|grab|drop)$"), (BLOCKS, FREE_BLOCKS)],
        [r"\(step "],
    )


@cache
def serial_tictactoe() -> Decomposition:
    """Two boards, the second after the first."""
    return by_hand(
        load("serial-tictactoe"),
        [(r"\(first ", r"\(mark1 "), (r"\(second ", r"\(mark2 ")],
        [r"\(control "],
        structure="serial",
        after=[(), (1,)],
    )


@cache
def relay() -> Decomposition:
    """Three puzzles, one after the other."""
    return by_hand(
        load("relay"),
        [(r"\(at ", r"\(walk "), (r"\(peg ", r"\(jump "), (r"\(rope ", r"\(cut ")],
        structure="serial",
        after=[(), (1,), (1, 2)],
    )


@cache
def parallel_tictactoe() -> Decomposition:
    """Two boards, both marked every turn; a move's class on a board is the square there."""
    return by_hand(
        load("parallel-tictactoe"),
        [(r"\(first ", r"\(mark ([abc]\d) "), (r"\(second ", r"\(mark \S+ ([abc]\d)\)")],
        [r"\(control "],
        structure="parallel-sync",
    )


@cache
def runners() -> Decomposition:
    """One track per runner."""
    game = load("runners")
    parts = by_hand(
        game,
        [(r"\((at|breath) red ", r"(walk|sprint|rest)$"), (r"\((at|breath) blue ", r"(walk|sprint|rest)$")],
        [r"\(round "],
        structure="parallel-sync",
    )
    # each pace is a move of both roles, but a runner moves on one track only
    own = tuple(
        replace(s, move_numbers=tuple(classes if r == i else () for r, classes in enumerate(s.move_numbers)))
        if s.kind == "dependent"
        else s
        for i, s in enumerate(parts.parts)
    )
    return replace(parts, parts=own)


@cache
def toads_and_frogs() -> Decomposition:
    """One part per lane."""
    game = load("toads-and-frogs")
    return by_hand(game, [(rf"\(at {x}", rf"\(move {x}") for x in "ab"], [r"\(control"])


@cache
def four_lamps() -> Decomposition:
    """One part per lamp."""
    return by_hand(load("four-lamps"), [(rf"\(on {x}", rf"\(push {x}") for x in "abcd"])


LIFTS = """
(role r) (init (up1 0)) (init (up2 0)) (init (time 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (step 1) (step 2)
(<= (plus 1 ?m ?n) (succ ?m ?n)) (<= (plus 2 ?m ?n) (succ ?m ?k) (succ ?k ?n))
(<= (legal r (lift ?i ?j)) (step ?i) (step ?j))
(<= (next (up1 ?n)) (does r (lift ?i ?j)) (true (up1 ?m)) (plus ?i ?m ?n))
(<= (next (up2 ?n)) (does r (lift ?i ?j)) (true (up2 ?m)) (plus ?j ?m ?n))
(<= (next (time ?n)) (true (time ?m)) (succ ?m ?n))
(<= terminal (true (up1 5))) (<= terminal (true (up1 6)))
(<= terminal (true (up2 4))) (<= terminal (true (up2 5))) (<= terminal (true (up2 6)))
(<= terminal (true (time 4)))
(<= good (true (up1 5)) (true (up2 4)))
(<= (goal r 100) good)
(<= (goal r 40) (true (up2 4)) (not good))
(<= (goal r 0) (not (true (up2 4))))
"""
"""Two lifts go up by 1 or 2 each at every move; both must arrive at the same time, one at 5, the other at 4."""


@cache
def lifts() -> Decomposition:
    """A part per lift."""
    parts = [(r"\(up1 ", r"\(lift (\d) "), (r"\(up2 ", r"\(lift \d (\d)\)")]
    return by_hand(load(LIFTS), parts, [r"\(time "], structure="parallel-sync")


@cache
def compound(number: int, seed: int = 0) -> Decomposition:
    """The compound game with this number, with its parts."""
    made = compose_one(number, seed)
    return parts_of(load(made.rules), made.answer)


def parts_of(game: Game, answer: dict[str, Any]) -> Decomposition:
    """A decomposition from its JSON: the fluents are taken as they stand, the local moves are found again."""
    index = {str(term): f for f, term in enumerate(game.fluents)}
    named = {s["id"]: tuple(index[f] for f in s["fluents"] if f in index) for s in answer["subgames"]}
    dependent = [s for s in answer["subgames"] if s["kind"] == "dependent"]
    place = {s["id"]: i for i, s in enumerate(dependent)}
    found = Found(
        groups=tuple(named[s["id"]] for s in dependent),
        independent=tuple(named[s["id"]] for s in answer["subgames"] if s["kind"] == "independent"),
        after={place[s["id"]]: tuple(place[a] for a in s["after"]) for s in dependent if s["after"]},
        useless=frozenset(place[s["id"]] for s in dependent if not s["useful"]),
    )
    return assemble(game, found, "composed", take_sample(game))
