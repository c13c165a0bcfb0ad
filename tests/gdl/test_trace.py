"""Trace files: read, written, replayed; every fault told with file and line; a wrong trace is seen."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludisect.errors import InputError, TraceError
from ludisect.gdl import Term, read_trace, record, replay, write_trace

from .small import race

MATCH: dict[str, Any] = {
    "game": "race",
    "steps": [
        {
            "state": ["(at blue 0)", "(at red 0)"],
            "legal": {"red": ["(go 1)", "(go 2)"], "blue": ["(go 1)", "(go 2)"]},
            "moves": {"red": "(go 1)", "blue": "(go 2)"},
        },
        {
            "state": ["(at blue 2)", "(at red 1)"],
            "legal": {"red": ["(go 2)", "(go 3)"], "blue": ["(go 3)"]},
            "moves": {"red": "(go 3)", "blue": "(go 3)"},
        },
    ],
    "final": {"state": ["(at blue 3)", "(at red 3)"], "terminal": True, "goals": {"red": 50, "blue": 50}},
}


def altered(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    match = copy.deepcopy(MATCH)
    change(match)
    return match


def saved(folder: Path, *matches: object) -> Path:
    file = folder / "race.jsonl"
    file.write_text("\n".join(json.dumps(match) for match in matches) + "\n")
    return file


def test_a_right_trace(tmp_path: Path) -> None:
    (match,) = read_trace(saved(tmp_path, MATCH))
    assert match.game == "race"
    assert match.number == 1
    assert match.steps[1].moves == {"red": Term.parse("(go 3)"), "blue": Term.parse("(go 3)")}
    assert match.goals == {"red": 50, "blue": 50}
    assert match.to_dict() == MATCH
    assert replay(race(), match) == []


def test_a_match_cut_short(tmp_path: Path) -> None:
    cut = altered(lambda m: m.update(steps=m["steps"][:1], final={"state": m["steps"][1]["state"], "terminal": False}))
    (match,) = read_trace(saved(tmp_path, cut))
    assert match.goals is None
    assert replay(race(), match) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda m: m["steps"][0]["state"].pop(),
            ["step 1: initial state: extra (at red 0)", "step 1: legal moves of red: missing (go 1), (go 2)",
             "step 1: no next state: illegal move '(go 1)' of role 'red'; legal here: none"],
        ),
        (lambda m: m["steps"][1]["legal"]["blue"].append("noop"), ["step 2: legal moves of blue: missing noop"]),
        (lambda m: m["steps"][1]["legal"]["red"].pop(), ["step 2: legal moves of red: extra (go 3)"]),
        (
            lambda m: m["steps"][0]["moves"].update(red="(go 2)"),
            ["step 1: next state: missing (at red 1); extra (at red 2)"],
        ),
        (
            lambda m: m["steps"][1]["moves"].update(blue="(go 4)"),
            ["step 2: no next state: illegal move '(go 4)' of role 'blue'; legal here: (go 3)"],
        ),
        (
            lambda m: m["steps"][1]["moves"].pop("blue"),
            ["step 2: no next state: no move for role 'blue'; give one for each of red, blue"],
        ),
        (lambda m: m["steps"][1]["legal"].pop("blue"), ["step 2: roles: extra blue"]),
        (lambda m: m["final"].update(terminal=False), ["step 3: the final state is terminal"]),
        (lambda m: m["final"]["goals"].update(red=100), ["step 3: goals: missing (red 100); extra (red 50)"]),
        (lambda m: m["final"]["goals"].update(red=None), ["step 3: goals: missing (red none); extra (red 50)"]),
        (
            lambda m: m.update(steps=[], final={**MATCH["final"], "state": MATCH["steps"][0]["state"]}),
            ["step 1: the final state is not terminal",
             "step 1: goals: missing (blue 50), (red 50); extra (blue 0), (red 0)"],
        ),
        (
            lambda m: m["steps"].append({"state": m["final"]["state"], "legal": {"red": [], "blue": []}, "moves": {}}),
            ["step 3: the state is terminal, but play went on",
             "step 3: no next state: no move for role 'red'; give one for each of red, blue"],
        ),
    ],
)  # fmt: skip
def test_a_wrong_trace_is_seen(tmp_path: Path, change: Callable[[dict[str, Any]], object], expected: list[str]) -> None:
    (match,) = read_trace(saved(tmp_path, altered(change)))
    assert [str(found) for found in replay(race(), match)] == [f"match 1, {text}" for text in expected]


def test_long_differences_are_cut_in_print_only(tmp_path: Path) -> None:
    extra = [f"(go {i})" for i in range(10, 20)]
    (match,) = read_trace(saved(tmp_path, altered(lambda m: m["steps"][1]["legal"]["blue"].extend(extra))))
    (found,) = replay(race(), match)
    assert str(found) == (
        "match 1, step 2: legal moves of blue: missing (go 10), (go 11), (go 12), (go 13), (go 14), (go 15), "
        "(go 16), (go 17) and 2 more"
    )
    assert found.to_dict() == {
        "match": 1, "step": 2, "what": "legal moves of blue", "missing": extra, "extra": [],
    }  # fmt: skip


def test_the_number_of_a_match_is_its_line(tmp_path: Path) -> None:
    file = tmp_path / "race.jsonl"
    file.write_text(f"{json.dumps(MATCH)}\n\n{json.dumps(MATCH)}\n")
    assert [match.number for match in read_trace(file)] == [1, 3]


@pytest.mark.parametrize("name", ["race.jsonl", "race.jsonl.gz"])
def test_what_is_written_reads_back(tmp_path: Path, name: str) -> None:
    matches = [record(race(), seed=seed, game="race") for seed in range(3)]
    write_trace(tmp_path / name, matches)
    assert (tmp_path / name).read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")
    again = list(read_trace(tmp_path / name))
    assert [match.to_dict() for match in again] == [match.to_dict() for match in matches]
    assert [found for match in again for found in replay(race(), match)] == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda m: m.pop("game"), "match has no 'game'"),
        (lambda m: m.pop("steps"), "match has no 'steps'"),
        (lambda m: m.update(final=[]), "'final' of match is a list, expected an object"),
        (lambda m: m.update(game=1), "'game' of match is an integer, expected a text"),
        (lambda m: m["steps"].insert(0, "go"), "steps[0] is a text, expected an object"),
        (lambda m: m["steps"][1].pop("state"), "steps[1] has no 'state'"),
        (lambda m: m["steps"][1].update(state=[5]), "steps[1].state holds an integer, expected a term as text"),
        (lambda m: m["steps"][0]["moves"].update(red="(go"), "steps[0].moves['red'] holds '(go', which is no term"),
        (lambda m: m["final"]["state"].append("(at ?x 1)"), "final.state holds '(at ?x 1)', which has a variable"),
        (lambda m: m["steps"][0]["legal"].update(red=None), "steps[0].legal['red'] is null, expected a list of terms"),
        (lambda m: m["final"].update(terminal=1), "'terminal' of final is an integer, expected true or false"),
        (
            lambda m: m["final"].update(goals=[]),
            "final.goals is a list, expected an object with one entry for each role",
        ),
        (lambda m: m["final"]["goals"].update(red=0.5), "final.goals['red'] is a number, expected an integer or null"),
        (
            lambda m: m["final"]["goals"].update(red=True),
            "final.goals['red'] is true or false, expected an integer or null",
        ),
    ],
)  # fmt: skip
def test_files_of_another_form(tmp_path: Path, change: Callable[[dict[str, Any]], object], fault: str) -> None:
    with pytest.raises(TraceError) as caught:
        list(read_trace(saved(tmp_path, MATCH, altered(change))))
    assert str(caught.value) == f"race.jsonl:2: {fault}"


@pytest.mark.parametrize(
    "line", [b"{", b"(role x)", b"[" * 100_000, b"\xff\xfe", b"\x00", b"9" * 5000, b"[1]", b"null"]
)
def test_lines_that_are_no_match(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(line + b"\n")
    with pytest.raises(TraceError, match=r"^x\.jsonl:1: "):
        list(read_trace(file))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    whole = gzip.compress(json.dumps(MATCH).encode())
    damaged = whole[:30] + bytes(8) + whole[38:]
    for name, data in (("short.gz", whole[:60]), ("damaged.gz", damaged)):
        (tmp_path / name).write_bytes(data)
        with pytest.raises((InputError, TraceError), match=name.replace(".", r"\.")):
            list(read_trace(tmp_path / name))
    (tmp_path / "program").write_bytes(b"\x7fELF\xb0")
    with pytest.raises(TraceError, match=r"^program:1: this line is no text$"):
        next(read_trace(tmp_path / "program"))
    with pytest.raises(InputError, match="no such file"):
        next(read_trace(tmp_path / "none.jsonl"))
    with pytest.raises(InputError, match="is a folder; give a trace file"):
        next(read_trace(tmp_path))
    with pytest.raises(InputError, match="cannot write"):
        write_trace(tmp_path / "none" / "x.jsonl", [])


def test_other_things_are_not_replayed() -> None:
    right = r"^replay takes a Game or an Interpreter and a Match \(what gdl.read_trace gives\), not int and str$"
    with pytest.raises(TypeError, match=right):
        replay(3, "match")  # type: ignore[arg-type]
