"""``Game``: rules ready to play, for one state or for thousands at once.

Names across this arrow: ``Circuit.legal`` -> ``Game.legal_moves`` (terms of one state) and ``Game.batch.legal`` (a
matrix, states x moves); ``Circuit.next`` -> ``Game.next_state`` and ``Game.batch.next``; ``Circuit.terminal`` ->
``Game.is_terminal`` and ``Game.batch.terminal``; ``Circuit.goal`` -> ``Game.goals`` and ``Game.batch.goals``. A state
is a set of terms where one is asked for, and a packed row of bits (bit i = fluent i) in ``Game.batch``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from hashlib import blake2b

import numpy as np

from ludisect.circuit.batch import UNDEFINED, Batch
from ludisect.circuit.circuit import Circuit
from ludisect.circuit.lanes import Playouts
from ludisect.errors import IllegalMove, InputError
from ludisect.gdl.machine import Fluents
from ludisect.gdl.state import HasStates, State, TermOrText
from ludisect.gdl.terms import Rules, Term


@dataclass(frozen=True, eq=False)
class Game(HasStates):
    """A game: its names, its circuit, and every question that can be asked of a state.

    ``game.start`` and ``game.state(["(cell 1 1 x)", …])`` are states to hold and to play on from. Two games are equal
    if they have the same roles, fluents and moves, and the same circuit.

    >>> import ludisect
    >>> game = ludisect.load("nim:3,5,7")
    >>> game.start.play(player1="(reduce c 6)").legal["player2"][:2]
    (Term.parse('(reduce a 0)'), Term.parse('(reduce a 1)'))
    >>> game == ludisect.load("nim:3,5,7"), game == ludisect.load("nim:3,5,6")
    (True, False)
    """

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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    @cached_property
    def _digest(self) -> bytes:
        """Of everything that equal games have in common."""
        names = (self.roles, self.fluents, self.moves, self.goal_table)
        digest = blake2b(repr([(len(some), *map(str, some)) for some in names]).encode())
        circuit = self.circuit
        for array in (
            circuit.roles,
            circuit.start,
            circuit.literals,
            circuit.outputs,
            circuit.initial,
            circuit.input_value,
        ):
            digest.update(f"{array.size} ".encode())
            digest.update(np.ascontiguousarray(array, np.int32).tobytes())
        return digest.digest()

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # not what can be found again

    # ---- names ----

    @cached_property
    def fluent_index(self) -> dict[Term, int]:
        """Fluent -> its bit in a row."""
        return {term: i for i, term in enumerate(self.fluents)}

    @cached_property
    def move_index(self) -> tuple[dict[Term, int], ...]:
        """Per role: move -> its place in ``moves[role]``."""
        return tuple({term: i for i, term in enumerate(of_role)} for of_role in self.moves)

    # ---- many states ----

    @cached_property
    def batch(self) -> Batch:
        """The same questions asked of thousands of states at once, as packed rows of bits."""
        sizes = [len(m) for m in self.moves]
        return Batch(self.name, self.circuit, self.fluents, self.fluent_index, sizes, self.goal_table)

    # ---- one state ----

    def state(self, fluents: str | Iterable[TermOrText]) -> State[Game]:
        """The state in which these fluents hold and no others: terms, their texts, or one text with all of them.

        Raises InputError for a fluent that can never hold.
        """
        state = super().state(fluents)
        self.batch.row(state.fluents)
        return state

    def initial_state(self) -> Fluents:
        """The fluents that hold at the start."""
        return self.batch.state(self.batch.initial)

    def legal_moves(self, state: Fluents) -> dict[str, list[Term]]:
        """Each role's legal moves, sorted by their text."""
        legal = self.batch.legal(self.batch.row(state))[0]
        return {
            role: sorted((of_role[i] for i in np.flatnonzero(legal[low : low + len(of_role)])), key=str)
            for role, of_role, low in zip(self.roles, self.moves, self.batch.first_move[:-1].tolist(), strict=True)
        }

    def next_state(self, state: Fluents, moves: Mapping[str, Term]) -> Fluents:
        """The state after a joint move; raises IllegalMove if one of the moves is not legal."""
        row = self.batch.row(state)
        legal = self.batch.legal(row)[0]
        joint = np.zeros((1, len(self.roles)), np.int64)
        for r, role in enumerate(self.roles):
            if role not in moves:
                raise InputError(f"no move given for role {role!r}")
            index = self.move_index[r].get(moves[role])
            if not isinstance(moves[role], Term):
                raise TypeError(f"a move is a Term, not {moves[role]!r}; State.play takes texts, too")
            if index is None or not legal[self.batch.first_move[r] + index]:
                raise IllegalMove(role, str(moves[role]), [str(m) for m in self.legal_moves(state)[role]])
            joint[0, r] = index
        return self.batch.state(self.batch.next(row, joint))

    def is_terminal(self, state: Fluents) -> bool:
        """Whether the play is over."""
        return bool(self.batch.terminal(self.batch.row(state))[0])

    def goals(self, state: Fluents) -> dict[str, int | None]:
        """What each role gets; None where the rules give no value or several."""
        values = self.batch.goals(self.batch.row(state))[0].tolist()
        return {role: None if v == UNDEFINED else v for role, v in zip(self.roles, values, strict=True)}

    # ---- playouts ----

    @cached_property
    def playouts(self) -> Playouts:
        """Random plays of this game: ``game.playouts.run(1_000_000)``."""
        return Playouts(self.circuit, self.goal_table, self.roles)
