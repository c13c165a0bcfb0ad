"""``decompose`` and ``verify``: one door to the four methods, and the same verification for all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

import numpy as np

from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.circuit.midgame import at_state
from ludisect.circuit.record import Transitions, record
from ludisect.circuit.rows import Rows
from ludisect.decomposition.evidence.prove import Proof, prove_parts
from ludisect.decomposition.evidence.sample import Sample, cover, take_sample
from ludisect.decomposition.evidence.verify import given_or_found, try_on_plays
from ludisect.decomposition.exact.exact import analyse, coarse, refine
from ludisect.decomposition.exact.variables import find_invariants
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.assemble import Found, assemble, moves_not_made
from ludisect.decomposition.model.decomposition import Decomposition, Evidence, Method
from ludisect.effort import Effort, OutOfTime, ending
from ludisect.errors import BudgetExceeded, InputError, check_numbers, options_by_name
from ludisect.gdl.machine import Fluents
from ludisect.gdl.state import State
from ludisect.kernels.workers import want
from ludisect.loader import Loadable, kind_of, to_game

if TYPE_CHECKING:
    from ludisect.decomposition.rules.arguments import Heuristic
    from ludisect.decomposition.statistics.metaactions import Cutting

METHODS: tuple[str, ...] = get_args(Method)

AT_LIMIT = "the limit on time was reached: what is proved holds for these parts, and there may be finer ones"
"""A note of a result that time ended."""

VARIANTS: dict[str, tuple[str, ...]] = {"instances": ("paper", "thesis"), "playouts": ("nested", "letter")}
"""Formulations that a published method has, the default first."""


@options_by_name("a game")
def decompose(
    game: Loadable,
    *,
    method: str = "exact",
    variant: str | None = None,
    state: State[Game] | Fluents | None = None,
    values: bool = False,
    playouts: int = 1000,
    seed: int = 0,
    check: bool = True,
    prove: bool = False,
    seconds: float | None = None,
    limits: DecompositionLimits | None = None,
) -> Decomposition:
    """The independent parts of a game, or of what is left of it in a state of a match.

    ``game`` is a Game, a State of one, or whatever ``load`` loads; ``decompose(game, state=s)`` is ``decompose(s)``.

    ``method`` is "exact" (default), "playouts", "instances" or "symbols"; ``variant`` picks one of two formulations of
    "instances" ("paper" or "thesis") and of "playouts" ("nested" or "letter").

    What nobody has a choice in runs by itself and counts as context. That is wrong for combinatorial values: where one
    move is left for one player, it is worth 1. With ``values`` "exact" makes a part of it.

    The result is verified on the transitions of ``playouts`` random plays unless ``check`` is false; "exact" also tries
    to prove it, the others if ``prove`` is set. ``limits`` say how much work both may take; ``seconds``, if given, how
    long. They stop at either with the best found so far; where the seconds ended it, the notes say so. Without seconds
    the answer hangs on the ``seed`` alone.

    Interrupted once there is something to show, it raises BudgetExceeded, whose ``partial`` is the decomposition so
    far: parts that are not yet verified or proved, or, while "exact" looks for the parts, a coarse decomposition that
    is proved.

    >>> import ludisect
    >>> print(decompose(ludisect.load("four-lamps")).counts)
    (4, 1, 0)
    """
    check_numbers(playouts=playouts, seed=seed, seconds=seconds)
    if method not in METHODS:
        raise InputError(f"there is no method {method!r}; choose from {', '.join(METHODS)}")
    variant = _variant(method, variant)
    if values and method != "exact":
        raise InputError(f"parts for values are found by the method 'exact', not by {method!r}")
    game = to_game(game, "decompose")
    if state is not None:
        game = at_state(game, _fluents(game, state))
    want("decompose" if method == "exact" else "statistics")
    with DecompositionLimits.given(limits):
        return _decompose(game, method, variant, values, playouts, seed, check, prove, seconds)


def _decompose(
    game: Game, method: str, variant: str, values: bool, playouts: int, seed: int, check: bool, prove: bool,
    seconds: float | None,
) -> Decomposition:  # fmt: skip
    """With the numbers in force: sample, find, verify, prove."""
    begin, limits = clock.now(), DecompositionLimits.current()
    effort = Effort(limits.decompose_work, seconds)
    analysing, sample, transitions = begin, None, None
    try:
        with ending(effort):
            sample = take_sample(game, seed=seed)
            if check or method == "exact":
                transitions = record(game, playouts, seed=seed + 1, max_length=limits.verify_max_length)
                sample = cover(sample, transitions)
            analysing = clock.now()
            if method == "exact" and transitions is not None:
                looked = _exact(game, sample, transitions, effort, seed, values)
            else:
                found = _published(game, method, variant, playouts, seed)
                looked = _Looked(assemble(game, found, method, sample), sample)
    except OutOfTime:
        if method != "exact":
            raise BudgetExceeded(f"{method}: the time was over before there were parts", budget="seconds") from None
        looked = _coarse(game, sample)
    analysed = clock.now()
    parts, stopped = looked.parts, looked.stopped
    if check:
        proving = Effort(limits.decompose_work, effort.seconds_left) if prove and not stopped else None
        parts, late = _verified(looked, transitions, effort, proving)
        stopped = stopped or late
        if method == "exact" and transitions and (parts.evidence is None or parts.evidence.status != "proved"):
            made = np.zeros(game.circuit.legal.size, np.bool_)
            made[(transitions.joint + game.batch.first_move[:-1]).ravel()] = True
            parts = replace(parts, unseen_move_numbers=moves_not_made(game, made))
    times = {"playouts": analysing - begin, "analyse": analysed - analysing, "verify": clock.now() - analysed}
    spent = {**game.seconds, **times}
    parts = replace(parts, seconds={**spent, "total": sum(spent.values())})
    if effort.seconds_left == 0:
        parts = replace(parts, notes=(*parts.notes, AT_LIMIT), stopped=True)
    if stopped:
        raise BudgetExceeded(stopped, budget="interrupt", partial=parts)
    return parts


class _Looked(NamedTuple):
    """Parts that a method found, and what it has that the verification can use."""

    parts: Decomposition
    sample: Sample | None = None
    wins: Rows | None = None
    proof: Proof | None = None
    stopped: str = ""
    """What Ctrl-C prevented, if it did."""


def _exact(game: Game, sample: Sample, transitions: Transitions, effort: Effort, seed: int, forced: bool) -> _Looked:
    """The parts by the method "exact"; at Ctrl-C, coarse ones that are proved."""
    least = DecompositionLimits.current().exact_least
    try:
        analysis = analyse(game, sample, effort.rest(least=least), seed=seed, forced=forced)
        parts, proof = refine(analysis, transitions, effort.rest(least=least))
        return _Looked(parts, analysis.sample, analysis.wins, proof)
    except KeyboardInterrupt:
        return _coarse(game, sample, "interrupted before the parts were found; these hold, and are coarse")


def _coarse(game: Game, sample: Sample | None, stopped: str = "") -> _Looked:
    parts, proof = coarse(game, sample)
    return _Looked(parts, proof=proof, stopped=stopped)


def _fluents(game: Game, state: State[Game] | Fluents) -> Fluents:
    if not isinstance(state, State):
        return state
    if state.game != game:
        raise InputError(f"that is a state of another game ({state.game.name}), not of {game.name}")
    return state.fluents


def _verified(
    looked: _Looked, transitions: Transitions | None, effort: Effort, proving: Effort | None
) -> tuple[Decomposition, str]:
    """The parts with the evidence of a test, and of a proof if there is one or an effort for ``proving``; and what
    Ctrl-C prevented. Out of time, what is known by then."""
    parts, sample, wins, proof, _ = looked
    if proof is not None:  # it comes with the check, or needs none
        tested = Evidence("tested", 0 if transitions is None or sample is None else len(transitions))
        return replace(parts, evidence=_with_proof(tested, proof)), ""
    if transitions is None:
        return parts, ""
    try:
        with ending(effort):
            evidence = try_on_plays(parts, sample=sample, transitions=transitions, wins=wins)
            parts = replace(parts, evidence=evidence)
            if proving is not None and sample is not None and evidence.status != "failed":
                proof = prove_decomposition(parts, sample, proving)
                parts = replace(parts, evidence=_with_proof(evidence, proof))
    except KeyboardInterrupt:
        return parts, f"interrupted before the parts were {'verified' if parts.evidence is None else 'proved'}"
    except OutOfTime:
        pass
    return parts, ""


@options_by_name("a Decomposition (from decompose, or from Decomposition.from_json(game, data))")
def verify(
    parts: Decomposition,
    *,
    playouts: int = 1000,
    seed: int = 1,
    prove: bool = False,
    seconds: float | None = None,
    limits: DecompositionLimits | None = None,
) -> Evidence:
    """Judge a decomposition, ours or another's: test it on ``playouts`` random plays and, if asked, try to prove it.

    JSON becomes a decomposition by ``Decomposition.from_json(game, data)``. ``limits`` and ``seconds`` are as in
    ``decompose``. Raises BudgetExceeded when it is interrupted or the seconds are over; ``partial`` is then the
    Evidence of the test, if that was done.

    >>> import ludisect
    >>> parts = ludisect.decompose("four-lamps", method="symbols")
    >>> verify(parts, prove=True).status
    'proved'
    """
    if not isinstance(parts, Decomposition):
        right = "a Decomposition (from decompose, or from Decomposition.from_json(game, data))"
        raise TypeError(f"verify takes {right}, not {kind_of(parts)}")
    check_numbers(playouts=playouts, seed=seed, seconds=seconds)
    with DecompositionLimits.given(limits) as numbers:
        game, effort = parts.game, Effort(numbers.decompose_work, seconds)
        evidence: Evidence | None = None
        try:
            with ending(effort):
                transitions = record(game, playouts, seed=seed, max_length=numbers.verify_max_length)
                sample = cover(take_sample(game, seed=seed), transitions)
                evidence = try_on_plays(parts, sample=sample, transitions=transitions)
                if not prove or evidence.status == "failed":
                    return evidence
                return _with_proof(evidence, prove_decomposition(parts, sample, effort.rest()))
        except OutOfTime:
            what = f"the time was over before the {'test' if evidence is None else 'proof'} was done"
            raise BudgetExceeded(what, budget="seconds", partial=evidence) from None
        except KeyboardInterrupt:
            if evidence is None:
                raise
            what = "interrupted before the proof was found"
            raise BudgetExceeded(what, budget="interrupt", partial=evidence) from None


def prove_decomposition(parts: Decomposition, sample: Sample, effort: Effort) -> Proof:
    """Try to prove conditions 1 to 4 of a decomposition, with invariants found for the purpose."""
    game = parts.game
    free = np.flatnonzero(~game.circuit.constant_fluents).tolist()
    share = effort.steps(DecompositionLimits.current().prove_invariants_share)
    invariants = find_invariants(game, sample, free, share)
    dependent = parts.dependent
    number = {s.id: k for k, s in enumerate(dependent)}
    return prove_parts(
        game,
        invariants,
        [s.fluent_numbers for s in dependent],
        parts.context_numbers,
        [given_or_found(game, sample, s) for s in dependent],
        {number[s.id]: [number[a] for a in s.after if a in number] for s in dependent if s.after},
        effort.rest(),
    )


def _with_proof(evidence: Evidence, proof: Proof | None) -> Evidence:
    """What was tested on transitions is proved only if the solver settled every claim too."""
    if proof is None or evidence.status == "failed":
        return evidence
    return Evidence("proved" if proof.complete else "tested", evidence.transitions, None, proof.summary())


def _variant(method: str, variant: str | None) -> str:
    """The formulation of a method that is meant; empty if it has only one."""
    known = VARIANTS.get(method, ())
    if variant is None:
        return known[0] if known else ""
    if variant not in known:
        what = f"no variant {variant!r}; choose from {', '.join(known)}" if known else "no variants"
        raise InputError(f"the method {method!r} has {what}")
    return variant


def _published(game: Game, method: str, variant: str, playouts: int, seed: int) -> Found:
    if method == "playouts":
        from ludisect.decomposition.statistics import playouts as statistical

        found = statistical.find(game, playouts=playouts, seed=seed, cutting=cast("Cutting", variant))
    elif method == "instances":
        from ludisect.decomposition.rules import instances

        found = instances.find(game, heuristic=cast("Heuristic", variant))
    else:
        from ludisect.decomposition.rules import symbols

        found = symbols.find(game)
    other = variant != _variant(method, None)
    return replace(found, notes=(f"variant {variant!r} of the method", *found.notes)) if other else found
