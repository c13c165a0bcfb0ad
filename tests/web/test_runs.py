"""What is run from the page: sweeps and matches of strategies with tables that grow, and that a cancel ends them."""

from __future__ import annotations

import pytest

import ludisect
from ludisect.rulesets.position import Player
from ludisect.sums.match import play_match
from tests.web.bench_server import BenchServer, alive, gone


def test_a_sweep_over_some_games(server: BenchServer) -> None:
    options = {"task": "solve", "games": ["nim:1,2", "nim:2,3", "tictactoe"], "clock": 20}
    job = server.run("sweep", "", options=options, seconds=60, page="sweep")
    assert (job["state"], job["limit"], job["problem"]) == ("done", None, None)
    rows = {row["game"]: row for row in job["result"]["games"]}
    assert list(rows) == options["games"]
    for name, row in rows.items():
        assert row["status"] == "done"
        assert row["value"] == ludisect.solve(name).value
    assert job["result"]["summary"]["status"] == {"done": 3}
    assert (job["result"]["left"], job["result"]["interrupted"]) == (0, False)
    assert (job["step"]["name"], job["step"]["of"]) == ("sweeping games", 3)
    assert len(job["partial"]["games"]) == 3


def test_a_sweep_is_cancelled_with_its_game(server: BenchServer) -> None:
    before = server.family()
    options = {"task": "solve", "games": ["nim:1,2", "nim:2,3", "connect-four"], "clock": 500}
    job = server.begin("sweep", "", options=options, seconds=600, page="sweep")
    while not (job["partial"] and len(job["partial"]["games"]) == 2):
        job = server.get(f"/jobs/{job['id']}").data
        assert job["state"] in ("queued", "running"), job
    while len(started := [pid for pid in server.family() if pid not in before]) < 2:  # that of the job, and its game
        pass
    assert job["pid"] in started
    assert server.ask("DELETE", f"/api/v1/jobs/{job['id']}").data["state"] == "cancelled"
    assert not alive(job["pid"])
    assert gone(started)


def test_a_sweep_at_its_limit_gives_what_is_done(server: BenchServer) -> None:
    options = {"task": "solve", "games": ["nim:1,2", "nim:2,3", "connect-four"], "clock": 500}
    job = server.run("sweep", "", options=options, seconds=2, page="sweep")
    assert (job["state"], job["limit"]) == ("done", "seconds")
    if job["result"] is not None:  # on a busy machine it is ended before it can say what it knows
        assert job["result"]["interrupted"]
        assert job["result"]["left"] == 3 - len(job["result"]["games"])


def test_bad_sweeps(server: BenchServer) -> None:
    for options in ({"task": "nix"}, {"games": "nim"}, {"games": [3]}, {"clock": 0}, {"store": "x"}):
        assert server.post("/jobs", {"command": "sweep", "options": options}).kind == "request"
    job = server.run("sweep", "", options={"games": ["../nix"]})
    assert (job["state"], job["problem"]["type"]) == ("failed", "/problems/input")
    assert server.post("/jobs", {"command": "solve"}).kind == "gone"


@pytest.mark.parametrize("line", [[], [{"left": "1: a1-a2"}]])
def test_strategies_play_a_sum_against_each_other(server: BenchServer, line: list[dict[str, str]]) -> None:
    game = server.open(sum="domineering 2x3 + {2|-1}")["id"]
    job = server.run("match", game, line=line, options={"players": ["optimal", "hotstrat"], "clock": 1})
    assert job["state"] == "done"
    here = server.post(f"/games/{game}/position", {"line": line}).data["state"][0]
    table = job["result"]["table"]
    assert job["result"]["matches"] == len(table) == 4
    for row in table:
        twin = play_match(here, left=row["left"], right=row["right"], first=Player[row["begins"].upper()])
        assert row["winner"] == (twin.winner.name.lower() if twin.winner else None)
        assert row["line"] == "; ".join(twin.line)
    assert sum(job["result"]["wins"].values()) == 4
    bad = server.run("match", game, options={"players": ["nix"]})
    assert (bad["state"], bad["problem"]["type"]) == ("failed", "/problems/input")


def test_tables_grow_while_plays_are_played(server: BenchServer) -> None:
    game = server.open(source="nim:3,5,7")["id"]
    job = server.begin_long(game, "grow")
    while not (job["partial"] and job["partial"]["playouts"] > 1000):
        job = server.get(f"/jobs/{job['id']}").data
        assert job["state"] == "running"
    known = job["partial"]
    assert known["game"] == "nim:3,5,7"
    assert 0 < sum(known["goals"]["player1"].values()) <= known["playouts"]  # the last plays have no goals yet
    server.ask("DELETE", f"/api/v1/jobs/{job['id']}")
    options = {"players": ["random", "legal"], "games": 10_000, "clock": 0.2}
    job = server.begin("match", game, options=options, seconds=600)
    while not (job["partial"] and job["partial"]["matches"]):
        job = server.get(f"/jobs/{job['id']}").data
        assert job["state"] in ("queued", "running")
    assert job["partial"]["pairings"][0]["games"] <= job["partial"]["matches"] < 10_000
    server.ask("DELETE", f"/api/v1/jobs/{job['id']}")
