"""The dependency graph as data, as a person sees it: nodes at their places on boards, edges with reasons.

A node is all fluents of a part on one square, else one node of the method's graph; the moves of a part with one name
are one node. Where that makes too many, rows of squares are nodes, then symbols, then parts. A *place* is an index into
``Decomposition.parts``; after them come the parts that are too many to be shown, the constants, and the unseen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.decomposition.model.dependency import DependencyGraph, Edge, EdgeKind
from ludisect.decomposition.model.explanation import explain
from ludisect.draw.layers import RuleLayers
from ludisect.draw.limits import DrawLimits
from ludisect.errors import InputError
from ludisect.gdl.terms import Term

NodeKind = Literal["square", "fluents", "moves"]
EdgeEvidence = Literal["witness", "tested", "rules"]

MEANING: dict[EdgeKind, str] = {
    "precondition": "is a precondition of",
    "positive": "makes true",
    "negative": "makes false",
    "effect": "changes",
    "dependency": "has a say in what happens to",
    "goal": "is needed by the score together with",
    "serial": "has to be over before",
}
"""What edges of each kind mean, between the names of their ends."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node of the drawing: label, place, what it stands for, and where it lies on a board (board, row, column)."""

    label: str
    place: int
    kind: NodeKind
    fluents: tuple[int, ...] = ()
    moves: tuple[tuple[int, int], ...] = ()
    at: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """An edge between two nodes of the drawing; ``edges`` are the edges of the graph that it stands for."""

    source: int
    target: int
    kind: EdgeKind
    edges: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """What leads from one place to another, all in one: a sentence for it, and the edges that it stands for."""

    source: int
    target: int
    told: str
    serial: bool
    edges: tuple[int, ...] = ()


