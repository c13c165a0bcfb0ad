"""Nested decompositions seen from outside: parts that belong together count as one, so outer glue shows.

Two piles of which one is itself a row of stages, or a stage whose parts are moved all at once: a way of solving that
needs a choice between parts, or stages, does not see one there until the inner parts are one. Putting parts together
keeps a decomposition right: what held of each holds of the group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ludisect.decomposition.model.assemble import by_stages
from ludisect.decomposition.model.blocks import merge
from ludisect.decomposition.model.decomposition import Decomposition, Part, Structure
from ludisect.search.part.concepts import acting


def coarser(parts: Decomposition) -> Iterator[tuple[Decomposition, str]]:
    """Decompositions with fewer parts, at least two, and what was put together.

    Parts that share a move; parts one of which waits for the other; both.
    """
    links = {
        "parts that move together count as one": _sharing(parts),
        "stages of one part count as one": _waiting(parts),
    }
    links["parts that move together or wait for each other count as one"] = [x for some in links.values() for x in some]
    seen = {len(parts.dependent)}
    for why, some in links.items():
        groups = merge(some, len(parts.dependent))
        if len(groups) > 1 and len(groups) not in seen:
            seen.add(len(groups))
            yield merged(parts, groups), why


def _sharing(parts: Decomposition) -> list[tuple[int, int]]:
    """Pairs of parts in which one move acts."""
    first: dict[tuple[int, int], int] = {}
    out = set()
    for i, s in enumerate(parts.dependent):
        for move in acting(s):
            j = first.setdefault(move, i)
            if j != i:
                out.add((j, i))
    return sorted(out)


def _waiting(parts: Decomposition) -> list[tuple[int, int]]:
    """Pairs of parts one of which opens after the other."""
    index = {s.id: i for i, s in enumerate(parts.dependent)}
    return [(index[a], i) for i, s in enumerate(parts.dependent) for a in s.after if a in index]


def merged(parts: Decomposition, groups: Sequence[Sequence[int]]) -> Decomposition:
    """The decomposition with each group of dependent parts (indices) as one part."""
    number = {parts.dependent[i].id: n + 1 for n, group in enumerate(groups) for i in group}
    ones = [_one(parts, [parts.dependent[i] for i in group], number) for group in groups]
    ones += [replace(s, id=len(groups) + 1 + n) for n, s in enumerate(parts.context)]
    found = replace(parts, parts=tuple(ones))
    return replace(found, structure=_structure(found))


def _one(parts: Decomposition, members: Sequence[Part], number: dict[int, int]) -> Part:
    if len(members) == 1:
        (s,) = members
        return replace(s, id=number[s.id], after=tuple(sorted({number[a] for a in s.after if a in number})))
    moves = []
    for r in range(len(parts.game.roles)):
        # a local move of the group is a combination of local moves of its members
        acts: dict[int, list[tuple[int, int]]] = {}
        for k, s in enumerate(members):
            for c, some in enumerate(s.move_numbers[r]):
                for m in some:
                    acts.setdefault(m, []).append((k, c))
        classes: dict[tuple[tuple[int, int], ...], list[int]] = {}
        for m in sorted(acts):
            classes.setdefault(tuple(acts[m]), []).append(m)
        moves.append(tuple(tuple(some) for some in classes.values()))
    mine = number[members[0].id]
    return Part(
        id=mine,
        kind="dependent",
        useful=any(s.useful for s in members),
        fluent_numbers=tuple(sorted(f for s in members for f in s.fluent_numbers)),
        move_numbers=tuple(moves),
        after=tuple(sorted({number[a] for s in members for a in s.after if a in number} - {mine})),
    )


def _structure(parts: Decomposition) -> Structure:
    """How the groups are glued: by stages, by moves that act in several, or by choice."""
    stages = by_stages([s for s in parts.dependent if s.useful])
    return stages or ("parallel-sync" if _sharing(parts) else "parallel-choice")
