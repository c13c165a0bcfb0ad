"""Games as small Python classes: the position protocol, boards and graphs, and a dozen known games."""

from ludisect.rulesets.amazons import Amazons
from ludisect.rulesets.clobber import CannibalClobber, Clobber
from ludisect.rulesets.colouring import Col, Snort
from ludisect.rulesets.domineering import Cram, Domineering
from ludisect.rulesets.finalscore import FinalScore
from ludisect.rulesets.grid import GridPosition
from ludisect.rulesets.hackenbush import Hackenbush
from ludisect.rulesets.heaps import Nim, OctalHeaps
from ludisect.rulesets.nogo import NoGo
from ludisect.rulesets.notation import GAMES, read, read_component, register, unregister
from ludisect.rulesets.pawns import Pawns
from ludisect.rulesets.position import Impartial, Negative, Player, Position
from ludisect.rulesets.regio import Regio, RegioGraph
from ludisect.rulesets.toads import Toads
from ludisect.rulesets.toppling import Toppling

__all__ = [
    "GAMES",
    "Amazons",
    "CannibalClobber",
    "Clobber",
    "Col",
    "Cram",
    "Domineering",
    "FinalScore",
    "GridPosition",
    "Hackenbush",
    "Impartial",
    "Negative",
    "Nim",
    "NoGo",
    "OctalHeaps",
    "Pawns",
    "Player",
    "Position",
    "Regio",
    "RegioGraph",
    "Snort",
    "Toads",
    "Toppling",
    "read",
    "read_component",
    "register",
    "unregister",
]
