"""The way of impartial sums: nimbers in normal play; in misère play a rule for tame parts, or exact search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.answer import Answer, PartAnswer
from ludisect.cgt.construct import nimber
from ludisect.cgt.impartial import nim_sum
from ludisect.cgt.misere import Misere
from ludisect.circuit.game import Game
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.decomposition.rules.handover import Impartiality
from ludisect.decomposition.rules.impartiality import by_rules
from ludisect.ruleofplay import MISERE, NORMAL
from ludisect.search.additive.misere import MisereSum, Sign, Verdicts
from ludisect.search.additive.nimsum import (
    NimSum,
    guessed_nimbers,
    impartial_sum,
    may_be_last_mover,
    nim_move,
    nimbers,
    seen_convention,
    unequal_part,
)
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.foresight import KnownParts, foreseen
from ludisect.search.limits import SearchLimits
from ludisect.search.part.compound import States
from ludisect.search.part.reading import Reading
from ludisect.search.part.shape import fits_choice, name_part, part_answer
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable, Way

NAME = "nimbers"


def applies(parts: Decomposition) -> str | None:
    """Two roles in turn with the same moves by name; whether they do the same is looked at when the parts are known."""
    if not fits_choice(parts, (2,)) or not may_be_last_mover(parts):
        return None
    game = parts.game
    for s in parts.dependent:
        by_role = [{str(game.moves[r][m]) for c in classes for m in c} for r, classes in enumerate(s.move_numbers)]
        if by_role[0] != by_role[1]:
            return None
    return "both players have the same moves in every part, and the last to move wins or loses"


def solve_sum(study: Study, budget: Budget, depth: int | None = None) -> Answer:
    """Who wins an impartial sum and how.

    With ``depth``, nimbers of parts that go deeper are guessed from the number of moves, and the answer says so.
    """
    begin = clock.now()
    parts, choice = study.parts, study.reading(budget)
    said = impartial_by_rules(parts.game)
    kind = _kind(choice, said, depth)
    misere = kind.convention == "misère"
    if misere and depth is not None:
        raise Inapplicable("misère sums are solved to their ends, whatever the depth")
    found = _misere(parts, choice, budget) if misere else _normal(parts, choice, depth)
    answer = _answer(parts, choice, kind, found, clock.now() - begin)
    if found.guess:
        return answer.guessed("a guess: the number of moves stands in for nimbers of what lies deeper than the limit")
    answer = foreseen(parts.game, answer, KnownNimSum(choice, kind, found))
    return replace(answer, notes=(*answer.notes, *_impartial_because(said)))


def impartial_by_rules(game: Game) -> Impartiality:
    """What the rules say, whatever the states (Zhao 2009, Alg. 4.1-4.5)."""
    return Impartiality(None, "there are no rules to read") if game.rules is None else by_rules(game)


def _kind(choice: Reading, said: Impartiality, depth: int | None) -> NimSum:
    """The convention of an impartial sum. What decides is that both roles have the same moves in every local state.

    Rules that tell no player apart do not say so: something else may change with the turn, a counter for example.
    """
    seen = seen_convention(choice) if depth is not None and not choice.complete else None
    try:
        return impartial_sum(choice.compound, seen)
    except Inapplicable as error:
        if said.impartial and unequal_part(choice.compound) is not None:
            raise Inapplicable(f"{error}, though {said.why}: what they read changes with the turn") from None
        raise


def _impartial_because(said: Impartiality) -> tuple[str, ...]:
    """How it is known that the players have the same moves: by the local states, and by the rules if they show it."""
    seen = "both players have the same moves in every state of every part"
    return (f"{seen}; {'the rules say so too' if said.impartial else 'the rules do not show it'}: {said.why}",)


@dataclass(frozen=True, slots=True)
class _Found:
    """Whether the mover wins, a move (part, label) that keeps the win, reasons, and whether something was guessed."""

    won: bool
    move: tuple[int, int] | None
    told: Callable[[States], list[PartAnswer]]
    """What each part is worth in some states."""
    conclusion: list[str]
    nodes: int
    lost: Callable[[States], bool | None]
    """Whether whoever moves next loses when the parts are in some states; None if that is not known."""
    guess: bool = False
    table: Sequence[Sequence[int]] = ()
    """The nimbers of all states of all parts, in normal play."""
    tame: Sequence[Sequence[Sign]] = ()
    """Their signs in misère play, if all parts are tame."""


class KnownNimSum(KnownParts):
    """Who wins an impartial sum, whatever states its parts are in."""

    def __init__(self, choice: Reading, kind: NimSum, found: _Found) -> None:
        super().__init__(choice.views, choice.times.number)
        self._mover, self._kind, self._found = choice.compound.mover, kind, found
        self.nimbers = (choice.compound.parts, found.table) if found.table else None
        signs = found.tame or [[(value, False) for value in of_part] for of_part in found.table]
        self._signs = [np.array(of_part, np.int64) for of_part in signs]

    def kinds(self, states: NDArray[np.int64], times: NDArray[np.int64]) -> NDArray[np.int64]:
        """See ``KnownParts``: those whose sum is 0, 1 or more, and in misère play a firm part or none."""
        if not self._signs:
            return super().kinds(states, times)
        signs = np.array([of_part[at] for of_part, at in zip(self._signs, states.T, strict=True)])
        total = np.minimum(np.bitwise_xor.reduce(signs[:, :, 0]), 2)  # no rule tells larger sums apart
        return np.column_stack([total, signs[:, :, 1].any(axis=0), times])

    def worth(self, states: States, time: int) -> list[float] | None:
        """See ``KnownParts``."""
        lost = self._found.lost(states)
        if lost is None:
            return None
        return [self._kind.loss if lost == (r == self._mover[time]) else self._kind.win for r in range(2)]

    def told(self, states: States) -> tuple[PartAnswer, ...]:
        """See ``KnownParts``."""
        return tuple(self._found.told(states))


def _normal(parts: Decomposition, choice: Reading, depth: int | None) -> _Found:
    compound, game = choice.compound, parts.game
    role = compound.mover[compound.context]
    unsure = [False] * len(compound.parts)
    if depth is None:
        values = [nimbers(p) for p in compound.parts]
    else:
        values = []
        for i, p in enumerate(compound.parts):
            some, unsure[i] = guessed_nimbers(p, role, depth)
            values.append([some.get(s, 0) for s in range(p.size)] if unsure[i] else nimbers(p))
    guess = any(unsure)

    def of(states: States) -> list[int]:
        return [v[s] for v, s in zip(values, states, strict=True)]

    def told(states: States) -> list[PartAnswer]:
        told = ["is worth *{}, at a guess" if one else "is worth *{}" for one in unsure]
        return [
            part_answer(parts, i, told[i].format(v), None if unsure[i] else nimber(v), kind="nimber")
            for i, v in enumerate(of(states))
        ]

    def lost(states: States) -> bool:
        return nim_sum(of(states)) == 0

    start = of(compound.start)
    nodes = sum(p.size for p in compound.parts)
    found = nim_move(compound, values)
    if found is None and nim_sum(start):  # of guesses alone, at depth 0
        why = "together they are not worth *0, but no move is known to make them so"
        return _Found(True, None, told, [why], nodes, lost, guess, values)
    if found is None:
        why = "together they are worth *0: whoever moves first loses against best play"
        return _Found(False, None, told, [why], nodes, lost, guess, values)
    others = nim_sum(v for i, v in enumerate(start) if i != found.part)
    why = (
        f"{name_part(parts, found.part)} is worth *{start[found.part]}, the others sum to *{others}; "
        f"{game.moves[role][found.label]} makes it *{found.to}, so that all cancel out"
    )
    return _Found(True, (found.part, found.label), told, [why], nodes, lost, guess, values)


def _misere(parts: Decomposition, choice: Reading, budget: Budget) -> _Found:
    compound, game = choice.compound, parts.game
    role = compound.mover[compound.context]
    options = [(i, label, t) for i, p in enumerate(compound.parts) for label, t in p.moves[role][p.start]]
    judged = MisereSum(compound.parts, budget).judge(compound.start, options)
    nodes = sum(p.size for p in compound.parts)
    if judged.tame is not None:
        why = ["all parts are tame: leave nim-sum 0 while some part is firm, and nim-sum 1 when all are fickle"]
    else:
        assert judged.search is not None
        why = ["not all parts are tame, so that their sums were searched"]
        if judged.quotient is not None:
            why = [
                f"not all parts are tame, but their sums are of {len(judged.quotient)} kinds only (their misère"
                " quotient)"
            ]
        nodes += judged.search.positions
    winning = next(((i, label) for (i, label, _), bad in zip(options, judged.lost, strict=True) if bad), None)
    if winning is not None:
        why.append(f"{game.moves[role][winning[1]]} leaves the opponent a lost sum")
    elif options:
        why.append("every move leaves the opponent a won sum")
    # a player without a move has already won
    told = partial(_told_of_misere, parts, judged)
    won = winning is not None or not options
    return _Found(won, winning, told, why, nodes, judged.loses, tame=judged.tame or ())


def _told_of_misere(parts: Decomposition, judged: Verdicts, states: States) -> list[PartAnswer]:
    """The sign of every tame part, the genus of others if they have a quotient."""
    if judged.tame is not None:
        signs = [of_state[s] for of_state, s in zip(judged.tame, states, strict=True)]
        words = [(v, "firm" if firm else "fickle") for v, firm in signs]
        return [
            part_answer(parts, i, f"counts *{v} and is {kind}", f"*{v}, {kind}", kind="sign")
            for i, (v, kind) in enumerate(words)
        ]
    if judged.search is None or judged.quotient is None:
        return []
    heaps = judged.search.heaps()
    genus = [_genus(heaps, c) for c in judged.search.classes(states)]
    return [part_answer(parts, i, f"has genus {g}", g, kind="genus") for i, g in enumerate(genus)]


def _genus(heaps: Misere, c: int) -> str:
    """The genus of a class in the field's notation: nim value, then misère nim values beside 0, 1, ... heaps *2."""
    normal, misere = heaps.genus(c, SearchLimits.current().nimbers_genus)
    return f"{normal}^{''.join(map(str, misere))}"


def _answer(parts: Decomposition, choice: Reading, kind: NimSum, found: _Found, seconds: float) -> Answer:
    game: Game = parts.game
    compound = choice.compound
    role = compound.mover[compound.context]
    certain, rests_on = grounds(parts)
    value: dict[str, float | None] = {}
    for r, name in enumerate(game.roles):
        value[name] = kind.win if found.won == (r == role) else kind.loss
    move = found.move
    if move is None:
        # lost, or nothing to do: any move is as good as another
        move = next(((i, label) for i, p in enumerate(compound.parts) for label, _ in p.moves[role][p.start]), None)
    notes = [] if certain else [rests_on]
    return Answer(
        game.name, NAME, certain and not found.guess, value,
        {} if move is None else {game.roles[role]: game.moves[role][move[1]]},
        nodes=found.nodes, seconds=seconds, parts=tuple(found.told(compound.start)), conclusion=tuple(found.conclusion),
        rule=NORMAL if kind.convention == "normal" else MISERE, evidence=rests_on, notes=tuple(notes),
    )  # fmt: skip


WAY = Way(
    NAME, "impartial sums: the nimber of every part, or misère play of tame parts", applies, solve_sum, by_depth=True
)
