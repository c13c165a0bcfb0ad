"""What a person waits for: the commands of the first minutes, with nothing compiled yet (cold) and with everything
compiled (warm).

    python benchmarks/startup.py --repeat 5 --json startup.json
    python benchmarks/startup.py --python ../before/.venv/bin/python --only decompose

Each figure is the minimum over the runs: seconds by the clock, of processor time (of all processes), and to the first
line of a result. Cold runs have an empty folder for compiled code each; warm ones share one that an untimed run has
filled. With ``--python``, another installation is measured beside this one, run by run in turns.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import results
from terminal import environment, run

COMMANDS: dict[str, list[str]] = {
    "help": ["--help"],
    "games": ["games"],
    "info": ["info", "tictactoe"],
    "decompose": ["decompose", "tictactoe"],
    "solve": ["solve", "double-tictactoe"],
    "value": ["value", "domineering 4x4"],
    "demo": ["demo"],
}

FIGURES = {"wall": "wall", "cpu": "CPU", "first": "first line"}


def measure(python: str, arguments: list[str], cache: str) -> dict[str, float]:
    """Run a command once; compiled code is kept in the given folder."""
    done = run([python, "-m", "ludisect", *arguments], environment(cache))
    if done.code:
        sys.exit(f"{python} -m ludisect {' '.join(arguments)} ended with {done.code}:\n{done}")
    return {"wall": done.wall, "cpu": done.cpu, "first": done.first_result() or done.wall}


def minimum(runs: list[dict[str, float]]) -> dict[str, float]:
    """The least of each figure."""
    return {figure: min(row[figure] for row in runs) for figure in FIGURES} if runs else {}


def measure_command(
    pythons: dict[str, str], arguments: list[str], kept: dict[str, str], *, cold: int, warm: int
) -> dict[str, dict[str, dict[str, float]]]:
    """The figures of one command, by installation, cold and warm."""
    runs: dict[str, dict[str, list[dict[str, float]]]] = {name: {"cold": [], "warm": []} for name in pythons}
    for name, python in pythons.items():
        measure(python, arguments, kept[name])
    for _ in range(warm):
        for name, python in pythons.items():
            runs[name]["warm"].append(measure(python, arguments, kept[name]))
    for _ in range(cold):
        for name, python in pythons.items():
            with tempfile.TemporaryDirectory() as empty:
                runs[name]["cold"].append(measure(python, arguments, empty))
    return {name: {tier: minimum(rows) for tier, rows in tiers.items()} for name, tiers in runs.items()}


def main() -> None:
    """Measure all, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", help="the interpreter of another installation, measured beside this one")
    parser.add_argument("--repeat", type=int, default=3, help="warm runs of each command")
    parser.add_argument("--cold", type=int, default=1, help="cold runs of each command; 0 for none")
    parser.add_argument("--only", action="append", choices=COMMANDS, help="this command (may be repeated)")
    parser.add_argument("--json", type=Path, help="write the rows here")
    options = parser.parse_args()
    pythons = {"this": sys.executable} | ({"other": options.python} if options.python else {})
    tiers = ["cold", "warm"] if options.cold else ["warm"]
    columns = [(name, tier, figure) for tier in tiers for figure in FIGURES for name in pythons]
    print("seconds".ljust(28) + "".join(f"{tier} {FIGURES[figure]}".rjust(17) for _, tier, figure in columns))
    if len(pythons) > 1:
        print(" " * 28 + "".join(name.rjust(17) for name, _, _ in columns))
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: f"{folder}/{name}" for name in pythons}
        for command in options.only or COMMANDS:
            arguments = COMMANDS[command]
            found = measure_command(pythons, arguments, kept, cold=options.cold, warm=options.repeat)
            rows[" ".join(arguments)] = found
            figures = "".join(f"{found[name][tier][figure]:17.2f}" for name, tier, figure in columns)
            print(f"{' '.join(arguments):28}{figures}", flush=True)
    if options.json:
        results.write(options.json, rows)


if __name__ == "__main__":
    main()
