"""Prove a decomposition: conditions 1 to 4 and the context, for every state that satisfies proved invariants.

Each claim says that two states cannot be told apart by some part; both are copies of the circuit in one solver, and the
claim is switched on by an assumption. No model: proved. A model is a counterexample among states that satisfy the
invariants; it may be unreachable, so it refutes the proof, not the decomposition, but it is worth looking at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import pack
from ludisect.circuit.solver import Model, Prover
from ludisect.decomposition.evidence.exchange import Exchange
from ludisect.decomposition.evidence.freechoice import free_factors, tied_parts
from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.localmoves import PASS, LocalMoves
from ludisect.decomposition.evidence.scoreproof import prove_score
from ludisect.decomposition.exact.ruleform import plainly_alone, plainly_closed
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.blocks import ancestors
from ludisect.effort import Effort, OutOfTime
from ludisect.progress import report

Verdict = Literal["proved", "refuted", "open"]

BY_ITSELF = "context"
"""The claim that the context runs by itself, whatever is played;"""

WITH_STAGES = "context, given the stages"
"""the weaker one that it does so as long as the same stages are open."""

EVALUATION = "evaluation"
"""The claim that the score, and the end of parts without one, are sums over the parts."""

FREE_CHOICE = "free choice"
"""The claim, per role, that what it does in one part does not decide what happens in another."""

CONDITIONS = ("transition", "availability")
"""What is claimed of every part."""


@dataclass(frozen=True, slots=True)
class Claim:
    """``part`` is an index into the dependent parts, or -1 for the context."""

    name: str
    part: int
    verdict: Verdict
    model: Model | None = None
    exchange: Exchange | None = None
    """What refutes condition 4."""


@dataclass(slots=True)
class Proof:
    """What became of each claim."""

    claims: list[Claim] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether everything was proved."""
        return all(c.verdict == "proved" for c in self.claims)

    def refuted(self) -> list[Claim]:
        """Claims with a model."""
        return [c for c in self.claims if c.verdict == "refuted"]

    def summary(self) -> dict[str, str]:
        """Per kind of claim: proved, or how many of how many."""
        out: dict[str, str] = {}
        for name in dict.fromkeys(c.name for c in self.claims):
            mine = [c for c in self.claims if c.name == name]
            done = sum(c.verdict == "proved" for c in mine)
            out[name] = "proved" if done == len(mine) else f"tested only ({done} of {len(mine)} proved)"
        return out


def prove_parts(
    game: Game,
    invariants: Invariants,
    parts: Sequence[Sequence[int]],
    context: Sequence[int],
    locals_: Sequence[LocalMoves],
    after: Mapping[int, Sequence[int]],
    effort: Effort | None = None,
) -> Proof:
    """Try to prove every claim about the dependent ``parts`` and the ``context`` (fluents). Out of time, what was not
    looked at is open."""
    effort = effort or Effort(DecompositionLimits.current().decompose_work)
    plain = plainly_closed(game, invariants, context)
    several = parts if len(parts) > 1 else []
    wanted = [(BY_ITSELF, -1)] if context or not plain else []
    wanted += [(name, i) for i in range(len(several)) for name in CONDITIONS]
    if several:
        wanted += [*((FREE_CHOICE, r) for r in range(len(game.roles))), (EVALUATION, 0)]
    asked = len(wanted) + sum(bool(after.get(i)) for i in range(len(several))) * len(CONDITIONS)

    def claims() -> Iterator[Claim]:
        """One after the other."""
        if plain and context:
            yield Claim(BY_ITSELF, -1, "proved")
        by_form = [plainly_alone(game, invariants, p, context, m) for p, m in zip(several, locals_, strict=False)]
        if plain and all(known == {*CONDITIONS} for known in by_form):
            yield from (Claim(name, i, "proved") for i in range(len(several)) for name in CONDITIONS)
        else:
            pair = _Pair(game, invariants, parts, context, locals_, after, effort)
            if not plain:
                yield pair.context_claim()
            for i, known in enumerate(by_form):
                yield from pair.claims_about(i, known)
        if several:
            each = effort.rest().part(1 / len(game.roles))
            for r in range(len(game.roles)):
                yield _Choice(game, invariants, r, each.part(1.0)).claim(locals_)
            found = prove_score(game, invariants, several, effort.rest())
            yield from (_score_claim(k, answer) for k, answer in enumerate(found or [True]))

    proof = Proof()
    try:
        report("proving", 0, asked)
        for claim in claims():
            proof.claims.append(claim)
            report("proving", min(len(proof.claims), asked), asked)
        report("proving", asked, asked)
    except OutOfTime:
        known = {(c.name if c.part >= 0 else BY_ITSELF, c.part) for c in proof.claims}
        proof.claims += [Claim(name, part, "open") for name, part in wanted if (name, part) not in known]
    return proof


def _score_claim(number: int, answer: Exchange | bool) -> Claim:
    if isinstance(answer, Exchange):
        return Claim(EVALUATION, number, "refuted", exchange=answer)
    return Claim(EVALUATION, number, "proved" if answer else "open")


