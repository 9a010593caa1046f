"""What an army says about the figures of a report: what it fields, and what each of its figures counts when lost."""

from validators.contract import Document, EditionInfo
from validators.fallout_warfare.priced import Army, price
from validators.scenario import Count, Scenario, Side, Tally

LOST = ("dead", "retreated", "strayed")


def tallies(scenario: Scenario, side: Side, document: Document, edition: EditionInfo) -> tuple[Tally, ...]:
    """The points fielded, and for every way to lose points the figures and vehicles that can be lost."""
    army = price(document, edition.lists)
    asked = {question.key for question in scenario.questions}
    counts = _counts(army)
    told = [Tally(f"{side}.fielded", known=army.total), *(Tally(f"{side}.{what}", counts=counts) for what in LOST)]
    return tuple(tally for tally in told if tally.question in asked)


def _counts(army: Army) -> tuple[Count, ...]:
    figures = [
        Count(f"{squad.place}-{model.place}", f"Squad {squad.place + 1}: {model.label}", model.count, model.each)
        for squad in army.squads
        for model in squad.models
    ]
    vehicles = [Count(f"v{drive.place}", drive.name, 1, drive.points) for drive in army.vehicles]
    return (*figures, *vehicles)
