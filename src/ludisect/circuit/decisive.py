"""Turns whose legal moves are cut down to those that win at once, or that leave the other side no win.

    three in a row  ->  a random play makes it four, and whoever faces it fills the gap

A random play that overlooks such moves says little about good play (Teytaud and Teytaud 2010, "On the huge impact of
decisive moves"). Whether a move wins is a net: the terminal and goal nets of the next turn, with the next values of the
fluents put in for the fluents, and the move for the inputs of its role. Whether it leaves the other side a win is the
OR of that side's nets, with the move put in the same way. Such nets fold to next to nothing in many games (a pawn
reaches the last row, or it does not), and to more gates than a play can bear in others; these games are left alone.

Nets are made for moves that won random plays; rare ones are left out. What is true of a net is true of the game: no
move is preferred that does not win, and a move is left out only if the other side has a move that wins behind it (had
one, if the game is over by then).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit import netlist
from ludisect.circuit.circuit import Circuit, Ints
from ludisect.circuit.game import Game
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.phase import Phases
from ludisect.circuit.record import plays


def decisive(game: Game) -> Phases:
    """The turns of a game of two roles that choose by turns, with such moves preferred; else, or where that costs too
    much at some turn, the turns as they are."""
    turns, limits = game.playouts.phases, CircuitLimits.current()
    choosers = [_chooser(circuit) for circuit in turns.circuits]
    if sorted(map(str, choosers)) != ["0", "1"] or max(c.edges for c in turns.circuits) > limits.decisive_edges:
        return turns
    won = winning_moves(game)
    winning = [_winning(game, k, won) for k in (0, 1)]
    if any(len(moves) * ahead.edges > limits.decisive_copies for moves, ahead in winning):
        return turns
    circuits = []
    for k in (0, 1):
        threats = _threats(turns.circuits[1 - k], *winning[1 - k])
        ahead = _Ahead(turns.circuits[k], threats, np.array([threats.terminal], np.int32))
        if len(_legal(turns.circuits[k])) * ahead.edges > limits.decisive_copies:
            return turns
        circuits.append(_preferring(turns.circuits[k], *winning[k], ahead))
    # who overlooks nothing against who does would say less than random plays do: both turns, or none
    for small, large in zip(turns.circuits, circuits, strict=True):
        if large.edges > min(limits.decisive_edges, limits.decisive_growth * small.edges):
            return turns
    return Phases(tuple(circuits), turns.values)


def winning_moves(game: Game) -> NDArray[np.bool_]:
    """Per move (roles side by side): whether it is one of the moves by which its role wins most of its random plays."""
    limits, first = CircuitLimits.current(), game.batch.first_move
    best = [max((value for q, value in game.goal_table if q == r), default=0) for r in range(len(game.roles))]
    counts = np.zeros(int(first[-1]), np.int64)
    for _, joint, following in plays(game, limits.decisive_plays, max_length=limits.decisive_length):
        over = game.batch.terminal(following)
        goals = game.batch.goals(following[over])
        for r in range(len(game.roles)):
            np.add.at(counts, first[r] + joint[over][goals[:, r] == best[r], r], 1)
    out = np.zeros(counts.size, np.bool_)
    for low, high in zip(first[:-1].tolist(), first[1:].tolist(), strict=True):
        order = low + np.argsort(-counts[low:high], kind="stable")
        wins = np.cumsum(counts[order])
        out[order[wins - counts[order] < limits.decisive_share * wins[-1]]] = True
    return out


def _chooser(circuit: Circuit) -> int | None:
    """The role that has a choice, if it is a single one."""
    legal = circuit.legal != netlist.FALSE
    first = 1 + circuit.n_fluents
    some = [r for r, (low, high) in enumerate(circuit.roles.tolist()) if legal[low - first : high - first].sum() > 1]
    return some[0] if len(some) == 1 else None


def _legal(circuit: Circuit) -> list[int]:
    """The moves (input nodes) that the one who chooses can ever make."""
    low, high = circuit.roles[_chooser(circuit)].tolist()
    return [node for node in range(low, high) if circuit.legal[node - 1 - circuit.n_fluents] != netlist.FALSE]


def _winning(game: Game, turn: int, won: NDArray[np.bool_]) -> tuple[list[int], _Ahead]:
    """Moves by which the one who chooses at a turn often wins, and the nets that hold after such a move if it does."""
    circuit, after = (game.playouts.phases.circuits[k] for k in (turn, 1 - turn))
    r = _chooser(circuit)
    best = max((value for role, value in game.goal_table if role == r), default=0)
    nets = [net for net, goal in zip(after.goal.tolist(), game.goal_table, strict=True) if goal == (r, best)]
    moves = [node for node in _legal(circuit) if won[node - 1 - circuit.n_fluents]]
    return moves, _Ahead(circuit, after, np.array([after.terminal, *nets], np.int32))


def _threats(circuit: Circuit, moves: list[int], ahead: _Ahead) -> Circuit:
    """A circuit whose terminal net says that no move of a turn wins at once."""
    larger = _Larger(circuit)
    nothing: Ints = np.full(circuit.outputs.size, netlist.FALSE, np.int32)
    nothing[circuit.legal.size + circuit.next.size] = larger.none([*larger.wins(moves, ahead).values()])
    return larger.built(nothing)


def _preferring(circuit: Circuit, moves: list[int], ahead: _Ahead, threats: _Ahead) -> Circuit:
    """The circuit in which a move is legal if it was, and wins; or none wins, and it leaves the other side no win; or
    every move leaves one."""
    larger, legal, first = _Larger(circuit), circuit.legal.copy(), 1 + circuit.n_fluents
    wins = larger.wins(moves, ahead)
    quiet = larger.none([*wins.values()])
    safe = {
        node: larger.gate([int(legal[node - first]), quiet, *larger.after(node, threats).tolist()])
        for node in _legal(circuit)
    }
    lost = larger.gate([quiet, larger.none([*safe.values()])])
    for node, net in safe.items():
        ways = [net, larger.gate([int(legal[node - first]), lost]), *([wins[node]] if node in wins else [])]
        legal[node - first] = larger.none(ways) ^ 1
    return larger.built(replace(circuit, legal=legal).outputs)


class _Cone:
    """The gates that some nets need: their nodes, their numbers of inputs, and these inputs."""

    def __init__(self, circuit: Circuit, outputs: Ints) -> None:
        wanted, lengths = circuit.cone(outputs), np.diff(circuit.start)
        self.outputs = outputs
        self.gates = circuit.n_inputs + 1 + np.flatnonzero(wanted)
        self.lengths = lengths[wanted]
        self.literals = circuit.literals[np.repeat(wanted, lengths)]


class _Ahead:
    """Nets of the turn that comes next, to be read one move before."""

    def __init__(self, circuit: Circuit, after: Circuit, ends: Ints) -> None:
        self.read = after.support(ends)
        self.step = _Cone(circuit, circuit.next[self.read - 1])
        self.end = _Cone(after, ends)
        self.edges = self.step.literals.size + self.end.literals.size


class _Larger:
    """A circuit, and gates that are added to it."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self._next_node = circuit.n_inputs + 1 + circuit.gates
        self._lengths, self._literals = [np.diff(circuit.start)], [circuit.literals]

    def after(self, move: int, ahead: _Ahead) -> Ints:
        """Nets of the next turn after a move of the one who chooses, as literals over the state before it."""
        circuit = self.circuit
        inputs = 2 * np.arange(circuit.n_inputs + 1)
        for low, high in circuit.roles.tolist():
            legal = circuit.legal[low - 1 - circuit.n_fluents : high - 1 - circuit.n_fluents]
            others = np.where(legal != netlist.FALSE, netlist.TRUE, netlist.FALSE)  # the only move of who waits
            inputs[low:high] = netlist.FALSE if low <= move < high else others
        inputs[move] = netlist.TRUE
        state = 2 * np.arange(circuit.n_inputs + 1)
        state[ahead.read] = self._copy(ahead.step, inputs)
        return self._copy(ahead.end, state)

    def _copy(self, cone: _Cone, inputs: NDArray[np.int64]) -> Ints:
        """Add the gates of a cone with other literals for its inputs; gives its outputs."""
        carried = np.zeros(int(max(inputs.size, cone.gates.max(initial=0) + 1)), np.int64)
        carried[: inputs.size] = inputs
        carried[cone.gates] = 2 * (self._next_node + np.arange(cone.gates.size))
        self._next_node += cone.gates.size
        self._lengths.append(cone.lengths)
        self._literals.append((carried[cone.literals >> 1] ^ (cone.literals & 1)).astype(np.int32))
        copied: Ints = (carried[cone.outputs >> 1] ^ (cone.outputs & 1)).astype(np.int32)
        return copied

    def gate(self, literals: list[int]) -> int:
        """The AND of some literals."""
        self._lengths.append(np.array([len(literals)]))
        self._literals.append(np.array(literals, np.int32))
        self._next_node += 1
        return 2 * (self._next_node - 1)

    def none(self, literals: list[int]) -> int:
        """That none of some literals holds."""
        return self.gate([literal ^ 1 for literal in literals]) if literals else netlist.TRUE

    def wins(self, moves: list[int], ahead: _Ahead) -> dict[int, int]:
        """Per move: that it is legal and wins."""
        first, legal = 1 + self.circuit.n_fluents, self.circuit.legal
        return {m: self.gate([int(legal[m - first]), *self.after(m, ahead).tolist()]) for m in moves}

    def built(self, outputs: Ints) -> Circuit:
        """All of it with other outputs, as small as can be."""
        start = np.concatenate([[0], np.cumsum(np.concatenate(self._lengths))]).astype(np.int32)
        whole = self.circuit.with_netlist(start, np.concatenate(self._literals).astype(np.int32), outputs)
        return whole.optimize(CircuitLimits.current().decisive_edges)
