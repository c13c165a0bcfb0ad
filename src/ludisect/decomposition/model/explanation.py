"""Why a decomposition is as it is: variables, what ties them, the chain of ties between two fluents.

Every method leaves a dependency graph; this module reads it together with the parts. A tie is an edge or a bond of that
graph: variables, and a reason in words. A part hangs together by few of its ties, and these are told; all parts
together hang together by none.

>>> import ludisect
>>> from ludisect.decomposition import explain
>>> print(explain(ludisect.decompose(ludisect.load("nim:1,2"))))
3 variables: 2 steered by moves, 1 context
part 1, (heap a *): 1 variable; exactly one holds, proved
part 2, (heap b *): 1 variable; exactly one holds, proved
part 3, (control *), runs by itself, read by 1, 2: 1 variable; exactly one holds, proved
parts 1, 2 are apart: no tie between them was found
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows, unpack
from ludisect.decomposition.model.decomposition import Decomposition, Part
from ludisect.decomposition.model.dependency import Bond, DependencyGraph, Edge, Witness
from ludisect.errors import InputError
from ludisect.gdl.digraph import way
from ludisect.gdl.terms import Term
from ludisect.unionfind import Joined

TOLD = 12
"""Ties of a part, and fluents of a state, that the text has; the JSON has all."""

_Inside = tuple["Edge | Bond", tuple[int, ...]]
"""A tie, and those of its nodes that are in a part."""

NOT_TIES = frozenset({"serial"})
"""Kinds of edges that lead from part to part and do not join them."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A tie: the variables (or lumps of fluents and moves) that it ties, its kind, why, and two states or one."""

    nodes: tuple[int, ...]
    labels: tuple[str, ...]
    kind: str
    why: str
    witness: dict[str, Any] | None = None

    def __str__(self) -> str:
        shown = list(self.labels[:TOLD]) + ["…"] * (len(self.labels) > TOLD)
        return f"{' – '.join(shown)}: {self.why}"

    def to_json(self) -> dict[str, Any]:
        """JSON-ready."""
        out: dict[str, Any] = {"ties": list(self.labels), "kind": self.kind, "why": self.why}
        return out | ({"witness": self.witness} if self.witness else {})


