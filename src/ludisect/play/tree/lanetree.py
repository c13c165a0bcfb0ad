"""``LaneTree``: one search tree with its lanes: their arrays, and what one thread can do with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.lanekernel import MAX_AGE
from ludisect.circuit.rows import row_words
from ludisect.circuit.seatkernel import FREE, KEEP, RUNNING
from ludisect.circuit.seats import Seats
from ludisect.circuit.vector import LANES, WORDS, aligned
from ludisect.play.tree import fields as f
from ludisect.play.tree.limits import TreeLimits
from ludisect.play.tree.pruning import enter_all, keep_from
from ludisect.play.tree.rounds import plant, search_rounds, take_back_all
from ludisect.play.tree.treecode import TreeCode

FIRST_TABLE = 1 << 16
"""Places in the tables of states and joint moves at first. They grow with the tree: a table that is touched all over
costs a page of memory at every touch."""

ROUND_EDGES = 2_000_000
"""Inputs of gates that the plays of a round may pass: two or three milliseconds."""

CLASS_BOUNDS = (-0.05, 0.05, 0.15)
"""How far below the average the mean of a move is at most, from 0 to 1, to be of the first class, the second, …"""

MOST_PLACES, RECORDS_A_PLACE = 1 << 20, 8
"""States of parts of which something is remembered, and moves in each on average."""

EDGE_BYTES = 4 * f.EDGE + 4 * 2 + 8 * 2


@dataclass(frozen=True, slots=True)
class RootMove:
    """A move at the root of one tree: its visits, its sum of results (0 to 1 each), and what it was drawn from."""

    move: int
    """Its number among the role's moves."""
    visits: float
    total: float
    average: float
    """Where several choose at once: its part in the average of what the role drew from."""
    outcome: int
    """Proved, or -1."""


