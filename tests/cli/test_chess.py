"""The command chess: text in 80 columns without colour, JSON, pictures, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.test_cli import run as run_command

SVEDA_SIKA = "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8"


def run(*arguments: str) -> tuple[int, str, str]:
    done = run_command(*arguments)
    return done.returncode, done.stdout, done.stderr


def test_text() -> None:
    code, out, _ = run("chess", SVEDA_SIKA)
    assert code == 0
    lines = out.splitlines()
    assert lines[2] == "  7  .   p1  .   .   .   .   .   p3  7"
    assert lines[6] == "  3  .   .   .   .   .   K2  .   P3  3"
    assert "  part 2  e4 / f4        0, with the kings (heuristic)" in lines
    assert "  White to move wins by 1.h4: part 3 goes from ↓↓* to ↓, the sum to 0." in lines
    assert max(map(len, lines)) <= 100
    assert max(map(len, lines[:10])) <= 80


def test_json_and_picture(tmp_path: Path) -> None:
    picture = tmp_path / "ending.svg"
    code, out, _ = run("chess", f"{SVEDA_SIKA} b - - 0 1", "--json", "--svg", str(picture))
    assert code == 0
    data = json.loads(out)
    assert data["fen"] == f"{SVEDA_SIKA} b - - 0 1"
    assert {"parts", "sum", "outcome", "moves", "status"} <= data.keys()
    assert data["moves"] == {"white": ["h4"], "black": ["a5"]}
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    texts = "".join(root.itertext())
    assert "1...a5" in texts
    assert "e4 / f4: 0, with the kings (heuristic)" in texts
    assert len([e for e in root.iter() if e.get("data-piece")]) == 10


def test_words_of_a_fen_need_no_quotes() -> None:
    code, out, _ = run("chess", SVEDA_SIKA, "b", "-", "-", "0", "1", "--json")
    assert code == 0
    assert json.loads(out)["outcome"] == "N"


def test_kings_that_are_not_bound() -> None:
    fen = "8/1pp2p2/p4P2/6k1/P1P2pP1/1P3K2/8/8"
    code, out, _ = run("chess", fen)
    assert code == 0
    assert "Black can play Kxf6 without losing a pawn" in out
    assert "wins by" not in out
    code, out, _ = run("chess", fen, "--bound", "--json")
    assert (code, json.loads(out)["status"]) == (0, "assumed")


def test_too_large() -> None:
    code, out, err = run("chess", "8/pppppppp/8/8/8/8/PPPPPPPP/8", "--seconds", "0.2", "--json")
    assert code == 3
    data = json.loads(out)
    assert data["parts"][0]["bounds"] == ["off", "on"]
    assert data["outcome"] is None
    assert "limit" in data
    code, out, err = run("chess", "8/pppppppp/8/8/8/8/PPPPPPPP/8", "--set", "ending_positions=300")
    assert code == 3
    assert "(off to on)" in " ".join(out.split())
    assert "values of 0 of 1 parts are known" in err


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("8/8/3q4/8/8/8/P7/K6k", "a queen stands on d6; only kings and pawns"),
        ("8/8/8/8/8/8/8/K6k", "there are no pawns"),
        ("8/8/8/8/8/8/8", "has 7"),
        ("8/PPPPPPPP/P7/8/8/8/8/K6k", "White has 9 pawns"),
    ],
)
def test_bad_input(fen: str, message: str) -> None:
    code, out, err = run("chess", fen)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
