"""What is proved of a decomposition is what holds of all states and joint moves of tiny games: no more, no less."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.game import Game
from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.localmoves import PASS, LocalMoves
from ludisect.decomposition.evidence.localmoves import local_moves as find_local_moves
from ludisect.decomposition.evidence.prove import BY_ITSELF, EVALUATION, WITH_STAGES, Claim, Proof, prove_parts
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.blocks import ancestors
from ludisect.gdl.terms import Term
from ludisect.loader import load
from tests.circuit.test_netlist import FLUENTS, circuits
from tests.circuit.test_solver import Everything


def game_of(circuit: Circuit) -> Game:
    """A random circuit as a game of two roles."""
    moves = [[Term(f"m{r}{m}") for m in range(high - low)] for r, (low, high) in enumerate(circuit.roles.tolist())]
    fluents = tuple(Term(f"f{i}") for i in range(FLUENTS))
    return Game("random", ("a", "b"), fluents, tuple(map(tuple, moves)), circuit, ((0, 100), (1, 100)))


@st.composite
def local_moves(draw: st.DrawFn, game: Game) -> LocalMoves:
    """Any classes of moves, right or wrong; some moves are in none."""
    classes, numbers = [], []
    for moves in game.moves:
        number = [draw(st.integers(PASS, 1)) for _ in moves]
        kinds = sorted({*number} - {PASS})
        classes.append(tuple(tuple(m for m, c in enumerate(number) if c == kind) for kind in kinds))
        numbers.append(np.array([PASS if c == PASS else kinds.index(c) for c in number], np.int64))
    return LocalMoves(tuple(classes), tuple(numbers))


@dataclass(frozen=True)
class Case:
    """A game and what is claimed of it."""

    game: Game
    invariants: Invariants
    parts: list[list[int]]
    context: list[int]
    locals: list[LocalMoves]
    after: Mapping[int, Sequence[int]]

    def proof(self) -> Proof:
        return prove_parts(self.game, self.invariants, self.parts, self.context, self.locals, self.after)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    game = game_of(draw(circuits()))
    home = [draw(st.integers(-1, 2)) for _ in range(FLUENTS)]
    parts = [[f for f in range(FLUENTS) if home[f] == k] for k in range(3)]
    parts = [p for p in parts if p]
    context = [f for f in range(FLUENTS) if home[f] < 0]
    after = {k: [k - 1] for k in range(1, len(parts)) if draw(st.booleans())}
    some = st.lists(st.integers(0, FLUENTS - 1), min_size=1, max_size=3, unique=True).map(tuple)
    kind = draw(st.sampled_from(["none", "exactly", "at most", "constant"]))
    group = draw(some)
    invariants = Invariants(
        exactly_one=(group,) * (kind == "exactly"),
        at_most_one=(group,) * (kind == "at most"),
        constant=group[:1] * (kind == "constant"),
    )
    return Case(game, invariants, parts, context, [draw(local_moves(game)) for _ in parts], after)


class Brute:
    """The claims, one by one, on every pair of situations (a state in play and a legal joint move)."""

    def __init__(self, case: Case) -> None:
        self.case, self.all = case, Everything(case.game)
        fine = self.all.in_play.copy()
        state = self.all.state
        for g in case.invariants.exactly_one:
            fine &= state[:, list(g)].sum(axis=1) == 1
        for g in case.invariants.at_most_one:
            fine &= state[:, list(g)].sum(axis=1) <= 1
        for f in case.invariants.constant:
            fine &= state[:, f] == case.game.circuit.initial[f]
        self.rows = np.flatnonzero(fine).tolist()

    def now(self, row: int, fluents: Sequence[int]) -> tuple[bool, ...]:
        return tuple(self.all.state[row, list(fluents)].tolist())

    def then(self, row: int, fluents: Sequence[int]) -> tuple[bool, ...]:
        return tuple(self.all.next[row, list(fluents)].tolist())

    def made(self, row: int, part: int) -> tuple[int, ...]:
        return tuple(int(n[self.all.joint[row, r]]) for r, n in enumerate(self.case.locals[part].number))

    def legal_rows(self, row: int, role: int) -> set[tuple[int, ...]]:
        """Per legal move of a role its class in each part."""
        first = self.case.game.batch.first_move
        legal = np.flatnonzero(self.all.legal[row, first[role] : first[role + 1]]).tolist()
        return {tuple(int(local.number[role][m]) for local in self.case.locals) for m in legal}

    def available(self, row: int, part: int) -> set[tuple[int, int]]:
        there = {(r, one[part]) for r in range(2) for one in self.legal_rows(row, r)}
        return {(r, c) for r, c in there if c != PASS}

    def opened(self, row: int) -> tuple[bool, ...]:
        return tuple(bool(self.available(row, i)) for i in range(len(self.case.parts)))

    def function(self, pairs: Iterator[tuple[object, object]]) -> bool:
        known: dict[object, object] = {}
        return all(known.setdefault(key, value) == value for key, value in pairs)

    def before(self, part: int) -> list[int]:
        return [f for k in sorted(ancestors(self.case.after, part)) for f in self.case.parts[k]]

    def holds(self, claim: Claim, *, closed: bool) -> bool:
        """Whether a claim is true; ``closed`` is that about a stage whether it is open or not."""
        context, i = self.case.context, claim.part
        if claim.name == BY_ITSELF:
            return self.function((self.now(x, context), self.then(x, context)) for x in self.rows)
        if claim.name == WITH_STAGES:
            return self.function(((self.now(x, context), self.opened(x)), self.then(x, context)) for x in self.rows)
        if claim.name == "free choice":
            return self.free(i)
        rows = self.rows
        read = [*context, *self.case.parts[i]]
        if closed:
            read += self.before(i)
        elif self.case.after.get(i):
            rows = [x for x in rows if self.opened(x)[i]]
        if claim.name == "availability":
            return self.function((self.now(x, read), frozenset(self.available(x, i))) for x in rows)
        assert claim.name == "transition"
        return self.function(((self.now(x, read), self.made(x, i)), self.then(x, self.case.parts[i])) for x in rows)

    def free(self, role: int) -> bool:
        """Condition 3, state by state."""
        return all(self.free_among(self.legal_rows(x, role)) for x in self.rows)

    def free_among(self, rows: set[tuple[int, ...]]) -> bool:
        """Each local move of some rows alone or with everything else; or all combinations of two halves, in each of
        which it is so."""
        every = range(len(next(iter(rows), ())))
        acting = {(i, row[i]) for row in rows for i in every if row[i] != PASS and sum(c != PASS for c in row) > 1}
        if all(
            tuple(c if k == i else PASS for k in every) in rows
            or {(*row[:i], c, *row[i + 1 :]) for row in rows} <= rows
            for i, c in acting
        ):
            return True
        for number in range(1, (1 << len(every)) - 1):
            halves = [[i for i in every if number >> i & 1 == side] for side in (0, 1)]
            one, other = ({tuple(row[i] for i in half) for row in rows} for half in halves)
            if len(rows) == len(one) * len(other) and self.free_among(one) and self.free_among(other):
                return True
        return False


@given(cases())
@settings(max_examples=150)
def test_what_is_proved_is_what_holds(case: Case) -> None:
    brute, proof = Brute(case), case.proof()
    seen: set[tuple[str, int]] = set()
    for claim in proof.claims:
        if claim.name == EVALUATION:  # see test_scoreproof
            continue
        closed = (claim.name, claim.part) in seen  # a stage is claimed twice: while it is open, and at all
        seen.add((claim.name, claim.part))
        assert claim.verdict == ("proved" if brute.holds(claim, closed=closed) else "refuted"), (claim, closed)
        if claim.part == -1:  # the weaker claim is made where the other does not hold
            by_itself = brute.holds(Claim(BY_ITSELF, -1, "open"), closed=False)
            assert claim.name == (BY_ITSELF if by_itself or not case.after else WITH_STAGES)
    assert proof.complete == (not proof.refuted())


@given(cases())
@settings(max_examples=50)
def test_everything_is_claimed(case: Case) -> None:
    """But nothing about parts where there is only one, nor about a context that is empty."""
    names = [(c.name, c.part) for c in case.proof().claims]
    contexts = [name for name, part in names if part == -1]
    assert contexts in ([[BY_ITSELF], [WITH_STAGES]] if case.context else [[]])
    several = range(len(case.parts)) if len(case.parts) > 1 else range(0)
    wanted = {(name, i) for i in several for name in ("transition", "availability")}
    assert (EVALUATION in {name for name, _ in names}) == bool(several)
    names = [n for n in names if n[0] != EVALUATION]
    assert {n for n in names if n[1] >= 0} == wanted | {("free choice", r) for r in range(2) if several}


BOTH_OR_NONE = """
(role r) (init (step 0)) (succ 0 1) (succ 1 2) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(legal r both) (legal r rest) (<= (legal r (put a)) (true (step 1)))
(<= (next (up a)) (does r both)) (<= (next (up b)) (does r both)) (<= (next (up a)) (does r (put a)))
(<= (next (up ?x)) (true (up ?x)))
(<= terminal (true (step 2))) (<= (goal r 100) (true (up a))) (<= (goal r 0) (not (true (up a))))
"""


def test_what_is_too_large_to_ask_is_open() -> None:
    game = load(BOTH_OR_NONE)
    number = {str(fluent): f for f, fluent in enumerate(game.fluents)}
    parts = [[number["(up a)"]], [number["(up b)"]]]
    context = [f for name, f in number.items() if name.startswith("(step")]
    sample = take_sample(game)
    locals_ = [find_local_moves(sample, part) for part in parts]
    for limits, verdict in ((DecompositionLimits(), "refuted"), (DecompositionLimits(prove_hybrids=0), "open")):
        with DecompositionLimits.given(limits):
            proof = prove_parts(game, Invariants(), parts, context, locals_, {})
        assert [c.verdict for c in proof.claims if c.name == "free choice"] == [verdict]
        assert not proof.complete


def test_the_summary_counts() -> None:
    proof = Proof([Claim("transition", 0, "proved"), Claim("transition", 1, "open"), Claim("context", -1, "proved")])
    assert proof.summary() == {"transition": "tested only (1 of 2 proved)", "context": "proved"}
    assert not proof.complete
    assert proof.refuted() == []
