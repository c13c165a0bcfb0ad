"""Runs clingo's grounder and keeps the ground rules as one flat array, written by a compiled observer.

clingo hands every ground rule to an observer callback. A Python callback costs microseconds a rule, as much as the
grounding itself; here the callback is machine code that appends to a buffer. Where that is not compiled yet, a Python
callback does the same, up to ``PLAIN_RULES``. The buffer is address space reserved from the system and touched only as
it fills. Layout, in 32-bit words: a header (words used, capacity, stop flag,
number of rules), then per rule ``head, size, literal…``; choice rules are left out (inputs are known by name).
"""

from __future__ import annotations

import mmap
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

import clingo
import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.errors import BudgetExceeded
from ludisect.ground.access import Access, Atoms, OnRule, way_in
from ludisect.ground.limits import GroundLimits
from ludisect.kernels.callback import callback
from ludisect.kernels.kernel import Operation
from ludisect.progress import report

GRACE_SECONDS = 1.0
"""How long a stopped grounder is waited for; it looks at the stop flag at its next rule."""

PLAIN_RULES = 30_000
"""Ground rules that Python takes in before machine code is there; a game with more is grounded again with it."""

MAP_NORESERVE = 0x4000
"""Linux: address space without a claim to memory; Python 3.11 has no name for it."""

USED, CAPACITY, STOP, RULES, HEADER = 0, 1, 2, 3, 8
FULL, TOO_MANY = 2, 3
"""Why the observer stopped the grounder: the buffer is full; there are too many rules for Python. 1: it was told to."""

_WORDS = 1 << 40  # a bound for the type checker of array shapes only; the real bound is CAPACITY


def _as_array(pointer: Any, shape: Any) -> Any:
    """What a C pointer points to."""
    return pointer


_as_array.__name__ = "carray"  # as numba calls it
carray = Operation("numba", _as_array)


@callback("uint8(uint8, CPointer(uint32), uintp, CPointer(int32), uintp, CPointer(int32))")
def _on_rule(choice: Any, head: Any, head_size: Any, body: Any, body_size: Any, data: Any) -> Any:
    """Append one rule to the buffer; answering 0 makes clingo stop."""
    words = carray(data, (_WORDS,))
    if words[STOP] != 0:
        return 0
    if choice != 0 or head_size != 1:
        return 1
    used = words[USED]
    if used + 2 + body_size > words[CAPACITY]:
        words[STOP] = FULL
        return 0
    words[used] = carray(head, (1,))[0]
    words[used + 1] = body_size
    literals = carray(body, (_WORDS,))
    for i in range(body_size):
        words[used + 2 + i] = literals[i]
    words[USED] = used + 2 + body_size
    words[RULES] += 1
    return 1


def _plain_observer(words: NDArray[np.int32], most: int | None) -> OnRule:
    """The same in Python; stops when there are more than ``most`` rules."""

    def on_rule(choice: bool, head: Any, head_size: int, body: Any, body_size: int) -> bool:
        if most is not None and words[RULES] >= most:
            words[STOP] = words[STOP] or TOO_MANY
        return bool(_on_rule.function(choice, head, head_size, body, body_size, words))

    return on_rule


@dataclass(frozen=True, slots=True)
class Grounding:
    """What the grounder said: the rule buffer (see the module), and the atoms of the asked predicates by name."""

    words: NDArray[np.int32]
    rules: int
    atoms: dict[str, Atoms]
    """Per predicate identifier: its possible atoms."""
    access: Access
    """Knows what the symbols in ``atoms`` are."""


def run_clingo(
    program: str, predicates: dict[str, int], *, seconds: float | None, memory: float, max_rules: int | None = None
) -> Grounding:
    """Ground ``program``; ``predicates`` maps the identifiers wanted to their arities.

    Raises BudgetExceeded when ``seconds`` or ``memory`` (bytes, beyond what the process has at the start) run out,
    ``max_rules`` are passed, or the grounder takes more processor time than any grounding should.
    Runs in a thread of its own, so that Ctrl-C and the limits work while the grounder is busy in native code; the
    observer stops it at its next rule.
    """
    access = way_in()
    limits = (seconds, memory, max_rules)
    if not access.takes_code:
        return _run(program, predicates, access, None, None, *limits)
    address = _on_rule.address()
    if address is None:
        most = PLAIN_RULES if max_rules is None else min(max_rules + 1, PLAIN_RULES)
        try:
            return _run(program, predicates, access, None, most, *limits)
        except _TooManyRules:
            address = _on_rule.obtain()
    return _run(program, predicates, access, address, None, *limits)


