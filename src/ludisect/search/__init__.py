"""Solve games: whole, or from their parts."""
