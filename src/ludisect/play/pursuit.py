"""Following a match by what the manager says of it: what was really played counts, messages may come twice.

A manager plays for us where we were late. So its joint move is believed, not our memory; but a joint move that is not
legal here, or that we were told already, leads nowhere.
"""

from __future__ import annotations

from typing import Any

from ludisect.errors import IllegalMove, InputError
from ludisect.gdl.state import State
from ludisect.play.message import message_moves


def understood(
    state: State[Any], moves: str | None, *, infix: bool, role: str, answered: str | None
) -> tuple[State[Any] | None, str]:
    """The state that moves lead to, and a note if something is odd; None if the message leads nowhere.

    ``answered`` is the move that we gave here, if we gave one. A message that repeats the step before would be legal
    once more only where the same moves can be made twice; then it is the next step if it has our answer in it.
    """
    if moves is None:
        return None, "" if not state.moves_made else "NIL in the middle of a match"
    try:
        terms = message_moves(moves, infix=infix)
    except InputError as error:
        return None, str(error)
    last = state.moves_made[-1] if state.moves_made else None
    told = dict(zip(state.game.roles, terms, strict=True)) if len(terms) == len(state.game.roles) else None
    repeated = told is not None and last is not None and told == dict(last)
    if repeated and told is not None and answered is not None and str(told[role]) != answered:
        return None, ""
    try:
        return state.play(told if told is not None else terms), ""
    except (IllegalMove, InputError) as error:
        return None, "" if repeated else f"out of step: {str(error).splitlines()[0]}"
