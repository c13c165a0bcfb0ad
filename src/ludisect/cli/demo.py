"""The command demo: what ludisect does, a story of two screens, each result printed when it is known."""

from __future__ import annotations

import gc
import shutil
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludisect import clock
from ludisect.cli.app import print_json
from ludisect.cli.console import BOLD, say, say_coloured
from ludisect.cli.engine import build
from ludisect.cli.options import LIMITS, Parser, add_json_and_quiet, add_seed, add_settings
from ludisect.errors import BudgetExceeded

if TYPE_CHECKING:
    from ludisect.answer import Answer
    from ludisect.decomposition.model.decomposition import Decomposition
    from ludisect.gdl import Rules

WIDTH = 80
"""No line is longer."""

BOARDS = "double-tictactoe"
HEAPS = "nim:11,12,15,25,27,30"
SUMMANDS = ("domineering 2x3", "domineering 3x3", "domineering 3x5")
PLAYED = ("tictactoe", "connect-four", "breakthrough", "reversi")

PARTS_SECONDS = 60.0
WHOLE_SECONDS = {BOARDS: 3.0, HEAPS: 2.0}
"""The search of the whole is given that long."""
PLAY_SECONDS = 0.3
"""For the playouts of one game, and again for the interpreter."""
MEMORY_GB = 4.0

WINNERS = {"L": "Left", "R": "Right", "N": "who begins", "P": "who does not begin"}

NEXT = (
    ("ludisect games", "the games that come with it"),
    ("ludisect solve double-tictactoe", "the value, the best move, and why"),
    ("ludisect decompose blocks-maze --svg p.svg", "a puzzle's parts, and a picture"),
    ("ludisect simulate connect-four -n 10000000", "ten million plays, and who wins"),
    ('ludisect solve "domineering 2x3 + nim 4"', "who wins a sum, and by which move"),
    ("ludisect check tictactoe", "faults of rules; try a file of yours"),
)

Tell = Callable[..., None]


def options(parser: Parser) -> None:
    add_seed(parser)
    add_settings(parser, *LIMITS)
    add_json_and_quiet(parser)


def run(*, seed: int, json: bool, quiet: bool) -> None:
    """A tour of what ludisect does: a game taken apart, solved by its parts and whole, values, speed."""
    tell: Tell = (lambda *_: None) if json else say
    begin = clock.now()
    tell("A compound game is several games under one set of rules. To search it whole is")
    tell("work of the size of their product; to solve its parts, of about their sum.")
    try:
        data = _show_all(tell, seed, quiet=quiet or json, picture=not json)
    except BudgetExceeded as error:
        if error.budget == "interrupt":  # half a demo shows nothing
            raise KeyboardInterrupt from None
        raise
    data["seconds"] = clock.now() - begin
    tell(f"\nThat took {data['seconds']:.0f} s. What to try next:", BOLD)
    width = max(len(command) for command, _ in NEXT)
    for command, what in (*_path(), *NEXT):
        tell(f"{command:{width}}  {what}")
    if json:
        print_json(data)


def _path() -> list[tuple[str, str]]:
    """What a shell must be told before it finds the program, as after ``make demo``; nothing if it does."""
    folder = Path(sys.executable).parent
    if shutil.which("ludisect") or not (folder / "ludisect").exists():
        return []
    here = Path.cwd()
    where = f"$PWD/{folder.relative_to(here)}" if folder.is_relative_to(here) else str(folder)
    return [(f'export PATH="{where}:$PATH"', "so that the shell finds it")]


def _show_all(tell: Tell, seed: int, *, quiet: bool, picture: bool) -> dict[str, Any]:
    tell("\n1. A game taken apart", BOLD)
    tell("Double tic-tac-toe: each turn the mover picks one of two boards. The rules do")
    tell("not speak of parts; ludisect finds them from what the moves do:")
    boards = _decompose(BOARDS, quiet)
    if picture:
        from ludisect.draw.terminal import board_rich

        say_coloured(board_rich(boards, width=WIDTH))
    status = boards.evidence.status if boards.evidence else "not verified"
    tell(f"{len(boards.dependent)} parts, {status} independent of each other, in {boards.seconds['total']:.2f} s")

    tell("\n2. Solved by its parts, and as a whole", BOLD)
    tell(_row_of_search("game", "search", "value", "positions", "seconds"))
    searches = [*_show_searches(tell, boards), *_show_searches(tell, _decompose(HEAPS, quiet))]
    reasons = [answer.why[-1] for by, answer in searches if by == "parts" and answer.why and answer.game == HEAPS]
    for reason in reasons:
        tell(textwrap.fill(reason, WIDTH))

    tell("\n3. Games whose values add up", BOLD)
    tell("In Domineering, Left lays dominoes upright and Right flat; who cannot, loses.")
    values = _show_values(tell)

    tell("\n4. From rules to random plays", BOLD)
    tell("Rules become a circuit of AND gates that plays 512 games at once, one bit each;")
    tell("the last column compares it with a plain interpreter of the same rules.")
    return {
        "decomposition": boards.to_json(),
        "searches": [{"by": by, **answer.to_json()} for by, answer in searches],
        "values": values,
        "playouts": _show_playouts(tell, seed, quiet),
    }


