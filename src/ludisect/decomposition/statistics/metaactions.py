"""Meta-actions: sets of a role's moves that do the same under the same conditions (Definition 8, §4.4).

A compound move is in several of them, one per part in which it acts. Candidates are the moves that share a change, and
the moves that share a precondition of a change; where one contains another they are tied, and partial overlaps are left
alone: that is what separates the parts. Sets of moves are Python integers, bit m for column m of
``Game.legal``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.signals import Conjunctions
from ludisect.decomposition.statistics.effects import MoveEffects

Cutting = Literal["nested", "letter"]
"""What becomes of sets that contain each other: ``meta_actions`` nests them, ``cutsets`` cuts them."""


@dataclass(slots=True)
class MetaAction:
    """``effects`` are changes; ``next`` and ``legal`` are fluent literals that precondition them and the moves."""

    role: int
    moves: int
    effects: set[int] = field(default_factory=set)
    next: set[int] = field(default_factory=set)
    legal: set[int] = field(default_factory=set)

    def members(self) -> list[int]:
        """The moves, as columns of ``Game.legal``."""
        return bits_of(self.moves)


def bits_of(number: int) -> list[int]:
    """The places of the set bits."""
    raw = np.frombuffer(number.to_bytes(-(-number.bit_length() // 8), "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(raw, bitorder="little")).tolist()


def columns_as_sets(matrix: NDArray[np.bool_]) -> list[int]:
    """Each column of a boolean matrix as an integer, bit i for row i."""
    packed = np.packbits(np.ascontiguousarray(matrix.T), axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def sets_by_premise(found: Conjunctions) -> dict[tuple[int, int], int]:
    """Per next literal and literal that stands in conjunction with moves there: these moves."""
    out: dict[tuple[int, int], int] = {}
    for head, move, premise in zip(found.head.tolist(), found.move.tolist(), found.premise.tolist(), strict=True):
        out[head, premise] = out.get((head, premise), 0) | 1 << move
    return out


def meta_actions(
    game: Game,
    effects: MoveEffects,
    next_premises: Conjunctions,
    legal_premises: NDArray[np.bool_],
    made: NDArray[np.bool_],
) -> list[MetaAction]:
    """All meta-actions. ``legal_premises[literal, move]``: the literal is a non-conflicting precondition of legality.

    A move that was never ``made`` counts among those with an effect if the rules name it: were it left out, the set of
    moves with the effect would not match the set with the condition. Moves whose effect is implicit (they have it
    because another move was not made) form sets of their own, whose legality conditions nothing.
    """
    out: list[MetaAction] = []
    named = effects.named
    caused = effects.causes
    some = np.asarray((caused & named).any(axis=0))
    explicit = columns_as_sets(named & (caused | (~made[:, None] & some[None, :])))
    implicit = columns_as_sets(caused & ~named)
    by_premise = sets_by_premise(next_premises)
    by_legal = columns_as_sets(legal_premises.T)
    for role, (low, high) in enumerate(
        zip(game.batch.first_move[:-1].tolist(), game.batch.first_move[1:].tolist(), strict=True)
    ):
        mine = (1 << high) - (1 << low)
        groups: dict[int, MetaAction] = {}
        idle: dict[int, MetaAction] = {}
        for sets, kind in ((explicit, groups), (implicit, idle)):
            for change, moves in enumerate(sets):
                if moves & mine:
                    kind.setdefault(moves & mine, MetaAction(role, moves & mine)).effects.add(change)
        for (_, premise), moves in by_premise.items():
            if moves & mine:
                groups.setdefault(moves & mine, MetaAction(role, moves & mine)).next.add(premise)
        legal: dict[int, set[int]] = {}
        for literal, moves in enumerate(by_legal):
            if moves & mine:
                legal.setdefault(moves & mine, set()).add(literal)
        nest([*groups.values(), *idle.values()])
        share_circumstances(list(groups.values()), legal)
        out += [a for a in (*groups.values(), *idle.values()) if a.effects]
    return out


def nest(groups: Iterable[MetaAction]) -> None:
    """Give each set of moves the links of every set that contains it.

    The paper cuts the containing set as well, and goes on with the rest. That rest is what noise lives in: one effect
    of one compound move that no play happened to show leaves a rest of one move, which every part of it then shares.
    Rests are not formed here; sets that they would have tied rightly fail the test of free choice later.
    """
    every = list(groups)
    having: dict[int, set[int]] = {}
    for n, group in enumerate(every):
        for m in group.members():
            having.setdefault(m, set()).add(n)
    own = [(set(g.effects), set(g.next)) for g in every]
    for n, group in enumerate(every):
        around = set.intersection(*sorted((having[m] for m in group.members()), key=len))
        for other in around - {n}:
            group.effects |= own[other][0]
            group.next |= own[other][1]


def share_circumstances(actions: Sequence[MetaAction], legal: Mapping[int, set[int]]) -> None:
    """Give each literal of legality to the sets of moves that it conditions: to all sets inside the set of moves that
    need it; failing that, to sets around it; failing that, to sets that overlap it and have no other condition.

    Of a compound move each set thus takes the conditions of the part in which it acts, and not those of the others.
    The authors' program asks from the other side, which conditions are inside a set, and forgets all wider ones then.
    """
    by_lowest: dict[int, list[MetaAction]] = {}
    for action in actions:
        by_lowest.setdefault((action.moves & -action.moves).bit_length() - 1, []).append(action)
    left: list[tuple[int, set[int]]] = []
    for moves, literals in legal.items():
        takers = [a for m in bits_of(moves) for a in by_lowest.get(m, ()) if a.moves & moves == a.moves]
        takers = takers or [a for a in actions if a.moves & moves == moves]
        for action in takers:
            action.legal |= literals
        if not takers:
            left.append((moves, literals))
    bare = [a for a in actions if not a.legal]
    for moves, literals in left:
        for action in bare:
            if action.moves & moves:
                action.legal |= literals
