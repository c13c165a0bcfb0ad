"""A player for game managers: answers every message in time, while other processes think.

The event loop never computes. The referee process knows a legal move soon after each message; the thinker says better
and better ones. When the clock is nearly over, or the thinker is sure, the best that is known is the answer.
"""

from __future__ import annotations

import asyncio
import math
import random
import re
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from ludisect.errors import InputError
from ludisect.play.children import Child, Nursery
from ludisect.play.limits import PlayLimits
from ludisect.play.listening import Asked, Listener
from ludisect.play.message import Message, read_message, written

REMEMBERED = 64
"""Matches that are over and still known by name: a manager may say STOP twice."""


@dataclass
class _Ongoing:
    """A match: what the manager said, what the processes say, and what was answered."""

    id: str
    infix: bool
    start_clock: float
    play_clock: float
    referee: Child
    thinker: Child
    log: Path | None
    number: int = -1
    """Of the PLAY that is or was answered last."""
    asked: str | None = None
    """The moves it told."""
    begin: float = 0.0
    """When it came."""
    pending: int = 0
    """Connections that wait for its answer."""
    delivered: bool = True
    answered: str | None = None
    heard: float = field(default_factory=time.monotonic)
    fault: str = ""
    ready: bool = False
    over: bool = False
    some: tuple[int, str] = (-1, "")
    """After which PLAY, and a move that is legal then: known before all are."""
    legal: tuple[int, list[str]] = (-1, [])
    """What is legal, and after which PLAY."""
    step: int = 0
    best: tuple[int, str, str, bool] = (-1, "", "", False)
    """After which PLAY, move, why, whether the thinker is sure."""
    logged: bool = False
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def hear_referee(self, told: dict[str, Any] | None) -> None:
        if told is None or told["say"] == "fault":
            if not self.ready and self.legal[0] < 0:
                self.fault = "the rules cannot be played" if told is None else told["what"]
            self.logged = True
        elif told["say"] == "some":
            self.some = told["number"], told["move"]
        elif told["say"] == "legal":
            self.legal, self.step = (told["number"], told["moves"]), told["step"]
            self.over = told["over"]
            if told["note"]:
                self.note(f"note: {told['note']}")
        elif told["say"] == "logged":
            self.logged = True
        self.news.set()

    def hear_thinker(self, told: dict[str, Any] | None) -> None:
        if told is not None and told["say"] == "ready":
            self.ready = True
        elif told is not None and told["say"] == "move":
            self.best = told["number"], told["move"], told["why"], told["final"]
        self.news.set()

    def known(self, *, sure: bool) -> tuple[str, str] | None:
        """The move to answer with, and why: one that the thinker is sure of, or else the best there is."""
        number, move, why, final = self.best
        legal = self.legal[1] if self.legal[0] == self.number else None
        if number == self.number and (final or not sure) and (legal is None or move in legal):
            return move, why
        if legal is not None and len(legal) == 1:
            return legal[0], "the only legal move"
        if not sure and legal is None and self.some[0] == self.number:
            return self.some[1], "the first legal move by the rules: the others are not known yet"
        if sure or not legal:
            return None
        return random.choice(legal), f"one of {len(legal)} legal moves, by the rules: no better one is known yet"

    def ended(self, number: int) -> bool:
        """Whether the game is over, so that there is nothing to answer."""
        return self.over and self.legal[0] == number

    def note(self, line: str) -> None:
        """A line of the log."""
        if self.log is not None:
            with suppress(OSError), self.log.with_suffix(".log").open("a", encoding="utf-8") as out:
                out.write(line.replace("\n", " ") + "\n")


