"""The search itself: rounds of landing, picking, computing states, making nodes and playing on.

All rounds of a call are one piece of machine code.

There is no barrier: a lane is a play in flight. A round ends when a quarter of those in flight have landed, and as many
leaves are picked anew. While the tree is small few leaves are in flight, or hundreds of plays would be poured into the
same few; the lanes that are left then make further plays from the leaves that were picked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludisect.circuit.scalar import lowest_bit, ticks
from ludisect.circuit.seatkernel import BENCH, DONE, FREE, LOST, RUNNING, harvest_goals, play_seats
from ludisect.circuit.vector import any_lane, either, load, store, zeros
from ludisect.kernels.kernel import jit, never
from ludisect.play.tree.descent import land, outcome_worth, pick_leaf, settle_up, take_back, wants_node
from ludisect.play.tree.fields import (
    BITS,
    CELL_CHILD,
    CELL_EDGES,
    CHILD,
    CHOOSER,
    COUNT,
    DEEPEST,
    EDGE,
    EPOCH,
    GOAL_KINDS,
    LANDED,
    LANE_KINDS,
    LEAVES,
    LOST_PLAYS,
    MIND_KINDS,
    MOST_PLAYS,
    MOVE,
    NODE,
    NODE_ROOM,
    NODES,
    NUMBER_KINDS,
    PLAYS,
    ROLES,
    ROOT,
    ROW_WORDS,
    SEAT_KINDS,
    SOLVER,
    STATUS,
    STEP_KINDS,
    STEP_ROOM,
    STOP,
    TREE_KINDS,
    TURN,
    TURNS,
    VALUES,
    VISITS,
)
from ludisect.play.tree.sprouting import grow, new_node, next_states, take_rows

RAMP = 4
"""Leaves in flight at first, and the share of all visits that may be in flight: one in so many."""


@jit
def _land_all(
    masks: Any, depth: Any, weight: Any, result: Any, given: Any, node: Any, score: Any, edge: Any, worth: Any,
    regret: Any, sides: Any, cells: Any, cell_worth: Any, cell_table: Any, path: Any, gains: Any, plan: Any, count: Any,
    radix: Any, sizes: Any, goal_worth: Any, local: Any, place_worth: Any, record: Any,
) -> None:  # fmt: skip
    """Land every play that has ended; what has no proper goals counts one half for everybody."""
    roles = plan[ROLES]
    for w in range(8):
        word = np.uint64(masks[DONE * 8 + w] | masks[LOST * 8 + w])
        while word != np.uint64(0):
            lane = 64 * w + lowest_bit(word)
            word &= word - np.uint64(1)
            for r in range(roles):
                at = lane * roles + r
                gains[r] = goal_worth[r * plan[VALUES] + result[at]] if given[at] == 1 else 0.5
            land(
                node, score, edge, worth, regret, sides, cells, cell_worth, cell_table, path, lane * 2 * plan[DEEPEST],
                abs(depth[lane]), weight[lane], gains, plan, count, radix, sizes, goal_worth, local,
                place_worth, record,
            )  # fmt: skip
            depth[lane] = 0
            count[LANDED] += 1
            if (masks[LOST * 8 + w] >> (lane & 63)) & 1 != 0:
                count[LOST_PLAYS] += 1
    store(masks, DONE, zeros())
    store(masks, LOST, zeros())


@jit
def _pick_all(
    masks: Any, counters: Any, depth: Any, weight: Any, lane_rows: Any, lane_moves: Any, queue: Any, node: Any,
    width: Any, forced: Any, score: Any, edge: Any, worth: Any, regret: Any, sides: Any, cells: Any, cell_worth: Any,
    cell_table: Any, path: Any, gains: Any, plan: Any, tuning: Any, count: Any, radix: Any, sizes: Any, goal_worth: Any,
    local: Any, place_worth: Any, record: Any,
) -> Any:  # fmt: skip
    """Pick leaves for the free lanes and seat their plays. Gives (leaves picked, leaves that are to become nodes)."""
    roles, deepest = plan[ROLES], plan[DEEPEST]
    visits = node[count[ROOT] * NODE + VISITS]
    limit = min(plan[LEAVES], max(np.int64(RAMP), visits // RAMP))
    per_leaf = min(plan[MOST_PLAYS], max(plan[PLAYS], 512 // limit))
    picks = min(limit - (counters[RUNNING] + per_leaf - 1) // per_leaf, counters[FREE] // per_leaf)
    for lane in range(512):
        lane_rows[lane] = -1
    picked, queued, lane = 0, 0, 0
    for _ in range(picks):
        while depth[lane] != 0:
            lane += 1
        base = lane * 2 * deepest
        reached, outcome = pick_leaf(
            node, width, score, edge, worth, regret, sides, cells, cell_table, path, base, tuning[0], tuning[1], plan,
            count, radix, sizes,
        )  # fmt: skip
        if reached == 0:
            break
        if outcome >= 0:
            outcome_worth(outcome, radix, sizes, goal_worth, plan, gains)
            land(
                node, score, edge, worth, regret, sides, cells, cell_worth, cell_table, path, base, reached, 1.0, gains,
                plan, count, radix, sizes, goal_worth, local, place_worth, record,
            )  # fmt: skip
            count[LANDED] += 1
            continue
        picked += 1
        n, e = path[base + 2 * reached - 2], path[base + 2 * reached - 1]
        turn = node[n * NODE + TURN] + 1
        if turn == plan[TURNS]:
            turn = 0
        if wants_node(node, edge, cells, path, base, reached, plan, count):
            queue[queued] = lane
            queued += 1
        leader = lane
        for copy in range(per_leaf):
            if copy > 0:
                while depth[lane] != 0:
                    lane += 1
                for i in range(2 * reached):
                    path[lane * 2 * deepest + i] = path[base + i]
            depth[lane] = reached if copy == 0 else -reached  # copies count as one with their leader
            weight[lane] = 1.0 / per_leaf
            lane_rows[lane] = n
            masks[(BENCH + turn) * 8 + (lane >> 6)] |= np.int64(1) << (lane & 63)
            if copy > 0:
                for r in range(roles):
                    lane_moves[lane * roles + r] = lane_moves[leader * roles + r]
                continue
            for r in range(roles):
                lane_moves[lane * roles + r] = forced[n * roles + r]
            r = node[n * NODE + CHOOSER]
            if r >= 0:
                lane_moves[lane * roles + r] = edge[e * EDGE + MOVE]
            else:
                for r in range(roles):
                    chosen = cells[e * (CELL_EDGES + roles) + CELL_EDGES + r]
                    if chosen >= 0:
                        lane_moves[lane * roles + r] = edge[chosen * EDGE + MOVE]
        counters[RUNNING] += per_leaf
        counters[FREE] -= per_leaf
    return picked, queued


@jit
def _name_nodes(
    bench: Any, rows: Any, node: Any, table: Any, path: Any, depth: Any, lane_rows: Any, queue: Any, queued: Any,
    fresh: Any, block: Any, plan: Any, count: Any,
) -> Any:  # fmt: skip
    """Rows for the leaves in ``queue``, an old node for a state that has one. Gives the number of new ones.

    In the end ``fresh`` holds the new nodes, and from 512 on the node of each leaf in the queue, or -1.
    """
    start, words = count[NODES], plan[ROW_WORDS]
    for lane in range(512):
        lane_rows[lane] = -1
    for k in range(queued):
        if start + k < plan[NODE_ROOM]:
            lane_rows[queue[k]] = start + k
    take_rows(bench, lane_rows, rows, words, plan[BITS], block)
    new = 0
    for k in range(queued):
        fresh[512 + k] = -1
        if start + k >= plan[NODE_ROOM]:
            continue
        n = count[NODES]
        if n != start + k:
            for w in range(words):
                rows[n * words + w] = rows[(start + k) * words + w]
        last = path[queue[k] * 2 * plan[DEEPEST] + 2 * depth[queue[k]] - 2]
        turn = node[last * NODE + TURN] + 1
        found = new_node(node, rows, table, n, 0 if turn == plan[TURNS] else turn, plan, count)
        fresh[512 + k] = found
        if found == n:
            fresh[new] = n
            new += 1
    return new


@jit
def _link_nodes(
    node: Any, edge: Any, score: Any, cells: Any, path: Any, depth: Any, queue: Any, queued: Any, fresh: Any, plan: Any,
    radix: Any, sizes: Any,
) -> None:  # fmt: skip
    """The new nodes become children of the edges that led to them; what is proved of them goes up."""
    for k in range(queued):
        n = fresh[512 + k]
        if n < 0 or (node[n * NODE + COUNT] == 0 and node[n * NODE + STATUS] < 0):
            continue
        base = queue[k] * 2 * plan[DEEPEST]
        d = depth[queue[k]]
        parent, e = path[base + 2 * d - 2], path[base + 2 * d - 1]
        if node[n * NODE + COUNT] == 0 and plan[SOLVER] == 0 and node[parent * NODE + CHOOSER] >= 0:
            continue  # an end is a leaf like others where nothing is to be proved
        if node[parent * NODE + CHOOSER] < 0:
            cells[e * (CELL_EDGES + plan[ROLES]) + CELL_CHILD] = n
            continue
        edge[e * EDGE + CHILD] = n
        if node[n * NODE + STATUS] >= 0:
            settle_up(node, edge, score, path, base, d, np.int64(node[n * NODE + STATUS]), radix, sizes)


@jit(
    f"({SEAT_KINDS}, {STEP_KINDS}, {GOAL_KINDS}, {MIND_KINDS}, {TREE_KINDS}, {LANE_KINDS}, {NUMBER_KINDS}, int64)",
    small=never,
)
def search_rounds(
    values: Any, bench: Any, thinned: Any, kept: Any, masks: Any, random: Any, blocks: Any, dirty: Any, counters: Any,
    legal_runs: Any, legal_index: Any, next_runs: Any, next_index: Any, layout: Any, must: Any, choices: Any,
    move_legal: Any, move_target: Any, update: Any, fluents: Any, classes: Any, own: Any,
    goal_fluents: Any, goal_runs: Any, goal_index: Any, goal: Any, goal_base: Any, goal_role: Any, goal_value: Any,
    think: Any, think_runs: Any, think_index: Any, think_out: Any, judge: Any, judge_runs: Any, judge_index: Any,
    judge_out: Any, final: Any, final_runs: Any, final_index: Any, final_out: Any,
    node: Any, width: Any, rows: Any, forced: Any, table: Any, score: Any, edge: Any, worth: Any, regret: Any,
    sides: Any, cells: Any, cell_worth: Any, cell_table: Any,
    local: Any, part_of: Any, part_mask: Any, place_table: Any, place_key: Any, place: Any,
    place_worth: Any, record: Any,
    path: Any, depth: Any, weight: Any, lane_rows: Any, lane_moves: Any, lane_edge: Any, result: Any, given: Any,
    block: Any, legal: Any, gains: Any, queue: Any, fresh: Any,
    plan: Any, tuning: Any, count: Any, radix: Any, sizes: Any, goal_worth: Any, clocks: Any, role_start: Any,
    rounds: Any,
) -> None:  # fmt: skip
    """Search on for some rounds, or until the root is proved or somebody says stop."""
    for _ in range(rounds):
        if count[STOP] != 0 or node[count[ROOT] * NODE + STATUS] >= 0:
            break
        begin = ticks()
        if any_lane(either(load(masks, DONE), load(masks, LOST))):
            harvest_goals(
                values, kept, masks, goal_fluents, goal_runs, goal_index, goal, goal_base, goal_role, goal_value,
                plan[ROLES], result, given,
            )  # fmt: skip
            _land_all(
                masks, depth, weight, result, given, node, score, edge, worth, regret, sides, cells, cell_worth,
                cell_table, path, gains, plan, count, radix, sizes, goal_worth, local, place_worth, record,
            )  # fmt: skip
        landed = ticks()
        picked, queued = _pick_all(
            masks, counters, depth, weight, lane_rows, lane_moves, queue, node, width, forced, score, edge, worth,
            regret, sides, cells, cell_worth, cell_table, path, gains, plan, tuning, count, radix, sizes, goal_worth,
            local, place_worth, record,
        )  # fmt: skip
        selected = ticks()
        if picked > 0:
            next_states(
                think, think_runs, think_index, think_out, rows, lane_rows, lane_moves, fluents, bench, masks, block,
                plan,
            )  # fmt: skip
        computed = ticks()
        if queued > 0:
            new = _name_nodes(
                bench, rows, node, table, path, depth, lane_rows, queue, queued, fresh, block, plan, count
            )  # fmt: skip
            grow(
                think, think_runs, think_index, think_out, judge, judge_runs, judge_index, judge_out, final, final_runs,
                final_index, final_out, goal_role, goal_value, rows, node, forced, score, edge, worth, regret, sides,
                fresh, new, lane_rows, lane_moves, lane_edge, legal, result, given, fluents, masks, role_start, block,
                plan, count, radix, sizes, goal_worth, tuning, local, part_of, part_mask, place_table, place_key, place,
                place_worth, record,
            )  # fmt: skip
            _link_nodes(node, edge, score, cells, path, depth, queue, queued, fresh, plan, radix, sizes)
        grown = ticks()
        play_seats(
            values, bench, thinned, masks, random, blocks, dirty, counters, legal_runs, legal_index, next_runs,
            next_index, layout, must, choices, move_legal, move_target, update, fluents, classes, own, plan[EPOCH],
            counters[FREE] + max(np.int64(1), counters[RUNNING] >> 2), plan[STEP_ROOM],
        )  # fmt: skip
        clocks[0] += selected - landed
        clocks[1] += computed - selected
        clocks[2] += grown - computed
        clocks[3] += ticks() - grown
        clocks[4] += landed - begin


@jit(
    f"({MIND_KINDS}, {TREE_KINDS}, int64[::1], int64[::1], int32[::1], int64[::1], {LANE_KINDS}, {NUMBER_KINDS})",
    small=never,
)
def plant(
    think: Any, think_runs: Any, think_index: Any, think_out: Any, judge: Any, judge_runs: Any, judge_index: Any,
    judge_out: Any, final: Any, final_runs: Any, final_index: Any, final_out: Any,
    node: Any, width: Any, rows: Any, forced: Any, table: Any, score: Any, edge: Any, worth: Any, regret: Any,
    sides: Any, cells: Any, cell_worth: Any, cell_table: Any, local: Any, part_of: Any, part_mask: Any,
    place_table: Any, place_key: Any, place: Any, place_worth: Any, record: Any, goal_role: Any, goal_value: Any,
    fluents: Any, masks: Any,
    path: Any, depth: Any, weight: Any, lane_rows: Any, lane_moves: Any, lane_edge: Any, result: Any, given: Any,
    block: Any, legal: Any, gains: Any, queue: Any, fresh: Any,
    plan: Any, tuning: Any, count: Any, radix: Any, sizes: Any, goal_worth: Any, clocks: Any, role_start: Any,
) -> None:  # fmt: skip
    """Make a node of the row that stands at ``count[ROOT]``, whose turn is known."""
    n = count[ROOT]
    fresh[0] = new_node(node, rows, table, n, node[n * NODE + TURN], plan, count)
    grow(
        think, think_runs, think_index, think_out, judge, judge_runs, judge_index, judge_out, final, final_runs,
        final_index, final_out, goal_role, goal_value, rows, node, forced, score, edge, worth, regret, sides, fresh, 1,
        lane_rows, lane_moves, lane_edge, legal, result, given, fluents, masks, role_start, block, plan, count, radix,
        sizes, goal_worth, tuning, local, part_of, part_mask, place_table, place_key, place, place_worth, record,
    )  # fmt: skip


@jit(
    "(int32[::1], int32[::1], float32[::1], int32[::1], int32[::1], int64[::1], int64[::1])",
    small=never,
)
def take_back_all(node: Any, edge: Any, score: Any, cells: Any, path: Any, depth: Any, plan: Any) -> None:
    """Give up every play in flight."""
    for lane in range(512):
        if depth[lane] > 0:
            take_back(node, edge, score, cells, path, lane * 2 * plan[DEEPEST], depth[lane], plan)
            depth[lane] = 0
