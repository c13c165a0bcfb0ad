"""Turn markers and clocks that stand still until something is played: the value is that of the whole all the same."""

from __future__ import annotations

from itertools import product

import pytest

from ludisect import load
from ludisect.decomposition.evidence.prove import BY_ITSELF, WITH_STAGES
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.assemble import Found, assemble
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.part.times import context_of
from ludisect.search.settle import _as_one, _moves_that_drive, not_by_itself, reading_more, settled
from ludisect.search.solve import solve
from ludisect.search.way import Inapplicable
from tests.decomposition.waiting import boxes_of, waiting
from tests.search.agreement import Tally, Whole
from tests.search.byhand import by_hand

STAGE = """
(<= (legal ?p (take{k} ?m)) {open} (true (turn{k} ?p)) (true (heap{k} ?n)) (fewer ?n ?m))
(<= (legal ?p noop) {open} (role ?p) (not (true (turn{k} ?p))))
(<= (next (heap{k} ?m)) (does ?p (take{k} ?m)))
(<= (taken{k}) (does ?p (take{k} ?m)))
(<= (next (heap{k} ?n)) (true (heap{k} ?n)) (not (taken{k})))
(<= (next (won{k} ?p)) (does ?p (take{k} 0)))
(<= (next (won{k} ?p)) (true (won{k} ?p)))
(<= (next (turn{k} a)) {open} (true (turn{k} b)))
(<= (next (turn{k} b)) {open} (true (turn{k} a)))
(<= (next (turn{k} ?p)) (not {open}) (true (turn{k} ?p)))
(<= over{k} (true (heap{k} 0)))
"""


def heaps(first: int, second: int, *, third: bool = False) -> str:
    """Heaps one after the other, one or two taken at a time, each with a turn marker that runs while it is played."""
    sizes = [first, second, 2][: 3 if third else 2]
    fewer = " ".join(f"(fewer {n} {n - k})" for n in range(1, 9) for k in (1, 2) if n >= k)
    stages = []
    for k, size in enumerate(sizes, 1):
        is_open = f"open{k}"
        earlier = f"over{k - 1}" if k > 1 else ""
        stages.append(f"(<= open{k} (not over{k}) {earlier})" + STAGE.format(k=k, open=is_open))
        stages.append(f"(init (heap{k} {size})) (init (turn{k} a))")
    last = len(sizes)
    return f"""
(role a) (role b) {fewer} {"".join(stages)}
(<= terminal over{last})
(<= (goal ?p 100) (true (won1 ?p)) (true (won{last} ?p)))
(<= (goal ?p 50) (role ?p) (true (won1 ?q)) (true (won{last} ?r)) (distinct ?q ?r))
(<= (goal ?p 0) (role ?p) (true (won1 ?q)) (true (won{last} ?q)) (distinct ?p ?q))
"""


def with_markers_as_context(rules: str) -> Decomposition:
    parts = decompose(load(rules))
    assert not_by_itself(parts), "a marker follows a stage and is context all the same"
    return parts


@pytest.mark.parametrize(("first", "second"), list(product((4, 5, 6), (5, 6))))
def test_the_value_is_that_of_the_whole(first: int, second: int) -> None:
    parts = with_markers_as_context(heaps(first, second))
    tally = Tally()
    tally.check(f"{first} then {second}", parts, Whole(parts.game))
    assert tally.faults == []
    assert tally.answers["default, exact"] == 1


def test_the_marker_goes_to_its_stage() -> None:
    parts = with_markers_as_context(heaps(5, 4))
    assert parts.evidence is not None
    assert parts.evidence.claims[WITH_STAGES] == "proved"
    assert BY_ITSELF not in parts.evidence.claims
    found = settled(parts)
    assert len(found.dependent) == len(parts.dependent)
    assert not_by_itself(found) == []
    assert {f for s in found.parts for f in s.fluent_numbers} == {f for s in parts.parts for f in s.fluent_numbers}
    assert settled(found) is found


def test_such_a_context_is_not_searched_as_it_is() -> None:
    with pytest.raises(Inapplicable, match="waits for what is played"):
        context_of(with_markers_as_context(heaps(5, 4)))


def test_three_stages() -> None:
    parts = decompose(load(heaps(5, 4, third=True)))
    assert list(Whole(parts.game).faults(solve(parts))) == []


def test_a_marker_of_two_stages_leaves_one_part() -> None:
    """The turn marker of the second heap goes on in the third: no stage has it to itself."""
    rules = heaps(5, 6, third=True)
    for role, other in ("ab", "ba"):
        rules = rules.replace(f"(<= (next (turn3 {role})) open3 (true (turn3 {other})))", "")
        rules += f"(<= (next (turn2 {role})) open3 (true (turn2 {other})))"
    rules = rules.replace("(<= (next (turn3 ?p)) (not open3) (true (turn3 ?p)))", "").replace("(init (turn3 a))", "")
    rules = rules.replace("(not open2) (true (turn2", "(not open2) (not open3) (true (turn2").replace("turn3", "turn2")
    game = load(rules)

    def fluents(*names: str) -> tuple[int, ...]:
        return tuple(f for f, term in enumerate(game.fluents) if term.name in names)

    groups = fluents("heap1", "won1", "turn1"), fluents("heap2", "won2"), fluents("heap3", "won3")
    found_by_hand = Found(groups=groups, independent=(fluents("turn2"),), after={1: (0,), 2: (0, 1)})
    parts = assemble(game, found_by_hand, "exact", take_sample(game))
    assert [s.kind for s in not_by_itself(parts)] == ["independent"]
    found = settled(parts)
    assert (len(found.dependent), not_by_itself(found)) == (1, [])
    assert {f for s in found.parts for f in s.fluent_numbers} == {f for s in parts.parts for f in s.fluent_numbers}
    assert list(Whole(parts.game).faults(solve(parts))) == []


