"""Rule sheets of board games for tests of regions, and states of them from native boards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import ludisect
from ludisect.circuit.game import Game
from ludisect.gdl.state import State
from ludisect.rulesets.amazons import Amazons
from ludisect.rulesets.clobber import Clobber
from ludisect.rulesets.colouring import Col, Snort
from ludisect.rulesets.domineering import Domineering
from ludisect.rulesets.grid import GridPosition
from ludisect.rulesets.nogo import NoGo
from ludisect.rulesets.toads import Toads

_TURNS = """
(role left) (role right)
(follows left right) (follows right left)
(<= (base (control ?p)) (role ?p))
(init (control left))
(<= (next (control ?q)) (true (control ?p)) (follows ?p ?q))
(<= (input ?p noop) (role ?p))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal ?q 100) (true (control ?p)) (follows ?p ?q))
(<= (base (stone ?p ?r ?c)) (role ?p) (square ?r ?c))
(<= (near ?r ?c ?r ?c2) (succ ?c ?c2) (square ?r ?c) (square ?r ?c2))
(<= (near ?r ?c ?r2 ?c) (succ ?r ?r2) (square ?r ?c) (square ?r2 ?c))
(<= (near ?r ?c ?r2 ?c2) (beside ?r ?c ?r2 ?c2))
(<= (beside ?r ?c ?r ?c2) (succ ?c2 ?c) (square ?r ?c) (square ?r ?c2))
(<= (beside ?r ?c ?r2 ?c) (succ ?r2 ?r) (square ?r ?c) (square ?r2 ?c))
"""

_PLACING = """
(<= (filled ?r ?c) (true (stone ?p ?r ?c)))
(<= (input ?p (place ?r ?c)) (role ?p) (square ?r ?c))
(<= (legal ?p (place ?r ?c)) (true (control ?p)) (can ?p ?r ?c))
(<= (next (stone ?p ?r ?c)) (does ?p (place ?r ?c)))
(<= (next (stone ?p ?r ?c)) (true (stone ?p ?r ?c)))
(<= can-move (true (control ?p)) (can ?p ?r ?c))
(<= terminal (not can-move))
"""

_COL = """
(<= (bad ?p ?r ?c) (near ?r ?c ?r2 ?c2) (true (stone ?p ?r2 ?c2)))
(<= (can ?p ?r ?c) (role ?p) (square ?r ?c) (not (filled ?r ?c)) (not (bad ?p ?r ?c)))
"""

_SNORT = _COL.replace("(near ?r ?c ?r2 ?c2) (true (stone ?p", "(follows ?p ?q) (near ?r ?c ?r2 ?c2) (true (stone ?q")

_NOGO = """
(<= (after ?p ?r ?c ?p ?r ?c) (role ?p) (square ?r ?c))
(<= (after ?p ?r ?c ?q ?x ?y) (role ?p) (square ?r ?c) (true (stone ?q ?x ?y)))
(<= (breathes ?p ?r ?c ?q ?x ?y)
    (after ?p ?r ?c ?q ?x ?y) (near ?x ?y ?x2 ?y2) (not (filled ?x2 ?y2)) (or (distinct ?r ?x2) (distinct ?c ?y2)))
(<= (breathes ?p ?r ?c ?q ?x ?y)
    (after ?p ?r ?c ?q ?x ?y) (near ?x ?y ?x2 ?y2) (breathes ?p ?r ?c ?q ?x2 ?y2))
(<= (dies ?p ?r ?c) (after ?p ?r ?c ?q ?x ?y) (not (breathes ?p ?r ?c ?q ?x ?y)))
(<= (can ?p ?r ?c) (role ?p) (square ?r ?c) (not (filled ?r ?c)) (not (dies ?p ?r ?c)))
"""

_AMAZONS = """
(<= (base (arrow ?r ?c)) (square ?r ?c))
(<= (init (stone left 1 1)))
(<= (blocked ?r ?c) (true (stone ?p ?r ?c)))
(<= (blocked ?r ?c) (true (arrow ?r ?c)))
(<= (sees ?r ?c ?r2 ?c2) (line ?r ?c ?r2 ?c2) (not (blocked ?r2 ?c2)) (not (hidden ?r ?c ?r2 ?c2)))
(<= (hidden ?r ?c ?r2 ?c2) (between ?r ?c ?x ?y ?r2 ?c2) (blocked ?x ?y))
(<= (clear ?a ?b ?r ?c ?r2 ?c2) (square ?a ?b) (line ?r ?c ?r2 ?c2) (not (stopped ?a ?b ?r ?c ?r2 ?c2)))
(<= (stopped ?a ?b ?r ?c ?r2 ?c2) (square ?a ?b) (between ?r ?c ?x ?y ?r2 ?c2) (blocked ?x ?y)
    (or (distinct ?a ?x) (distinct ?b ?y)))
(<= (stopped ?a ?b ?r ?c ?r2 ?c2) (square ?a ?b) (line ?r ?c ?r2 ?c2) (blocked ?r2 ?c2)
    (or (distinct ?a ?r2) (distinct ?b ?c2)))
