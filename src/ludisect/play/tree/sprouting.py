"""New nodes: states of leaves in lanes, their moves, and every child looked at before any play is made.

A leaf's state is computed in lanes from its parent's row whenever it is played from; only nodes keep a row. When a leaf
becomes a node, all its children are evaluated at once: moves that end the game are proved before the first play. Equal
states at the same turn become one node (a lossy table with full comparison finds them), so the tree is a graph without
copies; each edge keeps statistics of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludisect.circuit.lanekernel import run_gates
from ludisect.circuit.record import mixed
from ludisect.circuit.rows import transpose64
from ludisect.circuit.seatkernel import SCRATCH, put_on_bench
from ludisect.circuit.vector import fetch, load, load_signed, select, store, zeros
from ludisect.kernels.kernel import jit
from ludisect.play.tree.descent import settle
from ludisect.play.tree.fields import (
    BEST,
    BITS,
    CHILD,
    CHOOSER,
    COUNT,
    EDGE,
    EDGE_ROOM,
    EDGES,
    FINAL_BASE,
    FIRST,
    FIRST_MOVE,
    FULL,
    JUDGE_BASE,
    LEAF,
    MERGE,
    MOVE,
    MOVES,
    NODE,
    NODE_ROOM,
    NODES,
    PARTS,
    PROVABLE,
    RECORD,
    RENEW,
    ROLES,
    ROW_WORDS,
    SEEN,
    SIDE,
    SIDE_COUNT,
    SIDE_END,
    SIDE_FIRST,
    SIDE_NUMBERS,
    SIDE_ROLE,
    SIDE_ROOM,
    SIDES,
    SOLVER,
    STARTED,
    STATUS,
    THINK_BASE,
    TOTAL,
    TURN,
    UNEVEN,
    UNPROVED,
    UNTRIED,
    VALUES,
    VISITS,
)
from ludisect.play.tree.records import remember
from ludisect.play.tree.together import chance

WAYS = 4
"""Places of the table of states in which a state may stand."""


@jit
def next_states(
    think: Any, runs: Any, index: Any, out: Any, rows: Any, lane_rows: Any, lane_moves: Any, fluents: Any, target: Any,
    masks: Any, block: Any, plan: Any,
) -> None:  # fmt: skip
    """The state of node ``lane_rows[lane]`` after a joint move, written to the fluents of ``target``, lane by lane.

    Lanes without a row (-1) keep what they have there.
    """
    put_on_bench(think, lane_rows, rows, plan[ROW_WORDS], plan[BITS], block)
    roles = plan[ROLES]
    store(masks, SCRATCH, zeros())
    for lane in range(512):
        if lane_rows[lane] >= 0:
            bit = np.int64(1) << (lane & 63)
            masks[SCRATCH * 8 + (lane >> 6)] |= bit
            for r in range(lane * roles, (lane + 1) * roles):
                think[lane_moves[r] * 8 + (lane >> 6)] |= bit
    run_gates(think, runs, 0, runs.size // 3, index, 0, plan[THINK_BASE])
    fresh = load(masks, SCRATCH)
    for i in range(fluents.size):
        at = fetch(fluents, i)
        store(target, at, select(fresh, load_signed(think, fetch(out, i)), load(target, at)))
    # only now: what follows may be a move itself
    for lane in range(512):
        if lane_rows[lane] >= 0:
            for r in range(lane * roles, (lane + 1) * roles):
                think[lane_moves[r] * 8 + (lane >> 6)] = 0


@jit
def take_rows(bench: Any, chosen: Any, rows: Any, n_words: Any, n_bits: Any, block: Any) -> None:
    """Transpose lanes back to rows: lane i becomes row ``chosen[i]``, if that is not -1."""
    words = bench.view(np.uint64)
    for w in range(8):
        wanted = False
        for i in range(64):
            if chosen[64 * w + i] >= 0:
                wanted = True
        if not wanted:
            continue
        for column in range(n_words):
            width = min(64, n_bits - 64 * column)
            for b in range(width):
                block[b] = words[(1 + 64 * column + b) * 8 + w]
            for b in range(width, 64):
                block[b] = np.uint64(0)
            transpose64(block)
            for i in range(64):
                if chosen[64 * w + i] >= 0:
                    rows[chosen[64 * w + i] * n_words + column] = block[i]


@jit
def find_node(node: Any, rows: Any, table: Any, n: Any, plan: Any, count: Any) -> Any:
    """A node with the state and turn of row n, or -1; then n is put into the table (as n + 1, 0 being nobody)."""
    words = plan[ROW_WORDS]
    h = np.uint64(node[n * NODE + TURN]) + np.uint64(0x9E3779B97F4A7C15)
    for w in range(words):
        h = mixed(h ^ rows[n * words + w])
    slot = np.int64(h & np.uint64(table.size // WAYS - 1)) * WAYS
    place: Any = slot + np.int64(h >> np.uint64(62))  # overwritten if all are taken
    for i in range(slot, slot + WAYS):
        other = table[i] - 1
        if other < 0 or other >= count[NODES]:
            place = i
            continue
        same = node[other * NODE + TURN] == node[n * NODE + TURN]
        for w in range(words):
            if rows[other * words + w] != rows[n * words + w]:
                same = False
                break
        if same:
            return np.int64(other)
    table[place] = n + 1
    return np.int64(-1)


@jit
def find_moves(
    judge: Any, runs: Any, index: Any, out: Any, rows: Any, fresh: Any, low: Any, high: Any, lane_rows: Any,
    legal: Any, block: Any, plan: Any,
) -> None:  # fmt: skip
    """The legal moves of up to 512 new nodes ``fresh[low:high]``, as packed rows in ``legal``."""
    for lane in range(512):
        lane_rows[lane] = fresh[low + lane] if low + lane < high else -1
    put_on_bench(judge, lane_rows, rows, plan[ROW_WORDS], plan[BITS], block)
    run_gates(judge, runs, 0, runs.size // 3, index, 0, plan[JUDGE_BASE])
    words = judge.view(np.uint64)
    n_words = (plan[MOVES] + 63) >> 6
    for w in range(8):
        if low + 64 * w >= high:
            break
        for column in range(n_words):
            width = min(64, plan[MOVES] - 64 * column)
            for b in range(width):
                literal = fetch(out, 64 * column + b)
                word = words[(literal >> 1) * 8 + w]
                block[b] = ~word if (literal & 1) != 0 else word
            for b in range(width, 64):
                block[b] = np.uint64(0)
            transpose64(block)
            for i in range(64):
                legal[(64 * w + i) * n_words + column] = block[i]


@jit
def is_legal(legal: Any, lane: Any, move: Any, n_words: Any) -> Any:
    """Whether a move is among those of a lane."""
    return (legal[lane * n_words + (move >> 6)] >> np.uint64(move & 63)) & np.uint64(1) != np.uint64(0)


@jit
def make_edges(
    node: Any, forced: Any, score: Any, edge: Any, worth: Any, regret: Any, sides: Any, legal: Any, lane: Any, n: Any,
    role_start: Any, plan: Any, count: Any,
) -> Any:  # fmt: skip
    """The edges of node n, whose legal moves stand at ``lane``. Gives False if there is no room or no move."""
    roles, n_words = plan[ROLES], (plan[MOVES] + 63) >> 6
    total, choosers, chooser, widest = np.int64(0), 0, 0, 0
    for r in range(roles):
        moves = 0
        for m in range(role_start[r], role_start[r + 1]):
            if is_legal(legal, lane, m, n_words):
                moves += 1
                forced[n * roles + r] = plan[FIRST_MOVE] + m
        if moves == 0:
            return False
        total += moves
        if moves > 1:
            choosers += 1
            if moves > widest:
                chooser, widest = r, moves
    if count[EDGES] + total > plan[EDGE_ROOM] or count[SIDE_END] + choosers > plan[SIDE_ROOM]:
        count[FULL] = 1
        return False
    at = n * NODE
    node[at + VISITS] = 0
    node[at + RENEW] = 0
    node[at + STATUS] = -1
    node[at + BEST] = -1
    node[at + FIRST] = count[EDGES]
    node[at + SIDE] = count[SIDE_END]
    node[at + SIDES] = 0
    node[at + CHOOSER] = chooser if choosers <= 1 else -1
    for r in range(roles):
        if choosers <= 1 and r != chooser:
            continue
        first = count[EDGES]
        for m in range(role_start[r], role_start[r + 1]):
            if is_legal(legal, lane, m, n_words):
                e = count[EDGES]
                edge[e * EDGE + MOVE] = plan[FIRST_MOVE] + m
                edge[e * EDGE + CHILD] = LEAF
                edge[e * EDGE + STARTED] = 0
                edge[e * EDGE + RECORD] = -1
                score[2 * e] = 0.0
                score[2 * e + 1] = UNTRIED * (1.0 + chance(count))
                worth[2 * e] = worth[2 * e + 1] = 0.0
                if choosers > 1:
                    regret[3 * e] = regret[3 * e + 1] = regret[3 * e + 2] = 0.0
                count[EDGES] += 1
        if choosers > 1:
            if count[EDGES] - first == 1:
                count[EDGES] = first  # no choice: its move is in ``forced``
                continue
            s = count[SIDE_END] * SIDE_NUMBERS
            sides[s + SIDE_ROLE] = r
            sides[s + SIDE_FIRST] = first
            sides[s + SIDE_COUNT] = count[EDGES] - first
            count[SIDE_END] += 1
            node[at + SIDES] += 1
    node[at + COUNT] = count[EDGES] - node[at + FIRST]
    node[at + UNPROVED] = node[at + COUNT]
    return True


@jit
def read_outcome(
    words: Any, out: Any, w: Any, b: Any, goal_role: Any, goal_value: Any, given: Any, plan: Any, count: Any,
    radix: Any, goal_worth: Any,
) -> Any:  # fmt: skip
    """The outcome of the terminal state in bit b of word w, or -1 if some role has no goal there, or several."""
    roles = plan[ROLES]
    for r in range(roles):
        given[r] = 0
    outcome, total = np.int64(0), 0.0
    for i in range(goal_role.size):
        goal = fetch(out, 1 + i)
        bit = (words[(goal >> 1) * 8 + w] >> np.uint64(b)) & np.uint64(1)
        if np.int64(bit) != (goal & 1):
            given[goal_role[i]] += 1
            outcome += goal_value[i] * radix[goal_role[i]]
            total += goal_worth[(roles + goal_role[i]) * plan[VALUES] + goal_value[i]]
    for r in range(roles):
        if given[r] != 1:
            return np.int64(-1)
    if count[TOTAL] == 0:
        count[TOTAL] = np.int64(total) + 1
    elif count[TOTAL] != np.int64(total) + 1:
        count[UNEVEN] = 1
    return outcome if plan[PROVABLE] != 0 else np.int64(-1)


@jit
def judge_children(
    think: Any, think_runs: Any, think_index: Any, think_out: Any, final: Any, final_runs: Any, final_index: Any,
    final_out: Any, goal_role: Any, goal_value: Any, rows: Any, lane_rows: Any, lane_moves: Any, lane_edge: Any,
    result: Any, given: Any, fluents: Any, masks: Any, node: Any, edge: Any, score: Any, block: Any, plan: Any,
    count: Any, radix: Any, sizes: Any, goal_worth: Any,
) -> None:  # fmt: skip
    """The states after up to 512 edges: those that are terminal are proved. The lanes say node, moves and edge."""
    next_states(
        think, think_runs, think_index, think_out, rows, lane_rows, lane_moves, fluents, final, masks, block, plan
    )  # fmt: skip
    run_gates(final, final_runs, 0, final_runs.size // 3, final_index, 0, plan[FINAL_BASE])
    words = final.view(np.uint64)
    literal = fetch(final_out, 0)
    for w in range(8):
        word = words[(literal >> 1) * 8 + w]
        over = ~word if (literal & 1) != 0 else word
        if over == np.uint64(0):
            continue
        for b in range(64):
            lane = 64 * w + b
            if (over >> np.uint64(b)) & np.uint64(1) == np.uint64(0) or lane_rows[lane] < 0:
                continue
            outcome = read_outcome(
                words, final_out, w, b, goal_role, goal_value, given, plan, count, radix, goal_worth
            )  # fmt: skip
            if outcome >= 0:
                settle(node, edge, score, lane_rows[lane], lane_edge[lane], outcome, radix, sizes)


@jit
def end_nodes(
    final: Any, runs: Any, index: Any, out: Any, goal_role: Any, goal_value: Any, rows: Any, lane_rows: Any,
    given: Any, node: Any, block: Any, plan: Any, count: Any, radix: Any, goal_worth: Any,
) -> None:  # fmt: skip
    """Of up to 512 nodes, those whose states are terminal: they get their outcome and SEEN = 1, the others SEEN = 0."""
    put_on_bench(final, lane_rows, rows, plan[ROW_WORDS], plan[BITS], block)
    run_gates(final, runs, 0, runs.size // 3, index, 0, plan[FINAL_BASE])
    words = final.view(np.uint64)
    literal = fetch(out, 0)
    for lane in range(512):
        n = lane_rows[lane]
        if n < 0:
            continue
        bit = (words[(literal >> 1) * 8 + (lane >> 6)] >> np.uint64(lane & 63)) & np.uint64(1)
        node[n * NODE + SEEN] = 0
        if np.int64(bit) != (literal & 1):
            node[n * NODE + SEEN] = 1
            node[n * NODE + STATUS] = read_outcome(
                words, out, lane >> 6, lane & 63, goal_role, goal_value, given, plan, count, radix, goal_worth
            )  # fmt: skip


@jit
def grow(
    think: Any, think_runs: Any, think_index: Any, think_out: Any, judge: Any, judge_runs: Any, judge_index: Any,
    judge_out: Any, final: Any, final_runs: Any, final_index: Any, final_out: Any, goal_role: Any, goal_value: Any,
    rows: Any, node: Any, forced: Any, score: Any, edge: Any, worth: Any, regret: Any, sides: Any, fresh: Any,
    n_fresh: Any, lane_rows: Any, lane_moves: Any, lane_edge: Any, legal: Any, result: Any, given: Any, fluents: Any,
    masks: Any, role_start: Any, block: Any, plan: Any, count: Any, radix: Any, sizes: Any, goal_worth: Any,
    tuning: Any, local: Any, part_of: Any, part_mask: Any, place_table: Any, place_key: Any, place: Any,
    place_worth: Any, record: Any,
) -> None:  # fmt: skip
    """Make nodes of the rows ``fresh[:n_fresh]``: edges, and proofs of moves that end the game.

    A node that cannot be made (no room, or a role has no move) has 0 edges afterwards.
    """
    roles = plan[ROLES]
    waiting = 0
    for low in range(0, n_fresh, 512):
        high = min(low + 512, n_fresh)
        find_moves(
            judge, judge_runs, judge_index, judge_out, rows, fresh, low, high, lane_rows, legal, block, plan
        )  # fmt: skip
        # where one role chose and proofs are made, ends are known before: they never get here
        ends = plan[SOLVER] == 0 or count[SIDE_END] > 0
        if ends:
            end_nodes(
                final, final_runs, final_index, final_out, goal_role, goal_value, rows, lane_rows, given, node, block,
                plan, count, radix, goal_worth,
            )  # fmt: skip
        for i in range(low, high):
            n = fresh[i]
            if ends and node[n * NODE + SEEN] != 0:
                node[n * NODE + COUNT] = 0
                continue
            if not make_edges(
                node, forced, score, edge, worth, regret, sides, legal, i - low, n, role_start, plan, count
            ):
                node[n * NODE + COUNT] = 0
                node[n * NODE + STATUS] = -1
                continue
            if plan[PARTS] > 0:
                remember(
                    node, rows, score, edge, worth, n, tuning, local, part_of, part_mask, place_table, place_key, place,
                    place_worth, record, plan, count,
                )  # fmt: skip
            r = node[n * NODE + CHOOSER]
            if r < 0 or plan[SOLVER] == 0:
                continue
            for e in range(node[n * NODE + FIRST], node[n * NODE + FIRST] + node[n * NODE + COUNT]):
                lane_rows[waiting] = n
                lane_edge[waiting] = e
                for q in range(roles):
                    lane_moves[waiting * roles + q] = forced[n * roles + q]
                lane_moves[waiting * roles + r] = edge[e * EDGE + MOVE]
                waiting += 1
                if waiting == 512:
                    judge_children(
                        think, think_runs, think_index, think_out, final, final_runs, final_index, final_out,
                        goal_role, goal_value, rows, lane_rows, lane_moves, lane_edge, result, given, fluents, masks,
                        node, edge, score, block, plan, count, radix, sizes, goal_worth,
                    )  # fmt: skip
                    waiting = 0
        for lane in range(waiting, 512):
            lane_rows[lane] = -1
        if waiting > 0:
            judge_children(
                think, think_runs, think_index, think_out, final, final_runs, final_index, final_out, goal_role,
                goal_value, rows, lane_rows, lane_moves, lane_edge, result, given, fluents, masks, node, edge, score,
                block, plan, count, radix, sizes, goal_worth,
            )  # fmt: skip
            waiting = 0


@jit
def new_node(node: Any, rows: Any, table: Any, n: Any, turn: Any, plan: Any, count: Any) -> Any:
    """The node for the state that stands at row n, the first free one: an old one if equal, else n itself."""
    for i in range(n * NODE, (n + 1) * NODE):
        node[i] = 0  # no edges until ``grow`` has made it
    node[n * NODE + TURN] = turn
    node[n * NODE + STATUS] = -1
    if plan[MERGE] != 0:
        found = find_node(node, rows, table, n, plan, count)
        if found >= 0:
            return found
    count[NODES] += 1
    if count[NODES] >= plan[NODE_ROOM]:
        count[FULL] = 1
    return np.int64(n)
