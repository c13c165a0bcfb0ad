"""How rules are written does not matter: random rewrites that keep the game keep its decomposition."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ludisect.composition import rewrite
from ludisect.decomposition import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.games import bundled
from ludisect.gdl import read_file
from ludisect.gdl.terms import Rules, Term
from ludisect.loader import load
from tests.decomposition.found import PLAYOUTS, Partition, partition, parts_of

Order = dict[frozenset[Term], set[frozenset[Term]]]


def order(parts: Decomposition) -> Order:
    """Which parts come directly after which, by their fluents."""
    fluents = {s.id: frozenset(parts.game.fluents[f] for f in s.fluent_numbers) for s in parts.parts}
    return {fluents[s.id]: {fluents[a] for a in s.after} for s in parts.dependent}


def difference(old: Decomposition, rules: Rules, seed: int) -> str:
    """What a rewritten sheet changes, if anything."""
    made = rewrite(rules, Random(seed))
    new = decompose(load(made.rules), playouts=PLAYOUTS)

    def renamed(one: frozenset[Term]) -> frozenset[Term]:
        return frozenset(map(made.fluent, one))

    wanted: Partition = {kind: set(map(renamed, groups)) for kind, groups in partition(old).items()}
    if partition(new) != wanted:
        return f"{old}\nbecame\n{new}"
    if order(new) != {renamed(k): set(map(renamed, v)) for k, v in order(old).items()}:
        return "the order of the stages"
    if new.structure != old.structure:
        return f"{old.structure} became {new.structure}"
    if new.evidence is None or old.evidence is None or new.evidence.status != old.evidence.status:
        return f"{old.evidence} became {new.evidence}"
    return ""


QUICK = ("two-track", "four-lamps", "nim:2,3", "relay", "lights-on", "rock-paper-scissors", "queens:4", "kayles:2,3")


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", QUICK)
def test_rewriting_changes_nothing(name: str, seed: int) -> None:
    old = parts_of(name)
    assert old.game.rules is not None
    assert difference(old, old.game.rules, seed) == ""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 13))
@pytest.mark.parametrize("name", bundled.names())
def test_rewriting_changes_nothing_in_any_bundled_game(name: str, seed: int) -> None:
    old = parts_of(name)
    assert old.game.rules is not None
    assert difference(old, old.game.rules, seed) == ""


PUBLIC = ("ticTacToe", "nim1", "buttons", "blocks", "maze", "lightsOut", "hanoi")


@pytest.mark.corpus
@pytest.mark.parametrize("name", PUBLIC)
def test_rewriting_changes_nothing_in_public_games(name: str, corpus: Path) -> None:
    path = corpus / "games" / f"{name}.kif"
    if not path.exists():
        pytest.skip(f"{name} is not in the corpus")
    rules = read_file(path)
    old = decompose(load(rules), playouts=PLAYOUTS)
    assert difference(old, rules, 1) == ""
