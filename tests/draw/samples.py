"""Decompositions made by hand from bundled games, with graphs of what random plays showed: something to draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

import ludisect
from ludisect.circuit.game import Game
from ludisect.circuit.record import record
from ludisect.circuit.rows import unpack
from ludisect.decomposition.model.decomposition import Counterexample, Decomposition, Evidence, Part, Structure
from ludisect.decomposition.model.dependency import DependencyGraph, Edge, EdgeKind, Node
from ludisect.gdl.terms import Term

Key = Callable[[Term], object]
"""Fluents with the same key lie in one part, which is independent if the key is "context"; None: in none."""


@cache
def load(name: str) -> Game:
    return ludisect.load(name)


class Seen(NamedTuple):
    """What 100 plays showed: joint moves, and per (joint move, fluent, whether it became true) its share."""

    joint: list[tuple[int, ...]]
    share: dict[tuple[int, int, bool], float]


@cache
def seen(name: str) -> Seen:
    game = load(name)
    told = record(game, 100)
    joint = [tuple(moves) for moves in told.joint.tolist()]
    every = sorted(set(joint))
    times, changes = Counter[int](), Counter[tuple[int, int, bool]]()
    before, after = (unpack(rows, len(game.fluents)) for rows in (told.states, told.following))
    for i, n in enumerate(told.count.tolist()):
        j = every.index(joint[i])
        times[j] += n
        for f in np.flatnonzero(before[i] != after[i]).tolist():
            changes[j, f, bool(after[i, f])] += n
    return Seen(every, {change: n / times[change[0]] for change, n in sorted(changes.items())})


def seen_graph(game: Game) -> DependencyGraph:
    """One node per fluent and per move; effects as 100 plays showed them, preconditions from the nets of ``legal``."""
    graph = DependencyGraph([Node(str(t), (f,)) for f, t in enumerate(game.fluents)])
    node_of: dict[tuple[int, int], int] = {}
    for r, of_role in enumerate(game.moves):
        for m, term in enumerate(of_role):
            if str(term) != "noop":
                node_of[r, m] = len(graph.nodes)
                graph.nodes.append(Node(f"{game.roles[r]}: {term}", (), ((r, m),)))
                for f in game.circuit.support([int(game.circuit.legal[game.batch.first_move[r] + m])]):
                    graph.edges.append(Edge(int(f) - 1, node_of[r, m], "precondition"))
    told = seen(game.name)
    for (joint, f, up), p in told.share.items():
        for r, m in enumerate(told.joint[joint]):
            kind: EdgeKind = "positive" if up else "negative"
            if (r, m) in node_of:
                graph.edges.append(Edge(node_of[r, m], f, kind, p, "seen in a random play"))
    return graph


def sample(
    name: str,
    key: Key,
    *,
    structure: Structure = "parallel-choice",
    graph: DependencyGraph | None = None,
    evidence: Evidence | None = None,
    serial: bool = False,
) -> Decomposition:
    """The fluents of a game by ``key``; local moves are those that name the part's key or change its fluents."""
    game = load(name)
    blocks: dict[object, list[int]] = {}
    for f, term in enumerate(game.fluents):
        blocks.setdefault(key(term), []).append(f)
    constant = tuple(blocks.pop(None, []))
    told = seen(name)
    parts: list[Part] = []
    for at, fluents in sorted(blocks.items(), key=lambda b: str(b[0]).startswith("context")):
        context = str(at).startswith("context")
        touching = {joint for joint, f, _ in told.share if f in fluents}
        moves = tuple(
            tuple((m,) for m in sorted({told.joint[j][r] for j in touching}) if str(of_role[m]) != "noop")
            for r, of_role in enumerate(game.moves)
        )
        after = (len(parts),) if serial and parts and not context else ()
        useful = not str(at).startswith("useless")
        kind = "independent" if context else "dependent"
        parts.append(
            Part(
                len(parts) + 1, "independent" if kind == "independent" else "dependent", useful, tuple(fluents),
                () if context else moves, after,
            )
        )  # fmt: skip
    return Decomposition(
        game,
        "by hand",
        tuple(parts),
        "alternating" if len(game.roles) > 1 else "single-player",
        structure,
        evidence,
        constant,
        graph=graph,
    )


