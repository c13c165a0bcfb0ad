"""The list of ways."""

from __future__ import annotations

from ludisect.search.ways import BY_NAME, GENERAL, SPECIAL, WAYS


def test_a_way_is_in_the_module_of_its_name() -> None:
    for name, way in WAYS.items():
        solve = getattr(way.solve, "func", way.solve)
        assert solve.__module__.rpartition(".")[2] == name.partition("-published")[0]


def test_every_way_has_a_name_of_its_own_and_its_place() -> None:
    assert len(WAYS) == len(SPECIAL) + len(GENERAL) + len(BY_NAME)
    assert all(way.exact for way in (*SPECIAL, *GENERAL))
    assert not any(way.exact for way in BY_NAME)
