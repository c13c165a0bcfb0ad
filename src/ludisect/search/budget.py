"""How long and how large a search may grow, and who wants to hear how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ludisect import clock
from ludisect.errors import BudgetExceeded

Progress = Callable[[str, int], None]
"""Called now and then with what is being done and how many positions are known."""

DEFAULT_MEMORY = 4 * 2**30


@dataclass(slots=True)
class Budget:
    """Seconds from now on and bytes; ``check`` raises BudgetExceeded once one of them is used up."""

    seconds: float | None = None
    memory: float | None = None
    progress: Progress | None = None
    begin: float = field(default_factory=clock.now)
    whole: Budget | None = field(default=None, repr=False)
    """Of which this is a share; work that other shares can use is measured by the whole."""

    @property
    def spent(self) -> float:
        """Seconds since the search began."""
        return clock.now() - self.begin

    @property
    def left(self) -> float | None:
        """Seconds that remain (at least 0), or None without a limit."""
        return None if self.seconds is None else max(0.0, self.seconds - self.spent)

    @property
    def bytes(self) -> float:
        """The limit on memory."""
        return DEFAULT_MEMORY if self.memory is None else self.memory

    def portion(self, share: float) -> Budget:
        """The same budget with only a share of the seconds that remain."""
        left = self.left
        if left is None:
            return self
        return Budget(share * left, self.memory, self.progress, whole=self.whole or self)

    def at_most(self, seconds: float, memory: float) -> Budget:
        """The same budget, but no more than these seconds from now on and bytes."""
        left = seconds if self.left is None else min(seconds, self.left)
        return Budget(left, min(memory, self.bytes), self.progress)

    def tell(self, what: str, count: int) -> None:
        """Report how far the work is."""
        if self.progress is not None:
            self.progress(what, count)

    def check(self, used: float = 0.0, *, partial: object = None) -> None:
        """Raise BudgetExceeded if the time is over or ``used`` bytes are too many."""
        if self.seconds is not None and self.spent > self.seconds:
            raise BudgetExceeded(f"not finished within {self.seconds:.3g} s", budget="seconds", partial=partial)
        if used > self.bytes:
            raise BudgetExceeded(
                f"needs more than {self.bytes / 2**30:.3g} GB of memory", budget="memory", partial=partial
            )
