"""The playout kernel: 512 plays at once, each net a 512-bit vector, compiled once for all games.

The game is data (see ``program``): the kernel itself never changes, so it is compiled once and kept.
One step evaluates legal and terminal, lets every lane draw a uniform legal move for each role, evaluates next, and
writes the new state. Everything is bit-sliced: a lane is one bit of every vector.

* Drawing. Legal moves are counted per lane in bit-sliced counters; a number below the count is drawn by rejection; a
  second walk over the moves subtracts 1 per legal move, and the borrow marks the chosen one. Roles with many moves
  count in blocks of eight first, so that most of the walk works on short numbers.
* Rejection. After a few rounds the lanes that are still without a number *stall*: they keep their state and draw again
  at their next turn. Whether a lane stalls does not depend on the move it would have drawn: the moves stay uniform.
* Phases. In a game with turns every lane of a batch is at the same turn (see ``phase``), so each turn has a smaller
  program of its own. A lane that is finished waits for the turn at which plays begin; a stalled one for its own.
* Goals are evaluated late: final states are kept aside, lane by lane, until a lane would keep a second one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludisect.circuit.vector import (
    add_nibble,
    add_population,
    any_lane,
    both,
    count_eight,
    differ,
    either,
    exceeds,
    fetch,
    load,
    load_signed,
    ones,
    plane0,
    plane1,
    plane2,
    plane3,
    planes4,
    planes6,
    planes8,
    planes12,
    planes20,
    random_planes,
    select,
    select_planes,
    smear_down,
    store,
    sum_words,
    take_bit,
    take_nibble,
    without,
    zeros,
)
from ludisect.kernels.kernel import jit

# masks: one vector each
ACTIVE, WAITING, PENDING, AGE, STALLED = 0, 1, 2, 3, 8
AGE_PLANES = 4
MASKS = 24

# counters
TO_START, STATES, MOVES, ENDED, STUCK, CUT, STEP, PHASE, RUNNING, COUNTERS = range(10)

MAX_AGE = 8
"""Epochs after which a play is cut short; an epoch is a number of steps set by the caller."""

FEW_PLAYS, FEW_NODES = 2000, 2000
"""Up to so many plays on so many nodes plain Python does not keep anybody waiting."""

ROUNDS = 4
"""Rounds of rejection before lanes stall."""


@jit
def run_gates(values: Any, runs: Any, low: Any, high: Any, index: Any, at: Any, out: Any) -> None:
    """Evaluate runs low..high of AND gates on all lanes; their edges begin at index[at], their results at node out.

    ``runs`` is flat, three numbers a run. The commonest shapes of gate have loops of their own.
    """
    for r in range(3 * low, 3 * high, 3):
        plain = fetch(runs, r)
        inverted = fetch(runs, r + 1)
        end = out + fetch(runs, r + 2)
        if plain == 2 and inverted == 0:
            while out < end:
                store(values, out, both(load(values, fetch(index, at)), load(values, fetch(index, at + 1))))
                at += 2
                out += 1
        elif plain == 1 and inverted == 1:
            while out < end:
                store(values, out, without(load(values, fetch(index, at)), load(values, fetch(index, at + 1))))
                at += 2
                out += 1
        elif plain == 0 and inverted == 2:
            while out < end:
                x = either(load(values, fetch(index, at)), load(values, fetch(index, at + 1)))
                store(values, out, differ(x, ones()))
                at += 2
                out += 1
        elif plain == 3 and inverted == 0:
            while out < end:
                x = both(load(values, fetch(index, at)), load(values, fetch(index, at + 1)))
                store(values, out, both(x, load(values, fetch(index, at + 2))))
                at += 3
                out += 1
        elif plain == 2 and inverted == 1:
            while out < end:
                x = both(load(values, fetch(index, at)), load(values, fetch(index, at + 1)))
                store(values, out, without(x, load(values, fetch(index, at + 2))))
                at += 3
                out += 1
        elif plain == 1 and inverted == 2:
            while out < end:
                x = without(load(values, fetch(index, at)), load(values, fetch(index, at + 1)))
                store(values, out, without(x, load(values, fetch(index, at + 2))))
                at += 3
                out += 1
        elif plain == 0 and inverted == 3:
            while out < end:
                x = either(load(values, fetch(index, at)), load(values, fetch(index, at + 1)))
                store(values, out, differ(either(x, load(values, fetch(index, at + 2))), ones()))
                at += 3
                out += 1
        elif inverted == 0:
            while out < end:
                x = load(values, fetch(index, at))
                stop = at + plain
                at += 1
                while at < stop:
                    x = both(x, load(values, fetch(index, at)))
                    at += 1
                store(values, out, x)
                out += 1
        elif plain == 0:
            while out < end:
                x = load(values, fetch(index, at))
                stop = at + inverted
                at += 1
                while at < stop:
                    x = either(x, load(values, fetch(index, at)))
                    at += 1
                store(values, out, differ(x, ones()))
                out += 1
        else:
            while out < end:
                x = load(values, fetch(index, at))
                stop = at + plain
                at += 1
                while at < stop:
                    x = both(x, load(values, fetch(index, at)))
                    at += 1
                stop = at + inverted
                while at < stop:
                    x = without(x, load(values, fetch(index, at)))
                    at += 1
                store(values, out, x)
                out += 1


@jit
def _draw(count: Any, live: Any, random: Any) -> Any:
    """A number below ``count`` in every live lane; (numbers, lanes with count 0, lanes still without a number)."""
    highest, none = take_bit(count, ones())
    bits = smear_down(highest)
    todo = without(live, none)
    number = random_planes(bits, random, 0)
    todo = both(todo, exceeds(number, highest))
    for _ in range(ROUNDS):
        if not any_lane(todo):
            break
        again = random_planes(bits, random, 0)
        number = select_planes(todo, again, number)
        todo = both(todo, exceeds(again, highest))
    return number, none, todo


@jit
def choose_few(source: Any, legal: Any, values: Any, target: Any, low: Any, moves: Any, live: Any, random: Any) -> Any:
    """At most 15 moves: count in four planes, draw, walk. Gives (stuck lanes, stalled lanes)."""
    count = planes4()
    for i in range(low, low + moves, 8):
        count = count_eight(
            count,
            load_signed(source, fetch(legal, i)),
            load_signed(source, fetch(legal, i + 1)),
            load_signed(source, fetch(legal, i + 2)),
            load_signed(source, fetch(legal, i + 3)),
            load_signed(source, fetch(legal, i + 4)),
            load_signed(source, fetch(legal, i + 5)),
            load_signed(source, fetch(legal, i + 6)),
            load_signed(source, fetch(legal, i + 7)),
        )
    number, none, stalled = _draw(count, live, random)
    for i in range(low, low + moves):
        # The count fits in the planes, so a number passes below zero once at most: at the chosen move.
        number, chosen = take_bit(number, load_signed(source, fetch(legal, i)))
        store(values, fetch(target, i), chosen)
    return both(live, none), stalled


@jit
def choose_many(
    count: Any, source: Any, legal: Any, values: Any, target: Any, low: Any, high: Any, live: Any, random: Any,
    blocks: Any, dirty: Any, shared: Any,
) -> Any:  # fmt: skip
    """Any number of moves, in blocks of eight. ``count`` is zero planes, wide enough for the number of moves.

    ``dirty`` marks the blocks whose moves are not all zero since last time; it cannot be trusted if other phases write
    the same moves (``shared``).
    """
    b = 0
    for i in range(low, high, 8):
        eight = count_eight(
            planes4(),
            load_signed(source, fetch(legal, i)),
            load_signed(source, fetch(legal, i + 1)),
            load_signed(source, fetch(legal, i + 2)),
            load_signed(source, fetch(legal, i + 3)),
            load_signed(source, fetch(legal, i + 4)),
            load_signed(source, fetch(legal, i + 5)),
            load_signed(source, fetch(legal, i + 6)),
            load_signed(source, fetch(legal, i + 7)),
        )
        x0, x1, x2, x3 = plane0(eight), plane1(eight), plane2(eight), plane3(eight)
        store(blocks, b, x0)
        store(blocks, b + 1, x1)
        store(blocks, b + 2, x2)
        store(blocks, b + 3, x3)
        b += 4
        count, _ = add_nibble(count, x0, x1, x2, x3)
    number, none, stalled = _draw(count, live, random)
    live = without(live, either(none, stalled))
    b = 0
    for i in range(low, high, 8):
        left, here = take_nibble(number, load(blocks, b), load(blocks, b + 1), load(blocks, b + 2), load(blocks, b + 3))
        here = both(here, live)
        if any_lane(here):
            r0, r1, r2 = plane0(number), plane1(number), plane2(number)
            for k in range(i, i + 8):
                borrow = both(here, load_signed(source, fetch(legal, k)))
                c0 = without(borrow, r0)
                r0 = differ(r0, borrow)
                c1 = without(c0, r1)
                r1 = differ(r1, c0)
                c2 = without(c1, r2)
                r2 = differ(r2, c1)
                store(values, fetch(target, k), c2)
            dirty[i >> 3] = 1
        elif shared or dirty[i >> 3] != 0:
            for k in range(i, i + 8):
                store(values, fetch(target, k), zeros())
            dirty[i >> 3] = 0
        number = left
        b += 4
    return none, stalled


@jit
def _flush_goals(kept: Any, masks: Any, runs: Any, index: Any, base: Any, goal: Any, tally: Any) -> None:
    """Evaluate the goals of the final states that are kept aside and count them."""
    pending = load(masks, PENDING)
    run_gates(kept, runs, 0, runs.size // 3, index, 0, base)
    for i in range(goal.size):
        hits = both(load_signed(kept, goal[i]), pending)
        tally[i] += sum_words(add_population(zeros(), hits))
    store(masks, PENDING, zeros())


def _few_plays(*args: Any) -> bool:
    """Whether plain Python is quick enough: few plays are left to start, and the circuit is small."""
    values, counters = args[0], args[6]
    return bool(counters[TO_START] <= FEW_PLAYS and values.size <= 8 * FEW_NODES)


@jit(
    "(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint8[::1], int64[::1], int64[::1], int32[::1], "
    "int32[::1], int32[::1], int32[::1], int64[:, ::1], int32[::1], int64[:, ::1], int32[::1], int32[::1], "
    "int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], int64, int64, int64)",
    small=_few_plays,
)
def play(
    values: Any, kept: Any, masks: Any, random: Any, blocks: Any, dirty: Any, counters: Any, tally: Any,
    legal_runs: Any, legal_index: Any, next_runs: Any, next_index: Any, layout: Any, must: Any, choices: Any,
    move_legal: Any, move_target: Any, update: Any, restart: Any, goal_fluents: Any, goal_runs: Any, goal_index: Any,
    goal: Any, goal_base: Any, epoch: Any, max_steps: Any,
) -> None:  # fmt: skip
    """Play on for ``max_steps`` steps, or until every play that was to be started has ended.

    Arrays of programs hold those of all phases one after the other; ``layout[p]`` says where phase p's parts are:
    legal runs (from, to), legal index, legal base, terminal literal, must (from, to), choices (from, to),
    next runs (from, to), next index, next base, update (from, to). See ``lanes`` for how they are made.
    """
    n_phases = layout.shape[0]
    for _ in range(max_steps):
        phase = counters[PHASE]
        active = load(masks, ACTIVE)
        if counters[TO_START] <= 0 and counters[RUNNING] <= 0:
            break
        run_gates(
            values, legal_runs, layout[phase, 0], layout[phase, 1], legal_index, layout[phase, 2], layout[phase, 3]
        )
        terminal = both(load_signed(values, layout[phase, 4]), active)
        live = without(active, terminal)
        stuck = zeros()
        stalled = zeros()
        for i in range(layout[phase, 5], layout[phase, 6]):
            stuck = either(stuck, without(live, load_signed(values, fetch(must, i))))
        for c in range(layout[phase, 7], layout[phase, 8]):
            low, high, moves, shared = choices[c, 0], choices[c, 1], choices[c, 2], choices[c, 3] != 0
            # what ``choose_moves`` of ``seatkernel`` does; as a call it costs short plays a tenth of their speed
            if moves <= 15:
                none, late = choose_few(values, move_legal, values, move_target, low, moves, live, random)
            elif moves <= 63:
                none, late = choose_many(
                    planes6(), values, move_legal, values, move_target, low, high, live, random, blocks, dirty, shared
                )
            elif moves <= 255:
                none, late = choose_many(
                    planes8(), values, move_legal, values, move_target, low, high, live, random, blocks, dirty, shared
                )
            elif moves <= 4095:
                none, late = choose_many(
                    planes12(), values, move_legal, values, move_target, low, high, live, random, blocks, dirty, shared
                )
            else:
                none, late = choose_many(
                    planes20(), values, move_legal, values, move_target, low, high, live, random, blocks, dirty, shared
                )
            stuck = either(stuck, none)
            stalled = either(stalled, late)
        stuck = both(stuck, live)
        stalled = without(both(stalled, live), stuck)
        going = without(without(live, stuck), stalled)
        done = either(terminal, stuck)
        if epoch > 0:
            counters[STEP] += 1
            if counters[STEP] % epoch == 0:
                # one more epoch for every lane; those at the bound are cut
                carry = ones()
                for p in range(AGE_PLANES):
                    bit = load(masks, AGE + p)
                    store(masks, AGE + p, differ(bit, carry))
                    carry = both(bit, carry)
            cut = both(load(masks, AGE + AGE_PLANES - 1), either(going, stalled))
            if any_lane(cut):
                going = without(going, cut)
                stalled = without(stalled, cut)
                done = either(done, cut)
                counters[CUT] += sum_words(add_population(zeros(), cut))
        counters[STATES] += sum_words(add_population(zeros(), without(active, stalled)))
        counters[MOVES] += sum_words(add_population(zeros(), going))
        if any_lane(done):
            ended = sum_words(add_population(zeros(), done))
            counters[RUNNING] -= ended
            if any_lane(terminal):
                counters[ENDED] += sum_words(add_population(zeros(), terminal))
                if any_lane(both(terminal, load(masks, PENDING))):
                    _flush_goals(kept, masks, goal_runs, goal_index, goal_base, goal, tally)
                store(masks, PENDING, either(load(masks, PENDING), terminal))
                for i in range(goal_fluents.size):
                    node = fetch(goal_fluents, i)
                    store(kept, node, select(terminal, load(values, node), load(kept, node)))
            counters[STUCK] += sum_words(add_population(zeros(), stuck))
            store(masks, WAITING, either(load(masks, WAITING), done))
        run_gates(
            values, next_runs, layout[phase, 9], layout[phase, 10], next_index, layout[phase, 11], layout[phase, 12]
        )
        for u in range(layout[phase, 13], layout[phase, 14]):
            node = fetch(update, 2 * u)
            store(values, node, select(going, load_signed(values, fetch(update, 2 * u + 1)), load(values, node)))

        # lanes that are in phase at the next step
        phase += 1
        if phase == n_phases:
            phase = 0
        store(masks, STALLED + counters[PHASE], stalled)
        active = either(going, load(masks, STALLED + phase))
        store(masks, STALLED + phase, zeros())
        if phase == 0 and counters[TO_START] > 0:
            fresh = load(masks, WAITING)
            if any_lane(fresh):
                begun = sum_words(add_population(zeros(), fresh))
                if begun > counters[TO_START]:
                    _keep_lowest(masks, counters[TO_START])
                    fresh = load(masks, WAITING)
                    begun = counters[TO_START]
                counters[TO_START] -= begun
                counters[RUNNING] += begun
                store(masks, WAITING, zeros())
                for i in range(restart.size):
                    node = fetch(restart, i) >> 1
                    start = load_signed(values, fetch(restart, i) & 1)  # the constant TRUE or FALSE
                    store(values, node, select(fresh, start, load(values, node)))
                active = either(active, fresh)
                for p in range(AGE_PLANES):
                    store(masks, AGE + p, without(load(masks, AGE + p), fresh))
        store(masks, ACTIVE, active)
        counters[PHASE] = phase
    if counters[TO_START] <= 0 and counters[RUNNING] <= 0 and any_lane(load(masks, PENDING)):
        _flush_goals(kept, masks, goal_runs, goal_index, goal_base, goal, tally)


@jit
def _keep_lowest(masks: Any, n: Any) -> None:
    """Leave the first n lanes of WAITING set: the last plays to be started are fewer than the free lanes."""
    for w in range(8):
        word = masks[WAITING * 8 + w]
        kept = np.int64(0)
        for b in range(64):
            bit = (word >> b) & 1
            if bit != 0 and n > 0:
                kept |= np.int64(1) << b
                n -= 1
        masks[WAITING * 8 + w] = kept
