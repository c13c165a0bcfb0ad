"""The method exact: what it finds in bundled, hand-made and composed games, and that what it calls proved holds."""

from __future__ import annotations

import dataclasses

import pytest

from ludisect.circuit.record import record
from ludisect.composition import compose_one
from ludisect.composition.thorny.thorny import compose_thorny
from ludisect.decomposition import decompose, methods
from ludisect.decomposition.evidence.localmoves import local_moves
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.evidence.verify import try_on_plays
from ludisect.decomposition.exact import exact
from ludisect.decomposition.exact.exact import analyse, coarse, refine
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.effort import Effort
from ludisect.errors import BudgetExceeded, InputError
from ludisect.games import bundled
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter
from ludisect.loader import load
from tests.decomposition import sheets
from tests.decomposition.brute import Brute, explore
from tests.decomposition.found import PLAYOUTS, game_of, named, partition, parts_of
from tests.decomposition.waiting import waiting


def status(parts: Decomposition) -> str:
    assert parts.evidence is not None
    return parts.evidence.status


@pytest.mark.parametrize("name", bundled.names())
def test_bundled_games_fall_into_what_their_sheets_say(name: str) -> None:
    found, wanted = parts_of(name), bundled.describe(name).parts
    dependent, useless, independent = found.counts
    assert (dependent, useless, found.structure) == (wanted.dependent, wanted.useless, wanted.glue)
    assert independent in (wanted.independent, wanted.also_independent)
    assert status(found) == "proved"


def test_every_fluent_has_one_place() -> None:
    for name in ("double-tictactoe", "relay", "chomp", "blocks-maze"):
        parts = parts_of(name)
        placed = [f for s in parts.parts for f in s.fluent_numbers] + [*parts.constant_numbers, *parts.unseen_numbers]
        assert sorted(placed) == list(range(len(parts.game.fluents)))


# ---- the failures that the published methods report ----


def test_a_counter_of_throws_is_context_and_the_scores_are_one_part() -> None:
    parts = parts_of("rock-paper-scissors")
    assert named(parts) == ["(score * *)"]
    assert named(parts, "independent") == ["(thrown *)"]


@pytest.mark.parametrize(
    ("name", "board", "clock"),
    [
        ("queens", "queen", "row"),
        ("lights-on", "shines", "turn"),
        ("slide-puzzle", "at", "turn"),
    ],
)
def test_surviving_some_steps_does_not_cut_the_board(name: str, board: str, clock: str) -> None:
    parts = parts_of(name)
    assert [{parts.game.fluents[f].name for f in s.fluent_numbers} for s in parts.parts] == [{board}, {clock}]


def test_players_who_move_at_once_are_apart_only_if_they_cannot_meet() -> None:
    assert named(parts_of("runners")) == ["(at blue *) (breath blue *)", "(at red *) (breath red *)"]
    tron = parts_of("tron")
    assert {tron.game.fluents[f].name for f in tron.dependent[0].fluent_numbers} == {"rider", "wall", "crashed"}


def test_squares_that_no_play_reaches_stay_with_their_board() -> None:
    game = load("tron:8x8")
    parts = decompose(game, playouts=20)
    assert len(parts.dependent) == 1
    assert parts.unseen_numbers == ()
    placed = {game.fluents[f] for f in parts.dependent[0].fluent_numbers}
    constant = {game.fluents[f] for f in parts.constant_numbers}
    assert placed | constant == set(game.fluents)


def test_cells_that_play_does_not_get_to_are_of_the_same_game() -> None:
    parts = decompose(load(sheets.mouse_and_traps()), playouts=PLAYOUTS)
    assert [{parts.game.fluents[f].name for f in s.fluent_numbers} for s in parts.parts] == [
        {"cell"},
        {"step"},
        {"turn"},
    ]
    assert status(parts) == "proved"


