"""``solve``: the value and best moves of a game, by the strongest way whose conditions hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.effort import STEPS_PER_SECOND, Effort, spent, watched
from ludisect.errors import BudgetExceeded, InputError
from ludisect.kernels.workers import want
from ludisect.ruleofplay import OPTIMUM, UNSETTLED
from ludisect.search.additive.values import NAME as VALUES
from ludisect.search.anytime import best_so_far, loops
from ludisect.search.budget import Budget
from ludisect.search.checking.checker import checked
from ludisect.search.coarser import coarser
from ludisect.search.firstmove import guess_moves
from ludisect.search.foresight import resumable, unforeseen
from ludisect.search.limits import SearchLimits
from ludisect.search.regions.regions import NAME as REGIONS
from ludisect.search.regions.regions import solve_by_regions
from ludisect.search.regions.worthwhile import before_parts
from ludisect.search.settle import settled
from ludisect.search.study import Study
from ludisect.search.way import UNDECIDED, Inapplicable, Way
from ludisect.search.ways import GENERAL, INSTEAD, SPECIAL, WAYS
from ludisect.search.whole.alphabeta import NAME as ALPHA_BETA
from ludisect.search.whole.alphabeta import solve_depth_first
from ludisect.search.whole.opposed import Opposition
from ludisect.search.whole.whole import assemble, goal_bounds, solve_whole

NOTHING_CERTAIN = "the limit was hit before anything was certain"


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
) -> Answer:
    """The value of a game for every role and a best move for every role that has a choice.

    ``by`` is "parts" (decompose unless that is done, then take the strongest exact way that applies, or search the
    whole if none does), "whole", "alpha-beta", or the name of a way. With ``depth``, only so many moves are looked
    ahead, by a way that can.

    Raises InputError for an unknown name, or a way that does not fit the game or cannot heed a depth, and
    BudgetExceeded when ``seconds``, ``memory`` (bytes) or the steps of ``search_work`` (see ``SearchLimits``) are used
    up or the user interrupts; its ``partial`` is then the Answer known by then.
    """
    if by not in names():
        raise InputError(f"there is no way {by!r} to solve a game; choose from {', '.join(names())}")
    if by in WAYS and depth is not None and not WAYS[by].by_depth:
        fit = ", ".join(name for name in names() if name not in WAYS or WAYS[name].by_depth)
        raise InputError(
            f"{by!r} solves a game to its end and cannot look only {depth} moves ahead; with a depth, choose from {fit}"
        )
    want("solve")
    budget = Budget(seconds, memory, SearchLimits.current().search_work)
    cut = game if isinstance(game, Decomposition) else None
    whole = game.game if isinstance(game, Decomposition) else game
    again = partial(solve, by=by if by in ("whole", ALPHA_BETA) else "parts", memory=memory)
    try:
        tried: list[str] = []
        if by == REGIONS and not isinstance(game, Decomposition):
            with suppress(Inapplicable):  # then the decomposition helps to say why
                return resumable(whole, checked(solve_by_regions(game, budget), whole, budget), again, None)
        if by == "parts" and isinstance(game, Game) and depth is None and before_parts(game):
            answer = _undivided(game, budget, tried)
            if answer is not None:
                return resumable(whole, answer, again, None)
        if not isinstance(game, Decomposition) and by not in ("whole", ALPHA_BETA):
            game = cut = _decompose(game, budget, values=by == VALUES)
        return resumable(whole, checked(_solve(game, by, budget, depth, tried), whole, budget), again, cut)
    except BudgetExceeded as error:
        known = error.partial if isinstance(error.partial, Answer) else _nothing_known(whole, by, budget)
        if known.exact:  # the limit came while looking for more where there is no more
            return resumable(whole, checked(known, whole, budget), again, cut)
        message = "interrupted" if error.budget == "interrupt" else str(error)
        if error.budget == "seconds" and seconds is not None:  # a way may have had only a share of them
            message = f"not finished within {seconds:.3g} s"
        if error.budget == "work":
            message = f"not finished within {budget.work:g} steps of work"
        partly = unforeseen(whole, _with_guess(whole, known, _last_effort(error.budget)), cut)
        raise BudgetExceeded(message, budget=error.budget, partial=partly) from None
    except KeyboardInterrupt:
        known = unforeseen(whole, _with_guess(whole, _nothing_known(whole, by, budget), _last_effort("interrupt")), cut)
        raise BudgetExceeded("interrupted", budget="interrupt", partial=known) from None


def _undivided(game: Game, budget: Budget, tried: list[str]) -> Answer | None:
    """The answer by regions, for which no parts need be known; None, with a note, if that does not come to an end."""
    try:
        answer = solve_by_regions(game, budget.portion(SearchLimits.current().way_share), by_name=False)
    except Inapplicable as error:
        tried.append(f"{REGIONS} was tried and does not fit: {error}")
        return None
    except BudgetExceeded as error:
        if error.budget not in ("memory", "seconds", "work"):
            raise
        tried.append(f"{REGIONS} was tried: {error}")
        return None
    tested = checked(answer, game, budget)
    if not tested.exact:
        tried.append(f"{REGIONS} was tried: {tested.checked}")
        return None
    return replace(tested, notes=(f"solved by {REGIONS}, before parts were looked for", *tested.notes))


def _solve(game: Game | Decomposition, by: str, budget: Budget, depth: int | None, tried: list[str]) -> Answer:
    """By one way or the strongest; ``tried``: notes on regions, if they were tried already."""
    opposition = Opposition(game.game if isinstance(game, Decomposition) else game)
    if by == "whole":
        return _whole(opposition, [], budget, depth)
    if by == ALPHA_BETA:
        return _depth_first(opposition, budget, depth)
    assert isinstance(game, Decomposition)
    parts = settled(game)
    study = Study(parts, opposition)
    mine = budget
    if budget.limited and loops(parts, by):  # something is kept for guesses, in case nothing comes to an end
        mine = budget.without(SearchLimits.current().anytime_share)
    try:
        return _strongest(study, mine, depth, tried) if by == "parts" else _named(WAYS[by], study, mine, depth)
    except BudgetExceeded as error:
        if isinstance(error.partial, Answer) and error.partial.exact:
            return error.partial
        return _or_guess(study, by, error, budget, depth)
    except KeyboardInterrupt:
        return _or_guess(study, by, BudgetExceeded("interrupted", budget="interrupt"), budget, depth)


def _or_guess(study: Study, by: str, stop: BudgetExceeded, budget: Budget, depth: int | None) -> Answer:
    """The exact answer that looking ahead in the parts found, if any; else raises the limit again with its guess."""
    limits, game = SearchLimits.current(), study.game
    hurry = stop.budget == "interrupt"
    least, most = (limits.firstmove_interrupted,) * 2 if hurry else (limits.anytime_least, limits.anytime_work)
    left = replace(budget, seconds=0.0, work=0.0) if hurry else budget
    found = best_so_far(study.parts, by, left.at_least(least, most), depth=depth, opposition=study.opposition)
    known = stop.partial if isinstance(stop.partial, Answer) else _nothing_known(game, by, budget)
    if found is None:
        raise stop
    if found.exact:
        return replace(found, notes=(*known.notes, *found.notes))
    free = {} if UNDECIDED in found.notes else {role: found.move[role] for role in _free(game, known) & set(found.move)}
    bounds = {  # moves that were played on the rules to an end reach what they reached
        role: (max(low, found.bounds.get(role, (low, high))[0]), high) for role, (low, high) in known.bounds.items()
    }
    guess = {
        role: min(max(value, bounds[role][0]), bounds[role][1]) for role, value in found.guess.items() if role in bounds
    }
    known = replace(
        known,
        move={**known.move, **free},
        bounds=bounds,
        guess=guess,
        parts=known.parts or found.parts,
        conclusion=known.conclusion or (found.conclusion if free else ()),
        notes=(*(n for n in known.notes if n != NOTHING_CERTAIN or bounds == known.bounds), *found.notes),
    )
    raise BudgetExceeded(str(stop), budget=stop.budget, partial=known)


def _nothing_known(game: Game, by: str, budget: Budget) -> Answer:
    """What can be said at a limit before the search of the whole has begun: the goals of the rules."""
    low, high = goal_bounds(game)
    notes = [NOTHING_CERTAIN]
    rule = OPTIMUM if len(game.roles) == 1 else UNSETTLED
    return assemble(game, by, low, high, move={}, mixed={}, nodes=0, seconds=budget.spent, rule=rule, notes=notes)


def _last_effort(limit: str) -> Effort:
    """What a guess may take when the search has come to a limit; by the clock too, where the clock was the limit."""
    limits = SearchLimits.current()
    work = limits.firstmove_interrupted if limit == "interrupt" else limits.firstmove_work
    return Effort(work, work / STEPS_PER_SECOND if limit in ("interrupt", "seconds") else None)


def _free(game: Game, known: Answer) -> set[str]:
    """The roles of whose moves an answer says nothing: it has none, or one of which only the rules' goals are known."""
    low, high = goal_bounds(game)
    return {
        role
        for r, role in enumerate(game.roles)
        if role not in known.move or known.bounds.get(role) == (low[r], high[r])
    }


