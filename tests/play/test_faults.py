"""Every fault that managers, networks and strangers are known to commit: an answer, then the server closes."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from ludisect.games import bundled
from tests.play.server import PATIENCE, Server, serving

RULES = " ".join(line.partition(";")[0] for line in bundled.source("tictactoe").splitlines())
AVAILABLE = "((name ludisect) (status available))"
BUSY = "((name ludisect) (status busy))"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    quick = [("listening_seconds", 1.5), ("listening_linger", 0.3)]
    with serving("--player", "legal", *(word for name, value in quick for word in ("--set", f"{name}={value}"))) as one:
        yield one


@pytest.fixture(autouse=True)
def nothing_left(server: Server) -> Iterator[None]:
    """Each test ends its matches, and the server lives on."""
    yield
    for name in ("m1", "a", "b"):
        server.post(f"(ABORT {name})")
    assert server.post("(INFO)") == AVAILABLE
    assert server.process.poll() is None


def start(name: str = "m1", role: str = "xplayer", clocks: str = "30 30", rules: str = RULES) -> str:
    return f"(START {name} {role} ({rules}) {clocks})"


# ---- what is no message ----


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("info", AVAILABLE),
        ("hello", "error"),
        ("(ping)", "ready"),
        ("", AVAILABLE),
        ("(INFO)", AVAILABLE),
        ("( info )", AVAILABLE),
        ("(FROBNICATE m1 (a b))", "error"),
        ("(INFO", "error"),
        ("INFO)", "error"),
        ("(PLAY m1 (a b)", "error"),
        (")(", "error"),
        ("()", "error"),
        ("((INFO))", "error"),
        ("(START)", "error"),
        ("(START m1)", "error"),
        ("(START m1 xplayer)", "error"),
        ("(START m1 xplayer () 30 30)", "busy"),
        ("(PLAY)", "busy"),
        ("(STOP)", "busy"),
        ("(ABORT)", "busy"),
        ("(PLAY m1 NIL)", "busy"),
        ("(STOP m1 NIL)", "busy"),
        ("(PREVIEW)", "error"),
        ("info()", "[name(ludisect), status(available)]"),
        ("play(m1, nil)", "busy"),
        ("\x00\x00\x00", "error"),
        ("(INFO\x00)", "error"),
        ("(" * 5000 + ")" * 5000, "error"),
        ("; a comment", "error"),
        ('"a string"', "error"),
    ],
)
def test_messages_that_mean_little(server: Server, text: str, answer: str) -> None:
    assert server.post(text) == answer


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (b"GET / HTTP/1.0\r\n\r\n", AVAILABLE),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", AVAILABLE),
        (b"GET / HTTP/1.1\r\n\r\n", AVAILABLE),
        (b"GET /%28INFO%29 HTTP/1.0\r\n\r\n", AVAILABLE),
        (b"GET /(INFO) HTTP/1.1\r\n\r\n", AVAILABLE),
        (b"GET /( INFO ) HTTP/1.0\r\n\r\n", AVAILABLE),
        (b"GET /%28PLAY%20m1%20NIL%29 HTTP/1.0\r\n\r\n", "busy"),
        (b"GET /nothing/here HTTP/1.0\r\n\r\n", "error"),
        (b"OPTIONS / HTTP/1.1\r\nOrigin: http://elsewhere\r\n\r\n", ""),
        (b"PUT / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)", AVAILABLE),
        (b"POST / HTTP/1.0\ncontent-LENGTH: 6\n\n(INFO)", AVAILABLE),
        (b"POST / HTTP/1.1\r\nContent-Length: 6\r\n\r\n(INFO)", AVAILABLE),
        (b"POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\n(INFO)", AVAILABLE),  # too short
        (b"POST / HTTP/1.0\r\nContent-Length: 900\r\n\r\n(INFO)", AVAILABLE),  # too long
        (b"POST / HTTP/1.0\r\nContent-Length: 900\r\n\r\n(INFO", "error"),
        (b"POST / HTTP/1.0\r\n\r\n(INFO)", AVAILABLE),  # missing
        (b"POST / HTTP/1.0\r\nContent-Length: x\r\n\r\n(INFO)", AVAILABLE),
        (b"POST / HTTP/1.0\r\nContent-Length: -4\r\n\r\n(INFO)", AVAILABLE),
        (b"POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n(INFO)", "error"),
        (b"POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n", AVAILABLE),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n(IN\r\n3\r\nFO)\r\n0\r\n\r\n", AVAILABLE),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", AVAILABLE),  # nothing came
        (b"(INFO)\n", AVAILABLE),  # without HTTP
        (b"\xff\xfe\xfd garbage \r\n\r\n", AVAILABLE),
        (b"POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n(\xe9\xe8\xe0 x)", "error"),  # Latin-1
        (b"POST / HTTP/1.0\r\n" + b"X: " + b"y" * 100_000, "error"),  # no end of headers
    ],
)
def test_requests_of_any_form(server: Server, data: bytes, answer: str) -> None:
    assert server.raw(data) == answer


def test_a_browser_may_ask_from_elsewhere(server: Server) -> None:
    got = server.send(b"OPTIONS / HTTP/1.1\r\nOrigin: http://elsewhere\r\n\r\n")
    assert b"Access-Control-Allow-Origin: *" in got
    assert b"Access-Control-Allow-Methods: POST, GET, OPTIONS" in got


def test_who_says_nothing_is_dismissed_and_keeps_nobody_waiting(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as silent:
        assert server.post("(INFO)") == AVAILABLE
        assert silent.recv(1 << 16).startswith(b"HTTP/1.0 200 OK")
        while silent.recv(1 << 16):
            pass


def test_one_byte_after_the_other(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as slow:
        with suppress(OSError):
            for byte in b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)" * 100:
                slow.sendall(bytes([byte]))
                time.sleep(0.1)
                assert server.post("(INFO)") == AVAILABLE
                slow.setblocking(False)
                with suppress(BlockingIOError):
                    if slow.recv(1 << 16).startswith(b"HTTP/1.0 200 OK"):
                        return
                slow.settimeout(PATIENCE)
        pytest.fail("it was never answered")


def test_a_long_body_slowly_is_read_to_its_end(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as slow:
        slow.sendall(b"POST / HTTP/1.0\r\nContent-Length: 20\r\n\r\n(IN")
        time.sleep(0.2)
        slow.sendall(b"FO              )")
        got = slow.recv(1 << 16)
        assert got.endswith(AVAILABLE.encode())


# ---- START ----


@pytest.mark.parametrize(
    "text",
    [
        start(rules="(role a) (init x"),
        start(rules="(role xplayer) (<= (next ?x) (true ?y))"),
        start(rules="\x00\x01\x02"),
        start(rules="\xe9\xe8"),
        start(role="nobody"),
        start(role="(some body)"),
        start(clocks="soon later"),
        start(clocks="-1 -1"),
        start(clocks="nan nan"),
        start(clocks="5"),
        start(clocks=""),
    ],
    ids=["brackets", "unsafe", "nul", "latin", "role", "term", "words", "negative", "nan", "one", "none"],
)
def test_a_start_that_cannot_be_played_is_refused(server: Server, text: str) -> None:
    assert server.post(text) in ("busy", "error")


@pytest.mark.parametrize("clocks", ["0 0", "1e300 1e300", "inf inf", "30 30 extra (more of it)", "0.5 0.5"])
def test_odd_clocks(server: Server, clocks: str) -> None:
    assert server.post(start(clocks=clocks)) == "ready"
    answer = server.post("(PLAY m1 NIL)")
    assert answer.startswith("(mark ") or (clocks[0] == "0" and answer == "nil")  # so soon, nothing may be known
    assert server.post("(ABORT m1)") == "aborted"


def test_starting_twice(server: Server) -> None:
    assert server.post(start()) == "ready"
    assert server.post("(INFO)") == BUSY
    assert server.post("(ping)") == "busy"
    assert server.post(start()) == "ready"  # nothing was played yet
    assert server.post(start("m2")) == "busy"
    assert server.post(f"(PREVIEW ({RULES}) 10)") == "busy"
    assert server.post("(PLAY m1 NIL)") == "(mark 1 1)"
    assert server.post(start()) == "busy"
    assert server.post("(STOP m1 ((mark 1 1) noop))") == "done"


def test_characters_that_are_counted_as_bytes(server: Server) -> None:
    """Managers tell the number of characters; names may have some that take two bytes."""
    rules = "(role é) (init s) (legal é (à 1)) (<= (next t) (does é (à 1))) (<= terminal (true t)) (goal é 100)"
    text = f"(START m1 é ({rules}) 30 30)"
    assert len(text) < len(text.encode())
    assert server.raw(b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(text) + text.encode()) == "ready"
    assert server.post("(PLAY m1 NIL)") == "(à 1)"
    assert server.post("(STOP m1 ((à 1)))") == "done"


def test_preview(server: Server) -> None:
    assert server.post(f"(PREVIEW ({RULES}) 30)") == "ready"
    assert server.post("(PREVIEW ((role x) (init)) 30)") == "busy"
    assert server.post(f"(preview ({RULES}))") == "ready"


def test_megabytes(server: Server) -> None:
    many = " ".join(f"(succ {k} {k + 1})" for k in range(260_000))
    assert len(many) > 5_000_000
    assert server.post(start(rules=f"{RULES} {many}", clocks="0.5 0.5")) == "ready"
    assert server.post("(INFO)") == BUSY
    assert server.post("(ABORT m1)") == "aborted"
    assert server.post("a" * 10_000_000) == "error"
    assert server.post("(START m " + "a " * 5_000_000 + ")") == "error"
    assert server.raw(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n" + b"(" * 20_000_000) == "error"


# ---- PLAY ----


def test_moves_that_lead_nowhere(server: Server) -> None:
    assert server.post("(PLAY m1 NIL)") == "busy"  # before START
    assert server.post(start()) == "ready"
    assert server.post("(PLAY m2 NIL)") == "busy"  # unknown
    assert server.post("(PLAY m1 NIL)") == "(mark 1 1)"
    assert server.post("(PLAY m1 NIL)") == "(mark 1 1)"  # repeated
    for odd in [
        "(PLAY m1 ((mark 1 1)))",  # not one for each: but only x can choose
    ]:
        assert server.post(odd) == "noop"
    for odd in [
        "(PLAY m1 ((mark 1 1) noop))",  # repeated
        "(PLAY m1 ((mark 1 1) noop noop))",  # too many
        "(PLAY m1 ((mark 9 9) noop))",  # not legal
        "(PLAY m1 (noop noop noop noop))",
        "(PLAY m1 ((mark ?x 1) noop))",
        "(PLAY m1 garbage)",
        "(PLAY m1 (noop (mark 1 1)))",  # out of step
        "(PLAY m1 NIL)",
    ]:
        assert server.post(odd) in ("noop", "error"), odd
    assert server.post("( PLAY m1 ( noop ( mark 2 2 ) ) )") == "(mark 1 2)"
    assert server.post("(PLAY m1 (noop (mark 2 2)))") == "(mark 1 2)"  # must not advance twice
    assert server.post("(STOP m1 ((mark 1 2) noop))") == "done"
    assert server.post("(STOP m1 ((mark 1 2) noop))") == "done"  # twice
    assert server.post("(PLAY m1 NIL)") == "busy"
    assert server.post("(ABORT m1)") == "aborted"


def test_what_was_really_played_counts(server: Server) -> None:
    """The manager made another move for us."""
    assert server.post(start()) == "ready"
    assert server.post("(PLAY m1 NIL)") == "(mark 1 1)"
    assert server.post("(PLAY m1 ((mark 3 3) noop))") == "noop"
    assert server.post("(PLAY m1 (noop (mark 1 1)))") == "(mark 1 2)"
    assert server.post("(ABORT m1)") == "aborted"
    assert server.post("(ABORT m1)") == "aborted"


def test_a_match_that_is_over_makes_room(server: Server) -> None:
    rules = "(role r) (init s) (legal r go) (<= (next t) (does r go)) (<= terminal (true t)) (goal r 100)"
    assert server.post(f"(START a r ({rules}) 30 30)") == "ready"
    assert server.post("(PLAY a NIL)") == "go"
    assert server.post("(PLAY a (go))") == "nil"  # over: there is nothing to play
    assert server.post(f"(START b r ({rules}) 30 30)") == "ready"
    assert server.post("(STOP b NIL)") == "done"


def test_infix_is_answered_in_infix(server: Server) -> None:
    rules = (
        "[role(r), init(s), legal(r, go(1, n)) :- true(s), next(t) :- does(r, go(1, n)) & true(s), "
        "terminal :- true(t), goal(r, 100)]"
    )
    assert server.post(f"start(m1, r, {rules}, 30, 30)") == "ready"
    assert server.post("play(m1, nil)") == "go(1, n)"
    assert server.post("info()") == "[name(ludisect), status(busy)]"
    assert server.post("stop(m1, [go(1, n)])") == "done"
    sentences = "role(r). init(s). legal(r, go) :- true(s). next(t) :- does(r, go). terminal :- true(t). goal(r, 100)."
    assert server.post(f"start(m1, r, [{sentences}], 30, 30)") == "ready"
    assert server.post("play(m1, [])") == "go"
    assert server.post("abort(m1)") == "aborted"


def test_a_manager_that_disappears(server: Server) -> None:
    assert server.post(start()) == "ready"
    for _ in range(5):
        server.send(b"POST / HTTP/1.0\r\nContent-Length: 13\r\n\r\n(PLAY m1 NIL)", hang_up=True)
    assert server.post("(PLAY m1 NIL)") == "(mark 1 1)"
    server.send(b"POST / HTTP/1.0\r\nContent-Length: 27\r\n\r\n(PLAY m1 ((mark 1 1) noop))", hang_up=True)
    assert server.post("(PLAY m1 ((mark 1 1) noop))") == "noop"
    assert server.post("(ABORT m1)") == "aborted"


# ---- many at once ----


def test_two_hundred_connections(server: Server) -> None:
    assert server.post(start()) == "ready"
    silent = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) for _ in range(100)]
    with ThreadPoolExecutor(100) as pool:  # with the silent ones, two hundred
        asked = ["(INFO)", "(PLAY m1 NIL)"] * 50
        answers = list(pool.map(server.post, asked))
    assert set(answers[::2]) == {BUSY}
    assert set(answers[1::2]) == {"(mark 1 1)"}
    for one in silent:
        one.close()
    assert server.post("(ABORT m1)") == "aborted"


def test_memory_stays_flat(server: Server) -> None:
    for _ in range(50):
        server.post("(INFO)")
    before = server.megabytes
    for _ in range(3):
        server.post("b" * 3_000_000)
        server.post(start())
        server.post("(ABORT m1)")
    for _ in range(300):
        server.post("(INFO)")
    assert server.megabytes < before + 60
    assert len(server.children) <= 8  # those of ended matches go
