"""Pictures of decompositions: dependency graphs, boards, a page to explore, text for the terminal."""
