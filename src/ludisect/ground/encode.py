"""Clauses -> a clingo program whose state and moves are free inputs.

Any string can be a constant in GDL (``+``, ``-1``, ``x.y``), so every name is replaced by a short identifier; the table
``Names.spelling`` leads back. The encoding adds four rules to those of the game: a fluent is possible if it is initial
or can be next; a possible fluent may be true or not; a legal move of a role may be done or not. Static predicates are
thereby evaluated away by the grounder while ``true`` and ``does`` stay inputs of the ground program.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludisect.gdl.terms import Term, TermOrVariable, Variable
from ludisect.ground.normalize import Clause, Literal


class Names:
    """Identifiers for predicates, functions and constants, and back."""

    def __init__(self) -> None:
        self.symbols: dict[str, str] = {}
        self.spelling: dict[str, str] = {}
        self.predicates: dict[tuple[str, int], str] = {}

    def symbol(self, name: str) -> str:
        """The identifier of a constant or function name."""
        known = self.symbols.get(name)
        if known is None:
            known = self.symbols[name] = f"c{len(self.symbols)}"
            self.spelling[known] = name
        return known

    def predicate(self, name: str, arity: int) -> str:
        """The identifier of a predicate; the same name with another arity is another predicate."""
        known = self.predicates.get((name, arity))
        if known is None:
            known = self.predicates[name, arity] = f"p{len(self.predicates)}"
        return known


def encode(clauses: Iterable[Clause], names: Names) -> str:
    """The text of the clingo program."""
    out = [_encode_clause(clause, names) for clause in clauses]
    init, nxt = names.predicate("init", 1), names.predicate("next", 1)
    true, does = names.predicate("true", 1), names.predicate("does", 2)
    legal, role = names.predicate("legal", 2), names.predicate("role", 1)
    out += [
        f"possible(F) :- {init}(F).",
        f"possible(F) :- {nxt}(F).",
        f"{{ {true}(F) }} :- possible(F).",
        f"{{ {does}(R,M) }} :- {legal}(R,M), {role}(R).",
    ]
    # The reader warns about predicates that nothing defines; to clingo they are simply false.
    out += [f"#defined {p}/{arity}." for (_, arity), p in names.predicates.items()]
    return "\n".join(out)


def _encode_clause(clause: Clause, names: Names) -> str:
    variables: dict[Variable, str] = {}

    def encode_term(term: TermOrVariable) -> str:
        if isinstance(term, Variable):
            known = variables.get(term)
            if known is None:
                known = variables[term] = f"V{len(variables)}"
            return known
        if not term.args:
            return names.symbol(term.name)
        return f"{names.symbol(term.name)}({','.join([encode_term(a) for a in term.args])})"

    def encode_atom(atom: Term) -> str:
        predicate = names.predicate(atom.name, len(atom.args))
        return f"{predicate}({','.join([encode_term(a) for a in atom.args])})" if atom.args else predicate

    body = []
    for literal in clause.body:
        if isinstance(literal, Literal):
            body.append(encode_atom(literal.atom) if literal.positive else f"not {encode_atom(literal.atom)}")
        else:
            body.append(f"{encode_term(literal.left)}!={encode_term(literal.right)}")
    head = encode_atom(clause.head)
    return f"{head} :- {', '.join(body)}." if body else f"{head}."
