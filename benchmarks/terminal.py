"""Commands in a terminal: what they write and when, what they cost, and what a person then sees.

Shared by the benchmarks that look at the program from outside. Needs pseudo-terminals, so no Windows.
"""

from __future__ import annotations

import codecs
import ctypes
import os
import pty
import re
import resource
import select
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROWS, COLUMNS = 24, 80

SUBREAPER = 36
"""prctl(2), PR_SET_CHILD_SUBREAPER"""

ESCAPE = re.compile(r"\x1b\[([?\d;]*)([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[^\[\]]")
UNFINISHED = re.compile(r"\x1b(?:\[[?\d;]*|\][^\x07\x1b]*\x1b?)?$")
HEADING = re.compile(r"\x1b\[1m[^\x1b]*\x1b\[0m\s*")
"""A line in bold from one end to the other."""

Written = list[tuple[float, str]]
"""Pieces of text, each with the seconds after which it came."""


@dataclass(frozen=True)
class Run:
    """``wall`` and ``cpu`` are seconds; ``cpu`` counts all processes that were started, also those that went on after
    the command had ended."""

    results: Written
    notes: Written
    code: int
    wall: float
    cpu: float

    def first_result(self) -> float | None:
        """Seconds to the first full line of a result: not empty and no heading."""
        line = ""
        for seconds, text in self.results:
            *full, line = (line + text).split("\n")
            if any(ESCAPE.sub("", one).strip() and not HEADING.fullmatch(one) for one in full):
                return seconds
        return None

    def __str__(self) -> str:
        return "".join(text for _, text in sorted(self.results + self.notes))


def environment(cache: str) -> dict[str, str]:
    """Ours, with compiled code kept in the given folder: an empty one is a new machine."""
    env = {**os.environ, "LUDISECT_CACHE": f"{cache}/ludisect", "NUMBA_CACHE_DIR": f"{cache}/numba"}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # else every start would compile our Python text
    return env


def run(command: Sequence[str], env: Mapping[str, str], *, apart: bool = True) -> Run:
    """Run a command as a person would, in a terminal of 80 x 24; standard error has a terminal of its own if ``apart``,
    so that results can be told from notes."""
    if sys.platform == "linux":  # processes that outlive the command become ours, and their time with them
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    before = _children()
    pairs = [pty.openpty() for _ in range(2 if apart else 1)]
    for _, slave in pairs:
        termios.tcsetwinsize(slave, (ROWS, COLUMNS))
    written: dict[int, Written] = {master: [] for master, _ in pairs}
    others = {"COLUMNS", "LINES", "NO_COLOR"}  # what would speak against the terminal
    environment = {**{k: v for k, v in env.items() if k not in others}, "TERM": "xterm-256color"}
    used, begin = _cpu(), time.perf_counter()
    process = subprocess.Popen(
        command, stdin=pairs[0][1], stdout=pairs[0][1], stderr=pairs[-1][1], env=environment, start_new_session=True
    )
    for _, slave in pairs:
        os.close(slave)
    try:
        wall = _read(process, written, begin)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        for master in written:
            os.close(master)
    while late := _children() - before:  # children that we had before may live as long as we do
        for child in late:
            with suppress(ChildProcessError):
                os.waitpid(child, 0)
    results, *notes = written.values()
    return Run(results, notes[0] if notes else [], process.returncode, wall, _cpu() - used)


def _read(process: subprocess.Popen[bytes], written: dict[int, Written], begin: float) -> float:
    """Collect what is written until the process ends, and give the seconds that it took."""
    decoders = {master: codecs.getincrementaldecoder("utf-8")("replace") for master in written}
    wall = 0.0
    while decoders:
        ready = select.select(list(decoders), [], [], 0.0 if wall else 0.01)[0]
        seconds = time.perf_counter() - begin
        for master in ready:
            try:
                data = os.read(master, 1 << 16)
            except OSError:  # how Linux says that nobody writes there any more
                data = b""
            written[master].append((seconds, decoders[master].decode(data)))
            if not data:
                del decoders[master]
        if wall and not ready:  # a process that goes on may hold the terminal open
            break
        if not wall and process.poll() is not None:
            wall = seconds
    process.wait()
    return wall or time.perf_counter() - begin


def _children() -> set[int]:
    """Our child processes, also those that were handed to us; none where the system does not tell."""
    found: set[int] = set()
    for thread in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):  # a thread that has just ended
            found |= set(map(int, thread.read_text().split()))
    return found


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Screen:
    """What a terminal shows, as far as rich makes use of it: lines, each with the seconds after which it was complete.

    Lines that went out at the top are kept. Colours are left out; every character counts as one column.
    """

    def __init__(self) -> None:
        self.lines: list[str] = [""]
        self.seconds: list[float] = [0.0]
        self.row = self.column = 0
        self._rest = ""

    def write(self, text: str, seconds: float) -> None:
        """Take in some more text."""
        text = self._rest + text
        cut = UNFINISHED.search(text)
        self._rest = text[cut.start() :] if cut else ""
        text = text[: cut.start()] if cut else text
        at = 0
        while at < len(text):
            escape = ESCAPE.match(text, at)
            if escape:
                at = escape.end()
                if escape[2]:
                    self._control(escape[2], escape[1], seconds)
            else:
                self._put(text[at], seconds)
                at += 1

    def _put(self, character: str, seconds: float) -> None:
        if character == "\r":
            self.column = 0
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif character == "\n":
            self._down(seconds)
        elif character >= " ":
            if self.column == COLUMNS:  # the line is full: go on with the next
                self._down(seconds)
                self.column = 0
            line = self.lines[self.row].ljust(self.column)
            self._set(self.row, line[: self.column] + character + line[self.column + 1 :], seconds)
            self.column += 1

    def _down(self, seconds: float) -> None:
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append("")
            self.seconds.append(seconds)

    def _set(self, row: int, line: str, seconds: float) -> None:
        if self.lines[row] != line:
            self.lines[row], self.seconds[row] = line, seconds

    def _control(self, what: str, arguments: str, seconds: float) -> None:
        number = int(arguments) if arguments.isdigit() else 0
        line = self.lines[self.row]
        top = max(0, len(self.lines) - ROWS)
        if what == "A":
            self.row = max(top, self.row - max(1, number))
        elif what == "B":
            self.row = min(len(self.lines) - 1, self.row + max(1, number))
        elif what == "C":
            self.column = min(COLUMNS - 1, self.column + max(1, number))
        elif what == "D":
            self.column = max(0, self.column - max(1, number))
        elif what == "G":
            self.column = max(1, number) - 1
        elif what == "K":
            kept = {0: line[: self.column], 1: " " * (self.column + 1) + line[self.column + 1 :]}.get(number, "")
            self._set(self.row, kept, seconds)
        elif what == "J" and number == 0:
            self._set(self.row, line[: self.column], seconds)
            for row in range(self.row + 1, len(self.lines)):
                self._set(row, "", seconds)
        elif what not in "mhl":  # colours, and whether the cursor is seen
            raise ValueError(f"the terminal was sent {arguments + what!r}, which this program does not know")