def _with_guess(game: Game, known: Answer, effort: Effort) -> Answer:
    """An answer whose bounds say nothing of a role's moves gets a guess for it."""
    free = {
        role
        for role in _free(game, known)
        if role not in known.move or role not in known.guess or UNDECIDED in known.notes
    }
    moves, plays = guess_moves(game, effort)
    guesses = {role: move for role, move in moves.items() if role in free}
    if not guesses:
        return known
    told = f"the best in {plays} random plays" if plays else "merely legal"
    note = f"nothing is known yet of the moves of {' and '.join(guesses)}; what is named is {told}"
    return replace(known, move={**known.move, **guesses}, conclusion=(), notes=(*known.notes, note))


def _decompose(game: Game, budget: Budget, *, values: bool) -> Decomposition:
    left, before = budget.left, spent()
    share = SearchLimits.current().cutting_share
    with watched(budget.in_time):  # what does not look at its own limit ends with the limit of all
        parts = decompose(game, values=values, seconds=None if left is None else share * left)
    budget.begin_steps += spent() - before  # this work has a limit of its own
    return parts


def _named(way: Way, study: Study, budget: Budget, depth: int | None) -> Answer:
    refused = f"does not have the form that {way.name!r} needs: {way.does}"
    for some, seen_as in _views(study):
        if way.applies(some.parts) is None:
            continue
        some.by_name = True
        try:
            answer = way.run(some, budget, depth)
        except Inapplicable as error:
            refused = refused if seen_as else f"cannot be solved by {way.name!r}: {error}"
            continue
        return replace(answer, notes=(*seen_as, *answer.notes))
    other, note = INSTEAD.get(way.name, (None, ""))
    if other is not None and other.applies(study.parts) is not None:
        study.by_name = True
        with suppress(Inapplicable):
            answer = other.run(study, budget, depth)
            if answer.rule == "normal play":  # the only rule by which values decide
                return replace(answer, notes=(note, *answer.notes))
    raise InputError(f"{study.game.name} {refused}")