def test_what_a_rare_value_does_to_another_part_is_found_when_the_proof_fails() -> None:
    parts = decompose(load(sheets.take_or_leave()), playouts=PLAYOUTS)
    assert [{parts.game.fluents[f].name for f in s.fluent_numbers} for s in parts.parts] == [{"pot", "over"}, {"turn"}]
    assert status(parts) == "proved"


def test_moves_that_act_in_two_parts_do_not_join_them() -> None:
    parts = parts_of("parallel-tictactoe")
    first, second = parts.dependent
    for role, moves in enumerate(parts.game.moves):
        assert (len(first.move_numbers[role]), len(second.move_numbers[role])) == (9, 9)
        for members in first.move_numbers[role]:  # with each square of the other board, or none when that one is closed
            assert len(members) == 10
            assert len({moves[m].args[0] for m in members}) == 1


BOTH = """(<= (legal player both) (not (true (up a))) (not (true (up b))))
(<= (put a) (does player both)) (<= (put b) (does player both))"""


def test_a_move_for_two_beside_the_single_moves_leaves_the_choice_free() -> None:
    parts = decompose(load(sheets.switches("ab", sheets.lines("ab"), moves=BOTH)), playouts=PLAYOUTS)
    assert named(parts) == ["(up a)", "(up b)"]
    # neither, either or both: what two parts that are moved in at once offer, each with a rest
    assert (parts.structure, parts.passes, status(parts)) == ("parallel-sync", True, "proved")
    again = Decomposition.from_json(parts.game, parts.to_json())
    assert again.passes
    assert not again.in_step


def test_a_switch_that_only_moves_with_another_is_tied_to_it() -> None:
    sheet = sheets.switches("ab", sheets.lines("ab"), moves=BOTH)
    tied = sheet.replace("(legal player (push ?x)) (switch ?x)", "(legal player (push ?x)) (switch ?x) (distinct ?x b)")
    assert tied != sheet
    parts = decompose(load(tied), playouts=PLAYOUTS)
    assert named(parts) == ["(up *)"]
    assert status(parts) == "proved"
    moves = {tuple(str(parts.game.moves[0][m]) for m in members) for members in parts.dependent[0].move_numbers[0]}
    assert moves == {("both",), ("(push a)",)}


def test_stages_come_in_order() -> None:
    relay = parts_of("relay")
    assert [named(relay)[k] for k in range(3)] == ["(at *)", "(peg *)", "(rope *)"]
    assert [s.after for s in relay.dependent] == [(), (1,), (2,)]
    serial = parts_of("serial-tictactoe")
    assert [s.after for s in serial.dependent] == [(), (1,)]
    assert {t.name for t in (serial.game.fluents[f] for f in serial.dependent[0].fluent_numbers)} == {"first"}


def test_moves_that_spare_a_losing_one_are_of_use() -> None:
    parts = decompose(load(sheets.LIFELINE), playouts=PLAYOUTS)
    assert (parts.counts, status(parts)) == ((1, 0, 1), "proved")


def test_useless_copies_are_told_apart() -> None:
    parts = parts_of("multiple-hanoi")
    assert [s.useful for s in parts.dependent].count(True) == 1


# ---- proofs ----

TINY = ("two-track", "four-lamps", "nim:1,2", "nim:2,1,2", "nim-misere:2,2", "rock-paper-scissors:2", "kayles:2,3")


@pytest.mark.parametrize("name", TINY)
def test_what_is_proved_holds_in_every_reachable_state(name: str) -> None:
    parts = parts_of(name)
    assert status(parts) == "proved"
    machine = Interpreter(find_rules(name))
    steps = explore(machine)
    assert steps
    assert Brute(parts, machine, steps).broken() == []


@pytest.mark.parametrize("name", ["relay", "toads-and-frogs", "chomp:2x3", "domineering:2x3,2x2"])
def test_what_is_proved_holds_in_larger_games_too(name: str) -> None:
    parts = parts_of(name)
    assert status(parts) == "proved"
    steps = explore(parts.game)
    assert steps
    assert Brute(parts, parts.game, steps).broken() == []


