"""Reads atoms out of clingo: symbols stay numbers, and each is turned into a term once, when it is asked for.

A game may have hundreds of thousands of moves, and clingo's Python objects cost ten microseconds an atom in every
call. Symbols are unique in clingo (equal symbols are the same number, as long as the process lives), so lists of
numbers are all that is needed to match ``legal`` with ``does`` and ``next`` with ``true``.
"""

from __future__ import annotations

import re

import clingo
from clingo import _internal as clingo_internal

from ludisect.gdl.terms import Term, TermOrVariable
from ludisect.ground.encode import Names

_ffi, _lib = clingo_internal._ffi, clingo_internal._lib

Atoms = dict[tuple[int, ...], int]
"""Arguments as symbols -> number of the atom, 0 for a fact."""


class _Reader:
    """Asks clingo, with memory for its answers that is allotted once: an answer is to be used before the next call."""

    def __init__(self) -> None:
        self.first, self.size = _ffi.new("clingo_symbol_t const **"), _ffi.new("size_t *")
        self.name_of = _ffi.new("char const **")

    def arguments(self, symbol: int) -> list[int]:
        """The symbols that a function symbol is applied to."""
        if not _lib.clingo_symbol_arguments(symbol, self.first, self.size):
            clingo_internal._handle_error(False)
        return _ffi.unpack(self.first[0], self.size[0]) if self.size[0] else []

    def name(self, symbol: int) -> str:
        """The name of a constant or function symbol."""
        clingo_internal._handle_error(_lib.clingo_symbol_name(symbol, self.name_of))
        return _ffi.string(self.name_of[0]).decode()  # type: ignore[no-any-return]


def atoms_of(control: clingo.Control, predicate: str, arity: int) -> Atoms:
    """Every atom of a predicate that the grounder found possible, in clingo's order."""
    base = control.symbolic_atoms._rep
    signature, at = _ffi.new("clingo_signature_t *"), _ffi.new("clingo_symbolic_atom_iterator_t *")
    valid, fact = _ffi.new("bool *"), _ffi.new("bool *")
    symbol, literal = _ffi.new("clingo_symbol_t *"), _ffi.new("clingo_literal_t *")
    arguments = _Reader().arguments
    out: Atoms = {}
    fine = _lib.clingo_signature_create(predicate.encode(), arity, True, signature)
    fine = fine and _lib.clingo_symbolic_atoms_begin(base, signature, at)
    while fine:
        here = at[0]
        fine = _lib.clingo_symbolic_atoms_is_valid(base, here, valid)
        if not valid[0]:
            break
        fine = (
            fine
            and _lib.clingo_symbolic_atoms_symbol(base, here, symbol)
            and _lib.clingo_symbolic_atoms_is_fact(base, here, fact)
            and _lib.clingo_symbolic_atoms_literal(base, here, literal)
            and _lib.clingo_symbolic_atoms_next(base, here, at)
        )
        out[tuple(arguments(symbol[0]))] = 0 if fact[0] else literal[0]
    clingo_internal._handle_error(fine)
    return out


class Terms:
    """Symbols -> terms, each made once."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.known: dict[int, Term] = {}
        self.reader = _Reader()

    def term(self, symbol: int) -> Term:
        """The term that a symbol stands for."""
        known = self.known
        stack = [symbol]  # no recursion: terms may be nested deeper than Python's stack
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            below = self.reader.arguments(top)
            missing = [s for s in below if s not in known]
            if missing:
                stack += missing
            else:
                known[top] = Term(self.names.spelling[self.reader.name(top)], tuple(known[s] for s in below))
                stack.pop()
        return known[symbol]


_DIGITS = re.compile(r"\d+")


def natural_key(text: str) -> str:
    """Sorts texts with their numbers by value: ``(cell 2 1)`` before ``(cell 10 1)``, and numbers before other text."""
    return _DIGITS.sub(_number_key, text)


def _number_key(match: re.Match[str]) -> str:
    digits = str(int(match[0]))
    return f"\x00{chr(len(digits))}{digits}"  # of two numbers the one with more digits is larger


class NaturalOrder:
    """``natural_key`` of the text of terms, put together from the keys of the words in them."""

    def __init__(self) -> None:
        self.words: dict[str, str] = {}

    def key(self, term: TermOrVariable) -> str:
        """Equal to ``natural_key(str(term))`` for a ground term."""
        assert isinstance(term, Term)
        word = self.words.get(term.name)
        if word is None:
            word = self.words[term.name] = natural_key(term.name)
        return f"({word} {' '.join([self.key(a) for a in term.args])})" if term.args else word
