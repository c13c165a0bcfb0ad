"""Hypothesis strategies: odd names, nested terms and formulas, rule sheets, and text that is nearly one."""

from __future__ import annotations

from hypothesis import strategies as st

from ludisect.gdl.terms import (
    CONNECTIVES,
    KEYWORDS,
    And,
    Distinct,
    Formula,
    Not,
    Or,
    Rule,
    Rules,
    Term,
    Variable,
    is_word,
)

_CHARACTERS = st.characters(exclude_categories=("Cs", "Cc", "Z"))
_ODD = (
    "+",
    "-1",
    "++",
    "x.y",
    "map+",
    "<",
    ">",
    "a'b",
    "\\",
    "'",
    "?",
    "_",
    "_x",
    "X",
    "Cell",
    "a-b",
    "007",
    ":-",
    "%",
)


def _is_name(name: str) -> bool:
    lower = name.lower()
    return (
        is_word(name) and (name == "?" or name[0] != "?") and not name.startswith("\ufeff")
        and (lower == name or lower not in KEYWORDS)
    )  # fmt: skip


names: st.SearchStrategy[str] = st.one_of(
    st.sampled_from(("cell", "control", "mark", "b", "x", "1", "2", "noop", *_ODD, *sorted(KEYWORDS))),
    st.text(_CHARACTERS, min_size=1, max_size=6).filter(_is_name),
)
"""Whatever KIF can write as a constant."""

predicate_names = names.filter(lambda name: name not in CONNECTIVES)

variables: st.SearchStrategy[Variable] = st.one_of(
    st.sampled_from(("x", "y", "X", "n++", "_1", "not", "?", "a-b")),
    st.text(_CHARACTERS, min_size=1, max_size=4).filter(is_word),
).map(Variable)


def _applied(args: st.SearchStrategy[Term | Variable]) -> st.SearchStrategy[Term]:
    return st.builds(Term, names, st.lists(args, max_size=3).map(tuple))


terms: st.SearchStrategy[Term] = st.recursive(names.map(Term), lambda inner: _applied(inner | variables), max_leaves=6)
atoms: st.SearchStrategy[Term] = st.builds(Term, predicate_names, st.lists(terms | variables, max_size=3).map(tuple))


def _joined(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    parts = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(st.builds(Not, inner), st.builds(And, parts), st.builds(Or, parts))


formulas: st.SearchStrategy[Formula] = st.recursive(
    st.one_of(atoms, st.builds(Distinct, terms | variables, terms | variables)), _joined, max_leaves=8
)
rules: st.SearchStrategy[Rule] = st.builds(Rule, atoms, st.lists(formulas, max_size=4).map(tuple))
sheets: st.SearchStrategy[Rules] = st.builds(Rules, st.lists(rules, min_size=1, max_size=6).map(tuple))

_SCRAPS = (
    "(", ")", "(<= ", "<=", " ", "\n", ";", "; note\n", "?x", "?", "X", "role", "(role x)", "TRUE", "not", "(not ",
    "or", "(or ", "distinct", "cell", "'", "'a b'", ".", ",", ":-", "|", "&", "∧", "¬", "\\=", "=", "%", "/*", "\ufeff",
    "\r\n", "\x00", "é", "-1", "_",
)  # fmt: skip

scraps: st.SearchStrategy[str] = st.lists(st.sampled_from(_SCRAPS), max_size=40).map("".join)
"""Text made of the pieces of rule sheets, in both notations."""
