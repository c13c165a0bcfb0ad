"""``solve``: the value and best moves of a game, by the strongest way whose conditions hold."""

from __future__ import annotations

from dataclasses import replace

from ludisect.circuit.game import Game
from ludisect.decompose.methods import decompose
from ludisect.decompose.model import Decomposition
from ludisect.errors import BudgetExceeded, InputError
from ludisect.search import (  # noqa: F401  (each registers its ways)
    composed,
    lockstep,
    nimsum,
    normalplay,
    parallel,
    partisan,
    puzzles,
    serial,
    simultaneous,
    subgoals,
)
from ludisect.search.alphabeta import NAME as ALPHA_BETA
from ludisect.search.alphabeta import solve_depth_first
from ludisect.search.answer import Answer
from ludisect.search.budget import Budget, Progress
from ludisect.search.ways import WAYS, Inapplicable, Way
from ludisect.search.whole import assemble, goal_bounds, solve_whole


def names() -> list[str]:
    """What ``by`` may be."""
    return ["parts", "whole", ALPHA_BETA, *sorted(WAYS)]


def solve(
    game: Game | Decomposition,
    by: str = "parts",
    *,
    depth: int | None = None,
    seconds: float | None = None,
    memory: float | None = None,
    progress: Progress | None = None,
) -> Answer:
    """The value of a game for every role and a best move for every role that has a choice.

    ``by`` is "parts" (decompose unless that is done, then take the strongest exact way that applies, or search the
    whole if none does), "whole", "alpha-beta", or the name of a way. With ``depth``, only so many moves are looked
    ahead.

    Raises InputError for an unknown name or a way that does not fit the game, and BudgetExceeded when ``seconds`` or
    ``memory`` (bytes) are used up or the user interrupts; its ``partial`` is then the Answer known by then.
    """
    if by not in names():
        raise InputError(f"there is no way {by!r} to solve a game; choose from {', '.join(names())}")
    budget = Budget(seconds, memory, progress)
    whole = game.game if isinstance(game, Decomposition) else game
    try:
        if by == "whole":
            return _whole(whole, [], budget, depth)
        if by == ALPHA_BETA:
            return _depth_first(whole, budget, depth)
        parts = game if isinstance(game, Decomposition) else _decompose(game, budget)
        return _strongest(parts, budget, depth) if by == "parts" else _named(WAYS[by], parts, budget, depth)
    except BudgetExceeded as error:
        if not isinstance(error.partial, Answer):
            error.partial = _nothing_known(whole, by, budget)
        raise
    except KeyboardInterrupt:
        known = _nothing_known(whole, by, budget)
        raise BudgetExceeded("interrupted", budget="interrupt", partial=known) from None


def _nothing_known(game: Game, by: str, budget: Budget) -> Answer:
    """What can be said at a limit before the search of the whole has begun: goals of the rules, a legal move."""
    low, high = goal_bounds(game)
    legal = {role: moves for role, moves in game.legal_moves(game.initial_state()).items() if len(moves) > 1}
    return assemble(
        game,
        by,
        low,
        high,
        move={role: moves[0] for role, moves in legal.items()},
        mixed={},
        nodes=0,
        seconds=budget.spent,
        notes=["the limit was hit before anything was known; the move is merely legal"],
    )


def _decompose(game: Game, budget: Budget) -> Decomposition:
    budget.tell("decomposing", 0)
    left = budget.left
    return decompose(game) if left is None else decompose(game, seconds=left)


def _named(way: Way, parts: Decomposition, budget: Budget, depth: int | None) -> Answer:
    reason = way.applies(parts)
    if reason is None:
        raise InputError(f"{parts.game.name} does not have the form that {way.name!r} needs: {way.does}")
    try:
        return way.solve(parts, budget, depth)
    except Inapplicable as error:
        raise InputError(f"{way.name!r} cannot solve {parts.game.name}: {error}") from None


def _strongest(parts: Decomposition, budget: Budget, depth: int | None) -> Answer:
    """The first answer among the exact ways that apply; then the whole game. Says what was tried in the notes."""
    tried: list[str] = []
    for way in sorted(WAYS.values(), key=lambda w: -w.strength):
        reason = way.applies(parts) if way.exact else None
        if reason is None:
            continue
        try:
            answer = way.solve(parts, budget, depth)
        except Inapplicable as error:
            tried.append(f"{way.name} was tried and does not fit: {error}")
            continue
        except BudgetExceeded as error:
            # what ran out for the parts would run out for the whole; only memory of one way says nothing of another
            if error.budget == "memory" and error.partial is None:
                tried.append(f"{way.name} was tried and {error}")
                continue
            raise
        return replace(answer, notes=(f"solved by {way.name}: {reason}", *tried, *answer.notes))
    why = "no way of solving by parts fits" if len(parts.dependent) > 1 else "the game is one part"
    return _whole(parts.game, [*tried, f"{why}; searched whole"], budget, depth)


def _whole(game: Game, notes: list[str], budget: Budget, depth: int | None) -> Answer:
    """All positions if they fit into memory, otherwise depth first where that can be done."""
    try:
        answer = solve_whole(game, depth=depth, budget=budget)
    except BudgetExceeded as error:
        if error.budget == "memory":
            notes = [*notes, f"keeping all positions {error}; went on depth first"]
            try:
                answer = solve_depth_first(game, depth=depth, budget=budget)
            except Inapplicable:
                pass
            except BudgetExceeded as later:
                if isinstance(later.partial, Answer):
                    later.partial = replace(later.partial, notes=(*notes, *later.partial.notes))
                raise
            else:
                return replace(answer, notes=(*notes, *answer.notes))
        if isinstance(error.partial, Answer):
            error.partial = replace(error.partial, notes=(*notes, *error.partial.notes))
        raise
    return replace(answer, notes=(*notes, *answer.notes))


def _depth_first(game: Game, budget: Budget, depth: int | None) -> Answer:
    try:
        return solve_depth_first(game, depth=depth, budget=budget)
    except Inapplicable as error:
        raise InputError(f"{ALPHA_BETA!r} cannot solve {game.name}: {error}") from None
