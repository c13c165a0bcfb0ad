"""Ground rules -> a raw, acyclic netlist: order the atoms, and unfold those that depend on themselves.

Rules of GDL may be recursive ("connected to a connected cell"). The meaning is the least fixpoint, and a circuit has no
loops, so each recursive component is written out as often as it can take to settle: evaluate its atoms in some order,
from all false, again and again. A round that changes no atom which is read before it is evaluated (a feedback atom) is
the last; every earlier round makes at least one more of them true; so one more round than there are feedback atoms is
always enough. Negation never lies on such a cycle in stratified rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.netlist import FALSE, TRUE
from ludisect.effort import spend
from ludisect.errors import BudgetExceeded, Problem, RulesInvalidError
from ludisect.kernels.kernel import jit


@jit("(int32[::1], int64, int64)")
def _rules_by_head(words: Any, n_rules: Any, n_atoms: Any) -> Any:
    """Offsets of each rule in ``words``, grouped by head: ``(group start per atom, offsets)``."""
    group = np.zeros(n_atoms + 2, np.int32)
    at = 0
    for _ in range(n_rules):
        group[words[at] + 1] += 1
        at += 2 + words[at + 1]
    for a in range(n_atoms + 1):
        group[a + 1] += group[a]
    fill = group.copy()
    offsets = np.empty(n_rules, np.int64)
    at = 0
    for _ in range(n_rules):
        head = words[at]
        offsets[fill[head]] = at
        fill[head] += 1
        at += 2 + words[at + 1]
    return group, offsets


@jit("(int32[::1], int32[::1], int64[::1], boolean[::1], int32[::1], int64)")
def _components(words: Any, group: Any, offsets: Any, is_input: Any, wanted: Any, n_atoms: Any) -> Any:
    """Tarjan's strongly connected components of the atoms that ``wanted`` depends on, callees first.

    Gives ``(order, component number per atom, whether a negative edge lies inside a component)``.
    """
    index = np.zeros(n_atoms + 1, np.int32)
    low = np.zeros(n_atoms + 1, np.int32)
    component = np.full(n_atoms + 1, -1, np.int32)
    order = np.empty(n_atoms + 1, np.int32)
    n_order = 0
    n_components = 0
    stack = np.empty(n_atoms + 1, np.int32)
    top = 0
    path = np.empty(n_atoms + 1, np.int32)
    path_rule = np.empty(n_atoms + 1, np.int32)
    path_literal = np.empty(n_atoms + 1, np.int32)
    clock = 0
    for root in wanted:
        if root <= 0 or index[root] != 0:
            continue
        depth = 0
        path[0] = root
        path_rule[0] = group[root]
        path_literal[0] = 0
        clock += 1
        index[root] = low[root] = clock
        stack[top] = root
        top += 1
        while depth >= 0:
            atom = path[depth]
            descended = False
            while path_rule[depth] < group[atom + 1] and not is_input[atom]:
                at = offsets[path_rule[depth]]
                if path_literal[depth] >= words[at + 1]:
                    path_rule[depth] += 1
                    path_literal[depth] = 0
                    continue
                child = abs(words[at + 2 + path_literal[depth]])
                path_literal[depth] += 1
                if index[child] == 0:
                    clock += 1
                    index[child] = low[child] = clock
                    stack[top] = child
                    top += 1
                    depth += 1
                    path[depth] = child
                    path_rule[depth] = group[child]
                    path_literal[depth] = 0
                    descended = True
                    break
                if component[child] < 0:
                    low[atom] = min(low[atom], index[child])
            if descended:
                continue
            if low[atom] == index[atom]:
                while True:
                    top -= 1
                    member = stack[top]
                    component[member] = n_components
                    order[n_order] = member
                    n_order += 1
                    if member == atom:
                        break
                n_components += 1
            depth -= 1
            if depth >= 0:
                low[path[depth]] = min(low[path[depth]], low[atom])
    negative_inside = -1
    for i in range(n_order):
        atom = order[i]
        if is_input[atom]:
            continue
        for r in range(group[atom], group[atom + 1]):
            at = offsets[r]
            for k in range(words[at + 1]):
                lit = words[at + 2 + k]
                if lit < 0 and component[-lit] == component[atom]:
                    negative_inside = atom
    return order[:n_order].copy(), component, negative_inside


@jit("(int32[::1], int32[::1], int64[::1], boolean[::1], int32[::1], int32[::1])")
def _rounds(words: Any, group: Any, offsets: Any, is_input: Any, order: Any, component: Any) -> Any:
    """Per position of ``order``: how often its component is evaluated; and how many edges that makes in all."""
    n = order.size
    position = np.zeros(component.size, np.int32)
    for i in range(n):
        position[order[i]] = i
    rounds = np.ones(n, np.int64)
    edges = 0
    i = 0
    while i < n:
        j = i
        while j < n and component[order[j]] == component[order[i]]:
            j += 1
        feedback = 0
        size = 0
        marked = np.zeros(j - i, np.bool_)
        for k in range(i, j):
            atom = order[k]
            if is_input[atom]:
                continue
            for r in range(group[atom], group[atom + 1]):
                at = offsets[r]
                size += words[at + 1] + 1
                for x in range(words[at + 1]):
                    lit = words[at + 2 + x]
                    other = abs(lit)
                    if component[other] != component[atom] or position[other] < k or other == atom:
                        continue
                    if not marked[position[other] - i]:
                        marked[position[other] - i] = True
                        feedback += 1
        for k in range(i, j):
            rounds[k] = feedback + 1
        edges += size * (feedback + 1)
        i = j
    return rounds, edges


@jit("(int32[::1], int32[::1], int64[::1], int32[::1], int32[::1], int32[::1], int64[::1], int64, int64)")
def _emit(
    words: Any, group: Any, offsets: Any, atom_literal: Any, order: Any, component: Any, rounds: Any, n_inputs: Any,
    edges: Any,
) -> Any:  # fmt: skip
    """Write the gates; ``atom_literal`` comes with the inputs filled in and leaves with every ordered atom."""
    start = np.zeros(edges + 2, np.int32)
    literals = np.empty(2 * edges + 2, np.int32)
    gates = 0
    node = n_inputs + 1
    n = order.size
    alternatives = np.empty(edges + 2, np.int32)
    i = 0
    while i < n:
        j = i
        while j < n and component[order[j]] == component[order[i]]:
            j += 1
        for k in range(i, j):
            if atom_literal[order[k]] == -1:
                atom_literal[order[k]] = FALSE
        if atom_literal[order[i]] >> 1 > 0:  # an input: nothing to do
            i = j
            continue
        for _ in range(rounds[i]):
            for k in range(i, j):
                atom = order[k]
                m = 0
                holds = False
                for r in range(group[atom], group[atom + 1]):
                    at = offsets[r]
                    size = words[at + 1]
                    begin = start[gates]
                    fill = begin
                    fails = False
                    for x in range(size):
                        lit = words[at + 2 + x]
                        if lit == atom:  # p :- p, …: proves nothing
                            fails = True
                            break
                        value = atom_literal[lit] if lit > 0 else atom_literal[-lit] ^ 1
                        if value == FALSE:
                            fails = True
                            break
                        if value != TRUE:
                            literals[fill] = value
                            fill += 1
                    if fails:
                        continue
                    if fill == begin:
                        holds = True
                        break
                    if fill == begin + 1:
                        alternatives[m] = literals[begin]
                    else:
                        gates += 1
                        start[gates] = fill
                        alternatives[m] = 2 * node
                        node += 1
                    m += 1
                if holds:
                    atom_literal[atom] = TRUE
                elif m == 0:
                    atom_literal[atom] = FALSE
                elif m == 1:
                    atom_literal[atom] = alternatives[0]
                else:
                    begin = start[gates]
                    for x in range(m):
                        literals[begin + x] = alternatives[x] ^ 1
                    gates += 1
                    start[gates] = begin + m
                    atom_literal[atom] = 2 * node + 1
                    node += 1
        i = j
    return start[: gates + 1].copy(), literals[: start[gates]].copy()


def unfold(
    words: NDArray[np.int32], n_rules: int, input_atoms: NDArray[np.int32], wanted: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """The netlist of the rules: ``(start, literals, literal of each wanted atom)``.

    ``input_atoms[i]`` is the atom of input node i + 1. Wanted atoms may be 0 (always) or -1 (never).
    """
    highest = int(words.max(initial=0))
    n_atoms = max(highest, int(-words.min(initial=0)), int(input_atoms.max(initial=0)), int(wanted.max(initial=0)))
    atom_literal = np.full(n_atoms + 1, -1, np.int32)
    is_input = np.zeros(n_atoms + 1, np.bool_)
    is_input[input_atoms] = True
    atom_literal[input_atoms] = 2 * np.arange(1, input_atoms.size + 1)
    group, offsets = _rules_by_head(words, n_rules, n_atoms)
    spend(0)
    order, component, negative = _components(words, group, offsets, is_input, wanted, n_atoms)
    if negative >= 0:
        raise RulesInvalidError([Problem("the ground rules negate an atom that depends on itself")])
    spend(0)  # a place to end, as before each of the long steps
    rounds, edges = _rounds(words, group, offsets, is_input, order, component)
    most = CircuitLimits.current().unfold_edges
    if edges > most:
        raise BudgetExceeded(
            f"the recursive rules unfold to {edges:,} edges ({int(rounds.max())} rounds), more than {most:,}",
            budget="unfolding",
        )
    spend(0)
    start, literals = _emit(words, group, offsets, atom_literal, order, component, rounds, input_atoms.size, int(edges))
    found = np.where(wanted > 0, atom_literal[np.maximum(wanted, 0)], np.where(wanted == 0, TRUE, FALSE))
    return start, literals, np.where(found < 0, FALSE, found).astype(np.int32)
