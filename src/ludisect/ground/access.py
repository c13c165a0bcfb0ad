"""The way into clingo: its C functions where this release has the ones we know, its public objects otherwise.

clingo's Python objects cost microseconds a rule and ten an atom, as much as the grounding itself, so ground rules and
atoms are read through the C functions below them. Those are private to clingo's package. If a release has others,
``way_in`` notices, and the public ``Observer`` and ``SymbolicAtoms`` do the same job, slower: only speed is at stake.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

import clingo

Atoms = dict[tuple[int, ...], int]
"""Arguments as symbols -> number of the atom, 0 for a fact. A symbol is a number that ``Access`` knows."""

OnRule = Callable[[bool, Any, int, Any, int], bool]
"""Takes (choice, head, its size, body, its size), with what can be indexed for head and body; False stops clingo."""


class Access(Protocol):
    """What is asked of clingo beyond adding and grounding a program."""

    takes_code: bool
    """Whether ``observe_by_code`` is there."""

    def observe(self, control: clingo.Control, on_rule: OnRule) -> object:
        """Have a Python function see every ground rule; what comes back must live as long as the control."""
        ...

    def observe_by_code(self, control: clingo.Control, address: int, data: int) -> object:
        """The same with machine code at an address, which gets ``data`` as its last argument."""
        ...

    def atoms_of(self, control: clingo.Control, predicate: str, arity: int) -> Atoms:
        """Every atom of a predicate that the grounder found possible, in clingo's order."""
        ...

    def arguments(self, symbol: int) -> list[int]:
        """The symbols that a function symbol is applied to."""
        ...

    def name(self, symbol: int) -> str:
        """The name of a constant or function symbol."""
        ...


_C_RULE = ctypes.CFUNCTYPE(
    ctypes.c_bool, ctypes.c_bool, ctypes.POINTER(ctypes.c_uint32), ctypes.c_size_t, ctypes.POINTER(ctypes.c_int32),
    ctypes.c_size_t, ctypes.c_void_p,
)  # fmt: skip


class CAccess:
    """Through clingo's C functions. A symbol is clingo's own number: equal symbols have the same while the process
    lives. Answers are read into memory that is allotted once, so each is to be used before the next call."""

    takes_code = True

    def __init__(self, internal: Any) -> None:
        """``internal`` is the module ``clingo._internal``; raises AttributeError if it is not as we know it."""
        self._ffi, self._lib, self._handle_error = internal._ffi, internal._lib, internal._handle_error
        self._first, self._size = self._ffi.new("clingo_symbol_t const **"), self._ffi.new("size_t *")
        self._name = self._ffi.new("char const **")

    def observe(self, control: clingo.Control, on_rule: OnRule) -> object:
        def without_data(choice: bool, head: Any, head_size: int, body: Any, body_size: int, data: object) -> bool:
            return on_rule(choice, head, head_size, body, body_size)

        plain = _C_RULE(without_data)
        address = ctypes.cast(plain, ctypes.c_void_p).value
        assert address is not None
        return plain, self.observe_by_code(control, address, 0)

    def observe_by_code(self, control: clingo.Control, address: int, data: int) -> object:
        observer = self._ffi.new("clingo_ground_program_observer_t *")
        observer.rule = self._ffi.cast(
            "bool (*)(bool, clingo_atom_t const *, size_t, clingo_literal_t const *, size_t, void *)", address
        )
        self._handle_error(
            self._lib.clingo_control_register_observer(control._rep, observer, True, self._ffi.cast("void *", data))
        )
        return observer

    def atoms_of(self, control: clingo.Control, predicate: str, arity: int) -> Atoms:
        base, new, lib = control.symbolic_atoms._rep, self._ffi.new, self._lib
        signature, at = new("clingo_signature_t *"), new("clingo_symbolic_atom_iterator_t *")
        valid, fact = new("bool *"), new("bool *")
        symbol, literal = new("clingo_symbol_t *"), new("clingo_literal_t *")
        out: Atoms = {}
        fine = lib.clingo_signature_create(predicate.encode(), arity, True, signature)
        fine = fine and lib.clingo_symbolic_atoms_begin(base, signature, at)
        while fine:
            here = at[0]
            fine = lib.clingo_symbolic_atoms_is_valid(base, here, valid)
            if not valid[0]:
                break
            fine = (
                fine
                and lib.clingo_symbolic_atoms_symbol(base, here, symbol)
                and lib.clingo_symbolic_atoms_is_fact(base, here, fact)
                and lib.clingo_symbolic_atoms_literal(base, here, literal)
                and lib.clingo_symbolic_atoms_next(base, here, at)
            )
            out[tuple(self.arguments(symbol[0]))] = 0 if fact[0] else literal[0]
        self._handle_error(fine)
        return out

    def arguments(self, symbol: int) -> list[int]:
        if not self._lib.clingo_symbol_arguments(symbol, self._first, self._size):
            self._handle_error(False)
        return self._ffi.unpack(self._first[0], self._size[0]) if self._size[0] else []

    def name(self, symbol: int) -> str:
        self._handle_error(self._lib.clingo_symbol_name(symbol, self._name))
        return self._ffi.string(self._name[0]).decode()  # type: ignore[no-any-return]


