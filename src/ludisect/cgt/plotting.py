"""Thermographs by matplotlib: for figures of several of them, and for papers."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludisect.cgt.thermograph import Thermograph

_LEFT, _RIGHT, _MAST = "#1d5fc2", "#c0301f", "#14181e"
"""As in all pictures of thermographs."""


def plot_thermograph(graph: Thermograph, ax: Any, title: str) -> Any:
    """Draw into the matplotlib axes ``ax`` (None: of a new figure) and return them."""
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            raise ImportError("plots need matplotlib, which comes with: pip install 'ludisect[plots]'") from None
        ax = pyplot.subplots()[1]
    foot, top = float(graph.temperature), max(1, ceil(graph.temperature)) + 1
    for wall, colour, name in ((graph.left, _LEFT, "left wall"), (graph.right, _RIGHT, "right wall")):
        # a wall that is upright below the mast has its last corner lower down
        corners = [*wall.points, (graph.temperature, wall.mast)]
        ax.plot([float(x) for _, x in corners], [float(t) for t, _ in corners], color=colour, label=name)
    ax.plot([float(graph.mean)] * 2, [foot, top], color=_MAST, label="mast")
    if not ax.xaxis_inverted():
        ax.invert_xaxis()
    ax.set_xlabel("value, larger to the left")
    ax.set_ylabel("temperature")
    if title:
        ax.set_title(title)
    return ax
