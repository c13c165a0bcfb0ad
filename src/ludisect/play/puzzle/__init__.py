"""Puzzles: how a single player finds a plan, from breadth first to nested random plays, and keeps the best."""
