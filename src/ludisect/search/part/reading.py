"""Reads a decomposition as a ``Compound``: one role moves at a time, and picks the part in which it moves.

Everything that the searches on compounds take for granted is checked here, on the local graphs and on the table of all
combinations of concepts; ``Inapplicable`` says in words what does not hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import Rows, pack
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.budget import Budget
from ludisect.search.part.compound import Compound, Options, PartGraph, States, waiting_part
from ludisect.search.part.concepts import Nets, concepts
from ludisect.search.part.shape import refuse_structure
from ludisect.search.part.verdicts import Times, judge, judged_combinations, times_of
from ludisect.search.part.views import PASS, LocalGraph, Views, places
from ludisect.search.way import Inapplicable

NO_TURN = -1


@dataclass(frozen=True, eq=False)
class Reading:
    """A compound and where it comes from."""

    views: Views
    compound: Compound
    graphs: tuple[LocalGraph, ...]
    times: Times

    @property
    def complete(self) -> bool:
        """Whether all states of all parts are known."""
        return all(graph.complete for graph in self.graphs)

    def place(self, rows: Rows) -> list[tuple[States, int] | None]:
        """Per state of the game the state of every part and the context; None for one that play never reaches."""
        return places(self.views, self.times.number, rows)


def read_choice(
    parts: Decomposition, *, views: Views | None = None, budget: Budget | None = None, waiting: bool = False
) -> Reading:
    """The compound of a decomposition whose parts are glued as a choice of one mover.

    With ``waiting``, a single player may do nothing although it could move: see ``Compound.rest``.

    Raises:
        Inapplicable: the parts are glued otherwise.
    """
    budget = budget or Budget()
    refuse_structure(parts)
    views = views or Views(parts, budget=budget)
    graphs = tuple(views.graph(i) for i in range(len(parts.dependent)))
    turn = turns_of(graphs)
    times = times_of(views, idle_literals(views)[1])
    kinds = _kinds(views, graphs)
    roles = len(parts.game.roles)
    compound_parts = tuple(
        PartGraph(moves_of(graph, turn, roles, budget), tuple(kind.tolist()))
        for graph, kind in zip(graphs, kinds, strict=True)
    )
    judgement = judge(views, kinds, times)
    mover = tuple(max(0, turn[k]) for k in times.colour)
    compound = Compound(compound_parts, mover, times.follow, judgement.over, judgement.goal, roles)
    refuse_standstill(compound, [turn[k] for k in times.colour])
    rest, idle = _settle_passes(views, compound, kinds, times)
    if idle:
        if not waiting or roles > 1:
            raise Inapplicable("a role may pass although it could move")
        compound = _with_waiting(compound, rest)
    return Reading(views, compound, graphs, times)


def _with_waiting(compound: Compound, rest: NDArray[np.bool_]) -> Compound:
    """Doing nothing as a part of its own, if time passes at all."""
    if all(c == after for c, after in enumerate(compound.follow)):
        return compound
    return replace(
        compound,
        parts=(*compound.parts, waiting_part()),
        over=compound.over[..., None],
        goal=compound.goal[..., None, :],
        rest=rest[..., None],
    )


def turns_of(graphs: tuple[LocalGraph, ...]) -> list[int]:
    """Per value of the context: the role that moves."""
    out = [NO_TURN] * max(k.context + 1 for g in graphs for k in g.settings)
    for graph in graphs:
        active = graph.move != PASS
        if bool((active.sum(axis=1) > 1).any()):
            raise Inapplicable(f"in part {graph.part.id} two roles can move at once")
        lengths = np.diff(graph.edge_start)
        source = np.repeat(np.arange(lengths.size), lengths)
        state, setting = source // len(graph.settings), source % len(graph.settings)
        idle = ~active.any(axis=1)
        if bool((graph.successor[idle] != state[idle]).any()):
            raise Inapplicable(f"part {graph.part.id} changes while the play is elsewhere")
        for k, place in enumerate(graph.settings):
            for r in np.flatnonzero(active[setting == k].any(axis=0)).tolist():
                if out[place.context] not in (NO_TURN, r):
                    raise Inapplicable("two roles can move at the same time")
                out[place.context] = r
    return out


def refuse_standstill(compound: Compound, turn: Sequence[int]) -> None:
    """Raise Inapplicable if there is a time at which nobody can move in any part while the play goes on.

    ``turn`` tells for every time who moves, or NO_TURN; the compound gives those times to its first role, which must
    have no moves then.
    """
    for time, role in enumerate(turn):
        first = compound.mover[time]
        if role == NO_TURN and not compound.over[time].all() and any(any(part.moves[first]) for part in compound.parts):
            raise Inapplicable("there is a time at which nobody can move in any part, and the play goes on")


def idle_literals(views: Views) -> tuple[list[int], list[int]]:
    """Moves without effect in any part, as (roles, legal literals)."""
    nowhere = views.nowhere
    roles = (np.searchsorted(views.game.batch.first_move, nowhere, side="right") - 1).tolist()
    return roles, views.game.circuit.legal[nowhere].tolist()


def moves_of(graph: LocalGraph, turn: list[int], roles: int, budget: Budget) -> tuple[tuple[Options, ...], ...]:
    """Per role and state the moves; they must not depend on more of the context than whose turn it is."""
    n, settings = graph.positions, graph.settings
    start, successor = graph.edge_start.tolist(), graph.successor.tolist()
    move, joint = graph.move.tolist(), graph.joint.tolist()
    out = []
    for r in range(roles):
        places = [k for k, setting in enumerate(settings) if turn[setting.context] == r]
        of_role: list[Options] = []
        for s in range(n):
            if not s & 0x3FFF:
                budget.check(steps=4_000 * len(places) * min(n - s, 0x4000))
            found: Options | None = None
            for k in places:
                at = s * len(settings) + k
                edges = range(start[at], start[at + 1])
                here = {move[e][r]: (joint[e][r], successor[e]) for e in edges if move[e][r] != PASS}
                if found is None:
                    found, classes = tuple(here.values()), {c: t for c, (_, t) in here.items()}
                elif {c: t for c, (_, t) in here.items()} != classes:
                    raise Inapplicable(f"the moves in part {graph.part.id} depend on more than whose turn it is")
            of_role.append(found or ())
        out.append(tuple(of_role))
    return tuple(out)


def _kinds(views: Views, graphs: tuple[LocalGraph, ...]) -> list[NDArray[np.int64]]:
    """Per part and state the concept: what goal, end and the legality of idle moves ask, and who can move."""
    circuit = views.game.circuit
    asked = concepts(views.parts, [int(circuit.terminal), *circuit.goal.tolist(), *idle_literals(views)[1]])
    out = []
    for i, graph in enumerate(graphs):
        roles = graph.move.shape[1]
        lengths = np.diff(graph.edge_start)
        state = np.repeat(np.arange(lengths.size), lengths) // len(graph.settings)
        mobile = np.zeros((graph.positions, roles), np.bool_)
        for r in range(roles):
            mobile[state[graph.move[:, r] != PASS], r] = True
        _, kind = unique_rows(pack(np.concatenate([views.answers(i, asked[i]), mobile], axis=1)))
        out.append(graph.known_kinds(np.asarray(kind, np.int64)))
    return out


def _settle_passes(
    views: Views, compound: Compound, kinds: list[NDArray[np.int64]], times: Times
) -> tuple[NDArray[np.bool_], bool]:
    """Write down as an end for nothing where a role has neither a move with effect nor one without.

    Returns (where the mover has a move without effect, whether it has one somewhere although it could move).
    """
    roles, literals = idle_literals(views)
    nets = Nets(views.game.circuit, literals) if literals else None
    over, goal = compound.over.reshape(-1), compound.goal.reshape(-1, compound.roles)
    rest, idle = np.zeros(over.size, np.bool_), False
    for some, place, rows in judged_combinations(views, kinds, times).batches():
        here = np.arange(rows.shape[0])
        mover = np.array(compound.mover)[place[0]]
        forced = np.ones(rows.shape[0], np.bool_)
        for able, where in zip(compound.able, place[1:], strict=True):
            forced &= ~able[mover, where]
        may = np.zeros((rows.shape[0], compound.roles), np.bool_)
        if nets is not None:
            np.logical_or.at(may.T, roles, nets(rows).T)
        going = ~over[some]
        rest[some] = may[here, mover]
        idle |= bool((may[here, mover] & ~forced & going).any())
        may[here, mover] |= ~forced
        stuck = some.start + np.flatnonzero(going & ~may.all(axis=1))
        over[stuck], goal[stuck] = True, 0
    return rest.reshape(compound.over.shape), idle
