"""The page of slips: every test that it names is there, and what no other test shows is shown here."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import ludisect

ROOT = Path(__file__).parents[1]


def test_every_test_of_the_page_is_there() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs/errata.md").read_text(encoding="utf-8"))
    assert len(named) > 10
    for path, name in named:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, f"{path}::{name}"


def test_two_towers_are_worth_55() -> None:
    """Günther 2007, Table 4.1: the goals of our game of that form add up, so the towers without the gold give 55."""
    game = ludisect.load("blocks-maze")
    state = game.start
    for step in ludisect.solve(game).line:
        if "stack" in str(step["robot"]):  # the blocks alone; the gold stays where it is
            state = state.play(robot=step["robot"])
    assert state.goals["robot"] == 55
