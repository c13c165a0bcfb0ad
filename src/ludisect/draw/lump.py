"""What a drawing shows of a dependency graph: few nodes to read, each a set of fluents or moves of a part.

Names across this arrow: ``DependencyGraph.nodes`` -> ``Group`` (a node lies in one part; one whose fluents lie in
several is shown in each), ``DependencyGraph.edges`` -> ``DrawnTie`` (all edges of a kind between two groups). A place
is an index into ``Decomposition.parts``; after them come the constants, the unseen, and what belongs nowhere.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ludisect.circuit.game import Game
from ludisect.decomposition.model.blocks import merge
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.decomposition.model.dependency import DependencyGraph, EdgeKind
from ludisect.draw.limits import DrawLimits
from ludisect.gdl.terms import Term

Pattern = tuple[str, str, tuple[str, ...]]
"""("fluent" or "move", symbol, arguments); ``*`` for an argument that may be anything."""


_Key = tuple[int, str, str, int]
"""(place, "fluent" or "move", symbol, arity)."""


@dataclass(frozen=True, slots=True)
class Group:
    """A node of the drawing."""

    label: str
    place: int
    fluents: tuple[int, ...]
    moves: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DrawnTie:
    """``count`` edges of one kind from group to group; the greatest weight, and what one of them rests on."""

    source: int
    target: int
    kind: EdgeKind
    weight: float
    count: int
    why: str


@dataclass(frozen=True, slots=True)
class Lumped:
    """The drawing's graph. ``shown`` parts have a place of their own; the others share one after the last."""

    groups: tuple[Group, ...]
    ties: tuple[DrawnTie, ...]
    shown: int


@dataclass(frozen=True, slots=True)
class _Item:
    """The part of a graph node that lies in one part, or a fluent or local move that no node stands for."""

    place: int
    label: str
    fluents: tuple[int, ...]
    moves: tuple[tuple[int, int], ...]
    patterns: tuple[Pattern, ...]


def lump(parts: Decomposition) -> Lumped:
    """The groups and ties to draw."""
    graph = parts.graph or DependencyGraph()
    limits = DrawLimits.current()
    shown = min(len(parts.parts), limits.lump_nodes - 8)
    items, of_node = _items(parts, graph, shown)
    briefly = ["move"] if graph.nodes and not any(node.moves for node in graph.nodes) else []
    blocks: list[list[int]] = []
    ties: tuple[DrawnTie, ...] | None = None
    for blocks in _coarser(parts.game, items, _first_free(parts, shown), briefly):
        ties = None
        if len(blocks) <= limits.lump_comfortable:
            ties = _ties(graph, items, of_node, blocks)
            place = [items[block[0]].place for block in blocks]
            inside = {(frozenset((t.source, t.target)), t.kind) for t in ties if place[t.source] == place[t.target]}
            if len(inside) <= limits.lump_lines:
                break
    if ties is None:
        ties = _ties(graph, items, of_node, blocks)
    return Lumped(tuple(_group([items[i] for i in block]) for block in blocks), ties, shown)


def place_name(parts: Decomposition, lumped: Lumped, place: int) -> str:
    """What a place is called: a part by its number, the others by what lies there."""
    if place < lumped.shown:
        return f"part {parts.parts[place].id}"
    beyond = place - _first_free(parts, lumped.shown)
    if beyond < 0:
        return f"{len(parts.parts) - lumped.shown} further parts"
    return ("constant", "unseen", "in no part")[beyond]


# ---- items ----


def _items(parts: Decomposition, graph: DependencyGraph, shown: int) -> tuple[list[_Item], list[list[int]]]:
    """All items, and per graph node the indices of those it became."""
    game = parts.game
    place_of = _places(parts, shown)
    items: list[_Item] = []
    of_node: list[list[int]] = []
    homes = _homes(parts, graph, place_of, shown)
    for node, home in zip(graph.nodes, homes, strict=True):
        by_place: dict[int, list[int]] = defaultdict(list)
        for f in node.fluents:
            by_place[place_of[f]].append(f)
        if not by_place:
            by_place[home] = []
        mine = []
        for place, fluents in by_place.items():
            moves = node.moves if place == home else ()
            mine.append(len(items))
            items.append(_item(game, place, node.label, fluents, moves))
        of_node.append(mine)
    told = {f for node in graph.nodes for f in node.fluents}
    items += [_item(game, place_of[f], "", [f], ()) for f in range(len(game.fluents)) if f not in told]
    if not any(node.moves for node in graph.nodes):
        for p, s in enumerate(parts.parts):
            for r, classes in enumerate(s.move_numbers):
                items += [_item(game, min(p, shown), "", [], [(r, m) for m in members]) for members in classes]
    return items, of_node


def _first_free(parts: Decomposition, shown: int) -> int:
    """The first place that is no part's: the constants'; then come the unseen, then what belongs nowhere."""
    return shown + (shown < len(parts.parts))