class PlayerServer:
    """What answers messages; ``run`` listens until it is cancelled."""

    def __init__(
        self,
        player: str = "parts",
        *,
        margin: float | None = None,
        log: Path | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self.limits = PlayLimits.current()
        self.player, self.log, self.tell = player, log, tell or _silent
        self.margin = self.limits.serving_margin if margin is None else margin
        self.match: _Ongoing | None = None
        self.ended: deque[tuple[str, str]] = deque(maxlen=REMEMBERED)
        self.nursery = Nursery("referee", player)
        self._chores: set[asyncio.Task[None]] = set()
        self._taking = asyncio.Lock()

    # ---- listening ----

    async def run(self, host: str, port: int, listening: Callable[[str, int], None]) -> None:
        """Answer until cancelled; ``listening`` hears where. Raises InputError if the place is taken."""
        try:
            server = await asyncio.start_server(Listener(self.answer, self.lost), host, port, backlog=512)
        except (OSError, OverflowError) as error:
            raise InputError(f"cannot listen at {host}:{port}: {getattr(error, 'strerror', None) or error}") from None
        try:
            await self.nursery.fill()
            await self.nursery.up("referee", self.limits.serving_loading)  # who is told where we are may ask at once
            self._do(self._watch())
            found = server.sockets[0].getsockname()
            listening(found[0], found[1])
            async with server:
                await server.serve_forever()
        finally:
            for chore in [*self._chores]:
                chore.cancel()
            if self.match is not None:
                await asyncio.gather(self.match.referee.end(), self.match.thinker.end())
            await self.nursery.end()

    async def answer(self, asked: Asked) -> str:
        """The answer to one message, whatever it is."""
        arrived = time.monotonic()
        try:
            message = read_message(asked.body.decode("utf-8", "replace"))
        except (InputError, RecursionError) as error:
            self.tell(f"unreadable: {error}")
            return "error"
        handle = {
            "info": self._info,
            "ping": self._ping,
            "start": self._start,
            "play": self._play,
            "stop": self._stop,
            "abort": self._abort,
            "preview": self._preview,
        }.get(message.verb)
        if handle is None:
            self.tell(f"unknown verb: {message.verb[:40]}")
            return "error"
        return await handle(message, arrived)

    def lost(self, asked: Asked) -> None:
        """An answer could not be delivered: who asks again gets the same one."""
        if self.match is not None and b"play" in asked.body[:20].lower():
            self.match.delivered = False

    # ---- messages ----

    async def _info(self, message: Message, arrived: float) -> str:
        status = "available" if self._free() else "busy"
        if message.infix:
            return f"[name(ludisect), status({status})]"
        return f"((name ludisect) (status {status}))"

    async def _ping(self, message: Message, arrived: float) -> str:
        return "ready" if self._free() else "busy"

    async def _preview(self, message: Message, arrived: float) -> str:
        if not self._free():
            return "busy"
        child = await Child("referee").start()
        found: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def hear(told: dict[str, Any] | None) -> None:
            if not found.done() and (told is None or told["say"] in ("ready", "fault")):
                found.set_result(told is not None and told["say"] == "ready")

        child.hear = hear
        child.say(message.rules.encode(), do="check", id="preview", infix=message.infix)
        clock = _clock(message.clocks[0] if message.clocks else "10", self.limits.serving_clock) or 0.0
        good = True  # not known in time: it may be
        with suppress(TimeoutError):
            good = await asyncio.wait_for(found, max(0.0, clock - self._margin(clock)))
        await child.end()
        return "ready" if good else "busy"

    async def _start(self, message: Message, arrived: float) -> str:
        async with self._taking:
            match = self.match
            if match is not None and match.id == message.id:
                if match.number >= 0:
                    return "busy"
            elif not self._free():
                return "busy"
            else:
                clocks = [_clock(text, self.limits.serving_clock) for text in message.clocks[:2]]
                if len(clocks) < 2 or None in clocks:
                    self.tell(f"{message.id}: clocks that are no numbers: {' '.join(message.clocks)[:40]!r}")
                    return "busy"
                match = await self._begin(message, float(clocks[0] or 0), float(clocks[1] or 0), arrived)
        match.heard = time.monotonic()
        end = arrived + match.start_clock - self._margin(match.start_clock)
        while not match.ready and not match.fault and await _news(match, end):
            pass
        if match.fault:
            self.tell(f"{message.id}: refused: {match.fault}")
            if self.match is match:
                await self._drop("busy")
            return "busy"
        return "ready" if self.match is match else "busy"

    async def _begin(self, message: Message, start: float, play: float, arrived: float) -> _Ongoing:
        if self.match is not None:
            await self._drop("done")
        referee, thinker = await asyncio.gather(self.nursery.take("referee"), self.nursery.take(self.player))
        self._do(self.nursery.fill("referee"))  # the next START may follow the STOP at once
        log = None if self.log is None else _log_file(self.log, message.id)
        match = self.match = _Ongoing(message.id, message.infix, start, play, referee, thinker, log)
        referee.hear, thinker.hear = match.hear_referee, match.hear_thinker
        deadline = arrived + start - self._margin(start)
        order: dict[str, Any] = {"id": message.id, "role": message.role, "infix": message.infix}
        order |= {"start": start, "play": play, "numbers": asdict(self.limits)}
        for child in (referee, thinker):
            child.say(message.rules.encode(), do="start", deadline=deadline, **order)
        match.note(f"START {message.id} as {message.role}, clocks {start:g} {play:g}, player {self.player}")
        self.tell(f"{message.id}: START as {message.role}, clocks {start:g} and {play:g} s")
        return match

    async def _play(self, message: Message, arrived: float) -> str:
        match = self.match
        if match is None or match.id != message.id:
            return "busy"
        if match.fault:
            await self._drop("busy")
            return "busy"
        match.heard = arrived
        again = match.number >= 0 and message.moves == match.asked and (match.pending or not match.delivered)
        end = arrived + match.play_clock - self._margin(match.play_clock)
        if not again:
            match.number, match.asked, match.begin = match.number + 1, message.moves, arrived
            told, match.answered = match.answered, None
            for child in (match.referee, match.thinker):
                child.say(do="play", moves=message.moves, number=match.number, answered=told, deadline=end)
        match.delivered = True
        match.pending += 1
        try:
            return await self._decided(match, match.number, end)
        finally:
            match.pending -= 1

    async def _decided(self, match: _Ongoing, number: int, end: float) -> str:
        """The move, as soon as the thinker is sure or the clock wants it; nil if the match ends before."""

        def wanted() -> bool:
            return self.match is match and match.number == number

        while wanted() and match.known(sure=True) is None and not match.ended(number):
            if not await _news(match, end):
                break
        late = end + self._margin(match.play_clock) + self.limits.serving_late
        while wanted() and (found := match.known(sure=False)) is None:
            if match.ended(number) or not await _news(match, late):
                break
        if not wanted() or found is None:
            return "nil"
        move, why = found
        if match.answered is None:
            match.answered = move
            match.note(f"step {number + 1}, {time.monotonic() - match.begin:.2f} s: {move}: {why}")
        return written(match.answered, infix=match.infix)

    async def _stop(self, message: Message, arrived: float) -> str:
        match = self.match
        if match is None or match.id != message.id:
            return dict(self.ended).get(message.id, "busy")
        await self._drop("done", message.moves)
        return "done"

    async def _abort(self, message: Message, arrived: float) -> str:
        match = self.match
        if match is None or match.id != message.id:
            return "aborted" if message.id in dict(self.ended) else "busy"
        await self._drop("aborted")
        return "aborted"

    # ---- matches ----

    def _free(self) -> bool:
        return self.match is None or self.match.over

    def _margin(self, clock: float) -> float:
        return min(self.margin, self.limits.serving_share * clock)

    async def _drop(self, word: str, moves: str | None = None) -> None:
        """A match is over: the log is written, then its processes end and new ones wait for the next."""
        match, self.match = self.match, None
        if match is None:
            return
        self.ended.append((match.id, word))
        match.news.set()
        self.tell(f"{match.id}: {word} after {match.number + 1} steps")
        match.note(f"{word} after {match.number + 1} steps")
        self._do(self._bury(match, moves))

    async def _bury(self, match: _Ongoing, moves: str | None) -> None:
        await match.thinker.end()
        if match.log is not None and not match.fault:
            match.referee.say(do="stop", moves=moves, answered=match.answered, log=str(match.log), game=match.id)
            end = time.monotonic() + self.limits.serving_logging
            while not match.logged and await _news(match, end):
                pass
        await match.referee.end()
        await self.nursery.fill()

    async def _watch(self) -> None:
        """Forget a match of which nothing is heard any more."""
        while True:
            await asyncio.sleep(min(5.0, self.limits.serving_silence / 4 + 0.05))
            match = self.match
            if match is not None:
                clock = max(match.play_clock, match.start_clock)
                if time.monotonic() - match.heard > clock + self.limits.serving_silence:
                    await self._drop("silent")

    def _do(self, chore: Any) -> None:
        task = asyncio.create_task(chore)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)


async def _news(match: _Ongoing, end: float) -> bool:
    """Wait until something is heard of a match, or the end; whether there is time left."""
    left = end - time.monotonic()
    if left <= 0:
        return False
    match.news.clear()
    with suppress(TimeoutError):
        async with asyncio.timeout(left):
            await match.news.wait()
    return time.monotonic() < end


def _clock(text: str, most: float) -> float | None:
    """A clock in seconds; None if it is none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return min(value, most) if value >= 0 and not math.isnan(value) else None


def _log_file(folder: Path, match: str) -> Path:
    """A file that is not there yet, by the name of the match."""
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", match)[:100].lstrip(".") or "match"
    names = (f"{name}.jsonl" if k == 1 else f"{name}-{k}.jsonl" for k in count(1))
    return next(folder / one for one in names if not (folder / one).with_suffix(".log").exists())


def _silent(line: str) -> None:
    """For a server that nobody watches."""
