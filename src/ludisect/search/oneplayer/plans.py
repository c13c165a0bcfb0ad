"""The way of plans: one player who picks a part, so that plans of the parts can be combined."""

from __future__ import annotations

from ludisect import clock
from ludisect.answer import Answer
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.ruleofplay import OPTIMUM
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.foresight import foreseen
from ludisect.search.oneplayer.following import FollowedPlan, named_moves
from ludisect.search.oneplayer.plansearch import Move, PlanSearch
from ludisect.search.part.reading import Reading
from ludisect.search.part.shape import fits_choice, plan_parts
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable, Way

NAME = "plans"


def applies(parts: Decomposition) -> str | None:
    """One player who picks a part to move in."""
    if not fits_choice(parts, (1,)):
        return None
    return "one player picks the part to move in, so plans of the parts can be combined"


def solve_plans(study: Study, budget: Budget, depth: int | None = None) -> Answer:
    """The best combination of local plans; ``depth`` limits the length of each.

    Raises Inapplicable if plays can go on for ever and nothing bounds the plans.
    """
    begin = clock.now()
    parts, choice = study.parts, study.reading(budget, waiting=True)
    search = PlanSearch(choice.compound, budget=budget)
    solution = search.run(depth)
    if not solution.exact and depth is None:
        raise Inapplicable("parts can go round in circles, and nothing limits the length of their plans")
    certain, rests_on = grounds(parts)
    notes = [] if certain else [rests_on]
    notes.append(f"{' and '.join(map(str, solution.plans))} local plans, {solution.combined} combinations")
    if solution.local_ends:
        notes.append("each part tells by itself whether it ends the play, so only lengths and last concepts count")
    answer = plan_answer(parts, choice, NAME, solution.value, solution.moves, solution.exact and certain, rests_on,
                         notes, solution.combined, clock.now() - begin)  # fmt: skip
    return foreseen(parts.game, answer, FollowedPlan(choice, search, solution, parts.game.batch.initial))


def plan_answer(
    parts: Decomposition, choice: Reading, algorithm: str, value: int | None, moves: tuple[Move, ...], exact: bool,
    evidence: str, notes: list[str], nodes: int, seconds: float,
) -> Answer:  # fmt: skip
    """The answer of a way that found a plan of the whole game; a value that is not exact is a lower bound."""
    game = parts.game
    role = game.roles[0]
    most = float(choice.compound.goal.max())
    moves = named_moves(choice, game.batch.initial, moves)
    return Answer(
        game.name, algorithm, exact, {role: value if exact else None},
        {role: game.moves[0][moves[0][1]]} if moves else {},
        bounds={} if exact or value is None else {role: (float(value), most)},
        nodes=nodes, seconds=seconds, parts=plan_parts(parts, [m for _, m in moves]),
        conclusion=_order(parts, moves), rule=OPTIMUM, evidence=evidence, notes=tuple(notes),
    )  # fmt: skip


def _order(parts: Decomposition, moves: tuple[Move, ...]) -> tuple[str, ...]:
    """The whole plan in words."""
    told = " ".join(str(parts.game.moves[0][label]) for _, label in moves)
    return (f"in this order: {told}",) if moves else ()


WAY = Way(NAME, "single player: local plans by what they show, combined", applies, solve_plans, by_depth=True)
