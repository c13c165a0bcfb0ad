"""The commands by name: what each takes, and what it does in a line.

Each has a module of its name, which is loaded when it is asked for. Its function ``options`` declares what the command
takes, ``run`` runs it, and the docstring of ``run`` is the help text.
"""

from __future__ import annotations

import textwrap
from typing import NamedTuple


class Command(NamedTuple):
    """One line of the list of commands."""

    takes: str
    summary: str


COMMANDS = {
    "demo": Command("", "a tour of what ludisect does, half a minute"),
    "games": Command("", "the games that come with it"),
    "info": Command("GAME", "roles, turns, fluents, moves, gates"),
    "decompose": Command("GAME", "the independent parts, proved or tested"),
    "solve": Command("GAME", "value and best move, from the parts"),
    "values": Command("GAME", "what every move is worth, the best marked"),
    "play": Command("GAME", "play against the engine, in the terminal"),
    "web": Command("", "all of this in your browser"),
    "match": Command("GAME PLAYER PLAYER…", "players against each other, who beats whom"),
    "serve": Command("", "a player for game managers (GGP protocol)"),
    "simulate": Command("GAME", "random plays: speed, lengths, results"),
    "check": Command("GAME", "every fault of a rule sheet, with its place"),
    "verify": Command("GAME DECOMPOSITION.json", "judge anybody's decomposition"),
    "replay": Command("GAME TRACE", "hold another engine's matches against ours"),
    "compose": Command("OP GAME GAME…", "glue games into one with known parts"),
    "sweep": Command("FOLDER… --store FILE", "a command on thousands of games, kept"),
    "value": Command("EXPRESSION", "the value of a combinatorial game"),
    "chess": Command("FEN", "a king-and-pawn ending in parts, who wins it"),
}
"""In the order in which a newcomer needs them."""

EXAMPLES = (
    "ludisect decompose double-tictactoe",
    "ludisect solve nim:11,12,15,25",
    'ludisect value "domineering 4x4"',
)

_PURPOSE = "Takes a game apart and plays the whole by solving the parts."

_HINT = """GAME is a name from 'ludisect games', a path, or - for standard
input. 'ludisect COMMAND --help' tells the options of a command."""


def overview() -> str:
    """What ``ludisect --help`` prints; no line is longer than 60 columns."""
    width = max(map(len, COMMANDS))
    return "\n".join(
        [
            "usage: ludisect [--version] [--debug] COMMAND …",
            "",
            _PURPOSE,
            "",
            "commands:",
            *(f"  {name:{width}}  {command.summary}" for name, command in COMMANDS.items()),
            "",
            "options:",
            "  -h, --help  show this text",
            "  --version   print the version",
            "  --debug     show tracebacks of errors",
            "",
            "examples:",
            *(f"  {line}" for line in EXAMPLES),
            "",
            *textwrap.wrap(_HINT, 60),
        ]
    )
