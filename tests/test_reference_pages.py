"""The reference pages say what the code says."""

from __future__ import annotations

from pathlib import Path

import ludisect
from ludisect.cli.commands import COMMANDS
from ludisect.cli.options import LIMITS, limits_of
from tests.architecture_page import SOURCE
from tests.reference_pages import FOLDER, HELD, pages


def test_pages_are_up_to_date() -> None:
    for path, text in pages().items():
        shown = path.relative_to(Path(__file__).parents[1])
        assert path.read_text(encoding="utf-8") == text, f"{shown} is out of date; run: python -m tests.reference_pages"


def test_the_numbers_of_every_room_have_a_line() -> None:
    homes = {limits_of(room).__module__ for room in LIMITS}
    paths = [path.relative_to(SOURCE).with_suffix("") for path in SOURCE.rglob("limits.py")]
    assert homes == {".".join(("ludisect", *path.parts)) for path in paths}
    names = [one.name for room in LIMITS for one in limits_of(room).described()]
    assert len(names) == len(set(names)), "--set finds a number by its name alone"
    for room in LIMITS:
        for one in limits_of(room).described():
            assert one.line, one.name
            assert not one.line.endswith("."), one.name
            one.check(one.default)


def test_every_name_and_command_has_its_section() -> None:
    names = (FOLDER / "python.md").read_text(encoding="utf-8")
    for name in ludisect.__all__:
        assert f"### ludisect.{name}\n" in names or f"### {name}\n" in names or f"- `ludisect.{name}` (" in names, name
    assert all(f"### {name}\n" in names for name in HELD)
    commands = (FOLDER / "commands.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"## {name}\n" in commands
        assert f"usage: ludisect {name}" in commands
