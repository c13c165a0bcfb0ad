"""``decompose``: one door to the four methods, followed by the same verification for all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import get_args

from ludisect.circuit.batch import Rows
from ludisect.circuit.game import Game
from ludisect.circuit.record import Transitions, record
from ludisect.decompose.common import Found, assemble
from ludisect.decompose.exact import analyse, found_of, refine
from ludisect.decompose.model import Decomposition, Evidence, Method
from ludisect.decompose.proof import Proof
from ludisect.decompose.sample import Sample, cover, take_sample
from ludisect.decompose.verify import MAX_LENGTH, verify
from ludisect.errors import InputError

METHODS: tuple[str, ...] = get_args(Method)


def decompose(
    game: Game,
    *,
    method: str = "exact",
    playouts: int = 1000,
    seed: int = 0,
    check: bool = True,
    seconds: float = 60.0,
    progress: Callable[[int], None] | None = None,
) -> Decomposition:
    """The independent subgames of a game.

    ``method`` is "exact" (default), "playouts", "instances" or "symbols". The result is verified on the transitions of
    ``playouts`` random plays unless ``check`` is false.

    >>> import ludisect
    >>> print(ludisect.decompose.decompose(ludisect.load("four-lamps")).counts)
    (4, 1, 0)
    """
    if method not in METHODS:
        raise InputError(f"there is no method {method!r}; choose from {', '.join(METHODS)}")
    begin = perf_counter()
    sample = take_sample(game, seed=seed)
    transitions = None
    if check or method == "exact":
        transitions = record(game, playouts, seed=seed + 1, max_length=MAX_LENGTH, progress=progress)
        sample = cover(sample, transitions)
    proof: Proof | None = None
    wins = None
    analysing = perf_counter()
    if method == "exact" and transitions is not None:
        analysis = analyse(game, sample, seconds=seconds, seed=seed)
        proof = refine(analysis, transitions, seconds=max(1.0, seconds - (perf_counter() - analysing)))
        found, wins = found_of(analysis), analysis.wins
    else:
        found = _published(game, method, playouts, seed)
    analysed = perf_counter()
    parts = assemble(game, found, method, sample, {})
    if check and transitions is not None:
        parts = replace(parts, evidence=_evidence(parts, sample, transitions, wins, proof))
    end = perf_counter()
    spent = {
        **game.seconds,
        "playouts": analysing - begin,
        "analyse": analysed - analysing,
        "verify": end - analysed,
    }
    return replace(parts, seconds={**spent, "total": sum(spent.values())})


def _evidence(
    parts: Decomposition, sample: Sample, transitions: Transitions, wins: Rows | None, proof: Proof | None
) -> Evidence:
    """Tested on transitions in any case; proved only if the solver settled every claim."""
    evidence = verify(parts, sample=sample, transitions=transitions, wins=wins)
    if evidence.status == "failed" or proof is None:
        return evidence
    claims = {**proof.summary(), "evaluation": "checked on the goal and terminal nets"}
    return Evidence("proved" if proof.complete else "tested", evidence.transitions, None, claims)


def _published(game: Game, method: str, playouts: int, seed: int) -> Found:
    if method == "playouts":
        from ludisect.decompose import playouts as statistical

        return statistical.find(game, playouts=playouts, seed=seed)
    if method == "instances":
        from ludisect.decompose import instances

        return instances.find(game)
    from ludisect.decompose import symbols

    return symbols.find(game)
