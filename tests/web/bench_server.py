"""A server in a process of its own, and how a page would ask it."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


class Answer:
    """An answer of the server."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def data(self) -> Any:
        return json.loads(self.body)

    @property
    def kind(self) -> str:
        """The type of the problem, without its folder."""
        assert self.headers["content-type"] == "application/problem+json", self.body[:200]
        return str(self.data["type"]).removeprefix("/problems/")


class BenchServer:
    """A running server."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ludisect", "web", "--no-browser", "--port", "0", "--json", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.stderr and self.process.stderr.read()
        told = json.loads(line)
        self.url, self.port = told["url"], told["port"]

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Ask as the page does; headers override what it sends (underscores are dashes)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        sent = {"Host": f"127.0.0.1:{self.port}", "Content-Type": "application/json"}
        sent |= {name.replace("_", "-").title(): value for name, value in headers.items()}
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        try:
            connection.request(method, path, data, sent)
            with connection.getresponse() as response:
                return Answer(response)
        finally:
            connection.close()

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        return self.ask("POST", f"/api/v1{path}", body, **headers)

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", f"/api/v1{path}", **headers)

    def open(self, **game: str) -> dict[str, Any]:
        answer = self.post("/games", game)
        assert answer.status == 201, answer.body
        found: dict[str, Any] = answer.data
        return found

    def begin(self, command: str, game: str, **more: Any) -> dict[str, Any]:
        answer = self.post("/jobs", {"command": command, "game": game, **more})
        assert answer.status == 202, answer.body
        assert answer.headers["location"] == f"/api/v1/jobs/{answer.data['id']}"
        found: dict[str, Any] = answer.data
        return found

    def wait(self, job: dict[str, Any], *states: str) -> dict[str, Any]:
        """The job once it is in one of some states; without any, once it has ended."""
        while job["state"] not in (states or ("done", "failed", "cancelled")):
            assert not states or job["state"] in ("queued", "running"), job
            time.sleep(0.02)
            job = self.get(f"/jobs/{job['id']}").data
        return job

    def begin_long(self, game: str, page: str = "") -> dict[str, Any]:
        """A job that goes on for ten minutes if nobody ends it, once its process is there."""
        return self.born(self.begin("simulate", game, options={"playouts": 10**12}, seconds=600, page=page)["id"])

    def born(self, job: str) -> dict[str, Any]:
        """An open job once its process is there, which may be a moment after it is told to be running."""
        while (found := self.get(f"/jobs/{job}").data)["pid"] is None:
            assert found["state"] in ("queued", "running"), found
            time.sleep(0.02)
        return dict(found)

    def run(self, command: str, game: str, **more: Any) -> dict[str, Any]:
        return self.wait(self.begin(command, game, **more))

    def end_jobs(self) -> None:
        """End what still runs or waits: the server goes on with the jobs of a closed page, which may come back."""
        for job in self.get("/jobs").data["jobs"]:
            if job["state"] in ("queued", "running"):
                self.ask("DELETE", f"/api/v1/jobs/{job['id']}")

    @contextmanager
    def events(self, page: str, last: int | None = None) -> Iterator[Iterator[tuple[int | None, str, Any]]]:
        """The events of a page as they come."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        connection.request("GET", f"/api/v1/events?page={page}", headers=headers)
        response = connection.getresponse()
        assert response.status in (200, 204), response.status
        try:
            yield _parsed(response)
        finally:
            response.close()
            connection.close()

    def family(self) -> list[int]:
        """The processes behind the server, and what those have started."""
        found, grown = {self.process.pid}, True
        while grown:
            grown = False
            for entry in os.listdir("/proc"):
                if entry.isdigit() and int(entry) not in found:
                    try:
                        fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
                    except OSError:
                        continue
                    if int(fields[1]) in found and fields[0] != "Z":
                        found.add(int(entry))
                        grown = True
        return sorted(found - {self.process.pid})

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate()


def _parsed(response: http.client.HTTPResponse) -> Iterator[tuple[int | None, str, Any]]:
    number, kind, data = None, "", ""
    for raw in response:
        line = raw.decode().rstrip("\n")
        if line.startswith("id: "):
            number = int(line[4:])
        elif line.startswith("event: "):
            kind = line[7:]
        elif line.startswith("data: "):
            data += line[6:]
        elif not line and kind:
            yield number, kind, json.loads(data)
            kind, data = "", ""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pids: list[int]) -> bool:
    """Whether processes end, in the end."""
    for _ in range(3000):
        if not any(map(alive, pids)):
            return True
        time.sleep(0.02)
    return False