def symbol(term: Term) -> object:
    """Every symbol a part; turn markers are context."""
    return "context" if term.name in ("control", "turn", "step", "pressed") else term.name


def first_argument(term: Term) -> object:
    """Every first argument a part."""
    return "context" if term.name in ("control", "turn") else str(term.args[0])


TESTED = Evidence("tested", 12345, claims={"local transition": "tested on 12,345 transitions"})

FAILED = Evidence(
    "failed",
    411,
    Counterexample(
        1,
        1,
        "the next value of <part 1> & its friends differs",
        (
            {"state": ["(on a)", "(on b)"], "moves": {"player": "(push a)"}, "next": ["(on b)"]},
            {"state": ["(on a)", "(on c)"], "moves": {"player": "(push a)"}, "next": ["(on a)", "(on c)"]},
        ),
    ),
)


def double_tictactoe() -> Decomposition:
    return sample("double-tictactoe", symbol, graph=seen_graph(load("double-tictactoe")), evidence=TESTED)


def serial_tictactoe() -> Decomposition:
    return sample("serial-tictactoe", symbol, structure="serial", serial=True)


def nim() -> Decomposition:
    return sample("nim:3,5,7", first_argument, graph=seen_graph(load("nim:3,5,7")), evidence=Evidence("proved", 4321))


def four_lamps() -> Decomposition:
    return sample(
        "four-lamps",
        lambda t: f"useless {t}" if str(t.args[0]) == "d" else str(t),
        graph=seen_graph(load("four-lamps")),
        evidence=FAILED,
    )


def lights() -> Decomposition:
    return sample("lights-on-parallel", first_argument, graph=seen_graph(load("lights-on-parallel")), evidence=TESTED)


def domineering() -> Decomposition:
    """Two boards side by side as two parts, by the column."""

    def key(term: Term) -> object:
        return "context" if term.name == "control" else int(str(term.args[1])) < 4

    return sample("domineering:2x3,4x4", key)


def stripes() -> Decomposition:
    """A wrong decomposition of tic-tac-toe: crosses apart from noughts, and empty squares in no part."""

    def key(term: Term) -> object:
        if term.name == "control":
            return "context"
        return None if str(term.args[-1]) not in ("x", "o") else str(term.args[-1])

    return sample("tictactoe", key)


def dense() -> Decomposition:
    """One part in which every square has a say in every other, with goal ties: as much as the force layout gets."""
    game = load("lights-out")
    squares = [f for f, t in enumerate(game.fluents) if t.name == "lit"]
    graph = DependencyGraph([Node(str(game.fluents[f]), (f,)) for f in squares])
    n = len(squares)
    graph.edges += [
        Edge(i, j, "dependency", 1.0 / (1 + abs(i - j))) for i in range(n) for j in range(n) if (i - j) % 3 != 1
    ]
    graph.edges += [Edge(i, (i + 4) % n, "goal") for i in range(n)]
    return sample("lights-out", symbol, structure="single", graph=graph, evidence=TESTED)


def large() -> Decomposition:
    """Far more fluents and moves than can be drawn one by one."""
    return sample("reversi", symbol, structure="single", graph=seen_graph(load("reversi")))


def many() -> Decomposition:
    """More parts than nodes that a drawing may have."""
    game = load("connect-four:8x8")
    parts = tuple(Part(i + 1, "dependent", True, (i,)) for i in range(len(game.fluents)))
    graph = DependencyGraph([Node(str(t), (f,)) for f, t in enumerate(game.fluents)])
    graph.edges += [Edge(i, (i * 7 + 3) % len(game.fluents), "dependency") for i in range(len(game.fluents))]
    return Decomposition(game, "by hand", parts, "alternating", "mixed", graph=graph)


def squares() -> Decomposition:
    """Squares named in one argument, nine boards told apart by another."""
    return sample("ultimate-tictactoe", lambda t: "context" if t.name != "cell" else str(t.args[0]))


SAMPLES: dict[str, Callable[[], Decomposition]] = {
    f.__name__: cache(f)
    for f in (
        double_tictactoe, serial_tictactoe, nim, four_lamps, lights, domineering, stripes, dense, large, many, squares,
    )
}  # fmt: skip
