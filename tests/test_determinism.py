"""The same seed gives the same answer: whatever the order of sets, the number of threads and what else runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.answers import answers, untimed

GAMES = ("double-tictactoe", "relay", "rock-paper-scissors", "kayles:4,2")
SUMS = ("domineering 4x4 + {3|{1|-2}} + *2", "clobber XOXOX|OXOXO + toads TT.FF + ^")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")


@contextmanager
def busy() -> Iterator[None]:
    """Others keep the machine busy."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
        try:
            yield
        finally:
            other.kill()


def said(hash_seed: int, threads: int) -> Mapping[str, Any]:
    env = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.pathsep.join(sys.path)}
    env |= dict.fromkeys(THREADS, str(threads))
    command = [sys.executable, "-m", "tests.answers", *GAMES, *SUMS]
    data: Mapping[str, Any] = json.loads(subprocess.run(command, env=env, check=True, capture_output=True).stdout)
    return data


def test_other_hashes_threads_and_load_change_nothing() -> None:
    with busy():
        pressed = said(hash_seed=1, threads=2)
    alone = said(hash_seed=2, threads=1)
    for name in (*GAMES, *SUMS):
        for what in alone[name]:
            assert pressed[name][what] == alone[name][what], (name, what)
    assert pressed == alone


def test_the_comparison_sees_everything_but_times() -> None:
    one = answers("nim:1,2")
    assert one == answers("nim:1,2")
    assert "seconds" not in json.dumps(one)
    other = answers("nim:2,1")
    assert [what for what in one if one[what] == other[what]] == []
    assert untimed({"seconds": 1, "nodes": [{"seconds": 2}, 3]}) == {"nodes": [{}, 3]}
