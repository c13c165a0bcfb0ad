"""Stages that are sums: a stage whose parts add up is solved by its parts; its positions are not searched.

Everything else is as in ``serial``. A stage that is no sum is searched like there, unless it is too large.
"""

from __future__ import annotations

from collections import defaultdict
from math import prod

from ludisect import clock
from ludisect.answer import Answer
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.additive.misere import MisereSearch
from ludisect.search.budget import Budget
from ludisect.search.limits import SearchLimits
from ludisect.search.part.compound import Compound
from ludisect.search.serial import serial
from ludisect.search.serial.serial import START, Locals, Stages, solve_stages, stages_of
from ludisect.search.serial.stagesum import stage_sum
from ludisect.search.serial.stagevalue import Within, solve_within
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable, Way

NAME = "stages"


class SummedStages(Stages):
    """The stages of a serial game, those of several parts solved as sums where they are such."""

    def __init__(self, parts: Decomposition, budget: Budget) -> None:
        super().__init__(parts, budget)
        self._compounds: dict[tuple[int, Locals], Compound] = {}
        self._searched = defaultdict[tuple[int, Locals], list[MisereSearch]](list)
        self.within: dict[tuple[int, Locals, int], Within] = {}
        """The stages that were solved as sums, by how they were entered."""

    def enter(self, stage: int, states: Locals, context: int) -> int:
        """What role 0 gets when a stage opens."""
        key = (stage, states, context)
        parts = self.stages[stage]
        if len(parts) > 1 and key not in self._values and not self.verdict(states, context)[0]:
            try:
                if key[:2] not in self._compounds:
                    self._compounds[key[:2]] = stage_sum(self, stage, states)
                base = self._compounds[key[:2]]
                compound = base.begun_at(base.start, context)
                self.within[key] = solve_within(compound, self.budget, self._searched[key[:2]])
                self._values[key] = self.within[key].value
            except Inapplicable as error:
                if prod(self.graphs[i].positions for i in parts) > SearchLimits.current().stages_small:
                    raise Inapplicable(f"stage {stage + 1} is no sum of values: {error}") from None
        return super().enter(stage, states, context)

    def kept_in(self, stage: int, states: Locals, context: int) -> int | None:
        """What role 0 gets while a stage is open: of a sum, from its parts; None if that was not worked out."""
        members = self.stages[stage]
        entered = stage, tuple(0 if i in members else s for i, s in enumerate(states))
        compound = self._compounds.get(entered)
        if compound is None or super().kept_in(stage, states, context) is not None:
            return super().kept_in(stage, states, context)
        here = compound.begun_at(tuple(states[i] for i in members), context)
        return solve_within(here, self.budget, self._searched[entered]).value

    def first_move(self, stage: int, states: Locals, value: int) -> tuple[int, int] | None:
        """(role, global move) of a move at the start of the play that is worth as much as the play."""
        moves = self.moves(stage, states, START)
        solved = self.within.get((stage, states, START))
        if moves and solved is not None and solved.move is not None:
            return moves[0][1][0], solved.move[1]
        return super().first_move(stage, states, value)

    def account(self, stage: int) -> str:
        """What a stage is worth and how that is known, in words."""
        by = sorted({w.way for (at, _, _), w in self.within.items() if at == stage})
        return super().account(stage) + (f"; its parts add up ({', '.join(by)})" if by else "")


def applies(parts: Decomposition) -> str | None:
    """Serial games in which some stage has parts of its own."""
    stages = stages_of(parts)
    if serial.applies(parts) is None or stages is None or all(len(stage) == 1 for stage in stages):
        return None
    return f"{len(stages)} stages, some of several parts among which the mover picks"


def solve_sums(study: Study, budget: Budget) -> Answer:
    """The value of a serial game whose stages are sums, its last stage first.

    Raises Inapplicable if the stages turn out not to be such, or none is a sum.
    """
    begin = clock.now()
    stages = SummedStages(study.parts, budget)
    answer = solve_stages(stages, NAME, begin)
    if not stages.within:
        raise Inapplicable("no stage is a sum whose parts add up")
    return answer


WAY = Way(
    NAME, "stages of several parts that add up: nimbers, values, points or plans within each", applies, solve_sums
)
