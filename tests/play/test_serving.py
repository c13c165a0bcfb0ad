"""The server in whole matches, held by our manager in the manner of others; its log; processes that die."""

from __future__ import annotations

import os
import queue
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludisect.cli import main
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter, read_file, read_trace, replay
from ludisect.play.children import Child
from ludisect.play.desk import Desk, Referee, Thinker
from ludisect.play.player import Choice
from ludisect.play.serving import _Ongoing
from ludisect.play.tournament import Agreement, Fixture, Venue
from ludisect.play.treeplayer import TreePlayer
from ludisect.play.wire import MANNERS
from tests.play.server import PATIENCE, Server, serving

AMPLE = 60.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("log")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with serving("--log", str(folder)) as one:
        yield one


@pytest.mark.parametrize(
    ("game", "manner", "others"),
    [
        ("tictactoe", "ggp-base", ["random"]),
        ("nim:1,2,4", "dresden", ["random"]),
        ("rock-paper-scissors", "tiltyard", ["legal"]),
        ("two-track", "ggp-base-old", []),
    ],
)
def test_whole_matches(server: Server, folder: Path, game: str, manner: str, others: list[str]) -> None:
    """With ample clocks: the player is sure at once, and nothing hangs on the speed of the machine."""
    rules = find_rules(game)
    spoken = replace(MANNERS[manner], pause=0.0)
    venue = Venue(rules, Agreement(AMPLE, AMPLE, manner=spoken))
    before = set(folder.iterdir())
    line = venue.hold(Fixture(1, (f"http://127.0.0.1:{server.port}", *others), 5))
    assert line["faults"] == []
    assert line["final"]["terminal"]
    if game in ("nim:1,2,4", "two-track"):  # what is won is won
        assert next(iter(line["final"]["goals"].values())) == 100
    wait_for(lambda: {one.suffix for one in set(folder.iterdir()) - before} == {".kif", ".log", ".jsonl"})
    (trace,) = (one for one in set(folder.iterdir()) - before if one.suffix == ".jsonl")
    (match,) = read_trace(trace)
    assert match.terminal
    assert len(match.steps) == len(line["steps"])
    assert replay(Interpreter(read_file(trace.with_suffix(".kif"))), match) == []
    told = trace.with_suffix(".log").read_text().splitlines()
    assert told[0].startswith("START")
    assert len([one for one in told if one.startswith("step ")]) == len(line["steps"])
    if manner == "dresden":
        assert "PLAYER1" in trace.read_text()


def test_the_first_move_of_a_game_that_is_not_ready_comes_from_the_rules(server: Server) -> None:
    """No time to build anything: a legal move all the same."""
    rules = " ".join(map(str, find_rules("breakthrough")))
    role = Interpreter(find_rules("breakthrough")).roles[0]
    server.post(f"(START slow {role} ({rules}) 0.01 3)")
    legal = [str(move) for move in Interpreter(find_rules("breakthrough")).start.legal[role]]
    assert server.post("(PLAY slow NIL)") in legal
    assert server.post("(ABORT slow)") == "aborted"


@pytest.mark.parametrize(("word", "answer"), [("ABORT", "aborted"), ("STOP", "done")])
def test_a_match_that_ends_in_the_middle_of_a_move_keeps_nobody_waiting(server: Server, word: str, answer: str) -> None:
    """The clock of the move is long: who waits for it is told nil as soon as there is nothing to wait for."""
    rules = " ".join(map(str, find_rules("connect-four")))
    server.post(f"(START e red ({rules}) 0.01 {AMPLE})")
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(server.post, "(PLAY e NIL)")
        wait_for(lambda: server.connections > 0 or waits.done())
        assert server.post(f"({word} e NIL)") == answer
        assert waits.result(PATIENCE) in ("nil", "busy")  # or it had not been read yet
    assert server.post("(INFO)") == "((name ludisect) (status available))"


def test_a_thinker_that_dies_is_not_missed(server: Server) -> None:
    rules = " ".join(map(str, find_rules("tictactoe")))
    assert server.post(f"(START d xplayer ({rules}) {AMPLE} 2)") == "ready"
    for child in server.children:
        if b"referee" not in Path(f"/proc/{child}/cmdline").read_bytes():
            os.kill(child, signal.SIGKILL)
    assert server.post("(PLAY d NIL)").startswith("(mark ")
    assert server.post("(ABORT d)") == "aborted"
    assert server.post("(INFO)") == "((name ludisect) (status available))"