(<= (input ?p (shoot ?a ?b ?r ?c ?r2 ?c2)) (role ?p) (line ?a ?b ?r ?c) (line ?r ?c ?r2 ?c2))
(<= (can ?p ?a ?b ?r ?c ?r2 ?c2)
    (true (stone ?p ?a ?b)) (sees ?a ?b ?r ?c) (clear ?a ?b ?r ?c ?r2 ?c2))
(<= (legal ?p (shoot ?a ?b ?r ?c ?r2 ?c2)) (true (control ?p)) (can ?p ?a ?b ?r ?c ?r2 ?c2))
(<= (moved ?p ?a ?b) (does ?p (shoot ?a ?b ?r ?c ?r2 ?c2)))
(<= (next (stone ?p ?r ?c)) (does ?p (shoot ?a ?b ?r ?c ?r2 ?c2)))
(<= (next (stone ?p ?a ?b)) (true (stone ?p ?a ?b)) (not (moved ?p ?a ?b)))
(<= (next (arrow ?r2 ?c2)) (does ?p (shoot ?a ?b ?r ?c ?r2 ?c2)))
(<= (next (arrow ?r ?c)) (true (arrow ?r ?c)))
(<= can-move (true (control ?p)) (can ?p ?a ?b ?r ?c ?r2 ?c2))
(<= terminal (not can-move))
"""


def _squares(rows: int, cols: int) -> str:
    squares = " ".join(f"(square {r} {c})" for r in range(1, rows + 1) for c in range(1, cols + 1))
    return squares + " " + " ".join(f"(succ {n} {n + 1})" for n in range(1, max(rows, cols)))


def _lines(rows: int, cols: int) -> str:
    out = []
    for r in range(1, rows + 1):
        for c in range(1, cols + 1):
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)):
                passed: list[tuple[int, int]] = []
                y, x = r + dr, c + dc
                while 1 <= y <= rows and 1 <= x <= cols:
                    out.append(f"(line {r} {c} {y} {x})")
                    out += [f"(between {r} {c} {b} {a} {y} {x})" for b, a in passed]
                    passed.append((y, x))
                    y, x = y + dr, x + dc
    return " ".join(out)


def _sheet(rows: int, cols: int, *rules: str) -> Game:
    return ludisect.load(_TURNS + _squares(rows, cols) + "".join(rules))


def _amazons(rows: int, cols: int) -> Game:
    start = f"(init (stone left 1 1)) (init (stone right {rows} {cols}))"
    return _sheet(rows, cols, _AMAZONS.replace("(<= (init (stone left 1 1)))", start), _lines(rows, cols))


@dataclass(frozen=True)
class Board:
    """A board game as rules and as a class of ours; ``cells`` are those that random boards have."""

    load: Callable[[int, int], Game]
    native: type[GridPosition]
    cells: str
    facts: dict[str, str]
    movers: tuple[str, str] = ("left", "right")

    def board(self, cols: int, cells: str) -> GridPosition:
        return self.native("|".join(cells[i : i + cols] for i in range(0, len(cells), cols)))

    def state(self, game: Game, cols: int, cells: str, mover: int = 0) -> State[Game]:
        places = [(divmod(i, cols), x) for i, x in enumerate(cells) if x in self.facts]
        held = [self.facts[x].format(r=r + 1, c=c + 1, lane="abcdef"[r]) for (r, c), x in places if r < 6]
        return game.state([f"(control {self.movers[mover]})", *held])


_BOTH = {"X": "(stone left {r} {c})", "O": "(stone right {r} {c})"}

BOARDS = {
    "domineering": Board(
        lambda rows, cols: ludisect.load(f"domineering:{rows}x{cols}"), Domineering, "...#", {".": "(free {r} {c})"},
        ("vertical", "horizontal"),
    ),
    "clobber": Board(
        lambda rows, cols: ludisect.load(f"clobber:{rows}x{cols}"), Clobber, "XO.",
        {"X": "(stone black {r} {c})", "O": "(stone white {r} {c})"}, ("black", "white"),
    ),
    "toads": Board(
        lambda rows, cols: ludisect.load("toads-and-frogs:" + ",".join(["T" + "_" * (cols - 2) + "F"] * rows)), Toads,
        "XO..", {"X": "(at {lane} {c} t)", "O": "(at {lane} {c} f)", ".": "(at {lane} {c} empty)"}, ("toads", "frogs"),
    ),
    "col": Board(lambda rows, cols: _sheet(rows, cols, _PLACING, _COL), Col, "XO...", _BOTH),
    "snort": Board(lambda rows, cols: _sheet(rows, cols, _PLACING, _SNORT), Snort, "XO....", _BOTH),
    "nogo": Board(lambda rows, cols: _sheet(rows, cols, _PLACING, _NOGO), NoGo, "XO..", _BOTH),
    "amazons": Board(_amazons, Amazons, "XO..###", {**_BOTH, "#": "(arrow {r} {c})"}),
}  # fmt: skip


@cache
def sheet(name: str, rows: int, cols: int) -> Game:
    return BOARDS[name].load(rows, cols)
