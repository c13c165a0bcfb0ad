"""The method ``playouts``: the worked examples, what was not seen, and the labelled corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludisect
from ludisect.decomposition import decompose
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.assemble import Found
from ludisect.decomposition.model.names import patterns
from ludisect.decomposition.statistics import playouts
from ludisect.games import bundled
from ludisect.loader import load

SLOW_HERE = {"reversi", "ultimate-tictactoe", "hex"}
"""Bundled games that take more than a moment; the sweep over all is marked slow."""


def counts(found: Found) -> tuple[int, int, int]:
    """(dependent, useless, independent)."""
    return len(found.groups), len(found.useless), len(found.independent)


def named(name: str, found: Found) -> list[str]:
    """The dependent parts as patterns, sorted."""
    game = ludisect.load(name)
    return sorted(" ".join(patterns(game, group)) for group in found.groups)


def check_counts(name: str) -> None:
    """The counts that the header of a bundled game promises."""
    wanted = bundled.describe(name).parts
    dependent, useless, independent = counts(playouts.find(ludisect.load(name), playouts=1000))
    assert (dependent, useless) == (wanted.dependent, wanted.useless)
    assert independent in {wanted.independent, wanted.also_independent}


@pytest.mark.parametrize("name", [n for n in bundled.names() if n not in SLOW_HERE])
def test_bundled_games_fall_into_their_parts(name: str) -> None:
    check_counts(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SLOW_HERE))
def test_larger_bundled_games_fall_into_their_parts(name: str) -> None:
    check_counts(name)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("four-lamps", ["(on a)", "(on b)", "(on c)", "(on d)"]),  # Figure 1
        ("nim", ["(heap a *)", "(heap b *)", "(heap c *)", "(heap d *)"]),
        ("nim:3,1,2", ["(heap a *)", "(heap b *)", "(heap c *)"]),
        ("double-tictactoe", ["(cell1 * * *)", "(cell2 * * *)"]),
        ("parallel-tictactoe", ["(first * *)", "(second * *)"]),
        ("lights-on-parallel", [f"(shines {side} * *)" for side in ("east", "north", "south", "west")]),
    ],
)
def test_worked_examples(name: str, parts: list[str]) -> None:
    assert named(name, playouts.find(ludisect.load(name))) == parts


def test_the_useless_lamp_of_figure_1() -> None:
    game = ludisect.load("four-lamps")
    found = playouts.find(game)
    assert [patterns(game, found.groups[i]) for i in found.useless] == [["(on d)"]]


def test_serial_games_come_in_order() -> None:
    game = ludisect.load("serial-tictactoe")
    found = playouts.find(game)
    first = next(i for i, g in enumerate(found.groups) if game.fluents[g[0]].name == "first")
    assert found.after == {1 - first: (first,)}
    relay = playouts.find(ludisect.load("relay"))
    assert sorted(len(relay.after.get(i, ())) for i in range(3)) == [0, 1, 2]


def test_the_same_seed_gives_the_same_answer() -> None:
    game = ludisect.load("two-track")
    first, second = playouts.find(game, seed=3), playouts.find(game, seed=3)
    assert (first.groups, first.independent, first.after) == (second.groups, second.independent, second.after)


def test_what_no_play_showed_is_reported_and_not_placed() -> None:
    game = ludisect.load("tron")
    found = playouts.find(game, playouts=3)
    assert found.unseen
    assert found.unseen_moves == tuple(sorted(found.unseen_moves))
    placed = {f for g in (*found.groups, *found.independent) for f in g}
    assert not placed & set(found.unseen)
    assert placed | set(found.unseen) | set(game.circuit.constant_fluents.nonzero()[0].tolist()) == set(
        range(len(game.fluents))
    )
    assert not playouts.find(ludisect.load("nim"), playouts=1000).unseen


def test_thresholds_are_the_callers() -> None:
    """Lamps in groups hang together by weak side effects; with Ω = 0 none is weak, and the groups stay one."""
    game = ludisect.load("lights-on-parallel")
    assert decompose(game, method="playouts", check=False).counts[0] == 4
    limits = DecompositionLimits(omega=0.0)
    assert decompose(game, method="playouts", check=False, limits=limits).counts[0] == 1


def test_found_parts_pass_verification() -> None:
    for name in ("parallel-tictactoe", "relay", "kayles", "multiple-hanoi"):
        parts = decompose(ludisect.load(name), method="playouts", playouts=300)
        assert parts.evidence is not None
        assert parts.evidence.status == "tested", name


def test_edges_carry_kinds_and_weights() -> None:
    found = playouts.find(ludisect.load("lights-on-parallel"))
    assert found.graph is not None
    weights: dict[str, set[float]] = {e.kind: set() for e in found.graph.edges}
    for e in found.graph.edges:
        weights[e.kind].add(e.weight)
    assert max(weights["positive"]) > 0.9
    assert 0 < min(weights["negative"]) < 0.1


LABELLED = (
    "ticTacToe", "nim1", "chomp", "doubletictactoe", "ticTacToeParallel", "ticTacToeSerial", "asteroidsSerial",
    "blockerSerial", "blocksWorldParallel", "lightsOnParallel", "incredible", "connectFour", "ticTacHeaven",
)  # fmt: skip


@pytest.mark.corpus
@pytest.mark.parametrize("name", LABELLED)
def test_labelled_games(corpus: Path, name: str) -> None:
    label = json.loads((corpus / "labels.json").read_text(encoding="utf-8"))[name]
    found = counts(playouts.find(load(corpus / "games" / f"{name}.kif")))
    for key, value in zip(("action_dependent", "useless", "action_independent"), found, strict=True):
        assert value in (label[key], *label.get("accept", {}).get(key, ())), key
