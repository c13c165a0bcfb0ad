"""A game as the kernels of the tree take it: programs for whole states, and what goals are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.decisive import decisive
from ludisect.circuit.game import Game
from ludisect.circuit.lanecode import LaneCode, lane_code
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.phase import Phases
from ludisect.circuit.program import Compiler
from ludisect.circuit.rows import pack

MOST_OUTCOMES = 1 << 30
"""Games with more outcomes (one goal for each role) prove nothing: an outcome is a number in an edge."""


@dataclass(frozen=True, slots=True, eq=False)
class Mind:
    """A program over all lanes: runs and index of its gates, where its outputs are, nodes in all, and the first."""

    arrays: tuple[Any, ...]
    n_nodes: int
    base: int


@dataclass(frozen=True, slots=True, eq=False)
class TreeCode:
    """All that is the same for every tree of a game."""

    game: Game
    lanes: LaneCode
    phases: Phases
    think: Mind
    """What follows a joint move: the fluents that are simulated."""
    judge: Mind
    """Which moves are legal."""
    final: Mind
    """Whether a state is terminal, and its goals."""
    goals: tuple[tuple[int, int], ...]
    """Role of each goal net, and the number of its value among the role's values, lowest first."""
    values: tuple[tuple[int, ...], ...]
    """The goals that each role can get, lowest first."""
    radix: NDArray[np.int64]
    sizes: NDArray[np.int64]
    worth: NDArray[np.float64]
    """Goals from 0 to 1, roles x values; below them the goals themselves."""
    role_start: NDArray[np.int64]
    mask: NDArray[np.uint64]
    """A row with the fluents that are simulated: others make no difference to play."""
    provable: bool

    def goals_of(self, outcome: int) -> tuple[int, ...]:
        """The goal of each role in an outcome."""
        return tuple(
            values[outcome // int(radix) % len(values)] for values, radix in zip(self.values, self.radix, strict=True)
        )

    def outcome_of(self, goals: Sequence[float]) -> int | None:
        """The outcome with these goals; None if some goal is none of the role's, or not a number."""
        if any(goal not in values for goal, values in zip(goals, self.values, strict=True)):
            return None
        each = zip(goals, self.values, self.radix, strict=True)
        return sum(values.index(int(goal)) * int(radix) for goal, values, radix in each)


_lanes: WeakKeyDictionary[Game, dict[CircuitLimits, LaneCode]] = WeakKeyDictionary()


def _preferring_wins(game: Game) -> LaneCode:
    """The plays of a game that make a move that wins at once: found once, for a game has many trees in a match."""
    made, limits = _lanes.setdefault(game, {}), CircuitLimits.current()
    if limits not in made:
        made[limits] = lane_code(game.circuit, decisive(game))
    return made[limits]


def tree_code(game: Game, *, prefer_wins: bool = True) -> TreeCode:
    """Compile a game for tree search, whose plays make a move that wins at once where that is cheap to see."""
    circuit = game.circuit
    lanes = _preferring_wins(game) if prefer_wins else game.playouts.code
    values = tuple(
        tuple(sorted({value for role, value in game.goal_table if role == r})) or (0,) for r in range(len(game.roles))
    )
    sizes = np.array([len(some) for some in values], np.int64)
    radix = np.concatenate([[1], np.cumprod(sizes.astype(np.float64))])
    provable = bool(radix[-1] < MOST_OUTCOMES)
    worth = np.zeros((2 * len(values), int(sizes.max())))
    for r, some in enumerate(values):
        span = some[-1] - some[0]
        worth[r, : len(some)] = [(value - some[0]) / span if span else 0.5 for value in some]
        worth[len(values) + r, : len(some)] = some
    simulated = np.zeros((1, len(game.fluents)), np.bool_)
    simulated[0, lanes.fluents - 1] = True
    return TreeCode(
        game=game,
        lanes=lanes,
        phases=game.playouts.phases,
        think=_mind(game, circuit.next[lanes.fluents - 1]),
        judge=_mind(game, circuit.legal),
        final=_mind(game, np.concatenate([[circuit.terminal], circuit.goal]).astype(np.int32)),
        goals=tuple((role, values[role].index(value)) for role, value in game.goal_table),
        values=values,
        radix=radix[:-1].astype(np.int64) if provable else np.ones(len(values), np.int64),
        sizes=sizes,
        worth=worth.ravel(),
        role_start=game.batch.first_move,
        mask=pack(simulated)[0],
        provable=provable,
    )


def _mind(game: Game, outputs: NDArray[np.int32]) -> Mind:
    compiler = Compiler(game.circuit)
    program, literals = compiler.program(outputs)
    return Mind((program.runs.ravel(), program.index, literals), compiler.next_node, program.base)
