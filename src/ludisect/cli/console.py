"""Where text goes: results to standard output; progress and notes to standard error, if someone is watching."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludisect.progress import listening

if TYPE_CHECKING:
    from rich.text import Text

BOLD, RED = "1", "1;31"

BAR = 20
"""Characters of a bar."""

TIE = "\u00a0"
"""A space at which no line is broken."""

MOMENT = 0.4
"""Seconds before the line of progress appears, and between two looks at it."""


def styled(text: str, style: str) -> str:
    """The text as terminals show it in a style; without one if standard output is no terminal."""
    return f"\x1b[{style}m{text}\x1b[0m" if style and _styles() else text


def _styles() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def say(text: str = "", style: str = "") -> None:
    """Lines of the result, at once; on a terminal, those that are too long are broken between words."""
    if sys.stdout.isatty():
        text = "\n".join(_broken(line) for line in text.split("\n"))
    print(styled(text, style), flush=True)


def _broken(line: str) -> str:
    if len(line) <= width():
        return line
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line.lstrip(),
        width(),
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def note(text: str) -> None:
    """A line on standard error."""
    print(text, file=sys.stderr, flush=True)


def say_coloured(picture: Text) -> None:
    """A picture, in as many colours as the terminal has."""
    if not _styles():
        say("\n".join(line.rstrip() for line in picture.plain.split("\n")))
        return
    from rich.console import Console  # slow to load

    Console(highlight=False).print(picture, soft_wrap=True)


def width() -> int:
    """Columns of the terminal; 80 if there is none."""
    return shutil.get_terminal_size().columns


def columns(rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), wrap: Sequence[int] = ()) -> list[str]:
    """Rows as lines of aligned columns.

    Columns in ``right`` are flush right. Those in ``wrap`` share what the terminal has left and are broken between
    words (not at a `TIE`); all others are as wide as their longest cell.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    spare = max(width() - sum(w for c, w in enumerate(widths) if c not in wrap) - 2 * (len(widths) - 1), 10 * len(wrap))
    for count, c in enumerate(sorted(wrap, key=lambda c: widths[c])):
        widths[c] = min(widths[c], spare // (len(wrap) - count))
        spare -= widths[c]
    lines = []
    for row in rows:
        cells = [
            textwrap.wrap(cell, widths[c], break_on_hyphens=False) or [""] if c in wrap else [cell]
            for c, cell in enumerate(row)
        ]
        for k in range(max(map(len, cells))):
            texts = (cell[k] if k < len(cell) else "" for cell in cells)
            aligned = (t.rjust(widths[c]) if c in right else t.ljust(widths[c]) for c, t in enumerate(texts))
            lines.append("  ".join(aligned).rstrip().replace(TIE, " "))
    return lines


class _Line:
    """A line on standard error that says what is going on, for work that takes longer than a moment."""

    held = False  # while the bar of the kernels is shown

    def __init__(self, what: str) -> None:
        self.what, self.remark = what, ""
        self._step: tuple[str, int, int | None] | None = None
        self._begin = time.monotonic()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)
        self._thread.start()

    def hear(self, step: str, done: int, of: int | None) -> None:
        """Keep the step that was reported last."""
        self._step = step, done, of

    def _show(self) -> None:
        while not self._end.wait(MOMENT):
            if _Line.held:
                continue
            known = [_in_words(*self._step)] if self._step is not None else []
            text = ": ".join([self.what, "; ".join(known + [self.remark] * bool(self.remark))]).removesuffix(": ")
            text = f"{text} … {time.monotonic() - self._begin:.0f} s"
            sys.stderr.write(f"\r{text[: width() - 1]}\x1b[K")
            sys.stderr.flush()

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        if time.monotonic() - self._begin > MOMENT:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _in_words(step: str, done: int, of: int | None) -> str:
    """A step as it is shown: with a bar, if it is known how much there is."""
    if not of:
        return f"{step}, {done:,}" if done else step
    return f"{step} {_bar(done, of)} {done:,} of {of:,}"


def _bar(done: int, of: int) -> str:
    return f"[{'#' * (BAR * done // of):.<{BAR}}]"


@contextmanager
def working(what: str, *, quiet: bool) -> Iterator[Callable[[str], None] | None]:
    """Say what is being done and how far it is; gives the function for a remark, or None if nobody would see it."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    line = _Line(what)
    try:
        with listening(line.hear):
            yield lambda remark: setattr(line, "remark", remark)
    finally:
        line.close()


@contextmanager
def telling_of_kernels(command: str, *, quiet: bool) -> Iterator[None]:
    """Show a bar while machine code is waited for; where nobody would see it move, a line at the first time."""
    from ludisect.kernels.lists import LISTS
    from ludisect.kernels.workers import homeless, reporting, want

    if command in LISTS:
        want(command)
    with reporting(_Bar(quiet)):
        yield
    if homeless() and not quiet:
        note("note: machine code cannot be kept, so every command compiles anew; name a folder in LUDISECT_CACHE")


class _Bar:
    """How many kernels are compiled."""

    def __init__(self, quiet: bool) -> None:
        self.told = quiet
        self.moving = sys.stderr.isatty() and not quiet

    def __call__(self, done: int, of: int) -> None:
        _Line.held = self.moving and of > 0
        if self.moving:
            text = f"compiling kernels for this machine, once: {_bar(done, of)} {done} of {of}" if of else ""
            sys.stderr.write(f"\r{text[: width() - 1]}\x1b[K")
            sys.stderr.flush()
        elif not self.told:
            note(f"compiling {of - done} of {of} kernels for this machine, once; the next commands will not wait")
            self.told = True
