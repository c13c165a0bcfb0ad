"""The house: imports go one way, no cycles, modules and functions stay small, public names are documented."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import ludisect
from ludisect.cli.commands import COMMANDS
from tests.architecture_page import COLUMNS, PAGE, SOURCE, entry, page, parsed
from tests.draw_functions import draw

LAYERS = [
    "errors clock ruleofplay",
    "effort progress settings kernels answer",
    "unionfind",
    "gdl cgt",
    "games ground rulesets",
    "circuit sums",
    "loader",
    "decomposition composition",
    "search draw",
    "solving pawnendings",
    "play sweep",
    "web",
    "cli",
]
"""Bottom first; a room may import its own row and those above it in this list."""


@cache
def modules() -> dict[str, Path]:
    out = {}
    for path in SOURCE.rglob("*.py"):
        parts = ["ludisect", *path.relative_to(SOURCE).with_suffix("").parts]
        out[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return out


@cache
def imports(path: Path, *, late: bool = False) -> set[str]:
    """Modules of ours that are imported when this one is loaded; with ``late``, by its functions, too."""
    found: set[str] = set()
    known = modules()

    def visit(body: list[ast.stmt]) -> None:
        for node in body:
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                inside = {f"{node.module}.{a.name}" for a in node.names} & known.keys()
                found.update(inside)
                names = {alias.name for alias in node.names} - {"__version__"}  # a number, which leads nowhere
                if len(inside) < len(names):  # the package on the way to a module of it does not count
                    found.add(node.module)
            elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test):
                visit(node.body + node.orelse)
            elif late and isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.With, ast.Try)):
                visit(node.body)
            elif late and isinstance(node, (ast.For, ast.While)):
                visit(node.body + node.orelse)

    visit(parsed(path).body)
    return {m for m in found if m in known}


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_rooms_import_only_downwards() -> None:
    level = {name: i for i, row in enumerate(LAYERS) for name in row.split()}
    for module, path in modules().items():
        here = room(module)
        if here in ("", "__main__"):
            continue
        for other in imports(path):
            there = room(other)
            if there and there != here:
                assert level[there] < level[here], f"{module} imports {other}"


def test_cgt_is_a_leaf() -> None:
    for module, path in modules().items():
        if room(module) == "cgt":
            assert {room(m) for m in imports(path)} <= {"cgt", "errors", "clock", "settings", "kernels", ""}, module


@pytest.mark.parametrize("late", [False, True])
def test_no_import_cycles(late: bool) -> None:
    # A package's __init__ may import its own modules; they do not import it back by name. Functions may reach up to
    # draw, so that everything can show itself; no other cycle hides in them.
    graph = {m: {i for i in imports(p, late=late) if i != m} for m, p in modules().items()}
    if late:
        graph = {m: {i for i in found if room(i) != "draw" or room(m) == "draw"} for m, found in graph.items()}
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join((*path[path.index(module) :], module))
        if module not in done:
            for other in sorted(graph[module]):
                visit(other, (*path, module))
            done.add(module)

    for module in sorted(graph):
        visit(module, ())


def test_one_place_asks_the_package_itself() -> None:
    """``import ludisect`` leads to every room: only a position may go that way, to have a value and to be added."""
    asking = {m for m, p in modules().items() if "ludisect" in imports(p, late=True) and room(m) != "cli"}
    assert asking == {"ludisect.rulesets.position"}
    tree = parsed(modules()["ludisect.rulesets.position"])
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "ludisect"]
    (door,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "_on_the_table")
    assert [node for node in ast.walk(door) if node in uses] == uses


def test_modules_say_their_job_and_stay_small() -> None:
    for module, path in modules().items():
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 450, module
        if text.strip():
            assert ast.get_docstring(parsed(path)), module


SAME_IDEA = {
    "limits": "the numbers of a room",
    "misere": "misère play: heaps alone, and parts of a game",
    "parts": "from a dependency graph to parts, one for each family of methods",
    "reader": "text -> what the room is about",
    "writer": "and back",
}
"""Names of modules in two rooms that mean the same there."""


def test_no_name_stands_for_two_things() -> None:
    """A module's name is in one room only, unless it is the same idea; a command is called as what it calls."""
    rooms: dict[str, set[str]] = {}
    classes: dict[str, list[str]] = {}
    for module, path in modules().items():
        where, _, name = module.rpartition(".")
        if path.stem not in ("__init__", "__main__") and (room(module) != "cli" or name not in COMMANDS):
            rooms.setdefault(name, set()).add(where)
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes.setdefault(node.name, []).append(module)
    twice = {name for name, places in rooms.items() if len(places) > 1}
    assert twice == SAME_IDEA.keys()
    assert {name: places for name, places in classes.items() if len(places) > 1} == {}


