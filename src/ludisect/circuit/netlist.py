"""The netlist as arrays, and the pass that simplifies it: constants, duplicates, one move per role, sharing.

Layout. Node 0 is the constant TRUE; nodes 1..n are the inputs (fluents, then the moves of each role in turn); gates
follow in topological order. A literal is ``2 * node + c`` where c = 1 complements it, so 0 is TRUE and 1 is FALSE. Gate
j (node ``1 + n + j``) is the AND of ``literals[start[j]:start[j + 1]]``; OR is an AND with all its edges complemented.
Cost is counted in edges: each is one vector load when lanes are evaluated.

Every function here takes arrays and gives arrays: they are compiled, and a pass over a million edges takes a fraction
of a second where the same pass over Python objects takes as long as the grounder.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludisect.kernels.kernel import jit

TRUE, FALSE = 0, 1


@jit("(int64, int32[::1], int32[::1], int32[::1])")
def live_gates(n_inputs: Any, start: Any, literals: Any, outputs: Any) -> Any:
    """Which gates some output needs."""
    first = n_inputs + 1
    n_gates = start.size - 1
    live = np.zeros(n_gates, np.bool_)
    for out in outputs:
        node = out >> 1
        if node >= first:
            live[node - first] = True
    for g in range(n_gates - 1, -1, -1):
        if live[g]:
            for e in range(start[g], start[g + 1]):
                node = literals[e] >> 1
                if node >= first:
                    live[node - first] = True
    return live


@jit
def single_uses(n_inputs: Any, start: Any, literals: Any, outputs: Any, live: Any) -> Any:
    """Per gate: 1 if its only use is an uncomplemented edge of a gate, 2 if a complemented one, else 0."""
    first = n_inputs + 1
    n_gates = start.size - 1
    uses = np.zeros(n_gates, np.int32)
    kind = np.zeros(n_gates, np.int8)
    for g in range(n_gates):
        if live[g]:
            for e in range(start[g], start[g + 1]):
                node = literals[e] >> 1
                if node >= first:
                    uses[node - first] += 1
                    kind[node - first] = 1 + (literals[e] & 1)
    for out in outputs:
        node = out >> 1
        if node >= first:
            uses[node - first] += 2
    for g in range(n_gates):
        if uses[g] != 1:
            kind[g] = 0
    return kind


@jit
def hash_literals(literals: Any, n: Any) -> Any:
    """A hash of the first n literals (FNV with a final mix)."""
    h = np.uint64(1469598103934665603)
    for i in range(n):
        h = (h ^ np.uint64(literals[i])) * np.uint64(1099511628211)
    h ^= h >> np.uint64(29)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    return h ^ (h >> np.uint64(32))


@jit
def intern_gate(buffer: Any, n: Any, n_inputs: Any, start: Any, literals: Any, table: Any, count: Any) -> Any:
    """The literal of AND(buffer[:n]) (sorted, no duplicates); a new gate is added if none is equal.

    ``count[0]`` is the number of gates; ``start`` and ``literals`` have room for one more.
    """
    if n == 0:
        return TRUE
    if n == 1:
        return buffer[0]
    mask = table.size - 1
    slot = np.int64(hash_literals(buffer, n) & np.uint64(mask))
    while table[slot] >= 0:
        g = table[slot]
        if start[g + 1] - start[g] == n:
            same = True
            for i in range(n):
                if literals[start[g] + i] != buffer[i]:
                    same = False
                    break
            if same:
                return np.int32(2 * (n_inputs + 1 + g))
        slot = (slot + 1) & mask
    g = count[0]
    table[slot] = g
    for i in range(n):
        literals[start[g] + i] = buffer[i]
    start[g + 1] = start[g] + n
    count[0] = g + 1
    return np.int32(2 * (n_inputs + 1 + g))


@jit
def finished(outputs: Any, node_map: Any, start: Any, literals: Any, size: Any) -> Any:
    """``(start, literals, outputs)`` at the end of a pass: arrays cut to size, outputs as literals of the new nodes."""
    mapped = np.empty_like(outputs)
    for i in range(outputs.size):
        mapped[i] = node_map[outputs[i] >> 1] ^ (outputs[i] & 1)
    return start[: size + 1].copy(), literals[: start[size]].copy(), mapped


@jit
def join(buffer: Any, n: Any, lit: Any, seen: Any, stamp: Any) -> Any:
    """Add a literal to the ``n`` of an AND: how many it has then, or -1 if the AND is FALSE by it.

    ``seen`` holds ``stamp`` for the literals that it has.
    """
    if lit == TRUE or seen[lit] == stamp:
        return n
    if lit == FALSE or seen[lit ^ 1] == stamp:
        return -1
    seen[lit] = stamp
    buffer[n] = lit
    return n + 1


@jit
def sort_prefix(buffer: Any, n: Any) -> None:
    """Sort the first n entries in place."""
    if n > 24:
        buffer[:n].sort()
        return
    for i in range(1, n):
        x = buffer[i]
        j = i - 1
        while j >= 0 and buffer[j] > x:
            buffer[j + 1] = buffer[j]
            j -= 1
        buffer[j + 1] = x


@jit
def new_table(capacity: Any) -> Any:
    """An empty hash table for that many gates."""
    size = 16
    while size < 2 * capacity:
        size *= 2
    return np.full(size, -1, np.int32)


@jit("(int64, int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], int32[:, ::1])")
def simplify(n_inputs: Any, start: Any, literals: Any, outputs: Any, input_map: Any, role_of: Any, roles: Any) -> Any:
    """One pass over the whole netlist: ``(start, literals, outputs)`` of a netlist with the same outputs.

    ``input_map[node]`` is the literal that an input stands for now (itself, a constant, another input). ``role_of``
    gives the role of a move input and -1 elsewhere; ``roles[r]`` is (first node, past the last node) of r's moves.
    Uses: constants; x AND x; x AND NOT x; gates used once are merged into the AND that uses them; equal gates are one;
    each role plays exactly one move, so two moves of a role exclude each other, a move implies NOT of the others, and
    NOT of more than half of them is OR of the rest.
    """
    first = n_inputs + 1
    n_gates = start.size - 1
    n_roles = roles.shape[0]
    live = live_gates(n_inputs, start, literals, outputs)
    kind = single_uses(n_inputs, start, literals, outputs, live)

    gate_room = 2 * n_gates + literals.size // 2 + 16
    new_start = np.zeros(gate_room + 1, np.int32)
    new_literals = np.empty(2 * literals.size + 4 * gate_room, np.int32)
    table = new_table(gate_room)
    count = np.zeros(1, np.int64)
    node_map = np.empty(first + n_gates, np.int32)
    node_map[0] = TRUE
    for i in range(1, first):
        node_map[i] = input_map[i]

    playable = np.zeros(n_roles, np.int64)
    for r in range(n_roles):
        for node in range(roles[r, 0], roles[r, 1]):
            if input_map[node] != FALSE:
                playable[r] += 1

    seen = np.zeros(2 * (first + gate_room), np.int32)
    chosen = np.zeros(n_roles, np.int32)
    chosen_stamp = np.zeros(n_roles, np.int32)
    refused = np.zeros(n_roles, np.int64)
    buffer = np.empty(literals.size + n_roles + 2, np.int32)
    rest = np.empty(n_inputs + 2, np.int32)
    stack = np.empty(literals.size + 2, np.int32)
    stamp = 0

    for g in range(n_gates):
        if not live[g] or kind[g] == 1:
            continue
        stamp += 1
        n = 0
        false = False
        has_move = False
        top = 1
        stack[0] = g
        while top > 0 and not false:
            top -= 1
            h = stack[top]
            for e in range(start[h], start[h + 1]):
                old = literals[e]
                node = old >> 1
                if node >= first and (old & 1) == 0 and kind[node - first] == 1:
                    stack[top] = node - first
                    top += 1
                    continue
                lit = node_map[node] ^ (old & 1)
                longer = join(buffer, n, lit, seen, stamp)
                if longer == n:
                    continue
                if longer < 0:
                    false = True
                    break
                n = longer
                target = lit >> 1
                if target < first and role_of[target] >= 0:
                    has_move = True
                    if (lit & 1) == 0:
                        r = role_of[target]
                        if chosen_stamp[r] == stamp:
                            false = True
                            break
                        chosen_stamp[r] = stamp
                        chosen[r] = target
        if false:
            node_map[first + g] = FALSE
            continue
        if has_move:
            n, false = _one_move_per_role(
                buffer, n, first, role_of, roles, playable, chosen_stamp, refused, stamp, seen, input_map, rest,
                n_inputs, new_start, new_literals, table, count,
            )  # fmt: skip
            if false:
                node_map[first + g] = FALSE
                continue
        sort_prefix(buffer, n)
        node_map[first + g] = intern_gate(buffer, n, n_inputs, new_start, new_literals, table, count)

    return finished(outputs, node_map, new_start, new_literals, count[0])


@jit
def _one_move_per_role(
    buffer: Any, n: Any, first: Any, role_of: Any, roles: Any, playable: Any, chosen_stamp: Any, refused: Any,
    stamp: Any, seen: Any, input_map: Any, rest: Any, n_inputs: Any, start: Any, literals: Any, table: Any, count: Any,
) -> Any:  # fmt: skip
    """Rewrite the move literals of one AND; gives the new length and whether the AND is FALSE."""
    n_roles = roles.shape[0]
    refused[:] = 0
    for i in range(n):
        target = buffer[i] >> 1
        if target < first and role_of[target] >= 0 and (buffer[i] & 1) == 1:
            refused[role_of[target]] += 1
    kept = 0
    for i in range(n):
        lit = buffer[i]
        target = lit >> 1
        if target < first and role_of[target] >= 0 and (lit & 1) == 1:
            r = role_of[target]
            if chosen_stamp[r] == stamp or 2 * refused[r] > playable[r]:
                continue
        buffer[kept] = lit
        kept += 1
    n = kept
    for r in range(n_roles):
        if chosen_stamp[r] != stamp and refused[r] > 0 and 2 * refused[r] > playable[r]:
            m = 0
            for node in range(roles[r, 0], roles[r, 1]):
                if input_map[node] != FALSE and seen[2 * node + 1] != stamp:
                    rest[m] = 2 * node + 1
                    m += 1
            if m == 0:
                return n, True
            lit = intern_gate(rest, m, n_inputs, start, literals, table, count) ^ 1
            if seen[lit] != stamp:
                seen[lit] = stamp
                buffer[n] = lit
                n += 1
    return n, False


@jit("(int64, int32[::1], int32[::1], boolean[::1], int32[:, ::1], int32[::1], int32[::1], int32[::1])")
def spread_constants(
    n_inputs: Any, start: Any, literals: Any, initial: Any, roles: Any, role_of: Any, legal: Any, nxt: Any
) -> Any:
    """Which fluents never change: 3-valued reachability from the initial state, all legal moves free.

    Nets hold "can be 0" and "can be 1"; both only grow, so each edge is looked at a bounded number of times: start
    from the initial state, and whenever a `next` net can take a value that its fluent could not, let the fluent take
    it too and spread the change. A move can be done once its `legal` can hold; it can be left undone unless it is the
    only playable move of its role. Gives an array per input: 0 always false, 1 always true, 2 can be both.
    """
    first = n_inputs + 1
    n_gates = start.size - 1
    n_nodes = first + n_gates
    n_fluents = initial.size

    # who reads a node: gates, then (beyond the gates) fluents through `next` and moves through `legal`
    readers_start = np.zeros(n_nodes + 1, np.int64)
    for e in range(literals.size):
        readers_start[(literals[e] >> 1) + 1] += 1
    for i in range(nxt.size):
        readers_start[(nxt[i] >> 1) + 1] += 1
    for i in range(legal.size):
        readers_start[(legal[i] >> 1) + 1] += 1
    for i in range(n_nodes):
        readers_start[i + 1] += readers_start[i]
    fill = readers_start[:-1].copy()
    readers = np.empty(literals.size + nxt.size + legal.size, np.int64)
    for g in range(n_gates):
        for e in range(start[g], start[g + 1]):
            node = literals[e] >> 1
            readers[fill[node]] = 2 * g + (literals[e] & 1)
            fill[node] += 1
    for i in range(nxt.size):
        node = nxt[i] >> 1
        readers[fill[node]] = 2 * (n_gates + i) + (nxt[i] & 1)
        fill[node] += 1
    for i in range(legal.size):
        node = legal[i] >> 1
        readers[fill[node]] = 2 * (n_gates + n_fluents + i) + (legal[i] & 1)
        fill[node] += 1

    can = np.zeros((n_nodes, 2), np.bool_)
    missing = np.empty(n_gates, np.int32)  # edges that cannot be 1 yet
    for g in range(n_gates):
        missing[g] = start[g + 1] - start[g]
    playable = np.zeros(roles.shape[0], np.int32)
    events = np.empty(2 * n_nodes + 16, np.int64)
    top = 0
    events[top] = 1  # node 0 can be 1
    can[0, 1] = True
    top += 1
    for f in range(n_fluents):
        value = 1 if initial[f] else 0
        can[1 + f, value] = True
        events[top] = 2 * (1 + f) + value
        top += 1
    for node in range(1 + n_fluents, first):
        can[node, 0] = True  # settled at the end for a role with a single playable move
        events[top] = 2 * node
        top += 1
    while top > 0:
        top -= 1
        node = events[top] >> 1
        value = events[top] & 1
        for at in range(readers_start[node], readers_start[node + 1]):
            reader = readers[at] >> 1
            seen_value = value ^ (readers[at] & 1)
            if reader < n_gates:
                target = first + reader
                if seen_value == 1:
                    missing[reader] -= 1
                    if missing[reader] == 0 and not can[target, 1]:
                        can[target, 1] = True
                        events[top] = 2 * target + 1
                        top += 1
                elif not can[target, 0]:
                    can[target, 0] = True
                    events[top] = 2 * target
                    top += 1
            elif reader < n_gates + n_fluents:
                target = 1 + reader - n_gates
                if not can[target, seen_value]:
                    can[target, seen_value] = True
                    events[top] = 2 * target + seen_value
                    top += 1
            elif seen_value == 1:
                target = 1 + reader - n_gates
                if not can[target, 1]:
                    can[target, 1] = True
                    events[top] = 2 * target + 1
                    top += 1

    for node in range(1 + n_fluents, first):
        if can[node, 1]:
            playable[role_of[node]] += 1
    value_of = np.empty(first, np.int8)
    value_of[0] = 1
    for node in range(1, first):
        if can[node, 0] and can[node, 1]:
            value_of[node] = 2
        else:
            value_of[node] = 1 if can[node, 1] else 0
    for node in range(1 + n_fluents, first):
        if value_of[node] == 2 and playable[role_of[node]] == 1:
            value_of[node] = 1
    return value_of
