"""What the paper of 2018 measured on 597 games, and the same questions asked of our rows.

A. Hufschmitt, J.-N. Vittaut, N. Jouandeau, "Statistical GGP Game Decomposition", CGW 2018, Figures 4, 5, 6 and 8.
Their games had a core each. Ours share the machine with others, so seconds are of processor time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ludisect.sweep.answerkey import score
from ludisect.sweep.read import Json, Record

GAMES: Final = 597

FIGURE_4: Final = {1: 72, 10: 307, 30: 391, 60: 434, 180: 491, 600: 527, 1800: 540, 3600: 557}
"""Seconds -> games decomposed within them, after 5000 playouts."""

FIGURE_5: Final = {
    1: (9, 521, 26),
    2: (5, 525, 26),
    3: (4, 527, 25),
    4: (2, 529, 25),
    5: (2, 529, 25),
    6: (2, 529, 25),
    7: (2, 530, 24),
    8: (2, 532, 22),
    9: (1, 533, 22),
    10: (1, 533, 22),
}
"""Thousands of playouts -> games that are under-decomposed, right, over-decomposed."""

FIGURE_6: Final = {
    "under-decomposed": (1, 0),
    "decomposed": (349, 182),
    "over-decomposed": (20, 5),
    "timeout": (32, 8),
}
"""After 10 000 playouts: (compound games, single games)."""

FIGURE_8: Final = {
    "blockerParallel": "≈ 48 min",
    "asteroids": "< 2 s",
    "eightPuzzle": "≈ 3 s",
    "checkers": "≈ 28 min",
    "breakthrough": "≈ 14 s",
    "sheepAndWolf": "≈ 6 s",
    "ticTacToe": "< 1 s",
    "nineBoardTicTacToe": "< 17 s",
    "tictactoex9": "≈ 11 s",
    "chomp": "< 2 s",
    "blockerSerial": "≈ 3 s",
    "asteroidsParallel": "≈ 2 s",
    "asteroidsSerial": "< 4 s",
    "lightsOnParallel": "< 1 s",
    "lightsOnSimul4": "≈ 3 s",
    "lightsOnSimultaneous": "≈ 3 s",
    "nim3": "< 2 s",
    "chinook": "≈ 21 s",
    "double_tictactoe_dengji": "< 1 s",
    "snakeParallel": "< 7 s",
    "ticTacToeParallel": "< 2 s",
    "doubletictactoe": "< 1 s",
    "ticTacHeaven": "≈ 17 s",
    "ticTacToeSerial": "< 1 s",
    "connectFourSimultaneous": "< 2 s",
    "dualConnect4": "< 2 s",
}
"""The statistical method's time on single games, under the names of the public repository of rule sheets."""

VERDICTS: Final = ("under-decomposed", "decomposed", "over-decomposed", "otherwise wrong", "timeout")


def within(records: Iterable[Record]) -> dict[int, int]:
    """Figure 4: processor seconds -> games with a decomposition that was not refuted, reached within them.

    What is left at a limit, all in one part, is no answer of the method, though it is proved.
    """
    found = [r["cpu"] for r in records if r["status"] == "done" and r.get("evidence") in ("proved", "tested")]
    return {limit: sum(s <= limit for s in found) for limit in FIGURE_4}


def verdict(label: Json, found: Json | None) -> str:
    """How a decomposition stands beside the known answer; a timeout if there is none."""
    if found is None or "subgames" not in found:
        return "timeout"
    if not score(label, found).wrong:
        return "decomposed"
    ours, theirs = found["action_dependent"], label["action_dependent"]
    return "under-decomposed" if ours < theirs else "over-decomposed" if ours > theirs else "otherwise wrong"


def is_compound(label: Json) -> bool:
    """Whether a game has several parts; a turn marker or a step counter counts, as in the paper."""
    return bool(label["action_dependent"] + label["action_independent"] > 1)


def by_kind(labels: Mapping[str, Any], verdicts: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """Figure 6: verdict -> (compound games, single games)."""
    tally = Counter((verdict, is_compound(labels[game])) for game, verdict in verdicts.items())
    return {name: (tally[name, True], tally[name, False]) for name in VERDICTS}


def figure_8(records: Sequence[Record]) -> list[tuple[str, str, float | None, str]]:
    """Figure 8: game, their time, our processor seconds, how ours is known; for the games that are among ours."""
    ours = {r["game"].rpartition("/")[2].lower(): r for r in records}
    return [
        (name, theirs, row["cpu"] if row.get("evidence") else None, row.get("evidence") or row["status"])
        for name, theirs in FIGURE_8.items()
        if (row := ours.get(name.lower())) is not None
    ]
