"""The force list of Battle Mode on paper: each model with what is bought for it, and the figures that count."""

from validators.battle_mode.check import summarise, verdict_on
from validators.battle_mode.force_rules import heavy_weapons_allowed
from validators.battle_mode.priced import priced
from validators.contract import Document, Terms
from validators.sheet import Column, Derived, Facts, Lines, Sheet, Table


def derived(document: Document, terms: Terms) -> tuple[Derived, ...]:
    """What follows from the force: its total and what is left, heavy weapons used of those allowed."""
    force = priced(document, terms)
    models = " + ".join(str(model.caps) for model in force.models) or "0"
    cards = [card.entry.caps for card in force.cards if card.entry]
    spare = f" + {sum(cards)} for cards" if cards else ""
    allowed = heavy_weapons_allowed(force.size)
    return (
        Derived("Total", f"{force.total} Caps", f"{models}{spare} = {force.total}"),
        Derived("Left", f"{force.size - force.total} Caps", f"{force.size} - {force.total}"),
        Derived("Heavy weapons", f"{force.heavy_weapons} of {allowed}", f"{force.size} / 250, rounded down, less 1"),
    )


def sheets(document: Document, terms: Terms) -> tuple[Sheet, ...]:
    """The force list: every model with its cost, the figures, and what the check says."""
    summary = summarise(document, terms.edition)
    verdict = verdict_on(priced(document, terms))
    found = tuple(f"{one.rule}: {one.message}" for one in (*verdict.problems, *verdict.queries))
    word = "legal" if verdict.legal else "not legal"
    return (
        Sheet(
            title=document["name"] or "Force list",
            subtitle=f"{summary.faction}, {terms.edition.name}",
            blocks=(
                Facts("Figures", derived(document, terms)),
                Table(
                    "Models",
                    (Column("Model and what it carries"), Column("Caps", "figure")),
                    tuple((line, str(caps)) for line, caps in summary.lines),
                    ("Total", str(summary.total)),
                ),
                Lines(f"The check: {word}", found or ("Nothing to mend and nothing to ask.",)),
            ),
        ),
    )