def with_clock_as_context(seed: int) -> Decomposition:
    """Each box a part, and the clock taken for something that runs by itself."""
    rules = waiting(seed)
    boxes = [(rf"\({x} ", rf"\(open{x} ") for x in boxes_of(rules)]
    return by_hand(load(rules), boxes, [r"\(turn ", r"\(step ", r"\(clock "])


@pytest.mark.parametrize("seed", range(24))
def test_a_clock_that_waits_for_choices(seed: int) -> None:
    parts = decompose(load(waiting(seed)))
    tally = Tally()
    tally.check(f"clock {seed}", parts, Whole(parts.game))
    assert tally.faults == []


@pytest.mark.parametrize("seed", range(24))
def test_a_clock_that_waits_is_no_context_for_the_search(seed: int) -> None:
    """Whoever says that it is: the parts are not searched with a clock that stands still."""
    parts = with_clock_as_context(seed)
    assert [str(parts.game.fluents[s.fluent_numbers[0]]) for s in not_by_itself(parts)] == ["(clock 0)"]
    with pytest.raises(Inapplicable, match="waits for what is played"):
        context_of(parts)
    found = settled(parts)
    assert not_by_itself(found) == []
    assert {f for s in found.parts for f in s.fluent_numbers} == {f for s in parts.parts for f in s.fluent_numbers}
    assert list(Whole(parts.game).faults(solve(parts))) == []


def heaps_with_turn_by_moves(more: str = "") -> str:
    """Two heaps, and a turn marker whose rules name moves: who did nothing is next. ``more`` are further rules."""
    heap = """
(<= (legal ?r (take {h})) (true (turn ?r)) (true ({h} ?n)) (fewer ?n ?m))
(<= taken{h} (does ?r (take {h})))
(<= (next ({h} ?m)) (true ({h} ?n)) (fewer ?n ?m) taken{h})
(<= (next ({h} ?n)) (true ({h} ?n)) (not taken{h}))"""
    return f"""
(role a) (role b) (init (turn a)) (init (left 2)) (init (right 3)) (fewer 1 0) (fewer 2 1) (fewer 3 2)
{heap.format(h="left")} {heap.format(h="right")}
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?r)) (does ?r noop))
(<= terminal (true (left 0)) (true (right 0)))
(<= (goal ?r 0) (true (turn ?r)))
(<= (goal ?r 100) (role ?r) (not (true (turn ?r))))
{more}
"""


COUNTING = """
(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 5)))
(<= terminal (true (step 2)) (true (left 2)) (true (right 3)))
"""
"""The play would be over after two steps if nothing had been taken, which cannot be."""


def test_a_marker_whose_rules_name_moves_may_run_by_itself_all_the_same() -> None:
    """It is proved, for a decomposition that comes without evidence as for others."""
    game = load(heaps_with_turn_by_moves())
    parts = by_hand(game, [(r"\(left ", r"\(take left"), (r"\(right ", r"\(take right")], [r"\(turn "])
    assert [str(game.fluents[s.fluent_numbers[0]]) for s in reading_more(parts)] == ["(turn a)"]
    assert not_by_itself(parts) == []
    found = settled(parts)
    assert len(found.dependent) == 2
    assert settled(found) is found
    assert context_of(found).times == 2
    assert list(Whole(game).faults(solve(parts))) == []
    assert list(Whole(game).faults(solve(parts, by="quotient"))) == []
    assert solve(decompose(game)).exact


@pytest.mark.parametrize("more", ["", COUNTING])
def test_what_runs_by_itself_is_followed_where_the_play_goes_on(more: str) -> None:
    """The start, with the context of a later time, may be an end: the proof says nothing of what would follow it."""
    parts = decompose(load(heaps_with_turn_by_moves(more)))
    assert len(reading_more(parts)) == 1
    context = context_of(parts)
    game = parts.game
    state = game.initial_state()
    for t in range(5):
        shown = {game.fluents[f] for f in parts.context_numbers} & state
        assert game.batch.state(context.rows[t % context.times if not more else t]) == shown
        state = game.next_state(state, {role: moves[0] for role, moves in game.legal_moves(state).items()})
    assert game.is_terminal(state)
    by = "quotient" if len(parts.dependent) > 1 else "parts"  # with a count the heaps are one part
    assert list(Whole(game).faults(solve(parts, by=by))) == []


def test_where_nobody_chooses_nothing_is_put_together() -> None:
    counter = "(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 1))) (goal r 50)"
    parts = decompose(load(f"(role r) (succ 0 1) (init (n 0)) (legal r go) {counter}"))
    assert not parts.dependent
    assert _as_one(parts) is parts


def test_moves_that_drive_belong_to_their_role() -> None:
    steps = "(<= (next (c 1)) (does b y)) (<= (next (c 2)) (does b z)) (<= terminal (not (true (c 0))))"
    sheet = f"(role a) (role b) (init (c 0)) (legal a x) (legal b y) (legal b z) {steps} (goal a 0) (goal b 0)"
    parts = by_hand(load(sheet), [], [r"\(c "])
    assert _moves_that_drive(parts, parts.context[0]) == [(1, 0), (1, 1)]
