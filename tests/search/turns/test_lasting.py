"""Parts that count as done, over or closed: they are only if nothing that can follow changes what they show."""

from __future__ import annotations

import random

import pytest

from ludisect import load
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.budget import Budget
from ludisect.search.serial.serial import solve_serial
from ludisect.search.solve import solve
from ludisect.search.study import Study
from ludisect.search.turns.parallel import solve_parallel
from ludisect.search.way import Inapplicable
from ludisect.search.whole.whole import solve_whole
from tests.search.agreement import Tally, Whole
from tests.search.byhand import by_hand

KETTLE = """
(role cook) (init (kettle 0)) (init (dough raw)) (succ 0 1) (succ 1 2) (succ 2 3)
(heat low) (heat high) (knead slow) (knead fast)
(<= (legal cook (do ?h ?k)) (heat ?h) (knead ?k))
(<= (next (kettle ?n)) (does cook (do ?h ?k)) (true (kettle ?m)) (succ ?m ?n))
(<= (next (dough {first})) (does cook (do ?h slow)) (true (dough raw)))
(<= (next (dough raw)) (does cook (do ?h fast)) (true (dough raw)))
(<= (next (dough baked)) (does cook (do ?h slow)) (true (dough soft)))
(<= (next (dough soft)) (does cook (do ?h fast)) (true (dough soft)))
(<= (next (dough baked)) (true (dough baked)))
(<= terminal (true (kettle 3)))
(<= (goal cook 100) (true (dough baked)))
(<= (goal cook 10) (not (true (dough baked))))
"""
"""The play ends when the kettle boils, whatever the dough is; the dough shows nothing before the second slow move."""


def kettle(first: str = "soft") -> Decomposition:
    """Kettle and dough, both moved every turn."""
    game = load(KETTLE.format(first=first))
    parts = [(r"\(kettle ", r"\(do (\S+) "), (r"\(dough ", r"\(do \S+ (\S+)\)")]
    return by_hand(game, parts, structure="parallel-sync")


def test_a_part_that_the_end_does_not_read_goes_on() -> None:
    parts = kettle()
    assert solve_whole(parts.game).value == {"cook": 100}
    with pytest.raises(Inapplicable, match="goes on changing"):
        solve_parallel(Study(parts), Budget())
    assert solve(parts).value == {"cook": 100}


def test_a_part_that_shows_the_same_for_ever_is_done() -> None:
    parts = kettle("raw")
    assert solve_parallel(Study(parts), Budget()).value == solve_whole(parts.game).value == {"cook": 10}


def random_sync(rng: random.Random, *, tiring: bool = False) -> str:
    """Two machines with two local moves each, made at the same time; the end reads one, both or the time as well.

    If ``tiring``, a machine may have no moves in its last states.
    """
    players = ["red", "blue"][: rng.choice([1, 2, 2])]
    lines = [f"(role {p})" for p in players]
    lines += ["(pick a) (pick b)", "(init (one 0))", "(init (two 0))", "(init (step 0))"]
    if len(players) == 2:
        lines += ["(init (turn red))", "(<= (next (turn red)) (true (turn blue)))"]
        lines += ["(<= (next (turn blue)) (true (turn red)))", "(<= (legal ?r rest) (role ?r) (not (true (turn ?r))))"]
        lines.append("(<= (legal ?r (do ?x ?y)) (true (turn ?r)) (canone ?x) (cantwo ?y))")
    else:
        lines.append("(<= (legal red (do ?x ?y)) (canone ?x) (cantwo ?y))")
    sizes = [rng.randint(4, 7) for _ in range(2)]
    wins, ends = [], []
    for name, made, n in zip(("one", "two"), ("?a ?y", "?x ?a"), sizes, strict=True):
        final = n - rng.randint(1, 2)
        tired = tiring and rng.random() < 0.5
        lines += [f"(<= (can{name} ?x) (pick ?x) (true ({name} {s})))" for s in range(final if tired else n)]
        for s in range(n):
            for letter in "ab":
                to = s if s >= final else min(n - 1, s + rng.choice([1, 1, 2]))
                lines.append(
                    f"(<= (next ({name} {to})) (does ?r (do {made.replace('?a', letter)})) (true ({name} {s})))"
                )
        wins.append([s for s in range(n) if s >= final and rng.random() < 0.5])
        ends.append(range(final, n))
    time = rng.choice([0, 0, 3, 4])
    lines += [f"(<= (next (step {k + 1})) (true (step {k})))" for k in range(time)]
    read = rng.choice([("one",), ("two",), ("one", "two")])
    for name, some in zip(("one", "two"), ends, strict=True):
        lines += [f"(<= ({name}over) (true ({name} {s})))" for s in some]
    lines.append(f"(<= terminal {' '.join(f'({name}over)' for name in read)})")
    if time:
        lines.append(f"(<= terminal (true (step {time})))")
    lines += [f"(<= good (true (one {s})))" for s in wins[0]]
    glue = rng.choice(["any", "two"])
    if glue == "any":
        lines += [f"(<= good (true (two {s})))" for s in wins[1]]
    else:
        lines += [f"(<= fine (true (two {s})))" for s in wins[1]]
    best = "good" if glue == "any" else "fine"
    lines += [f"(<= (goal red 100) {best})", f"(<= (goal red 0) (not {best}))"]
    lines += [f"(<= (goal blue 0) {best})", f"(<= (goal blue 100) (not {best}))"] if len(players) == 2 else []
    return "\n".join(lines)


