"""Is the limit of a command kept? Processor seconds and exit codes of commands that are given a few seconds.

    python benchmarks/limits.py GAMES --seconds 3 --only hex amazons chess

Each command runs in a process of its own whose clock is its processor time, so that other work on the machine does not
decide. What starting Python takes is measured by ``ludisect --version`` and taken off. A limit is kept if a command is
over within a tenth and a second more, with exit code 0 if it came to its end and 3 if it did not. The games are the
rule sheets of a folder, the largest files first, or those that are named.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import results

COMMANDS: dict[str, Sequence[str]] = {
    "info": (),
    "decompose": ("--json",),
    "verify": ("--playouts", "1000000", "--prove"),
    "decompose --method playouts": (),
    "decompose --method instances": (),
    "solve": (),
    "solve --by whole": (),
    "simulate": ("--playouts", "10000000"),
    "values": (),
    "check": (),
}
"""What is asked, each with the options it needs."""

BY_PROCESSOR = """
import sys, time
from ludisect import clock
clock.perf_counter = time.process_time
from ludisect.cli.app import main
main()
"""
"""The program with processor time for its clock."""

OVER, TENTH = 1.0, 1.1
"""A limit of s seconds is kept up to ``TENTH * s + OVER``."""


def run(arguments: Sequence[str], most: float, output: Path | None = None) -> tuple[float, int]:
    """(processor seconds, exit code) of a command; -9 if it took more than ``most`` and was ended."""
    command = [sys.executable, "-c", BY_PROCESSOR, *arguments]
    # modules are compiled once and kept, as they are for who installs the program
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(most), int(most)))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with (output or Path(os.devnull)).open("w") as out:
        done = subprocess.run(
            command, stdout=out, stderr=subprocess.DEVNULL, env=environment, preexec_fn=limited, check=False
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.returncode


def chosen(options: argparse.Namespace) -> list[Path]:
    """The rule sheets that are asked for."""
    sheets = {path.stem: path for path in options.games.glob("*.kif")}
    if missing := [name for name in options.only or () if name not in sheets]:
        sys.exit(f"there is no {missing[0]}.kif in {options.games}")
    if options.only:
        return [sheets[name] for name in options.only]
    return sorted(sheets.values(), key=lambda path: -path.stat().st_size)[: options.largest]


def main() -> int:
    """Run all and print the table; 1 if a limit was not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path, help="folder of rule sheets (*.kif)")
    parser.add_argument("--only", nargs="+", help="names of sheets")
    parser.add_argument("--largest", type=int, default=10, help="so many of the largest files (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=3.0, help="that each command is given (default: %(default)s)")
    parser.add_argument("--commands", nargs="+", choices=COMMANDS, default=list(COMMANDS), help="which of them")
    parser.add_argument("--json", type=Path, help="write the table here")
    options = parser.parse_args()
    start = min(run(["--version"], 60)[0] for _ in range(3))
    allowed = TENTH * options.seconds + OVER
    print(f"starting takes {start:.2f} s; a limit of {options.seconds:g} s is kept up to {allowed:.1f} s")
    rows: list[dict[str, Any]] = []
    for path, name in product(chosen(options), options.commands):
        with TemporaryDirectory() as folder:
            parts = Path(folder) / "parts.json"
            given = [*name.split(), *COMMANDS[name], "--seconds", str(options.seconds), "--quiet"]
            given[1:1] = [str(path)]
            if name == "verify":
                run(["decompose", str(path), "--json", "--quiet", "--seconds", "10"], 20 * allowed, parts)
                if not parts.read_text():
                    continue  # too large to be taken apart
                given[2:2] = [str(parts)]
            seconds, code = run(given, 20 * allowed)
            late = seconds - start > allowed or code not in (0, 3)
            rows.append({"game": path.stem, "command": name, "seconds": seconds - start, "code": code, "late": late})
            print(f"{path.stem:28} {name:28} {seconds - start:6.2f} s  exit {code}{'  LATE' * late}", flush=True)
    late = [row for row in rows if row["late"]]
    print(f"{len(rows)} commands, {len(rows) - len(late)} of them within their limit")
    if options.json:
        results.write(options.json, rows)
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
