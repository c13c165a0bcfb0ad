"""What Linux tells of a process in ``/proc``: its state, session, processor time, birth and memory."""

from __future__ import annotations

from pathlib import Path
from typing import Final

STATE: Final = 0
SESSION: Final = 3
CPU: Final = slice(11, 15)
BIRTH: Final = 19
MEMORY: Final = 21
"""Places in what ``process_fields`` gives: a letter, a process, ticks (own and of children), ticks, pages."""


def process_fields(pid: int) -> list[str]:
    """What follows the name in ``/proc/N/stat``; nothing if there is no such process, or nobody tells."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []
