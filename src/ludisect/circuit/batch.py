"""``Batch``: the questions of a game asked of many states at once, each state a packed row of bits.

A row holds bit i if fluent i holds; a joint move is a row of numbers, one per role. ``game.batch`` has everything that
works on rows, so that nobody takes a row for a ``State``: ``game.batch.row`` and ``game.batch.state`` lead from one
to the other.

>>> import ludisect
>>> game = ludisect.load("tictactoe")
>>> rows = game.batch.initial
>>> int(game.batch.legal(rows).sum()), bool(game.batch.terminal(rows)[0])
(10, False)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.program import Compiler
from ludisect.circuit.rows import Evaluator, Rows, any_column, mask_of, pack, row_words, unpack
from ludisect.errors import InputError, did_you_mean
from ludisect.gdl.machine import Fluents
from ludisect.gdl.terms import Term

UNDEFINED = -1
"""Stands in ``goals`` where the rules give no goal value or several."""


class Batch:
    """A game on packed rows of states. ``circuit`` says what follows from what; the other arguments are names."""

    def __init__(
        self,
        name: str,
        circuit: Circuit,
        fluents: tuple[Term, ...],
        fluent_index: Mapping[Term, int],
        moves: Iterable[int],
        goal_table: tuple[tuple[int, int], ...],
    ) -> None:
        self._name = name
        self._circuit = circuit
        self._fluents = fluents
        self._fluent_index = fluent_index
        self._goal_table = goal_table
        self.first_move: NDArray[np.int64] = np.concatenate([[0], np.cumsum(list(moves))]).astype(np.int64)
        """Per role: the column of its first move in ``legal``; one more at the end."""

    @cached_property
    def initial(self) -> Rows:
        """The initial state as a matrix of one row."""
        return pack(self._circuit.initial[None, :])

    @cached_property
    def _evaluators(self) -> dict[str, Evaluator]:
        c = self._circuit
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
        compiler = Compiler(self._circuit)
        program, literals = compiler.program(outputs)
        return Evaluator(program, literals, self._circuit.n_fluents, self._circuit.legal.size, compiler.next_node)

    def nodes(self, joint: NDArray[Any]) -> NDArray[np.int32]:
        """The input nodes of joint moves, given as in ``next``."""
        made = np.asarray(joint)
        # node 0, the constant, is set anyway
        return np.where(made >= 0, made + self.first_move[:-1] + 1 + len(self._fluents), 0).astype(np.int32)

    def legal_rows(self, states: Rows) -> Rows:
        """Legal moves of all roles, packed: bit ``first_move[r] + i`` is move i of role r."""
        return self._evaluators["legal"].run(states)

    def legal(self, states: Rows) -> NDArray[np.bool_]:
        """Which moves are legal, states x moves (roles side by side, see ``first_move``)."""
        return unpack(self.legal_rows(states), self._circuit.legal.size)

    def able(self, states: Rows) -> NDArray[np.bool_]:
        """Which roles have a legal move, states x roles."""
        legal = self.legal_rows(states)
        return np.stack([any_column(legal[:, words] & bits) for words, bits in self._moves_of], axis=1)

    @cached_property
    def _moves_of(self) -> list[tuple[slice, NDArray[np.uint64]]]:
        """Per role: the words of ``legal_rows`` in which its moves are, and their bits."""
        out = []
        for low, high in pairwise(self.first_move.tolist()):
            words = slice(low // 64, row_words(high))
            out.append((words, mask_of(range(low, high), high)[words]))
        return out

    def next(self, states: Rows, joint: NDArray[Any]) -> Rows:
        """The states after joint moves: ``joint[s, r]`` is the index of role r's move in ``moves[r]``, -1 for none.

        Nothing checks that the moves are legal; an illegal one gives what the rules happen to say, and so does a role
        that makes none.
        """
        return self._evaluators["next"].run(states, self.nodes(joint))

    def terminal(self, states: Rows) -> NDArray[np.bool_]:
        """Which states are terminal."""
        return (self._evaluators["terminal"].run(states)[:, 0] & np.uint64(1)).astype(np.bool_)

    def goals(self, states: Rows) -> NDArray[np.int32]:
        """Goal of each role, states x roles; UNDEFINED where the rules give none or several."""
        roles = len(self.first_move) - 1
        holds = unpack(self._evaluators["goal"].run(states), len(self._goal_table))
        out = np.full((states.shape[0], roles), UNDEFINED, np.int32)
        given = np.zeros(out.shape, np.int32)
        for net, (role, value) in enumerate(self._goal_table):
            out[holds[:, net], role] = value
            given[:, role] += holds[:, net]
        out[given != 1] = UNDEFINED
        return out

    def highest_goals(self, states: Rows) -> NDArray[np.int32]:
        """The highest goal that the rules give each role, states x roles; UNDEFINED where they give none."""
        holds = unpack(self._evaluators["goal"].run(states), len(self._goal_table))
        out = np.empty((states.shape[0], len(self.first_move) - 1), np.int32)
        for role, (nets, values) in enumerate(self._goals_of):
            np.where(holds[:, nets], values, np.int32(UNDEFINED)).max(axis=1, initial=UNDEFINED, out=out[:, role])
        return out

    @cached_property
    def _goals_of(self) -> list[tuple[NDArray[np.int64], NDArray[np.int32]]]:
        """Per role: its nets in the table of goals, and their values."""
        table = np.array(self._goal_table, np.int32).reshape(-1, 2)
        nets = [np.flatnonzero(table[:, 0] == role) for role in range(len(self.first_move) - 1)]
        return [(each, table[each, 1]) for each in nets]

    def row(self, state: Fluents) -> Rows:
        """A set of fluents as a matrix of one row."""
        if not isinstance(state, Set):
            raise TypeError(f"a set of fluents (of Terms) is needed here, not {type(state).__name__}")
        held = 0  # one long number: numpy takes a microsecond for a bit
        for term in state:
            bit = self._fluent_index.get(term)
            if bit is None:
                if not isinstance(term, Term):
                    raise TypeError(f"a fluent is a Term, not {term!r}; game.state takes texts, too")
                near = did_you_mean(str(term), (str(other) for other in self._fluents if other.name == term.name))
                raise InputError(f"{term} can never hold in {self._name}{near}")
            held |= 1 << bit
        words = row_words(len(self._fluents))
        return np.frombuffer(bytearray(held.to_bytes(8 * words, "little")), "<u8").astype(np.uint64).reshape(1, words)

    def state(self, row: NDArray[np.uint64]) -> Fluents:
        """A packed row as a set of fluents."""
        bits = unpack(np.atleast_2d(row), len(self._fluents))[0]
        return frozenset(self._fluents[i] for i in np.flatnonzero(bits))
