"""Variables: groups of fluents of which exactly one is true (a cell's contents, a counter), proposed by what play shows
and kept if proved: true at the start and preserved by every legal joint move from every state that satisfies them all.

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

from ludisect.circuit.batch import pack, unpack
from ludisect.circuit.game import Game
from ludisect.decompose.graph import merge
from ludisect.decompose.prover import Model, Prover
from ludisect.decompose.sample import Sample


@dataclass(frozen=True, slots=True)
class Variable:
    """Of several ``fluents`` exactly one is true, or at most one if not ``always``; a single one is a boolean."""

    fluents: tuple[int, ...]
    always: bool = True

    @property
    def is_group(self) -> bool:
        """Whether it has a value per fluent."""
        return len(self.fluents) > 1


@dataclass(frozen=True, slots=True)
class Invariants:
    """What is proved of every reachable state: groups of which exactly one, or at most one, fluent is true, and fluents
    that never change."""

    exactly_one: tuple[tuple[int, ...], ...] = ()
    at_most_one: tuple[tuple[int, ...], ...] = ()
    constant: tuple[int, ...] = ()

    def assume(self, prover: Prover, initial: NDArray[np.bool_]) -> None:
        """Restrict the states of all copies of a prover to those that satisfy the invariants."""
        for copy in range(len(prover.copies)):
            for g in self.exactly_one:
                prover.exactly_one(g, copy)
            for g in self.at_most_one:
                prover.at_most_one(g, copy)
            for f in self.constant:
                prover.require([prover.fluent(f, copy) if initial[f] else -prover.fluent(f, copy)])


def find_invariants(game: Game, sample: Sample, free: Sequence[int], *, seconds: float = 10.0) -> Invariants:
    """Propose from the sample, prove by induction; what cannot be proved in time is not used."""
    fixed = unchanging(game, sample, free)
    still = set(fixed)
    groups = candidate_groups(game, sample, free, [f for f in free if f not in still])
    return prove(game, groups, fixed, seconds=seconds)


def variables_of(invariants: Invariants, free: Sequence[int]) -> list[Variable]:
    """Partition the fluents that can change into variables."""
    fixed = set(invariants.constant)
    groups = [(g, True) for g in invariants.exactly_one] + [(g, False) for g in invariants.at_most_one]
    out: list[Variable] = []
    grouped: set[int] = set()
    for group, always in groups:
        mine = tuple(f for f in group if f not in fixed)
        grouped.update(mine)
        if mine:
            out.append(Variable(mine, always))
    out += [Variable((f,)) for f in free if f not in grouped and f not in fixed]
    return sorted(out, key=lambda v: v.fluents[0])


def unchanging(game: Game, sample: Sample, free: Sequence[int]) -> list[int]:
    """Fluents that kept their initial value in everything seen."""
    initial = game.circuit.initial
    seen = _seen(game, sample)
    same = (seen == initial).all(axis=0)
    return [f for f in free if same[f]]


def _seen(game: Game, sample: Sample) -> NDArray[np.bool_]:
    """States, ends and some next states, as booleans."""
    n = len(game.fluents)
    rows = sample.pair_next[:: max(1, len(sample.pair_next) // 4000)]
    return np.concatenate(
        [sample.bits, unpack(sample.endings, n), game.circuit.initial[None, :], unpack(rows, n).reshape(-1, n)]
    )


def candidate_groups(game: Game, sample: Sample, free: Sequence[int], changing: Sequence[int]) -> list[tuple[int, ...]]:
    """Disjoint groups of which exactly one fluent is true in every state seen; failing that, groups of one predicate of
    which at most one is, and whose members replace each other."""
    seen = _seen(game, sample)
    moving = set(changing)
    left = set(free)
    out: list[tuple[int, ...]] = []

    def take(groups: Iterable[Sequence[int]]) -> None:
        for group in groups:
            mine = tuple(f for f in group if f in left)
            if len(mine) < 2 or len(mine) < len(group) or not any(f in moving for f in mine):
                continue
            if (seen[:, mine].sum(axis=1) == 1).all():
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
    if not free or len(free) > 2000 or not len(sample.pair_state):
        return
    before = sample.bits[sample.pair_state][:, free]
    after = sample.pair_next_bits[:, free]
    falls, rises = (before & ~after).astype(np.float32), (after & ~before).astype(np.float32)
    follows = (falls.T @ rises) > 0
    truth = seen[:, free].astype(np.float32)
    together = (truth.T @ truth) > 0
    linked = (follows | follows.T) & ~together
    for block in merge([[int(a), int(b)] for a, b in np.argwhere(linked)], len(free)):
        if len(block) > 1:
            yield [free[i] for i in block]


def prove(game: Game, groups: Sequence[tuple[int, ...]], fixed: Sequence[int], *, seconds: float = 10.0) -> Invariants:
    """The invariants that are inductive together; what a counterexample breaks is weakened (exactly one -> at most one)
    or dropped, until nothing breaks."""
    initial = game.circuit.initial
    claims = [_Claim(g, True) for g in groups if int(initial[list(g)].sum()) == 1]
    claims += [_Claim(g, False) for g in groups if int(initial[list(g)].sum()) <= 1]
    exact = {c.fluents for c in claims if c.always}
    constants = list(fixed)
    if not claims and not constants:
        return Invariants()
    prover = Prover(game, seconds=seconds)
    switches: list[int] = []
    broken: list[int] = []
    with prover.building():
        prover.in_play()
        for c in claims:
            on = prover.switch()
            after = [prover.lit(int(game.circuit.next[f])) for f in c.fluents]
            if c.always:
                prover.exactly_one(c.fluents, condition=on)
                broken.append(prover.all_of([on, prover.not_exactly_one(after)]))
            else:
                prover.at_most_one(c.fluents, condition=on)
                broken.append(prover.all_of([on, prover.two_of(after)]))
            switches.append(on)
        for f in constants:
            on = prover.switch()
            now = prover.fluent(f) if initial[f] else -prover.fluent(f)
            then = prover.lit(int(game.circuit.next[f]))
            prover.require([-on, now])
            broken.append(prover.all_of([on, -then if initial[f] else then]))
            switches.append(on)
        prover.require(broken)
    n = len(claims)
    # the weaker form of a claim waits until the stronger one has failed
    alive = {i for i in range(n + len(constants)) if i >= n or claims[i].always or claims[i].fluents not in exact}
    while alive:
        answer = prover.ask([s if i in alive else -s for i, s in enumerate(switches)])
        if answer is False:
            kept = [claims[i] for i in sorted(alive) if i < n]
            return Invariants(
                tuple(c.fluents for c in kept if c.always),
                tuple(c.fluents for c in kept if not c.always),
                tuple(constants[i - n] for i in sorted(alive) if i >= n),
            )
        if not isinstance(answer, Model):
            return Invariants()  # out of time: nothing is proved
        following = _next(game, answer)
        for i in list(alive):
            if i >= n:
                if following[constants[i - n]] != initial[constants[i - n]]:
                    alive.discard(i)
            elif not claims[i].holds(following):
                alive.discard(i)
                if claims[i].always:
                    weaker = next(k for k in range(n) if claims[k] == _Claim(claims[i].fluents, False))
                    if claims[weaker].holds(following):
                        alive.add(weaker)
    return Invariants()


@dataclass(frozen=True, slots=True)
class _Claim:
    fluents: tuple[int, ...]
    always: bool

    def holds(self, state: NDArray[np.bool_]) -> bool:
        count = int(state[list(self.fluents)].sum())
        return count == 1 or (count == 0 and not self.always)


def _next(game: Game, model: Model) -> NDArray[np.bool_]:
    rows = game.next(pack(model.states[:1]), model.joint[:1])
    return np.asarray(unpack(rows, len(game.fluents))[0])
