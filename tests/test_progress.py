"""Progress: every stage reports its steps in order, counts never fall within a step, and nobody hears them unasked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from itertools import groupby
from typing import Any

import pytest

import ludisect
from ludisect.cli.standby import run as run_command
from ludisect.composition import compose_set
from ludisect.decomposition import verify
from ludisect.gdl import check_by_playouts
from ludisect.play import tournament
from ludisect.progress import listening, report, reporter, viewer, viewing

Heard = list[tuple[str, int, int | None]]


def heard(work: Callable[[], object]) -> Heard:
    out: Heard = []
    with listening(lambda *step: out.append(step)):
        work()
    return out


def steps(told: Heard) -> list[str]:
    """The steps in order, each once for every time that it was gone on with."""
    return [step for step, _ in groupby(name for name, _, _ in told)]


def assert_honest(told: Heard) -> None:
    last: dict[str, int] = {}
    assert told
    for step, done, of in told:
        assert done == 0 or done >= last.get(step, 0), (step, done, last)
        assert of is None or done <= of, (step, done, of)
        assert done >= 0
        last[step] = done


def test_a_listener_hears_what_is_reported_in_its_block() -> None:
    report("unheard", 1)
    assert heard(lambda: report("one", 1, 2)) == [("one", 1, 2)]
    assert heard(lambda: report("open", 3)) == [("open", 3, None)]


def test_a_step_that_begins_anew_says_so() -> None:
    def work() -> None:
        for done in (2, 5, 3, 4, 0, 1):
            report("again", done, 9)

    assert [done for _, done, _ in heard(work)] == [2, 5, 0, 3, 4, 0, 1]


def test_inner_listeners_take_over_and_outer_ones_come_back() -> None:
    inner: Heard = []

    def work() -> None:
        with listening(lambda *step: inner.append(step)):
            report("inside", 1)
        with listening(None):
            report("nobody", 1)
        report("outside", 1)

    assert heard(work) == [("outside", 1, None)]
    assert inner == [("inside", 1, None)]


def test_threads_do_not_hear_each_other_unless_asked() -> None:
    def work() -> None:
        tell = reporter()
        assert tell is not None

        def elsewhere() -> None:
            report("lost", 1)
            tell("handed over", 1, None)

        other = threading.Thread(target=elsewhere)
        other.start()
        other.join()

    assert heard(work) == [("handed over", 1, None)]
    assert reporter() is None


def test_what_a_listener_raises_ends_the_work() -> None:
    def stop(step: str, done: int, of: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), listening(stop):
        ludisect.load("tictactoe")
    report("heard by nobody", 1)


def test_loading() -> None:
    told = heard(lambda: ludisect.load("double-tictactoe"))
    assert_honest(told)
    assert steps(told)[:3] == ["reading", "grounding", "building"]
    lines = ludisect.load("double-tictactoe").rules
    assert lines is not None
    assert told[1] == ("reading", *(lines.text.count("\n") + 1,) * 2)
    assert told[-1] == ("building", 3, 3)


@pytest.mark.parametrize("method", ["exact", "playouts", "instances", "symbols"])
def test_decomposing(method: str) -> None:
    game = ludisect.load("double-tictactoe")
    told = heard(lambda: ludisect.decompose(game, method=method, prove=True))
    assert_honest(told)
    assert ("playing", 1000, 1000) in told
    order = [step for step in steps(told) if step in ("playing", "testing", "proving")]
    assert list(dict.fromkeys(order)) == ["playing", "testing", "proving"]
    step, done, of = told[-1]
    assert (step, done) == ("proving", of)
    assert done >= 4  # two conditions for each of two parts


def test_verifying_without_a_proof() -> None:
    parts = ludisect.decompose("four-lamps")
    told = heard(lambda: verify(parts, playouts=50))
    assert_honest(told)
    assert list(dict.fromkeys(steps(told))) == ["playing", "testing"]
    assert told[-1] == ("testing", 4, 4)


@pytest.mark.parametrize("threads", [1, 2])
def test_playing_out(threads: int) -> None:
    game = ludisect.load("tictactoe")
    told = heard(lambda: game.playouts.run(30_000, threads=threads))
    assert_honest(told)
    assert told[-1] == ("playing", 30_000, 30_000)


def test_playouts_that_end_badly_count_too() -> None:
    sheet = "(role r) (init on) (legal r go) (<= (next on) (does r go)) (goal r 0) (<= terminal (not (true on)))"
    game = ludisect.load(sheet)
    told = heard(lambda: game.playouts.run(600, max_length=20))
    assert_honest(told)
    assert told[-1] == ("playing", 600, 600)


@pytest.mark.parametrize("by", ["whole", "alpha-beta", "quotient"])
def test_searching(by: str) -> None:
    parts = ludisect.decompose("tictactoe" if by in ("whole", "alpha-beta") else "double-tictactoe")
    told = heard(lambda: ludisect.solve(parts, by))
    assert_honest(told)
    wanted = {
        "whole": {"listing positions"},
        "alpha-beta": {"searching positions"},
        "quotient": {"exploring part 1", "exploring part 2", "finding classes", "searching the product"},
    }[by]
    assert wanted <= set(steps(told))


def test_searching_composed_games() -> None:
    names = set()
    for game in compose_set(6, seed=3):
        told = heard(lambda: ludisect.solve(ludisect.read(game.text)))  # noqa: B023  (called at once)
        assert_honest(told)
        assert steps(told)[0] == "reading" or steps(told)[0] == "grounding"
        names.update(steps(told))
    assert {"grounding", "building", "playing", "proving"} <= names


def test_sums() -> None:
    told = heard(lambda: ludisect.solve("domineering 4x5 + clobber 3x4"))
    assert_honest(told)
    assert "valuing positions" in steps(told)


def test_checking_and_matches() -> None:
    game = ludisect.load("tictactoe")
    told = heard(lambda: check_by_playouts(game, plays=5))
    assert told == [("playing", n, 5) for n in range(1, 6)]
    rules = game.rules
    assert rules is not None
    agreement = tournament.Agreement(start_clock=1, play_clock=1)
    todo = tournament.fixtures(["random", "legal"], 2, 2, 0)
    told = heard(lambda: tournament.run(rules, todo, agreement))
    assert told == [("holding matches", n, len(todo)) for n in range(len(todo) + 1)]


@pytest.mark.parametrize("words", [["simulate", "nim:3,5", "-n", "3000"], ["match", "nim:1,2", "random", "legal"]])
def test_results_that_grow_are_shown_to_who_looks(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[dict[str, Any]] = []
    with viewing(lambda known: shown.append(known())):
        assert run_command([*words, "--json"]) == 0
    end = json.loads(capsys.readouterr().out)
    counted = "playouts" if words[0] == "simulate" else "matches"
    counts = [known[counted] for known in shown]
    assert counts == sorted(counts)
    assert shown[-1].keys() == end.keys()
    assert counts[-1] == end[counted]
    assert viewer() is None
