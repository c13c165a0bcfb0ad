"""Numbers that explain themselves: a room's limits and thresholds as an object, a line on each.

A room keeps its numbers in its module ``limits``, as a dataclass on top of ``Numbers``. Each field is made by
``number``, which takes the default, a line on what it bounds, and the range of what makes sense:

    @dataclass(frozen=True, kw_only=True)
    class TeaLimits(Numbers):
        kettle_litres: float = number(1.5, "Water that is put on", least=0.2, most=3.0)
        cups: int = number(6, "Cups that are poured", least=1)

The line may go on after a full stop with where the number comes from: a paper, or a measurement with its command.
A number may be an ``int``, a ``float``, or a tuple of one or more of one kind.

Code asks for the numbers in force once per call of an outer function, and never inside loops or kernels:

    limits = TeaLimits.current()

A caller changes them for a while, for everything that runs inside:

    with using(TeaLimits(cups=2)):
        ...

A public function that takes ``limits=None`` runs its body within ``with TeaLimits.given(limits):``, which refuses
numbers of another room. The numbers in force belong to the context (``contextvars``): other threads keep their own, and
a new thread or process starts with the defaults, so read them before you start one and hand the values over. What
comes lazily (a generator's body, a cached property) sees the numbers in force when it runs.

On the command line, ``--set cups=2`` is read by ``read_settings``, which finds the room of a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Self, TypeVar

from ludisect.errors import InputError

Number = int | float | tuple[int, ...] | tuple[float, ...]
_N = TypeVar("_N", int, float, tuple[int, ...], tuple[float, ...])

MOST_LISTED = 20
"""More names than this are not listed in an error."""

_in_force: ContextVar[Mapping[type[Numbers], Numbers]] = ContextVar("_in_force", default=MappingProxyType({}))
_defaults: dict[type[Numbers], Numbers] = {}
"""Made once for each room."""


@dataclass(frozen=True, slots=True)
class NumberField:
    """What is known of one number: its name, its default, a line on it, and the range that it must keep."""

    name: str
    default: Number
    line: str
    least: float | None = None
    most: float | None = None

    @property
    def kind(self) -> type[int] | type[float]:
        """``int`` for a whole number (or several), ``float`` for any."""
        return int if all(isinstance(one, int) for one in _several(self.default)) else float

    @property
    def given(self) -> str:
        """The default as a text that ``read`` takes."""
        return ",".join(str(one) for one in _several(self.default))

    def wanted(self) -> str:
        """What values are right, in words: ``a whole number of at least 1``."""
        many = isinstance(self.default, tuple)
        words = ("whole number" if self.kind is int else "number") + "s" * many
        words = f"{words} with commas between them, each" if many else f"a {words}"
        if self.least is not None and self.most is not None:
            return f"{words} from {_shown(self.least)} to {_shown(self.most)}"
        if self.least is not None:
            return f"{words} of at least {_shown(self.least)}"
        if self.most is not None:
            return f"{words} of at most {_shown(self.most)}"
        return words.removesuffix(", each")

    def check(self, value: object) -> None:
        """Raise TypeError for a value of the wrong type, InputError for one out of range."""
        several = _several(value)
        right = (
            bool(several)
            and isinstance(value, tuple) == isinstance(self.default, tuple)
            and all(
                isinstance(one, int if self.kind is int else int | float) and not isinstance(one, bool)
                for one in several
            )
        )
        if not right:
            raise TypeError(f"{self.name} is {self.wanted()}, not {value!r}")
        for one in several:
            if not (self.least is None or one >= self.least) or not (self.most is None or one <= self.most):
                raise InputError(f"{self.name} is {self.wanted()}, not {_shown(one)}")

    def read(self, text: str) -> Number:
        """The value that a text says; InputError if it says none of the right kind."""
        many = isinstance(self.default, tuple)
        try:
            found = [_read(one, self.kind) for one in (text.split(",") if many else [text])]
        except (ValueError, OverflowError):
            raise InputError(f"{self.name} is {self.wanted()}, not {text!r}") from None
        value: Any = tuple(found) if many else found[0]
        self.check(value)
        return value  # type: ignore[no-any-return]


def number(default: _N, line: str, *, least: float | None = None, most: float | None = None) -> _N:
    """A field of a class of numbers: its default, a line on what it bounds, and its range (see the module)."""
    made: Any = field(default=default, metadata={"line": line, "least": least, "most": most})
    return made  # type: ignore[no-any-return]


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """The base of every room's numbers; a value of the wrong type or out of range is refused."""

    def __post_init__(self) -> None:
        for setting in self.described():
            setting.check(getattr(self, setting.name))

    @classmethod
    def current(cls) -> Self:
        """The numbers in force here: what ``using`` or ``given`` says, else the defaults."""
        found = _in_force.get().get(cls)
        if not isinstance(found, cls):
            found = _defaults.get(cls)
        if not isinstance(found, cls):
            found = _defaults[cls] = cls()
        return found

    @classmethod
    @contextmanager
    def given(cls, limits: Self | None) -> Iterator[Self]:
        """For a function that takes ``limits``: put them in force for a while; None leaves those in force as they are.

        Raises TypeError if they are not of this class.
        """
        if limits is not None and not isinstance(limits, cls):
            raise TypeError(f"limits is a {cls.__name__} or None, not {limits!r}")
        with using(*([] if limits is None else [limits])):
            yield cls.current()

    @classmethod
    def described(cls) -> tuple[NumberField, ...]:
        """Every number of the room, in the order of the class."""
        return tuple(NumberField(one.name, one.default, **one.metadata) for one in fields(cls))  # type: ignore[arg-type]


