"""The method ``exact``: variables, what depends on what, what belongs together; proved."""
