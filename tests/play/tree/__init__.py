"""Tests of tree search on lanes."""
