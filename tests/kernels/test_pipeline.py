"""The whole way from rules to an answer, with machine code and without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from ludisect.kernels import kernel
from tests.cli.test_cli import answer

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
import json
from tests.kernels.test_pipeline import answers
print(json.dumps(answers()))
"""


def answers() -> dict[str, dict[str, Any]]:
    """What the commands print in this process, but for how long they took."""
    data = {" ".join(words): answer(*words) for words in COMMANDS}
    return {words: {key: x for key, x in one.items() if key not in SPENT} for words, one in data.items()}


def plain_answers() -> dict[str, dict[str, Any]]:
    """The same in a process without machine code."""
    env = {**os.environ, "LUDISECT_KERNELS": "plain", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, env=env)
    data: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return data


def test_plain_and_compiled_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "mode", "compiled")
    plain, compiled = plain_answers(), answers()
    assert [*plain] == [" ".join(words) for words in COMMANDS]
    for words in plain:
        assert plain[words] == compiled[words], words
