"""``State``: one state of a game that a person can hold, ask, play on from, compare and look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar, Union

from ludisect.errors import IllegalMove, InputError, LudisectError, RulesSyntaxError, UnknownRole
from ludisect.gdl.byrole import ByRole
from ludisect.gdl.line import read_line, read_terms
from ludisect.gdl.machine import Fluents, Machine
from ludisect.gdl.outline import shortened
from ludisect.gdl.reader import read_term
from ludisect.gdl.terms import Term

M = TypeVar("M", bound=Machine)
M_co = TypeVar("M_co", bound=Machine, covariant=True)

TermOrText = Union[Term, str]
"""A move or a fluent, or its text."""

Moves = Union[Mapping[str, TermOrText], Sequence[TermOrText], TermOrText]
"""The moves of a step: by role; or one for every role that has a choice; or one for every role."""


@dataclass(frozen=True, eq=False, repr=False)
class State(Generic[M_co]):
    """A state of a game: ``game.start``, ``game.state([...])``, and what ``play`` makes of them.

    Two states are equal if the games are and the same fluents hold, however they came about.

    >>> import ludisect
    >>> state = ludisect.load("tictactoe").start.play(xplayer="(mark 2 2)")
    >>> state
    <State of tictactoe: 1 move made, oplayer chooses from 8>
    >>> print(state)
    (cell ↓ → *) ·=b
      1 2 3
    1 · · ·
    2 · x ·
    3 · · ·
    (control oplayer)
    """

    game: M_co
    fluents: Fluents
    """The fluents that hold."""
    moves_made: tuple[ByRole[Term], ...] = ()
    """The joint moves that led here from where play began."""

    # ---- questions ----

    @cached_property
    def legal(self) -> ByRole[tuple[Term, ...]]:
        """Each role's legal moves, sorted by their text. None where the game is over."""
        if self.is_over:
            return ByRole(dict.fromkeys(self.game.roles, ()))
        return ByRole({role: tuple(moves) for role, moves in self.game.legal_moves(self.fluents).items()})

    @property
    def choosing(self) -> tuple[str, ...]:
        """The roles that have a choice: more than one legal move."""
        return tuple(role for role, moves in self.legal.items() if len(moves) > 1)

    @cached_property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game.is_terminal(self.fluents)

    @cached_property
    def goals(self) -> ByRole[int | None]:
        """What the rules give each role here, also before the end; None where they give nothing or several values."""
        return ByRole(self.game.goals(self.fluents))

    @property
    def result(self) -> str:
        """The goals in words."""
        return ", ".join(f"{role} {'no goal' if goal is None else goal}" for role, goal in self.goals.items())

    # ---- play ----

    def play(self, moves: Moves | None = None, /, **by_role: TermOrText) -> State[M_co]:
        """The state after a step, in which every role makes a move.

        Moves are terms or their text, given by keyword (``play(xplayer="(mark 1 1)")``), in a mapping from role to
        move, or as one text (``play("(mark 1 1)")``). Roles with a single legal move may be left out. Raises
        IllegalMove; UnknownRole; InputError if a role with a choice is left out or the game is over.
        """
        if moves is not None and by_role:
            raise TypeError("play takes the moves by keyword or as one argument, not both")
        self._check_going_on()
        joint = self._joint(by_role if moves is None else moves)
        following = self.game.next_state(self.fluents, joint)
        return State(self.game, following, (*self.moves_made, ByRole(joint)))

    def play_line(self, line: str | Iterable[Moves]) -> State[M_co]:
        """The state after a line of moves: a list of steps, each as ``play`` takes it, or one text.

        In the text, ``;`` stands between steps: "(mark 1 1); (mark 2 2) noop". A step has a move for every role, or
        for every role that has a choice there. Without any ``;``, each step takes one move for every role that has a
        choice (one move if none has). Errors say the number of the step.
        """
        state = self
        if not isinstance(line, str):
            for number, step in enumerate(line, 1):
                state = state._numbered(number, step)
            return state
        steps, divided = read_line(line)
        if divided:
            return self.play_line(steps)
        left, number = (steps or [[]])[0], 0
        while left:
            size = max(1, len(state.choosing))
            number += 1
            state, left = state._numbered(number, left[:size]), left[size:]
        return state

    def _numbered(self, number: int, step: Moves) -> State[M_co]:
        try:
            return self.play(step)
        except IllegalMove as error:
            raise IllegalMove(error.role, error.move, error.legal, number) from None
        except InputError as error:
            raise InputError(f"move {number}: {error}") from None

    def _check_going_on(self) -> None:
        if self.is_over:
            raise InputError(f"the game is over ({self.result}); there is nothing left to play")
        for role, moves in self.legal.items():
            if not moves:
                raise InputError(f"{role} has no legal move here although the game is not over: a fault of the rules")

    def _joint(self, moves: Moves) -> dict[str, Term]:
        """A legal move for each role, in the order of the roles."""
        if isinstance(moves, str):
            steps, divided = read_line(moves)
            if divided:
                raise InputError(f"{shortened(moves)!r} is a line of moves; play_line plays it")
            moves = steps[0] if steps else []
        given = moves if isinstance(moves, Mapping) else self._dealt(moves)
        for role in given:
            if role not in self.legal:
                raise UnknownRole(role, self.game.roles)
        joint = {}
        for role, legal in self.legal.items():
            if role in given:
                move = _term(given[role], f"the move of {role}")
                if move not in legal:
                    raise IllegalMove(role, str(move), [str(other) for other in legal])
            elif len(legal) == 1:
                move = legal[0]
            else:
                raise InputError(f"no move for {role}, who has a choice: {_some(legal)}")
            joint[role] = move
        return joint

    def _dealt(self, moves: Sequence[TermOrText] | Term) -> dict[str, TermOrText]:
        """Moves without names, dealt out to the roles."""
        dealt: Sequence[TermOrText] = [moves] if isinstance(moves, Term) else moves
        if not isinstance(dealt, Sequence):
            raise TypeError(f"play takes moves as text, as terms or by role, not {type(moves).__name__}")
        roles, choosing = self.game.roles, self.choosing
        if len(dealt) == len(roles):
            return dict(zip(roles, dealt, strict=True))
        if len(dealt) == len(choosing):
            return dict(zip(choosing, dealt, strict=True))
        if not choosing and len(dealt) == 1:
            move = _term(dealt[0], "the move")
            return {next((role for role, legal in self.legal.items() if move in legal), roles[0]): move}
        choice = "nobody has a choice" if not choosing else f"{' and '.join(choosing)} can choose"
        count = f"{len(dealt)} move{'s' * (len(dealt) != 1)}" if dealt else "no move"
        raise InputError(f"{count} given where {choice}; give one for each who can, or one for each of {_list(roles)}")

    # ---- Python ----

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.fluents == other.fluents and bool(self.game == other.game)

    def __hash__(self) -> int:
        return hash(self.fluents)

    def __reduce__(self) -> tuple[type[State[M_co]], tuple[M_co, Fluents, tuple[ByRole[Term], ...]]]:
        return State, (self.game, self.fluents, self.moves_made)

    def __repr__(self) -> str:
        made = len(self.moves_made)
        played = f"{made} move{'s' * (made != 1)} made, " if made else ""
        if self.is_over:
            doing = f"over, {self.result}"
        else:
            doing = ", ".join(f"{role} chooses from {len(self.legal[role])}" for role in self.choosing) or "no choice"
        return f"<State of {self.game.name}: {played}{doing}>"

    # ---- pictures ----

    def __str__(self) -> str:
        from ludisect.draw.stateboard import state_text

        return state_text(self)

    def _repr_svg_(self) -> str:
        from ludisect.draw.drawing import state_svg

        return state_svg(self)


