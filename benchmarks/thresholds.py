"""Which games hang on a threshold of judgement: each is set to other values, and what falls apart otherwise is listed.

    python benchmarks/thresholds.py GAMES --json thresholds.json

``GAMES`` is a folder of rule sheets, or names of bundled games; without it, all bundled ones. The records in
``docs/decisions`` say what the thresholds are for. Run it on an idle machine: a decomposition that runs out of time
differs for that reason alone, so the default is repeated before a change is told. Ctrl-C prints what is known so far.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import results
from ludisect.circuit.game import Game
from ludisect.decomposition import decompose
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.errors import BudgetExceeded, LudisectError
from ludisect.games import bundled
from ludisect.loader import load
from ludisect.settings import read_settings, using

TRIED: dict[str, dict[str, tuple[str, ...]]] = {
    "exact": {
        "opening_frozen": ("0", "0.95", "1"),
        "goals_rounded": ("1", "1000"),
        "freechoice_tie_share": ("0", "1"),
        "context_noise": ("0", "1"),
    },
    "playouts": {
        "availability_share": ("0.05", "0.95", "1"),
        "valuesets_successions": ("0", "0.95", "1"),
    },
}
"""Per method: thresholds that decide what is right there, and other values for them."""


class Change(NamedTuple):
    """A game that falls apart otherwise; counts are dependent, useless and independent parts."""

    game: str
    setting: str
    by_default: str
    then: str


def outcome(game: Game, method: str, seconds: float) -> tuple[object, str]:
    """The parts, and what to print of them."""
    try:
        parts = decompose(game, method=method, seconds=seconds)
    except BudgetExceeded as error:
        return None, str(error)
    told = f"{parts.counts} {parts.evidence.status if parts.evidence else ''}".rstrip()
    return [(part.fluents, part.kind, part.useful, part.after) for part in parts], told


def changes(name: str, game: Game, seconds: float) -> Iterator[Change]:
    """Every threshold that the game hangs on."""
    for method, thresholds in TRIED.items():
        found, told = outcome(game, method, seconds)
        for threshold, values in thresholds.items():
            for value in values:
                setting = f"{threshold}={value}"
                with using(*read_settings([setting], [DecompositionLimits])):
                    other, then = outcome(game, method, seconds)
                if other != found and outcome(game, method, seconds)[0] == found:
                    yield Change(name, setting, told, then)


def games(given: Sequence[str]) -> Iterator[tuple[str, str | Path]]:
    """(name, what to load) of every game that is asked for."""
    for word in given or bundled.names():
        if Path(word).is_dir():
            yield from ((path.stem, path) for path in sorted(Path(word).glob("*.kif")))
        else:
            yield Path(word).stem, word


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAMES")
    parser.add_argument(
        "--seconds", type=float, default=120.0, help="for each decomposition; at a limit parts are coarse"
    )
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    found: list[Change] = []
    looked_at = 0
    try:
        for name, source in games(asked.games):
            try:
                game = load(source, seconds=asked.seconds)
            except LudisectError as error:
                print(f"{name}: {str(error).splitlines()[0]}", flush=True)
                continue
            looked_at += 1
            for change in changes(name, game, asked.seconds):
                found.append(change)
                print(f"{change.game}: {change.setting}: {change.by_default} -> {change.then}", flush=True)
    except KeyboardInterrupt:
        print("interrupted")
    print(f"{looked_at} games, {len({change.game for change in found})} hang on a threshold")
    if asked.json:
        results.write(asked.json, {"games": looked_at, "changes": [change._asdict() for change in found]})


if __name__ == "__main__":
    main()
