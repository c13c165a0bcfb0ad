"""Method ``playouts``: parts from statistics of random plays (Hufschmitt, Vittaut and Jouandeau 2018)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import unpack
from ludisect.circuit.signals import Reach, conjunctions, force, move_decides, own_conjunctions, reach
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.assemble import Found
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
    progress: Callable[[int], None] | None = None,
) -> Found:
    """Play ``playouts`` games at random and take the game apart by what was seen.

    ``cutting`` says how sets of moves that contain each other become meta-actions: "nested", or "letter", by the letter
    of Definition 8.
    """
    limits = DecompositionLimits.current()
    circuit = game.circuit
    next_reach, legal_reach = reach(circuit, circuit.next), reach(circuit, circuit.legal)
    n_fluents, n_moves = len(game.fluents), circuit.legal.size
    no_move = ~np.asarray(unpack(next_reach.either(), n_fluents + n_moves)[:, n_fluents:].any(axis=1))
    seen = play(game, playouts, no_move, seed=seed, progress=progress)
    table = statistics(seen)
    decides = move_decides(circuit)
    own, other = own_conjunctions(circuit, decides)
    sample = take_sample(game, playouts=min(playouts, limits.sample_plays), seed=seed)
    effects = find_effects(game, seen, table, next_reach, own, other, sample, limits)
    causes = effects.causes
    made = table.n_joint > 0
    safe = conjunctions(circuit, causes, decides)
    legal = legal_premises(game, legal_reach)
    changed = seen.seen[0::2] | seen.seen[1::2]
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
        changed=changed,
        effects=effects,
        actions=actions,
        legal_premises=legal,
        made=made,
        by_itself=by_itself,
        crosspoints=points,
        graph=graph,
        conditions=conditions(game),
        variables=values_of_variables(game, sample, np.flatnonzero(~game.circuit.constant_fluents).tolist(), adrift),
        sample=sample,
        timing=timing,
        limits=limits,
    )
    found = parts(ties)
    fixed = game.circuit.constant_fluents
    never_made = np.flatnonzero((table.n_joint == 0) & (circuit.input_value[1 + n_fluents :] == 2))
    role = np.searchsorted(game.batch.first_move, never_made, side="right") - 1
    return Found(
        groups=found.groups,
        independent=found.independent,
        after=found.after,
        useless=found.useless,
        unseen=tuple(np.flatnonzero(~changed & ~fixed).tolist()),
        unseen_moves=tuple(zip(role.tolist(), (never_made - game.batch.first_move[role]).tolist(), strict=True)),
        notes=(*notes, *found.notes),
        graph=found.graph,
    )


def _reads(next_reach: Reach, n_fluents: int) -> NDArray[np.bool_]:
    """[literal, fluent]: the literal reaches next of the fluent positively."""
    out = np.empty((2 * n_fluents, n_fluents), np.bool_)
    out[0::2] = unpack(next_reach.up, n_fluents).T
    out[1::2] = unpack(next_reach.down, n_fluents).T
    return out


def legal_premises(game: Game, legal_reach: Reach) -> NDArray[np.bool_]:
    """[literal, move]: the literal is below the legality of the move, and the move can be legal when it holds."""
    n_fluents = len(game.fluents)
    read = np.empty((2 * n_fluents, game.circuit.legal.size), np.bool_)
    read[0::2] = unpack(legal_reach.up, n_fluents).T
    read[1::2] = unpack(legal_reach.down, n_fluents).T
    literals = np.flatnonzero(read.any(axis=1))
    if literals.size:
        _, never = force(game.circuit, [(p + 2,) for p in literals.tolist()], game.circuit.legal)
        read[literals] &= ~never.T
    return read
