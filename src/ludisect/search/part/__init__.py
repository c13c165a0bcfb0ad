"""One part by itself, and what the parts mean together."""
