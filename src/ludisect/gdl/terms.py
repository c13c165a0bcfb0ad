"""Terms, formulas and rules of the Game Description Language: immutable, hashable; terms to KIF text and back."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Union

from ludisect.errors import Place, Problem, RulesSyntaxError
from ludisect.gdl.outline import MAX_DEPTH, shortened

CONNECTIVES = frozenset(("not", "and", "or", "distinct"))
"""The keywords that make formulas, not atoms."""

KEYWORDS = CONNECTIVES | {"role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input"}
"""Words of the language itself: any letter case is read, lower case is kept and written."""

TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")
"""A bracket, a word or a comment of KIF text."""

GAP = r"(?:\s++|;[^\n]*+)*+"
"""What may stand between tokens."""

WRAPPED = re.compile(rf"{GAP}(\(){GAP}(?=\()")
"""One more pair of brackets around all."""

_WORD = re.compile(r"[^\s();\x00-\x1f]+")

_INTEGER = re.compile(r"-?[0-9]{1,100}")


def is_word(name: str) -> bool:
    """Whether a name can stand in KIF text as it is."""
    return name != "<=" and _WORD.fullmatch(name) is not None


class Term:
    """A constant (no arguments), a function term, or an atom: a name and its arguments."""

    __slots__ = ("_hash", "args", "is_ground", "name")
    name: str
    args: tuple[TermOrVariable, ...]
    is_ground: bool
    """Whether no variable occurs in the term."""

    def __init__(self, name: str, args: tuple[TermOrVariable, ...] = ()) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "args", args)
        # Both are asked of nested terms again and again; compute each once.
        object.__setattr__(self, "_hash", hash((name, args)))
        ground = True
        for arg in args:
            if isinstance(arg, Variable) or not arg.is_ground:
                ground = False
                break
        object.__setattr__(self, "is_ground", ground)

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError("terms are immutable")

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined, no-any-return]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Term)
            and self._hash == other._hash  # type: ignore[attr-defined]
            and self.name == other.name
            and self.args == other.args
        )

    def __reduce__(self) -> tuple[type[Term], tuple[str, tuple[TermOrVariable, ...]]]:
        return Term, (self.name, self.args)

    def __str__(self) -> str:
        if not self.args:
            return self.name
        return f"({self.name} {' '.join(map(str, self.args))})"

    def __repr__(self) -> str:
        return f"Term.parse({str(self)!r})"

    @staticmethod
    def parse(text: str) -> Term:
        """Read one term from KIF text: ``Term.parse("(cell 1 1 b)")``. ``read_term`` reads infix notation, too."""
        return as_term(text, read_kif_term(text))

    def variables(self) -> Iterator[Variable]:
        """Every occurrence of a variable, left to right."""
        for arg in self.args:
            if isinstance(arg, Variable):
                yield arg
            elif not arg.is_ground:
                yield from arg.variables()


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable; ``name`` is without the question mark."""

    name: str

    def __str__(self) -> str:
        return f"?{self.name}"


TermOrVariable = Union[Term, Variable]


class BracketsError(Exception):
    """Brackets or words that do not make up lists; only a slow, explaining pass can say what is wrong."""


def as_term(text: str, found: TermOrVariable | None) -> Term:
    """What was read from a text, if it is a term; raises RulesSyntaxError if it is anything else."""
    if not isinstance(found, Term):
        raise RulesSyntaxError([Problem(f"not a term: {shortened(text)!r}", help="write a name or (name argument …)")])
    return found


def read_kif_term(text: str) -> TermOrVariable | None:
    """Read exactly one term or variable from KIF; ``None`` if the text is anything else."""
    try:
        # An arrow in front gives a bare word and a list the same treatment.
        sentences = list(read_lists(f"(<= {text}\n)"))
    except BracketsError:
        return None
    if len(sentences) != 1 or len(sentences[0][1].args) != 1:
        return None
    return sentences[0][1].args[0]