def test_brute_force_sees_what_is_broken() -> None:
    """The slow twin can fail: parts cut too small, and a context that is no context."""
    whole = parts_of("nim:1,2")
    steps = explore(whole.game)
    assert steps
    heap = next(s for s in whole.dependent if len(s.fluent_numbers) == 3)
    halves = [dataclasses.replace(heap, id=8, fluent_numbers=heap.fluent_numbers[:1]), dataclasses.replace(heap, id=9)]
    halves[1] = dataclasses.replace(halves[1], fluent_numbers=heap.fluent_numbers[1:])
    kept = [s for s in whole.parts if s is not heap]
    assert Brute(dataclasses.replace(whole, parts=(*kept, *halves)), whole.game, steps).broken()
    steered = dataclasses.replace(heap, kind="independent")
    assert Brute(dataclasses.replace(whole, parts=(*kept, steered)), whole.game, steps).broken() == ["context"]


def test_claims_say_what_was_proved() -> None:
    evidence = parts_of("double-tictactoe").evidence
    assert evidence is not None
    assert evidence.transitions > 100
    assert {k for k, how in evidence.claims.items() if how == "proved"} == {
        "context", "transition", "availability", "free choice", "evaluation",
    }  # fmt: skip


# ---- composed games ----


def recovered(number: int, seed: int) -> str:
    """What is wrong with the decomposition found in a composed game, if anything is."""
    made = compose_one(number, seed)
    game = load(made.rules)
    found, wanted = decompose(game, playouts=PLAYOUTS), Decomposition.from_json(game, made.answer)
    if partition(found) != partition(wanted):
        return f"{made.name}: {found}"
    if found.structure != wanted.structure:
        return f"{made.name}: {found.structure}, not {wanted.structure}"
    if found.evidence is None or found.evidence.status == "failed":
        return f"{made.name}: failed its verification"
    if found.evidence.status == "proved":
        steps = explore(game, 2500)
        wrong = Brute(found, game, steps).broken() if steps else []
        if wrong:
            return f"{made.name}: proved, but {wrong}"
    return ""


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 6, 8, 13, 16, 17, 18, 33])
def test_composed_games_are_taken_apart_again(number: int) -> None:
    assert recovered(number, seed=5) == ""


def test_thirds_of_the_points_add_up_though_they_are_rounded() -> None:
    """The game also has a board as its last stage, of which only its own cells and those before it have a say."""
    assert recovered(389, seed=0) == ""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_many_composed_games_are_taken_apart_again(seed: int) -> None:
    wrong = [w for number in range(60) if (w := recovered(number, seed + 100))]
    assert len(wrong) <= 1, "\n".join(wrong)


# ---- the door ----


def test_the_same_seed_gives_the_same_answer() -> None:
    game = game_of("blocks-maze")
    one, two = (decompose(game, playouts=50, seed=3).to_json() for _ in range(2))
    for data in (one, two):
        del data["seconds"]
    assert one == two


def test_goals_that_nobody_can_look_at_leave_one_part() -> None:
    game = game_of("double-tictactoe")
    analysis = analyse(game, take_sample(game, playouts=100, states=100))
    assert len(analysis.groups) == 2
    analysis.effort = Effort(0)
    exact.partition(analysis)
    assert len(analysis.groups) == 1
    assert exact.LATE in analysis.notes


def test_moves_that_the_sample_cannot_tell_apart_stand_by_themselves_in_a_single_part() -> None:
    game = game_of("peg-solitaire")
    sample = take_sample(game, playouts=2, states=2)
    merged = local_moves(sample, range(len(game.fluents)))
    assert any(len(moves) > 1 for of_role in merged.classes for moves in of_role)
    parts, proof = refine(analyse(game, sample), record(game, 1000))
    assert proof is not None
    assert proof.complete
    (board,) = parts.dependent
    assert all(len(moves) == 1 for of_role in board.move_numbers for moves in of_role)


