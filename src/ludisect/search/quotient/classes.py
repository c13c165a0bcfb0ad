"""Quotients of local graphs: states of a part are one if nothing ever seen or done tells them apart.

Two local states are equal if goal and terminal get the same answers from them and, setting by setting and role by role,
their moves lead to equal states (the coarsest bisimulation). Where only one role chooses at a time, a move counts by
who makes it; where several choose at once, or where moves that touch several parts do not combine freely, it counts by
its name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import pack
from ludisect.search.part.concepts import concepts
from ludisect.search.part.verdicts import Evaluation, evaluate, opposite
from ludisect.search.part.views import PASS, LocalGraph, Views
from ludisect.search.quotient.bisimulation import coarsest

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Quotient:
    """The classes of all parts' states, numbered together: parts that are alike share their classes.

    ``class_of[i][s]`` is the class of state s of part i; ``member[i][c]`` a state of part i in class c (-1 where the
    part has none). ``groups`` are sets of parts that may be exchanged; ``actor[c]`` is the role that acts in context
    colour c (-1 nobody), or None if moves count by name.
    """

    views: Views
    evaluation: Evaluation
    class_of: tuple[Ints, ...]
    member: tuple[Ints, ...]
    groups: tuple[tuple[int, ...], ...]
    actor: tuple[int, ...] | None
    classes: int
    states: tuple[int, ...] = field(default=())

    def size(self, i: int) -> int:
        """How many classes part i has."""
        return int((self.member[i] >= 0).sum())


def quotient(views: Views, *, rests: bool = False) -> Quotient:
    """Explore and minimise every part.

    With ``rests``, states of a part are told apart, too, by what they say of moves that leave all parts alone: whether
    a role may rest can hang on one part, and nothing else that is done there shows it.
    """
    k = len(views.parts.dependent)
    graphs = [views.graph(i) for i in range(k)]
    evaluation = evaluate(views)
    actors = _actors(views, graphs)
    actor = actors if _free(views) else None
    compound = not _one_by_one(views)
    # where choices at once decide about the rule of play, states that are one must have the same choices
    choices = actors is None and not opposite(evaluation)
    guards = [views.guards(i) for i in range(k)]
    offset = np.concatenate([[0], np.cumsum([g.positions for g in graphs])])
    leader = {i: group[0] for group in evaluation.groups for i in group}
    asked = concepts(views.parts, views.game.circuit.legal[views.nowhere].tolist()) if rests else [[]] * k
    colour, label, to, degree = [], [], [], []
    names: dict[tuple[int, ...], int] = {}
    for i, g in enumerate(graphs):
        over = g.ended | evaluation.ended(i)[evaluation.value[i]]
        # equal colours in parts that may be exchanged, and nowhere else
        place = k + i if asked[i] else leader[i]  # rests hang on this part, and not on its twins
        left_alone = _left_alone(views, i) if compound else np.zeros(g.positions, np.int64)
        told = (np.full(g.positions, place), evaluation.value[i], guards[i], views.values(i, asked[i]), left_alone)
        colour.append(np.stack(told, axis=1))
        one, two, three = _edges(g, over, actor is not None, i, names, choices=choices)
        label.append(one)
        to.append(two + offset[i])
        degree.append(three)
    _, numbered = unique_rows(np.concatenate(colour).view(np.uint64))
    start = np.concatenate([[0], np.cumsum(np.concatenate(degree))])
    classes, first = coarsest(
        start, np.concatenate(label), np.concatenate(to).astype(np.int32), numbered, budget=views.budget
    )
    class_of = tuple(classes[offset[i] : offset[i + 1]] for i in range(k))
    member = []
    for some in class_of:
        of_part = np.full(first.size, -1, np.int64)
        of_part[some[::-1]] = np.arange(some.size - 1, -1, -1)
        member.append(of_part)
    return Quotient(
        views=views,
        evaluation=evaluation,
        class_of=class_of,
        member=tuple(member),
        groups=_groups(evaluation, class_of),
        actor=actor,
        classes=int(first.size),
        states=tuple(g.positions for g in graphs),
    )


def _groups(evaluation: Evaluation, class_of: tuple[Ints, ...]) -> tuple[tuple[int, ...], ...]:
    """Exchangeable parts that also begin alike (and therefore go on alike)."""
    out: dict[tuple[int, int], list[int]] = {}
    for n, group in enumerate(evaluation.groups):
        for i in group:
            out.setdefault((n, int(class_of[i][0])), []).append(i)
    return tuple(tuple(g) for g in out.values())


def _actors(views: Views, graphs: list[LocalGraph]) -> tuple[int, ...] | None:
    """Per colour of the context: the one role that acts anywhere, or -1; None if several act at once somewhere."""
    acting: list[set[int]] = [set() for _ in views.first_time]
    for g in graphs:
        setting = np.repeat(np.arange(g.edge_start.size - 1) % len(g.settings), np.diff(g.edge_start))
        for k, place in enumerate(g.settings):
            acts = (g.move[setting == k] != PASS).any(axis=0)
            acting[place.context] |= set(np.flatnonzero(acts).tolist())
    if any(len(roles) > 1 for roles in acting):
        return None
    return tuple(min(roles, default=-1) for roles in acting)


def _acting(views: Views) -> NDArray[np.int32]:
    """Moves x parts: the class of each move in each part."""
    k = len(views.parts.dependent)
    return np.stack([views.class_of(i) for i in range(k)], axis=1) if k else np.zeros((0, 0), np.int32)


def _one_by_one(views: Views) -> bool:
    """Whether every global move acts in one part at most."""
    return bool(((_acting(views) != PASS).sum(axis=1) <= 1).all())


def _left_alone(views: Views, i: int) -> Ints:
    """Per state of part i: a number for which roles have, setting by setting, a legal move that leaves the part alone
    while the others stand as at the start.

    The graph of the part has such a move of every role, for one may play elsewhere; but where a move acts in several
    parts at once, leaving one alone may be a choice of its own there, and legal in some of its states only.
    """
    leaves, states = views.class_of(i) == PASS, views.graph(i).states
    columns = []
    for base in views.bases(i)[1]:
        legal = views.game.batch.legal(states | base) & leaves
        columns += [legal[:, low:high].any(axis=1) for low, high in pairwise(views.game.batch.first_move.tolist())]
    return np.asarray(unique_rows(pack(np.stack(columns, axis=1)))[1], np.int64)


def _free(views: Views) -> bool:
    """Whether local moves combine freely: every global move acts in one part, or all combinations exist."""
    if _one_by_one(views):
        return True
    classes, k = _acting(views), len(views.parts.dependent)
    first = views.game.batch.first_move
    for r in range(len(views.game.roles)):
        acting = {tuple(c) for c in classes[first[r] : first[r + 1]].tolist() if any(x != PASS for x in c)}
        choices = [{c[i] for c in acting} for i in range(k)]
        idle = all(PASS in some for some in choices)
        if len(acting) != prod(map(len, choices)) - idle:
            return False
    return True


def _edges(
    g: LocalGraph,
    over: NDArray[np.bool_],
    by_actor: bool,
    part: int,
    names: dict[tuple[int, ...], int],
    *,
    choices: bool,
) -> tuple[Ints, NDArray[np.int32], Ints]:
    """(label, target, number per state) of a part's edges without those of states in which the game is over.

    With ``choices``, a label also tells which other moves lead to the same state.
    """
    width = len(g.settings)
    per_setting = np.diff(g.edge_start)
    kept = np.repeat(~over, per_setting.reshape(-1, width).sum(axis=1))
    setting = np.repeat(np.arange(per_setting.size) % width, per_setting)[kept]
    moves = g.move[kept]
    if by_actor:
        told = (moves != PASS).astype(np.int64)
    else:
        told = np.concatenate([moves.astype(np.int64), np.full((moves.shape[0], 1), part)], axis=1)
    if choices:
        told = np.concatenate([told, _first_alike(g)[kept][:, None]], axis=1)
    place = np.array([[s.context, s.guard] for s in g.settings], np.int64)
    asked = np.concatenate([place[setting], told], axis=1)
    first, number = unique_rows(asked.view(np.uint64))
    label = np.array([names.setdefault(tuple(kind), len(names)) for kind in asked[first].tolist()], np.int64)
    degree = np.where(over, 0, per_setting.reshape(-1, width).sum(axis=1))
    return label[number] if label.size else np.zeros(0, np.int64), g.successor[kept], degree


def _first_alike(g: LocalGraph) -> Ints:
    """Per edge: the place of the first edge, by name, that leads from the same state and setting to the same state."""
    lengths = np.diff(g.edge_start)
    source = np.repeat(np.arange(lengths.size), lengths)
    place = np.empty(source.size, np.int64)
    place[np.lexsort((*g.move.T[::-1], source))] = np.arange(source.size) - np.repeat(g.edge_start[:-1], lengths)
    _, number = np.unique(source * g.positions + g.successor, return_inverse=True)
    first = np.full(source.size, source.size, np.int64)
    np.minimum.at(first, number, place)
    return first[number]
