"""What is compiled ahead, and by whom."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import ludisect
from ludisect.kernels import store, workers
from ludisect.kernels.code import Code
from ludisect.kernels.lists import LISTS


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The lists that workers were started for, without starting any."""
    out: list[list[str]] = []

    def start(names: list[str]) -> list[Any]:
        out.append(list(names))
        return []

    monkeypatch.setattr(workers, "_workers", start)
    for name in ("_wanted", "_given", "_running"):
        monkeypatch.setattr(workers, name, [])
    monkeypatch.setattr(workers, "_asked", 0.0)
    return out


class Missing(Code):
    """Machine code that nobody has."""

    def __init__(self, name: str) -> None:
        self.name = name

    def identify(self) -> str:
        return "0" * 32

    def stored(self) -> bool:
        return False

    def compile(self, *, keep: bool) -> None:
        raise AssertionError


def test_every_kernel_is_on_a_list() -> None:
    for module in pkgutil.walk_packages(ludisect.__path__, "ludisect."):
        if not module.name.endswith(("__main__", "code")):  # code: for numba, or what runs when it is imported
            import_module(module.name)
    ours = {home for home, codes in workers._codes.items() if not home.startswith("tests.")}
    assert ours <= {home for homes in LISTS.values() for home in homes}
    for homes in LISTS.values():
        assert set(homes) <= ours


def test_workers_are_started_for_what_is_wanted(started: list[list[str]]) -> None:
    workers.want("load")
    workers.ask(Missing("circuit.netlist.simplify"))
    workers.ask(Missing("circuit.factor.factor"))
    assert started == [["load"]]
    workers.want("decompose")
    workers.ask(Missing("circuit.wires._flow"))
    assert started == [["load"], ["decompose"]]


def test_what_is_on_no_wanted_list_is_compiled_by_its_module(started: list[list[str]]) -> None:
    workers.want("load")
    workers.ask(Missing("circuit.phase._follow"))
    assert started == [["circuit.phase", "load"]]  # what is needed now comes first
    assert {code.name for code in workers.needed(["circuit.phase"])} == {"circuit.phase._follow"}


def test_nobody_waits_for_what_nobody_makes(started: list[list[str]]) -> None:
    workers.want("load")
    assert not workers.wait_for(Missing("circuit.netlist.simplify"))  # the workers have ended


class Worker:
    """A process that is at work at the first two looks."""

    looks = 3

    def poll(self) -> int | None:
        self.looks -= 1
        return None if self.looks > 0 else 0


def test_compiling_everything_is_waited_for_and_reported(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, int]] = []
    working = [Worker(), Worker()]
    monkeypatch.setattr(workers, "PAUSE", 0.0)
    monkeypatch.setattr(workers, "_workers", lambda names: working)
    monkeypatch.setattr(workers, "needed", lambda names: [Missing("circuit.netlist.simplify")] * 3)
    with workers.reporting(lambda done, of: told.append((done, of))):
        assert workers.compile_all(["load"]) == (0, 0)
    assert told[-1] == (0, 0)
    assert set(told[:-1]) == {(0, 3)}
    assert all(worker.looks <= 0 for worker in working)  # nobody is at work any more


def test_waiting_is_reported(started: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(workers, "PAUSE", 0.0)
    workers.want("load")
    monkeypatch.setattr(workers, "_workers", lambda names: [Worker()])
    with workers.reporting(lambda done, of: told.append((done, of))):
        workers.wait_for(Missing("circuit.netlist.simplify"))
    assert told[-1] == (0, 0)
    assert len(told) > 1
    assert all(0 <= done <= of == len(workers.needed(["load"])) for done, of in told[:-1])


def test_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process compiles a kernel; the claim of one that has died does not count."""
    monkeypatch.setattr(store, "folder", lambda: tmp_path)
    with workers._claim("a") as mine, workers._claim("a") as again, workers._claim("b") as other:
        assert (mine, again, other) == (True, False, True)
    assert not list(tmp_path.iterdir())
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        pass
    (tmp_path / "a.claim").write_text(str(dead.pid))
    with workers._claim("a") as mine:
        assert mine
    assert not list(tmp_path.iterdir())


def test_a_store_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[list[str]]
) -> None:
    """A folder below a file cannot be made, whoever asks; nothing is kept, and nobody is started in vain."""
    file = tmp_path / "file"
    file.write_text("")
    for name in ("LUDISECT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(file / "below"))
    monkeypatch.setattr("tempfile.tempdir", str(file / "below"))
    for cached in (store.folder, store._folders):
        cached.cache_clear()
    try:
        assert store.folder() is None
        assert not store.write("name", "key", {})
        assert store.read("name", "key") is None
        workers.want("load")
        workers.ask(Missing("circuit.netlist.simplify"))
        assert started == []
        assert workers.homeless()
    finally:
        monkeypatch.undo()
        for cached in (store.folder, store._folders):
            cached.cache_clear()


def test_folders_that_others_can_write_to_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_to_all, own = tmp_path / "open", tmp_path / "own"
    monkeypatch.setenv("LUDISECT_CACHE", str(open_to_all))
    monkeypatch.setenv("XDG_CACHE_HOME", str(own))
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    for cached in (store.folder, store._folders):
        cached.cache_clear()
    try:
        assert store.folder() == own / "ludisect"
        assert store._folders() == (own / "ludisect",)
    finally:
        monkeypatch.undo()
        for cached in (store.folder, store._folders):
            cached.cache_clear()
