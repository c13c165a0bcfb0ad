"""What is said of the bundled games is what the golden files say; see ``regold`` for how they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludisect.games import bundled
from ludisect.loader import load
from tests.regold import COMMAND, GOLDEN, KINDS, answers, difference, path, wanted, written


@pytest.mark.parametrize(("kind", "name"), wanted())
def test_nothing_has_changed(kind: str, name: str) -> None:
    assert difference(kind, name) == ""


@pytest.mark.parametrize("name", bundled.names())
def test_the_circuit_answers_as_the_rules_do(name: str) -> None:
    """The playthroughs are written by the rule interpreter."""
    assert difference("playthrough", name, lines=answers(load(name))) == ""


def test_every_bundled_game_has_its_files_and_no_other_has() -> None:
    assert {*GOLDEN.rglob("*.*")} == {path(kind, name) for kind, name in wanted()}
    for kind in ("decomposition", "playthrough"):
        assert {name for k, name in wanted() if k == kind} == {*bundled.names()}


def test_every_file_names_its_source_and_the_command() -> None:
    for kind, name in wanted():
        first = path(kind, name).read_text(encoding="utf-8").splitlines()[0]
        assert f"{kind} of the bundled game {name}" in first
        assert COMMAND in first


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_file_is_noticed(kind: str, tmp_path: Path) -> None:
    """Whichever line is changed, left out or put in."""
    right = written(kind, "two-track").splitlines()
    assert right == path(kind, "two-track").read_text(encoding="utf-8").splitlines()
    file = path(kind, "two-track", tmp_path)
    assert difference(kind, "two-track", folder=tmp_path).endswith(f"no such file; {COMMAND} writes it")
    file.parent.mkdir()
    for i, line in enumerate(right):
        for wrong in ([line[:-1] + "~"], [], [line, line + "~"]):
            file.write_text("\n".join([*right[:i], *wrong, *right[i + 1 :]]), encoding="utf-8")
            told = difference(kind, "two-track", lines=right[1:], folder=tmp_path)
            assert told.startswith(f"{kind} of two-track, line "), told
            assert f"{COMMAND} {kind}/two-track" in told
