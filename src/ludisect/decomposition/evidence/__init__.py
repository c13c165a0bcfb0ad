"""How any decomposition is judged: states to look at, local moves, tests, proofs."""
