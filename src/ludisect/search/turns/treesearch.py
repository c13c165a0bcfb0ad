"""Method II on a compound: the parts' local trees, cut to what matters, and minimax over combinations.

Sound form: moves are dropped only if another is as good whatever the opponent does (``trees``), then minimax over
combinations of nodes (``forest``). Published forms: sequences or sets of them are dropped as the thesis or the paper
says (``sequences``), then the same minimax over what is left (selection B, Zhao 2009, Alg. 5.7).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ludisect.search.budget import Budget
from ludisect.search.part.compound import Compound, PartOrder, States
from ludisect.search.turns.forest import Forest
from ludisect.search.turns.sequences import PublishedSequences, PublishedSets
from ludisect.search.turns.trees import TreeNode, Trees

Form = Literal["sound", "sequences", "sets"]

UNLIMITED = 1 << 30


@dataclass(frozen=True, slots=True)
class SequenceResult:
    """``value`` to role 0 (None if no play was found), a first move as (part, label, state), and how it was found."""

    value: int | None
    part: int | None
    label: int | None
    state: int | None
    exact: bool
    sequences: tuple[int, ...]
    """Per part what was kept: sequences, or for the sound form nodes of local trees."""
    positions: int
    alike: bool = False
    """Whether all first moves that were not dropped, more than one, are worth the same."""
    kept: Callable[[States, int], int | None] | None = None
    """What role 0 gets when the parts are in some states, in a context, if that was searched (sound form)."""


def local_trees(compound: Compound, *, drop: bool, budget: Budget | None = None) -> list[Trees]:
    """Trees for every part; identical parts share them."""
    shared: dict[tuple[int, bytes], Trees] = {}
    out = []
    for i, part in enumerate(compound.parts):
        order = PartOrder(compound, i)
        key = id(part), order.below.tobytes() + bytes(order.may_end)
        out.append(shared.setdefault(key, Trees(part, order, drop=drop, budget=budget)))
    return out


def solve_compound(
    compound: Compound, *, form: Form = "sound", depth: int | None = None, budget: Budget | None = None
) -> SequenceResult:
    """Value and best first move of a compound of one role, or of two with opposite goals; ``depth`` per part."""
    reach = UNLIMITED if depth is None else depth
    trees = local_trees(compound, drop=form == "sound", budget=budget)
    roots = tuple(t.node(p.start, reach) for t, p in zip(trees, compound.parts, strict=True))
    nodes: list[Sequence[TreeNode]] = []
    kept: list[int] = []
    begin = list(roots)
    origins: list[Sequence[int] | None] = []
    for i, (tree, root) in enumerate(zip(trees, roots, strict=True)):
        if form == "sound":
            nodes.append(tree.nodes)
            kept.append(len(tree.nodes))
            origins.append(None)
        elif form == "sets":
            sets = PublishedSets(tree, compound, i)
            sets.reduce(root)
            nodes.append([sets.nodes.get(x, node) for x, node in enumerate(tree.nodes)])
            kept.append(sets.count(root))
            origins.append(None)
        else:
            left = PublishedSequences(tree, tree.order).of(root)
            own, origin = left.nodes(tree, root)
            nodes.append(own)
            kept.append(len(left))
            origins.append(origin)
            begin[i] = 0
    forest = Forest(compound, nodes, budget=budget)
    found = forest.solve(tuple(begin))
    exact = found.exact and form == "sound"

    def later(states: States, context: int) -> int | None:
        return forest.kept(context, tuple(t.node(s, reach) for t, s in zip(trees, states, strict=True)))

    reaches = all(p.height is not None and p.height[p.start] <= reach for p in compound.parts)
    known = later if exact and (depth is None or reaches) else None  # else a state's node hangs on the moves before it
    if found.part is None or found.child is None:
        return SequenceResult(found.value, None, None, None, exact, tuple(kept), found.positions, found.alike, known)
    i = found.part
    origin_of = origins[i]
    child = found.child if origin_of is None else origin_of[found.child]
    label, state = move_to(compound, trees[i], i, child, reach)
    return SequenceResult(found.value, i, label, state, exact, tuple(kept), found.positions, found.alike, known)


def move_to(compound: Compound, trees: Trees, i: int, child: int, reach: int) -> tuple[int, int]:
    """A move of the mover in part i that leads to a node."""
    part = compound.parts[i]
    role = compound.mover[compound.context]
    return next(
        (label, t) for label, t in part.moves[role][part.start] if trees.node(t, min(reach, UNLIMITED) - 1) == child
    )