def _decompose(name: str, quiet: bool) -> Decomposition:
    from ludisect.decomposition import decompose

    return decompose(build(_rules(name), seconds=None, memory=MEMORY_GB, quiet=quiet))


def _rules(name: str) -> Rules:
    from ludisect.games.source import find_rules

    return find_rules(name)


def _show_searches(tell: Tell, parts: Decomposition) -> list[tuple[str, Answer]]:
    """Solve a game both ways; a search that is given up says so."""
    from ludisect.answer import Answer as Kind
    from ludisect.search.solve import solve

    found = []
    name = parts.game.name
    for by, limit in (("parts", PARTS_SECONDS), ("whole", WHOLE_SECONDS[name])):
        try:
            answer, given_up = solve(parts, by, seconds=limit), False
        except BudgetExceeded as error:
            if error.budget == "interrupt" or not isinstance(error.partial, Kind):
                raise
            answer, given_up = error.partial, True
        value = "given up" if given_up else " : ".join("?" if v is None else f"{v:g}" for v in answer.value.values())
        how = "by parts" if by == "parts" else "whole"
        tell(_row_of_search(name if by == "parts" else "", how, value, f"{answer.nodes:,}", f"{answer.seconds:.2f}"))
        found.append((by, answer))
    return found


def _row_of_search(name: str, by: str, value: str, positions: str, seconds: str) -> str:
    return f"{name:21}  {by:8}  {value:8}  {positions:>12}  {seconds:>8}".rstrip()


def _show_values(tell: Tell) -> list[dict[str, Any]]:
    from ludisect.sums.expression import value

    found = []
    tell(_row_of_value("position", "value", "mean", "temperature", "who wins"))
    for name, expression in (*((s, s) for s in SUMMANDS), ("all three", " + ".join(SUMMANDS))):
        data = value(expression)
        winner = WINNERS[str(data["outcome"])]
        tell(_row_of_value(name, str(data["canonical"]), str(data["mean"]), str(data["temperature"]), winner))
        found.append({"expression": expression, **data})
    return found


def _row_of_value(name: str, value: str, mean: str, temperature: str, winner: str) -> str:
    return f"{name:15}  {value:19}  {mean:>4}  {temperature:>11}  {winner}"


def _show_playouts(tell: Tell, seed: int, quiet: bool) -> list[dict[str, Any]]:
    found = []
    tell(_row_of_plays("game", "gates", "M plays/s", "M states/s", "times as fast"))
    for name in PLAYED:
        rules = _rules(name)
        game = build(rules, seconds=None, memory=MEMORY_GB, quiet=quiet)
        tally = game.playouts.run(1 << 40, seed=seed, seconds=PLAY_SECONDS)
        if tally.interrupted:
            raise KeyboardInterrupt
        fast, slow = tally.states / tally.seconds, _interpreted(rules, seed)
        plays = tally.playouts / tally.seconds
        gates = game.circuit.gates
        times = f"{float(f'{fast / slow:.2g}'):,.0f}"  # two digits are what so short a measurement is good for
        tell(_row_of_plays(name, f"{gates:,}", f"{plays / 1e6:,.1f}", f"{fast / 1e6:,.0f}", times))
        found.append(
            {
                "game": name,
                "gates": gates,
                "playouts_per_second": plays,
                "states_per_second": fast,
                "interpreter_states_per_second": slow,
            }
        )
    return found


def _row_of_plays(name: str, gates: str, plays: str, states: str, ratio: str) -> str:
    return f"{name:12}  {gates:>6}  {plays:>9}  {states:>10}  {ratio:>13}"


def _interpreted(rules: Rules, seed: int) -> float:
    """States per second of the plain interpreter, in random plays."""
    from random import Random

    from ludisect.gdl import Interpreter

    interpreter, rng = Interpreter(rules), Random(seed)
    state = interpreter.initial_state()
    collecting = gc.isenabled()
    gc.disable()  # one collection would take longer than the measurement
    try:
        begin, states = clock.now(), 1
        while clock.now() - begin < PLAY_SECONDS:
            if interpreter.is_terminal(state):
                state = interpreter.initial_state()
            else:
                legal = interpreter.legal_moves(state)
                state = interpreter.next_state(state, {role: rng.choice(moves) for role, moves in legal.items()})
            states += 1
        return states / (clock.now() - begin)
    finally:
        if collecting:
            gc.enable()
