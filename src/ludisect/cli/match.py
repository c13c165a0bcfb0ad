"""The command match: players against each other, a table of who beats whom, and a log that can be replayed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import columns, note, say, working
from ludisect.cli.files import check_writable
from ludisect.cli.options import (
    Parser,
    add_game,
    add_json_and_quiet,
    add_path,
    add_seed,
    add_settings,
    integer,
    number,
)
from ludisect.kernels.workers import compile_all
from ludisect.progress import viewer

if TYPE_CHECKING:
    from ludisect.play.score import Standing
    from ludisect.play.wire import Manner


def options(parser: Parser) -> None:
    add_game(parser)
    parser.add_argument(
        "players",
        nargs="+",
        metavar="PLAYER",
        help="random, legal, flat, tree, alphabeta, parts, or http://host:port; as many as the game has roles, or more",
    )
    parser.add_argument(
        "--games", type=integer(1), default=10, metavar="INTEGER", help="games of each pairing (default: %(default)s)"
    )
    parser.add_argument(
        "--seconds",
        type=number(0.01),
        default=1.0,
        metavar="SECONDS",
        help="clock for each move (default: %(default)g)",
    )
    parser.add_argument(
        "--start",
        type=number(0.0),
        metavar="SECONDS",
        help="clock before the first move (default: five times --seconds)",
    )
    parser.add_argument(
        "--opening",
        type=integer(0),
        default=0,
        metavar="INTEGER",
        help="random moves at the beginning, the same for all seatings of the same players (default: %(default)s)",
    )
    parser.add_argument(
        "--jobs", type=integer(1, 256), default=1, metavar="INTEGER", help="matches side by side (default: %(default)s)"
    )
    add_path(parser, "--log", help="a file for all matches, which replay reads; matches that it has are not held anew")
    parser.add_argument(
        "--manner",
        default="ggp-base",
        metavar="NAME",
        help="how to speak to players behind an address: ggp-base, ggp-base-old, dresden, tiltyard "
        "(default: %(default)s)",
    )
    parser.add_argument("--upper", action="store_true", help="speak in capitals")
    parser.add_argument("--scramble", action="store_true", help="replace the names of the rules by random words")
    parser.add_argument("--no-host", action="store_true", help="send no header Host")
    parser.add_argument("--bare-lf", action="store_true", help="end lines of headers by a line feed alone")
    add_seed(parser)
    add_settings(parser, "gdl", "games", "ground", "circuit", "search", "play")
    add_json_and_quiet(parser)


def run(
    game: str,
    *,
    players: list[str],
    games: int,
    seconds: float,
    start: float | None,
    opening: int,
    jobs: int,
    log: Path | None,
    manner: str,
    upper: bool,
    scramble: bool,
    no_host: bool,
    bare_lf: bool,
    seed: int,
    json: bool,
    quiet: bool,
) -> int:
    """Let players meet: each choice of players for the roles of the game, with seats changing from game to game.

    A player whose move is illegal, late or missing gets one from the manager, and the match goes on; the table counts
    the matches in which that happened. Scores are shares of the points of a pairing, a draw being a half, with their
    95 % intervals.
    """
    from ludisect.games.source import find_rules
    from ludisect.gdl import Interpreter
    from ludisect.play import tournament
    from ludisect.play.score import Standing

    thinkers = _check(players, log)
    rules = find_rules(game)
    if thinkers:
        compile_all(["match"])  # the clocks of a match do not wait for machine code
    agreement = tournament.Agreement(
        start_clock=5 * seconds if start is None else start,
        play_clock=seconds,
        opening=opening,
        manner=_manner(manner, upper=upper, scramble=scramble, no_host=no_host, bare_lf=bare_lf),
    )
    todo = tournament.fixtures(players, len(Interpreter(rules).roles), games, seed)
    interrupted = False
    with working(rules.name, quiet=quiet or json) as tell:
        held = _Held(rules.name, seconds, Standing(), tell)
        try:
            tournament.run(rules, todo, agreement, jobs=jobs, log=log, done=held.add)
        except KeyboardInterrupt:
            interrupted = True
    if json:
        print_json({**held.to_json(), **({"interrupted": True} if interrupted else {})})
    else:
        _print(rules.name, held.standing, held.matches)
    if interrupted:
        note(f"ludisect: interrupted after {held.matches} of {len(todo)} matches")
    return INTERRUPTED if interrupted else 0


class _Held:
    """The matches that were held, told to who waits as they come."""

    def __init__(self, game: str, seconds: float, standing: Standing, tell: Callable[[str], None] | None) -> None:
        self.game, self.seconds, self.standing, self.matches = game, seconds, standing, 0
        self._tell, self._view = tell, viewer()

    def add(self, line: dict[str, Any], standing: Standing) -> None:
        self.standing, self.matches = standing, self.matches + 1
        if self._tell is not None:
            self._tell(_shortly(standing))
        if self._view is not None:
            self._view(self.to_json)

    def to_json(self) -> dict[str, Any]:
        return {"game": self.game, "matches": self.matches, "seconds": self.seconds, **self.standing.to_json()}


def _check(players: list[str], log: Path | None) -> bool:
    """Complain about a player that is not known and a log that cannot be written before anything takes long.

    Gives whether any of the players computes here.
    """
    from ludisect.play.players import make_player

    ours = [make_player(player) for player in players if not player.startswith("http://")]
    if log is not None:
        check_writable(log)
    return any(player.builds for player in ours)


def _manner(name: str, *, upper: bool, scramble: bool, no_host: bool, bare_lf: bool) -> Manner:
    from dataclasses import replace

    from ludisect.errors import InputError
    from ludisect.play.wire import MANNERS

    if name not in MANNERS:
        raise InputError(f"no manager is called {name!r}; there are {', '.join(MANNERS)}")
    manner = MANNERS[name]
    return replace(
        manner,
        upper=manner.upper or upper,
        scramble=manner.scramble or scramble,
        host=manner.host and not no_host,
        lines="\n" if bare_lf else manner.lines,
    )


def _shortly(standing: Standing) -> str:
    some = [f"{p.first} {100 * p.score:.0f} % of {p.second}" for p in standing.pairs]
    return "; ".join(some[:3])


def _print(name: str, standing: Standing, held: int) -> None:
    say(f"{name}: {held} match{'es' * (held != 1)}")
    if standing.pairings:
        rows = [["player", "against", "games", "won", "drawn", "lost", "score", "95 % interval"]]
        for p in standing.pairs:
            low, high = p.interval
            counts = [str(n) for n in (p.games, p.wins, p.draws, p.losses)]
            rows.append([p.first, p.second, *counts, f"{100 * p.score:.1f} %", f"{100 * low:.1f} to {100 * high:.1f}"])
        for line in columns(rows, right=range(2, 8)):
            say(f"  {line}")
    rows = [["player", "games", "mean goal", "±", "matches with faults"]]
    for player in standing.players:
        goals = standing.goals[player]
        mean, half = standing.mean_goal(player)
        spread = "" if half == float("inf") else f"{half:.1f}"
        rows.append([player, str(len(goals)), f"{mean:.1f}", spread, str(standing.faults.get(player, 0))])
    if len(rows) > 1:
        for line in columns(rows, right=range(1, 5)):
            say(f"  {line}")
    if standing.broken_off:
        say(f"  {standing.broken_off} broken off: nobody could move, or too long")
