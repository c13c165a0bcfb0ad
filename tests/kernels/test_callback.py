"""Machine code that C calls: linked from the store, or made by numba where it cannot be linked."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import pytest

from ludisect.kernels import callback as module
from ludisect.kernels import link, workers
from ludisect.kernels.callback import Callback

from .test_kernel import empty_store  # noqa: F401  (a fixture)


def doubled(x: Any) -> Any:
    return 2 * x


def called(address: int | None, x: int) -> int:
    assert address is not None
    return int(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address)(x))


@pytest.mark.usefixtures("empty_store")
def test_made_here_then_linked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "register", lambda code: None)
    first = Callback(doubled, "int64(int64)")  # type: ignore[arg-type]
    assert first.address() is None
    assert called(first.obtain(), 21) == 42
    second = Callback(doubled, "int64(int64)")  # type: ignore[arg-type]
    assert called(second.address(), 4) == 8
    assert second.address() != first.address()


def test_a_release_that_cannot_be_linked(empty_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr(workers, "register", lambda code: None)
    Callback(doubled, "int64(int64)").obtain()  # type: ignore[arg-type]
    assert list(empty_store.iterdir())

    def refuse(*args: object) -> Any:
        raise link.CannotLink("this release has not been tried")

    for name in ("link", "missing"):
        monkeypatch.setattr(module, name, refuse)
    other = Callback(doubled, "int64(int64)")  # type: ignore[arg-type]
    assert other.address() is None
    assert called(other.obtain(), 5) == 10
