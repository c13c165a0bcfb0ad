"""Runs the demo as on a new machine, with nothing compiled, and writes what a person sees of it, and when.

python benchmarks/record_demo.py docs/demo.md
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from pathlib import Path

from terminal import COLUMNS, ROWS, Screen, environment, run

TOGETHER = 0.1
"""Lines that come within so many seconds of each other are one block."""

PAGE = """# The demo, as it ran

`benchmarks/record_demo.py` writes this page. It runs `ludisect demo` for the first time, with nothing compiled yet, in
a terminal of {columns} columns and {rows} rows. On the left: the seconds after which the lines from there on were seen.
Colours, and bars that go away when they are done, are left out.

{machine}; {seconds:.0f} s in all.

```text
{lines}
```
"""


def with_seconds(screen: Screen) -> list[str]:
    """The lines, each block with its seconds at the side."""
    out, said = [], -TOGETHER
    for line, seconds in zip(screen.lines, screen.seconds, strict=True):
        begins = bool(line.strip()) and abs(seconds - said) >= TOGETHER
        said = seconds if begins else said
        out.append(f"{f'{seconds:.1f} s' if begins else '':>8}  {line}".rstrip())
    while out and not out[-1]:
        out.pop()
    return out


def main() -> None:
    """Run the demo and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as empty:
        done = run([sys.executable, "-m", "ludisect", "demo"], environment(empty), apart=False)
    if done.code:
        sys.exit(f"the demo ended with {done.code}:\n{done}")
    screen = Screen()
    for seconds, text in done.results:
        screen.write(text, seconds)
    machine = f"{os.cpu_count()} cores, {platform.system()} on {platform.machine()}, Python {platform.python_version()}"
    lines = "\n".join(with_seconds(screen))
    page = PAGE.format(columns=COLUMNS, rows=ROWS, machine=machine, seconds=done.wall, lines=lines)
    options.page.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
