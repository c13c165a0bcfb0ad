"""Accuracy of each method on a swept set of composed games, by glue, players and disguise, with 95 % intervals.

    for seed in $(seq 101 120); do
        ludisect compose --set 500 --seed $seed composed/$seed
        for method in playouts symbols instances exact; do
            ludisect sweep composed/$seed --store composed.db --method $method --seconds 20
        done
    done
    python benchmarks/composed_sweep.py composed composed.db --page docs/sweep.md --plot docs/pictures/composed.svg

Every game of a set comes with its known answer. "right" are results whose parts are those of the answer, whatever their
evidence; "unsound" are results that passed as tested or proved although they cut a part of the answer in pieces; "none"
are games for which a method gave no parts: it reached a limit. They count as not right. The sweep can be interrupted
and resumed; this command reads what is there. Of a game that several versions did, it takes the latest.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import results
from ludisect.play.score import interval
from ludisect.sweep.answerkey import compare
from ludisect.sweep.read import printed
from ludisect.sweep.rowstore import SweepStore

Json = dict[str, Any]

METHODS = ("exact", "playouts", "instances", "symbols")

TOLD: dict[str, Callable[[Json], str]] = {
    "proved": lambda of: f"{of['proved']:,}",
    "unsound": lambda of: f"{of['unsound']:,}",
    "no answer": lambda of: f"{of['none']:,}",
    "processor seconds a game": lambda of: f"{of['cpu'] / of['games']:.2f}",
    "of it reading, grounding, circuit": lambda of: f"{of['shares']['game']:.0%}",
    "plays": lambda of: f"{of['shares']['plays']:.0%}",
    "the method": lambda of: f"{of['shares']['method']:.0%}",
    "its test": lambda of: f"{of['shares']['test']:.0%}",
    "process and printing": lambda of: f"{of['shares']['process']:.0%}",
}
"""Lines below the shares."""

STAGES = {"game": ("read", "ground", "build"), "plays": ("playouts",), "method": ("analyse",), "test": ("verify",)}
"""What ``decompose --json`` tells of its seconds, put together."""

BEGIN, END = "<!-- composed games: begin -->", "<!-- composed games: end -->"


class Result(NamedTuple):
    """One method on one game."""

    method: str
    made: Json
    """How the game was made."""
    right: bool
    unsound: bool
    proved: bool
    none: bool
    cpu: float
    wall: float
    stages: dict[str, float]
    """Seconds by the clock, as the command told them."""


def collect(folder: Path, store: SweepStore) -> list[Result]:
    """Every finished decomposition of a game of the sets in a folder, held against its known answer."""
    made: dict[str, tuple[Path, Json]] = {}
    for index in folder.rglob("index.jsonl"):
        for data in map(json.loads, index.read_text(encoding="utf-8").splitlines()):
            made[data["game"]] = (index.parent, data)
    out: dict[tuple[str, str], Result] = {}
    for row in sorted(store.rows("decompose"), key=lambda row: row.finished):
        if row.entry.game not in made:
            continue
        place, how = made[row.entry.game]
        options = dict(json.loads(row.entry.settings)["options"])
        found = printed(row)
        kind, proved, none = "none", False, True
        stages: dict[str, float] = {}
        cut: tuple[int, ...] = ()
        if found is not None and "subgames" in found:
            answer = json.loads((place / f"{row.entry.game}.json").read_text(encoding="utf-8"))
            kind, cut, _ = compare(answer, found)
            status = (found["evidence"] or {}).get("status")  # none, if the time was over before the test
            stages = found["seconds"]
            cut, proved, none = cut if status in ("tested", "proved") else (), status == "proved", False
        method = options.get("--method", "exact")
        took = (row.ending.cpu, row.ending.wall, stages)
        out[method, row.entry.game] = Result(method, how, kind == "right", bool(cut), proved, none, *took)
    return list(out.values())


def groups(rows: Sequence[Result]) -> Iterator[tuple[str, list[Result]]]:
    """All, by glue, by players, by disguise."""
    yield "all", list(rows)
    for trait in ("glue", "players"):
        for value in sorted({row.made[trait] for row in rows}):
            yield f"{trait}: {value}", [row for row in rows if row.made[trait] == value]
    yield "disguise: none", [row for row in rows if not row.made["disguises"]]
    for disguise in sorted({d for row in rows for d in row.made["disguises"]}):
        yield f"disguise: {disguise}", [row for row in rows if disguise in row.made["disguises"]]


def line(rows: Sequence[Result]) -> Json:
    """One line of the table."""
    right = sum(row.right for row in rows)
    low, high = interval(right / len(rows), len(rows))
    return {
        "games": len(rows),
        "right": right,
        "share": right / len(rows),
        "low": low,
        "high": high,
        "unsound": sum(row.unsound for row in rows),
        "proved": sum(row.proved for row in rows),
        "none": sum(row.none for row in rows),
        "cpu": round(sum(row.cpu for row in rows), 1),
        "shares": _shares([row for row in rows if row.stages]),
    }


def _shares(rows: Sequence[Result]) -> dict[str, float]:
    """Of the time of games with an answer: the share of each stage; the rest is the process and what it prints."""
    wall = sum(row.wall for row in rows) or 1.0
    out = {
        name: round(sum(row.stages.get(key, 0.0) for row in rows for key in keys) / wall, 3)
        for name, keys in STAGES.items()
    }
    return out | {"process": round(1 - sum(out.values()), 3)}


def print_table(table: dict[str, dict[str, Json]]) -> None:
    """A block per group, a line per method."""
    print(f"{'':24}{'method':12}{'games':>7}{'right':>7}{'%':>8}{'95 % interval':>18}"
          f"{'unsound':>9}{'proved':>8}{'none':>6}{'cpu s':>9}")  # fmt: skip
    for group, lines in table.items():
        for number, (method, cells) in enumerate(lines.items()):
            span = f"{100 * cells['low']:.1f} - {100 * cells['high']:.1f}"
            print(f"{group if number == 0 else '':24}{method:12}{cells['games']:7}{cells['right']:7}"
                  f"{100 * cells['share']:8.1f}{span:>18}"
                  f"{cells['unsound']:9}{cells['proved']:8}{cells['none']:6}{cells['cpu']:9}")  # fmt: skip


def page_table(table: dict[str, dict[str, Json]]) -> str:
    """The shares in Markdown, a column per method, and what else came of the sweep."""
    methods = list(table["all"])
    lines = [["", *(f"`{method}`" for method in methods)], ["---"] * (len(methods) + 1)]
    lines.append(["games", *(f"{table['all'][method]['games']:,}" for method in methods)])
    for group, cells in table.items():
        shares = [
            f"{100 * of['share']:.1f} ({100 * of['low']:.1f} to {100 * of['high']:.1f})" if of else ""
            for of in (cells.get(method) for method in methods)
        ]
        lines.append([group, *shares])
    for name, what in TOLD.items():
        lines.append([name, *(f"{what(table['all'][method])}" for method in methods)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def write_page(table: dict[str, dict[str, Json]], path: Path) -> None:
    """Put the table between the two marks of a page."""
    before, begin, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{path} has no lines {BEGIN!r} and {END!r} for the table to stand between")
    path.write_text(f"{before}{BEGIN}\n{page_table(table)}{END}{after}", encoding="utf-8")


def plot(table: dict[str, dict[str, Json]], path: Path) -> None:
    """Shares with their intervals, a colour per method."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 0.42 * len(table) + 1.2), layout="constrained")
    axes = figure.subplots()
    methods = list(table["all"])
    for number, method in enumerate(methods):
        places, shares, below, above = [], [], [], []
        for row, lines in enumerate(table.values()):
            if cells := lines.get(method):
                places.append(-row - 0.17 * (number - (len(methods) - 1) / 2))
                shares.append(100 * cells["share"])
                below.append(100 * (cells["share"] - cells["low"]))
                above.append(100 * (cells["high"] - cells["share"]))
        axes.errorbar(shares, places, xerr=[below, above], fmt="o", markersize=4, capsize=2, label=method)
    axes.set_yticks([-row for row in range(len(table))], list(table))
    axes.set(xlabel="% of games whose parts are right, with 95 % intervals", xlim=(-2, 102))
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.08), ncols=len(methods))
    figure.savefig(path)


def main() -> int:
    """Print the table; write it and draw it where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what 'ludisect compose --set' wrote, or a folder of several such")
    parser.add_argument("store", type=Path, help="what 'ludisect sweep' filled")
    parser.add_argument("--json", type=Path, help="write the table here")
    parser.add_argument("--plot", type=Path, help="draw it here")
    parser.add_argument("--page", type=Path, help="put the shares into this page, as a table between its marks")
    options = parser.parse_args()
    with SweepStore(options.store, new=False) as store:
        rows = collect(options.folder, store)
    if not rows:
        parser.error("the store has no decompositions of games of this folder")
    table = {
        group: {m: line(of) for m in METHODS if (of := [r for r in members if r.method == m])}
        for group, members in groups(rows)
        if members
    }
    print_table(table)
    if options.json:
        results.write(options.json, {"table": table})
    if options.page:
        write_page(table, options.page)
    if options.plot:
        plot(table, options.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
