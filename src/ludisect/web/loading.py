"""Everything that games and jobs need, loaded ahead in the process that forks."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from ludisect.kernels.lists import LISTS
from ludisect.kernels.workers import needed, want

MODULES: Final = (
    "decomposition.gamesize",
    "draw.drawing",
    "draw.stateboard",
    "pawnendings.ending",
    "play.byparts",
    "play.players",
    "play.tournament",
    "search.solve",
    "solving",
    "sums.expression",
    "web.forked",
)

WARMING: Final = ("decompose", "solve", "simulate", "value")
"""Commands whose kernels are linked ahead, if they are compiled."""


def load_all() -> None:
    """Import modules, and run small games through them, so that a fork has only its own work to do."""
    for name in MODULES:
        import_module(f"ludisect.{name}")
    for command in LISTS:
        want(command)
    if all(code.stored() for code in needed(WARMING)):  # else somebody would wait for a compiler here
        _run_small_games()


def _run_small_games() -> None:
    from ludisect.decomposition import decompose
    from ludisect.loader import load
    from ludisect.solving import solve
    from ludisect.sums.table import Sum

    for name in ("nim:1,2", "tictactoe"):
        game = load(name)
        solve(decompose(game, playouts=50))
    game.playouts.run(100, threads=1)
    _ = Sum("domineering 2x3 + clobber XO.").value
