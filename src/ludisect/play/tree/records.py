"""What moves of the parts came to, wherever the rest of the game stood: a bias for new nodes of the tree.

Where a game falls apart, what a move is worth hangs on the part in which it is made, and hardly on what happened
elsewhere meanwhile. So results are gathered by *places*: a state of one part with the role that chooses. Each place has
a *record* for every move of the role in this part, and one total of all plays that came by, from which the plays follow
in which the role moved elsewhere: its pass. A new node takes its first estimates from there,

    worth(move) = record(move) + sum over the other parts: pass(part) - (parts - 1) * mean of the role

(exact if results are sums over the parts, which they need not be), as if each move had been played some times already:
a share of the record's plays, and few. Plays of the node's own outweigh it soon. Nothing is left out, and nothing is
proved by it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludisect.circuit.record import mixed
from ludisect.kernels.kernel import jit
from ludisect.play.tree.fields import (
    CHOOSER,
    COUNT,
    EDGE,
    FIRST,
    FIRST_MOVE,
    MOVE,
    NODE,
    PARTS,
    PLACE_ROOM,
    PLACES,
    PRIOR,
    PRIOR_LEAST,
    PRIOR_MOST,
    RECORD,
    RECORD_ROOM,
    RECORDS,
    ROLES,
    ROW_WORDS,
    STARTED,
    VISITS,
)


@jit
def land_whole(place_worth: Any, weight: Any, gains: Any, plan: Any) -> None:
    """A play has ended: add what each role got to its mean over all plays, which stands before the first place."""
    for r in range(plan[ROLES]):
        place_worth[2 * r] += weight * gains[r]
        place_worth[2 * r + 1] += weight


@jit
def land_locally(
    edge: Any, local: Any, place_worth: Any, record: Any, n: Any, e: Any, weight: Any, gain: Any, plan: Any
) -> None:
    """A play has ended that went through edge e of node n: add to the move's record and to the places of the node."""
    one = edge[e * EDGE + RECORD]
    if one >= 0:
        at = 2 * (one // PRIOR)
        record[at] += gain
        record[at + 1] += weight
    for i in range(n * plan[PARTS], (n + 1) * plan[PARTS]):
        if local[i] >= 0:
            place_worth[2 * local[i]] += gain
            place_worth[2 * local[i] + 1] += weight


@jit
def find_place(
    rows: Any, n: Any, part: Any, chooser: Any, moves: Any, part_mask: Any, place_table: Any, place_key: Any,
    place: Any, place_worth: Any, record: Any, plan: Any, count: Any,
) -> Any:  # fmt: skip
    """The place of a part in the state of node n, made if it is new; -1 if there is no room.

    Also -1 if the place had another number of moves: then the part is not independent, and nothing is known of it.
    """
    words = plan[ROW_WORDS]
    h = mixed(np.uint64(part * plan[ROLES] + chooser) + np.uint64(0x9E3779B97F4A7C15))
    for w in range(words):
        h = mixed(h ^ (rows[n * words + w] & part_mask[part * words + w]))
    size = place_table.size
    slot = np.int64(h & np.uint64(size - 1))
    while place_table[slot] != 0:
        one = place_table[slot]
        if place_key[one] == h:
            return np.int64(one) if place[2 * one + 1] == moves else np.int64(-1)
        slot = (slot + 1) & (size - 1)
    one = count[PLACES]
    if one >= plan[PLACE_ROOM] or 2 * one >= size or count[RECORDS] + moves > plan[RECORD_ROOM]:
        return np.int64(-1)
    place_table[slot] = one
    place_key[one] = h
    place[2 * one] = count[RECORDS]
    place[2 * one + 1] = moves
    place_worth[2 * one] = place_worth[2 * one + 1] = 0.0
    for i in range(2 * count[RECORDS], 2 * (count[RECORDS] + moves)):
        record[i] = 0.0
    count[PLACES] += 1
    count[RECORDS] += moves
    return np.int64(one)


@jit
def passed(place: Any, place_worth: Any, record: Any, one: Any, least: Any) -> Any:
    """The mean of the plays that came by a place and went on elsewhere; of all plays there if these are too few."""
    total, plays = place_worth[2 * one], place_worth[2 * one + 1]
    if plays <= 0.0:
        return -1.0
    away, others = total, plays
    for i in range(place[2 * one], place[2 * one] + place[2 * one + 1]):
        away -= record[2 * i]
        others -= record[2 * i + 1]
    return away / others if others >= least else total / plays


@jit
def remember(
    node: Any, rows: Any, score: Any, edge: Any, worth: Any, n: Any, tuning: Any, local: Any, part_of: Any,
    part_mask: Any, place_table: Any, place_key: Any, place: Any, place_worth: Any, record: Any, plan: Any, count: Any,
) -> None:  # fmt: skip
    """Tie the edges of a new node to their records, and let them begin with what these say."""
    parts, r = plan[PARTS], node[n * NODE + CHOOSER]
    first, last = node[n * NODE + FIRST], node[n * NODE + FIRST] + node[n * NODE + COUNT]
    least = 1.0 / tuning[2] if tuning[2] > 0.0 else 1e18  # plays of a record that are worth one in advance
    resting, known = 0.0, 0
    for p in range(parts):
        local[n * parts + p] = -1
        if r < 0:
            continue
        moves = 0
        for e in range(first, last):
            if part_of[edge[e * EDGE + MOVE] - plan[FIRST_MOVE]] == p:
                moves += 1
        if moves == 0:
            continue
        one = find_place(
            rows, n, p, r, moves, part_mask, place_table, place_key, place, place_worth, record, plan, count
        )  # fmt: skip
        if one < 0:
            continue
        local[n * parts + p] = one
        at = place[2 * one]
        for e in range(first, last):
            if part_of[edge[e * EDGE + MOVE] - plan[FIRST_MOVE]] == p:
                edge[e * EDGE + RECORD] = at * PRIOR
                at += 1
        rest = passed(place, place_worth, record, one, least)
        if rest >= 0.0:
            resting += rest
            known += 1
    if r < 0 or place_worth[2 * r + 1] <= 0.0:
        return
    mean = place_worth[2 * r] / place_worth[2 * r + 1]
    for e in range(first, last):
        one = edge[e * EDGE + RECORD]
        if one < 0:
            continue
        at = 2 * (one // PRIOR)
        here = local[n * parts + part_of[edge[e * EDGE + MOVE] - plan[FIRST_MOVE]]]
        if place_worth[2 * here + 1] < least:
            continue
        plays = min(plan[PRIOR_LEAST] + np.int64(tuning[2] * record[at + 1]), plan[PRIOR_MOST])
        if plays < 1:
            continue
        # a move that is hardly known is worth what its place is
        own = (record[at] + place_worth[2 * here] / place_worth[2 * here + 1]) / (record[at + 1] + 1.0)
        others = resting - passed(place, place_worth, record, here, least)
        expected = min(1.0, max(0.0, own + others - (known - 1) * mean))
        worth[2 * e] = plays * expected
        worth[2 * e + 1] = plays
        edge[e * EDGE + STARTED] = plays
        edge[e * EDGE + RECORD] = one + plays
        node[n * NODE + VISITS] += plays
        score[2 * e] = expected
        score[2 * e + 1] = 1.0 / np.sqrt(np.float64(plays))
