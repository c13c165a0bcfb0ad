"""Tests of the searches of a single player."""
