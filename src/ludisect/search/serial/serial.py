"""The ways of serial games: stage by stage, and stages that are sums themselves."""

from __future__ import annotations

from functools import partial

from ludisect import clock
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.answer import Answer
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.part.form import name_part, refuted, turns_by_effect
from ludisect.search.serial.stages import START, Stages, stages_of
from ludisect.search.way import Inapplicable, Way

NAME, NESTED = "serial", "stages"


def applies(parts: Decomposition) -> str | None:
    """Serial games are those whose parts open one after the other."""
    if refuted(parts):
        return None
    stages = stages_of(parts)
    if stages is None or len(parts.game.roles) > 2 or turns_by_effect(parts) == "simultaneous":
        return None
    return f"{len(stages)} stages, each of which opens when the one before it is over"


def nested(parts: Decomposition) -> str | None:
    """Serial games in which some stage has parts of its own."""
    stages = stages_of(parts)
    if applies(parts) is None or stages is None or all(len(stage) == 1 for stage in stages):
        return None
    return f"{len(stages)} stages, some of several parts among which the mover picks"


def solve_serial(parts: Decomposition, budget: Budget, depth: int | None = None, *, sums: bool = False) -> Answer:
    """The value of a serial game, its last stage first. ``depth`` is not used: stages are solved to their ends.

    With ``sums``, stages of several parts are taken for sums where they are such.

    Raises Inapplicable if the stages turn out not to be such.
    """
    begin = clock.now()
    order = stages_of(parts)
    if order is None:
        raise Inapplicable("the parts do not open one after the other")
    stages = Stages(parts, order, budget, sums=sums)
    try:
        value = stages.enter(0, stages.start, START)
        chosen = stages.best_move()
    except RecursionError:
        raise Inapplicable("stages are too long for this search") from None
    if sums and not stages.within:
        raise Inapplicable("no stage is a sum whose parts add up")
    game = parts.game
    move = {} if chosen is None else {game.roles[chosen[0]]: game.moves[chosen[0]][chosen[1]]}
    values: dict[str, float | None] = {game.roles[0]: value}
    if len(game.roles) == 2:
        values[game.roles[1]] = (stages.sum or 0) - value
    why = []
    for k, stage in enumerate(order):
        of = " and ".join(name_part(parts, i).rstrip(",") for i in stage)
        worth = [str(v) for v in sorted(stages.entered[k])]
        how = f"{' or '.join(worth)} to {game.roles[0]}" if worth else "nothing: the play is over before"
        depends = ", depending on how the stages before end" if len(worth) > 1 else ""
        by = sorted({w.way for (at, _, _), w in stages.within.items() if at == k})
        added = f"; its parts add up ({', '.join(by)})" if by else ""
        why.append(f"stage {k + 1}, {of}, is worth {how}{depends}{added}")
    why += [f"{role} begins with {first} in stage 1" for role, first in move.items()]
    certain, rests_on = grounds(parts)
    return Answer(
        game.name, NESTED if sums else NAME, certain, values, move, nodes=stages.positions, seconds=clock.now() - begin,
        why=tuple(why), notes=() if certain else (rests_on,),
    )  # fmt: skip


WAY = Way(NAME, "stages that open one after the other, the last solved first", applies, solve_serial)
NESTED_WAY = Way(
    NESTED,
    "stages of several parts that add up: nimbers, values, points or plans within each",
    nested,
    partial(solve_serial, sums=True),
)
