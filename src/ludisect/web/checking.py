"""Rule sheets checked as they are typed, and the list of all games that can be opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludisect.errors import RulesError
from ludisect.games import bundled
from ludisect.games.families import FAMILIES
from ludisect.gdl.check import check
from ludisect.gdl.reader import read
from ludisect.play.players import PLAYERS
from ludisect.rulesets.notation import examples
from ludisect.sums.play import STRATEGIES
from ludisect.web.owngames import own_games


def check_text(text: str) -> dict[str, Any]:
    """Every fault of a rule sheet that reading it shows."""
    try:
        problems = list(check(read(text)))
    except RulesError as error:
        problems = list(error.problems)
    return {"problems": [found.to_dict() for found in problems]}


def catalogue(files: Sequence[str]) -> dict[str, Any]:
    """The bundled games, the rulesets, and the games of one's own."""
    games = []
    for name in bundled.names():
        family = FAMILIES.get(name)
        example = {} if family is None else {"example": family.example, "default": family.default}
        games.append({**bundled.describe(name).to_json(), **example})
    own, faults = own_games(files)
    return {
        "games": games,
        "rulesets": [{"name": name, "example": example} for name, example in examples().items()],
        "yours": [one.to_json() for one in own],
        "faults": faults,
        "players": list(PLAYERS),
        "strategies": list(STRATEGIES),
    }
