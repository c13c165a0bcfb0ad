"""What the form of the rules alone says: which fluents the rules of others read, through whatever gates.

Nothing is evaluated and nothing is asked of the solver, so this is there at once in games of any size; what it tells
apart is apart for certain, what it ties together need not depend on each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.localmoves import PASS, LocalMoves
from ludisect.decomposition.exact.variables import FluentGroup
from ludisect.decomposition.model.blocks import component_of


def plainly_closed(game: Game, invariants: Invariants, context: Sequence[int]) -> bool:
    """Whether the next values of some fluents read no other ones, through whatever gates, but for constants."""
    return bool(_inside(game, invariants, context)[game.circuit.support(game.circuit.next[list(context)])].all())


def _inside(game: Game, invariants: Invariants, fluents: Sequence[int]) -> NDArray[np.bool_]:
    """Per input node: whether it is one of the fluents or always the same."""
    inside = np.asarray(game.circuit.input_value < 2)
    inside[[1 + f for f in (*fluents, *invariants.constant)]] = True
    return inside


def structurally_closed(
    game: Game, invariants: Invariants, variables: Sequence[FluentGroup], candidates: Sequence[int]
) -> list[int]:
    """The candidates whose next value reads no move and no fluent outside them, through whatever gates."""
    left = list(candidates)
    while left:
        outside = ~_inside(game, invariants, [f for v in left for f in variables[v].fluents])
        outside[0] = False  # the constant, which is no input
        touched = game.circuit.reached(outside)[game.circuit.next >> 1]
        kept = [v for v in left if not touched[list(variables[v].fluents)].any()]
        if len(kept) == len(left):
            break
        left = kept
    return left


def plainly_alone(
    game: Game, invariants: Invariants, part: Sequence[int], context: Sequence[int], local: LocalMoves
) -> frozenset[str]:
    """Which conditions on a part the wires alone fulfil: "transition" if its next values read nothing but the part, the
    context and moves that are local moves each by itself; "availability" if the legality of its local moves reads
    nothing but the part and the context."""
    circuit = game.circuit
    inside = _inside(game, invariants, [*part, *context])
    read = circuit.support(circuit.next[list(part)])
    of_state, moves = read[read <= circuit.n_fluents], read[read > circuit.n_fluents]
    out = set()
    if inside[of_state].all() and all(
        _told_apart(number, moves - low, circuit.input_value[low:high] != 0)
        for number, (low, high) in zip(local.number, circuit.roles.tolist(), strict=True)
    ):
        out.add("transition")
    if inside[circuit.support(circuit.legal[local.acting])].all():
        out.add("availability")
    return frozenset(out)


def _told_apart(number: NDArray[np.int64], read: NDArray[np.int64], possible: NDArray[np.bool_]) -> bool:
    """Whether each of a role's moves that are read (some of the given places) is alone in its class, but for moves that
    are never made."""
    mine = read[(read >= 0) & (read < len(number))]
    sizes = np.bincount(number[possible] - PASS, minlength=int(number.max(initial=PASS)) - PASS + 1)
    return bool((sizes[number[mine] - PASS] <= 1).all())


def tied_by_rules(game: Game, variables: Sequence[FluentGroup]) -> list[list[int]]:
    """Coarse and safe: variables (by index) together if one's rules read the other, directly or through the legality of
    moves, or if both read a move."""
    circuit = game.circuit
    owned = np.array([f for v in variables for f in v.fluents])
    first = np.array([v.fluents[0] for v in variables for _ in v.fluents])  # stands for the variable
    following = circuit.next[owned]
    read = circuit.support(following)
    moves = read[read > circuit.n_fluents]
    legal = circuit.legal[moves - 1 - circuit.n_fluents]
    marked = np.zeros(circuit.n_inputs + 1, np.bool_)
    marked[owned + 1] = marked[circuit.n_fluents + 1 :] = True
    gate = np.repeat(np.arange(circuit.gates), np.diff(circuit.start))  # of each literal
    inside = circuit.cone(np.concatenate([following, legal]))[gate]
    source = np.concatenate([circuit.n_inputs + 1 + gate[inside], first + 1, first + 1, moves])
    target = np.concatenate([circuit.literals[inside] >> 1, owned + 1, following >> 1, legal >> 1])
    telling = circuit.reached(marked)[target]  # what reads neither a move nor one of these variables ties nothing
    component = component_of(source[telling], target[telling], circuit.n_inputs + circuit.start.size)
    blocks: dict[int, list[int]] = {}
    for k, v in enumerate(variables):
        blocks.setdefault(int(component[v.fluents[0] + 1]), []).append(k)
    return list(blocks.values())


def read_by(game: Game, fluents: Sequence[int]) -> NDArray[np.int64]:
    """The fluents that the next values of some fluents read, directly or through the legality of moves (or both ways:
    then twice)."""
    circuit = game.circuit
    nodes = circuit.support(circuit.next[list(fluents)])
    moves = nodes[nodes > circuit.n_fluents]
    legal = circuit.support(circuit.legal[moves - 1 - circuit.n_fluents])
    return np.concatenate([nodes[nodes <= circuit.n_fluents], legal[legal <= circuit.n_fluents]]) - 1
