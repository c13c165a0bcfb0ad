"""Small rule sheets made for one question each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise


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


def lamps_and_dial(lamps: int) -> str:
    """A row of lamps, each pressed together with its neighbours, or a dial of three is turned."""
    row = range(lamps)
    near = " ".join(f"(near {i} {j})" for i in row for j in row if abs(i - j) < 2)
    return f"""
(role player) {" ".join(f"(lamp {i})" for i in row)} {near} (turn a b) (turn b c) (turn c a)
(init (dial a)) (init (step 0)) {" ".join(f"(succ {n} {n + 1})" for n in range(5))}
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal player (press ?i)) (lamp ?i))
(legal player (dial one)) (legal player (dial two))
(<= pressed (does player (press ?i)))
(<= (next (lit ?j)) (does player (press ?i)) (near ?i ?j) (not (true (lit ?j))))
(<= (next (lit ?j)) (does player (press ?i)) (true (lit ?j)) (not (near ?i ?j)))
(<= (next (lit ?j)) (true (lit ?j)) (not pressed))
(<= (next (dial ?y)) (does player (dial one)) (true (dial ?x)) (turn ?x ?y))
(<= (next (dial ?z)) (does player (dial two)) (true (dial ?x)) (turn ?x ?y) (turn ?y ?z))
(<= (next (dial ?x)) (true (dial ?x)) pressed)
(<= terminal (true (step 5)))
(<= bright {" ".join(f"(true (lit {i}))" for i in row)})
(<= (goal player 100) bright (true (dial c)))
(<= (goal player 50) bright (not (true (dial c))))
(<= (goal player 50) (not bright) (true (dial c)))
(<= (goal player 0) (not bright) (not (true (dial c))))
"""


RINGS_IN_STEP = """
(role player) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(way one a b) (way one a d) (way one b c) (way one c d) (way one d a)
(way two a b) (way two a c) (way two b c) (way two c b) (way two c d) (way two d b)
(way three a a) (way three a b) (way three b a) (way three b b)
(init (at one a)) (init (at two a)) (init (at three a)) (init (step 0))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (steps ?w ?y) (true (at ?w ?x)) (way ?w ?x ?y))
(<= (legal player (walk ?x ?y ?z)) (steps one ?x) (steps two ?y) (steps three ?z))
(<= (next (at one ?x)) (does player (walk ?x ?y ?z)))
(<= (next (at two ?y)) (does player (walk ?x ?y ?z)))
(<= (next (at three ?z)) (does player (walk ?x ?y ?z)))
(<= terminal (true (step 5)))
(<= home (true (at one d)) (true (at two d)))
(<= (goal player 100) home)
(<= (goal player 0) (not home))
"""
"""Walkers that all move at every step; two of them have to leave their goals again, whatever else is done."""

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


def by_the_clock(times: Mapping[str, Iterable[int]]) -> str:
    """Switches of which each can be put at its times only; a and b together win, or c and d."""
    return switches("".join(times), lines(["ab", "cd"]), steps=6).replace(
        "(<= (legal player (push ?x)) (switch ?x) (not (true (up ?x))))",
        "(<= (legal player (push ?x)) (open ?n ?x) (true (step ?n)) (not (true (up ?x))))",
    ) + " ".join(f"(open {n} {x})" for x, at in times.items() for n in at)


def slow_lock(late: int) -> str:
    """A walk of two ways, then a lamp; what the lamp reads of the walk goes on by itself for some steps."""
    ends = [f"end{n}" for n in range(late + 1)]
    roads = " ".join(f"(road {x} {y})" for x, y in pairwise(ends))
    return f"""
(role player) (path s a) (path s b) (path a end0) (path b end0) {roads} {" ".join(f"(open {x})" for x in ends)}
{" ".join(f"(succ {n} {n + 1})" for n in range(late + 3))} (init (at s)) (init (step 0))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal player (walk ?y)) (true (at ?x)) (path ?x ?y))
(<= (legal player light) (true (at ?x)) (open ?x) (not (true lit)))
(<= (legal player dim) (true (at ?x)) (open ?x) (true lit))
(<= (legal player rest) (true (at ?x)) (open ?x))
(<= (next (at ?y)) (does player (walk ?y)))
(<= (next (at ?y)) (true (at ?x)) (road ?x ?y))
(<= (next (at {ends[-1]})) (true (at {ends[-1]})))
(<= (next lit) (does player light))
(<= (next lit) (true lit) (not (does player dim)))
(<= (next (passed ?x)) (true (at ?x)))
(<= (next (passed ?x)) (true (passed ?x)))
(<= terminal (true (step {late + 3})))
(<= (goal player 100) (true (passed a)) (true lit))
(<= (goal player 50) (true (passed a)) (not (true lit)))
(<= (goal player 50) (not (true (passed a))) (true lit))
(<= (goal player 0) (not (true (passed a))) (not (true lit)))
"""


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


def mouse_and_traps(cells: int = 10, steps: int = 20) -> str:
    """A mouse on a strip runs to a hole while traps are laid: random play does not get far, and a cell can hold a
    mouse and a trap at once."""
    numbers = " ".join(f"(succ {n} {n + 1})" for n in range(1, max(cells, steps)))
    return f"""
