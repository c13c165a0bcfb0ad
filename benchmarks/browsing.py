"""A server and a browser for measurements and pictures of the page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def serving(*words: str) -> Iterator[str]:
    """The address of a fresh server, which is gone afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ludisect", "web", "--no-browser", "--port", "0", "--json", *words],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            sys.exit("the server did not start")
        yield json.loads(line)["url"]
    finally:
        process.terminate()
        process.wait()


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, found on this machine and never downloaded."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-headless-shell", "google-chrome")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        sys.exit("no chromium on this machine; give its path as CHROMIUM")
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
