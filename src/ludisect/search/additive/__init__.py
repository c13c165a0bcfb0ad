"""Parts that add up: nimbers, values of normal play, points."""
