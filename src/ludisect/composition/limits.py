"""The numbers of composition: how often random machines and compounds are drawn and tried."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class CompositionLimits(Numbers):
    """How often random machines and compounds are drawn, and how long they are tried."""

    borrow_values: int = number(300, "Counters of a game with more values than this are not followed", least=1)
    machines_tries: int = number(200, "Random machines of one family before it is given up", least=1)
    many_tries: int = number(40, "Fillings of one plan before another is drawn", least=1)
    many_plays: int = number(150, "Random plays in which a part must show that it is what the answer says", least=1)
    ondemand_tries: int = number(60, "Fillings of a compound with machines", least=1)
    ondemand_plays: int = number(100, "Random plays that a compound must pass,", least=1)
    ondemand_max_length: int = number(2_000, "each over after so many joint moves at most;", least=1)
    ondemand_moves: int = number(
        50_000,
        "no play is begun after so many joint moves in all. Measured: 0.2 to 0.34 ms each on six bundled games",
        least=1,
    )
    thorny_most: int = number(2_000, "Positions of a thorny compound at most: plain search has to decide it", least=2)
    thorny_least: int = number(6, "and at least", least=1)
