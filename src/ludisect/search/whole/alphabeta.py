"""Depth-first search with a transposition table, deepened step by step: for games too large to keep whole.

It takes one player, or two of whom one gains what the other loses, with one of them to choose at a time. Every position
has bounds on the first role's goal; at the horizon they are the least and the greatest goal that the rules know, so
what a shallow search says is true, only vague. A move is cut when the bounds known already show that it cannot matter.

That is right only if both have the same sum at every end, looked at or not. Where that is not proved, nothing is known
but what the first role can force whatever the other does. A position without moves pays nobody: not to have met one
does no harm, since no player prefers it to an end; one that is met is an end with another sum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.errors import BudgetExceeded
from ludisect.gdl.terms import Term
from ludisect.progress import report
from ludisect.ruleofplay import in_turn
from ludisect.search.budget import Budget
from ludisect.search.foresight import KnownValues, foreseen
from ludisect.search.way import Inapplicable
from ludisect.search.whole.backward import Table
from ludisect.search.whole.opposed import Opposition
from ludisect.search.whole.positions import SEVERAL, movers, paid
from ludisect.search.whole.statespace import legal_joint
from ludisect.search.whole.whole import assemble, goal_bounds

NAME = "alpha-beta"

UNPROVED = "that both have the same sum at every end is not proved: the first role can force its lower bound, no more"

ENTRY_BYTES = 600
"""What a position costs in the table, children included, as measured on tic-tac-toe."""

STEPS = 12_000
"""Steps (see ``effort``) that a visit of a position counts, about."""


@dataclass(slots=True)
class _Node:
    """A position: bounds, how deep and within which window they were searched, and what follows it."""

    low: float
    high: float
    depth: int = -1
    alpha: float = 0.0
    beta: float = 0.0
    mover: int = 0
    children: list[bytes] | None = None
    joint: NDArray[np.int32] | None = None


class DepthFirst:
    """One search; ``deepen`` until the root is decided."""

    def __init__(self, game: Game, budget: Budget, opposition: Opposition) -> None:
        if len(game.roles) > 2:
            raise Inapplicable("alpha-beta is for one or two players")
        self.game, self.budget = game, budget
        least, greatest = goal_bounds(game)
        self.least, self.greatest = float(least[0]), float(greatest[0])
        self.table: dict[bytes, _Node] = {}
        self._looked = 0
        self.total = opposition.total(budget) if len(game.roles) == 2 else None
        seen = self.total.seen if self.total is not None else frozenset()
        if len(seen) > 1:
            raise Inapplicable("alpha-beta needs goals with a constant sum")
        self.sum: int | None = next(iter(seen), None)
        self.words = game.batch.initial.shape[1]
        self.root = self._enter(game.batch.initial)[0]

    def _enter(self, rows: Rows) -> list[bytes]:
        """Keys of states; new ones get a node, and ends their value."""
        text, width = rows.tobytes(), 8 * self.words
        keys = [text[at : at + width] for at in range(0, len(text), width)]
        first: dict[bytes, int] = {}
        for i, key in enumerate(keys):
            if key not in self.table and key not in first:
                first[key] = i
        if first:
            new = rows[list(first.values())]
            terminal = self.game.batch.terminal(new)
            goals = iter(paid(self.game.batch.goals(new[terminal])).tolist() if terminal.any() else ())
            for key, over in zip(first, terminal.tolist(), strict=True):
                if over:
                    goal = next(goals)
                    self._same_sum(goal)
                    self.table[key] = _Node(goal[0], goal[0])
                else:
                    self.table[key] = _Node(self.least, self.greatest)
        return keys

    def _same_sum(self, goal: list[int]) -> None:
        if len(goal) == 2:
            if self.sum not in (None, sum(goal)):
                raise Inapplicable("alpha-beta needs goals with a constant sum")
            self.sum = sum(goal)

    def _expand(self, keys: list[bytes]) -> None:
        """Give nodes their children, all in one call of the circuit."""
        game = self.game
        states = np.frombuffer(b"".join(keys), np.uint64).reshape(-1, self.words)
        start, joint, source = legal_joint(game, states, np.zeros(len(keys), np.bool_))
        after = game.batch.next(states[source], joint)
        mover = np.empty(len(keys), np.int8)
        movers(start, joint, after, mover)
        if (mover == SEVERAL).any():
            raise Inapplicable("alpha-beta needs one role to choose at a time")
        children = self._enter(after)
        places = start.tolist()
        for n, (key, of_node) in enumerate(zip(keys, mover.tolist(), strict=True)):
            node = self.table[key]
            node.mover = max(of_node, 0)
            node.joint = joint[places[n] : places[n + 1]]
            node.children = children[places[n] : places[n + 1]]
            if not node.children:  # stuck: nobody gets anything
                self._same_sum([0] * len(game.roles))
                node.low = node.high = 0.0

    def _expand_open(self, keys: list[bytes]) -> None:
        some = [key for key in keys if (node := self.table[key]).children is None and node.low < node.high]
        if some:
            self._expand(some)

    def deepen(self, depth: int) -> _Node:
        """Search so deep; gives the root."""
        return self._search(self.root, depth, self.least, self.greatest)

    def _search(self, key: bytes, depth: int, alpha: float, beta: float) -> _Node:
        node = self.table[key]
        if node.low == node.high or depth == 0 or node.low >= beta or node.high <= alpha:
            return node
        if node.depth >= depth and node.alpha <= alpha and node.beta >= beta:
            return node
        self._looked += 1
        if self._looked % 256 == 0:  # not the size of the table, which grows by several at a time
            report("searching positions", len(self.table))
        self.budget.check(len(self.table) * ENTRY_BYTES, steps=STEPS)
        if node.children is None:
            self._expand([key])
        children = node.children
        if not children:
            return node
        node.depth, node.alpha, node.beta = depth, alpha, beta
        mine = node.mover == 0
        table = self.table
        if mine:
            order = sorted(set(children), key=lambda k: (-table[k].low, -table[k].high))
        else:
            order = sorted(set(children), key=lambda k: (table[k].high, table[k].low))
        for n, child in enumerate(order):
            if n == 1 and depth > 1:
                # the best move did not cut, so that the others will be looked at too: at once, if the circuit is asked
                self._expand_open(order[1:])
            self._search(child, depth - 1, alpha, beta)
            # all children count with what is known of them by now, searched or not
            if mine:
                node.low = max(node.low, table[child].low)
                alpha = max(alpha, node.low)
            else:
                node.high = min(node.high, table[child].high)
                beta = min(beta, node.high)
            if alpha >= beta:
                break
        if mine:
            node.high = min(node.high, max(table[k].high for k in order))
        else:
            node.low = max(node.low, min(table[k].low for k in order))
        return node

    def answer(self, depth: int) -> Answer:
        """What is known of the root."""
        game, node = self.game, self.table[self.root]
        low, high = goal_bounds(game)
        low[0] = node.low
        notes = [f"searched {depth} moves deep"]
        if self.total is not None and not self.total.proved:
            notes.append(UNPROVED)
        else:
            high[0] = node.high
            if len(game.roles) == 2:
                low[1], high[1] = self._other(node, low[1], high[1])
        answer = assemble(
            game,
            NAME,
            low,
            high,
            move=self._best(node),
            mixed={},
            nodes=len(self.table),
            seconds=self.budget.spent,
            rule=in_turn(len(game.roles)),
            evidence="depth first; what was cut off cannot change the value",
            notes=notes,
        )
        return foreseen(game, answer, KnownNodes(self))

    def _other(self, node: _Node, least: float, greatest: float) -> tuple[float, float]:
        """Bounds on the second role's goal, where both have the same sum at every end."""
        assert self.sum is not None
        # a first role that is held to less than its best, or sure of its value, does not stop without a move
        counts = node.high < self.greatest or self.least < node.low == node.high
        return self.sum - node.high if counts else least, min(greatest, self.sum - node.low)

    def _best(self, node: _Node) -> dict[str, Term]:
        if not node.children or node.joint is None or len(set(node.children)) < 2:
            return {}
        nodes = [self.table[k] for k in node.children]
        if node.mover == 0:
            e = max(range(len(nodes)), key=lambda i: (nodes[i].low, nodes[i].high))
        else:
            e = min(range(len(nodes)), key=lambda i: (nodes[i].high, nodes[i].low))
        r = node.mover
        return {self.game.roles[r]: self.game.moves[r][int(node.joint[e, r])]}


