"""A checker of answers: it walks what a search by parts claims, on the whole game, before an answer is called exact."""
