"""Games written in Python, to read and to run."""
