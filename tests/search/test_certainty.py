"""What a search by parts rests on: each way in which the form of the rules does not show enough, and what is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ludisect.decomposition.model.decomposition import Decomposition, Evidence
from ludisect.loader import load
from ludisect.search.certainty import grounds
from tests.search.byhand import by_hand

SHEET = """
(role idle) (role r) (legal idle wait) (goal idle 0) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal r (put ?x)) (switch ?x) (not (true (up ?x))) {legal})
(legal r rest) (switch a) (switch b)
(<= (next (up ?x)) (does r (put ?x)))
(<= (next (up ?x)) (true (up ?x)))
{more}
(<= terminal (true (step 3)))
(<= (goal r 100) (true (up a)) (true (up b))) (<= (goal r 50) (true (up a)) (not (true (up b))))
(<= (goal r 25) (not (true (up a))) (true (up b))) (<= (goal r 0) (not (true (up a))) (not (true (up b))))
"""

BY_FORM = (True, "the rules of each part read nothing but the part and the context")


def parts(more: str = "", legal: str = "") -> Decomposition:
    """Two switches and a clock; ``more`` rules, or another condition of the moves, tie what is said to be apart."""
    game = load(SHEET.format(more=more, legal=legal))
    return by_hand(game, [(r"\(up a", r"\(put a"), (r"\(up b", r"\(put b")], [r"\(step "])


def why(found: Decomposition) -> str:
    """What the form of the rules does not show; nothing if it shows all."""
    certain, text = grounds(replace(found, evidence=None))
    if certain:
        assert (certain, text) == BY_FORM
        return ""
    head, _, fault = text.partition(", and ")
    assert head == "the decomposition was not verified"
    return fault


def test_rules_that_read_their_part_and_the_context_only() -> None:
    assert why(parts()) == ""
    assert why(parts("(<= (next (up b)) (true (step 1)))", "(not (true (step 2)))")) == ""


@pytest.mark.parametrize(
    ("more", "legal", "fault"),
    [
        (
            "(<= (next (step 3)) (true (up a)))", "",
            "the rules of part 3, which should run by itself, read more than the context",
        ),
        (
            "(<= (next (step 3)) (does r rest) (true (step 1)))", "",
            "the rules of part 3, which should run by itself, read more than the context",
        ),
        ("(<= (next (up b)) (true (up a)))", "", "the transitions of part 2 read other parts"),
        ("(<= (next (up a)) (true (up b)))", "", "the transitions of part 1 read other parts"),
        (
            "(<= (next (up b)) (does r (put a)) (true (step 1)))", "",
            "the transitions of part 2 read moves that should have no effect there",
        ),
        ("", "(or (distinct ?x b) (true (up a)))", "the moves of part 2 read other parts"),
    ],
)  # fmt: skip
def test_rules_that_read_more(more: str, legal: str, fault: str) -> None:
    assert why(parts(more, legal)) == fault


def test_several_moves_that_count_as_one() -> None:
    found = parts("(legal r (put c)) (<= (next (up a)) (does r (put c)))")
    assert why(found) == "the transitions of part 1 read moves that should have no effect there"
    first = found[1]
    put = {str(move): m for m, move in enumerate(found.game.moves[1])}
    apart = replace(
        first,
        move_numbers=(
            (),
            ((put["(put a)"],), (put["(put c)"],)),
        ),
    )
    assert why(replace(found, parts=(apart, *found.parts[1:]))) == ""
    lumped = replace(
        first,
        move_numbers=(
            (),
            ((put["(put a)"], put["(put c)"]),),
        ),
    )
    assert why(replace(found, parts=(lumped, *found.parts[1:]))) == "part 1 takes several moves for one"


def test_a_stage_may_read_those_before_it() -> None:
    found = parts("(<= (next (up b)) (true (up a)))", "(or (distinct ?x b) (true (up a)))")
    assert why(found) == "the transitions of part 2 read other parts"
    first, second, *rest = found
    assert why(replace(found, parts=(first, replace(second, after=(1,)), *rest))) == ""
    assert why(replace(found, parts=(replace(first, after=(2,)), second, *rest))) != ""


def test_what_is_said_of_the_evidence() -> None:
    tied, fault = parts("(<= (next (up b)) (true (up a)))"), "the transitions of part 2 read other parts"
    for evidence, wanted in [
        (None, f"the decomposition was not verified, and {fault}"),
        (Evidence("tested", 0), f"the decomposition was not verified, and {fault}"),
        (Evidence("tested", 70), f"the decomposition was tested on 70 transitions, not proved: {fault}"),
        (Evidence("failed", 70), "the decomposition is refuted by a counterexample"),
        (Evidence("failed", 0), "the decomposition is refuted by a counterexample"),
    ]:
        assert grounds(replace(tied, evidence=evidence)) == (False, wanted)
        assert grounds(replace(parts(), evidence=evidence)) == BY_FORM
    assert grounds(replace(tied, evidence=Evidence("proved"))) == (True, "the decomposition is proved")
