"""A worker whose commands misbehave on purpose: ``python -m tests.sweep.programs WARM``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

from ludisect.sweep.worker import serve


def run(words: Sequence[str]) -> int:
    """The first word says what to do."""
    what, *rest = words
    if what == "say":
        print(" ".join(rest))
        print("and more", file=sys.stderr)
    elif what == "exit":
        return int(rest[0])
    elif what == "sleep":
        time.sleep(1000)
    elif what == "spin":
        while True:
            pass
    elif what == "eat":
        held = []
        while True:
            held.append(bytearray(b"x" * 2**22))
    elif what == "fall":
        os.kill(os.getpid(), int(rest[0]))
        time.sleep(1000)
    elif what == "raise":
        raise RuntimeError("on purpose")
    elif what == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    elif what == "leave":  # a child that outlives its parent, and hides from its process group
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], process_group=0)
        print(child.pid)
    elif what == "nurse":  # the child eats, the parent waits for it
        eater = "h = []\nwhile True: h.append(bytearray(b'x' * 2**22))"
        subprocess.run([sys.executable, "-c", eater], process_group=0, check=False)
    elif what == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        time.sleep(1000)
    return 0


if __name__ == "__main__":
    serve(run, sys.argv[1:])
