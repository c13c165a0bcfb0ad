"""Answers held against whole-game search: the same value, and a move (or odds) that attains it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludisect.answer import Answer, MoveValue
from ludisect.circuit.game import Game
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import BudgetExceeded, InputError
from ludisect.gdl.state import State
from ludisect.search.budget import Budget
from ludisect.search.coarser import coarser
from ludisect.search.limits import SearchLimits
from ludisect.search.settle import settled
from ludisect.search.solve import solve
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable
from ludisect.search.ways import WAYS
from ludisect.search.whole.backward import payoffs, solve_graph
from ludisect.search.whole.matrix import solve_matrix
from ludisect.search.whole.positions import choosers
from ludisect.search.whole.statespace import explore
from ludisect.search.whole.whole import goal_bounds
from ludisect.settings import using

CLOSE = 1e-6

WORK = 2e10
"""Steps for a search: what is too large for it is too large on every machine, however busy."""


class Whole:
    """All positions of a game with their values, and what a first move is worth.

    Raises BudgetExceeded if the game is too large for so much ``work``.
    """

    def __init__(self, game: Game, work: float = WORK) -> None:
        self.game = game
        budget = Budget(work=work)
        self.space = explore(game, budget=budget)
        self.graph = self.space.graph
        least, greatest = goal_bounds(game)
        self.values = solve_graph(self.graph, least=least, greatest=greatest, budget=budget)
        edges = self.graph.edges_of(0)
        self._joint = self.graph.joint[edges]
        self._after = self.values.low[self.graph.successor[edges]]
        self._chooses = choosers(self._joint, self.graph.successor[edges]) if self._joint.size else []

    def faults(self, answer: Answer) -> Iterator[str]:
        """What is wrong with an answer, in words."""
        for r, role in enumerate(self.game.roles):
            low, high = self.values.low[0, r], self.values.high[0, r]
            value = answer.value[role]
            if value is not None:
                if not low - CLOSE <= value <= high + CLOSE:
                    yield f"{role} gets {low:g} to {high:g}, not {value:g}"
                else:
                    yield from self._not_attained(answer, r, value)
            elif role in answer.bounds:
                least, most = answer.bounds[role]
                if low == high and not least - CLOSE <= low <= most + CLOSE:
                    yield f"{role} gets {low:g}, not {least:g} to {most:g}"
            if value is None and answer.exact:
                yield f"exact without a value for {role}"

    def off_the_line(self, answer: Answer) -> Iterator[str]:
        """What is wrong with the line of play of an answer: a move that is not legal, or gives something away."""
        here = 0
        for n, moves in enumerate(answer.line, 1):
            joint = [self.game.move_index[r][moves[role]] for r, role in enumerate(self.game.roles)]
            edges = self.graph.edges_of(here)
            fits = np.flatnonzero((self.graph.joint[edges] == joint).all(axis=1))
            if not fits.size:
                yield f"move {n} of the line is not legal"
                return
            here = int(self.graph.successor[edges][fits[0]])
            for r, role in enumerate(self.game.roles):
                low, high, value = self.values.low[here, r], self.values.high[here, r], answer.value[role]
                if value is None or not low - CLOSE <= value <= high + CLOSE:
                    yield f"after move {n} of the line {role} gets {low:g} to {high:g}, not {value}"

    def ends(self, answer: Answer) -> bool:
        """Whether the line of an answer goes on to the end of the play."""
        state = self.game.start.play_line(answer.line)
        return state.is_over or not all(state.legal.values())

    def wrong_later(self, answer: Answer, rng: random.Random, count: int = 3) -> Iterator[str]:
        """What is wrong with the answer in later states, drawn at random; "unknown" for those it cannot tell of."""
        for _ in range(count):
            here = rng.randrange(self.graph.positions)
            fluents = self.game.batch.state(self.space.states[here])
            try:
                later = answer.after(State(self.game, fluents))
            except InputError:  # what was kept does not tell
                yield "unknown"
                continue
            for r, role in enumerate(self.game.roles):
                low, high, value = self.values.low[here, r], self.values.high[here, r], later.value[role]
                if value is None or not low - CLOSE <= value <= high + CLOSE:
                    yield f"in position {here} {role} gets {low:g} to {high:g}, not {value}"
            yield from self._not_kept(here, later)

    def wrong_moves(self, values: Sequence[MoveValue], here: int = 0) -> Iterator[str]:
        """What is wrong with the values of the moves in a position; "unknown" for each that has none."""
        edges = self.graph.edges_of(here)
        joint, after = self.graph.joint[edges], self.graph.successor[edges]
        chooses = choosers(joint, after) if joint.size else []
        listed = [(v.role, v.move) for v in values]
        to_move = [r for r, one in enumerate(chooses) if one] or range(len(chooses))
        moves = {(self.game.roles[r], self.game.moves[r][m]) for r in to_move for m in joint[:, r].tolist()}
        if len(set(listed)) != len(listed) or set(listed) != moves:
            yield f"in position {here} these are not the moves: {listed}"
            return
        worth = {(v.role, v.move): self._brings(joint, after, chooses, v) for v in values}
        for v in values:
            low, high = worth[v.role, v.move]
            r, told = self.game.roles.index(v.role), [v.value[role] for role in self.game.roles]
            if told[r] is None:
                yield "unknown"
                if v.exact or v.best is not None:
                    yield f"in position {here} {v.move} has no value and claims {v}"
                continue
            for q, value in enumerate(told):
                if value is not None and not low[q] - CLOSE <= value <= high[q] + CLOSE:
                    yield f"in position {here} {v.move} is worth {low} to {high} to {self.game.roles[q]}, not {value:g}"
            most = max(worth[v.role, w.move][1][r] for w in values if w.role == v.role)
            least = max(worth[v.role, w.move][0][r] for w in values if w.role == v.role)
            if v.exact and most == least and v.best not in (None, bool(low[r] >= most - CLOSE)):
                yield f"in position {here} {v.move} is worth {low[r]:g} of {most:g}, and best is {v.best}"

    def _brings(
        self, joint: NDArray[np.int32], after: NDArray[np.int32], chooses: list[bool], v: MoveValue
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Bounds on what a move brings every role, by the values of all positions."""
        r = self.game.roles.index(v.role)
        mine = joint[:, r] == self.game.move_index[r][v.move]
        low, high = self.values.low[after], self.values.high[after]
        if sum(chooses) < 2:
            return low[mine][0], high[mine][0]
        if self.values.rule == "equilibrium":
            payoff, rows, columns = payoffs(joint, low[:, 0])
            _, odds, others = solve_matrix(payoff)
            k = int(np.flatnonzero((rows, columns)[r] == self.game.move_index[r][v.move])[0])
            first = float(payoff[k] @ others) if r == 0 else float(odds @ payoff[:, k])
            both = np.array([first, low[0].sum() - first])
            return both, both
        # what the others get hangs on what they do
        least, most = low[mine].min(axis=0), high[mine].max(axis=0)
        most[r] = high[mine][:, r].min()
        return least, most

    def _not_kept(self, here: int, later: Answer) -> Iterator[str]:
        """Whether the moves named in a position keep the values there, whoever moves alone."""
        edges = self.graph.edges_of(here)
        for role, move in later.move.items():
            r = self.game.roles.index(role)
            fits = self.graph.joint[edges][:, r] == self.game.move_index[r][move]
            after = self.values.low[self.graph.successor[edges]][fits, r]
            if not after.size:
                yield f"in position {here} {role} makes a move that is not legal"
            elif not later.mixed and len(later.move) == 1 and after.min() < self.values.low[here, r] - CLOSE:
                yield f"in position {here} {role} gives something away by {move}"

    def _not_attained(self, answer: Answer, r: int, value: float) -> Iterator[str]:
        """Whether a role that has a choice at the start has a move, and the move keeps the value."""
        role, moves = self.game.roles[r], self.game.moves[r]
        choices = np.unique(self._joint[:, r]).tolist()
        if not choices or self.graph.terminal[0]:
            return
        if self._chooses[r] and role not in answer.move:
            yield f"{role} has a choice and no move"
            return
        if not self._chooses[r] and self.values.rule != "equilibrium":
            return  # what others do to it is theirs to choose
        odds = {choices[0]: 1.0}
        if role in answer.mixed:
            odds = {moves.index(move): share for move, share in answer.mixed[role].items()}
        elif role in answer.move:
            odds = {moves.index(answer.move[role]): 1.0}
        if set(odds) - set(choices):
            yield f"{role} makes a move that is not legal"
            return
        kept = self._worth(r, odds)
        if kept < value - 1e-5 and self.values.low[0, r] >= value - CLOSE:
            yield f"{role} gets only {kept:g} of {value:g} by its move"

    def _worth(self, r: int, odds: dict[int, float]) -> float:
        """What a role gets at least if it makes its first move with these odds and then plays on as well as it can."""
        if self.values.rule == "equilibrium":
            payoff, mine, other = payoffs(self._joint, self._after[:, 0])
            own = (mine, other)[r]
            weights: NDArray[np.float64] = np.array([odds.get(m, 0.0) for m in own.tolist()])
            if r == 0:
                return float((weights @ payoff).min())
            total = float(self.values.low[0].sum())
            return total - float((payoff @ weights).max())
        (move,) = odds
        return float(self._after[self._joint[:, r] == move, r].min())


