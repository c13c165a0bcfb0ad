"""The command web: the bench in a browser."""

from __future__ import annotations

import sys
from pathlib import Path

from ludisect.cli.app import print_json
from ludisect.cli.console import say
from ludisect.cli.options import Parser, add_json_and_quiet, add_settings, integer
from ludisect.errors import InputError

PORT = 8137


def options(parser: Parser) -> None:
    parser.add_argument(
        "--port",
        type=integer(0, 65535),
        default=PORT,
        metavar="INTEGER",
        help="the port, or the next one that is free; 0 takes any (default: %(default)s)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="another than this machine's own (0.0.0.0: all) lets others in who have the token (default: %(default)s)",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name by which browsers may call this server; may be given several times",
    )
    parser.add_argument(
        "--games",
        action="append",
        default=[],
        type=Path,
        metavar="FILE.py",
        help="a file with games of your own; may be given several times",
    )
    add_settings(parser, "web")
    add_json_and_quiet(parser)


def run(
    *, port: int, no_browser: bool, host: str, allow_host: list[str], games: list[Path], json: bool, quiet: bool
) -> None:
    """The bench in a browser: see the parts of a game, see what every move is worth, play.

    The server listens on this machine alone unless --host says otherwise; Ctrl-C ends it and all that it has started.
    With --json, the address is printed as JSON once the server listens.
    """
    for file in games:
        if not file.is_file():
            raise InputError(f"there is no file {file}; --games takes a file of Python with classes of games")
    try:
        from ludisect.web.launch import run_server
    except ModuleNotFoundError as error:
        if error.name not in ("fastapi", "uvicorn", "starlette", "pydantic"):
            raise
        raise InputError(f"the page needs {error.name}: pip install 'ludisect[web]'") from None

    def listening(url: str, where: str, at: int) -> None:
        if json:
            print_json({"url": url, "host": where, "port": at})
        else:
            say(f"ludisect in your browser: {url}")
            if not quiet:
                say("Ctrl-C ends it")
        sys.stdout.flush()  # somebody may wait for the address at the other end of a pipe

    run_server(
        host=host,
        port=port,
        allowed=allow_host,
        games=[str(file.resolve()) for file in games],
        browser=not no_browser,
        listening=listening,
    )
