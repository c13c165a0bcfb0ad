"""``solve``: one door for games given by rules and sums of combinatorial games, as objects or text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludisect import clock
from ludisect.cgt import MarkedValue, Value
from ludisect.errors import InputError, check_numbers
from ludisect.games.bundled import closest
from ludisect.games.source import find_rules, names_rules
from ludisect.gdl.pythonrules import PythonRules
from ludisect.gdl.state import State
from ludisect.gdl.terms import Rules
from ludisect.rulesets.notation import known
from ludisect.rulesets.position import Position
from ludisect.settings import Numbers, using
from ludisect.sums.strategies import STRATEGIES
from ludisect.sums.table import Sum
from ludisect.sums.winner import solve as solve_sum

if TYPE_CHECKING:
    from typing import TypeAlias

    from ludisect.answer import Answer
    from ludisect.circuit.game import Game
    from ludisect.decomposition import Decomposition
    from ludisect.sums.local import Store

    Ruled: TypeAlias = Game | State[Game] | Decomposition | Rules | PythonRules | Path
    Summed: TypeAlias = Sum | Position | Value | MarkedValue

TAKES = "a Game, a State, a Decomposition, Rules, a Position, a Sum, a Value, or the text of a game or a sum"


def solve(
    what: Ruled | Summed | str,
    by: str | None = None,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    memory: float | None = None,
    store: Store | None = None,
    limits: Numbers | Sequence[Numbers] = (),
    given: Answer | None = None,
    jobs: int | None = None,
) -> Answer:
    """The value of a position for every role, a best move for every role that has a choice, and why.

    A game given by rules (a Game, its Decomposition, a State of it, Rules, a path, a bundled name such as
    ``"nim:3,5,7"`` or rule text) is solved by its parts unless ``by`` says otherwise: ``"whole"``, ``"alpha-beta"``, or
    the name of a way. With ``depth`` only so many moves are looked ahead; ``memory`` is in bytes.

    In a sum of combinatorial games (positions, values, or text such as ``"domineering 2x3 + {3|-1}"``) either player
    may begin: the value of one who wins moving first is 100. After ``Sum(text).play_line("left 2: to 3")`` it is the
    other one's turn. ``by`` is ``"optimal"`` or another strategy; ``store`` keeps values from one run to the next, and
    ``jobs`` is in how many processes the parts are searched.

    ``given`` is an answer for an earlier position: ``solve(state, given=answer)`` uses what that search kept, a plan or
    the tables of the parts, and is ``answer.after(state)``.

    ``limits`` are other numbers of one or several rooms, such as ``SearchLimits(pairing_few=0)``.

    >>> solve("nim:3,5,7").value
    {'player1': 100, 'player2': 0}
    >>> solve("domineering 2x3 + {3|-1}").move["left"]
    '2: to 3'

    Raises InputError for text that is neither and for options that do not fit, TypeError for other objects, and
    BudgetExceeded when ``seconds`` or ``memory`` are used up or the user interrupts; its ``partial`` is then the Answer
    known by then.
    """
    if depth is not None and not isinstance(depth, int):
        raise TypeError(f"depth is a whole number of moves, not {type(depth).__name__}")
    check_numbers(seconds=seconds, memory=memory, jobs=jobs)
    if depth is not None and depth < 0:
        raise InputError(f"depth is a number of moves, and {depth} is below 0")
    with using(*([limits] if isinstance(limits, Numbers) else limits)):
        if given is not None:
            for option, value in (("by", by), ("depth", depth), ("store", store), ("jobs", jobs)):
                if value is not None:
                    raise InputError(f"{option!r} was settled when the given answer was found")
            if not isinstance(what, State | Sum):
                raise TypeError(f"with a given answer, solve takes a State or a Sum, not {type(what).__name__}")
            return given.after(what)
        return _solve(what, by, depth, seconds, memory, store, jobs)


def _solve(
    what: Ruled | Summed | str,
    by: str | None,
    depth: int | None,
    seconds: float | None,
    memory: float | None,
    store: Store | None,
    jobs: int | None,
) -> Answer:
    if isinstance(what, str) and names_rules(what):
        what = find_rules(what)
    if isinstance(what, str | Sum | Position | Value | MarkedValue):
        return _solve_sum(what, by, depth, seconds, memory, store, jobs)
    begin = clock.now()
    from ludisect.circuit.game import Game  # late: sums do without numpy
    from ludisect.decomposition import Decomposition
    from ludisect.loader import to_game
    from ludisect.search.solve import names
    from ludisect.search.solve import solve as solve_rules

    if isinstance(what, Rules | PythonRules | Path | State):
        what = to_game(what, "solve")
    if not isinstance(what, Game | Decomposition):
        raise TypeError(f"solve takes {TAKES}, not {type(what).__name__}")
    name = what.name if isinstance(what, Game) else what.game.name
    if store is not None:
        raise InputError(f"a store of values is for sums of combinatorial games; {name} is given by rules")
    if jobs is not None:
        raise InputError(f"'jobs' are for sums of combinatorial games; {name} is given by rules")
    if by in STRATEGIES and by not in names():
        raise InputError(f"{by!r} plays sums of combinatorial games; for {name}, choose from {', '.join(names())}")
    left = None if seconds is None else max(0.0, seconds - (clock.now() - begin))
    return solve_rules(what, by or "parts", depth=depth, seconds=left, memory=memory)


def _solve_sum(
    what: Summed | str,
    by: str | None,
    depth: int | None,
    seconds: float | None,
    memory: float | None,
    store: Store | None,
    jobs: int | None,
) -> Answer:
    name = what if isinstance(what, str) else str(what if isinstance(what, Sum) else Sum([what]))
    for option, given in (("depth", depth), ("memory", memory)):
        if given is not None:
            raise InputError(f"{option!r} is for games given by rules; {name} is a sum of combinatorial games")
    if by is not None and by not in STRATEGIES:
        raise InputError(f"there is no way {by!r} to play a sum; choose from {', '.join(sorted(STRATEGIES))}")
    try:
        return solve_sum(what, by=by or "optimal", seconds=seconds, store=store, jobs=jobs or 1)
    except InputError as error:
        raise meant(name, error) from None


def meant(name: str, error: InputError) -> InputError:
    """The error of who gave something that is neither a game nor a sum: what he may have meant, or where to look."""
    if any(map(str.isspace, name)):
        return error
    told = f"{name!r} is neither a game given by rules nor a sum"
    if name.startswith(("/", "./", "../")):
        is_folder = Path(name).is_dir()
        return InputError(
            f"{name!r} is a folder; give the rule sheet (.kif) in it" if is_folder else f"no such file: {name!r}"
        )
    if near := closest(name.partition(":")[0]):
        return InputError(f"{told}; did you mean {' or '.join(near)}?")
    if name[:1].isalpha() and name.lower() not in known():
        return InputError(
            f"{told}; 'ludisect games' lists the games, and a sum is written like 'domineering 4x4 + nim 3'"
        )
    return error
