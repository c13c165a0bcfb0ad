"""Values that outlive a run: an SQLite file, shared by processes, a row per position and version of a game.

Every value is its own transaction in write-ahead mode: several writers may work on one file, readers never wait, and
a crash loses at most the value that was being written. Two searches that find the same value write the same row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable
from pathlib import Path
from types import TracebackType
from typing import Self

from ludisect.cgt import Value, decode, encode
from ludisect.errors import InputError
from ludisect.rulesets.position import Position

FORMAT = 1
"""The layout of the file and of the encoded values; another number is refused."""

_BUSY_SECONDS = 60.0


class Database:
    """A file of values; hand it to :class:`~ludisect.sums.local.LocalSearch` as ``store``."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self._connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)
            self._open()
        except sqlite3.Error as error:
            raise InputError(f"{self.path} cannot be used as a database of values: {error}") from None

    def _open(self) -> None:
        run = self._connection.execute
        run("PRAGMA journal_mode=WAL")
        run("PRAGMA synchronous=NORMAL")
        (found,) = run("PRAGMA user_version").fetchone()
        if found not in (0, FORMAT):
            self.close()
            raise InputError(f"{self.path} has format {found}; this version reads format {FORMAT}: use a new file")
        run(
            "CREATE TABLE IF NOT EXISTS value (game TEXT, version INTEGER, key TEXT, value TEXT NOT NULL, "
            "PRIMARY KEY (game, version, key)) WITHOUT ROWID"
        )
        run(f"PRAGMA user_version={FORMAT}")

    def get(self, part: Position, key: Hashable) -> Value | None:
        """The value kept under ``key`` for this version of the game of ``part``."""
        row = self._connection.execute(
            "SELECT value FROM value WHERE game=? AND version=? AND key=?", (part.name, part.version, key_text(key))
        ).fetchone()
        return None if row is None else decode(row[0])

    def put(self, part: Position, key: Hashable, value: Value) -> None:
        """Keep a value."""
        row = (part.name, part.version, key_text(key), encode(value))
        self._connection.execute("INSERT OR IGNORE INTO value VALUES (?, ?, ?, ?)", row)

    def counts(self) -> dict[tuple[str, int], int]:
        """How many values are kept per game and version."""
        rows = self._connection.execute("SELECT game, version, count(*) FROM value GROUP BY game, version")
        return {(game, version): count for game, version, count in rows}

    def close(self) -> None:
        """Close the file; what was put is kept."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def key_text(key: Hashable) -> str:
    """A key as text that is the same in every process.

    Raises:
        InputError: the key holds something whose text could differ from run to run.
    """
    if key is None or isinstance(key, (str, int)):
        return repr(key)
    if isinstance(key, tuple):
        return "(" + ",".join(map(key_text, key)) + ")"
    if isinstance(key, frozenset):
        return "{" + ",".join(sorted(map(key_text, key))) + "}"
    if isinstance(key, Position) and type(key).__str__ is not object.__str__:
        return f"<{key}>"
    raise InputError(
        f"a key that holds a {type(key).__name__} cannot be stored; make it of text, integers, tuples and frozensets, "
        "or give the position a __str__ that tells positions apart"
    )
