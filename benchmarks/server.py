"""What the server behind the page takes: to start, for a position, for values, to cancel, for 200 jobs at once.

    python benchmarks/server.py --repeat 50 --json server.json

Seconds from the start of `ludisect web` to its first position; milliseconds of a position and of values along a play of
double tic-tac-toe (the first solves it); seconds from a cancel until the process is gone; 200 jobs posted at once: how
many are taken, how many refused, and the memory of server and processes before and after.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.bench_server import BenchServer, alive

import results

LINE = [{"xplayer": "(mark1 2 2)"}, {"oplayer": "(mark2 1 1)"}, {"xplayer": "(mark2 2 2)"}, {"oplayer": "(mark1 1 1)"}]


def main() -> None:
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--repeat", type=int, default=50)
    reader.add_argument("--json", type=Path)
    options = reader.parse_args()
    begin = time.perf_counter()
    server = BenchServer()
    listening = time.perf_counter() - begin
    try:
        game = server.open(source="double-tictactoe")["id"]
        server.post(f"/games/{game}/position", {})
        figures = {"listening_seconds": listening, "first_position_seconds": time.perf_counter() - begin}
        figures |= along_a_play(server, game, options.repeat) | cancelled(server) | at_once(server)
    finally:
        server.close()
    for name, figure in figures.items():
        print(f"{name.replace('_', ' '):30} {figure:10.3f}")
    if options.json is not None:
        results.write(options.json, figures)


def timed(work: object) -> float:
    begin = time.perf_counter()
    work()  # type: ignore[operator]
    return 1000 * (time.perf_counter() - begin)


def along_a_play(server: BenchServer, game: str, repeat: int) -> dict[str, float]:
    """Milliseconds of positions and of values."""
    places = [LINE[: n % (len(LINE) + 1)] for n in range(repeat)]
    positions = [timed(lambda line=line: server.post(f"/games/{game}/position", {"line": line})) for line in places]
    first = timed(lambda: server.run("values", game, page="bench"))
    values = [server.run("values", game, line=line, page="bench")["seconds"] * 1000 for line in places]
    return {
        "position_ms": statistics.median(positions),
        "position_ms_95": statistics.quantiles(positions, n=20)[-1],
        "first_values_ms": first,
        "values_ms": statistics.median(values),
        "values_ms_95": statistics.quantiles(values, n=20)[-1],
    }


def cancelled(server: BenchServer) -> dict[str, float]:
    """Seconds from a cancel until the process is gone."""
    game = server.open(source="nim:3,5,7")["id"]
    times = []
    for _ in range(5):
        job = server.begin_long(game)
        times.append(timed(lambda job=job: server.ask("DELETE", f"/api/v1/jobs/{job['id']}")) / 1000)
        assert not alive(job["pid"])
    return {"cancel_seconds": statistics.median(times)}


def at_once(server: BenchServer) -> dict[str, float]:
    """200 jobs posted at once."""
    game = server.open(source="nim:3,5,7")["id"]
    before = memory(server)
    body = {"command": "simulate", "game": game, "page": "many", "options": {"playouts": 10**12}, "seconds": 600}
    begin = time.perf_counter()
    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda _: server.post("/jobs", body), range(200)))
    seconds = time.perf_counter() - begin
    taken = [answer.data["id"] for answer in answers if answer.status == 202]
    for id in taken:
        server.ask("DELETE", f"/api/v1/jobs/{id}")
    return {
        "posts_seconds": seconds,
        "posts_taken": float(len(taken)),
        "posts_refused": float(sum(answer.status == 429 for answer in answers)),
        "memory_before_mb": before,
        "memory_after_mb": memory(server),
    }


def memory(server: BenchServer) -> float:
    """Megabytes that server and processes have for themselves, shared pages divided."""
    total = 0
    for pid in (server.process.pid, *server.family()):
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
    return total / 1024


if __name__ == "__main__":
    main()
