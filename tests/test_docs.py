"""What the documents say is true: their examples run, every command is named."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from ludisect.cli.commands import COMMANDS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_examples_run(page: Path) -> None:
    flags = doctest.NORMALIZE_WHITESPACE
    failures, _ = doctest.testfile(str(page), module_relative=False, optionflags=flags, encoding="utf-8")
    assert failures == 0


SOURCE = ROOT / "src"
WITH_EXAMPLES = [path for path in sorted(SOURCE.rglob("*.py")) if ">>>" in path.read_text(encoding="utf-8")]


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=module_name)
def test_examples_of_the_source_run(path: Path) -> None:
    """All of them: what stands where no docstring is, or in a function inside another, would never be tried."""
    written = sum(line.lstrip().startswith(">>>") for line in path.read_text(encoding="utf-8").splitlines())
    failed, tried = doctest.testmod(import_module(module_name(path)), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert (failed, tried) == (0, written)


def test_readme_names_every_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"ludisect {command}" in text or f"make {command}" in text, command


def test_links_in_documents_exist() -> None:
    import re

    for page in [
        *PAGES,
        *(ROOT / "docs").glob("*/*.md"),
        ROOT / "CONTRIBUTING.md",
        ROOT / "ARCHITECTURE.md",
        ROOT / "benchmarks" / "README.md",
    ]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
