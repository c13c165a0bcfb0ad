"""Random boards: machines of a few cells, with lines that close them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random

from ludisect.composition.part import Joint, LocalGame, State
from ludisect.composition.random_machine import Wanted, as_part
from ludisect.gdl.terms import Term

SHAPES: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = (
    (3, ((0, 1), (1, 2), (0, 2))),
    (4, ((0, 1), (1, 2), (2, 3))),
    (4, ((0, 1), (2, 3), (0, 2), (1, 3))),
)
"""Boards: the number of cells and their lines. Each cell has a line without it, so that the others can close it."""


@dataclass(frozen=True)
class RandomBoard:
    """Cells that are marked once, and lines of two equal marks that close the board."""

    wanted: Wanted
    cells: int
    lines: tuple[tuple[int, int], ...]

    @staticmethod
    def random(rng: Random, wanted: Wanted) -> RandomBoard:
        """One of the shapes."""
        return RandomBoard(wanted, *rng.choice(SHAPES))

    @property
    def start(self) -> State:
        return (0,) * self.cells

    @property
    def _marks(self) -> tuple[str, ...]:
        return tuple("xow"[: max(2, len(self.wanted.roles))])

    @property
    def _free(self) -> bool:
        """Whether the one who moves chooses the mark: alone, or in a part of one's own."""
        return len(self.wanted.roles) == 1 or self.wanted.owner is not None

    def states(self) -> list[State]:
        """Every combination of values, reached or not."""
        return list(product(range(len(self._marks) + 1), repeat=self.cells))

    def fluents(self, state: State) -> tuple[Term, ...]:
        return tuple(_cell(c, "b" if not m else self._marks[m - 1]) for c, m in enumerate(state))

    def _line(self, state: State) -> int:
        return next((state[a] for a, b in self.lines if state[a] and state[a] == state[b]), 0)

    def over(self, state: State) -> bool:
        return all(state) or self._line(state) > 0

    def legal(self, state: State, role: int) -> tuple[Term, ...]:
        if self.over(state) or self.wanted.owner not in (None, role):
            return ()
        blank = [c for c, m in enumerate(state) if not m]
        if self._free:
            return tuple(Term("mark", (Term(f"c{c}"), Term(m))) for c in blank for m in self._marks)
        return tuple(Term("mark", (Term(f"c{c}"),)) for c in blank)

    def step(self, state: State, joint: Joint) -> State:
        out = list(state)
        for r, move in reversed(list(enumerate(joint))):  # of two marks in one cell, the first role's stays
            if move is not None:
                c = int(str(move.args[0])[1:])
                out[c] = 1 + (self._marks.index(str(move.args[1])) if self._free else r)
        return tuple(out)

    def worth(self, state: State, role: int) -> int:
        lines = {state[a] for a, b in self.lines if state[a] and state[a] == state[b]}
        return 100 if (1 if self._free else role + 1) in lines else 0

    def whole(self, going: Sequence[State], *, lone: bool) -> bool:
        """Each cell is seen blank on a board that the others closed.

        Where nobody can see a closed board, only the goal holds the cells together. The lines of a path do: no cells
        of it can be judged by themselves. "Any two of three" and a cycle ("one of these two and one of those two") do
        not.
        """
        if lone:
            return len(self.lines) == self.cells - 1
        closed = [s for s in going if self._line(s)]
        return all(any(not s[c] for s in closed) for c in range(self.cells))

    def part(self, name: str) -> LocalGame:
        """The board in local rules."""
        roles, marks = self.wanted.roles, self._marks
        facts = [f"(init {_cell(c, 'b')})" for c in range(self.cells)]
        facts += [f"(line c{a} c{b})" for a, b in self.lines]
        owner = "?r" if self.wanted.owner is None else roles[self.wanted.owner]
        if self._free:
            facts += [f"(sign {m})" for m in marks]
            facts += [
                f"(<= (legal {owner} (mark ?c ?m)) (role {owner}) (true (cell ?c b)) (sign ?m) (not closed))",
                f"(<= (next (cell ?c ?m)) (does {owner} (mark ?c ?m)))",
                f"(<= (marked ?c) (does {owner} (mark ?c ?m)))",
                f"(<= (goal ?r 100) (role ?r) (lined {marks[0]}))",
                f"(<= (goal ?r 0) (role ?r) (not (lined {marks[0]})))",
            ]
        else:
            facts += [f"(plays {role} {m})" for role, m in zip(roles, marks, strict=True)]
            facts += [
                "(<= (legal ?r (mark ?c)) (role ?r) (true (cell ?c b)) (not closed))",
                "(<= (marked ?c) (does ?r (mark ?c)))",
                "(<= (goal ?r 100) (plays ?r ?m) (lined ?m))",
                "(<= (goal ?r 0) (plays ?r ?m) (not (lined ?m)))",
            ]
            for r, role in enumerate(roles):
                before = roles[:r] if self.wanted.turns == "simultaneous" else ()
                faster = " ".join(f"(not (does {other} (mark ?c)))" for other in before)
                facts.append(f"(<= (next (cell ?c {marks[r]})) (does {role} (mark ?c)) {faster})")
        facts += [
            "(<= (next (cell ?c ?m)) (true (cell ?c ?m)) (not (marked ?c)))",
            "(<= (lined ?m) (line ?c ?d) (true (cell ?c ?m)) (true (cell ?d ?m)) (distinct ?m b))",
            "(<= blank (true (cell ?c b)))",
            "(<= closed (lined ?m))",
            "(<= closed (not blank))",
            "(<= terminal closed)",
        ]
        return as_part(self, name, facts)


@cache
def _cell(c: int, mark: str) -> Term:
    return Term("cell", (Term(f"c{c}"), Term(mark)))
