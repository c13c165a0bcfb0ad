"""Play: players with clocks, matches among them, a player for game managers, and a table for a person."""
