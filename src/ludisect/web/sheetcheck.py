"""Rule sheets checked as they are typed, and the list of all games that can be opened."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ludisect.errors import RulesError
from ludisect.games import bundled
from ludisect.games.families import FAMILIES
from ludisect.gdl.check import check
from ludisect.gdl.reader import read
from ludisect.play.players import PLAYERS
from ludisect.rulesets.notation import examples
from ludisect.sums.strategies import STRATEGIES
from ludisect.web.bench import shown_name
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
        told = bundled.describe(name).to_json()
        more: dict[str, Any] = {} if family is None else {"example": family.example, "default": family.default}
        usual = more.get("default") or str(more.get("example", "")).partition(":")[2]
        form = fields(str(told.get("parameters") or ""), usual)
        games.append({**told, "shown": shown_name(name), **more, "fields": form})
    own, faults = own_games(files)
    return {
        "games": games,
        "rulesets": [{"name": name, "example": example} for name, example in examples().items()],
        "yours": [one.to_json() for one in own],
        "faults": faults,
        "players": list(PLAYERS),
        "strategies": list(STRATEGIES),
    }


def fields(parameters: str, usual: str) -> list[dict[str, Any]]:
    """The parameters of a family as fields of a form: numbers such as rows and columns one by one, else one text.

    What stands ``before`` a field that is filled in, and what it holds at first, make ``usual`` when put together.

    >>> [(field["label"], field["before"], field["value"]) for field in fields("hex:ROWSxCOLUMNS", "4x5")]
    [('rows', '', '4'), ('columns', 'x', '5')]
    """
    pattern = parameters.partition(":")[2]
    if not pattern:
        return []
    one, *more = re.split(r",\s*(?=\.\.\.|…)", pattern)
    names, joints = re.split("[x,]", one.lower()), ["", *re.findall("[x,]", one)]
    if len(set(names)) == len(names) > 1 and all(name.isalpha() for name in names):
        first, _, rest = usual.partition(",") if more else (usual, "", "")
        given = [*re.split("[x,]", first), *[""] * len(names)]
        found = [
            {"label": name, "before": joint, "value": value, "number": True}
            for name, joint, value in zip(names, joints, given, strict=False)
        ]
        rest_field = {"label": "more boards", "before": ",", "value": rest, "number": False}
        return [*found, rest_field] if more else found
    return [{"label": pattern.lower(), "before": "", "value": usual, "number": False}]
