"""The database: what is put comes back, also after a crash, from other processes, and per version."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from ludisect.cgt import parse
from ludisect.errors import InputError
from ludisect.rulesets import Domineering, Hackenbush, Player, Position, Toppling
from ludisect.sums.database import Database, key_text
from ludisect.sums.local import LocalSearch
from ludisect.sums.manycores import local_values


def test_round_trip(tmp_path: Path) -> None:
    board = Domineering.parse("3x4")
    with Database(tmp_path / "v.db") as store:
        first = LocalSearch(store=store)
        expected = first.value(board)
        assert store.counts() == {("domineering", 1): first.nodes}
    with Database(tmp_path / "v.db") as store:
        again = LocalSearch(store=store)
        assert again.value(board) is expected
        assert again.nodes == 0


def test_versions_are_kept_apart(tmp_path: Path) -> None:
    class Changed(Domineering):
        version = 2

    with Database(tmp_path / "v.db") as store:
        store.put(Domineering.parse("2x2"), "k", parse("1"))
        assert store.get(Domineering.parse("2x2"), "k") is parse("1")
        assert store.get(Changed.parse("2x2"), "k") is None


def test_two_connections_write_at_once(tmp_path: Path) -> None:
    row = Toppling("XO")
    with Database(tmp_path / "v.db") as a, Database(tmp_path / "v.db") as b:
        for i in range(50):
            a.put(row, i, parse(str(i)))
            b.put(row, i, parse(str(i)))
            b.put(row, -i - 1, parse(str(-i)))
        assert a.counts() == b.counts() == {("toppling_dominoes", 1): 100}


def test_a_killed_writer_loses_nothing_that_was_put(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from ludisect.cgt import parse\n"
        "from ludisect.rulesets import Toppling\n"
        "from ludisect.sums.database import Database\n"
        "store = Database(sys.argv[1])\n"
        "for i in range(10**9):\n"
        "    store.put(Toppling('X'), i, parse(str(i)))\n"
        "    print(i, flush=True)\n"
    )
    path = tmp_path / "v.db"
    child = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    with child.stdout as lines:
        last = [int(next(lines)) for _ in range(40)][-1]
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
    with Database(path) as store:
        assert all(store.get(Toppling("X"), i) == i for i in range(last + 1))


def test_processes_share_a_database(tmp_path: Path) -> None:
    boards = [Domineering.parse(text) for text in ("3x3", "2x5", "..#|...|#..", "1x5", "3x4")]
    found = dict(local_values(boards, jobs=2, database=tmp_path / "v.db"))
    assert [found[i] for i in range(5)] == [LocalSearch().value(board) for board in boards]
    assert dict(local_values(boards, jobs=1)) == found
    assert dict(local_values(boards, jobs=1, database=tmp_path / "v.db")) == found


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("this is no database at all, only a page of text\n" * 100)
    with pytest.raises(InputError, match="cannot be used as a database"):
        Database(tmp_path / "text")
    with pytest.raises(InputError, match="cannot be used as a database"):
        Database(tmp_path / "no" / "such" / "folder.db")
    other = sqlite3.connect(tmp_path / "new.db")
    other.execute("PRAGMA user_version=99")
    other.close()
    with pytest.raises(InputError, match="has format 99"):
        Database(tmp_path / "new.db")


def test_keys_that_differ_from_run_to_run_are_refused() -> None:
    class Nameless(Position):
        def moves(self, player: Player) -> list[int]:
            return []

        def play(self, player: Player, move: int) -> Position:
            return self

    assert key_text(("a", (1, None), frozenset({2, 1}))) == "('a',(1,None),{1,2})"
    assert key_text(Hackenbush.parse("BR")) == "<0-1B 1-2R>"
    with pytest.raises(InputError, match="holds a Nameless"):
        key_text(("x", Nameless()))
    with pytest.raises(InputError, match="holds a float"):
        key_text(0.5)
