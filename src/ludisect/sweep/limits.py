"""The numbers of sweeps: what a guarded command may take beyond its limits, leases, how often one looks."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class SweepLimits(Numbers):
    """Limits of sweeps."""

    guard_share: float = number(
        1.5, "What the guard allows by the clock, as a multiple of the seconds that a command is given", least=1.0
    )
    guard_grace: float = number(
        10.0, "Seconds that the guard adds to that, for reading, grounding and saying what is known", least=0.0
    )
    memory_share: float = number(
        1.25, "What the guard allows, as a multiple of the memory that a command is given", least=1.0
    )
    look_seconds: float = number(0.1, "Longest pause between two looks at a job", least=0.001, most=10.0)
    output_bytes: int = number(64 * 2**20, "Standard output of a job that is kept; more is a crash", least=1024)
    error_bytes: int = number(4096, "The end of standard error that is kept", least=0)
    lease_seconds: float = number(
        60.0, "A claim on a game that is not renewed for so long is free again: its client is dead", least=1.0
    )
    batch_seconds: float = number(
        1.0, "Games that are shorter travel to a cluster together, about as many as take so long", least=0.0
    )
    batch_most: int = number(64, "Most games that travel together", least=1)
    lost_most: int = number(3, "A game whose worker falls so often is called lost", least=1)
    busy_seconds: float = number(30.0, "How long a store that others write to is waited for", least=0.0)
