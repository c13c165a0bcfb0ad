"""Coroutines in tests, run in a thread of their own: a browser that is driven leaves a loop running in this one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

T = TypeVar("T")


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine gives."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(copy_context().run, asyncio.run, work).result()  # with the numbers in force
