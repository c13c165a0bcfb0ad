"""``Puzzle``: the searches of a single player in turns, and the best play that any has found.

    puzzle = Puzzle(game)
    puzzle.run(seconds=5)
    puzzle.best, puzzle.certain
    puzzle = puzzle.after(move, row)      # with the rest of the best play

Breadth first, best first, nested plays and two questions to a solver (moves in any order, plays step by step) take
turns, each time with more of the clock: which of them finds a puzzle's solution is not known before. A play is taken
only after it was played through on the game.
"""

from __future__ import annotations

import math
from dataclasses import replace

from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.errors import InputError
from ludisect.play.limits import PlayLimits
from ludisect.play.puzzle.anyorder import AnyOrderSearch
from ludisect.play.puzzle.broad import BroadSearch
from ludisect.play.puzzle.foundplay import FoundPlay, replayed
from ludisect.play.puzzle.nested import NestedSearch
from ludisect.play.puzzle.planned import PlannedSearch
from ludisect.play.puzzle.promise import Promise
from ludisect.play.puzzle.promising import PromisingSearch
from ludisect.progress import report
from ludisect.search.oneplayer.subgoals import FALSE
from ludisect.search.whole.whole import goal_bounds

Search = BroadSearch | PromisingSearch | NestedSearch | AnyOrderSearch | PlannedSearch

FAVOUR = 3
"""Turns that moves in any order have for one of the others: where they make sense at all, they mostly find a play, and
where not, that shows in the first plays that they watch."""


class Puzzle:
    """A one-player game on its way: what is known of it, and what is still being searched."""

    def __init__(self, game: Game, start: Rows | None = None, *, seed: int = 0) -> None:
        if len(game.roles) != 1:
            raise InputError(f"{game.name} has {len(game.roles)} roles; a puzzle has one")
        self.game = game
        self.row = game.batch.initial if start is None else start
        self.perfect = int(goal_bounds(game)[1][0])
        self.ceiling = self.perfect
        """What no play exceeds; lower than ``perfect`` once it is proved that no play is perfect."""
        self.best: FoundPlay | None = None
        self.settled = False
        """Whether it is known that nothing is better than ``best``: all states were met, say."""
        self._seed = seed
        self._goal = self._asked()
        self._promise = Promise(game, self._goal, PlayLimits.current().puzzle_gates)
        self._searches: list[Search] = []

    def _asked(self) -> int:
        """The net of the best goal; FALSE if there are several."""
        circuit, table = self.game.circuit, self.game.goal_table
        nets = [int(x) for x, (_, value) in zip(circuit.goal, table, strict=True) if value == self.perfect]
        open_ = [x for x in nets if x != FALSE]
        return open_[0] if len(open_) == 1 else FALSE

    @property
    def certain(self) -> bool:
        """Whether nothing better than ``best`` exists."""
        return self.best is not None and (self.best.goal >= self.ceiling or self.settled)

    def run(self, *, seconds: float | None = None) -> None:
        """Search on for so many seconds, or until nothing better can be found.

        The best goal is reported every few hundredths of a second; who listens may wait, or raise to end the search.
        """
        deadline = None if seconds is None else clock.now() + seconds
        limits = PlayLimits.current()
        turn = limits.puzzle_slice
        self._begin()
        while self._searches and not self.certain and not all(search.over for search in self._searches):
            turn *= 2
            for search in self._searches:
                left = turn * (FAVOUR if isinstance(search, AnyOrderSearch) else 1)
                while left > 0 and not search.over and not self.certain:
                    report("searching the puzzle", 0 if self.best is None else self.best.goal, self.perfect)
                    before = clock.now()
                    if deadline is not None and before >= deadline:
                        return
                    until = min(before + left, before + limits.puzzle_look, deadline or math.inf)
                    search.run(until)
                    self.take(search.best)
                    self.settled = self.settled or search.exhausted
                    if isinstance(search, PlannedSearch) and search.refuted:
                        self._lower()
                    left -= max(clock.now(), until) - before  # who saves up its turn has had it

    def _lower(self) -> None:
        """No play is perfect: the next goal is the best that may be had."""
        less = [value for _, value in self.game.goal_table if value < self.perfect]
        self.ceiling = max(less, default=0)

    def take(self, found: FoundPlay | None) -> None:
        """Keep a play if it is better than what is known and can be played from here."""
        if found is None or not found.better(self.best):
            return
        if replayed(self.game, self.row, found.moves) == found.goal:
            self.best = found

    def after(self, move: int, row: Rows) -> Puzzle:
        """The puzzle after a move that led to a state: the rest of the best play is kept if it began with that move."""
        then = Puzzle(self.game, row, seed=self._seed + 1)
        then.ceiling = self.ceiling
        if self.best is not None and self.best.moves and self.best.moves[0] == move:
            then.take(replace(self.best, moves=self.best.moves[1:]))
            then.settled = self.settled and then.best is not None
        return then

    def _begin(self) -> None:
        if self._searches or self.certain or bool(self.game.batch.terminal(self.row)[0]):
            return
        limits = PlayLimits.current()
        memory = limits.players_memory * 2**30 / 2
        self._searches = [
            BroadSearch(self.game, self.row, self.perfect, memory),
            PromisingSearch(self.game, self.row, self.perfect, memory, self._promise),
            NestedSearch(self.game, self.row, self.perfect, self._seed),
        ]
        if self._goal != FALSE:
            self._searches.append(AnyOrderSearch(self.game, self.row, self.perfect, self._goal, self._seed))
            self._searches.append(PlannedSearch(self.game, self.row, self.perfect, self._goal))
