"""The command value: what a combinatorial game is worth."""

from __future__ import annotations

from pathlib import Path

from ludisect.cli.app import print_json
from ludisect.cli.console import say, working
from ludisect.cli.files import add_store, open_store, write
from ludisect.cli.options import Parser, add_jobs, add_json, add_path, add_seconds, add_settings, integer


def options(parser: Parser) -> None:
    parser.add_argument(
        "expression",
        metavar="EXPRESSION",
        help='a position, a value, or a sum of them: "domineering 4x4", "clobber XO.|OX.", "nim 3 5 7", "{1|*}", '
        '"kayles 7 + ^*"',
    )
    add_path(parser, "--thermograph", help="draw it into this SVG file")
    parser.add_argument(
        "--tree",
        type=integer(0),
        metavar="DEPTH",
        help="what both players can make of a position in so many moves: value, temperature, stops, incentives",
    )
    parser.add_argument(
        "--more",
        action="store_true",
        help="also the reduced and the frozen value, the atomic weight (of an all-small value), and the incentives",
    )
    add_path(parser, "--tree-svg", help="draw this tree into an SVG file (to depth 1 unless --tree says otherwise)")
    add_seconds(parser)
    add_jobs(parser)
    add_store(parser)
    add_settings(parser, "cgt", "rulesets", "sums")
    add_json(parser)


def run(
    expression: str,
    *,
    thermograph: Path | None,
    tree: int | None,
    more: bool,
    tree_svg: Path | None,
    seconds: float | None,
    jobs: int | None,
    store: Path | None,
    json: bool,
) -> None:
    """The combinatorial value of a position: canonical form, outcome, mean, temperature, stops, birthday.

    What is not found in time is guessed by search to a limited depth; bounds are sure.
    """
    from ludisect.sums.expression import describe, value_of
    from ludisect.sums.expression import more as more_of
    from ludisect.sums.local import LocalSearch
    from ludisect.sums.table import Sum

    table = Sum(expression)
    kept = open_store(store)
    if tree is not None or tree_svg is not None:
        table = table.asked_of(LocalSearch(seconds=seconds, store=kept))
    with working("valuing", quiet=json):
        found = value_of(table, seconds=seconds, store=kept, jobs=jobs or 1)
    if thermograph is not None:
        write(thermograph, found.thermograph.to_svg(expression))
    data = describe(found, scored=table.scored) | (more_of(found) if more else {})
    grown = None if tree is None and tree_svg is None else table.tree(1 if tree is None else tree)
    if grown is not None and tree_svg is not None:
        write(tree_svg, grown.to_svg())
    if json:
        print_json(data if grown is None or tree is None else data | {"tree": grown.to_json()})
        return
    for name, known in data.items():
        say(f"  {name.replace('_', ' '):11} {_shown(name, known)}")
    if grown is not None and tree is not None:
        say()
        say(str(grown))


_LACKING = {"atomic_weight": "none: not all-small"} | dict.fromkeys(
    ("reduced", "frozen", "left_incentives", "right_incentives"), "too large"
)
"""What people are told where there is none of what else is known."""


def _shown(name: str, known: object) -> object:
    """A fact for people."""
    if name == "threats":
        told = {"L": "Left wins outright if he moves first", "R": "Right wins outright if he moves first"}
        return told.get(str(known), "whoever moves first wins outright" if known else "later in the play")
    if isinstance(known, list):
        return ", ".join(known) or "none: there is no move"
    if known is None:
        return _LACKING.get(name, "none: outright wins are no numbers")
    return known
