"""The numbers of the server: what a request may hold; games, jobs, pages and processes at a time."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class WebLimits(Numbers):
    """What bounds the server and its processes."""

    # ---- requests ----
    body_bytes: int = number(8_000_000, "Bytes of a request; a sheet in JSON is longer than it is", least=1000)
    sheet_bytes: int = number(5_000_000, "Bytes of a rule sheet", least=1000)
    sheet_line: int = number(100_000, "Characters of a line of a rule sheet", least=100)
    line_moves: int = number(10_000, "Moves of a line of play", least=1)
    requests_at_once: int = number(200, "Requests that are answered at a time; others are told to come again", least=1)
    body_seconds: float = number(20.0, "Seconds in which a request must have come", least=0.1)

    # ---- games ----
    games_kept: int = number(50, "Games that are kept; the least recently used one goes", least=1)
    processes_kept: int = number(6, "Games whose process stays alive; others are built anew when asked for", least=1)
    game_seconds: float = number(20.0, "Seconds for building a game before it is left to the interpreter", least=0.1)
    game_memory: float = number(2.0, "Gigabytes that the process of a game may take", least=0.1)
    answer_seconds: float = number(20.0, "Seconds for a position or a picture", least=0.1)
    check_seconds: float = number(10.0, "Seconds for checking a rule sheet as it is typed", least=0.1)
    checks_at_once: int = number(4, "Rule sheets that are checked at a time", least=1)

    # ---- jobs ----
    job_seconds: float = number(600.0, "The most seconds that a job may be given", least=1)
    job_memory: float = number(16.0, "The most gigabytes that a job may be given, and half of the machine", least=0.1)
    job_grace: float = number(
        3.0,
        "Seconds, with half of what a job was given, after which a job that did not stop by itself is ended",
        least=0,
    )
    jobs_waiting: int = number(32, "Jobs of all pages that wait; then the server is busy", least=0)
    jobs_kept: int = number(100, "Jobs that have ended and are kept", least=1)
    jobs_kept_seconds: float = number(600.0, "Seconds for which a job that has ended is kept", least=1)
    solutions_kept: int = number(2, "Processes that keep the solution of a game for the next position", least=0)
    solutions_memory: float = number(1.0, "Gigabytes that such a process may take while it waits", least=0)

    parts_share: float = number(0.3, "Share of a job's time for the values of the parts of a sum", least=0, most=1)
    best_share: float = number(0.15, "Share of a job's time for who wins a sum, for each player", least=0, most=0.5)

    # ---- pages and events ----
    pages: int = number(20, "Pages that are open at a time", least=1)
    page_seconds: float = number(600.0, "Seconds without a word after which a page is forgotten", least=1)
    events_kept: int = number(500, "Events that are kept for a page that comes back", least=1)
    events_pause: float = number(0.1, "Shortest pause between two events of progress of a job", least=0)
    processes_look: float = number(0.1, "Pause between two looks at the processes", least=0.01, most=10)