class _Pair:
    """Two copies of the game with all claims about them, each behind a switch."""

    def __init__(
        self,
        game: Game,
        invariants: Invariants,
        parts: Sequence[Sequence[int]],
        context: Sequence[int],
        locals_: Sequence[LocalMoves],
        after: Mapping[int, Sequence[int]],
        effort: Effort,
    ) -> None:
        self.game, self.parts, self.context, self.locals, self.after = game, parts, context, locals_, after
        self.prover = p = Prover(game, copies=2, effort=effort)
        with p.building():
            invariants.assume(p, game.circuit.initial)
            p.in_play(0)
            p.in_play(1)
            p.agree(context)
            self.switches: list[int] = []
            self.open = [self._open(i) for i in range(len(parts))] if after else []
            self.same_phase = self._switch() if after else 0
            for one, other in self.open:
                p.require([-self.same_phase, -p.differ(one, other)])
            self.questions = self._context() if context else {}
            if len(parts) > 1:
                for i in range(len(parts)):
                    self._part(i)

    def _switch(self) -> int:
        """A switch that is off in every question that does not name it."""
        self.switches.append(self.prover.switch())
        return self.switches[-1]

    def _legal(self, role: int, moves: Sequence[int], copy: int) -> int:
        legal = self.game.circuit.legal[self.game.batch.first_move[role] :]
        return self.prover.any_of([self.prover.lit(int(legal[m]), copy) for m in moves])

    def _open(self, part: int) -> tuple[int, int]:
        """Per copy: whether the part offers some local move."""
        out = []
        for copy in (0, 1):
            some = [
                self._legal(r, members, copy)
                for r, classes in enumerate(self.locals[part].classes)
                for members in classes
            ]
            out.append(self.prover.any_of(some))
        return out[0], out[1]

    def _next_differs(self, fluents: Sequence[int], on: int) -> None:
        p, following = self.prover, self.game.circuit.next
        p.require([-on, *(p.differ(p.lit(int(following[f]), 0), p.lit(int(following[f]), 1)) for f in fluents)])

    def _context(self) -> dict[str, list[int]]:
        on = self._switch()
        self._next_differs(self.context, on)
        return {BY_ITSELF: [on]} | ({WITH_STAGES: [on, self.same_phase]} if self.after else {})

    def _part(self, i: int) -> None:
        p = self.prover
        agree = self._switch()
        for f in self.parts[i]:
            p.require([-agree, -p.differ(p.fluent(f, 0), p.fluent(f, 1))])
        moves_agree, differs, lost = self._switch(), self._switch(), self._switch()
        gone = []
        for r, classes in enumerate(self.locals[i].classes):
            for members in classes:
                made = [p.any_of([p.move(r, m, copy) for m in members]) for copy in (0, 1)]
                p.require([-moves_agree, -p.differ(made[0], made[1])])
                gone.append(p.all_of([self._legal(r, members, 0), -self._legal(r, members, 1)]))
        self._next_differs(self.parts[i], differs)
        p.require([-lost, *gone])
        transition, availability = [agree, moves_agree, differs], [agree, lost]
        if self.after.get(i):  # a stage that is closed is in the hands of those before it, and of nobody else
            before = self._switch()
            for f in (f for k in ancestors(self.after, i) for f in self.parts[k]):
                p.require([-before, -p.differ(p.fluent(f, 0), p.fluent(f, 1))])
            self.questions[f"stage transition {i}"] = [*transition, before]
            self.questions[f"stage availability {i}"] = [*availability, before]
            transition += self.open[i]
            availability.append(self.open[i][1])
        self.questions[f"transition {i}"] = transition
        self.questions[f"availability {i}"] = availability

    def _ask(self, name: str, part: int, question: Sequence[int]) -> Claim:
        asked = set(question)
        answer = self.prover.ask([*question, *(-s for s in self.switches if s not in asked)])
        if answer is False:
            return Claim(name, part, "proved")
        return Claim(name, part, "refuted", answer) if isinstance(answer, Model) else Claim(name, part, "open")

    def context_claim(self) -> Claim:
        """The context runs by itself: its next value is a function of its value, whatever is played; or at least a
        function of its value and of which stages are open."""
        claim = self._ask(BY_ITSELF, -1, self.questions[BY_ITSELF])
        if claim.verdict == "proved" or WITH_STAGES not in self.questions:
            return claim
        return self._ask(WITH_STAGES, -1, self.questions[WITH_STAGES])

    def claims_about(self, i: int, known: AbstractSet[str]) -> list[Claim]:
        """Conditions 1 and 2 for part i; for a stage also while it is closed, if those before it are as they are.
        Nothing is asked about the known ones."""
        return [
            Claim(name, i, "proved") if name in known else self._ask(name, i, self.questions[f"{when}{name} {i}"])
            for when in ("", "stage ")
            for name in CONDITIONS
            if f"{when}{name} {i}" in self.questions
        ]


