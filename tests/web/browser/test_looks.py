"""How the page looks: themes, sizes from phone to projector, colours of parts, text that can be read, axe."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser

from tests.web.bench_server import BenchServer
from tests.web.browser.conftest import SHOTS
from tests.web.browser.window import Window

Theme = Literal["light", "dark"]
SIZES = {"laptop": (1280, 800), "projector": (1920, 1080), "tablet": (820, 1180), "phone": (390, 844)}
THEMES: tuple[Theme, ...] = ("light", "dark")
PAGE = Path(__file__).parents[3] / "src" / "ludisect" / "web" / "page"

FALLEN_APART = (
    "#/bench/sum:domineering%20..%23...%7C%23%23%23%23..%7C.%23%23%23..%7C.%23.%23%23.%7C..%23.%23%23%7C.%23%23..."
)
PLAYED = "#/bench/double-tictactoe?l=4.0.9.4&at=4&tab=tree"
VIEWS = {
    "parts": (FALLEN_APART, "#panel .thermograph"),
    "tree": (PLAYED, ".tree [aria-current]"),
    "why": ("#/bench/nim:3,5,7?tab=why", ".whybox h3"),
    "list": ("#/bench/rock-paper-scissors", "#boards"),
    "graph": ("#/graph/double-tictactoe", ".box .node"),
    "rules": ("#/rules/double-tictactoe", "textarea.code"),
    "run": ("#/run/double-tictactoe", "form[aria-label=Simulate]"),
}

SMALL = """() => {
  const small = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim();
    const element = walk.currentNode.parentElement;
    const hidden = '.unseen, noscript, script, option, datalist, title, desc';
    if (!text || !element.checkVisibility() || element.closest(hidden)) continue;
    const scale = element instanceof SVGElement ? Math.abs(element.getScreenCTM().d) : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < 11.99) small.push(`${text.slice(0, 30)}: ${size}`);
  }
  return small;
}"""

OVERLAPPING = """() => {
  const found = [];
  for (const svg of document.querySelectorAll('svg')) {
    const texts = [...svg.querySelectorAll('text')].filter(text => text.textContent.trim());
    const boxes = texts.map(text => text.getBoundingClientRect());
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, j) => {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1.5 && high > 5) found.push(`${texts[i].textContent} / ${texts[i + 1 + j].textContent}`);
    }));
  }
  return found;
}"""

SOME = ("parts", "tree", "graph", "rules", "run")
"""Views that are looked at in other sizes than the laptop's."""

Opener = Callable[[tuple[int, int], Theme], Window]


@pytest.fixture
def opened(browser: Browser, bench: BenchServer) -> Iterator[Opener]:
    windows: list[Window] = []

    def make(size: tuple[int, int], theme: Theme) -> Window:
        windows.append(Window(browser, bench.url, size, theme, touch=size[0] < 600))
        return windows[-1]

    yield make
    for window in windows:
        window.context.close()
    bench.end_jobs()
    assert all(window.complaints == [] for window in windows)


def _shot(window: Window, name: str) -> None:
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        window.page.screenshot(path=Path(SHOTS) / f"{name}.png")


def _fits(window: Window, name: str) -> None:
    assert window.asked("document.documentElement.scrollWidth <= innerWidth"), f"{name} scrolls sideways"
    assert window.asked(SMALL) == [], name
    assert window.asked(OVERLAPPING) == [], name


