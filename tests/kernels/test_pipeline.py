"""The whole way from rules to an answer, with machine code and without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

SPENT = ("seconds", "build_seconds", "playouts_per_second", "states_per_second")


def answer(mode: str, *words: str) -> dict[str, Any]:
    """What a command prints, but for how long it took."""
    done = subprocess.run(
        [sys.executable, "-m", "ludisect", *words, "--json"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "LUDISECT_KERNELS": mode},
    )
    data: dict[str, Any] = json.loads(done.stdout)
    return {key: value for key, value in data.items() if key not in SPENT}


@pytest.mark.parametrize(
    "words",
    [
        ("decompose", "tictactoe"),
        ("decompose", "blocks-maze"),
        ("decompose", "nim:2,3", "--method", "playouts"),
        ("solve", "nim:2,3"),
        ("solve", "rock-paper-scissors"),
        ("solve", "lights-on-parallel"),
        ("solve", "tictactoe", "--by", "whole"),
        ("simulate", "nim:2,3", "-n", "1000"),
    ],
    ids=" ".join,
)
def test_plain_and_compiled_say_the_same(words: tuple[str, ...]) -> None:
    assert answer("plain", *words) == answer("compiled", *words)
