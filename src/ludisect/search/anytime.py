"""The best move so far: parts looked at one move deeper each time (Zhao 2009, Alg. 4.7, 5.3, 5.5).

Greedy search for one player has such a loop too (Günther 2007, Alg. 4.1). Each round knows a part's states only so far
from the start, so that no part has to be explored whole. What lies deeper is guessed: the number of moves stands in for
a nimber (Alg. 4.6), and in the other searches a state counts as it stands (Alg. 5.1, 5.2). An answer that rests on such
a guess says so and is never exact. Once all states of all parts are known, the way by which we look ahead is asked for
its exact answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import BudgetExceeded
from ludisect.progress import report
from ludisect.search.additive import nimbers
from ludisect.search.budget import Budget
from ludisect.search.oneplayer import greedy
from ludisect.search.part.views import Views
from ludisect.search.study import Study
from ludisect.search.turns import tmseq, urgent
from ludisect.search.way import Inapplicable, Way
from ludisect.search.whole.opposed import Opposition

LOOPS: tuple[Way, ...] = (
    nimbers.WAY,  # Alg. 4.7: an impartial sum
    tmseq.WAY,  # Alg. 5.5: one player, or two with opposite goals
    urgent.WAY,  # Alg. 5.3: any players who pick a part
)
"""What looks ahead by parts; the first that fits says most."""

ALSO: tuple[Way, ...] = (greedy.WAY, tmseq.PUBLISHED_WAY, tmseq.PUBLISHED_SETS_WAY, tmseq.PUBLISHED_A_WAY)
"""Where the user asks for them."""


def loops(parts: Decomposition, by: str = "parts") -> tuple[Way, ...]:
    """The ways that can look ahead move by move in the parts of a game; if ``by`` is one of them, that alone."""
    named = tuple(way for way in (*LOOPS, *ALSO) if way.name == by)
    return tuple(way for way in named or LOOPS if way.applies(parts) is not None)


def deepening(
    way: Way, parts: Decomposition, budget: Budget, *, depth: int | None = None, opposition: Opposition | None = None
) -> Iterator[tuple[int, Answer]]:
    """(depth, answer) for one depth after the other, up to ``depth`` if there is one.

    The last answer, if nothing ends it before, is the one that the way gives for parts that are known whole. Raises
    Inapplicable, and BudgetExceeded when the budget is used up.
    """
    views = Views(parts, budget=budget, reach=0)
    for reach in count(1 if depth is None else min(1, depth)):
        # ways that value each move so deep look one move farther
        whole = views.deepen(reach + 1)
        study = Study(parts, opposition, views)
        if whole or reach == depth:
            yield reach, way.run(study, budget, depth)
            return
        report("looking ahead", reach)
        yield reach, way.run(study, budget, reach)


def best_so_far(
    parts: Decomposition,
    by: str,
    budget: Budget,
    *,
    depth: int | None = None,
    opposition: Opposition | None = None,
) -> Answer | None:
    """What the deepest round says that came to an end within the budget, or was not interrupted; None if none did."""
    best: Answer | None = None
    for way in loops(parts, by):
        try:
            for reach, answer in deepening(way, parts, budget, depth=depth, opposition=opposition):
                if not _playable(parts.game, answer):
                    break
                best = (
                    answer
                    if answer.exact
                    else answer.guessed(f"this guess is by {way.name}, to depth {reach} in every part")
                )
        except (BudgetExceeded, KeyboardInterrupt):
            break
        except (Inapplicable, RecursionError):
            pass
        if best is not None:
            break
    return best


def _playable(game: Game, answer: Answer) -> bool:
    """Whether the moves are legal at the start; states near the start may not show whose turn it is."""
    legal = game.legal_moves(game.initial_state())
    return all(move in legal[role] for role, move in answer.move.items())
