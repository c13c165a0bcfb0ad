"""The numbers of grounding: how far rules are rewritten before clingo sees them, and when it is stopped."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class GroundLimits(Numbers):
    """How far rules are rewritten, what they mean staying the same; and when the grounder is stopped."""

    normalize_clauses: int = number(
        24, "Clauses that a body is multiplied out into; beyond, safe disjunctions become predicates", least=1
    )
    rewriting_alternatives: int = number(
        6,
        "Predicates with more clauses than this are not opened: every clause multiplies the rules that read it",
        least=0,
    )
    split_literals: int = number(
        60,
        "Longer bodies are not split: they are written out by hand (no variables) or by machine (no structure)",
        least=0,
    )
    ground_growing_rules: int = number(
        100_000,
        "Ground rules of a sheet whose terms may grow without end (see ground/growth.py); of 225 public games none may",
        least=1,
    )
    ground_processor_seconds: float = number(
        100.0,
        "Processor time of the grounder after which it is given up: only joins that give no rules take so long, which "
        "nothing else can see. Measured: 40 s for 16 million rules (chess)",
        least=0.0,
    )