def test_functions_stay_short() -> None:
    """At most 60 lines but for kernels, in which a call would cost, or numba would not see through it."""
    long = [
        f"{module}.{node.name}: {length} lines"
        for module, path in modules().items()
        for node in ast.walk(parsed(path))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        if (length := (node.end_lineno or 0) - node.lineno + 1) > 60
        if not any(ast.unparse(d).partition("(")[0] in ("jit", "callback") for d in node.decorator_list)
    ]
    assert long == []


def test_the_page_lists_every_module() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == page(text), "the list is out of date; run: python -m tests.architecture_page"
    titles = re.findall(r"^(?:\*\*|- )`([\w/.]+)`", text.partition("## Every module in a line")[2], re.MULTILINE)
    assert len(titles) == len(modules()) - 2  # of those at the top, the package itself and __main__ are no rooms


def test_a_first_sentence_fits_into_its_line(tmp_path: Path) -> None:
    for number, (text, shown) in enumerate(
        [
            ("A ``word``. More.", "A `word`"),
            ("One line that\ngoes on, to the end.\n\nMore.", "One line that goes on, to the end"),
            (f"{'x' * (COLUMNS - 2)}.", "x" * (COLUMNS - 2)),
        ]
    ):
        path = tmp_path / f"{number}.py"
        path.write_text(f'"""{text}"""\n')
        assert entry("- ", path) == f"- {shown}"
    path = tmp_path / "long.py"
    path.write_text(f'"""{"x" * COLUMNS}."""\n')
    with pytest.raises(ValueError, match=r"long.py: shorten the first sentence of the docstring by 2 characters"):
        entry("- ", path)


def test_the_order_of_the_data_names_modules() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## The order of the data")[2].partition("\n## ")[0]
    lines = re.findall(r"^- `([\w/]+)`: ((?:.|\n )+)$", section, re.MULTILINE)
    folders = {path.parent for path in SOURCE.rglob("*/__init__.py")}
    assert sorted(SOURCE / folder for folder, _ in lines) == sorted(folders), "each room once"
    for folder, line in lines:
        known = {path.stem for path in (SOURCE / folder).rglob("*.py")}
        assert set(re.findall(r"`(\w+)`", line)) <= known, folder


def test_the_table_of_what_is_held_names_folders() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## In which room is it?")[2].partition("\n## ")[0]
    cells = re.findall(r"\| ([^|]+) \|$", section, re.MULTILINE)[1:]
    named = {name for cell in cells for name in re.findall(r"`([\w/]+)`", cell)}
    folders = {path.parent.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*/__init__.py")}
    assert named <= folders
    assert folders - named <= {"games", "decomposition", "search"}  # a door each, said in the first table


def test_functions_are_drawn_without_their_place() -> None:
    drawn = draw(seed=1, count=30, least=3)
    assert drawn == draw(seed=1, count=30, least=3) != draw(seed=2, count=30, least=3)
    for one in drawn:
        path, line = one.place.split(":")
        assert one.folder == (path.rpartition("/")[0] or path)
        assert "def " in (SOURCE / path).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        assert not re.search(r"ludisect\.\w", one.text)


def test_public_names() -> None:
    assert ludisect.__all__ == sorted(ludisect.__all__)
    assert len(ludisect.__all__) <= 25
    for name in ludisect.__all__:
        assert getattr(ludisect, name).__doc__, name


def test_rooms_are_there_after_import() -> None:
    folders = sorted(path.parent.name for path in SOURCE.glob("*/__init__.py") if path.parent.name != "cli")
    code = f"import ludisect; print([getattr(ludisect, name).__name__ for name in {folders}])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str([f"ludisect.{name}" for name in folders])
    assert set(folders) <= set(dir(ludisect))
    with pytest.raises(AttributeError, match=r"no attribute 'vlaue'; it offers Answer, .*, and the rooms cgt, circuit"):
        _ = ludisect.vlaue


def test_import_is_light() -> None:
    heavy = ("numba", "clingo", "numpy", "rich")
    code = f"import sys, ludisect, ludisect.gdl; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_taking_a_game_apart_needs_no_graph_library() -> None:
    """networkx is an oracle of tests, and scipy solves linear programs: the common way does without either."""
    code = """
import sys
sys.modules["networkx"] = sys.modules["scipy"] = None  # to import one of them is an error now
from ludisect import decompose, load, solve
game = load("nim:1,2")
for method in ("symbols", "instances", "playouts", "exact"):
    parts = decompose(game, method=method)
print(parts.counts, solve(parts).value)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(2, 0, 1) {'player1': 100, 'player2': 0}"
