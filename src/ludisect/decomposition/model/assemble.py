"""What every method shares: what it found, the local moves of a part, the glue, the finished Decomposition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.turns import turns_in
from ludisect.decomposition.evidence.freechoice import combines
from ludisect.decomposition.evidence.localmoves import PASS, LocalMoves, local_moves
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.model.decomposition import Decomposition, Part, Structure
from ludisect.decomposition.model.dependency import DependencyGraph


@dataclass(frozen=True, slots=True)
class Found:
    """What a method found: fluents of the action-dependent and of the action-independent parts.

    ``after[i]`` lists the groups that must be over before group i begins; ``useless`` are indices of groups.
    """

    groups: tuple[tuple[int, ...], ...]
    independent: tuple[tuple[int, ...], ...] = ()
    after: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    useless: frozenset[int] = frozenset()
    constant: tuple[int, ...] = ()
    """Fluents that a method knows never to change, besides those that folding shows."""
    unseen: tuple[int, ...] = ()
    unseen_moves: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()
    graph: DependencyGraph | None = None


def assemble(game: Game, found: Found, method: str, sample: Sample, telling: Sample | None = None) -> Decomposition:
    """A Decomposition (not yet verified) from what a method found. ``telling`` are states that tell what moves do, if
    they are not just those of the sample."""
    fixed = game.circuit.constant_fluents
    fixed[list(found.constant)] = True
    groups = [tuple(sorted(f for f in g if not fixed[f])) for g in found.groups]
    kept = [i for i, g in enumerate(groups) if g]
    number = {i: n for n, i in enumerate(kept)}
    independent = [t for t in (tuple(sorted(f for f in g if not fixed[f])) for g in found.independent) if t]
    locals_ = [local_moves(telling or sample, groups[i]) for i in kept]
    parts = [
        Part(
            id=number[i] + 1,
            kind="dependent",
            useful=i not in found.useless,
            fluent_numbers=groups[i],
            move_numbers=local.classes,
            after=tuple(sorted(number[a] + 1 for a in found.after.get(i, ()) if a in number)),
        )
        for i, local in zip(kept, locals_, strict=True)
    ]
    no_moves: tuple[Any, ...] = tuple(() for _ in game.roles)
    parts += [
        Part(id=len(kept) + 1 + n, kind="independent", useful=True, fluent_numbers=g, move_numbers=no_moves)
        for n, g in enumerate(independent)
    ]
    placed = {f for s in parts for f in s.fluent_numbers} | set(found.unseen)
    missing = [f for f in range(len(game.fluents)) if f not in placed and not fixed[f]]
    glue = structure(parts)
    passes = False
    if glue is None:
        glue, passes = _parallel([local for s, local in zip(parts, locals_, strict=False) if s.useful], sample)
    return Decomposition(
        game=game,
        method=method,
        parts=tuple(parts),
        turns=turns_in(game, [sample.legal]),
        structure=glue,
        passes=passes,
        constant_numbers=tuple(np.flatnonzero(fixed).tolist()),
        unseen_numbers=tuple(sorted({*found.unseen, *missing})),
        unseen_move_numbers=found.unseen_moves,
        notes=found.notes,
        graph=found.graph,
    )


def structure(parts: Sequence[Part]) -> Structure | None:
    """How the dependent parts are glued, if their number or their stages say it."""
    dependent = [s for s in parts if s.kind == "dependent"]
    useful = [s for s in dependent if s.useful]
    if len(useful) <= 1:
        return "single" if len(dependent) <= 1 else "multiple"
    return by_stages(useful)


def by_stages(useful: Sequence[Part]) -> Structure | None:
    """Serial if the parts open one after the other, mixed if only some do or several at once, None if none waits."""
    staged = [s for s in useful if s.after]
    if not staged:
        return None
    earlier = {a for s in staged for a in s.after}
    firsts = [s for s in useful if not s.after]
    chain = len(firsts) == 1 and firsts[0].id in earlier and len({s.after for s in staged}) == len(staged)
    return "serial" if chain else "mixed"


def _parallel(locals_: Sequence[LocalMoves], sample: Sample) -> tuple[Structure, bool]:
    """By the legal moves of sampled states. Choice: a role that can act in two parts acts in one at a time. Sync: its
    moves in the parts are made at once, in every combination, or the parts are each a role's own; and whether one can
    leave a part alone in which one could act."""
    numbers = np.stack([local.of_pairs(sample) for local in locals_], axis=1)  # (state, role, move) triples x parts
    acting = numbers != PASS
    key = sample.pair_state * sample.n_roles + sample.pair_role  # ascending
    cuts = np.flatnonzero(np.diff(key, prepend=-1))
    available = np.logical_or.reduceat(acting, cuts, axis=0)
    per_pair = np.repeat(available, np.diff([*cuts.tolist(), len(key)]), axis=0)
    moving = acting.any(axis=1)
    chooses = bool((acting[moving] != per_pair[moving]).any())
    if chooses and (acting.sum(axis=1) > 1).any():
        moves = pairwise(sample.game.batch.first_move.tolist())
        free = all(
            combines(sample.legal[:, low:high], np.stack([local.number[r] for local in locals_], axis=1)).all()
            for r, (low, high) in enumerate(moves)
        )
        return ("parallel-sync", True) if free else ("mixed", False)
    state = sample.pair_state[cuts]  # ascending
    both = np.logical_or.reduceat(available, np.flatnonzero(np.diff(state, prepend=-1)), axis=0)
    return ("parallel-sync" if not chooses and (both.sum(axis=1) > 1).any() else "parallel-choice"), False


def moves_not_made(game: Game, made: NDArray[np.bool_]) -> tuple[tuple[int, int], ...]:
    """(role, move) of the moves that no play made, though the rules do not exclude them: what is said of them was not
    tested."""
    possible = game.circuit.input_value[1 + len(game.fluents) :] == 2
    moves = np.flatnonzero(~made & possible)
    role = np.searchsorted(game.batch.first_move, moves, side="right") - 1
    return tuple(zip(role.tolist(), (moves - game.batch.first_move[role]).tolist(), strict=True))
