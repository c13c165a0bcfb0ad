"""Playouts by the hundred million: drives the kernel for a game and adds up what the plays gave.

A playout counts whatever its length. Exactly N plays are started, each lane being refilled as soon as its play has
ended, and the kernel goes on until every play that was started has ended; nothing depends on a time window, so long
plays are not lost and short ones not favored. A time limit stops the *starting* of plays; those under way are finished.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.circuit import lanekernel as kernel
from ludisect.circuit.circuit import Circuit
from ludisect.circuit.lanecode import LaneCode, lane_code
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.phase import Phases, phases
from ludisect.circuit.rows import Rows
from ludisect.circuit.seats import RowPlays, Seats, turns_of
from ludisect.circuit.vector import LANES, WORDS, aligned
from ludisect.errors import InputError, UnknownRole
from ludisect.kernels.workers import want
from ludisect.progress import reporter

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
    def code(self) -> LaneCode:
        """The game as the kernels take it."""
        return lane_code(self.circuit, self.phases)

    def run(
        self,
        playouts: int,
        *,
        seed: int = 0,
        threads: int = 1,
        seconds: float | None = None,
        max_length: int | None = None,
        told: Callable[[Callable[[], Tally]], None] | None = None,
    ) -> Tally:
        """Play exactly ``playouts`` random plays (fewer if ``seconds`` run out first).

        Plays longer than ``max_length`` moves are cut and counted as such: none shorter, all that are a quarter longer.
        ``told`` is called every now and then, in any thread, with what makes the tally so far.
        """
        want("simulate")
        begin = clock.now()
        deadline = None if seconds is None else begin + seconds
        shares = [playouts // threads + (i < playouts % threads) for i in range(threads)]
        seeds = np.random.SeedSequence(seed).spawn(threads)
        epoch = -(-(max_length or CircuitLimits.current().lanes_max_length) // (kernel.MAX_AGE - 1))
        batches = [_Batch(self.code, len(self.goals), share, s) for share, s in zip(shares, seeds, strict=True)]
        stop = _Stop()

        def so_far() -> Tally:
            counters, tally = (np.sum([getattr(b, name) for b in batches], axis=0) for name in ("counters", "tally"))
            return self._tally(counters, tally, clock.now() - begin, stop.interrupted)

        ended = _Ended(playouts, None if told is None else partial(told, so_far))

        def work(batch: _Batch) -> None:
            batch.run(epoch, deadline, stop, ended)

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
        return so_far()

    def plays_from(
        self,
        rows: Rows,
        plays: int = 1,
        *,
        seed: int = 0,
        turns: NDArray[np.int32] | None = None,
        max_length: int | None = None,
    ) -> RowPlays:
        """Random plays from states: ``plays`` from each row; ``run`` of what is returned plays them.

        The states may stand at different turns; ``turns`` says at which, for who knows it already. Plays are cut as in
        ``run``.

        >>> import ludisect
        >>> game = ludisect.load("tictactoe")
        >>> rows = game.batch.row(game.start.play("(mark 2 2)").fluents)
        >>> sums = game.playouts.plays_from(rows, 1000).run()
        >>> int(sums.finished[0]), bool(sums.mean()[0, 0] > 60)
        (1000, True)
        """
        want("simulate")
        if plays < 1:
            raise InputError(f"plays from each state must be at least 1, not {plays}")
        rows = np.atleast_2d(rows)
        at = turns_of(rows, self.phases) if turns is None else np.ascontiguousarray(turns, np.int32)
        length = max_length or CircuitLimits.current().lanes_max_length
        seats = Seats(self.code, self.circuit.n_fluents, self.goals, seed)
        return RowPlays(seats, rows, at, self.circuit.n_fluents, len(self.circuit.roles), plays, length)

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


class _Ended:
    """Plays that have come to an end, in whatever thread; reported to who listens where it was made."""

    def __init__(self, playouts: int, told: Callable[[], None] | None) -> None:
        self._done, self._of, self._told = 0, playouts, told
        self._lock, self._report = threading.Lock(), reporter()

    def add(self, plays: int) -> None:
        if self._report is not None:
            with self._lock:
                self._done += plays
                self._report("playing", self._done, self._of)
        if self._told is not None:
            self._told()


class _Batch:
    """512 lanes and all they need while they play."""

    def __init__(self, code: LaneCode, n_goals: int, playouts: int, seed: np.random.SeedSequence) -> None:
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
        n_phases = code.step[4].shape[0]
        self.counters[kernel.PHASE] = n_phases - 1  # plays begin after the last phase

    @property
    def ended(self) -> int:
        """Plays that have come to an end, well or not."""
        return int(self.counters[[kernel.ENDED, kernel.STUCK, kernel.CUT]].sum())

    def run(self, epoch: int, deadline: float | None, stop: _Stop, ended: _Ended) -> None:
        """Play in slices until all that was started has ended; a deadline or Ctrl-C ends the starting."""
        steps = 64
        counters = self.counters
        now = clock.now()
        while counters[kernel.TO_START] > 0 or counters[kernel.RUNNING] > 0:
            before, done = clock.now(), self.ended
            try:
                kernel.play(
                    self.values, self.kept, self.masks, self.random, self.blocks, self.dirty, counters, self.tally,
                    *self.code.step, self.code.restart, *self.code.goal, epoch, steps,
                )  # fmt: skip
                now = clock.now()
                ended.add(self.ended - done)
            except KeyboardInterrupt:  # arrives between slices: what the lanes hold is whole
                if stop.interrupted:  # who asks twice does not want to wait for the plays under way
                    raise
                stop.interrupted = True
            if stop.interrupted or (deadline is not None and now > deadline):
                counters[kernel.TO_START] = 0
            if now - before < SLICE_SECONDS / 2:
                steps = min(steps * 2, 1 << 30)


__all__ = ["LANES", "Playouts", "Tally"]