class HasStates:
    """What a machine has when its states can be held: where play begins, and any other state."""

    @property
    def start(self: M) -> State[M]:
        """The state in which play begins."""
        return State(self, self.initial_state())

    def state(self: M, fluents: str | Iterable[TermOrText]) -> State[M]:
        """The state in which these fluents hold and no others: terms, their texts, or one text with all of them."""
        if isinstance(fluents, str):
            return State(self, frozenset(read_terms(fluents)))
        if not isinstance(fluents, Iterable):
            raise TypeError(f"a state is made of fluents (terms or their texts), not of {type(fluents).__name__}")
        return State(self, frozenset(_term(fluent, "a fluent") for fluent in fluents))

    def read_state(self: S, path: str | Path) -> State[S]:
        """A state from a file of KIF terms: one per line, or separated by blanks; ``;`` begins a comment."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise InputError(f"cannot read {path}: this is no text") from None
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror}") from None
        fluents: set[Term] = set()
        for number, line in enumerate(text.splitlines(), 1):
            try:
                fluents |= self.state(line).fluents
            except LudisectError as error:
                raise InputError(f"{path}:{number}: {error}") from None
        if not fluents:
            raise InputError(f"{path}: no fluents in this file; write those that hold, such as (control white)")
        return State(self, frozenset(fluents))


class _Holdable(Machine, Protocol):
    """A machine whose states can be held."""

    def state(self, fluents: str | Iterable[TermOrText]) -> State[Any]: ...


S = TypeVar("S", bound=_Holdable)


def _term(what: object, name: str) -> Term:
    if isinstance(what, Term):
        return what
    if not isinstance(what, str):
        raise TypeError(f"{name} is a Term or its text such as '(cell 1 1 b)', not {type(what).__name__}")
    try:
        return read_term(what)
    except RulesSyntaxError:
        raise InputError(f"{name} is {shortened(what)!r}, which is no term such as (cell 1 1 b)") from None


def _some(moves: Sequence[Term], most: int = 8) -> str:
    return ", ".join(map(str, moves[:most])) + (", …" if len(moves) > most else "")


def _list(words: Sequence[str]) -> str:
    return ", ".join(words)
