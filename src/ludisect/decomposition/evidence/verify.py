"""Judges a decomposition: conditions 1 to 4 on recorded transitions, with a counterexample to replay.

1. transition: the next value of a part is a function of its value, the context and the local moves made in it;
2. availability: which local moves there are is a function of its value and the context;
3. free choice: a local move of one part can be made without deciding what happens in the others;
4. evaluation: no two parts are needed together in a way that leaves neither a score of its own (see ``goals``).

In serial games a stage that has not begun, or is over, offers no local move; 1 and 2 are asked of a later stage while
it is open (or whenever the stages before it are as they are), and of the context given which stages are open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import Transitions, record, unique_rows
from ludisect.circuit.rows import Rows, pack
from ludisect.decomposition.evidence.freechoice import combines, irregular, tied_parts
from ludisect.decomposition.evidence.goals import judge_evaluation
from ludisect.decomposition.evidence.localmoves import PASS, LocalMoves, local_moves, mask_of
from ludisect.decomposition.evidence.sample import Sample, take_sample
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.blocks import ancestors
from ludisect.decomposition.model.decomposition import Counterexample, Decomposition, Evidence, Part
from ludisect.effort import spend
from ludisect.progress import report

AT_ONCE = 1 << 16
"""States whose legal moves are spread out at a time: it bounds memory, and no result hangs on it."""


@dataclass(frozen=True, slots=True, eq=False)
class Violation:
    """A broken condition: the part (index into the parts), two states (or one), and the joint moves made there.

    ``tied`` lists the parts that condition 3 or 4 found tied.
    """

    condition: int
    part: int
    states: Rows
    joint: NDArray[np.int32]
    what: str
    tied: tuple[int, ...] = ()


def try_on_plays(
    parts: Decomposition,
    *,
    playouts: int = 1000,
    seed: int = 1,
    sample: Sample | None = None,
    transitions: Transitions | None = None,
    wins: Rows | None = None,
) -> Evidence:
    """Test a decomposition on the transitions of random plays; the evidence is ``tested`` or ``failed``."""
    game = parts.game
    if transitions is None:
        longest = DecompositionLimits.current().verify_max_length
        transitions = record(game, playouts, seed=seed, max_length=longest)
    found = Check(parts, sample or take_sample(game, seed=seed), transitions, wins).violations()
    if found:
        return Evidence("failed", len(transitions), _for_people(parts, found[0]))
    return Evidence("tested", len(transitions))


class Check:
    """One run of the tests; keeps what several of them need."""

    def violations(self) -> list[Violation]:
        """All violations of the first condition that is broken."""
        conditions = (self.transition, self.availability, self.free_choice, self.evaluation)
        for number, condition in enumerate(conditions):
            report("testing", number, len(conditions))
            found = list(condition())
            if found:
                return found
        report("testing", len(conditions), len(conditions))
        return []

    def __init__(
        self,
        parts: Decomposition,
        sample: Sample,
        transitions: Transitions,
        wins: Rows | None = None,
    ) -> None:
        self.parts, self.game, self.sample, self.transitions = parts, parts.game, sample, transitions
        self.wins = wins
        self.local = {s.id: given_or_found(self.game, sample, s) for s in parts.dependent}
        self.context = mask_of(self.game, [*parts.context_numbers, *parts.unseen_numbers])
        self.serial = any(s.after for s in parts.parts)
        self.limits = DecompositionLimits.current()
        entries = self.limits.verify_entries // max(1, self.game.circuit.legal.size)
        budget = max(self.limits.verify_least, entries)
        keep = np.arange(len(transitions))
        if len(keep) > budget:
            keep = np.sort(np.random.default_rng(0).choice(keep, budget, replace=False))
        self.kept = keep
        self.legal = self.game.batch.legal(transitions.states[keep])

    # ---- 1 ----

    def transition(self) -> Iterator[Violation]:
        t = self.transitions
        around = unique_rows(_words(t.states, self.context))[1].astype(np.uint64)[:, None]
        alone = around
        if self.serial:  # the context may know which stages are open
            is_open = np.stack([self._open(p, t.states) for p in self.parts.dependent], axis=1)
            alone = np.concatenate([around, is_open.astype(np.uint64)], axis=1)
        for number, s in enumerate(self.parts.parts):
            spend(0)  # a place to end
            mask = mask_of(self.game, s.fluent_numbers)
            key = [alone]
            if s.kind == "dependent":
                key = [around, _words(t.states, mask)]
                for r in range(len(self.game.roles)):
                    key.append(self.local[s.id].number[r][t.joint[:, r]].astype(np.uint64)[:, None])
            asked = np.flatnonzero(self._open(s, t.states)) if s.after else np.arange(len(t))
            clash = _clash(np.concatenate(key, axis=1), _words(t.following, mask), asked)
            if (
                clash is None and s.after
            ):  # a stage that is closed is in the hands of those before it, and of nobody else
                key.append(_words(t.states, self._before(s)))
                clash = _clash(np.concatenate(key, axis=1), _words(t.following, mask))
            if clash is not None:
                what = f"part {s.id} has the same value, context and local moves in both, and goes on differently"
                yield Violation(1, number, t.states[list(clash)], t.joint[list(clash)], what)

    def _before(self, s: Part) -> Rows:
        """The fluents of all stages before one, as a mask."""
        before = ancestors({x.id: x.after for x in self.parts.parts}, s.id)
        return mask_of(self.game, [f for x in self.parts.parts if x.id in before for f in x.fluent_numbers])

    def _open(self, s: Part, states: Rows) -> NDArray[np.bool_]:
        out = np.zeros(len(states), np.bool_)
        columns = self.local[s.id].acting
        for low in range(0, len(states), AT_ONCE):
            out[low : low + AT_ONCE] = self.game.batch.legal(states[low : low + AT_ONCE])[:, columns].any(axis=1)
        return out

    # ---- 2 ----

    def availability(self) -> Iterator[Violation]:
        states = self.transitions.states[self.kept]
        for number, s in enumerate(self.parts.parts):
            if s.kind == "independent":
                continue
            spend(0)  # a place to end
            mask = mask_of(self.game, s.fluent_numbers)
            available = self._available(s)
            key = states & (mask | self.context)
            asked = np.flatnonzero(available.any(axis=1)) if s.after else np.arange(len(states))
            clash = _clash(key, pack(available), asked)
            if clash is None and s.after:
                clash = _clash(states & (mask | self.context | self._before(s)), pack(available))
            if clash is not None:
                a, b = clash
                column = int(np.flatnonzero(available[a] != available[b])[0])
                names = [str(self.game.moves[r][m[0]]) for r, cs in enumerate(self.local[s.id].classes) for m in cs]
                one, other = (a, b) if available[a, column] else (b, a)
                what = (
                    f"part {s.id} has the same value and context in both, but {names[column]} (or a move with the "
                    "same effect there) is legal only in the first"
                )
                yield Violation(2, number, states[[one, other]], np.empty((0, 0), np.int32), what)

    def _available(self, s: Part) -> NDArray[np.bool_]:
        columns = []
        for r, classes in enumerate(self.local[s.id].classes):
            of_role = self.legal[:, slice(*self.game.batch.first_move[r : r + 2].tolist())]
            columns += [of_role[:, list(members)].any(axis=1) for members in classes]
        return np.stack(columns, axis=1) if columns else np.zeros((len(self.kept), 0), np.bool_)

    # ---- 3 ----

    def free_choice(self) -> Iterator[Violation]:
        dependent = self.parts.dependent
        if len(dependent) < 2:
            return
        numbers = [
            np.stack([self.local[s.id].number[r] for s in dependent], axis=1) for r in range(len(self.game.roles))
        ]
        for r, of_move in enumerate(numbers):
            if not ((of_move != PASS).sum(axis=1) > 1).any():
                continue  # no move acts in two parts: every local move stands alone
            legal = self.legal[:, slice(*self.game.batch.first_move[r : r + 2].tolist())]
            suspects = np.flatnonzero(~combines(legal, of_move))
            patterns, which = np.unique(legal[suspects], axis=0, return_index=True)
            for pattern, at in list(zip(patterns, suspects[which].tolist(), strict=True))[
                : self.limits.verify_suspects
            ]:
                moves = np.flatnonzero(pattern)
                tied = tied_parts(of_move[moves])
                if tied:
                    yield self._tied(r, at, moves, of_move, tied[0])
                    break
            else:
                for group in irregular(of_move[legal.any(axis=0)]):
                    yield self._tied(r, 0, np.flatnonzero(legal[0]), of_move, group)

    def _tied(
        self, role: int, at: int, moves: NDArray[np.int64], of_move: NDArray[np.int64], tied: Sequence[int]
    ) -> Violation:
        numbers = [i for i, s in enumerate(self.parts.parts) if s.kind == "dependent"]
        ids = [self.parts.parts[numbers[k]].id for k in tied]
        both = [int(m) for m in moves if (of_move[m][list(tied)] != PASS).sum() > 1]
        move = self.game.moves[role][both[0] if both else int(moves[0])]
        what = (
            f"{self.game.roles[role]} cannot choose freely between parts {', '.join(map(str, ids))}: what {move} "
            "does in one of them can neither be done alone nor with every choice in the others"
        )
        row = self.transitions.states[self.kept[at]][None]
        return Violation(3, numbers[tied[0]], row, np.empty((0, 0), np.int32), what, tuple(numbers[k] for k in tied))

    # ---- 4 ----

    def evaluation(self) -> Iterator[Violation]:
        numbers = [i for i, s in enumerate(self.parts.parts) if s.kind == "dependent" and s.useful]
        found = judge_evaluation(
            self.game, self.sample, [self.parts.parts[i].fluent_numbers for i in numbers], self.wins
        )
        if found is not None:
            tied = tuple(numbers[k] for k in found.parts)
            *most, last = (str(self.parts.parts[i].id) for i in tied)
            ids = f"{', '.join(most)} and {last}"
            what = f"parts {ids} have no scores of their own: {found.what}"
            yield Violation(4, tied[0], found.states, np.empty((0, 0), np.int32), what, tied)


def _for_people(parts: Decomposition, found: Violation) -> Counterexample:
    game = parts.game
    part = parts.parts[found.part]
    mask = mask_of(game, part.fluent_numbers)

    def terms(row: NDArray[np.uint64]) -> list[str]:
        return sorted(map(str, game.batch.state(row)))

    situations: list[Mapping[str, Any]] = []
    for k, row in enumerate(found.states):
        one: dict[str, Any] = {"state": terms(row), "part": terms(row & mask)}
        if len(found.joint):
            after = game.batch.next(row[None], found.joint[k : k + 1])[0]
            one["moves"] = {role: str(game.moves[r][found.joint[k, r]]) for r, role in enumerate(game.roles)}
            one |= {"next": terms(after), "part_next": terms(after & mask)}
        situations.append(one)
    return Counterexample(found.condition, part.id, found.what, tuple(situations))


def given_or_found(game: Game, sample: Sample, s: Part) -> LocalMoves:
    """The local moves that the decomposition claims; where it claims none, those that its fluents imply."""
    if not any(s.move_numbers):
        return local_moves(sample, s.fluent_numbers)
    numbers = []
    for r, moves in enumerate(game.moves):
        number = np.full(len(moves), PASS, np.int64)
        for c, members in enumerate(s.move_numbers[r] if r < len(s.move_numbers) else ()):
            number[list(members)] = c
        numbers.append(number)
    return LocalMoves(tuple(s.move_numbers), tuple(numbers))


def _words(states: Rows, mask: Rows) -> Rows:
    """What a mask leaves of some states, without the words in which that is nothing."""
    words = np.flatnonzero(mask)
    return states[:, words] & mask[words]


def _clash(key: Rows, value: Rows, asked: NDArray[np.int64] | None = None) -> tuple[int, int] | None:
    """Two rows (of those asked about, or of all) with the same key and different values."""
    some = np.arange(len(key)) if asked is None else asked
    if not len(some):
        return None
    first, group = unique_rows(key[some])
    earlier = some[first[group]]
    differs = np.flatnonzero((value[some] != value[earlier]).any(axis=1))
    return (int(earlier[differs[0]]), int(some[differs[0]])) if len(differs) else None
