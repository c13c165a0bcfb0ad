"""The scripts in examples/ run, and print what their docstrings say."""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
SCRIPTS = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: p.stem)
def test_an_example_prints_what_it_says(script: Path, tmp_path: Path) -> None:
    told = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    said = textwrap.dedent(told.partition("It prints:\n\n")[2]).rstrip()
    assert said, f"{script.name}: the docstring ends with 'It prints:' and the output"
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.rstrip() == said


def test_the_page_lists_them() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"({path.name})" in page for path in FOLDER.iterdir() if path.suffix in (".py", ".kif"))
