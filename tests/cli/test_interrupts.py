"""Ctrl-C in the long commands: exit code 130, what is known by then, no traceback; pressed at places that are known."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import clingo.solving
import pytest

from ludisect import gdl, loader
from ludisect.circuit import lanekernel as kernel
from ludisect.circuit import lanes
from ludisect.cli import demo
from ludisect.composition import many as sample
from ludisect.decomposition import methods
from ludisect.gdl import randomplay as play
from ludisect.gdl import record, write_trace
from ludisect.play import tournament
from ludisect.play.session import RulesSession
from ludisect.search.quotient import product
from ludisect.search.whole import statespace
from ludisect.sums import total, winner
from ludisect.sums.local import LocalSearch
from tests.cli.test_cli import run

Press = Callable[[Any, str, int], None]

ENDLESS = (
    "(role r) (init (n zero)) (legal r go) (<= (next (n (s ?x))) (true (n ?x)) (does r go))"
    "(<= terminal (true (n done))) (goal r 0)"
)
"""Grounding it never ends, unless the limit on such sheets ends it."""


@pytest.fixture
def press(monkeypatch: pytest.MonkeyPatch) -> Press:
    """``press(place, name, n)``: the n-th call of a function ends with Ctrl-C, once."""

    def at(place: Any, name: str, number: int) -> None:
        function, calls = getattr(place, name), count(1)

        def pressed(*arguments: Any, **options: Any) -> Any:
            out = function(*arguments, **options)
            if next(calls) == number:
                signal.raise_signal(signal.SIGINT)
            return out

        monkeypatch.setattr(place, name, pressed)

    return at


@pytest.fixture
def playing(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The kernels as the playouts see them, to be pressed in; compiled before, so that no play is made for that."""
    run("simulate", "tictactoe", "-n", "1")
    kernels = SimpleNamespace(**vars(kernel))
    monkeypatch.setattr(lanes, "kernel", kernels)
    return kernels


def interrupted(*arguments: str, says: str) -> str:
    """What the command printed; a note says that it was interrupted."""
    done = run(*arguments)
    assert done.returncode == 130, done
    assert says in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.parametrize("command", ["info", "decompose", "solve", "simulate", "check"])
