"""Does it matter who is in control? Asked of states of random plays, and of the circuit for all states.

A difference is: with the turn handed over and all else equal, another player has other legal moves, or a move has other
effects (Zhao 2009, Def. 4.1-4.4; scores are left aside). A difference that a state of a play shows is certain. The
circuit with one player in control and the circuit with another are compared for all values of the fluents: what that
comparison denies, some assignment of the fluents shows, if perhaps none that play can reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.game import Game
from ludisect.circuit.netlist import FALSE, TRUE
from ludisect.circuit.record import plays, random_joint
from ludisect.circuit.rows import Rows, pack
from ludisect.circuit.solver import Model, Prover
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.effort import Effort
from ludisect.gdl.terms import Term

NO_CONTROL = "no fluent says whose turn it is, with one value per role"


@dataclass(frozen=True, slots=True)
class Impartiality:
    """``impartial``, or None where that is open; and why."""

    impartial: bool | None
    why: str

    def __str__(self) -> str:
        word = "open" if self.impartial is None else "yes" if self.impartial else "no"
        return f"{word}: {self.why}"


def control_symbol(game: Game) -> str | None:
    """The name of the fluent that says whose turn it is: one argument, a role, one fluent for each role.

    One of them holds at the start; if several symbols are so, the one that no move changes.
    """
    values: dict[str, list[int]] = {}
    for f, fluent in enumerate(game.fluents):
        if len(fluent.args) == 1:
            values.setdefault(fluent.name, []).append(f)
    found = [
        name
        for name, mine in values.items()
        if {str(game.fluents[f].args[0]) for f in mine} == set(game.roles) and game.circuit.initial[mine].sum() == 1
    ]
    if len(found) > 1:
        circuit = game.circuit
        found = [name for name in found if (circuit.support(circuit.next[values[name]]) <= len(game.fluents)).all()]
    return found[0] if len(found) == 1 and len(game.roles) > 1 else None


def turn_fluents(game: Game, control: str) -> list[int]:
    """Per role the fluent that says that it is in control."""
    return [game.fluent_index[Term(control, (Term.parse(role),))] for role in game.roles]


def take_turns(game: Game, control: str) -> bool:
    """Whether the circuit shows that players move in turn, in every state.

    Control goes to another role whatever is played, and who is not in control has the same single move everywhere.
    """
    turn = turn_fluents(game, control)
    for r, view in enumerate(_views(game, turn)):
        after = view.next[turn].tolist()
        if sorted(after) != [TRUE] + [FALSE] * (len(turn) - 1) or after[r] == TRUE or _others_choose(game, view, r):
            return False
    return True


def _views(game: Game, turn: Sequence[int]) -> list[Circuit]:
    """Per role the circuit with that role in control."""
    return [game.circuit.cofactor({1 + f: int(f == mine) for f in turn}) for mine in turn]


def _others_choose(game: Game, view: Circuit, role: int) -> bool:
    """Whether somebody else has a choice, or moves that depend on the state, while a role is in control."""
    for r, (low, high) in enumerate(pairwise(game.batch.first_move.tolist())):
        legal = view.legal[low:high]
        if r != role and (not np.isin(legal, (TRUE, FALSE)).all() or int((legal == TRUE).sum()) > 1):
            return True
    return False


# ---- in states of plays ----


def difference_in_plays(game: Game, control: str, *, playouts: int | None = None, seed: int = 0) -> str | None:
    """A difference between two players that a state of random plays shows, in words; None if none does."""
    turn = turn_fluents(game, control)
    rng = np.random.default_rng(seed)
    here = pack(np.eye(len(game.fluents), dtype=np.bool_)[turn])
    anybody = np.bitwise_or.reduce(here, axis=0)
    for states, _, _ in plays(game, playouts or DecompositionLimits.current().handover_plays, seed=seed):
        base = states & ~anybody
        for r, q in pairwise(range(len(turn))):
            found = _difference_here(game, base | here[r], base | here[q], r, q, anybody, rng)
            if found is not None:
                return f"{found} depends on whether {game.roles[r]} or {game.roles[q]} is in control"
    return None


def _difference_here(
    game: Game, mine: Rows, theirs: Rows, r: int, q: int, anybody: Rows, rng: np.random.Generator
) -> str | None:
    """What differs between states with role r in control and the same states with role q."""
    shared = sorted({*game.moves[r]} & {*game.moves[q]}, key=str)
    legal, first = [], game.batch.first_move
    for rows, role, other in ((mine, r, q), (theirs, q, r)):
        every = game.batch.legal(rows)[:, first[role] : first[role + 1]]
        alone = [k for k, m in enumerate(game.moves[role]) if m not in game.move_index[other]]
        if every[:, alone].any():
            return f"legal {game.moves[role][alone[int(every[:, alone].any(axis=0).argmax())]]}"
        legal.append(every[:, [game.move_index[role][m] for m in shared]])
    differ = np.asarray((legal[0] != legal[1]).any(axis=0))
    if differ.any():
        return f"legal {shared[int(differ.argmax())]}"
    can = legal[0].any(axis=1)
    mine, theirs, both = mine[can], theirs[can], legal[0][can]
    for _ in range(DecompositionLimits.current().handover_tries if shared else 0):
        chosen = np.where(both, rng.random(both.shape), -1.0).argmax(axis=1)
        after = []
        for rows, role in ((mine, r), (theirs, q)):
            joint, stuck = random_joint(game, rows, rng)
            if stuck.any():
                return None
            joint[:, role] = np.array([game.move_index[role][m] for m in shared])[chosen]
            after.append(game.batch.next(rows, joint) & ~anybody)
        changed = np.flatnonzero((after[0] != after[1]).any(axis=1))
        if changed.size:
            one, two = (game.batch.state(rows[changed[0]]) for rows in after)
            return f"next {min(map(str, one ^ two))} after {shared[int(chosen[changed[0]])]}"
    return None


# ---- in all states ----


def on_circuit(game: Game) -> Impartiality:
    """Whether legality and effects are the same functions of the other fluents, whoever is in control."""
    control = control_symbol(game)
    if control is None:
        return Impartiality(None, NO_CONTROL)
    turn = turn_fluents(game, control)
    views = _views(game, turn)
    for r, view in enumerate(views):
        if _others_choose(game, view, r):
            return Impartiality(False, f"with {game.roles[r]} in control, another player still has a choice")
    for r, q in pairwise(range(len(game.roles))):
        place = _difference(game, views, r, q, turn)
        if place is None:
            return Impartiality(None, "what the solver may spend showed no difference and did not exclude it")
        if place:
            return Impartiality(False, f"{place} depends on whether {game.roles[r]} or {game.roles[q]} is in control")
    return Impartiality(True, "the circuits with one and with another player in control are equal")


def _difference(game: Game, views: Sequence[Circuit], r: int, q: int, turn: Sequence[int]) -> str | None:
    """What differs between two players in some state: one question to a solver, over a copy of the game for each.

    Empty if nothing does, None if the solver gave up.
    """
    p = Prover(game, copies=2, effort=Effort(DecompositionLimits.current().handover_work))
    circuit, first, both = game.circuit, game.batch.first_move.tolist(), ((0, r), (1, q))
    moves = sorted({*game.moves[r], *game.moves[q]}, key=str)
    others = [f for f in range(len(game.fluents)) if f not in turn]
    with p.building():
        p.agree(others)
        legal, made = [], []
        for copy, mine in both:
            for role, (low, high) in enumerate(pairwise(first)):
                p.require([p.fluent(turn[role], copy) if role == mine else -p.fluent(turn[role], copy)])
                forced = np.flatnonzero(views[mine].legal[low:high] == TRUE).tolist() if role != mine else []
                for m in forced:
                    p.require([p.move(role, m, copy)])
            at = game.move_index[mine]
            known = [at.get(move) for move in moves]
            legal.append([-p.true if m is None else p.lit(int(circuit.legal[first[mine] + m]), copy) for m in known])
            made.append([-p.true if m is None else p.move(mine, m, copy) for m in known])
        same = p.any_of([p.all_of(x) for x in zip(*legal, *made, strict=True)])
        after = [[p.lit(int(circuit.next[f]), copy) for f in others] for copy in (0, 1)]
        changed = p.any_of([p.differ(one, other) for one, other in zip(*after, strict=True)])
        p.require([p.all_of([same, changed]), *(p.differ(one, other) for one, other in zip(*legal, strict=True))])
    answer = p.ask()
    if not isinstance(answer, Model):
        return "" if answer is False else None
    rows = pack(answer.states)
    here, there = (
        {game.moves[k][m] for m in np.flatnonzero(game.batch.legal(row[None])[0, first[k] : first[k + 1]])}
        for row, (_, k) in zip(rows, both, strict=True)
    )
    if here != there:
        return f"legal {min(map(str, here ^ there))}"
    one, two = (game.batch.state(row) for row in game.batch.next(rows, answer.joint))
    return f"next {min(str(game.fluents[f]) for f in others if (game.fluents[f] in one) != (game.fluents[f] in two))}"
