"""Why play in regions comes to an end: a weight per fact whose sum every operator lowers.

Simple weightings are tried first (each fact counts one; facts that are only ever cleared, only ever set, or both), then
a linear program. Whatever proposes the weights, they count only if whole numbers pass the check on every operator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ludisect.search.regions.changes import bits
from ludisect.search.regions.guarded import OperatorSet
from ludisect.search.regions.settling import NoOperators, Operator

SCALES = (1, 2, 3, 4, 6, 12, 60, 360, 2520, 10_000)
"""The solution of a linear program, times these, is rounded to whole numbers."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Per fact a weight; every operator lowers the sum of the weights of the facts that hold by one at least."""

    weights: tuple[int, ...]

    def of(self, facts: int) -> int:
        """The measure of a state: its plays have no more moves than this lies above the least measure of all."""
        return sum(self.weights[f] for f in bits(facts))

    def longest(self, facts: int, among: int = -1) -> int:
        """No play from these facts has more moves, whoever moves how often, if only those ``among`` can change."""
        return self.of(facts & among) - sum(min(0, w) for f, w in enumerate(self.weights) if among >> f & 1)


def measure(operators: OperatorSet, exclusive: Sequence[int] = ()) -> Measure:
    """A measure that every operator lowers; of each ``exclusive`` set of facts no two ever hold together.

    Raises:
        NoOperators: none was found; the text names moves that may undo each other.
    """
    listed = [_informed(op, exclusive) for op in operators.listed]
    for weights in _proposals(listed, len(operators.facts)):
        if all(rise(op, weights) < 0 for op in listed):
            return Measure(tuple(weights))
    raise NoOperators(f"play may never end: no count of facts falls with every move{_culprits(operators)}")


def _informed(op: Operator, exclusive: Sequence[int]) -> Operator:
    """The operator with what its guard implies: facts that exclude those that it needs do not hold."""
    bars = op.bars
    for group in exclusive:
        if op.needs & group:
            bars |= group & ~op.needs
    # what is so already is no change
    return replace(op, bars=bars, sets=op.sets & ~op.needs, clears=op.clears & ~bars)


def rise(op: Operator, weights: Sequence[int]) -> int:
    """The most by which an operator can raise the sum of weights, whatever held of the facts it does not ask for."""
    out = 0
    for f in bits(op.sets):
        out += weights[f] if op.bars >> f & 1 else max(0, weights[f])
    for f in bits(op.clears):
        out += -weights[f] if op.needs >> f & 1 else max(0, -weights[f])
    return out


def _proposals(listed: Sequence[Operator], n: int) -> Iterator[list[int]]:
    yield [1] * n
    sets = clears = 0
    for op in listed:
        sets |= op.sets
        clears |= op.clears
    used, made = clears & ~sets, sets & ~clears
    yield [used >> f & 1 for f in range(n)]  # the fewer facts count, the shorter the plays are seen to be
    yield [-(made >> f & 1) for f in range(n)]
    yield [(clears >> f & 1) - (sets >> f & 1) for f in range(n)]
    solution = _by_program(listed, n)
    if solution is not None:
        for scale in SCALES:
            yield [round(scale * weight) for weight in solution]


def _by_program(listed: Sequence[Operator], n: int) -> list[float] | None:
    """Weights of least size that every operator lowers by one; None if there are none."""
    import numpy as np  # late: most games need no program
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    rows, columns, entries = list[int](), list[int](), list[int]()
    for k, op in enumerate(listed):
        for f in bits(op.sets):  # a weight is its positive half minus its negative one, columns f and n + f
            rows += [k, k] if op.bars >> f & 1 else [k]
            columns += [f, n + f] if op.bars >> f & 1 else [f]
            entries += [1, -1] if op.bars >> f & 1 else [1]
        for f in bits(op.clears):
            rows += [k, k] if op.needs >> f & 1 else [k]
            columns += [f, n + f] if op.needs >> f & 1 else [n + f]
            entries += [-1, 1] if op.needs >> f & 1 else [1]
    matrix = coo_array((entries, (rows, columns)), shape=(len(listed), 2 * n)).tocsr()
    found = linprog(np.ones(2 * n), A_ub=matrix, b_ub=-np.ones(len(listed)), method="highs")
    if found.status != 0:
        return None
    return [float(one - other) for one, other in zip(found.x[:n], found.x[n:], strict=True)]


def _culprits(operators: OperatorSet) -> str:
    """Two moves of which one takes back what the other does, in words, if there are such."""
    setting: dict[int, list[Operator]] = {}
    for op in operators.listed:
        for f in bits(op.sets):
            setting.setdefault(f, []).append(op)
    for op in operators.listed:
        undone = op.clears & op.needs
        for back in setting.get(next(bits(undone), -1), ()) if op.sets else ():
            if back.sets & undone == undone and back.clears & op.sets == op.sets and not back.bars & op.sets:
                return f"; {back.move} takes back what {op.move} does"
    return ""
