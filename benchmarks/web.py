"""What a person waits for in the browser: the first page of a fresh server, first paint, a move, a redraw.

    python benchmarks/web.py --repeat 15 --json web.json

Seconds from the start of `ludisect web` to the first answer, to the board and to the values on it; milliseconds to the
first paint (first page, and median of the next), from a click to the new board, of a redraw of the board and of the
whole bench with layout, and to put a large picture through the list of what is allowed. Medians, and the 95th of 100.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path
from typing import Any

import results
from browsing import chromium, serving

PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"

MOVE = """async () => {
  const stop = document.querySelector('#boards [data-stop]');
  const before = document.querySelector('#boards').innerText + document.querySelectorAll('#boards [data-stop]').length;
  const start = performance.now();
  const drawn = new Promise(done => new MutationObserver(() => {
    const now = document.querySelector('#boards').innerText + document.querySelectorAll('#boards [data-stop]').length;
    if (now !== before) done();
  }).observe(document.querySelector('#boards'), {childList: true, subtree: true}));
  stop.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  await drawn;
  return performance.now() - start;
}"""

REDRAW = """async ([what, times]) => {
  const {tell} = await import('/page/store.js');
  const {buildBench} = await import('/page/bench.js');
  const taken = [];
  for (let i = 0; i < times; i += 1) {
    await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
    const start = performance.now();
    if (what === 'board') tell('look');
    else buildBench(document.getElementById('main'));
    document.body.getBoundingClientRect();
    taken.push(performance.now() - start);
  }
  return taken;
}"""

PICTURE = """async (size) => {
  const {svgFrom} = await import('/page/safe.js');
  const one = '<g data-part="1"><rect class="p1" x="1" y="2" width="30" height="30"/><text x="3" y="4">x</text></g>';
  const many = one.repeat(Math.ceil(size / one.length));
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${many}</svg>`;
  const start = performance.now();
  document.body.append(svgFrom(text));
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""


def measure(repeat: int) -> dict[str, Any]:
    """All figures."""
    started = time.perf_counter()
    with serving() as url:
        answered = time.perf_counter() - started
        with chromium() as browser:
            opened = time.perf_counter()
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_default_timeout(120_000)
            page.goto(url)
            page.wait_for_selector("#boards svg")
            board = time.perf_counter() - opened
            page.wait_for_selector("#boards .pill.best")
            values = time.perf_counter() - opened
            first = page.evaluate(PAINT)
            paints = []
            for _ in range(repeat):
                page.goto("about:blank")
                page.goto(url)
                page.wait_for_selector("#boards svg")
                paints.append(page.evaluate(PAINT))
            moves = []
            for _ in range(8):
                page.wait_for_selector("#boards [data-stop]")
                page.wait_for_load_state("networkidle")
                moves.append(page.evaluate(MOVE))
            page.goto("about:blank")
            page.goto(url + "#/bench/breakthrough")
            page.wait_for_selector("#boards svg")
            board_times = page.evaluate(REDRAW, ["board", repeat * 2])
            all_times = page.evaluate(REDRAW, ["all", repeat * 2])
            large = page.evaluate(PICTURE, 300_000)
            sizes = page.evaluate(
                "performance.getEntriesByType('resource').filter(e => e.name.includes('/page/'))"
                ".map(e => [e.transferSize, e.decodedBodySize])"
            )
    return {
        "server answers, s": answered,
        "board on the first page, s": board,
        "values on the first page, s": values,
        "first paint of the first page, ms": first,
        "first paint, ms": spread(paints),
        "click to board, ms": spread(moves),
        "redraw of a board of 64 squares, ms": spread(board_times),
        "redraw of the whole bench, ms": spread(all_times),
        "300 kB of SVG put in, ms": large,
        "files of the page, bytes": sum(size for _, size in sizes),
    }


def spread(taken: list[float]) -> dict[str, float]:
    """The median and the 95th of 100."""
    ordered = sorted(taken)
    return {"median": statistics.median(ordered), "p95": ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = measure(given.repeat)
    for name, value in found.items():
        shown = f"{value['median']:.1f} (p95 {value['p95']:.1f})" if isinstance(value, dict) else f"{value:,.2f}"
        print(f"{name:44} {shown}")
    if given.json:
        results.write(given.json, found)


if __name__ == "__main__":
    main()
