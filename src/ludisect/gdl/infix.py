"""The infix notation of the papers, read and written: ``legal(X, noop) :- true(control(Y)), distinct(X, Y).``

A name that starts with a capital is a variable: ``X`` is KIF's ``?x`` (and ``?X`` keeps its capital), ``_`` is a new
one each time. Names that are not plain words stand in quotes: ``'+'``, ``?'n++'``. Arrows are ``:-  <=  ←  ⇐``, "and"
is ``,  &  ∧``, "or" is ``|  ;  ∨``, "not" is ``not  ¬  ~  \\+``, and ``X \\= Y`` or ``X ≠ Y`` is ``distinct(X, Y)``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ludisect.errors import Problem
from ludisect.gdl.limits import RulesLimits
from ludisect.gdl.outline import MAX_DEPTH, Lines, Outline, shortened
from ludisect.gdl.terms import (
    CONNECTIVES,
    KEYWORDS,
    And,
    Distinct,
    Formula,
    Not,
    Or,
    Rule,
    Term,
    TermOrVariable,
    Variable,
    is_word,
)

_TOKEN = re.compile(
    r"""(?P<gap>(?:\s++|%[^\n]*+|/\*.*?(?:\*/|\Z))++)
      | (?P<arrow>:-|:=|<=|<-|←|⇐)
      | (?P<unequal>\\==?|!=|≠)
      | (?P<not>\\\+|¬|~|!)
      | (?P<quoted>\??'(?:[^'\\\n]|\\[^\n]|''){0,1000}')
      | (?P<word>\??-?\w+(?:-\w+)*)
      | (?P<mark>&&|[(),.;|&∧∨])
      | (?P<unknown>.)""",
    re.VERBOSE | re.DOTALL,
)
_QUOTE = "put a name that starts with a capital in quotes"
_AND = frozenset((",", "&", "&&", "∧", "and"))
_OR = frozenset((";", "|", "∨", "or"))
_Read = tuple[Formula, Outline]


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class _FaultError(Exception):
    """What is wrong with a sentence, and with which token."""

    def __init__(self, token: _Token, what: str, help: str = "") -> None:
        self.token, self.what, self.help = token, what, help


def parse(text: str, name: str) -> tuple[list[Rule], list[Problem]]:
    """Read rules from infix text, as far as possible, with all faults in order of place."""
    lines = Lines(text, name)
    if garbage := lines.garbage():
        return [], [garbage]
    parser = _Parser(text)
    rules: list[Rule] = []
    problems: list[Problem] = []
    most = RulesLimits.current().kif_faults
    while not parser.at_end():
        start = parser.token.start
        try:
            head, body, _ = parser.sentence()
            rules.append(Rule(head, body, lines.place(start)))
        except _FaultError as fault:
            problems.append(lines.problem(fault.what, fault.token.start, fault.token.end, fault.help))
            if len(problems) == most:
                problems.append(Problem(f"more than {most} faults; the rest is not shown"))
                break
            parser.recover()
    return rules, problems


def parse_term(text: str) -> TermOrVariable | None:
    """Read exactly one term or variable; ``None`` if the text is anything else."""
    parser = _Parser(text)
    try:
        term, _ = parser.term()
    except _FaultError:
        return None
    return term if parser.at_end() else None


def sentence_outline(text: str, offset: int) -> Outline:
    """The outline of a rule from the offset of its head: children 1, 2, … are the head and the body's formulas."""
    return _Parser(text, offset).sentence()[2]


