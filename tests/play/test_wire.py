"""What our manager sends, byte by byte, in the manners of others; what it makes of the replies."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from tests.cli.test_cli import Done, run

RULES = "(role p) (init s) (legal p (go 1)) (<= (next t) (does p (go 1))) (<= terminal (true t)) (goal p 100)"


@contextmanager
def player(*replies: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """A player at an address that gives fixed replies; what it was sent is kept."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as door:

        def answer() -> None:
            for reply in replies:
                with suppress(OSError), door.accept()[0] as line:
                    got = b""
                    while not re.search(rb"\n\r?\n.*\)$", got, re.DOTALL):
                        got += line.recv(1 << 16)
                    heard.append(got)
                    line.sendall(reply)

        thread = threading.Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{door.getsockname()[1]}", heard
        thread.join()


def said(text: bytes) -> bytes:
    return b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n" % len(text) + text


def held(where: str, *words: str, tmp: str) -> Done:
    return run("match", tmp, where, "--games", "1", "--seconds", "5", "--start", "20", "--json", *words)


@pytest.fixture
def sheet(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("wire") / "once.kif"
    path.write_text(RULES)
    return str(path)


def test_as_ggp_base_writes(sheet: str) -> None:
    with player(said(b"ready"), said(b"( go 1 )"), said(b"done")) as (where, heard):
        done = held(where, tmp=sheet)
    assert '"faults": 0' in done.stdout
    start, play, stop = (text.decode() for text in heard)
    head, _, body = play.partition("\r\n\r\n")
    first, *lines = head.split("\r\n")
    assert first == "POST / HTTP/1.0"
    names = [line.partition(":")[0] for line in lines]
    assert names == ["Accept", "Host", "Sender", "Receiver", "Content-Type", "Content-Length"]
    assert {"Accept: text/delim", "Sender: GAMESERVER", "Content-Type: text/acl"} < set(lines)
    assert f"Content-Length: {len(body)}" in lines
    name = start.partition("\r\n\r\n")[2].split()[2]
    assert body == f"( PLAY {name} NIL )"
    assert stop.partition("\r\n\r\n")[2] == f"( STOP {name} (( go 1 ) ) )"
    assert start.endswith(" 20 5 )")


def test_as_dresden_writes_and_reads(sheet: str) -> None:
    """Capitals but for the name of the match, no Host; what follows the announced length is read until the end."""
    replies = [b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n" + text for text in (b"ready", b"(GO 1)", b"done")]
    with player(*replies) as (where, heard):
        done = held(where, "--manner", "dresden", tmp=sheet)
    assert '"faults": 0' in done.stdout
    start, play, stop = (text.decode() for text in heard)
    assert "Host:" not in play
    assert "Sender: Gamecontroller" in play
    assert play.endswith(" NIL)")
    assert "(LEGAL P (GO 1))" in start
    assert "(INIT S)" in start
    assert re.search(r"\(STOP once\S* \(\(GO 1\)\)\)$", stop)


def test_single_quirks(sheet: str) -> None:
    with player(said(b"ready"), said(b"nonsense"), said(b"done")) as (where, heard):
        done = held(where, "--bare-lf", "--no-host", "--scramble", tmp=sheet)
    assert '"faults": 1' in done.stdout  # the move is none of the scrambled names
    start, play, _ = heard
    assert b"\r" not in start + play
    assert b"Host:" not in start + play
    assert b"(go 1)" not in start
    assert re.search(rb"\( *legal \w+ \(\w+ 1\)\)", start)
    with player(said(b"ready"), said(b"(GO 1)"), said(b"done")) as (where, heard):
        done = held(where, "--upper", tmp=sheet)
    assert '"faults": 0' in done.stdout
    assert b"(LEGAL P (GO 1))" in heard[0]


@pytest.mark.parametrize(
    "replies",
    [(said(b"busy"), said(b"(go 2)"), said(b"")), (b"", b"", b""), (said(b"ready"), said(b")("), b"garbage")],
    ids=["illegal", "nothing", "unreadable"],
)
def test_whatever_is_answered_the_match_goes_on(sheet: str, replies: tuple[bytes, ...]) -> None:
    with player(*replies) as (where, _):
        done = held(where, tmp=sheet)
    assert done.returncode == 0
    assert '"faults": 1' in done.stdout
    assert '"mean_goal": 100.0' in done.stdout
