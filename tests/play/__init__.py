"""Tests of the room play."""
