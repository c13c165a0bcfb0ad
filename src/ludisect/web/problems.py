"""Problems as the page gets them (RFC 9457): a type, a title, a status, and what helps to mend them."""

from __future__ import annotations

from typing import Any, Final

from ludisect.errors import BudgetExceeded, IllegalMove, InputError, LudisectError, RulesError

STATUS: Final = {
    "request": 422,
    "rules": 422,
    "input": 422,
    "illegal-move": 422,
    "play": 422,
    "limit": 422,
    "own-game": 422,
    "busy": 429,
    "gone": 404,
    "crash": 500,
    "killed": 500,
}
"""The types of problems, and the status of each."""

SHOWN: Final = 400
"""Characters of what a process said last."""


class Refusal(Exception):
    """A request that is not fulfilled, as the problem that is answered."""

    def __init__(self, kind: str, title: str, *, status: int | None = None, **more: Any) -> None:
        super().__init__(title)
        self.problem = problem(kind, title, status=status, **more)

    @staticmethod
    def of(problem: dict[str, Any]) -> Refusal:
        """The refusal with this problem."""
        refused = Refusal("request", "")
        refused.problem = problem
        refused.args = (problem["title"],)
        return refused

    @property
    def status(self) -> int:
        """The status of the answer."""
        return int(self.problem["status"])


def problem(kind: str, title: str, *, status: int | None = None, **more: Any) -> dict[str, Any]:
    """A problem as JSON-ready data."""
    return {"type": f"/problems/{kind}", "title": title, "status": status or STATUS[kind], **more}


def problem_of(error: LudisectError) -> dict[str, Any]:
    """The problem that an error of the library is."""
    if isinstance(error, RulesError):
        faults = [found.to_dict() for found in error.problems]
        return problem("rules", faults_title(error), problems=faults)
    if isinstance(error, IllegalMove):
        return problem("illegal-move", str(error), legal=list(error.legal), role=error.role, move=error.move)
    if isinstance(error, BudgetExceeded):
        return problem("limit", str(error), budget=error.budget)
    return problem("input" if isinstance(error, InputError) else "play", str(error))


def faults_title(error: RulesError) -> str:
    """How many faults a sheet has, and where the first is."""
    faults = [found for found in error.problems if found.level == "error"] or list(error.problems)
    count = f"{len(faults)} fault{'s' * (len(faults) != 1)} in the sheet."
    place = next((found.place for found in faults if found.place is not None), None)
    if place is None:
        return count
    return f"{count} The first is in line {place.line}." if len(faults) > 1 else f"{count} It is in line {place.line}."