(role mouse) (role trapper) {numbers}
(init (turn trapper)) (init (step 1)) (init (cell 1 mouse))
{" ".join(f"(init (cell {n} free))" for n in range(2, cells))} (init (cell {cells} hole))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (turn mouse)) (true (turn trapper)))
(<= (next (turn trapper)) (true (turn mouse)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (legal trapper (lay ?n)) (true (turn trapper)) (true (cell ?n free)))
(<= (legal mouse (run ?n)) (true (turn mouse)) (true (cell ?m mouse)) (beside ?m ?n) (true (cell ?n ?any)))
(<= (beside ?m ?n) (succ ?m ?n))
(<= (beside ?m ?n) (succ ?n ?m))
(<= (next (cell ?n mouse)) (does mouse (run ?n)))
(<= (next (cell ?n mouse)) (true (cell ?n mouse)) (true (turn trapper)))
(<= (next (cell ?n free)) (true (cell ?n mouse)) (true (turn mouse)))
(<= (next (cell ?n free)) (true (cell ?n free)) (not (does trapper (lay ?n))) (not (does mouse (run ?n))))
(<= (next (cell ?n trap)) (does trapper (lay ?n)))
(<= (next (cell ?n trap)) (true (cell ?n trap)))
(<= (next (cell ?n hole)) (true (cell ?n hole)))
(<= (caught) (true (cell ?n mouse)) (true (cell ?n trap)))
(<= (safe) (true (cell ?n mouse)) (true (cell ?n hole)))
(<= terminal (caught)) (<= terminal (safe)) (<= terminal (true (step {steps})))
(<= (goal trapper 100) (caught)) (<= (goal trapper 0) (not (caught)))
(<= (goal mouse 100) (safe)) (<= (goal mouse 0) (not (safe)))
"""


def take_or_leave(rounds: int = 24) -> str:
    """Two players by turns take the pot, which ends the play, or leave it to grow; a full pot ends the play too, which
    random play never sees."""
    numbers = " ".join(f"(succ {n} {n + 1})" for n in range(rounds))
    return f"""
(role one) (role two) {numbers}
(init (pot 0)) (init (turn one))
(<= (next (turn one)) (true (turn two)))
(<= (next (turn two)) (true (turn one)))
(<= (legal ?r take) (true (turn ?r)))
(<= (legal ?r leave) (true (turn ?r)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (pot ?n)) (true (pot ?m)) (does ?r leave) (succ ?m ?n))
(<= (next (pot ?n)) (true (pot ?n)) (does ?r take))
(<= (next over) (does ?r take))
(<= (next over) (true (pot {rounds})))
(<= terminal (true over))
(<= (goal ?r ?n) (role ?r) (true over) (true (pot ?n)))
(<= (goal ?r 0) (role ?r) (not (true over)))
"""


def two_numbers(most: int) -> str:
    """Two players name a number each, at once; the numbers have to add up to the largest."""
    numbers = " ".join(f"(number {n}) (pair {n} {most - n})" for n in range(most + 1))
    return f"""
(role one) (role two) {numbers}
(<= (legal ?r (name ?n)) (role ?r) (number ?n))
(<= (next (named ?r ?n)) (does ?r (name ?n)))
(<= terminal (true (named ?r ?n)))
(<= (match) (true (named one ?m)) (true (named two ?n)) (pair ?m ?n))
(<= (goal ?r 100) (role ?r) (match))
(<= (goal ?r 0) (role ?r) (not (match)))
"""


def in_a_row(size: int, length: int) -> str:
    """A square board on which so many marks in a row win; few plays show a row that ends in a corner."""

    def row(across: int, up: int) -> str:
        steps = range(1, length + 1)
        x = ["?x1" if across == 0 else f"?x{i}" for i in steps]
        y = ["?y1" if up == 0 else f"?y{i}" for i in steps]
        links = [f"(after {a} {b})" for a, b in pairwise(x) if across]
        links += [f"(after {a} {b})" if up > 0 else f"(after {b} {a})" for a, b in pairwise(y) if up]
        cells = [f"(true (cell {a} {b} ?r))" for a, b in zip(x, y, strict=True)]
        return f"(<= (row ?r) (role ?r) {' '.join([*cells, *links])})"

    return "\n".join(
        [
            *(f"(index {i})" for i in range(size)),
            *(f"(after {i} {i + 1})" for i in range(size - 1)),
            *(row(*way) for way in ((1, 0), (0, 1), (1, 1), (1, -1))),
            """
            (role x) (role o) (init (control x))
            (<= (init (cell ?x ?y b)) (index ?x) (index ?y))
            (<= (legal ?r (mark ?x ?y)) (true (control ?r)) (true (cell ?x ?y b)))
            (<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
            (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
            (<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)))
            (<= (next (cell ?x ?y ?m)) (true (cell ?x ?y ?m)) (not (marked ?x ?y)))
            (<= (marked ?x ?y) (does ?r (mark ?x ?y)))
            (<= won (row ?r)) (<= open (true (cell ?x ?y b)))
            (<= terminal won) (<= terminal (not open))
            (<= (goal ?r 100) (row ?r)) (<= (goal x 0) (row o)) (<= (goal o 0) (row x))
            (<= (goal ?r 50) (role ?r) (not won))
            """,
        ]
    )
