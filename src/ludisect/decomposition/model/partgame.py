"""A part as a game of its own: its fluents, its local moves, and what it reads of the context.

The other parts stand still, as they are at the start; a part that opens after others (a stage) starts where it first
opens in random play, and the others stay as they are then. Everything else follows:

- **Moves.** A class of moves that do the same in the part is one move here, with the name of its first member. It is
  legal if some member is, and does what the first legal one does. Moves without effect in any part (noop) stay. Moves
  of other parts are gone, so that nobody can pass by playing elsewhere. Only where several roles move at once, one that
  has nothing to do here plays elsewhere: it gets one such move for that, legal where it has no other.
- **The end.** It is over where the whole would be, when nobody has a local move, or when somebody has no move at all.
- **Goals** are those of the whole, with the other parts as they stand. If the whole is won by winning two boards, one
  board alone does not win it. The order of the outcomes is what a part tells, not always their worth.
- **Fluents** of the other parts are gone, and so is what the part does not read of the context.

The result is a ``Game`` like any other. Who searches a sum of parts needs more than this game, as nobody knows here
whose turn it will be: see ``search.part.views``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.game import Game
from ludisect.circuit.gates import NewGates, once_more
from ludisect.circuit.netlist import FALSE, TRUE
from ludisect.circuit.record import plays
from ludisect.circuit.restrict import restrict
from ludisect.circuit.rows import unpack
from ludisect.decomposition.limits import DecompositionLimits

LocalMoves = Sequence[Sequence[Sequence[int]]]
"""Per role: classes of moves (numbers) that do the same in a part."""


@dataclass(frozen=True, slots=True)
class Cutout:
    """What of a game is a part: its fluents and local moves, and those of the other parts."""

    fluents: Sequence[int]
    local: LocalMoves
    others: Sequence[int]
    elsewhere: Sequence[LocalMoves]
    at_once: bool
    """Several roles move at once."""
    later: bool
    """It opens after others."""


def part_game(game: Game, name: str, part: Cutout) -> Game:
    """The game of a part, under that name.

    >>> import ludisect
    >>> heap = ludisect.decompose(ludisect.load("nim:3,5"))[2].game
    >>> heap
    <Game nim:3,5, part 2: 2 roles, 8 fluents, 12 moves>
    >>> sorted(map(str, heap.legal_moves(heap.initial_state())["player1"]))[:2]
    ['(reduce b 0)', '(reduce b 1)']
    """
    start = opening(game, part) if part.later else game.circuit.initial
    circuit = replace(game.circuit, initial=start)
    gates = NewGates(circuit)
    moves = _Moves(game, part, gates)
    over = gates.either([circuit.terminal, *moves.ends()])
    legal = moves.legal(over)
    made = moves.does()
    both, following = once_more(gates.put_behind(), made, circuit.next)
    following[list(part.others)] = np.where(start[list(part.others)], TRUE, FALSE)
    alone = replace(both, legal=legal, next=following, terminal=over).fold().optimize().fold()
    return _cut_down(replace(game, name=name, circuit=alone, rules=None), part, moves)


def opening(game: Game, part: Cutout) -> NDArray[np.bool_]:
    """The first state of random plays, bit by bit, in which somebody has a local move; the start if there is none."""
    first = game.batch.first_move
    local = [int(first[r]) + m for r, classes in enumerate(part.local) for members in classes for m in members]
    for states, _, _ in plays(game, DecompositionLimits.current().partgame_plays):
        open_ = game.batch.legal(states)[:, local].any(axis=1)
        if open_.any():
            bits: NDArray[np.bool_] = unpack(states[[int(open_.argmax())]], len(game.fluents))[0]
            return bits
    return game.circuit.initial


class _Moves:
    """The moves of the part: per role, sets of moves of the whole that are one here, by the number of the first."""

    def __init__(self, game: Game, part: Cutout, gates: NewGates) -> None:
        self.circuit, self.gates = game.circuit, gates
        self.local: list[dict[int, Sequence[int]]] = []
        self.idle: list[dict[int, Sequence[int]]] = []
        self.waiting: list[dict[int, Sequence[int]]] = []
        for r, (low, high) in enumerate(pairwise(game.batch.first_move.tolist())):
            mine = [[low + m for m in members] for members in part.local[r]]
            here = {m for members in mine for m in members}
            there = {low + m for other in part.elsewhere for members in other[r] for m in members} - here
            self.local.append({members[0]: members for members in mine})
            self.idle.append({m: [m] for m in range(low, high) if m not in here and m not in there})
            self.waiting.append({min(there): sorted(there)} if there and part.at_once else {})
        self._some = [
            {name: gates.either([int(self.circuit.legal[m]) for m in members]) for name, members in of_role.items()}
            for of_role in self.each()
        ]

    def each(self) -> list[dict[int, Sequence[int]]]:
        """All moves, role by role."""
        return [a | b | c for a, b, c in zip(self.local, self.idle, self.waiting, strict=True)]

    def ends(self) -> list[int]:
        """Literals that say that nobody has a local move, or that somebody has no move at all."""
        here = [some[name] for local, some in zip(self.local, self._some, strict=True) for name in local]
        out = [self.gates.both([x ^ 1 for x in here])]
        for local, some in zip(self.local, self._some, strict=True):
            if len(local) < len(here):  # others can have a local move
                out.append(self.gates.both([x ^ 1 for x in some.values()]))
        return out

    def legal(self, over: int) -> NDArray[np.int32]:
        """Legality of all moves of the whole in the part alone; who waits has no other move, and it is not over."""
        out = np.full(self.circuit.legal.size, FALSE, np.int32)
        for waiting, some in zip(self.waiting, self._some, strict=True):
            out[list(some)] = list(some.values())
            for name in waiting:
                others = [x ^ 1 for other, x in some.items() if other != name]
                out[name] = self.gates.both([some[name], over ^ 1, *others])
        return out

    def does(self) -> dict[int, int]:
        """Per input node of a move: the literal that says that it is the one that is made for its set."""
        first = 1 + self.circuit.n_fluents
        out = dict.fromkeys(range(first, first + self.circuit.legal.size), FALSE)
        for of_role in self.each():
            for name, members in of_role.items():
                made = 2 * (first + name)
                if len(members) == 1:
                    out[first + name] = made
                    continue
                left = made
                for m in members:
                    out[first + m] = self.gates.both([left, int(self.circuit.legal[m])])
                    left = self.gates.both([left, int(self.circuit.legal[m]) ^ 1])
        return out


def _cut_down(game: Game, part: Cutout, moves: _Moves) -> Game:
    """The game without the fluents, moves and goals that are not of the part."""
    circuit = game.circuit
    kept: list[list[int]] = []
    for local, idle, waiting in zip(moves.local, moves.idle, moves.waiting, strict=True):
        possible = [m for m in (*idle, *waiting) if circuit.legal[m] != FALSE]
        kept.append(sorted([*local, *possible]))
    for r, (low, _) in enumerate(pairwise(game.batch.first_move.tolist())):
        kept[r] = kept[r] or [low]  # a role without any move here still needs a name for what it does
    goals = [k for k, net in enumerate(circuit.goal.tolist()) if net != FALSE]
    wanted = [m for of_role in kept for m in of_role]
    fluents = _read(circuit, part.fluents, [*circuit.legal[wanted], circuit.terminal, *circuit.goal[goals]])
    return replace(
        game,
        fluents=tuple(game.fluents[f] for f in fluents),
        moves=tuple(
            tuple(names[m - low] for m in of_role)
            for names, of_role, low in zip(game.moves, kept, game.batch.first_move[:-1].tolist(), strict=True)
        ),
        circuit=restrict(circuit, fluents, wanted, goals),
        goal_table=tuple(game.goal_table[k] for k in goals),
    )


def _read(circuit: Circuit, own: Sequence[int], nets: Sequence[int]) -> list[int]:
    """The own fluents, and all that they and some nets read, at once or later."""
    found = set(own)
    reading = [*nets, *circuit.next[list(own)]]
    while True:
        new = {int(node) - 1 for node in circuit.support(reading) if node <= circuit.n_fluents} - found
        if not new:
            return sorted(found)
        found |= new
        reading = list(circuit.next[sorted(new)])
