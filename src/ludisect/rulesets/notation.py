"""Expressions: values, positions by the name of their game, and sums of these with `` + ``.

domineering 4x5 + {1|*} + clobber XO.|OX. + nim 3 5 7 + impartial toppling_dominoes XXO + negative amazons X..O
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from types import MappingProxyType

from ludisect.cgt import MarkedValue, Value, read_value
from ludisect.cgt.impartial import NAMED
from ludisect.errors import InputError
from ludisect.rulesets.amazons import Amazons
from ludisect.rulesets.clobber import CannibalClobber, Clobber
from ludisect.rulesets.colouring import Col, Snort
from ludisect.rulesets.domineering import Cram, Domineering
from ludisect.rulesets.hackenbush import Hackenbush
from ludisect.rulesets.heaps import Nim, OctalHeaps, named_octal
from ludisect.rulesets.nogo import NoGo
from ludisect.rulesets.pawns import Pawns
from ludisect.rulesets.position import Component, Impartial, Position
from ludisect.rulesets.regio import read_regio
from ludisect.rulesets.toads import Toads
from ludisect.rulesets.toppling import Toppling

Reader = Callable[[str], Position]
"""Turns the text after a game's name into a position."""

_readers: dict[str, Reader] = {
    "amazons": Amazons.parse,
    "cannibal_clobber": CannibalClobber.parse,
    "clobber": Clobber.parse,
    "col": Col.parse,
    "cram": Cram.parse,
    "domineering": Domineering.parse,
    "hackenbush": Hackenbush.parse,
    "nim": Nim.parse,
    "nogo": NoGo.parse,
    "octal": OctalHeaps.parse,
    "pawns": Pawns.parse,
    "regio": read_regio,
    "snort": Snort.parse,
    "toads": Toads.parse,
    "toppling_dominoes": Toppling.parse,
}

GAMES: Mapping[str, Reader] = MappingProxyType(_readers)
"""The games by name, to look at; :func:`register` adds one."""

ALIASES = {"clobber_1xn": "clobber", "nogo_1xn": "nogo", "toppling": "toppling_dominoes", "toads_and_frogs": "toads"}

_BUNDLED = frozenset({*_readers, *NAMED, *ALIASES})

_RESERVED = frozenset({"impartial", "negative", "tiny", "miny", "on", "off", "over", "under", "dud"})
"""Words that mean something else in an expression."""

_WORD = re.compile(r"[A-Za-z][\w-]+(?=\s|$)")


def register(name: str, game: type[Position] | Reader, *, replace: bool = False) -> None:
    """Give a game a name in expressions: ``"NAME text"`` is then a position for everything that reads text.

    ``game`` is a class of positions with a class method ``parse(text)``, whose ``name`` is this name, or a function
    from the text to a position. ``replace`` puts it in the place of another game that was registered before.

    Raises:
        InputError: the name is no word in lower case, is in use or reserved, or is not that of the class.
        TypeError: ``game`` is neither of the two.
    """
    if not (_WORD.fullmatch(name) and name == name.lower()):
        raise InputError(f"{name!r} is no name of a game; that is a word of two or more of a-z, 0-9, _ and -")
    if name in _RESERVED:
        raise InputError(f"{name!r} means something else in an expression; choose another name")
    if name in _BUNDLED:
        raise InputError(f"{name!r} is the name of a game that comes with ludisect; choose another name")
    if name in _readers and not replace:
        raise InputError(f"{name!r} is in use already; choose another name, or say replace=True to put it there")
    reader = game
    if isinstance(game, type):
        reader = getattr(game, "parse", None)  # type: ignore[assignment]
        if not issubclass(game, Position) or not callable(reader):
            raise TypeError(
                f"a game is a subclass of Position with a class method parse(text), or a function from text to a "
                f"position; {game.__name__} is neither"
            )
        if game.name != name:
            raise InputError(f"{game.__name__}.name is {game.name!r}; say name = {name!r} in the class")
    elif not callable(game):
        raise TypeError(f"a game is a class of positions or a function from text to a position, not {_kind(game)}")
    _readers[name] = reader


def unregister(name: str) -> None:
    """Forget a game that was registered.

    Raises:
        InputError: no such game was registered.
    """
    if name in _BUNDLED or name not in _readers:
        raise InputError(f"no game was registered as {name!r}")
    del _readers[name]


