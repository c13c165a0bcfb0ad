"""Rules to text, in KIF or infix notation; what is written reads back as the same rules."""

from __future__ import annotations

import re
from itertools import pairwise

from ludisect.errors import InputError
from ludisect.gdl.reader import Notation
from ludisect.gdl.terms import And, Distinct, Formula, Not, Or, Rule, Rules, Term, TermOrVariable, Variable

_WIDTH = 88
_PLAIN = re.compile(r"-?[a-z0-9]\w*(?:-\w+)*", re.ASCII)
_PLAIN_VARIABLE = re.compile(r"[a-z]\w*(?:-\w+)*", re.ASCII)
_LETTERS = re.compile(r"\w+")


def write(rules: Rules, notation: Notation = "kif") -> str:
    """Write a rule sheet; rules that are too long for a line get one line for each formula of the body."""
    if notation not in ("kif", "infix"):
        raise InputError(f"unknown notation {notation!r}; choose 'kif' or 'infix'")
    if not isinstance(rules, Rules):
        raise TypeError(f"write takes Rules (what read gives), not {type(rules).__name__}")
    layout = _kif_rule if notation == "kif" else _infix_rule
    written = [layout(rule) for rule in rules]
    out = written[:1]
    for (before, rule), text in zip(pairwise(rules), written[1:], strict=True):
        # A blank line where another predicate begins.
        out += [text] if rule.head.name == before.head.name else ["", text]
    return "\n".join([*out, ""])


def _kif_rule(rule: Rule) -> str:
    line = str(rule)
    if len(line) <= _WIDTH or not rule.body:
        return line
    return "\n".join([f"(<= {rule.head}", *_kif_parts(rule.body, 4)]) + ")"


def _kif_parts(parts: tuple[Formula, ...], indent: int) -> list[str]:
    out = []
    for part in parts:
        line = " " * indent + str(part)
        if len(line) > _WIDTH and isinstance(part, And | Or) and part.parts:
            word = "and" if isinstance(part, And) else "or"
            nested = _kif_parts(part.parts, indent + 4)
            out += [f"{' ' * indent}({word}", *nested[:-1], nested[-1] + ")"]
        else:
            out.append(line)
    return out


def _infix_rule(rule: Rule) -> str:
    head = infix_term(rule.head)
    if not rule.body:
        return f"{head}."
    if len(rule.body) == 1 and isinstance(rule.body[0], Or) and len(rule.body[0].parts) > 1:
        # A disjunction that is the whole body needs no brackets.
        parts, join = [_infix_formula(p) for p in rule.body[0].parts], " |"
    else:
        parts, join = [_infix_formula(p) for p in rule.body], ","
    line = f"{head} :- {f'{join} '.join(parts)}."
    if len(line) <= _WIDTH:
        return line
    return f"{head} :-\n    " + f"{join}\n    ".join(parts) + "."


def _infix_formula(formula: Formula) -> str:
    """The formula, in brackets or in such a form that any operator may stand beside it."""
    if isinstance(formula, Not):
        return f"not {_infix_formula(formula.body)}"
    if isinstance(formula, Distinct):
        return f"distinct({infix_term(formula.left)}, {infix_term(formula.right)})"
    if isinstance(formula, Term):
        return infix_term(formula)
    word, join = ("and", ", ") if isinstance(formula, And) else ("or", " | ")
    parts = [_infix_formula(part) for part in formula.parts]
    return f"({join.join(parts)})" if len(parts) > 1 else f"{word}({', '.join(parts)})"


def infix_term(term: TermOrVariable) -> str:
    """The term or variable in infix notation."""
    if isinstance(term, Variable):
        name = term.name
        if _PLAIN_VARIABLE.fullmatch(name):
            return name[0].upper() + name[1:]
        return "?" + (name if _LETTERS.fullmatch(name) else _quoted(name))
    name = term.name if _PLAIN.fullmatch(term.name) else _quoted(term.name)
    return f"{name}({', '.join(map(infix_term, term.args))})" if term.args else name


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
