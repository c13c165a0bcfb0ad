"""``ByRole``: one thing for each role of a game, found by the role's name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from ludisect.errors import UnknownRole

T_co = TypeVar("T_co", covariant=True)


class ByRole(Mapping[str, T_co]):
    """A mapping from role to thing that cannot be changed, in the order of the roles; looks and compares like a dict.

    >>> ByRole({"xplayer": 100, "oplayer": 0})["xplayr"]
    Traceback (most recent call last):
    ...
    ludisect.errors.UnknownRole: no role is called 'xplayr'; did you mean xplayer?
    """

    __slots__ = ("_things",)

    def __init__(self, things: Mapping[str, T_co]) -> None:
        self._things = dict(things)

    def __getitem__(self, role: str) -> T_co:
        if role not in self._things:
            raise UnknownRole(role, tuple(self._things))
        return self._things[role]

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)

    def __repr__(self) -> str:
        return repr(self._things)

    def __reduce__(self) -> tuple[type[ByRole[T_co]], tuple[dict[str, T_co]]]:
        return type(self), (self._things,)
