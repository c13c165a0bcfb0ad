"""Stage games: two players choose at once, one gains what the other loses. Value and odds of best play."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def solve_matrix(payoff: Matrix) -> tuple[float, Matrix, Matrix]:
    """(value for the row player, odds of the rows, odds of the columns).

    Saddle points and dominance first, two by two by its formula, the rest by a linear program.
    """
    value, rows, columns = _solve(payoff.shape, np.ascontiguousarray(payoff, np.float64).tobytes())
    return value, np.array(rows), np.array(columns)


@lru_cache(maxsize=1 << 16)
def _solve(shape: tuple[int, int], data: bytes) -> tuple[float, tuple[float, ...], tuple[float, ...]]:
    payoff = np.frombuffer(data, np.float64).reshape(shape)
    kept_rows, kept_columns = _undominated(payoff)
    small = payoff[np.ix_(kept_rows, kept_columns)]
    value, some_rows, some_columns = _small(small)
    rows, columns = np.zeros(shape[0]), np.zeros(shape[1])
    rows[kept_rows], columns[kept_columns] = some_rows, some_columns
    return value, tuple(rows.tolist()), tuple(columns.tolist())


def _undominated(payoff: Matrix) -> tuple[list[int], list[int]]:
    """Rows and columns that are left when those never better than another are taken away, again and again."""
    rows, columns = list(range(payoff.shape[0])), list(range(payoff.shape[1]))
    while True:
        before = len(rows), len(columns)
        for i in list(rows):
            if any((payoff[j, columns] >= payoff[i, columns]).all() for j in rows if j != i):
                rows.remove(i)
        for i in list(columns):
            if any((payoff[rows, j] <= payoff[rows, i]).all() for j in columns if j != i):
                columns.remove(i)
        if before == (len(rows), len(columns)):
            return rows, columns


def _small(payoff: Matrix) -> tuple[float, Any, Any]:
    low, high = payoff.min(axis=1), payoff.max(axis=0)
    i, j = int(low.argmax()), int(high.argmin())
    if low[i] >= high[j]:
        return float(low[i]), _alone(i, payoff.shape[0]), _alone(j, payoff.shape[1])
    if payoff.shape == (2, 2):
        (a, b), (c, d) = payoff
        # no saddle point: both players mix, so that the other is indifferent
        total = a - b - c + d
        p, q = (d - c) / total, (d - b) / total
        return float((a * d - b * c) / total), np.array([p, 1 - p]), np.array([q, 1 - q])
    value, rows = _program(payoff)
    _, columns = _program(-payoff.T)
    return value, rows, columns


def _alone(i: int, n: int) -> Matrix:
    out = np.zeros(n)
    out[i] = 1.0
    return out


def _program(payoff: Matrix) -> tuple[float, Matrix]:
    """Maximise v such that the odds x of the rows give at least v against every column."""
    from scipy.optimize import linprog

    n, m = payoff.shape
    found = linprog(
        np.concatenate([np.zeros(n), [-1.0]]),
        A_ub=np.concatenate([-payoff.T, np.ones((m, 1))], axis=1),
        b_ub=np.zeros(m),
        A_eq=np.concatenate([np.ones((1, n)), [[0.0]]], axis=1),
        b_eq=[1.0],
        bounds=[(0, None)] * n + [(None, None)],
        method="highs",
    )
    odds = np.clip(found.x[:n], 0.0, None)
    return float(found.x[n]), odds / odds.sum()
