"""Combinatorial game values: canonical forms, order, sums, thermographs; impartial, misère and loopy games.

>>> from ludisect.cgt import parse
>>> g = parse("{1|*}") + parse("^")
>>> print(g, g.outcome, g.mean, g.temperature)
{1↑|↑*} L 1/2 1/2
"""

from ludisect.cgt.algebra import incentives, left_incentives, ordinal_sum, right_incentives
from ludisect.cgt.construct import ascending, make, nimber, parse, switch, tiny, up
from ludisect.cgt.cooling import cool, freeze, heat
from ludisect.cgt.described import Order
from ludisect.cgt.limit import budget
from ludisect.cgt.loopy import Loop
from ludisect.cgt.marked import OFF, ON, MarkedValue, Worth, marked_game, read_value
from ludisect.cgt.reduction import reduced
from ludisect.cgt.thermograph import Thermograph, Wall
from ludisect.cgt.value import Value, number
from ludisect.cgt.valuejson import decode, encode, followers
from ludisect.cgt.weight import atomic_weight, is_all_small
from ludisect.cgt.writer import text

__all__ = [
    "OFF",
    "ON",
    "Loop",
    "MarkedValue",
    "Order",
    "Thermograph",
    "Value",
    "Wall",
    "Worth",
    "ascending",
    "atomic_weight",
    "budget",
    "cool",
    "decode",
    "encode",
    "followers",
    "freeze",
    "heat",
    "incentives",
    "is_all_small",
    "left_incentives",
    "make",
    "marked_game",
    "nimber",
    "number",
    "ordinal_sum",
    "parse",
    "read_value",
    "reduced",
    "right_incentives",
    "switch",
    "text",
    "tiny",
    "up",
]
