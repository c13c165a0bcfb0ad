"""How long and how large a search may grow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import inf

from ludisect import clock
from ludisect.cgt.limit import active
from ludisect.cgt.limit import budget as limited
from ludisect.effort import STEPS_PER_SECOND, Effort, spend
from ludisect.effort import spent as steps_spent
from ludisect.errors import BudgetExceeded

DEFAULT_MEMORY = 4 * 2**30

FORM_STEPS = 10_000
"""Steps (see ``effort``) that a canonical form or a comparison of two counts, about."""


@dataclass(slots=True)
class Budget:
    """Seconds from now on, bytes, and steps of work; ``check`` raises BudgetExceeded once one of them is used up.

    A search that is to give the same answer on every machine is limited by steps: ``check`` counts them.
    """

    seconds: float | None = None
    memory: float | None = None
    work: float = inf
    begin: float = field(default_factory=lambda: clock.now())  # by the clock in force now, not at import
    whole: Budget | None = field(default=None, repr=False)
    """Of which this is a share; work that other shares can use is measured by the whole."""
    begin_steps: float = field(default_factory=steps_spent, repr=False)
    kept: float = 0.0
    """Seconds at the end in which what was found is looked at: ``check`` counts them as used up."""

    @property
    def spent(self) -> float:
        """Seconds since the search began."""
        return clock.now() - self.begin

    @property
    def left(self) -> float | None:
        """Seconds that remain (at least 0), or None without a limit."""
        return None if self.seconds is None else max(0.0, self.seconds - self.spent)

    @property
    def work_left(self) -> float:
        """Steps that remain, at least 0."""
        return max(0.0, self.begin_steps + self.work - steps_spent())

    @property
    def limited(self) -> bool:
        """Whether there is a limit on time or work."""
        return self.seconds is not None or self.work < inf

    @property
    def over(self) -> bool:
        """Whether no time or no work is left."""
        return self.left == 0 or self.work_left == 0

    @property
    def bytes(self) -> float:
        """The limit on memory."""
        return DEFAULT_MEMORY if self.memory is None else self.memory

    def portion(self, share: float) -> Budget:
        """The same budget with only a share of the seconds and steps that remain."""
        left, work = self.left, self.work_left
        if left is None and work == inf:
            return self
        seconds = None if left is None else share * left
        return Budget(seconds, self.memory, share * work, whole=self.whole or self)

    def without(self, share: float) -> Budget:
        """The same budget, in which a share of the seconds and steps that remain is kept for something else."""
        left, used = self.left, steps_spent() - self.begin_steps
        seconds = None if left is None else self.spent + (1 - share) * left
        work = used + (1 - share) * self.work_left
        return Budget(seconds, self.memory, work, self.begin, begin_steps=self.begin_steps)

    def keeping(self, share: float) -> Budget:
        """The same budget, whose ``check`` leaves a share of the seconds that remain for what comes after."""
        return replace(self, kept=share * (self.left or 0.0))

    def at_least(self, work: float, most: float) -> Budget:
        """What remains, but so many steps (and their time) at least, and so many at most."""
        left = self.left
        seconds = None if left is None else max(left, work / STEPS_PER_SECOND)
        return Budget(seconds, self.memory, min(most, max(self.work_left, work)))

    def at_most(self, work: float, memory: float) -> Budget:
        """The same budget, but no more than these steps from now on and bytes."""
        return Budget(self.left, min(memory, self.bytes), min(work, self.work_left))

    def effort(self, work: float, share: float = 1.0) -> Effort:
        """Steps for one question, and at most a share of what remains."""
        left = self.left
        return Effort(min(work, share * self.work_left), None if left is None else share * left)

    @contextmanager
    def arithmetic(self) -> Iterator[None]:
        """Within this block, sums and comparisons of combinatorial games are limited by what remains."""
        most = None if self.work_left == inf else 1 + int(self.work_left / FORM_STEPS)
        with limited(seconds=self.left, steps=most):
            meter = active()
            try:
                yield
            except BudgetExceeded as error:
                if error.budget != "nodes":
                    raise
                raise BudgetExceeded(self._too_much_work(), budget="work") from None
            finally:
                spend(FORM_STEPS * (0 if meter is None else meter.looks))

    def check(self, used: float = 0.0, *, steps: float = 0.0, partial: object = None) -> None:
        """Count steps; raise BudgetExceeded if work or time is used up, or ``used`` bytes are too many."""
        spend(steps)
        if self.work_left == 0:
            raise BudgetExceeded(self._too_much_work(), budget="work", partial=partial)
        self.in_time(partial)
        if used > self.bytes:
            raise BudgetExceeded(
                f"needs more than {self.bytes / 2**30:.3g} GB of memory", budget="memory", partial=partial
            )

    def in_time(self, partial: object = None) -> None:
        """Raise BudgetExceeded once the seconds are used up."""
        if self.seconds is not None and self.spent > self.seconds - self.kept:
            raise BudgetExceeded(f"not finished within {self.seconds:.3g} s", budget="seconds", partial=partial)

    def _too_much_work(self) -> str:
        return f"not finished within {self.work:.3g} steps of work"
