"""What a search by parts rests on: a proof, the form of the rules, or tests.

Where the circuit itself shows that a part's rules read nothing but the part and the context, nothing else needs to be
believed; this is checked here.
"""

from __future__ import annotations

from ludisect.decomposition.model.blocks import ancestors
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.part.concepts import acting, fluents_read, moves_read, side_by_side


def grounds(parts: Decomposition) -> tuple[bool, str]:
    """(whether the conditions of a decomposition are certain, what they rest on)."""
    evidence = parts.evidence
    if evidence is not None and evidence.status == "proved":
        return True, "the decomposition is proved"
    fault = _fault(parts)
    if fault is None:
        return True, "the rules of each part read nothing but the part and the context"
    if evidence is None or (evidence.status == "tested" and not evidence.transitions):
        return False, f"the decomposition was not verified, and {fault}"
    if evidence.status == "failed":
        return False, "the decomposition is refuted by a counterexample"
    return False, f"the decomposition was tested on {evidence.transitions} transitions, not proved: {fault}"


def _fault(parts: Decomposition) -> str | None:
    """Why the form of the rules alone does not show that a decomposition is right, or None if it does."""
    game, circuit = parts.game, parts.game.circuit
    context = set(parts.context_numbers)
    for s in parts.context:
        nets = circuit.next[list(s.fluent_numbers)]
        if set(fluents_read(circuit, nets)) - context or set(moves_read(circuit, nets)):
            return f"the rules of part {s.id}, which should run by itself, read more than the context"
    by_id = {s.id: s for s in parts.parts}
    after = {s.id: s.after for s in parts.parts}
    for s in parts.dependent:
        allowed = context | set(s.fluent_numbers) | {f for b in ancestors(after, s.id) for f in by_id[b].fluent_numbers}
        mine = set(side_by_side(game, acting(s)))
        nets = circuit.next[list(s.fluent_numbers)]
        if set(fluents_read(circuit, nets)) - allowed:
            return f"the transitions of part {s.id} read other parts"
        if set(moves_read(circuit, nets)) - mine:
            return f"the transitions of part {s.id} read moves that should have no effect there"
        if set(fluents_read(circuit, circuit.legal[sorted(mine)])) - allowed:
            return f"the moves of part {s.id} read other parts"
        if any(len(members) > 1 for classes in s.move_numbers for members in classes):
            return f"part {s.id} takes several moves for one"
    return None
