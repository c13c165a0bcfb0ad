"""The command games: the games that come with ludisect, as a table or a list."""

from __future__ import annotations

import sys
import textwrap

from ludisect.cli.app import print_json
from ludisect.cli.console import BOLD, columns, say, styled, width
from ludisect.cli.options import Parser, add_json

TABLE_COLUMNS = 110
"""Terminals narrower than this get a list of games instead of a table."""


def options(parser: Parser) -> None:
    add_json(parser)


def run(*, json: bool) -> None:
    """The games that come with ludisect."""
    from ludisect.games import bundled

    described = [bundled.describe(name) for name in bundled.names()]
    if json:
        print_json({"games": [d.to_json() for d in described]})
        return
    rows = [("game", "players", "turns", "parts", "what it is")]
    rows += [(d.parameters or d.name, str(d.roles), d.turns, d.parts.glue, d.summary) for d in described]
    if not sys.stdout.isatty():  # whoever reads it takes lines, of any length
        say("\n".join(columns(rows)))
    elif width() >= TABLE_COLUMNS:
        say("\n".join(columns(rows, wrap=(4,))))
    else:
        for d in described:
            how = "" if d.parts.glue == "single" else f"  {d.parts.glue}"
            say(styled(d.parameters or d.name, BOLD) + how)
            say(textwrap.indent(textwrap.fill(d.summary, width() - 2), "  "))
    say("\nParameters stand after a colon: ludisect info nim:3,5,7")
