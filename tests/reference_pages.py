"""The reference pages, written from the code: ``python -m tests.reference_pages``.

``docs/reference/commands.md`` is what every command says with ``--help``, 80 columns wide. ``docs/reference/python.md``
has every public name of the package, and what the objects that a user holds in his hands can be asked.
``docs/reference/numbers.md`` lists the numbers of every room that a user may set.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType

import ludisect
from ludisect.cli.commands import COMMANDS
from ludisect.cli.options import LIMITS, limits_of
from ludisect.settings import NumberField
from tests.architecture_page import SOURCE

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
MARK = "<!-- written by python -m tests.reference_pages -->"
COLUMNS = 80
"""Of the help texts."""

HELD = ("Part", "Position", "PythonRules", "State", "Thermograph", "Value")
"""Classes that a user meets although the package itself may not name them."""


def pages() -> dict[Path, str]:
    """What belongs into which file."""
    return {
        FOLDER / "commands.md": commands_page(),
        FOLDER / "numbers.md": numbers_page(),
        FOLDER / "python.md": python_page(),
    }


# ---- commands


def commands_page() -> str:
    lines = ["# Every command and its options", MARK, "", "What `--help` says.", "", *_block(_help())]
    for name in COMMANDS:
        lines += ["", f"## {name}", *_block(_help(name))]
    return "\n".join(lines) + "\n"


def _help(*command: str) -> str:
    environment = os.environ | {"COLUMNS": str(COLUMNS), "NO_COLOR": "1"}
    words = [sys.executable, "-m", "ludisect", *command, "--help"]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout.rstrip()


def _block(text: str) -> list[str]:
    return ["```", *(line.rstrip() for line in text.splitlines()), "```"]


# ---- numbers


def numbers_page() -> str:
    lines = ["# Every limit and threshold that can be set", MARK, "", _SETTING]
    for room in LIMITS:
        numbers = limits_of(room)
        home = f"`{numbers.__module__}.{numbers.__name__}`: {_sentence(numbers)}"
        lines += ["", f"## {room}", home, "", "| name | default | what it is |", "|---|---|---|"]
        lines += [f"| `{one.name}` | {_default(one)} | {_markdown(one.line)} |" for one in numbers.described()]
    return "\n".join(lines) + "\n"


_SETTING = """On the command line: `--set NAME=VALUE`, as often as needed; `--set help` lists what a command takes.

In Python:

```pycon
>>> import ludisect
>>> from ludisect.search.limits import SearchLimits
>>> from ludisect.settings import using
>>> ludisect.solve("nim:3,5", limits=SearchLimits(checking_positions=10)).exact
True
>>> with using(SearchLimits(checking_positions=10)):  # for everything inside
...     answer = ludisect.solve("nim:3,5")

```

