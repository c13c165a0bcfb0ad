"""King-and-pawn endings of chess: parts, values, winning moves, and what of it is heuristic."""

from ludisect.pawnendings.ending import EndingMove, EndingPart, PawnEnding, analyse

__all__ = ["EndingMove", "EndingPart", "PawnEnding", "analyse"]