class KnownNodes(KnownValues):
    """The positions of a search whose bounds meet."""

    def __init__(self, search: DepthFirst) -> None:
        self._search = search
        self.rule = "max-n" if len(search.game.roles) == 2 else "optimum"

    def values(self, rows: Rows) -> Table:
        """See ``KnownValues``."""
        out = np.full((rows.shape[0], len(self._search.game.roles)), np.nan)
        for k, row in enumerate(rows):
            node = self._search.table.get(row.tobytes())
            if node is not None and node.low == node.high:
                out[k] = [node.low, (self._search.sum or 0) - node.low][: out.shape[1]]
        return out


def solve_depth_first(
    game: Game, *, depth: int | None = None, budget: Budget | None = None, opposition: Opposition | None = None
) -> Answer:
    """Deepen until the value is known or ``depth`` is reached.

    A game in which plays can go on for ever ends only at a limit. Raises BudgetExceeded with the Answer known by then,
    and Inapplicable if the game is of another kind.
    """
    search = DepthFirst(game, budget or Budget(), opposition or Opposition(game))
    done = 0
    try:
        while depth is None or done < depth:
            before = len(search.table)
            node = search.deepen(done + 1)
            done += 1
            if node.low == node.high or (len(search.table) == before and done > before):
                break
    except BudgetExceeded as error:
        error.partial = search.answer(done)
        raise
    except KeyboardInterrupt:
        raise BudgetExceeded("interrupted", budget="interrupt", partial=search.answer(done)) from None
    return search.answer(done)
