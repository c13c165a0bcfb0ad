"""The ``ludisect`` program: finds the command, says how errors look and which codes it leaves.

Exit codes: 0 done; 1 the answer is "no" (a check or a replay found a fault); 2 bad input or usage; 3 a limit was hit,
with the partial result printed; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from ludisect.cli.commands import COMMANDS, overview
from ludisect.errors import BudgetExceeded, InputError, LudisectError, RulesError, did_you_mean

INTERRUPTED = 130


def main() -> None:
    """Run the program; every error becomes a message and an exit code."""
    code = 0
    try:
        code = _run(sys.argv[1:])
        sys.stdout.flush()
    except (KeyboardInterrupt, SystemError) as error:
        # numba wraps an interrupt that arrives while it takes arguments or gives results
        if not isinstance(error, KeyboardInterrupt) and not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        code = INTERRUPTED
        print("interrupted", file=sys.stderr)
    except LudisectError as error:
        if os.environ.get("LUDISECT_DEBUG"):
            raise
        code = _report(error)
    except OSError as error:
        if os.environ.get("LUDISECT_DEBUG"):
            raise
        if not isinstance(error, BrokenPipeError):  # that is a reader of our output who has enough
            code = 2
            print(f"ludisect: {error.strerror or error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what was not written never will be
    finish(code)


def _run(words: list[str]) -> int:
    """What stands before the command, then the command."""
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option in ("-h", "--help"):
            print(overview())
            return 0
        if option == "--version":
            from ludisect import __version__

            print(f"ludisect {__version__}")
            return 0
        if option != "--debug":
            raise InputError(f"no such option before a command: {option}\ntry: ludisect --help")
        os.environ["LUDISECT_DEBUG"] = "1"
    if not words:
        print(overview())
        return 0
    name = words[0]
    if name not in COMMANDS:
        raise InputError(f"no such command: {name}{did_you_mean(name, list(COMMANDS))}\ntry: ludisect --help")
    return _command(name, words[1:])


def _command(name: str, words: list[str]) -> int:
    """Load the module of a command, read its arguments, run it."""
    from importlib import import_module
    from inspect import getdoc

    from ludisect.cli.options import Parser

    module = import_module(f"ludisect.cli.{name}")
    run: Callable[..., int | None] = module.run
    parser = Parser(name, COMMANDS[name].takes, getdoc(run) or "", COMMANDS[name].examples)
    module.options(parser)
    options = parser.read(words)
    numbers = parser.numbers(options)
    if numbers:
        from ludisect.settings import using

        with using(*numbers):
            return _call(name, run, options)
    return _call(name, run, options)


def _call(name: str, run: Callable[..., int | None], options: dict[str, Any]) -> int:
    """Run a command with its options, and tell of machine code that it waits for."""
    from ludisect.cli.console import telling_of_kernels

    with telling_of_kernels(name, quiet=bool(options.get("quiet") or options.get("json"))):
        return run(**options) or 0


def _report(error: LudisectError) -> int:
    code = 2
    if isinstance(error, BudgetExceeded):
        code = INTERRUPTED if error.budget == "interrupt" else 3
    if "--json" in sys.argv:
        data: dict[str, Any] = {"error": str(error), "exit": code}
        if isinstance(error, RulesError):
            data["problems"] = [p.to_dict() for p in error.problems]
        if isinstance(error, BudgetExceeded) and isinstance(error.partial, dict):
            data["partial"] = error.partial
        print_json(data)
    else:
        prefix = "" if isinstance(error, RulesError) else "ludisect: "
        print(f"{prefix}{error}", file=sys.stderr)
        if isinstance(error, BudgetExceeded) and error.budget in ("grounding", "rules", "unfolding"):
            print("it can still be checked and replayed state by state: --engine interpreter", file=sys.stderr)
        if isinstance(error, BudgetExceeded) and isinstance(error.partial, dict):
            print_known(error.partial)
    return code


def print_known(partial: dict[str, Any], indent: str = "  ") -> None:
    """What is known, a line each; what belongs together is indented."""
    for name, known in partial.items():
        told = name.replace("_", " ")
        if isinstance(known, dict):
            print(f"{indent}{told}:")
            print_known(known, indent + "  ")
        elif isinstance(known, list) and known and isinstance(known[0], dict):
            print(f"{indent}{told}:")
            for one in known:
                print(f"{indent}  {', '.join(f'{key} {x}' for key, x in one.items())}")
        else:
            print(f"{indent}{told}: {known}")


def finish(code: int) -> None:
    """Leave the program; at once if a grounder thread cannot be stopped."""
    threading = sys.modules.get("threading")  # who has not loaded it has no threads
    sys.stdout.flush()
    sys.stderr.flush()
    if threading is not None and any(t.name == "grounder" and t.is_alive() for t in threading.enumerate()):
        os._exit(code)
    sys.exit(code)


def print_json(data: object) -> None:
    """One JSON object on standard output."""
    import json

    print(json.dumps(data, ensure_ascii=False, allow_nan=False))
