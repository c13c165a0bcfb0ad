"""Find the independent games inside a game: methods, verification, and what they return."""
