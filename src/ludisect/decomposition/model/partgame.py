"""A part as a game of its own: the other parts stand still, local moves stand for their classes.

The result is a ``Game`` like any other, with the names of the whole: it can be played, drawn, searched, taken apart
again. It ends where the whole would end with the other parts as they are at the start, or when nobody has a local move
left. Moves that do nothing in any part (waiting) stay; moves of other parts are gone, so nobody can pass by playing
elsewhere. Goals are those of the whole with the other parts at the start.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.gates import NewGates
from ludisect.circuit.netlist import FALSE, TRUE
from ludisect.decomposition.model.decomposition import Decomposition, Part
from ludisect.errors import InputError


def part_game(parts: Decomposition, number: int) -> Game:
    """The game of the part with that id.

    >>> import ludisect
    >>> heap = part_game(ludisect.decompose(ludisect.load("nim:3,5")), 2)
    >>> sorted(map(str, heap.legal_moves(heap.initial_state())["player1"]))[:2]
    ['(reduce b 0)', '(reduce b 1)']
    """
    part = next((s for s in parts.dependent if s.id == number), None)
    if part is None:
        ids = ", ".join(str(s.id) for s in parts.dependent)
        raise InputError(f"{parts.game.name} has no dependent part {number}; it has {ids or 'none'}")
    game, circuit = parts.game, parts.game.circuit
    gates = NewGates(circuit)
    following = circuit.next.copy()
    for other in parts.dependent:
        if other.id != number:
            for f in other.fluent_numbers:
                following[f] = TRUE if circuit.initial[f] else FALSE
    legal, local = _legal(parts, part, gates)
    terminal = gates.either([circuit.terminal, gates.both([x ^ 1 for x in local])])
    alone = replace(gates.put_behind(), legal=legal, next=following, terminal=terminal)
    return replace(game, name=f"{game.name}, part {number}", circuit=alone.fold().optimize(), rules=None)


def _legal(parts: Decomposition, part: Part, gates: NewGates) -> tuple[NDArray[np.int32], list[int]]:
    """Legality of every move in the part alone, and the literals of its local moves."""
    game, circuit = parts.game, parts.game.circuit
    out = np.full(circuit.legal.size, FALSE, np.int32)
    local = []
    for r, moves in enumerate(game.moves):
        first = int(game.batch.first_move[r])
        acting = {m for s in parts.dependent for members in s.move_numbers[r] for m in members}
        for m in range(len(moves)):
            if m not in acting:
                out[first + m] = circuit.legal[first + m]
        for members in part.move_numbers[r]:
            some = gates.either([int(circuit.legal[first + m]) for m in members])
            out[first + members[0]] = some
            local.append(some)
    return out, local
