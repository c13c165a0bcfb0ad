"""What the documents say is true: their examples run, every command is named."""

from __future__ import annotations

import doctest
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from ludisect import decompose, load
from ludisect.cli.commands import COMMANDS
from ludisect.pawnendings import analyse
from ludisect.pawnendings.diagram import ending_svg
from tests.cli.test_cli import run

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_examples_run(page: Path) -> None:
    flags = doctest.NORMALIZE_WHITESPACE
    failures, _ = doctest.testfile(str(page), module_relative=False, optionflags=flags, encoding="utf-8")
    assert failures == 0


@pytest.mark.parametrize("page", [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")])
def test_commands_print_what_documents_say(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of ``console``: each command after a dollar, then what it prints, with dots for what varies."""
    monkeypatch.setenv("COLUMNS", "80")
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        for command, wanted in re.findall(r"^\$ ludisect (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            done = run(*shlex.split(command))
            assert done.returncode in (0, 1, 3), done.stderr  # 1: the answer is "no"; 3: a limit, and what is known
            got = done.stdout
            flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            assert doctest.OutputChecker().check_output(wanted, got, flags), f"{command} prints\n{got}"


@pytest.mark.parametrize(
    ("name", "fen"),
    [
        ("sveda-sika", "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8"),
        ("popov-dankov", "8/pp4p1/7p/3k4/PP1Pp3/4K1P1/6P1/8"),
        ("breakthrough", "8/ppp5/8/PPP2k2/5Pp1/6K1/8/8"),
    ],
)
def test_pictures_of_endings_are_up_to_date(name: str, fen: str) -> None:
    kept = ROOT / "docs" / "pictures" / f"{name}.svg"
    assert kept.read_text(encoding="utf-8") == ending_svg(analyse(fen)), f"run: ludisect chess {fen} --svg {kept}"


def test_the_picture_shows_what_the_code_draws(tmp_path: Path) -> None:
    """Places of boxes may differ by a hair from machine to machine, what is written in the picture may not."""
    kept = ROOT / "docs" / "pictures" / "double-tictactoe.svg"
    decompose(load("double-tictactoe")).draw(str(tmp_path / kept.name))
    shown, drawn = (
        re.findall(r"<text[^>]*>([^<]*)", p.read_text(encoding="utf-8")) for p in (kept, tmp_path / kept.name)
    )
    assert shown == drawn, f"run: ludisect decompose double-tictactoe --svg {kept.relative_to(ROOT)}"


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


def test_readme_is_short_and_names_every_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 110
    for command in COMMANDS:
        assert f"ludisect {command}" in text or f"make {command}" in text, command


def test_links_in_documents_exist() -> None:
    for page in [
        *PAGES,
        ROOT / "CONTRIBUTING.md",
        ROOT / "ARCHITECTURE.md",
        ROOT / "benchmarks" / "README.md",
        ROOT / "examples" / "README.md",
    ]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