@dataclass
class Tally:
    """How often each way gave an answer, and what was wrong."""

    answers: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def check(self, name: str, parts: Decomposition, whole: Whole, work: float = WORK) -> None:
        """Hold the default and every exact way that applies, to the parts or to groups of them, against the whole."""
        parts = settled(parts)
        with using(SearchLimits(search_work=work)):
            self._note(f"{name} by default", solve(parts), whole, "default")
        for some, seen_as in [(parts, ""), *((found, " in groups") for found, _ in coarser(parts))]:
            for way in WAYS.values():
                if not way.exact or way.applies(some) is None:
                    continue
                try:
                    answer = way.run(Study(some), Budget(work=work))
                except (Inapplicable, BudgetExceeded):
                    continue
                self._note(f"{name} by {way.name}{seen_as}", answer, whole, way.name + seen_as, some.game)

    def _note(self, label: str, answer: Answer, whole: Whole, way: str, game: Game | None = None) -> None:
        self.answers[way] += 1
        self.answers[f"{way}, exact"] += answer.exact
        if answer.solution is not None and way != "default":
            self.answers[f"{way}, lines"] += 1
            self.answers[f"{way}, lines to the end"] += whole.ends(answer)
            self.faults += [f"{label}: {fault}" for fault in whole.off_the_line(answer)]
            wrong = list(whole.wrong_later(answer, random.Random(label)))
            self.answers[f"{way}, later states"] += 3
            self.answers[f"{way}, later states unknown"] += wrong.count("unknown")
            self.faults += [f"{label}: {fault}" for fault in wrong if fault != "unknown"]
            self._note_moves(label, answer, whole, way, game or whole.game)
        self.faults += [f"{label}: {fault}" for fault in whole.faults(answer)]

    def _note_moves(self, label: str, answer: Answer, whole: Whole, way: str, game: Game) -> None:
        """What every move is worth at the start, and in two later states."""
        rng = random.Random(label)
        for here in (0, *(rng.randrange(whole.graph.positions) for _ in range(2))):
            later = whole.game.batch.state(whole.space.states[here])
            values = answer.values(None if here == 0 else State(game, later))
            wrong = list(whole.wrong_moves(values, here))
            self.answers[f"{way}, moves"] += len(values)
            self.answers[f"{way}, moves unknown"] += wrong.count("unknown")
            self.faults += [f"{label}: {fault}" for fault in wrong if fault != "unknown"]
