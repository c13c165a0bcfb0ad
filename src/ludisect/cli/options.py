"""How commands declare what they take: a parser with help that fits the terminal, options that many share."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ludisect.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from ludisect.settings import Numbers

DEFAULT_MEMORY_GB = 6.0

LIMITS = {
    "gdl": "ludisect.gdl.limits:RulesLimits",
    "games": "ludisect.games.limits:GamesLimits",
    "ground": "ludisect.ground.limits:GroundLimits",
    "circuit": "ludisect.circuit.limits:CircuitLimits",
    "decomposition": "ludisect.decomposition.limits:DecompositionLimits",
    "composition": "ludisect.composition.limits:CompositionLimits",
    "draw": "ludisect.draw.limits:DrawLimits",
    "search": "ludisect.search.limits:SearchLimits",
    "cgt": "ludisect.cgt.limits:ValueLimits",
    "rulesets": "ludisect.rulesets.limits:PositionLimits",
    "sums": "ludisect.sums.limits:SumsLimits",
    "pawnendings": "ludisect.pawnendings.limits:EndingLimits",
    "play": "ludisect.play.limits:PlayLimits",
    "play/tree": "ludisect.play.tree.limits:TreeLimits",
    "sweep": "ludisect.sweep.limits:SweepLimits",
    "web": "ludisect.web.limits:WebLimits",
}
"""The numbers of each room, for --set: module and class, loaded when some are set."""


class Parser(argparse.ArgumentParser):
    """The parser of one command; a fault of usage is an `InputError`."""

    def __init__(self, name: str, takes: str, description: str, examples: Sequence[str] = ()) -> None:
        super().__init__(
            prog=f"ludisect {name}",
            usage=" ".join(filter(None, ("ludisect", name, takes, "[options]"))),
            description=description,
            formatter_class=_Formatter,
            allow_abbrev=False,
        )
        self._positionals.title = "arguments"
        self._examples = examples
        self.rooms: tuple[str, ...] = ()
        """Whose numbers --set may change."""

    def _parse_optional(self, arg_string: str) -> Any:
        """Options begin with a letter: -{1|*} and -2 are values."""
        return super()._parse_optional(arg_string) if arg_string.lstrip("-")[:1].isalpha() else None

    def format_help(self) -> str:
        """The help page, with what to try at its end."""
        page = super().format_help()
        return (
            "\n".join([page, "examples:", *(f"  ludisect {line}" for line in self._examples), ""])
            if self._examples
            else page
        )

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}\ntry: {self.prog} --help")

    def read(self, words: Sequence[str]) -> dict[str, Any]:
        """The arguments by name; options may stand anywhere."""
        known, rest = self.parse_known_intermixed_args(words)
        if rest:
            if not rest[0].startswith("-"):
                self.error(f"one argument too many: {rest[0]}")
            option = rest[0].partition("=")[0]
            names = [name for action in self._actions for name in action.option_strings]
            self.error(f"no such option: {option}{did_you_mean(option, names)}")
        return vars(known)

    def numbers(self, options: dict[str, Any]) -> tuple[Numbers, ...]:
        """What --set asks for; it is taken out of the options."""
        texts: list[str] = options.pop("settings", None) or []
        if not texts:
            return ()
        from ludisect.settings import read_settings

        for name in (text.partition("=")[0].strip() for text in texts):
            home = next((room for room in LIMITS if name in {one.name for one in limits_of(room).described()}), None)
            if home is not None and home not in self.rooms:
                self.error(f"{name} is a number of {home}, which this command does not use")
        return read_settings(texts, [limits_of(room) for room in self.rooms])


class SetOption(argparse.Action):
    """--set: the texts are collected; ``help`` lists what can be set, and ends the program as --help does."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, value: Any, *_: Any) -> None:
        if value == "help" and isinstance(parser, Parser):
            from ludisect.cli.numbers import tell_numbers

            tell_numbers([limits_of(room) for room in parser.rooms])
            parser.exit()
        namespace.settings = [*(getattr(namespace, "settings", None) or []), value]


def limits_of(room: str) -> type[Numbers]:
    """The class of a room's numbers."""
    from importlib import import_module

    module, _, name = LIMITS[room].partition(":")
    found: type[Numbers] = getattr(import_module(module), name)
    return found


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help in the width of the terminal, and each option with its argument once: ``-n, --playouts INTEGER``."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26)
        self._width = min(self._width, 98)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = (argparse.HelpFormatter._fill_text(self, p, width, indent) for p in text.split("\n\n"))
        return "\n\n".join(paragraphs)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        argument = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {argument}"


def integer(least: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number within bounds."""
    bounds = f"of at least {least}" if most is None else f"from {least} to {most}"

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least or (most is not None and number > most):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number {bounds}")
        return number

    return read


def number(least: float) -> Callable[[str], float]:
    """A number that is not below a bound."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not value >= least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least {least:g}")
        return value

    return read


def add_game(parser: Parser) -> None:
    parser.add_argument(
        "game", metavar="GAME", help="a bundled name (see 'ludisect games'), a path, or - for standard input"
    )


def add_seed(parser: Parser, default: int = 0) -> None:
    parser.add_argument(
        "--seed",
        type=integer(0),
        default=default,
        metavar="INTEGER",
        help="same seed, same answer (default: %(default)s)",
    )


def add_seconds(
    parser: Parser, help: str = "limit on time", *, least: float = 0.0, default: float | None = None
) -> None:
    parser.add_argument(
        "--seconds",
        type=number(least),
        default=default,
        metavar="SECONDS",
        help=help if default is None else f"{help} (default: %(default)g)",
    )


def add_jobs(parser: Parser) -> None:
    parser.add_argument(
        "--jobs", type=integer(1), metavar="INTEGER", help="search the parts of a sum in so many processes (default: 1)"
    )


def add_memory(parser: Parser, what: str = "the building of the game") -> None:
    parser.add_argument(
        "--memory",
        type=number(0.1),
        default=DEFAULT_MEMORY_GB,
        metavar="GB",
        help=f"limit on the memory of {what} (default: %(default)g)",
    )


def add_playouts(parser: Parser) -> None:
    parser.add_argument(
        "--playouts",
        type=integer(1),
        default=1000,
        metavar="INTEGER",
        help="random plays to learn and to test on (default: %(default)s)",
    )


def add_path(parser: Parser, *names: str, help: str) -> None:
    parser.add_argument(*names, type=Path, metavar="FILE", help=help)


def add_state(parser: Parser) -> None:
    """Where play is taken up; ``engine.from_state`` makes the game of it."""
    add_path(parser, "--state", help="a file with the state to begin from, KIF terms (default: the initial one)")
    parser.add_argument(
        "--moves", metavar="MOVES", help="moves to make first: '(mark 1 1); (mark 2 2)'; who has no choice is left out"
    )


def add_settings(parser: Parser, *rooms: str) -> None:
    parser.rooms = rooms
    parser.add_argument(
        "--set",
        action=SetOption,
        dest="settings",
        metavar="NAME=VALUE",
        help="another value for a limit or threshold (--set help lists them); may be given several times",
    )


def add_json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output, nothing else there")


def add_json_and_quiet(parser: Parser) -> None:
    add_json(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no notes")
