"""Prefix KIF: text to rules by one pass over the tokens, and the place of every piece when an error asks for it."""

from __future__ import annotations

import re

from ludisect.errors import Problem
from ludisect.gdl.limits import RulesLimits
from ludisect.gdl.outline import MAX_DEPTH, Lines, Outline, shortened
from ludisect.gdl.terms import (
    CONNECTIVES,
    GAP,
    TOKEN,
    WRAPPED,
    And,
    BracketsError,
    Distinct,
    Formula,
    Not,
    Or,
    Rule,
    Term,
    TermOrVariable,
    Variable,
    read_lists,
)

_ARROW = re.compile(rf"\({GAP}<={GAP}")
_STARTS = re.compile(rf"\({GAP}(?:<=|(?i:role|init|base|input))(?=[\s();]|$)")


def parse(text: str, name: str) -> tuple[list[Rule], list[Problem]]:
    """Read rules from KIF text, as far as possible, with all faults in order of place."""
    lines = Lines(text, name)
    if garbage := lines.garbage():
        return [], [garbage]
    problems: list[Problem] = []
    try:
        sentences = list(read_lists(text))
    except BracketsError:
        sentences, problems = _Explainer(text, lines).explain()
    rules, most = [], RulesLimits.current().kif_faults
    for offset, sentence in sentences:
        if sentence.name != "<=" and sentence.name not in CONNECTIVES:
            rules.append(Rule(sentence, (), lines.place(offset)))
        elif isinstance(made := _rule(text, lines, offset, sentence), Rule):
            rules.append(made)
        else:
            problems.append(made)
        if len(problems) > most:
            break
    problems.sort(key=lambda p: (p.place.line, p.place.column) if p.place else (0, 0))
    if len(problems) > most:
        problems[most:] = [Problem(f"more than {most} faults; the rest is not shown")]
    return rules, problems


class _ShapeError(Exception):
    """A sentence whose pieces do not fit; ``path`` leads to the piece, as child numbers of its outline."""

    def __init__(self, path: tuple[int, ...], what: str, help: str) -> None:
        self.path, self.what, self.help = path, what, help


def _rule(text: str, lines: Lines, offset: int, sentence: Term) -> Rule | Problem:
    try:
        if not sentence.args and sentence.name == "<=":
            raise _ShapeError((), "'<=' without a head", "write (<= head literal …)")
        head, at = (sentence.args[0], 1) if sentence.name == "<=" else (sentence, 0)
        if isinstance(head, Variable):
            raise _ShapeError((at,), f"the variable {head} cannot be the head of a rule", "a head is an atom")
        if head.name in CONNECTIVES:
            raise _ShapeError((at,), f"{head.name!r} cannot be the head of a rule", "a head is an atom")
        empty: list[tuple[int, ...]] = []
        body = tuple([_formula(part, (i,), empty) for i, part in enumerate(sentence.args[1:], 2)])
        for path in empty:
            # (or) is false, but a bare word is what remains of "a or b".
            piece = outline(text, offset).at(path)
            if text[piece.start] != "(":
                word = text[piece.start : piece.end]
                raise _ShapeError(path, f"{word!r} comes before the formulas that it joins", f"write ({word} a b)")
    except _ShapeError as bad:
        piece = outline(text, offset).at(bad.path)
        return lines.problem(bad.what, piece.start, piece.end, bad.help)
    arrow = _ARROW.match(text, offset)
    assert arrow is not None, "our bug: a '<=' sentence starts with '(<='"
    return Rule(head, body, lines.place(arrow.end()))


def _formula(term: TermOrVariable, path: tuple[int, ...], empty: list[tuple[int, ...]]) -> Formula:
    """Make a formula of what was read as a term; the paths of "and" and "or" without parts go to ``empty``."""
    if isinstance(term, Variable):
        help = "a literal is an atom, or one of not, or, and, distinct"
        raise _ShapeError(path, f"the variable {term} cannot be a literal", help)
    if term.name not in CONNECTIVES:
        return term
    args = term.args
    if term.name == "distinct":
        if len(args) != 2:
            raise _ShapeError(path, f"'distinct' takes two terms, found {len(args)}", "write (distinct ?x ?y)")
        return Distinct(args[0], args[1])
    if term.name == "not" and len(args) != 1:
        raise _ShapeError(path, f"'not' takes one formula, found {len(args)}", "write (not (and …)) for several")
    if not args:
        empty.append(path)
    parts = tuple([_formula(arg, (*path, i), empty) for i, arg in enumerate(args, 1)])
    return Not(parts[0]) if term.name == "not" else And(parts) if term.name == "and" else Or(parts)


