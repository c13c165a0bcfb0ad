"""`Code`: machine code that is made once and kept; a kernel with one signature, or one that C calls."""

from __future__ import annotations

import threading
from time import monotonic
from types import FunctionType
from typing import Any

from ludisect import clock
from ludisect.kernels import store, workers
from ludisect.kernels.identity import fingerprint

AGAIN = 0.2
"""Seconds after which the store is looked at again for machine code that was not there."""

_lock = threading.RLock()


class Code:
    """A function as machine code for one signature. ``entry`` is what it is called by, once it is there."""

    __slots__ = ("_key", "_looked", "entry", "function", "name", "signature")

    def __init__(self, function: FunctionType, signature: str) -> None:
        self.function, self.signature = function, signature
        self.name = name_of(function)
        self.entry: Any = None
        self._key: str | None = None
        self._looked = -AGAIN

    def identify(self) -> str:
        """The key of the machine code in the store."""
        if self._key is None:
            self._key = fingerprint(self.function, self.signature)
        return self._key

    def stored(self) -> bool:
        """Whether the store has the machine code."""
        return store.holds(self.name, self.identify())

    def load(self) -> bool:
        """Take the machine code from the store if it is there."""
        with _lock:
            if self.entry is None and monotonic() - self._looked >= AGAIN:
                record = store.read(self.name, self.identify())
                if record is not None:
                    self._take(record)
                self._looked = monotonic()
            return self.entry is not None

    def obtain(self) -> Any:
        """The entry: wait for the machine code if somebody is making it, or make it here."""
        with clock.stopped():
            if workers.wait_for(self):
                self._looked = -AGAIN
                self.load()
            with _lock:
                if self.entry is None:
                    self.compile(keep=True)
        return self.entry

    def compile(self, *, keep: bool) -> None:
        """Make the machine code, here and now; with ``keep``, for this process too and not only for the store."""
        entry, record = self._make()
        if not store.write(self.name, self.identify(), record) or keep:
            self.entry = entry

    def _make(self) -> tuple[Any, dict[str, Any]]:
        """The entry to freshly made machine code, and what of it is kept."""
        raise NotImplementedError

    def _take(self, record: dict[str, Any]) -> None:
        """Set the entry to machine code that was kept."""
        raise NotImplementedError


def name_of(function: FunctionType) -> str:
    """Module and name, without the package."""
    return f"{function.__module__.removeprefix('ludisect.')}.{function.__name__}"
