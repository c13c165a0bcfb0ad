"""Who claims a row: the client's machine, process and its birth, so that others see when it is dead."""

from __future__ import annotations

import os
import socket
import sys

from ludisect.sweep.processes import BIRTH, STATE, process_fields


def owner_name() -> str:
    """The name of this process in claims."""
    return f"{socket.gethostname()} {os.getpid()} {_birth(os.getpid())}"


def is_dead(owner: str) -> bool:
    """Whether a claim's client is surely gone: it ran on this machine, and runs no more."""
    host, pid, birth = owner.rsplit(" ", 2)
    return sys.platform == "linux" and host == socket.gethostname() and _birth(int(pid)) != birth


def _birth(pid: int) -> str:
    """When a process was born, in the system's own count; empty if there is no such process, or nobody tells."""
    fields = process_fields(pid)
    return "" if not fields or fields[STATE] == "Z" else fields[BIRTH]
