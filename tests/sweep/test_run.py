"""Whole sweeps: every game once, whatever falls meanwhile; poisoned folders; clusters."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ludisect.games import bundled
from ludisect.sweep.job import Ending
from ludisect.sweep.rowstore import Entry, SweepStore
from ludisect.sweep.run import run_sweep
from ludisect.sweep.sweepplan import SweepPlan, find_sheets, version
from ludisect.sweep.transport import Cluster, Local, Task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="sessions are watched through /proc")

NAMES = ("nim:1,2", "two-track", "tictactoe", "four-lamps", "rock-paper-scissors", "kayles:3,4", "domineering:2x3")
PLAN = SweepPlan("decompose", 60.0, 4.0)

Answers = dict[str, tuple[Any, ...]]
"""Game -> how it ended and what was found."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of innocent games; nobody may write to it."""
    made = tmp_path_factory.mktemp("games")
    for name in NAMES:
        (made / f"{name.replace(':', '-').replace(',', '-')}.kif").write_text(bundled.source(name))
    return made


@pytest.fixture
def folder(games: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copytree(games, tmp_path / "games"))


@pytest.fixture(scope="module")
def known(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What a sweep that nobody disturbs answers."""
    code, data = ended(sweep(games, tmp_path_factory.mktemp("store") / "quiet.db"))
    assert code == 0
    assert {status for status, *_ in answers(data).values()} == {"done"}
    return answers(data)


def sweep(folder: Path, store: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "ludisect", "sweep", str(folder), "--store", str(store), "--json", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def ended(client: subprocess.Popen[str]) -> tuple[int, dict[str, Any]]:
    output, errors = client.communicate()
    assert not errors or "Traceback" not in errors
    return client.returncode, json.loads(output) if output else {}


def answers(data: dict[str, Any]) -> Answers:
    return {r["game"]: (r["status"], r.get("evidence"), r.get("action_dependent")) for r in data["games"]}


def test_every_game_once(games: Path, tmp_path: Path) -> None:
    with SweepStore(tmp_path / "store.db") as store:
        sheets = find_sheets([games])
        assert store.add(PLAN.entries(sheets)) == len(NAMES)
        told: list[str] = []
        assert run_sweep(store, PLAN, Local(PLAN.words("nim:1,2"), 2), lambda c, o: told.append(c.entry.game)) == 0
        assert sorted(told) == sorted(sheet.name for sheet in sheets)
        assert store.counts() == {"done": len(NAMES)}
        assert store.add(PLAN.entries(sheets)) == 0
        assert run_sweep(store, PLAN, Local(PLAN.words("nim:1,2"), 2), lambda c, o: told.append(c.entry.game)) == 0
        assert len(told) == len(NAMES), "nothing is done twice"


def test_a_changed_sheet_is_done_anew(folder: Path, tmp_path: Path) -> None:
    before = {sheet.name: sheet.digest for sheet in find_sheets([folder])}
    path = folder / "tictactoe.kif"
    path.write_text(path.read_text() + "\n; a word more\n")
    after = {sheet.name: sheet.digest for sheet in find_sheets([folder])}
    assert {name for name in before if before[name] != after[name]} == {"tictactoe"}


def descendants(pid: int) -> list[int]:
    found = []
    with suppress(OSError):
        for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            found += [int(word), *descendants(int(word))]
    return found


def disturb(client: subprocess.Popen[str], whom: str, moment: float) -> None:
    """Kill the client, a worker or a job of it at some moment, if it lives so long."""
    with suppress(subprocess.TimeoutExpired):
        client.wait(moment)
        return
    workers: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{client.pid}/task").iterdir():
            workers += map(int, (thread / "children").read_text().split())
    jobs = [job for worker in workers for job in descendants(worker)]
    victims = {"client": [client.pid], "worker": workers, "job": jobs}[whom]
    for victim in victims[:1]:
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)


def kill_and_resume(folder: Path, store: Path, whom: str, moment: float, known: Answers) -> None:
    """A sweep with one killing, taken up again until it is done: no game lost, none done twice."""
    client = sweep(folder, store, "--jobs", "2")
    disturb(client, whom, moment)
    ended(client)
    finished = {}
    if store.exists():
        with SweepStore(store) as opened:
            finished = {row.entry.game: row.finished for row in opened.rows()}
    code, data = ended(sweep(folder, store, "--jobs", "2"))
    assert code == 0
    assert answers(data) == known, whom
    assert data["left"] == 0
    with SweepStore(store, new=False) as opened:
        again = {row.entry.game: row.finished for row in opened.rows()}
        assert opened.counts() == {"done": len(NAMES)}
    assert {game: again[game] for game in finished} == finished, f"done twice after killing a {whom}"


@pytest.mark.parametrize("whom", ["client", "worker", "job"])
def test_killed_and_taken_up_again(games: Path, tmp_path: Path, known: Answers, whom: str) -> None:
    kill_and_resume(games, tmp_path / "store.db", whom, random.Random(whom).uniform(0.2, 2.0), known)


@pytest.mark.slow
def test_killed_fifty_times(games: Path, tmp_path: Path, known: Answers) -> None:
    rng = random.Random(50)
    for number in range(50):
        whom = rng.choice(["client", "worker", "job"])
        kill_and_resume(games, tmp_path / f"{number}.db", whom, rng.uniform(0.2, 3.0), known)


def test_two_clients_share_a_store(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    SweepStore(path).close()
    clients = [sweep(games, path, "--jobs", "1") for _ in range(2)]
    for client in clients:
        assert ended(client)[0] == 0
    with SweepStore(path) as store:
        assert store.counts() == {"done": len(NAMES)}


def test_ctrl_c_keeps_what_is_done(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    client = sweep(games, path, "--jobs", "1")
    with SweepStore(path) as store:
        while client.poll() is None and not store.counts().get("done"):
            time.sleep(0.01)
    os.kill(client.pid, signal.SIGINT)
    code, data = ended(client)
    assert code in (130, 0)  # 0: the last game was done before it heard
    if code == 130:
        assert data["interrupted"]
        assert len(data["games"]) + data["left"] == len(NAMES)
        with SweepStore(path) as store:
            assert store.counts().get("claimed", 0) == 0
    assert ended(sweep(games, path))[0] == 0


POISON = {
    # a term that grows with every step
    "grows": b"(role r) (init (n z)) (legal r go) (<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true (n q)))",
    "binary": bytes(range(256)) * 40,
    "empty": b"",
    "unbalanced": b"(role a) (init (x 1)",
    "huge-line": b"(role " + b"a" * 2_000_000 + b")",
    "deep": b"(role r) (init " + b"(f " * 50_000 + b"a" + b")" * 50_000 + b") (legal r go)",
    # 40 variables over ten values: no grounder can list that
    "explodes": (
        "(role r)" + "".join(f"(d {i})" for i in range(10)) + "(<= (legal r (go ?a0)) (d ?a0))"
        "(<= (p " + " ".join(f"?a{i}" for i in range(40)) + ") " + " ".join(f"(d ?a{i})" for i in range(40)) + ")"
        "(<= (next (x 1)) (p " + " ".join(f"?a{i}" for i in range(40)) + ")) (init (x 0))"
        "(<= terminal (true (x 1))) (goal r 100)"
    ).encode(),
}


CAUSES = {
    "grows": "may grow without end",
    "binary": "this is no text",
    "empty": "no rules in this text",
    "unbalanced": "is never closed",
    "huge-line": "no 'legal' rule",
    "deep": "brackets nested deeper than",
    "explodes": "grounding",
}
"""Words of what is said of each."""


def test_a_poisoned_folder(folder: Path, tmp_path: Path) -> None:
    """Every poisoned sheet costs its own row, under the right name; every innocent game is done."""
    for name, text in POISON.items():
        (folder / f"poison-{name}.kif").write_bytes(text)
    code, data = ended(sweep(folder, tmp_path / "store.db", "--task", "build", "--seconds", "5", "--memory", "1"))
    assert code == 0
    status = {r["game"]: r["status"] for r in data["games"]}
    assert len(status) == len(NAMES) + len(POISON)
    for name in ("binary", "empty", "unbalanced", "huge-line", "deep"):
        assert status[f"poison-{name}"] == "bad input", name
    for name in ("explodes", "grows"):
        assert status[f"poison-{name}"] in ("limit", "memory", "time", "cpu"), name
    assert {s for game, s in status.items() if not game.startswith("poison")} == {"done"}
    for r in data["games"]:
        if r["status"] in ("bad input", "limit"):  # it ended by itself: then it says why
            assert CAUSES[r["game"].removeprefix("poison-")] in r["error"]
        else:
            assert r["status"] == "done" or r["error"]


class Together:
    """A transport that keeps every task it is given, and does it when it is asked to."""

    slots, batches = 2, True

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.sizes: list[int] = []

    def submit(self, task: Task) -> None:
        self.sizes.append(len(task))
        for _, done in task:
            done(Ending("done", 0, self.seconds, self.seconds, 1, "{}", ""))

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("seconds", "largest"), [(0.1, 10), (0.0, 64), (3.0, 1)])
def test_short_games_travel_together(tmp_path: Path, seconds: float, largest: int) -> None:
    names = [f"game-{k}" for k in range(300)]
    transport = Together(seconds)
    with SweepStore(tmp_path / "store.db") as store:
        store.add(Entry(name, name, name, PLAN.task, PLAN.settings, version()) for name in names)
        assert run_sweep(store, PLAN, transport) == 0
        assert store.counts() == {"done": len(names)}
    assert sum(transport.sizes) == len(names)
    assert (transport.sizes[0], max(transport.sizes)) == (1, largest)


def test_who_lost_a_worker_travels_alone(tmp_path: Path) -> None:
    transport = Together(0.0)
    with SweepStore(tmp_path / "store.db") as store:
        store.add(Entry(name, name, name, PLAN.task, PLAN.settings, version()) for name in "abcdefgh")
        for _ in range(2):
            claims = store.claim("elsewhere 1 1", 8, PLAN.task, PLAN.settings, version())
            store.release("elsewhere 1 1", claims, lost=True)
        assert run_sweep(store, PLAN, transport) == 0
    assert transport.sizes == [1] * 8


def test_a_cluster_does_the_same(games: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0
        ) as cluster,
        SweepStore(tmp_path / "store.db") as store,
    ):
        store.add(PLAN.entries(find_sheets([games])))
        fallen: list[int] = []

        def told(claim: object, ending: object) -> None:
            if not fallen:  # one worker of the cluster falls in the middle
                pid = next(iter(cluster.workers.values())).pid
                fallen.append(pid)
                os.kill(pid, signal.SIGKILL)

        assert run_sweep(store, PLAN, Cluster(PLAN.words("nim:1,2"), cluster.scheduler_address), told) == 0
        assert fallen
        assert store.counts() == {"done": len(NAMES)}
