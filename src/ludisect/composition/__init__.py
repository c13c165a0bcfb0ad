"""Compound games with a known decomposition: glued from random machines or other games, in disguise.

parts (machines, borrowed rule sheets) ── tree ──► Plan ── write ──► Rules
                                                     │
                                                     └── answer ──► the decomposition that the compound has
"""

from ludisect.composition.many import Composed, compose_one, compose_set
from ludisect.composition.ondemand import compose
from ludisect.composition.rewrite import Rewritten, rewrite
from ludisect.composition.thorny.thorny import Thorny, compose_thorny, compose_thorny_set

__all__ = [
    "Composed",
    "Rewritten",
    "Thorny",
    "compose",
    "compose_one",
    "compose_set",
    "compose_thorny",
    "compose_thorny_set",
    "rewrite",
]
