"""Fixtures that tests of several rooms share."""

from __future__ import annotations

import gc
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from ludisect.kernels import kernel

# The clock decides no test: on a busy machine a good example may take long.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

# Tests as they are collected are no garbage: looking for some takes a third of the time, and after that a tenth.
gc.disable()

SWEEP_SECONDS = 4 * 3600

CORPUS = Path(__file__).parents[2] / "shared" / "corpus"
"""Public games and traces of another engine; they live beside the repository, not in it."""


@pytest.fixture(scope="session", autouse=True)
def interrupts() -> None:
    """Ctrl-C works, also where the suite runs in the background of a shell that ignores it."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def kernels_as_declared() -> None:
    """A kernel that is called with arguments its signatures do not foresee fails: users would wait for a compiler."""
    kernel.strict = True


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of the corpus: ``games/*.kif``, ``traces/*.jsonl.gz``, ``labels.json``."""
    if not CORPUS.is_dir():
        pytest.skip("the corpus of public games is not at ../shared/corpus")
    return CORPUS


def pytest_collection_finish(session: pytest.Session) -> None:
    """From now on garbage is looked for, among what tests make: to look through all else takes a second."""
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow sweeps unless markers are asked for (``pytest -m slow``); they may take hours."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(SWEEP_SECONDS))
            if not config.option.markexpr:
                item.add_marker(pytest.mark.skip(reason="slow; run by hand with pytest -m slow"))
