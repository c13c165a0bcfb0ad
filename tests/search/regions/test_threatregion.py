"""Values with outright wins from the rules: those of the native pawns, and regions without threats beside them."""

from __future__ import annotations

import random

import pytest

import ludisect
from ludisect.cgt import MarkedValue
from ludisect.rulesets.pawns import Pawns
from ludisect.rulesets.position import Player
from ludisect.search.regions import operators
from ludisect.search.regions.premises import premises
from ludisect.search.regions.region import Region
from ludisect.search.regions.threatregion import Threatened, ThreatRegion


def threatened(name: str) -> Threatened:
    known = premises(operators(ludisect.load(name)))
    assert known.rule == "normal play"
    return Threatened(known.operators, known.threats)


def test_pawns_as_the_native_ruleset() -> None:
    """Pawns behind their first squares have no double step and nothing to take in passing: the two games agree."""
    found = threatened("pawns:2x8")
    game = found.operators.game  # type: ignore[attr-defined]
    rng, marked = random.Random(6), 0
    for _ in range(25):
        squares = rng.sample([(c, r) for c in (1, 2) for r in range(3, 7)], 4)
        white, black = squares[:2], squares[2:]
        facts = ["(control white)", *(f"(pawn white {c} {r})" for c, r in white)]
        facts += [f"(pawn black {c} {r})" for c, r in black]
        names = [" ".join(f"{'ab'[c - 1]}{r}" for c, r in some) for some in (white, black)]
        native = Pawns(f"{names[0]} / {names[1]}").value
        whole = found.whole(found.operators.word(game.state(facts)))  # type: ignore[attr-defined]
        assert whole.value == native, names
        marked += isinstance(native, MarkedValue)
    assert marked > 5


@pytest.mark.parametrize("name", ["pawns:2x4,1x5", "pawns:2x5,1x4"])
def test_regions_without_threats_have_plain_values(name: str) -> None:
    """Pawns that are blocked for good can neither move nor win."""
    found = threatened(name)
    whole = found.whole(found.operators.word(found.operators.game.start))  # type: ignore[attr-defined]
    rng = random.Random(name)
    kinds = set[type[Region]]()
    for _ in range(20):
        position, player = whole, Player.LEFT
        while position.won_by() is None and position.moves(player):
            parts = position.parts()
            kinds |= {type(part) for part in parts}
            for part in parts:
                assert isinstance(part, ThreatRegion) == part.outright
            position, player = position.play(player, rng.choice(position.moves(player))), player.opponent
        if position.won_by() is not None:
            assert position.value == ludisect.value("on" if position.won_by() is Player.LEFT else "off")
    assert ThreatRegion in kinds


def test_an_answer_tells_values_with_outright_wins() -> None:
    answer = ludisect.solve("pawns:3x5", "regions")
    assert answer.exact
    assert answer.value == {"white": 100, "black": 0}
    assert [str(part.value) for part in answer.parts] == ["{on|off}"]
    assert answer.conclusion[0].startswith("(move 1 2 1 3) makes region 1 {on|{0|off}}, and leaves regions that black")
