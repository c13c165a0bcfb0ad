"""One server and one browser for all tests of the page; a fresh window for each, whose console must stay clean."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="the page is tested in a browser: pip install playwright")

from playwright.sync_api import Browser, sync_playwright

from tests.web.bench_server import BenchServer
from tests.web.browser.window import Window

OWN = Path(__file__).with_name("own_rulesets.py")
SHOTS = os.environ.get("SHOTS")
"""A folder for pictures of every view, if somebody wants to look at them."""

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first has no window to show, which saves a third of the work."""

FLAGS = ["--no-sandbox", "--disable-gpu", "--renderer-process-limit=1"]
"""At the limit no process is made ahead for a page that may come: most of them would be for nothing."""


def chromium() -> str:
    """Where a browser is."""
    for name in (os.environ.get("CHROMIUM", ""), *BROWSERS):
        if found := shutil.which(name):
            return found
    pytest.skip("no chromium on this machine")


@pytest.fixture(scope="session")
def bench() -> Iterator[BenchServer]:
    made = BenchServer("--games", str(OWN))
    made.open(source="double-tictactoe")  # the warm process is there
    yield made
    made.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    with sync_playwright() as tool:
        made = tool.chromium.launch(executable_path=path, args=FLAGS)
        yield made
        made.close()


@pytest.fixture
def window(browser: Browser, bench: BenchServer) -> Iterator[Window]:
    with Window(browser, bench.url) as made:
        yield made
    bench.end_jobs()
    assert made.complaints == []
