"""Normal play: whoever cannot move loses, so each part has a combinatorial game value, and values add up.

The value of a state is the canonical form {values of the first role's moves | values of the second's}. Values add up to
that of the whole, whose sign says who wins; a winning move is one that leaves a sum on which the opponent, to move,
loses. Impartial sums are a special case; ``nimsum`` is quicker there.
"""

from __future__ import annotations

import numpy as np

from ludisect import clock
from ludisect.answer import Answer, PartAnswer
from ludisect.cgt.construct import make
from ludisect.cgt.limit import budget as limited
from ludisect.cgt.value import Value, number
from ludisect.cgt.writer import short
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.ruleofplay import NORMAL
from ludisect.search.additive.nimsum import by_height, may_be_last_mover
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.foresight import KnownParts, foreseen
from ludisect.search.limits import SearchLimits
from ludisect.search.part.compound import Compound, PartGraph, States
from ludisect.search.part.reading import Reading
from ludisect.search.part.shape import fits_choice, part_answer
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable, Way

NAME = "values"


def prizes(compound: Compound) -> tuple[int, int]:
    """(what the winner gets, what the loser gets) if the game is one of normal play.

    Raises:
        Inapplicable: it is not.
    """
    if compound.roles != 2:
        raise Inapplicable("normal play needs two players")
    if any(compound.mover[c] == compound.mover[after] for c, after in enumerate(compound.follow)):
        raise Inapplicable("the players do not move in turn")
    if any(part.height is None for part in compound.parts):
        raise Inapplicable("a part can go round in circles")
    shown = [sorted(set(part.concept)) for part in compound.parts]
    found = set()
    for context, mover in enumerate(compound.mover):
        stuck = np.ones(tuple(map(len, shown)), np.bool_)
        for i, (able, concepts) in enumerate(zip(compound.able, shown, strict=True)):
            stuck &= ~able[mover, concepts].reshape(*[1] * i, -1, *[1] * (len(shown) - 1 - i))
        here = np.ix_([context], *shown)
        if not np.array_equal(compound.over[here][0], stuck):
            raise Inapplicable("the play does not end exactly when the player to move cannot")
        goals = compound.goal[here][0][stuck].tolist()
        found |= {(g[1 - mover], g[mover]) for g in goals}
    if len(found) != 1:
        raise Inapplicable("the goals at the end depend on more than who cannot move")
    win, loss = found.pop()
    if win <= loss:
        raise Inapplicable("whoever cannot move does not lose")
    return win, loss


def values_of(part: PartGraph) -> list[Value]:
    """The value of every state of a part, the first role being Left."""
    out: list[Value] = [number(0)] * part.size
    for s in by_height(part):
        out[s] = make([out[t] for _, t in part.moves[0][s]], [out[t] for _, t in part.moves[1][s]])
    return out


def winning_move(compound: Compound, values: list[list[Value]]) -> tuple[int, int, int] | None:
    """(part, label, state) of a move after which the opponent, to move, loses; None if there is none."""
    role = compound.mover[compound.context]
    start = [v[p.start] for v, p in zip(values, compound.parts, strict=True)]
    for i, part in enumerate(compound.parts):
        rest = sum((v for k, v in enumerate(start) if k != i), number(0))
        tried: set[Value] = set()
        for label, t in part.moves[role][part.start]:
            value = values[i][t]
            if value in tried:
                continue
            tried.add(value)
            if rest + value >= 0 if role == 0 else rest + value <= 0:
                return i, label, t
    return None


def applies(parts: Decomposition) -> str | None:
    """Two players in turn; whether the last to move wins is looked at when the parts are known."""
    if not fits_choice(parts, (2,)) or not may_be_last_mover(parts):
        return None
    return "whoever cannot move loses, so that the values of the parts add up"


def solve_values(study: Study, budget: Budget) -> Answer:
    """Who wins a sum in normal play, from canonical forms.

    Raises Inapplicable if the game is not one of normal play.
    """
    begin = clock.now()
    parts, choice = study.parts, study.reading(budget)
    compound = choice.compound
    win, loss = prizes(compound)
    game = parts.game
    role = compound.mover[compound.context]
    with budget.arithmetic():
        values = [values_of(part) for part in compound.parts]
        found = winning_move(compound, values)
        start = [v[p.start] for v, p in zip(values, compound.parts, strict=True)]
        told = _told(parts, start)
    if found is not None:
        i, label, t = found
        why = (
            f"{game.moves[role][label]} makes part {parts.dependent[i].id} {short(values[i][t])}, and "
            f"{game.roles[1 - role]}, to move, loses the sum"
        )
        chosen: int | None = label
    else:
        why = f"every move leaves a sum that {game.roles[1 - role]} wins"
        chosen = next((label for p in compound.parts for label, _ in p.moves[role][p.start]), None)
    certain, rests_on = grounds(parts)
    answer = Answer(
        game.name, NAME, certain,
        {name: win if (found is not None) == (r == role) else loss for r, name in enumerate(game.roles)},
        {} if chosen is None else {game.roles[role]: game.moves[role][chosen]},
        nodes=sum(p.size for p in compound.parts), seconds=clock.now() - begin, parts=told, conclusion=(why,),
        rule=NORMAL, evidence=rests_on, notes=() if certain else (rests_on,),
    )  # fmt: skip
    return foreseen(game, answer, KnownSum(parts, choice, values, (win, loss)))


class KnownSum(KnownParts):
    """Who wins a sum in normal play, whatever states its parts are in."""

    dear = True

    def __init__(
        self, parts: Decomposition, choice: Reading, values: list[list[Value]], prizes: tuple[int, int]
    ) -> None:
        super().__init__(choice.views, choice.times.number)
        self._parts, self._mover, self._values, self._prizes = parts, choice.compound.mover, values, prizes

    def worth(self, states: States, time: int) -> list[float]:
        """See ``KnownParts``."""
        win, loss = self._prizes
        mover = self._mover[time]
        with limited(nodes=SearchLimits.current().foresight_forms):
            total = sum(self._of(states), number(0))
            lost = total <= 0 if mover == 0 else total >= 0
        return [loss if lost == (r == mover) else win for r in range(2)]

    def told(self, states: States) -> tuple[PartAnswer, ...]:
        """See ``KnownParts``."""
        return _told(self._parts, self._of(states))

    def _of(self, states: States) -> list[Value]:
        return [of_state[s] for of_state, s in zip(self._values, states, strict=True)]


def _told(parts: Decomposition, values: list[Value]) -> tuple[PartAnswer, ...]:
    return tuple(part_answer(parts, i, f"is worth {short(v)}", v, kind="value") for i, v in enumerate(values))


WAY = Way(NAME, "normal play: canonical values of the parts, added up", applies, solve_values)
