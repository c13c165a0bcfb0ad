"""Turn-move sequences (Method II: decomposition search, Zhao 2009, ch. 5): one sound way, three as published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

from ludisect import clock
from ludisect.answer import Answer
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.ruleofplay import in_turn
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.foresight import KnownParts, foreseen
from ludisect.search.part.compound import States
from ludisect.search.part.reading import Reading
from ludisect.search.part.shape import fits_choice, name_part, part_answer
from ludisect.search.study import Study
from ludisect.search.turns.selection import solve_by_selection
from ludisect.search.turns.treesearch import Form, solve_compound
from ludisect.search.way import UNDECIDED, Inapplicable, Way

Kind = Form | Literal["selection"]
"""How sequences are dropped and the whole is searched."""

NAMES: dict[Kind, str] = {
    "sound": "tmseq",
    "sequences": "tmseq-published",
    "selection": "tmseq-published-a",
    "sets": "tmseq-published-sets",
}


def applies(parts: Decomposition) -> str | None:
    """One player or two in turn, each of whose moves is in one part."""
    return "one mover at a time picks the part to move in" if fits_choice(parts, (1, 2)) else None


def solve_tmseq(study: Study, budget: Budget, depth: int | None = None, *, form: Kind = "sound") -> Answer:
    """Method II; ``depth`` limits each part. The published forms are never called exact.

    Raises Inapplicable if two roles do not have opposite goals, or a part can go round in circles.
    """
    begin = clock.now()
    parts, choice = study.parts, study.reading(budget)
    compound = choice.compound
    total = compound.constant_sum
    if total is None and compound.roles == 2 and depth is not None and not choice.complete:
        total = study.opposition.seen(budget)  # no end may be near the start; what is found is a guess anyhow
    if compound.roles == 2 and total is None:
        raise Inapplicable("the goals of the two players are not opposite")
    if depth is None and any(p.height is None for p in compound.parts):
        raise Inapplicable("a part can go round in circles; give a depth")
    try:
        if form == "selection":
            found = solve_by_selection(compound, depth=depth, budget=budget)
        else:
            found = solve_compound(compound, form=form, depth=depth, budget=budget)
    except RecursionError:
        raise Inapplicable("plays are too long for this search") from None
    game = parts.game
    certain, rests_on = grounds(parts)
    exact = found.exact and certain
    notes = [] if certain else [rests_on]
    if form == "selection":
        notes.append("parts are picked before the moves in them are known: the value may be wrong")
    elif form != "sound":
        notes.append("the published rule drops sequences that the opponent could still choose: the value may be wrong")
    longest = [None if p.height is None else p.height[s] for p, s in zip(compound.parts, compound.start, strict=True)]
    if form != "sound" and depth is not None and any(moves is None or moves > depth for moves in longest):
        notes.append(f"each part was searched {depth} moves deep and then counted as it stands")
    unit = "different local trees" if form == "sound" else "turn-move sequences left"
    told = [part_answer(parts, i, f"has {n} {unit}") for i, n in enumerate(found.sequences)]
    why = []
    role = compound.mover[compound.context]
    move = {}
    if found.label is not None and found.part is not None:
        move = {game.roles[role]: game.moves[role][found.label]}
        why.append(f"{game.roles[role]} moves in {name_part(parts, found.part)} {game.moves[role][found.label]}")
    value: dict[str, float | None] = {game.roles[0]: found.value}
    if compound.roles == 2:
        value[game.roles[1]] = None if found.value is None else (total or 0) - found.value
    answer = Answer(
        game.name, NAMES[form], exact, value, move, nodes=found.positions, seconds=clock.now() - begin,
        parts=tuple(told), conclusion=tuple(why), rule=in_turn(compound.roles),
        evidence=rests_on, notes=tuple(notes),
    )  # fmt: skip
    if depth is not None and form == "sound" and not found.exact:
        if found.alike:
            answer = replace(answer, notes=(*answer.notes, UNDECIDED))
        return answer.guessed(f"a guess: each part was searched {depth} moves deep and then counted as it stands")
    return answer if found.kept is None else foreseen(game, answer, KnownCombinations(choice, found.kept))


class KnownCombinations(KnownParts):
    """What combinations of local trees are worth, those that were searched."""

    def __init__(self, choice: Reading, kept: Callable[[States, int], int | None]) -> None:
        super().__init__(choice.views, choice.times.number)
        self._kept, self._total = kept, choice.compound.constant_sum

    def worth(self, states: States, time: int) -> list[float] | None:
        """See ``KnownParts``."""
        value = self._kept(states, time)
        return None if value is None else [value] if self._total is None else [value, self._total - value]


def _way(form: Kind, does: str, *, exact: bool) -> Way:
    return Way(NAMES[form], does, applies, partial(solve_tmseq, form=form), exact=exact, by_depth=True)


WAY = _way("sound", "turn-move sequences, dropped only where no choice of the opponent minds", exact=True)
PUBLISHED_WAY = _way("sequences", "turn-move sequences as in the thesis (2009); its values can be wrong", exact=False)
PUBLISHED_A_WAY = _way("selection", "as tmseq-published, by selection A of the thesis; often wrong", exact=False)
PUBLISHED_SETS_WAY = _way("sets", "turn-move sequences as in the paper (2009); its values can be wrong", exact=False)