class LaneTree:
    """A tree, its lanes and its random numbers. Not to be shared between threads, but for ``stop``."""

    def __init__(self, code: TreeCode, limits: TreeLimits, *, seed: int, megabytes: float, branching: int) -> None:
        self.code = code
        game, roles = code.game, len(code.game.roles)
        self._seats = Seats(code.lanes, len(game.fluents), code.goals, seed)
        self._words = row_words(len(game.fluents))
        self._minds = tuple(self._memory(mind) for mind in (code.think, code.judge, code.final))
        per_node = 4 * f.NODE + 8 * self._words + 4 * roles + 4 * 4 + EDGE_BYTES * max(2, branching)
        nodes = max(1024, int(megabytes * 2**20 / per_node))
        self._make_tree(nodes, nodes * max(2, branching), roles)
        self._make_lanes(limits, roles)
        self.plan = np.zeros(f.PLAN, np.int64)
        moves = int(code.role_start[-1])
        for at, number in (
            (f.ROLES, roles), (f.ROW_WORDS, self._words), (f.BITS, len(game.fluents)),
            (f.TURNS, len(code.phases.circuits)), (f.THINK_BASE, code.think.base), (f.JUDGE_BASE, code.judge.base),
            (f.FINAL_BASE, code.final.base), (f.NODE_ROOM, nodes), (f.EDGE_ROOM, self._edge.size // f.EDGE),
            (f.SIDE_ROOM, self._sides.size // f.SIDE_NUMBERS),
            (f.EXPAND_AT, limits.tree_expand_at), (f.EXPAND_SHARE, limits.tree_expand_share),
            (f.DEEPEST, limits.tree_deepest), (f.EPOCH, -(-limits.tree_play_length // (MAX_AGE - 1))),
            (f.FIRST_MOVE, 1 + len(game.fluents)), (f.MOVES, moves), (f.VALUES, int(code.sizes.max())),
            (f.LEAVES, limits.tree_leaves), (f.PLAYS, limits.tree_plays),
            (f.MOST_PLAYS, max(limits.tree_plays, limits.tree_most_plays)),
            (f.SOLVER, limits.tree_solver * code.provable), (f.PROVABLE, int(code.provable)),
            (f.MERGE, limits.tree_merge), (f.STEP_ROOM, self._steps()),
            (f.PRIOR_LEAST, limits.tree_trust_least), (f.PRIOR_MOST, limits.tree_trust_most),
        ):  # fmt: skip
            self.plan[at] = number
        self._tuning = np.array([limits.tree_explore, limits.tree_gamma, limits.tree_trust])
        self.count = np.zeros(f.COUNTS, np.int64)
        self.count[f.CHANCE] = int(np.random.SeedSequence([seed, 1]).generate_state(1, np.uint64)[0] >> 1) | 1
        self.clocks = np.zeros(len(f.STEPS), np.int64)
        self.learnt_at = 0
        """Visits of the root when ``learn`` was last called."""

    def _steps(self) -> int:
        """Steps of the lanes in a round: a call must come back soon, also where a step takes milliseconds."""
        step = self.code.lanes.step
        edges = (step[1].size + step[3].size) // len(self.code.phases.circuits)
        return int(min(256, max(2, ROUND_EDGES // max(1, edges))))

    def _memory(self, mind: Any) -> tuple[Any, ...]:
        values = aligned(mind.n_nodes)
        values[:WORDS] = -1
        return (values, *mind.arrays)

    def _make_tree(self, nodes: int, edges: int, roles: int) -> None:
        # pages of memory that are never touched cost nothing
        self._node = aligned(nodes * f.NODE // (2 * WORDS) + 1).view(np.int32)  # a node is a cache line
        self._rows = np.empty((nodes + LANES) * self._words, np.uint64)
        self._forced = np.empty((nodes + 1) * roles, np.int32)
        self._table = np.zeros(FIRST_TABLE, np.int32)
        self._score = np.empty(2 * edges, np.float32)
        self._edge = np.empty(f.EDGE * edges, np.int32)
        self._worth = np.empty(2 * edges, np.float64)
        self._regret = np.empty(3 * edges, np.float64)  # regret, average, and sums of regrets
        self._cell_room = edges if roles > 1 else 0  # the table of the cells bounds them, too, until it is larger
        self._sides = np.empty(f.SIDE_NUMBERS * (nodes if roles > 1 else 1), np.int32)
        self._cells = np.empty((self._cell_room + 1) * (f.CELL_EDGES + roles), np.int32)
        self._cell_worth = np.zeros((self._cell_room + 1) * (roles + 1), np.float64)
        self._cell_table = np.zeros(FIRST_TABLE, np.int32)
        self._make_records(np.full(1, -1, np.int32), np.zeros(0, np.uint64), 1, nodes)
        self._names, self._moved = np.empty(nodes + 1, np.int32), np.empty(nodes + 1, np.int32)

    def _make_records(self, part_of: NDArray[np.int32], masks: NDArray[np.uint64], room: int, nodes: int) -> None:
        parts = masks.size // self._words
        self._records = (
            np.empty((nodes + 1) * max(1, parts), np.int32),
            part_of,
            masks,
            np.zeros(1 << (2 * room).bit_length(), np.int32),
            np.empty(room, np.uint64),
            np.empty(2 * room, np.int32),
            np.zeros(2 * room, np.float64),
            np.empty(2 * RECORDS_A_PLACE * room, np.float64),
        )

    def take_apart(self, part_of: NDArray[np.int32], masks: NDArray[np.uint64]) -> None:
        """From the next root on, learn what moves of the parts come to: a part for each move (-1 for none), and the
        fluents of each part as a row."""
        nodes, roles = int(self.plan[f.NODE_ROOM]), len(self.code.game.roles)
        room = min(MOST_PLACES, nodes)
        self._make_records(part_of, masks.ravel(), room, nodes)
        self.plan[f.PARTS], self.plan[f.PLACE_ROOM] = masks.shape[0], room
        self.plan[f.RECORD_ROOM] = RECORDS_A_PLACE * room
        self.count[f.PLACES], self.count[f.RECORDS] = roles, 0  # before the first place: each role's mean

    def _make_lanes(self, limits: TreeLimits, roles: int) -> None:
        moves = int(self.code.role_start[-1])
        self._path = np.empty(LANES * 2 * limits.tree_deepest, np.int32)
        self._depth = np.zeros(LANES, np.int64)
        self._lanes = (
            self._path,
            self._depth,
            np.zeros(LANES),
            np.full(LANES, -1, np.int64),
            np.zeros(LANES * roles, np.int32),
            np.zeros(LANES, np.int64),
            np.zeros(LANES * roles, np.int64),
            np.zeros(LANES * roles, np.int64),
            np.zeros(64, np.uint64),
            np.zeros(LANES * row_words(moves), np.uint64),
            np.zeros(roles),
            np.zeros(LANES, np.int64),
            np.zeros(2 * LANES, np.int64),
        )

    # ---- arguments of the kernels ----

    @property
    def _tree(self) -> tuple[Any, ...]:
        return (
            self._node, self._node.view(np.float32), self._rows, self._forced, self._table, self._score, self._edge,
            self._worth, self._regret, self._sides, self._cells, self._cell_worth, self._cell_table,
            *self._records,
        )  # fmt: skip

    @property
    def _numbers(self) -> tuple[Any, ...]:
        code = self.code
        return (
            self.plan, self._tuning, self.count, code.radix, code.sizes, code.worth, self.clocks, code.role_start,
        )  # fmt: skip

    # ---- the root ----

    def plant(self, row: NDArray[np.uint64], turn: int) -> None:
        """A new tree for a state that is not terminal."""
        self._give_up_flights()
        used = int(self.count[f.CELLS])
        if used:
            self._cell_worth[: (used + 1) * (len(self.code.game.roles) + 1)] = 0.0
            self._cell_table[:] = 0
        for at in (f.NODES, f.EDGES, f.CELLS, f.SIDE_END, f.ROOT, f.FULL):
            self.count[at] = 0
        self._rows[: self._words] = row & self.code.mask
        self._node[f.TURN] = turn
        s = self._seats
        plant(
            *(array for mind in self._minds for array in mind), *self._tree, s.goal_role, s.goal_value,
            self.code.lanes.fluents, s.masks, *self._lanes, *self._numbers,
        )  # fmt: skip

    def advance(self, joint: tuple[int, ...]) -> bool:
        """Make the state after a joint move (input nodes, a role each) the root; False if it has no node."""
        child = self._child(joint)
        if child < 0:
            return False
        self._give_up_flights()
        self.learnt_at = 0
        keep_from(*self._tree, child, self._names, self._moved, self.plan, self.count)
        self.count[f.FULL] = 0
        at = self.root * f.NODE
        if self._node[at + f.STATUS] != self._node[at + f.BEST]:  # known from elsewhere: the move is still to be found
            self._node[at + f.STATUS] = -1
        return True

    def narrow(self, moves: frozenset[int]) -> None:
        """Search only these moves (input nodes) at the root from now on, if one role chooses there and some is open."""
        at = self.root * f.NODE
        first, n = int(self._node[at + f.FIRST]), int(self._node[at + f.COUNT])
        edges = np.arange(first, first + n)
        left_out = edges[~np.isin(self._edge[f.MOVE :: f.EDGE][edges], list(moves))]
        if self._node[at + f.CHOOSER] < 0 or left_out.size == n:
            return
        self._give_up_flights()  # what lands on a move would open it again
        self._score[2 * left_out] = f.PROVED_SCORE
        self._score[2 * left_out + 1] = 0.0

    def advise(self, means: Mapping[int, float], plays: int) -> None:
        """Let moves (input nodes) at the root begin as if each had had so many plays of this mean, from 0 to 1."""
        at = self.root * f.NODE
        if self._node[at + f.CHOOSER] < 0 or plays < 1:
            return
        for e in self._edges_at(at):
            mean, child = means.get(int(self._edge[e * f.EDGE + f.MOVE])), int(self._edge[e * f.EDGE + f.CHILD])
            if mean is None or f.QUEUED < child <= -2:  # what is proved needs no advice
                continue
            self._worth[2 * e] += plays * mean
            self._worth[2 * e + 1] += plays
            self._edge[e * f.EDGE + f.STARTED] += plays
            self._node[at + f.VISITS] += plays
            self._score[2 * e] = self._worth[2 * e] / self._worth[2 * e + 1]
            self._score[2 * e + 1] = float(self._edge[e * f.EDGE + f.STARTED]) ** -0.5

    def _child(self, joint: tuple[int, ...]) -> int:
        root = self.root
        at = root * f.NODE
        roles = len(self.code.game.roles)
        chooser = int(self._node[at + f.CHOOSER])
        made = [e for e in self._edges_at(at) if self._edge[e * f.EDGE + f.MOVE] in joint]
        if chooser >= 0:
            return int(self._edge[made[0] * f.EDGE + f.CHILD]) if made else -1
        cells = self._cells[: int(self.count[f.CELLS]) * (f.CELL_EDGES + roles)].reshape(-1, f.CELL_EDGES + roles)
        wanted = np.full(roles, -1, np.int32)
        for e in made:
            move = int(self._edge[e * f.EDGE + f.MOVE])
            wanted[joint.index(move)] = e
        same = np.flatnonzero((cells[:, f.CELL_NODE] == root) & (cells[:, f.CELL_EDGES :] == wanted).all(axis=1))
        return int(cells[same[0], f.CELL_CHILD]) if same.size else -1

    def _give_up_flights(self) -> None:
        if self.count[f.NODES]:
            take_back_all(self._node, self._edge, self._score, self._cells, self._path, self._depth, self.plan)
        self._depth[:] = 0
        seats = self._seats
        seats.masks[: KEEP * WORDS] = 0
        seats.counters[FREE], seats.counters[RUNNING] = LANES, 0

    # ---- search ----

    def run(self, rounds: int) -> None:
        """Search on for some rounds; comes back early if the root is proved or ``stop`` was called."""
        self._enlarge_tables()
        s = self._seats
        search_rounds(
            s.values, s.bench, s.thinned, s.kept, s.masks, s.random, s.blocks, s.dirty, s.counters,
            *self.code.lanes.step, self.code.lanes.fluents, s.classes, s.own, *self.code.lanes.goal, s.goal_role,
            s.goal_value, *(array for mind in self._minds for array in mind), *self._tree, *self._lanes,
            *self._numbers, rounds,
        )  # fmt: skip

    def _enlarge_tables(self) -> None:
        nodes, cells = int(self.count[f.NODES]), int(self.count[f.CELLS])
        if 2 * nodes > self._table.size or 4 * cells > self._cell_table.size:
            self._table = np.zeros(max(self._table.size, 1 << (8 * nodes).bit_length()), np.int32)
            self._cell_table = np.zeros(max(self._cell_table.size, 1 << (16 * cells).bit_length()), np.int32)
            enter_all(self._node, self._rows, self._table, self._cells, self._cell_table, self.plan, self.count)
        self.plan[f.CELL_ROOM] = min(self._cell_room, self._cell_table.size // 2)

    def learn(self, least: int) -> None:
        """Prefer moves in plays that did well in the tree: four classes, by how far their means are from the average.

        Means are of the moves wherever they were made (Finnsson and Björnsson 2010, tree-only MAST); a move with fewer
        visits than ``least`` is of the second class.
        """
        edges = int(self.count[f.EDGES])
        inputs = 1 + len(self.code.game.fluents) + int(self.code.role_start[-1])
        moves = self._edge[f.MOVE : edges * f.EDGE : f.EDGE]
        visits = np.bincount(moves, self._worth[1 : 2 * edges : 2], inputs)
        totals = np.bincount(moves, self._worth[: 2 * edges : 2], inputs)
        classes = np.ones(inputs + 1, np.int32)
        for low, high in zip(self.code.role_start[:-1].tolist(), self.code.role_start[1:].tolist(), strict=True):
            nodes = np.arange(1 + len(self.code.game.fluents) + low, 1 + len(self.code.game.fluents) + high)
            known = nodes[visits[nodes] >= least]
            if known.size:
                middle = totals[known].sum() / visits[known].sum()
                ahead = totals[known] / visits[known] - middle
                classes[known] = np.digitize(-ahead, CLASS_BOUNDS)
        targets = self.code.lanes.step[8]
        self._seats.classes[:] = classes[np.minimum(targets, inputs)]
        self._seats.thin()

    def stop(self, stopped: bool = True) -> None:
        """Have ``run`` come back, from any thread; or let it run again."""
        self.count[f.STOP] = int(stopped)

    # ---- what is known ----

    def unproved(self, least: int) -> NDArray[np.intp]:
        """Nodes at which one role chooses, whose outcome is open, with so many visits; the most visited first."""
        nodes = self._node[: int(self.count[f.NODES]) * f.NODE].reshape(-1, f.NODE)
        wanted = (nodes[:, f.VISITS] >= least) & (nodes[:, f.STATUS] < 0) & (nodes[:, f.CHOOSER] >= 0)
        some = np.flatnonzero(wanted)
        return some[np.argsort(-nodes[some, f.VISITS], kind="stable")]

    @property
    def root(self) -> int:
        """The node at the root."""
        return int(self.count[f.ROOT])

    def row_of(self, node: int) -> NDArray[np.uint64]:
        """The state of a node, as a packed row of the fluents that are simulated."""
        return self._rows[node * self._words : (node + 1) * self._words]

    def settle(self, node: int, outcome: int) -> None:
        """The outcome of a node is known from elsewhere: it is proved, and goes up when somebody next comes by."""
        total = 1 + sum(self.code.goals_of(outcome))
        if self.count[f.TOTAL] not in (0, total):
            self.count[f.UNEVEN] = 1
        self.count[f.TOTAL] = self.count[f.TOTAL] or total
        self._node[node * f.NODE + f.STATUS] = outcome

    @property
    def visits(self) -> int:
        """Simulations that went through the root."""
        return int(self._node[self.root * f.NODE + f.VISITS])

    @property
    def outcome(self) -> int:
        """The proved outcome of the root, or -1."""
        return int(self._node[self.root * f.NODE + f.STATUS])

    def root_moves(self) -> dict[int, list[RootMove]]:
        """For every role that chooses at the root, its moves; for others, nothing."""
        at = self.root * f.NODE
        first, chooser = int(self._node[at + f.FIRST]), int(self._node[at + f.CHOOSER])
        if chooser >= 0:
            return {chooser: self._moves_of(chooser, first, int(self._node[at + f.COUNT]), together=False)}
        side = int(self._node[at + f.SIDE])
        numbers = self._sides.reshape(-1, f.SIDE_NUMBERS)[side : side + int(self._node[at + f.SIDES])]
        return {int(r): self._moves_of(int(r), int(low), int(n), together=True) for r, low, n in numbers}

    def replies(self) -> dict[int, list[tuple[int, float]]]:
        """Per move at the root (input nodes) the moves at its node with their visits, if one role chooses at both."""
        root = self.root * f.NODE
        out: dict[int, list[tuple[int, float]]] = {}
        if self._node[root + f.CHOOSER] < 0:
            return out
        for e in self._edges_at(root):
            at = int(self._edge[e * f.EDGE + f.CHILD]) * f.NODE
            if at >= 0 and self._node[at + f.CHOOSER] >= 0:
                out[int(self._edge[e * f.EDGE + f.MOVE])] = [
                    (int(self._edge[i * f.EDGE + f.MOVE]), float(self._worth[2 * i + 1])) for i in self._edges_at(at)
                ]
        return out

    def _edges_at(self, at: int) -> range:
        first = int(self._node[at + f.FIRST])
        return range(first, first + int(self._node[at + f.COUNT]))

    def _moves_of(self, role: int, first: int, moves: int, *, together: bool) -> list[RootMove]:
        out = []
        start = 1 + len(self.code.game.fluents) + int(self.code.role_start[role])
        drawn = self._regret[3 * first + 1 : 3 * (first + moves) : 3]
        whole = float(drawn.sum()) if together else 0.0
        for i in range(moves):
            e = first + i
            child = int(self._edge[e * f.EDGE + f.CHILD])
            outcome = -2 - child if f.QUEUED < child <= -2 else -1
            if child >= 0:
                outcome = int(self._node[child * f.NODE + f.STATUS])
            out.append(
                RootMove(
                    move=int(self._edge[e * f.EDGE + f.MOVE]) - start,
                    visits=float(self._worth[2 * e + 1]),
                    total=float(self._worth[2 * e]),
                    average=float(drawn[i]) / whole if whole else 1.0 / moves,
                    outcome=outcome,
                )
            )
        return out
