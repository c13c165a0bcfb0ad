"""The page of the papers' tables: quick exhibits are measured again and agree; the page says what is missing."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(scope="module")
def reproduce() -> Iterator[ModuleType]:
    """The command's module; the benchmarks are no package."""
    before = dict(sys.modules)
    sys.path.insert(0, str(BENCHMARKS))
    try:
        yield importlib.import_module("reproduce")
    finally:
        sys.path.remove(str(BENCHMARKS))
        for name in sys.modules.keys() - before.keys():
            if getattr(sys.modules[name], "__file__", None) and str(BENCHMARKS) in str(sys.modules[name].__file__):
                del sys.modules[name]


def exhibit(reproduce: ModuleType, name: str) -> Any:
    (found,) = (e for e in reproduce.EXHIBITS if e.name == name)
    return found


@pytest.mark.parametrize("name", ["paths", "graph", "goals", "greedy", "tracks", "lamps", "points"])
def test_a_quick_exhibit_is_measured_and_shown(reproduce: ModuleType, name: str) -> None:
    of = exhibit(reproduce, name)
    found = json.loads(json.dumps(of.measure(reproduce.Bench(5.0))))
    page = "\n".join(of.show(found))
    expected = {
        "paths": ["| from the leaves | path2 | path2 | ✓ |", "| seq1 | P2 | P2 | ✓ |"],
        "graph": ["6 components, theirs 6"],
        "goals": ["| false | true | true | 55 | 70 | ✕ |", "| true | true | true | 100 | 100 | ✓ |"],
        "greedy": ["| greedy (Algorithm 4.1) | 75..100 |", "| plans by concepts | 100 | 100 |"],
        "tracks": ["Goal 100, theirs 100"],
        "lamps": ["| exact | 4 | (on d) |"],
        "points": ["| 2 | 3 | 3 |", "| 3 | ±{{8\\|6}\\|{2\\|0}} | 2 | -2 | 4 |"],
    }
    for line in expected[name]:
        assert line in page


def test_what_is_measured_is_kept_and_not_measured_again(
    reproduce: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reproduce, "KEPT", tmp_path)
    of = exhibit(reproduce, "tracks")
    assert not reproduce.is_done(of)
    reproduce.measure(of, reproduce.Bench(5.0))
    assert reproduce.is_done(of)
    monkeypatch.setattr(reproduce, "version", lambda: "another")
    assert not reproduce.is_done(of)
    page = "\n".join(reproduce.sections(tmp_path))
    assert "Not measured yet: `python benchmarks/reproduce.py sweeps --games GAMES --labels LABELS.json`" in page
    assert "Goal 100, theirs 100" in page


def test_without_rule_sheets_an_exhibit_is_left_out(
    reproduce: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reproduce, "KEPT", tmp_path)
    of = exhibit(reproduce, "sweeps")
    reproduce.measure(of, reproduce.Bench(5.0))
    assert "needs --games" in capsys.readouterr().err
    assert not reproduce.is_done(of)


def test_the_page_has_every_exhibit_and_every_picture(reproduce: ModuleType) -> None:
    page = reproduce.PAGE.read_text(encoding="utf-8")
    for of in reproduce.EXHIBITS:
        assert f"### {of.title}" in page
        if of.plot is not None and f"{of.name}.svg" in page:
            assert (reproduce.PAGE.parent / "pictures" / f"reproduction-{of.name}.svg").exists()
