"""The life of a job: queued, running, done; limits, cancel, fallen workers; many at once; events."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ludisect.cli.standby import run as run_command
from ludisect.web.jobs import PageJob, _read_exit
from tests.web.bench_server import BenchServer, alive, gone

LONG = {"options": {"playouts": 10**12}, "seconds": 600}


@pytest.fixture(scope="module")
def nim(server: BenchServer) -> str:
    return str(server.open(source="nim:3,5,7")["id"])


@pytest.fixture(autouse=True)
def nothing_left(server: BenchServer) -> Iterator[None]:
    """A test that fails leaves no job behind which others would wait."""
    yield
    for job in server.get("/jobs").data["jobs"]:
        if job["state"] in ("queued", "running") and job["page"] != "first":
            server.ask("DELETE", f"/api/v1/jobs/{job['id']}")


def test_the_result_is_what_the_command_prints(
    server: BenchServer, nim: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import json

    job = server.run("solve", nim)
    assert (job["state"], job["exit"], job["before"]) == ("done", 0, 0)
    assert run_command(["solve", "nim:3,5,7", "--json", "--seconds", "20"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert {**job["result"], "seconds": 0} == {**printed, "seconds": 0}


def test_a_job_from_a_later_position(server: BenchServer, nim: str) -> None:
    line = [{"player1": "(reduce c 6)"}]
    job = server.run("solve", nim, line=line)
    assert job["result"]["value"] == {"player1": 0, "player2": 0} or job["result"]["value"]["player2"] in (0, 100)
    bad = server.post("/jobs", {"command": "solve", "game": nim, "line": [{"player1": "(reduce c 9)"}]})
    assert bad.kind == "illegal-move"


def test_a_decomposition_with_a_fluent_moved_is_refuted(server: BenchServer) -> None:
    game = server.open(source="double-tictactoe")["id"]
    parts = server.run("decompose", game)["result"]
    here, there = parts["subgames"][:2]
    there["fluents"].append(here["fluents"].pop())
    job = server.run("verify", game, options={"decomposition": parts})
    assert (job["state"], job["exit"]) == ("done", 1)
    found = job["result"]["evidence"]["counterexample"]
    for situation in found["situations"]:
        for state in (situation["state"], situation["next"]):
            place = server.post(f"/games/{game}/position", {"state": state})
            assert place.status == 200
            assert len(place.data["boards"]) == 2


def test_a_sheet_is_never_a_file(server: BenchServer) -> None:
    rules = "(<= (next (off 1)) (does p push)) (<= terminal (true (off 1))) (goal p 50)"
    text = f"(role p) (init (on 1)) (legal p push) {rules}"
    game = server.open(text=text)["id"]
    job = server.run("solve", game)
    assert job["result"]["value"] == {"p": 50}


def test_engines(server: BenchServer, nim: str) -> None:
    reply = server.run("play", nim, options={"player": "parts", "clock": 0.5})["result"]
    assert reply["role"] == "player1"
    assert reply["moves"]["player2"] == "noop"
    assert reply["move"] in server.post(f"/games/{nim}/position", {}).data["legal"]["player1"]
    table = server.open(sum="nim 1 3")["id"]
    for strategy in ("optimal", "hotstrat"):
        reply = server.run("play", table, to="right", options={"player": strategy})["result"]
        assert reply["role"] == "right"
    assert server.run("play", table, options={"player": "optimal"})["result"]["move"] == "1: heap 2 to 1"
    job = server.run("match", nim, options={"players": ["random", "legal"], "games": 2, "clock": 0.05})
    assert job["result"]["matches"] == 2


def test_a_limit_gives_what_is_known(server: BenchServer) -> None:
    game = server.open(source="connect-four")["id"]
    job = server.run("solve", game, seconds=0.3)
    assert (job["state"], job["limit"]) == ("done", "seconds")
    assert job["exit"] in (3, None)  # None: on a busy machine it had no time to say what it knows, and was ended
    assert job["exit"] is None or job["result"]["exact"] is False
    job = server.run("simulate", game, options={"playouts": 10**12}, seconds=0.3)
    assert (job["state"], job["limit"]) == ("done", "seconds")
    assert job["exit"] is None or job["result"]["playouts"] > 0
    options = {"players": ["random", "random"], "games": 10_000, "clock": 1}
    job = server.run("match", game, options=options, seconds=0.5)
    assert (job["state"], job["limit"]) == ("done", "seconds")
    assert job["result"] is None or job["result"]["matches"] < 10_000  # none: the game was not built by then


def test_a_job_that_takes_too_much_memory(server: BenchServer) -> None:
    game = server.open(source="connect-four")["id"]
    job = server.run("solve", game, options={"by": "whole"}, seconds=60, memory=0.12)
    assert (job["state"], job["limit"]) == ("done", "memory")


def test_a_job_says_how_far_it_is(server: BenchServer, nim: str) -> None:
    job = server.begin_long(nim, "steps")
    with server.events("steps") as events:
        for _, kind, data in events:
            if kind == "job" and data["step"] is not None and data["step"]["name"] == "playing":
                break
    assert 0 <= data["step"]["done"] < data["step"]["of"] == 10**12
    assert data["id"] == job["id"]


def test_cancel_ends_the_process(server: BenchServer, nim: str) -> None:
    job = server.begin_long(nim)
    pid = job["pid"]
    assert alive(pid)
    ended = server.ask("DELETE", f"/api/v1/jobs/{job['id']}").data
    assert ended["state"] == "cancelled"
    assert not alive(pid)
    assert server.ask("DELETE", f"/api/v1/jobs/{job['id']}").data["state"] == "cancelled"
    assert server.ask("DELETE", "/api/v1/jobs/nix").kind == "gone"


def test_a_fallen_worker_harms_nobody(server: BenchServer, nim: str) -> None:
    job = server.begin_long(nim)
    os.kill(job["pid"], signal.SIGKILL)
    job = server.wait(job)
    assert job["state"] == "failed"
    assert job["problem"]["type"] == "/problems/killed"
    assert job["problem"]["title"] == "The worker was ended by signal 9. Nothing else was lost."
    assert server.run("solve", nim)["state"] == "done"


def test_the_process_of_a_game_is_made_anew(server: BenchServer) -> None:
    before = server.family()
    game = server.open(source="nim:2,4")["id"]
    for pid in set(server.family()) - set(before):
        os.kill(pid, signal.SIGKILL)
    statuses = [server.post(f"/games/{game}/position", {}).status for _ in range(2)]
    assert statuses[1] == 200


def test_jobs_of_a_page_wait_for_each_other(server: BenchServer, nim: str) -> None:
    first = server.begin_long(nim, "waits")
    second = server.begin("solve", nim, page="waits")
    third = server.begin("decompose", nim, page="waits")
    assert [(job["state"], job["before"]) for job in (second, third)] == [("queued", 1), ("queued", 2)]
    beside = server.run("play", nim, page="waits", options={"clock": 0.05})
    assert beside["state"] == "done"
    assert server.ask("DELETE", f"/api/v1/jobs/{second['id']}").data["state"] == "cancelled"
    server.ask("DELETE", f"/api/v1/jobs/{first['id']}")
    assert server.wait(third)["state"] == "done"
    assert [job["command"] for job in server.get("/jobs?page=waits").data["jobs"]][-1] == "simulate"


def test_events_are_told_and_told_again(server: BenchServer, nim: str) -> None:
    assert server.get("/events?page=idle").status == 204
    job = server.begin("simulate", nim, page="told", **LONG)
    with server.events("told") as events:
        number, kind, data = next(events)
        assert (number, kind, data) == (None, "hello", {"page": "told"})
        number, kind, data = next(events)
        assert (kind, data["id"]) == ("job", job["id"])
        server.wait(job, "running")
        server.ask("DELETE", f"/api/v1/jobs/{job['id']}")
        seen: list[tuple[int | None, str, Any]] = []
        for event in events:
            seen.append(event)
            if event[1] == "idle":
                break
    assert seen[-2][2]["state"] == "cancelled"
    again = server.begin("simulate", nim, page="told", **LONG)
    with server.events("told", last=(seen[-2][0] or 0) - 1) as events:
        assert next(events)[1] == "hello"
        assert next(events)[2]["state"] == "cancelled"
        assert next(events)[1] == "idle"
        assert next(events)[2]["id"] == again["id"]
        server.ask("DELETE", f"/api/v1/jobs/{again['id']}")


def test_eight_pages_at_once(server: BenchServer, nim: str) -> None:
    def page(name: str) -> str:
        job = server.begin("solve", nim, page=name)
        with server.events(name) as events:
            for _, kind, _ in events:
                if kind == "idle":
                    break
        return str(server.get(f"/jobs/{job['id']}").data["state"])

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(page, [f"page-{n}" for n in range(8)])) == ["done"] * 8


def test_two_hundred_posts(server: BenchServer, nim: str) -> None:
    before = server.family()
    server.begin_long(nim, "many")
    body = {"command": "simulate", "game": nim, "page": "many", **LONG}
    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda _: server.post("/jobs", body), range(200)))
    taken = [answer.data["id"] for answer in answers if answer.status == 202]
    busy = [answer for answer in answers if answer.status == 429]
    assert len(taken) == 32
    assert len(busy) == 168
    assert {answer.kind for answer in busy} == {"busy"}
    assert all(answer.headers["retry-after"] for answer in busy)
    kept = {job["id"]: job for job in server.get("/jobs?page=many").data["jobs"]}
    assert set(taken) <= set(kept)
    for id in kept:
        server.ask("DELETE", f"/api/v1/jobs/{id}")
    assert {job["state"] for job in server.get("/jobs?page=many").data["jobs"]} == {"cancelled"}
    assert gone([pid for pid in server.family() if pid not in before])
    assert server.run("solve", nim)["state"] == "done"


def test_a_limit_that_comes_while_the_game_is_built_is_no_failure() -> None:
    """The limit of a match is an interrupt, and what it meets says so as an error, with the code of one."""
    job = PageJob({"command": "match", "page": "p", "seconds": 1}, "rules", {}, None, state="running")
    _read_exit(job, 130, {"error": "interrupted while the game was built", "exit": 130})
    assert (job.state, job.limit, job.exit, job.result) == ("running", "seconds", 130, None)
