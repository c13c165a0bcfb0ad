"""Hufschmitt, Vittaut, Jouandeau 2018: decomposition by statistics of playouts, on hundreds of games."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from ludisect import decompose, load
from ludisect.sweep import paper
from ludisect.sweep.figures import draw_figure_4
from ludisect.sweep.report import Swept, all_sweeps, read_labels
from ludisect.sweep.rowstore import SweepStore
from ludisect.sweep.sweepplan import version
from reproduction.exhibit import Bench, Exhibit, Figures, NeedsGames, seconds_of, table

PAPER = "A. Hufschmitt, J.-N. Vittaut, N. Jouandeau, *Statistical GGP game decomposition*, CGW 2018"
METHODS = ("playouts", "exact")
PLAYOUTS = (1000, 3000, 5000, 10_000)
"""How many plays Figure 5 is measured at."""
MANY = 5000
"""How many plays Figure 4 and Figure 8 are measured at, as theirs."""


def _sweep(bench: Bench, games: list[Path], method: str, playouts: int | None = None) -> Swept:
    """A sweep of these games by ``ludisect sweep``: goes on where it was interrupted."""
    store = bench.folder / "hufschmitt.db"
    words = ["--method", method] + ([] if playouts is None else ["--playouts", str(playouts)])
    limits = ["--store", str(store), "--seconds", f"{bench.game_seconds:g}"]
    limits += [] if bench.jobs is None else ["--jobs", str(bench.jobs)]
    run = [sys.executable, "-m", "ludisect", "sweep", *map(str, games), *limits, *words]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    labels = {} if bench.labels is None else read_labels(bench.labels)
    with SweepStore(store, new=False) as opened:
        found = [
            sweep
            for sweep in all_sweeps(opened, labels)
            if sweep.version == version() and sweep.title.startswith(f"decompose {_settings(bench, words)} ")
        ]
    return found[-1]


def _settings(bench: Bench, words: list[str]) -> str:
    given = sorted(" ".join(pair) for pair in zip(words[::2], words[1::2], strict=True))
    return f"--seconds {bench.game_seconds:g} {' '.join(given)}"


def _games(bench: Bench) -> Path:
    if bench.games is None:
        raise NeedsGames
    return bench.games


# ---- Figure 1 -------------------------------------------------------------------------------------------------------


def measure_lamps(bench: Bench) -> Figures:
    """The minimal game, by two methods."""
    game = load("four-lamps")
    out = {}
    for method in METHODS:
        found = decompose(game, method=method)
        out[method] = [[" ".join(map(str, part.fluents)), part.useful] for part in found if part.kind == "dependent"]
    return out


def show_lamps(found: Figures) -> Iterable[str]:
    rows = [
        [method, len(parts), ", ".join(name for name, useful in parts if not useful) or "none"]
        for method, parts in found.items()
    ]
    yield from table(["method", "parts", "useless"], [["theirs", 4, "(not said)"], *rows])


# ---- Figures 4, 6, 8 ------------------------------------------------------------------------------------------------


def measure_sweeps(bench: Bench) -> Figures:
    """Every game of the folder by each method."""
    folder = _games(bench)
    labels = {} if bench.labels is None else read_labels(bench.labels)
    out = {}
    for method in METHODS:
        sweep = _sweep(bench, [folder], method, MANY if method == "playouts" else None)
        out[method] = {
            "games": len(sweep.records),
            "within": paper.within(sweep.records),
            "kinds": paper.by_kind(labels, sweep.verdicts) if sweep.verdicts else {},
            "single": paper.figure_8(sweep.records),
            "limit": bench.game_seconds,
            "status": Counter(r["status"] for r in sweep.records),
            "cpu": sum(r["cpu"] for r in sweep.records),
        }
    return out


def show_sweeps(found: Figures) -> Iterable[str]:
    limit = max(figures["limit"] for figures in found.values())
    times = [int(seconds) for seconds in paper.FIGURE_4 if seconds <= limit]
    yield "Figure 4, share of the games with a decomposition within so many seconds, ours of processor time:\n"
    rows: list[list[object]] = [["2018", paper.GAMES, *(f"{paper.FIGURE_4[s] / paper.GAMES:.1%}" for s in times)]]
    for method, figures in found.items():
        within = {int(s): n for s, n in figures["within"].items()}
        rows.append([method, figures["games"], *(f"{within[s] / figures['games']:.1%}" for s in times)])
    yield from table(["", "games", *(f"{s} s" for s in times)], rows)
    yield "\nFigure 6, compound and single games beside the known answers:\n"
    kinds: list[list[object]] = []
    for who, kind in (("2018", paper.FIGURE_6), *((m, figures["kinds"]) for m, figures in found.items())):
        kinds.append([who, *(f"{a} + {b}" for a, b in (kind.get(name, (0, 0)) for name in paper.VERDICTS))])
    yield from table(["compound + single", *paper.VERDICTS], kinds)
    yield "\nFigure 8, seconds of single games, ours of processor time:\n"
    single = {method: {row[0]: row for row in figures["single"]} for method, figures in found.items()}
    games = list(dict.fromkeys(name for rows_of in single.values() for name in rows_of))
    yield from table(
        ["game", "2018", *(f"{method} s" for method in single)],
        [[game, paper.FIGURE_8[game], *(_told(single[method].get(game)) for method in single)] for game in games],
    )
    yield ""
    yield (
        "Their games are 597 of public repositories, ours those of the folder that was given, so shares compare, "
        "counts do not. Their labels are not published; ours are known for some games only. Their times contain the "
        f"circuit and {MANY} playouts on one core, with an hour for each game; ours contain reading, the circuit and, "
        f"by `playouts`, as many plays, with {limit:g} s by the clock for each game. Their Figure 6 is after 10 000 "
        "playouts."
    )
    yield from (f"\n{_ended(method, figures)}" for method, figures in found.items())


def _ended(method: str, figures: Figures) -> str:
    """How the games of a sweep ended, in a sentence."""
    ends = ", ".join(f"{n} {status}" for status, n in figures["status"].items())
    return f"By `{method}`: {ends}; {figures['cpu']:,.0f} s of processor time for {figures['games']} games."


def _told(row: list[object] | None) -> str:
    if row is None:
        return ""
    seconds, evidence = row[2], row[3]
    return f"{seconds_of(float(str(seconds)))} ({evidence})" if seconds is not None else str(evidence)


def plot_sweeps(found: Figures, path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.6), layout="constrained")
    ours = {}
    for method, figures in found.items():
        within = {int(s): n for s, n in figures["within"].items() if int(s) <= figures["limit"]}
        ours[method] = (within, figures["games"])
    draw_figure_4(figure.subplots(), ours)
    figure.savefig(path)


# ---- Figure 5 -------------------------------------------------------------------------------------------------------


def measure_playouts(bench: Bench) -> Figures:
    """Labelled games after more and more playouts."""
    folder = _games(bench)
    if bench.labels is None:
        raise NeedsGames
    games = [path for name in read_labels(bench.labels) if (path := folder / f"{name}.kif").exists()]
    rows = []
    for playouts in PLAYOUTS:
        verdicts = list(_sweep(bench, games, "playouts", playouts).verdicts.values())
        rows.append({"playouts": playouts, **{name: verdicts.count(name) for name in paper.VERDICTS}})
    return rows


def show_playouts(rows: Figures) -> Iterable[str]:
    cells = []
    for row in rows:
        under, right, over = paper.FIGURE_5[row["playouts"] // 1000]
        of = sum(row[name] for name in paper.VERDICTS)
        share = f"{row['decomposed'] / of:.1%}"
        cells.append([row["playouts"], *(row[name] for name in paper.VERDICTS), share,
                      f"{under}, {right}, {over}", f"{right / (under + right + over):.1%}"])  # fmt: skip
    yield from table(["playouts", *paper.VERDICTS, "right", "theirs: under, right, over", "right"], cells)
    yield ""
    yield (
        "Method `playouts`, ours beside theirs. Our labels stand for the harder games: most of them are compounds, "
        "while a third of theirs are single games. What is not right is named by `ludisect sweep report --labels`."
    )


# ---- Figure 7 -------------------------------------------------------------------------------------------------------


def measure_nonogram(bench: Bench) -> Figures:
    """Parts of the nonogram of five by five, by each method."""
    path = _games(bench) / "nonogram_5x5_1.kif"
    if not path.exists():
        raise NeedsGames
    game = load(str(path))
    out = {}
    for method in METHODS:
        found = decompose(game, method=method)
        sizes = sorted((len(part.fluents) for part in found if part.kind == "dependent"), reverse=True)
        assert found.evidence is not None
        out[method] = {"parts": len(sizes), "sizes": sizes, "evidence": found.evidence.status}
    return out


def show_nonogram(found: Figures) -> Iterable[str]:
    rows = [[m, f["parts"], ", ".join(map(str, f["sizes"])), f["evidence"]] for m, f in found.items()]
    yield from table(["method", "parts", "fluents in each", "evidence"], rows)
    yield ""
    yield (
        "The picture of Figure 7 is lost, and the text does not say which nonogram it shows. Its cells fall into "
        "singles, where a clue alone decides them, and into groups that clues tie. We cut a cell apart if the "
        "rules let it be filled without regard to others and its share of the goal stands by itself "
        "([errata](errata.md))."
    )


EXHIBITS = [
    Exhibit("lamps", "Figure 1: four lamps", PAPER, measure_lamps, show_lamps),
    Exhibit("sweeps", "Figures 4, 6 and 8: many games", PAPER, measure_sweeps, show_sweeps, plot_sweeps, True),
    Exhibit("playouts", "Figure 5: more playouts", PAPER, measure_playouts, show_playouts, needs_games=True),
    Exhibit("nonogram", "Figure 7: a nonogram", PAPER, measure_nonogram, show_nonogram, needs_games=True),
]
