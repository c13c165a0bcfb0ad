"""The server in whole matches, held by our manager in the manner of others; its log; processes that die."""

from __future__ import annotations

import os
import queue
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ludisect.cli import main
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter, read_file, read_trace, replay
from ludisect.play.desk import Desk, Thinker
from ludisect.play.player import Choice
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


def test_a_thinker_that_dies_is_not_missed(server: Server) -> None:
    rules = " ".join(map(str, find_rules("tictactoe")))
    assert server.post(f"(START d xplayer ({rules}) {AMPLE} 2)") == "ready"
    for child in server.children:
        if b"referee" not in Path(f"/proc/{child}/cmdline").read_bytes():
            os.kill(child, signal.SIGKILL)
    assert server.post("(PLAY d NIL)").startswith("(mark ")
    assert server.post("(ABORT d)") == "aborted"
    assert server.post("(INFO)") == "((name ludisect) (status available))"


def test_a_player_that_fails_is_replaced_by_a_plainer_one() -> None:
    said: list[dict[str, object]] = []

    class Quiet(Desk):
        def __init__(self) -> None:
            self.orders = queue.SimpleQueue()

        def say(self, **what: object) -> None:
            said.append(what)

    class Failing(TreePlayer):
        def think(self, legal: object, deadline: float, tell: object) -> Choice:
            raise ZeroDivisionError

    thinker = Thinker(Quiet(), "legal")
    thinker.player = Failing()
    rules = " ".join(map(str, find_rules("tictactoe")))
    soon = time.monotonic() + 0.3
    order = {"id": "m", "role": "xplayer", "infix": False, "start": 1.0, "play": 1.0, "text": rules, "deadline": soon}
    thinker.obey({"do": "start", **order})
    play = {"do": "play", "answered": None, "deadline": time.monotonic() + 0.3}
    thinker.obey({**play, "number": 0, "moves": None})
    thinker.obey({**play, "number": 1, "moves": "(mark 2 2) noop"})
    moves = [what for what in said if what["say"] == "move" and what["final"]]
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
