"""The command serve: a player that game managers can ask, behind an address."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ludisect.cli.app import print_json
from ludisect.cli.console import note, say
from ludisect.cli.options import Parser, add_json_and_quiet, add_path, add_settings, integer, number

if TYPE_CHECKING:
    from ludisect.play.serving import PlayerServer


def options(parser: Parser) -> None:
    parser.add_argument(
        "--port", type=integer(0, 65535), default=9147, metavar="INTEGER", help="0 takes any (default: %(default)s)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="0.0.0.0 lets others in (default: %(default)s)"
    )
    parser.add_argument(
        "--margin",
        type=number(0.0),
        metavar="SECONDS",
        help="how long before the end of a clock to answer, a quarter of it at most (default: 0.3)",
    )
    add_path(parser, "--log", help="a folder for matches that replay reads, and a line of reasons for each move")
    parser.add_argument(
        "--player",
        default="parts",
        metavar="NAME",
        help="random, legal, flat, tree, alphabeta or parts (default: parts)",
    )
    add_settings(parser, "play")
    add_json_and_quiet(parser)


def run(*, port: int, host: str, margin: float | None, log: Path | None, player: str, json: bool, quiet: bool) -> None:
    """Play in matches of game managers that speak the GGP protocol, until Ctrl-C.

    START, PLAY, STOP, ABORT, PREVIEW and INFO are answered in either notation, every other message by a word. Moves
    are answered before the clock ends, by the rules alone where nothing better is known yet. With --json, the address
    is printed as JSON once the player listens.
    """
    import asyncio

    from ludisect.errors import InputError
    from ludisect.play.players import make_player
    from ludisect.play.serving import PlayerServer

    make_player(player)
    if log is not None:
        try:
            log.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot write to {log}: {error.strerror}") from None
    server = PlayerServer(player, margin=margin, log=log, tell=None if quiet or json else note)

    def listening(where: str, at: int) -> None:
        address = f"[{where}]" if ":" in where else where
        if json:
            print_json({"url": f"http://{address}:{at}", "host": where, "port": at, "player": player})
        else:
            say(f"{player} plays at http://{address}:{at}; Ctrl-C ends it")
        sys.stdout.flush()  # somebody may wait for the address at the other end of a pipe

    asyncio.run(_until_told(server, host, port, listening))


async def _until_told(server: PlayerServer, host: str, port: int, listening: Callable[[str, int], None]) -> None:
    """Run until Ctrl-C or a signal to end, then end all processes."""
    import asyncio
    import signal
    from contextlib import suppress

    serving = asyncio.create_task(server.run(host, port, listening))
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # where signals are not to be had in loops, Ctrl-C is an exception
            loop.add_signal_handler(name, serving.cancel)
    with suppress(asyncio.CancelledError):
        await serving
