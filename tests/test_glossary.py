"""The glossary names what exists: every module, and in it every type, function or attribute."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.architecture_page import SOURCE, parsed

PAGE = Path(__file__).parents[1] / "docs" / "glossary.md"
ROWS = re.findall(r"^\| ([^|]+) \| .+ \| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
ENTRIES = [(word, where) for word, where in ROWS if word != "word"]


def test_the_page_has_entries() -> None:
    assert len(ENTRIES) > 80
    assert len({word for word, _ in ENTRIES}) == len(ENTRIES)


@pytest.mark.parametrize(("word", "where"), ENTRIES, ids=[word for word, _ in ENTRIES])
def test_what_is_named_exists(word: str, where: str) -> None:
    found = re.fullmatch(r"`(\w+)(?:\.(\w+))?`, `([\w/]+)`", where)
    assert found, f"{word}: write `Type`, `room/module`"
    name, attribute, module = found.groups()
    path = SOURCE / f"{module}.py"
    assert path.exists(), f"{word}: there is no module {module}"
    defined = _defined(parsed(path).body)
    assert name in defined, f"{word}: {module} does not define {name}"
    if attribute:
        node = defined[name]
        assert isinstance(node, ast.ClassDef)
        inside = _defined(node.body).keys() | _set_on_self(node)
        if attribute not in inside:  # inherited
            it = getattr(import_module(f"ludisect.{module.replace('/', '.')}"), name)
            assert hasattr(it, attribute), f"{word}: {name} has no {attribute}"


def _defined(body: list[ast.stmt]) -> dict[str, ast.stmt]:
    names: dict[str, ast.stmt] = {}
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names[node.name] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names[node.target.id] = node
        elif isinstance(node, ast.Assign):
            names |= {target.id: node for target in node.targets if isinstance(target, ast.Name)}
    return names


def _set_on_self(node: ast.ClassDef) -> set[str]:
    return {
        target.attr
        for inner in ast.walk(node)
        if isinstance(inner, ast.Assign)
        for target in inner.targets
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
    }
