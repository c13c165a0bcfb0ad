"""The tool that makes mutants: what it changes, what it leaves alone, and that tests on a mutant do run."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutate import GUARDS, PACKAGE, ROOT, Mutant, Nursery, drawn, modules, mutants

SAMPLE = '''
"""Not 1 word."""
LIMIT: int = 500

@jit("(int64)")
def kernel(x):
    return x + 1

def f(a: int = 2, *, b: list[int]) -> bool:
    """A docstring with x == 1."""
    if a <= 3 and not b:
        raise ValueError(f"{a + 1}")
    é = sum(b, axis=1)
    return any(x in b for x in b if x)
'''


def test_every_change_is_one_of_meaning() -> None:
    found = {(m.line, m.old, m.new) for m in mutants("sample", SAMPLE)}
    assert found == {
        (9, "2", "(3)"), (9, "2", "(1)"),
        (11, "a <= 3", "(a < 3)"), (11, "3", "(4)"), (11, "3", "(2)"), (11, "not b", "(b)"),
        (11, "a <= 3 and not b", "(a <= 3 or not b)"), (11, "a <= 3 and not b", "(not b)"),
        (11, "a <= 3 and not b", "(a <= 3)"), (11, "a <= 3 and not b", "True"), (11, "a <= 3 and not b", "False"),
        (14, "return any(x in b for x in b if x)", "return None"), (14, "any", "all"), (14, "x in b", "(x not in b)"),
        (14, "x", "True"),
    }  # fmt: skip


def test_a_change_stands_where_it_belongs() -> None:
    for mutant in mutants("sample", SAMPLE):
        changed = mutant.applied(SAMPLE)
        ast.parse(changed)
        assert [
            i for i, (a, b) in enumerate(zip(SAMPLE.split("\n"), changed.split("\n"), strict=True), 1) if a != b
        ] == [mutant.line]


def test_all_mutants_can_be_read() -> None:
    for mutant in drawn(GUARDS, 60, 0):
        text = (ROOT / PACKAGE / f"{mutant.module}.py").read_text(encoding="utf-8")
        assert mutant.applied(text) != text
        ast.parse(mutant.applied(text))


def test_guards_exist() -> None:
    for name, tests in GUARDS.items():
        for test in tests:
            assert (ROOT / "tests" / test).is_dir() or (ROOT / "tests" / f"{test}.py").is_file(), (name, test)


def test_a_draw_is_the_same_for_the_same_seed() -> None:
    names = modules(["circuit/turns", "search/coarser.py"])
    assert names == ["circuit/turns", "search/coarser"]
    assert drawn(names, 7, 1) == drawn(names, 7, 1) != drawn(names, 7, 2)
    assert len(drawn(names, 7, 1)) == 7
    assert {*drawn(names, 7, 1)} < {*drawn(names, None, 0)}
    assert "gdl/safety" in modules(["gdl"])
    with pytest.raises(SystemExit, match="there is no module or folder nowhere"):
        modules(["nowhere"])


def test_tests_see_the_mutant_and_then_the_module_again(tmp_path: Path) -> None:
    nursery = Nursery(tmp_path, None)
    found = {str(m): m for m in mutants("circuit/turns", (ROOT / PACKAGE / "circuit/turns.py").read_text())}
    wrong = next(m for text, m in found.items() if "choosing < len(game.roles)  ->" in text)
    same = Mutant(wrong.module, wrong.line, wrong.begin, wrong.old, f"({wrong.old})")
    assert nursery.fate(wrong) == ("killed", "circuit/test_turns.py")
    assert nursery.fate(same) == ("survives", "")
