"""What a side allows of the figures of a report."""

from validators.bounds import Bound
from validators.contract import Document, EditionInfo
from validators.scenario import Scenario, Side
from validators.skill_combat.character import looked_up


def bounds(scenario: Scenario, side: Side, document: Document, edition: EditionInfo) -> tuple[Bound, ...]:
    """No more HP are left than all characters have unhurt."""
    hit_points = sum(one.hit_points.value for one in looked_up(document, edition.lists).characters)
    asked = {question.key for question in scenario.questions}
    return (Bound((f"{side}.hp",), hit_points, "HP left"),) if f"{side}.hp" in asked else ()
