"""The independent games inside a game: how they are found, and what a decomposition is."""

from ludisect.decomposition.methods import decompose, verify
from ludisect.decomposition.model.decomposition import Counterexample, Decomposition, Evidence, Part
from ludisect.decomposition.model.explanation import Explanation, explain

__all__ = [
    "Counterexample",
    "Decomposition",
    "Evidence",
    "Explanation",
    "Part",
    "decompose",
    "explain",
    "verify",
]
