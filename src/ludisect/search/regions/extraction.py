"""From a circuit to guarded operators: the turns, a guard for each way to make a move, and what it does.

What comes out is exact for every state, reachable or not: it rests on the turn alone, and on each role making one
move. A move that is legal in too many ways to list keeps its legality as a net. What has no such form is refused, with
the reason.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.game import Game
from ludisect.circuit.movewise import unsteered
from ludisect.circuit.netlist import FALSE, TRUE
from ludisect.circuit.rows import unpack
from ludisect.effort import spend
from ludisect.search.budget import Budget
from ludisect.search.limits import SearchLimits
from ludisect.search.regions.changes import Changes, bits
from ludisect.search.regions.cubes import Cube, Cubes, TooMany
from ludisect.search.regions.guarded import SIDES, Operators, Turn
from ludisect.search.regions.nets import GuardNets, NetBuilder
from ludisect.search.regions.settling import NoOperators, Operator

CHANGE_STEPS = 50_000
"""Steps (see ``effort``) that one change counts, about, besides the circuit that is gone through for it."""


def operators(game: Game, budget: Budget | None = None) -> Operators:
    """The moves of a game as guarded operators.

    Raises:
        NoOperators: the game has none, for the reason that the text says.
        BudgetExceeded: they were not found within the budget.

    >>> import ludisect
    >>> found = operators(ludisect.load("domineering:2x3"))
    >>> found
    <Operators of domineering:2x3: 7 on 6 facts>
    >>> [region.value for region in found.regions(found.game.start)]
    [Value('{2|-1/2}')]
    """
    if len(game.roles) != 2:
        raise NoOperators(f"it has {len(game.roles)} role{'s' * (len(game.roles) != 1)}, and a sum has two players")
    board, turns, circuits = _turns(game)
    by_role: dict[int, Moves] = {}
    same: dict[tuple[bytes, ...], int] = {}
    for turn, circuit in zip(turns, circuits, strict=True):
        form = (
            circuit.start.tobytes(),
            circuit.literals.tobytes(),
            circuit.legal.tobytes(),
            circuit.next[board].tobytes(),
        )
        if same.get(form) == turn.mover:
            continue  # the rules of an earlier turn
        same[form] = turn.mover
        found = _of_turn(game, circuit, turn.mover, board, budget or Budget())
        if by_role.setdefault(turn.mover, found) is not found and not found.same(by_role[turn.mover]):
            raise NoOperators(f"what {game.roles[turn.mover]} can do changes from turn to turn")
    if len(by_role) < 2:
        raise NoOperators(f"only {game.roles[turns[0].mover]} ever has a choice")
    return _numbered(game, [by_role[0], by_role[1]], turns)


@dataclass(frozen=True, eq=False)
class Moves:
    """What one role can do at its turns: operators, and for each the net of the circuit that is left of its guard."""

    circuit: Circuit
    operators: tuple[Operator, ...]
    nets: tuple[int, ...]

    def same(self, other: Moves) -> bool:
        """Whether another turn surely allows the same; nets of two circuits are not compared."""
        kept = any(self.nets) or any(other.nets)
        return not kept and set(self.operators) == set(other.operators)

    @property
    def reads(self) -> int:
        """All facts that matter."""
        used = 0
        for node in self.circuit.support([net for net in self.nets if net]).tolist():
            used |= 1 << (int(node) - 1)
        for op in self.operators:
            used |= op.touches
        return used


def _numbered(game: Game, both: list[Moves], turns: list[Turn]) -> Operators:
    """The operators with bits for the facts that matter to them alone."""
    numbers = tuple(bits(both[0].reads | both[1].reads))
    place = {f: k for k, f in enumerate(numbers)}

    def moved(word: int) -> int:
        return sum(1 << place[f] for f in bits(word))

    packed = tuple(
        replace(op, needs=moved(op.needs), bars=moved(op.bars), sets=moved(op.sets), clears=moved(op.clears))
        for moves in both
        for op in moves.operators
    )
    facts = tuple(game.fluents[f] for f in numbers)
    roles = (game.roles[0], game.roles[1])
    nets = _joined(both, packed, place) if any(any(moves.nets) for moves in both) else None
    return Operators(game.name, roles, facts, packed, game, numbers, tuple(turns), nets=nets)


def _joined(both: list[Moves], listed: tuple[Operator, ...], place: dict[int, int]) -> GuardNets:
    """The guards of all operators over the same facts."""
    made = NetBuilder(place)
    kept: list[int] = []
    for moves in both:
        now = made.copied(moves.circuit, sorted({net for net in moves.nets if net}))
        kept += [now.get(net, TRUE) for net in moves.nets]
    guards = [
        made.gate([*made.cube(op.needs, op.bars), *([net] if net else [])])
        for op, net in zip(listed, kept, strict=True)
    ]
    return made.nets(listed, guards)


# ---- turns ----


def _turns(game: Game) -> tuple[NDArray[np.int64], list[Turn], list[Circuit]]:
    """The fluents of the board, and the turns that the others go through, each with its circuit."""
    context = unsteered(game.circuit)
    board = np.setdiff1d(np.arange(game.circuit.n_fluents), context)
    most = SearchLimits.current().regions_turns
    row = game.batch.initial
    seen: list[dict[int, int]] = []
    turns: list[Turn] = []
    circuits: list[Circuit] = []
    nobody = np.full((1, len(game.roles)), -1)
    while True:
        holds = unpack(row, len(game.fluents))[0]
        values = {f: int(holds[f]) for f in context.tolist()}
        if values in seen:
            _refuse_twice(game, [*turns, turns[seen.index(values)]])
            return board, turns, circuits
        if len(seen) == most:
            raise NoOperators(f"its clock does not come round within {most} turns")
        seen.append(values)
        spend(game.circuit.edges)  # a place to end
        circuit = game.circuit.cofactor({1 + f: value for f, value in values.items()})
        turns.append(Turn(values, _mover(game, circuit, len(seen))))
        circuits.append(circuit)
        row = game.batch.next(row, nobody)


def _refuse_twice(game: Game, turns: list[Turn]) -> None:
    """Raise NoOperators if a role moves twice in a row: in a sum of positions players take turns."""
    for n, (one, other) in enumerate(pairwise(turns), 1):
        if one.mover == other.mover:
            raise NoOperators(
                f"{game.roles[one.mover]} moves at turn {n} and at the next: the players do not alternate"
            )


def _mover(game: Game, circuit: Circuit, turn: int) -> int:
    """The role that chooses at a turn; the other must have one move, whatever the state."""
    idle = []
    for r, (low, high) in enumerate(circuit.roles.tolist()):
        legal = circuit.legal[low - 1 - circuit.n_fluents : high - 1 - circuit.n_fluents]
        if np.count_nonzero(legal == TRUE) == 1 and np.count_nonzero(legal == FALSE) == legal.size - 1:
            idle.append(r)
    if len(idle) == 1:
        return 1 - idle[0]
    if idle:
        raise NoOperators(f"nobody has a choice at turn {turn}")
    first, second = game.roles
    raise NoOperators(f"at turn {turn} both {first} and {second} may have a choice: nobody waits for the other")


# ---- moves ----


def _of_turn(game: Game, circuit: Circuit, role: int, board: NDArray[np.int64], budget: Budget) -> Moves:
    """The operators of the role that chooses at a turn."""
    limits = SearchLimits.current()
    cubes, changes = Cubes(circuit, limits.regions_cubes), Changes(circuit, board)
    found: dict[tuple[int, int, int, int, int], Operator] = {}
    low, _ = circuit.roles[role].tolist()
    for i, move in enumerate(game.moves[role]):
        legal = int(circuit.legal[low + i - 1 - circuit.n_fluents])
        try:
            guards, net = cubes.of(legal), TRUE
        except TooMany:
            guards, net = _surely(circuit, legal), legal
        for guard in guards:
            for (needs, bars), sets, clears in changes.of(role, low + i, guard):
                budget.check(steps=CHANGE_STEPS + circuit.literals.size)
                # two moves that need the same and do the same are one
                op = Operator(SIDES[role], str(move), needs, bars, sets, clears, net != TRUE)
                found.setdefault((needs, bars, sets, clears, net), op)
                if len(found) > limits.regions_operators:
                    raise NoOperators(f"it takes more than {limits.regions_operators} operators to say what moves do")
    return Moves(circuit, tuple(found.values()), tuple(net for *_, net in found))


def _surely(circuit: Circuit, literal: int) -> tuple[Cube, ...]:
    """The facts that a net needs and bars by its form alone, as one cube; none if they contradict each other."""
    needs = bars = 0
    todo = [literal]
    for one in todo:
        node = one >> 1
        if 0 < node <= circuit.n_fluents:
            needs, bars = (needs, bars | 1 << (node - 1)) if one & 1 else (needs | 1 << (node - 1), bars)
        elif node > circuit.n_inputs and not one & 1:
            todo += circuit.gate(node).tolist()
    return () if needs & bars else ((needs, bars),)
