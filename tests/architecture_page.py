"""The list of modules in ARCHITECTURE.md, written from their first sentences: ``python -m tests.architecture_page``.

Rooms come in the order of the table at the top of the page, which is kept by hand; a room that it lacks is an error.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import ludisect

SOURCE = Path(ludisect.__file__).parent
PAGE = Path(__file__).parents[1] / "ARCHITECTURE.md"
BEGIN = "<!-- written by python -m tests.architecture_page -->"
END = "<!-- end -->"
COLUMNS = 118
"""No line of the list is longer."""


def page(text: str) -> str:
    """The page with the list that belongs between its markers."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    assert end, f"{PAGE.name} lacks its markers"
    return "\n".join([head + begin, *listing(rooms(head)), end + tail])


def rooms(head: str) -> list[Path]:
    """The rooms as the table has them: folders and modules at the top of the package."""
    found = [SOURCE / name for name in re.findall(r"^\| `([\w.]+)` \|", head, re.MULTILINE)]
    there = {p for p in SOURCE.iterdir() if not p.name.startswith("__") and (p.suffix == ".py" or any(p.glob("*.py")))}
    assert set(found) == there, f"not in the table, or only there: {sorted(p.name for p in set(found) ^ there)}"
    return found


def listing(rooms: list[Path]) -> Iterator[str]:
    """A paragraph per folder, with a line per module; an empty line before each."""
    for room in rooms:
        yield ""
        if room.suffix:
            yield entry(f"**`{room.name}`**: ", room)
            continue
        for folder in [room, *sorted(p.parent for p in room.rglob("*/__init__.py"))]:
            if folder != room:
                yield ""
            yield entry(f"**`{folder.relative_to(SOURCE)}`**: ", folder / "__init__.py")
            for module in sorted(folder.glob("*.py")):
                if module.stem != "__init__":
                    yield entry(f"- `{module.stem}`: ", module)


def entry(title: str, module: Path) -> str:
    """One line about a module: its first sentence, which must fit."""
    line = title + first_sentence(parsed(module))
    if len(line) > COLUMNS:
        raise ValueError(f"{module}: shorten the first sentence of the docstring by {len(line) - COLUMNS} characters")
    return line


@cache
def parsed(module: Path) -> ast.Module:
    """A module as a tree; several tests look at all of them."""
    return ast.parse(module.read_text(encoding="utf-8"))


def first_sentence(module: ast.Module) -> str:
    """The first sentence of a module's docstring in Markdown, without its full stop."""
    doc = ast.get_docstring(module) or ""
    paragraph = " ".join(doc.split("\n\n")[0].split())
    sentence = re.split(r"\. (?=[A-Z])", paragraph)[0].removesuffix(".")
    return re.sub(r":mod:`[\w.]*?(\w+)`", r"`\1`", sentence).replace("``", "`")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
