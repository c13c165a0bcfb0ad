"""Playouts by the hundred million: drives the kernel for a game and adds up what the plays gave.

A playout counts whatever its length. Exactly N plays are started, each lane being refilled as soon as its play has
ended, and the kernel goes on until every play that was started has ended; nothing depends on a time window, so long
plays are not lost and short ones not favored. A time limit stops the *starting* of plays; those under way are finished.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.circuit import lanekernel as kernel
from ludisect.circuit.circuit import Circuit
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.phase import Phases, phases
from ludisect.circuit.program import Compiler, StepProgram, relevant_fluents, step_program
from ludisect.circuit.vector import LANES, WORDS, aligned
from ludisect.errors import UnknownRole
from ludisect.kernels.workers import want

SLICE_SECONDS = 0.1
"""The kernel comes back this often, so that Ctrl-C, progress and time limits work; no result hangs on it."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What playouts gave. ``goal_counts[role][value]`` counts the finished plays with that result."""

    playouts: int
    states: int
    moves: int
    stuck: int
    cut: int
    goal_counts: tuple[dict[int, int], ...]
    undefined: tuple[int, ...]
    seconds: float
    roles: tuple[str, ...] = ()
    interrupted: bool = False
    """Whether Ctrl-C stopped the starting of plays; those under way were finished, so the figures are sound."""

    @property
    def finished(self) -> int:
        """Plays that reached a terminal state."""
        return self.playouts - self.stuck - self.cut

    @property
    def mean_length(self) -> float:
        """Moves per play."""
        return self.moves / self.playouts if self.playouts else 0.0

    def mean_goal(self, role: str | int) -> float:
        """The average result of a role, given by name or number, over the finished plays that gave it one."""
        if isinstance(role, str):
            if role not in self.roles:
                raise UnknownRole(role, self.roles)
            role = self.roles.index(role)
        counts = self.goal_counts[role]
        total = sum(counts.values())
        return sum(value * n for value, n in counts.items()) / total if total else float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class _Code:
    """The arrays that ``kernel.play`` takes, the same for every batch of lanes."""

    arrays: tuple[Any, ...]
    n_nodes: int
    goal_nodes: int
    n_blocks: int
    n_moves: int