class _Stopped(Exception):
    """The observer does not want to see more; clingo hands this to whoever called it."""


class _Watch(clingo.Observer):  # type: ignore[misc]
    def __init__(self, on_rule: OnRule) -> None:
        self.on_rule = on_rule

    def rule(self, choice: bool, head: Any, body: Any) -> None:
        if not self.on_rule(choice, head, len(head), body, len(body)):
            raise _Stopped


class PublicAccess:
    """Through clingo's documented objects alone. A symbol is its place in a list of those met so far."""

    takes_code = False

    def __init__(self) -> None:
        self._symbols: list[clingo.Symbol] = []
        self._number: dict[clingo.Symbol, int] = {}

    def observe(self, control: clingo.Control, on_rule: OnRule) -> object:
        watch = _Watch(on_rule)
        control.register_observer(watch, replace=True)
        return watch

    def observe_by_code(self, control: clingo.Control, address: int, data: int) -> object:
        raise NotImplementedError("clingo's public observer takes Python functions only")

    def atoms_of(self, control: clingo.Control, predicate: str, arity: int) -> Atoms:
        found = control.symbolic_atoms.by_signature(predicate, arity)
        return {self._numbers(atom.symbol.arguments): 0 if atom.is_fact else atom.literal for atom in found}

    def arguments(self, symbol: int) -> list[int]:
        return list(self._numbers(self._symbols[symbol].arguments))

    def name(self, symbol: int) -> str:
        return str(self._symbols[symbol].name)

    def _numbers(self, symbols: list[clingo.Symbol]) -> tuple[int, ...]:
        for symbol in symbols:
            if symbol not in self._number:
                self._number[symbol] = len(self._symbols)
                self._symbols.append(symbol)
        return tuple([self._number[symbol] for symbol in symbols])


@cache
def way_in() -> Access:
    """The C functions if they say of a small program what the public objects say of it; the public objects if not."""
    public = PublicAccess()
    try:
        direct = CAccess(clingo._internal)
        return direct if _report(direct) == _report(public) else public
    except (AttributeError, KeyError, TypeError, ValueError):  # what cffi raises for names it lacks
        return public


def _report(access: Access) -> object:
    """Rules and atoms of a program that has a fact, a choice, a negation and nested terms."""
    rules = []

    def on_rule(choice: bool, head: Any, head_size: int, body: Any, body_size: int) -> bool:
        rules.append((bool(choice), [head[i] for i in range(head_size)], [body[i] for i in range(body_size)]))
        return True

    control = clingo.Control(["--warn=none"])
    alive = access.observe(control, on_rule)
    control.add("base", [], "{a(f(b,c))}. p(f(b,c),b) :- a(f(b,c)). p(b,c) :- not a(f(b,c)). p(c,c).")
    control.ground([("base", [])])
    atoms = [
        (*[(access.name(s), [access.name(x) for x in access.arguments(s)]) for s in symbols], literal)
        for symbols, literal in access.atoms_of(control, "p", 2).items()
    ]
    del alive
    return rules, atoms
