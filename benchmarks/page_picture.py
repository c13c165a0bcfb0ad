"""The picture of the page that the documents show: a position of Domineering, taken apart, with values on the board.

python benchmarks/page_picture.py docs/pictures/bench.png
python benchmarks/page_picture.py bench-dark.png --theme dark
python benchmarks/page_picture.py graph.png --address '#/graph/double-tictactoe' --ready '.box .node'
"""

from __future__ import annotations

import argparse
from pathlib import Path

from browsing import chromium, serving

POSITION = "#/bench/sum:domineering%206x6?l=a.h.e.i.7.5.7.1&at=8&h=001b24c9"
"""After eight moves, which leave four parts."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--address", default=POSITION, help="what stands after the host")
    parser.add_argument("--ready", default="#answer .chip", help="what has to be there (CSS)")
    parser.add_argument("--size", default="1280x800")
    given = parser.parse_args()
    width, height = map(int, given.size.split("x"))
    with serving() as url, chromium() as browser:
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=given.theme)
        page.set_default_timeout(120_000)
        page.goto(url + given.address)
        page.wait_for_selector(given.ready)
        page.wait_for_load_state("networkidle")  # the chart is there, too
        page.screenshot(path=given.file)
    print(f"{given.file}: {given.file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
