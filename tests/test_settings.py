"""Numbers that explain themselves: what is in force where, what is refused, how texts are read."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludisect
from ludisect.cgt.limits import ValueLimits
from ludisect.errors import BudgetExceeded, InputError
from ludisect.rulesets.limits import PositionLimits
from ludisect.search.limits import SearchLimits
from ludisect.settings import NumberField, Numbers, number, read_settings, using
from ludisect.sums.limits import SumsLimits

MANY = "numbers with commas between them, each"


@dataclass(frozen=True, kw_only=True)
class TeaLimits(Numbers):
    kettle_litres: float = number(1.5, "Water that is put on", least=0.2, most=3.0)
    cups: int = number(6, "Cups that are poured", least=1)
    minutes: tuple[float, ...] = number((2.0, 3.5), "When to taste", least=0.0)
    sugar: int = number(0, "Lumps")


@dataclass(frozen=True, kw_only=True)
class CakeLimits(Numbers):
    slices: int = number(12, "Slices of a cake", least=1, most=16)
    crumbs: int = number(9, "Crumbs that are left", most=100)


def test_numbers_are_in_force_inside_and_only_there() -> None:
    assert TeaLimits.current() == TeaLimits()
    with using(TeaLimits(cups=2), CakeLimits(slices=3)):
        assert (TeaLimits.current().cups, CakeLimits.current().slices) == (2, 3)
        with using(TeaLimits(cups=4)):
            assert (TeaLimits.current().cups, CakeLimits.current().slices) == (4, 3)
        assert TeaLimits.current().cups == 2
    with pytest.raises(ZeroDivisionError), using(TeaLimits(cups=2)):
        raise ZeroDivisionError
    assert TeaLimits.current() == TeaLimits()


def test_given() -> None:
    with TeaLimits.given(None) as limits:
        assert limits == TeaLimits.current() == TeaLimits()
    with using(TeaLimits(cups=3)), TeaLimits.given(None) as limits:
        assert limits.cups == 3
    with TeaLimits.given(TeaLimits(cups=2)) as limits:
        assert limits is TeaLimits.current()
        assert limits.cups == 2
    with (
        pytest.raises(TypeError, match=r"^limits is a TeaLimits or None, not CakeLimits\(slices=12, crumbs=9\)$"),
        TeaLimits.given(CakeLimits()),  # type: ignore[arg-type]
    ):
        pass
    for wrong in (3, Numbers()):
        with pytest.raises(TypeError, match="using takes the numbers of rooms"), using(wrong):  # type: ignore[arg-type]
            pass


def test_another_thread_has_the_defaults() -> None:
    seen: list[int] = []
    with using(TeaLimits(cups=2)):
        thread = Thread(target=lambda: seen.append(TeaLimits.current().cups))
        thread.start()
        thread.join()
    assert seen == [6]


def test_numbers_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        TeaLimits().cups = 3  # type: ignore[misc]


def test_described() -> None:
    assert TeaLimits.described()[:2] == (
        NumberField("kettle_litres", 1.5, "Water that is put on", 0.2, 3.0),
        NumberField("cups", 6, "Cups that are poured", 1),
    )
    assert [setting.wanted() for setting in (*TeaLimits.described(), *CakeLimits.described())] == [
        "a number from 0.2 to 3",
        "a whole number of at least 1",
        "numbers with commas between them, each of at least 0",
        "a whole number",
        "a whole number from 1 to 16",
        "a whole number of at most 100",
    ]


@pytest.mark.parametrize(
    "wrong", [{"cups": 2.0}, {"cups": True}, {"cups": "2"}, {"minutes": 2.0}, {"cups": (2,)}, {"minutes": ()}]
)
def test_wrong_types(wrong: dict[str, object]) -> None:
    with pytest.raises(TypeError, match=f"^{next(iter(wrong))} is .*number.*, not "):
        TeaLimits(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("room", "wrong", "message"),
    [
        (TeaLimits, {"cups": 0}, "cups is a whole number of at least 1, not 0"),
        (TeaLimits, {"kettle_litres": 4}, "kettle_litres is a number from 0.2 to 3, not 4"),
        (TeaLimits, {"kettle_litres": float("nan")}, "kettle_litres is a number from 0.2 to 3, not nan"),
        (TeaLimits, {"minutes": (1.0, -1.0)}, f"minutes is {MANY} of at least 0, not -1"),
        (CakeLimits, {"crumbs": 101}, "crumbs is a whole number of at most 100, not 101"),
    ],
)
def test_out_of_range(room: type[Numbers], wrong: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as raised:
        room(**wrong)
    assert str(raised.value) == message


def test_texts() -> None:
    rooms = (TeaLimits, CakeLimits)
    assert read_settings([], rooms) == ()
    assert read_settings(["slices=4"], rooms) == (CakeLimits(slices=4),)
    texts = ["cups = 1e1", "slices=1_0", "kettle_litres=2", "minutes=1,2.5", "slices=5"]
    assert read_settings(texts, rooms) == (
        TeaLimits(cups=10, kettle_litres=2.0, minutes=(1.0, 2.5)),
        CakeLimits(slices=5),
    )
    with using(TeaLimits(sugar=3)):
        assert read_settings(["cups=1"], rooms) == (TeaLimits(sugar=3, cups=1),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cups", "'cups' is not of the form name=value"),
        ("=3", "'=3' is not of the form name=value"),
        ("cup=3", "there is no number 'cup'; did you mean cups?"),
        ("sugars=3", "there is no number 'sugars'; did you mean sugar?"),
        ("litres=3", "there is no number 'litres'; did you mean kettle_litres?"),
        ("zzz=3", "there is no number 'zzz'; there are kettle_litres, cups, minutes, sugar, slices, crumbs"),
        ("cups=many", "cups is a whole number of at least 1, not 'many'"),
        ("cups=", "cups is a whole number of at least 1, not ''"),
        ("cups=2.5", "cups is a whole number of at least 1, not '2.5'"),
        ("cups=inf", "cups is a whole number of at least 1, not 'inf'"),
        ("cups=0", "cups is a whole number of at least 1, not 0"),
        ("kettle_litres=9", "kettle_litres is a number from 0.2 to 3, not 9"),
        ("minutes=1;2", f"minutes is {MANY} of at least 0, not '1;2'"),
    ],
)
def test_texts_that_say_nothing(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read_settings([text], (TeaLimits, CakeLimits))
    assert str(raised.value) == message


@given(st.integers(1), st.floats(0.2, 3.0), st.lists(st.floats(0.0, allow_infinity=False), min_size=1))
def test_what_is_printed_reads_back(cups: int, litres: float, minutes: list[float]) -> None:
    made = TeaLimits(cups=cups, kettle_litres=litres, minutes=tuple(minutes))
    texts = [f"cups={cups}", f"kettle_litres={litres!r}", f"minutes={','.join(map(repr, minutes))}"]
    assert read_settings(texts, [TeaLimits]) == (made,)


def test_solve_takes_numbers_of_any_room() -> None:
    parts = ludisect.decompose("nim:2,3")
    with pytest.raises(InputError, match="too many to judge"):
        ludisect.solve(parts, "tmseq", limits=SearchLimits(verdicts_judged=1))
    assert ludisect.solve(parts, "tmseq").exact
    both = ludisect.solve("nim 3 5", limits=[SumsLimits(decide_few=1), SearchLimits()])
    assert both.value == ludisect.solve("nim 3 5").value
    with pytest.raises(TypeError, match="takes the numbers of rooms"):
        ludisect.solve("nim 3 5", limits=[3])  # type: ignore[list-item]


def test_texts_of_values_and_positions_have_limits_that_can_be_set() -> None:
    for numbers, text, told in [
        (ValueLimits(reader_deepest=2), "{{{1|}|}|}", "nested deeper than 2"),
        (ValueLimits(reader_longest=3), "1234", "of more than 3 characters is not read"),
        (PositionLimits(grid_cells=4), "domineering 2x3", "a board has 1 to 4 cells, 2x3 has 6"),
        (PositionLimits(grid_cells=4), "domineering ...|...", "a board has at most 4 cells"),
        (PositionLimits(heaps_digits=1), "nim 3 12", "a heap size has at most 1 digits, not 2"),
    ]:
        ludisect.value(text)
        with using(numbers), pytest.raises(InputError, match=told):
            ludisect.value(text)
    with using(ValueLimits(atom_options=3)), pytest.raises(BudgetExceeded, match=r"\*5 has 5 options; at most 3 are"):
        _ = ludisect.value("*5").left
