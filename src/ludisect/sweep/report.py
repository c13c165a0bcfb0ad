"""Reports on a store: every game of a sweep and a summary, as data and as tables; two sweeps side by side."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludisect.errors import InputError, did_you_mean
from ludisect.sweep import paper
from ludisect.sweep.read import Record, printed, record
from ludisect.sweep.rowstore import SweepStore
from ludisect.sweep.sweepplan import settings_shown

Labels = Mapping[str, Any]


@dataclass(frozen=True)
class Swept:
    """One sweep of a store: a task with its settings, by one version."""

    task: str
    settings: str
    version: str
    records: Sequence[Record]
    verdicts: Mapping[str, str]
    """How decompositions stand beside the known answers, for the games that have one."""

    @property
    def title(self) -> str:
        """The sweep as a person would type it."""
        return f"{self.task} {settings_shown(self.settings)} ({self.version})"

    @property
    def method(self) -> str:
        """The method of decomposition; empty for other tasks."""
        return next((r["method"] for r in self.records if r.get("method")), "")

    @property
    def playouts(self) -> int:
        """Random plays that a decomposition learns from."""
        options = dict(json.loads(self.settings)["options"])
        return int(options.get("--playouts", 1000))


def all_sweeps(store: SweepStore, labels: Labels | None = None) -> list[Swept]:
    """Every sweep of a store that has finished rows, the latest last."""
    return [one_sweep(store, task, settings, by, labels) for task, settings, by, finished in store.sweeps() if finished]


def one_sweep(store: SweepStore, task: str, settings: str, version: str, labels: Labels | None = None) -> Swept:
    """The finished rows of a task with its settings, by one version."""
    records, verdicts = [], {}
    for row in store.rows(task, settings, version):
        records.append(record(row))
        label = (labels or {}).get(row.entry.game)
        if task == "decompose" and label is not None:
            verdicts[row.entry.game] = paper.verdict(label, printed(row))
    return Swept(task, settings, version, records, verdicts)


def pick(sweeps: Sequence[Swept], text: str | None) -> Swept:
    """The sweep that a text means: its number from 1, or a piece of its title; the latest without a text.

    Raises:
        InputError: no sweep or several are meant.
    """
    if not sweeps:
        raise InputError("the store has no finished games yet")
    if text is None:
        return sweeps[-1]
    if text.isdigit() and 1 <= int(text) <= len(sweeps):
        return sweeps[int(text) - 1]
    found = [sweep for sweep in sweeps if text in sweep.title]
    if len(found) == 1:
        return found[0]
    listed = "\n".join(f"  {number}  {sweep.title}" for number, sweep in enumerate(sweeps, 1))
    why = "no sweep" if not found else f"{len(found)} sweeps"
    raise InputError(f"{why} in the store match {text!r}; name one by its number or a piece of its title:\n{listed}")


def read_labels(path: Path) -> Labels:
    """Known answers: a JSON object from the names of games to decompositions, with patterns for fluents."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the known answers in {path}: {error}") from None
    if not isinstance(data, dict) or not all(isinstance(x, dict) and "subgames" in x for x in data.values()):
        raise InputError(f"{path} should hold a JSON object from names of games to decompositions")
    return {name: label for name, label in data.items() if label.get("confidence", "high") == "high"}


# ---- one sweep ------------------------------------------------------------------------------------------------------


def to_json(sweep: Swept) -> dict[str, Any]:
    """``{"games": [one object per game], "summary": …}``."""
    return {"games": list(sweep.records), "summary": summary(sweep)}


def summary(sweep: Swept) -> dict[str, Any]:
    """How the games ended, how long they took, and what the task adds."""
    records = sweep.records
    out: dict[str, Any] = {
        "task": sweep.task,
        "settings": json.loads(sweep.settings),
        "version": sweep.version,
        "games": len(records),
        "status": dict(Counter(r["status"] for r in records).most_common()),
        "seconds": _quantiles([r["seconds"] for r in records]),
        "peak": _quantiles([r["peak"] for r in records]),
        "total_cpu": round(sum(r["cpu"] for r in records), 3),
    }
    for name in ("evidence", "structure", "algorithm", "turns"):
        found = Counter(r[name] for r in records if r.get(name) is not None)
        if found:
            out[name] = dict(found.most_common())
    if sweep.task == "decompose":
        out["within"] = {str(seconds): games for seconds, games in paper.within(records).items()}
    if sweep.verdicts:
        out["verdicts"] = dict(Counter(sweep.verdicts.values()).most_common())
    return out


def _quantiles(numbers: Sequence[float]) -> dict[str, float]:
    """Median, nine tenths, most."""
    ordered = sorted(numbers)
    if not ordered:
        return {}
    last = len(ordered) - 1
    return {"median": ordered[last // 2], "p90": ordered[math.ceil(0.9 * last)], "max": ordered[-1]}


# ---- two sweeps -----------------------------------------------------------------------------------------------------

_COMPARED = (
    "status",
    "evidence",
    "structure",
    "action_dependent",
    "useless",
    "action_independent",
    "exact",
    "value",
    "ok",
    "fluents",
    "gates",
)


def compare(a: Swept, b: Swept) -> dict[str, Any]:
    """What differs between two sweeps, game by game: answers, and which of the two has the game at all."""
    if a.task != b.task:
        raise InputError(f"{a.task} and {b.task} cannot be compared; pick two sweeps of one task")
    first, second = ({r["game"]: r for r in sweep.records} for sweep in (a, b))
    changed = []
    for game in sorted(first.keys() & second.keys()):
        old, new = first[game], second[game]
        differences = {name: [old.get(name), new.get(name)] for name in _COMPARED if old.get(name) != new.get(name)}
        if differences:
            changed.append({"game": game, "changed": differences})
    both = first.keys() & second.keys()
    times = [sum(sweep[game]["cpu"] for game in both) for sweep in (first, second)]
    return {
        "a": a.title,
        "b": b.title,
        "games": len(both),
        "only_a": sorted(first.keys() - second.keys()),
        "only_b": sorted(second.keys() - first.keys()),
        "changed": changed,
        "cpu": {"a": round(times[0], 3), "b": round(times[1], 3)},
    }


def columns_of(sweep: Swept) -> list[str]:
    """Every field that some record of a sweep has, in order of first sight."""
    return list(dict.fromkeys(name for r in sweep.records for name in r))


def export(sweep: Swept, path: Path) -> None:
    """All records of a sweep as CSV, or as Parquet where pyarrow is installed; the suffix decides."""
    names = columns_of(sweep)
    rows = [{name: _plain(r.get(name)) for name in names} for r in sweep.records]
    if path.suffix == ".csv":
        import csv

        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".parquet":
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise InputError("Parquet needs pyarrow: pip install pyarrow; or write a .csv") from None
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        raise InputError(
            f"{path}: a table is written as .csv or .parquet{did_you_mean(path.suffix, ['.csv', '.parquet'])}"
        )


def _plain(value: object) -> object:
    """Objects as JSON text: a table has numbers, words and truth values."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value
