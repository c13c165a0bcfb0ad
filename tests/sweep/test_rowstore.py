"""The store: rows are claimed by one client at a time, finished once, and survive whatever happens to the file."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludisect.errors import InputError
from ludisect.settings import using
from ludisect.sweep.job import Ending, JobLimits
from ludisect.sweep.limits import SweepLimits
from ludisect.sweep.owner import is_dead, owner_name
from ludisect.sweep.rowstore import Claimed, Entry, SweepStore

LIMITS = JobLimits(10.0, 10.0, 2**30)
PLAN = ("decompose", "{}", "1")
US, THEM = f"{owner_name()}", "elsewhere 1 1"


def entry(game: str) -> Entry:
    return Entry(game, f"/games/{game}.kif", "d", *PLAN)


def ending(status: str = "done") -> Ending:
    return Ending(status, 0, 1.5, 1.0, 2**20, '{"game": "x"}', "")


@pytest.fixture
def store(tmp_path: Path) -> SweepStore:
    made = SweepStore(tmp_path / "store.db")
    assert made.add([entry("a"), entry("b"), entry("c")]) == 3
    return made


def claim(store: SweepStore, many: int, owner: str = US) -> list[Claimed]:
    return store.claim(owner, many, *PLAN)


def test_rows_are_added_once(store: SweepStore) -> None:
    assert store.add([entry("a"), entry("d")]) == 1
    assert store.counts() == {"waiting": 4}


def test_a_row_belongs_to_one_client(store: SweepStore) -> None:
    ours, theirs = claim(store, 2), claim(store, 5, THEM)
    assert [c.entry.game for c in ours] == ["a", "b"]
    assert [c.entry.game for c in theirs] == ["c"]
    assert claim(store, 5) == []
    assert not store.finish(US, theirs[0], ending(), LIMITS)
    assert store.finish(THEM, theirs[0], ending("no"), LIMITS)
    assert not store.finish(THEM, theirs[0], ending("done"), LIMITS), "a row is done once"
    assert [row.ending.status for row in store.rows()] == ["no"]


def test_rows_come_back_as_they_were(store: SweepStore) -> None:
    (one,) = claim(store, 1)
    store.finish(US, one, ending("limit"), LIMITS)
    (row,) = store.rows(*PLAN)
    assert (row.entry, row.ending, row.limits) == (entry("a"), ending("limit"), LIMITS)


def test_claims_can_be_given_back(store: SweepStore) -> None:
    first, second = claim(store, 2)
    store.release(US, [first], lost=True)
    assert [(c.entry.game, c.lost) for c in claim(store, 1)] == [("a", 1)]
    store.release(US)
    assert store.counts() == {"waiting": 3}
    assert not store.finish(US, second, ending(), LIMITS)


def test_claims_of_a_client_that_does_not_renew_run_out(store: SweepStore) -> None:
    assert len(claim(store, 3, THEM)) == 3
    assert claim(store, 3) == []
    store._connection.execute("UPDATE sweep SET lease = lease - 1000 WHERE game != 'c'")
    assert [c.entry.game for c in claim(store, 3)] == ["a", "b"]
    store._connection.execute("UPDATE sweep SET lease = lease - 1000")
    store.renew(THEM)
    assert [c.entry.game for c in claim(store, 3, "third 1 1")] == ["a", "b"], "what was renewed is not free"


def test_claims_of_the_dead_are_free_at_once(store: SweepStore) -> None:
    code = "from ludisect.sweep.owner import owner_name; print(owner_name())"
    dead = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert is_dead(dead) == (sys.platform == "linux")
    assert not is_dead(US)
    assert not is_dead(THEM), "who is on another machine may be alive"
    claim(store, 3, dead)
    assert len(claim(store, 3)) == (3 if sys.platform == "linux" else 0)


def test_other_files_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("no database" * 100)
    with pytest.raises(InputError, match="cannot be used: file is not a database"):
        SweepStore(text)
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE value (x)")
    with pytest.raises(InputError, match="is no store of sweeps of format 1; use a new file"):
        SweepStore(foreign)
    with pytest.raises(InputError, match=r"there is no store .*none.db; 'ludisect sweep FOLDER --store"):
        SweepStore(tmp_path / "none.db", new=False)


def test_a_locked_store_is_a_message(store: SweepStore) -> None:
    with sqlite3.connect(store.path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with using(SweepLimits(busy_seconds=0.0)), SweepStore(store.path) as blocked:
            with pytest.raises(InputError, match="another program keeps it locked"):
                claim(blocked, 1)
            other.execute("ROLLBACK")
            assert len(claim(blocked, 1)) == 1


def test_a_full_disk_is_a_message_and_loses_nothing(store: SweepStore) -> None:
    """SQLite's own limit on the pages of a file ends in the same error as a disk that is full."""
    first, second = claim(store, 2)
    store.finish(US, first, ending(), LIMITS)
    (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count={pages}")
    large = Ending("done", 0, 1.0, 1.0, 0, os.urandom(50_000).hex(), "")
    with pytest.raises(InputError, match="the disk is full; what is in the store is kept"):
        store.finish(US, second, large, LIMITS)
    store._connection.execute(f"PRAGMA max_page_count={10**6}")
    assert [row.entry.game for row in store.rows()] == ["a"]
    assert store._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert store.finish(US, second, large, LIMITS)


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["claim", "finish", "release", "lose"])), max_size=25))
def test_any_order_of_clients(steps: list[tuple[int, str]]) -> None:
    """Whatever three clients do, a row is never with two of them, and what is done stays done."""
    store = SweepStore(":memory:")
    store.add([entry(game) for game in "abcd"])
    held: dict[int, list[Claimed]] = {0: [], 1: [], 2: []}
    done: set[int] = set()
    for who, what in steps:
        owner, mine = f"host{who} 1 1", held[who]
        if what == "claim":
            mine += claim(store, 1, owner)
        elif mine and what == "finish":
            one = mine.pop()
            assert store.finish(owner, one, ending(), LIMITS)
            done.add(one.id)
        elif mine:
            store.release(owner, [mine.pop()], lost=what == "lose")
        with_somebody = [c.id for claims in held.values() for c in claims]
        assert len(set(with_somebody)) == len(with_somebody)
        assert not done & set(with_somebody)
        counts = store.counts()
        assert counts.get("done", 0) == len(done)
        assert counts.get("claimed", 0) == len(with_somebody)