def outline(text: str, offset: int) -> Outline:
    """The outline of the list or word that starts at ``offset``: the places of all its pieces."""
    stack: list[Outline] = []
    for match in TOKEN.finditer(text, offset):
        token = match[0]
        if token == "(":
            stack.append(Outline(match.start(), match.end()))
            continue
        if token == ")":
            made = stack.pop()
            made.end = match.end()
        elif token[0] == ";":
            continue
        else:
            made = Outline(match.start(), match.end())
        if not stack:
            return made
        stack[-1].children.append(made)
    raise AssertionError("our bug: no complete list at this offset")


def sentence_outline(text: str, offset: int, formulas: int) -> Outline:
    """The outline of a rule from the offset of its head: children 1, 2, … are the head and the body's formulas."""
    root = Outline(offset, offset, [Outline(offset, offset)])
    for _ in range(formulas + 1):
        root.children.append(outline(text, root.end))
        root.end = root.children[-1].end
    return root


class _Explainer:
    """Finds every fault of brackets and names in a text that has some, and reads the sentences around them."""

    def __init__(self, text: str, lines: Lines) -> None:
        self.text, self.lines = text, lines
        self.problems: list[Problem] = []
        self.sentences: list[tuple[int, Term]] = []
        self._open: list[int] = []  # offsets of the brackets of this sentence that are open
        self._clean = True  # no fault in this sentence so far: those after the first often follow from it
        self._due = False  # a name is due

    def explain(self) -> tuple[list[tuple[int, Term]], list[Problem]]:
        """Read the text; give the faultless sentences and the faults."""
        wrapping = WRAPPED.match(self.text)
        wrapped, most = wrapping is not None, RulesLimits.current().kif_faults
        for match in TOKEN.finditer(self.text, wrapping.end() if wrapping else 0):
            if len(self.problems) > most or len(self._open) > MAX_DEPTH:
                return self.sentences, self.problems
            token = match[0]
            if token == "(":
                self._opening(match.start())
            elif token == ")" and not self._open and wrapped:
                wrapped = False
            elif token == ")":
                self._closing(match.start())
            elif token[0] != ";":
                self._word(token, match.start(), match.end())
        if self._open:
            self._unclosed("the text ends before; add ')'")
        elif wrapped and wrapping:
            self._open = [self.text.index("(", wrapping.start(1))]
            self._unclosed("it opens a list of sentences; add ')' at the end")
        return self.sentences, self.problems

    def _fault(self, what: str, start: int, end: int = 0, help: str = "") -> None:
        if self._clean:
            self.problems.append(self.lines.problem(what, start, end, help))
        self._clean = False

    def _unclosed(self, help: str) -> None:
        self._clean = True
        self._fault("this '(' is never closed", self._open[0], help=help)
        self._open.clear()

    def _opening(self, at: int) -> None:
        if self._open and _STARTS.match(self.text, at):
            before = at - 1
            while before >= 0 and self.text[before] in " \t":
                before -= 1
            if before < 0 or self.text[before] == "\n":
                self._unclosed(f"a new sentence begins on line {self.lines.place(at).line}")
        if not self._open:
            self._clean = True
        elif self._due:
            self._fault("a name is expected after '(', found '('", at, help="write (name argument …)")
        self._open.append(at)
        self._due = True
        if len(self._open) > MAX_DEPTH:
            self._clean = True
            self._fault(f"brackets nested deeper than {MAX_DEPTH}", at, help="is this a rule sheet?")

    def _closing(self, at: int) -> None:
        if not self._open:
            self._clean = True
            self._fault("this ')' closes nothing", at, help="remove it, or add the missing '('")
            return
        begin = self._open.pop()
        if self._due:
            self._fault("an empty list", begin, at + 1, help="write (name argument …)")
        self._due = False
        if not self._open:
            if self._clean:
                self.sentences.extend(read_lists(self.text, begin, at + 1))
            self._clean = True

    def _word(self, token: str, start: int, end: int) -> None:
        due, self._due = self._due, False
        if not self._open:
            self._fault(
                f"a sentence begins with '(', found {shortened(token)!r}", start, end, help="write (name argument …)"
            )
        elif due and token[0] == "?" and len(token) > 1:
            self._fault(f"a name is expected after '(', found the variable {shortened(token)}", start, end)
        elif token == "<=" and (not due or len(self._open) > 1):
            self._fault("'<=' belongs at the start of a sentence", start, end, help="write (<= head literal …)")