def _places(parts: Decomposition, shown: int) -> list[int]:
    after = _first_free(parts, shown)
    constant = set(parts.constant_numbers)
    part_of = [int(p) for p in parts.part_of()]
    return [min(p, shown) if p >= 0 else after + (f not in constant) for f, p in enumerate(part_of)]


def _homes(parts: Decomposition, graph: DependencyGraph, place_of: Sequence[int], shown: int) -> list[int]:
    """Per node the place that its moves belong to: that of its fluents, of its local moves, or of what it changes."""
    local: dict[tuple[int, int], set[int]] = defaultdict(set)
    for p, s in enumerate(parts.parts):
        for r, classes in enumerate(s.move_numbers):
            for members in classes:
                for m in members:
                    local[r, m].add(min(p, shown))
    context = {min(p, shown) for p, s in enumerate(parts.parts) if s.kind == "independent"}
    near: list[Counter[tuple[bool, bool, float, int]]] = [Counter() for _ in graph.nodes]
    for e in graph.edges:
        effect = e.kind in ("positive", "negative", "effect")
        for a, b in ((e.source, e.target), (e.target, e.source)):
            near[a].update((place_of[f] not in context, effect, e.weight, -place_of[f]) for f in graph.nodes[b].fluents)
    nowhere = _first_free(parts, shown) + 2
    out = []
    for node, around in zip(graph.nodes, near, strict=True):
        own = Counter(place_of[f] for f in node.fluents)
        ours = [local[m] for m in node.moves if m in local]
        common = set.intersection(*ours) if ours else set()
        if own:
            out.append(own.most_common(1)[0][0])
        elif len(common) == 1:
            out.append(next(iter(common)))
        elif around:
            # What it changes counts for more than what it needs; of several, the likeliest, then the most fluents.
            best = max(around, key=lambda seen: (seen[:3], around[seen], seen[3]))
            out.append(-best[3])
        else:
            out.append(min(common, default=nowhere))
    return out


def _item(game: Game, place: int, label: str, fluents: Sequence[int], moves: Sequence[tuple[int, int]]) -> _Item:
    found = {_pattern("fluent", [game.fluents[f]]): None for f in fluents}
    by_symbol: dict[tuple[str, int], list[Term]] = defaultdict(list)
    for r, m in moves:
        term = game.moves[r][m]
        by_symbol[term.name, len(term.args)].append(term)
    # A class of moves is one thing: what its members do not share, such as the move in another part, is no matter.
    found.update({_pattern("move", terms): None for terms in by_symbol.values()})
    return _Item(place, label, tuple(fluents), tuple(moves), tuple(found))


def _pattern(side: str, terms: Sequence[Term]) -> Pattern:
    """What terms of one symbol have in common."""
    args = zip(*(map(str, t.args) for t in terms), strict=True)
    return side, terms[0].name, tuple(a[0] if len(set(a)) == 1 else "*" for a in args)


# ---- blocks ----


def _coarser(game: Game, items: Sequence[_Item], placed: int, told_briefly: Sequence[str]) -> Iterator[list[list[int]]]:
    """Partitions of the items, coarser and coarser: what agrees in all but few arguments lies together.

    At least one comes, and none has more than ``lump_nodes`` blocks.
    """
    by_symbol: dict[_Key, set[tuple[str, ...]]] = defaultdict(set)
    for item in items:
        for side, name, args in item.patterns:
            by_symbol[item.place, side, name, len(args)].add(args)
    order, counts, least = {}, {}, {}
    for key, values in by_symbol.items():
        content = _content(game, key, values)
        order[key] = _order(key[3], values, content)
        counts[key] = [len(_starred(values, order[key][:n])) for n in range(key[3] + 1)]
        # The content of a cell is left open in any drawing. Of what belongs to no part, and of moves where the graph
        # has none, only the symbol is told.
        brief = key[0] >= placed or key[1] in told_briefly
        least[key] = key[3] if brief else int(bool(content))
    last: dict[_Key, int] = {}
    blocks: list[list[int]] = []
    most = DrawLimits.current().lump_nodes
    for limit in (48, 24, 16, 9, 6, 4, 2, 1):
        stars = _stars(counts, least, limit)
        if stars != last:
            last = stars
            blocks = _sorted(items, _merged(items, order, stars))
            if len(blocks) <= most:
                yield blocks
    if len(blocks) > most:
        by_place: dict[int, list[int]] = defaultdict(list)
        for i, item in enumerate(items):
            by_place[item.place].append(i)
        yield _sorted(items, list(by_place.values()))


def _sorted(items: Sequence[_Item], blocks: Sequence[list[int]]) -> list[list[int]]:
    """Blocks by their place, fluents before moves."""
    return sorted(blocks, key=lambda block: (items[block[0]].place, not items[block[0]].fluents))


