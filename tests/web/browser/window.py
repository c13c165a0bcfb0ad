"""A window of the browser with the page in it: what tests do and ask."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any, Literal

from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page

WAIT = int(os.environ.get("BROWSER_WAIT", "60000"))
"""Milliseconds until a condition that never comes is given up: only for machines that stand still."""


class Window:
    """A page in a context of its own."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        size: tuple[int, int] = (1280, 800),
        theme: Literal["light", "dark"] = "light",
        *,
        touch: bool = False,
    ) -> None:
        self.url = url
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=theme,
            has_touch=touch,
            permissions=["clipboard-read", "clipboard-write"],
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(WAIT)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.refusals = False
        """Whether the server is meant to refuse something: browsers report that in the console."""
        self.page.on("console", self._heard)
        self.page.on("pageerror", self._broke)

    def __enter__(self) -> Window:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.context.close()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not (self.refusals and "Failed to load resource" in message.text):
            self.complaints.append(f"{message.type}: {message.text}")

    def _broke(self, error: Error) -> None:
        self.complaints.append(f"broke: {error}")

    # ---- doing ------------------------------------------------------------------------------------------------------

    def open(self, address: str = "") -> Window:
        """Load the page at an address (what stands after the host) and wait until something is drawn."""
        if self.page.url != "about:blank":
            self.page.goto("about:blank")  # else a new fragment would be a step inside the same document
        self.page.goto(self.url + address)
        self.page.wait_for_selector("#main > *")
        self.page.wait_for_selector(".views [aria-current=page]")
        return self

    def bench(self, address: str = "") -> Window:
        """The page with a board on it."""
        self.open(address)
        self.page.wait_for_selector("#boards svg[role=grid]")
        return self

    def graph(self, address: str) -> Window:
        """The page with a graph on it that is not drawn anew: the edges are there, and the position came a second time,
        as it does once the game is taken apart."""
        self.open(address)
        self.page.wait_for_selector(".box .inside")
        came = "performance.getEntriesByType('resource').filter(each => each.name.endsWith('/position'))"
        self.until(f"() => {came}.length > 1")
        self.drawn()
        return self

    def taken_apart(self) -> Window:
        self.page.wait_for_selector("#sumline .chip")
        return self

    def solved(self) -> Window:
        """Wait for values of the position in front."""
        self.page.wait_for_selector("#answer .chip")
        return self

    def until(self, expression: str, argument: Any = None) -> None:
        self.page.wait_for_function(expression, arg=argument)

    def until_text(self, selector: str, pattern: str) -> None:
        """Wait until the text of something matches a regular expression (of JavaScript)."""
        look = "([at, like]) => new RegExp(like).test(document.querySelector(at)?.textContent ?? '')"
        self.until(look, [selector, pattern])

    def key(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)

    def click_square(self, board: int, row: int, column: int) -> None:
        self.page.click(f'[role=gridcell][data-board="{board}"][data-row="{row}"][data-column="{column}"]')

    # ---- asking -----------------------------------------------------------------------------------------------------

    def all(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def text(self, selector: str) -> str:
        self.drawn()
        return self.page.inner_text(selector)

    def count(self, selector: str) -> int:
        self.drawn()
        return self.page.locator(selector).count()

    def drawn(self) -> None:
        """Wait for the frame in which what has changed is drawn: a press has to be over first."""
        frames = "requestAnimationFrame(() => requestAnimationFrame(() => done()))"
        self.page.evaluate(f"() => new Promise((done) => setTimeout(() => {frames}))")

    def ply(self) -> int:
        """How many moves have been made, as the transport says."""
        return int(self.text(".plies").split()[1])

    def until_ply(self, number: int) -> None:
        self.until("n => document.querySelector('.plies')?.textContent.startsWith(`move ${n} of`)", number)

    def asked(self, expression: str) -> Any:
        return self.page.evaluate(expression)
