"""What every move of a state is worth, from the values of the states to which the moves lead.

A role that chooses alone gets what the state after its move is worth. Where several choose at once, a move is worth

- what it brings against the equilibrium of the opponent, if two share the same total;
- what it brings by itself, if the roles make no difference to each other;
- what it brings in the worst case otherwise; of what the others get then, nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.answer import MoveValue
from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.ruleofplay import Rule
from ludisect.search.part.concepts import acting
from ludisect.search.whole.backward import Table, payoffs
from ludisect.search.whole.matrix import solve_matrix
from ludisect.search.whole.positions import choosers
from ludisect.search.whole.statespace import joint_moves

CLOSE = 1e-6
"""Values of stage games come from floating point."""

Places = Mapping[tuple[int, int], int]
"""By role and move, the part in which it is made."""


@dataclass(frozen=True, slots=True)
class Play:
    """How a search takes roles to play: by which rule, and whether they make no difference to each other."""

    rule: Rule
    apart: bool


def places_of(parts: Decomposition) -> Places:
    """The moves that act in one dependent part alone, with the number of that part."""
    out: dict[tuple[int, int], int] = {}
    several: set[tuple[int, int]] = set()
    for s in parts.dependent:
        several |= {move for move in acting(s) if out.setdefault(move, s.id) != s.id}
    return {key: part for key, part in out.items() if key not in several}


def move_values(
    game: Game,
    row: Rows,
    here: NDArray[np.float64],
    worth: Callable[[Rows], Table],
    play: Play,
    places: Places,
    *,
    exact: bool,
) -> tuple[MoveValue, ...]:
    """The moves of every role that has a choice in a state, or of all where none has.

    ``here`` are the values of the state itself, NaN where they are not known; ``worth`` gives those of other states,
    ``exact`` says whether what is known is.
    """
    joint, after = joint_moves(game, row)
    if not joint.shape[0]:
        return ()
    values, chooses = worth(after), choosers(joint, after)
    over = game.batch.terminal(after)
    listed = [r for r in range(len(game.roles)) if chooses[r]] or range(len(game.roles))
    out: list[MoveValue] = []
    for r in listed:
        moves = np.unique(joint[:, r])
        found = _of_role(joint, values, here, r, moves, play if sum(chooses) > 1 else None)
        best = _best(found[:, r], float(here[r]) if exact else np.nan)
        for k, m in enumerate(moves.tolist()):
            ended = bool(over[joint[:, r] == m].all())  # then the rules themselves say what it is worth
            out.append(
                MoveValue(
                    game.roles[r],
                    game.moves[r][m],
                    {role: None if np.isnan(v) else float(v) for role, v in zip(game.roles, found[k], strict=True)},
                    best[k],
                    (exact or ended) and not bool(np.isnan(found[k, r])),
                    places.get((r, m)),
                )
            )
    return tuple(out)


def _of_role(
    joint: NDArray[np.int32],
    values: Table,
    here: NDArray[np.float64],
    r: int,
    moves: NDArray[np.int32],
    play: Play | None,
) -> Table:
    """Moves of a role x roles: what each gets; ``play`` is None where nobody else chooses."""
    mine = [values[joint[:, r] == m] for m in moves.tolist()]
    if play is None:
        return np.stack([of_move[0] for of_move in mine])
    if play.rule == "equilibrium" and not play.apart and len(here) == 2:
        return _against_equilibrium(joint, values, r)
    out = np.full((len(mine), len(here)), np.nan)
    if play.apart:
        out[:] = here
    # a minimum that has NaN in it is NaN: an end that is not known may be worse
    out[:, r] = [of_move[:, r].min() for of_move in mine]
    return out


def _against_equilibrium(joint: NDArray[np.int32], values: Table, r: int) -> Table:
    """Two players with opposite goals: what each move of one brings on average against the other's best odds."""
    payoff, mine, other = payoffs(joint, values[:, 0])
    if np.isnan(values).any():
        return np.full(((mine, other)[r].size, 2), np.nan)
    _, rows, columns = solve_matrix(payoff)
    first = payoff @ columns if r == 0 else rows @ payoff
    return np.stack([first, values[0].sum() - first], axis=1)


def _best(values: NDArray[np.float64], target: float) -> list[bool | None]:
    """Whether each move is worth as much as the best; ``target`` is what the state is worth, if that is known."""
    unknown = np.isnan(values)
    if not unknown.any():
        target = float(values.max())
    if np.isnan(target):
        return [None] * values.size
    return [None if open_ else bool(v >= target - CLOSE) for v, open_ in zip(values.tolist(), unknown, strict=True)]
