"""``Game``: rules ready to play, for one state or for thousands at once.

Names across this arrow: ``Circuit.legal`` -> ``Game.legal`` (a matrix, states x moves) and ``Game.legal_moves`` (terms
of one state); ``Circuit.next`` -> ``Game.next`` and ``Game.next_state``; ``Circuit.terminal`` -> ``Game.terminal`` and
``Game.is_terminal``; ``Circuit.goal`` -> ``Game.goal_values`` and ``Game.goals``. A state is a frozenset of terms where
one is asked for, and a packed row of bits (bit i = fluent i) where many are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.batch import Evaluator, Rows, pack, row_words, unpack
from ludisect.circuit.circuit import Circuit
from ludisect.circuit.lanes import Playouts
from ludisect.circuit.program import Compiler
from ludisect.errors import IllegalMove, InputError
from ludisect.gdl.machine import State
from ludisect.gdl.terms import Rules, Term

UNDEFINED = -1
"""Stands in ``goal_values`` where the rules give no goal value or several."""


@dataclass(frozen=True, eq=False)
class Game:
    """A game: its names, its circuit, and every question that can be asked of a state."""

    name: str
    roles: tuple[str, ...]
    fluents: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]
    circuit: Circuit
    goal_table: tuple[tuple[int, int], ...]
    """(role index, value) of each net in ``circuit.goal``."""
    rules: Rules | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    """How long reading, grounding and building took."""

    def __str__(self) -> str:
        moves = sum(len(m) for m in self.moves)
        return f"{self.name}: {len(self.roles)} roles, {len(self.fluents)} fluents, {moves} moves"

    def __repr__(self) -> str:
        return f"<Game {self}>"

    # ---- names ----

    @cached_property
    def fluent_index(self) -> dict[Term, int]:
        """Fluent -> its bit in a row."""
        return {term: i for i, term in enumerate(self.fluents)}

    @cached_property
    def move_index(self) -> tuple[dict[Term, int], ...]:
        """Per role: move -> its place in ``moves[role]``."""
        return tuple({term: i for i, term in enumerate(of_role)} for of_role in self.moves)

    @cached_property
    def first_move(self) -> NDArray[np.int64]:
        """Per role: the column of its first move in ``legal``; one more at the end."""
        return np.concatenate([[0], np.cumsum([len(m) for m in self.moves])]).astype(np.int64)

    # ---- many states ----

    @cached_property
    def initial(self) -> Rows:
        """The initial state as a matrix of one row."""
        return pack(self.circuit.initial[None, :])

    @cached_property
    def _evaluators(self) -> dict[str, Evaluator]:
        c = self.circuit
        nets = {
            "legal": c.legal,
            "terminal": np.array([c.terminal], np.int32),
            "goal": c.goal,
            "next": c.next,
        }
        return {name: self.evaluator(outputs) for name, outputs in nets.items()}

    def evaluator(self, outputs: NDArray[np.int32]) -> Evaluator:
        """A program for some nets (literals of the circuit) alone; what it runs on is packed rows of states and, if the
        nets read moves, their ``nodes``."""
        compiler = Compiler(self.circuit)
        program, literals = compiler.program(outputs)
        return Evaluator(program, literals, self.circuit.n_fluents, self.circuit.legal.size, compiler.next_node)

    def nodes(self, joint: NDArray[Any]) -> NDArray[np.int32]:
        """The input nodes of joint moves, given as in ``next``."""
        made = np.asarray(joint)
        # node 0, the constant, is set anyway
        return np.where(made >= 0, made + self.first_move[:-1] + 1 + len(self.fluents), 0).astype(np.int32)

    def legal_rows(self, states: Rows) -> Rows:
        """Legal moves of all roles, packed: bit ``first_move[r] + i`` is move i of role r."""
        return self._evaluators["legal"].run(states)

    def legal(self, states: Rows) -> NDArray[np.bool_]:
        """Which moves are legal, states x moves (roles side by side, see ``first_move``)."""
        return unpack(self.legal_rows(states), self.circuit.legal.size)

    def next(self, states: Rows, joint: NDArray[Any]) -> Rows:
        """The states after joint moves: ``joint[s, r]`` is the index of role r's move in ``moves[r]``, -1 for none.

        Nothing checks that the moves are legal; an illegal one gives what the rules happen to say, and so does a role
        that makes none.
        """
        return self._evaluators["next"].run(states, self.nodes(joint))

    def terminal(self, states: Rows) -> NDArray[np.bool_]:
        """Which states are terminal."""
        return (self._evaluators["terminal"].run(states)[:, 0] & np.uint64(1)).astype(np.bool_)

    def goal_values(self, states: Rows) -> NDArray[np.int32]:
        """Goal of each role, states x roles; UNDEFINED where the rules give none or several."""
        holds = unpack(self._evaluators["goal"].run(states), len(self.goal_table))
        out = np.full((states.shape[0], len(self.roles)), UNDEFINED, np.int32)
        given = np.zeros(out.shape, np.int32)
        for net, (role, value) in enumerate(self.goal_table):
            out[holds[:, net], role] = value
            given[:, role] += holds[:, net]
        out[given != 1] = UNDEFINED
        return out

    # ---- one state ----

    def row(self, state: State) -> Rows:
        """A set of fluents as a matrix of one row."""
        out = np.zeros((1, row_words(len(self.fluents))), np.uint64)
        for term in state:
            bit = self.fluent_index.get(term)
            if bit is None:
                raise InputError(f"{term} can never hold in {self.name}")
            out[0, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
        return out

    def state(self, row: NDArray[np.uint64]) -> State:
        """A packed row as a set of fluents."""
        bits = unpack(np.atleast_2d(row), len(self.fluents))[0]
        return frozenset(self.fluents[i] for i in np.flatnonzero(bits))

    def initial_state(self) -> State:
        """The fluents that hold at the start."""
        return self.state(self.initial)

    def legal_moves(self, state: State) -> dict[str, list[Term]]:
        """Each role's legal moves, sorted by their text."""
        legal = self.legal(self.row(state))[0]
        return {
            role: sorted((of_role[i] for i in np.flatnonzero(legal[low : low + len(of_role)])), key=str)
            for role, of_role, low in zip(self.roles, self.moves, self.first_move[:-1].tolist(), strict=True)
        }

    def next_state(self, state: State, moves: Mapping[str, Term]) -> State:
        """The state after a joint move; raises IllegalMove if one of the moves is not legal."""
        row = self.row(state)
        legal = self.legal(row)[0]
        joint = np.zeros((1, len(self.roles)), np.int64)
        for r, role in enumerate(self.roles):
            if role not in moves:
                raise InputError(f"no move given for role {role!r}")
            index = self.move_index[r].get(moves[role])
            if index is None or not legal[self.first_move[r] + index]:
                raise IllegalMove(role, str(moves[role]), [str(m) for m in self.legal_moves(state)[role]])
            joint[0, r] = index
        return self.state(self.next(row, joint))

    def is_terminal(self, state: State) -> bool:
        """Whether the play is over."""
        return bool(self.terminal(self.row(state))[0])

    def goals(self, state: State) -> dict[str, int | None]:
        """What each role gets; None where the rules give no value or several."""
        values = self.goal_values(self.row(state))[0].tolist()
        return {role: None if v == UNDEFINED else v for role, v in zip(self.roles, values, strict=True)}

    # ---- playouts ----

    @cached_property
    def playouts(self) -> Playouts:
        """Random plays of this game: ``game.playouts.run(1_000_000)``."""
        return Playouts(self.circuit, self.goal_table)