class GraphData:
    """The nodes and edges to draw."""

    def __init__(self, parts: Decomposition, seen: RuleLayers | None = None) -> None:
        self.parts = parts
        self.graph = parts.graph or DependencyGraph()
        self.seen = seen or RuleLayers(parts.game, parts)
        limits = DrawLimits.current()
        self.shown = min(len(parts.parts), limits.graph_nodes - 8, limits.graph_parts)
        """How many parts have a place of their own."""
        homes = [int(p) for p in parts.part_of()]
        beyond = self.shown + (self.shown < len(parts.parts))
        constant = set(parts.constant_numbers)
        self.place_of = [min(p, self.shown) if p >= 0 else beyond + (f not in constant) for f, p in enumerate(homes)]
        self._beyond = beyond
        for level in range(4):
            self.nodes: list[GraphNode] = self._nodes(level)
            if len(self.nodes) <= limits.graph_nodes:
                break

    def place_name(self, place: int) -> str:
        """What a place is called: a part by its number, the others by what lies there."""
        if place < self.shown:
            return f"part {self.parts.parts[place].id}"
        if place < self._beyond:
            return f"{len(self.parts.parts) - self.shown} further parts"
        return ("constant", "never seen to change")[place - self._beyond]

    # ---- nodes ----

    def _nodes(self, level: int) -> list[GraphNode]:
        game = self.parts.game
        fluents: dict[tuple[Any, ...], list[int]] = defaultdict(list)
        spots: dict[tuple[Any, ...], tuple[int, int, int]] = {}
        node_of = {f: n for n, node in enumerate(self.graph.nodes) for f in node.fluents}
        for f, term in enumerate(game.fluents):
            place = self.place_of[f]
            known = self.seen.at.get(term)
            if level == 3 or place >= self.shown:
                key: tuple[Any, ...] = (place, "place")
            elif known is not None and level < 2 and not self.seen.layers[known[0]].heaps:
                board, at = known
                row = at[0]
                key = (place, "square", board, row, at[1]) if level == 0 else (place, "row", board, row)
                spots[key] = (board, row, at[1] if level == 0 else 0)
            elif f in node_of and level < 2:
                key = (place, "node", node_of[f])
            else:
                key = (place, "symbol", term.name, len(term.args))
            fluents[key].append(f)
        out = [
            GraphNode(self._label(key, mine), key[0], "square" if key[1] in ("square", "row") else "fluents",
                      tuple(mine), (), spots.get(key))
            for key, mine in sorted(self._few(fluents).items(), key=lambda item: (item[0][0], item[1]))
        ]  # fmt: skip
        return out + self._moves(level)

    def _few(self, fluents: dict[tuple[Any, ...], list[int]]) -> dict[tuple[Any, ...], list[int]]:
        """Nodes off the boards, of one symbol if a part has very many of it."""
        many: dict[tuple[int, str], list[tuple[Any, ...]]] = defaultdict(list)
        for key, mine in fluents.items():
            if key[1] == "node":
                many[key[0], self.parts.game.fluents[mine[0]].name].append(key)
        out = dict(fluents)
        for (place, name), keys in many.items():
            if len(keys) > DrawLimits.current().graph_column:
                out[place, "symbol", name, 0] = sorted(f for key in keys for f in out.pop(key))
        return out

    def _moves(self, level: int) -> list[GraphNode]:
        """The moves of each part, one node for each name."""
        game = self.parts.game
        out = []
        for p, part in enumerate(self.parts.parts[: self.shown]):
            named: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
            for r, classes in enumerate(part.move_numbers):
                for m in (m for members in classes for m in members):
                    term = game.moves[r][m]
                    named[(term.name, len(term.args)) if level < 3 else ("", 0)].append((r, m))
            for (name, _), moves in named.items():
                terms = [game.moves[r][m] for r, m in moves]
                label = pattern_of(terms) if name else f"{len(moves)} moves"
                out.append(GraphNode(label, p, "moves", (), tuple(moves)))
        return out

    def _label(self, key: tuple[Any, ...], fluents: Sequence[int]) -> str:
        game = self.parts.game
        if key[1] == "square":
            layers = self.seen.layers[key[2]]
            row, column = layers.rows[key[3]], layers.columns[key[4]]
            together = layers.boards[0].coordinates[0] == layers.boards[0].coordinates[1]
            upright = layers.boards[0].coordinates[0] > layers.boards[0].coordinates[1]
            return f"{column}{row}" if together else f"{column} {row}" if upright else f"{row} {column}"
        if key[1] == "row":
            return f"row {self.seen.layers[key[2]].rows[key[3]]}: {len(fluents)} fluents"
        if key[1] == "node":
            return str(self.graph.nodes[key[2]].label)
        terms = [game.fluents[f] for f in fluents]
        names = {(t.name, len(t.args)) for t in terms}
        told = pattern_of(terms) if len(names) == 1 else f"{len(names)} kinds of fluents"
        return told if len(terms) == 1 else f"{told}: {len(terms)}"

    # ---- edges ----

    @cached_property
    def _ends(self) -> list[list[int]]:
        """For each node of the graph the nodes of the drawing that stand for it, those with its fluents first."""
        of_fluent = {f: n for n, node in enumerate(self.nodes) for f in node.fluents}
        of_move: dict[tuple[int, int], list[int]] = defaultdict(list)
        for n, node in enumerate(self.nodes):
            for move in node.moves:
                of_move[move].append(n)
        out = []
        for lump in self.graph.nodes:
            mine = dict.fromkeys(of_fluent[f] for f in lump.fluents)
            out.append(list(mine) or list(dict.fromkeys(n for move in lump.moves for n in of_move[move])))
        return out

    def _pair(self, edge: Edge) -> tuple[int, int] | None:
        """The ends of an edge in the drawing, in one place if they can be."""
        pairs = [(a, b) for a in self._ends[edge.source] for b in self._ends[edge.target]]
        if not pairs:
            return None
        return min(pairs, key=lambda pair: (self.nodes[pair[0]].place != self.nodes[pair[1]].place, pair))

    @cached_property
    def pairs(self) -> list[tuple[int, int] | None]:
        """For each edge of the graph the nodes of the drawing that it ties; None if an end is in no part."""
        return [self._pair(edge) for edge in self.graph.edges]

    @cached_property
    def drawn(self) -> list[DrawnEdge]:
        """Edges between different nodes, all of a kind from one to another in one."""
        found: dict[tuple[int, int, EdgeKind], list[int]] = defaultdict(list)
        for i, (edge, pair) in enumerate(zip(self.graph.edges, self.pairs, strict=True)):
            if pair is not None and pair[0] != pair[1]:
                a, b = sorted(pair) if edge.kind == "goal" else pair  # it has no direction
                found[a, b, edge.kind].append(i)
        return [DrawnEdge(a, b, kind, tuple(edges)) for (a, b, kind), edges in found.items()]

    def inside(self, place: int) -> list[int]:
        """The edges of the graph within a place."""
        return [
            i for i, pair in enumerate(self.pairs)
            if pair is not None and self.nodes[pair[0]].place == self.nodes[pair[1]].place == place
        ]  # fmt: skip

    @cached_property
    def links(self) -> list[Link]:
        """What leads from place to place: edges, the order of serial parts, and who reads the context."""
        between: dict[tuple[int, int], dict[EdgeKind, list[int]]] = defaultdict(lambda: defaultdict(list))
        for i, (edge, pair) in enumerate(zip(self.graph.edges, self.pairs, strict=True)):
            if pair is not None:
                a, b = (self.nodes[n].place for n in pair)
                if a != b:
                    between[(min(a, b), max(a, b)) if edge.kind == "goal" else (a, b)][edge.kind].append(i)
        place_of_id = {part.id: p for p, part in enumerate(self.parts.parts[: self.shown])}
        for p, part in enumerate(self.parts.parts[: self.shown]):
            for before in part.after:
                if before in place_of_id:
                    between[place_of_id[before], p].setdefault("serial", [])
        context = [p for p, part in enumerate(self.parts.parts[: self.shown]) if part.kind == "independent"]
        readers = {p: {r.id for r in explain(self.parts).readers(self.parts.parts[p])} for p in context}
        out = []
        for (a, b), kinds in between.items():
            if a in context and b < self.shown:
                readers[a].discard(self.parts.parts[b].id)
            edges = tuple(i for some in kinds.values() for i in some)
            out.append(Link(a, b, _told(kinds), "serial" in kinds, edges))
        for p, ids in readers.items():
            out += [Link(p, place_of_id[i], "is read by the rules of", False) for i in sorted(ids) if i in place_of_id]
        return out

    def evidence(self, edge: int) -> EdgeEvidence:
        """On what an edge of the graph rests."""
        if self.graph.edges[edge].witness is not None:
            return "witness"
        return "tested" if self.parts.method == "playouts" else "rules"

    def to_json(self) -> dict[str, Any]:
        """Nodes, and every edge of the graph by the nodes that it ties; words by :meth:`edge_told`."""
        game = self.parts.game
        return {
            "nodes": [
                {
                    "index": n, "label": node.label, "kind": node.kind,
                    "part": self.parts.parts[node.place].id if node.place < self.shown else None,
                    "fluents": [str(game.fluents[f]) for f in node.fluents],
                    "moves": [f"{game.roles[r]}: {game.moves[r][m]}" for r, m in node.moves],
                }
                for n, node in enumerate(self.nodes)
            ],
            "edges": [
                {"index": i, "from": pair[0], "to": pair[1], "kind": edge.kind, "evidence": self.evidence(i)}
                for i, (edge, pair) in enumerate(zip(self.graph.edges, self.pairs, strict=True))
                if pair is not None
            ],
        }  # fmt: skip

    def edge_told(self, index: int) -> dict[str, Any]:
        """An edge of the graph in words, with the states that show it where there are any.

        Raises:
            InputError: there is no such edge.
        """
        if not 0 <= index < len(self.graph.edges):
            raise InputError(f"there is no edge {index}; the graph has {len(self.graph.edges)}")
        edge = self.graph.edges[index]
        reason = explain(self.parts).reason(edge)
        source, target = (self.graph.nodes[n].label for n in (edge.source, edge.target))
        told = f"{source} {MEANING[edge.kind]} {target}"
        return {
            "index": index, "from": source, "to": target, "kind": edge.kind, "evidence": self.evidence(index),
            "told": f"{told}: {reason.why}" if reason.why else told, "witness": reason.witness,
        }  # fmt: skip


_COUNTED: dict[EdgeKind, str] = {"dependency": "dependencies", "precondition": "preconditions"}


def _told(kinds: dict[EdgeKind, list[int]]) -> str:
    """What leads from place to place, in few words."""
    out = ["then"] if "serial" in kinds else []
    for kind, edges in kinds.items():
        if kind == "goal":
            out.append("the score needs both")
        elif kind != "serial" and len(edges) == 1:
            out.append({"dependency": "1 dependency", "precondition": "1 precondition"}.get(kind, f"1 {kind} effect"))
        elif kind != "serial":
            out.append(f"{len(edges)} {_COUNTED.get(kind, f'{kind} effects')}".replace("effect effects", "effects"))
    return ", ".join(out)


def pattern_of(terms: Sequence[Term]) -> str:
    """What terms of one symbol have in common, a dot for what they have not."""
    first = terms[0]
    if not first.args:
        return first.name
    args = zip(*(map(str, t.args) for t in terms), strict=True)
    return f"({' '.join([first.name, *(a[0] if len(set(a)) == 1 else '·' for a in args)])})"
