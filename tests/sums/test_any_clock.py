"""Values, outcomes and moves of sums are the same, however fast the clock runs, where nobody gives seconds."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import ludisect
from ludisect.pawnendings.ending import analyse
from ludisect.sums.deepening import deepen
from tests.answers import untimed
from tests.clocks import same, under_clocks

SUMS = [
    "domineering 4x4 + clobber XO.|OX. + {3|-1}",
    "domineering 3x3 + domineering 2x4 + -1/2",
    "nogo .XO.|.O..|X.X. + nim 3",
    "pawns a5 b5 c5 / a7 b7 c7 + nim 3",
    "{on|off} + {on|off}",
    "regio 4x2 + regio 3x3",
    "impartial clobber XO.|OX. + kayles 7",
    "{40|-40} + {5||4|-20} + {9|-9}",
]


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[float]:
    """Runs of a test: with the true clock, then with others."""
    return under_clocks(monkeypatch)


def told(text: str, by: str | None = None) -> str:
    return json.dumps(untimed(ludisect.solve(text, by).to_json()))


@pytest.mark.parametrize("text", SUMS)
def test_who_wins_a_sum(text: str, clocks: Iterator[float]) -> None:
    assert same(told(text) for _ in clocks)


@pytest.mark.parametrize("by", ["alpha-beta", "greedy-hotstrat", "hotstrat", "sentestrat", "thermostrat"])
def test_ways_to_play(by: str, clocks: Iterator[float]) -> None:
    assert same(told("domineering 2x3 + clobber XO. + {3|-1}", by) for _ in clocks)


def test_guesses_beyond_a_depth(clocks: Iterator[float]) -> None:
    def guesses() -> Iterator[str]:
        for _ in clocks:
            board = ludisect.position("domineering 4x4")
            yield str([(g.depth, g.exact, str(g.value)) for g in deepen(board, most=4)])

    assert same(guesses())


@pytest.mark.parametrize("fen", ["8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8", "8/8/pp6/8/2PP4/8/5k1K/8"])
def test_pawn_endings(fen: str, clocks: Iterator[float]) -> None:
    assert same(json.dumps(untimed(analyse(fen).to_json())) for _ in clocks)
