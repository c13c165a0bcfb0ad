"""The ways of single-player games: plans by concepts, and greedy moves."""

from __future__ import annotations

from ludisect import clock
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.answer import Answer
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.oneplayer.greedy import greedy_play
from ludisect.search.oneplayer.plans import Move, PlanSearch
from ludisect.search.part.form import fits_choice, name_part
from ludisect.search.part.reading import Reading, read_choice
from ludisect.search.way import Inapplicable, Way

PLANS, GREEDY = "plans", "greedy"


def applies(parts: Decomposition) -> str | None:
    """One player who picks a part to move in."""
    if not fits_choice(parts, (1,)):
        return None
    return "one player picks the part to move in, so plans of the parts can be combined"


def _spell(parts: Decomposition, moves: tuple[Move, ...]) -> list[str]:
    """Per part its moves in order, and the whole plan."""
    game = parts.game
    lines = []
    for i in range(len(parts.dependent)):
        own = [str(game.moves[0][label]) for k, label in moves if k == i]
        lines.append(f"{name_part(parts, i)} takes {len(own)} moves: {' '.join(own)}" if own else
                     f"{name_part(parts, i)} is left alone")  # fmt: skip
    if moves:
        lines.append("in this order: " + " ".join(str(game.moves[0][label]) for _, label in moves))
    return lines


def solve_plans(parts: Decomposition, budget: Budget, depth: int | None = None) -> Answer:
    """The best combination of local plans; ``depth`` limits the length of each.

    Raises Inapplicable if plays can go on for ever and nothing bounds the plans.
    """
    begin = clock.now()
    choice = read_choice(parts, budget=budget)
    solution = PlanSearch(choice.compound, budget=budget).run(depth)
    if not solution.exact and depth is None:
        raise Inapplicable("parts can go round in circles, and nothing limits the length of their plans")
    certain, rests_on = grounds(parts)
    notes = [] if certain else [rests_on]
    notes.append(f"{' and '.join(map(str, solution.plans))} local plans, {solution.combined} combinations")
    if solution.local_ends:
        notes.append("each part tells by itself whether it ends the play, so only lengths and last concepts count")
    return _answer(parts, choice, PLANS, solution.value, solution.moves, solution.exact and certain,
                   notes, solution.combined, clock.now() - begin)  # fmt: skip


def solve_greedy(parts: Decomposition, budget: Budget, depth: int | None = None) -> Answer:
    """What greedy moves yield; exact only where that is known to be the best."""
    begin = clock.now()
    choice = read_choice(parts, budget=budget)
    play = greedy_play(choice.compound, depth=depth)
    certain, rests_on = grounds(parts)
    notes = [] if certain else [rests_on]
    notes.append(f"optimal: {play.optimal}" if play.optimal else "greedy moves; nothing says that they are best")
    return _answer(parts, choice, GREEDY, play.value, play.moves, play.optimal is not None and certain,
                   notes, play.states, clock.now() - begin)  # fmt: skip


def _answer(
    parts: Decomposition, choice: Reading, algorithm: str, value: int | None, moves: tuple[Move, ...], exact: bool,
    notes: list[str], nodes: int, seconds: float,
) -> Answer:  # fmt: skip
    game = parts.game
    role = game.roles[0]
    most = float(choice.compound.goal.max())
    return Answer(
        game.name, algorithm, exact, {role: value if exact else None},
        {role: game.moves[0][moves[0][1]]} if moves else {},
        bounds={} if exact or value is None else {role: (float(value), most)},
        nodes=nodes, seconds=seconds, why=tuple(_spell(parts, moves)), notes=tuple(notes),
    )  # fmt: skip


PLANS_WAY = Way(PLANS, "single player: local plans by what they show, combined", applies, solve_plans)
GREEDY_WAY = Way(GREEDY, "single player: the part that promises most moves first", applies, solve_greedy, exact=False)
