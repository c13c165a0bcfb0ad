"""What follows a position: a line of best play, and the answer in later states, from what a search kept.

A search by parts knows more than the value of the start: from the tables of the parts it can tell the value of most
states that play can reach. ``KnownValues`` says that in one form whatever the way, so that one walk serves all: each
step keeps the value of every role, and is played on the rules. Nothing new is searched.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.answer import Answer, Line, MoveValue, PartAnswer
from ludisect.circuit.game import Game
from ludisect.circuit.midgame import at_state
from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import Rows, any_column
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import BudgetExceeded, IllegalMove, InputError
from ludisect.gdl.machine import Fluents
from ludisect.gdl.state import State
from ludisect.gdl.terms import Term
from ludisect.ruleofplay import Rule
from ludisect.search.limits import SearchLimits
from ludisect.search.movevalues import CLOSE, Places, Play, move_values, places_of
from ludisect.search.part.shape import plan_parts
from ludisect.search.part.views import Views, places
from ludisect.search.way import Inapplicable
from ludisect.search.whole.backward import Table, payoffs
from ludisect.search.whole.matrix import solve_matrix
from ludisect.search.whole.positions import choosers, paid
from ludisect.search.whole.statespace import joint_moves

if TYPE_CHECKING:
    from ludisect.search.part.compound import PartGraph
    from ludisect.search.quotient.classes import Quotient


class KnownValues(ABC):
    """What a search knows of states in which the play goes on."""

    rule: Rule = "max-n"
    apart: bool = False
    """Whether roles that choose at the same time make no difference to each other."""
    met: bool = True
    """Whether only states are known that the search has met. Who looks at parts knows combinations that play never
    makes, and there the rules of the whole may be other than those of the parts."""
    nodes: int = 0
    """What was looked at to know this."""
    dear: bool = False
    """Whether it takes a search to tell what one state is worth."""
    nimbers: tuple[Sequence[PartGraph], Sequence[Sequence[int]]] | None = None
    """The graphs of the parts and the nimbers of their states, if the values rest on them."""
    classes: Quotient | None = None
    """The classes of the parts' states, if the values rest on them."""

    @abstractmethod
    def values(self, rows: Rows) -> Table:
        """States x roles: what each role gets from there on; NaN where that is not known."""

    def ranks(self, rows: Rows) -> NDArray[np.int64]:
        """Of states with the same value, the first role prefers those with less: so its play comes to an end."""
        return np.zeros(rows.shape[0], np.int64)

    def parts(self, row: Rows) -> tuple[PartAnswer, ...]:
        """What is known of the parts in one state."""
        return ()

    def places(self, row: Rows) -> Places | None:
        """In which of these parts each move of a state is made; None if they are those of the decomposition."""
        return None

    def resumed(self, row: Rows) -> KnownValues | None:
        """What is known after looking again from a state, where that is much less work than a new search."""
        return None


class NothingKnown(KnownValues):
    """Of a search that kept nothing."""

    def __init__(self, game: Game) -> None:
        self._roles = len(game.roles)

    def values(self, rows: Rows) -> Table:
        return np.full((rows.shape[0], self._roles), np.nan)


class KnownPlan(KnownValues):
    """A plan of a single player: the states that it passes are worth what it yields."""

    rule = "optimum"

    def __init__(self, parts: Decomposition, start: Rows, moves: Sequence[int], value: float) -> None:
        self._parts, self._start, self._moves, self._value = parts, start, moves, value

    @cached_property
    def _left(self) -> dict[bytes, int]:
        """Moves that are left, by the states of the plan."""
        row, out = self._start, {}
        for k, move in enumerate(self._moves):
            out[row.tobytes()] = len(self._moves) - k
            row = self._parts.game.batch.next(row, np.array([[move]], np.int32))
        return {**out, row.tobytes(): 0}

    def values(self, rows: Rows) -> Table:
        known = [row.tobytes() in self._left for row in rows]
        return np.where(known, self._value, np.nan)[:, None]

    def ranks(self, rows: Rows) -> NDArray[np.int64]:
        return np.array([self._left.get(row.tobytes(), 0) for row in rows], np.int64)

    def parts(self, row: Rows) -> tuple[PartAnswer, ...]:
        left = self._left.get(row.tobytes())
        return () if left is None else plan_parts(self._parts, self._moves[len(self._moves) - left :])


