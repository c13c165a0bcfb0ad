"""Values as data: compact JSON text for databases and pickling; read back, equal values are one object."""

from __future__ import annotations

import copyreg
import json
from fractions import Fraction

from ludisect.cgt.dyadic import normal
from ludisect.cgt.value import Value, atom, intern


def followers(g: Value) -> list[Value]:
    """``g`` and all positions below it that are no sums of number, ups and nimber, options before their parents."""
    order: list[Value] = []
    seen: set[Value] = set()
    stack: list[tuple[Value, bool]] = [(g, False)]
    while stack:
        x, ready = stack.pop()
        if ready:
            order.append(x)
        elif x not in seen:
            seen.add(x)
            stack.append((x, True))
            if x.number_up_star is None:
                stack.extend((y, False) for y in (*x.right, *x.left))
    return order


def encode(g: Value) -> str:
    """The value as compact JSON text: its followers, each by triple or by the places of its options."""
    order = followers(g)
    place = {x: i for i, x in enumerate(order)}
    rows: list[object] = []
    for x in order:
        if x.number_up_star is not None:
            n, ups, nim = x.number_up_star
            rows.append([str(n), ups, nim])
        else:
            rows.append([[place[y] for y in x.left], [place[y] for y in x.right]])
    return json.dumps(rows, separators=(",", ":"))


def decode(data: str) -> Value:
    """The value written by :func:`encode`; the options are trusted to be canonical."""
    made: list[Value] = []
    for row in json.loads(data):
        if len(row) == 3:
            made.append(atom(normal(Fraction(row[0])), row[1], row[2]))
        else:
            made.append(intern([made[i] for i in row[0]], [made[i] for i in row[1]]))
    return made[-1]


def _reduce(g: Value) -> tuple[object, tuple[str]]:
    return decode, (encode(g),)


copyreg.pickle(Value, _reduce)  # type: ignore[arg-type]
