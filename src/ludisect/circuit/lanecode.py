"""A game as the playout kernels take it: the programs of all its turns, joined in common arrays.

Names across this arrow: ``StepProgram`` of each turn -> one array per kind of program, and ``layout`` that says where a
turn's parts begin; ``Circuit.goal`` -> a program of its own, run on final states only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.phase import Phases
from ludisect.circuit.program import Compiler, StepProgram, relevant_fluents, step_program


@dataclass(frozen=True, slots=True, eq=False)
class LaneCode:
    """Arrays that the kernels take, the same for every batch of lanes."""

    step: tuple[Any, ...]
    """The programs of a step, as ``_join`` makes them."""
    restart: NDArray[np.int32]
    """The values at the start of a play: twice the node, plus 1 for a fluent that does not hold."""
    goal: tuple[Any, ...]
    """Fluents that goals read, runs, index, literals of the goals, first node."""
    fluents: NDArray[np.int32]
    """Nodes of the fluents that are simulated."""
    n_nodes: int
    goal_nodes: int
    n_blocks: int


def lane_code(circuit: Circuit, phases: Phases) -> LaneCode:
    """Compile a game for the lanes."""
    fluents = relevant_fluents(circuit)
    # one node past all inputs and gates takes what is written for the padding of move lists
    scratch = max(c.n_inputs + 1 + c.gates + c.n_fluents for c in phases.circuits) + 1
    steps = _join([step_program(c, fluents, scratch) for c in phases.circuits])
    compiler = Compiler(circuit)
    program, goal = compiler.program(circuit.goal)
    read = circuit.support(circuit.goal)
    read = read[read <= circuit.n_fluents].astype(np.int32)
    return LaneCode(
        step=steps,
        restart=(2 * fluents + (~circuit.initial[fluents - 1]).astype(np.int64)).astype(np.int32),
        goal=(read, program.runs.ravel(), program.index, goal, program.base),
        fluents=fluents.astype(np.int32),
        n_nodes=scratch + 1,
        goal_nodes=compiler.next_node,
        n_blocks=max(1, steps[7].size // 8),
    )


def _join(steps: list[StepProgram]) -> tuple[Any, ...]:
    """The programs of all phases in common arrays, and the layout that says where each phase's parts are."""
    layout = np.zeros((len(steps), 15), np.int64)
    legal_runs, legal_index, next_runs, next_index = [], [], [], []
    must, choices, move_legal, move_target, update = [], [], [], [], []
    sizes = np.zeros(8, np.int64)  # legal runs, legal index, must, choices, next runs, next index, update, moves
    writers: dict[int, int] = {}
    for step in steps:
        for choice in step.choices:
            writers[choice.role] = writers.get(choice.role, 0) + 1
    for k, step in enumerate(steps):
        row = layout[k]
        row[0], row[1] = sizes[0], sizes[0] + step.legal.runs.shape[0]
        row[2], row[3], row[4] = sizes[1], step.legal.base, step.terminal
        row[5], row[6] = sizes[2], sizes[2] + step.must.size
        row[7], row[8] = sizes[3], sizes[3] + len(step.choices)
        row[9], row[10] = sizes[4], sizes[4] + step.next.runs.shape[0]
        row[11], row[12] = sizes[5], step.next.base
        row[13], row[14] = sizes[6], sizes[6] + step.update.shape[0]
        legal_runs.append(step.legal.runs)
        legal_index.append(step.legal.index)
        must.append(step.must)
        next_runs.append(step.next.runs)
        next_index.append(step.next.index)
        update.append(step.update)
        for choice in step.choices:
            choices.append([sizes[7], sizes[7] + choice.legal.size, choice.moves, writers[choice.role] > 1])
            move_legal.append(choice.legal)
            move_target.append(choice.target)
            sizes[7] += choice.legal.size
        sizes[:7] += (
            step.legal.runs.shape[0], step.legal.index.size, step.must.size, len(step.choices),
            step.next.runs.shape[0], step.next.index.size, step.update.shape[0],
        )  # fmt: skip
    none = np.empty(0, np.int32)
    return (
        np.concatenate(legal_runs).ravel(),
        np.concatenate(legal_index),
        np.concatenate(next_runs).ravel(),
        np.concatenate(next_index),
        layout,
        np.concatenate(must),
        np.array(choices, np.int64).reshape(-1, 4),
        np.concatenate([none, *move_legal]),
        np.concatenate([none, *move_target]),
        np.concatenate(update).ravel(),
    )
