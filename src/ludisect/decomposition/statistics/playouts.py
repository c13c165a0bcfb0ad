"""Method ``playouts``: parts from statistics of random plays (Hufschmitt, Vittaut and Jouandeau 2018)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import unpack
from ludisect.circuit.signals import Reach, conjunctions, force, move_decides, own_conjunctions, reach
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.assemble import Found, moves_not_made
from ludisect.decomposition.statistics.conditions import conditions
from ludisect.decomposition.statistics.crosspoints import causal_graph, confirmed, crosspoints, premises_of_changes
from ludisect.decomposition.statistics.cutsets import meta_actions_by_letter
from ludisect.decomposition.statistics.effects import find_effects
from ludisect.decomposition.statistics.metaactions import Cutting, meta_actions
from ludisect.decomposition.statistics.parts import Ties, parts
from ludisect.decomposition.statistics.tally import play, statistics
from ludisect.decomposition.statistics.timing import time_plays
from ludisect.decomposition.statistics.valuesets import values_of_variables


def find(
    game: Game,
    *,
    playouts: int = 1000,
    seed: int = 0,
    cutting: Cutting = "nested",
) -> Found:
    """Play ``playouts`` games at random and take the game apart by what was seen.

    ``cutting`` says how sets of moves that contain each other become meta-actions: "nested", or "letter", by the letter
    of Definition 8.
    """
    ties, notes = _ties(game, playouts, seed, cutting)
    found = parts(ties)
    return replace(
        found,
        unseen=tuple(np.flatnonzero(~ties.changed & ~game.circuit.constant_fluents).tolist()),
        unseen_moves=moves_not_made(game, ties.made),
        notes=(*notes, *found.notes),
    )


def _ties(game: Game, playouts: int, seed: int, cutting: Cutting) -> tuple[Ties, tuple[str, ...]]:
    """What plays and the circuit say of moves and fluents, all that the parts are made from; and notes on it."""
    limits = DecompositionLimits.current()
    circuit = game.circuit
    n_fluents, n_moves = len(game.fluents), circuit.legal.size
    next_reach, legal_reach = reach(circuit, circuit.next), reach(circuit, circuit.legal, n_fluents)
    no_move = ~np.asarray(unpack(next_reach.either(), n_fluents + n_moves)[:, n_fluents:].any(axis=1))
    seen = play(game, playouts, no_move, seed=seed)
    table = statistics(seen)
    decides = move_decides(circuit)
    own, other = own_conjunctions(circuit, decides)
    sample = take_sample(game, playouts=min(playouts, limits.sample_plays), seed=seed)
    effects = find_effects(game, seen, table, next_reach, own, other, sample, limits)
    causes = effects.causes
    made = table.n_joint > 0
    safe = conjunctions(circuit, causes, decides)
    legal = legal_premises(game, legal_reach)
    alone = np.flatnonzero(seen.seen & ~causes.any(axis=0))
    by_itself = premises_of_changes(game, alone, _reads(next_reach, n_fluents))
    adrift = seen.at_start[0::2] | seen.at_start[1::2]
    graph = causal_graph(game, effects, safe, legal, by_itself)
    timing = time_plays(game, playouts, seed=seed)
    points = confirmed(crosspoints(game, graph, safe, legal), graph, timing, limits.psi)
    if cutting == "letter":
        actions, notes = meta_actions_by_letter(game, causes, decides, legal)
    else:
        actions, notes = meta_actions(game, effects, safe, legal, made), ()
    ties = Ties(
        game=game,
        changed=seen.seen[0::2] | seen.seen[1::2],
        effects=effects,
        actions=actions,
        legal_premises=legal,
        made=made,
        by_itself=by_itself,
        crosspoints=points,
        graph=graph,
        conditions=conditions(game),
        variables=values_of_variables(game, sample, np.flatnonzero(~circuit.constant_fluents).tolist(), adrift),
        sample=sample,
        timing=timing,
        limits=limits,
    )
    return ties, notes


def _reads(below: Reach, n_fluents: int) -> NDArray[np.bool_]:
    """[literal, net]: the literal reaches the net positively."""
    out = np.empty((2 * n_fluents, len(below.up)), np.bool_)
    out[0::2] = unpack(below.up, n_fluents).T
    out[1::2] = unpack(below.down, n_fluents).T
    return out


def legal_premises(game: Game, legal_reach: Reach) -> NDArray[np.bool_]:
    """[literal, move]: the literal is below the legality of the move, and the move can be legal when it holds."""
    read = _reads(legal_reach, len(game.fluents))
    literals = np.flatnonzero(read.any(axis=1))
    if literals.size:
        _, never = force(game.circuit, [(p + 2,) for p in literals.tolist()], game.circuit.legal)
        read[literals] &= ~never.T
    return read
