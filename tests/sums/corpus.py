"""Positions with answers that other programs computed: reading them, and asking our solvers the same questions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ludisect.cgt import Value, number, parse, switch, up
from ludisect.cgt.impartial import NAMED
from ludisect.rulesets import GAMES, Impartial, Player, Position, read_component
from ludisect.rulesets.notation import ALIASES
from ludisect.rulesets.position import Component
from ludisect.sums.decide import decide
from ludisect.sums.local import LocalSearch
from ludisect.sums.table import Sum

FOLDER = Path(__file__).parents[3] / "shared" / "cgt"
"""Beside the repository, not in it."""

VALUES = ("dyadic_rational", "integer_game", "nimber", "switch_game", "up_star")
"""Components given as values."""


@dataclass(frozen=True)
class Case:
    """One question and its answer."""

    games: tuple[tuple[str, str], ...]
    kind: str
    expected: str

    def __str__(self) -> str:
        return f"{' + '.join(' '.join(g) for g in self.games)} {self.expected}"


def cases() -> Iterator[Case]:
    """The cases of all games that we have."""
    for line in (FOLDER / "expected.jsonl").read_text().splitlines():
        row = json.loads(line)
        case = Case(tuple((g, p) for g, p in row["games"]), row["kind"], row["expected"])
        if all(_is_known(g.removeprefix("impartial ")) for g, _ in case.games) and not _is_odd(case):
            yield case


def _is_known(game: str) -> bool:
    return game in GAMES or game in ALIASES or game in NAMED or game in VALUES


def _is_odd(case: Case) -> bool:
    """The impartial form of a value depends on the form in which another program writes it; it is no value's own."""
    return any(g.startswith("impartial ") and g.removeprefix("impartial ") in VALUES for g, _ in case.games)


def component(game: str, position: str) -> Component:
    """A component as we read it."""
    if game not in VALUES:
        return read_component(f"{game} {position}")
    numbers = [number(0) if not x else parse(x) for x in re.findall(r"-?\d+(?:/\d+)?", position)]
    if game == "up_star":
        return up(int(numbers[0].number), int("*" in position))
    if game == "nimber":
        return parse(f"*{position}")
    return switch(numbers[0], numbers[1]) if game == "switch_game" else numbers[0]


def ask(case: Case, *, seconds: float) -> str:
    """Our answer, in the words of the corpus."""
    game = Sum([component(g, p) for g, p in case.games], search=LocalSearch(seconds=seconds))
    if case.kind == "thermo":
        return f"thermograph {game.thermograph_of(game.components[0])}"
    if case.kind == "nim":
        forms = [Impartial(x) if isinstance(x, Position) and not x.impartial else x for x in game.components]
        total = sum((game.value_of(x) for x in forms), number(0))
        return f"N {_nim(total)}"
    letter = case.expected[0]
    player = Player.LEFT if letter == "B" else Player.RIGHT
    wins = decide(game.components, player, seconds=seconds).wins
    return f"{letter} {'win' if wins else 'loss'}"


def _nim(g: Value) -> int:
    assert g.number_up_star is not None
    return g.number_up_star[2]
