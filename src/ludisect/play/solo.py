"""A single player in a match: the searches of a puzzle in a thread, and the best play that is known."""

from __future__ import annotations

import time

import numpy as np

from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.gdl.state import State
from ludisect.gdl.terms import Term
from ludisect.play.limits import PlayLimits
from ludisect.play.player import Choice
from ludisect.play.puzzle.foundplay import FoundPlay, replayed
from ludisect.play.puzzle.puzzle import Puzzle
from ludisect.play.task import Task


class Solo:
    """A puzzle on its way. What was found is never lost: it goes along from move to move."""

    def __init__(self, state: State[Game], seed: int) -> None:
        self.puzzle = Puzzle(state.game, state.game.batch.row(state.fluents), seed=seed)
        self._task: Task[None] | None = None

    @property
    def certain(self) -> bool:
        """Whether nothing better can be found."""
        return self.puzzle.certain

    def search(self, deadline: float) -> None:
        """Search on until the deadline, or until nothing better can be found."""
        if self.certain:
            return
        if self._task is None:
            self._task = Task(self.puzzle.run, "puzzling")
        self._task.resume()
        self._task.result(deadline)

    def rest(self) -> None:
        """Stop searching for a while."""
        if self._task is not None:
            self._task.pause()

    def told(self, move: Term, state: State[Game]) -> None:
        """A move was made, ours or not."""
        self.stop()
        number = state.game.move_index[0][move]
        self.puzzle = self.puzzle.after(number, state.game.batch.row(state.fluents))

    def stop(self) -> None:
        """Give up the search."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel(PlayLimits.current().puzzle_look)

    def learn(self, answer: Answer, start: Rows, made: int) -> bool:
        """What a solver answered for an earlier state, ``made`` moves ago; whether its line can still be followed."""
        game = self.puzzle.game
        (role,) = game.roles
        moves = [game.move_index[0][joint[role]] for joint in answer.line if role in joint]
        value = answer.value[role]
        if value is None or replayed(game, start, moves) != int(value):
            return False
        row = start
        for move in moves[:made]:
            row = game.batch.next(row, np.array([[move]], np.int32))
        if not np.array_equal(row, self.puzzle.row):
            return False
        self.puzzle.take(FoundPlay(tuple(moves[made:]), int(value), answer.algorithm))
        self.puzzle.settled = answer.exact
        return True

    def choice(self, legal: tuple[Term, ...]) -> Choice | None:
        """The next move of the best play, if there is one."""
        best = self.puzzle.best
        if best is None or not best.moves:
            return None
        move = self.puzzle.game.moves[0][best.moves[0]]
        if move not in legal:
            return None
        sure = ", and nothing is better" if self.certain else f" of {self.puzzle.perfect}"
        why = f"goal {best.goal}{sure}: {len(best.moves)} moves are left of a play found by {best.how}"
        return Choice(move, why, certain=self.certain)


def soon(deadline: float, share: float) -> float:
    """The moment after a share of the time until a deadline."""
    now = time.monotonic()
    return now + share * (deadline - now)
