"""Where machine code is kept: one file per kernel and signature, in the user's cache folder.

The folder is ``$LUDISECT_CACHE``, else ``ludisect`` in ``$XDG_CACHE_HOME`` or in ``~/.cache``, else one in the folder
for temporary files; where none can be written, nothing is kept and a note says so. Files are written under another name
and renamed, and carry a checksum: half a file is never read.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

STALE = 60 * 86400
"""Seconds after which machine code of a changed kernel is thrown away."""

_CHECK = 16


@cache
def folder() -> Path | None:
    """The folder to write to, made if need be; None where nothing can be kept."""
    for path in _candidates():
        with suppress(OSError):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _trusted(path) and _writable(path):
                return path
    return None


@cache
def _folders() -> tuple[Path, ...]:
    """The folders to read from: those that come before the one to write to were perhaps filled ahead."""
    last, paths = folder(), _candidates()
    before = paths[: paths.index(last) + 1] if last is not None else paths
    return tuple(path for path in before if _trusted(path))


def _candidates() -> list[Path]:
    named = os.environ.get("LUDISECT_CACHE")
    out = [Path(named)] if named else []
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.path.isabs(home):
        out.append(Path(home) / "ludisect")
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return [*out, Path(tempfile.gettempdir()) / f"ludisect-{user}"]


def _trusted(path: Path) -> bool:
    """Whether nobody but us and the system's owner can write there: machine code of strangers is not run."""
    try:
        status = path.stat()
    except OSError:
        return False
    return not hasattr(os, "getuid") or (status.st_uid in (0, os.getuid()) and not status.st_mode & 0o022)


def _writable(path: Path) -> bool:
    """Tried, since the rights alone do not tell: the disk may be full or read-only."""
    handle, name = tempfile.mkstemp(dir=path)
    os.close(handle)
    os.unlink(name)
    return True


def read(name: str, key: str) -> dict[str, Any] | None:
    """What is kept under a name; None if nothing is, or it is damaged."""
    for home in _folders():
        with suppress(OSError):
            data = (home / _file(name, key)).read_bytes()
            if _checksum(data[_CHECK:]) == data[:_CHECK]:
                return dict(pickle.loads(data[_CHECK:]))
    return None


def holds(name: str, key: str) -> bool:
    """Whether there is machine code under a name."""
    return any((home / _file(name, key)).exists() for home in _folders())


def _file(name: str, key: str) -> str:
    return f"{name}-{key}.code"


def write(name: str, key: str, record: dict[str, Any]) -> bool:
    """Keep machine code, and throw away what the kernel was long ago; whether it could be kept."""
    home = folder()
    if home is None:
        return False
    path = home / _file(name, key)
    data = pickle.dumps(record, protocol=5)
    try:
        handle, temporary = tempfile.mkstemp(dir=home)
        with os.fdopen(handle, "wb") as file:
            file.write(_checksum(data) + data)
        os.replace(temporary, path)
        for old in home.glob(f"{name}-*.code"):
            if old != path and time.time() - old.stat().st_mtime > STALE:
                old.unlink()
    except OSError:
        return False
    return True


def _checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_CHECK).digest()