class _TooManyRules(Exception):
    """For the plain observer."""


def _reserved(words: int) -> NDArray[np.int32]:
    """Zeros that take memory only as they are touched."""
    if sys.platform == "linux":
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE
        return np.frombuffer(mmap.mmap(-1, 4 * words, flags=flags), dtype=np.int32)
    return np.zeros(words, np.int32)  # the system gives zero pages when they are touched, as far as it has them


def _run(
    program: str, predicates: dict[str, int], access: Access, address: int | None, most: int | None,
    seconds: float | None,    memory: float, max_rules: int | None,
) -> Grounding:  # fmt: skip
    """Ground with the machine code at ``address``; with Python where there is none, up to ``most`` rules."""
    capacity = int(min(memory // 4, 2**31 - 1))
    words = _reserved(capacity)
    words[USED], words[CAPACITY] = HEADER, capacity
    control = clingo.Control(["--warn=none"])
    if address is None:
        observer = access.observe(control, _plain_observer(words, most))
    else:
        observer = access.observe_by_code(control, address, words.ctypes.data)
    failure: list[BaseException] = []

    def work(*_alive: object) -> None:
        try:
            control.add("base", [], program)
            control.ground([("base", [])])
        except BaseException as error:  # handed to the caller's thread below
            failure.append(error)

    # The thread owns what the observer writes to: it may outlive this call if the grounder does not stop at once.
    thread = threading.Thread(target=work, args=(words, observer), name="grounder", daemon=True)
    reason = _supervise(thread, words, seconds, memory, max_rules)
    if words[STOP] == TOO_MANY and (max_rules is None or words[RULES] <= max_rules):
        raise _TooManyRules
    if reason:
        raise BudgetExceeded(
            reason, budget="rules" if max_rules is not None and words[RULES] > max_rules else "grounding"
        )
    if failure:
        raise failure[0]
    used, rules = int(words[USED]), int(words[RULES])
    atoms = {p: access.atoms_of(control, p, arity) for p, arity in predicates.items()}
    return Grounding(words[HEADER:used].copy(), rules, atoms, access)


def _supervise(
    thread: threading.Thread, words: NDArray[np.int32], seconds: float | None, memory: float, max_rules: int | None
) -> str | None:
    """Run the thread until it ends or a limit is hit; the reason, if it was stopped."""
    start, before = clock.now(), resident_bytes()
    longest = GroundLimits.current().ground_processor_seconds
    thread.start()
    reason = None
    pause = 0.002
    alive = True
    while alive and reason is None:
        try:
            thread.join(pause)
        except BaseException:
            words[STOP] = 1
            thread.join(GRACE_SECONDS)
            raise
        alive = thread.is_alive()
        pause = min(0.1, pause * 1.5)
        report("grounding", int(words[RULES]))
        reached = f"{int(words[RULES]):,} ground rules so far"
        if words[STOP] == FULL or resident_bytes() - before > memory:
            reason = f"grounding needs more than the {memory / 2**30:.3g} GB allowed ({reached})"
        elif max_rules is not None and words[RULES] > max_rules:
            reason = f"grounding gives more than {max_rules:,} rules"
        elif alive and seconds is not None and clock.now() - start > seconds:
            reason = f"grounding needs more than the {seconds:.3g} s allowed ({reached})"
        elif alive and processor_seconds(thread, clock.now() - start) > longest:
            reason = f"grounding needs more than {longest:.3g} s of processor time ({reached})"
    if reason is not None:
        words[STOP] = words[STOP] or 1
        thread.join(GRACE_SECONDS)
    return reason


def processor_seconds(thread: threading.Thread, otherwise: float) -> float:
    """Processor time of a thread that runs, or what the clock says where the system cannot tell."""
    if not hasattr(time, "pthread_getcpuclockid") or thread.ident is None:
        return otherwise
    try:
        return time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
    except OSError:  # it has just ended
        return 0.0


def resident_bytes() -> int:
    """Memory that this process occupies now."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * mmap.PAGESIZE
    except OSError:  # not Linux: the high-water mark is the best that is to be had everywhere
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
