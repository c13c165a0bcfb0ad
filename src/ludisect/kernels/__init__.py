"""Kernels: functions that run as machine code, kept on disk, and as plain Python until it is there."""
