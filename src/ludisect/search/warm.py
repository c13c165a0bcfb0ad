"""The one-time compilation of this room's kernels: whether it has been done, and doing it."""

from __future__ import annotations

import os

_SMALL_GAME = """
(role a) (role b) (init (turn a)) (init (left 1 2)) (init (left 2 2)) (less 2 1) (less 1 0) (less 2 0)
(<= (legal ?r (take ?h ?m)) (true (turn ?r)) (true (left ?h ?n)) (less ?n ?m))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (taken ?h) (does ?r (take ?h ?m)))
(<= (next (left ?h ?m)) (does ?r (take ?h ?m)))
(<= (next (left ?h ?n)) (true (left ?h ?n)) (not (taken ?h)))
(<= (next (turn a)) (true (turn b)))
(<= (next (turn b)) (true (turn a)))
(<= some (true (left ?h ?n)) (less ?n ?m))
(<= terminal (not some))
(<= (goal ?r 0) (true (turn ?r)))
(<= (goal ?r 100) (role ?r) (not (true (turn ?r))))
"""


def kernels_ready() -> bool:
    """Whether compiled kernels for this machine and version are on disk."""
    from ludisect.search import scoring

    cache = getattr(scoring._order, "_cache", None)
    path = getattr(getattr(cache, "_cache_file", None), "_index_path", None)
    return path is not None and os.path.exists(path)


def compile_kernels() -> None:
    """Solve a small game whole and by its parts, in every form, so that the kernels are compiled and kept."""
    from ludisect.circuit.load import load
    from ludisect.decompose.methods import decompose
    from ludisect.gdl.reader import read
    from ludisect.search.classes import class_graph, reduce
    from ludisect.search.local import Views
    from ludisect.search.product import Explorer
    from ludisect.search.quotient import quotient
    from ludisect.search.scoring import canonical
    from ludisect.search.values import solve_graph
    from ludisect.search.whole import solve_whole

    game = load(read(_SMALL_GAME, name="a game to compile kernels with"))
    solve_whole(game)
    solve_whole(game, depth=1)
    q = quotient(Views(decompose(game)))
    graph = class_graph(q)
    if graph is not None:
        reduce(graph, q.evaluation)
        canonical(graph, q.evaluation)
    for by_tables in (True, False):
        solve_graph(Explorer(q, by_tables=by_tables, few=0).explore().graph)