@pytest.mark.parametrize("size", SIZES)
def test_every_view_fits_and_axe_finds_nothing(opened: Opener, size: str) -> None:
    """No size scrolls sideways or has text that is small or overlaps, light or dark; axe looks at the laptop's."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
    window = opened(SIZES[size], "light")
    for name, (address, ready) in VIEWS.items():
        if size != "laptop" and name not in SOME:
            continue
        window.open(address)
        window.page.wait_for_selector(ready)
        if "bench" in address and name != "list":
            window.solved()
        for theme in _themes(window):
            _shot(window, f"{size}-{name}-{theme}")
            _fits(window, f"{size} {name} {theme}")
            if size == "laptop":
                _axe(axe, window, theme)


def test_axe_finds_nothing_in_dialogs_and_on_the_phone(opened: Opener) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")

    def look(window: Window) -> None:
        for theme in _themes(window):
            _axe(axe, window, theme)

    window = opened(SIZES["laptop"], "light").bench(FALLEN_APART).solved()
    for keys, ready in (("g", "#gamesdialog .gamerow"), ("?", "#keysdialog table"), ("Control+k", "#palettelist li")):
        window.key(keys)
        window.page.wait_for_selector(ready)
        look(window)
        window.key("Escape")
        window.until("() => !document.querySelector('dialog')")
    window.page.click(".thermobutton >> nth=0")
    window.page.wait_for_selector("#thermographdialog svg")
    look(window)
    look(opened(SIZES["phone"], "light").bench(FALLEN_APART).solved())


def _themes(window: Window) -> Iterator[Theme]:
    """Show the page as it is in one theme after the other, the light one at last; opened in the dark it is the same."""
    for theme in THEMES[::-1]:
        window.asked(f"document.documentElement.dataset.theme = '{theme}'")
        window.drawn()
        yield theme


def _axe(axe: Any, window: Window, theme: Theme) -> None:
    """All rules in the light; in the dark the one that colours can break, which is the same page otherwise."""
    rules = {} if theme == "light" else {"runOnly": ["color-contrast"]}
    found = axe.Axe().run(window.page, options={"resultTypes": ["violations"], **rules}).response["violations"]
    told = [
        f"{each['id']}: {each['help']}: {node['target']} {node['html'][:200]}"
        for each in found
        for node in each["nodes"][:3]
    ]
    assert told == []


def test_dark_and_light_by_key_and_by_system(opened: Opener) -> None:
    window = opened(SIZES["laptop"], "dark").bench()
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert window.asked(ground) == "rgb(15, 18, 22)"
    window.key("d")
    window.until("() => document.documentElement.dataset.theme === 'light'")
    assert window.asked(ground) == "rgb(244, 245, 247)"
    window.page.reload()
    window.page.wait_for_selector("#boards svg")
    assert window.asked(ground) == "rgb(244, 245, 247)"


def test_a_laptop_needs_no_scrolling(opened: Opener) -> None:
    window = opened(SIZES["laptop"], "light").bench(FALLEN_APART).solved()
    assert window.asked("document.documentElement.scrollHeight <= innerHeight")


def test_the_projector_has_no_tabs_and_a_board_over_half_of_its_height(opened: Opener) -> None:
    window = opened(SIZES["projector"], "light").bench(FALLEN_APART).solved()
    assert window.page.is_hidden("#tabs")
    assert window.count(".opensection") == 3
    box = window.page.locator("#boards svg").bounding_box()
    assert box
    assert box["height"] > 1080 / 2
    assert window.asked("parseFloat(getComputedStyle(document.body).fontSize)") == 17
    assert window.asked("parseFloat(getComputedStyle(document.querySelector('.term')).fontSize)") == 26


def test_the_phone_stacks_boards_and_keeps_the_buttons_at_hand(opened: Opener) -> None:
    window = opened(SIZES["phone"], "light").bench("#/bench/sum:domineering%204x4%20%2B%20domineering%204x4").solved()
    first, second = (each.bounding_box() for each in window.all("#boards svg").all())
    assert first
    assert second
    assert second["y"] > first["y"] + first["height"] - 1
    cell = window.page.locator("#boards .cell:not(.edge) .hit").first.bounding_box()
    assert cell
    assert min(cell["width"], cell["height"]) >= 44
    for place in window.all(".transport button:visible").all():
        box = place.bounding_box()
        assert box
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= 844
    window.page.tap("#boards [data-stop] >> nth=4")
    window.until("() => /[?&]at=1/.test(location.hash)")


def test_parts_have_the_colours_of_the_table(opened: Opener) -> None:
    css = (PAGE / "base.css").read_text()
    for theme in THEMES:
        block = (
            css.split(':root[data-theme="dark"]')[1] if theme == "dark" else css.split(':root[data-theme="dark"]')[0]
        )
        table = {int(n): colour for n, colour in re.findall(r"--p(\d): (#[0-9a-f]{6});", block)}
        assert len(table) == 8
        window = opened(SIZES["laptop"], theme).bench(FALLEN_APART)
        for part, stroke in window.asked(
            "[...document.querySelectorAll('.partmark')].map(mark =>"
            " [Number(mark.dataset.part), getComputedStyle(mark.querySelector('.outline')).stroke])"
        ):
            red, green, blue = map(int, re.findall(r"\d+", stroke))
            assert f"#{red:02x}{green:02x}{blue:02x}" == table[(part - 1) % 8 + 1]


def test_the_whole_page_is_small_and_from_here(opened: Opener, bench: BenchServer) -> None:
    window = opened(SIZES["laptop"], "light").bench().solved()
    files = window.asked(
        "['navigation', 'resource'].flatMap(kind => performance.getEntriesByType(kind))"
        ".map(entry => [entry.name, entry.transferSize])"
    )
    assert all(name.startswith(bench.url) for name, _ in files)
    page = [size for name, size in files if "/page/" in name or name.split("#")[0] == bench.url]
    assert len(page) > 20
    assert sum(page) < 200_000
    assert json.loads(window.page.locator("#first").text_content() or "null") is not None