def test_while_the_grounder_is_busy(command: str, tmp_path: Path) -> None:
    sheet = tmp_path / "endless.kif"
    sheet.write_text(ENDLESS)
    code = f"""
import os, signal, sys, threading, time
def watch():
    while not any(t.name == "grounder" for t in threading.enumerate()):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Thread(target=watch, daemon=True).start()
sys.argv = ["ludisect", {command!r}, {str(sheet)!r}]
from ludisect.cli import main
from ludisect.ground.limits import GroundLimits
from ludisect.settings import using
with using(GroundLimits(ground_growing_rules=10**9)):
    main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


@pytest.mark.parametrize("command", [["info"], ["decompose"], ["solve"], ["simulate"], ["check"], ["demo"]])
def test_while_a_game_is_built(command: list[str], press: Press) -> None:
    press(loader, "ground", 1)
    done = run(*command, *(["nim:2,3"] if command != ["demo"] else []))
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def test_between_two_pieces_of_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def dispatch(*_: object, **__: object) -> None:
        raise SystemError("returned a result with an exception set") from fault

    monkeypatch.setattr(methods, "take_sample", dispatch)
    fault: BaseException = KeyboardInterrupt()
    interrupted("decompose", "nim:2,3", says="interrupted")
    fault = ValueError()
    with pytest.raises(SystemError):
        run("decompose", "nim:2,3")


def test_decompose_while_it_looks_for_parts(press: Press) -> None:
    press(methods, "analyse", 1)
    text = interrupted("decompose", "nim:2,3", says="interrupted before the parts were found")
    assert "nim:2,3: 1 dependent part, 1 independent" in text
    assert "proved for every reachable state" in text


def test_decompose_while_the_solver_proves(press: Press) -> None:
    press(clingo.solving.SolveHandle, "wait", 1)
    interrupted("decompose", "nim:2,3", says="interrupted before the parts were found")


def test_decompose_before_the_parts_are_verified(press: Press) -> None:
    press(methods, "try_on_plays", 1)
    text = interrupted(
        "decompose", "nim:2,3", "--method", "instances", says="interrupted before the parts were verified"
    )
    assert "not verified" in text
    press(methods, "prove_parts", 1)
    text = interrupted("decompose", "nim:2,3", "--method", "instances", "--prove", says="before the parts were proved")
    assert "no violation; not proved" in text


def test_verify_before_the_proof(press: Press, tmp_path: Path) -> None:
    parts = tmp_path / "parts.json"
    parts.write_text(run("decompose", "nim:2,3", "--json").stdout)
    press(methods, "prove_parts", 1)
    text = interrupted("verify", "nim:2,3", str(parts), "--prove", says="interrupted before the proof was found")
    assert "no violation; not proved" in text
    press(methods, "record", 1)
    assert interrupted("verify", "nim:2,3", str(parts), says="interrupted") == ""


def test_solve_while_the_whole_is_searched(press: Press) -> None:
    press(statespace, "_expand", 20)
    data = json.loads(interrupted("solve", "reversi:6", "--by", "whole", "--json", says="interrupted"))
    assert data["exact"] is False
    assert data["nodes"] > 1000
    assert data["bounds"]["black"] == [0, 100]
    assert data["move"]["black"].startswith("(place")


def test_solve_while_the_parts_are_put_together(press: Press) -> None:
    press(product.Explorer, "_expand_by_tables", 3)
    data = json.loads(interrupted("solve", "double-tictactoe", "--by", "quotient", "--json", says="interrupted"))
    assert (data["exact"], data["bounds"]["xplayer"]) == (False, [0, 100])


def test_simulate_while_the_kernel_plays(press: Press, playing: SimpleNamespace) -> None:
    press(playing, "play", 3)
    data = json.loads(interrupted("simulate", "tictactoe", "-n", "1000000000000", "--json", says="interrupted"))
    assert data["interrupted"] is True
    assert 0 < data["playouts"] < 10**12


def test_check_tells_the_faults_found_by_then(press: Press, tmp_path: Path) -> None:
    sheet = tmp_path / "stuck.kif"
    sheet.write_text(
        "(role a) (init (x 1)) (<= (legal a go) (true (x 1))) (<= (next (x 2)) (does a go))"
        "(<= terminal (true (x 3))) (<= (goal a 0) (true (x 1)))"
    )
    press(play, "record", 3)
    text = interrupted("check", str(sheet), says="interrupted; no more plays were begun")
    assert "role a has no legal move and the play is not over (in 2 of 2 playouts" in text
    assert "2 random plays" in text


def test_replay_tells_how_far_it_came(press: Press, tmp_path: Path) -> None:
    path = tmp_path / "matches.jsonl"
    game = loader.load("tictactoe")
    write_trace(path, [record(game, seed=s, game="tictactoe") for s in range(4)])
    press(gdl, "replay", 3)
    data = json.loads(interrupted("replay", "tictactoe", str(path), "--json", says="interrupted after 2 of 4 matches"))
    assert (data["matches"], data["agrees"]) == (2, True)


def test_compose_keeps_the_games_that_are_made(press: Press, tmp_path: Path) -> None:
    press(sample, "compose_one", 3)
    text = interrupted("compose", "--set", "50", str(tmp_path), says="interrupted after 2 of 50 games")
    assert "2 games and their parts" in text
    assert len((tmp_path / "index.jsonl").read_text().splitlines()) == 2
    assert len(list(tmp_path.glob("*.kif"))) == 2


def test_value_gives_bounds(press: Press) -> None:
    press(LocalSearch, "settled", 1)
    data = json.loads(interrupted("value", "domineering 2x3 + {1|0}", "--json", says="interrupted"))
    assert data["exit"] == 130
    assert data["partial"]["bounds"] == ["-3", "5"]
    press(total, "sum_values", 1)
    known = json.loads(interrupted("value", "domineering 2x3 + {1|0}", "--json", says="interrupted"))["partial"]
    assert (known["outcome"], known["mean"]) == ("L", "5/4")


def test_a_chess_ending_gives_the_parts_that_are_known(press: Press) -> None:
    press(LocalSearch, "settled", 2)
    data = json.loads(interrupted("chess", "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8", "--json", says="interrupted"))
    assert [part["value"] for part in data["parts"]] == ["↑", None, None]
    assert data["interrupted"]


def test_a_sum_says_who_wins_as_far_as_it_is_known(press: Press) -> None:
    press(winner, "_choose", 2)
    data = json.loads(interrupted("solve", "domineering 2x3 + {1|0}", "--json", says="interrupted"))
    assert data["value"] == {"left": 100, "right": None}
    assert data["move"]["right"] is not None


def test_the_demo_while_it_plays(press: Press, playing: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "WHOLE_SECONDS", dict.fromkeys(demo.WHOLE_SECONDS, 0.2))
    press(playing, "play", 1)
    done = run("demo")
    assert (done.returncode, done.stderr) == (130, "interrupted\n")
    assert "4. From rules to random plays" in done.stdout


@pytest.mark.parametrize(("place", "name"), [(statespace, "_expand"), (total, "sum_values")])
def test_the_demo_while_it_solves(place: Any, name: str, press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "WHOLE_SECONDS", dict.fromkeys(demo.WHOLE_SECONDS, 0.2))
    press(place, name, 1)
    done = run("demo")
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def test_match_says_how_it_stands(press: Press) -> None:
    press(tournament, "hold", 2)
    out = interrupted("match", "tictactoe", "random", "legal", "--games", "9", says="interrupted after 1 of 9 matches")
    assert out.startswith("tictactoe: 1 match\n")


def test_play_is_left(press: Press) -> None:
    press(RulesSession, "hints", 1)
    done = run("play", "tictactoe", "--seconds", "0.2", "--json", text="1\nhint\n2\n")
    assert done.returncode == 130
    assert "interrupted" in done.stderr
    data = json.loads(done.stdout)
    assert not data["over"]
    assert len(data["moves"]) == 2
