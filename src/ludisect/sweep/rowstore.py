"""The store: an SQLite file with a row per game, task, settings and version; claimed, done, never twice.

Clients share a store. A client claims rows for a while and renews its claims; rows of a client that died are free again
when its lease has run out. A row that is done stays as it is. What a command printed is kept as it came and read anew
by every report, so that a better reader needs no new sweep.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from ludisect.errors import InputError
from ludisect.sweep.job import Ending, JobLimits
from ludisect.sweep.limits import SweepLimits
from ludisect.sweep.owner import is_dead

FORMAT: Final = 1
"""The layout of the file; another number is refused."""

WAITING, CLAIMED = "waiting", "claimed"

_TABLE: Final = """
CREATE TABLE IF NOT EXISTS sweep (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL,
    task TEXT NOT NULL, settings TEXT NOT NULL, version TEXT NOT NULL,
    status TEXT NOT NULL, owner TEXT, lease REAL, lost INTEGER NOT NULL DEFAULT 0,
    exit INTEGER, wall REAL, cpu REAL, peak INTEGER, limits TEXT, errors TEXT, output BLOB, finished REAL,
    UNIQUE (game, digest, task, settings, version)
)
"""

_INDEXES: Final = (
    f"CREATE INDEX IF NOT EXISTS {WAITING} ON sweep (task, settings, version, id) WHERE status='{WAITING}'",
    f"CREATE INDEX IF NOT EXISTS {CLAIMED} ON sweep (owner, lease) WHERE status='{CLAIMED}'",
)
"""Of open rows alone: a claim costs the same in a store of a million rows as in an empty one."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one row is about: a game (its name, where it is, a digest of its text) and what is done with it."""

    game: str
    path: str
    digest: str
    task: str
    settings: str
    """Options of the command as JSON text with sorted keys."""
    version: str
    """Of ludisect, and what distinguishes states of its source."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A row that this client may work on."""

    id: int
    entry: Entry
    lost: int
    """How often a worker fell over it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A finished row."""

    entry: Entry
    ending: Ending
    limits: JobLimits
    finished: float


_ENTRY: Final = ", ".join(field.name for field in fields(Entry))


