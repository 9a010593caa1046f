"""What an army allows of the figures of a report."""

from validators.bounds import Bound
from validators.contract import Document, EditionInfo
from validators.fallout_warfare.priced import price
from validators.fallout_warfare.tallies import LOST
from validators.scenario import Scenario, Side

_OWN_FORCES = ("convoy", "treasure-hunt")
"""Both sides bring what their set-up says, and not the army of the list alone."""


def bounds(scenario: Scenario, side: Side, document: Document, edition: EditionInfo) -> tuple[Bound, ...]:
    """The whole army is fielded, and no more of it is lost; nothing where the scenario sets forces of its own."""
    if scenario.id in _OWN_FORCES:
        return ()
    total, asked = price(document, edition.lists).total, {question.key for question in scenario.questions}
    lost = tuple(key for what in LOST if (key := f"{side}.{what}") in asked)
    told = (Bound((f"{side}.fielded",), total, "own points fielded", exact=True), Bound(lost, total, "own points lost"))
    return tuple(bound for bound in told if asked.issuperset(bound.questions) and bound.questions)