class Quiet(Desk):
    """A desk without a line: what is said is kept."""

    def __init__(self) -> None:
        self.orders = queue.SimpleQueue()
        self.said: list[dict[str, Any]] = []

    def say(self, **what: object) -> None:
        self.said.append(what)


def test_a_legal_move_is_known_before_all_are() -> None:
    desk = Quiet()
    rules = " ".join(map(str, find_rules("tictactoe")))
    Referee(desk).obey({"do": "start", "id": "m", "role": "xplayer", "infix": False, "text": rules})
    ready, some, legal = desk.said
    assert (ready["say"], some["say"], legal["say"]) == ("ready", "some", "legal")
    assert some["move"] in legal["moves"]
    nobody = Child("referee")
    match = _Ongoing("m", False, 1.0, 1.0, nobody, nobody, None, number=0)
    match.hear_referee(some)
    assert match.known(sure=True) is None
    assert match.known(sure=False) == (some["move"], "the first legal move by the rules: the others are not known yet")
    match.number = 1  # of the state before
    assert match.known(sure=False) is None


def test_a_player_that_fails_is_replaced_by_a_plainer_one() -> None:
    class Failing(TreePlayer):
        def think(self, legal: object, deadline: float, tell: object) -> Choice:
            raise ZeroDivisionError

    desk = Quiet()
    thinker = Thinker(desk, "legal")
    thinker.player = Failing()
    rules = " ".join(map(str, find_rules("tictactoe")))
    soon = time.monotonic() + 0.3
    order = {"id": "m", "role": "xplayer", "infix": False, "start": 1.0, "play": 1.0, "text": rules, "deadline": soon}
    thinker.obey({"do": "start", **order})
    play = {"do": "play", "answered": None, "deadline": time.monotonic() + 0.3}
    thinker.obey({**play, "number": 0, "moves": None})
    thinker.obey({**play, "number": 1, "moves": "(mark 2 2) noop"})
    moves = [what for what in desk.said if what["say"] == "move" and what["final"]]
    assert [what["number"] for what in moves] == [0, 1]
    assert "random plays" in str(moves[0]["why"])
    assert moves[1]["move"] == "noop"


def test_no_process_is_left_whatever_ends_the_server() -> None:
    for end in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        with serving("--player", "legal") as one:
            rules = " ".join(map(str, find_rules("tictactoe")))
            assert one.post(f"(START m xplayer ({rules}) {AMPLE} {AMPLE})") == "ready"
            children = one.children
            assert len(children) >= 2
            one.process.send_signal(end)
            one.process.wait(PATIENCE)
            wait_for(lambda some=children: not any(map(alive, some)))
            if end != signal.SIGKILL:
                assert one.process.returncode == 0


def test_a_match_of_which_nothing_is_heard_is_forgotten() -> None:
    with serving("--player", "legal", "--set", "serving_silence=0.2") as one:
        rules = " ".join(map(str, find_rules("tictactoe")))
        assert one.post(f"(START m xplayer ({rules}) 2 0.1)") == "ready"
        wait_for(lambda: "available" in one.post("(INFO)"))
        assert one.post("(STOP m NIL)") == "silent"


def alive(pid: int) -> bool:
    try:
        return b") Z " not in Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False


def wait_for(condition: object) -> None:
    end = time.monotonic() + PATIENCE
    assert callable(condition)
    while not condition():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--player", "part"], "no player is called 'part'"),
        (["--port", "70000"], "is not a whole number from 0 to 65535"),
        (["--host", "nowhere.invalid"], "cannot listen at nowhere.invalid"),
        (["--log", "/proc/nowhere"], "cannot write to /proc/nowhere"),
        (["--margin", "-1"], "is not a number of at least 0"),
    ],
)
def test_bad_input(
    words: list[str], told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["ludisect", "serve", "--port", "0", *words])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert told in capsys.readouterr().err


def test_a_port_that_is_taken(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["ludisect", "serve", "--port", str(server.port)])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert f"cannot listen at 127.0.0.1:{server.port}" in capsys.readouterr().err
