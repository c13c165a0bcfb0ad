"""Where each piece of a rule stands in its sheet, found on demand by reading the sentence once more."""

from __future__ import annotations

from collections.abc import Iterable

from ludisect.errors import Problem
from ludisect.gdl import infix, kif
from ludisect.gdl.outline import Lines, Outline
from ludisect.gdl.terms import Rule, Rules

Path = tuple[int, ...]
"""The way to a piece of a rule: 1 is the head, 2, 3, … are the formulas of the body, and so on within each: the
arguments of a term and the parts of a formula count from 1. Child 0 of anything is its name."""


class Places:
    """Makes problems that point into the text of a rule sheet."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._lines = Lines(rules.text, rules.name)
        self._outlines: dict[int, Outline] = {}

    def problem(
        self, what: str, rule: Rule, path: Iterable[int] = (1,), *, help: str = "", level: str = "error"
    ) -> Problem:
        """A problem with a piece of a rule; rules that come from no text are quoted instead.

        The place of a rule that Python code made is the line of that code.
        """
        if rule.place is None or not self._rules.text:
            return Problem(f"{what}, in {rule}", rule.place, help, level)
        start = self._lines.offset(rule.place)
        if start not in self._outlines:
            text = self._rules.text
            self._outlines[start] = (
                infix.sentence_outline(text, start)
                if self._rules.notation == "infix"
                else kif.sentence_outline(text, start, len(rule.body))
            )
        piece = self._outlines[start].at(path)
        return self._lines.problem(what, piece.start, piece.end, help, level)
