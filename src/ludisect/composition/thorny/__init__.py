"""Compounds with thorns: small, of known value, full of what searches trip over."""
