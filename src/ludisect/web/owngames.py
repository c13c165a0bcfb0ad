"""Games of one's own: classes from files and entry points, and whether they are to blame for an error."""

from __future__ import annotations

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from ludisect.errors import LudisectError
from ludisect.gdl.pythonrules import PythonRules
from ludisect.gdl.writer import write
from ludisect.rulesets.grid import GridPosition
from ludisect.rulesets.notation import register
from ludisect.rulesets.position import Position
from ludisect.web.problems import problem

GROUP: Final = "ludisect.games"
"""The entry points that offer games."""

_own: set[str] = set()
"""Files whose code is not ours."""


class OwnGameError(Exception):
    """A game of one's own that cannot be used, as the problem that is answered."""

    def __init__(self, found: dict[str, Any]) -> None:
        super().__init__(found["title"])
        self.problem = found


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A class that is a game: a ruleset (text after its name gives the position) or rules written in Python."""

    name: str
    kind: str
    example: str
    file: str
    made: type[Position] | type[PythonRules]

    def to_json(self) -> dict[str, Any]:
        """What the page shows of it."""
        return {"name": self.name, "kind": self.kind, "example": self.example, "file": self.file}


def own_games(files: Sequence[str]) -> tuple[list[OwnGame], list[dict[str, Any]]]:
    """The games in files and entry points, rulesets registered by their names; and what is wrong with the others."""
    found: list[OwnGame] = []
    faults: list[dict[str, Any]] = []
    for name in (*files, *(f"{GROUP}:{point.name}" for point in entry_points(group=GROUP))):
        try:
            found += _games_of(name)
        except OwnGameError as error:
            faults.append(error.problem)
    return found, faults


def own_rules(files: Sequence[str], name: str) -> str:
    """The rule sheet of a game of one's own that is written in Python."""
    games, faults = own_games(files)
    for game in games:
        if game.name == name and issubclass(game.made, PythonRules):
            return write(game.made().rules)
    if faults:
        raise OwnGameError(faults[0])
    raise OwnGameError(problem("own-game", f"No game of your own is called {name}."))


def _games_of(source: str) -> list[OwnGame]:
    """The games of one file or entry point."""
    try:
        module = _offered(source.partition(":")[2]) if source.startswith(f"{GROUP}:") else _loaded(Path(source))
        classes = [module] if isinstance(module, type) else _classes(module)
        return [_game(one, source) for one in classes]
    except OwnGameError:
        raise
    except SyntaxError as error:
        told = f"{error.msg} in line {error.lineno} of {Path(source).name}"
        raise OwnGameError(problem("own-game", told, file=str(error.filename), line=error.lineno)) from None
    except LudisectError as error:
        raise OwnGameError(problem("own-game", str(error), file=source)) from None
    except Exception as error:
        raise OwnGameError(blamed(error) or problem("own-game", _named(error), file=source)) from None


def _loaded(path: Path) -> ModuleType:
    _own.add(str(path))
    try:
        path.open().close()
    except OSError as error:
        told = f"{path.name} cannot be read: {error.strerror}"
        raise OwnGameError(problem("own-game", told, file=str(path))) from None
    spec = importlib.util.spec_from_file_location(f"ludisect_own_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise OwnGameError(problem("own-game", f"{path.name} is no file of Python.", file=str(path)))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look for the module of their class
    spec.loader.exec_module(module)
    return module


def _offered(name: str) -> ModuleType | type[Position] | type[PythonRules]:
    (point,) = entry_points(group=GROUP, name=name)
    made: ModuleType | type[Position] | type[PythonRules] = point.load()
    _own.add(str(inspect.getsourcefile(made)))
    return made


def _classes(module: ModuleType) -> list[type[Position] | type[PythonRules]]:
    """The classes of a module that are games, in the order in which they are written."""
    return [
        one
        for one in vars(module).values()
        if isinstance(one, type)
        and one.__module__ == module.__name__
        and issubclass(one, (Position, PythonRules))
        and not inspect.isabstract(one)
    ]


def _game(made: type[Position] | type[PythonRules], source: str) -> OwnGame:
    if issubclass(made, PythonRules):
        name = str(getattr(made, "name", None) or made.__name__)
        return OwnGame(name, "rules", name, source, made)
    name = made.name
    register(name, made, replace=True)
    example = getattr(made, "example", None) or ("3x3" if issubclass(made, GridPosition) else "")
    return OwnGame(name, "sum", f"{name} {example}".strip(), source, made)


# ---- errors ---------------------------------------------------------------------------------------------------------


def blamed(error: BaseException) -> dict[str, Any] | None:
    """The problem of an error that was raised while code of one's own ran: file, line and position; else None."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    lines = [line for _, line in traceback.walk_tb(error.__traceback__)]
    for frame, line in zip(reversed(frames), reversed(lines), strict=True):
        file = frame.f_code.co_filename
        if file in _own:
            told = f"{_named(error)} ({Path(file).name}, line {line}, in {frame.f_code.co_name})"
            return problem("own-game", told, file=file, line=line, position=_shown(frame.f_locals.get("self")))
    return None


def _named(error: BaseException) -> str:
    told = str(error)
    return f"{type(error).__name__}: {told}" if told else type(error).__name__


def _shown(what: object) -> str | None:
    """The position in which it happened, if it can say what it is."""
    if not isinstance(what, Position):
        return None
    try:
        return str(what)[:400]
    except Exception:
        return None
