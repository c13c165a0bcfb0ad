"""Nim values, octal games with known periods, misère play."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from ludisect.cgt.impartial import Octal, mex, nim_sum
from ludisect.cgt.misere import Misere, nim_moves
from ludisect.errors import BudgetExceeded, InputError


def test_mex_and_nim_sum() -> None:
    assert [mex([]), mex([1, 2]), mex([0, 1, 3])] == [0, 0, 2]
    assert nim_sum([7, 5, 3, 1]) == 0, "the example of Mäser 2001, 2.1.1"


@pytest.mark.parametrize("code", ["0.77", "0.07", "0.137", "0.007", "4.3", "0.123", ".165", "0.04"])
def test_octal_values_by_definition(code: str) -> None:
    game = Octal(code)
    values: list[int] = []
    for n in range(60):
        values.append(mex(nim_sum(values[h] for h in move) for move in game.moves(n)))
    assert game.nim_values(59) == values


@pytest.mark.parametrize(
    ("code", "start", "length"),
    [("kayles", 71, 12), ("dawsons-kayles", 53, 34), ("dawsons-chess", 52, 34), ("0.123", 5, 5)],
)
def test_known_periods(code: str, start: int, length: int) -> None:
    """Guy and Smith 1956 (0.77, 0.07, 0.137); Winning Ways, ch. 4."""
    period = Octal(code).find_period()
    assert period is not None
    assert (period.start, period.length) == (start, length)


def test_period_holds_far_out() -> None:
    game = Octal("0.77")
    values = game.nim_values(1500)
    long = [0]
    for n in range(1, 1501):
        seen = {long[a] ^ long[n - k - a] for k in (1, 2) if n >= k for a in range((n - k) // 2 + 1)}
        long.append(mex(seen))
    assert values == long
    assert game.nim_value(100_000) == long[100_000 % 12 + 12 * 10]


def test_bad_codes() -> None:
    for code in ("0.8", "kails", "77", "0."):
        with pytest.raises(InputError, match="octal code"):
            Octal(code)
    with pytest.raises(InputError, match="heap"):
        Octal("0.77").nim_value(-1)


def test_misere_nim_is_boutons() -> None:
    """Play as in normal play until only heaps of one remain; then leave an odd number of them."""
    game = Misere(nim_moves)
    for heaps in combinations_with_replacement(range(6), 3):
        lost = sum(heaps) % 2 == 1 if max(heaps) <= 1 else nim_sum(heaps) == 0
        assert game.outcome(heaps) == ("P" if lost else "N")
    assert game.outcome((3, 2)) == "N", "nim sum one does not mean a lost misère position"


def test_genus_of_nim_heaps() -> None:
    """Winning Ways, ch. 13: *0 has genus 0^{120…}, *1 1^{031…}, *2 2^{20…}."""
    game = Misere(nim_moves)
    assert [game.genus(n, 3) for n in range(4)] == [
        (0, (1, 2, 0)),
        (1, (0, 3, 1)),
        (2, (2, 0, 2)),
        (3, (3, 1, 3)),
    ]


@pytest.mark.parametrize(("heap", "size"), [(1, 2), (2, 6), (3, 6), (4, 10), (8, 18)])
def test_quotients_of_nim(heap: int, size: int) -> None:
    """The tame quotients have 2^n + 2 elements (Plambeck and Siegel 2008)."""
    assert len(Misere(nim_moves).quotient(heap)) == size


def test_quotient_of_a_wild_game() -> None:
    """0.123 has a misère quotient of order 20 (Plambeck, Taming the wild in impartial combinatorial games, 2005)."""
    game = Misere(Octal("0.123").moves)
    quotient = game.quotient(9)
    assert len(quotient) == 20
    for heaps in combinations_with_replacement(range(10), 4):
        assert quotient.outcome(heaps) == game.outcome(heaps)
    assert quotient.multiply(quotient.element((3, 4)), quotient.element((8, 9))) == quotient.element((3, 4, 8, 9))


def test_quotient_too_large() -> None:
    with pytest.raises(BudgetExceeded, match="quotient"):
        Misere(nim_moves).quotient(8, size=5)
