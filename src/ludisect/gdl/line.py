"""Terms written one after the other: the fluents of a state, and lines of moves with ``;`` between the steps."""

from __future__ import annotations

import re

from ludisect.errors import InputError, RulesSyntaxError
from ludisect.gdl.outline import shortened
from ludisect.gdl.reader import read_term
from ludisect.gdl.terms import Term

_PIECE = re.compile(r"[();]|\s+|[^();\s]+")


def read_terms(text: str) -> list[Term]:
    """The terms of a text: separated by blanks or line ends, ``;`` begins a comment.

    >>> [str(term) for term in read_terms("(heap a 3) on ; two terms")]
    ['(heap a 3)', 'on']
    """
    try:
        found = read_term(f"(terms {text}\n)").args
    except RulesSyntaxError:
        shown = shortened(text.strip())
        raise InputError(f"{shown!r} is no list of KIF terms such as (cell 1 1 b)") from None
    terms = [term for term in found if isinstance(term, Term)]
    if len(terms) < len(found):
        variable = next(str(term) for term in found if not isinstance(term, Term))
        raise InputError(f"{variable} is a variable; write terms such as (cell 1 1 b)")
    return terms


def read_line(text: str) -> tuple[list[list[Term]], bool]:
    """The moves of a line, step by step, and whether ``;`` stood between steps; without it there is one long step.

    >>> steps, divided = read_line("(mark 1 1); (mark 2 2) noop;")
    >>> [[str(move) for move in step] for step in steps], divided
    ([['(mark 1 1)'], ['(mark 2 2)', 'noop']], True)
    """
    steps: list[list[Term]] = [[]]
    divided, word, depth = False, "", 0
    for piece in _PIECE.findall(text + " "):
        depth += (piece == "(") - (piece == ")")
        between = depth == 0 and (piece.isspace() or piece == ";")
        word += "" if between else piece
        if depth < 0:
            raise InputError(f"a line of moves with a bracket too many: {shortened(word)!r}")
        if word and depth == 0 and (between or piece == ")"):
            steps[-1].append(_move(word))
            word = ""
        if between and piece == ";":
            divided = True
            steps.append([])
    if depth > 0:
        raise InputError(f"a line of moves with an open bracket: {shortened(word.strip())!r}")
    if not steps[-1]:  # the end of the text, or of the last step
        steps.pop()
    return steps, divided


def _move(word: str) -> Term:
    try:
        return read_term(word)
    except RulesSyntaxError:
        raise InputError(f"{shortened(word)!r} is no move; write a name or (name argument …)") from None
