"""One server for all tests that do not harm it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi", reason="the server needs fastapi: pip install 'ludisect[web]'")

if sys.platform != "linux":
    pytest.skip("processes are watched through /proc", allow_module_level=True)

from tests.web.bench_server import BenchServer


@pytest.fixture(scope="session")
def server() -> Iterator[BenchServer]:
    made = BenchServer()
    yield made
    made.close()
