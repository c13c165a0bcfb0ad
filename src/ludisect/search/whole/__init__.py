"""The whole game, position by position: the yardstick."""
