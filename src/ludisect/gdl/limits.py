"""The numbers of rule sheets: how many faults and moves are shown."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class RulesLimits(Numbers):
    """How much is told about a rule sheet; how deep terms may be nested is no number to set: Python's stack decides."""

    kif_faults: int = number(20, "Syntax faults that are told at once, in either notation", least=1)
    randomplay_shown: int = number(20, "Joint moves of a long play that are printed with a fault", least=1)
