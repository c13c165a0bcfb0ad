"""Meta-actions by the letter of Definition 8: where one set of moves contains another, it is cut (§4.4).

Sets are all moves of a role with the same effect, with the same precondition in a rule for next, and with the same
precondition of legality. The definition has a last clause: no part of a meta-action may stand in conjunction with some
fluent where it has no effect, while the rest does not; so moves that do are sets too, without a link of their own. Sets
are compared and split "recursively": of a set that contains another, the inner one and the rest go on by themselves.
Each keeps the links of all sets that it came out of or lies in. Sets that overlap otherwise are left alone: that is
what separates the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.signals import Conjunctions, conjunctions
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.statistics.metaactions import MetaAction, bits_of, columns_as_sets, sets_by_premise


def meta_actions_by_letter(
    game: Game, causes: NDArray[np.bool_], exclusive: NDArray[np.bool_], legal_premises: NDArray[np.bool_]
) -> tuple[list[MetaAction], tuple[str, ...]]:
    """All meta-actions, and a note if the last clause of the definition was not heeded.

    ``causes[move, change]``: P > 0; ``exclusive[literal, move]``: the move alone decides the literal;
    ``legal_premises[literal, move]``: the literal is a non-conflicting precondition of the move's legality.
    """
    circuit = game.circuit
    helping = conjunctions(circuit, causes, exclusive)
    idle, notes = Conjunctions(*(np.empty(0, np.int64) for _ in range(3))), tuple[str, ...]()
    if int((~causes).sum()) <= DecompositionLimits.current().cutsets_pairs:
        idle = conjunctions(circuit, ~causes, exclusive)
    else:
        notes = ("too many moves and fluents to compare sets of moves without effect as well",)
    out: list[MetaAction] = []
    changing, conditioning = columns_as_sets(causes), columns_as_sets(legal_premises.T)
    needing, standing_by = sets_by_premise(helping), sets_by_premise(idle)
    for role, (low, high) in enumerate(pairwise(game.batch.first_move.tolist())):
        mine = (1 << high) - (1 << low)
        every = {x & mine for x in (*changing, *conditioning, *needing.values(), *standing_by.values())}
        sets = {moves: MetaAction(role, moves) for moves in every}
        for change, moves in enumerate(changing):
            sets[moves & mine].effects.add(change)
        for (_, premise), moves in needing.items():
            sets[moves & mine].next.add(premise)
        for literal, moves in enumerate(conditioning):
            sets[moves & mine].legal.add(literal)
        sets.pop(0, None)
        out += [a for a in map(_linked(list(sets.values())), cut(sets)) if a.effects]
    return out, notes


def cut(sets: Iterable[int]) -> list[int]:
    """Cut sets that contain another into that one and the rest, the smallest first, until none contains another."""
    alive = set(sets)
    having = _having(alive)
    waiting = [(moves.bit_count(), moves) for moves in alive]
    heapify(waiting)
    while waiting:
        _, inner = heappop(waiting)
        if inner not in alive:
            continue
        for outer in sorted(o for o in _near(inner, having) if o != inner and o & inner == inner):
            rest = outer ^ inner
            alive.remove(outer)
            for bit in bits_of(outer):
                having[bit].discard(outer)
            if rest not in alive:
                alive.add(rest)
                heappush(waiting, (rest.bit_count(), rest))
                for bit in bits_of(rest):
                    having[bit].add(rest)
    return sorted(alive)


def _having(sets: Iterable[int]) -> dict[int, set[int]]:
    """Per element the sets that have it."""
    out: dict[int, set[int]] = {}
    for moves in sets:
        for bit in bits_of(moves):
            out.setdefault(bit, set()).add(moves)
    return out


def _near(inner: int, having: dict[int, set[int]]) -> set[int]:
    """Some sets, all that contain a given one among them."""
    return min((having[bit] for bit in bits_of(inner)), key=len)


def _linked(given: list[MetaAction]) -> Callable[[int], MetaAction]:
    """Gives a set of moves the links of every given set that contains it."""
    having = _having(action.moves for action in given)
    of_moves = {action.moves: action for action in given}

    def linked(moves: int) -> MetaAction:
        out = MetaAction(given[0].role, moves)
        for around in _near(moves, having):
            if around & moves == moves:
                out.effects |= of_moves[around].effects
                out.next |= of_moves[around].next
                out.legal |= of_moves[around].legal
        return out

    return linked