class _Choice:
    """Condition 3 for one role."""

    def __init__(self, game: Game, invariants: Invariants, role: int, effort: Effort) -> None:
        self.game, self.invariants, self.role, self.effort = game, invariants, role, effort
        self.moves = slice(*game.batch.first_move[role : role + 2].tolist())

    def claim(self, locals_: Sequence[LocalMoves]) -> Claim:
        """What becomes of it: three questions, each with a third of the effort."""
        rows = np.stack([local.number[self.role] for local in locals_], axis=1)
        if not ((rows != PASS).sum(axis=1) > 1).any():
            return Claim(FREE_CHOICE, self.role, "proved")  # no move acts in two parts: each local move stands alone
        answer: Model | bool | None = None
        for ask in (self._not_a_product, self._not_a_tree, self._not_free):
            answer = ask(rows, self.effort.part(1 / 3))
            if answer is False:
                return Claim(FREE_CHOICE, self.role, "proved")
        if isinstance(answer, Model):
            return Claim(FREE_CHOICE, self.role, "refuted", answer)
        return Claim(FREE_CHOICE, self.role, "open")

    def _not_a_tree(self, rows: NDArray[np.int64], effort: Effort) -> Model | bool | None:
        """A state in which the local moves are not all combinations of what can be done in sets of parts, or in one of
        the sets there is one that stands neither alone nor goes with everything. The sets are those that combine freely
        over all moves; nothing is said where they are single parts, or one set."""
        possible = self.game.circuit.input_value[1 + self.game.circuit.n_fluents :][self.moves] != 0
        sets = free_factors(rows[possible])  # of moves that are ever made
        if len(sets) < 2 or all(len(some) == 1 for some in sets):
            return None
        numbers = [np.unique(rows[:, some], axis=0, return_inverse=True)[1].ravel() for some in sets]
        answer = self._not_a_product(np.stack(numbers, axis=1), effort)
        for some in sets:
            if answer is False and len(some) > 1:
                answer = self._not_free(rows[:, some], effort.rest())
        return answer

    def _in_play(self, rows: NDArray[np.int64], effort: Effort) -> tuple[Prover, dict[tuple[int, ...], int]]:
        """A game in play, and a literal per combination of local moves: some legal move is it."""
        prover = Prover(self.game, effort=effort)
        with prover.building():
            self.invariants.assume(prover, self.game.circuit.initial)
            prover.in_play()
            members: dict[tuple[int, ...], list[int]] = {}
            for net, row in zip(self.game.circuit.legal[self.moves].tolist(), rows.tolist(), strict=True):
                members.setdefault(tuple(row), []).append(prover.lit(net))
            return prover, {row: prover.any_of(some) for row, some in members.items()}

    def _not_a_product(self, rows: NDArray[np.int64], effort: Effort) -> Model | bool | None:
        """A state in which each part has an outcome that some legal move brings about, but no legal move all."""
        prover, legal = self._in_play(rows, effort)
        with prover.building():
            picked: list[dict[int, int]] = []
            for i, outcomes in enumerate(rows.T):
                choose = {c: prover.switch() for c in np.unique(outcomes).tolist()}
                for c, on in choose.items():
                    prover.require([-on, prover.any_of([x for row, x in legal.items() if row[i] == c])])
                prover.one_of(list(choose.values()))
                picked.append(choose)
            prover.require(
                [
                    -prover.any_of(
                        [
                            prover.all_of([x, *(p[c] for p, c in zip(picked, row, strict=True))])
                            for row, x in legal.items()
                        ]
                    )
                ]
            )
        return prover.ask()

    def _not_free(self, rows: NDArray[np.int64], effort: Effort) -> Model | bool | None:
        """A state in which parts are tied: a local move there stands nowhere alone and does not go with everything done
        elsewhere, not even in sets of parts that combine freely."""
        outcomes = {(i, int(c)) for row in rows for i, c in enumerate(row) if c != PASS and (row != PASS).sum() > 1}
        if len(outcomes) * len(np.unique(rows, axis=0)) > DecompositionLimits.current().prove_hybrids:
            return None
        prover, legal = self._in_play(rows, effort)
        with prover.building():
            bad = []
            for i, c in sorted(outcomes):
                here = prover.any_of([x for row, x in legal.items() if row[i] == c])
                hybrids = [((*row[:i], c, *row[i + 1 :]), x) for row, x in legal.items() if row[i] != c]
                clash = [prover.all_of([x, -legal[hybrid]] if hybrid in legal else [x]) for hybrid, x in hybrids]
                alone = legal.get(tuple(c if k == i else PASS for k in range(rows.shape[1])))
                bad.append(prover.all_of([here, prover.any_of(clash), *([] if alone is None else [-alone])]))
            prover.require(bad)
        answer = prover.ask()
        while isinstance(answer, Model):
            offered = rows[np.flatnonzero(self.game.batch.legal(pack(answer.states[:1]))[0, self.moves])]
            if tied_parts(offered):
                break
            free = set(map(tuple, offered.tolist()))
            with prover.building():  # the same choice is free in every state
                prover.require([-x if row in free else x for row, x in legal.items()])
            answer = prover.ask()
        return answer
