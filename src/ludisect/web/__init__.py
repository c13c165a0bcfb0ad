"""The bench in a browser: a server for this machine, the processes behind it, and the page."""
