"""The command sweep: what it says, and what it refuses before any work begins."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ludisect.cli.app import main
from ludisect.games import bundled


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["ludisect", "sweep", *words])
    with pytest.raises(SystemExit) as leaving:
        main()
    assert isinstance(leaving.value.code, int)
    return leaving.value.code


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("nim", "tictactoe"):
        (tmp_path / f"{name}.kif").write_text(bundled.source(name))
    return tmp_path


def test_a_sweep_and_its_reports(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = ["--store", str(folder / "store.db")]
    assert run(monkeypatch, str(folder), *store) == 0
    said = capsys.readouterr()
    assert "2 games; 2 new rows, 0 done before, 2 to do" in said.err
    assert "2  done: the command gave its answer" in said.out
    assert run(monkeypatch, str(folder), *store, "--task", "build") == 0
    capsys.readouterr()
    assert run(monkeypatch, "report", *store, "--sweep", "1") == 0
    report = capsys.readouterr().out
    assert "evidence: 2 proved" in report
    assert "decomposed within so many processor seconds (Figure 4" in report
    assert run(monkeypatch, "report", *store, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert [r["game"] for r in data["games"]] == ["nim", "tictactoe"]
    assert data["summary"]["task"] == "build"
    assert run(monkeypatch, "compare", "1", "1", *store) == 0
    assert "2 games in both; 0 differ" in capsys.readouterr().out
    assert run(monkeypatch, "export", str(folder / "table.csv"), *store) == 0
    assert (folder / "table.csv").read_text().startswith("game,status,exit,seconds")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere", "--store", "s.db"], "nowhere is neither a folder nor a file"),
        ([".", "--store", "s.db"], ". holds no rule sheets: no file ends in .kif"),
        (["."], "the following arguments are required: --store"),
        ([".", "--store", "nowhere/s.db"], "cannot write nowhere/s.db"),
        ([".", "--store", "s.db", "--task", "sing"], "invalid choice: 'sing'"),
        (
            [".", "--store", "s.db", "--by", "whole"],
            "the command decompose, which does this task, says: no such option",
        ),
        ([".", "--store", "s.db", "--set", "x=1"], "the command decompose, which does this task, says:"),
        ([".", "--store", "s.db", "--plot", "x.svg"], "--labels, --plot and --sweep are for 'ludisect sweep report'"),
        (["report", "--store", "."], "the store . is a folder; name a file, such as results.db"),
        (["report", "--store", "s.db"], "there is no store s.db; 'ludisect sweep FOLDER --store s.db' makes one"),
    ],
)
def test_bad_input(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, *words) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "s.db").exists()
