"""What the form of a decomposition tells before a part is explored: whether a way can fit, parts' names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludisect.answer import PartAnswer
from ludisect.circuit.record import plays
from ludisect.circuit.turns import Turns, turns_in
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.gdl.terms import Term
from ludisect.search.limits import SearchLimits
from ludisect.search.part.concepts import acting
from ludisect.search.part.views import PASS
from ludisect.search.way import Inapplicable

IN_TURN: tuple[Turns, ...] = ("alternating", "single-player")


def name_part(parts: Decomposition, i: int) -> str:
    """A dependent part in words."""
    s = parts.dependent[i]
    return f"part {s.id}, {' '.join(s.patterns[:2])},"


def part_answer(
    parts: Decomposition, i: int, told: str, value: object = None, moves: Iterable[Term] = (), *, kind: str = ""
) -> PartAnswer:
    """What a way found out about a dependent part; ``told`` is a sentence without its subject."""
    return PartAnswer(parts.dependent[i].id, f"{name_part(parts, i)} {told}", value, tuple(moves), kind)


def plan_parts(parts: Decomposition, moves: Sequence[int]) -> tuple[PartAnswer, ...]:
    """Per part the moves of a single player's plan that act there, in order, and how many they are."""
    out = []
    for i, s in enumerate(parts.dependent):
        acting = {m for members in s.move_numbers[0] for m in members}
        own = [parts.game.moves[0][m] for m in moves if m in acting]
        told = f"takes {len(own)} moves: {' '.join(map(str, own))}" if own else "is left alone"
        out.append(part_answer(parts, i, told, len(own), own, kind="plan"))
    return tuple(out)


def refuted(parts: Decomposition) -> bool:
    """Whether a decomposition is known to be wrong, or leaves out a fluent that may change."""
    return bool(parts.unseen_numbers) or (parts.evidence is not None and parts.evidence.status == "failed")


def fits_choice(parts: Decomposition, roles: tuple[int, ...], turns: tuple[Turns, ...] = IN_TURN) -> bool:
    """Whether whoever moves may pick one of several parts, as far as the form shows; ``roles`` are numbers of them."""
    if len(parts.game.roles) not in roles or len(parts.dependent) < 2 or refuted(parts):
        return False
    try:
        refuse_structure(parts)
    except Inapplicable:
        return False
    return turns_by_effect(parts) in turns


def refuse_structure(parts: Decomposition) -> None:
    """Raise Inapplicable unless the parts are glued as a choice."""
    if not parts.dependent:
        raise Inapplicable("no part depends on the moves")
    if any(s.after for s in parts.dependent):
        raise Inapplicable("some parts open only after others")
    refuse_shared_moves(parts)


def refuse_shared_moves(parts: Decomposition) -> None:
    """Raise Inapplicable if one move has an effect in several parts."""
    taken: dict[tuple[int, int], int] = {}
    for s in parts.dependent:
        for r, m in acting(s):
            if taken.setdefault((r, m), s.id) != s.id:
                raise Inapplicable(f"{parts.game.moves[r][m]} has an effect in parts {taken[r, m]} and {s.id}")


def turns_by_effect(parts: Decomposition) -> Turns:
    """Who chooses when, as random plays show it, where moves that do the same in all parts are one move."""
    if parts.turns in ("single-player", "alternating"):
        return parts.turns
    game = parts.game
    effect = np.full((int(game.batch.first_move[-1]), len(parts.dependent)), PASS, np.int64)
    for i, s in enumerate(parts.dependent):
        for low, classes in zip(game.batch.first_move[:-1].tolist(), s.move_numbers, strict=True):
            for c, members in enumerate(classes):
                effect[low + np.array(members, np.int64), i] = c
    first = [0]
    column = np.empty(effect.shape[0], np.int64)
    for low, high in pairwise(game.batch.first_move.tolist()):
        kinds, number = np.unique(effect[low:high], axis=0, return_inverse=True)
        column[low:high] = first[-1] + number.reshape(-1)
        first.append(first[-1] + len(kinds))

    def merged(legal: NDArray[np.bool_]) -> NDArray[np.bool_]:
        out = np.zeros((legal.shape[0], first[-1]), np.bool_)
        state, move = np.nonzero(legal)
        out[state, column[move]] = True
        return out

    return turns_in(
        game,
        (merged(game.batch.legal(states)) for states, _, _ in plays(game, SearchLimits.current().shape_plays)),
        np.array(first),
    )
