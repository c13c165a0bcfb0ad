"""The player alphabeta: depth-first search within the clock, and random plays where that says nothing."""

from __future__ import annotations

import time

from ludisect.answer import Answer
from ludisect.circuit.midgame import at_state
from ludisect.errors import BudgetExceeded
from ludisect.gdl.terms import Term
from ludisect.play.flat import FlatPlayer
from ludisect.play.limits import PlayLimits
from ludisect.play.player import Choice, Tell
from ludisect.play.task import Task
from ludisect.search.budget import Budget
from ludisect.search.way import Inapplicable
from ludisect.search.whole.alphabeta import solve_depth_first
from ludisect.search.whole.whole import goal_bounds


class AlphaBetaPlayer(FlatPlayer):
    """Searches the whole game depth first, deeper and deeper, without knowledge of the parts."""

    name = "alphabeta"

    def think(self, legal: tuple[Term, ...], deadline: float, tell: Tell) -> Choice:
        left = deadline - time.monotonic()
        answer = self._searched(PlayLimits.current().depthfirst_share * left)
        move = None if answer is None else answer.move.get(self.role)
        if answer is not None and move in legal and _says_something(answer, self):
            value = answer.value[self.role]
            told = f"worth {value:g}, exact" if value is not None else f"between {_bounds(answer, self.role)}"
            notes = "; ".join(note for note in answer.notes if note.startswith("searched"))
            return Choice(move, f"alpha-beta: {told}; {notes}", certain=value is not None)
        return super().think(legal, deadline, tell)

    def _searched(self, seconds: float) -> Answer | None:
        state = self.played
        if state is None:
            return None
        memory = PlayLimits.current().players_memory * 2**30

        def work() -> Answer:
            try:
                return solve_depth_first(at_state(state.game, state.fluents), budget=Budget(seconds, memory))
            except BudgetExceeded as error:
                if isinstance(error.partial, Answer):
                    return error.partial
                raise
            except Inapplicable as error:
                raise BudgetExceeded(str(error), budget="kind") from None

        task = Task(work, "alpha-beta")
        found = task.result(time.monotonic() + seconds + 0.1 * seconds)
        task.cancel()
        return found


def _says_something(answer: Answer, player: AlphaBetaPlayer) -> bool:
    """Whether more is known than the goals of the rules."""
    if answer.value[player.role] is not None or player.game is None:
        return True
    low, high = goal_bounds(player.game)
    r = player.game.roles.index(player.role)
    return answer.bounds.get(player.role, (low[r], high[r])) != (low[r], high[r])


def _bounds(answer: Answer, role: str) -> str:
    low, high = answer.bounds[role]
    return f"{low:g} and {high:g}"
