"""What the score needs together: parts stay apart if the game is a sum of them also in its score.

For each role, over the parts that moves and dependencies found:

1. *Points.* Two parts interact if what the one contributes to the score hangs on the other. Parts that do not interact,
   not even through others, have scores that are added up, and are apart.
2. *Levels.* Parts that interact are apart nevertheless if no exchange of them breaks any "at least v": then what each
   contributes can be ordered, and more is never worse. All of n, any of n, k of n, weights, "this, or else that and
   that": apart. The lines of a board, numbers that have to match: together.
3. *Which belong together.* A broken exchange, made small (see ``exchange``), is a table of a few parts with two values
   each. The finest partitions over which that table is a sum are its options. One option: what it joins belongs
   together. Several ("a and b, or c and d": ab will do, and so will cd): what any of them joins does, but only when
   everything that is forced has been joined, and only if no option is satisfied by then; or if all parts of the table
   but one are together already. Tables in which every entry has a score go before others.
4. *No score yet.* Where play goes on and the rules give no score, there is none yet: whether there is one is asked like
   a level. How high it is, is asked of states that have one. A play that is over without a score is a gap in the rules,
   and says nothing.
5. *The end of the game* is asked in the same way of parts that no score reads.
6. *Fading.* Conditions that one score needs at once, and that are lost while something else is done, cannot wait for
   each other: they belong together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ludisect.circuit.game import Game
from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import Rows, unpack
from ludisect.decomposition.evidence.exchange import UNKNOWN, Broken, Exchange, Exchanges, Question, Swaps, ends_of
from ludisect.decomposition.evidence.freechoice import outcome_rows
from ludisect.decomposition.evidence.localmoves import PASS, varied
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.evidence.scoretable import Blocks, options, satisfied
from ludisect.decomposition.model.blocks import merge
from ludisect.effort import Effort, spend


@dataclass(frozen=True, slots=True, eq=False)
class Tie:
    """Parts (indices), two at least, that belong together; the event that needs them so; and states that show it."""

    parts: tuple[int, ...]
    event: str
    states: Rows
    broken: Broken | None = None
    """The exchange that shows it, if that is how it is shown."""

    @property
    def what(self) -> str:
        """The reason in words."""
        return f"{self.event} needs them together, and not in every case"


@dataclass(slots=True)
class Verdict:
    """Groups of parts that the score needs together, and the ties that say so."""

    groups: list[list[int]]
    ties: list[Tie] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class _Witness:
    """A broken exchange with the partitions of its parts that it allows."""

    broken: Broken
    options: tuple[Blocks, ...]
    complete: bool
    """Whether every entry of its table is known."""

    def groups(self) -> list[list[int]]:
        """What the options join, as parts of the game."""
        return [[self.broken.parts[i] for i in block] for o in self.options for block in o if len(block) > 1]

    def holds(self, block_of: Sequence[int]) -> bool:
        """Whether a partition satisfies one of the options."""
        mine = tuple(block_of[p] for p in self.broken.parts)
        return any(satisfied(o, mine) for o in self.options)

    def left_over(self, block_of: Sequence[int]) -> bool:
        """Whether all parts but one are together."""
        mine = [block_of[p] for p in self.broken.parts]
        return len(set(mine)) == 2 and min(mine.count(b) for b in set(mine)) == 1 and len(mine) > 2


def tie_by_goals(
    game: Game,
    sample: Sample,
    parts: Sequence[Sequence[int]],
    *,
    wins: Rows | None = None,
    given: Sequence[Exchange] = (),
    seed: int = 0,
    effort: Effort | None = None,
) -> Verdict:
    """Which parts the score needs together. ``wins`` are further states to look at (from a solver, say), ``given`` are
    exchanges that are known to break it."""
    rows = ends_of(sample, wins)
    if len(parts) < 2 or not len(rows):
        return Verdict([[i] for i in range(len(parts))])
    looking = Exchanges(game, sample, parts, rows, np.random.default_rng(seed))
    rule = _Rule(looking, asked_of(game, parts), effort)
    rule.note_given(given)
    rule.run()
    return Verdict(rule.groups, rule.told())


def tie_by_exchange(
    game: Game, parts: Sequence[Sequence[int]], question: Question, states: Rows, mask: Rows
) -> list[list[int]]:
    """Which parts belong together if the score breaks where two states swap what is masked."""
    swaps = Swaps(game, parts, np.random.default_rng(0))
    (broken,) = swaps.shrunk(question, range(len(parts)), states[:1], states[1:], mask[None])
    if len(broken.parts) > swaps.limits.goals_large:
        return [list(broken.parts)]
    return _Witness(broken, options(swaps.tables([broken])[0]), True).groups()


def judge_evaluation(
    game: Game, sample: Sample, parts: Sequence[Sequence[int]], wins: Rows | None = None
) -> Tie | None:
    """An exchange of whole parts of a finished decomposition that breaks its score, if there is one: then the game is
    no sum of these parts."""
    rows = ends_of(sample, wins)
    if len(parts) < 2 or not len(rows):
        return None
    looking = Exchanges(game, sample, parts, rows, np.random.default_rng(1))
    for question, inside in asked_of(game, parts):
        for area in classes(looking, question, inside):
            if len(area) > 1:
                for broken in looking.look(question, area, [[p] for p in area]):
                    return Tie(broken.parts, question.event(game, broken.level), broken.states)
    return None


def asked_of(game: Game, parts: Sequence[Sequence[int]]) -> list[tuple[Question, list[int]]]:
    """The questions, each with the parts that its nets read: two at least. The end is asked of parts that no score
    reads."""
    circuit = game.circuit
    owner = {f: k for k, p in enumerate(parts) for f in p}

    def read(nets: Sequence[int]) -> set[int]:
        found = circuit.support(np.array(nets, np.int32)) - 1
        return {owner[f] for f in found.tolist() if f in owner}

    out: list[tuple[Question, list[int]]] = []
    scored: set[int] = set()
    for role in range(len(game.roles)):
        nets = [n for n, (r, _) in zip(circuit.goal.tolist(), game.goal_table, strict=True) if r == role]
        mine = read(nets) if nets else set()
        scored |= mine
        out += [(Question(role, "score"), sorted(mine)), (Question(role, "scored"), sorted(mine))]
    out.append((Question(-1, "over"), sorted(read([circuit.terminal]) - scored)))
    return [(question, inside) for question, inside in out if len(inside) > 1]


def classes(looking: Exchanges, question: Question, inside: Sequence[int]) -> list[list[int]]:
    """Parts whose contributions are added up are in different classes; only scores are added."""
    if question.kind != "score":
        return [list(inside)]
    groups = [[p] for p in inside]
    place = {p: i for i, p in enumerate(inside)}
    quiet = 0
    while quiet < looking.limits.goals_quiet and len(groups) > 1:
        found = [b.parts for b in looking.look(question, inside, groups, points=True)]
        small = [f for f in found if len(f) == 2] or found  # larger only where states between have no score
        joined = merge([[place[p] for p in g] for g in [*groups, *small]], len(inside))
        quiet = quiet + 1 if len(joined) == len(groups) else 0
        groups = [[inside[i] for i in block] for block in joined]
    return groups


class _Rule:
    """The partition by the score, grown by witnesses."""

    def __init__(self, looking: Exchanges, asked: Sequence[tuple[Question, list[int]]], effort: Effort | None) -> None:
        self.looking, self.game, self.effort = looking, looking.game, effort
        self.n = len(looking.masks)
        self.areas = [
            (question, area)
            for question, inside in asked
            for area in classes(looking, question, inside)
            if len(area) > 1
        ]
        self.groups = [[i] for i in range(self.n)]
        self.ties: list[Tie] = []
        """Of conditions that fade."""
        self.joined: list[tuple[list[int], Broken]] = []
        """Parts that were joined, each with what showed it."""
        self.witnesses: dict[tuple[tuple[int, ...], tuple[Blocks, ...]], _Witness] = {}

    def run(self) -> None:
        """Join what is forced until nothing new shows, then what is not, until nothing changes."""
        joined = True
        while joined and not self._late():
            self._look_at_groups()
            joined = self._join(lambda w, now: w.complete and not w.holds(now))
            if not joined and self._has_rests():
                self._look(fine=True)
                joined = self._join(lambda w, now: w.complete and (not w.holds(now) or w.left_over(now)))
            joined = joined or self._join(lambda w, now: not w.holds(now) or w.left_over(now))
        before = len(self.groups)
        for question, area in self.areas:
            self._fading(question, area)
        if len(self.groups) < before:
            self.run()

    def _look_at_groups(self) -> None:
        """Exchange groups and join what is forced, until some looks in a row show nothing of that kind."""
        quiet = 0
        while quiet < self.looking.limits.goals_quiet and len(self.groups) > 1 and not self._late():
            self._look(fine=False)
            quiet = 0 if self._join(lambda w, now: len(w.options) == 1 and not w.holds(now)) else quiet + 1

    def _has_rests(self) -> bool:
        """Whether a part is alone beside others that are together."""
        alone = {g[0] for g in self.groups if len(g) == 1}
        return any(0 < len(alone.intersection(area)) < len(area) for _, area in self.areas)

    def _late(self) -> bool:
        return self.effort is not None and self.effort.over()

    def _look(self, *, fine: bool) -> None:
        """Note the witnesses of exchanges of whole groups, or of single parts."""
        limits = self.looking.limits
        for question, area in self.areas:
            inside = set(area)
            groups = [[p for p in g if p in inside] for g in self.groups]
            groups = [g for g in groups if g]
            if len(groups) < 2:
                continue
            found = self.looking.look(question, area, [[p] for p in area] if fine else groups)
            small = [b for b in found if len(b.parts) <= limits.goals_small]
            self._note(small or [b for b in found if len(b.parts) <= limits.goals_large])

    def note_given(self, given: Sequence[Exchange]) -> None:
        """Make known exchanges small and note them; what stays too large for a table is joined."""
        for e in given:
            read = ((e.states[0] ^ e.states[1]) & self.looking.masks).any(axis=1)
            inside = np.flatnonzero(read).tolist()
            found = self.looking.shrunk(e.question, inside, e.states[:1], e.states[1:], e.mask[None])
            large = [b for b in found if len(b.parts) > self.looking.limits.goals_large]
            self._note([b for b in found if b not in large])
            self.joined += [(list(b.parts), b) for b in large]
            self.groups = merge([*self.groups, *(b.parts for b in large)], self.n)

    def _note(self, found: Sequence[Broken]) -> None:
        for broken, table in zip(found, self.looking.tables(found), strict=True):
            key = broken.parts, options(table)
            if key not in self.witnesses:
                self.witnesses[key] = _Witness(broken, key[1], UNKNOWN not in table)

    def _join(self, wanted: Callable[[_Witness, Sequence[int]], bool]) -> bool:
        """Join what the wanted witnesses (given the block of each part) say, all at once. True if there are any."""
        block_of = [0] * self.n
        for k, group in enumerate(self.groups):
            for p in group:
                block_of[p] = k
        links = [
            (group, w.broken)
            for w in self.witnesses.values()
            if wanted(w, block_of)
            for group in (w.groups() if not w.holds(block_of) else [list(w.broken.parts)])
            if len({block_of[p] for p in group}) > 1
        ]
        self.groups = merge([*self.groups, *(group for group, _ in links)], self.n)
        self.joined += links
        return bool(links)

    def told(self) -> list[Tie]:
        """For people: what the parts of each group are joined by. Where it can be, a reason is a state that holds no
        more than the score needs; what is not joined by these is told by its witness."""
        out = list(self.ties)
        known: set[tuple[int, ...]] = set()
        pieces = merge([tie.parts for tie in out], self.n)
        for group, broken in self.joined:
            if len(known) >= self.looking.limits.goals_told and len(pieces) == len(self.groups):
                break
            tie = self._needed(group, broken)
            if tie.parts and tie.parts not in known:
                known.add(tie.parts)
                out.append(tie)
                pieces = merge([*pieces, tie.parts], self.n)
        for group, broken in self.joined:
            fresh = merge([*pieces, group], self.n)
            if len(fresh) < len(pieces):
                out.append(self._tied(group, broken, broken.states[:1]))
                pieces = fresh
        return out

    def _needed(self, group: Sequence[int], broken: Broken) -> Tie:
        """What one of the two states of a witness needs for its level, of the group that it joined; nothing if that is
        a single part."""
        block = next(g for g in self.groups if group[0] in g)
        for needed in self.looking.needed(broken, group):
            away = ((needed ^ self.game.batch.initial[0]) & self.looking.masks).any(axis=1)
            parts = [p for p in block if away[p]]
            if len(parts) > 1:
                return self._tied(parts, broken, needed[None])
        return self._tied([], broken, broken.states[:1])

    def _tied(self, parts: Sequence[int], broken: Broken, states: Rows) -> Tie:
        return Tie(tuple(parts), broken.question.event(self.game, broken.level), states, broken)

    # ---- fading ----

    def _fading(self, question: Question, area: Sequence[int]) -> None:
        """Join groups that one score needs at once, and that lose what it needs while something else is done."""
        looking = self.looking
        if question.kind == "scored" or len(self.groups) < 2:
            return
        inside = set(area)
        lost = {k: self._drift(g) for k, g in enumerate(self.groups) if inside.intersection(g)}
        lost = {k: pairs for k, pairs in lost.items() if len(pairs[0])}
        if len(lost) < 2:
            return
        values = looking.values(question)
        start = question.of(self.game, (looking.pool & ~looking.every) | (self.game.batch.initial & looking.every))
        telling = np.flatnonzero((values > start) & (values != UNKNOWN))
        # those at the end are as small as can be
        telling = telling[-looking.limits.goals_fading :]
        rows, level = looking.pool[telling], values[telling]
        needed = np.zeros((len(rows), len(self.groups)), np.bool_)
        for k, (before, after) in lost.items():
            mask = np.bitwise_or.reduce(looking.masks[self.groups[k]], axis=0)
            for b, a in zip(before, after, strict=True):
                kept = question.of(self.game, (rows & ~mask) | b) >= level
                gone = question.of(self.game, (rows & ~mask) | a) < level
                needed[:, k] |= kept & gone
        for row in np.unique(needed, axis=0):
            fading = np.flatnonzero(row).tolist()
            if len(fading) > 1:
                at = int(np.flatnonzero((needed == row).all(axis=1))[0])
                event = question.event(self.game, int(level[at]))
                self.ties.append(Tie(tuple(self.groups[k][0] for k in fading), event, rows[at : at + 1]))
        links = [[self.groups[k][0] for k in np.flatnonzero(row)] for row in needed]
        self.groups = merge([*self.groups, *links], self.n)

    def _drift(self, group: Sequence[int]) -> tuple[Rows, Rows]:
        """What becomes of a group while something else is done: its values before and after, where they differ."""
        s = self.looking.sample
        spend(100 * len(s.pair_state))  # measured: 8 ms for 60,000
        mask = np.bitwise_or.reduce(self.looking.masks[group], axis=0)
        fluents = np.flatnonzero(unpack(mask[None], len(self.game.fluents))[0]).tolist()
        own = np.stack([np.bincount(s.pair_state[s.pair_role == r], minlength=len(s.states)) for r in range(s.n_roles)])
        alone = own.sum(axis=0) == own.max(axis=0) + s.n_roles - 1  # one role at most has a choice
        idle = np.flatnonzero((outcome_rows(s, [fluents])[:, 0] == PASS) & alone[s.pair_state])
        before, after = s.states[s.pair_state[idle]] & mask, s.pair_next[idle] & mask
        moved = (before != after).any(axis=1)
        if not moved.any():
            return before[:0], after[:0]
        # what is forced in the group itself is no fading: something else must have been done, and something there could
        key = s.pair_state * s.n_roles + s.pair_role
        size = len(s.states) * s.n_roles
        chosen = varied(key[idle], s.pair_next[idle], size) & varied(key, s.pair_next & mask, size)
        moved &= chosen[key[idle]]
        both = np.concatenate([before[moved], after[moved]], axis=1)
        both = both[unique_rows(both)[0]][: self.looking.limits.goals_fading]
        return both[:, : len(mask)], both[:, len(mask) :]
