"""The commands decompose and verify: text, JSON, pictures, exit codes, and what bad input gets."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.test_cli import answer, plain_terminal, run

__all__ = ["plain_terminal"]

FAST = ("--playouts", "50")


def test_decompose_in_words() -> None:
    done = run("decompose", "nim:2,3", *FAST)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "nim:2,3: 2 dependent parts, 1 independent, parallel-choice"
    for words in ("(heap a *)", "(heap b *)", "(control *)", "proved for every reachable state; also tested on"):
        assert words in done.stdout
    assert "free choice: proved" in done.stdout
    assert "evaluation: proved" in done.stdout


def test_the_table_says_useless_and_after() -> None:
    assert "1 useless" in run("decompose", "four-lamps", *FAST).stdout
    relay = run("decompose", "relay", *FAST).stdout.splitlines()
    rope = next(line for line in relay if "(rope *)" in line)
    assert rope.split()[:3] == ["3", "dependent", "2"]


def test_json_keeps_its_contract() -> None:
    data = answer("decompose", "nim:2,3", *FAST)
    assert {k: data[k] for k in list(data)[:8]} == {
        "game": "nim:2,3",
        "method": "exact",
        "roles": ["player1", "player2"],
        "turns": "alternating",
        "structure": "parallel-choice",
        "action_dependent": 2,
        "useless": 0,
        "action_independent": 1,
    }
    first = data["subgames"][0]
    assert set(first) == {"id", "kind", "useful", "after", "fluents", "moves"}
    assert (first["id"], first["kind"], first["useful"], first["after"]) == (1, "dependent", True, [])
    assert first["fluents"] == ["(heap a 0)", "(heap a 1)", "(heap a 2)"]
    assert first["moves"] == {role: [["(reduce a 0)"], ["(reduce a 1)"]] for role in data["roles"]}
    assert data["subgames"][-1]["kind"] == "independent"
    evidence = data["evidence"]
    assert (evidence["status"], evidence["counterexample"]) == ("proved", None)
    assert evidence["transitions"] > 0
    assert set(data["seconds"]) >= {"read", "ground", "playouts", "analyse", "verify", "total"}


def test_no_verification_on_request() -> None:
    assert answer("decompose", "two-track", "--no-verify")["evidence"] is None
    assert "not verified" in run("decompose", "two-track", "--no-verify").stdout


def test_the_same_seed_prints_the_same() -> None:
    one, two = (answer("decompose", "relay", "--seed", "4", *FAST) for _ in range(2))
    del one["seconds"], two["seconds"]
    assert one == two


def test_a_method_whose_result_fails_its_verification_says_so() -> None:
    """The method of instances leaves the nine cells of tic-tac-toe apart, as its author says."""
    done = run("decompose", "tictactoe", "--method", "instances", *FAST)
    assert done.returncode == 1
    assert "FAILED on" in done.stdout
    assert "have no scores of their own" in done.stdout
    data = answer("decompose", "tictactoe", "--method", "instances", *FAST, code=1)
    assert (data["method"], data["action_dependent"], data["evidence"]["status"]) == ("instances", 9, "failed")
    assert data["evidence"]["counterexample"]["condition"] == 4


def test_explained_in_words() -> None:
    done = run("decompose", "nim:1,2", *FAST, "--explain")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-5:] == [
        "3 variables: 2 steered by moves, 1 context",
        "part 1, (heap a *): 1 variable; exactly one holds, proved",
        "part 2, (heap b *): 1 variable; exactly one holds, proved",
        "part 3, (control *), runs by itself, read by 1, 2: 1 variable; exactly one holds, proved",
        "parts 1, 2 are apart: no tie between them was found",
    ]


def test_the_chain_between_two_fluents() -> None:
    done = run("decompose", "tictactoe", *FAST, "--explain", "(cell 1 1 b)", "(cell 3 3 b)")
    assert "(cell 1 1 b) and (cell 3 3 b) are in part 1, by 1 tie\n  1. (cell 1 1 *) – (cell 2 2 *)" in done.stdout
    data = answer("decompose", "tictactoe", *FAST, "--explain", "(cell 1 1 b)", "(cell 3 3 b)")
    assert data["why"]["fluents"] == ["(cell 1 1 b)", "(cell 3 3 b)"]
    assert [tie["kind"] for tie in data["why"]["chain"]] == ["goal"]
    assert len(data["explanation"]["variables"]) == 10
    assert "explanation" not in answer("decompose", "tictactoe", *FAST)


def test_pictures(tmp_path: Path) -> None:
    svg, html = tmp_path / "parts.svg", tmp_path / "parts.html"
    done = run("decompose", "nim:2,3", "--svg", str(svg), "--html", str(html), *FAST)
    assert done.returncode == 0
    assert f"drawn: {svg}" in done.stdout.replace("\n", "")
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")
    assert "<svg" in html.read_text(encoding="utf-8")
    quiet = run("decompose", "nim:2,3", "--svg", str(svg), "--quiet", *FAST)
    assert "drawn" not in quiet.stdout


def test_from_a_state(tmp_path: Path) -> None:
    state = tmp_path / "state.kif"
    state.write_text("(heap a 2)\n(heap b 0)\n(control player2) ; to move\n")
    data = answer("decompose", "nim:2,3", "--state", str(state), *FAST)
    assert data["action_dependent"] == 1
    assert data["subgames"][0]["fluents"] == ["(heap a 0)", "(heap a 1)", "(heap a 2)"]
    assert "(heap b 0)" in data["constant"]


# ---- verify ----


def saved(tmp_path: Path, *args: str) -> Path:
    path = tmp_path / "parts.json"
    path.write_text(run("decompose", *args, *FAST, "--json").stdout)
    return path


def test_verify_what_decompose_printed(tmp_path: Path) -> None:
    path = saved(tmp_path, "nim:2,3")
    done = run("verify", "nim:2,3", str(path), *FAST)
    assert done.returncode == 0
    assert "nim:2,3: 2 dependent (0 useless), 1 independent" in done.stdout
    assert "no violation; not proved" in done.stdout
    data = answer("verify", "nim:2,3", str(path), "--prove", *FAST)
    assert (data["game"], data["evidence"]["status"]) == ("nim:2,3", "proved")


def test_verify_shows_a_counterexample(tmp_path: Path) -> None:
    path = saved(tmp_path, "nim:2,3")
    data = json.loads(path.read_text())
    moved = data["subgames"][0]["fluents"].pop()
    data["subgames"][1]["fluents"].append(moved)
    for part in data["subgames"]:
        del part["moves"]
    path.write_text(json.dumps(data))
    done = run("verify", "nim:2,3", str(path), *FAST)
    assert done.returncode == 1
    assert "FAILED on" in done.stdout
    assert "1. state: " in done.stdout
    assert "2. state: " in done.stdout
    evidence = answer("verify", "nim:2,3", str(path), *FAST, code=1)["evidence"]
    assert evidence["status"] == "failed"
    assert len(evidence["counterexample"]["situations"]) == 2


# ---- bad input ----


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["decompose", "tiktaktoe"], "did you mean"),
        (["decompose", "two-track", "--method", "magic"], "magic"),
        (["decompose", "two-track", "--playouts", "0"], "playouts"),
        (["decompose", "two-track", "--seconds", "0"], "seconds"),
        (["decompose", "two-track", "--svg", "no/such/folder/x.svg"], "cannot write no/such/folder/x.svg"),
        (["decompose", "two-track", "--state", "nowhere.kif"], "cannot read nowhere.kif"),
        (["decompose", "two-track", "--explain", "(at1 a)"], "--explain takes two fluents or none, not 1"),
        (["decompose", "nim:1,2", "--explain", "(heap a 0)", "(heap d 1)"], "(heap d 1) can never hold in nim:1,2"),
        (["verify", "two-track", "nowhere.json"], "cannot read nowhere.json"),
        (["verify", "two-track"], "DECOMPOSITION"),
    ],
)
def test_bad_arguments_get_a_clear_error(args: list[str], message: str) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert message in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "subgames"),
        ('{"subgames": [{"fluents": ["(at3 x)"]}]}', "(at3 x) is no fluent of two-track"),
        ('{"subgames": [{"fluents": ["(at1 a)"]}]}', "5 fluents are in no part"),
        ('{"subgames": [{"fluents": ["(at1 a)", "(at1 a)"]}]}', "belongs to one part"),
    ],
)
def test_bad_decompositions_get_a_clear_error(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content)
    done = run("verify", "two-track", str(path))
    assert done.returncode == 2
    assert message in done.stderr.replace("\n", " ")
    data = answer("verify", "two-track", str(path), code=2)
    assert message in data["error"]


def test_a_bad_state_gets_a_clear_error(tmp_path: Path) -> None:
    state = tmp_path / "state.kif"
    state.write_text("(at1 a)\n(at9 q)\n")
    done = run("decompose", "two-track", "--state", str(state))
    assert done.returncode == 2
    assert "can never hold in two-track" in done.stderr.replace("\n", " ")


def test_both_commands_have_help() -> None:
    for command in ("decompose", "verify"):
        page = run(command, "--help")
        assert page.returncode == 0
        assert "--prove" in page.stdout


def test_a_limit_on_time_that_is_reached_is_told_by_the_exit_code() -> None:
    done = run("decompose", "serial-tictactoe", "--seconds", "0.1", "--playouts", "300000", "--json")
    assert done.returncode == 3
    found = json.loads(done.stdout)
    assert any("the limit on time was reached" in note for note in found["notes"])
    assert found["stopped"] is True
    assert found["evidence"]["status"] != "failed"
