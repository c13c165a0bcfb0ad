"""Where text goes: results to standard output; progress and notes to standard error, if someone is watching."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False)


@contextmanager
def progress(what: str, total: int, *, quiet: bool) -> Iterator[Callable[[int], None] | None]:
    """A bar on standard error; gives the function to advance it, or None if nobody would see it."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda n: bar.advance(task, n)


@contextmanager
def working(what: str, *, quiet: bool) -> Iterator[None]:
    """A spinner on standard error for work whose end cannot be foreseen."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    with err.status(f"{what} …"):
        yield


@contextmanager
def compiling(*, quiet: bool) -> Iterator[None]:
    """Say so while the kernels are compiled for the first time on this machine, and how long it took."""
    from ludisect.circuit.warm import compile_kernels, kernels_ready

    if not kernels_ready():
        if not quiet:
            err.print("compiling kernels for this machine, once, about a minute …")
        begin = time.monotonic()
        compile_kernels()
        if not quiet:
            err.print(f"… done in {time.monotonic() - begin:.0f} s; they are kept on disk")
    yield
