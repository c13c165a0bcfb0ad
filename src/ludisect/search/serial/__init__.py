"""Parts that are played one after the other."""
