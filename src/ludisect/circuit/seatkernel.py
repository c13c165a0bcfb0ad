"""Playouts from given states: a lane is a seat, which takes a new play when the last one has ended.

As ``lanekernel`` plays from the start, these kernels play from wherever the caller says. The caller puts states on a
*bench*, lane by lane, each marked with the turn it stands at. All lanes of a batch are at one turn; a lane on the bench
sits down at the step at which its turn comes round. Plays that have ended stay where they are until the caller has
harvested their goals; nothing waits for the longest play.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludisect.circuit.lanekernel import AGE_PLANES, FEW_NODES, FEW_PLAYS, choose_few, choose_many, run_gates
from ludisect.circuit.rows import transpose64
from ludisect.circuit.scalar import lowest_bit
from ludisect.circuit.vector import (
    add_population,
    any_lane,
    both,
    differ,
    either,
    fetch,
    load,
    load_signed,
    ones,
    plane0,
    plane1,
    planes4,
    planes6,
    planes8,
    planes12,
    planes20,
    random_planes,
    select,
    store,
    sum_words,
    take_bit,
    without,
    zeros,
)
from ludisect.kernels.kernel import jit

# masks: one vector each; STALLED and BENCH have one per turn
ACTIVE, DONE, LOST, SCRATCH, AGE, STALLED, BENCH = 0, 1, 2, 3, 4, 8, 16
KEEP = 24
KEEPS = 4
"""Lanes in which moves of class 0, 1, … may be drawn at this step (see ``thin_out``)."""
SEAT_MASKS = KEEP + KEEPS

# counters
PHASE, STEP, RUNNING, FREE, MOVES, SEAT_COUNTERS = range(6)


@jit
def choose_moves(
    source: Any, legal: Any, values: Any, target: Any, choices: Any, low: Any, high: Any, live: Any, random: Any,
    blocks: Any, dirty: Any,
) -> Any:  # fmt: skip
    """Draw a move for every role that has a choice, choices low..high. Gives (stuck lanes, stalled lanes).

    Which moves are legal stands in ``source``, at the literals ``legal``; the chosen ones are written to ``values``.
    """
    stuck = zeros()
    stalled = zeros()
    for c in range(low, high):
        first, end, moves, shared = choices[c, 0], choices[c, 1], choices[c, 2], choices[c, 3] != 0
        if moves <= 15:
            none, late = choose_few(source, legal, values, target, first, moves, live, random)
        elif moves <= 63:
            none, late = choose_many(
                planes6(), source, legal, values, target, first, end, live, random, blocks, dirty, shared
            )
        elif moves <= 255:
            none, late = choose_many(
                planes8(), source, legal, values, target, first, end, live, random, blocks, dirty, shared
            )
        elif moves <= 4095:
            none, late = choose_many(
                planes12(), source, legal, values, target, first, end, live, random, blocks, dirty, shared
            )
        else:
            none, late = choose_many(
                planes20(), source, legal, values, target, first, end, live, random, blocks, dirty, shared
            )
        stuck = either(stuck, none)
        stalled = either(stalled, late)
    return stuck, stalled


@jit
def thin_out(
    values: Any, legal: Any, thinned: Any, classes: Any, choices: Any, low: Any, high: Any, live: Any, masks: Any,
    random: Any,
) -> None:  # fmt: skip
    """Legal moves without those that their class rules out at this step, lane by lane; all where none would be left.

    Class 0 is always in, class 1 in three quarters of the lanes, 2 in half, 3 in one quarter. One draw a lane and step
    decides for all moves, so the lane draws uniformly among the best one, two, three or four classes.
    """
    every_bit, _ = take_bit(planes4(), ones())
    drawn = random_planes(every_bit, random, 0)
    one, other = plane0(drawn), plane1(drawn)
    store(masks, KEEP, ones())
    store(masks, KEEP + 1, either(one, other))
    store(masks, KEEP + 2, one)
    store(masks, KEEP + 3, both(one, other))
    for c in range(low, high):
        first, end = choices[c, 0], choices[c, 1]
        some = zeros()
        for i in range(first, end):
            x = both(load_signed(values, fetch(legal, i)), load(masks, KEEP + fetch(classes, i)))
            store(thinned, i, x)
            some = either(some, x)
        bare = without(live, some)
        if any_lane(bare):
            for i in range(first, end):
                x = both(load_signed(values, fetch(legal, i)), bare)
                store(thinned, i, either(x, load(thinned, i)))


@jit
def play_seats(
    values: Any, bench: Any, thinned: Any, masks: Any, random: Any, blocks: Any, dirty: Any, counters: Any,
    legal_runs: Any, legal_index: Any, next_runs: Any, next_index: Any, layout: Any, must: Any, choices: Any,
    move_legal: Any, move_target: Any, update: Any, fluents: Any, classes: Any, own: Any, epoch: Any, enough: Any,
    max_steps: Any,
) -> None:  # fmt: skip
    """Play on until ``enough`` seats are free, nobody plays any more, or ``max_steps`` steps are made.

    The arrays of programs are those of ``lanekernel.play``; ``own`` holds the literals of ``thinned``, one a move, and
    is empty where moves are drawn uniformly.
    """
    n_phases = layout.shape[0]
    for _ in range(max_steps):
        if counters[RUNNING] <= 0 or counters[FREE] >= enough:
            break
        phase = counters[PHASE]
        active = either(load(masks, ACTIVE), load(masks, STALLED + phase))
        store(masks, STALLED + phase, zeros())
        fresh = load(masks, BENCH + phase)
        if any_lane(fresh):
            for i in range(fluents.size):
                node = fetch(fluents, i)
                store(values, node, select(fresh, load(bench, node), load(values, node)))
            for p in range(AGE_PLANES):
                store(masks, AGE + p, without(load(masks, AGE + p), fresh))
            store(masks, BENCH + phase, zeros())
            active = either(active, fresh)
        going = zeros()
        counters[STEP] += 1
        if epoch > 0 and counters[STEP] % epoch == 0:
            carry = ones()
            for p in range(AGE_PLANES):
                bit = load(masks, AGE + p)
                store(masks, AGE + p, differ(bit, carry))
                carry = both(bit, carry)
        if any_lane(active):
            run_gates(
                values, legal_runs, layout[phase, 0], layout[phase, 1], legal_index, layout[phase, 2], layout[phase, 3]
            )
            terminal = both(load_signed(values, layout[phase, 4]), active)
            live = without(active, terminal)
            low, high = layout[phase, 7], layout[phase, 8]
            if own.size > 0:
                thin_out(values, move_legal, thinned, classes, choices, low, high, live, masks, random)
                stuck, stalled = choose_moves(
                    thinned, own, values, move_target, choices, low, high, live, random, blocks, dirty
                )
            else:
                stuck, stalled = choose_moves(
                    values, move_legal, values, move_target, choices, low, high, live, random, blocks, dirty
                )
            for i in range(layout[phase, 5], layout[phase, 6]):
                stuck = either(stuck, without(live, load_signed(values, fetch(must, i))))
            lost = either(both(stuck, live), both(load(masks, AGE + AGE_PLANES - 1), live))
            stalled = without(both(stalled, live), lost)
            going = without(without(live, lost), stalled)
            ended = either(terminal, lost)
            if any_lane(ended):
                n = sum_words(add_population(zeros(), ended))
                counters[RUNNING] -= n
                counters[FREE] += n
                store(masks, DONE, either(load(masks, DONE), terminal))
                store(masks, LOST, either(load(masks, LOST), lost))
            counters[MOVES] += sum_words(add_population(zeros(), going))
            run_gates(
                values, next_runs, layout[phase, 9], layout[phase, 10], next_index, layout[phase, 11],
                layout[phase, 12],
            )  # fmt: skip
            for u in range(layout[phase, 13], layout[phase, 14]):
                node = fetch(update, 2 * u)
                store(values, node, select(going, load_signed(values, fetch(update, 2 * u + 1)), load(values, node)))
            store(masks, STALLED + phase, stalled)
        store(masks, ACTIVE, going)
        phase += 1
        counters[PHASE] = phase if phase < n_phases else 0


@jit
def harvest_goals(
    values: Any, kept: Any, masks: Any, goal_fluents: Any, goal_runs: Any, goal_index: Any, goal: Any, goal_base: Any,
    goal_role: Any, goal_value: Any, n_roles: Any, result: Any, given: Any,
) -> None:  # fmt: skip
    """The goals of all plays that have ended, lane by lane: ``result[lane * n_roles + role]``, given so many times."""
    ended = either(load(masks, DONE), load(masks, LOST))
    store(masks, SCRATCH, ended)
    for w in range(8):
        word = np.uint64(masks[SCRATCH * 8 + w])
        while word != np.uint64(0):
            lane = 64 * w + lowest_bit(word)
            word &= word - np.uint64(1)
            for r in range(lane * n_roles, (lane + 1) * n_roles):
                given[r] = 0
    for i in range(goal_fluents.size):
        node = fetch(goal_fluents, i)
        store(kept, node, load(values, node))
    run_gates(kept, goal_runs, 0, goal_runs.size // 3, goal_index, 0, goal_base)
    for i in range(goal.size):
        store(masks, SCRATCH, both(load_signed(kept, goal[i]), ended))
        role, value = goal_role[i], goal_value[i]
        for w in range(8):
            word = np.uint64(masks[SCRATCH * 8 + w])
            while word != np.uint64(0):
                at = (64 * w + lowest_bit(word)) * n_roles + role
                word &= word - np.uint64(1)
                given[at] += 1
                result[at] = value


@jit
def put_on_bench(bench: Any, lane_rows: Any, rows: Any, n_words: Any, n_bits: Any, block: Any) -> None:
    """Transpose packed rows to the bench: lane i gets row ``lane_rows[i]`` of ``rows``, or keeps what it has (-1)."""
    words = bench.view(np.uint64)
    for w in range(8):
        fresh = np.uint64(0)
        for i in range(64):
            if lane_rows[64 * w + i] >= 0:
                fresh |= np.uint64(1) << np.uint64(i)
        if fresh == np.uint64(0):
            continue
        for column in range(n_words):
            for i in range(64):
                row = lane_rows[64 * w + i]
                block[i] = rows[row * n_words + column] if row >= 0 else np.uint64(0)
            transpose64(block)
            for b in range(min(64, n_bits - 64 * column)):
                at = (1 + 64 * column + b) * 8 + w
                words[at] = (words[at] & ~fresh) | block[b]


def _few_rows(*args: Any) -> bool:
    """Whether plain Python is quick enough: few plays are left to start, and the circuit is small."""
    values, queue = args[0], args[34]
    return bool(queue[1] <= FEW_PLAYS and values.size <= 8 * FEW_NODES)


@jit(
    "(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint8[::1], int64[::1], "
    "int32[::1], int32[::1], int32[::1], int32[::1], int64[:, ::1], int32[::1], int64[:, ::1], int32[::1], "
    "int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], "
    "int64, int64[::1], int64[::1], uint64[::1], int32[::1], int64, int64, int64[::1], int64[::1], int64[::1], "
    "int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint64[::1], int64, int64)",
    small=_few_rows,
)
def play_rows(
    values: Any, bench: Any, thinned: Any, kept: Any, masks: Any, random: Any, blocks: Any, dirty: Any, counters: Any,
    legal_runs: Any, legal_index: Any, next_runs: Any, next_index: Any, layout: Any, must: Any, choices: Any,
    move_legal: Any, move_target: Any, update: Any, fluents: Any, classes: Any, own: Any, goal_fluents: Any,
    goal_runs: Any, goal_index: Any, goal: Any, goal_base: Any, goal_role: Any, goal_value: Any, rows: Any, turns: Any,
    n_words: Any, n_bits: Any, left: Any, queue: Any, tag: Any, busy: Any, lane_rows: Any, result: Any, given: Any,
    sums: Any, best: Any, ends: Any, block: Any, epoch: Any, rounds: Any,
) -> None:  # fmt: skip
    """Plays from each row: what every role got in sum and at best, for some rounds or until all have been played.

    ``left`` says how many plays of each row are to be started, ``queue`` which row is next, and how many plays are left
    in all. ``tag`` is the row that a lane has on the bench (-1 for none): as long as plays of it are left it takes
    these, which needs no transposing. ``ends`` counts per row the plays that were finished, had no proper goals, and
    were lost.
    """
    n_roles = sums.size // turns.size
    for _ in range(rounds):
        lost = load(masks, LOST)
        if any_lane(either(load(masks, DONE), lost)):
            harvest_goals(
                values, kept, masks, goal_fluents, goal_runs, goal_index, goal, goal_base, goal_role, goal_value,
                n_roles, result, given,
            )  # fmt: skip
            for lane in range(512):
                bit = np.int64(1) << (lane & 63)
                row = tag[lane]
                if (masks[LOST * 8 + (lane >> 6)] & bit) != 0:
                    ends[3 * row + 2] += 1
                    busy[lane] = 0
                elif (masks[DONE * 8 + (lane >> 6)] & bit) != 0:
                    busy[lane] = 0
                    proper = True
                    for r in range(n_roles):
                        if given[lane * n_roles + r] != 1:
                            proper = False
                    if not proper:
                        ends[3 * row + 1] += 1
                        continue
                    ends[3 * row] += 1
                    for r in range(n_roles):
                        value = result[lane * n_roles + r]
                        sums[row * n_roles + r] += value
                        if value > best[row * n_roles + r]:
                            best[row * n_roles + r] = value
            store(masks, DONE, zeros())
            store(masks, LOST, zeros())
        if queue[1] > 0:
            for lane in range(512):
                lane_rows[lane] = -1
                if busy[lane] == 0 and queue[1] > 0:
                    row = tag[lane]
                    if row < 0 or left[row] == 0:
                        row = queue[0]
                        while left[row] == 0:
                            row = row + 1 if row + 1 < left.size else 0
                        queue[0] = row + 1 if row + 1 < left.size else 0
                        tag[lane] = row
                        lane_rows[lane] = row
                    left[row] -= 1
                    queue[1] -= 1
                    busy[lane] = 1
                    masks[(BENCH + turns[row]) * 8 + (lane >> 6)] |= np.int64(1) << (lane & 63)
                    counters[RUNNING] += 1
                    counters[FREE] -= 1
            put_on_bench(bench, lane_rows, rows, n_words, n_bits, block)
        if counters[RUNNING] <= 0:
            break
        # a refill passes over all fluents, so some lanes wait for others; at the end all are waited for
        enough = np.int64(128) if queue[1] > 0 else np.int64(513)
        play_seats(
            values, bench, thinned, masks, random, blocks, dirty, counters, legal_runs, legal_index, next_runs,
            next_index, layout, must, choices, move_legal, move_target, update, fluents, classes, own, epoch, enough,
            1 << 10,
        )  # fmt: skip