@pytest.mark.parametrize("tiring", [False, True])
def test_random_parts_that_move_together(tiring: bool) -> None:
    tally = Tally()
    for seed in range(30):
        game = load(random_sync(random.Random(seed), tiring=tiring))
        context = [r"\(step "] if len(game.roles) == 1 else [r"\(step ", r"\(turn "]
        parts = by_hand(
            game,
            [(r"\(one ", r"\(do (\S+) "), (r"\(two ", r"\(do \S+ (\S+)\)")],
            context,
            structure="parallel-sync",
        )
        tally.check(f"seed {seed}", parts, Whole(game))
    assert tally.faults == []
    assert tally.answers["parallel"] > 2
    assert tally.answers["lockstep"] > 0


TWO_DOORS = """
(role ann) (role ben) (init (turn ann)) (init (stair low)) (init (door shut))
(<= (next (turn ann)) (true (turn ben))) (<= (next (turn ben)) (true (turn ann)))
(<= (legal ann (climb mid)) (true (turn ann)) (true (stair low)))
(<= (legal ann (climb top)) (true (turn ann)) (true (stair mid)))
(<= (legal ben (open left)) (true (turn ben)) (true (stair mid)) (true (door shut)))
(<= (legal ben (open right)) (true (turn ben)) (true (stair top)) (true (door shut)))
(<= (can ann) (true (turn ann)) (not (true (stair top))))
(<= (can ben) (true (turn ben)) (true (door shut)) (not (true (stair low))))
(<= (legal ?r wait) (role ?r) (not (can ?r)))
(<= (next (stair ?x)) (does ann (climb ?x)))
(<= climbs (does ann (climb ?x))) (<= (next (stair ?x)) (true (stair ?x)) (not climbs))
(<= opens (does ben (open ?x)))
(<= (next (door ?x)) (does ben (open ?x))) (<= (next (door ?x)) (true (door ?x)) (not opens))
(<= terminal (true (stair top)) (not (true (door shut))))
(<= (goal ann 100) (true (door left))) (<= (goal ben 0) (true (door left)))
(<= (goal ann 0) (not (true (door left)))) (<= (goal ben 100) (not (true (door left))))
"""
"""On Ben's turn nobody can move on the stair, but Ann can on the next: the door opens before the stair is over."""


def test_a_stage_at_rest_is_not_over() -> None:
    game = load(TWO_DOORS)
    parts = by_hand(
        game,
        [(r"\(stair ", r"\(climb "), (r"\(door ", r"\(open ")],
        [r"\(turn "],
        structure="serial",
        after=[(), (1,)],
    )
    assert solve_whole(game).value == {"ann": 100, "ben": 0}
    with pytest.raises(Inapplicable, match="two stages are open at once"):
        solve_serial(Study(parts), Budget())
