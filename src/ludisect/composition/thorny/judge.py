"""``Judge``: an answer held against the known values of a thorny compound: values, moves, line of play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludisect.answer import Answer
from ludisect.composition.thorny.blueprint import Position, ThornyPlan
from ludisect.composition.thorny.plainvalue import KnownWorth

CLOSE = 1e-6
"""Searches count in floating point."""


@dataclass(frozen=True)
class Judge:
    """The known values of everything that can follow a position of a plan."""

    plan: ThornyPlan
    start: Position
    worth: KnownWorth

    def faults(self, answer: Answer) -> Iterator[str]:
        """What is wrong with an answer, in words; bounds have to hold the value."""
        wrong = False
        for role, value in zip(self.plan.roles, self.worth.value, strict=True):
            said = answer.value[role]
            if said is not None and abs(said - value) > CLOSE:
                wrong = True
                yield f"{role} gets {float(value):g}, not {said:g} ({self.worth.rule})"
            if said is None and role in answer.bounds:
                low, high = answer.bounds[role]
                if not low - CLOSE <= value <= high + CLOSE:
                    yield f"{role} gets {float(value):g}, not {low:g} to {high:g} ({self.worth.rule})"
        if not wrong and None not in answer.value.values():
            yield from self._moves(answer)
            yield from self._line(answer)

    def _moves(self, answer: Answer) -> Iterator[str]:
        """Whether what is recommended attains the value, whatever the others do."""
        for r, role in enumerate(self.plan.roles):
            odds = {str(m): x for m, x in answer.mixed.get(role, {}).items()}
            if not odds and role in answer.move:
                odds = {str(answer.move[role]): 1.0}
            if not odds:
                continue
            legal = {name for name, _, _ in self.plan.choices(self.start, r)}
            if not set(odds) <= legal:
                yield f"{role} is told to make a move that is not legal"
                continue
            against: dict[tuple[str, ...], float] = {}
            for joint in self.plan.joints(self.start):
                mine, others = joint[r][0], tuple(name for q, (name, _, _) in enumerate(joint) if q != r)
                if mine in odds:
                    later = self.worth.values[self.plan.after(self.start, joint)]
                    against[others] = against.get(others, 0.0) + odds[mine] * float(later[r])
            if min(against.values()) < float(self.worth.value[r]) - 100 * CLOSE:
                yield f"{role} gets only {min(against.values()):g} by the move that is named"

    def _line(self, answer: Answer) -> Iterator[str]:
        """Whether the line of play is legal, and keeps every value."""
        here = self.start
        for n, moves in enumerate(answer.line, 1):
            wanted = tuple(str(moves[role]) for role in self.plan.roles)
            fits = [joint for joint in self.plan.joints(here) if tuple(name for name, _, _ in joint) == wanted]
            if self.plan.over(here) or not fits:
                yield f"move {n} of the line is not legal"
                return
            here = self.plan.after(here, fits[0])
            for role, value, said in zip(self.plan.roles, self.worth.values[here], self.worth.value, strict=True):
                if abs(value - said) > CLOSE:
                    yield f"after move {n} of the line {role} gets {float(value):g}, not {float(said):g}"
                    return
