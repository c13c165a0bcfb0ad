"""A kernel that C calls: its machine code is an address."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from types import FunctionType
from typing import Any

from ludisect import clock
from ludisect.kernels import kernel, store, workers
from ludisect.kernels.identity import fingerprint
from ludisect.kernels.link import CannotLink, link, missing


class Callback:
    """A function that is given to a C library. ``signature`` is in numba's words: ``int32(int32, CPointer(int32))``."""

    def __init__(self, function: FunctionType, signature: str) -> None:
        self.function, self.signature = function, signature
        self.name = f"{function.__module__.removeprefix('ludisect.')}.{function.__name__}"
        self.__doc__, self.__name__ = function.__doc__, function.__name__
        self._address: int | None = None
        self._made: Any = None
        workers.register(self)

    def identify(self) -> str:
        """The key of the machine code in the store."""
        return fingerprint(self.function, self.signature)

    def stored(self) -> bool:
        """Whether the store has the machine code."""
        return store.holds(self.name, self.identify())

    def address(self) -> int | None:
        """Where the machine code is, if it is there already; otherwise it is asked for."""
        if kernel.mode == "plain":
            return None
        if self._address is None:
            record = store.read(self.name, self.identify())
            if record is None:
                workers.ask(self)
            else:
                with suppress(CannotLink):  # then it is made here, when it cannot be done without
                    if record["linkable"] and not missing(record["outside"]):
                        self._address = link(record, None, self.__name__)
        return self._address

    def obtain(self) -> int:
        """The address of the machine code, waited for or made here."""
        with clock.stopped():
            if not (workers.wait_for(self) and self.address() is not None):
                self.compile(keep=True)
        assert self._address is not None
        return self._address

    def compile(self, *, keep: bool) -> None:
        """Make the machine code, here and now; with ``keep``, for this process too and not only for the store."""
        from ludisect.kernels import build

        self._made = build.callback(self.function, self.signature)
        if not store.write(self.name, self.identify(), build.callback_record(self._made)) or keep:
            self._address = int(self._made.address)


def callback(signature: str) -> Callable[[Any], Callback]:
    """Make a function a kernel that C calls."""
    return lambda function: Callback(function, signature)
