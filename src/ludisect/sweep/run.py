"""The sweep itself: claims rows, has them done, keeps what comes; can be ended at any moment and taken up again."""

from __future__ import annotations

import queue
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ludisect.sweep.job import Ending
from ludisect.sweep.limits import SweepLimits
from ludisect.sweep.owner import owner_name
from ludisect.sweep.rowstore import CLAIMED, Claimed, SweepStore
from ludisect.sweep.sweepplan import SweepPlan, version
from ludisect.sweep.transport import Done, Transport

AHEAD: Final = 2
"""Tasks per slot that are claimed at a time: one at work, one ready."""

Told = Callable[[Claimed, Ending], None]
"""Told of every row that is kept."""


def run_sweep(store: SweepStore, plan: SweepPlan, transport: Transport, told: Told | None = None) -> int:
    """Do all rows of a plan that nobody has done or is doing; the number of rows that other clients still have.

    A row is kept as soon as its ending is there. When this is interrupted, what is under way is given back.
    """
    owner = owner_name()
    try:
        _Sweep(store, plan, transport, owner, told).run()
    finally:
        transport.close()
        store.release(owner)
    return store.counts(plan.task, plan.settings, version()).get(CLAIMED, 0)


class _Sweep:
    """One client's work on a store."""

    def __init__(self, store: SweepStore, plan: SweepPlan, transport: Transport, owner: str, told: Told | None) -> None:
        self.store, self.plan, self.transport, self.owner, self.told = store, plan, transport, owner, told
        self.under_way: dict[int, Claimed] = {}
        self.answers: queue.SimpleQueue[tuple[Claimed, Ending | None]] = queue.SimpleQueue()
        self.renewal = 0.0
        self.finished, self.seconds = 0, 0.0

    def run(self) -> None:
        while self._claim() or self.under_way:
            self._renew()
            try:
                claim, ending = self.answers.get(timeout=SweepLimits.current().lease_seconds / 4)
            except queue.Empty:
                continue
            del self.under_way[claim.id]
            self._keep(claim, ending)

    def _claim(self) -> bool:
        """Claim what the transport can take, and hand it over; whether there was any."""
        size = self._batch()
        room = AHEAD * self.transport.slots * size - len(self.under_way)
        if room < size:
            return False
        claims = self.store.claim(self.owner, room, self.plan.task, self.plan.settings, version())
        alone = [claim for claim in claims if claim.lost]  # its worker fell: nobody else should pay for it again
        others = [claim for claim in claims if not claim.lost]
        for some in [[claim] for claim in alone] + [others[k : k + size] for k in range(0, len(others), size)]:
            self.under_way |= {claim.id: claim for claim in some}
            self.transport.submit([(self.plan.job(claim.entry), self._answer(claim)) for claim in some])
        return bool(claims)

    def _batch(self) -> int:
        """How many games travel together: by what the games so far took."""
        if not self.transport.batches or not self.finished:
            return 1
        limits = SweepLimits.current()
        return max(1, min(limits.batch_most, int(limits.batch_seconds * self.finished / max(self.seconds, 1e-9))))

    def _answer(self, claim: Claimed) -> Done:
        return lambda ending: self.answers.put((claim, ending))

    def _renew(self) -> None:
        now = time.monotonic()
        if now - self.renewal > SweepLimits.current().lease_seconds / 4:
            self.store.renew(self.owner)
            self.renewal = now

    def _keep(self, claim: Claimed, ending: Ending | None) -> None:
        """Keep an ending; what was ended by somebody else than the guard is tried again, up to a limit."""
        if ending is not None:
            self.finished, self.seconds = self.finished + 1, self.seconds + ending.wall
        if ending is None or (ending.status == "crash" and ending.exit == -signal.SIGKILL):
            if claim.lost + 1 < SweepLimits.current().lost_most:
                self.store.release(self.owner, [claim], lost=True)
                return
            ending = replace(ending or Ending("lost", None, 0.0, 0.0, 0, "", ""), status="lost")
        if self.store.finish(self.owner, claim, ending, self.plan.limits) and self.told is not None:
            self.told(claim, ending)
