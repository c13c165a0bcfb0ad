"""Any number of compounds of random machines with their known decompositions, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from ludisect.composition.disguise import DISGUISES, Written, write_down
from ludisect.composition.glue import Blueprint, GlueNode, Goal, Leaf, Op, Tree, leaves, nodes, waited_for
from ludisect.composition.limits import CompositionLimits
from ludisect.composition.machines import sound_part
from ludisect.composition.part import LocalGame, Turns
from ludisect.composition.random_machine import Wanted
from ludisect.composition.simulator import IDLE_STEPS, Seen, explore
from ludisect.gdl.terms import Rules
from ludisect.gdl.writer import write

GLUES = ("choice", "sync", "serial", "multiple", "nested")
GOALS: tuple[Goal, ...] = ("additive", "all", "any")
ROLES = ("red", "blue", "green")


class Composed(NamedTuple):
    """A compound game, its known decomposition as JSON-ready data, and how it was made."""

    rules: Rules
    name: str
    answer: dict[str, Any]
    description: dict[str, Any]

    @property
    def text(self) -> str:
        """The rule sheet."""
        return write(self.rules)


def compose_set(n: int, seed: int = 0) -> Iterator[Composed]:
    """``n`` compounds: all glues, one to three players, all goals, steps, rests and disguises, evenly mixed.

    The game with number k of a seed is the same whatever ``n`` is.

    >>> [game.answer["structure"] for game in compose_set(4)]
    ['parallel-choice', 'parallel-sync', 'serial', 'multiple']
    """
    for number in range(n):
        yield compose_one(number, seed)


def compose_one(number: int, seed: int = 0) -> Composed:
    """The compound with this number in the set of a seed."""
    written, description = written_one(number, seed)
    return Composed(written.rules, written.rules.name, written.answer, description)


def written_one(number: int, seed: int = 0) -> tuple[Written, dict[str, Any]]:
    """The same with all that is known of it."""
    rng = Random(f"{seed}:{number}")
    glue = GLUES[number % 5]
    players = 1 + number // 5 % 3
    turns: Turns = "single-player" if players == 1 else ("alternating", "simultaneous")[number // 15 % 2]
    goal = GOALS[number // 30 % 3]
    disguises = [] if number % 8 == 0 else [d for d in DISGUISES if rng.random() < 0.4]
    base = Blueprint(f"composed-{seed}-{number}", ROLES[:players], turns, (), Leaf(0), goal)
    plan, seen = _found(base, glue, "negated" in disguises, rng)
    written = write_down(plan, disguises, seen.turns(players), rng)
    return written, describe(plan, glue, disguises, seen)


def describe(plan: Blueprint, glue: str, disguises: list[str], seen: Seen) -> dict[str, Any]:
    """How a compound was made, in words that can be counted."""
    return {
        "glue": glue,
        "tree": shown(plan.tree, plan.parts),
        "players": len(plan.roles),
        "turns": plan.turns,
        "goal": "own" if plan.owners else plan.goal,
        "end": plan.end,
        "steps": plan.steps,
        "rest": plan.rest,
        "locks": len(plan.locked),
        "longest": seen.longest,
        "disguises": disguises,
    }


def shown(tree: Tree, parts: tuple[LocalGame, ...]) -> str:
    """The tree in one line."""
    if isinstance(tree, Leaf):
        return parts[tree.index].name
    return f"({tree.op} {' '.join(shown(child, parts) for child in tree.children)})"


def _found(base: Blueprint, glue: str, negated: bool, rng: Random) -> tuple[Blueprint, Seen]:
    """A random plan whose parts are what the answer will say.

    What the compound is to be like is drawn first and kept for many tries, so that traits which few machines fit are
    not rare.
    """
    limits = CompositionLimits.current()
    while True:
        traits = _traits(base, glue, rng)
        for _ in range(limits.many_tries):
            plan = _filled(traits, negated, rng)
            if plan is None:
                continue
            seen, wrong = explore(plan, rng, limits.many_plays)
            if IDLE_STEPS in wrong and seen.longest > 2:  # a counter that cuts the longest plays short
                plan = replace(plan, steps=seen.longest)
                seen, wrong = explore(plan, rng, limits.many_plays)
            if not wrong:
                return plan, seen


def _traits(base: Blueprint, glue: str, rng: Random) -> Blueprint:
    """A plan without parts; ``steps`` is 0 where their number is still open."""
    owners = glue == "sync" and base.turns == "simultaneous" and rng.random() < 0.3
    tree, useless = _tree(glue, len(base.roles), owners, base.turns, rng)
    ops = {node.op for node in nodes(tree)}
    end_any = ops in ({"choice"}, {"sync"}) and not useless and not owners and rng.random() < 0.3
    stepped = owners or rng.random() < 0.5
    # A rest for all parts at once would tie those that otherwise move together.
    rest = stepped and "sync" not in ops and rng.random() < 0.5
    if base.turns == "simultaneous" and "choice" in ops:
        # Where others may be moving in a part, leaving it alone is a way to act on it: it must always be possible.
        stepped = rest = True
    return replace(
        base,
        tree=_with_locks(tree, rng),
        end="any" if end_any else "all",
        steps=0 if stepped else None,
        rest=rest,
        useless=useless,
        owners=owners,
    )


def _filled(traits: Blueprint, negated: bool, rng: Random) -> Blueprint | None:
    """The plan with random machines in it, or None where they do not fit."""
    ops = {node.op for node in nodes(traits.tree)}
    stepped = traits.steps is not None
    wanted = Wanted(
        roles=traits.roles,
        turns=traits.turns,
        passes=traits.turns == "simultaneous" and ("choice" in ops or traits.rest),
        levels=rng.choice(((0, 100), (0, 50, 100))) if traits.goal == "additive" and not traits.owners else (0, 100),
        negated=negated,
    )
    count = len(leaves(traits.tree))
    parts = tuple(
        _machine(replace(wanted, cyclic=stepped and rng.random() < 0.5, owner=i if traits.owners else None), rng, i)
        for i in range(count)
    )
    if not _fits(traits, parts):
        return None
    turns_each = rng.randint(3, 5) * (2 if traits.rest else 1)
    steps = 1 + turns_each * (1 if ops == {"sync"} else count) if stepped else None
    return replace(traits, parts=parts, steps=steps)


def _machine(wanted: Wanted, rng: Random, index: int) -> LocalGame:
    while True:
        family = rng.choices(("walk", "ring", "board"), weights=(5, 3, 3))[0]
        part = sound_part(family, wanted, rng, f"{family}{index + 1}")
        if part is not None:
            return part


def _fits(plan: Blueprint, parts: tuple[LocalGame, ...]) -> bool:
    """Every stage but the last ends, and so does every part that may end the play; every part can be won and lost."""
    ending = {i for i, part in enumerate(parts) if part.ends}
    if not ending >= set(waited_for(plan.tree)) or (plan.end == "any" and len(ending) < len(parts)):
        return False
    return plan.goal == "additive" or plan.owners or all({0, 100} <= set(part.values) for part in parts)


def _tree(glue: str, players: int, owners: bool, turns: Turns, rng: Random) -> tuple[Tree, frozenset[int]]:
    """The tree of a glue, and the parts that do not count."""
    most = 2 if turns == "simultaneous" and players == 3 else 3
    if glue == "nested":
        return _nested(rng, simple=most == 2)
    if glue == "multiple":
        count = rng.randint(2, most)
        counted = 2 if count == 3 and rng.random() < 0.2 else 1
        chosen = rng.sample(range(count), count - counted)
        op: Op = "sync" if rng.random() < 0.25 else "choice"
        return GlueNode(op, tuple(map(Leaf, range(count)))), frozenset(chosen)
    count = players if owners else rng.randint(2, most + (glue in ("choice", "serial") and most > 2))
    ops: dict[str, Op] = {"choice": "choice", "sync": "sync", "serial": "serial"}
    return GlueNode(ops[glue], tuple(map(Leaf, range(count)))), frozenset()


def _nested(rng: Random, *, simple: bool) -> tuple[Tree, frozenset[int]]:
    """A tree of two operations.

    Choice and sync are never one inside the other: whether parts are then free of each other is a matter of opinion.
    """
    a, b, c, d = map(Leaf, range(4))
    shapes: list[Tree] = [
        GlueNode("choice", (GlueNode("serial", (a, b)), c)),
        GlueNode("serial", (GlueNode("choice", (a, b)), c)),
        GlueNode("serial", (a, GlueNode("choice", (b, c)))),
        GlueNode("sync", (GlueNode("serial", (a, b)), c)),
        GlueNode("serial", (GlueNode("sync", (a, b)), c)),
        GlueNode("serial", (a, GlueNode("sync", (b, c)))),
    ]
    if not simple:
        shapes.append(GlueNode("choice", (GlueNode("serial", (a, b)), GlueNode("serial", (c, d)))))
    tree = rng.choice(shapes)
    useless = frozenset[int]()
    if isinstance(tree, GlueNode) and tree.op == "choice" and rng.random() < 0.25:
        useless = frozenset(leaves(rng.choice(tree.children)))
    return tree, useless


def _with_locks(tree: Tree, rng: Random) -> Tree:
    """The tree with a flag after some of the stages that are single parts."""
    if isinstance(tree, Leaf):
        return tree
    stages = tree.children[:-1] if tree.op == "serial" else ()
    locks = frozenset(c.index for c in stages if isinstance(c, Leaf) and rng.random() < 0.3)
    return GlueNode(tree.op, tuple(_with_locks(child, rng) for child in tree.children), locks)
