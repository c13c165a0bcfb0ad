"""Random compound games with the decomposition that they were made with."""

from __future__ import annotations

from typing import Any

from ludisect.circuit.game import Game
from ludisect.circuit.load import load
from ludisect.compose import compose_one
from ludisect.decompose.common import Found, assemble
from ludisect.decompose.model import Decomposition
from ludisect.decompose.sample import take_sample


def compound(number: int, seed: int = 0) -> Decomposition:
    """The compound game with this number, with its parts."""
    made = compose_one(number, seed)
    return parts_of(load(made.rules), made.answer)


def parts_of(game: Game, answer: dict[str, Any]) -> Decomposition:
    """A decomposition from its JSON: the fluents are taken as they stand, the local moves are found again."""
    index = {str(term): f for f, term in enumerate(game.fluents)}
    named = {s["id"]: tuple(index[f] for f in s["fluents"] if f in index) for s in answer["subgames"]}
    dependent = [s for s in answer["subgames"] if s["kind"] == "dependent"]
    place = {s["id"]: i for i, s in enumerate(dependent)}
    found = Found(
        groups=tuple(named[s["id"]] for s in dependent),
        independent=tuple(named[s["id"]] for s in answer["subgames"] if s["kind"] == "independent"),
        after={place[s["id"]]: tuple(place[a] for a in s["after"]) for s in dependent if s["after"]},
        useless=frozenset(place[s["id"]] for s in dependent if not s["useful"]),
    )
    return assemble(game, found, "composed", take_sample(game), {})
