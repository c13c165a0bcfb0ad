"""Variables: groups of fluents of which exactly one is true, proposed by what play shows and then proved.

The contents of a cell are one, the value of a counter is another. Proved means: exactly one is true at the start, and
every legal joint move keeps it so from every state in which all proved groups hold.

Coarse groups are tried first: a predicate with some arguments blanked; the same arguments under several predicates;
complementary pairs; fluents that follow each other and are never true together. Whatever is in no group is a variable
of its own with two values, which is always safe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import Rows, set_bits, unpack
from ludisect.decomposition.evidence.invariants import Invariants, prove
from ludisect.decomposition.evidence.meetings import Occurrences, meetings
from ludisect.decomposition.evidence.sample import Sample, some_of
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.blocks import merge
from ludisect.effort import Effort


@dataclass(frozen=True, slots=True)
class FluentGroup:
    """Of several ``fluents`` exactly one is true, or at most one if not ``always``; a single one is a boolean."""

    fluents: tuple[int, ...]
    always: bool = True

    @property
    def is_group(self) -> bool:
        """Whether it has a value per fluent."""
        return len(self.fluents) > 1


def find_invariants(game: Game, sample: Sample, free: Sequence[int], effort: Effort | None = None) -> Invariants:
    """Propose from the sample, prove by induction; what cannot be proved with the effort is not used."""
    fixed = unchanging(game, sample, free)
    still = set(fixed)
    groups = candidate_groups(game, sample, free, [f for f in free if f not in still])
    return prove(game, groups, fixed, effort)


def variables_of(invariants: Invariants, free: Sequence[int]) -> list[FluentGroup]:
    """Partition the fluents that can change into variables."""
    fixed = set(invariants.constant)
    groups = [(g, True) for g in invariants.exactly_one] + [(g, False) for g in invariants.at_most_one]
    out: list[FluentGroup] = []
    grouped: set[int] = set()
    for group, always in groups:
        mine = tuple(f for f in group if f not in fixed)
        grouped.update(mine)
        if mine:
            out.append(FluentGroup(mine, always))
    out += [FluentGroup((f,)) for f in free if f not in grouped and f not in fixed]
    return sorted(out, key=lambda v: v.fluents[0])


def unchanging(game: Game, sample: Sample, free: Sequence[int]) -> list[int]:
    """Fluents that kept their initial value in everything seen."""
    other = unpack(sample.changed, len(game.fluents))[0]
    return [f for f in free if not other[f]]


def _seen(game: Game, sample: Sample) -> NDArray[np.bool_]:
    """States, ends and some next states, as booleans."""
    n = len(game.fluents)
    rows = sample.pair_next[some_of(len(sample.pair_next), DecompositionLimits.current().variables_seen)]
    return np.concatenate(
        [sample.bits, unpack(sample.endings, n), game.circuit.initial[None, :], unpack(rows, n).reshape(-1, n)]
    )


def candidate_groups(game: Game, sample: Sample, free: Sequence[int], changing: Sequence[int]) -> list[tuple[int, ...]]:
    """Disjoint groups of which exactly one fluent is true in every state seen; failing that, groups of one predicate of
    which at most one is, and whose members replace each other."""
    seen = _seen(game, sample)
    often = seen.sum(axis=0)
    moving = set(changing)
    left = set(free)
    out: list[tuple[int, ...]] = []

    def take(groups: Iterable[Sequence[int]]) -> None:
        for group in groups:
            mine = tuple(f for f in group if f in left)
            if len(mine) < 2 or len(mine) < len(group) or not any(f in moving for f in mine):
                continue
            if often[list(mine)].sum() == len(seen) and (seen[:, mine].sum(axis=1) == 1).all():
                out.append(mine)
                left.difference_update(mine)

    take(_by_blanks(game, free))
    take(_by_arguments(game, sorted(left)))
    take(_complements(seen, sorted(left & moving)))
    take(_successions(sample, seen, sorted(left & moving)))
    return out


def _by_blanks(game: Game, free: Sequence[int]) -> Iterator[list[int]]:
    """Fluents of one predicate that agree on the arguments that are not blanked; most blanks first."""
    by_symbol: dict[tuple[str, int], list[int]] = {}
    for f in free:
        term = game.fluents[f]
        by_symbol.setdefault((term.name, len(term.args)), []).append(f)
    for (_, arity), members in by_symbol.items():
        for blanks in range(arity, 0, -1):
            for blank in combinations(range(arity), blanks):
                kept = [k for k in range(arity) if k not in blank]
                groups: dict[object, list[int]] = {}
                for f in members:
                    args = game.fluents[f].args
                    groups.setdefault(tuple(args[k] for k in kept), []).append(f)
                yield from groups.values()


def _by_arguments(game: Game, free: Sequence[int]) -> Iterator[list[int]]:
    """Fluents with the same arguments under different predicates."""
    groups: dict[object, list[int]] = {}
    for f in free:
        groups.setdefault(game.fluents[f].args, []).append(f)
    yield from groups.values()


def _complements(seen: NDArray[np.bool_], free: Sequence[int]) -> Iterator[list[int]]:
    """Pairs of which one is true exactly when the other is false."""
    columns = {f: np.packbits(seen[:, f]).tobytes() for f in free}
    opposite = {f: np.packbits(~seen[:, f]).tobytes() for f in free}
    holders: dict[bytes, list[int]] = {}
    for f in free:
        holders.setdefault(columns[f], []).append(f)
    for f in free:
        for g in holders.get(opposite[f], []):
            if f < g:
                yield [f, g]


def _successions(sample: Sample, seen: NDArray[np.bool_], free: Sequence[int]) -> Iterator[list[int]]:
    """Chains of fluents that replace one another and are never true together."""
    limits = DecompositionLimits.current()
    if not free or len(free) > limits.variables_chained or not len(sample.pair_state):
        return
    some = some_of(len(sample.pair_state), limits.variables_pairs)
    place = np.full(len(sample.game.fluents), -1)
    place[free] = np.arange(len(free))
    before, after = sample.states[sample.pair_state[some]], sample.pair_next[some]
    both = np.concatenate([before & ~after, after & ~before], axis=1)
    changes = both[unique_rows(both)[0]]  # many moves change the same

    def table(rows: Rows) -> Occurrences:
        row, column = set_bits(rows, 0, len(place))
        mine = place[column] >= 0
        return Occurrences(row[mine], place[column[mine]], len(free))

    words = before.shape[1]
    falls, rises = table(changes[:, :words]), table(changes[:, words:])
    falling, rising = np.nonzero(meetings(falls, rises))
    truth = np.packbits(seen[:, free].T, axis=1)
    together = (truth[falling] & truth[rising]).any(axis=1)
    links = np.stack([falling, rising], axis=1)[~together]
    for block in merge(links.tolist(), len(free)):
        if len(block) > 1:
            yield [free[i] for i in block]
