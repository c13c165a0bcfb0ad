"""The numbers of endings: how far kings are looked at, and how many positions the pawns may take."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class EndingLimits(Numbers):
    """What bounds the analysis of a king-and-pawn ending."""

    ending_positions: int = number(
        500_000,
        "Pawn positions expanded for one question where no seconds are given. Measured by benchmarks/endings.py: some "
        "30 thousand a second; the hardest of Mäser's endings takes 39 thousand",
        least=1,
    )
    king_plies: int = number(
        2,
        "Plies of the local search that asks whether a king can move without losing a pawn. Mäser 2001, 7.3.1",
        least=2,
    )
