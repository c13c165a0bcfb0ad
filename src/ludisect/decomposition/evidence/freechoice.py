"""Free choice: parts of which a role cannot choose the outcomes one by one belong together.

In a state, each legal move of a role is a row of outcomes, one per part; the outcome that stands for "nothing done
here" is the default: what becomes of the part if the role makes no move, if some move leads there; or else the part
stays as it is; or else what a strict majority of the moves makes of it. An outcome of a part is free if some move has
it and the default everywhere else, or if it can be combined with whatever any other move does in the other parts. Pairs
of parts are not enough: three parts can be tied though no two are.

Parts in which one move can act together must also be so by a pattern of "either" and "both": skittles in a row, of
which any one or any two neighbours fall, are one game though each can fall alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import fingerprints, unique_rows
from ludisect.circuit.rows import Rows
from ludisect.decomposition.evidence.crosses import crosses
from ludisect.decomposition.evidence.localmoves import PASS, mask_of
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.blocks import merge
from ludisect.effort import Effort, spend

ACTS = 1 << 62
"""An outcome that is no default, in the numbers of ``outcome_rows``."""

PER_OUTCOME, PER_PATTERN, PER_ROLE, PER_TIE = 25, 200, 300_000, 500
"""Steps (see ``effort``) that are counted for an outcome, for one in the search for patterns, for a state of a role in
which free choice is tested, and for an outcome there. Measured on nine games: 9 to 33 ns, 200 ns, and for the last two
together 0.4 to 1.9 ms a state."""


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceTie:
    """Parts (indices) that ``role`` cannot choose between in ``state``: its ``move`` acts in them and changes the
    fluents of ``changed``. The role is -1 where no single state shows it."""

    parts: tuple[int, ...]
    role: int
    move: int
    state: Rows
    changed: Rows

    @staticmethod
    def shown(sample: Sample, parts: Sequence[int], pair: int) -> ChoiceTie:
        """By a (state, role, move) pair of a sample; -1 for none."""
        if pair < 0:
            nothing = np.zeros_like(sample.states[0])
            return ChoiceTie(tuple(parts), -1, -1, nothing, nothing)
        state = sample.states[sample.pair_state[pair]]
        role, move = int(sample.pair_role[pair]), int(sample.pair_move[pair])
        return ChoiceTie(tuple(parts), role, move, state, sample.pair_next[pair] ^ state)


def tie_by_choice(
    sample: Sample,
    parts: Sequence[Sequence[int]],
    effort: Effort | None = None,
    ties: list[ChoiceTie] | None = None,
    *,
    patient: bool = False,
    strict: bool = False,
) -> list[list[int]]:
    """Groups of parts that some role cannot choose freely between, joined until every choice is free; one group of all
    if that takes more than the effort. The reasons are put into ``ties``, if that is given.

    ``patient``: only what is tied whatever counts as nothing done (see ``crosses``), so that other reasons come first.
    ``strict``: an outcome that goes with others must go with all; that it can be had alone is not enough, for two moves
    with an opponent's between them are not what one move does.
    """
    groups = [[i] for i in range(len(parts))]
    table = DecompositionLimits.current().freechoice_table
    if len(parts) * len(sample.pair_state) > table:
        # a tie seen in some states is a tie; what is joined by then makes the table of all states small
        few = sample.thinned(table // len(parts))
        if len(few.states) < len(sample.states):
            groups = tie_by_choice(few, parts, effort, ties, patient=patient, strict=strict)
    while True:
        if effort is not None and effort.over():
            return [list(range(len(parts)))]
        fluents = [[f for p in g for f in parts[p]] for g in groups]
        found = _ties(sample, fluents, patient, strict)
        if not found:
            return groups
        if ties is not None:
            ties += [replace(tie, parts=tuple(p for g in tie.parts for p in groups[g])) for tie in found]
        blocks = merge([tie.parts for tie in found], len(groups))
        groups = [sorted(p for g in block for p in groups[g]) for block in blocks]


def outcome_rows(sample: Sample, parts: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """(state, role, move) pairs x parts: a number per outcome of the part in that state, PASS for the default."""
    if not len(sample.pair_state):
        return np.empty((0, len(parts)), np.int64)
    spend(PER_OUTCOME * len(sample.pair_state) * len(parts))
    wanted = [tuple(p) for p in parts]
    effects = sample.once(_Effects.of)
    known = effects.known
    missing = [p for p in wanted if p not in known]
    if missing:
        if (len(known) + len(missing)) * len(sample.pair_state) > DecompositionLimits.current().freechoice_table:
            # columns that nobody asks for now are dropped
            for p in known.keys() - wanted:
                del known[p], effects.doubts[p]
        for p in missing:
            spend(0)  # a place to end
            column, effects.doubts[p] = effects.column(p)
            known[p] = _with_centres(sample, p, column)
    return np.stack([known[p] for p in wanted], axis=1) if wanted else np.empty((len(sample.pair_state), 0), np.int64)


def _with_centres(sample: Sample, part: Sequence[int], column: NDArray[np.int64]) -> NDArray[np.int64]:
    """Outcomes of a part with the centre of every cross as the default there."""
    seen = crosses(sample, mask_of(sample.game, part))
    if not seen.crossed.any():
        return column
    out = column.copy()
    wrong = seen.crossed & ~seen.centre & (column == PASS)
    out[wrong] = ACTS  # what counted as nothing done, and is not
    out[seen.centre] = PASS
    return out


@dataclass(frozen=True, slots=True, eq=False)
class _Effects:
    """What every legal move of a sample changes, and what would have changed without it."""

    game: Game
    begin: NDArray[np.int64]
    """Where the pairs of each (state, role) begin,"""
    choice: NDArray[np.int64]
    """and per pair, to which it belongs."""
    kind: NDArray[np.int64]
    """Moves of one (state, role) with the same effect on everything have the same kind."""
    made: Rows
    idle: Rows
    """What changes without the role's move; a row per (state, role), like the next."""
    nobody: Rows
    """What changes if no role moves."""
    known: dict[tuple[int, ...], NDArray[np.int64]]
    """Columns of ``outcome_rows`` so far: joining two parts leaves the others' as they are."""
    doubts: dict[tuple[int, ...], NDArray[np.bool_]]
    """Per column and pair: whether its state leaves it open what counts as nothing done, unless a cross tells."""

    @staticmethod
    def of(sample: Sample) -> _Effects:
        key = sample.pair_state * sample.n_roles + sample.pair_role  # ascending
        begin = np.flatnonzero(np.diff(key, prepend=-1))
        state, role = sample.pair_state[begin], sample.pair_role[begin]
        idle = np.stack([sample.idle(r) for r in range(sample.n_roles)])[role, state]
        _, kind = unique_rows(np.concatenate([key[:, None].astype(np.uint64), sample.pair_next], axis=1))
        nobody = sample.game.batch.next(sample.states, np.full_like(sample.joint, -1))[state]
        present = sample.states[state]
        return _Effects(
            sample.game,
            begin,
            np.unique(key, return_inverse=True)[1].ravel(),
            kind,
            sample.pair_next ^ sample.states[sample.pair_state],
            idle ^ present,
            nobody ^ present,
            {},
            {},
        )

    def column(self, fluents: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Numbers of the outcomes of one part with the default found, per (state, role); and where it is in doubt.

        What would have happened without a move is the default where several different moves let it happen, or where it
        is other roles' doing (the part stays as it is if nobody moves). Otherwise one move alone with that effect shows
        nothing: the rules may say that everything vanishes when nobody moves, and one move may do just that. If several
        let it happen and others leave the part as it is, it is in doubt: a circuit takes it that every role moves, so
        what it makes of no move may hang on how many moves there are.
        """
        mask = mask_of(self.game, fluents)
        words = np.flatnonzero(mask)
        made, idle, nobody = (_codes(rows[:, words] & mask[words]) for rows in (self.made, self.idle, self.nobody))
        begin, of = self.begin, self.choice
        there, stays = made == idle[of], made == 0
        one = np.minimum.reduceat(np.where(there, self.kind, len(made)), begin)
        other = np.maximum.reduceat(np.where(there, self.kind, -1), begin)
        several = other > one
        default = np.where(several | ((other >= 0) & (nobody == 0)), idle, 0)
        doubt = several & (idle != 0) & np.logical_or.reduceat(stays, begin)
        passing = made == default[of]
        passing |= stays & ~np.logical_or.reduceat(passing, begin)[of]
        left = np.flatnonzero(~np.logical_or.reduceat(passing, begin)[of])
        if len(left):  # a strict majority, if there is one
            same = np.unique(np.stack([of[left], made[left]]), axis=1, return_inverse=True)[1].ravel()
            passing[left] = 2 * np.bincount(same)[same] > np.bincount(of)[of[left]]
        return np.where(passing, PASS, made), doubt[of]


def _codes(change: Rows) -> NDArray[np.int64]:
    """A number > 0 per change of a part, 0 for none."""
    return np.where(change.any(axis=1), (fingerprints(change) >> np.uint64(1) | np.uint64(1)).astype(np.int64), 0)


def _ties(sample: Sample, parts: Sequence[Sequence[int]], patient: bool, strict: bool) -> list[ChoiceTie]:
    rows = outcome_rows(sample, parts)
    if patient:
        rows = np.where(_open(sample, parts)[:, None], PASS, rows)
    compound = np.flatnonzero((rows != PASS).sum(axis=1) > 1)
    if not len(compound):
        return []
    key = sample.pair_state * sample.n_roles + sample.pair_role  # ascending
    asked = np.unique(key[compound])
    limits = DecompositionLimits.current()
    if len(asked) > limits.freechoice_looked_at:
        asked = np.sort(np.random.default_rng(0).choice(asked, limits.freechoice_looked_at, replace=False))
    enough = max(limits.freechoice_ties, limits.freechoice_tie_share * len(parts))
    ties: list[ChoiceTie] = []
    joined = np.arange(len(parts))
    for k in asked.tolist():
        first = int(np.searchsorted(key, k))
        here = rows[first : np.searchsorted(key, k, side="right")]
        for group in tied_parts(here, strict=strict):
            if len({int(joined[g]) for g in group}) > 1:
                acting = here != PASS
                wanted = acting[:, group].sum(axis=1) * acting.shape[1] - acting.sum(axis=1)  # in these, in few others
                ties.append(ChoiceTie.shown(sample, group, first + int(wanted.argmax())))
                target = min(int(joined[g]) for g in group)
                for g in group:
                    joined[joined == joined[g]] = target
        if len(ties) >= enough:  # the rest is easier to see when these are joined
            break
    return ties or [ChoiceTie.shown(sample, group, -1) for group in irregular(rows)]


def _open(sample: Sample, parts: Sequence[Sequence[int]]) -> NDArray[np.bool_]:
    """Per pair: whether its state does not say of some part what counts as nothing done there."""
    out = np.zeros(len(sample.pair_state), np.bool_)
    doubts = sample.once(_Effects.of).doubts
    for part in parts:
        seen = crosses(sample, mask_of(sample.game, part))
        out |= seen.open | (doubts[tuple(part)] & ~seen.crossed)
    return out


def combines(legal: NDArray[np.bool_], of_move: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Per state: whether the legal moves are all combinations of the local moves that they make in the parts."""
    rows = np.unique(of_move, axis=0, return_inverse=True)[1].ravel()
    table = legal.astype(np.float32)

    def kinds(number: NDArray[np.int64]) -> NDArray[np.float64]:
        hot = np.zeros((len(number), int(number.max()) + 1), np.float32)
        hot[np.arange(len(number)), number] = 1
        return np.asarray((table @ hot > 0).sum(axis=1), np.float64)

    product = np.ones(len(legal))
    for column in of_move.T:
        product *= kinds(np.unique(column, return_inverse=True)[1].ravel())
    return np.asarray(product == kinds(rows))


def irregular(rows: NDArray[np.int64]) -> list[list[int]]:
    """Sets of parts in which single moves act together, but not by any pattern of "either" and "both"."""
    spend(PER_PATTERN * rows.size)
    return irregular_parts(acting_together(rows))


def acting_together(rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Parts x parts: whether some move acts in both."""
    acting = np.unique(rows != PASS, axis=0).astype(np.int64)
    out = np.asarray(acting.T @ acting > 0)
    np.fill_diagonal(out, False)
    return out


def irregular_parts(together: NDArray[np.bool_]) -> list[list[int]]:
    """Components of the graph "some move acts in both" that "either" and "both" cannot build (they are no cographs)."""
    pieces = merge(np.argwhere(together).tolist(), len(together))
    return [c for c in pieces if len(c) > 3 and not _is_cograph(together[np.ix_(c, c)])]


def _is_cograph(graph: NDArray[np.bool_]) -> bool:
    """Whether the graph falls into pieces, or its complement does, all the way down."""
    waiting = [graph]
    while waiting:
        one = waiting.pop()
        if len(one) < 4:
            continue
        pieces = max((merge(np.argwhere(x).tolist(), len(one)) for x in (one, ~one)), key=len)
        if len(pieces) == 1:
            return False
        waiting += [one[np.ix_(p, p)] for p in pieces]
    return True


def tied_parts(rows: NDArray[np.int64], *, strict: bool = False) -> list[list[int]]:
    """Of the moves of one role in one state, as rows of outcomes per part: sets of parts that must be joined.

    The rows are first taken apart into factors that combine freely (the two halves of a compound move); an outcome has
    to be free within its factor only. ``strict`` is as in ``tie_by_choice``.
    """
    spend(PER_ROLE + PER_TIE * rows.size)
    distinct = _distinct(rows).astype(np.int64, copy=False)
    return [list(group) for group in _tied_rows(distinct.shape, distinct.tobytes(), strict)]


@lru_cache(maxsize=256)
def _tied_rows(shape: tuple[int, ...], numbers: bytes, strict: bool) -> tuple[tuple[int, ...], ...]:
    """The sets for rows that differ from each other: most states of a game ask for those of another."""
    distinct = np.frombuffer(numbers, np.int64).reshape(shape)
    ties: list[tuple[int, ...]] = []
    for factor in free_factors(distinct):
        inside = _distinct(distinct[:, factor])
        ties += [tuple(factor[k] for k in group) for group in _tied_in_factor(inside, strict)]
    return tuple(ties)


def _distinct(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every row once, in order: what ``np.unique`` says, which takes several times as long for few rows."""
    if not rows.shape[1]:
        return rows[:1]
    ordered = rows[np.lexsort(rows.T[::-1])]
    new = np.ones(len(ordered), np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return ordered[new]


def free_factors(rows: NDArray[np.int64]) -> list[list[int]]:
    """Sets of parts whose outcomes combine freely with those of the other sets, in rows of outcomes per part."""
    distinct = _distinct(rows)
    varied = np.flatnonzero((distinct != distinct[0]).any(axis=0)).tolist()
    if len(varied) < 2:
        return [varied] if varied else []
    numbers = [np.unique(distinct[:, i], return_inverse=True)[1].ravel() for i in varied]
    sizes = [int(n.max()) + 1 for n in numbers]
    offset = np.concatenate([[0], np.cumsum(sizes)])
    tokens = np.zeros((len(distinct), offset[-1]), np.float32)
    for k, n in enumerate(numbers):
        tokens[np.arange(len(distinct)), offset[k] + n] = 1
    together = tokens.T @ tokens > 0
    begin = offset[:-1]
    free = np.logical_and.reduceat(np.logical_and.reduceat(together, begin, axis=0), begin, axis=1)
    links = [[int(a), int(b)] for a, b in np.argwhere(~free) if b < a]
    factors = [[varied[k] for k in block] for block in merge(links, len(varied))]
    combinations = 1
    for factor in factors:
        combinations *= len(_distinct(distinct[:, factor]))
    return factors if combinations == len(distinct) else [varied]


def _tied_in_factor(distinct: NDArray[np.int64], strict: bool) -> list[list[int]]:
    acting = distinct != PASS
    weight = acting.sum(axis=1)
    if len(distinct) == 1 or distinct.shape[1] == 1 or not (weight > 1).any():
        return []
    hashes: NDArray[np.int64] = np.random.default_rng(5).integers(-(1 << 62), 1 << 62, (distinct.shape[1],))
    whole = (distinct * hashes).sum(axis=1)
    known = set(whole.tolist())
    ties: list[list[int]] = []
    fine: set[tuple[int, int]] = set()
    tied: set[int] = set()
    nothing = np.full(1, PASS) * hashes.sum()
    for at in np.argsort(weight, kind="stable").tolist():
        active = np.flatnonzero(acting[at]).tolist()
        if len(active) < 2:
            continue
        for part in active:
            outcome = distinct[at, part]
            if (part, int(outcome)) in fine or (part in tied and set(active) <= tied):
                continue
            alone = nothing + hashes[part : part + 1] * (outcome - PASS)
            hybrids = whole + hashes[part] * (outcome - distinct[:, part])
            if (not strict and int(alone[0]) in known) or all(h in known for h in hybrids.tolist()):
                fine.add((part, int(outcome)))
                continue
            # join it with what the smallest move that brings it about changes besides
            with_it = np.flatnonzero((distinct[:, part] == outcome) & (weight > 1))
            smallest = with_it[weight[with_it].argmin()]
            group = np.flatnonzero(acting[smallest]).tolist()
            ties.append(group)
            tied.update(group)
    return ties
