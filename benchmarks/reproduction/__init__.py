"""Every table and figure of the five documents that can be had again: theirs, ours, and why they differ."""
