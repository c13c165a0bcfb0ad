"""A game given by rules on the bench: positions along a line of play, its boards, parts and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ludisect.circuit.game import Game
from ludisect.decomposition import Decomposition, decompose
from ludisect.decomposition.gamesize import game_figures
from ludisect.draw.drawing import board_svg, graph_svg
from ludisect.draw.graphdata import GraphData
from ludisect.draw.ruleboards import RuleBoards
from ludisect.errors import BudgetExceeded, InputError
from ludisect.games.bundled import source as bundled_source
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.reader import read
from ludisect.gdl.state import State
from ludisect.gdl.terms import Rules
from ludisect.loader import load
from ludisect.web.bench import Line, fingerprint, shown_name
from ludisect.web.limits import WebLimits
from ludisect.web.reply import reply_by_rules
from ludisect.web.worth import Partial, RuleWorth

if TYPE_CHECKING:
    from ludisect.decomposition.model.decomposition import Part


def open_rules(source: Mapping[str, Any], seconds: float, memory: float) -> RuleBench:
    """The game of a bundled name or a rule sheet; played by the interpreter if its circuit is too large."""
    text, name = source.get("text"), source["name"]
    sheet = bundled_source(name) if text is None else text
    rules = read(sheet, name=name)
    given = (sheet, text is None)
    try:
        return RuleBench(rules, load(rules, seconds=seconds, memory=memory * 2**30), *given)
    except BudgetExceeded as error:
        return RuleBench(rules, Interpreter(rules), *given, trouble=str(error).splitlines()[0])


class RuleBench:
    """One game given by rules."""

    def __init__(self, rules: Rules, game: Game | Interpreter, sheet: str, bundled: bool, trouble: str = "") -> None:
        self._rules, self._game, self._trouble = rules, game, trouble
        self._sheet, self._bundled = sheet, bundled
        self._graphs: dict[str, GraphData] = {}
        self._given: dict[str, Decomposition] = {}
        self._worth = RuleWorth()

    def info(self) -> dict[str, Any]:
        figures: dict[str, Any] = {"game": self._game.name, "roles": list(self._game.roles), "rules": len(self._rules)}
        if isinstance(self._game, Game):
            figures = game_figures(self._game)
        return {
            "kind": "rules",
            "title": self._game.name,
            "shown": shown_name(self._game.name),
            "source": self._game.name if self._bundled else None,
            "text": self._sheet,
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

    def picture(
        self, what: str, line: Line, to: str | None, theme: str, part: int | None, depth: int, method: str
    ) -> str:
        """A board, or the graph; thermographs and trees are for sums."""
        if what == "graph":
            data = self._graph(method)
            return graph_svg(data.parts, theme=theme, data=data)
        if what != "board":
            raise InputError(f"there is no {what} of a game given by rules; it is for sums of positions")
        state = self._state(line, None)
        parts = next(iter(self._given.values()), None)
        return board_svg(
            self._boards.boards(state), theme=theme, title=self._game.name, desc=repr(state).strip("<>"), parts=parts
        )

    def edges(self, method: str) -> dict[str, Any]:
        """What depends on what: the nodes of the graph, and its edges by the labels and parts of their ends."""
        found = self._graph(method).to_json()
        nodes = found["nodes"]
        ends = [{"node": node["index"], "label": node["label"], "part": node["part"]} for node in nodes]
        edges = [{**edge, "from": ends[edge["from"]], "to": ends[edge["to"]]} for edge in found["edges"]]
        return {"method": method, "nodes": nodes, "edges": edges}

    def edge(self, index: int, method: str) -> dict[str, Any]:
        """One edge in words."""
        return self._graph(method).edge_told(index)

    def _graph(self, method: str) -> GraphData:
        """The graph by which a method finds the parts: the same seed, the same graph."""
        if not isinstance(self._game, Game):
            raise InputError(f"{self._game.name} is too large to be taken apart: {self._trouble}")
        if method not in self._graphs:
            seconds = WebLimits.current().answer_seconds / 2
            self._graphs[method] = GraphData(decompose(self._game, method=method, seconds=seconds))
        return self._graphs[method]


def _part(part: Part) -> dict[str, Any]:
    kind = "context" if part.kind == "independent" else "part" if part.useful else "idle"
    return {"part": part.id, "kind": kind, "name": " ".join(part.patterns), "text": None, "cells": []}
