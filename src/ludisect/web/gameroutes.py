"""Endpoints for games: the list of all, rule sheets checked, games opened, positions, pictures, edges."""

from __future__ import annotations

import platform
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response

from ludisect import __version__
from ludisect.web.asked import CheckRequest, GameRequest, PictureRequest, PositionRequest
from ludisect.web.limits import WebLimits
from ludisect.web.problems import Refusal
from ludisect.web.shared import Shared, Sharing, declared

games_api = APIRouter(prefix="/api/v1", responses=declared(), tags=["games"])

GameId = Annotated[str, Path(max_length=64, description="the id that POST /games gave")]


@games_api.get("/version")
async def version() -> dict[str, Any]:
    """Versions and limits."""
    limits = WebLimits.current()
    return {
        "ludisect": __version__,
        "python": platform.python_version(),
        "limits": {one.name: getattr(limits, one.name) for one in limits.described()},
    }


@games_api.get("/games")
async def list_games(shared: Sharing) -> dict[str, Any]:
    """The bundled games, the rulesets, your own games, the players."""
    return await shared.shelf.catalogue()


@games_api.post("/check")
async def check_sheet(shared: Sharing, asked: CheckRequest) -> dict[str, Any]:
    """The faults of a rule sheet."""
    return await shared.shelf.check(asked.text)


@games_api.post("/games", status_code=201)
async def open_game(shared: Sharing, asked: GameRequest) -> dict[str, Any]:
    """Open a game; the same game has the same id."""
    game = await shared.shelf.open(asked.model_dump(exclude_none=True))
    return {"id": game.id, **game.info}


@games_api.post("/games/{id}/position", responses=declared(404))
async def show_position(shared: Sharing, id: GameId, asked: PositionRequest) -> dict[str, Any]:
    """The position after a line of moves, or a state."""
    _choose_parts(shared, id, asked.parts)
    found: dict[str, Any] = await shared.shelf.ask(id, "position", asked.model_dump(exclude={"parts"}))
    return found


@games_api.post(
    "/games/{id}/picture",
    response_class=Response,
    responses={**declared(404), 200: {"content": {"image/svg+xml": {}}, "description": "the picture"}},
)
async def draw_picture(shared: Sharing, id: GameId, asked: PictureRequest) -> Response:
    """A picture as SVG: for files in light or dark, for the page with classes instead of colours."""
    _choose_parts(shared, id, asked.parts)
    given = {**asked.model_dump(exclude={"parts"}), "method": _method(shared, id)}
    asks = shared.shelf.ask_apart if asked.what != "board" else shared.shelf.ask
    drawn: str = await asks(id, "picture", given)
    return Response(drawn, media_type="image/svg+xml")


@games_api.get("/games/{id}/edges", responses=declared(404))
async def list_edges(shared: Sharing, id: GameId) -> dict[str, Any]:
    """What depends on what, by the method with which the game was taken apart last."""
    _rules_only(shared, id)
    found: dict[str, Any] = await shared.shelf.ask_apart(id, "edges", {"method": _method(shared, id)})
    return found


@games_api.get("/games/{id}/edges/{index}", responses=declared(404))
async def tell_edge(shared: Sharing, id: GameId, index: Annotated[int, Path(ge=0, le=10_000_000)]) -> dict[str, Any]:
    """One dependency in words."""
    _rules_only(shared, id)
    given = {"index": index, "method": _method(shared, id)}
    found: dict[str, Any] = await shared.shelf.ask_apart(id, "edge", given)
    return found


def _rules_only(shared: Shared, id: str) -> None:
    if shared.shelf.find(id).source["kind"] != "rules":
        raise Refusal("input", "A sum has no graph of dependencies: its parts are independent as they stand.")


def _method(shared: Shared, id: str) -> str:
    """The method by which a game was taken apart last."""
    parts = shared.shelf.find(id).parts
    return "exact" if parts is None else str(parts[1].get("method", "exact"))


def _choose_parts(shared: Shared, id: str, job: str | None) -> None:
    """Have a game shown with the parts that a job has found."""
    if job is not None:
        found = shared.desk.find(job)
        game = shared.shelf.find(id)
        if found.command == "decompose" and found.request["game"] == id and found.result is not None:
            game.parts = (job, found.result)
