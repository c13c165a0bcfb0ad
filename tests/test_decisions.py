"""Records of decisions: short, all of one form, all in the index; the modules that documents name exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture_page import SOURCE

FOLDER = Path(__file__).parents[1] / "docs" / "decisions"
RECORDS = sorted(FOLDER.glob("[0-9]*.md"))
NAMING = [*RECORDS, *sorted(FOLDER.parent.glob("*.md")), FOLDER.parents[1] / "CONTRIBUTING.md"]


@pytest.mark.parametrize("record", RECORDS, ids=lambda p: p.stem)
def test_records_have_one_form(record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    heads = re.findall(r"^\*\*([^*]+)\.\*\*", text, re.MULTILINE)
    assert heads[:2] == ["Context", "Decision"]
    assert heads[-1] == "Consequences"
    assert text.startswith(f"# {int(record.stem[:4])}. ")


def test_numbers_are_in_a_row() -> None:
    assert [int(record.stem[:4]) for record in RECORDS] == list(range(1, len(RECORDS) + 1))


def test_the_index_has_them_all() -> None:
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[(\d+\. .+)\]\((.+)\)$", index, re.MULTILINE)
    assert [target for _, target in listed] == [record.name for record in RECORDS]
    for title, target in listed:
        head = (FOLDER / target).read_text(encoding="utf-8").splitlines()[0]
        number, _, words = title.partition(". ")
        assert head.lower() in (f"# {title}".lower(), f"# {number}. threshold: {words}".lower())


@pytest.mark.parametrize("page", NAMING, ids=lambda p: p.stem)
def test_modules_that_are_named_exist(page: Path) -> None:
    root = SOURCE.parents[1]
    for name in re.findall(r"`([a-z_]+(?:/[a-z_]+)+)(?:\.\w+)?`", page.read_text(encoding="utf-8")):
        places = [folder / name for folder in (SOURCE, SOURCE / "decomposition", SOURCE / "search", root, root / "src")]
        assert any(p.exists() or any(p.parent.glob(f"{p.name}.*")) for p in places), f"{page.name}: {name}"
