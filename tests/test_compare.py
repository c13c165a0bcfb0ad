"""Stored figures: what a benchmark writes reads back, and what changed is told, no more and no less."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COMPARE = Path(__file__).parents[1] / "benchmarks" / "compare.py"


def stored(path: Path, figures: Any, benchmark: str = "solve") -> Path:
    machine = {"processor": "an abacus", "cores": 1, "python": "3.11"}
    head = {"benchmark": benchmark, "command": f"{benchmark}.py", "version": "1", "commit": "c", "date": "today"}
    path.write_text(json.dumps({**head, "machine": machine, "figures": figures}), encoding="utf-8")
    return path


def compared(*arguments: object) -> tuple[int, str]:
    done = subprocess.run([sys.executable, COMPARE, *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_only_what_changed_by_ratio_and_floor_is_marked(tmp_path: Path) -> None:
    old = [{"game": "a", "seconds": 1.0}, {"game": "b", "seconds": 0.001}, {"game": "c", "seconds": 1.0}]
    new = [{"game": "c", "seconds": 1.3}, {"game": "a", "seconds": 1.05}, {"game": "b", "seconds": 0.003}]
    code, told = compared(stored(tmp_path / "old", old), stored(tmp_path / "new", new))
    assert code == 0
    assert [line.split()[1] for line in told.splitlines() if line.startswith("*")] == ["c/seconds"]
    assert "1.30x" in told


def test_an_answer_that_changed_is_an_error(tmp_path: Path) -> None:
    old, new = [{"game": "a", "exact": True}], [{"game": "a", "exact": False}]
    code, told = compared(stored(tmp_path / "old", old), stored(tmp_path / "new", new))
    assert code == 1
    assert "a/exact" in told
    code, told = compared(stored(tmp_path / "old", old), stored(tmp_path / "new", []))
    assert code == 1
    assert "absent" in told


@pytest.mark.parametrize("text", ["{}", "[1]", "no JSON"])
def test_files_of_another_kind(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other"
    path.write_text(text, encoding="utf-8")
    code, told = compared(path, path)
    assert code == 1
    assert "Traceback" not in told
    assert str(path) in told


def test_files_of_two_benchmarks(tmp_path: Path) -> None:
    code, told = compared(stored(tmp_path / "old", []), stored(tmp_path / "new", [], "cgt"))
    assert code == 1
    assert "solve.py" in told
    assert "cgt.py" in told


def test_a_benchmark_stores_its_figures(tmp_path: Path) -> None:
    path = tmp_path / "playouts.json"
    script = COMPARE.parent / "playouts.py"
    options: list[str | Path] = [
        "--games",
        "tictactoe",
        "--windows",
        "1",
        "--seconds",
        "0.01",
        "--interpreter",
        "0",
        "--json",
        path,
    ]
    subprocess.run([sys.executable, script, *options], capture_output=True, check=True)
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["benchmark"] == "playouts"
    assert found["version"]
    assert str(tmp_path) not in found["command"]  # no place on this machine
    assert [row["game"] for row in found["figures"]] == ["tictactoe"]
    assert compared(path, path)[0] == 0
