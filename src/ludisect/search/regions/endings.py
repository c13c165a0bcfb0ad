"""When a game of operators ends, and who gets what then: asked of the solver for all states at once.

Whether somebody can move is a matter of the operators' guards, so one copy of the board answers for both players. A
claim that fails is shown with a state: one that play has met where there is one, else a state of the solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.rows import Rows, pack, unpack
from ludisect.circuit.solver import Model, Prover
from ludisect.decomposition.evidence.sample import Sample, take_sample
from ludisect.decomposition.exact.variables import find_invariants
from ludisect.effort import Effort
from ludisect.gdl.machine import Fluents
from ludisect.rulesets.position import Player
from ludisect.search.limits import SearchLimits
from ludisect.search.regions.changes import bits
from ludisect.search.regions.cubes import Cube, absorbed
from ludisect.search.regions.guarded import SIDES, Operators, Turn
from ludisect.search.regions.implications import as_literals, clauses, exclusions
from ludisect.search.regions.refused import Refused
from ludisect.search.regions.settling import settle
from ludisect.search.regions.threats import Threat, brought_about, candidates

Gets = tuple[int, int]
"""What the first and the second role get."""


class Endings:
    """The ends of a game of operators, under questions."""

    def __init__(self, operators: Operators, effort: Effort | None = None) -> None:
        self.operators, self.game = operators, operators.game
        limits = SearchLimits.current()
        effort = Effort(limits.regions_work) if effort is None else effort
        game = self.game
        if bool(game.batch.terminal(game.batch.initial)[0]):
            raise Refused("the play is over")
        self.sample: Sample = take_sample(game)
        free = np.flatnonzero(~game.circuit.constant_fluents).tolist()
        self.invariants = find_invariants(game, self.sample, free, effort.part(0.5))
        self.prover = Prover(game, effort=effort, moves=False)
        with self.prover.building():
            self._assume()
            self.over = self.prover.lit(game.circuit.terminal)
            self._no_goal: dict[int, int] = {}
            self.goals = [self._goals(role) for role in (0, 1)]
        self._can: dict[int, int] = {}
        self._could: dict[int, int] = {}
        self.threats: tuple[Threat, ...] = ()
        self._threat: list[int] = []
        self._cubes = candidates(operators)
        self._by = {cube: brought_about(cube, operators.listed) for cube in self._cubes}
        with self.prover.building():
            self._literals = [self.prover.all_of(self._cube(*cube)) for cube in self._cubes]
        self._quiet = [self._ended_before(mover) for mover in (0, 1)]
        self.find_threats()

    # ---- what is known of every state ----

    def _assume(self) -> None:
        """The invariants, and what no operator can ever change."""
        prover, ops = self.prover, self.operators
        self.invariants.assume(prover, self.game.circuit.initial)
        initial = ops.word(self.game.batch.initial)
        live, _ = settle(ops.listed, range(len(ops.listed)), initial)
        can_hold, can_fail = initial, ~initial
        for i in live:
            can_hold |= ops.listed[i].sets
            can_fail |= ops.listed[i].clears
        context = {f for turn in ops.turns for f in turn.context}
        place = {f: k for k, f in enumerate(ops.numbers)}
        for f in range(len(self.game.fluents)):
            k = place.get(f)
            holds = bool(self.game.circuit.initial[f])
            if f in context or (k is not None and can_hold >> k & 1 and can_fail >> k & 1):
                continue
            prover.require([prover.fluent(f) if holds else -prover.fluent(f)])

    def exclusive(self, *, more: bool = False) -> list[int]:
        """Sets of facts of which no two ever hold together, as words; with ``more``, pairs that are looked for too."""
        place = {f: k for k, f in enumerate(self.operators.numbers)}
        groups = (*self.invariants.exactly_one, *self.invariants.at_most_one)
        found = [sum(1 << place[f] for f in group if f in place) for group in groups]
        if more:
            found += exclusions(self.operators, self.operators.word(self.game.batch.initial), self._seen())
        return found

    def strengthen(self) -> bool:
        """Restrict the states further, by clauses between facts; False if none were found."""
        prover, ops = self.prover, self.operators
        found = clauses(ops, ops.word(self.game.batch.initial), self._seen())
        with prover.building():
            for clause in found:
                some, none = as_literals(clause)
                prover.require(
                    [*(prover.fluent(ops.numbers[k]) for k in some), *(-prover.fluent(ops.numbers[k]) for k in none)]
                )
        self.find_threats()
        return bool(found)

    def _seen(self) -> NDArray[np.bool_]:
        """States x facts of the operators, in states that play has met."""
        rows = np.concatenate([self.sample.states, self.sample.endings])
        seen: NDArray[np.bool_] = unpack(rows, len(self.game.fluents))[:, list(self.operators.numbers)]
        return seen

    def _cube(self, needs: int, bars: int) -> list[int]:
        numbers, fluent = self.operators.numbers, self.prover.fluent
        return [*(fluent(numbers[k]) for k in bits(needs)), *(-fluent(numbers[k]) for k in bits(bars))]

    def can(self, role: int) -> int:
        """A literal: the role, to move, can. It says so in the nets of the circuit, as ``terminal`` may."""
        if role not in self._can:
            low, high = self.game.circuit.roles[role] - 1 - self.game.circuit.n_fluents
            with self.prover.building():
                nets = [self.prover.lit(int(net)) for net in self.game.circuit.legal[low:high]]
                self._can[role] = self.prover.any_of(nets)
        return self._can[role]

    def could(self, role: int) -> int:
        """A literal: the role could move if it were its turn. The guards of its operators say so, which are no nets."""
        if role not in self._could:
            guards = {(op.needs, op.bars) for op in self.operators.listed if op.player is SIDES[role]}
            with self.prover.building():
                cubes = [self.prover.all_of(self._cube(*guard)) for guard in absorbed(guards)]
                self._could[role] = self.prover.any_of(cubes)
        return self._could[role]

    def _goals(self, role: int) -> dict[int, int]:
        """Literals by goal value: the role gets exactly this."""
        nets = [
            (value, self.prover.lit(int(literal)))
            for (of_role, value), literal in zip(self.game.goal_table, self.game.circuit.goal, strict=True)
            if of_role == role
        ]
        self._no_goal[role] = self.prover.not_exactly_one([literal for _, literal in nets])
        return dict(nets)

    def assumed(self, turn: Turn) -> list[int]:
        """Assumptions: it is this turn, and nothing holds that would have ended the play before the last move."""
        return [*self._now(turn), *self._quiet[turn.mover]]

    # ---- asking ----

    def ask(self, assumed: Sequence[int], claim: str) -> Model | bool:
        answer = self.prover.ask(assumed)
        if answer is None:
            raise Refused(f"it could not be proved in the time allowed that {claim}")
        return answer

    def _none(self, assumed: Sequence[int], claim: str, refusal: str) -> None:
        """Raise Refused unless there is no such state."""
        model = self.ask(assumed, claim)
        if isinstance(model, Model):
            raise Refused(refusal, self.shown(model))

    def shown(self, model: Model) -> Fluents:
        return self.game.batch.state(pack(model.states[:1]))

    def _met(self, rows: Rows, bad: NDArray[np.bool_], refusal: str) -> None:
        """Raise Refused if a state that play has met is bad."""
        if bad.any():
            raise Refused(refusal, self.game.batch.state(rows[int(np.flatnonzero(bad)[0])][None]), met=True)

    # ---- threats ----

    def find_threats(self, *, both: bool = False) -> None:
        """The cubes of ``terminal`` under which the player to move may still have a move (or both players may)."""
        found: list[Cube] = []
        self._threat = []
        for (cube, turns), literal in zip(self._cubes.items(), self._literals, strict=True):
            fresh = [turn for turn in turns if SIDES[1 - turn.mover] in self._by[cube]]
            if any(self._may_end(turn, literal, both) for turn in fresh):
                found.append(cube)
                self._threat.append(literal)
        self.threats = tuple(Threat(*cube, self._by[cube]) for cube in found)
        with self.prover.building():
            self.threatened = self.prover.any_of(self._threat)

    def _ended_before(self, mover: int) -> list[int]:
        """Literals: nothing holds that ends play at the turns of the other player, if his move cannot bring it about.

        It would have held at his turn, and there would have been no move.
        """
        his = [turn for turn in self.operators.turns if turn.mover != mover]
        initial = self.operators.word(self.game.batch.initial)
        return [
            -literal
            for (cube, turns), literal in zip(self._cubes.items(), self._literals, strict=True)
            if SIDES[1 - mover] not in self._by[cube]
            and all(any(turn is one for one in turns) for turn in his)
            and not Threat(*cube, frozenset()).holds(initial)
        ]

    def _may_end(self, turn: Turn, literal: int, both: bool) -> bool:
        """Whether the cube can end the play at a turn at which its mover (or each player) could still move."""
        claim = "certain facts end the play only where nobody can move"
        able = [self.could(0), self.could(1)] if both else [self.can(turn.mover)]
        return self.ask([*self.assumed(turn), literal, *able], claim) is not False

    def _now(self, turn: Turn) -> list[int]:
        fluent = self.prover.fluent
        return [fluent(f) if value else -fluent(f) for f, value in turn.context.items()]

    def settle_threats(self) -> tuple[Threat, ...]:
        """The threats with what each pays.

        Raises:
            Refused: a threat pays different things, or does not end the play.
        """
        out = []
        for threat, literal in zip(self.threats, self._threat, strict=True):
            text = self.cube_text(threat)
            pays: set[Gets] = set()
            for turn in self.operators.turns:
                if SIDES[1 - turn.mover] not in threat.by:
                    continue
                assumed = [*self.assumed(turn), literal]
                self._none([*assumed, -self.over], f"{text} ends the play", f"{text} does not end the play")
                pays |= self._pays(assumed, f"what {text} pays is always the same")
            if len(pays) > 1:
                raise Refused(f"{text} ends the play, and what the players get then is not always the same")
            if pays:
                out.append(replace(threat, gets=pays.pop()))
        return tuple(out)

    def cube_text(self, threat: Threat) -> str:
        """A threat in words."""
        facts = self.operators.facts
        held = [str(facts[k]) for k in bits(threat.needs)]
        return " and ".join([*held, *(f"not {facts[k]}" for k in bits(threat.bars))]) or "nothing at all"

    # ---- ends ----

    def mover_stuck(self) -> bool:
        """Whether play ends exactly when the player to move cannot, threats apart; False if it can end before.

        Raises:
            Refused: play goes on though the player to move has no move.
        """
        ends_early = False
        for turn in self.operators.turns:
            able, role = self.can(turn.mover), self.game.roles[turn.mover]
            self._none(
                [*self.assumed(turn), -self.over, -able],
                f"play is over when {role}, to move, cannot",
                f"play is not over though {role}, to move, has no move",
            )
            found = self.ask(
                [*self.assumed(turn), self.over, able, -self.threatened], f"play goes on while {role} can move"
            )
            ends_early = ends_early or found is not False
        return not ends_early

    def either_stuck(self) -> None:
        """Play ends exactly when one of the two players could not move, whoever is to move.

        Raises:
            Refused: it does not.
        """
        self._met_early()
        if self.operators.nets is not None:
            raise Refused("play may end before the player to move is stuck, and what is legal is kept as a net")
        for turn in self.operators.turns:
            both = [self.could(0), self.could(1)]
            self._none(
                [*self.assumed(turn), self.over, *both, -self.threatened],
                "play goes on while both can move",
                "play ends though both players can move, and no facts that name a winner end it",
            )
            self._none(
                [*self.assumed(turn), -self.over, -both[1 - turn.mover]],
                "play ends when a player could not move",
                f"play ends early when {self.game.roles[turn.mover]}, to move, still has a move, but not whenever "
                f"{self.game.roles[1 - turn.mover]} has none",
            )

    def _met_early(self) -> None:
        """Raise Refused with an end of play that was met, where both could still have moved."""
        rows = self.sample.endings
        if not rows.size:
            return
        able = {role: self._could_move(rows, role) for role in (0, 1)}
        word = [self.operators.word(row[None]) for row in rows]
        threatened = np.array([any(threat.holds(facts) for threat in self.threats) for facts in word], np.bool_)
        self._met(
            rows,
            able[0] & able[1] & ~threatened,
            "play ends though both players can move, and no facts that name a winner end it",
        )

    def _could_move(self, rows: Rows, role: int) -> NDArray[np.bool_]:
        """Whether a role could move in each of some states, if it were its turn."""
        turn = next(turn for turn in self.operators.turns if turn.mover == role)
        states = unpack(rows, len(self.game.fluents))
        for f, value in turn.context.items():
            states[:, f] = bool(value)
        legal = self.game.batch.legal(pack(states))
        low, high = self.game.batch.first_move[role], self.game.batch.first_move[role + 1]
        return np.asarray(legal[:, low:high].any(axis=1))

    def frees(self) -> tuple[str, Fluents] | None:
        """A move, and a state in which it gives the other player a move where he had none; None if there is none.

        Raises:
            Refused: there are too many pairs of operators to ask.
        """
        listed = self.operators.listed
        guards = sorted({(op.player is Player.LEFT, op.needs, op.bars) for op in listed})
        questions: list[tuple[str, Player, int]] = []
        asked, most = 0, SearchLimits.current().regions_pairs
        with self.prover.building():
            for op in listed:
                after = []
                for left, needs, bars in guards:
                    if left == (op.player is Player.LEFT) or not (op.sets & needs or op.clears & bars):
                        continue
                    if op.sets & bars or op.clears & needs:
                        continue
                    rest = self._cube(needs & ~op.sets, bars & ~op.clears)
                    after.append(self.prover.all_of([*self._cube(op.needs, op.bars), *rest]))
                asked += len(after)
                if asked > most:
                    raise Refused(
                        f"more than {most} pairs of moves would have to be looked at: does one free the other?"
                    )
                if after:
                    questions.append((op.move, op.player, self.prover.any_of(after)))
        for move, player, literal in questions:
            turn = next(turn for turn in self.operators.turns if SIDES[turn.mover] is player)
            model = self.ask(
                [-self.could(1 - turn.mover), literal, -self.threatened, *self._now(turn)],
                "no move gives the other player a move where he had none",
            )
            if isinstance(model, Model):
                return move, self.shown(model)
        return None

    # ---- who gets what ----

    def _pays(self, assumed: Sequence[int], claim: str) -> set[Gets]:
        """What the roles get in such states, as far as two kinds of them.

        Raises:
            Refused: a role gets nothing or two things.
        """
        self.one_goal_each([*assumed, self.over])
        found: set[Gets] = set()
        for first, one in self.goals[0].items():
            if len(found) > 1:
                break
            if self.ask([*assumed, self.over, one], claim) is False:
                continue
            for second, two in self.goals[1].items():
                if self.ask([*assumed, self.over, one, two], claim) is not False:
                    found.add((first, second))
        return found

    def one_goal_each(self, assumed: Sequence[int]) -> None:
        """Raise Refused unless each role gets one thing in such states."""
        for role in (0, 1):
            self._none(
                [*assumed, self._no_goal[role]],
                f"{self.game.roles[role]} gets one thing at every end",
                f"at an end {self.game.roles[role]} gets nothing or several things",
            )

    def stuck_pays(self, role: int, *, other: bool | None = None) -> set[Gets]:
        """What the roles get where this one, to move, cannot (and the other could, or could not either)."""
        found: set[Gets] = set()
        for turn in self.operators.turns:
            if turn.mover == role:
                stuck = [-self.can(role)]
                if other is not None:
                    stuck = [-self.could(role), self.could(1 - role) if other else -self.could(1 - role)]
                claim = f"who gets what depends on who moved last alone when {self.game.roles[role]} is stuck"
                found |= self._pays([*self.assumed(turn), *stuck, -self.threatened], claim)
        return found

    def waiting_pays(self, role: int) -> set[Gets]:
        """What the roles get where this one could not move, and the other, to move, can."""
        found: set[Gets] = set()
        for turn in self.operators.turns:
            if turn.mover != role:
                stuck = [-self.could(role), self.could(1 - role), -self.threatened]
                found |= self._pays([*self.assumed(turn), *stuck], "who gets what depends on who is stuck alone")
        return found

    def met_pays(self) -> dict[Gets, Fluents]:
        """What the roles got at the ends that play has met, each with one of them."""
        rows = self.sample.endings
        goals = self.game.batch.goals(rows).tolist()
        return {(a, b): self.game.batch.state(row[None]) for (a, b), row in zip(goals, rows, strict=True)}
