"""Misère play of impartial games (who cannot move wins): outcomes, genus, and misère quotients.

Nimbers do not decide misère play. Exact outcomes come from search over multisets of heaps; the genus describes a game
among nim heaps; the misère quotient is a finite commutative monoid that decides every sum of the given heaps. A
quotient is guessed from sums of few heaps and then proved by its transition algebra, so that a returned quotient is
right for sums of any size.

References: *Winning Ways*, ch. 13 (genus); Plambeck and Siegel, *Misère quotients for impartial games*, J. Combin.
Theory A 115 (2008) (quotients, transition algebra); Bouton (1902) for misère Nim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from ludisect.cgt.impartial import mex, nim_sum
from ludisect.errors import BudgetExceeded

Heaps = tuple[int, ...]
"""A sum of heaps in ascending order, empty ones left out."""

Moves = Callable[[int], Iterable[Sequence[int]]]
"""What one heap can become: each move leaves a sequence of heaps (Octal.moves is one such function)."""


def nim_moves(n: int) -> list[tuple[int, ...]]:
    """The moves of a nim heap."""
    return [(k,) if k else () for k in range(n)]


class Misere:
    """Misère play with heaps that move by ``moves``."""

    def __init__(self, moves: Moves) -> None:
        self.moves = moves
        self._single: dict[int, list[Heaps]] = {}
        self._outcomes: dict[Heaps, str] = {(): "N"}

    def _heap_options(self, n: int) -> list[Heaps]:
        done = self._single.get(n)
        if done is None:
            done = sorted({tuple(sorted(h for h in move if h)) for move in self.moves(n)})
            self._single[n] = done
        return done

    def options(self, heaps: Heaps) -> set[Heaps]:
        """The sums that one move leads to."""
        out: set[Heaps] = set()
        for i, n in enumerate(heaps):
            if i and heaps[i - 1] == n:
                continue
            rest = heaps[:i] + heaps[i + 1 :]
            out.update(tuple(sorted(rest + move)) for move in self._heap_options(n))
        return out

    def outcome(self, heaps: Iterable[int]) -> str:
        """``N`` or ``P``: whether the next or the previous player wins when the last mover loses."""
        key = tuple(sorted(h for h in heaps if h))
        stack = [key]
        while stack:
            x = stack[-1]
            if x in self._outcomes:
                stack.pop()
                continue
            options = self.options(x)
            unknown = [y for y in options if y not in self._outcomes]
            if unknown:
                stack.extend(unknown)
                continue
            lost = any(self._outcomes[y] == "P" for y in options) or not options
            self._outcomes[x] = "N" if lost else "P"
            stack.pop()
        return self._outcomes[key]

    def genus(self, n: int, length: int = 4) -> tuple[int, tuple[int, ...]]:
        """The genus of the heap ``n``: its nim value, and the misère nim values of it with 0, 1, … heaps *2 beside."""
        normal: dict[int, int] = {}

        def grundy(k: int) -> int:
            if k not in normal:
                normal[k] = mex(nim_sum(map(grundy, move)) for move in self._heap_options(k))
            return normal[k]

        memo: dict[tuple[Heaps, Heaps], int] = {}

        def misere(heaps: Heaps, nim: Heaps) -> int:
            key = (heaps, nim)
            if key not in memo:
                below = [misere(x, nim) for x in self.options(heaps)]
                below += [misere(heaps, x) for x in _nim.options(nim)]
                memo[key] = mex(below) if below else 1
            return memo[key]

        start: Heaps = (n,) if n else ()
        return grundy(n), tuple(misere(start, (2,) * i) for i in range(length))

    def quotient(self, most: int, *, size: int = 500, reach: int = 7) -> MisereQuotient:
        """The misère quotient of all sums of heaps up to ``most``; sums are told apart beside up to ``reach`` heaps.

        Raises:
            BudgetExceeded: no quotient with at most ``size`` elements was found and proved.
        """
        for beside in range(1, reach + 1):
            candidate = self._candidate(most, beside, size)
            if candidate is None:
                break
            if candidate.is_proved(self, most):
                return candidate
        raise BudgetExceeded(
            f"no misère quotient with at most {size} elements was found for heaps up to {most}", budget="size"
        )

    def _candidate(self, most: int, reach: int, size: int) -> MisereQuotient | None:
        """Tell sums apart by playing them beside all sums of at most ``reach`` heaps."""
        heaps = range(1, most + 1)
        tests = [t for k in range(reach + 1) for t in combinations_with_replacement(heaps, k)]

        def signature(x: Heaps) -> tuple[bool, ...]:
            return tuple(self.outcome(x + t) == "P" for t in tests)

        found: dict[tuple[bool, ...], int] = {signature(()): 0}
        elements: list[Heaps] = [()]
        times: list[list[int]] = []
        for x in elements:  # grows while it is walked
            row = []
            for h in heaps:
                y = tuple(sorted((*x, h)))
                place = found.setdefault(signature(y), len(elements))
                if place == len(elements):
                    elements.append(y)
                row.append(place)
            times.append(row)
            if len(elements) > size:
                return None
        previous = frozenset(i for i, x in enumerate(elements) if self.outcome(x) == "P")
        return MisereQuotient(tuple(elements), tuple(map(tuple, times)), previous)


_nim = Misere(nim_moves)


@dataclass(frozen=True, slots=True)
class MisereQuotient:
    """A misère quotient: ``elements[i]`` is a sum that stands for its class, ``times[i][h-1]`` adds a heap ``h``."""

    elements: tuple[Heaps, ...]
    times: tuple[tuple[int, ...], ...]
    previous: frozenset[int]
    """The classes that are won by the previous player."""

    def __len__(self) -> int:
        return len(self.elements)

    def element(self, heaps: Iterable[int]) -> int:
        """The class of a sum of heaps."""
        x = 0
        for h in heaps:
            x = self.times[x][h - 1] if h else x
        return x

    def outcome(self, heaps: Iterable[int]) -> str:
        """``N`` or ``P`` in misère play, for a sum of any number of heaps."""
        return "P" if self.element(heaps) in self.previous else "N"

    def multiply(self, x: int, y: int) -> int:
        """The class of the sum of two classes."""
        for h in self.elements[y]:
            x = self.times[x][h - 1]
        return x

    def is_proved(self, game: Misere, most: int) -> bool:
        """Whether the transition algebra confirms the outcomes of all sums, however large.

        Each sum is seen as its class together with the classes of its options. There are finitely many such pairs;
        in each that a sum can have, the class must be a P-position exactly if no option is one.
        """
        generators = []
        for h in range(1, most + 1):
            options = frozenset(self.element(move) for move in game._heap_options(h))
            generators.append((self.times[0][h - 1], options))
        start: tuple[int, frozenset[int]] = (0, frozenset())
        seen, stack = {start}, [start]
        while stack:
            x, options = stack.pop()
            for y, others in generators:
                moved = {self.multiply(x, z) for z in others} | {self.multiply(y, z) for z in options}
                pair = (self.multiply(x, y), frozenset(moved))
                if pair in seen:
                    continue
                won = bool(self.previous & pair[1]) or not pair[1]
                if won == (pair[0] in self.previous):
                    return False
                seen.add(pair)
                stack.append(pair)
        return 0 not in self.previous
