"""Nodes of a dependency graph: fluents and moves lumped by symbol, and by the arguments that are told apart.

``heap`` with no place told apart is one node for all heaps; with its first place told apart, one node per heap. A node
knows its ground members, and a pattern that covers them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from ludisect.circuit.game import Game
from ludisect.gdl.dependence import Predicate, predicate
from ludisect.gdl.terms import Term, TermOrVariable, Variable
from ludisect.gdl.unify import canonical, generalise, unifiable

ROLE = -1
"""The place of the role among the arguments of a move."""

Sets = tuple[frozenset[int], ...]
"""The sets of arguments into which a move falls: several if it is a compound move."""

Places = Mapping[Predicate, AbstractSet[int]]
"""Per symbol: the argument places that are told apart."""


@dataclass(frozen=True, slots=True)
class FluentLump:
    """Fluents (indices) and the pattern that covers them."""

    pattern: Term
    members: tuple[int, ...]
    label: str


@dataclass(frozen=True, slots=True)
class MoveLump:
    """Moves (role, index), the pattern that covers them, and the one role that makes them, if there is only one.

    ``part`` is not None if the lump is one part of a compound move: the argument places that it keeps.
    """

    pattern: Term
    role: str | None
    members: tuple[tuple[int, int], ...]
    label: str
    part: frozenset[int] | None = None


class Lumps:
    """The nodes of one game under given places, and which of them a pattern touches."""

    def __init__(
        self,
        game: Game,
        fluent_places: Places,
        move_places: Places,
        compound: Mapping[Predicate, Sets] | None = None,
    ) -> None:
        """A symbol of ``compound`` has one lump for each of its sets of arguments (and what is told apart there)."""
        self.game = game
        self.fluents = _fluent_lumps(game, fluent_places)
        self.moves = _move_lumps(game, move_places, compound or {})
        self._touched: dict[TermOrVariable, tuple[int, ...]] = {}

    def touched(self, fluent: TermOrVariable) -> tuple[int, ...]:
        """The fluent lumps that share an instance with a pattern."""
        key = canonical(fluent)
        if key not in self._touched:
            self._touched[key] = tuple(i for i, f in enumerate(self.fluents) if unifiable(key, f.pattern))
        return self._touched[key]

    def meant(self, move: TermOrVariable) -> Iterable[int]:
        """The move lumps whose symbol a move pattern may have."""
        if isinstance(move, Variable):
            return range(len(self.moves))
        return [m for m, lump in enumerate(self.moves) if predicate(lump.pattern) == predicate(move)]


def _fluent_lumps(game: Game, places: Places) -> list[FluentLump]:
    groups: dict[tuple[str, int, tuple[TermOrVariable, ...]], list[int]] = {}
    varying = np.flatnonzero(game.circuit.input_value[1 : 1 + len(game.fluents)] == 2).tolist()
    for f in varying:
        term = game.fluents[f]
        told = sorted(places.get((term.name, len(term.args)), ()))
        groups.setdefault((term.name, len(term.args), tuple(term.args[k] for k in told)), []).append(f)
    return [
        FluentLump(
            generalise([game.fluents[f] for f in members]), tuple(members), _label(game.fluents[members[0]], places)
        )
        for members in groups.values()
    ]


def _move_lumps(game: Game, places: Places, compound: Mapping[Predicate, Sets]) -> list[MoveLump]:
    groups: dict[tuple[object, ...], list[tuple[int, int]]] = {}
    value = game.circuit.input_value
    for r, of_role in enumerate(game.moves):
        first = 1 + len(game.fluents) + int(game.batch.first_move[r])
        for m, term in enumerate(of_role):
            if value[first + m] == 0:
                continue  # never legal
            symbol = predicate(term)
            for part in compound.get(symbol, (None,)):
                told = [k for k in sorted(places.get(symbol, ())) if k == ROLE or part is None or k in part]
                kept = tuple(r if k == ROLE else term.args[k] for k in told)
                groups.setdefault((symbol, part, kept), []).append((r, m))
    return [_move_lump(game, places, key[1], members) for key, members in groups.items()]


def _move_lump(game: Game, places: Places, part: object, members: Sequence[tuple[int, int]]) -> MoveLump:
    terms = [game.moves[r][m] for r, m in members]
    told = places.get(predicate(terms[0]), frozenset())
    roles = {r for r, _ in members}
    role = game.roles[min(roles)] if len(roles) == 1 else None
    if isinstance(part, frozenset):
        label = _term_label(terms[0], told, part)
    else:
        label, part = _label(terms[0], places), None
    if role is not None and ROLE in told:
        label = f"{role}: {label}"
    return MoveLump(generalise(terms), role, tuple(members), label, part)


def _term_label(term: Term, told: AbstractSet[int], part: AbstractSet[int]) -> str:
    shown = ("-" if k not in part else str(a) if k in told else "*" for k, a in enumerate(term.args))
    return f"({' '.join([term.name, *shown])})"


def _label(term: Term, places: Places) -> str:
    told = places.get((term.name, len(term.args)), frozenset())
    if not term.args or not told - {ROLE}:
        return term.name
    return _term_label(term, told, frozenset(range(len(term.args))))
