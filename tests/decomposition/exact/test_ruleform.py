"""What the form of the rules says, against walking the circuit variable by variable."""

from __future__ import annotations

import numpy as np
import pytest

from ludisect import load
from ludisect.circuit.game import Game
from ludisect.decomposition.evidence import prove as proof
from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.localmoves import local_moves
from ludisect.decomposition.evidence.prove import prove_parts
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.exact.ruleform import plainly_alone, structurally_closed, tied_by_rules
from ludisect.decomposition.exact.variables import FluentGroup, find_invariants, variables_of
from ludisect.decomposition.model.blocks import merge

GAMES = ["double-tictactoe", "nim:3,5", "four-lamps", "tron", "domineering:2x3,2x2", "two-track", "rock-paper-scissors"]


def singles(game: Game) -> list[FluentGroup]:
    """Every other fluent as a variable of its own, so that some are left out."""
    return [FluentGroup((f,)) for f in range(0, len(game.fluents), 2)] + [
        FluentGroup(tuple(range(1, len(game.fluents), 2)))
    ]


def tied_one_by_one(game: Game, variables: list[FluentGroup]) -> list[list[int]]:
    owner = {f: k for k, v in enumerate(variables) for f in v.fluents}
    circuit = game.circuit
    readers: dict[int, list[int]] = {}
    links: list[list[int]] = []
    for k, v in enumerate(variables):
        nodes = circuit.support(circuit.next[list(v.fluents)]).tolist()
        links.append([k, *(owner[n - 1] for n in nodes if n - 1 in owner)])
        for n in nodes:
            if n > circuit.n_fluents:
                readers.setdefault(n, []).append(k)
    for n, ks in readers.items():
        read = circuit.support(circuit.legal[[n - 1 - circuit.n_fluents]]).tolist()
        links.append([*ks, *(owner[x - 1] for x in read if x - 1 in owner)])
    return merge(links, len(variables))


@pytest.mark.parametrize("name", GAMES)
def test_ties_are_those_of_each_variable(name: str) -> None:
    game = load(name)
    plain = [FluentGroup((f,)) for f in range(len(game.fluents))]
    some = plain[::3]
    for variables in (plain, some, singles(game)):
        assert tied_by_rules(game, variables) == tied_one_by_one(game, variables)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_closed_reads_nothing_else(name: str) -> None:
    game = load(name)
    variables = singles(game)[:-1] + [FluentGroup((f,)) for f in range(1, len(game.fluents), 2)]
    circuit = game.circuit
    left = list(range(len(variables)))
    while True:
        inside = {f + 1 for v in left for f in variables[v].fluents}
        inside |= {n for n in range(1, circuit.n_inputs + 1) if circuit.input_value[n] < 2}
        kept = [
            v for v in left if inside.issuperset(circuit.support(circuit.next[list(variables[v].fluents)]).tolist())
        ]
        if kept == left:
            break
        left = kept
    assert structurally_closed(game, Invariants(), variables, range(len(variables))) == left


@pytest.mark.parametrize("name", [*GAMES, "relay", "lights-on", "runners"])
def test_what_the_wires_fulfil_the_solver_proves(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of every kind, most of them wrong: variables by themselves and halves of the game."""
    game = load(name)
    sample = take_sample(game, playouts=50, states=50)
    free = np.flatnonzero(~game.circuit.constant_fluents).tolist()
    invariants = find_invariants(game, sample, free)
    variables = variables_of(invariants, free)
    middle = len(variables) // 2
    halves = [[f for v in some for f in v.fluents] for some in (variables[:middle], variables[middle:])]
    for parts in ([list(v.fluents) for v in variables[:6]], halves):
        locals_ = [local_moves(sample, p) for p in parts]
        context = [f for f in free if not any(f in p for p in parts)][:2]
        known = [plainly_alone(game, invariants, p, context, m) for p, m in zip(parts, locals_, strict=True)]
        monkeypatch.setattr(proof, "plainly_alone", lambda *args: frozenset())
        by_solver = prove_parts(game, invariants, parts, context, locals_, {})
        monkeypatch.undo()
        proved = {(c.part, c.name) for c in by_solver.claims if c.verdict == "proved"}
        assert {(i, name) for i, names in enumerate(known) for name in names} <= proved
        whole = prove_parts(game, invariants, parts, context, locals_, {})
        assert {(c.part, c.name) for c in whole.claims if c.verdict == "proved"} == proved


def test_wires_alone_prove_boards_apart() -> None:
    """Two runners who see nothing of each other: nothing is left to ask."""
    game = load(
        "(role a) (role b) (succ 1 2) (succ 2 3) (init (at a 1)) (init (at b 1))"
        "(<= (legal ?r go) (true (at ?r 1))) (<= (legal ?r go) (true (at ?r 2))) (<= (legal ?r stay) (role ?r))"
        "(<= (next (at ?r ?y)) (does ?r go) (true (at ?r ?x)) (succ ?x ?y))"
        "(<= (next (at ?r ?x)) (does ?r stay) (true (at ?r ?x)))"
        "(<= terminal (true (at a 3))) (<= (goal a 100) (true (at a 3))) (<= (goal b 100) (true (at b 3)))"
    )
    sample = take_sample(game)
    for role in ("a", "b"):
        part = [i for i, t in enumerate(game.fluents) if str(t.args[0]) == role]
        found = plainly_alone(game, Invariants(), part, [], local_moves(sample, part))
        assert found == {"transition", "availability"}
        fewer = plainly_alone(game, Invariants(), part[:1], [], local_moves(sample, part[:1]))
        assert "availability" not in fewer or "transition" not in fewer
