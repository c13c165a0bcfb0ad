"""Union-find against components found by walking along links."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ludisect.circuit.numbergroups import join, root
from ludisect.decomposition.model.blocks import component_of
from ludisect.unionfind import Joined

LINKS = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20)


def walked(links: list[tuple[int, int]], start: int) -> set[int]:
    """What can be reached from a node, link by link."""
    found, grown = {start}, True
    while grown:
        more = {b for a, b in [*links, *((b, a) for a, b in links)] if a in found}
        grown, found = not more <= found, found | more
    return found


@given(LINKS)
def test_groups_are_what_links_lead_to(links: list[tuple[int, int]]) -> None:
    joined, above = Joined[int](), np.arange(12)
    for k, (a, b) in enumerate(links):
        apart = b not in walked(links[:k], a)
        assert joined.join(a, b) == apart
        assert join.plain(above, a, b) == apart
    ends = np.array(links, np.int64).reshape(-1, 2)
    smallest = component_of(ends[:, 0], ends[:, 1], 12)
    for x in range(12):
        group = walked(links, x)
        assert {y for y in range(12) if joined.root(y) == joined.root(x)} == group
        assert root.plain(above, x) == smallest[x] == min(group)
