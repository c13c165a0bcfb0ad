"""Nim, written in Python: the same game as the bundled sheet ``nim``.

It prints:

    1. dependent: (heap a *)
    2. dependent: (heap b *)
    3. dependent: (heap c *)
    4. independent: (control *)
    {'player1': 100, 'player2': 0} {'player1': Term.parse('(reduce a 2)')}
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase

import ludisect
from ludisect.gdl import Condition, FluentTerm, MoveTerm, PythonRules, any_of, condition, does, fluent, move

heap, control = fluent("heap"), fluent("control")
reduce, noop = move("reduce"), move("noop")


class Nim(PythonRules):
    """Take any number of counters from one heap; who cannot move loses."""

    roles = ("player1", "player2")

    def __init__(self, *sizes: int) -> None:
        self.name = f"nim:{','.join(map(str, sizes))}"
        self.heaps = dict(zip(ascii_lowercase, sizes, strict=False))

    def start(self) -> Iterator[FluentTerm]:
        yield control("player1")
        for h, size in self.heaps.items():
            yield heap(h, size)

    def legal(self, role: str) -> Iterator[tuple[MoveTerm, Condition]]:
        for h, size in self.heaps.items():
            for left in range(size):
                yield reduce(h, left), control(role) & self.more(h, left)
        yield noop, ~control(role)

    def next(self) -> Iterator[tuple[FluentTerm, Condition]]:
        for h, size in self.heaps.items():
            for n in range(size + 1):
                yield heap(h, n), heap(h, n) & ~self.reduced(h)
            for n in range(size):
                yield heap(h, n), any_of(does(role, reduce(h, n)) for role in self.roles)
        yield control("player1"), control("player2")
        yield control("player2"), control("player1")

    @condition
    def more(self, h: str, left: int) -> Iterator[Condition]:
        """There are more counters on the heap than so many: one more, or more than one more."""
        yield heap(h, left + 1)
        if left + 1 < self.heaps[h]:
            yield self.more(h, left + 1)

    @condition
    def reduced(self, h: str) -> Condition:
        """Somebody takes from the heap."""
        return any_of(does(role, reduce(h, n)) for role in self.roles for n in range(self.heaps[h]))

    def terminal(self) -> Condition:
        return ~any_of(self.more(h, 0) for h in self.heaps)

    def goal(self, role: str) -> Iterator[tuple[int, Condition]]:
        yield 0, control(role)  # the other took the last counter
        yield 100, ~control(role)


def main() -> None:
    game = ludisect.load(Nim(3, 5, 7))
    for part in ludisect.decompose(game):
        print(part)
    answer = ludisect.solve(game)
    print(answer.value, answer.move)


if __name__ == "__main__":
    main()
