"""Regions during a match: where a game is a sum of regions, each state is judged as it comes.

That the rules are of this kind is proved once. From then on a state needs no new decomposition: its regions are found
in microseconds, those that were met before are known, and the more a match has fallen apart the sooner it is decided.
"""

from __future__ import annotations

import random
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.circuit.turns import turns
from ludisect.errors import BudgetExceeded, InputError, LudisectError
from ludisect.gdl.state import State
from ludisect.gdl.terms import Term
from ludisect.play.limits import PlayLimits
from ludisect.play.solo import soon
from ludisect.play.task import Task
from ludisect.search.budget import Budget
from ludisect.search.limits import SearchLimits
from ludisect.search.regions.extraction import operators
from ludisect.search.regions.premises import premises
from ludisect.search.regions.regions import RegionPlay, Ruling
from ludisect.search.way import Inapplicable
from ludisect.settings import using


@dataclass(frozen=True, slots=True)
class Replied:
    """The replies to a move, whether they win, and the stop of what the move leaves, as who moved sees it."""

    wins: dict[Term, bool]
    stop: Fraction

    @property
    def right(self) -> int:
        """How many replies win."""
        return sum(self.wins.values())

    @property
    def wrong(self) -> float:
        """The share of replies that do not."""
        return 1 - self.right / len(self.wins) if self.wins else 0.0


class Regional:
    """Judges the states of one match; at most one at a time."""

    def __init__(self, play: RegionPlay) -> None:
        self._play = play
        self._judging: Task[Ruling] | None = None

    def stop(self) -> None:
        """Give up what is being judged."""
        if self._judging is not None:
            self._judging.cancel()

    def judge(self, state: State[Game], deadline: float) -> tuple[float, Term, str] | None:
        """What the role that moves gets, a best move, and why; None if that is not known by the deadline."""
        if self._judging is not None:
            self._judging.cancel()
            self._judging.result(deadline)  # the last state may still be being judged
        seconds = deadline - time.monotonic()
        if seconds <= 0:
            return None
        row, play = state.game.batch.row(state.fluents), self._play

        def work() -> Ruling:
            play.budget = Budget(seconds)
            try:
                with using(_compiled()):
                    return play.judge(row, told=False)
            except Inapplicable as error:
                raise BudgetExceeded(str(error), budget="kind") from None

        self._judging = Task(work, "judging regions")
        found = self._judging.result(deadline)
        if found is None or found.move is None:
            return None
        r = state.game.roles.index(state.choosing[0]) if state.choosing else 0
        return found.gets[r], Term.parse(found.move), found.why

    def warm_up(self, state: State[Game], deadline: float, seed: int) -> None:
        """Judge states that random plays lead to, so that regions of the next moves are known before they are met."""
        draw, made = random.Random(seed), 0
        while time.monotonic() < deadline and made < PlayLimits.current().regional_plays:
            here, made = state, made + 1
            for _ in range(draw.randint(1, 1 + made % PlayLimits.current().regional_ahead)):
                here = here.play({role: draw.choice(moves) for role, moves in here.legal.items()})
                if here.is_over:
                    break
            else:
                self.judge(here, soon(deadline, PlayLimits.current().regional_share))

    def prepare(self, state: State[Game], deadline: float, seed: int) -> None:
        """Judge the states after each reply of who moves, in any order: one of them is asked for next."""
        if state.is_over or len(state.choosing) != 1:
            return
        (role,) = state.choosing
        for reply in random.Random(seed).sample(state.legal[role], len(state.legal[role])):
            if time.monotonic() >= deadline:
                return
            after = state.play({role: reply})
            if not after.is_over:
                self.judge(after, soon(deadline, PlayLimits.current().regional_share))

    def replies(self, state: State[Game], deadline: float) -> dict[Term, Replied]:
        """Per move of who moves what is known of the replies to it, as far as that is found by the deadline."""
        seconds = deadline - time.monotonic()
        if seconds <= 0 or (self._judging is not None and not self._judging.done):
            return {}
        self._play.budget = Budget(seconds)
        with using(_compiled()):
            found = self._play.replies(state.game.batch.row(state.fluents))
        named = [Term.parse(operator.move) for operator in self._play.operators.listed]
        return {
            named[one.move]: Replied({named[reply]: wins for reply, wins in one.replies.items()}, one.stop)
            for one in found
        }

    def known(self, rows: Rows) -> NDArray[np.float64]:
        """States x roles: what each role gets, where that is found at once; for a tree that asks about many states."""
        out = np.full((rows.shape[0], len(self._play.operators.game.roles)), np.nan)
        if self._judging is not None and not self._judging.done:
            return out
        with using(_compiled()):
            for k, row in enumerate(rows):
                self._play.budget = Budget(PlayLimits.current().regional_moment)
                with suppress(BudgetExceeded, Inapplicable, RecursionError, InputError):
                    out[k] = self._play.judge(row[None], told=False, move=False).gets
        return out


def _compiled() -> SearchLimits:
    """Numbers with which small regions are valued by compiled search, too, for in a match its kernels are there; and a
    sum of known values is searched longer, for there the search for who wins begins anew with each state."""
    return replace(SearchLimits.current(), regions_plain=0, regions_quick=PlayLimits.current().regional_quick)


def regional(game: Game) -> Regional | None:
    """Whether states of a game can be judged by regions: the proof may take a moment, so this is asked for in a thread.

    Two roles who move in turn, a rule of play that adds regions up, and proofs that hold; None otherwise.
    """
    if len(game.roles) != 2 or turns(game) != "alternating":
        return None
    budget = Budget()
    try:
        known = premises(operators(game), budget.effort(SearchLimits.current().regions_work))
    except (Inapplicable, LudisectError, RecursionError):
        return None
    play = RegionPlay(known, budget)
    return Regional(play) if play.adds_up else None
