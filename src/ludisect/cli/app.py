"""The ``ludisect`` program: its commands, its exit codes, and how errors look.

Exit codes: 0 done; 1 the answer is "no" (a check or a replay found a fault); 2 bad input or usage; 3 a limit was hit,
with the partial result printed; 130 interrupted.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Annotated, Any

import typer

from ludisect.errors import BudgetExceeded, LudisectError, RulesError


class _Told(int):
    """An exit code that a command returned, having said what it means."""


def _told(code: int | None, **options: object) -> _Told:
    return _Told(code or 0)


app = typer.Typer(
    name="ludisect",
    result_callback=_told,
    help="Takes a game apart and plays the whole by solving the parts.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="A bundled name (see 'ludisect games'), a path, or - for standard input.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no notes.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Same seed, same answer.")]
SecondsOption = Annotated[float | None, typer.Option("--seconds", min=0.0, help="Limit on time.")]
MemoryOption = Annotated[float, typer.Option("--memory", min=0.1, help="Limit on memory, in GB.")]
DEFAULT_MEMORY_GB = 6.0
INTERRUPTED = 130


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
) -> None:
    if version:
        from ludisect import __version__

        typer.echo(f"ludisect {__version__}")
        raise typer.Exit
    if debug:
        os.environ["LUDISECT_DEBUG"] = "1"


def main() -> None:
    """Run the program; every error becomes a message and an exit code."""
    try:
        from ludisect.cli import composing, dissecting, playing, ruling, showing, valuing  # noqa: F401  (they register their commands)

        code = app(standalone_mode=False)
        if code == INTERRUPTED and not isinstance(code, _Told):  # typer turns an interrupt into this code
            raise KeyboardInterrupt
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
        print("interrupted", file=sys.stderr)
    except LudisectError as error:
        if os.environ.get("LUDISECT_DEBUG"):
            raise
        code = _report(error)
    except BrokenPipeError:  # the reader of our output has gone: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        show = getattr(error, "show", None)  # usage errors know how to show themselves
        if show is None:
            raise
        show()
        code = int(getattr(error, "exit_code", 2))
    finish(code if isinstance(code, int) else 0)


def _report(error: LudisectError) -> int:
    code = 3 if isinstance(error, BudgetExceeded) else 2
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
        if isinstance(error, BudgetExceeded) and error.budget in ("grounding", "unfolding"):
            print("it can still be checked and replayed state by state: --engine interpreter", file=sys.stderr)
        if isinstance(error, BudgetExceeded) and isinstance(error.partial, dict):
            for name, known in error.partial.items():
                print(f"  {name.replace('_', ' ')}: {known}")
    return code


def finish(code: int) -> None:
    """Leave the program; at once if a grounder thread cannot be stopped."""
    sys.stdout.flush()
    sys.stderr.flush()
    if any(t.name == "grounder" and t.is_alive() for t in threading.enumerate()):
        os._exit(code)
    sys.exit(code)


def print_json(data: object) -> None:
    """One JSON object on standard output."""
    print(json.dumps(data, ensure_ascii=False, allow_nan=False))
