"""The infix notation: as the papers print it, all its operators, and its faults."""

from __future__ import annotations

import pytest

from ludisect.errors import RulesSyntaxError
from ludisect.gdl import check, read


def test_rules_as_the_papers_print_them() -> None:
    # After Zhao, Schiffel, Thielscher (2009), figure 1 and example 2.
    sheet = read("""
        init(control(xplayer)).
        legal(W, mark1(X, Y)) :-
            true(cell1(X,Y,b)),
            true(control(W)),
            not terminal1.
        next(cell1(M,N,X)) :- true(cell1(M,N,X)), distinct(X,b).
        terminal1 :- not open1.
        next (heap(X,N)) :- true(heap(X,N)), does(W, reduce(Y,M)), distinct(X,Y).
    """)
    assert sheet.notation == "infix"
    assert [str(rule) for rule in sheet] == [
        "(init (control xplayer))",
        "(<= (legal ?w (mark1 ?x ?y)) (true (cell1 ?x ?y b)) (true (control ?w)) (not terminal1))",
        "(<= (next (cell1 ?m ?n ?x)) (true (cell1 ?m ?n ?x)) (distinct ?x b))",
        "(<= terminal1 (not open1))",
        "(<= (next (heap ?x ?n)) (true (heap ?x ?n)) (does ?w (reduce ?y ?m)) (distinct ?x ?y))",
    ]


@pytest.mark.parametrize(
    ("text", "kif"),
    [
        ("p :- q, r.", "(<= p q r)"),
        ("p <= q & r.", "(<= p q r)"),
        ("p ← q ∧ r.", "(<= p q r)"),
        ("p ⇐ q and r.", "(<= p q r)"),
        ("p :- (q, r).", "(<= p (and q r))"),
        ("p :- q | r.", "(<= p (or q r))"),
        ("p :- q ∨ r, s; t or u.", "(<= p (or q (and r s) t u))"),
        ("p :- (q | r), s.", "(<= p (or q r) s)"),
        ("p :- ¬q, ~r, \\+ s, not t, !u.", "(<= p (not q) (not r) (not s) (not t) (not u))"),
        ("p :- not (q, r), not(s), not not t.", "(<= p (not (and q r)) (not s) (not (not t)))"),
        ("p :- X \\= Y, X ≠ b, f(X) != g.", "(<= p (distinct ?x ?y) (distinct ?x b) (distinct (f ?x) g))"),
        ("p :- and(q), or(r), or(s, t), and().", "(<= p (and q) (or r) (or s t) (and))"),
        ("p(X, ?x, ?X, Xold, ?'n++').", "(p ?x ?x ?X ?xold ?n++)"),
        ("p(_, _, q(_)).", "(p ?_1 ?_2 (q ?_3))"),
        ("p(_, _1).", "(p ?__1 ?_1)"),
        ("p('+', -1, a-b, 'Cap', 'it''s', 'it\\'s', '\\\\').", "(p + -1 a-b Cap it's it's \\)"),
        ("p :- .", "(p)"),
        ("TRUE(x) :- Legal(X, y).", "(<= (true x) (legal ?x y))"),
        ("% note (\np. /* more\n notes. */ q.", "(p) (q)"),
        ("p. /* never closed q. /*", "(p)"),
    ],
)  # fmt: skip
def test_the_same_in_kif(text: str, kif: str) -> None:
    assert read(text, notation="infix") == read(kif)


@pytest.mark.parametrize("text", ["p.", "'+'(x).", "% a (\n%b\n role(x).", "-1(a) :- b.", "/* ( */ p(x)."])
def test_infix_is_recognized(text: str) -> None:
    assert read(text).notation == "infix"


def test_faults() -> None:
    text = """p :- q
r :- X = Y.
s :- a b.
t :- 'not closed.
u :- 'a b'.
v :- not X.
W(a).
or(a, b).
x :- + .
y :- (a, b.
z :- distinct(a).
a :- or, b.
p(a, ).
b(c)"""
    with pytest.raises(RulesSyntaxError) as caught:
        read(text, name="x.gdl", notation="infix")
    assert (
        str(caught.value)
        == """x.gdl:2:1: '.' is expected, found 'r'
    2 | r :- X = Y.
      | ^
  help: a sentence ends with '.'
x.gdl:3:8: '.' is expected, found 'b'
    3 | s :- a b.
      |        ^
  help: a sentence ends with '.'
x.gdl:4:6: a name is expected, found "'"
    4 | t :- 'not closed.
      |      ^
  help: this quote is never closed
x.gdl:5:6: 'a b' cannot be a name
    5 | u :- 'a b'.
      |      ^^^^^
  help: KIF could not write it: a name holds no space, '(', ')', ';'
x.gdl:6:10: the variable X cannot be a literal
    6 | v :- not X.
      |          ^
  help: a literal is an atom; names of predicates start in lower case
x.gdl:7:1: a name is expected before '(', found the variable W
    7 | W(a).
      | ^
  help: put a name that starts with a capital in quotes
x.gdl:8:1: 'or' cannot be the head of a rule
    8 | or(a, b).
      | ^^
  help: a head is an atom
x.gdl:9:6: a name is expected, found '+'
    9 | x :- + .
      |      ^
  help: put odd names in quotes, such as '+'
x.gdl:10:11: ')' is expected, found '.'
   10 | y :- (a, b.
      |           ^
  help: a '(' before it is open
x.gdl:11:6: 'distinct' takes two terms, found 1
   11 | z :- distinct(a).
      |      ^^^^^^^^
  help: write distinct(X, Y)
x.gdl:12:6: 'or' is no literal
   12 | a :- or, b.
      |      ^^
  help: join formulas by ',' and '|', negate them by 'not'
x.gdl:13:6: a name is expected, found ')'
   13 | p(a, ).
      |      ^
x.gdl:14:5: '.' is expected, found the end of the text
   14 | b(c)
      |     ^
  help: a sentence ends with '.'"""
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p :- X = Y.", "x:1:8: a literal is expected, found '='\n    1 | p :- X = Y.\n      |        ^\n"
                        "  help: GDL has no equality; use one variable in both places"),
        ("X :- p.", "x:1:1: the variable X cannot be the head of a rule\n    1 | X :- p.\n      | ^\n"
                    "  help: a head is an atom"),
        ("p(" * 300, "x:1:403: nested deeper than 200\n"),
        ("p :- " + "not " * 300, "x:1:810: nested deeper than 200\n"),
        ("p :- \x00", "x:1:6: this is no text: it holds the character '\\x00'\n"),
    ],
)  # fmt: skip
def test_single_faults(text: str, message: str) -> None:
    with pytest.raises(RulesSyntaxError) as caught:
        read(text, name="x", notation="infix")
    assert str(caught.value).startswith(message)


def test_many_faults_are_capped() -> None:
    with pytest.raises(RulesSyntaxError) as caught:
        read("p :- :- .\n" * 100, notation="infix")
    assert len(caught.value.problems) == 21


def test_checks_point_into_infix_text() -> None:
    sheet = read("role(a). legal(a, b). init(c). terminal.\ngoal(a, 100) :- true(c) & not p(X).\np(1).", name="x")
    (problem,) = check(sheet)
    assert (
        str(problem)
        == """x:2:33: variable ?x is not bound: no positive literal of the body contains it
    2 | goal(a, 100) :- true(c) & not p(X).
      |                                 ^
  help: add a positive literal that binds ?x"""
    )
