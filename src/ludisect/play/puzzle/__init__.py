"""Puzzles: how a single player finds a play, from breadth first to nested plays, and keeps the best."""