@dataclass(frozen=True, slots=True)
class Chain:
    """Why two fluents are in one part, or are not: a sentence, and the shortest chain of ties between them."""

    fluents: tuple[str, str]
    what: str
    reasons: tuple[Reason, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self.fluents[0]} and {self.fluents[1]} {self.what}"]
        for number, reason in enumerate(self.reasons, 1):
            lines.append(f"  {number}. {reason}")
            played = reason.witness["played"] if reason.witness else []
            if not all(t in reason.why for t in played):
                lines.append(f"     seen with {_some(played)}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"fluents": list(self.fluents), "what": self.what, "chain": [r.to_json() for r in self.reasons]}


def explain(parts: Decomposition) -> Explanation:
    """The reasons of a decomposition, as far as its method gave any."""
    if not isinstance(parts, Decomposition):
        raise TypeError(f"explain takes a Decomposition (what decompose gives), not {type(parts).__name__}")
    return Explanation(parts)


def fluent_number(game: Game, fluent: Term | str) -> int:
    """A fluent's place in ``Game.fluents``; InputError, with one that it may have been meant for, if it has none."""
    (term,) = game.state([fluent]).fluents
    return game.fluent_index[term]


class Explanation:
    """The ties of a decomposition. ``str`` tells them in short, ``to_json`` in full, ``why`` asks about two fluents."""

    def __init__(self, parts: Decomposition) -> None:
        self.parts = parts
        self.graph = parts.graph or DependencyGraph()
        place = parts.part_of()
        self._homes: list[set[int]] = [{int(p) for p in place[list(n.fluents)] if p >= 0} for n in self.graph.nodes]
        for edge in self.graph.edges:  # a move is where it has effects
            if not self.graph.nodes[edge.source].fluents:
                self._homes[edge.source] |= self._homes[edge.target]

    def __repr__(self) -> str:
        return f"<Explanation of {self.parts.game.name}: {len(self.graph.nodes)} variables, {len(self.ties)} ties>"

    # ---- ties ----

    @cached_property
    def ties(self) -> tuple[Edge | Bond, ...]:
        """Edges and bonds that can join, in the order in which they were found."""
        return (*(e for e in self.graph.edges if e.kind not in NOT_TIES), *self.graph.bonds)

    @cached_property
    def _of_part(self) -> dict[int, list[_Inside]]:
        """Per part (its place): the ties that have two nodes or more in it, and these nodes; moves among them."""
        out: dict[int, list[_Inside]] = {}
        for tie in self.ties:
            nodes = (tie.source, tie.target) if isinstance(tie, Edge) else tie.nodes
            for place in {p for n in nodes for p in self._homes[n]}:
                inside = tuple(n for n in nodes if place in self._homes[n])
                if len(inside) > 1:
                    out.setdefault(place, []).append((tie, inside))
        return out

    def within(self, part: Part) -> list[Reason]:
        """Ties by which the variables of a part hang together: each joins what those before it left apart."""
        joined = Joined[int]()
        chosen = []
        for tie, nodes in self._of_part.get(self._place(part), []):
            if sum(joined.join(nodes[0], n) for n in nodes[1:]):
                chosen.append((tie, nodes))
        while True:  # a move that only one tie leads to joins nothing
            met = Counter(n for _, nodes in chosen for n in nodes)
            kept = [(t, ns) for t, ns in chosen if all(met[n] > 1 or self.graph.nodes[n].fluents for n in ns)]
            if len(kept) == len(chosen):
                return [self._reason(tie, nodes) for tie, nodes in chosen]
            chosen = kept

    def between(self, first: Part, second: Part) -> list[Reason]:
        """Edges that lead from one part to the other: what a stage waits for, which context a part reads."""
        a, b = self._place(first), self._place(second)
        return [
            self._reason(e, (e.source, e.target))
            for e in self.graph.edges
            if a in self._homes[e.source] and b in self._homes[e.target] and b not in self._homes[e.source]
        ]

    def why(self, first: Term | str, second: Term | str) -> Chain:
        """Why two fluents are in one part, by the shortest chain of ties; or that they are not, and what is known."""
        one, other = (fluent_number(self.parts.game, f) for f in (first, second))
        names = str(self.parts.game.fluents[one]), str(self.parts.game.fluents[other])
        place = self.parts.part_of()
        for f, name in zip((one, other), names, strict=True):
            if place[f] < 0:
                what = "never changes" if f in self.parts.constant_numbers else "was never seen to change"
                return Chain(names, f"are in no part together: {name} {what}")
        a, b = (self.parts.parts[place[f]] for f in (one, other))
        if a is not b:
            return self._apart(names, a, b)
        steps = self._chain(one, other, self._place(a))
        if steps is None:
            return Chain(names, f"are in part {a.id}; the method left no reason")
        if not steps:
            node = next(n for n in self.graph.nodes if one in n.fluents and other in n.fluents)
            how = f": {node.values}" if node.values else ""
            return Chain(names, f"are values of one variable, {node.label}{how}")
        return Chain(names, f"are in part {a.id}, by {len(steps)} tie{'s' * (len(steps) > 1)}", tuple(steps))

    def _apart(self, names: tuple[str, str], a: Part, b: Part) -> Chain:
        """What is known of two fluents of different parts."""
        reasons = [*self.between(a, b), *self.between(b, a)]
        what = f"are in different parts, {a.id} and {b.id}"
        if not reasons:
            return Chain(names, f"{what}: no tie between these was found{self._evidence()}")
        if b.id in a.after or a.id in b.after:
            later, earlier = (a, b) if b.id in a.after else (b, a)
            return Chain(names, f"{what}: part {later.id} opens after part {earlier.id}", tuple(reasons[:1]))
        return Chain(names, f"{what}: what leads from one to the other does not make them one", tuple(reasons[:1]))

    def _chain(self, one: int, other: int, place: int) -> list[Reason] | None:
        """The shortest chain of ties inside a part, from a node with the one fluent to a node with the other."""
        nodes = self.graph.nodes
        ends, begin = ({n for n, node in enumerate(nodes) if f in node.fluents} for f in (other, one))
        if ends & begin:
            return []
        # a node leads to the places of its ties, and these (as negative numbers) to their nodes
        ties = self._of_part.get(place, [])
        leads: dict[int, list[int]] = {~k: list(inside) for k, (_, inside) in enumerate(ties)}
        for k, (_, inside) in enumerate(ties):
            for n in inside:
                leads.setdefault(n, []).append(~k)
        start, end = len(nodes), len(nodes) + 1
        leads[start] = sorted(begin)
        for n in ends:
            leads.setdefault(n, []).insert(0, end)
        return [self._reason(*ties[~k]) for k in way(leads, start, end) if k < 0] or None

    # ---- places ----

    def _place(self, part: Part) -> int:
        if part.whole is not self.parts:
            raise InputError(f"{part!r} is no part of {self.parts!r}")
        return self.parts.parts.index(part)

    # ---- words ----

    def _reason(self, tie: Edge | Bond, nodes: Iterable[int]) -> Reason:
        nodes = tuple(nodes)
        labels = tuple(self.graph.nodes[n].label for n in nodes)
        if isinstance(tie, Edge):
            why = _edge_in_words(self.parts.game, tie)
            witness = None if tie.witness is None else _two_states(self.parts.game, tie.witness)
        else:
            why = tie.why
            witness = None if tie.state is None else _state(self.parts.game, tie.state)
        if witness is not None:
            here = {str(t) for p in {p for n in nodes for p in self._homes[n]} for t in self.parts.parts[p].fluents}
            witness["played"] = [t for t in witness["played"] if t in here]
        return Reason(nodes, labels, tie.kind, why, witness)

    def _evidence(self) -> str:
        known = self.parts.evidence
        if known is None:
            return ""
        if known.claims:
            return " (" + "; ".join(f"{claim}: {how}" for claim, how in known.claims.items()) + ")"
        return f" ({known.status} on {known.transitions} transitions)"

    def _variables(self, part: Part) -> list[int]:
        place = self._place(part)
        return [n for n, node in enumerate(self.graph.nodes) if node.fluents and place in self._homes[n]]

    def __str__(self) -> str:
        if self.parts.graph is None:
            return f"{self.parts.game.name}: whoever found these parts (method {self.parts.method}) left no reasons"
        driven = Counter(node.driven for node in self.graph.nodes if node.fluents)
        most = sorted(driven.items(), key=lambda pair: -pair[1])
        about = ", ".join(f"{count} {what}" for what, count in most if what)
        lines = [_counted(sum(driven.values()), self._noun) + (f": {about}" if about else "")]
        for part in self.parts:
            lines += self._part_in_words(part)
        lines += self._order_in_words()
        apart = [s.id for s in self.parts.dependent if not s.after and not any(s.id in t.after for t in self.parts)]
        if len(apart) > 1:
            numbers = ", ".join(map(str, apart))
            lines.append(f"parts {numbers} are apart: no tie between them was found")
        return "\n".join(lines)

    @property
    def _noun(self) -> str:
        """What the nodes with fluents are."""
        if any(node.driven for node in self.graph.nodes):
            return "variable"
        return "set of fluents" if any(len(node.fluents) > 1 for node in self.graph.nodes) else "fluent"

    def reason(self, edge: Edge) -> Reason:
        """An edge of the graph in words, with its witness."""
        return self._reason(edge, (edge.source, edge.target))

    def readers(self, context: Part) -> list[Part]:
        """The parts whose rules read a part of the context."""
        game, found = self.parts.game, []
        for part in self.parts.dependent:
            moves = [
                int(game.batch.first_move[r]) + m for r, some in enumerate(part.move_numbers) for c in some for m in c
            ]
            nets = [*game.circuit.next[list(part.fluent_numbers)], *game.circuit.legal[moves]]
            if not {f + 1 for f in context.fluent_numbers}.isdisjoint(game.circuit.support(nets).tolist()):
                found.append(part)
        return found

    def _part_in_words(self, part: Part) -> list[str]:
        variables, ties = self._variables(part), self.within(part)
        name = f"part {part.id}, {_some(part.patterns, 4)}"
        if part.kind == "independent":
            readers = [str(reader.id) for reader in self.readers(part)]
            name += f", runs by itself, read by {_some(readers, TOLD, ', ') if readers else 'no part'}"
        useless = "" if part.useful else "; neither score nor end nor the start of another part reads it"
        if len(variables) == 1:
            node = self.graph.nodes[variables[0]]
            how = f"; {node.values}" if node.values else ""
            return [f"{name}: {_counted(1, self._noun)}{how}{useless}"]
        lines = [f"{name}: {_counted(len(variables), self._noun)}, one by {_counted(len(ties), 'tie')}{useless}"]
        lines += [f"  {tie}" for tie in ties[:TOLD]]
        return lines + ([f"  … {len(ties) - TOLD} more"] if len(ties) > TOLD else [])

    def _order_in_words(self) -> list[str]:
        out = []
        for part in self.parts:
            for number in part.after:
                reasons = self.between(self.parts[number], part)
                clock = "part {number} never offers a choice so late" if self.parts.method == "exact" else ""
                why = str(reasons[0]) if reasons else clock.format(number=number) or "the method does not say why"
                out.append(f"part {part.id} opens after part {number}: {why}")
        return out

    def to_json(self) -> dict[str, Any]:
        """JSON-ready: all variables, and per part the ties that hold it together and the parts that it opens after."""
        return {
            "variables": [
                {
                    "name": n.label,
                    "values": n.values,
                    "driven": n.driven,
                    "parts": sorted(self.parts.parts[p].id for p in self._homes[k]),
                }
                for k, n in enumerate(self.graph.nodes)
                if n.fluents
            ],
            "parts": [
                {
                    "id": part.id,
                    "ties": [r.to_json() for r in self.within(part)],
                    "after": {
                        str(number): [r.to_json() for r in self.between(self.parts[number], part)]
                        for number in part.after
                    },
                }
                for part in self.parts
            ],
        }


def _edge_in_words(game: Game, edge: Edge) -> str:
    """Why an edge is there."""
    if edge.witness is None:
        weight = "" if edge.weight == 1.0 else f", weight {edge.weight:.2f}"
        return edge.why or f"{_WORDS.get(edge.kind, edge.kind)}{weight}"
    old, new = (unpack(row[None], len(game.fluents))[0] for row in edge.witness.states)
    now, then = (" ".join(str(game.fluents[f]) for f in np.flatnonzero(a & ~b)) for a, b in ((new, old), (old, new)))
    change = f"with {now} instead of {then}" if now and then else f"with {now}" if now else f"without {then}"
    return f"{change}, {edge.why}"


_WORDS = {
    "precondition": "the move needs it",
    "positive": "the move makes it true",
    "negative": "the move makes it false",
    "effect": "the move changes it",
    "dependency": "the rules of the one read the other",
    "serial": "the move waits for it",
}


def _state(game: Game, row: Rows) -> dict[str, Any]:
    """A state as JSON: all that holds, and what of it did not hold at the start."""
    state = game.batch.state(row)
    return {"state": sorted(map(str, state)), "played": sorted(map(str, state - game.initial_state()))}


def _two_states(game: Game, witness: Witness) -> dict[str, Any]:
    moves = {
        role: str(game.moves[r][int(witness.joint[r])])
        for r, role in enumerate(game.roles)
        if r != witness.role < len(game.roles)
    }
    other = sorted(map(str, game.batch.state(witness.states[1])))
    role = game.roles[witness.role] if witness.role < len(game.roles) else None
    about = {"other": other, "role": role, "fluent": str(game.fluents[witness.fluent]), "moves": moves}
    return _state(game, witness.states[0]) | about


def _some(texts: Sequence[str], most: int = TOLD, between: str = " ") -> str:
    return between.join([*texts[:most], *["…"] * (len(texts) > most)])


def _counted(number: int, noun: str) -> str:
    """One variable, two sets of fluents."""
    first, _, rest = noun.partition(" ")
    return f"{number} {first}{'s' * (number != 1)}{' ' * bool(rest)}{rest}"
