"""The player behind its address: how soon it answers, whether it is ever late, and whether its memory grows.

    python benchmarks/protocol.py latency ../shared/corpus/games
    python benchmarks/protocol.py sweep ../shared/corpus/games --every 10 --seconds 1
    python benchmarks/protocol.py messages --count 1000 --connections 200
    python benchmarks/protocol.py soak --minutes 60

``latency``: with clocks of zero the first move that is known is the answer; the time from sending START to having it by
the clock, how long the server and the referee behind it were at work, and how long they waited for a processor, which
is what else the machine does.
``sweep``: whole matches against random players, held by our manager in the manner of ggp-base and of Dresden in turns;
every late, illegal or missing answer counts. ``messages``: many messages one after the other, then connections at once,
half of them silent. ``soak``: matches and broken messages until the time is over, with the memory of the server and the
number of its processes.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import results
from ludisect.errors import LudisectError
from ludisect.games import bundled
from ludisect.gdl import Interpreter, read, read_file
from ludisect.gdl.terms import Rules
from ludisect.play.spelling import Spelling
from ludisect.play.tournament import Agreement, Fixture, Venue
from ludisect.play.wire import MANNERS, post

BROKEN = ["(", "(PLAY x NIL)", "(START a b (c) d e)", "hello", "(INFO", "\x00", "(STOP y NIL)", "()" * 1000]


@contextmanager
def server(*words: str) -> Iterator[tuple[int, int]]:
    """A server for a while: its port and the number of its process."""
    command = [sys.executable, "-m", "ludisect", "serve", "--port", "0", "--json", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["port"], process.pid
        finally:
            process.terminate()


def say(port: int, text: str, seconds: float = 60.0) -> str:
    return post("127.0.0.1", port, text, MANNERS["ggp-base"], seconds)


def sheets(folder: Path, every: int) -> list[Rules]:
    """The rule sheets of a folder that can be played."""
    out = []
    for path in sorted(folder.glob("*.kif"))[::every]:
        with suppress(LudisectError):
            out.append(read_file(path))
    return out


def megabytes(pid: int) -> float:
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def children(pid: int) -> int:
    return len(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def scheduled(pids: list[int]) -> tuple[float, float]:
    """Seconds for which the threads of some processes had a processor, and for which they waited for one."""
    ran = waited = 0.0
    for pid in pids:
        for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            with suppress(OSError):
                numbers = thread.read_text().split()
                ran, waited = ran + int(numbers[0]) / 1e9, waited + int(numbers[1]) / 1e9
    return ran, waited


def answering(pid: int) -> list[int]:
    """The processes that a first answer needs: the server, and the referees that wait behind it."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(int(x) for x in found if "referee" in Path(f"/proc/{x}/cmdline").read_text().split("\0"))]


def latency(args: argparse.Namespace) -> dict[str, Any]:
    """START to the first legal answer, with clocks of zero."""
    rows: dict[str, Any] = {}
    with server("--player", args.player, "--set", "serving_late=20") as (port, pid):
        for rules in sheets(args.games, args.every):
            try:
                role = Interpreter(rules).roles[0]
            except LudisectError:
                continue
            time.sleep(args.pause)  # the processes for the next match are loaded between matches
            text, needed = f"(START m {role} ({Spelling(rules).rules()}) 0 0)", answering(pid)
            ran, waited = scheduled(needed)
            begin = time.perf_counter()
            say(port, text)
            answer = say(port, "(PLAY m NIL)")
            wall, (after, late) = time.perf_counter() - begin, scheduled(needed)
            wall = wall if answer != "nil" else math.inf
            rows[rules.name] = {"seconds": wall, "cpu": after - ran, "waited": late - waited}
            say(port, "(ABORT m)")
    for name, row in sorted(rows.items(), key=lambda row: -row[1]["seconds"])[:20]:
        print(f"  {name:40} {row['seconds']:.3f} s, {row['cpu']:.3f} at work, {row['waited']:.3f} without a processor")
    shares = {}
    for what, told in (("seconds", "by the clock"), ("cpu", "processor time of server and referee")):
        known = sorted(row[what] for row in rows.values())
        shares[what] = sum(seconds < 0.3 for seconds in known) / len(known)
        print(f"START to the first legal answer, {len(rows)} games, {told}: ", end="")
        print(f"median {statistics.median(known):.3f} s, ", end="")
        print(f"95 % within {known[int(0.95 * (len(known) - 1))]:.3f} s; under 0.3 s: {100 * shares[what]:.1f} %")
    return {"games": rows, "share_under_0.3": shares}