def _views(study: Study) -> list[tuple[Study, tuple[str, ...]]]:
    """A decomposition, and the same with parts put together, with a note that says so."""
    return [(study, ()), *((Study(some, study.opposition), (why,)) for some, why in coarser(study.parts))]


def _attempts(study: Study, depth: int | None) -> Iterator[tuple[Way, Study, str, bool]]:
    """(way, parts, why it fits, whether it may take all of the time), in the order of ``ways``.

    With a depth, only those that can look no farther.

    Parts that are put together are larger than need be: they are offered to the special ways only.
    """
    views = _views(study)
    for way in (way for way in (*SPECIAL, *GENERAL) if depth is None or way.by_depth):
        special = way in SPECIAL
        for some, seen_as in views if special else views[:1]:
            reason = way.applies(some.parts)
            if reason is not None:
                yield way, some, "; ".join([reason, *seen_as]), not special


def _strongest(study: Study, budget: Budget, depth: int | None, tried: list[str]) -> Answer:
    """The first answer among the exact ways that apply; then the whole game. Says what was tried in the notes.

    Ways that are stronger than the one that always applies get a share of the seconds, so that something is left.
    """
    limits = SearchLimits.current()
    done = {REGIONS} if tried else set()
    why = "no way of solving by parts fits" if len(study.parts.dependent) > 1 else "the game is one part"
    for way, some, reason, general in (attempt for attempt in _attempts(study, depth) if attempt[0].name not in done):
        if budget.over:
            why = why if tried else "no time was left to solve it by parts"
            break
        allowed = budget if general else budget.portion(limits.way_share)
        if some is not study:
            allowed = allowed.at_most(limits.coarser_work, limits.coarser_memory)
        try:
            answer = way.run(some, allowed, depth)
        except Inapplicable as error:
            tried.append(f"{way.name} was tried and does not fit: {error}")
            continue
        except BudgetExceeded as error:
            if isinstance(error.partial, Answer):
                error.partial = replace(error.partial, notes=(f"by {way.name}: {reason}", *tried, *error.partial.notes))
                if error.partial.exact:
                    return error.partial
            # what one way needs says little of another; but what the general way lacks, the whole would lack too
            if error.budget not in ("memory", "seconds", "work") or (error.partial is not None and general):
                raise
            tried.append(f"{way.name} was tried: {error}")
            why = "no way of solving by parts came to an end"
            continue
        tested = checked(answer, study.game, budget)
        if answer.exact and not tested.exact:
            tried.append(f"{way.name} was tried: {tested.checked}")
            why = "no answer by parts held"
            continue
        answer = tested
        return replace(answer, notes=(f"solved by {way.name}: {reason}", *dict.fromkeys(tried), *answer.notes))
    return _whole(study.opposition, [*dict.fromkeys(tried), f"{why}; searched whole"], budget, depth)


def _whole(opposition: Opposition, notes: list[str], budget: Budget, depth: int | None) -> Answer:
    """All positions if they fit into memory, otherwise depth first where that can be done."""
    game = opposition.game
    try:
        answer = solve_whole(game, depth=depth, budget=budget, opposition=opposition)
    except BudgetExceeded as error:
        if error.budget == "memory" and (len(game.roles) == 1 or opposition.proved(budget)):
            notes = [*notes, f"keeping all positions {error}; went on depth first"]
            try:
                answer = solve_depth_first(game, depth=depth, budget=budget, opposition=opposition)
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


def _depth_first(opposition: Opposition, budget: Budget, depth: int | None) -> Answer:
    game = opposition.game
    try:
        return solve_depth_first(game, depth=depth, budget=budget, opposition=opposition)
    except Inapplicable as error:
        raise InputError(f"{ALPHA_BETA!r} cannot solve {game.name}: {error}") from None