class KnownParts(KnownValues):
    """Values from the local states of the parts and the time, which are looked up in the views."""

    met = False

    def __init__(self, views: Views, times: NDArray[np.int64]) -> None:
        self._views, self._times = views, times
        """``times``: per time of the context the number by which the way calls it."""

    @abstractmethod
    def worth(self, states: tuple[int, ...], time: int) -> Sequence[float] | None:
        """What each role gets, or None; may raise Inapplicable, BudgetExceeded or RecursionError if it cannot tell."""

    def told(self, states: tuple[int, ...]) -> tuple[PartAnswer, ...]:
        """What is known of the parts in these states."""
        return ()

    def kinds(self, states: NDArray[np.int64], times: NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers, a row per combination of states and time, that tell what it is worth: those with equal rows are
        worth the same, so that one of them is asked for."""
        return np.column_stack([states, times])

    def values(self, rows: Rows) -> Table:
        out = np.full((rows.shape[0], len(self._views.game.roles)), np.nan)
        local, place = self._views.place(rows)
        known = np.flatnonzero(~any_column(local < 0) & (place >= 0))
        if not known.size:
            return out
        here, time = local[known].astype(np.int64), self._times[place[known]]
        first, kind = unique_rows(np.ascontiguousarray(self.kinds(here, time)).view(np.uint64))
        of_kind = np.full((first.size, out.shape[1]), np.nan)
        for k, (states, at) in enumerate(zip(here[first].tolist(), time[first].tolist(), strict=True)):
            with suppress(Inapplicable, BudgetExceeded, RecursionError):
                worth = self.worth(tuple(states), at)
                if worth is not None:
                    of_kind[k] = worth
        out[known] = of_kind[kind]
        return out

    def parts(self, row: Rows) -> tuple[PartAnswer, ...]:
        (place,) = places(self._views, self._times, row)
        return () if place is None else self.told(place[0])


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """The joint moves of a state and where they lead; which roles choose, and how each mixes its moves."""

    joint: NDArray[np.int32]
    after: Rows
    chooses: list[bool]
    odds: list[dict[int, float]]

    @property
    def best(self) -> int | None:
        """The joint move, if no role has to mix."""
        if any(len(of_role) > 1 for of_role in self.odds):
            return None
        chosen = [next(iter(of_role)) for of_role in self.odds]
        return int(np.flatnonzero((self.joint == chosen).all(axis=1))[0])


@dataclass(frozen=True, eq=False)
class Foresight:
    """Follows best play from a state of a game, as far as values are known."""

    game: Game
    row: Rows
    known: KnownValues
    answer: Answer
    """For that state."""
    again: Callable[[Game], Answer] | None = None
    """Solves a game anew, where what is known does not reach."""
    cut: Decomposition | None = None
    """The parts as the caller knows them, whatever the way made of them."""

    def line(self) -> Line:
        """A line of best play; see ``Answer.line``."""
        return self._line

    @cached_property
    def _line(self) -> Line:
        values = self.answer.value.values()
        if self.known.rule == "pessimistic" or any(value is None for value in values):
            return ()
        here = np.array([*values], np.float64)
        row, seen, out = self.row, set[bytes](), list[dict[str, Term]]()
        while len(out) < SearchLimits.current().foresight_moves and row.tobytes() not in seen:
            seen.add(row.tobytes())
            step = self._step(row, here)
            best = None if step is None else step.best
            if step is None or best is None:
                break
            out.append({role: self.game.moves[r][int(step.joint[best, r])] for r, role in enumerate(self.game.roles)})
            row = step.after[best : best + 1]
        if bool(self.game.batch.terminal(row)[0]) and not np.allclose(self.worth(row)[0], here, atol=CLOSE):
            return ()  # what the rules say counts
        return tuple(out)

    def after(self, then: object) -> Answer:
        """The answer after moves or in a later state; see ``Answer.after``."""
        begin = clock.now()
        state, reached = self._state(then)
        row = self.game.batch.row(state.fluents)
        nodes, notes = 0, ["known from the search before"]
        source, found = self, self._found(row)
        if found is None:
            known = self.known.resumed(row)
            if known is not None:
                source = replace(self, known=known)
                found = source._found(row)
                nodes, notes = known.nodes, ["searched again from here; what was known of the other parts was kept"]
        if found is None:
            if self.again is None:
                raise InputError("what was kept of this search does not tell what follows there")
            return self.again(at_state(self.game, state.fluents))
        here, step = found
        moves = self._moves(step)
        certain = reached or state.is_over or source.known.met
        if not certain:
            notes.append("that play can lead to this state is taken for granted")
        answer = replace(
            self.answer,
            exact=self.answer.exact and certain,
            value=dict(zip(self.game.roles, here.tolist(), strict=True)),
            move={role: max(odds, key=odds.__getitem__) for role, odds in moves.items()},
            mixed={role: odds for role, odds in moves.items() if len(odds) > 1},
            nodes=nodes,
            seconds=clock.now() - begin,
            parts=() if step is None else source.known.parts(row),
            conclusion=(),
            notes=tuple(notes),
            solution=None,
        )
        return replace(answer, solution=replace(source, row=row, answer=answer))

    def values(self, then: object = None) -> tuple[MoveValue, ...]:
        """What every move is worth; see ``Answer.values``."""
        row, certain = self._row(then)
        if then is None:
            told = self.answer.value.values()
            here = np.array([np.nan if value is None else value for value in told], np.float64)
        else:
            here = self.worth(row)[0]
        places = self.known.places(row)
        if places is None:
            places = {} if self.cut is None else places_of(self.cut)
        play = Play(self.known.rule, self.known.apart)
        exact = self.answer.exact and certain
        return move_values(self.game, row, here, self.worth, play, places, exact=exact)

    def parts(self, then: object = None) -> tuple[PartAnswer, ...]:
        """What is known of the parts; see ``Answer.parts_at``."""
        row, _ = self._row(then)
        return () if bool(self.game.batch.terminal(row)[0]) else self.known.parts(row)

    def _row(self, then: object) -> tuple[Rows, bool]:
        """The state that is meant (here, for None), and whether what is known holds there for certain."""
        if then is None:
            return self.row, True
        state, reached = self._state(then)
        return self.game.batch.row(state.fluents), reached or state.is_over or self.known.met

    def _found(self, row: Rows) -> tuple[Table, _Step | None] | None:
        """The values in a state and best play there (none if the play is over); None if that is not known."""
        here = self.worth(row)[0]
        if np.isnan(here).any():
            return None
        step = self._step(row, here)
        return None if step is None and not bool(self.game.batch.terminal(row)[0]) else (here, step)

    def _state(self, then: object) -> tuple[State[Game], bool]:
        """The state that is meant, and whether its moves show that play leads there from here."""
        here = State(self.game, self.game.batch.state(self.row[0]))
        if not isinstance(then, State):
            return here.play(then), True  # type: ignore[arg-type]
        if then.game.name != self.game.name:
            raise InputError(f"that is a state of another game ({then.game.name}), not of {self.game.name}")
        lines = (then.moves_made[k:] for k in range(len(then.moves_made) + 1))
        return State(self.game, then.fluents), any(_leads(here, line, then.fluents) for line in lines)

    def _moves(self, step: _Step | None) -> dict[str, dict[Term, float]]:
        """The odds of the moves of every role that has a choice."""
        if step is None:
            return {}
        return {
            role: {self.game.moves[r][m]: share for m, share in step.odds[r].items()}
            for r, role in enumerate(self.game.roles)
            if step.chooses[r]
        }

    def worth(self, rows: Rows) -> Table:
        """Like ``KnownValues.values``, for states in which the play may be over, or stopped for want of a move."""
        over = self.game.batch.terminal(rows)
        return self.worth_beside(rows, over, self.game.batch.goals(rows[over]))

    def worth_beside(self, rows: Rows, over: NDArray[np.bool_], goals: NDArray[np.int32]) -> Table:
        """The same where it is known in which states the play is over, and the goals in these."""
        out = np.full((rows.shape[0], len(self.game.roles)), np.nan)
        out[over] = paid(goals)
        going = np.flatnonzero(~over)
        if going.size:
            states = rows[going]
            out[going] = self.known.values(states)
            out[going[any_column(~self.game.batch.able(states))]] = 0.0
        return out

    def _step(self, row: Rows, here: NDArray[np.float64]) -> _Step | None:
        """Best play in a state of which the values are known; None if none is known, or the play is over.

        A best move of a role that chooses alone leaves all values as they are; so do best moves of roles apart.
        """
        joint, after = joint_moves(self.game, row)
        if not joint.shape[0]:
            return None
        chooses = choosers(joint, after)
        if sum(chooses) > 1 and not self.known.apart:
            values = self.worth(after)
            if self.known.rule != "equilibrium" or np.isnan(values).any():
                return None
            payoff, mine, other = payoffs(joint, values[:, 0])
            odds = [_odds(*both) for both in zip((mine, other), solve_matrix(payoff)[1:], strict=True)]
            return _Step(joint, after, chooses, odds)
        best = self._keeping(after, here, ranked=chooses[0])
        return None if best is None else _Step(joint, after, chooses, [{m: 1.0} for m in joint[best].tolist()])

    def _keeping(self, after: Rows, here: NDArray[np.float64], *, ranked: bool) -> int | None:
        """The first of some states that is worth the same as here, or, where they are ranked, the first of those."""
        begin, n = 0, after.shape[0]
        while begin < n:
            # what takes a search is asked for few states first: such searches rank nothing
            end = min(n, 2 * begin + 1) if self.known.dear else n
            values = self.worth(after[begin:end])
            fits = begin + np.flatnonzero(~any_column(~(np.abs(values - here) < CLOSE)))
            if fits.size:
                return int(fits[self.known.ranks(after[fits]).argmin() if ranked else 0])
            begin = end
        return None


def _leads(here: State[Game], line: Sequence[Mapping[str, Term]], there: Fluents) -> bool:
    """Whether moves lead from one state to another."""
    try:
        return here.play_line(line).fluents == there
    except (InputError, IllegalMove):
        return False


def _odds(moves: NDArray[np.int32], weights: Table) -> dict[int, float]:
    return {m: share for m, share in zip(moves.tolist(), weights.tolist(), strict=True) if share > CLOSE}


def foreseen(game: Game, answer: Answer, known: KnownValues, row: Rows | None = None) -> Answer:
    """An answer (for a state, or the start) that knows what follows it, if the values of all roles are known."""
    if any(value is None for value in answer.value.values()):
        return answer
    return replace(answer, solution=Foresight(game, game.batch.initial if row is None else row, known, answer))


def unforeseen(game: Game, answer: Answer, cut: Decomposition | None) -> Answer:
    """The answer of a search that came to a limit: of later states it tells what the rules do, and no more.

    Its tables are given up: they may have grown up to the limit on memory.
    """
    return replace(answer, solution=Foresight(game, game.batch.initial, NothingKnown(game), answer, cut=cut))


def resumable(game: Game, answer: Answer, again: Callable[[Game], Answer], cut: Decomposition | None) -> Answer:
    """An answer that can also tell of later states of which the search kept nothing: they are solved anew."""
    kept = answer.solution
    if not isinstance(kept, Foresight):
        kept = Foresight(game, game.batch.initial, NothingKnown(game), answer)
    return replace(answer, solution=replace(kept, answer=answer, again=again, cut=cut))