class Playouts:
    """A game compiled for playouts. ``run`` plays; everything is determined by the seed and the number of threads."""

    def __init__(
        self,
        circuit: Circuit,
        goals: tuple[tuple[int, int], ...],
        roles: tuple[str, ...] = (),
        *,
        use_phases: bool = True,
    ) -> None:
        self.circuit, self.goals, self.roles = circuit, goals, roles
        self.phases: Phases = phases(circuit) if use_phases else Phases((circuit,), ({},))

    @cached_property
    def _code(self) -> _Code:
        fluents = relevant_fluents(self.circuit)
        # one node past all inputs and gates takes what is written for the padding of move lists
        scratch = max(c.n_inputs + 1 + c.gates + c.n_fluents for c in self.phases.circuits) + 1
        steps = [step_program(c, fluents, scratch) for c in self.phases.circuits]
        goal_compiler = Compiler(self.circuit)
        goal_program, goal = goal_compiler.program(self.circuit.goal)
        goal_fluents = self.circuit.support(self.circuit.goal)
        goal_fluents = goal_fluents[goal_fluents <= self.circuit.n_fluents].astype(np.int32)
        restart = (2 * fluents + (~self.circuit.initial[fluents - 1]).astype(np.int64)).astype(np.int32)
        joined = _join(steps)
        arrays = (
            *joined,
            restart,
            goal_fluents,
            goal_program.runs.ravel(),
            goal_program.index,
            goal,
            goal_program.base,
        )
        n_moves = joined[7].size
        return _Code(arrays, scratch + 1, goal_compiler.next_node, max(1, n_moves // 8), n_moves)

    def run(
        self,
        playouts: int,
        *,
        seed: int = 0,
        threads: int = 1,
        seconds: float | None = None,
        max_length: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Tally:
        """Play exactly ``playouts`` random plays (fewer if ``seconds`` run out first).

        Plays longer than ``max_length`` moves are cut and counted as such: none shorter, all that are a quarter longer.
        """
        want("simulate")
        begin = clock.now()
        deadline = None if seconds is None else begin + seconds
        shares = [playouts // threads + (i < playouts % threads) for i in range(threads)]
        seeds = np.random.SeedSequence(seed).spawn(threads)
        epoch = -(-(max_length or CircuitLimits.current().lanes_max_length) // (kernel.MAX_AGE - 1))
        batches = [_Batch(self._code, len(self.goals), share, s) for share, s in zip(shares, seeds, strict=True)]
        stop = _Stop()

        def work(batch: _Batch) -> None:
            batch.run(epoch, deadline, stop, progress)

        if threads == 1:
            work(batches[0])
        else:
            with ThreadPoolExecutor(threads) as pool:
                running = [pool.submit(work, b) for b in batches]
                try:
                    while wait(
                        running, timeout=SLICE_SECONDS
                    ).not_done:  # a plain wait would not hear Ctrl-C everywhere
                        pass
                except KeyboardInterrupt:
                    stop.interrupted = True
            for done in running:
                done.result()
        counters = np.sum([b.counters for b in batches], axis=0)
        tally = np.sum([b.tally for b in batches], axis=0)
        return self._tally(counters, tally, clock.now() - begin, stop.interrupted)

    def _tally(self, counters: NDArray[np.int64], tally: NDArray[np.int64], seconds: float, interrupted: bool) -> Tally:
        n_roles = len(self.circuit.roles)
        counts: list[dict[int, int]] = [{} for _ in range(n_roles)]
        for (role, value), n in zip(self.goals, tally.tolist(), strict=True):
            if n:
                counts[role][value] = counts[role].get(value, 0) + n
        ended = int(counters[kernel.ENDED])
        stuck, cut = int(counters[kernel.STUCK]), int(counters[kernel.CUT])
        return Tally(
            playouts=ended + stuck + cut,
            states=int(counters[kernel.STATES]),
            moves=int(counters[kernel.MOVES]),
            stuck=stuck,
            cut=cut,
            goal_counts=tuple(counts),
            # every finished play should have given one goal per role: more or fewer show as a difference
            undefined=tuple(ended - sum(c.values()) for c in counts),
            seconds=seconds,
            roles=self.roles,
            interrupted=interrupted,
        )


class _Stop:
    """Set when the user pressed Ctrl-C: no play is started any more, those under way are finished."""

    interrupted = False


class _Batch:
    """512 lanes and all they need while they play."""

    def __init__(self, code: _Code, n_goals: int, playouts: int, seed: np.random.SeedSequence) -> None:
        self.code = code
        self.values = aligned(code.n_nodes)
        self.kept = aligned(code.goal_nodes)
        self.values[:WORDS] = self.kept[:WORDS] = -1
        self.masks = aligned(kernel.MASKS)
        lanes = slice(kernel.WAITING * WORDS, (kernel.WAITING + 1) * WORDS)
        self.masks[lanes] = -1
        self.random = aligned(4)
        self.random[:] = seed.generate_state(4 * WORDS, np.uint64).view(np.int64)
        self.blocks = aligned(4 * code.n_blocks)
        self.dirty = np.ones(code.n_blocks, np.uint8)
        self.counters = np.zeros(kernel.COUNTERS, np.int64)
        self.counters[kernel.TO_START] = playouts
        self.tally = np.zeros(n_goals, np.int64)
        n_phases = code.arrays[4].shape[0]
        self.counters[kernel.PHASE] = n_phases - 1  # plays begin after the last phase

    def run(self, epoch: int, deadline: float | None, stop: _Stop, progress: Callable[[int], None] | None) -> None:
        """Play in slices until all that was started has ended; a deadline or Ctrl-C ends the starting."""
        steps = 64
        counters = self.counters
        now = clock.now()
        while counters[kernel.TO_START] > 0 or counters[kernel.RUNNING] > 0:
            before, ended = clock.now(), int(counters[kernel.ENDED])
            try:
                kernel.play(
                    self.values, self.kept, self.masks, self.random, self.blocks, self.dirty, counters, self.tally,
                    *self.code.arrays, epoch, steps,
                )  # fmt: skip
                now = clock.now()
                if progress is not None:
                    progress(int(counters[kernel.ENDED]) - ended)
            except KeyboardInterrupt:  # arrives between slices: what the lanes hold is whole
                if stop.interrupted:  # who asks twice does not want to wait for the plays under way
                    raise
                stop.interrupted = True
            if stop.interrupted or (deadline is not None and now > deadline):
                counters[kernel.TO_START] = 0
            if now - before < SLICE_SECONDS / 2:
                steps = min(steps * 2, 1 << 30)


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


__all__ = ["LANES", "Playouts", "Tally"]
