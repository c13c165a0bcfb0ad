"""Kernels run plain, compiled here, and linked from the store, with the same results."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from ludisect import clock
from ludisect.kernels import kernel, link, store, workers
from ludisect.kernels.identity import fingerprint
from ludisect.kernels.kernel import Kernel

from . import sample
from .doors import door


@pytest.fixture
def empty_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A store of its own, and no workers."""
    monkeypatch.setenv("LUDISECT_CACHE", str(tmp_path))
    monkeypatch.setattr(workers, "ask", lambda code: None)
    for cached in (store.folder, store._folders):
        cached.cache_clear()
    yield tmp_path
    for cached in (store.folder, store._folders):
        cached.cache_clear()


def fresh(of: Any) -> Any:
    """The kernel as a new process has it: nothing compiled, nothing linked."""
    return door(of)


ARGUMENTS: list[tuple[Any, tuple[Any, ...]]] = [
    (sample.total, (np.arange(10), 5)),
    (sample.product, (np.array([3, 1 << 63], np.uint64), np.array([1 << 62, 2], np.uint64))),
    (sample.factorial, (10,)),
]


def same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(np.array_equal(a, b))


@pytest.mark.parametrize(("of", "args"), ARGUMENTS)
def test_plain_compiled_and_linked_agree(
    of: Any, args: tuple[Any, ...], empty_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = of.plain(*args)
    monkeypatch.setattr(kernel, "mode", "compiled")
    here = fresh(of)
    assert same(here(*args), plain)  # compiled here, and kept
    assert [path.suffix for path in empty_store.iterdir()] == [".code"]
    there = fresh(of)
    assert there.variants[0].load()  # linked
    assert there.variants[0].entry is not here.variants[0].entry
    assert same(there(*args), plain)


def test_exceptions_come_through(empty_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "mode", "compiled")
    fresh(sample.factorial)(3)
    linked = fresh(sample.factorial)
    for call in (linked, sample.factorial.plain):
        with pytest.raises(ValueError, match="from 0"):
            call(-1)


def test_small_calls_never_wait(empty_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(kernel, "mode", "auto")
    monkeypatch.setattr(workers, "ask", asked.append)
    monkeypatch.setattr(kernel.Variant, "obtain", lambda self: pytest.fail("waited"))
    assert fresh(sample.total)(np.arange(10), 5) == 140
    assert asked  # the machine code is asked for all the same
    assert not list(empty_store.iterdir())


@pytest.mark.parametrize("coming", [True, False])
def test_no_limit_pays_for_machine_code_that_is_to_come(
    coming: bool, empty_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While workers are at work the clock stands still in plain calls; where none is, a limit must come to its end."""
    times: list[float] = []
    of = fresh(sample.total)
    monkeypatch.setattr(of, "_twin", lambda numbers, more: times.extend([clock.now(), clock.now()]))
    monkeypatch.setattr(kernel, "mode", "auto")
    monkeypatch.setattr(workers, "at_work", lambda: coming)
    of(np.arange(10), 5)
    assert (times[0] == times[1]) == coming


def test_large_calls_wait_and_the_clock_stands_still(empty_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[float] = []
    compile_it = kernel.Variant.compile

    def watched(self: kernel.Variant, *, keep: bool) -> None:
        times.append(clock.now())
        compile_it(self, keep=keep)
        times.append(clock.now())

    monkeypatch.setattr(kernel, "mode", "auto")
    monkeypatch.setattr(kernel.Variant, "compile", watched)
    n = kernel.SMALL + 1
    assert fresh(sample.total)(np.ones(n, np.int64), 0) == 3 * n
    assert len(times) == 2
    assert times[0] == times[1]


def test_arguments_that_no_signature_foresees(empty_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "mode", "compiled")
    every_second = np.arange(20)[::2]
    with pytest.raises(TypeError, match=r"is called with \(int64\[:\], int64\); it takes \(int64\[::1\], int64\)"):
        fresh(sample.total)(every_second, 5)
    with pytest.raises(TypeError, match="it takes"):
        fresh(sample.total)(every_second)
    with pytest.raises(TypeError, match="called from Python"):
        sample.scaled(3)
    monkeypatch.setattr(kernel, "strict", False)
    assert fresh(sample.total)(every_second, 5) == 3 * every_second.sum() + 5
    assert sample.scaled(3) == 9


def test_releases_that_cannot_be_linked_go_through_numba(empty_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "mode", "compiled")
    for of, args in ARGUMENTS:
        fresh(of)(*args)

    def refuse(*args: object) -> Any:
        raise link.CannotLink("this release has not been tried")

    monkeypatch.setattr(kernel, "link", refuse)
    for _ in range(2):  # the second time numba reads its own files
        for of, args in ARGUMENTS:
            assert same(fresh(of)(*args), of.plain(*args))
    assert any(path.name.startswith("numba-") for path in empty_store.iterdir())


def test_damaged_files_are_not_read(empty_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "mode", "compiled")
    fresh(sample.total)(np.arange(3), 0)
    (path,) = empty_store.iterdir()
    data = path.read_bytes()
    for damaged in (data[:-1], data[: len(data) // 2], data[:20] + bytes([data[20] ^ 1]) + data[21:], b""):
        path.write_bytes(damaged)
        assert not fresh(sample.total).variants[0].load()
    path.write_bytes(data)
    assert fresh(sample.total).variants[0].load()


def changed(name: str, **values: object) -> Any:
    """A function of the sample, where globals have other values."""
    function = getattr(sample, name).function
    return FunctionType(function.__code__, {**function.__globals__, **values}, name)


def test_machine_code_is_known_by_everything_it_is_made_of() -> None:
    key = fingerprint(sample.total.function, "(int64[::1], int64)")
    assert fingerprint(changed("total"), "(int64[::1], int64)") == key
    assert fingerprint(sample.total.function, "(int64[:], int64)") != key
    # a number that a kernel which this one calls takes from its module
    inner = Kernel(changed("scaled", FACTOR=4))
    assert fingerprint(changed("total", scaled=inner), "(int64[::1], int64)") != key

    def other(x: Any) -> Any:
        return x * 5

    assert fingerprint(changed("total", scaled=Kernel(other)), "(int64[::1], int64)") != key  # type: ignore[arg-type]


def test_comments_and_docstrings_change_nothing() -> None:
    def one(x: Any) -> Any:
        """Some words."""
        return x + 1

    first = fingerprint(one, "(int64)")  # type: ignore[arg-type]

    def one(x: Any) -> Any:  # type: ignore[no-redef]
        """Other words."""
        # and a comment
        return x + 1

    assert fingerprint(one, "(int64)") == first  # type: ignore[arg-type]


def test_linked_kernels_do_not_import_numba(empty_store: Path) -> None:
    program = """
import sys
import numpy as np
from ludisect.kernels import kernel
from tests.kernels import sample
kernel.mode = "compiled"
words = np.ones(2, np.uint64)
print(sample.total(np.arange(3), 1), sample.product(words, words), "numba" in sys.modules)
"""
    runs = [
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
        )
        for _ in range(2)
    ]
    assert runs[0].stdout.endswith("True\n")
    assert runs[1].stdout.endswith("False\n")
    assert runs[0].stdout.split("True")[0] == runs[1].stdout.split("False")[0]
