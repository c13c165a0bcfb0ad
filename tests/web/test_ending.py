"""However the server ends, no process is left; and how it is started."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_cli import run as run_command
from tests.web.bench_server import ROOT, BenchServer, gone


@pytest.fixture
def own_server() -> Iterator[BenchServer]:
    made = BenchServer()
    yield made
    made.close()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left(own_server: BenchServer, how: signal.Signals) -> None:
    game = own_server.open(source="nim:3,5,7")["id"]
    job = own_server.begin_long(game)
    with own_server.events("") as events:
        assert next(events)[1] == "hello"
        family = own_server.family()
        assert job["pid"] in family
        assert len(family) >= 3  # the one that forks, that of the game, that of the job
        os.kill(own_server.process.pid, how)
        _, errors = own_server.process.communicate()
    assert gone(family)
    assert "Traceback" not in errors
    if how is signal.SIGINT:
        assert own_server.process.returncode == 130


def test_the_one_that_forks_is_started_anew(own_server: BenchServer) -> None:
    game = own_server.open(source="nim:3,5,7")["id"]
    job = own_server.begin_long(game)
    forker = next(pid for pid in own_server.family() if pid != job["pid"] and _parent(job["pid"]) == pid)
    os.kill(forker, signal.SIGKILL)
    assert gone([job["pid"], forker])
    assert own_server.wait(job)["state"] == "failed"
    assert own_server.run("solve", game)["state"] == "done"


def _parent(pid: int) -> int:
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def run(*words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, env=environment, cwd=ROOT, check=False
    )


def test_a_port_in_use_is_passed_over() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        from ludisect.web.launch import open_sockets

        opened = open_sockets("127.0.0.1", port)
        assert {one.getsockname()[1] for one in opened} != {port}
        for one in opened:
            one.close()


def test_bad_arguments() -> None:
    done = run_command("web", "--games", "nix.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no file nix.py" in done.stderr
    done = run_command("web", "--port", "70000")
    assert done.returncode == 2
    done = run_command("web", "--host", "203.0.113.7")
    assert done.returncode == 2
    assert "cannot listen at 203.0.113.7" in done.stderr


def test_what_is_missing_is_named() -> None:
    hidden = "import sys; sys.modules['fastapi'] = None; sys.argv = ['ludisect', 'web']"
    done = run("-c", f"{hidden}; from ludisect.cli import main; main()")
    assert done.returncode == 2
    assert "pip install 'ludisect[web]'" in done.stderr


def test_a_module_that_cannot_be_loaded_ends_the_server(tmp_path: Path) -> None:
    """The process behind the page loads them; without it every request would wait for ever."""
    hidden = "import sys\nif 'ludisect.cli.forking' in sys.orig_argv: sys.modules['ludisect.draw.stateboard'] = None\n"
    (tmp_path / "sitecustomize.py").write_text(hidden)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "src")])}
    words = [sys.executable, "-m", "ludisect", "web", "--no-browser", "--port", "0", "-q"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, cwd=ROOT, check=False, timeout=100)
    assert done.returncode == 2
    assert done.stderr.startswith("ludisect: the process behind the page cannot start: ModuleNotFoundError: ")
    assert "ludisect.draw.stateboard" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_other_hosts_need_the_token() -> None:
    server = BenchServer("--host", "127.0.0.2", "--allow-host", "127.0.0.1")
    try:
        connection = socket.create_connection(("127.0.0.2", server.port))
        connection.close()
        token = server.url.partition("#t=")[2]
        assert len(token) >= 43

        def ask(method: str, path: str, body: object = None, **headers: str) -> tuple[int, dict[str, str]]:
            import http.client

            link = http.client.HTTPConnection("127.0.0.2", server.port)
            data = None if body is None else json.dumps(body)
            link.request(method, path, data, {"Content-Type": "application/json", **headers})
            with link.getresponse() as response:
                found = response.status, {name.lower(): value for name, value in response.getheaders()}
            link.close()
            return found

        assert ask("GET", "/")[0] == 200
        assert ask("GET", "/api/v1/version")[0] == 401
        assert ask("POST", "/api/v1/token", {"token": "wrong"})[0] == 401
        status, headers = ask("POST", "/api/v1/token", {"token": token})
        assert status == 204
        cookie = headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {one.strip() for one in cookie.split(";")}
        assert cookie.startswith(f"ludisect-{server.port}=")
        assert ask("GET", "/api/v1/version", Cookie=cookie.partition(";")[0])[0] == 200
        assert ask("GET", "/api/v1/version", Cookie=f"ludisect-{server.port}=wrong")[0] == 401
    finally:
        server.close()
