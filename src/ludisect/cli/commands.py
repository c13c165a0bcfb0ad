"""The commands by name: what each takes, and what it does in a line.

Each has a module of its name, which is loaded when it is asked for. Its function ``options`` declares what the command
takes, ``run`` runs it, and the docstring of ``run`` is the help text.
"""

from __future__ import annotations

import textwrap
from typing import NamedTuple


class Command(NamedTuple):
    """What a command takes, its line in the list of commands, and how to call it for a start."""

    takes: str
    summary: str
    examples: tuple[str, ...]


COMMANDS = {
    "demo": Command("", "a tour of what ludisect does, half a minute", ("demo",)),
    "games": Command("", "the games that come with it", ("games",)),
    "info": Command("GAME", "roles, turns, fluents, moves, gates", ("info connect-four",)),
    "decompose": Command(
        "GAME",
        "the independent parts, proved or tested",
        ("decompose double-tictactoe", "decompose double-tictactoe --svg parts.svg"),
    ),
    "solve": Command(
        "GAME",
        "value and best move, from the parts",
        ("solve nim:3,5,7", 'solve tictactoe --moves "(mark 2 2)"', 'solve "domineering 2x3 + {3|-1}"'),
    ),
    "values": Command(
        "GAME",
        "what every move is worth, the best marked",
        ('values tictactoe --moves "(mark 2 2)"', 'values "nim 3 5 7"'),
    ),
    "play": Command("GAME", "play against the engine, in the terminal", ("play connect-four",)),
    "web": Command("", "all of this in your browser", ("web",)),
    "match": Command(
        "GAME PLAYER PLAYER…", "players against each other, who beats whom", ("match tictactoe parts random --games 2",)
    ),
    "serve": Command("", "a player for game managers (GGP protocol)", ("serve --port 9147",)),
    "simulate": Command("GAME", "random plays: speed, lengths, results", ("simulate connect-four -n 100000",)),
    "check": Command("GAME", "every fault of a rule sheet, with its place", ("check my-game.kif",)),
    "verify": Command("GAME DECOMPOSITION.json", "judge anybody's decomposition", ("verify my-game.kif parts.json",)),
    "replay": Command(
        "GAME TRACE", "hold another engine's matches against ours", ("replay my-game.kif matches.jsonl",)
    ),
    "compose": Command(
        "OP GAME GAME…", "glue games into one with known parts", ("compose choice tictactoe nim:5 --by-order",)
    ),
    "sweep": Command(
        "FOLDER… --store FILE",
        "a command on thousands of games, kept",
        ("sweep my-games --store results.db", "sweep report --store results.db"),
    ),
    "value": Command(
        "EXPRESSION",
        "the value of a combinatorial game",
        ('value "domineering 4x4"', 'value "{1|*} + nim 3"'),
    ),
    "chess": Command("FEN", "a king-and-pawn ending in parts, who wins it", ("chess 8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8",)),
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
