"""``Refused``: a condition of regions fails or is not proved, with the state that shows it."""

from __future__ import annotations

from ludisect.gdl.machine import Fluents
from ludisect.search.regions.settling import NoOperators


class Refused(NoOperators):
    """A condition of regions fails, or could not be proved; ``state`` shows it, ``met`` if a play led there."""

    def __init__(self, claim: str, state: Fluents | None = None, *, met: bool = False) -> None:
        self.claim, self.state, self.met = claim, state, met
        if state is None:
            super().__init__(claim)
            return
        facts = " ".join(sorted(map(str, state))) or "nothing holds"
        caveat = "" if met else " (no play to it is known)"
        super().__init__(f"{claim}, as in the state {facts}{caveat}")