def _merged(items: Sequence[_Item], order: Mapping[_Key, list[int]], stars: Mapping[_Key, int]) -> list[list[int]]:
    same: dict[object, list[int]] = defaultdict(list)
    for i, item in enumerate(items):
        for side, name, args in item.patterns:
            key = (item.place, side, name, len(args))
            hidden = set(order[key][: stars[key]])
            same[key, tuple("*" if k in hidden else a for k, a in enumerate(args))].append(i)
    return merge(list(same.values()), len(items))


def _stars(counts: Mapping[_Key, list[int]], least: Mapping[_Key, int], limit: int) -> dict[_Key, int]:
    """How many arguments of each symbol to leave open for at most ``limit`` nodes of each side in a part."""
    stars = dict(least)
    by_side: dict[tuple[int, str], list[_Key]] = defaultdict(list)
    for key in counts:
        by_side[key[0], key[1]].append(key)
    for keys in by_side.values():
        while sum(counts[key][stars[key]] for key in keys) > limit:
            open_ones = [key for key in keys if stars[key] < len(counts[key]) - 1]
            if not open_ones:
                break
            stars[max(open_ones, key=lambda key: counts[key][stars[key]])] += 1
    return stars


def _starred(values: Iterable[tuple[str, ...]], hidden: Sequence[int]) -> set[tuple[str, ...]]:
    return {tuple("*" if k in hidden else a for k, a in enumerate(args)) for args in values}


def _order(arity: int, values: set[tuple[str, ...]], content: set[int]) -> list[int]:
    """The arguments in the order in which to leave them open.

    The content of a cell goes first, then always the argument that leaves the fewest nodes; of equals, the last.
    """
    hidden: list[int] = []
    while len(hidden) < arity:
        rest = [k for k in range(arity) if k not in hidden]
        best = min(rest, key=lambda k: (k not in content, len(_starred(values, [*hidden, k])), -k))
        hidden.append(best)
    return hidden


def _content(game: Game, key: _Key, values: set[tuple[str, ...]]) -> set[int]:
    """Arguments of which exactly one value holds initially, whatever the others are: what lies in a cell, a counter."""
    _, side, name, arity = key
    if side == "move":
        return set()
    held = {tuple(map(str, game.fluents[f].args)) for f in _initial(game, name, arity)} & values
    out = set()
    for k in range(arity):
        groups = Counter(args[:k] + args[k + 1 :] for args in values)
        once = Counter(args[:k] + args[k + 1 :] for args in held)
        if all(once[g] == 1 for g in groups) and max(groups.values()) > 1:
            out.add(k)
    return out


def _initial(game: Game, name: str, arity: int) -> list[int]:
    return [
        f
        for f, term in enumerate(game.fluents)
        if game.circuit.initial[f] and term.name == name and len(term.args) == arity
    ]


# ---- groups and ties ----


def _group(items: Sequence[_Item]) -> Group:
    fluents = tuple(sorted({f for item in items for f in item.fluents}))
    moves = tuple(sorted({m for item in items for m in item.moves}))
    by_symbol: dict[tuple[str, str, int], list[tuple[str, ...]]] = defaultdict(list)
    for item in items:
        for side, name, args in item.patterns:
            by_symbol[side, name, len(args)].append(args)
    labels = [_shown(name, list(values)) for (_, name, _), values in by_symbol.items()]
    label = ", ".join(labels[:2]) + (f" +{len(labels) - 2}" if len(labels) > 2 else "")
    return Group(label or items[0].label or "?", items[0].place, fluents, moves)


def _shown(name: str, values: Sequence[tuple[str, ...]]) -> str:
    if not values[0]:
        return name
    return f"({' '.join([name, *(a[0] if len(set(a)) == 1 else '*' for a in zip(*values, strict=True))])})"


def _ties(
    graph: DependencyGraph, items: Sequence[_Item], of_node: Sequence[Sequence[int]], blocks: Sequence[Sequence[int]]
) -> tuple[DrawnTie, ...]:
    group_of = {i: g for g, block in enumerate(blocks) for i in block}
    found: dict[tuple[int, int, EdgeKind], tuple[float, int, str]] = {}
    for e in graph.edges:
        pairs = [(i, j) for i in of_node[e.source] for j in of_node[e.target]]
        inside = [(i, j) for i, j in pairs if items[i].place == items[j].place]
        for i, j in inside or pairs:
            a, b = group_of[i], group_of[j]
            if e.kind == "goal" and a > b:  # it has no direction
                a, b = b, a
            if a != b:
                weight, count, why = found.get((a, b, e.kind), (e.weight, 0, e.why))
                found[a, b, e.kind] = max(weight, e.weight), count + 1, why or e.why
    return tuple(DrawnTie(a, b, kind, *rest) for (a, b, kind), rest in found.items())
