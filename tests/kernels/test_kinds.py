"""Signatures read, written, and compared with arguments."""

from __future__ import annotations

import numpy as np
import pytest

from ludisect.kernels.kinds import Kind, kind_of, parse, write


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


def test_an_array_of_another_kind_is_not_accepted() -> None:
    (kind,) = parse("(int64[:, ::1])")[1]
    matrix = np.zeros((3, 4), np.int64)
    assert kind.accepts(matrix)
    assert not kind.accepts(matrix.astype(np.uint64))
    assert not kind.accepts(matrix.T)
    assert not kind.accepts(matrix[0])
    assert not kind.accepts(matrix.tolist())
    assert not kind.accepts(7)
    matrix.flags.writeable = False
    assert not kind.accepts(matrix)
    assert parse("(const int64[:, ::1])")[1][0].accepts(matrix)


def test_numbers() -> None:
    whole, real = parse("(int64, float64)")[1]
    assert whole.accepts(3)
    assert whole.accepts(np.int32(3))
    assert whole.accepts(True)
    assert not whole.accepts(3.0)
    assert real.accepts(3)
    assert real.accepts(2.5)
    assert not real.accepts("2.5")
    assert not real.accepts(np.zeros(1))


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
        assert kind.accepts(value)
        assert parse(write([kind]))[1] == (kind,)
    with pytest.raises(TypeError, match="not a str"):
        kind_of("text")


def test_order_matters_only_where_it_is_asked_for() -> None:
    assert Kind(np.dtype(np.int64), 2).accepts(np.zeros((3, 4), np.int64).T)
