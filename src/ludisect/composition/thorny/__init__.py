"""Compounds with thorns, small enough that plain search knows their values: what a search by parts can trip over."""
