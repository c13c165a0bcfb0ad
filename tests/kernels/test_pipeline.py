"""The whole way from rules to an answer, with machine code and without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

SPENT = ("seconds", "build_seconds", "playouts_per_second", "states_per_second")

COMMANDS = [
    ("decompose", "tictactoe"),
    ("decompose", "blocks-maze"),
    ("decompose", "nim:2,3", "--method", "playouts"),
    ("solve", "nim:2,3"),
    ("solve", "rock-paper-scissors"),
    ("solve", "lights-on-parallel"),
    ("solve", "tictactoe", "--by", "whole"),
    ("simulate", "nim:2,3", "-n", "1000"),
]

CODE = """
import json, sys
from tests.cli.test_cli import answer
print(json.dumps({" ".join(words): answer(*words) for words in json.load(sys.stdin)}))
"""


def answers(mode: str) -> dict[str, dict[str, Any]]:
    """What the commands print in one process, but for how long they took."""
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        input=json.dumps(COMMANDS),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "LUDISECT_KERNELS": mode, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    data: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return {words: {key: x for key, x in one.items() if key not in SPENT} for words, one in data.items()}


def test_plain_and_compiled_say_the_same() -> None:
    plain, compiled = answers("plain"), answers("compiled")
    assert [*plain] == [" ".join(words) for words in COMMANDS]
    for words in plain:
        assert plain[words] == compiled[words], words
