"""Günther 2007: decomposition of games of one player."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import papers
from ludisect import decompose, load, solve
from ludisect.decomposition.rules import symbols
from reproduction.exhibit import Bench, Exhibit, Figures, agreement, table

THESIS = "M. Günther, *Decomposition of Single Player Games*, TU Dresden, 2007"

GOALS = {(0, 0, 0): 0, (0, 0, 1): 25, (0, 1, 0): 30, (0, 1, 1): 70, (1, 0, 0): 45, (1, 0, 1): 70, (1, 1, 0): 75,
         (1, 1, 1): 100}  # fmt: skip
"""Table 4.1 as printed: gold fetched, first tower, second tower."""


def measure_graph(bench: Bench) -> Figures:
    """The graph over symbols of the game of his form that we bundle."""
    graph = symbols.find(load("blocks-maze")).graph
    assert graph is not None
    return {
        "components": sorted(sorted(graph.nodes[n].label for n in component) for component in graph.components()),
        "edges": sorted({(graph.nodes[e.source].label, graph.nodes[e.target].label, e.kind) for e in graph.edges}),
    }


def show_graph(found: Figures) -> Iterable[str]:
    yield from table(["component", "symbols"], [[k, " ".join(c)] for k, c in enumerate(found["components"], 1)])
    yield ""
    yield from table(["from", "to", "edge"], [[source, target, kind] for source, target, kind in found["edges"]])
    yield ""
    yield (
        "Three components, as in Figure 3.1b: the maze, the blocks, and the step counter. He hands the step counter "
        "in; we find it. The rules are ours (`blocks-maze`), of the same form as *incredible*."
    )


CLEARING = ("(unstack c a)", "(unstack f e)", "(unstack e d)")
FIRST, SECOND = ("(stack a e)", "(stack c a)"), ("(stack d f)", "(stack b d)")
ERRAND = ("move", "move", "grab", "move", "move", "drop")


def measure_goals(bench: Bench) -> Figures:
    """The goal after every combination of the three things to do: each is played on the rules."""
    out = []
    for gold, first, second in product((0, 1), repeat=3):
        state = load("blocks-maze").start
        for move in (*CLEARING, *FIRST * first, *SECOND * second, *ERRAND * gold):
            state = state.play(robot=move)
        out.append({"done": [gold, first, second], "goal": state.goals["robot"], "printed": GOALS[gold, first, second]})
    return out


def show_goals(rows: Figures) -> Iterable[str]:
    cells = [
        [*("true" if done else "false" for done in row["done"]), row["goal"], row["printed"],
         agreement(row["goal"], row["printed"])]
        for row in rows
    ]  # fmt: skip
    yield from table(["gold", "first tower", "second tower", "goal", "printed", ""], cells)
    yield ""
    yield "The row of both towers without the gold is a slip: 30 + 25 = 55 ([errata](errata.md))."


def measure_greedy(bench: Bench) -> Figures:
    """What greedy moves and plans by concepts reach: a value, or its bounds."""
    parts = decompose(load("blocks-maze"))
    return {by: papers.spell(solve(parts, by=by)) for by in ("greedy", "plans")}


def show_greedy(found: Figures) -> Iterable[str]:
    yield from table(
        ["search", "ours", "theirs"],
        [
            ["greedy (Algorithm 4.1)", found["greedy"], "100 (called optimal)"],
            ["plans by concepts", found["plans"], 100],
        ],
    )
    yield ""
    yield (
        "Greedy search gives a lower bound: once the first tower stands, it fetches the gold, which ends the play "
        "([errata](errata.md))."
    )


def measure_tracks(bench: Bench) -> Figures:
    """The interleaved plan of the two tracks."""
    answer = solve(decompose(load("two-track")), by="plans")
    (role,) = answer.value
    return {"value": answer.value[role], "plan": [str(step[role]) for step in answer.line]}


def show_tracks(found: Figures) -> Iterable[str]:
    yield (
        f"Goal {found['value']:g}, theirs 100, by the plan {' '.join(found['plan'])}. Either local plan in one piece "
        "ends the play at 0; only plans that change between the tracks reach the goal, as Example 5.2 says."
    )


EXHIBITS = [
    Exhibit("symbols", "Figure 3.1: the graph over symbols", THESIS, measure_graph, show_graph),
    Exhibit("goals", "Table 4.1: the goals of blocks and maze", THESIS, measure_goals, show_goals),
    Exhibit("greedy", "§4.1.2: greedy search on blocks and maze", THESIS, measure_greedy, show_greedy),
    Exhibit("tracks", "Listing 5.1: two tracks", THESIS, measure_tracks, show_tracks),
]
