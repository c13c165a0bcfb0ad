"""The sample: what it shows of a game."""

from __future__ import annotations

import numpy as np

from ludisect import load
from ludisect.circuit.rows import unpack
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.limits import DecompositionLimits


def test_the_ends_show_every_last_move() -> None:
    """Moves come in the same order in every state: a fixed step through them would leave some out for good."""
    numbers = " ".join(f"(number {n})" for n in range(150))
    game = load(
        "(role one) (role two) (init begin)"
        + numbers
        + """
        (<= (legal ?r (guess ?n)) (role ?r) (number ?n) (true begin))
        (<= (next (guessed ?r ?n)) (does ?r (guess ?n)))
        (<= terminal (not (true begin)))
        (<= (goal ?r 100) (true (guessed one ?n)) (true (guessed two ?n)) (role ?r))
        (<= (goal ?r 0) (true (guessed one ?n)) (true (guessed two ?m)) (distinct ?n ?m) (role ?r))
        """
    )
    sample = take_sample(game)
    assert len(sample.pair_next) > DecompositionLimits().sample_ends, "there is a choice to make"
    shown = unpack(sample.last, len(game.fluents)).any(axis=0)
    assert [str(game.fluents[f]) for f in np.flatnonzero(~shown)] == ["begin"]
