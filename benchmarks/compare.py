"""Two files of figures of the same benchmark, side by side: what changed by a tenth and by enough to matter.

    python benchmarks/compare.py old.json new.json
    python benchmarks/compare.py old.json new.json --ratio 1.2 --floor 0.05 --all

Rows are matched by their names (``game``, ``name``, ``command`` and other texts), figures by theirs. A number is marked
only if it differs by the ratio *and* by the floor; a text, a yes or a no whenever it differs. The exit code is 1 if
something other than a number differs: an answer, a verdict, a row that is missing.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from results import read

NAMES = ("game", "name", "command", "case", "method", "kind", "parts", "depth")
"""What tells the rows of a list apart, if they have it."""

Figure = float | str | bool | None


def flat(figures: Any, at: str = "") -> Iterator[tuple[str, Figure]]:
    """Every figure with its place, such as ``rows/tictactoe/seconds``."""
    if isinstance(figures, Mapping):
        for name, inner in figures.items():
            yield from flat(inner, f"{at}/{name}" if at else str(name))
    elif isinstance(figures, list):
        seen: dict[str, int] = {}
        for number, inner in enumerate(figures):
            name = _name(inner) or str(number)
            seen[name] = seen.get(name, 0) + 1
            name = name if seen[name] == 1 else f"{name}#{seen[name]}"
            yield from flat(inner, f"{at}/{name}" if at else name)
    else:
        yield at, figures


def _name(row: Any) -> str:
    if not isinstance(row, Mapping):
        return ""
    return " ".join(str(row[key]) for key in NAMES if isinstance(row.get(key), (str, int)))


def is_number(value: Figure) -> bool:
    """A figure that may vary from run to run: no yes, no and no text."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def differs(old: Figure, new: Figure, ratio: float, floor: float) -> bool:
    """Whether a figure has changed by enough to be told."""
    if not is_number(old) or not is_number(new):
        return old != new
    one, other = float(old or 0.0), float(new or 0.0)
    if math.isnan(one) or math.isnan(other):
        return not (math.isnan(one) and math.isnan(other))
    low, high = sorted((abs(one), abs(other)))
    return abs(one - other) >= floor and (one * other <= 0 or high >= ratio * low)


def _shown(value: Figure) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def main() -> int:
    """Print what differs; 1 if something other than a number does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--ratio", type=float, default=1.1, help="the least ratio that counts (1.1)")
    parser.add_argument("--floor", type=float, default=0.005, help="the least difference that counts (0.005)")
    parser.add_argument("--all", action="store_true", help="print the figures that did not change, too")
    options = parser.parse_args()
    before, after = read(options.old), read(options.new)
    if before["benchmark"] != after["benchmark"]:
        sys.exit(f"{options.old} is of {before['benchmark']}.py, {options.new} of {after['benchmark']}.py")
    for found in (before, after):
        machine = found["machine"]
        print(f"{found['version']} ({found['commit']}), {found['date']}, {machine['processor']}: {found['command']}")
    old, new = dict(flat(before["figures"])), dict(flat(after["figures"]))
    told = worse = 0
    for place in dict.fromkeys([*old, *new]):
        one, other = old.get(place, "absent"), new.get(place, "absent")
        changed = differs(one, other, options.ratio, options.floor)
        told += changed
        worse += changed and not (is_number(one) and is_number(other))
        if changed or options.all:
            both = is_number(one) and is_number(other) and float(one or 0.0) != 0.0
            ratio = f"{float(other or 0.0) / float(one or 0.0):8.2f}x" if both else f"{'':9}"
            print(f"{'*' if changed else ' '} {place:60} {_shown(one):>14} {_shown(other):>14} {ratio}")
    print(f"{len(old)} and {len(new)} figures; {told} differ, {worse} of them in more than a number")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
