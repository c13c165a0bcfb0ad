"""What is written reads back as the same rules, in both notations and across them."""

from __future__ import annotations

import pytest
from hypothesis import given

from ludisect.errors import InputError
from ludisect.gdl import Rules, Term, read, read_term, write
from ludisect.gdl.outline import MAX_DEPTH

from ..strategies import sheets, terms

SHEET = """(role xplayer)
(role oplayer)

(<= (next (cell ?m ?n b))
    (does ?w (mark ?j ?k))
    (true (cell ?m ?n b))
    (or (distinct ?m ?j) (distinct ?n ?k)))

(<= (legal ?w noop) (role ?w) (not (true (control ?w))))

(<= terminal (or (line x) (and open (not (line o)))))

(<= (speed+ ?X ?n++)
    (or
        (and (a-rather-long-predicate ?X ?n++) (another-rather-long-predicate ?X ?n++))
        (yet-another-rather-long-predicate ?X ?n++)))
"""

INFIX = """role(xplayer).
role(oplayer).

next(cell(M, N, b)) :-
    does(W, mark(J, K)),
    true(cell(M, N, b)),
    (distinct(M, J) | distinct(N, K)).

legal(W, noop) :- role(W), not true(control(W)).

terminal :- line(x) | (open, not line(o)).

'speed+'(?X, ?'n++') :-
    (a-rather-long-predicate(?X, ?'n++'), another-rather-long-predicate(?X, ?'n++')) |
    yet-another-rather-long-predicate(?X, ?'n++').
"""


def test_layout() -> None:
    assert write(read(SHEET)) == SHEET
    assert write(read(SHEET), "infix") == INFIX
    assert write(read(INFIX)) == SHEET


def test_unknown_notation() -> None:
    with pytest.raises(InputError, match=r"^unknown notation 'lisp'; choose 'kif' or 'infix'$"):
        write(read(SHEET), "lisp")  # type: ignore[arg-type]


def test_no_rules_make_an_empty_text() -> None:
    assert write(Rules(())) == ""


@pytest.mark.parametrize("notation", ["kif", "infix"])
def test_deep_formulas(notation: str) -> None:
    depth = MAX_DEPTH - 2
    sheet = read("(<= p " + "(not (or q " * (depth // 2) + "(r ?x)" + "))" * (depth // 2) + ")")
    assert read(write(sheet, notation)) == sheet  # type: ignore[arg-type]


@given(sheets)
def test_kif_reads_back(sheet: Rules) -> None:
    assert read(write(sheet)) == sheet
    assert read(str(sheet)) == sheet


@given(sheets)
def test_infix_reads_back(sheet: Rules) -> None:
    text = write(sheet, "infix")
    again = read(text)
    assert again == sheet
    assert again.notation == "infix"
    assert write(read(write(again)), "infix") == text


@given(terms)
def test_terms_read_back(term: Term) -> None:
    assert read_term(str(term)) == term