def sweep(args: argparse.Namespace) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    with server("--player", args.player) as (port, pid):
        for number, rules in enumerate(sheets(args.games, args.every)):
            manner = MANNERS[("ggp-base", "dresden")[number % 2]]
            try:
                venue = Venue(rules, Agreement(args.seconds, args.seconds, manner=manner))
            except LudisectError:
                continue
            seats = (f"http://127.0.0.1:{port}", *["random"] * (len(venue.machine.roles) - 1))
            line = venue.hold(Fixture(number, seats, number))
            faults = [fault for fault in line["faults"] if line["players"][fault[1]] != "random"]
            ended = line["final"]["terminal"]
            rows[rules.name] = {"steps": len(line["steps"]), "faults": faults, "ended": ended}
            told = f"{len(faults)} faults: {faults[:2]}" if faults else "no fault"
            print(f"  {rules.name:40} {len(line['steps']):4} steps, {told}", flush=True)
        memory = megabytes(pid)
    faulty = sum(bool(row["faults"]) for row in rows.values())
    steps = sum(row["steps"] for row in rows.values())
    print(f"{len(rows)} matches, {steps} steps, {faulty} with faults of ours; the server holds {memory:.0f} MB")
    return {"matches": rows}


def messages(args: argparse.Namespace) -> dict[str, Any]:
    rules = Spelling(read(bundled.source("tictactoe"))).rules()
    with server("--player", args.player) as (port, pid):
        say(port, f"(START m xplayer ({rules}) 10 10)")
        before, seconds = megabytes(pid), []
        draw = random.Random(1)
        for _ in range(args.count):
            begin = time.perf_counter()
            say(port, draw.choice(["(INFO)", "(PLAY m NIL)", *BROKEN]))
            seconds.append(time.perf_counter() - begin)
        silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(args.connections // 2)]
        with ThreadPoolExecutor(args.connections // 2) as pool:
            answers = list(pool.map(lambda _: say(port, "(INFO)"), range(args.connections // 2)))
        for one in silent:
            one.close()
        good = all("ludisect" in answer for answer in answers)
        after = megabytes(pid)
    seconds.sort()
    print(f"{args.count} messages: median {1000 * statistics.median(seconds):.1f} ms, ", end="")
    print(f"99 % within {1000 * seconds[int(0.99 * (len(seconds) - 1))]:.1f} ms, longest {1000 * seconds[-1]:.0f} ms")
    print(f"{args.connections} connections at once: {'all' if good else 'NOT all'} answered; ", end="")
    print(f"memory {before:.0f} -> {after:.0f} MB")
    return {"longest": seconds[-1], "connections": good, "megabytes": [before, after]}


def soak(args: argparse.Namespace) -> dict[str, Any]:
    """Matches of bundled games with short clocks, in all manners, and nonsense in between."""
    games = ["tictactoe", "nim:3,4,5", "connect-four", "rock-paper-scissors", "two-track", "breakthrough"]
    end, held, faults, peak = time.monotonic() + 60 * args.minutes, 0, 0, 0.0
    with server("--player", args.player) as (port, pid):
        first = None
        while time.monotonic() < end:
            manner = [*MANNERS.values()][held % len(MANNERS)]
            venue = Venue(read(bundled.source(games[held % len(games)])), Agreement(1.0, args.seconds, manner=manner))
            seats = (f"http://127.0.0.1:{port}", *["random"] * (len(venue.machine.roles) - 1))
            line = venue.hold(Fixture(held, seats, held))
            wrong = [fault for fault in line["faults"] if line["players"][fault[1]] != "random"]
            faults += len(wrong)
            for fault in wrong:
                print(f"  {games[held % len(games)]}: {fault}", flush=True)
            held += 1
            for text in BROKEN:
                say(port, text)
            peak = max(peak, megabytes(pid))
            first = first or (megabytes(pid) if held == len(games) else None)
        last, processes = megabytes(pid), children(pid)
    start = first or 0.0
    print(
        f"{args.minutes:g} minutes: {held} matches, {faults} faults of ours; memory after the first {len(games)} ",
        end="",
    )
    print(f"matches {start:.0f} MB, at the end {last:.0f} MB, at most {peak:.0f} MB; {processes} processes behind it")
    return {"matches": held, "faults": faults, "megabytes": [start, last, peak], "processes": processes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default="parts")
    parser.add_argument("--json", type=Path)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("latency", "sweep"):
        one = commands.add_parser(name)
        one.add_argument("games", type=Path)
        one.add_argument("--every", type=int, default=1, help="take every so many-th sheet")
        one.add_argument("--seconds", type=float, default=1.0)
        one.add_argument("--pause", type=float, default=2.0)
    one = commands.add_parser("messages")
    one.add_argument("--count", type=int, default=1000)
    one.add_argument("--connections", type=int, default=200)
    one = commands.add_parser("soak")
    one.add_argument("--minutes", type=float, default=60.0)
    one.add_argument("--seconds", type=float, default=0.5)
    args = parser.parse_args()
    figures = {"latency": latency, "sweep": sweep, "messages": messages, "soak": soak}[args.command](args)
    if args.json:
        results.write(args.json, figures)


if __name__ == "__main__":
    main()
