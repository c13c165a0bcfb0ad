"""The process behind the page: loads what commands need, then forks a process for every game and job."""

from __future__ import annotations

import socket
from importlib import import_module

from ludisect.cli.standby import run

COMMANDS = ("decompose", "verify", "solve", "simulate", "match", "value", "chess")
"""Commands that the page can ask for."""


def load_commands() -> None:
    """Load the library, and the modules of the commands."""
    from ludisect.web.loading import load_all

    load_all()
    for name in ("app", "options", "console", *COMMANDS):
        import_module(f"ludisect.cli.{name}")


def live(end: socket.socket) -> int:
    """The life of a forked process; its module is loaded by then, with those of the commands."""
    from ludisect.web import forked

    return forked.live(run, end)


if __name__ == "__main__":
    from ludisect.web.forker import serve

    serve(live, load_commands)
