"""The command chess: a king-and-pawn ending in parts, their values, the winning moves of either side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import columns, note, say, say_coloured, working
from ludisect.cli.files import check_writable, write
from ludisect.cli.options import Parser, add_json_and_quiet, add_path, add_seconds, add_settings
from ludisect.errors import BudgetExceeded

if TYPE_CHECKING:
    from ludisect.pawnendings.ending import PawnEnding


def options(parser: Parser) -> None:
    parser.add_argument(
        "fen",
        metavar="FEN",
        nargs="+",
        help="kings and pawns as FEN, such as 8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 (the other fields may be left out), a FEN "
        'without kings, or pawns alone: "a2 b2 / a6 b7"',
    )
    parser.add_argument(
        "--bound", action="store_true", help="take the kings as bound, whatever the local search says about them"
    )
    add_path(parser, "--svg", help="draw the board with its parts into this file")
    add_seconds(parser, "limit on time (default: none, but one on positions)", least=0.05)
    add_settings(parser, "pawnendings", "cgt", "rulesets", "sums")
    add_json_and_quiet(parser)


def run(fen: list[str], *, bound: bool, svg: Path | None, seconds: float | None, json: bool, quiet: bool) -> int:
    """Take a king-and-pawn ending apart: the value of each part and of the sum, who wins, and by which moves.

    Whoever runs out of pawn moves loses if the kings are in mutual zugzwang. That, and that a promotion wins, is
    heuristic, and the answer says so.
    """
    if svg is not None:
        check_writable(svg)
    from ludisect.pawnendings.ending import PawnEnding as Kind
    from ludisect.pawnendings.ending import analyse

    limit: BudgetExceeded | None = None
    with working("taking the ending apart", quiet=quiet or json):
        try:
            ending = analyse(" ".join(fen), bound=bound, seconds=seconds)
        except BudgetExceeded as error:
            if not isinstance(error.partial, Kind):
                raise
            ending, limit = error.partial, error
    if svg is not None:
        from ludisect.pawnendings.diagram import ending_svg

        write(svg, ending_svg(ending))
    interrupted = limit is not None and limit.budget == "interrupt"
    if json:
        more = {} if limit is None else {"limit": str(limit), **({"interrupted": True} if interrupted else {})}
        print_json({**ending.to_json(), **more})
    else:
        _show(ending)
        if limit is not None:
            note(f"ludisect: {limit}" + ("" if interrupted else "; give it more --seconds"))
        if svg is not None and not quiet:
            note(f"drawn: {svg}")
    return INTERRUPTED if interrupted else 0 if limit is None else 3


def _show(ending: PawnEnding) -> None:
    from ludisect.cgt.marked import short_worth
    from ludisect.pawnendings.diagram import board_rich
    from ludisect.pawnendings.ending import STATUS
    from ludisect.rulesets.position import Player

    say_coloured(board_rich(ending))
    say()
    rows = []
    for part in ending.parts:
        worth = "out of reach (off to on)" if part.value is None else short_worth(part.value)
        pawns = str(part.pawns).partition(" blocked ")[0]
        rows.append((f"  part {part.number}", pawns, worth + ", with the kings (heuristic)" * part.kings))
    for line in columns(rows):
        say(line)
    if len(ending.parts) > 1:
        reason = "out of reach" if any(p.value is None for p in ending.parts) else "searched: two parts have threats"
        say(f"  sum: {reason if ending.total is None else short_worth(ending.total)}")
    say()
    for player in Player:
        for told in ending.reasons(player):
            say(f"  {told}")
    say(f"  status: {ending.status}: {ending.why}")
    say(f"  {STATUS[ending.status]}")
