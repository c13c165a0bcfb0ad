"""Zhao 2009 (thesis) and Zhao, Schiffel, Thielscher 2009 (paper): decomposition search for several players."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import reduce
from pathlib import Path

import papers
from ludisect import decompose, load, solve
from ludisect.decomposition.rules import instances
from ludisect.errors import BudgetExceeded
from ludisect.search.part.compound import PartOrder
from ludisect.search.part.reading import read_choice
from ludisect.search.turns.selection import Combination, choose, free_roles
from ludisect.search.turns.sequences import Sequences
from ludisect.search.turns.treesearch import solve_compound
from reproduction.exhibit import Bench, Exhibit, Figures, agreement, seconds_of, table

THESIS = "D. Zhao, *Decomposition of Multi-Player Games*, master thesis, TU Dresden, 2009"
PAPER = "D. Zhao, S. Schiffel, M. Thielscher, *Decomposition of Multi-player Games*, AI 2009"


# ---- Table 4.1 ------------------------------------------------------------------------------------------------------


def show_nim(rows: Figures) -> Iterable[str]:
    cells = [
        [row["game"], row["value"], seconds_of(row["cut_seconds"]), seconds_of(row["parts_seconds"]), row["theirs"],
         seconds_of(row["whole_seconds"], finished=row["whole_finished"]), row["theirs_whole"]]
        for row in rows
    ]  # fmt: skip
    yield from table(["heaps", "value", "cut s", "parts s", "theirs", "whole s", "theirs"], cells)
    yield ""
    yield (
        "*Cut* finds the heaps in the rules and proves them independent; theirs are given. The last row is ours alone. "
        "Their machine is of 2009: what compares is parts beside whole on the same side."
    )


# ---- Tables 5.1 to 5.4 ----------------------------------------------------------------------------------------------


def show_boards(rows: Figures) -> Iterable[str]:
    by_depth = [row for row in rows if "depth" in row]
    cells = [
        [row["depth"], row["all"], row["theirs_all"], row["simplified"], row["theirs_simplified"],
         agreement(row["simplified"], row["theirs_simplified"]), seconds_of(row["published_seconds"]),
         row["theirs_seconds"], row["published_value"], seconds_of(row["sound_seconds"]), row["sound_value"]]
        for row in by_depth
    ]  # fmt: skip
    head = ["depth", "sequences", "printed", "left", "theirs", "", "s", "theirs", "value", "sound s", "value"]
    yield from table(head, cells)
    yield ""
    yield (
        "*Left* is what simplification keeps; *s* is the search of both boards from it, as published, and in the form "
        "that we can prove sound. From depth 5 on the thesis prints products that forget that a line ends a board; the "
        "paper has our count for depth 9 (58 242 432). At depths 6 to 8 the published rule finds 75, and whole search "
        "says 50: the rule is not sound ([errata](errata.md))."
    )
    for row in rows:
        if "depth" not in row:
            yield f"\n{papers.both(row)}."


# ---- Example 5.1, Figures 5.1 and 5.2 -------------------------------------------------------------------------------


def measure_paths(bench: Bench) -> Figures:
    """Four paths of two moves: compared one after the other as in the text, and from the leaves."""
    worth = {"path1": 2, "path2": 1, "path3": 3, "path4": 0}
    first = {"path1": 1, "path2": 1, "path3": 2, "path4": 2}
    paths = {
        name: Combination(((0, 0, first[name]), (1, 0, 10 * first[name] + k)), value)
        for k, (name, value) in enumerate(worth.items())
    }
    called = {path.steps: name for name, path in paths.items()}
    in_turn = reduce(lambda a, b: choose([a, b]), [paths[name] for name in ("path1", "path3", "path2", "path4")])
    one, two, three = (0, (10, 20)), (0, (11, 21)), (0, (10, 22, 30))
    free = free_roles(Sequences({(0, 1): [one, two], (0, 1, 0): [three]}))
    return {
        "worth": worth,
        "in_turn": called[in_turn.steps],
        "backwards": called[choose(list(paths.values())).steps],
        "free": [sorted(free[key]) for key in (((0, 1), one[1]), ((0, 1), two[1]), ((0, 1, 0), three[1]))],
    }


def show_paths(found: Figures) -> Iterable[str]:
    yield from table(
        ["how the four paths are compared", "ours", "theirs", ""],
        [
            ["one after the other, in the order of the text", found["in_turn"], "path4",
             agreement(found["in_turn"], "path4")],
            ["from the leaves", found["backwards"], "path2", agreement(found["backwards"], "path2")],
        ],
    )  # fmt: skip
    yield ""
    names = [" and ".join(f"P{role + 1}" for role in free) or "nobody" for free in found["free"]]
    yield from table(
        ["free in (Figure 5.2)", "ours", "theirs", ""],
        [
            [f"seq{k + 1}", ours, theirs, agreement(ours, theirs)]
            for k, (ours, theirs) in enumerate(zip(names, ("P2", "nobody", "nobody"), strict=True))
        ],
    )
    yield ""
    yield (
        "The values in Figure 5.1 are lost. Ours (2, 1, 3, 0 for the first player) prefer as the text says; the moves "
        "of Figure 5.2 are rebuilt from what the text says of them."
    )


# ---- the paper ------------------------------------------------------------------------------------------------------


def measure_graph(bench: Bench) -> Figures:
    """The components of the dependency graph of Nim."""
    graph = instances.find(load("nim:1,2,3,5")).graph
    assert graph is not None
    return sorted(sorted(graph.nodes[n].label for n in component) for component in graph.components())


def show_graph(components: Figures) -> Iterable[str]:
    yield from table(["component", "terms"], [[k, " ".join(c)] for k, c in enumerate(components, 1)])
    yield ""
    yield (
        f"{len(components)} components, theirs 6: a heap with its move each, the turn marker, and the move that does "
        "nothing."
    )


def measure_subtree(bench: Bench) -> Figures:
    """Sequences of one board after two moves, all and left."""
    compound = read_choice(decompose(load("double-tictactoe"))).compound
    order = PartOrder(compound, 0)
    found = solve_compound(compound, form="sequences", depth=2)
    return {"all": papers.count_sequences(compound.parts[0], order, 2), "left": found.sequences[0]}


def show_subtree(found: Figures) -> Iterable[str]:
    yield (
        "Figure 3 shows paths of a board of which two are dropped because others are at least as good under every "
        f"goal. Its board is lost. From the empty board, of {found['all']} sequences of two moves {found['left']} are "
        "left: one for each order of turns."
    )


def measure_depths(bench: Bench) -> Figures:
    """Seconds by parts and whole, to a depth of the whole tree, for double tic-tac-toe."""
    game = load("double-tictactoe")
    compound = read_choice(decompose(game)).compound
    rows, over = [], False
    for depth in range(1, 10):
        begin = time.process_time()
        solve_compound(compound, form="sequences", depth=depth)
        row = {"depth": 2 * depth, "parts_seconds": time.process_time() - begin}
        if not over:
            begin = time.process_time()
            try:
                solve(game, by="whole", depth=2 * depth, seconds=bench.seconds)
            except BudgetExceeded:
                over = True
            row["whole_seconds"] = time.process_time() - begin
            row["whole_finished"] = not over
        rows.append(row)
    return rows


def show_depths(rows: Figures) -> Iterable[str]:
    cells = [
        [row["depth"], seconds_of(row["parts_seconds"]),
         seconds_of(row.get("whole_seconds"), finished=row.get("whole_finished", True))]
        for row in rows
    ]  # fmt: skip
    yield from table(["depth of the whole tree", "by parts s", "whole s"], cells)
    yield ""
    yield (
        "The curves of Figure 4 are lost but for their numbers in Tables 5.3 and 5.4 of the thesis. Double-Crisscross2 "
        "was never published: 10 448 of 15 864 465 sequences left cannot be checked; a game of our own of that kind "
        "stands in `benchmarks/papers.py crossings`."
    )


def plot_depths(rows: Figures, path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.plot([r["depth"] for r in rows], [r["parts_seconds"] for r in rows], "o-", label="by parts, ours")
    axes.plot([2 * d for d in range(1, 10)], papers.GLOBAL_SECONDS, "o--", color="#999999", label="by parts, 2009")
    whole = [r for r in rows if r.get("whole_finished")]
    axes.plot([r["depth"] for r in whole], [r["whole_seconds"] for r in whole], "s-", label="whole, ours")
    axes.set(yscale="log", xlabel="depth of the whole tree", ylabel="seconds", title="Double tic-tac-toe")
    axes.legend()
    figure.savefig(path)


EXHIBITS = [
    Exhibit("nim", "Table 4.1: Nim", THESIS, lambda bench: papers.nim_table(bench.seconds), show_nim),
    Exhibit(
        "boards", "Tables 5.1 to 5.4: double tic-tac-toe", THESIS, lambda b: papers.board_table(b.seconds), show_boards
    ),
    Exhibit("paths", "Example 5.1, Figures 5.1 and 5.2: paths and free players", THESIS, measure_paths, show_paths),
    Exhibit("graph", "Figure 2: the dependency graph of Nim", PAPER, measure_graph, show_graph),
    Exhibit("subtree", "Figure 3: sequences that are dropped", PAPER, measure_subtree, show_subtree),
    Exhibit("depths", "Figure 4: seconds by depth", PAPER, measure_depths, show_depths, plot_depths),
]
