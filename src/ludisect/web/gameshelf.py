"""The games that the server knows, each with a process that answers for it; those not used for long go."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from ludisect.web.doorkeeper import too_large
from ludisect.web.limits import WebLimits
from ludisect.web.problems import Refusal
from ludisect.web.solutions import Solutions
from ludisect.web.warm import Forked, Warm


@dataclass(slots=True)
class ShelvedGame:
    """One game: what it was made of, its process while there is one, and the parts that were found last."""

    id: str
    source: dict[str, Any]
    info: dict[str, Any] = field(default_factory=dict)
    forked: Forked | None = None
    parts: tuple[str, dict[str, Any]] | None = None
    """A decomposition as JSON, and its name."""
    given: str = ""
    """The name of the decomposition that the process has."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class GameShelf:
    """All games."""

    def __init__(self, warm: Warm, own_files: tuple[str, ...] = ()) -> None:
        self._warm, self.own_files = warm, own_files
        self._games: OrderedDict[str, ShelvedGame] = OrderedDict()
        self._checks = asyncio.Semaphore(WebLimits.current().checks_at_once)
        self._apart = Solutions(warm, "apart")
        self._catalogue: dict[str, Any] | None = None

    # ---- without a game ----

    async def once(self, request: dict[str, Any], *, seconds: float, memory: float | None = None) -> Any:
        """The answer of a process that is forked for one request."""
        limits = WebLimits.current()
        forked = await self._warm.fork("once")
        try:
            return await forked.ask(request, seconds=seconds, memory=memory or limits.game_memory)
        finally:
            await forked.end()

    async def check(self, text: str) -> dict[str, Any]:
        """The faults of a rule sheet."""
        limits = WebLimits.current()
        long = _too_long(text, limits)
        if long is not None:
            return {"problems": [long]}
        async with self._checks:
            try:
                found: dict[str, Any] = await self.once({"do": "check", "text": text}, seconds=limits.check_seconds)
            except Refusal as refused:
                return {"problems": [_fault(f"The sheet was not checked to the end. {refused}", None, "warning")]}
        return found

    async def catalogue(self) -> dict[str, Any]:
        """Every game that can be opened. Those of one's own are read anew every time."""
        if self._catalogue is None or self.own_files:
            request = {"do": "catalogue", "files": list(self.own_files)}
            self._catalogue = await self.once(request, seconds=WebLimits.current().answer_seconds)
        return self._catalogue or {}

    # ---- games ----

    async def open(self, asked: dict[str, Any]) -> ShelvedGame:
        """The game that a request names, built if it is not there yet."""
        source = await self._source(asked)
        id = sha256(json.dumps(source, sort_keys=True).encode()).hexdigest()[:16]
        known = self._games.get(id)
        if known is not None and "own" not in source:  # code of one's own is read anew
            self._games.move_to_end(id)
            return known
        game = ShelvedGame(id, source)
        game.info = await self._ask(game, "info", {}, seconds=2 * WebLimits.current().game_seconds)
        replaced = self._games.pop(id, None)
        self._games[id] = game
        if replaced is not None:
            await _close(replaced)
        await self._tidy()
        return game

    async def _source(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What a game is made of; its id is a hash of this."""
        limits = WebLimits.current()
        if (name := asked.get("yours")) is not None:
            request = {"do": "own_rules", "files": list(self.own_files), "name": name}
            asked = {"text": await self.once(request, seconds=limits.answer_seconds), "name": name}
        if (text := asked.get("text")) is not None:
            long = _too_long(text, limits)
            if long is not None:
                raise Refusal("rules", f"1 fault in the sheet. It is in line {long['line']}.", problems=[long])
            return {"kind": "rules", "name": asked.get("name") or "the sheet", "text": text}
        if (name := asked.get("source")) is not None:
            return {"kind": "rules", "name": name}
        if (fen := asked.get("fen")) is not None:
            return {"kind": "sum", "fen": fen}
        own = {"own": list(self.own_files)} if await self._is_own(asked["sum"]) else {}
        return {"kind": "sum", "sum": asked["sum"], **own}

    async def _is_own(self, text: str) -> bool:
        """Whether an expression names a game of one's own."""
        names = [one["name"] for one in (await self.catalogue())["yours"]]
        return any(name in text for name in names)

    def find(self, id: str) -> ShelvedGame:
        """A game by its id."""
        game = self._games.get(id)
        if game is None:
            raise Refusal("gone", "There is no game of that id (any more); open it again.")
        self._games.move_to_end(id)
        return game

    async def ask(self, id: str, what: str, given: dict[str, Any]) -> Any:
        """Ask the process of a game."""
        game = self.find(id)
        return await self._ask(game, what, given, seconds=WebLimits.current().answer_seconds)

    async def ask_apart(self, id: str, what: str, given: dict[str, Any]) -> Any:
        """Ask a process beside that of the game, for what may take seconds: positions do not wait for it."""
        game, limits = self.find(id), WebLimits.current()
        forked = await self._apart.process(id)
        common = {"source": game.source, "seconds": limits.game_seconds, "memory": limits.game_memory}
        seconds = limits.answer_seconds + limits.game_seconds
        try:
            return await forked.ask({"do": what, "with": given, **common}, seconds=seconds, memory=limits.game_memory)
        finally:
            if not self._apart.keeps(forked):
                await forked.end()

    async def _ask(self, game: ShelvedGame, what: str, given: dict[str, Any], *, seconds: float) -> Any:
        limits = WebLimits.current()
        async with game.turn:
            if game.forked is None or not game.forked.alive:
                game.forked, game.given = await self._warm.fork("game"), ""
                seconds += limits.game_seconds
            forked = game.forked
            common = {"source": game.source, "seconds": limits.game_seconds, "memory": limits.game_memory}
            if game.parts is not None and game.given != game.parts[0]:
                key, parts = game.parts
                order = {"do": "give", "with": {"key": key, "parts": parts}, **common}
                await forked.ask(order, seconds=seconds, memory=limits.game_memory)
                game.given = key
            request = {"do": what, "with": given, **common}
            try:
                return await forked.ask(request, seconds=seconds, memory=limits.game_memory)
            except Refusal:
                if not game.info:  # it could not even be opened
                    await forked.end()
                raise

    async def _tidy(self) -> None:
        """Let the least recently used games go, and the processes of some more."""
        limits = WebLimits.current()
        while len(self._games) > limits.games_kept:
            _, oldest = self._games.popitem(last=False)
            await _close(oldest)
        alive = [game for game in self._games.values() if game.forked is not None and game.forked.alive]
        for game in alive[: -limits.processes_kept]:
            if not game.turn.locked():
                await _close(game)


async def _close(game: ShelvedGame) -> None:
    if game.forked is not None:
        await game.forked.end()
        game.forked = None


def _too_long(text: str, limits: WebLimits) -> dict[str, Any] | None:
    """The fault of a sheet with a line that is too long; refuses one that is too large."""
    size = len(text.encode())
    if size > limits.sheet_bytes:
        raise Refusal("limit", too_large(size, limits), status=413)
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > limits.sheet_line:
            told = f"line {number} has {len(line):,} characters; the limit is {limits.sheet_line:,}"
            return _fault(told, number)
    return None


def _fault(what: str, line: int | None, level: str = "error") -> dict[str, Any]:
    return {"level": level, "what": what, "help": "", "file": None, "line": line, "column": 1, "length": 1}
