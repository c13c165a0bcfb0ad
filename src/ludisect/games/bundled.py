"""The bundled games: their names, what each is, and its rule sheet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ludisect.errors import InputError
from ludisect.games.families import FAMILIES, Family, block, shown

_LIBRARY = Path(__file__).with_name("library")
_PARTS = re.compile(
    r"^; Parts: (\d+) dependent, (\d+) useless, (\d+) independent(?: \(or (\d+)\))?, ([a-z-]+): (.+)$", re.MULTILINE
)
_BLOCK = re.compile(r"^; begin parameters.*?^; end parameters$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a game should fall into, at its start.

    ``dependent`` parts depend on the moves, ``useless`` of them matter neither to the goals nor to the end;
    ``independent`` ones (turn, counters) change whatever is played. ``glue`` is ``single``, ``parallel-choice``,
    ``parallel-sync``, ``serial``, ``multiple`` or ``mixed``, ``note`` names the parts. ``also_independent`` is
    another number of independent ones that is not wrong, where the rules leave two readings.
    """

    dependent: int
    useless: int
    independent: int
    glue: str
    note: str
    also_independent: int | None = None


@dataclass(frozen=True, slots=True)
class Description:
    """One line about a bundled game. ``parameters`` shows how it is called with parameters, or is empty."""

    name: str
    summary: str
    parameters: str
    roles: int
    turns: str
    parts: Parts

    def to_json(self) -> dict[str, object]:
        """As printed by ``ludisect games --json``."""
        return {
            "name": self.name,
            "parameters": self.parameters or None,
            "roles": self.roles,
            "turns": self.turns,
            "structure": self.parts.glue,
            "action_dependent": self.parts.dependent,
            "useless": self.parts.useless,
            "action_independent": self.parts.independent,
            "summary": self.summary,
        }


@cache
def names() -> tuple[str, ...]:
    """The names of the bundled games, sorted, without parameters."""
    return tuple(sorted(file.stem for file in _LIBRARY.glob("*.kif")))


def is_bundled(name: str) -> bool:
    """Whether ``name``, parameters aside, is the name of a bundled game."""
    return name.partition(":")[0] in names()


def source(name: str) -> str:
    """The rule sheet of a bundled game as KIF text; ``name`` may carry parameters, as in ``nim:3,5,7``.

    Raises `InputError` for a name that is not there and for parameters that make no sense.
    """
    game, colon, parameters = name.partition(":")
    text = _sheet(game)
    family = FAMILIES.get(game)
    if family is None:
        if colon:
            raise InputError(f"{game} takes no parameters, but {shown(parameters)} is given; write {game}")
        return text
    return _instance(text, game, family, parameters if colon else family.default)


def describe(name: str) -> Description:
    """What the opening comment of a game's rule sheet says about it. Parameters are heeded."""
    game = name.partition(":")[0]
    text = source(name)
    family = FAMILIES.get(game)
    return Description(
        name=name,
        summary=_header(text, re.escape(game)),
        parameters=f"{game}:{family.form}" if family else "",
        roles=len(re.findall(r"^\(role ", text, re.MULTILINE)),
        turns=_header(text, "Turns"),
        parts=_parts(text),
    )


def closest(name: str) -> list[str]:
    """Bundled games whose names are near a name that is none."""
    from difflib import get_close_matches  # rarely needed and slow to load

    return get_close_matches(name.lower()[:40], names(), n=3, cutoff=0.5)


@cache
def _sheet(game: str) -> str:
    """The file of a game as it is in the library."""
    if game not in names():
        near = closest(game)
        advice = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(names())}"
        raise InputError(f"no bundled game is called {shown(game)}; {advice}")
    return (_LIBRARY / f"{game}.kif").read_text(encoding="utf-8")


def _instance(text: str, game: str, family: Family, parameters: str) -> str:
    """The sheet with the facts for these parameters in its block, and the parts that they make in its header."""
    try:
        facts = block(family.facts(parameters))
        dependent = family.parts(parameters)
    except InputError as error:
        raise InputError(f"{game}: {error}; write {game}:{family.form}, e.g. {family.example}") from None
    plain = "".join(parameters.split())
    text = _BLOCK.sub(lambda _: f"; begin parameters: {plain}\n{facts}\n; end parameters", text)
    old = _parts(text)
    if dependent != old.dependent:
        glue = "single" if dependent == 1 else "parallel-choice"
        head = f"; Parts: {dependent} dependent, {old.useless} useless, {old.independent} independent, {glue}"
        text = _PARTS.sub(lambda _: f"{head}: {old.note}", text)
    return text


def _header(text: str, key: str) -> str:
    found = re.search(rf"^; {key}: (.+)$", text, re.MULTILINE)
    assert found, f"the opening comment of a bundled game lacks its line {key!r}"
    return found[1]


def _parts(text: str) -> Parts:
    found = _PARTS.search(text)
    assert found, "the opening comment of a bundled game lacks its line 'Parts'"
    also = int(found[4]) if found[4] else None
    return Parts(int(found[1]), int(found[2]), int(found[3]), found[5], found[6], also)
