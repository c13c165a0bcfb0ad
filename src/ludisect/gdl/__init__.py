"""The Game Description Language: rule sheets read, written, checked, and played straight from their rules.

    text ── read ──► Rules ── check ──► problems
                       │
                       ├── write ──► text, in KIF or infix notation
                       └── Interpreter ──► a Machine: states, legal moves, goals

Whatever plays is a `Machine`; recorded matches are replayed on any of them, and two of them are held against each
other by `check_machine`.
"""

from ludisect.gdl.check import check
from ludisect.gdl.conform import check_machine
from ludisect.gdl.expressions import Condition, FluentTerm, MoveTerm, all_of, any_of, does, fluent, move
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.machine import Fluents, Machine
from ludisect.gdl.pythonrules import PythonRules, condition
from ludisect.gdl.randomplay import PlayProblem, PlayReport, check_by_playouts, record
from ludisect.gdl.reader import Notation, read, read_file, read_term
from ludisect.gdl.state import State
from ludisect.gdl.terms import And, Distinct, Formula, Not, Or, Rule, Rules, Term, Variable
from ludisect.gdl.trace import Match, Mismatch, Step, read_trace, replay, write_trace
from ludisect.gdl.writer import write

__all__ = [
    "And",
    "Condition",
    "Distinct",
    "FluentTerm",
    "Fluents",
    "Formula",
    "Interpreter",
    "Machine",
    "Match",
    "Mismatch",
    "MoveTerm",
    "Not",
    "Notation",
    "Or",
    "PlayProblem",
    "PlayReport",
    "PythonRules",
    "Rule",
    "Rules",
    "State",
    "Step",
    "Term",
    "Variable",
    "all_of",
    "any_of",
    "check",
    "check_by_playouts",
    "check_machine",
    "condition",
    "does",
    "fluent",
    "move",
    "read",
    "read_file",
    "read_term",
    "read_trace",
    "record",
    "replay",
    "write",
    "write_trace",
]