A name begins with the module that reads the number. Where it is known, the line says where the number comes from."""


def _default(one: NumberField) -> str:
    """For people: 4,000,000, 2e+10, 0.5, or several."""
    several = one.default if isinstance(one.default, tuple) else (one.default,)
    shown = (f"{x:,}" if isinstance(x, int) else f"{x:.4g}" for x in several)
    return "; ".join(shown) if len(several) > 1 else next(iter(shown), "none")


# ---- names


def python_page() -> str:
    public = {name: getattr(ludisect, name) for name in ludisect.__all__}
    functions = {name: it for name, it in public.items() if not inspect.isclass(it)}
    errors = {name: it for name, it in public.items() if inspect.isclass(it) and issubclass(it, BaseException)}
    held = {name: _find(name) for name in HELD if name in _homes()}
    classes = held | {name: it for name, it in public.items() if name not in functions.keys() | errors.keys()}
    lines = ["# Every public name in Python", MARK, "", "`import ludisect` is quick: a name is loaded when it is used."]
    lines += ["", "## Functions"]
    for name, function in functions.items():
        lines += ["", f"### ludisect.{name}", *_block(_call(f"ludisect.{name}", function)), "", _paragraph(function)]
    lines += ["", "## Classes"]
    for name, it in sorted(classes.items()):
        home = f"ludisect.{name}" if name in public else f"{it.__module__}.{name}"
        lines += ["", f"### {name}", f"`{home}`", "", _paragraph(it), "", *_members(it)]
    lines += ["", "## Errors", ""]
    lines += [f"- `ludisect.{name}` ({_bases(it)}): {_sentence(it)}" for name, it in errors.items()]
    return "\n".join(lines) + "\n"


@cache
def _homes() -> dict[str, str]:
    """The module of every public class of ours: no name is given twice."""
    homes = {}
    for path in SOURCE.rglob("*.py"):
        module = ".".join(["ludisect", *path.relative_to(SOURCE).with_suffix("").parts])
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name] = module
    return homes


def _find(name: str) -> type:
    found: type = getattr(importlib.import_module(_homes()[name]), name)
    return found


def _bases(it: type) -> str:
    return ", ".join(base.__name__ for base in it.__bases__)


def _paragraph(it: object) -> str:
    return _markdown(" ".join((inspect.getdoc(it) or "").split("\n\n")[0].split()))


def _markdown(text: str) -> str:
    return re.sub(r":\w+:`[\w.]*?(\w+)`", r"`\1`", text).replace("``", "`")


def _sentence(it: object) -> str:
    return _paragraph(it).split(". ")[0].rstrip(".:") + "."


def _call(name: str, function: object) -> str:
    """A call with all parameters; one a line if it is long."""
    signature = inspect.signature(function)  # type: ignore[arg-type]
    taken, keyword = [], False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword:
            taken.append("*")
            keyword = True
        taken.append(_parameter(parameter))
        keyword |= parameter.kind is parameter.VAR_POSITIONAL
    taken = [text for text in taken if text not in ("self", "cls")]
    result = _type(signature.return_annotation)
    result = f" -> {result}" if result else ""
    line = f"{name}({', '.join(taken)}){result}"
    if len(line) <= COLUMNS + 20:
        return line
    return "\n".join([f"{name}(", *(f"    {text}," for text in taken), f"){result}"])


def _parameter(parameter: inspect.Parameter) -> str:
    star = "*" * ((parameter.kind is parameter.VAR_POSITIONAL) + 2 * (parameter.kind is parameter.VAR_KEYWORD))
    text, kind = star + parameter.name, _type(parameter.annotation)
    if kind:
        text += f": {kind}"
    if parameter.default is not parameter.empty:
        text += f" = {parameter.default!r}"
    return text


def _type(annotation: object) -> str:
    """An annotation as the source has it, without the modules that names stand in."""
    if annotation is inspect.Parameter.empty:
        return ""
    return annotation if isinstance(annotation, str) else str(inspect.formatannotation(annotation))


def _members(it: type) -> Iterator[str]:
    """A line for everything public that the class and those of ours that it builds on define."""
    seen: dict[str, str] = {}
    for base in it.__mro__:
        if base.__module__.startswith("ludisect"):
            notes = _notes(base)
            for name, kind in inspect.get_annotations(base).items():
                if not name.startswith("_"):
                    seen.setdefault(name, _line(f"{name}: {_type(kind)}", notes.get(name, "")))
            for name, member in vars(base).items():
                if not name.startswith("_"):
                    line = _member(name, member)
                    if line:
                        seen.setdefault(name, line)
    yield from (seen[name] for name in sorted(seen))


def _member(name: str, member: object) -> str:
    if isinstance(member, property | cached_property):
        function = member.fget if isinstance(member, property) else member.func
        return _line(f"{name}: {_type(inspect.signature(function).return_annotation)}", _sentence(function))  # type: ignore[arg-type]
    if isinstance(member, classmethod | staticmethod):
        return _line(_call(name, member.__func__), _sentence(member.__func__))
    if isinstance(member, FunctionType):
        return _line(_call(name, member), _sentence(member))
    return ""


def _line(code: str, note: str) -> str:
    note = note.strip(".")
    return f"- `{' '.join(code.split()).replace('( ', '(').replace(', )', ')')}`" + (f": {note}" if note else "")


def _notes(it: type) -> dict[str, str]:
    """What the strings below the fields of a class say of them."""
    notes = {}
    body = ast.parse(textwrap.dedent(inspect.getsource(it))).body[0]
    assert isinstance(body, ast.ClassDef)
    for node, following in zip(body.body, body.body[1:], strict=False):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(following, ast.Expr):
            value = following.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                notes[node.target.id] = _markdown(" ".join(value.value.split()).split(". ")[0])
    return notes


if __name__ == "__main__":
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
