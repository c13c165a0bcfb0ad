"""Names of regions whose guards are nets: as in :mod:`ludisect.search.regions.naming`, with the gates in the graph.

The colour of a gate is a hash of what it reads; facts hear of the gates and operators above them. In the end facts have
numbers by colour, and the name is a hash (128 bits) of operators, gates and state written with these numbers. Equal
names mean equal games; a poor numbering costs time and nothing else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludisect.cgt.arena import mix
from ludisect.kernels.kernel import jit
from ludisect.search.regions.naming import SINGLED

_NO = np.int64(0)


@jit("(int64, int32[::1], int32[::1], int64[::1], int64)", inner=True)
def _rise(first: Any, start: Any, literals: Any, up: Any, salt: Any) -> None:
    """Colours of gates from those of what they read."""
    for g in range(start.size - 1):
        h = _NO
        for e in range(start[g], start[g + 1]):
            h += mix(up[literals[e] >> 1], np.int64(11 + (literals[e] & 1)))
        up[first + g] = mix(h, salt)


@jit(
    "int64(int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], uint8[::1], int64, int64[::1], int64)",
    inner=True,
)
def _operator(
    guards: Any, live: Any, who: Any, effects_at: Any, effects: Any, is_open: Any, i: Any, up: Any, swap: Any
) -> Any:
    """The colour of an operator."""
    h = mix(mix(up[guards[i] >> 1], np.int64(3 + (guards[i] & 1))), (who[live[i]] ^ swap) + 7)
    for e in range(effects_at[live[i]], effects_at[live[i] + 1]):
        node = effects[e] >> 1
        if is_open[node - 1]:
            h += mix(up[node], np.int64(23 + (effects[e] & 1)))
    return mix(h, np.int64(17))


@jit(f"(int64, {', '.join(['int32[::1]'] * 7)}, uint8[::1], uint8[::1], int64, int64[::1])")
def net_name(
    first: Any, start: Any, literals: Any, guards: Any, live: Any, who: Any, effects_at: Any, effects: Any,
    is_open: Any, holds: Any, swap: Any, out: Any,
) -> None:  # fmt: skip
    """Write the name, as two words; a ``swap`` of -1 names the facts by their own numbers, 1 exchanges the players."""
    nodes = first + start.size - 1
    up, heard = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    up[0] = 29
    listed = np.zeros(first, np.int64)
    m = 0
    for node in range(1, first):
        if is_open[node - 1]:
            listed[m] = node
            m += 1
            up[node] = mix(np.int64(41), np.int64(holds[node - 1]))
    lies = swap < 0
    if lies:
        swap = _NO
    else:
        tied, before, singled, quiet = m, m, 0, 0
        while tied:
            _rise(first, start, literals, up, np.int64(13))
            heard[:] = 0
            for i in range(live.size):
                h = _operator(guards, live, who, effects_at, effects, is_open, i, up, swap)
                heard[guards[i] >> 1] += mix(h, np.int64(guards[i] & 1))
                for e in range(effects_at[live[i]], effects_at[live[i] + 1]):
                    if is_open[(effects[e] >> 1) - 1]:
                        heard[effects[e] >> 1] += mix(h, np.int64(9 + (effects[e] & 1)))
            for g in range(start.size - 2, -1, -1):
                h = heard[first + g] + up[first + g]
                for e in range(start[g], start[g + 1]):
                    heard[literals[e] >> 1] += mix(h, np.int64(19 + (literals[e] & 1)))
            for k in range(m):
                up[listed[k]] = mix(up[listed[k]], heard[listed[k]])
            tied = _sorted(listed, up, m)
            quiet = quiet + 1 if tied == before else 0
            before = tied
            if tied and quiet >= 2:
                if singled == SINGLED:
                    break
                k = 1
                while up[listed[k]] != up[listed[k - 1]]:
                    k += 1
                up[listed[k - 1]] = mix(up[listed[k - 1]], np.int64(5))
                singled += 1
                quiet = 0
    for word in range(2):
        for k in range(m):
            up[listed[k]] = mix(np.int64(-listed[k] if lies else k + 101), np.int64(word + 31))
        _rise(first, start, literals, up, np.int64(word + 43))
        total = mix(np.int64(m), np.int64(live.size + word))
        for k in range(m):
            total += mix(up[listed[k]], np.int64(47 + holds[listed[k] - 1]))
        for i in range(live.size):
            total += mix(_operator(guards, live, who, effects_at, effects, is_open, i, up, swap), np.int64(word))
        out[word] = total


@jit
def _sorted(listed: Any, up: Any, m: Any) -> Any:
    """Sort the first facts by colour; how many have the colour of the one before."""
    for k in range(1, m):
        f = listed[k]
        j = k - 1
        while j >= 0 and up[listed[j]] > up[f]:
            listed[j + 1] = listed[j]
            j -= 1
        listed[j + 1] = f
    tied = 0
    for k in range(1, m):
        if up[listed[k]] == up[listed[k - 1]]:
            tied += 1
    return tied
