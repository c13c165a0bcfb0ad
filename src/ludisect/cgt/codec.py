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
    seen: set[int] = set()
    stack: list[tuple[Value, bool]] = [(g, False)]
    while stack:
        x, ready = stack.pop()
        if ready:
            order.append(x)
        elif x.serial not in seen:
            seen.add(x.serial)
            stack.append((x, True))
            if x.nus is None:
                stack.extend((y, False) for y in (*x.right, *x.left))
    return order


def encode(g: Value) -> str:
    """The value as compact JSON text: its followers, each by triple or by the places of its options."""
    order = followers(g)
    place = {x.serial: i for i, x in enumerate(order)}
    rows: list[object] = []
    for x in order:
        if x.nus is not None:
            rows.append([str(x.nus[0]), x.nus[1], x.nus[2]])
        else:
            rows.append([[place[y.serial] for y in x.left], [place[y.serial] for y in x.right]])
    return json.dumps(rows, separators=(",", ":"))


def decode(data: str) -> Value:
    """The value written by :func:`encode`; the options are trusted to be canonical."""
    made: list[Value] = []
    for row in json.loads(data):
        if len(row) == 3:
            made.append(atom(normal(Fraction(row[0])), row[1], row[2]))
        else:
            left, right = [made[i] for i in row[0]], [made[i] for i in row[1]]
            made.append(intern(left, right, max(x.rs for x in left), min(y.ls for y in right)))
    return made[-1]


def _reduce(g: Value) -> tuple[object, tuple[str]]:
    return decode, (encode(g),)


copyreg.pickle(Value, _reduce)  # type: ignore[arg-type]