class _Parser:
    """Recursive descent; each rule of the grammar gives what it read and its outline."""

    def __init__(self, text: str, start: int = 0) -> None:
        self._matches = _TOKEN.finditer(text, start)
        self._depth = 0
        self._unnamed = 0
        # Names for the variables written "_", which the sheet must not use itself.
        self._prefix = max(re.findall(r"\b(_+)\d", text), default="", key=len) + "_"
        self._end = len(text)
        self.token = self._next = _Token("end", "", start, start)
        self._advance()
        self._advance()

    def _advance(self) -> _Token:
        """Go to the next token; give the one left behind."""
        left = self.token
        self.token = self._next
        for match in self._matches:
            if match.lastgroup != "gap":
                self._next = _Token(match.lastgroup or "", match[0], match.start(), match.end())
                break
        else:
            self._next = _Token("end", "", self._end, self._end)
        return left

    def at_end(self) -> bool:
        """Whether all is read."""
        return self.token.kind == "end"

    def recover(self) -> None:
        """Skip the rest of a faulty sentence."""
        self._depth = 0
        while not self.at_end() and self._advance().text != ".":
            pass

    def sentence(self) -> tuple[Term, tuple[Formula, ...], Outline]:
        """Read ``head.`` or ``head :- body.``"""
        start = self.token
        self._unnamed = 0
        head, outline = self.term()
        if isinstance(head, Variable):
            raise _FaultError(start, f"the variable {start.text} cannot be the head of a rule", "a head is an atom")
        if head.name in CONNECTIVES:
            raise _FaultError(start, f"{head.name!r} cannot be the head of a rule", "a head is an atom")
        parts: list[_Read] = []
        if self.token.kind == "arrow":
            self._advance()
            parts = self._alternatives() if self.token.text != "." else []
        dot = self._expect(".", "a sentence ends with '.'")
        pieces = [Outline(start.start, start.start), outline, *(o for _, o in parts)]
        return head, tuple([part for part, _ in parts]), Outline(start.start, dot.end, pieces)

    def _alternatives(self) -> list[_Read]:
        """Literals joined by "and", which binds tighter, and by "or"; the latter make a single formula."""
        alternatives: list[_Read] = []
        parts = [self._literal()]
        while True:
            mark = self.token.text if self.token.kind in ("mark", "word") else ""
            if mark in _OR:
                alternatives.append(_joined(And, parts))
                parts = []
            elif mark not in _AND:
                break
            self._advance()
            parts.append(self._literal())
        if alternatives:
            return [_joined(Or, [*alternatives, _joined(And, parts)])]
        return parts

    def _literal(self) -> _Read:
        start = self.token
        word = start.text if start.kind == "word" else ""
        if start.kind == "not" or word == "not":
            self._advance()
            self._deeper()
            body, outline = self._literal()
            self._depth -= 1
            return Not(body), Outline(start.start, outline.end, [Outline(start.start, start.end), outline])
        if start.text == "(" or (word in ("and", "or") and self._next.text == "("):
            if word:
                self._advance()
            return self._group(self._advance(), word)
        term, outline = self.term()
        if self.token.kind == "unequal":
            sign = self._advance()
            right, right_outline = self.term()
            pieces = [Outline(sign.start, sign.end), outline, right_outline]
            return Distinct(term, right), Outline(outline.start, right_outline.end, pieces)
        if self.token.text == "=":
            raise self._unexpected("a literal is expected")
        if isinstance(term, Variable):
            help = "a literal is an atom; names of predicates start in lower case"
            raise _FaultError(start, f"the variable {start.text} cannot be a literal", help)
        if term.name == "distinct":
            if len(term.args) != 2:
                raise _FaultError(start, f"'distinct' takes two terms, found {len(term.args)}", "write distinct(X, Y)")
            return Distinct(*term.args), outline
        if term.name in CONNECTIVES:
            help = "join formulas by ',' and '|', negate them by 'not'"
            raise _FaultError(start, f"{term.name!r} is no literal", help)
        return term, outline

    def _group(self, opening: _Token, name: str) -> _Read:
        """What follows ``(``, and what follows ``and(`` and ``or(``, which can hold a single formula."""
        self._deeper()
        parts = self._alternatives() if self.token.text != ")" or not name else []
        self._depth -= 1
        closing = self._expect(")", "a '(' before it is open")
        if not name:
            return _joined(And, parts)
        formulas = tuple([part for part, _ in parts])
        pieces = [Outline(opening.start, opening.start), *(outline for _, outline in parts)]
        return (And if name == "and" else Or)(formulas), Outline(opening.start, closing.end, pieces)

    def term(self) -> tuple[TermOrVariable, Outline]:
        """Read ``name``, ``name(argument, …)`` or a variable."""
        start = self.token
        name = Outline(start.start, start.end)
        word = self._word(start)
        self._advance()
        if self.token.text != "(" or self.token.kind != "mark":
            return word, Outline(start.start, start.end, [name])
        if isinstance(word, Variable):
            lower = start.text.lower()
            if lower not in KEYWORDS:
                raise _FaultError(start, f"a name is expected before '(', found the variable {start.text}", _QUOTE)
            word = Term(lower)
        self._advance()
        self._deeper()
        args: list[TermOrVariable] = []
        pieces = [name]
        if self.token.text != ")":
            while True:
                arg, outline = self.term()
                args.append(arg)
                pieces.append(outline)
                if self.token.text != ",":
                    break
                self._advance()
        self._depth -= 1
        closing = self._expect(")", "arguments are separated by ',' and end with ')'")
        return Term(word.name, tuple(args)), Outline(start.start, closing.end, pieces)

    def _word(self, token: _Token) -> TermOrVariable:
        text = token.text
        if token.kind not in ("word", "quoted"):
            raise self._unexpected("a name is expected")
        is_variable = text[0] == "?"
        name = text[is_variable:]
        if token.kind == "quoted":
            name = re.sub(r"\\(.)|''", lambda m: m[1] or "'", name[1:-1])
            if not is_word(name) or (name[0] == "?" and len(name) > 1 and not is_variable):
                help = "KIF could not write it: a name holds no space, '(', ')', ';'"
                raise _FaultError(token, f"{shortened(text)} cannot be a name", help)
        elif text == "_":
            self._unnamed += 1
            return Variable(f"{self._prefix}{self._unnamed}")
        elif name[0].isupper() and not is_variable:
            return Variable(name[0].lower() + name[1:] if name[0].isascii() else name)
        elif name[0] == "_":
            is_variable = True
        if is_variable:
            return Variable(name)
        return Term(name.lower() if name.lower() in KEYWORDS else name)

    def _expect(self, mark: str, why: str) -> _Token:
        if self.token.text != mark or self.token.kind != "mark":
            raise self._unexpected(f"{mark!r} is expected", why)
        return self._advance()

    def _unexpected(self, what: str, help: str = "") -> _FaultError:
        token = self.token
        found = "the end of the text" if token.kind == "end" else repr(shortened(token.text))
        if token.text == "=":
            help = "GDL has no equality; use one variable in both places"
        elif token.text == "'":
            help = "this quote is never closed"
        elif token.kind == "unknown":
            help = f"put odd names in quotes, such as {'+'!r}"
        return _FaultError(token, f"{what}, found {found}", help)

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _FaultError(self.token, f"nested deeper than {MAX_DEPTH}", "is this a rule sheet?")


def _joined(connective: type[And] | type[Or], parts: list[_Read]) -> _Read:
    if len(parts) == 1:
        return parts[0]
    outlines = [outline for _, outline in parts]
    name = Outline(outlines[0].start, outlines[0].start)
    return connective(tuple([part for part, _ in parts])), Outline(name.start, outlines[-1].end, [name, *outlines])
