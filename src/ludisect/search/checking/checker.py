"""``checked``: an answer that calls itself exact, walked; what does not hold is not exact, with reasons.

What is walked, the surest first:

- a small game is searched whole, and the answer held against that;
- otherwise the states nearest to the start, and those that plays meet in which one role keeps to what is recommended
  and the others do as they like: there each value must follow from the values after it;
- what is claimed of the parts alone (classes of states, nimbers), edge by edge;
- the plan or line of best play, on the rules, to its end.

How far a walk goes is counted in states and steps of work, so that it ends the same way on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.effort import Effort, spent
from ludisect.gdl.state import State
from ludisect.search.budget import Budget
from ludisect.search.checking.localclaims import walk_classes, walk_nimbers
from ludisect.search.checking.onestep import OneStep, against_whole, attained, one_step
from ludisect.search.foresight import Foresight
from ludisect.search.limits import SearchLimits
from ludisect.search.movevalues import CLOSE
from ludisect.search.whole.backward import Table, solve_graph
from ludisect.search.whole.positions import choosers
from ludisect.search.whole.statespace import StateSpace, explore, joint_moves
from ludisect.search.whole.whole import goal_bounds

GROWTH = 16
"""So many times more positions are looked at next, if those before took little work."""


class FailedCheck(Exception):
    """A claim does not hold; the text says what."""


@dataclass(slots=True)
class _Walk:
    """One answer under check, and what was walked so far, in words."""

    game: Game
    claimed: Foresight
    budget: Budget
    walked: list[str] = field(default_factory=list)

    def values(self) -> None:
        """What the start is worth, and what follows: in all positions of a small game, in some of a large one."""
        dear, most = self.claimed.known.dear, SearchLimits.current().checking_positions
        space = explore(self.game, most=most)
        if space.graph.complete:
            self._whole(space)
        near, found = self._nearest(space, 1 if dear else most)
        if space.graph.complete:
            return
        if found.judged:
            self.walked.append(f"each value follows from the next ones in {found.judged} positions near the start")
        if wrong := attained(near, found.values, self.claimed):
            raise FailedCheck(wrong)
        if not (self.budget.over or dear):
            self._plays()

    def _nearest(self, space: StateSpace, most: int) -> tuple[StateSpace, OneStep]:
        """Look at the positions nearest to the start: few at first, and more as long as that takes little work."""
        limits, some, values = SearchLimits.current(), 1, None
        while True:
            near, before = space.nearest(some), spent()
            found = self._judge(near, values)
            if some >= most or near.graph.complete or (spent() - before) * GROWTH > limits.checking_work:
                return near, found
            some, values = min(GROWTH * some, most), found.values

    def _whole(self, space: StateSpace) -> None:
        """Hold the answer against a search of all positions."""
        if space.graph.endless:
            raise FailedCheck("no play comes to an end, and the rules give a value to ends alone")
        low, high = goal_bounds(self.game)
        solved = solve_graph(space.graph, least=low, greatest=high)
        if wrong := against_whole(space, solved.low[0], solved.high[0], self.claimed):
            raise FailedCheck(wrong)
        values = np.where(solved.low == solved.high, solved.low, np.nan)
        if wrong := attained(space, values, self.claimed):
            raise FailedCheck(wrong)
        self.walked.append(f"held against a search of all {space.graph.positions} positions")

    def _judge(self, space: StateSpace, before: Table | None = None) -> OneStep:
        found = one_step(space, self.claimed, before)
        if found.wrong is not None:
            raise FailedCheck(found.wrong)
        return found

    def _plays(self) -> None:
        """Follow plays in which one role, or all of them, keep to what is recommended, and look at every step."""
        limits = SearchLimits.current()
        rng = np.random.default_rng(0)
        n, roles = limits.checking_plays, len(self.game.roles)
        rows = np.repeat(self.game.batch.initial, n, axis=0)
        keeps = np.arange(n) % (roles + 1)  # the last kind: all of them
        judged = ended = 0
        effort = Effort(limits.checking_work)
        for _ in range(limits.checking_moves):
            if effort.over():
                break
            space = explore(self.game, start=rows, depth=1)
            found = self._judge(space)
            judged += found.judged
            number = space.table.find(rows)
            ended += int(space.graph.terminal[number].sum())
            going, after = [], []
            for k, s in enumerate(number.tolist()):
                edges = space.graph.edges_of(s)
                if edges.start == edges.stop or np.isnan(found.values[s]).any():
                    continue
                to = space.graph.successor[edges]
                mover = int(space.graph.mover[s])
                if keeps[k] in (mover, roles):
                    best = to[(np.abs(found.values[to] - found.values[s]) < CLOSE).all(axis=1)]
                    to = best if best.size else to
                going.append(k)
                after.append(int(rng.choice(to)))
            if not going:
                break
            rows, keeps = space.states[after].copy(), keeps[going]
        if judged:
            self.walked.append(f"and in {judged} positions of {n} plays, {ended} of which came to their end")

    def local(self) -> None:
        """What is claimed of the parts alone."""
        classes, tables = self.claimed.known.classes, self.claimed.known.nimbers
        if classes is not None:
            states, wrong = walk_classes(classes)
            if wrong is not None:
                raise FailedCheck(wrong)
            self.walked.append(f"the classes of {states} local states edge by edge")
        if tables is not None:
            states, wrong = walk_nimbers(*tables)
            if wrong is not None:
                raise FailedCheck(wrong)
            self.walked.append(f"the nimbers of {states} local states edge by edge")

    def _forced(self, state: State[Game]) -> State[Game]:
        """The state after all that follows without a choice."""
        for _ in range(SearchLimits.current().checking_moves):
            joint, after = joint_moves(self.game, self.game.batch.row(state.fluents))
            if not joint.shape[0] or any(choosers(joint, after)):
                break
            state = State(self.game, self.game.batch.state(after[0]))
        return state

    def line(self) -> None:
        """The line of best play: if it comes to an end, it pays what is promised."""
        answer = self.claimed.answer
        line = answer.line
        state = self._forced(self.game.start.play_line(line))
        if not state.is_over:
            if len(self.game.roles) == 1 and all(state.legal.values()):
                raise FailedCheck("the plan does not lead to an end of the play")
            return
        for role, value in answer.value.items():
            paid = state.goals[role] or 0
            if value is None or abs(paid - value) > CLOSE:
                raise FailedCheck(f"the line of best play pays {role} {paid}, not {value}")
        if line:
            self.walked.append(f"the line of {len(line)} moves on the rules")


def checked(answer: Answer, game: Game, budget: Budget) -> Answer:
    """The answer, called exact only if it was walked and holds; it says how far, or what failed.

    >>> from ludisect import solve
    >>> for told in solve("nim:1,2").checked.split("; "): print(told)
    held against a search of all 8 positions
    the nimbers of 5 local states edge by edge
    the line of 3 moves on the rules
    """
    if not answer.exact or answer.checked:
        return answer
    claimed = answer.solution
    if not isinstance(claimed, Foresight):
        return unexact(answer, "nothing was kept that tells what follows a move, so it could not be checked")
    walk = _Walk(game, replace(claimed, answer=answer), budget)
    try:
        walk.values()
        walk.local()
        if claimed.known.rule != "pessimistic":
            walk.line()
    except FailedCheck as failure:
        return unexact(answer, f"the check failed: {failure}")
    if not walk.walked and answer.move:
        return unexact(answer, "nothing that was kept of the search could be checked")
    return replace(answer, checked="; ".join(walk.walked) or "the play is over, or nobody has a choice")


def unexact(answer: Answer, why: str) -> Answer:
    """The same answer, no longer called exact."""
    return replace(answer, exact=False, checked=why, notes=(*answer.notes, f"not exact: {why}"))
