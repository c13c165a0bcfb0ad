"""A game given by rules on the bench: positions along a line of play, its boards, parts and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ludisect.circuit.game import Game
from ludisect.decomposition import Decomposition
from ludisect.decomposition.gamesize import game_figures
from ludisect.draw.ruleboards import RuleBoards
from ludisect.errors import BudgetExceeded, InputError
from ludisect.games.bundled import source as bundled_source
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.reader import read
from ludisect.gdl.state import State
from ludisect.gdl.terms import Rules
from ludisect.loader import load
from ludisect.web.bench import Line, fingerprint
from ludisect.web.reply import reply_by_rules
from ludisect.web.worth import Partial, RuleWorth

if TYPE_CHECKING:
    from ludisect.decomposition.model.decomposition import Part


def open_rules(source: Mapping[str, Any], seconds: float, memory: float) -> RuleBench:
    """The game of a bundled name or a rule sheet; played by the interpreter if its circuit is too large."""
    text, name = source.get("text"), source["name"]
    rules = read(bundled_source(name), name=name) if text is None else read(text, name=name)
    try:
        return RuleBench(rules, load(rules, seconds=seconds, memory=memory * 2**30), text)
    except BudgetExceeded as error:
        return RuleBench(rules, Interpreter(rules), text, trouble=str(error).splitlines()[0])


class RuleBench:
    """One game given by rules."""

    def __init__(self, rules: Rules, game: Game | Interpreter, text: str | None, trouble: str = "") -> None:
        self._rules, self._game, self._text, self._trouble = rules, game, text, trouble
        self._given: dict[str, Decomposition] = {}
        self._worth = RuleWorth()

    def info(self) -> dict[str, Any]:
        figures: dict[str, Any] = {"game": self._game.name, "roles": list(self._game.roles), "rules": len(self._rules)}
        if isinstance(self._game, Game):
            figures = game_figures(self._game)
        return {
            "kind": "rules",
            "title": self._game.name,
            "source": self._game.name if self._text is None else None,
            "text": self._text,
            "sum": None,
            **figures,
            "engine": "circuit" if isinstance(self._game, Game) else "interpreter",
            "note": self._trouble or None,
            "boards": self.position([], None, None)["boards"],
        }

    def give(self, key: str, parts: Mapping[str, Any]) -> None:
        """Take a decomposition, which positions and pictures can then show."""
        if isinstance(self._game, Game):
            self._given = {key: Decomposition.from_json(self._game, dict(parts))}
            self.__dict__.pop("_boards", None)

    @cached_property
    def _boards(self) -> RuleBoards:
        return RuleBoards(self._game, next(iter(self._given.values()), None))

    def _state(self, line: Line, state: Sequence[str] | None) -> State[Any]:
        if state is not None:
            return self._game.state(state)
        return self._game.start.play_line([dict(step) for step in line])

    def position(self, line: Line, to: str | None, state: Sequence[str] | None) -> dict[str, Any]:
        """``to`` is not used: the rules say who moves."""
        here = self._state(line, state)
        holding = sorted(map(str, here.fluents))
        stuck = [] if here.is_over else [role for role, moves in here.legal.items() if not moves]
        return {
            "state": holding,
            "hash": fingerprint(holding),
            "legal": {role: [str(move) for move in moves] for role, moves in here.legal.items()},
            "terminal": here.is_over,
            "goals": dict(here.goals) if here.is_over else None,
            "to": list(here.choosing),
            "ply": len(line),
            "trouble": f"The rules give no legal move for {' and '.join(stuck)} here." if stuck else None,
            "parts": [_part(part) for one in self._given.values() for part in one.parts],
            **self._boards.to_json(here),
        }

    def values(
        self, line: Line, to: str | None, options: Mapping[str, Any], seconds: float, memory: float, tell: Partial
    ) -> dict[str, Any]:
        """What every move is worth."""
        if not isinstance(self._game, Game):
            raise InputError(f"{self._game.name} is too large to be solved: {self._trouble}")
        return self._worth.at(self._state(line, None), seconds, memory)

    def play(
        self, line: Line, to: str | None, options: Mapping[str, Any], seconds: float, memory: float
    ) -> dict[str, Any]:
        """The engine's reply."""
        return {"result": reply_by_rules(self._rules, self._state(line, None), options)}

    def picture(self, what: str, line: Line, to: str | None, theme: str, options: Mapping[str, Any]) -> str:
        raise NotImplementedError


def _part(part: Part) -> dict[str, Any]:
    kind = "context" if part.kind == "independent" else "part" if part.useful else "idle"
    return {"part": part.id, "kind": kind, "name": " ".join(part.patterns), "text": None, "cells": []}
