"""The one-time compilation of the kernels: whether it has been done, and doing it."""

from __future__ import annotations

import os

_SMALL_GAME = """
(role a) (role b) (init (at 1)) (init (turn a)) (succ 1 2) (succ 2 3)
(<= (legal ?r (go ?x)) (true (turn ?r)) (succ ?x ?y))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does ?r (go ?z)))
(<= (next (turn a)) (true (turn b)))
(<= (next (turn b)) (true (turn a)))
(<= (near ?x ?y) (true (at ?x)) (succ ?x ?y))
(<= (near ?x ?y) (near ?y ?x))
(<= terminal (true (at 3)))
(<= (goal ?r 50) (role ?r) (not (near 1 2)))
(<= (goal ?r 0) (role ?r) (near 1 2))
"""


def kernels_ready() -> bool:
    """Whether compiled kernels for this machine and version are on disk."""
    from ludisect.circuit import kernel

    cache = getattr(kernel.play, "_cache", None)
    path = getattr(getattr(cache, "_cache_file", None), "_index_path", None)
    return path is not None and os.path.exists(path)


def compile_kernels() -> None:
    """Take a small game all the way, so that every kernel is compiled and kept."""
    from ludisect.circuit.load import load
    from ludisect.circuit.record import effects, record
    from ludisect.gdl.reader import read

    game = load(read(_SMALL_GAME, name="a game to compile kernels with"))
    effects(game, record(game, 10))
    game.goal_values(game.initial)
    game.playouts.run(1000)
