"""Tables of what combinations of local concepts mean: whether the play is over, and the goals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.batch import Rows, pack
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.part.concepts import fluents_read
from ludisect.search.part.views import Views
from ludisect.search.way import Inapplicable
from ludisect.search.whole.positions import paid

LARGEST_TABLE = 1 << 21
"""Combinations of context and concepts that are judged at most."""

AT_ONCE = 1 << 14

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Times:
    """The times of the context that have to be told apart: the one after each, an example of each, and its colour."""

    follow: tuple[int, ...]
    example: Ints
    colour: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Judgement:
    """``over`` and ``goal`` by time and concept of every part; ``goal`` has one more axis, the roles."""

    over: NDArray[np.bool_]
    goal: NDArray[np.int32]


def times_of(views: Views, literals: Sequence[int] = ()) -> Times:
    """The times that the parts' rules, the end, the goals or ``literals`` can tell apart; time 0 comes first."""
    circuit = views.game.circuit
    read = fluents_read(circuit, [int(circuit.terminal), *circuit.goal.tolist(), *literals])
    seen, _ = views.context.projected(sorted(set(read) & set(views.parts.context_fluents)))
    _, follow, first = views.context.minimal(seen * (int(views.colour.max()) + 1) + views.colour)
    return Times(tuple(follow.tolist()), first, tuple(views.colour[first].tolist()))


def constant_bits(parts: Decomposition) -> NDArray[np.uint64]:
    """The bits of the start that belong to no part: fluents that never change."""
    loose = np.ones(len(parts.game.fluents), np.bool_)
    for s in parts.parts:
        loose[list(s.fluents)] = False
    bits: NDArray[np.uint64] = pack((parts.game.circuit.initial & loose)[None, :])[0]
    return bits


def examples(concept: Sequence[Ints]) -> list[Ints]:
    """Per part the first state with each concept."""
    return [np.unique(c, return_index=True)[1] for c in concept]


class Combinations:
    """All combinations of times and concepts as states of the whole game, a batch at a time."""

    def __init__(self, views: Views, concept: Sequence[Ints], times: Times) -> None:
        self.views, self.times = views, times
        self.shape = (len(times.follow), *(int(c.max()) + 1 for c in concept))
        self.size = prod(self.shape)
        if self.size > LARGEST_TABLE:
            raise Inapplicable(f"{self.size} combinations of local concepts are too many to judge each")
        self._bits = [views.graph(i).states[some].copy() for i, some in enumerate(examples(concept))]
        self._loose = constant_bits(views.parts)

    def batch(self, low: int) -> tuple[tuple[Ints, ...], Rows]:
        """(time and concepts of each, states) from combination ``low`` on."""
        place = np.unravel_index(np.arange(low, min(self.size, low + AT_ONCE)), self.shape)
        rows = self.views.context.rows[self.times.example[place[0]]] | self._loose
        for bits, where in zip(self._bits, place[1:], strict=True):
            rows = rows | bits[where]
        return place, rows


def judge(views: Views, concept: Sequence[Ints], times: Times) -> Judgement:
    """Judge every combination by one state that shows it. A goal that is not defined counts as 0.

    Raises:
        Inapplicable: there are too many combinations.
    """
    all_ = Combinations(views, concept, times)
    game = views.game
    over = np.zeros(all_.size, np.bool_)
    goal = np.zeros((all_.size, len(game.roles)), np.int32)
    for low in range(0, all_.size, AT_ONCE):
        _, rows = all_.batch(low)
        over[low : low + AT_ONCE] = game.terminal(rows)
        goal[low : low + AT_ONCE] = paid(game.goal_values(rows))
    return Judgement(over.reshape(all_.shape), goal.reshape(*all_.shape, len(game.roles)))
