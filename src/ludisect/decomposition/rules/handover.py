"""Does it matter who is in control? Asked of states of random plays, and of the circuit for all states.

A difference is: with the turn handed over and all else equal, another player has other legal moves, or a move has other
effects (Zhao 2009, Def. 4.1-4.4; scores are left aside). A difference that a state of a play shows is certain. The
circuit with one player in control and the circuit with another are compared for all values of the fluents: what that
comparison denies, some assignment of the fluents shows, if perhaps none that play can reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.game import Game
from ludisect.circuit.netlist import FALSE, TRUE
from ludisect.circuit.record import plays, random_joint
from ludisect.circuit.rows import Rows, pack
from ludisect.decomposition.limits import DecompositionLimits
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
            most = DecompositionLimits.current().handover_conflicts
            return Impartiality(None, f"{most} conflicts of the solver showed no difference and did not exclude it")
        if place:
            return Impartiality(False, f"{place} depends on whether {game.roles[r]} or {game.roles[q]} is in control")
    return Impartiality(True, "the circuits with one and with another player in control are equal")


def _difference(game: Game, views: Sequence[Circuit], r: int, q: int, turn: Sequence[int]) -> str | None:
    """A net that differs between the views of two players: one question to a solver for all of them.

    Empty if no net does, None if the solver gave up.
    """
    import clingo

    moves = sorted({*game.moves[r], *game.moves[q]}, key=str)
    text = ["{s(F)} :- fluent(F).", "1 {d(M) : move(M)} 1.", "#show differs/2."]
    text += [f"fluent({f})." for f in range(len(game.fluents)) if f not in turn]
    text += [f"move({k})." for k in range(len(moves))]
    text += _program(game, views[r], "a", r, moves)
    text += _program(game, views[q], "b", q, moves)
    for one, other in (("a", "b"), ("b", "a")):
        text.append(f"differs(legal,M) :- {one}_legal(M), not {other}_legal(M).")
        text.append(f"differs(next,F) :- d(M), a_legal(M), b_legal(M), fluent(F), {one}_next(F), not {other}_next(F).")
    text.append(":- not differs(legal,_), not differs(next,_).")
    limit = f"--solve-limit={DecompositionLimits.current().handover_conflicts}"
    solver = clingo.Control(["--models=1", limit], message_limit=0)
    solver.add("base", [], "\n".join(text))
    solver.ground([("base", [])])
    with solver.solve(yield_=True) as handle:
        for model in handle:
            kind, index = model.symbols(shown=True)[0].arguments
            term = moves[index.number] if kind.name == "legal" else game.fluents[index.number]
            return f"{kind.name} {term}"
        return "" if handle.get().unsatisfiable else None


def _program(game: Game, view: Circuit, name: str, role: int, moves: Sequence[Term]) -> Iterator[str]:
    """A circuit as a logic program: the atoms of its nodes, its legal moves and next fluents."""
    n = len(game.fluents)
    first = 1 + n + int(game.batch.first_move[role])

    def literal(x: int) -> str:
        return f"{'not ' if x & 1 else ''}{name}({x >> 1})"

    yield f"{name}(0)."
    for f in range(n):
        yield f"{name}({1 + f}) :- s({f})."
    for k, move in enumerate(moves):
        index = game.move_index[role].get(move)
        if index is not None:
            yield f"{name}({first + index}) :- d({k})."
            yield f"{name}_legal({k}) :- {literal(int(view.legal[int(game.batch.first_move[role]) + index]))}."
    for node in range(view.n_inputs + 1, view.n_inputs + 1 + view.gates):
        yield f"{name}({node}) :- {', '.join(map(literal, view.gate(node).tolist()))}."
    for f in range(n):
        yield f"{name}_next({f}) :- {literal(int(view.next[f]))}."
