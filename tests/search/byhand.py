"""Decompositions made by hand from the names of fluents and moves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ludisect.circuit.game import Game
from ludisect.circuit.turns import turns
from ludisect.decomposition.model.decomposition import Decomposition, Part, Structure


def by_hand(
    game: Game,
    dependent: Sequence[tuple[str, str]],
    independent: Sequence[str] = (),
    *,
    structure: Structure = "parallel-choice",
    after: Sequence[tuple[int, ...]] = (),
    useful: Sequence[bool] = (),
) -> Decomposition:
    """Parts from pairs of patterns (fluents, moves) that the KIF text has to match from its beginning.

    A move's class is the text of the first group of the pattern, or else the move itself.
    """
    parts = []
    for i, (fluent_pattern, move_pattern) in enumerate(dependent):
        moves = []
        for of_role in game.moves:
            classes: dict[str, list[int]] = {}
            for m, move in enumerate(of_role):
                if found := re.match(move_pattern, str(move)):
                    classes.setdefault(found.group(1) if found.groups() else str(move), []).append(m)
            moves.append(tuple(tuple(c) for c in classes.values()))
        parts.append(
            Part(
                id=i + 1,
                kind="dependent",
                useful=useful[i] if useful else True,
                fluent_numbers=_matching(game, fluent_pattern),
                move_numbers=tuple(moves),
                after=after[i] if after else (),
            )
        )
    for pattern in independent:
        parts.append(Part(id=len(parts) + 1, kind="independent", useful=True, fluent_numbers=_matching(game, pattern)))
    placed = {f for s in parts for f in s.fluent_numbers}
    constant = tuple(f for f in range(len(game.fluents)) if f not in placed)
    return Decomposition(game, "by hand", tuple(parts), turns(game), structure, constant_numbers=constant)


def _matching(game: Game, pattern: str) -> tuple[int, ...]:
    return tuple(f for f, term in enumerate(game.fluents) if re.match(pattern, str(term)))
