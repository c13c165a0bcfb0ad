"""Static checks: one faulty sheet for each message, compared as a whole."""

from __future__ import annotations

import pytest
from hypothesis import example, given

from ludisect.gdl import And, Not, Rule, Rules, Term, Variable, check, read

from ..strategies import sheets

SOUND = """(role white) (role black) (init (cell 1 b)) (index 1) (index 2)
(<= (legal ?r (mark ?x)) (role ?r) (true (cell ?x b)))
(<= (next (cell ?x ?r)) (does ?r (mark ?x)))
(<= terminal (true (cell 1 ?r)) (distinct ?r b))
(<= (goal ?r 100) (true (cell 1 ?r)) (role ?r))
(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
"""


def problems(text: str) -> str:
    """What `check` says about a sound sheet with more lines; these are lines 8, 9, …"""
    return "\n".join(map(str, check(read(f"{SOUND}\n{text}", name="x.kif"))))


def test_a_sound_sheet_has_no_problems() -> None:
    assert problems("") == ""


CASES = {
    "unsafe variable under not": (
        "(<= (open ?x ?y) (index ?x) (not (true (cell ?x ?y))))",
        """x.kif:8:49: variable ?y is not bound: no positive literal of the body contains it
    8 | (<= (open ?x ?y) (index ?x) (not (true (cell ?x ?y))))
      |                                                 ^^
  help: add a positive literal that binds ?y, for example (index ?y)""",
    ),
    "unsafe variable in the head": (
        "(<= (open ?x (f ?y)) (role ?x))",
        """x.kif:8:17: variable ?y is not bound: no positive literal of the body contains it
    8 | (<= (open ?x (f ?y)) (role ?x))
      |                 ^^
  help: add a positive literal that binds ?y, for example (role ?y)""",
    ),
    "unsafe variable in distinct, misspelled": (
        "(<= (open ?column) (true (cell ?column ?c)) (distinct ?colum 1))",
        """x.kif:8:55: variable ?colum is not bound: no positive literal of the body contains it
    8 | (<= (open ?column) (true (cell ?column ?c)) (distinct ?colum 1))
      |                                                       ^^^^^^
  help: did you mean ?column?""",
    ),
    "variable bound in one branch only": (
        "(<= (open ?x) (or (index ?x) (true (cell 1 ?y))))",
        """x.kif:8:11: variable ?x is not bound in every branch of the 'or'
    8 | (<= (open ?x) (or (index ?x) (true (cell 1 ?y))))
      |           ^^
  help: add a literal that binds ?x to each branch, or outside of the 'or'""",
    ),
    "variable in a fact": (
        "(open ?x)",
        """x.kif:8:7: a fact cannot hold the variable ?x
    8 | (open ?x)
      |       ^^
  help: add a body that binds ?x, or name a constant""",
    ),
    "negation cycle": (
        "(<= (win ?x) (index ?x) (not (lose ?x)))\n(<= (lose ?x) (draw ?x))\n(<= (draw ?x) (or (win ?x) (index ?x)))",
        """x.kif:8:30: win depends on its own negation: win → not lose → draw → win
    8 | (<= (win ?x) (index ?x) (not (lose ?x)))
      |                              ^^^^^^^^^
  help: rewrite one of these rules so that it does not use the others through 'not'""",
    ),
    "negation of itself": (
        "(<= odd (not odd))",
        """x.kif:8:14: odd depends on its own negation: odd → not odd
    8 | (<= odd (not odd))
      |              ^^^
  help: rewrite one of these rules so that it does not use the others through 'not'""",
    ),
    "endless recursion": (
        "(number zero)\n(<= (number (s ?n)) (number ?n))",
        """x.kif:9:29: number is recursive and its terms grow without end
    9 | (<= (number (s ?n)) (number ?n))
      |                             ^^
  help: add a literal that binds ?n to finitely many values""",
    ),
    "recursion restriction": (
        "(path 1 2)\n(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))",
        """\
x.kif:9:27: warning: recursion beyond GDL's restriction: ?y is neither in the head nor bound by another literal
    9 | (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
      |                           ^^
  help: other programs may refuse these rules; use arguments of the head, or bind the variable by another literal
x.kif:9:37: warning: recursion beyond GDL's restriction: ?y is neither in the head nor bound by another literal
    9 | (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
      |                                     ^^
  help: other programs may refuse these rules; use arguments of the head, or bind the variable by another literal""",
    ),
    "keyword with too few arguments": (
        "(<= (legal white) (true (cell 1 b)))",
        """x.kif:8:5: 'legal' takes 2 arguments, found 1
    8 | (<= (legal white) (true (cell 1 b)))
      |     ^^^^^^^^^^^^^
  help: write (legal <role> <move>)""",
    ),
    "keyword with too many arguments": (
        "(<= (terminal now) (true cell 1 b))",
        """x.kif:8:5: 'terminal' takes no argument, found 1
    8 | (<= (terminal now) (true cell 1 b))
      |     ^^^^^^^^^^^^^^
  help: write terminal
x.kif:8:20: 'true' takes 1 argument, found 3
    8 | (<= (terminal now) (true cell 1 b))
      |                    ^^^^^^^^^^^^^^^
  help: write (true <fluent>)""",
    ),
    "hint with wrong arguments": (
        "(input white)",
        """x.kif:8:1: warning: 'input' takes 2 arguments, found 1
    8 | (input white)
      | ^^^^^^^^^^^^^
  help: write (input <role> <move>)""",
    ),
    "true and does as heads": (
        "(true (cell 2 b))\n(<= (does white (mark 1)) (index 1))",
        """x.kif:8:1: 'true' cannot be the head of a rule
    8 | (true (cell 2 b))
      | ^^^^^^^^^^^^^^^^^
  help: it tells what is; write next or init
x.kif:9:5: 'does' cannot be the head of a rule
    9 | (<= (does white (mark 1)) (index 1))
      |     ^^^^^^^^^^^^^^^^^^^^^
  help: it tells what is; write legal""",
    ),
    "next and init in bodies": (
        "(<= (later ?f) (next ?f))\n(<= (first ?f) (init ?f))",
        """x.kif:8:16: warning: 'next' belongs in heads, here it is used in a body
    8 | (<= (later ?f) (next ?f))
      |                ^^^^^^^^^
  help: other programs may refuse it; ask for what holds now by 'true'
x.kif:9:16: warning: 'init' belongs in heads, here it is used in a body
    9 | (<= (first ?f) (init ?f))
      |                ^^^^^^^^^
  help: other programs may refuse it; ask for what holds now by 'true'""",
    ),
    "connective within a term": (
        "(<= open (true (or (cell 1 b) (cell 2 b))))\n(note not)",
        """x.kif:8:16: 'or' joins literals and cannot stand within a term
    8 | (<= open (true (or (cell 1 b) (cell 2 b))))
      |                ^^^^^^^^^^^^^^^^^^^^^^^^^^
  help: write (or …) around whole literals
x.kif:9:7: 'not' joins literals and cannot stand within a term
    9 | (note not)
      |       ^^^
  help: write (not …) around whole literals""",
    ),
    "keyword within a term": (
        "(<= (next (true (cell 2 b))) (index 1))",
        """x.kif:8:11: warning: the keyword 'true' within a term is nothing but a name
    8 | (<= (next (true (cell 2 b))) (index 1))
      |           ^^^^^^^^^^^^^^^^^
  help: use another name""",
    ),
    "legal depends on does": (
        "(<= (busy ?r) (does ?r (mark 1)))\n(<= (legal ?r noop) (role ?r) (not (busy ?r)))",
        """x.kif:9:36: 'legal' depends on 'does': legal → busy → does
    9 | (<= (legal ?r noop) (role ?r) (not (busy ?r)))
      |                                    ^^^^^^^^^
  help: 'legal' is asked before the moves are made, it can depend on the state only""",
    ),
    "init and base depend on true": (
        "(<= (init (cell 2 ?r)) (true (cell 1 ?r)))\n(<= (base (cell 2 ?r)) (true (cell 1 ?r)))",
        """x.kif:8:24: 'init' depends on 'true': init → true
    8 | (<= (init (cell 2 ?r)) (true (cell 1 ?r)))
      |                        ^^^^^^^^^^^^^^^^^^
  help: 'init' is the same in every state, it can depend on facts only
x.kif:9:24: warning: 'base' depends on 'true': base → true
    9 | (<= (base (cell 2 ?r)) (true (cell 1 ?r)))
      |                        ^^^^^^^^^^^^^^^^^^
  help: 'base' is the same in every state, it can depend on facts only""",
    ),
    "role by rule": (
        "(<= (role red) (index 1))",
        """x.kif:8:5: warning: a role that depends on others
    8 | (<= (role red) (index 1))
      |     ^^^^^^^^^^
  help: other programs may refuse it; state each role as a fact""",
    ),
    "no such role": (
        "(legal whyte (mark 1))\n(<= terminal (goal red 0))",
        """x.kif:8:8: warning: whyte is no role
    8 | (legal whyte (mark 1))
      |        ^^^^^
  help: did you mean white?
x.kif:9:20: warning: red is no role
    9 | (<= terminal (goal red 0))
      |                    ^^^
  help: the roles are white, black""",
    ),
    "goal values": (
        "(goal white win)\n(goal white 101)\n(goal black -1)",
        """x.kif:8:13: the goal value win is no integer
    8 | (goal white win)
      |             ^^^
  help: goal values are integers from 0 (worst) to 100 (best)
x.kif:9:13: warning: the goal value 101 is not in 0-100
    9 | (goal white 101)
      |             ^^^
  help: goal values are integers from 0 (worst) to 100 (best)
x.kif:10:13: warning: the goal value -1 is not in 0-100
   10 | (goal black -1)
      |             ^^
  help: goal values are integers from 0 (worst) to 100 (best)""",
    ),
    "undefined predicates": (
        "(<= over (Index 1) (indx 2) (index 1 2) nowhere)",
        """x.kif:8:10: warning: no rule defines Index with 1 argument: it never holds
    8 | (<= over (Index 1) (indx 2) (index 1 2) nowhere)
      |          ^^^^^^^^^
  help: did you mean index? Letter case counts
x.kif:8:20: warning: no rule defines indx with 1 argument: it never holds
    8 | (<= over (Index 1) (indx 2) (index 1 2) nowhere)
      |                    ^^^^^^^^
  help: did you mean index?
x.kif:8:29: warning: no rule defines index with 2 arguments: it never holds
    8 | (<= over (Index 1) (indx 2) (index 1 2) nowhere)
      |                             ^^^^^^^^^^^
  help: there is index with 1 argument
x.kif:8:41: warning: no rule defines nowhere: it never holds
    8 | (<= over (Index 1) (indx 2) (index 1 2) nowhere)
      |                                         ^^^^^^^
  help: add a rule for it, or remove the literal""",
    ),
    "several arities": (
        "(index 3 4)\n(<= over (index 3 4) (index 1))",
        """x.kif:8:1: warning: index with 2 arguments is not index with 1 argument, as on line 1
    8 | (index 3 4)
      | ^^^^^^^^^^^
  help: give one of these predicates another name if they are meant to differ""",
    ),
    "fluents and moves that never are": (
        "(<= (next (cell 2 b)) (true (cel 2 b)) (does white mark))",
        """x.kif:8:29: warning: no 'init' or 'next' rule makes the fluent cel with 2 arguments: it never holds
    8 | (<= (next (cell 2 b)) (true (cel 2 b)) (does white mark))
      |                             ^^^^^^^^^
  help: did you mean cell?
x.kif:8:52: warning: no 'legal' rule makes the move mark: it never holds
    8 | (<= (next (cell 2 b)) (true (cel 2 b)) (does white mark))
      |                                                    ^^^^
  help: there is mark with 1 argument""",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_messages(case: str) -> None:
    text, expected = CASES[case]
    assert problems(text) == expected


def test_missing_rules() -> None:
    assert (
        "\n".join(map(str, check(read("(index 1)", name="x.kif"))))
        == """x.kif: no role
  help: add a rule such as (role white)
x.kif: no 'legal' rule: nobody can move
  help: add a rule such as (legal white noop)
warning: x.kif: neither 'init' nor 'next' rules: no fluent ever holds
  help: add a rule such as (init (step 1))
warning: x.kif: no 'terminal' rule: no play ever ends
  help: add a rule such as (<= terminal (true (step 9)))
warning: x.kif: no 'goal' rule: nobody gets anything
  help: add a rule such as (goal white 100)"""
    )


def test_roles_without_rules() -> None:
    text = "(role white)(role black)(init p)(legal white noop)(<= terminal (true p))(goal white 100)"
    found = "\n".join(map(str, check(read(text, name="x.kif"))))
    assert (
        found
        == f"""x.kif:1:13: warning: role black has no 'legal' rule
    1 | {text}
      |             ^^^^^^^^^^^^
  help: add a rule such as (legal black noop)
x.kif:1:13: warning: role black has no 'goal' rule
    1 | {text}
      |             ^^^^^^^^^^^^
  help: add a rule such as (goal black 0)"""
    )


@pytest.mark.parametrize(
    "text",
    [
        "(<= (goal ?r 50) (role ?r) (not (goal ?r 100)) (not (goal ?r 0)))",
        "(succ 1 2)\n(<= (less ?x ?y) (succ ?x ?y))\n(<= (less ?x ?y) (succ ?x ?z) (less ?z ?y))",
        "(<= (swap (pair ?x ?y)) (swap (pair ?y ?x)) (index ?x) (index ?y))\n(swap (pair 1 2))",
        "(<= (number (s ?n)) (number ?n) (small (s ?n)))\n(small (s zero))\n(number zero)",
        "(<= (open ?x) (or (index ?x) (and (role ?x) (not (true (cell 1 ?x))))))",
        "(<= stuck (true (cell 1 b)) (not (legal white (mark 1))))",
        "(<= (base (cell ?x b)) (index ?x))\n(<= (input ?r (mark ?x)) (role ?r) (index ?x))",
        "(<= (next ?f) (true ?f) (index 1))\n(<= seen (true (anything 1)))",
    ],
)
def test_what_is_no_problem(text: str) -> None:
    assert problems(text) == ""


def test_problems_of_rules_without_text() -> None:
    x = Variable("x")
    sheet = Rules(
        (
            Rule(Term("role", (Term("a"),))),
            Rule(Term("init", (Term("p"),))),
            Rule(Term("legal", (Term("a"), Term("b"))), (And((Term("true", (Term("p"),)), Not(Term("q", (x,))))),)),
            Rule(Term("q", (Term("1"),))),
            Rule(Term("terminal")),
            Rule(Term("goal", (Term("a"), Term("0")))),
        )
    )
    assert [str(problem) for problem in check(sheet)] == [
        "variable ?x is not bound: no positive literal of the body contains it, "
        "in (<= (legal a b) (and (true p) (not (q ?x))))\n  help: add a positive literal that binds ?x"
    ]


def test_problems_are_data_too() -> None:
    (problem,) = check(read(SOUND + "(goal white 101)", name="x.kif"))
    assert problem.to_dict() == {
        "level": "warning",
        "what": "the goal value 101 is not in 0-100",
        "help": "goal values are integers from 0 (worst) to 100 (best)",
        "file": "x.kif",
        "line": 7,
        "column": 13,
        "length": 3,
    }


def test_a_first_state_without_fluents_is_fine_if_others_follow() -> None:
    assert check(read("(role a) (legal a x) (<= (next on) (does a x)) (<= terminal (true on)) (goal a 100)")) == []


def test_a_number_with_thousands_of_digits_is_no_goal_value() -> None:
    assert problems(f"(goal white {'9' * 5000})").splitlines()[0].endswith("is no integer")


def test_long_cycles_are_no_trouble() -> None:
    chain = "".join(f"(<= (p{i} ?x) (p{i + 1} ?x))" for i in range(2000))
    (problem,) = check(read(f"{SOUND} {chain} (<= (p2000 ?x) (index ?x) (not (p0 ?x)))"))
    assert problem.what.startswith("p2000 depends on its own negation: p2000 → not p0 → p1 → p2 → ")


@given(sheets)
@example(read("(<= (does) (does))"))
def test_any_sheet_gets_an_answer_in_order_of_place(sheet: Rules) -> None:
    places = [(p.place.line, p.place.column) if p.place else (0, 0) for p in check(read(str(sheet)))]
    assert places == sorted(places)
