"""What a decomposition is: its parts, their ties and names, its JSON, a part as a game."""
