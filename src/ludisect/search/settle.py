"""Contexts that do not run by themselves, put where the search can see them.

A turn marker that stands still until its stage begins, or a counter that waits for a choice, is no move of anybody, so
it may count as context; but it does not run by itself, as the searches take the context to do: when it starts depends
on what is played. It goes into the stage that reads it, if that stage sees all that it waits for. Otherwise all parts
are taken as one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.prove import BY_ITSELF
from ludisect.decomposition.exact.context import proved_closed
from ludisect.decomposition.exact.ruleform import structurally_closed
from ludisect.decomposition.exact.variables import FluentGroup
from ludisect.decomposition.model.blocks import ancestors
from ludisect.decomposition.model.decomposition import Classes, Decomposition, Evidence, Part
from ludisect.effort import Effort
from ludisect.search.coarser import merged
from ludisect.search.limits import SearchLimits
from ludisect.search.part.concepts import acting, fluents_read, moves_read, ruling, side_by_side


def settled(parts: Decomposition) -> Decomposition:
    """The same decomposition with a context that runs by itself."""
    waiting = not_by_itself(parts)
    if not waiting:
        return _noted(parts)
    before = {s.id: s.after for s in parts.parts}
    for component in waiting:
        made = _moves_that_drive(parts, component)
        read = _read(parts, component, made)
        reads = {s.id for s in parts.dependent if not read.isdisjoint(s.fluent_numbers)}
        entangled = any(not read.isdisjoint(s.fluent_numbers) for s in waiting if s != component)
        readers = [s for s in parts.dependent if not _read_by(parts, s).isdisjoint(component.fluent_numbers)]
        # read by none, it is for the end or the score: of the stages that know when it runs, the last one is its own
        homes = [
            s
            for s in readers or parts.dependent
            if reads <= {s.id, *ancestors(before, s.id)} and not any(_acts(x, made) for x in parts.dependent if x != s)
        ]
        homes.sort(key=lambda s: len(ancestors(before, s.id)))
        if len(readers) > 1 or not homes or entangled:
            return _as_one(parts)
        parts = _moved(parts, [component], homes[-1].id, made)
    return parts


def not_by_itself(parts: Decomposition) -> list[Part]:
    """The components of the context that may wait for what is played: their rules read more than the context, and there
    is no proof that this makes no difference."""
    claims = parts.evidence.claims if parts.evidence else {}
    found = [] if claims.get(BY_ITSELF) == "proved" else reading_more(parts)
    if not found or claims:  # the solver was asked
        return found
    closed = proved_closed(parts.game, parts.context_numbers, Effort(SearchLimits.current().settle_work))
    return [s for s in found if not closed.issuperset(s.fluent_numbers)]


def _noted(parts: Decomposition) -> Decomposition:
    """A decomposition whose context runs by itself, with evidence that says so if the form of its rules does not."""
    evidence = parts.evidence or Evidence("tested")
    if evidence.claims or not reading_more(parts):
        return parts
    return replace(parts, evidence=replace(evidence, claims={BY_ITSELF: "proved"}))


def reading_more(parts: Decomposition) -> list[Part]:
    """The components of the context whose rules read a move, or a fluent outside those that read neither."""
    variables = [FluentGroup(s.fluent_numbers) for s in parts.context]
    fixed = Invariants(constant=(*parts.constant_numbers, *parts.unseen_numbers))
    by_form = set(structurally_closed(parts.game, fixed, variables, range(len(variables))))
    return [s for k, s in enumerate(parts.context) if k not in by_form]


def _as_one(parts: Decomposition) -> Decomposition:
    """All parts as one, with every move by itself, and what waits for them in it."""
    waiting = not_by_itself(parts)
    if not parts.dependent:
        return parts
    one = merged(parts, [range(len(parts.dependent))])
    every = [(r, m) for r, moves in enumerate(parts.game.moves) for m in range(len(moves))]
    return _moved(one, waiting, one.dependent[0].id, every)


def _read_by(parts: Decomposition, s: Part) -> set[int]:
    return set(fluents_read(parts.game.circuit, ruling(parts.game, s)))


def _moves_that_drive(parts: Decomposition, component: Part) -> list[tuple[int, int]]:
    """(role, move) of all moves that the component's rules read."""
    game = parts.game
    read = moves_read(game.circuit, game.circuit.next[list(component.fluent_numbers)])
    return [
        (r, m - int(game.batch.first_move[r]))
        for r in range(len(game.roles))
        for m in read
        if game.batch.first_move[r] <= m < game.batch.first_move[r + 1]
    ]


def _read(parts: Decomposition, component: Part, made: Iterable[tuple[int, int]]) -> set[int]:
    """The fluents that the component's rules read, or the legality of the moves that drive it."""
    game = parts.game
    legal = game.circuit.legal[side_by_side(game, made)]
    return _read_by(parts, component) | set(fluents_read(game.circuit, legal))


def _acts(s: Part, made: Iterable[tuple[int, int]]) -> bool:
    """Whether one of some moves acts in a part."""
    return not set(acting(s)).isdisjoint(made)


def _moved(
    parts: Decomposition, components: Iterable[Part], home: int, made: Iterable[tuple[int, int]]
) -> Decomposition:
    """With components of the context as fluents of a part, and the moves that drive them as local moves each by itself
    there."""
    more = {f for s in components for f in s.fluent_numbers}
    apart = set(made)
    changed = [
        replace(s, fluent_numbers=tuple(sorted((*s.fluent_numbers, *more))), move_numbers=_split(s.move_numbers, apart))
        if s.id == home
        else s
        for s in parts.parts
        if more.isdisjoint(s.fluent_numbers)
    ]
    return replace(parts, parts=tuple(changed))


def _split(moves: tuple[Classes, ...], apart: set[tuple[int, int]]) -> tuple[Classes, ...]:
    """Classes of moves with some moves taken out of them, each a class of its own."""
    out = []
    for r, classes in enumerate(moves):
        kept = [tuple(m for m in members if (r, m) not in apart) for members in classes]
        out.append((*(members for members in kept if members), *((m,) for q, m in sorted(apart) if q == r)))
    return tuple(out)