@contextmanager
def using(*numbers: Numbers) -> Iterator[None]:
    """Put numbers of one or several rooms in force for a while; those of other rooms stay as they are."""
    for one in numbers:
        if not isinstance(one, Numbers) or type(one) is Numbers:
            raise TypeError(f"using takes the numbers of rooms, such as DecompositionLimits(...), not {one!r}")
    token = _in_force.set(MappingProxyType({**_in_force.get(), **{type(one): one for one in numbers}}))
    try:
        yield
    finally:
        _in_force.reset(token)


def read_settings(texts: Iterable[str], rooms: Sequence[type[Numbers]]) -> tuple[Numbers, ...]:
    """The numbers that texts such as ``cups=2`` ask for, one object for each room that they name; the last one wins.

    Raises InputError for a text of another form, a name that no room has, and a value that is not right for it.
    """
    homes = {setting.name: (room, setting) for room in rooms for setting in room.described()}
    changed: dict[type[Numbers], dict[str, Number]] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise InputError(f"{text!r} is not of the form name=value")
        if name not in homes:
            raise InputError(f"there is no number {name!r}{_near(name, list(homes))}")
        room, setting = homes[name]
        changed.setdefault(room, {})[name] = setting.read(value)
    return tuple(replace(room.current(), **values) for room, values in changed.items())


def _near(name: str, known: list[str]) -> str:
    """The names that are like one, or share a word with it, else all: what the user may have meant."""
    from difflib import get_close_matches  # rarely needed and slow to load

    like = get_close_matches(name, known, n=3, cutoff=0.75)
    if not like:
        words = set(name.split("_"))
        like = [one for one in known if words & set(one.split("_"))] or get_close_matches(name, known, n=3)
    if like:
        return f"; did you mean {' or '.join(like[:5])}?"
    return f"; there are {', '.join(known)}" if len(known) <= MOST_LISTED else "; --set help lists them all"


def _several(value: object) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _read(text: str, kind: type[int] | type[float]) -> int | float:
    if kind is float:
        return float(text)
    try:
        return int(text)
    except ValueError:
        value = float(text)  # 1e6 is a whole number too
        if value != int(value):
            raise
        return int(value)


def _shown(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:g}"
