"""The paper's Figures 4, 5, 6 and 8 in our figures, theirs beside, as one picture by matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from ludisect.errors import InputError
from ludisect.sweep import paper
from ludisect.sweep.report import Labels, Swept

_OURS, _THEIRS = "#0072b2", "#999999"
_LINES = (_OURS, "#d55e00", "#009e73", "#cc79a7")
"""Colours of several sweeps in one picture."""


def plot(sweep: Swept, sweeps: Sequence[Swept], labels: Labels, path: Path) -> None:
    """Draw what the sweep can tell: Figure 4 always, 5 and 6 where answers are known, 8 where games are the same."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("plots need matplotlib: pip install 'ludisect[plots]'") from None
    if sweep.task != "decompose":
        raise InputError(f"the paper's figures are about decompositions, and this is a sweep of {sweep.task}")
    eight = paper.figure_8(sweep.records)
    growing = by_playouts(sweep, sweeps)
    drawn = [_figure_4]
    drawn += [_figure_5] if len(growing) > 1 else []
    drawn += [_figure_6] if sweep.verdicts else []
    drawn += [_figure_8] if eight else []
    figure = Figure(figsize=(6.4 * min(2, len(drawn)), 4.4 * ((len(drawn) + 1) // 2)), layout="constrained")
    for number, draw in enumerate(drawn, 1):
        axes = figure.add_subplot((len(drawn) + 1) // 2, min(2, len(drawn)), number)
        draw(axes, sweep, growing, labels)
    figure.suptitle(sweep.title, fontsize=9)
    try:
        figure.savefig(path)
    except ValueError as error:  # a format that matplotlib does not write
        raise InputError(f"cannot draw {path}: {error}") from None


def by_playouts(sweep: Swept, sweeps: Sequence[Swept]) -> list[Swept]:
    """The sweeps of one method and version with known answers, by their number of playouts."""
    same = [s for s in sweeps if s.verdicts and s.method == sweep.method and s.version == sweep.version]
    return sorted(same, key=lambda s: s.playouts)


def _figure_4(axes: Any, sweep: Swept, growing: Sequence[Swept], labels: Labels) -> None:
    draw_figure_4(axes, {"ours": (paper.within(sweep.records), len(sweep.records))})


def draw_figure_4(axes: Any, ours: Mapping[str, tuple[Mapping[int, int], int]]) -> None:
    """Figure 4 in any axes: theirs, and a line for each of ours: seconds -> games within them, and of how many."""
    theirs = [100 * n / paper.GAMES for n in paper.FIGURE_4.values()]
    axes.plot(list(paper.FIGURE_4), theirs, "o--", color=_THEIRS, label=f"2018: {paper.GAMES} games")
    for (name, (within, games)), colour in zip(ours.items(), cycle(_LINES), strict=False):
        shares = [100 * n / games for n in within.values()]
        axes.plot(list(within), shares, "o-", color=colour, label=f"{name}: {games} games")
    axes.set(
        xscale="log",
        xlabel="seconds, ours of processor time",
        ylabel="% of games",
        ylim=(0, 103),
        title="Decomposed within (Figure 4)",
    )
    axes.legend(loc="lower right")


def _figure_5(axes: Any, sweep: Swept, growing: Sequence[Swept], labels: Labels) -> None:
    theirs = {k: 100 * right / (under + right + over) for k, (under, right, over) in paper.FIGURE_5.items()}
    axes.plot(list(theirs), list(theirs.values()), "o-", color=_THEIRS, label="2018")
    shares = [100 * list(s.verdicts.values()).count("decomposed") / len(s.verdicts) for s in growing]
    axes.plot([s.playouts / 1000 for s in growing], shares, "o-", color=_OURS, label=f"ours, {sweep.method}")
    axes.set(xlabel="thousand playouts", ylabel="% right", title="Right after so many playouts (Figure 5)")
    axes.legend(loc="lower right")


def _figure_6(axes: Any, sweep: Swept, growing: Sequence[Swept], labels: Labels) -> None:
    ours = paper.by_kind(labels, sweep.verdicts)
    for row, (who, table, colour) in enumerate((("2018", paper.FIGURE_6, _THEIRS), ("ours", ours, _OURS))):
        of = sum(map(sum, table.values()))
        for place, name in enumerate(paper.VERDICTS):
            share = 100 * sum(table.get(name, (0, 0))) / of
            axes.barh(place + 0.4 * row, share, 0.38, color=colour, label=who if place == 0 else None)
    axes.set_yticks([k + 0.2 for k in range(len(paper.VERDICTS))], paper.VERDICTS)
    axes.set(xlabel="% of games", title="Beside the known answers (Figure 6)")
    axes.legend(loc="lower right")


def _figure_8(axes: Any, sweep: Swept, growing: Sequence[Swept], labels: Labels) -> None:
    rows = [(f"{name} (2018: {theirs})", ours) for name, theirs, ours, _ in paper.figure_8(sweep.records)][::-1]
    axes.barh([name for name, _ in rows], [ours or 0 for _, ours in rows], color=_OURS)
    axes.set(xscale="log", xlabel="our processor seconds", title="Single games (Figure 8)")
    axes.tick_params(axis="y", labelsize=6)