@pytest.mark.parametrize("looks", [1, 100, 900, 3000, 5000, 5800])
def test_time_may_end_anywhere(looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that moves when it is looked at: wherever that ends the work, there is an answer that holds."""
    now = iter(range(10**9))
    monkeypatch.setattr("ludisect.clock.now", lambda: float(next(now)))
    parts = decompose(game_of("parallel-tictactoe"), playouts=50, seconds=float(looks))
    assert status(parts) in ("proved", "tested")
    assert methods.AT_LIMIT in parts.notes or len(parts.dependent) == 2
    assert try_on_plays(parts, playouts=50).status == "tested"


@pytest.mark.parametrize("name", ["double-tictactoe", "nim:3,5", "four-lamps", "tron"])
def test_the_coarse_answer_is_one_part_with_a_context_that_holds(name: str) -> None:
    game = game_of(name)
    parts, proof = coarse(game, take_sample(game))
    assert len(parts.dependent) == 1
    assert proof.complete
    assert try_on_plays(parts).status == "tested"
    fine = {s.fluent_numbers for s in parts_of(name).parts if s.kind == "independent"}
    assert {s.fluent_numbers for s in parts.parts if s.kind == "independent"} <= fine


@pytest.mark.parametrize("stage", ["analyse", "refine"])
def test_an_interrupt_leaves_the_coarse_answer(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C at a place that is known: a timer would ring anywhere, and then in a place where Python drops it."""

    def press(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(methods, stage, press)
    with pytest.raises(BudgetExceeded, match="interrupted") as ended:
        decompose(game_of("parallel-tictactoe"), playouts=PLAYOUTS)
    assert ended.value.budget == "interrupt"
    assert isinstance(ended.value.partial, Decomposition)
    assert (len(ended.value.partial.dependent), status(ended.value.partial)) == (1, "proved")


def test_no_verification_if_none_is_wanted() -> None:
    assert decompose(game_of("two-track"), check=False).evidence is None


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(InputError, match=r"no method 'magic'.*symbols, instances, playouts, exact"):
        decompose(game_of("two-track"), method="magic")


def test_dependencies_carry_their_witnesses() -> None:
    graph = parts_of("two-track").graph
    assert graph is not None
    assert {node.label for node in graph.nodes} == {"(at1 *)", "(at2 *)"}
    relay = parts_of("relay").graph
    assert relay is not None
    assert relay.edges
    assert all(edge.why.startswith("what runner can do to") for edge in relay.edges)


@pytest.mark.parametrize("seed", [2, 15, 22, 36, 48])
def test_a_clock_that_waits_for_choices_belongs_to_them(seed: int) -> None:
    """Nobody was seen to steer it, but it does not run by itself, and there is no stage whose clock it could be."""
    parts = decompose(load(waiting(seed)))
    assert parts.evidence is not None
    assert parts.evidence.status == "proved"
    assert {parts.game.fluents[f].name for f in parts.context_numbers} == {"turn", "step"}
    (home,) = (s for s in parts.dependent if any(parts.game.fluents[f].name == "clock" for f in s.fluent_numbers))
    assert len({parts.game.fluents[f].name for f in home.fluent_numbers}) > 1


def test_what_the_proof_finds_ends_the_search_for_parts() -> None:
    """A compound of eight positions whose score the solver breaks again and again, each time with other states."""
    parts = decompose(load(compose_thorny(919, 918273).rules))
    assert status(parts) == "proved"
    assert len(parts.dependent) == 1


def test_choices_of_either_and_both_are_proved_free() -> None:
    """One board or a row of switches: no outcome stands alone everywhere, nor do all combine, and yet all are free."""
    parts = decompose(load(compose_thorny(984, 424243).rules))
    assert len(parts.dependent) == 6
    assert status(parts) == "proved"
