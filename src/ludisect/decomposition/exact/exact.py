"""The method ``exact``, from a sample of states to proved parts. The functions stand in the order of the work:

1. ``analyse`` proposes: variables (``variables``), then
   - ``tell_context``: what runs by itself (``context``);
   - ``find_dependencies``: who depends on whom, with witnesses (``dependencies``);
   - ``partition``: what belongs together, by the rules of ``partition``: dependencies that are no stages (``opening``),
     free choice, goals;
2. ``refine`` checks the proposal on recorded transitions and has it proved; what refutes it is worked in (``mending``),
   and the partition made anew, until the parts are proved or time is up.

Everything is stated on what roles can bring about in variables (see ``dependencies``), never on names of moves, so that
compound moves, noops and disguised rules need no treatment of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ludisect.circuit.game import Game
from ludisect.circuit.movewise import unsteered
from ludisect.circuit.record import Transitions
from ludisect.circuit.turns import turns_in
from ludisect.decomposition.evidence.freechoice import tie_by_choice
from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.localmoves import PASS, local_moves
from ludisect.decomposition.evidence.prove import Proof, prove_parts
from ludisect.decomposition.evidence.sample import Sample, take_sample
from ludisect.decomposition.evidence.verify import Check
from ludisect.decomposition.exact.analysis import Analysis, found_of
from ludisect.decomposition.exact.context import closed_context
from ludisect.decomposition.exact.dependencies import Dependencies, with_choice
from ludisect.decomposition.exact.mending import learn, mend
from ludisect.decomposition.exact.partition import (
    by_dependencies_and_choice,
    by_everything,
    by_lifelines,
    in_order_of_play,
    look_for_causes,
    openings,
    place_unseen,
    sort_out,
    tie_forced,
    tie_loose,
    useless,
)
from ludisect.decomposition.exact.rarestates import winning_states
from ludisect.decomposition.exact.ruleform import structurally_closed, tied_by_rules
from ludisect.decomposition.exact.variables import FluentGroup, find_invariants, unchanging, variables_of
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.assemble import Found, assemble
from ludisect.decomposition.model.blocks import merge
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.decomposition.model.dependency import Bond
from ludisect.effort import Effort, OutOfTime
from ludisect.progress import report

LATE = "the budget ran out before every dependency was looked for: parts may be too coarse"


def analyse(
    game: Game, sample: Sample, effort: Effort | None = None, *, seed: int = 0, forced: bool = False
) -> Analysis:
    """Propose a partition from the sample; ``forced`` moves count as chosen if asked for."""
    limits = DecompositionLimits.current()
    effort, least = effort or Effort(limits.decompose_work), limits.exact_least
    free = np.flatnonzero(~game.circuit.constant_fluents).tolist()
    invariants = find_invariants(game, sample, free, effort.steps(limits.invariants_share, least=least))
    variables = variables_of(invariants, free)
    wins = winning_states(game, sample, invariants, effort.part(limits.rarestates_share, least=least))
    analysis = Analysis(game, sample, variables, invariants, Dependencies(sample, variables), wins, effort, forced)
    context = tell_context(analysis)
    find_dependencies(analysis, context, np.random.default_rng(seed))
    partition(analysis)
    return analysis


def tell_context(analysis: Analysis) -> list[int]:
    """Tell variables that roles choose from those that run by themselves, by induction; the latter are the result."""
    limits = DecompositionLimits.current()
    chosen = with_choice(analysis.sample)
    if analysis.forced:
        chosen |= ~np.isin(np.arange(chosen.size), unsteered(analysis.game.circuit))
    analysis.chosen = [i for i, v in enumerate(analysis.variables) if chosen[list(v.fluents)].any()]
    inside = set(analysis.chosen)
    rest = [i for i in range(len(analysis.variables)) if i not in inside]
    still = set(unchanging(analysis.game, analysis.sample, range(len(analysis.game.fluents))))
    analysis.unseen = [v for v in rest if all(f in still for f in analysis.variables[v].fluents)]
    unseen = set(analysis.unseen)
    context = closed_context(
        analysis.game,
        analysis.invariants,
        analysis.variables,
        rest,
        wanted=[v for v in rest if v not in unseen],
        visited=analysis.sample.states,
        effort=analysis.effort.rest().part(limits.context_share, least=limits.exact_least),
    )
    settled = unseen.union(context)
    analysis.loose = [v for v in rest if v not in settled]
    return context


def find_dependencies(analysis: Analysis, context: Sequence[int], rng: np.random.Generator) -> None:
    """Find who depends on whom, by giving variables other values."""
    limits = DecompositionLimits.current()
    by_itself, unseen = set(context), set(analysis.unseen)
    waiting = [*analysis.chosen, *analysis.loose]
    if len(waiting) > limits.exact_huge:
        analysis.notes.append("too many variables to look at each dependency: parts are as the rules tie them")
        blocks = tied_by_rules(analysis.game, [analysis.variables[v] for v in waiting])
        why = "too many variables to look at each dependency, and the rules tie them"
        analysis.joined += [Bond(tuple(waiting[k] for k in b), "limit", why) for b in blocks if len(b) > 1]
        waiting = []
    elif len(waiting) * _work_per_variable(analysis.sample) > limits.exact_much and _choice_ties_all(analysis):
        # looking for every dependency would take long, and is idle if one part is left anyway
        why = "no role can choose one by one what becomes of them"
        analysis.joined.append(Bond(tuple(analysis.chosen), "choice", why))
        waiting = []
    waiting += context
    n = len(analysis.sample.states)
    few = limits.exact_flip_states
    picked = np.arange(n) if n <= few else np.sort(rng.choice(n, few, replace=False))
    if n:  # every value of what runs by itself, too: an offer that stands in the first two turns
        values = analysis.sample.bits[:, analysis.fluents(context)]
        picked = np.union1d(picked, np.concatenate([values.argmax(axis=0), values.argmin(axis=0)]))
    analysis.dependencies.stand_in(picked)
    several = analysis.dependencies.at_once
    looked = 0
    while waiting:
        report("looking for dependencies", looked, looked + len(waiting))
        if analysis.effort.over():
            analysis.joined.append(Bond(tuple(analysis.chosen), "limit", LATE))
            return
        sources, waiting = waiting[:several], waiting[several:]
        looked += len(sources)
        for u, new in zip(sources, analysis.dependencies.look(sources, rng), strict=True):
            if u not in by_itself:
                # what no play did, but something that moves steer can bring about, may have effects of its own
                waiting += sorted(new & unseen)
                unseen -= new
    report("looking for dependencies", looked, looked)


def _choice_ties_all(analysis: Analysis) -> bool:
    chosen = [analysis.variables[v].fluents for v in analysis.chosen]
    return len(tie_by_choice(analysis.sample, chosen, analysis.effort)) == 1


def _work_per_variable(sample: Sample) -> float:
    """Evaluations of gates that it takes to give a variable other values and make all moves."""
    moves = len(sample.pair_state) / max(1, len(sample.states))
    circuit = sample.game.circuit
    return DecompositionLimits.current().exact_flip_states * moves * (circuit.gates + circuit.n_inputs)


def partition(analysis: Analysis) -> None:
    """Join variables by dependencies, free choice and goals until nothing changes."""
    sort_out(analysis)
    place = {v: k for k, v in enumerate(analysis.dependent)}
    analysis.bonds = list(analysis.joined)
    blocks = merge([[place[v] for v in j.nodes if v in place] for j in analysis.joined], len(analysis.dependent))
    known = [[analysis.dependent[k] for k in block] for block in blocks]
    fine = by_dependencies_and_choice(analysis, tie_loose(analysis, known), patient=True)
    groups = by_everything(analysis, fine)
    if 1 < len(groups) < len(fine) and look_for_causes(analysis, [g for g in groups if g in fine]):
        groups = by_everything(analysis, fine)
    groups = place_unseen(analysis, by_lifelines(analysis, groups))
    branches = openings(analysis, groups).branches
    if analysis.forced:
        groups = tie_forced(analysis, groups, branches)
    else:
        analysis.context += [g for g, steered in zip(groups, branches, strict=True) if not steered]
        groups = [g for g, steered in zip(groups, branches, strict=True) if steered]
    analysis.groups = in_order_of_play(analysis, groups)
    if analysis.effort.over() and LATE not in analysis.notes:
        analysis.notes.append(LATE)
    stages = openings(analysis, analysis.groups)
    analysis.after = stages.order()
    analysis.useless = useless(analysis, stages)


def refine(
    analysis: Analysis, transitions: Transitions, effort: Effort | None = None
) -> tuple[Decomposition, Proof | None]:
    """Let recorded transitions and the solver refute the partition, and mend it, until neither can.

    With a proof, complete or not, the decomposition has passed the check on the transitions; without one it has not.
    States of the solver need not be reachable, so what they teach counts only if all of it is proved in the end; if
    not, the first partition stands that no play refuted.
    """
    analysis.effort = effort = effort or Effort(DecompositionLimits.current().decompose_work)
    tested: list[tuple[Decomposition, Proof]] = []
    try:
        for parts, proof in _rounds(analysis, transitions, effort):
            if proof.complete:
                return parts, proof
            tested.append((parts, proof))
    except OutOfTime:
        if not tested:
            raise
    return tested[0] if tested else _as_one(analysis, transitions)


def _rounds(analysis: Analysis, transitions: Transitions, effort: Effort) -> Iterator[tuple[Decomposition, Proof]]:
    """Partitions that pass the check on the transitions, each with what could be proved of it. What refutes one is
    worked into the next."""
    met = {_known(analysis)}
    while True:
        parts = _assembled(analysis)
        violations = Check(parts, analysis.sample, transitions, wins=analysis.wins).violations()
        if not violations:
            proof = _prove(analysis, effort.rest(least=DecompositionLimits.current().exact_least))
            yield parts, proof
            if not learn(analysis, proof):
                return
        elif not mend(analysis, violations):
            return
        if effort.over():
            return
        partition(analysis)
        now = _known(analysis)
        if now in met:  # what was to be mended came out as before: nothing that is known tells more
            return
        met.add(now)


def _known(analysis: Analysis) -> tuple[object, ...]:
    """The partition, and how much is known that it was made from: a round that changes neither would go on for ever."""
    groups = tuple(tuple(sorted(map(tuple, some))) for some in (analysis.groups, analysis.context))
    shown = len(analysis.sample.states), len(analysis.telling.states)
    return (*groups, *shown, len(analysis.dependencies.edges), len(analysis.exchanges))


def _prove(analysis: Analysis, effort: Effort) -> Proof:
    parts = analysis.parts(analysis.groups)
    locals_ = [local_moves(analysis.telling, p) for p in parts]
    context = [f for g in analysis.context for f in analysis.fluents(g)]
    after = {k: sorted(v) for k, v in analysis.after.items()}
    return prove_parts(analysis.game, analysis.invariants, parts, context, locals_, after, effort)


def _as_one(analysis: Analysis, transitions: Transitions) -> tuple[Decomposition, Proof | None]:
    """All that depends on moves as one part: what is left if the budget ends before a partition passes the check."""
    analysis.notes.append("no finer partition passed the check in time: what depends on moves is taken as one part")
    analysis.joined.append(Bond(tuple(analysis.dependent), "limit", "no finer partition passed the check in time"))
    partition(analysis)
    parts = _assembled(analysis)
    if Check(parts, analysis.sample, transitions, wins=analysis.wins).violations():
        return parts, None
    return parts, _prove(analysis, Effort(DecompositionLimits.current().exact_least))


def _assembled(analysis: Analysis) -> Decomposition:
    parts = assemble(analysis.game, found_of(analysis), "exact", analysis.sample, analysis.telling)
    return _with_moves(parts, analysis.telling)


def _with_moves(parts: Decomposition, telling: Sample) -> Decomposition:
    """Of a single part nothing is proved that its classes of moves could be held against, so they must not hang on what
    was sampled: a move that its rules read is one by itself. It may be the pass, if it was often seen to be one and no
    other move was."""
    if len(parts.dependent) != 1:
        return parts
    circuit, (single,) = parts.game.circuit, parts.dependent
    read = np.isin(np.arange(circuit.n_inputs + 1), circuit.support(circuit.next[list(single.fluent_numbers)]))
    seldom = telling.legal.sum(axis=0) < DecompositionLimits.current().sample_often
    each = []
    for (low, high), number in zip(
        circuit.roles.tolist(), local_moves(telling, single.fluent_numbers).number, strict=True
    ):
        named, possible = read[low:high], circuit.input_value[low:high] != 0
        passes = possible & (number == PASS)
        if passes.sum() > 1:
            passes[:] = False
        passes &= ~seldom[low - circuit.n_fluents - 1 : high - circuit.n_fluents - 1]
        kinds = {c: np.flatnonzero(~named & (number == c)) for c in np.unique(number[~named]).tolist() if c != PASS}
        classes = [(m,) for m in np.flatnonzero(named & ~passes).tolist()] + [tuple(k.tolist()) for k in kinds.values()]
        each.append(tuple(sorted(classes)))
    moves = tuple(each)
    return replace(parts, parts=tuple(replace(s, move_numbers=moves) if s.id == single.id else s for s in parts.parts))


def coarse(game: Game, sample: Sample | None = None) -> tuple[Decomposition, Proof]:
    """One part and a context of which the rules name neither a move nor anything outside it: there at once, and proved
    by the form of the rules. The sample, if there is one, tells who moves when."""
    seen = sample or take_sample(game, playouts=DecompositionLimits.current().coarse_plays)
    invariants = Invariants()
    free = np.flatnonzero(~game.circuit.constant_fluents).tolist()
    variables = [FluentGroup((f,)) for f in free]
    context = [free[i] for i in structurally_closed(game, invariants, variables, range(len(free)))]
    place = {f: k for k, f in enumerate(context)}
    circuit = game.circuit
    reads = {f: (circuit.support(circuit.next[[f]]) - 1).tolist() for f in context}
    links = [[k, *(place[x] for x in reads[f] if x in place)] for f, k in place.items()]
    found = Found(
        groups=(tuple(f for f in free if f not in place),),
        independent=tuple(tuple(context[k] for k in block) for block in merge(links, len(context))),
        notes=("stopped early: what depends on moves is taken as one part",),
    )
    nothing = Sample(game, seen.states[:0], seen.joint[:0], seen.endings[:0])
    parts = replace(_with_moves(assemble(game, found, "exact", nothing), nothing), turns=turns_in(game, [seen.legal]))
    effort = Effort(DecompositionLimits.current().exact_least)
    return parts, prove_parts(game, invariants, [s.fluent_numbers for s in parts.dependent], context, [], {}, effort)
