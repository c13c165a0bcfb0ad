"""Kernels: functions that run as machine code, kept on disk, and as plain Python until it is there."""

from ludisect.kernels.kernel import Kernel, Operation, jit
from ludisect.kernels.workers import reporting, want

__all__ = ["Kernel", "Operation", "jit", "reporting", "want"]
