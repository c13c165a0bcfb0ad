"""Reasons why ``exact`` puts variables together, as bonds in words: free choice, the score, the rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.rows import pack, unpack
from ludisect.decomposition.evidence.exchange import Broken
from ludisect.decomposition.evidence.freechoice import ChoiceTie
from ludisect.decomposition.evidence.goals import Tie
from ludisect.decomposition.evidence.localmoves import mask_of
from ludisect.decomposition.exact.analysis import Analysis
from ludisect.decomposition.model.dependency import Bond

NAMED = 12
"""Fluents that a reason names."""


def choice_bond(analysis: Analysis, groups: Sequence[Sequence[int]], tie: ChoiceTie) -> Bond:
    """Free choice: it ties the variables that the move changes."""
    if tie.role < 0:
        why = 'moves act in several of them at once, and not by any pattern of "either" and "both"'
        return Bond(tuple(groups[k][0] for k in tie.parts), "choice", why)
    every = [v for k in tie.parts for v in groups[k]]
    changed = [v for v in every if (tie.changed & mask_of(analysis.game, analysis.variables[v].fluents)).any()]
    role, move = analysis.game.roles[tie.role], analysis.game.moves[tie.role][tie.move]
    why = f"{role} cannot choose between them: {move} changes them all, and what it does to one cannot be had alone"
    return Bond(tuple(changed), "choice", why, tie.state)


def goal_bond(analysis: Analysis, groups: Sequence[Sequence[int]], tie: Tie) -> Bond:
    """The score: it ties the variables that a cause needs to be away from the start."""
    game, state = analysis.game, tie.states[0]
    bits, start = (unpack(row[None], len(game.fluents))[0] for row in (state, game.batch.initial[0]))
    needed: list[int] = []
    told: list[str] = []
    reached = 0
    if tie.broken is not None:
        bits = _put_back(analysis, [v for k in tie.parts for v in groups[k]], tie.broken, bits, start)
        state = pack(bits[None])[0]
    for k in tie.parts:
        count = len(needed)
        for v in groups[k]:
            fluents = list(analysis.variables[v].fluents)
            if (bits[fluents] != start[fluents]).any():
                needed.append(v)
                told += [str(game.fluents[f]) for f in fluents if bits[f]] or [f"no {game.fluents[fluents[0]]}"]
        reached += len(needed) > count
    if reached < len(tie.parts):  # the state does not show all of them
        return Bond(tuple(groups[k][0] for k in tie.parts), "goal", tie.what, state)
    rest = " …" if len(told) > NAMED else ""
    return Bond(tuple(needed), "goal", f"{tie.event} rests on {' '.join(told[:NAMED])}{rest} together", state)


def _put_back(
    analysis: Analysis, variables: Sequence[int], broken: Broken, bits: NDArray[np.bool_], start: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """A state with the variables put back to the start that a level does not need."""
    for v in variables:
        fluents = list(analysis.variables[v].fluents)
        tried = bits.copy()
        tried[fluents] = start[fluents]
        if (tried != bits).any() and broken.question.of(analysis.game, pack(tried[None]))[0] >= broken.level:
            bits = tried
    return bits


def rules_bond(analysis: Analysis, variable: int, read: NDArray[np.int64], group: Sequence[int]) -> Bond:
    """The rules: a variable goes to a group because its rules read that most."""
    inside = {f: v for v in group for f in analysis.variables[v].fluents}
    target = next(inside[f] for f in read.tolist() if f in inside)
    why = "no dependency of it was found, and of all parts its rules read this one most"
    return Bond((variable, target), "rules", why)
