"""Matrix games: the odds attain the value against everything."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ludisect.search.whole.matrix import solve_matrix


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_both_players_attain_the_value(n: int, m: int, data: st.DataObject) -> None:
    entries = data.draw(st.lists(st.integers(0, 6), min_size=n * m, max_size=n * m))
    payoff = np.array(entries, np.float64).reshape(n, m)
    value, rows, columns = solve_matrix(payoff)
    for odds in (rows, columns):
        assert (odds >= 0).all()
        assert abs(odds.sum() - 1) < 1e-9
    assert (rows @ payoff >= value - 1e-7).all()
    assert (payoff @ columns <= value + 1e-7).all()


def test_known_games() -> None:
    value, rows, _ = solve_matrix(np.array([[1.0, 0.0], [0.0, 1.0]]))
    assert (value, rows.tolist()) == (0.5, [0.5, 0.5])
    rps = np.array([[50.0, 0.0, 100.0], [100.0, 50.0, 0.0], [0.0, 100.0, 50.0]])
    value, rows, _ = solve_matrix(rps)
    assert abs(value - 50) < 1e-9
    assert np.allclose(rows, 1 / 3)
