"""Reads what commands printed: one flat record per row, with the same first fields for every task."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ludisect.sweep.job import DONE
from ludisect.sweep.rowstore import Row

Record = dict[str, Any]
Json = Mapping[str, Any]


def printed(row: Row) -> Json | None:
    """The JSON object that the command printed, if it did."""
    try:
        data = json.loads(row.ending.output)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def record(row: Row) -> Record:
    """A row as a flat record: game, status, seconds, peak, and what its task tells."""
    ending, data = row.ending, printed(row)
    out: Record = {
        "game": row.entry.game,
        "status": ending.status,
        "exit": ending.exit,
        "seconds": round(ending.wall, 4),
        "cpu": round(ending.cpu, 4),
        "peak": ending.peak,
    }
    if data is not None and "error" not in data:
        out |= _READERS[row.entry.task](data)
    elif ending.status != DONE:
        out["error"] = _first_line(row, data)
    return out


def _first_line(row: Row, data: Json | None) -> str:
    """Why it ended so, in a line: what the command said, else the end of standard error."""
    text = str(data["error"]) if data is not None else row.ending.errors
    lines = [line for line in text.splitlines() if line.strip()]
    return (lines[0] if data is not None else lines[-1]).strip() if lines else ""


def _decompose(data: Json) -> Record:
    evidence = data.get("evidence") or {}
    return {
        "method": data.get("method"),
        "structure": data.get("structure"),
        "evidence": evidence.get("status"),
        "action_dependent": data.get("action_dependent"),
        "useless": data.get("useless"),
        "action_independent": data.get("action_independent"),
    }


def _solve(data: Json) -> Record:
    return {name: data.get(name) for name in ("algorithm", "exact", "value", "nodes")}


def _simulate(data: Json) -> Record:
    return {name: data.get(name) for name in ("playouts", "playouts_per_second", "mean_length", "mean_goal")}


def _check(data: Json) -> Record:
    return {name: data.get(name) for name in ("ok", "errors", "warnings")}


def _build(data: Json) -> Record:
    moves = data.get("moves") or {}
    return {
        "turns": data.get("turns"),
        "fluents": data.get("fluents"),
        "moves": sum(moves.values()),
        "gates": data.get("gates"),
        "build_seconds": data.get("build_seconds"),
    }


_READERS = {"decompose": _decompose, "solve": _solve, "simulate": _simulate, "check": _check, "build": _build}
