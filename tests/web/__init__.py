"""The bench in a browser: the server and its processes, and the page."""
