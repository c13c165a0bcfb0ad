"""Contexts that follow the stages of a serial game, put where the search can see them.

A turn marker that stands still until its stage begins is no move of anybody, so it counts as context; but it does not
run by itself, as the searches take the context to do: when it starts depends on how long the stages before it last. It
goes into the stage that reads it. Where no single stage has it to itself, all parts are taken as one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ludisect.decompose.graph import ancestors
from ludisect.decompose.induction import Invariants
from ludisect.decompose.model import Decomposition, Subgame
from ludisect.decompose.structure import structurally_closed
from ludisect.decompose.variables import Variable
from ludisect.search.coarser import merged
from ludisect.search.concepts import fluents_read, ruling


def settled(parts: Decomposition) -> Decomposition:
    """The same decomposition with a context that runs by itself."""
    following = context_of_stages(parts)
    if not following:
        return parts
    before = {s.id: s.after for s in parts.subgames}
    for component in following:
        reads = _parts_read(parts, component)
        readers = [s for s in parts.dependent if not _read_by(parts, s).isdisjoint(component.fluents)]
        # read by none, it is for the end or the score: of the stages that know when it runs, the last one is its own
        homes = [s for s in readers or parts.dependent if reads <= {s.id, *ancestors(before, s.id)}]
        homes.sort(key=lambda s: len(ancestors(before, s.id)))
        if len(readers) > 1 or not homes:
            everything = merged(parts, [range(len(parts.dependent))])
            return _moved(everything, context_of_stages(parts), everything.dependent[0].id)
        parts = _moved(parts, [component], homes[-1].id)
    return parts


def context_of_stages(parts: Decomposition) -> list[Subgame]:
    """The components of the context whose rules read more than the context, in a game with stages."""
    if not any(s.after for s in parts.subgames):
        return []
    variables = [Variable(s.fluents) for s in parts.context]
    fixed = Invariants(constant=(*parts.constant, *parts.unseen))
    by_itself = set(structurally_closed(parts.game, fixed, variables, range(len(variables))))
    return [s for k, s in enumerate(parts.context) if k not in by_itself]


def _read_by(parts: Decomposition, s: Subgame) -> set[int]:
    return set(fluents_read(parts.game.circuit, ruling(parts.game, s)))


def _parts_read(parts: Decomposition, component: Subgame) -> set[int]:
    """Ids of the dependent parts whose fluents the component's rules read."""
    read = _read_by(parts, component)
    return {s.id for s in parts.dependent if not read.isdisjoint(s.fluents)}


def _moved(parts: Decomposition, components: Iterable[Subgame], home: int) -> Decomposition:
    """With components of the context as fluents of a part."""
    more = {f for s in components for f in s.fluents}
    subgames = [
        replace(s, fluents=tuple(sorted((*s.fluents, *more)))) if s.id == home else s
        for s in parts.subgames
        if more.isdisjoint(s.fluents)
    ]
    return replace(parts, subgames=tuple(subgames))
