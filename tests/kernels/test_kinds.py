"""Signatures read, written, and compared with arguments."""

from __future__ import annotations

import numpy as np
import pytest

from ludisect.kernels.kinds import Kind, accept, kind_of, parse, write


@pytest.mark.parametrize(
    "text",
    [
        "()",
        "(int64)",
        "(int32[::1], int64[:, ::1], const uint64[:, :, ::1], boolean, float64[:], uint8[:, :])",
    ],
)
def test_what_is_read_is_written_again(text: str) -> None:
    result, kinds = parse(text)
    assert result == ""
    assert write(kinds) == text


def test_results_stand_before_the_arguments() -> None:
    assert parse("UniTuple(int64, 2)(int64, boolean[::1])")[0] == "UniTuple(int64, 2)"
    assert parse("void(int64)")[0] == "void"


@pytest.mark.parametrize("text", ["int64", "(int65)", "(int64[::2])", "(int64[1])", "(list)", ""])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"signature|kind of argument"):
        parse(text)


def takes(kind: Kind, value: object) -> bool:
    """Whether a kernel of one argument takes the value; with none or with two it takes nothing."""
    assert not accept((kind,), ())
    assert not accept((kind,), (value, value))
    return accept((kind,), (value,))


def test_an_array_of_another_kind_is_not_accepted() -> None:
    (kind,) = parse("(int64[:, ::1])")[1]
    matrix = np.zeros((3, 4), np.int64)
    assert takes(kind, matrix)
    assert not takes(kind, matrix.astype(np.uint64))
    assert not takes(kind, matrix.T)
    assert not takes(kind, matrix[0])
    assert not takes(kind, matrix.tolist())
    assert not takes(kind, 7)
    matrix.flags.writeable = False
    assert not takes(kind, matrix)
    assert takes(parse("(const int64[:, ::1])")[1][0], matrix)


def test_numbers() -> None:
    whole, real = parse("(int64, float64)")[1]
    assert takes(whole, 3)
    assert takes(whole, np.int32(3))
    assert takes(whole, True)
    assert not takes(whole, 3.0)
    assert takes(real, 3)
    assert takes(real, 2.5)
    assert not takes(real, "2.5")
    assert not takes(real, np.zeros(1))


def test_kinds_of_arguments_accept_them() -> None:
    readonly = np.zeros(3, np.uint8)
    readonly.flags.writeable = False
    for value in (
        1,
        -1,
        1 << 63,
        2.5,
        True,
        np.uint64(7),
        np.zeros((2, 2), np.int32).T,
        readonly,
        np.zeros(0, np.bool_),
    ):
        kind = kind_of(value)
        assert takes(kind, value)
        assert parse(write([kind]))[1] == (kind,)
    with pytest.raises(TypeError, match="not a str"):
        kind_of("text")


def test_order_matters_only_where_it_is_asked_for() -> None:
    assert takes(Kind(np.dtype(np.int64), 2), np.zeros((3, 4), np.int64).T)
