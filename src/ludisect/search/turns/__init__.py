"""Two and more players who pick a part each turn, or move in all (Zhao 2009, ch. 5 and 6)."""
