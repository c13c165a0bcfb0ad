"""The schema is true: generated requests get no status that it does not declare, and break nothing."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from ludisect.web.application import make_app
from tests.web.bench_server import BenchServer

schemathesis = pytest.importorskip("schemathesis", reason="pip install schemathesis")

CHECKS = [
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_schema_conformance,
]

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large, HealthCheck.large_base_example]


asked = schemathesis.openapi.from_dict(make_app().inner.openapi()).exclude(path_regex="/events$")


def ask(case: Any, server: BenchServer, number: int) -> None:
    """Ask; every other request that names a game or a job names one that is there."""
    games = [server.open(sum="nim 2 + domineering 2x2")["id"], server.open(source="nim:1,2")["id"]]
    if "id" in (case.path_parameters or {}) and number % 2:
        jobs = server.get("/jobs").data["jobs"]
        known = [job["id"] for job in jobs] if "/jobs" in case.operation.path else games
        if known:
            case.path_parameters["id"] = known[number % len(known)]
    if isinstance(case.body, dict) and "game" in case.body and number % 2:
        case.body["game"] = games[number % 2]
    if isinstance(case.body, dict) and "seconds" in case.body:
        case.body["seconds"] = min(case.body["seconds"], 1) if isinstance(case.body["seconds"], int | float) else 1
    case.call_and_validate(base_url=server.url.rstrip("/"), checks=CHECKS)


@asked.parametrize()  # type: ignore[untyped-decorator]
@settings(max_examples=6, deadline=None, suppress_health_check=QUIET)
def test_generated_requests(case: Any, server: BenchServer) -> None:
    ask(case, server, crc32(repr(case.body).encode("utf-8", "replace")))


@pytest.mark.slow
@asked.parametrize()  # type: ignore[untyped-decorator]
@settings(max_examples=50, deadline=None, suppress_health_check=QUIET)
def test_many_generated_requests(case: Any, server: BenchServer) -> None:
    ask(case, server, crc32(repr(case.body).encode("utf-8", "replace")))
