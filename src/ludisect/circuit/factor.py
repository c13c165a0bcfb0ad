"""Factoring: (a AND b) OR (a AND c) becomes a AND (b OR c); pairs of literals that many share become gates.

Both passes keep every output and only save edges. See ``netlist`` for the layout of the arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludisect.circuit.netlist import (
    FALSE,
    TRUE,
    finished,
    intern_gate,
    join,
    live_gates,
    new_table,
    single_uses,
    sort_prefix,
)
from ludisect.kernels.kernel import jit

PAIR_GAIN = 4
"""A pair of literals becomes a gate when at least this many gates hold it: two edges and a store must pay off.
The kernel is compiled with it."""


@jit("(int64, int32[::1], int32[::1], int32[::1])")
def factor(n_inputs: Any, start: Any, literals: Any, outputs: Any) -> Any:
    """Take common literals out of the terms below each gate; ``(start, literals, outputs)``.

    A term of gate g is a complemented edge to a gate that nothing else uses. Two simplifications come with it: a term
    need not repeat a literal that g itself requires, and it vanishes if it holds the complement of one.
    """
    first = n_inputs + 1
    n_gates = start.size - 1
    live = live_gates(n_inputs, start, literals, outputs)
    kind = single_uses(n_inputs, start, literals, outputs, live)

    gate_room = 3 * n_gates + literals.size + 16
    literal_room = 6 * literals.size + 8 * n_gates + 64
    new_start = np.zeros(gate_room + 1, np.int32)
    new_literals = np.empty(literal_room, np.int32)
    table = new_table(gate_room)
    count = np.zeros(1, np.int64)
    node_map = np.empty(first + n_gates, np.int32)
    for i in range(first):
        node_map[i] = 2 * i

    n_literals = 2 * (first + gate_room)
    seen = np.zeros(n_literals, np.int32)
    tally = np.zeros(n_literals, np.int32)
    buffer = np.empty(literals.size + 2, np.int32)
    term_start = np.empty(literals.size + 2, np.int32)
    terms = np.empty(literals.size + n_gates + 2, np.int32)
    stamp = 0

    for g in range(n_gates):
        if not live[g]:
            continue
        stamp += 1
        n = 0
        false = False
        for e in range(start[g], start[g + 1]):
            old = literals[e]
            node = old >> 1
            target = node_map[node]
            if (
                (old & 1) == 1
                and node >= first
                and kind[node - first] == 2
                and target >> 1 >= first
                and (target & 1) == 0
            ):
                continue  # a term: below
            n = join(buffer, n, node_map[node] ^ (old & 1), seen, stamp)
            if n < 0:
                false = True
                break
        n_terms = 0
        used = 0
        if not false:
            for e in range(start[g], start[g + 1]):
                old = literals[e]
                node = old >> 1
                if not (node >= first and (old & 1) == 1 and kind[node - first] == 2):
                    continue
                target = node_map[node]
                if target >> 1 < first or (target & 1) == 1:
                    continue
                h = (target >> 1) - first
                begin = used
                vanished = False
                for k in range(new_start[h], new_start[h + 1]):
                    lit = new_literals[k]
                    if seen[lit ^ 1] == stamp:
                        vanished = True
                        break
                    if seen[lit] == stamp:
                        continue
                    terms[used] = lit
                    used += 1
                if vanished:
                    used = begin
                    continue
                if used == begin:
                    false = True
                    break
                if used == begin + 1:
                    used = begin
                    n = join(buffer, n, terms[begin] ^ 1, seen, stamp)
                    if n < 0:
                        false = True
                        break
                    continue
                term_start[n_terms] = begin
                n_terms += 1
        if false:
            node_map[first + g] = FALSE
            continue
        term_start[n_terms] = used
        if n_terms > 0:
            n = _emit_terms(
                buffer, n, terms, term_start, n_terms, tally, n_inputs, new_start, new_literals, table, count
            )
        # emitting may have met literals that were there already
        stamp += 1
        kept = 0
        for i in range(n):
            kept = join(buffer, kept, buffer[i], seen, stamp)
            if kept < 0:
                false = True
                break
        if false:
            node_map[first + g] = FALSE
            continue
        sort_prefix(buffer, kept)
        node_map[first + g] = intern_gate(buffer, kept, n_inputs, new_start, new_literals, table, count)

    return finished(outputs, node_map, new_start, new_literals, count[0])


@jit
def _emit_terms(
    buffer: Any, n: Any, terms: Any, term_start: Any, n_terms: Any, tally: Any,
    n_inputs: Any, start: Any, literals: Any, table: Any, count: Any,
) -> Any:  # fmt: skip
    """Append to ``buffer`` literals whose AND is the AND of NOT(term) over all terms; the new length.

    Each round takes the literal that most terms share out of those terms. The terms that shared it form a group whose
    OR (without the literal) is factored in the same way; groups are kept on a stack of (owner, members).
    """
    total = term_start[n_terms]
    # the members of a group are stored as (begin, end) pairs of `pool`
    pool = np.empty(total, np.int32)
    for i in range(total):
        pool[i] = terms[i]
    begin = np.empty(n_terms, np.int32)
    end = np.empty(n_terms, np.int32)
    for t in range(n_terms):
        begin[t] = term_start[t]
        end[t] = term_start[t + 1]
    order = np.arange(n_terms).astype(np.int32)

    # A frame is a stretch of `order`: terms whose negations are ANDed into the frame's own literal list.
    max_frames = total + 2
    frame_low = np.empty(max_frames, np.int32)
    frame_high = np.empty(max_frames, np.int32)
    frame_literal = np.empty(max_frames, np.int32)  # the literal taken out to make this frame; -1 at the root
    frame_base = np.empty(max_frames, np.int32)  # where its results start in `results`
    results = np.empty(2 * total + n_terms + 4, np.int32)
    scratch = np.empty(total + n_terms + 4, np.int32)
    n_results = 0
    depth = 0
    frame_low[0], frame_high[0], frame_literal[0], frame_base[0] = 0, n_terms, -1, 0
    while True:
        low, high = frame_low[depth], frame_high[depth]
        best = -1
        if high - low > 1:
            best_count = 1
            for i in range(low, high):
                t = order[i]
                for k in range(begin[t], end[t]):
                    tally[pool[k]] += 1
            for i in range(low, high):
                t = order[i]
                for k in range(begin[t], end[t]):
                    lit = pool[k]
                    if tally[lit] > best_count or (tally[lit] == best_count and best >= 0 and lit < best):
                        best, best_count = lit, tally[lit]
            for i in range(low, high):
                t = order[i]
                for k in range(begin[t], end[t]):
                    tally[pool[k]] = 0
        if best >= 0:
            # move the terms that hold `best` to the end of the frame and take it out of them
            cut = high
            i = low
            absorbed = False
            while i < cut:
                t = order[i]
                found = -1
                for k in range(begin[t], end[t]):
                    if pool[k] == best:
                        found = k
                        break
                if found < 0:
                    i += 1
                    continue
                pool[found] = pool[end[t] - 1]
                end[t] -= 1
                if end[t] == begin[t]:
                    absorbed = True
                cut -= 1
                order[i] = order[cut]
                order[cut] = t
            frame_high[depth] = cut
            if absorbed:  # best OR (best AND …) = best
                results[n_results] = best ^ 1
                n_results += 1
            else:
                depth += 1
                frame_low[depth], frame_high[depth] = cut, high
                frame_literal[depth] = best
                frame_base[depth] = n_results
            continue
        # nothing shared: write out what is left of this frame
        for i in range(low, high):
            t = order[i]
            m = end[t] - begin[t]
            for k in range(m):
                scratch[k] = pool[begin[t] + k]
            sort_prefix(scratch, m)
            results[n_results] = intern_gate(scratch, m, n_inputs, start, literals, table, count) ^ 1
            n_results += 1
        if depth == 0:
            break
        # NOT(literal AND OR(terms)): the frame's results are the negated terms
        base = frame_base[depth]
        m = _clean(results, base, n_results, scratch)
        either = TRUE if m < 0 else intern_gate(scratch, m, n_inputs, start, literals, table, count) ^ 1
        n_results = base
        taken = frame_literal[depth]
        if either == TRUE or either == taken:  # noqa: SIM109  (numba has no `in` for tuples)
            results[n_results] = taken ^ 1
            n_results += 1
        elif either != FALSE and either != (taken ^ 1):
            scratch[0] = min(taken, either)
            scratch[1] = max(taken, either)
            results[n_results] = intern_gate(scratch, 2, n_inputs, start, literals, table, count) ^ 1
            n_results += 1
        depth -= 1
    for i in range(n_results):
        buffer[n + i] = results[i]
    return n + n_results


@jit
def _clean(results: Any, low: Any, high: Any, scratch: Any) -> Any:
    """Sorted, distinct literals of results[low:high] in scratch; their number, or -1 if their AND is FALSE."""
    m = high - low
    for i in range(m):
        scratch[i] = results[low + i]
    sort_prefix(scratch, m)
    kept = 0
    for i in range(m):
        lit = scratch[i]
        if lit == TRUE:
            continue
        if lit == FALSE:
            return -1
        if kept > 0 and scratch[kept - 1] == lit:
            continue
        if kept > 0 and scratch[kept - 1] == (lit ^ 1):
            return -1
        scratch[kept] = lit
        kept += 1
    return kept


@jit("(int64, int32[::1], int32[::1], int32[::1], int64)")
def share_pairs(n_inputs: Any, start: Any, literals: Any, outputs: Any, max_fan_in: Any) -> Any:
    """One round of making gates of the pairs of literals that most gates hold together.

    Gates with more than ``max_fan_in`` edges are left alone (their pairs are too many to count). Gives
    ``(start, literals, outputs)``; a new pair gate comes before the first gate that reads it.
    """
    first = n_inputs + 1
    n_gates = start.size - 1
    n_pairs = 0
    for g in range(n_gates):
        m = start[g + 1] - start[g]
        if 2 <= m <= max_fan_in:
            n_pairs += m * (m - 1) // 2
    keys = np.empty(n_pairs, np.int64)
    at = 0
    for g in range(n_gates):
        m = start[g + 1] - start[g]
        if 2 <= m <= max_fan_in:
            for i in range(start[g], start[g + 1]):
                for j in range(i + 1, start[g + 1]):
                    keys[at] = (np.int64(literals[i]) << 32) | np.int64(literals[j])
                    at += 1
    keys.sort()
    # candidates: (count, key), most frequent first
    ranks = np.empty(n_pairs // PAIR_GAIN, np.int64)
    pairs = np.empty(n_pairs // PAIR_GAIN, np.int64)
    n_candidates = 0
    i = 0
    while i < n_pairs:
        j = i
        while j < n_pairs and keys[j] == keys[i]:
            j += 1
        if j - i >= PAIR_GAIN:
            ranks[n_candidates] = -(j - i)
            pairs[n_candidates] = keys[i]
            n_candidates += 1
        i = j
    order = np.argsort(ranks[:n_candidates], kind="mergesort")
    # a literal takes part in one pair per round, so that the counts stay true
    taken = np.full(2 * (first + n_gates), -1, np.int32)
    partner = np.full(2 * (first + n_gates), -1, np.int32)
    n_new = 0
    for c in range(n_candidates):
        a = np.int32(pairs[order[c]] >> 32)
        b = np.int32(pairs[order[c]] & 0xFFFFFFFF)
        if taken[a] < 0 and taken[b] < 0:
            taken[a] = n_new
            taken[b] = n_new
            partner[a] = b
            partner[b] = a
            n_new += 1
    if n_new == 0:
        return start, literals, outputs

    new_start = np.zeros(n_gates + n_new + 1, np.int32)
    new_literals = np.empty(literals.size + 2 * n_new, np.int32)
    node_map = np.empty(first + n_gates, np.int32)
    for i in range(first):
        node_map[i] = i
    pair_node = np.full(n_new, -1, np.int32)
    has = np.zeros(2 * (first + n_gates), np.int32)
    buffer = np.empty(literals.size + 2, np.int32)
    size = 0
    for g in range(n_gates):
        m = start[g + 1] - start[g]
        n = 0
        if 2 < m <= max_fan_in:
            for e in range(start[g], start[g + 1]):
                has[literals[e]] = g + 1
            for e in range(start[g], start[g + 1]):
                lit = literals[e]
                other = partner[lit]
                if other >= 0 and has[other] == g + 1:
                    if other < lit:
                        continue
                    p = taken[lit]
                    if pair_node[p] < 0:
                        a = 2 * node_map[lit >> 1] + (lit & 1)
                        b = 2 * node_map[other >> 1] + (other & 1)
                        new_literals[new_start[size]] = min(a, b)
                        new_literals[new_start[size] + 1] = max(a, b)
                        new_start[size + 1] = new_start[size] + 2
                        pair_node[p] = first + size
                        size += 1
                    buffer[n] = 2 * pair_node[p]
                else:
                    buffer[n] = 2 * node_map[lit >> 1] + (lit & 1)
                n += 1
        else:
            for e in range(start[g], start[g + 1]):
                lit = literals[e]
                buffer[n] = 2 * node_map[lit >> 1] + (lit & 1)
                n += 1
        sort_prefix(buffer, n)
        for i in range(n):
            new_literals[new_start[size] + i] = buffer[i]
        new_start[size + 1] = new_start[size] + n
        node_map[first + g] = first + size
        size += 1
    new_outputs = np.empty_like(outputs)
    for i in range(outputs.size):
        new_outputs[i] = 2 * node_map[outputs[i] >> 1] + (outputs[i] & 1)
    return new_start[: size + 1].copy(), new_literals[: new_start[size]].copy(), new_outputs
