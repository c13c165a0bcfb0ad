"""The KIF reader: quirks of real sheets, and every fault with its place."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ludisect.errors import InputError, LudisectError, RulesSyntaxError
from ludisect.gdl import (
    And,
    Distinct,
    Interpreter,
    Not,
    Notation,
    Or,
    Rule,
    Term,
    Variable,
    check,
    read,
    read_file,
    read_term,
    write,
)
from ludisect.gdl.outline import MAX_DEPTH

from ..strategies import scraps


def faults(text: str | bytes, name: str = "x.kif") -> str:
    with pytest.raises(RulesSyntaxError) as caught:
        read(text, name=name)
    return str(caught.value)


def test_a_rule() -> None:
    (rule,) = read("(<= (next (cell ?m ?n x)) (does xplayer (mark ?m ?n)) (true (cell ?m ?n b)))")
    m, n = Variable("m"), Variable("n")
    assert rule == Rule(
        Term("next", (Term("cell", (m, n, Term("x"))),)),
        (
            Term("does", (Term("xplayer"), Term("mark", (m, n)))),
            Term("true", (Term("cell", (m, n, Term("b"))),)),
        ),
    )


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("(terminal)", "(<= terminal)"),
        ("(<= terminal (true over))", "(<= (terminal) (true (over)))"),
        ("(Role white)(INIT (step 1))", "(role white)(init (step 1))"),
        (
            "(<= (Legal white a) (NOT (True b)) (Or (oR a b) (AND c d)))",
            "(<= (legal white a) (not (true b)) (or (or a b) (and c d)))",
        ),
        ("((role a) (<= terminal (p)))", "(role a) (<= terminal p)"),
        (" ; in front\n ( ; inside\n (role a) ; (role no)\n ) ; behind )\n", "(role a)"),
        ("(role a)\r\n(role b) ; c\r(role c)\n", "(role a)(role b)(role c)"),
        ("\ufeff(role a)", "(role a)"),
        ("(role;a\nb)", "(role b)"),
        ("((role a)) (role b)", "(role a) (role b)"),
    ],
)  # fmt: skip
def test_other_ways_to_write_the_same(text: str, same: str) -> None:
    assert read(text) == read(same)


def test_symbols_keep_their_case() -> None:
    assert [str(rule) for rule in read("(Cell A)(cell a)(roles X)")] == ["(Cell A)", "(cell a)", "(roles X)"]


def test_odd_constants_and_variables() -> None:
    (rule,) = read("(<= (step ?n++) (++ ?n ?n++) (map+ -1 x.y +) (< ?X ?x) (p ?))")
    assert str(rule) == "(<= (step ?n++) (++ ?n ?n++) (map+ -1 x.y +) (< ?X ?x) (p ?))"
    assert rule.head == Term("step", (Variable("n++"),))
    assert rule.body[-1] == Term("p", (Term("?"),))


def test_formulas_nest() -> None:
    (rule,) = read("(<= p (not (distinct ?x ?y)) (or (and (q ?x) (not (r ?x))) (not (not s))) (or))")
    x, y = Variable("x"), Variable("y")
    assert rule.body == (
        Not(Distinct(x, y)),
        Or((And((Term("q", (x,)), Not(Term("r", (x,))))), Not(Not(Term("s"))))),
        Or(()),
    )


def test_bytes_of_several_encodings() -> None:
    sheet = "(role größe) ; à"
    for encoding in ("utf-8", "utf-8-sig", "latin-1", "utf-16"):
        assert read(sheet.encode(encoding)) == read("(role größe)")


def test_places_of_rules() -> None:
    sheet = read("(role a)\n  (<= ; note (\n  (legal a b)\n (q))\n(<= terminal)", name="x.kif")
    assert [str(rule.place) for rule in sheet] == ["x.kif:1:1", "x.kif:3:3", "x.kif:5:5"]


def test_nesting_up_to_the_limit_reads_and_prints() -> None:
    deep = "(<= p " + "(not " * (MAX_DEPTH - 2) + "(q ?x)" + ")" * (MAX_DEPTH - 2) + ")"
    assert str(read(deep)) == deep
    assert read(str(read(deep))) == read(deep)


def test_faults_are_told_all_at_once() -> None:
    text = """(role x
(<= (legal x a) ?y)
(<= (legal x b) (not) (q))
(<= (or a b) c)
hello world
(foo ())
(<= (?f a) b)
(<= p a or b)
(<= p (distinct a))
(p <= q)
(<=)
(role y))
"""
    assert (
        faults(text)
        == """x.kif:1:1: this '(' is never closed
    1 | (role x
      | ^
  help: a new sentence begins on line 2
x.kif:2:17: the variable ?y cannot be a literal
    2 | (<= (legal x a) ?y)
      |                 ^^
  help: a literal is an atom, or one of not, or, and, distinct
x.kif:3:17: 'not' takes one formula, found 0
    3 | (<= (legal x b) (not) (q))
      |                 ^^^^^
  help: write (not (and …)) for several
x.kif:4:5: 'or' cannot be the head of a rule
    4 | (<= (or a b) c)
      |     ^^^^^^^^
  help: a head is an atom
x.kif:5:1: a sentence begins with '(', found 'hello'
    5 | hello world
      | ^^^^^
  help: write (name argument …)
x.kif:6:6: an empty list
    6 | (foo ())
      |      ^^
  help: write (name argument …)
x.kif:7:6: a name is expected after '(', found the variable ?f
    7 | (<= (?f a) b)
      |      ^^
x.kif:8:9: 'or' comes before the formulas that it joins
    8 | (<= p a or b)
      |         ^^
  help: write (or a b)
x.kif:9:7: 'distinct' takes two terms, found 1
    9 | (<= p (distinct a))
      |       ^^^^^^^^^^^^
  help: write (distinct ?x ?y)
x.kif:10:4: '<=' belongs at the start of a sentence
   10 | (p <= q)
      |    ^^
  help: write (<= head literal …)
x.kif:11:1: '<=' without a head
   11 | (<=)
      | ^^^^
  help: write (<= head literal …)
x.kif:12:9: this ')' closes nothing
   12 | (role y))
      |         ^
  help: remove it, or add the missing '('"""
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.kif: no rules in this text"),
        (" ; nothing but a comment", "x.kif: no rules in this text"),
        ("(role x", "x.kif:1:1: this '(' is never closed"),
        ("((role x) (role y)", "x.kif:1:1: this '(' is never closed"),
        ("(a)\n(b (c", "x.kif:2:1: this '(' is never closed"),
        ("(p (q r)) )", "x.kif:1:11: this ')' closes nothing"),
        ("(a ((b) c))", "x.kif:1:5: a name is expected after '(', found '('"),
        ("(<= ?x p)", "x.kif:1:5: the variable ?x cannot be the head of a rule"),
        ("(<= p (not a b))", "x.kif:1:7: 'not' takes one formula, found 2"),
        ("\x89PNG\x00\x01", "x.kif:1:5: this is no text: it holds the character '\\x00'"),
        (b"\x7fELF\x02\x01\x01\x00", "x.kif:1:5: this is no text: it holds the character '\\x02'"),
        ("(a " * 300, "x.kif:1:601: brackets nested deeper than 200"),
        ("hello", "x.kif:1:1: a sentence begins with '(', found 'hello'"),
    ],
)  # fmt: skip
def test_single_faults(text: str | bytes, message: str) -> None:
    assert faults(text).splitlines()[0] == message


def test_hundreds_of_faults_are_capped() -> None:
    with pytest.raises(RulesSyntaxError) as caught:
        read(")\n" * 500)
    assert len(caught.value.problems) == 21
    assert str(caught.value.problems[-1]) == "more than 20 faults; the rest is not shown"


@pytest.mark.parametrize(
    "text", ["(" * 10**7, ")" * 10**7, "()" * 10**6, "(a (b " * 10**6, ";" * 10**7, " " * 10**7, "a" * 10**7]
)
def test_huge_nonsense_ends_soon(text: str) -> None:
    assert len(faults(text)) < 10_000


def test_the_excerpt_of_a_long_line_stays_near_the_fault() -> None:
    lines = faults("(p " + "abc " * 1000 + "())").splitlines()
    assert len(lines[1]) < 120
    assert lines[1][lines[2].index("^") :].startswith("()")


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "some.kif"
    file.write_bytes(b"(role a) ; caf\xe9")
    sheet = read_file(file)
    assert sheet.name == "some.kif"
    assert str(sheet) == "(role a)"
    faulty: list[tuple[str | Path, str]] = [
        (tmp_path / "none.kif", f"no such file: {str(tmp_path / 'none.kif')!r}"),
        (tmp_path, f"{str(tmp_path)!r} is a folder; give the rule sheet (.kif) in it"),
        ("a\x00b", "cannot read 'a\\x00b': embedded null byte"),
    ]
    for path, message in faulty:
        with pytest.raises(InputError) as caught:
            read_file(path)
        assert str(caught.value) == message


def test_unknown_notation() -> None:
    with pytest.raises(InputError, match=r"^unknown notation 'lisp'; choose 'kif' or 'infix'$"):
        read("(role a)", notation="lisp")  # type: ignore[arg-type]


def test_terms() -> None:
    assert read_term("(cell 1 (f ?x) B)") == Term("cell", (Term("1"), Term("f", (Variable("x"),)), Term("B")))
    assert read_term(" ( noop ) ; done") == Term("noop")
    assert read_term("cell(1, f(X), 'B')") == read_term("(cell 1 (f ?x) B)")
    term = Term.parse("(mark 1 1)")
    assert eval(repr(term)) == term
    assert pickle.loads(pickle.dumps(term)) == term


@pytest.mark.parametrize("text", ["", "?x", "a b", "(a", "a)", "(a))", "()", ") (", "(<= a b)", "a) (<= b", "((a) b)"])
def test_what_is_no_term(text: str) -> None:
    with pytest.raises(RulesSyntaxError) as caught:
        read_term(text)
    assert str(caught.value) == f"not a term: {text!r}\n  help: write a name or (name argument …)"


@given(st.text() | scraps)
@example("(<= (p) '")
@example("((a)")
def test_only_our_errors_escape_from_text(text: str) -> None:
    try:
        sheet = read(text)
    except LudisectError:
        return
    assert read(str(sheet)) == sheet


@given(st.binary() | scraps.map(str.encode), st.sampled_from(("kif", "infix")))
def test_only_our_errors_escape_from_bytes(data: bytes, notation: Notation) -> None:
    with suppress(LudisectError):
        read(data, notation=notation)


def test_other_things_are_refused_by_name() -> None:
    wrong: list[tuple[Callable[[Any], object], object, str]] = [
        (read, 3, "read takes the text of a rule sheet, not int; read_file takes a path"),
        (check, "tictactoe", "check takes Rules (what read gives), not str"),
        (write, None, "write takes Rules (what read gives), not NoneType"),
        (Interpreter, "(role white)", "an Interpreter is made from Rules (what read gives), not from str"),
    ]
    for function, thing, told in wrong:
        with pytest.raises(TypeError) as caught:
            function(thing)
        assert str(caught.value) == told
