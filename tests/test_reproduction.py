"""The page of the papers' tables: quick exhibits are measured again and agree; the page says what is missing."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ludisect.search.part.compound import PartOrder
from ludisect.sweep.job import Ending, JobLimits
from ludisect.sweep.rowstore import Entry, SweepStore
from tests.search.compounds import boards_compound, tictactoe_part

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@contextmanager
def benchmark(name: str) -> Iterator[ModuleType]:
    """The module of a command; the benchmarks are no package."""
    before = dict(sys.modules)
    sys.path.insert(0, str(BENCHMARKS))
    try:
        yield importlib.import_module(name)
    finally:
        sys.path.remove(str(BENCHMARKS))
        for found in sys.modules.keys() - before.keys():
            if getattr(sys.modules[found], "__file__", None) and str(BENCHMARKS) in str(sys.modules[found].__file__):
                del sys.modules[found]


@pytest.fixture(scope="module")
def reproduce() -> Iterator[ModuleType]:
    with benchmark("reproduce") as module:
        yield module


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


def test_composed_games_from_a_store(tmp_path: Path) -> None:
    """Two sets: one game right by an older version and wrong by the latest, one right, one without an answer."""
    found = {
        "action_dependent": 1, "useless": 0, "action_independent": 0, "evidence": {"status": "tested"}, "seconds": {},
        "subgames": [{"id": 1, "kind": "dependent", "useful": True, "fluents": ["a", "b"]}],
    }  # fmt: skip
    parts = [{"id": k, "kind": "dependent", "useful": True, "fluents": [f]} for k, f in enumerate("ab")]
    apart = found | {"action_dependent": 2, "subgames": parts}
    outputs: dict[str, list[dict[str, Any]]] = {
        "one": [found, apart],
        "two": [apart],
        "three": [{"error": "the time was over"}],
    }
    answers = {"one": found, "two": apart, "three": apart}
    for seed, names in (("1", ["one", "two"]), ("2", ["three"])):
        folder = tmp_path / "sets" / seed
        folder.mkdir(parents=True)
        made = [{"game": name, "glue": "sync", "players": 1, "disguises": []} for name in names]
        (folder / "index.jsonl").write_text("\n".join(json.dumps(data) for data in made))
        for name in names:
            (folder / f"{name}.json").write_text(json.dumps(answers[name]))
    settings = json.dumps({"seconds": 1.0, "memory": 1.0, "options": [["--method", "symbols"]]})
    with benchmark("composed_sweep") as composed, SweepStore(tmp_path / "store.db") as store:
        for name, of in outputs.items():
            for version, data in enumerate(of):
                store.add([Entry(name, name, name, "decompose", settings, str(version))])
                (claim,) = store.claim("host 1 1", 1, "decompose", settings, str(version))
                store.finish(
                    "host 1 1", claim, Ending("done", 0, 2.0, 1.0, 1, json.dumps(data), ""), JobLimits(1.0, 1.0, 1)
                )
        cells = composed.line(composed.collect(tmp_path / "sets", store))
        assert (cells["games"], cells["right"], cells["unsound"], cells["none"], cells["cpu"]) == (3, 1, 1, 1, 3.0)
        page = tmp_path / "page.md"
        page.write_text(f"before\n{composed.BEGIN}\nold\n{composed.END}\nafter\n")
        composed.write_page({"all": {"symbols": cells}}, page)
    lines = page.read_text().splitlines()
    assert (lines[0], lines[-1], "old" in lines) == ("before", "after", False)
    assert "| all | 33.3 (6.1 to 79.2) |" in lines


def test_all_sequences_of_a_board() -> None:
    """Zhao 2009, Tables 5.1 and 5.2, to depth 4; deeper the thesis prints products that forget that lines end a board.

    The count for depth 9 is the one that the paper of 2009 gives (§4).
    """
    order = PartOrder(boards_compound(2), 0)
    with benchmark("papers") as papers:
        counts = [papers.count_sequences(tictactoe_part(), order, d) for d in range(1, 10)]
    assert counts == [18, 288, 4032, 47328, 441312, 3058752, 14434752, 40743552, 58242432]
