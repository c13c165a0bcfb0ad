"""Reports: records of every task, summaries, the paper's figures, comparisons and tables, from rows made by hand."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from ludisect.errors import InputError
from ludisect.sweep import paper, report
from ludisect.sweep.answerkey import compare
from ludisect.sweep.figures import plot
from ludisect.sweep.job import Ending, JobLimits
from ludisect.sweep.live import live
from ludisect.sweep.rowstore import Entry, SweepStore

LIMITS = JobLimits(10.0, 10.0, 2**30)


def found(dependent: int, *, evidence: str = "proved", method: str = "exact") -> dict[str, Any]:
    """What decompose prints of a game of so many heaps."""
    heaps = [
        {"id": k + 1, "kind": "dependent", "useful": True, "after": [], "fluents": [f"(heap {k} 0)", f"(heap {k} 1)"]}
        for k in range(dependent)
    ]
    turn = {"id": dependent + 1, "kind": "independent", "useful": True, "after": [], "fluents": ["(control a)"]}
    return {
        "game": "heaps",
        "method": method,
        "structure": "parallel-choice",
        "turns": "alternating",
        "action_dependent": dependent,
        "useless": 0,
        "action_independent": 1,
        "subgames": [*heaps, turn],
        "evidence": {"status": evidence},
    }


LABELS = {
    "one": found(1),
    "two": found(2),
    "three": found(3),
    "lone": {**found(1), "action_independent": 0, "subgames": found(1)["subgames"][:1]},
}


def fill(
    store: SweepStore, version: str, rows: dict[str, Ending], *options: tuple[str, str], task: str = "decompose"
) -> None:
    settings = json.dumps({"seconds": 60.0, "memory": 4.0, "options": sorted(map(list, options))})
    store.add(Entry(game, f"/{game}.kif", "d", task, settings, version) for game in rows)
    for claim in store.claim("host 1 1", 100, task, settings, version):
        store.finish("host 1 1", claim, rows[claim.entry.game], LIMITS)


def done(data: object, wall: float = 1.0, status: str = "done") -> Ending:
    return Ending(status, 0, wall, wall / 2, 2**26, json.dumps(data), "")


@pytest.fixture
def store(tmp_path: Path) -> SweepStore:
    made = SweepStore(tmp_path / "store.db")
    fill(
        made,
        "1",
        {
            "one": done(found(1), 0.5),
            "two": done(found(3), 5.0),
            "three": done(found(2, evidence="tested"), 30.0),
            "lone": Ending("time", -9, 100.0, 90.0, 2**30, "", "…\nstill grounding\n"),
            "bad": Ending("bad input", 2, 0.1, 0.1, 2**25, json.dumps({"error": "no such\nthing", "exit": 2}), ""),
        },
    )
    return made


def test_a_report(store: SweepStore) -> None:
    (sweep,) = report.all_sweeps(store, LABELS)
    data = report.to_json(sweep)
    games = {r["game"]: r for r in data["games"]}
    assert games["two"] == {
        "game": "two",
        "status": "done",
        "exit": 0,
        "seconds": 5.0,
        "cpu": 2.5,
        "peak": 2**26,
        "method": "exact",
        "structure": "parallel-choice",
        "evidence": "proved",
        "action_dependent": 3,
        "useless": 0,
        "action_independent": 1,
    }
    assert (games["bad"]["error"], games["lone"]["error"]) == ("no such", "still grounding")
    summary = data["summary"]
    assert summary["status"] == {"done": 3, "bad input": 1, "time": 1}
    assert summary["evidence"] == {"proved": 2, "tested": 1}
    assert summary["seconds"] == {"median": 5.0, "p90": 100.0, "max": 100.0}
    assert (summary["within"]["1"], summary["within"]["10"], summary["within"]["60"]) == (1, 2, 3)
    assert summary["verdicts"] == {"decomposed": 1, "over-decomposed": 1, "under-decomposed": 1, "timeout": 1}


def test_what_is_left_at_a_limit_is_no_answer() -> None:
    rows = [{"status": status, "evidence": "proved", "cpu": 2.0} for status in ("done", "limit")]
    assert paper.within(rows)[10] == 1


def test_figure_6_tells_compound_from_single_games(store: SweepStore) -> None:
    (sweep,) = report.all_sweeps(store, LABELS)
    table = paper.by_kind(LABELS, sweep.verdicts)
    assert table["decomposed"] == (1, 0)
    assert table["timeout"] == (0, 1), "a game without a turn marker is a single one"
    assert sum(map(sum, table.values())) == len(sweep.verdicts)


def test_what_no_play_changed_counts_neither_for_nor_against() -> None:
    rare = {**found(2), "unseen": {"fluents": ["(heap 1 1)"], "moves": {}}}
    rare["subgames"][1]["fluents"].remove("(heap 1 1)")
    assert paper.verdict(found(2), rare) == "decomposed"
    assert compare(found(2), rare).kind == "right"
    elsewhere = {**found(2), "unseen": rare["unseen"]}
    elsewhere["subgames"][0]["fluents"].append(elsewhere["subgames"][1]["fluents"].pop())
    assert paper.verdict(found(2), elsewhere) == "otherwise wrong", "what is in a part counts"


def test_the_papers_own_figures_are_consistent() -> None:
    assert sum(map(sum, paper.FIGURE_6.values())) == paper.GAMES
    assert all(sum(row) in (556, 557) for row in paper.FIGURE_5.values())  # 557 were decomposed within the hour
    assert max(paper.FIGURE_4.values()) == paper.GAMES - sum(paper.FIGURE_6["timeout"])
    assert len(paper.FIGURE_8) == 32 - 6  # six are in no public repository


def test_two_sweeps_side_by_side(store: SweepStore) -> None:
    fill(store, "2", {"one": done(found(1)), "two": done(found(2)), "new": done(found(1))})
    first, second = report.all_sweeps(store)
    data = report.compare(first, second)
    assert data["games"] == 2
    assert data["changed"] == [{"game": "two", "changed": {"action_dependent": [3, 2]}}]
    assert (data["only_a"], data["only_b"]) == (["bad", "lone", "three"], ["new"])
    fill(store, "2", {"one": done({"exact": True})}, task="solve")
    with pytest.raises(InputError, match="decompose and solve cannot be compared"):
        report.compare(first, report.all_sweeps(store)[-1])


def test_sweeps_are_named_by_number_or_title(store: SweepStore) -> None:
    fill(store, "2", {"one": done(found(1))}, ("--method", "symbols"))
    first, second = report.all_sweeps(store)
    assert second.title == "decompose --seconds 60 --method symbols (2)"
    assert report.pick([first, second], None) is second
    assert report.pick([first, second], "1") is first
    assert report.pick([first, second], "symbols") is second
    with pytest.raises(
        InputError, match=r"2 sweeps in the store match 'decompose'.*\n  1  decompose --seconds 60 \(1\)"
    ):
        report.pick([first, second], "decompose")
    with pytest.raises(InputError, match="no sweep in the store match 'x'"):
        report.pick([first, second], "x")
    with pytest.raises(InputError, match="no finished games yet"):
        report.pick([], None)


@pytest.mark.parametrize(
    ("task", "data", "told"),
    [
        (
            "solve",
            {"exact": True, "algorithm": "nimbers", "value": {"a": 100}, "nodes": 3},
            {"exact": True, "nodes": 3},
        ),
        ("simulate", {"playouts": 10, "playouts_per_second": 5.0}, {"playouts": 10, "playouts_per_second": 5.0}),
        ("check", {"ok": False, "errors": 1, "warnings": 0}, {"ok": False, "errors": 1}),
        ("build", {"fluents": 3, "moves": {"a": 2, "b": 1}, "gates": 9}, {"fluents": 3, "moves": 3, "gates": 9}),
    ],
)
def test_records_of_every_task(tmp_path: Path, task: str, data: object, told: dict[str, Any]) -> None:
    with SweepStore(tmp_path / "store.db") as store:
        fill(store, "1", {"one": done(data)}, task=task)
        (sweep,) = report.all_sweeps(store)
    assert sweep.records[0].items() >= told.items()


def test_tables(store: SweepStore, tmp_path: Path) -> None:
    (sweep,) = report.all_sweeps(store)
    report.export(sweep, tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(newline="") as file:
        rows = {row["game"]: row for row in csv.DictReader(file)}
    assert (rows["two"]["action_dependent"], rows["bad"]["error"], rows["bad"]["evidence"]) == ("3", "no such", "")
    parquet = pytest.importorskip("pyarrow.parquet")
    report.export(sweep, tmp_path / "table.parquet")
    again = parquet.read_table(tmp_path / "table.parquet").to_pylist()
    assert [r["game"] for r in again] == [r["game"] for r in sweep.records]
    with pytest.raises(InputError, match=r"a table is written as \.csv or \.parquet; did you mean \.csv\?"):
        report.export(sweep, tmp_path / "table.cvs")


def test_pictures(store: SweepStore, tmp_path: Path) -> None:
    fill(store, "1", {name: done(found(1, method="exact")) for name in LABELS}, ("--playouts", "2000"))
    sweeps = report.all_sweeps(store, LABELS)
    plot(sweeps[0], sweeps, LABELS, tmp_path / "figures.svg")
    text = (tmp_path / "figures.svg").read_text()
    assert text.count("axes_") >= 3  # Figures 4, 5 and 6; no game of Figure 8 is here
    with pytest.raises(InputError, match=r"cannot draw .*figures\.txt: Format 'txt' is not supported"):
        plot(sweeps[0], sweeps, LABELS, tmp_path / "figures.txt")


def test_known_answers_are_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({"a": {"subgames": []}, "b": {"subgames": [], "confidence": "low"}}))
    assert list(report.read_labels(path)) == ["a"]
    path.write_text("[]")
    with pytest.raises(InputError, match="should hold a JSON object from names of games"):
        report.read_labels(path)


def test_a_sweep_while_it_goes_on(store: SweepStore) -> None:
    (sweep,) = report.all_sweeps(store)
    which = (sweep.task, sweep.settings, sweep.version)
    store.add(Entry(game, f"/{game}.kif", "d", *which) for game in ("at work", "waits"))
    store.claim("elsewhere 1 1", 1, *which)
    data = live(store.path)
    assert (data["sweep"], data["games"], data["done"], data["waiting"]) == (sweep.title, 7, 5, 1)
    assert data["status"] == {"done": 3, "bad input": 1, "time": 1}
    assert data["claimed"] == ["at work"]
    records = {r["game"]: r for r in sweep.records}
    assert [r["game"] for r in data["latest"]] == ["bad", "lone", "three", "two", "one"]  # the newest first
    assert all(r == records[r["game"]] for r in data["latest"])
    assert [r["game"] for r in live(store.path, which, latest=2)["latest"]] == ["bad", "lone"]


def test_nothing_to_watch_yet(tmp_path: Path) -> None:
    SweepStore(tmp_path / "store.db").close()
    data = live(tmp_path / "store.db")
    assert (data["sweep"], data["games"], data["latest"]) == (None, 0, [])
    with pytest.raises(InputError, match="there is no store"):
        live(tmp_path / "none.db")
