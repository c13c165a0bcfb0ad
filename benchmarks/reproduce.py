"""Every table and figure of the five documents that can be had again, as one page: theirs, ours, and why they differ.

    python benchmarks/reproduce.py --games GAMES --labels LABELS.json     (make reproduce)

Measures each exhibit, keeps its figures as JSON, and writes ``docs/reproduction.md`` with plots. Interrupted, it goes
on where it was: an exhibit is done when its figures are there, from this version; ``--again`` does it anew.
Without a folder of public rule sheets, what needs one is said to be missing. NAMES pick exhibits.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import results
from ludisect.kernels.workers import compile_all
from ludisect.sweep.sweepplan import version
from reproduction import guenther, hufschmitt, maeser, zhao
from reproduction.exhibit import Bench, Exhibit, NeedsGames

EXHIBITS = [*zhao.EXHIBITS, *guenther.EXHIBITS, *hufschmitt.EXHIBITS, *maeser.EXHIBITS]
PAGE = results.ROOT / "docs" / "reproduction.md"
KEPT = results.ROOT / "benchmarks" / "results" / "reproduction"

HEAD = """# The papers' tables, theirs and ours

Written by `make reproduce`, which runs `benchmarks/reproduce.py`; every table is measured by it. Seconds are of
processor time unless it says otherwise. Machines differ by up to twenty-five years: what compares is one search beside
another on the same side, and every value. ✓ marks a value that is equal to the printed one, ✕ one that is not; the
text below the table says why. Slips of the documents are in [errata](errata.md).
"""

MISSING = """## What cannot be had

- Zhao 2009: the values in Figure 5.1 and the board of the paper's Figure 3; Double-Crisscross2, whose rules were not
  published.
- Günther 2007: the drawing of Figure 3.1 and the rules of *incredible* are replaced by a game of the same form.
- Hufschmitt et al. 2018: the 597 rule sheets and their labels; times for an hour a game; the columns DNFD and DNF of
  Figure 8, which are of a program that was not published; the drawing of Figure 7.
- Mäser 2001: all diagrams; endgame 6; the boards of Figure 8.10; nodes of Crafty. Figures 8.2, 8.3, 8.5, 8.6 and 8.9
  are drawings of single positions, which the text does not give; the thermographs of Figure 8.8 are the stops and
  temperatures in the table of Figure 8.7.
"""


def file_of(exhibit: Exhibit) -> Path:
    """Where the figures of an exhibit are kept."""
    return KEPT / f"{exhibit.name}.json"


def is_done(exhibit: Exhibit) -> bool:
    """Whether its figures are there and of this version."""
    path = file_of(exhibit)
    return path.exists() and results.read(path)["figures"]["source"] == version()


def measure(exhibit: Exhibit, bench: Bench) -> None:
    """Measure and keep; a figure that needs rule sheets is left out without them."""
    begin = time.monotonic()
    try:
        found = exhibit.measure(bench)
    except NeedsGames:
        print(f"{exhibit.name}: left out, it needs --games (and --labels)", file=sys.stderr)
        return
    KEPT.mkdir(parents=True, exist_ok=True)
    results.write(file_of(exhibit), {"source": version(), "ours": found})
    print(f"{exhibit.name}: {time.monotonic() - begin:.1f} s", file=sys.stderr)


def sections(pictures: Path) -> Iterator[str]:
    """The page, exhibit by exhibit, from what is kept."""
    yield HEAD
    source = ""
    for exhibit in EXHIBITS:
        if exhibit.source != source:
            source = exhibit.source
            yield f"## {source}\n"
        yield f"### {exhibit.title}\n"
        if not file_of(exhibit).exists():
            games = " --games GAMES --labels LABELS.json" if exhibit.needs_games else ""
            yield f"Not measured yet: `python benchmarks/reproduce.py {exhibit.name}{games}`.\n"
            continue
        kept = results.read(file_of(exhibit))
        yield from exhibit.show(kept["figures"]["ours"])
        if exhibit.plot is not None:
            picture = pictures / f"reproduction-{exhibit.name}.svg"
            draw(exhibit, kept["figures"]["ours"], picture)
            yield f"\n![{exhibit.title}](pictures/{picture.name})"
        yield f"\n{told(kept, exhibit)}\n"
    yield MISSING


def told(kept: dict[str, Any], exhibit: Exhibit) -> str:
    """Where the figures come from."""
    machine = kept["machine"]
    return (
        f"`python benchmarks/reproduce.py {exhibit.name}`, version {kept['figures']['source']}, {kept['date']}, "
        f"{machine['processor']}, {machine['cores']} cores, Python {machine['python']}."
    )


def draw(exhibit: Exhibit, found: Any, path: Path) -> None:
    """The plot; the same bytes from the same figures."""
    import matplotlib

    matplotlib.rcParams["svg.hashsalt"] = exhibit.name
    assert exhibit.plot is not None
    exhibit.plot(json.loads(json.dumps(found)), path)
    text = path.read_text(encoding="utf-8")
    path.write_text("\n".join(line.rstrip() for line in text.splitlines() if "<dc:date>" not in line) + "\n", "utf-8")


def main() -> int:
    """Measure what is not done, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(e.name for e in EXHIBITS)} (all)")
    parser.add_argument("--games", type=Path, help="a folder of public rule sheets")
    parser.add_argument("--labels", type=Path, help="known decompositions of some of them")
    parser.add_argument("--seconds", type=float, default=60.0, help="limit of each whole search")
    parser.add_argument("--game-seconds", type=float, default=60.0, help="limit of each game in a sweep")
    parser.add_argument("--jobs", type=int, help="games at a time in a sweep (the cores)")
    parser.add_argument("--again", action="store_true", help="measure also what is done")
    parser.add_argument("--page-only", action="store_true", help="measure nothing, write the page from what is kept")
    options = parser.parse_args()
    unknown = {*options.names} - {e.name for e in EXHIBITS}
    if unknown:
        parser.error(f"there is no exhibit {', '.join(sorted(unknown))}")
    wanted = [e for e in EXHIBITS if not options.names or e.name in options.names]
    stores = results.ROOT / ".reproduction"
    stores.mkdir(exist_ok=True)
    bench = Bench(options.seconds, options.games, options.labels, stores, options.game_seconds, options.jobs)
    if not options.page_only:
        compile_all(["solve", "simulate", "decompose"])
        try:
            for exhibit in wanted:
                if options.again or not is_done(exhibit):
                    measure(exhibit, bench)
        except KeyboardInterrupt:
            print("interrupted; the same command goes on from here", file=sys.stderr)
    pictures = PAGE.parent / "pictures"
    PAGE.write_text("\n".join(sections(pictures)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
