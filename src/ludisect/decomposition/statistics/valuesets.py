"""Values of one variable: fluents of a predicate of which plays show exactly one, or at most one, true.

The paper works on single fluents; a value that plays reach once, or only at the start, then falls off its variable.
What the plays never contradict is taken here without proof: it can only tie fluents together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import unpack
from ludisect.decomposition.evidence.localmoves import mask_of
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.limits import DecompositionLimits


def values_of_variables(
    game: Game, sample: Sample, free: Sequence[int], adrift: NDArray[np.bool_]
) -> list[tuple[int, ...]]:
    """Disjoint groups of the ``free`` fluents, the most specific ones first.

    Groups of which none may be true are looked for only where they take in a fluent that is ``adrift``: in a game in
    which few things happen at once, at most one of almost anything is true.
    """
    n = len(game.fluents)
    seen = np.concatenate([sample.bits, unpack(sample.endings, n).reshape(-1, n), game.circuit.initial[None, :]])
    start = set(np.flatnonzero(game.circuit.initial).tolist())
    left = set(free)
    out: list[tuple[int, ...]] = []
    for exactly in (True, False):
        for group in _families(game, sorted(left)):
            if not left.issuperset(group) or not (exactly or adrift[list(group)].any()):
                continue
            at_start = sum(f in start for f in group)
            if at_start > 1 or (exactly and at_start == 0):
                continue
            true = seen[:, group].sum(axis=1)
            fits = (true == 1).all() if exactly else (true <= 1).all() and _replace_each_other(sample, group)
            if fits:
                out.append(group)
                left.difference_update(group)
    return out


def _families(game: Game, free: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Fluents of one predicate that agree on some arguments, most arguments first; all fluents without arguments."""
    by_symbol: dict[tuple[str, int], list[int]] = {}
    for f in free:
        term = game.fluents[f]
        by_symbol.setdefault((term.name if term.args else "", len(term.args)), []).append(f)
    for (_, arity), members in by_symbol.items():
        for kept in range(max(0, arity - 1), -1, -1):
            for places in combinations(range(arity), kept):
                groups: dict[object, list[int]] = {}
                for f in members:
                    groups.setdefault(tuple(game.fluents[f].args[k] for k in places), []).append(f)
                for group in groups.values():
                    if len(group) > 1:
                        yield tuple(group)


def _replace_each_other(sample: Sample, group: tuple[int, ...]) -> bool:
    mask = mask_of(sample.game, group)
    words = np.flatnonzero(mask)
    before = sample.states[:, words][sample.pair_state] & mask[words]
    after = sample.pair_next[:, words] & mask[words]
    falls: NDArray[np.bool_] = np.asarray((before & ~after).any(axis=1))
    rises: NDArray[np.bool_] = np.asarray((after & ~before).any(axis=1))
    return bool(falls.any()) and float(rises[falls].mean()) >= DecompositionLimits.current().valuesets_successions
