"""The program as a process of its own: on a terminal of some width, or with its output piped."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

PROGRAM = (sys.executable, "-m", "ludisect")


def on_terminal(*arguments: str, columns: int, colour: bool = False, before: str = "") -> str:
    """What a person sees in a terminal that is so wide; the command must succeed. ``before`` is code to run first."""
    program = (sys.executable, "-c", f"{before}\nfrom ludisect.cli import program\nprogram()") if before else PROGRAM
    keeper, terminal = pty.openpty()
    plain = {} if colour else {"NO_COLOR": "1"}
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm-256color", **plain}
    with subprocess.Popen([*program, *arguments], stdout=terminal, stderr=subprocess.PIPE, env=environment) as running:
        os.close(terminal)
        seen = b""
        while chunk := _read(keeper):
            seen += chunk
    os.close(keeper)
    assert running.returncode == 0
    return seen.decode().replace("\r\n", "\n")


def _read(keeper: int) -> bytes:
    try:
        return os.read(keeper, 1 << 16)
    except OSError:  # Linux says so when the other end has gone
        return b""


def piped(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What a pipe gets."""
    return subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, check=False)
