"""The command value: what a combinatorial game is worth."""

from __future__ import annotations

from pathlib import Path

from ludisect.cli.app import print_json
from ludisect.cli.console import say
from ludisect.cli.files import add_store, open_store, write
from ludisect.cli.options import Parser, add_json, add_path, add_seconds, add_settings


def options(parser: Parser) -> None:
    parser.add_argument(
        "expression",
        metavar="EXPRESSION",
        help='a position, a value, or a sum of them: "domineering 4x4", "clobber XO.|OX.", "nim 3 5 7", "{1|*}", '
        '"kayles 7 + ^*"',
    )
    add_path(parser, "--thermograph", help="draw it into this SVG file")
    add_seconds(parser)
    add_store(parser)
    add_settings(parser, "sums")
    add_json(parser)


def run(expression: str, *, thermograph: Path | None, seconds: float | None, store: Path | None, json: bool) -> None:
    """The combinatorial value of a position: canonical form, outcome, mean, temperature, stops, birthday."""
    from ludisect.sums.answer import describe, value_of

    found = value_of(expression, seconds=seconds, store=open_store(store))
    if thermograph is not None:
        write(thermograph, found.thermograph.to_svg(expression))
    data = describe(found)
    if json:
        print_json(data)
        return
    for name, known in data.items():
        say(f"  {name.replace('_', ' '):11} {known}")
