"""Points for single facts that add up to what a role gets at the end: proposed, then proved.

What a fact adds to a role's goal where no other holds proposes its points. That the goal is this sum in every state
is shown by decision diagrams; that the two roles share a constant total at the end, by the solver, group by group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.rows import pack, unpack
from ludisect.circuit.solver import Model
from ludisect.search.limits import SearchLimits
from ludisect.search.regions.changes import bits
from ludisect.search.regions.diagrams import Diagrams, TooLarge
from ludisect.search.regions.endings import Endings
from ludisect.search.regions.refused import Refused

NO_POINTS = "what the players get at the end is neither a matter of who moved last nor a sum of points for single facts"


@dataclass(frozen=True, slots=True)
class PointWeights:
    """Points of the first role minus those of the second: for each fact that holds, and a constant; ``total`` is what
    both get together at every end."""

    weights: tuple[int, ...]
    constant: int
    total: int

    @property
    def counted(self) -> int:
        """The facts that count."""
        return sum(1 << f for f, weight in enumerate(self.weights) if weight)

    def of(self, facts: int) -> int:
        """The lead of the first role by the facts that hold."""
        return sum(self.weights[f] for f in bits(facts & self.counted))

    def gets(self, lead: int) -> tuple[int, int]:
        """What the roles get at an end with this lead by facts."""
        first = (self.total + self.constant + lead) // 2
        return first, self.total - first


def seen_to_differ(endings: Endings) -> bool:
    """Whether plays have ended in two ways that paid different things to the same player in the same plight."""
    rows = endings.sample.endings
    goals = endings.game.batch.goals(rows).tolist()
    paid: dict[object, set[tuple[int, int]]] = {}
    for row, (first, second) in zip(rows, goals, strict=True):
        paid.setdefault(endings.operators.mover(row[None]), set()).add((first, second))
    return any(len(some) > 1 for some in paid.values())


def weights(endings: Endings) -> PointWeights:
    """Points that explain what the roles get at every end.

    Raises:
        Refused: none were found, or not proved.
    """
    rows = endings.sample.endings
    goals = endings.game.batch.goals(rows).astype(np.int64)
    if len(rows) < 2:
        raise Refused(NO_POINTS)
    facts = unpack(rows, len(endings.game.fluents))[:, list(endings.operators.numbers)].astype(np.int64)
    (first, base), (second, other) = (_alone(endings, role) for role in (0, 1))
    total = goals.sum(axis=1)
    wrong = (facts @ first + base != goals[:, 0]) | (facts @ second + other != goals[:, 1]) | (total != total[0])
    if wrong.any():
        raise Refused(NO_POINTS, endings.game.batch.state(rows[int(np.argmax(wrong))][None]), met=True)
    _prove_sum(endings, 0, first, base)
    _prove_sum(endings, 1, second, other)
    _prove_total(endings, facts, first + second, int(total[0]) - base - other)
    return PointWeights(tuple((first - second).tolist()), base - other, int(total[0]))


def _alone(endings: Endings, role: int) -> tuple[NDArray[np.int64], int]:
    """What each fact that a role's goal reads adds where no other of them holds, and what there is without it."""
    game, numbers = endings.game, endings.operators.numbers
    read = {int(node) - 1 for node in game.circuit.support(_nets(endings, role))}
    places = [k for k, f in enumerate(numbers) if f in read]
    states = np.repeat(game.circuit.initial[None, :], len(places) + 1, axis=0)
    states[:, [numbers[k] for k in places]] = False
    for row, k in enumerate(places, 1):
        states[row, numbers[k]] = True
    alone = game.batch.goals(pack(states))[:, role].astype(np.int64)
    points = np.zeros(len(numbers), np.int64)
    points[places] = alone[1:] - alone[0]
    return points, int(alone[0])


def _nets(endings: Endings, role: int) -> list[int]:
    table = zip(endings.game.goal_table, endings.game.circuit.goal.tolist(), strict=True)
    return [net for (of, _), net in table if of == role]


def _prove_sum(endings: Endings, role: int, points: NDArray[np.int64], constant: int) -> None:
    """A role's goal is the sum of the points in every state, reachable or not."""
    game, numbers = endings.game, endings.operators.numbers
    nets = _nets(endings, role)
    diagrams = Diagrams(game.circuit, nets, SearchLimits.current().regions_diagrams)
    by_node = {1 + numbers[k]: int(weight) for k, weight in enumerate(points) if weight}
    values = [value for of, value in game.goal_table if of == role]
    reached = {constant}
    for weight in by_node.values():
        reached |= {points + weight for points in reached}
    if not reached <= {*values}:
        raise Refused(
            f"{NO_POINTS}: the rules do not say what {game.roles[role]} gets for {min(reached - {*values})} points"
        )
    try:
        for value, net in zip(values, nets, strict=True):
            if diagrams.of(net) != diagrams.count(by_node, value - constant):
                raise Refused(f"{NO_POINTS}: {game.roles[role]} gets {value} where the points say something else")
    except TooLarge:
        raise Refused(
            f"it could not be proved in the time allowed that {game.roles[role]} gets points for facts"
        ) from None


def _prove_total(endings: Endings, facts: NDArray[np.int64], both: NDArray[np.int64], total: int) -> None:
    """At every end both roles together get the same: of each group of facts exactly one holds then."""
    for turn in endings.operators.turns:
        other = endings.ask(
            [*endings.assumed(turn), -endings.could(turn.mover), endings.could(1 - turn.mover)],
            "both players are stuck together",
        )
        if isinstance(other, Model):
            text = "points are counted when the player to move cannot, though the other could go on"
            raise Refused(text, endings.shown(other))
    groups = _groups(facts, both)
    if sum(int(both[group[0]]) for group in groups) != total:
        raise Refused("it could not be proved that the players together always get the same points")
    numbers, prover = endings.operators.numbers, endings.prover
    with prover.building():
        wrong = prover.any_of([prover.not_exactly_one([prover.fluent(numbers[k]) for k in group]) for group in groups])
    for turn in endings.operators.turns:
        claim = "the players together always get the same points"
        model = endings.ask([*endings.assumed(turn), endings.over, wrong], claim)
        if isinstance(model, Model):
            raise Refused("the players together do not always get the same points", endings.shown(model))


def _groups(facts: NDArray[np.int64], both: NDArray[np.int64]) -> list[Sequence[int]]:
    """Facts that count for somebody, in groups of equal weight of which one held at every end that was seen."""
    left = np.flatnonzero(both).tolist()
    out: list[Sequence[int]] = []
    while left:
        group = [left.pop(0)]
        held = facts[:, group[0]].copy()
        for k in list(left):
            if both[k] == both[group[0]] and not (held & facts[:, k]).any():
                if (held == 1).all():
                    break
                group.append(k)
                held |= facts[:, k]
                left.remove(k)
        out.append(group)
    return out