def position(text: str | Position) -> Position:
    """The position that ``text`` names: a game and where it stands, such as ``"domineering 4x4"``.

    >>> d = position("domineering 4x4")
    >>> print(d.value, d.outcome, d.temperature, (d + "nim 3").outcome)
    ±(0,{{2|0},{2|{2|0}}|miny(2),{2|0}}) N 0 N

    Raises:
        InputError: the text is malformed, or a value or a sum.
    """
    if isinstance(text, Position):
        return text
    if not isinstance(text, str):
        raise TypeError(f"position takes the text of a position, such as 'domineering 4x4', not {_kind(text)}")
    found = read(text)
    if len(found) > 1:
        raise InputError(f"{text!r} is a sum; add its positions up by +, or write ludisect.sums.Sum({text!r})")
    if isinstance(found[0], Value | MarkedValue):
        raise InputError(f"{text!r} is a value, not the position of a game; write ludisect.Value({text!r})")
    return found[0]


def _kind(x: object) -> str:
    return type(x).__name__


def read(text: str) -> list[Component]:
    """The components of an expression, in order.

    Raises:
        InputError: an unknown game (near names are suggested), a malformed board or value.
    """
    return [read_component(part) for part in _split(text)]


def read_component(text: str) -> Component:
    """One component: a value, or a game's name and a position."""
    text = text.strip()
    word = _WORD.match(text)
    if word is None or word.group() in ("on", "off"):
        return read_value(text)
    name, rest = word.group(), text[word.end() :].strip()
    if name in ("impartial", "negative"):
        inner = read_component(rest)
        if isinstance(inner, Value | MarkedValue):
            raise InputError(f"{name!r} is followed by a game and a position, as in: {name} domineering 3x3")
        if name == "impartial" and inner.score() is not None:
            raise InputError(
                f"{inner.name} is counted in points; only games that the last move wins have an impartial form"
            )
        return -inner if name == "negative" else inner if inner.impartial else Impartial(inner)
    game = ALIASES.get(name.lower(), name.lower())
    if game not in _readers and game not in NAMED:
        near = get_close_matches(game, known(), n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known games: {', '.join(known())}"
        raise InputError(f"unknown game {name!r}; {hint}")
    if not rest:
        raise InputError(f"{name}: the position is missing; write for example {_example(game)}")
    if game in NAMED:
        return named_octal(game, rest)
    found = _readers[game](rest)
    if not isinstance(found, Position):
        raise TypeError(f"what was registered as {game!r} made a {_kind(found)} of {rest!r}, not a Position")
    return found


_EXAMPLE = {
    "amazons": "amazons X..|..O",
    "cannibal_clobber": "cannibal_clobber XO|OX",
    "clobber": "clobber XO.|OX.",
    "col": "col 3x3",
    "cram": "cram 3x3",
    "domineering": "domineering 4x5",
    "hackenbush": "hackenbush BRG",
    "nogo": "nogo 3x3",
    "octal": "octal 0.137 12 5",
    "pawns": "pawns a2 b2 / a6 b7",
    "regio": "regio 3x3, or regio 1-2 2-3",
    "snort": "snort 2x3",
    "toads": "toads TT..FF",
    "toppling_dominoes": "toppling_dominoes XXO",
}


def known() -> list[str]:
    """The words that a position begins with: the names of all games, and what else they are called."""
    return sorted({*_readers, *NAMED, *ALIASES})


def examples() -> dict[str, str]:
    """The games by name, those that were registered among them, each with a position that can be read."""
    return {game: _example(game).partition(", or ")[0] for game in sorted({*_readers, *NAMED})}


def _example(game: str) -> str:
    return _EXAMPLE.get(game, f"{game} 3 5" if game in _BUNDLED else f"{game} …")


def _split(text: str) -> list[str]:
    """Cut at every `` + `` that is not inside brackets."""
    out, depth, start = [], 0, 0
    for i, x in enumerate(text):
        if x in "{(":
            depth += 1
        elif x in "})":
            depth -= 1
        elif x == "+" and depth == 0 and f" {text} "[i : i + 3] == " + ":
            out.append(text[start:i])
            start = i + 1
    out.append(text[start:])
    if any(not part.strip() for part in out):
        raise InputError("the expression is empty, or a sum lacks a term; write for example: domineering 4x4 + {1|*}")
    return out