def read_lists(text: str, start: int = 0, stop: int = sys.maxsize) -> Iterator[tuple[int, Term]]:
    """Every list at top level as a term, `<=` and connectives included, with its offset.

    The whole may stand in one more pair of brackets, as in a message of the GGP protocol.
    """
    wrapping = WRAPPED.match(text, start, stop)
    wrapped = wrapping is not None
    words: dict[str, TermOrVariable] = {}
    stack: list[list[TermOrVariable]] = []
    items: list[TermOrVariable] = []
    begin = start
    for match in TOKEN.finditer(text, wrapping.end() if wrapping else start, stop):
        token = match[0]
        if token == "(":
            if not stack:
                begin = match.start()
            elif not items or len(stack) >= MAX_DEPTH:
                raise BracketsError
            stack.append(items)
            items = []
        elif token == ")":
            if not stack and wrapped:
                wrapped = False
                continue
            if not stack or not items:
                raise BracketsError
            name = items[0]
            if name.__class__ is Variable:
                raise BracketsError
            made = Term(name.name, tuple(items[1:]))
            items = stack.pop()
            if stack:
                items.append(made)
            else:
                yield begin, made
        elif token[0] != ";":
            word = words.get(token)
            if word is None:
                word = words[token] = _word(token)
            if not stack or (token == "<=" and (items or len(stack) > 1)):
                raise BracketsError
            items.append(word)
    if stack or wrapped:
        raise BracketsError


def _word(token: str) -> TermOrVariable:
    if token[0] == "?" and len(token) > 1:
        return Variable(token[1:])
    lower = token.lower()
    return Term(lower if lower in KEYWORDS else token)


def integer(term: Term) -> int | None:
    """The number that a constant spells, as a goal value does; ``None`` if it is anything else."""
    return int(term.name) if not term.args and _INTEGER.fullmatch(term.name) else None


@dataclass(frozen=True, slots=True)
class Not:
    """Negation as failure of any formula."""

    body: Formula

    def __str__(self) -> str:
        return f"(not {self.body})"


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction inside a body."""

    parts: tuple[Formula, ...]

    def __str__(self) -> str:
        return f"(and {' '.join(map(str, self.parts))})" if self.parts else "(and)"


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction inside a body."""

    parts: tuple[Formula, ...]

    def __str__(self) -> str:
        return f"(or {' '.join(map(str, self.parts))})" if self.parts else "(or)"


@dataclass(frozen=True, slots=True)
class Distinct:
    """Syntactic inequality of two terms."""

    left: TermOrVariable
    right: TermOrVariable

    def __str__(self) -> str:
        return f"(distinct {self.left} {self.right})"


Formula = Union[Term, Not, And, Or, Distinct]


def variables(formula: Formula | Variable) -> Iterator[Variable]:
    """Every occurrence of a variable in a formula or term, left to right."""
    if isinstance(formula, Variable):
        yield formula
    elif isinstance(formula, Term):
        yield from formula.variables()
    elif isinstance(formula, Distinct):
        yield from variables(formula.left)
        yield from variables(formula.right)
    elif isinstance(formula, Not):
        yield from variables(formula.body)
    else:
        for part in formula.parts:
            yield from variables(part)


@dataclass(frozen=True, slots=True)
class Rule:
    """``head`` holds if every formula of ``body`` does; a fact has no body. The place does not count in equality."""

    head: Term
    body: tuple[Formula, ...] = ()
    place: Place | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        if not self.body:
            return str(self.head) if self.head.args else f"({self.head})"
        return f"(<= {self.head} {' '.join(map(str, self.body))})"


@dataclass(frozen=True, slots=True)
class Rules:
    """A rule sheet: its rules in order, and where they came from."""

    rules: tuple[Rule, ...]
    name: str = field(default="rules", compare=False)
    text: str = field(default="", compare=False, repr=False)
    notation: str = field(default="kif", compare=False)

    def __str__(self) -> str:
        return "\n".join(map(str, self.rules))

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)
