"""The command that shows what ludisect does: demo."""

from __future__ import annotations

import time

from ludisect.cli.console import BOLD, columns, say, say_coloured
from ludisect.cli.engine import build
from ludisect.cli.options import Parser, add_json_and_quiet, add_seed
from ludisect.gdl.source import find_rules

SHOWN = (
    "tictactoe",
    "double-tictactoe",
    "nim",
    "lights-on-parallel",
    "rock-paper-scissors",
    "connect-four",
    "breakthrough",
    "reversi",
)


SUMS = (
    "domineering 3x3",
    "domineering 4x4",
    "clobber XOXO|OXOX",
    "toads TT.FF",
    "kayles 7 + nim 3",
    "domineering 4x4 + domineering 3x5 + {2|-1}",
)


COMPOUNDS = ("double-tictactoe", "nim:11,12,15,25", "blocks-maze")

WHOLE_SECONDS = 8.0
"""The search of the whole is given that long."""


def demo_options(parser: Parser) -> None:
    add_seed(parser)
    add_json_and_quiet(parser)


def demo(*, seed: int, json: bool, quiet: bool) -> None:
    """The main job on bundled games, in about a minute."""
    _show_parts(quiet)
    _show_playouts(seed, quiet)
    _show_values()
    say("\nTry next", BOLD)
    for line in (
        "ludisect games                             what comes with it",
        "ludisect simulate connect-four -n 10000000 ten million plays, with the odds of each result",
        "ludisect decompose my-game.kif --html F    its independent parts, proved or tested, with a picture",
        "ludisect solve nim:11,12,15,25             a Nim of your own, by its heaps",
        "ludisect check my-game.kif                 every fault of a rule sheet, with its place",
        'ludisect value "domineering 4x4" --thermograph domineering.svg',
    ):
        say(f"  {line}")


def _show_parts(quiet: bool) -> None:
    """Take games apart, and solve them by their parts and as a whole."""
    from ludisect.decompose import decompose
    from ludisect.draw.terminal import board_rich
    from ludisect.errors import BudgetExceeded
    from ludisect.search.solve import solve

    say("The parts of a game", BOLD)
    game = build(find_rules("double-tictactoe"), seconds=None, memory=4.0, quiet=quiet)
    parts = decompose(game)
    status = parts.evidence.status if parts.evidence else "not verified"
    say(f"Two boards are one game; from the bare rules ludisect finds them again ({status}):\n")
    say(str(parts))
    say_coloured(board_rich(parts))
    say("\nSearching the whole costs the product of the parts, searching the parts about their sum:\n")
    table: list[tuple[str, ...]] = [("game", "by", "value", "positions", "s", "why")]
    for name in COMPOUNDS:
        built = build(find_rules(name), seconds=None, memory=4.0, quiet=quiet)
        found = parts if name == "double-tictactoe" else decompose(built)
        for by in ("parts", "whole"):
            try:
                answer, note = solve(found, by, seconds=WHOLE_SECONDS), ""
            except BudgetExceeded as error:
                answer, note = error.partial, f"stopped after {WHOLE_SECONDS:.0f} s"  # type: ignore[assignment]
            value = " : ".join("?" if v is None else f"{v:g}" for v in answer.value.values())
            why = note or (answer.why[0] if by == "parts" and answer.why else "")
            table.append((name, answer.algorithm, value, f"{answer.nodes:,}", f"{answer.seconds:.2f}", why))
    say("\n".join(columns(table)))
    say()


def _show_values() -> None:
    from ludisect.sums.answer import value

    say("\nCombinatorial games", BOLD)
    say("Positions and sums of them, by their values: who wins, how much it is worth, how urgent a move is.\n")
    table: list[tuple[str, ...]] = [("position", "value", "outcome", "mean", "temperature", "s")]
    for expression in SUMS:
        begin = time.perf_counter()
        data = value(expression)
        taken = time.perf_counter() - begin
        canonical = str(data["canonical"])
        table.append(
            (
                (expression),
                (canonical if len(canonical) <= 40 else canonical[:39] + "…"),
                str(data["outcome"]),
                str(data["mean"]),
                str(data["temperature"]),
                f"{taken:.2f}",
            )
        )
    say("\n".join(columns(table)))


def _show_playouts(seed: int, quiet: bool) -> None:
    from ludisect.gdl import Interpreter
    from ludisect.gdl import record as record_play

    say("From rules to playouts", BOLD)
    say(
        "Each game is read from its rule sheet, ground, turned into a circuit of AND gates, and played at random,\n"
        "512 plays at once, one bit each. The last column compares with a plain interpreter of the same rules.\n"
    )
    table: list[tuple[str, ...]] = [("game", "fluents", "edges", "build", "M plays/s", "M states/s", "× plain")]
    for name in SHOWN:
        rules = find_rules(name)
        game = build(rules, seconds=None, memory=4.0, quiet=quiet)
        game.playouts.run(512, seed=seed)
        tally = game.playouts.run(1 << 40, seed=seed, seconds=1.0)
        interpreter = Interpreter(rules)
        begin, states = time.perf_counter(), 0
        while time.perf_counter() - begin < 0.5:
            states += 1 + len(record_play(interpreter, seed=seed + states).steps)
        slow = states / (time.perf_counter() - begin)
        table.append(
            (
                name,
                str(len(game.fluents)),
                str(game.circuit.edges),
                f"{sum(game.seconds.values()):.2f} s",
                f"{tally.playouts / tally.seconds / 1e6:,.2f}",
                f"{tally.states / tally.seconds / 1e6:,.1f}",
                f"{tally.states / tally.seconds / slow / 1000:,.0f} k",
            )
        )
    say("\n".join(columns(table)))
