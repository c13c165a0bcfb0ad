"""A part as a game of its own: the other parts stand still, local moves stand for their classes.

The result is a ``Game`` like any other, with the names of the whole: it can be played, drawn, searched, taken apart
again. It ends where the whole would end with the other parts as they are at the start, or when nobody has a local move
left. Moves that do nothing in any part (waiting) stay; moves of other parts are gone, so nobody can pass by playing
elsewhere. Goals are those of the whole with the other parts at the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.gates import NewGates
from ludisect.circuit.netlist import FALSE, TRUE

LocalMoves = Sequence[Sequence[Sequence[int]]]
"""Per role: classes of moves (numbers) that do the same in a part."""


def part_game(
    game: Game, name: str, local: LocalMoves, *, held: Sequence[int], elsewhere: Sequence[LocalMoves]
) -> Game:
    """The game of a part with those local moves; ``held`` are the fluents of the other parts, and ``elsewhere`` has
    their local moves.

    >>> import ludisect
    >>> heap = ludisect.decompose(ludisect.load("nim:3,5"))[2].game
    >>> sorted(map(str, heap.legal_moves(heap.initial_state())["player1"]))[:2]
    ['(reduce b 0)', '(reduce b 1)']
    """
    circuit = game.circuit
    gates = NewGates(circuit)
    following = circuit.next.copy()
    for f in held:
        following[f] = TRUE if circuit.initial[f] else FALSE
    legal, some = _legal(game, local, elsewhere, gates)
    terminal = gates.either([circuit.terminal, gates.both([x ^ 1 for x in some])])
    alone = replace(gates.put_behind(), legal=legal, next=following, terminal=terminal)
    return replace(game, name=name, circuit=alone.fold().optimize(), rules=None)


def _legal(
    game: Game, local: LocalMoves, elsewhere: Sequence[LocalMoves], gates: NewGates
) -> tuple[NDArray[np.int32], list[int]]:
    """Legality of every move in the part alone, and the literals of its local moves."""
    circuit = game.circuit
    out = np.full(circuit.legal.size, FALSE, np.int32)
    literals = []
    for r, moves in enumerate(game.moves):
        first = int(game.batch.first_move[r])
        acting = {m for part in (local, *elsewhere) for members in part[r] for m in members}
        for m in range(len(moves)):
            if m not in acting:
                out[first + m] = circuit.legal[first + m]
        for members in local[r]:
            some = gates.either([int(circuit.legal[first + m]) for m in members])
            out[first + members[0]] = some
            literals.append(some)
    return out, literals
