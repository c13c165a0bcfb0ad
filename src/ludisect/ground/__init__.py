"""Rules -> ground rules, with clingo's grounder: the propositional form that circuits are built from."""

from ludisect.ground.ground import GroundRules, ground

__all__ = ["GroundRules", "ground"]
