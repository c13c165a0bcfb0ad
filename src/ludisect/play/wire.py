"""A seat behind a network: speaks to a player as the managers of the field do, quirks and all."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from ludisect.errors import InputError
from ludisect.gdl.terms import Term
from ludisect.play.chair import Chair, Joint, Opening, Reply
from ludisect.play.spelling import Spelling

LARGEST_REPLY = 1 << 16


@dataclass(frozen=True, slots=True)
class Manner:
    """How a manager speaks. The defaults are those of ggp-base."""

    sender: str = "GAMESERVER"
    host: bool = True
    """Whether there is a header Host."""
    lines: str = "\r\n"
    """The ends of lines."""
    upper: bool = False
    """Whether everything but the name of the match is in capitals."""
    scramble: bool = False
    """Whether names are replaced by random words."""
    spaced: bool = True
    """Whether there are blanks inside of brackets."""
    until_close: bool = False
    """Whether a reply is read until the player closes; else its Content-Length counts."""
    first_legal: bool = False
    """Whether the first legal move replaces one that is missing; else a random one."""
    pause: float = 0.0
    """Seconds before each message."""
    connecting: float = 5.0
    """Seconds for a connection."""
    grace: float = 1.0
    """Seconds beyond the clock that it waits for a move."""
    start_grace: float = 0.0
    """Seconds beyond the clock that it waits for the answer to START."""


MANNERS = {
    "ggp-base": Manner(),
    "ggp-base-old": Manner(lines="\n"),
    "dresden": Manner(
        sender="Gamecontroller",
        host=False,
        upper=True,
        spaced=False,
        until_close=True,
        first_legal=True,
        pause=0.5,
        connecting=2.0,
        start_grace=1.0,
    ),
    "tiltyard": Manner(scramble=True, grace=5.0, start_grace=5.0),
}
"""By the name of the manager: ggp-base (today's, and with bare line feeds), Dresden's GameController, Tiltyard."""


class OverHttp(Chair):
    """A player at an address such as ``http://127.0.0.1:9147``."""

    apart = True

    def __init__(self, url: str, manner: Manner = MANNERS["ggp-base"]) -> None:
        try:
            where = urlsplit(url)
            self._host, self._port = where.hostname or "", where.port or 9147
        except ValueError:
            self._host = ""
        if not self._host:
            raise InputError(f"{url!r} is no address of a player; write http://host:port")
        self.label, self.manner = url, manner
        self._opening: Opening | None = None

    def start(self, opening: Opening, role: str) -> str:
        manner = self.manner
        self._opening, self._role = opening, role
        self._spelling = Spelling(opening.rules, upper=manner.upper, scramble=manner.scramble, seed=opening.seed)
        self._roles = opening.roles
        clocks = f"{opening.start_clock:g} {opening.play_clock:g}"
        rules = self._spelling.rules()
        text = f"START {opening.id} {self._spelling.text(role)} ({rules}) {clocks}"
        answer, fault, _ = self._say(text, opening.start_clock + manner.start_grace)
        if not fault and answer.strip().lower() != "ready":
            fault = f"says {answer.strip()[:40]!r} to START, not ready"
        return fault

    def ask(self, last: Joint | None) -> Reply:
        assert self._opening is not None
        clock = self._opening.play_clock
        answer, fault, seconds = self._say(f"PLAY {self._opening.id} {self._moves(last)}", clock + self.manner.grace)
        if fault:
            return Reply(None, seconds, fault)
        move = self._spelling.read(answer)
        return Reply(move, seconds, "" if move is not None else f"unreadable: {answer.strip()[:60]!r}")

    def stop(self, last: Joint | None, *, over: bool) -> None:
        if self._opening is None:  # it was never told of a match
            return
        text = f"STOP {self._opening.id} {self._moves(last)}" if over else f"ABORT {self._opening.id}"
        self._say(text, self._opening.play_clock + self.manner.grace)

    def _moves(self, last: Joint | None) -> str:
        if last is None:
            return "NIL"
        moves = " ".join(self._written(last[role]) for role in self._roles)
        return f"({moves} )" if self.manner.spaced else f"({moves})"

    def _written(self, move: Term) -> str:
        text = self._spelling.term(move)
        return text.replace("(", "( ").replace(")", " )") if self.manner.spaced else text

    def _say(self, text: str, seconds: float) -> tuple[str, str, float]:
        """What comes back in so many seconds, or what went wrong; and how long it took."""
        time.sleep(self.manner.pause)
        message = f"( {text} )" if self.manner.spaced else f"({text})"
        begin = time.monotonic()
        try:
            reply = post(self._host, self._port, message, self.manner, seconds)
        except TimeoutError:
            return "", "no answer in time", time.monotonic() - begin
        except OSError as error:
            return "", f"no connection: {error.strerror or error}", time.monotonic() - begin
        return reply, "", time.monotonic() - begin


def post(host: str, port: int, text: str, manner: Manner, seconds: float) -> str:
    """Send one message and read the body of the reply; raises TimeoutError or another OSError."""
    head = ["POST / HTTP/1.0", "Accept: text/delim"]
    head += [f"Host: {host}"] if manner.host else []
    head += [f"Sender: {manner.sender}", "Receiver: PLAYER", "Content-Type: text/acl", f"Content-Length: {len(text)}"]
    begin = time.monotonic()
    with socket.create_connection((host, port), timeout=manner.connecting) as line:
        line.sendall((manner.lines.join(head) + 2 * manner.lines).encode() + text.encode())
        got = b""
        while len(got) < LARGEST_REPLY and not (not manner.until_close and _complete(got)):
            left = seconds - (time.monotonic() - begin)
            if left <= 0:
                raise TimeoutError
            line.settimeout(left)
            chunk = line.recv(1 << 14)
            if not chunk:
                break
            got += chunk
    return _parted(got)[1].decode("utf-8", "replace")


def _parted(got: bytes) -> tuple[bytes, bytes]:
    """The head and the body of a reply."""
    for gap in (b"\r\n\r\n", b"\n\n"):
        if gap in got:
            head, _, body = got.partition(gap)
            return head, body
    return got, b""


def _complete(got: bytes) -> bool:
    head, body = _parted(got)
    for line in head.splitlines():
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return len(body) >= int(value)
    return False
