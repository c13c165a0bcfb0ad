"""Functions drawn at random, without their place: ``python -m tests.draw_functions --seed 1 --count 30 > drawn.txt``.

A trial of ARCHITECTURE.md: who has read that page and nothing else names the folder of each function; the key, written
to another file, tells how many were right.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.architecture_page import SOURCE, parsed


@dataclass(frozen=True)
class Drawn:
    """A function of ours: its source by itself, and where it stands."""

    folder: str
    """As ARCHITECTURE.md writes it: ``search/part``, or ``clock.py`` for a module that is a room of its own."""

    place: str
    text: str


@cache
def functions(least: int) -> tuple[Drawn, ...]:
    """All functions and methods that have so many lines below their signature and docstring."""
    return tuple(_functions(least))


def _functions(least: int) -> Iterator[Drawn]:
    for path in sorted(SOURCE.rglob("*.py")):
        inside = path.relative_to(SOURCE)
        folder = inside.name if inside.parent == Path() else inside.parent.as_posix()
        lines = path.read_text(encoding="utf-8").splitlines()
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                if body and (body[-1].end_lineno or 0) - body[0].lineno + 1 >= least:
                    source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                    yield Drawn(folder, f"{inside.as_posix()}:{node.lineno}", without_places(textwrap.dedent(source)))


def without_places(text: str) -> str:
    """The source with the names of our modules blotted out, where a function imports or cites some."""
    return re.sub(r"\bludisect(\.\w+)+", "ludisect.…", text)


def draw(seed: int, count: int, least: int) -> list[Drawn]:
    """The same functions for the same seed, as long as the house does not change."""
    return random.Random(seed).sample(functions(least), count)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--lines", type=int, default=3, help="shorter functions are not drawn")
    parser.add_argument("--key", type=Path, help="where the answers go (key-SEED.txt)")
    asked = parser.parse_args()
    drawn = draw(asked.seed, asked.count, asked.lines)
    for number, one in enumerate(drawn, 1):
        print(f"\n######## {number}\n{one.text}")
    key = asked.key or Path(f"key-{asked.seed}.txt")
    key.write_text("".join(f"{n}\t{one.folder}\t{one.place}\n" for n, one in enumerate(drawn, 1)), encoding="utf-8")


if __name__ == "__main__":
    main()
