"""A kernel that C calls: its machine code is an address."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from types import FunctionType
from typing import Any

from ludisect.kernels import kernel, workers
from ludisect.kernels.code import Code
from ludisect.kernels.link import CannotLink, link, missing


class Callback(Code):
    """A function that is given to a C library. ``signature`` is in numba's words: ``int32(int32, CPointer(int32))``."""

    __slots__ = ("_made",)

    def __init__(self, function: FunctionType, signature: str) -> None:
        super().__init__(function, signature)
        self._made: Any = None
        workers.register(self)

    def address(self) -> int | None:
        """Where the machine code is, if it is there already; otherwise it is asked for."""
        if kernel.mode == "plain":
            return None
        if not self.load() and not self.stored():
            workers.ask(self)
        return self.entry  # type: ignore[no-any-return]

    def _make(self) -> tuple[int, dict[str, Any]]:
        from ludisect.kernels import build

        self._made = build.callback(self.function, self.signature)  # it owns what is at the address
        return int(self._made.address), build.callback_record(self._made)

    def _take(self, record: dict[str, Any]) -> None:
        with suppress(CannotLink):  # then it is made here, when it cannot be done without
            if record["linkable"] and not missing(record["outside"]):
                self.entry = link(record, None, self.function.__name__)


def callback(signature: str) -> Callable[[Any], Callback]:
    """Make a function a kernel that C calls."""
    return lambda function: Callback(function, signature)
