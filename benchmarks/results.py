"""Figures on disk: every benchmark writes them in one form, with the version and the machine that gave them.

Imports nothing of ludisect: peers are measured in environments without it.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def write(path: Path, figures: Any) -> None:
    """Write what a benchmark found: ``figures`` beside the command, version, commit, date and machine."""
    head = {
        "benchmark": Path(sys.argv[0]).stem,
        "command": " ".join([Path(sys.argv[0]).name, *map(_without_folders, sys.argv[1:])]),
        "version": version("ludisect"),
        "commit": _commit(),
        "date": date.today().isoformat(),
        "machine": {"processor": _processor(), "cores": os.cpu_count(), "python": platform.python_version()},
    }
    path.write_text(json.dumps({**head, "figures": figures}, indent=1) + "\n", encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    """What ``write`` wrote; exits with a message if the file is something else."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"cannot read {path}: {error}")
    if not isinstance(found, dict) or "figures" not in found or "benchmark" not in found:
        sys.exit(f"{path} was not written by a benchmark of this version: it has no 'benchmark' and 'figures'")
    return found


def kept_rows(store: Path | None) -> dict[str, dict[str, Any]]:
    """What an earlier run kept by ``keep_row``, by key."""
    lines = store.read_text(encoding="utf-8").splitlines() if store is not None and store.exists() else []
    return {row.pop("key"): row for row in map(json.loads, lines)}


def keep_row(store: Path | None, key: str, row: dict[str, Any]) -> None:
    """Add a line to the file of what is done, if there is one: a run that is called again goes on after it."""
    if store is not None:
        with store.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, **row}) + "\n")


def _without_folders(argument: str) -> str:
    """Where a folder lies on this machine says nothing to others."""
    return Path(argument).name if os.sep in argument else argument


def _commit() -> str | None:
    try:
        asked = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:  # not Linux
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
