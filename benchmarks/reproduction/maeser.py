"""Mäser 2001: the Game Bench, with chess endings (chapters 6 and 7) and Regio (chapter 8)."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from random import Random

import pawnendings
import regio
from ludisect.cgt import read_value, reduced
from ludisect.cgt.marked import short_worth
from ludisect.pawnendings import analyse
from ludisect.rulesets import Pawns, Player, Regio
from ludisect.rulesets.chessboard import BLACK, WHITE
from ludisect.rulesets.notation import position
from ludisect.sums.deepening import deepen
from ludisect.sums.threatsearch import ThreatSearch
from reproduction.exhibit import Bench, Exhibit, Figures, table

THESIS = "F. Mäser, *Divide and Conquer in Game Tree Search*, dissertation, ETH Zürich, 2001"

SMALL = [
    ("{-1,*|0,*}", "v"), ("{0|*}", "^"), ("{0|1}", "1/2"), ("{0|1/2}", "1/4"), ("*7 + *5 + *3 + *1", "0"),
    ("on - {5|-3}", "on"),
]  # fmt: skip
"""Chapter 2: a game and what it is equal to."""

THREATS = [
    ("6.1", "d3 e3 / d5 e6", "*"),
    ("6.2", "d3 / e5", "0"),
    ("6.3 (squares ours)", "d4 e4 / d6", "on"),
    ("6.5, 6.6", "d3 d4 / e6", "1"),
    ("7.2, position 1 (squares ours)", "h5 / h7", "*"),
    ("7.2, position 2 (squares ours)", "a2 / a7", "0"),
    ("7.2, position 3 (squares ours)", "a2 / a5", "^"),
    ("7.2, position 4 (squares ours)", "h3 / h7", "vv*"),
    ("7.3", "b2 c2 / b4 c4", "0"),
    ("7.4", "a5 b5 c5 / a7 b7 c7", "{on|{0,{on|0}|off}}"),
    ("7.1, queenside", "a2 b2 / a6 b7", "^"),
    ("7.1, kingside", "h3 / h7", "vv*"),
    ("7.6, queenside", "a4 b4 / a7 b7", "0"),
    ("7.6, kingside", "g2 g3 / g7 h6", "{0|-1}"),
    ("endgame 4, queenside", "a3 b2 / a7 b7", "v"),
    ("endgame 5, queenside", "a2 b2 / a6 c4 c5", "{0|tiny(on)} - 1"),
    ("endgame 5, kingside", "g4 h2 / f6 h7", "2"),
    ("endgame 8, kingside", "f2 g2 h3 / f6 g7 h7", "0"),
    ("endgame 9", "a4 b3 c4 / a6 b7 c7", "{{1/2|{0|{0,{on|v}|off}}}|{-1|-2}}"),
    ("endgame 12", "e4 f2 g3 h2 / e5 f7 g6 h7", "0"),
]
"""Figure or endgame, pawns, printed value: those whose pawns follow from the text alone."""

ENDINGS = [
    ("Sveda - Sika, Brno 1929 (Figure 7.1)", "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8", "v*", "h4", "a5"),
    ("Popov - Dankov, Albena 1978 (Figure 7.6)", "8/pp4p1/7p/3k4/PP1Pp3/4K1P1/6P1/8", "{0|-1}", "g4", "h5"),
]
"""Name, position, printed sum, the moves that the thesis says win for White and for Black."""


def measure_values(bench: Bench) -> Figures:
    """Small values, pawns with global threats, two endings."""
    search = ThreatSearch(lambda: None)
    endings = []
    for name, fen, total, white, black in ENDINGS:
        found = analyse(fen)
        endings.append(
            {"name": name, "fen": fen, "sum": str(found.total), "same": found.total == read_value(total),
             "white": [m.san for m in found.winning(WHITE)], "black": [m.san for m in found.winning(BLACK)],
             "printed": [total, white, black]}
        )  # fmt: skip
    return {
        "small": [[game, same, read_value(game) == read_value(same)] for game, same in SMALL],
        "threats": [
            [name, pawns, short_worth(found), printed, found == read_value(printed)]
            for name, pawns, printed in THREATS
            for found in [search.worth(Pawns(pawns))]
        ],
        "endings": endings,
    }


def show_values(found: Figures) -> Iterable[str]:
    yield from table(["game (chapter 2)", "is", ""], [[a, b, "✓" if same else "✕"] for a, b, same in found["small"]])
    yield ""
    rows = [[*row[:4], "✓" if row[4] else "✕"] for row in found["threats"]]
    yield from table(["figure", "pawns", "value", "printed", ""], rows)
    yield ""
    yield from table(
        ["ending", "sum", "printed", "White wins by", "printed", "Black wins by", "printed"],
        [
            [e["name"], e["sum"], e["printed"][0], ", ".join(e["white"]), e["printed"][1], ", ".join(e["black"]),
             e["printed"][2]]
            for e in found["endings"]
        ],
    )  # fmt: skip
    yield ""
    yield (
        "The diagrams are lost; the pawns follow from the moves and squares that the text names, the kings of Popov - "
        "Dankov are on one of the three places that fit. By the values Black has more winning moves there than the "
        "thesis names. Endgames whose pawns had to be fitted to the printed value are tests, not evidence, and are "
        "left out here; endgame 6 could not be rebuilt ([chess endings](chess-endings.md)). The rows of Figure 6.4 are "
        "a test (`tests/cgt/test_marked.py::test_the_rows_of_figure_6_4`), and so is Figure 7.5 "
        "(`tests/pawnendings/test_ending.py::test_sveda_sika_later`)."
    )


def measure_nodes(bench: Bench) -> Figures:
    """Figure 7.7, and both wings of Popov - Dankov in one search."""
    rows = []
    for number, (parts, theirs, fitted) in pawnendings.ENDGAMES.items():
        found = [pawnendings.searched(part) for part in parts]
        rows.append({"endgame": number, "nodes": sum(n for _, n, _ in found), "theirs": theirs, "fitted": fitted})
    apart = sum(pawnendings.searched(part)[1] for part in pawnendings.WINGS)
    joint = pawnendings.searched("a4 b4 g2 g3 / a7 b7 g7 h6")[1]
    return {"rows": rows, "apart": apart, "joint": joint}


def show_nodes(found: Figures) -> Iterable[str]:
    cells = [[r["endgame"], r["nodes"], r["theirs"], r["nodes"] / r["theirs"], "yes" if r["fitted"] else ""]
             for r in found["rows"]]  # fmt: skip
    yield from table(["endgame", "nodes", "theirs", "ratio", "a pawn was fitted"], cells)
    yield ""
    yield (
        f"The wings of Popov - Dankov by parts: {found['apart']} nodes, in one search {found['joint']}; theirs fewer "
        "than 1000 and almost 200 000. What their table and evaluation were is not said, so ratios near one are all "
        "that can be asked for."
    )


def measure_points(bench: Bench) -> Figures:
    """Figures 8.1, 8.4 and 8.7."""
    before, after = read_value("{{3|1},3|-3,{-2|-4}}"), read_value("{3|-3,{-2|-4}}")
    graph = position("regio 1-2 2-3 1-4 1-5 3-6 3-7")
    moves = {}
    for move in graph.moves(Player.LEFT):
        later = graph.play(Player.LEFT, move)
        moves[graph.move_text(move)] = [later.score(), str(later.value.right_stop)]
    depths = [
        [g.depth, str(g.value), str(g.value.left_stop), str(g.value.right_stop), str(g.value.temperature)]
        for g in deepen(Regio("4x2"), most=4, published=True)
    ]
    return {"reduced": reduced(before) == reduced(after), "graph": str(graph.value), "moves": moves, "depths": depths}  # type: ignore[arg-type]


def show_points(found: Figures) -> Iterable[str]:
    yield (
        "Figure 8.1: {{3|1},3|-3,{-2|-4}} is {3|-3,{-2|-4}} up to infinitesimals: "
        + ("✓" if found["reduced"] else "✕")
        + f". Figure 8.4: the graph is {found['graph']}, theirs ±(3,{{7|1}})."
    )
    yield ""
    rows = [[node, takes, nets] for node, (takes, nets) in found["moves"].items()]
    yield from table(["node (Figure 8.4)", "colours", "nets"], rows)
    yield "\nTheirs: nodes 1 and 3 colour four and net 1, node 2 colours three and nets 3, a leaf nets −1.\n"
    yield from table(["depth (Figure 8.7, 4x2)", "value", "left stop", "right stop", "temperature"], found["depths"])
    yield "\nTheirs: stops 4, 1, 2, 2 with their negatives and temperature 4 at every depth; exact at depth 4."


def measure_experiment(bench: Bench) -> Figures:
    """Figure 8.10 on boards of our own."""
    boards = [regio.cut_board(n, Random(f"0 {k}")) for k, n in enumerate(regio.PARTS)]
    with contextlib.redirect_stdout(io.StringIO()):
        rows = [regio.compare(k, board, 4, False) for k, board in enumerate(boards)]
    return [asdict(row) for row in rows]


def show_experiment(rows: Figures) -> Iterable[str]:
    cells = []
    for row, (greedy, whole) in zip(rows, regio.THEIRS, strict=True):
        cells.append(
            [row["board"], row["parts"], row["greedy"]["score"], greedy[0], row["greedy"]["nodes"], greedy[1],
             row["alphabeta"]["score"], whole[0], row["alphabeta"]["nodes"], whole[1]]
        )  # fmt: skip
    head = [
        "board",
        "parts",
        "greedy: score",
        "theirs",
        "nodes",
        "theirs",
        "alpha-beta: score",
        "theirs",
        "nodes",
        "theirs",
    ]
    yield from table(head, cells)
    ours = sum(r["alphabeta"]["nodes"] for r in rows) / sum(r["greedy"]["nodes"] for r in rows)
    theirs = sum(w for _, (_, w) in regio.THEIRS) / sum(g for (_, g), _ in regio.THEIRS)
    seconds = [sum(r[name]["seconds"] for r in rows) for name in ("greedy", "alphabeta")]
    yield ""
    yield (
        f"By parts {ours:.0f} times fewer nodes in all, theirs {theirs:.1f} times: we split a part again while it is "
        f"searched (`benchmarks/regio.py --published` does not). In seconds of processor time it is {seconds[0]:.1f} "
        f"by parts and {seconds[1]:.1f} by alpha-beta, whose nodes are integers; ours build values. The boards of the "
        "thesis are lost; ours are seeded and have as many parts."
    )


def plot_experiment(rows: Figures, path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.subplots()
    boards = [row["board"] for row in rows]
    for name, colour, place in (("greedy", "#1148b3", 0), ("alphabeta", "#ec6100", 1)):
        axes.plot(boards, [row[name]["nodes"] for row in rows], "o-", color=colour, label=f"{name}, ours")
        axes.plot(boards, [t[place][1] for t in regio.THEIRS], "o--", color=colour, alpha=0.4, label=f"{name}, 2001")
    axes.set(yscale="log", xlabel="board", ylabel="nodes", title="Regio 15x15 (Figure 8.10)", xticks=boards)
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.savefig(path)


EXHIBITS = [
    Exhibit("threats", "Chapters 2, 6 and 7: values", THESIS, measure_values, show_values),
    Exhibit("nodes", "Figure 7.7: nodes of the endgames", THESIS, measure_nodes, show_nodes),
    Exhibit("points", "Figures 8.1, 8.4 and 8.7: points", THESIS, measure_points, show_points),
    Exhibit(
        "regio", "Figure 8.10: Regio on large boards", THESIS, measure_experiment, show_experiment, plot_experiment
    ),
]
