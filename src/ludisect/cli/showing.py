"""The command that shows what ludisect does: demo."""

from __future__ import annotations

import time

from ludisect.cli.app import QuietOption, SeedOption, app
from ludisect.cli.console import out
from ludisect.cli.engine import build
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


@app.command()
def demo(seed: SeedOption = 0, quiet: QuietOption = False) -> None:
    """The main job on bundled games, in about a minute."""
    from rich.table import Table

    from ludisect.gdl import Interpreter
    from ludisect.gdl import record as record_play

    out.print("From rules to playouts", style="bold")
    out.print(
        "Each game is read from its rule sheet, ground, turned into a circuit of AND gates, and played at random,\n"
        "512 plays at once, one bit each. The last column is a plain interpreter of the rules on the same game.\n"
    )
    table = Table(box=None, pad_edge=False)
    for column in ("game", "rules", "fluents", "moves", "edges", "build s", "playouts/s", "states/s", "× interpreter"):
        table.add_column(column, justify="left" if column == "game" else "right", no_wrap=True)
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
        table.add_row(
            name,
            str(len(rules)),
            str(len(game.fluents)),
            str(sum(map(len, game.moves))),
            str(game.circuit.edges),
            f"{sum(game.seconds.values()):.2f}",
            f"{tally.playouts / tally.seconds:,.0f}",
            f"{tally.states / tally.seconds:,.0f}",
            f"{tally.states / tally.seconds / slow:,.0f}",
        )
    out.print(table, soft_wrap=False)
    out.print("\nTry next", style="bold")
    for line in (
        "ludisect games                             what comes with it",
        "ludisect simulate connect-four -n 10000000 ten million plays, with the odds of each result",
        "ludisect info nim:11,12,15,25              a Nim of your own",
        "ludisect check my-game.kif                 every fault of a rule sheet, with its place",
    ):
        out.print(f"  {line}", markup=False)
