"""What a force allows of the figures of a report."""

from validators.bounds import Bound
from validators.contract import Document, EditionInfo
from validators.new_vegas.muster import muster
from validators.scenario import Scenario, Side


def bounds(scenario: Scenario, side: Side, document: Document, edition: EditionInfo) -> tuple[Bound, ...]:
    """No more models are lost than there are, and no more of them with Charisma."""
    force = muster(document, edition.lists)
    leaders = sum(line.count for squad in force.squads for line in squad.lines if line.special.charisma)
    asked = {question.key for question in scenario.questions}
    told = (
        Bound((f"{side}.lost",), force.models, "models lost"),
        Bound((f"{side}.leaders",), leaders, "models with Charisma lost"),
    )
    return tuple(bound for bound in told if asked.issuperset(bound.questions))
