"""How decompose and verify show their verdict: proved, tested, or refuted by two situations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludisect.cli.console import RED, say

if TYPE_CHECKING:
    from ludisect.decomposition.model.decomposition import Evidence


def show_evidence(evidence: Evidence, *, stopped: bool = False) -> None:
    """Print the verdict, how each claim is known, and the counterexample if there is one. Parts that were found when
    time ended the search hold, but may not be all."""
    count = f"{evidence.transitions:,} transitions"
    words = {
        "proved": f"proved for every reachable state; also tested on {count}",
        "tested": f"tested on {count}, no violation; not proved",
        "failed": f"FAILED on {count}",
    }
    told = words[evidence.status] + "; finer parts were not looked for to the end" * stopped
    say(told, RED if evidence.status == "failed" else "")
    for claim, how in evidence.claims.items():
        say(f"  {claim}: {how}")
    if evidence.counterexample is None:
        return
    found = evidence.counterexample
    say(f"condition {found.condition}, part {found.part}: {found.what}")
    for number, situation in enumerate(found.situations, 1):
        say(f"  {number}. state: {' '.join(situation['state'])}")
        if "moves" in situation:
            made = ", ".join(f"{role}: {move}" for role, move in situation["moves"].items())
            say(f"     moves: {made}")
        if "part_next" in situation:
            say(f"     the part then: {' '.join(situation['part_next']) or 'nothing true'}")
