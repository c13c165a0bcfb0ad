"""Disguises: ways to write a compound down that hide its parts, and the answer told in the new names."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import Random
from typing import Any

from ludisect.composition.glue import Blueprint
from ludisect.composition.known import answer
from ludisect.composition.rewrite import KINDS, Rewritten, rewrite
from ludisect.composition.simulator import CompoundState
from ludisect.composition.write import Style, Writer
from ludisect.errors import InputError
from ludisect.gdl.terms import Rules, Term

DISGUISES = {
    "renamed": "every symbol is a random word",
    "argument": "one predicate with the number of the part as an argument, instead of one predicate per part",
    "auxiliary": "effects and conditions stand behind auxiliary predicates",
    "negated": "what stays is told by negation of what changes",
    "hidden": "moves without effect have other names for each role, and the rules of turn and steps mention them",
    "flat": "moves are plain words; facts say what each of them does",
    "shuffled": "rules and conditions in random order",
    "rewritten": "rules split, merged, doubly negated, with tautologies, dead rules and other orders of arguments",
}
"""What each disguise does."""


def checked(names: Collection[str]) -> frozenset[str]:
    """The disguises of these names; "all" stands for each of them."""
    for name in names:
        if name not in DISGUISES and name != "all":
            raise InputError(f"no disguise is called {name!r}; there are: {', '.join(DISGUISES)}, all")
    return frozenset(DISGUISES) if "all" in names else frozenset(names)


@dataclass(frozen=True)
class Written:
    """The rules of a plan in disguise, and its known decomposition in the same names."""

    rules: Rules
    answer: dict[str, Any]
    writer: Writer
    rewritten: Rewritten

    def fluents(self, position: CompoundState) -> frozenset[Term]:
        """The fluents that hold in a position of the simulated plan."""
        plan, writer = self.writer.plan, self.writer
        held = [writer.flag(i) for i in position.flags]
        for i, (part, state) in enumerate(zip(plan.parts, position.states, strict=True)):
            assert part.machine is not None
            held += [writer.fluent(i, f) for f in part.machine.fluents(state)]
        if plan.turns == "alternating":
            held.append(writer.turn(plan.roles[position.turn]))
        if plan.steps is not None:
            held.append(writer.step(position.step))
        return frozenset(map(self.rewritten.fluent, held))


def write_down(plan: Blueprint, disguises: Collection[str], turns: str, rng: Random) -> Written:
    """Write a plan down in the given disguises."""
    style = Style(
        argument="argument" in disguises,
        listed="negated" not in disguises,
        hidden="hidden" in disguises,
        flat="flat" in disguises,
    )
    writer = Writer(plan, style)
    rules, known = writer.rules(), answer(plan, writer, turns)
    if "auxiliary" in disguises:
        rules = rewrite(rules, rng, kinds=["auxiliary"], share=0.8).rules
    kinds: list[str] = []
    if "rewritten" in disguises:
        kinds += [kind for kind in KINDS if kind not in ("rename", "shuffle", "auxiliary")]
    kinds += ["rename"] if "renamed" in disguises else []
    kinds += ["shuffle"] if "shuffled" in disguises else []
    new = rewrite(rules, rng, kinds=kinds, share=0.25)
    known["roles"] = [new.role(role) for role in known["roles"]]
    for part in known["subgames"]:
        part["fluents"] = sorted(str(new.fluent(Term.parse(f))) for f in part["fluents"])
    return Written(new.rules, known, writer, new)
