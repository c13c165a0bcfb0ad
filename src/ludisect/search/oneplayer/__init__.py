"""Games of one player: plans, greedy moves, subgoals, parts in step."""
