"""The known decomposition of a compound, in the form that ``ludisect decompose --json`` prints."""

from __future__ import annotations

from typing import Any

from ludisect.composition.glue import Blueprint, GlueNode, Leaf, Tree, predecessors
from ludisect.composition.write import Writer

STRUCTURES = {"choice": "parallel-choice", "sync": "parallel-sync", "serial": "serial"}


def answer(plan: Blueprint, writer: Writer, turns: str) -> dict[str, Any]:
    """What the compound falls into: the parts, then turn, steps and counters."""
    before = predecessors(plan.tree)
    parts: list[dict[str, Any]] = []
    for i, part in enumerate(plan.parts):
        fluents = [writer.fluent(i, f) for f in part.fluents]
        if i in plan.locked:
            fluents.append(writer.flag(i))
        after = [k + 1 for k in before.get(i, ())]
        parts.append(_part(i + 1, "dependent", i not in plan.useless, after, fluents))
    context = []
    if plan.turns == "alternating":
        context.append([writer.turn(role) for role in plan.roles])
    if plan.steps is not None:
        context.append([writer.step(n) for n in range(1, plan.steps + 1)])
    for i, part in enumerate(plan.parts):
        for number, clock in enumerate(part.clocks):
            context.append([writer.clock(i, number, value) for value in range(len(clock.values))])
    for fluents in context:
        parts.append(_part(len(parts) + 1, "independent", True, [], fluents))
    return {
        "game": plan.name,
        "method": "composed",
        "roles": list(plan.roles),
        "turns": turns,
        "structure": structure(plan),
        "action_dependent": len(plan.parts),
        "useless": len(plan.useless),
        "action_independent": len(context),
        "subgames": parts,
        "evidence": None,
        "seconds": {},
    }


def _part(number: int, kind: str, useful: bool, after: list[int], fluents: list[Any]) -> dict[str, Any]:
    return {
        "id": number,
        "kind": kind,
        "useful": useful,
        "after": after,
        "fluents": [str(f) for f in fluents],
        "moves": {},
    }


def structure(plan: Blueprint) -> str:
    """How the parts that count are glued: "multiple" if only one of several counts, "mixed" if not all in one way."""
    if len(plan.parts) == 1:
        return "single"
    if len(plan.counted) == 1:
        return "multiple"
    tree = _without(plan.tree, plan.useless)
    ops = _ops(tree) if tree is not None else set()
    return STRUCTURES[ops.pop()] if len(ops) == 1 else "mixed"


def _without(tree: Tree, useless: frozenset[int]) -> Tree | None:
    if isinstance(tree, Leaf):
        return None if tree.index in useless else tree
    kept = [t for t in (_without(child, useless) for child in tree.children) if t is not None]
    return GlueNode(tree.op, tuple(kept)) if len(kept) > 1 else kept[0] if kept else None


def _ops(tree: Tree) -> set[str]:
    if isinstance(tree, Leaf):
        return set()
    return {tree.op}.union(*map(_ops, tree.children))
