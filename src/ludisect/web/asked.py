"""What the page may ask, as types with their bounds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ludisect.web.limits import WebLimits

_LIMITS = WebLimits()

Text = Annotated[str, Field(max_length=_LIMITS.body_bytes)]  # what is too large for a sheet is said in words
Word = Annotated[str, Field(max_length=10_000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
PageName = Annotated[str, Field(max_length=64, pattern=r"^[A-Za-z0-9_-]*$")]
"""What a page calls itself: some letters that it makes up."""
Step = Annotated[dict[Annotated[str, Field(max_length=200)], Word], Field(max_length=64)]
PlayLine = Annotated[list[Step], Field(max_length=_LIMITS.line_moves)]
"""Moves in order; each says what every role that moves then plays. In sums: ``{"left": "1: a1-b1"}``."""


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CheckRequest(_Asked):
    """A rule sheet to be checked."""

    text: Text


class GameRequest(_Asked):
    """A game, named in one of five ways."""

    source: Annotated[str, Field(min_length=1, max_length=1000)] | None = Field(
        None, description="a bundled game with its parameters", examples=["nim:3,5,7"]
    )
    text: Text | None = Field(None, description="a rule sheet in KIF")
    sum: Annotated[str, Field(min_length=1, max_length=20_000)] | None = Field(
        None, description="positions and values with + between them", examples=["domineering 6x6 + nim 3"]
    )
    fen: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        None, description="kings and pawns", examples=["8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8"]
    )
    yours: Name | None = Field(None, description="a game of your own that is written in Python rules")

    @model_validator(mode="after")
    def _one(self) -> GameRequest:
        given = [name for name in ("source", "text", "sum", "fen", "yours") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give one of source, text, sum, fen, yours")
        return self


class PositionRequest(_Asked):
    """A place in a line of play, or a state."""

    line: PlayLine = []
    to: Literal["left", "right"] | None = Field(None, description="who is to play next, in sums")
    state: Annotated[list[Word], Field(max_length=100_000)] | None = Field(
        None, description="fluents that hold, instead of a line"
    )
    parts: Name | None = Field(None, description="the decompose job whose parts are shown; else the last of the game")


class PictureRequest(_Asked):
    """A picture of a game, or of a position in it."""

    what: Literal["board", "graph", "thermograph", "tree"]
    line: PlayLine = []
    to: Literal["left", "right"] | None = None
    theme: Literal["light", "dark", "page"] = "light"
    parts: Name | None = None
    part: Annotated[int, Field(ge=1, le=10_000)] | None = Field(None, description="the part of a sum that is drawn")
    depth: Annotated[int, Field(ge=1, le=4)] = Field(1, description="moves of a tree")


Command = Literal["decompose", "verify", "solve", "values", "simulate", "match", "value", "chess", "play", "sweep"]


class JobRequest(_Asked):
    """A command on a game that takes long."""

    command: Command
    game: Annotated[str, Field(max_length=200, description="its id; a sweep has none")] = ""
    line: PlayLine = []
    to: Literal["left", "right"] | None = None
    options: Annotated[dict[str, Any], Field(max_length=20)] = {}
    seconds: Annotated[float, Field(ge=0.1, le=_LIMITS.job_seconds, allow_inf_nan=False)] = 20.0
    memory: Annotated[float, Field(ge=0.1, le=_LIMITS.job_memory, allow_inf_nan=False)] = 2.0
    page: PageName = ""


class TokenRequest(_Asked):
    """The token of the address, to be exchanged for a cookie."""

    token: Name
