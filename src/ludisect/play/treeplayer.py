"""The player tree: tree search on lanes, kept from move to move; random plays alone until it can begin.

Where the machine is its own it goes on searching while others think.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.errors import LudisectError
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.state import State
from ludisect.gdl.terms import Term
from ludisect.kernels.workers import cores
from ludisect.play.flat import FlatPlayer
from ludisect.play.limits import PlayLimits
from ludisect.play.player import Choice, Tell
from ludisect.play.task import Task
from ludisect.play.tree import Outlook, TreeSearch, Tuned, tune
from ludisect.play.tree.limits import TreeLimits


class TreePlayer(FlatPlayer):
    """Plays the move of a tree search."""

    name = "tree"

    def __init__(self) -> None:
        super().__init__()
        self._planting: Task[TreeSearch] | None = None
        self._tune_until = 0.0
        self.tuned: Tuned | None = None
        """What matches in the start clock gave, if there was time for them."""
        self._searching: Task[Outlook] | None = None

    def prepare(self, deadline: float) -> None:
        super().prepare(deadline)
        self.tune_in(deadline)
        self.grow(deadline)
        self.ponder()

    def think(self, legal: tuple[Term, ...], deadline: float, tell: Tell) -> Choice:
        search = self._tree(deadline)
        found: Outlook | None = None
        pause = PlayLimits.current().treeplayer_slice
        while search is not None and (left := deadline - time.monotonic()) > 0 and not (found and found.proved):
            found = self._searched(search, min(pause, left))
            if found is None:
                break
            tell(self._choice(found))
            if (better := self.known(legal, time.monotonic())) is not None:
                return better
        return self._choice(found) if found is not None else super().think(legal, deadline, tell)

    def choose(self, deadline: float, tell: Tell | None = None) -> Choice:
        """See ``GamePlayer``; the search goes on behind the answer."""
        self._halt()
        choice = super().choose(deadline, tell)
        self.ponder()
        return choice

    def told(self, moves: Mapping[str, Term]) -> None:
        """See ``GamePlayer``; the tree goes along."""
        self._halt()
        search = None if self._planting is None else self._planting.result(time.monotonic())
        super().told(moves)
        if search is not None:
            with suppress(LudisectError):  # then it begins anew from there
                search.advance(moves)

    def sit_at(self, state: State[Game] | State[Interpreter]) -> None:
        self._halt()
        super().sit_at(state)

    def stop(self) -> None:
        super().stop()
        self._halt()

    def known(self, legal: tuple[Term, ...], deadline: float) -> Choice | None:
        """A choice that needs no search, if there is one by the deadline."""
        return None

    # ---- the tree ----

    def tune_in(self, deadline: float) -> None:
        """Let the search find out in a share of the start clock which way of playing to the end pays here.

        Where that share is too short for a few matches, plays are uniform.
        """
        now, limits = time.monotonic(), PlayLimits.current()
        seconds = limits.treeplayer_tune * (deadline - now)
        if seconds >= limits.treeplayer_tune_least and self._planting is None:
            self._tune_until = now + seconds

    def grow(self, deadline: float) -> None:
        """Search from where the match stands until the deadline, for nobody."""
        search = self._tree(deadline)
        left = deadline - time.monotonic()
        if search is not None and left > 0 and not self.state.is_over:
            self._searched(search, left)

    def ponder(self) -> None:
        """Go on searching until somebody asks, if the machine is our own."""
        search = None if self._planting is None else self._planting.result(time.monotonic())
        state = self.played
        if self.assignment.ponder and search is not None and state is not None and not state.is_over:
            seconds = PlayLimits.current().treeplayer_ponder
            self._searching = Task(lambda: search.search(state, seconds=seconds), "pondering")

    def _halt(self) -> None:
        """End the search that goes on behind the answer."""
        task, self._searching = self._searching, None
        while task is not None and not task.done and self._planting is not None:
            search = self._planting.result(time.monotonic())
            if search is not None:
                search.stop()
            task.result(time.monotonic() + 0.01)

    def _tree(self, deadline: float) -> TreeSearch | None:
        """The search, once it can begin: its machine code may have to be made first, which nobody waits for."""
        state = self.played
        if state is None:
            return None
        if self._planting is None:
            game, ours = state.game, self.assignment
            threads = min(2, cores()) if ours.ponder else 1

            def plant() -> TreeSearch:
                search = _planted(game, threads, ours.seed)
                seconds = self._tune_until - time.monotonic()
                if seconds > 0:
                    self.tuned = tune(game, deadline=clock.now() + seconds, seed=ours.seed)
                    if self.tuned.policy:
                        limits = replace(TreeLimits.current(), tree_policy=1)
                        search = TreeSearch(game, threads=threads, seed=ours.seed, limits=limits)
                return search

            self._planting = Task(plant, "planting")
        return self._planting.result(deadline)

    def _searched(self, search: TreeSearch, seconds: float) -> Outlook | None:
        state = self.played
        if state is None:
            return None
        try:
            return search.search(state, seconds=seconds)
        except LudisectError:  # a role without a move, say
            return None

    def _choice(self, found: Outlook) -> Choice:
        values = {one.move: one.goal for one in found.worth[self.role] if one.goal == one.goal}
        goal = found.goals[self.role]
        told = "proved" if found.proved else f"expected after {found.visits:,} simulations"
        # of a role without a choice a search knows no goal before it has seen the ends of play
        why = f"goal {goal:.4g} {told}" if goal == goal else f"the only move; {found.visits:,} simulations"
        sure = goal if found.proved else None
        return Choice(found.moves[self.role], why, certain=found.proved, sure=sure, values=values)


def _planted(game: Game, threads: int, seed: int) -> TreeSearch:
    """A search whose machine code is there."""
    search = TreeSearch(game, threads=threads, seed=seed)
    with suppress(LudisectError):
        search.search(game.start, visits=1)
    return search
