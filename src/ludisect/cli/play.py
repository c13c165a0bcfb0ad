"""The command play: a person against the engine, in the terminal."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import columns, note, say, width, working
from ludisect.cli.options import (
    DEFAULT_MEMORY_GB,
    Parser,
    add_json_and_quiet,
    add_path,
    add_seconds,
    add_seed,
    add_settings,
)
from ludisect.errors import InputError, LudisectError
from ludisect.kernels.workers import compile_all

if TYPE_CHECKING:
    from ludisect.play.session import Session

COMMANDS = {
    "moves": "all your moves with their numbers",
    "hint": "what each of your moves is worth",
    "why": "why the engine moved as it did",
    "undo": "take back your last move",
    "board": "show how it stands",
    "save FILE": "write the match to a file; 'ludisect play FILE' goes on with it",
    "help": "this list",
    "quit": "leave",
}

FEW = 40
"""Moves that are listed without being asked for."""


def options(parser: Parser) -> None:
    parser.add_argument(
        "game",
        metavar="GAME",
        help="a game given by rules, a combinatorial sum as for 'value', or a file that 'save' has written (.json)",
    )
    parser.add_argument("--role", metavar="ROLE", help="whose side you take (default: the first; in sums, left)")
    parser.add_argument("--first", metavar="SIDE", help="who begins a sum: left or right (default: left)")
    parser.add_argument(
        "--player", default="parts", metavar="NAME", help="who plays against you (default: %(default)s; see 'match')"
    )
    add_seconds(parser, "time of the engine for a move", least=0.01, default=1.0)
    add_path(parser, "--save", help="keep the match in this file after every move")
    add_seed(parser)
    add_settings(parser, "gdl", "games", "ground", "circuit", "search", "sums", "play")
    add_json_and_quiet(parser)


def run(
    game: str,
    *,
    role: str | None,
    first: str | None,
    player: str,
    seconds: float,
    save: Path | None,
    seed: int,
    json: bool,
    quiet: bool,
) -> int:
    """Play against the engine: moves by their text (the Tab key completes), by enough of their words, or by number.

    At the prompt, 'hint' tells what each move is worth, 'undo' takes one back, 'why' asks the engine, 'help' lists the
    rest. With --json, the match is printed as JSON in the end, and all talk goes to standard error.
    """
    if game == "-":
        raise InputError("standard input is where you type your moves; give the rules in a file")
    session = _session(game, role=role, first=first, player=player, seconds=seconds, seed=seed, quiet=quiet or json)
    talk = note if json else say
    talk(f"{session.name}: you are {session.person}" + (f" against {session.opponent}" if session.opponent else ""))
    talk("type a move, its number, or help")
    try:
        left = _Table(session, talk, save).talk()
    except KeyboardInterrupt:
        left = INTERRUPTED
        note("\ninterrupted")
    finally:
        session.close()
    if json:
        print_json({**session.to_json(), "over": session.over, "result": session.result() if session.over else None})
    return left


def _session(
    text: str, *, role: str | None, first: str | None, player: str, seconds: float, seed: int, quiet: bool
) -> Session:
    from ludisect.games.source import find_rules, names_rules
    from ludisect.play.session import RulesSession, read_saved, saved_rules
    from ludisect.play.sumsession import SumSession
    from ludisect.solving import meant

    saved = read_saved(Path(text)) if text.endswith(".json") else None
    if saved is not None and saved.get("kind") == "sum":
        table = SumSession(saved["name"], side=saved["role"], first=saved["first"], seconds=seconds)
        table.resume(saved["moves"])
        return table
    if saved is None and not names_rules(text):
        try:
            return SumSession(text, side=role, first=first, seconds=seconds)
        except InputError as error:
            raise meant(text, error) from None
    if first is not None:
        raise InputError("--first is for sums; in a game given by rules the rules say who begins")
    from ludisect.cli.engine import machine

    rules = find_rules(text) if saved is None else saved_rules(saved)
    built = machine(rules, "auto", seconds=None, memory=DEFAULT_MEMORY_GB, quiet=quiet)
    if saved is not None:
        role, player = saved["role"], saved["player"]
    compile_all(["play"])  # the time of a move does not wait for machine code
    with working(f"setting up {rules.name}", quiet=quiet):
        session = RulesSession(rules, built, role=role, player=player, seconds=seconds, seed=seed)
        if saved is not None:
            session.resume(saved["moves"])
    return session


class _Table:
    """The conversation: reads a line, does what it says, prints what came of it."""

    def __init__(self, session: Session, talk: Callable[[str], None], save: Path | None) -> None:
        self.session, self.talk_to, self.save = session, talk, save
        self.done = False
        if sys.stdin.isatty():
            _complete(self.words)

    def words(self) -> list[str]:
        """What the Tab key offers."""
        moves = self.session.moves
        bare = [move.strip("()") for move in moves if move.startswith("(")]
        return [*moves, *bare, *(name.split()[0] for name in COMMANDS)]

    def talk(self) -> int:
        """Until the match is over or the person leaves."""
        self._tell(self._thinking(self.session.begin))
        self._show()
        while not self.done and not self.session.over:
            try:
                line = input("your move> " if sys.stdin.isatty() else "")
            except EOFError:
                break
            if line.strip():
                try:
                    self._obey(line.strip())
                except LudisectError as error:
                    self._tell([str(error)])
        ended = f"over: {self.session.result()}" if self.session.over else ""
        if ended and ended not in self.session.picture(width()):
            self.talk_to(ended)
        return 0

    def _obey(self, line: str) -> None:
        from ludisect.play.session import find_move

        word, _, rest = line.partition(" ")
        if line in self.session.moves or word.lower() not in {name.split()[0] for name in COMMANDS} | {"exit"}:
            move = find_move(line, self.session.moves)
            self._tell(self._thinking(lambda: self.session.play(move)))
            if self.save is not None:
                self.session.save(self.save)
            self._show()
            return
        {
            "moves": lambda: self._list(all_of_them=True),
            "hint": self._hint,
            "why": lambda: self._tell(self.session.why() or ["the engine has not chosen yet"]),
            "undo": self._undo,
            "board": self._show,
            "save": lambda: self._save(rest.strip()),
            "help": self._help,
            "quit": self._leave,
            "exit": self._leave,
        }[word.lower()]()

    def _thinking(self, work: Callable[[], list[str]]) -> list[str]:
        with working("thinking", quiet=False):
            return work()

    def _tell(self, lines: list[str]) -> None:
        for line in lines:
            self.talk_to(textwrap.fill(line, width(), subsequent_indent="  ", break_on_hyphens=False))

    def _show(self) -> None:
        self.talk_to("")
        self.talk_to(self.session.picture(min(width(), 100)))
        if not self.session.over:
            self._list(all_of_them=False)

    def _list(self, *, all_of_them: bool) -> None:
        moves = self.session.moves
        shown = moves if all_of_them or len(moves) <= FEW else moves[: FEW // 2]
        cells = [f"{number} {move}" for number, move in enumerate(shown, 1)]
        room = max(map(len, cells), default=1) + 2
        per_line = max(1, min(width(), 100) // room)
        for k in range(0, len(cells), per_line):
            self.talk_to("".join(cell.ljust(room) for cell in cells[k : k + per_line]).rstrip())
        if len(shown) < len(moves):
            self.talk_to(f"… {len(moves)} moves in all; 'moves' lists them")

    def _hint(self) -> None:
        with working("thinking", quiet=False):
            hints, how = self.session.hints()
        self._tell([f"{how}:"])
        for line in columns([[hint.worth, hint.move] for hint in hints], right=(0,)):
            self.talk_to(f"  {line}")

    def _undo(self) -> None:
        if self.session.undo():
            self._show()
        else:
            self.talk_to("there is no move of yours to take back")

    def _save(self, name: str) -> None:
        if not name:
            raise InputError("where to? write: save FILE")
        path = Path(name if name.endswith(".json") else f"{name}.json")
        self.session.save(path)
        self.talk_to(f"saved; 'ludisect play {path}' goes on with it")

    def _help(self) -> None:
        for line in columns([[name, what] for name, what in COMMANDS.items()], wrap=(1,)):
            self.talk_to(f"  {line}")

    def _leave(self) -> None:
        self.done = True


def _complete(words: Callable[[], list[str]]) -> None:
    """Have the Tab key complete moves and commands, where the terminal can."""
    try:
        import readline
    except ImportError:
        return

    def offer(text: str, state: int) -> str | None:
        typed = readline.get_line_buffer().lstrip()
        fit = [word for word in words() if word.lower().startswith(typed.lower())]
        return fit[state] if state < len(fit) else None

    readline.set_completer_delims("")
    readline.set_completer(offer)
    readline.parse_and_bind("tab: complete")