class SweepStore:
    """A file of results. Every method is a transaction of its own; not for several threads."""

    def __init__(self, path: str | Path, *, new: bool = True) -> None:
        self.path = Path(path)
        if self.path.is_dir():
            raise InputError(f"the store {self.path} is a folder; name a file, such as results.db")
        if not new and not self.path.is_file():
            raise InputError(f"there is no store {self.path}; 'ludisect sweep FOLDER --store {self.path}' makes one")
        with self._told():
            seconds = SweepLimits.current().busy_seconds
            self._connection = sqlite3.connect(self.path, timeout=seconds, isolation_level=None)
            self._open()

    def _open(self) -> None:
        run = self._connection.execute
        run("PRAGMA journal_mode=WAL")
        run("PRAGMA synchronous=NORMAL")
        (found,) = run("PRAGMA user_version").fetchone()
        (tables,) = run("SELECT count(*) FROM sqlite_master").fetchone()
        if found == FORMAT:
            return  # nothing is written to a store that is there
        if found or tables:
            self.close()
            raise InputError(f"{self.path} is no store of sweeps of format {FORMAT}; use a new file")
        run(_TABLE)
        for index in _INDEXES:
            run(index)
        run(f"PRAGMA user_version={FORMAT}")

    # ---- a sweep --------------------------------------------------------------------------------------------------

    def add(self, entries: Iterable[Entry]) -> int:
        """Have rows for these entries; those that are there stay as they are. How many are new."""
        with self._transaction() as run:
            (before,) = run("SELECT count(*) FROM sweep").fetchone()
            self._connection.executemany(
                f"INSERT OR IGNORE INTO sweep ({_ENTRY}, status) VALUES (?, ?, ?, ?, ?, ?, '{WAITING}')",
                ([getattr(entry, field.name) for field in fields(Entry)] for entry in entries),
            )
            (after,) = run("SELECT count(*) FROM sweep").fetchone()
        return int(after - before)

    def claim(self, owner: str, many: int, task: str, settings: str, version: str) -> list[Claimed]:
        """Claimed up to ``many`` rows of this sweep that nobody works on.

        They are waiting, or their lease has run out, or their client is known to be dead.
        """
        now = time.time()
        with self._transaction() as run:
            for (other,) in run(f"SELECT DISTINCT owner FROM sweep WHERE status='{CLAIMED}'").fetchall():
                if is_dead(other):
                    run(f"UPDATE sweep SET lease=0 WHERE owner=? AND status='{CLAIMED}'", (other,))
            found: list[Any] = []
            for index, is_open, given in ((CLAIMED, " AND lease<?", [now]), (WAITING, "", [])):
                found += run(  # the index is named: by itself SQLite walks all rows, to have them in order
                    f"SELECT id, lost, {_ENTRY} FROM sweep INDEXED BY {index} WHERE status='{index}'{is_open} "
                    "AND task=? AND settings=? AND version=? ORDER BY id LIMIT ?",
                    (*given, task, settings, version, many - len(found)),
                ).fetchall()
            lease = now + SweepLimits.current().lease_seconds
            self._connection.executemany(
                f"UPDATE sweep SET status='{CLAIMED}', owner=?, lease=? WHERE id=?",
                [(owner, lease, row[0]) for row in found],
            )
        return [Claimed(row[0], Entry(*row[2:]), row[1]) for row in found]

    def renew(self, owner: str) -> None:
        """All claims of this client hold for another lease."""
        with self._transaction() as run:
            lease = time.time() + SweepLimits.current().lease_seconds
            run(f"UPDATE sweep SET lease=? WHERE owner=? AND status='{CLAIMED}'", (lease, owner))

    def release(self, owner: str, claims: Sequence[Claimed] | None = None, *, lost: bool = False) -> None:
        """Give claims back (all, if none are named); ``lost`` counts against the game: its worker fell."""
        with self._transaction() as run:
            if claims is None:
                run(f"UPDATE sweep SET status='{WAITING}', owner=NULL WHERE owner=? AND status='{CLAIMED}'", (owner,))
                return
            self._connection.executemany(
                f"UPDATE sweep SET status='{WAITING}', owner=NULL, lost=lost+? WHERE id=? AND owner=? "
                f"AND status='{CLAIMED}'",
                [(int(lost), claim.id, owner) for claim in claims],
            )

    def finish(self, owner: str, claim: Claimed, ending: Ending, limits: JobLimits) -> bool:
        """Keep an ending; False if the claim is not ours any more: somebody else does it, or has done it."""
        with self._transaction() as run:
            done = run(
                "UPDATE sweep SET status=?, exit=?, wall=?, cpu=?, peak=?, limits=?, errors=?, output=?, finished=?, "
                f"owner=NULL, lease=NULL WHERE id=? AND owner=? AND status='{CLAIMED}'",
                (
                    ending.status,
                    ending.exit,
                    ending.wall,
                    ending.cpu,
                    ending.peak,
                    json.dumps([limits.wall, limits.cpu, limits.memory]),
                    ending.errors,
                    zlib.compress(ending.output.encode()),
                    time.time(),
                    claim.id,
                    owner,
                ),
            )
        return bool(done.rowcount == 1)

    # ---- questions ------------------------------------------------------------------------------------------------

    def counts(
        self, task: str | None = None, settings: str | None = None, version: str | None = None
    ) -> dict[str, int]:
        """How many rows have which status."""
        where, given = _where(task=task, settings=settings, version=version)
        with self._told():
            return dict(
                self._connection.execute(f"SELECT status, count(*) FROM sweep{where} GROUP BY status", given).fetchall()
            )

    def sweeps(self) -> list[tuple[str, str, str, int]]:
        """Every (task, settings, version) in the store with its number of finished rows, the latest last."""
        with self._told():
            return self._connection.execute(
                "SELECT task, settings, version, sum(finished IS NOT NULL) FROM sweep "
                "GROUP BY task, settings, version ORDER BY max(coalesce(finished, 0)), max(id)"
            ).fetchall()

    def rows(self, task: str | None = None, settings: str | None = None, version: str | None = None) -> Iterator[Row]:
        """Finished rows, by name of the game."""
        return self._finished("ORDER BY game, id", task=task, settings=settings, version=version)

    def latest(self, task: str, settings: str, version: str, *, many: int) -> Iterator[Row]:
        """The rows that were finished last, the newest first."""
        order = f"ORDER BY finished DESC, id DESC LIMIT {many}"
        return self._finished(order, task=task, settings=settings, version=version)

    def _finished(self, order: str, **given: str | None) -> Iterator[Row]:
        where, values = _where(**given)
        with self._told():
            found = self._connection.execute(
                f"SELECT {_ENTRY}, status, exit, wall, cpu, peak, output, errors, limits, finished FROM sweep{where} "
                f"{'AND' if where else 'WHERE'} finished IS NOT NULL {order}",
                values,
            )
            for *entry, status, exit, wall, cpu, peak, output, errors, limits, finished in found:
                ending = Ending(status, exit, wall, cpu, peak, zlib.decompress(output).decode(), errors)
                yield Row(Entry(*entry), ending, JobLimits(*json.loads(limits)), finished)

    def claimed(self, task: str, settings: str, version: str, *, many: int) -> list[str]:
        """Names of games that clients have claimed, the first claimed first."""
        with self._told():
            return [
                game
                for (game,) in self._connection.execute(
                    f"SELECT game FROM sweep INDEXED BY {CLAIMED} WHERE status='{CLAIMED}' "
                    "AND task=? AND settings=? AND version=? ORDER BY id LIMIT ?",
                    (task, settings, version, many),
                )
            ]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # ---- inner matters --------------------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        """All or nothing; the write lock is taken at once, so that two clients cannot claim the same row."""
        with self._told():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection.execute
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Faults of the file as messages."""
        try:
            yield
        except sqlite3.Error as error:
            reason = str(error)
            if "locked" in reason:
                reason = "another program keeps it locked; end that, or use another file"
            elif "full" in reason:
                reason = "the disk is full; what is in the store is kept, so make room and run the same command again"
            raise InputError(f"the store {self.path} cannot be used: {reason}") from None


def _where(**given: str | None) -> tuple[str, list[str]]:
    known: Mapping[str, str] = {name: value for name, value in given.items() if value is not None}
    return (" WHERE " + " AND ".join(f"{name}=?" for name in known) if known else ""), list(known.values())
