"""Random games: whatever the rules, the circuit (split, restricted or neither) says what the interpreter says."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.circuit.circuit import build
from ludisect.circuit.game import Game
from ludisect.gdl import Interpreter, Rules, check_machine, read
from ludisect.ground import ground

DOMAIN = ("1", "2", "3")


class Writer:
    """Writes a game: two roles, two kinds of fluent, derived predicates in three strata, the last ones recursive."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def some(self, low: int, high: int) -> range:
        return range(self.random.randint(low, high))

    def term(self, variables: list[str]) -> str:
        return self.random.choice(variables) if self.random.random() < 0.8 else self.random.choice(DOMAIN)

    def literal(self, variables: list[str], stratum: int, moves: bool) -> str:
        kind = self.random.choice([*range(8 if moves else 6), 8, 9, 10])
        x, y = self.term(variables), self.term(variables)
        atom = {
            0: f"(true (f {x}))",
            1: f"(true (g {x} {y}))",
            2: f"(e {x} {y})",
            3: f"(p{self.random.randrange(stratum)} {x} {y})" if stratum else f"(true (f {y}))",
            4: f"(distinct {x} {y})",
            5: f"(or (true (f {x})) (true (g {y} {x})))",
            6: f"(does {self.random.choice('ab')} (m {x}))",
            7: f"(does {self.random.choice('ab')} rest)",
            8: f"(true (fixed {x} {y}))",
            9: f"(differ {x} {y} {self.term(variables)} {self.term(variables)})",
            10: f"(sum {x} {y} {self.term(variables)})",
        }[kind]
        return f"(not {atom})" if self.random.random() < 0.35 else atom

    def body(self, stratum: int, *, moves: bool = False, own: str = "") -> str:
        variables = ["?x", "?y", "?z"][: self.random.randint(2, 3)]
        parts = [f"(d {v})" for v in variables]
        parts += [self.literal(variables, stratum, moves) for _ in self.some(1, 4)]
        if own and self.random.random() < 0.5:
            parts.append(f"({own} {self.random.choice(variables)} {self.random.choice(variables)})")
        self.random.shuffle(parts)
        return " ".join(parts)

    def text(self) -> str:
        out = ["(role a) (role b)", *(f"(d {x})" for x in DOMAIN)]
        out += [f"(e {x} {y})" for x in DOMAIN for y in DOMAIN if self.random.random() < 0.4] or ["(e 1 2)"]
        out += [f"(init (f {x}))" for x in DOMAIN if self.random.random() < 0.5]
        out += [f"(init (g {x} {y}))" for x in DOMAIN for y in DOMAIN if self.random.random() < 0.3]
        out += [f"(init (fixed {x} {y}))" for x in DOMAIN for y in DOMAIN if self.random.random() < 0.5]
        out += ["(<= (next (fixed ?x ?y)) (true (fixed ?x ?y)))"]
        out += ["(<= (differ ?a ?b ?c ?d) (d ?a) (d ?b) (d ?c) (d ?d) (distinct ?a ?c))"]
        out += ["(<= (differ ?a ?b ?c ?d) (d ?a) (d ?b) (d ?c) (d ?d) (distinct ?b ?d))"]
        out += ["(s 1 2) (s 2 3) (s 3 4) (s 4 5) (<= (sum ?x ?y ?y) (d ?x) (d ?y) (true (f ?x)))"]
        out += ["(<= (sum ?x ?y ?z) (s ?x ?u) (s ?y ?v) (sum ?u ?v ?z))"]
        for stratum in range(3):
            for _ in self.some(1, 3):
                out.append(f"(<= (p{stratum} ?x ?y) {self.body(stratum, own=f'p{stratum}')})")
        out += ["(<= (legal ?r rest) (role ?r))"]
        out += [f"(<= (legal {r} (m ?x)) {self.body(3)})" for r in "ab"]
        out += [f"(<= (next (f ?x)) {self.body(3, moves=True)})" for _ in self.some(1, 3)]
        out += [f"(<= (next (g ?x ?y)) {self.body(3, moves=True)})" for _ in self.some(1, 3)]
        out += [f"(<= terminal {self.body(3)})", f"(<= (goal a 100) {self.body(3)})"]
        out += ["(<= (goal a 0) (not (goal a 100)))", f"(<= (goal b {self.random.randint(0, 100)}) {self.body(3)})"]
        return "\n".join(out)


WAYS: dict[str, dict[str, bool]] = {"split": {}, "plain": {"split": False}, "demand": {"demand": True}}


def game_of(rules: Rules, way: str) -> Game:
    g = ground(rules, **WAYS[way])
    return Game("random", g.roles, g.fluents, g.moves, build(g), g.goals, rules)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_circuit_agrees_with_interpreter(seed: int) -> None:
    rules = read(Writer(seed).text())
    interpreter = Interpreter(rules)
    for way in WAYS:
        found = check_machine(game_of(rules, way), interpreter, plays=2, seed=seed, max_length=6)
        assert found == [], "\n".join([way, *map(str, found[:3]), str(rules)])
