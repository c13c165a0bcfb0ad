"""Ground rules -> circuit -> lanes: a game that can be asked one state or millions at a time."""
