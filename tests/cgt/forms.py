"""Games as bare trees with brute-force answers: the slow, obvious twin of the kernel, and strategies for both."""

from __future__ import annotations

from functools import lru_cache

from hypothesis import strategies as st

from ludisect.cgt import Value, make, nimber, number, switch, tiny, up

Form = tuple[tuple["Form", ...], tuple["Form", ...]]
ZERO: Form = ((), ())


def negative(g: Form) -> Form:
    return tuple(map(negative, g[1])), tuple(map(negative, g[0]))


@lru_cache(maxsize=200_000)
def mover_wins(g: Form, h: Form, left_moves: bool) -> bool:
    """Whether the player to move wins the sum of two trees under normal play."""
    side = 0 if left_moves else 1
    return any(not mover_wins(x, h, not left_moves) for x in g[side]) or any(
        not mover_wins(g, x, not left_moves) for x in h[side]
    )


def is_le(g: Form, h: Form) -> bool:
    """G <= H iff Left, moving first, does not win G - H."""
    return not mover_wins(g, negative(h), True)


def outcome(g: Form) -> str:
    return {(True, True): "N", (True, False): "L", (False, True): "R", (False, False): "P"}[
        mover_wins(g, ZERO, True), mover_wins(g, ZERO, False)
    ]


def to_value(g: Form) -> Value:
    return make(map(to_value, g[0]), map(to_value, g[1]))


def to_form(g: Value) -> Form:
    return tuple(map(to_form, g.left)), tuple(map(to_form, g.right))


def plus(g: Form, h: Form) -> Form:
    return (
        tuple(plus(x, h) for x in g[0]) + tuple(plus(g, x) for x in h[0]),
        tuple(plus(x, h) for x in g[1]) + tuple(plus(g, x) for x in h[1]),
    )


def forms(depth: int = 3, width: int = 2) -> st.SearchStrategy[Form]:
    """Trees of at most the given depth."""
    if depth == 0:
        return st.just(ZERO)
    options = st.lists(forms(depth - 1, width), max_size=width).map(tuple)
    return st.tuples(options, options)


_small = st.one_of(
    st.integers(-3, 3).map(number),
    st.fractions(-2, 2, max_denominator=1).map(number),
    st.sampled_from([number(0), nimber(1), nimber(2), nimber(3), up(1), up(-1), up(2, 1), up(1, 1), up(-1, 2)]),
    st.sampled_from([number(1) + nimber(1), tiny(1), -tiny(2), switch(1), switch(2, 0), number(0) - switch(3, 1)]),
)


def _grow(options: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    several = st.lists(options, min_size=1, max_size=2)
    return st.builds(make, several, several)


def values(leaves: int = 6) -> st.SearchStrategy[Value]:
    """Values of mixed kinds: numbers, infinitesimals, switches and games made of these."""
    return st.recursive(_small, _grow, max_leaves=leaves)
