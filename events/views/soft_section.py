"""The section of the page "Pairing" for painting, sportsmanship, penalties and awards."""

from datetime import datetime

from sqlmodel import Session
from wtforms import BooleanField, FieldList, SelectField
from wtforms.fields import SelectChoice

from events.actions.soft_settings import set_soft_rules
from events.errors import Refused
from events.soft_rules import (
    LONGEST_ITEM,
    MOST_ITEMS,
    MOST_POINTS,
    Counts,
    Item,
    Painting,
    SoftRules,
    Sports,
    soft_rules,
)
from events.views.fields import number, text
from events.views.pairing_section import Section, SectionForm
from models.event import Event

WHERE = {
    Counts.POINTS: "in tournament points",
    Counts.TIE_BREAK: "in the tie-break of its name",
    Counts.OVERALL: "in the overall score for awards",
    Counts.NOTHING: "nowhere but in its own award",
}


def _counts(label: str, **also: str) -> SelectField:
    words = {one.value: said for one, said in WHERE.items()} | also
    return SelectField(label, choices=[SelectChoice(value, said) for value, said in words.items()])


class SoftForm(SectionForm):
    """What counts beside the games, and where."""

    painting = SelectField(
        "Painting",
        choices=[
            SelectChoice(Painting.OFF.value, "is not judged here"),
            SelectChoice(Painting.LIST.value, "is judged by a check list"),
            SelectChoice(Painting.VOTE.value, "is voted for by the players"),
            SelectChoice(Painting.BOTH.value, "both: by list, and by vote"),
        ],
        description="With both, the vote is an award. A figure typed at a player goes before what was judged.",
    )
    painting_counts = _counts("Painting counts")
    sports = SelectField(
        "Players say of opponents",
        choices=[
            SelectChoice(Sports.OFF.value, "nothing"),
            SelectChoice(Sports.FAVOURITE.value, "which one of all was the favourite"),
            SelectChoice(Sports.THUMBS.value, "thumb up or down"),
            SelectChoice(Sports.SCALE.value, "a mark from 1 to 5"),
        ],
        description="Nobody but the staff reads it, and it counts once you close the marks.",
    )
    sports_counts = _counts("Sportsmanship counts")
    item_texts = FieldList(text("Line", LONGEST_ITEM, required=False), label="Check list", max_entries=MOST_ITEMS)
    item_points = FieldList(number("Points", 0, MOST_POINTS, required=False), label="Points", max_entries=MOST_ITEMS)
    rulings_count = _counts(
        "Penalties and bonuses count", points="in the standings: points and VP", nothing="nowhere: they are kept alone"
    )
    ruling_groups = BooleanField("Their points move players to other score groups of the draw")
    second_yellow = BooleanField("A second yellow card is a red one")
    faction_least = number("Best of a faction", 1, 100)
    one_each = BooleanField("Nobody wins two awards: whoever has one is passed over for those that stand lower")

    def offer(self, event: Event) -> None:
        """Twelve lines, filled or empty."""
        while len(self.item_texts) < MOST_ITEMS:
            self.item_texts.append_entry("")
        while len(self.item_points) < MOST_ITEMS:
            self.item_points.append_entry(None)

    def wanted(self) -> SoftRules:
        """What was chosen. Raises Refused for a line without points."""
        rows = zip(self.item_texts.data, self.item_points.data, strict=False)
        items = []
        for place, (line, points) in enumerate(rows, start=1):
            if line and points is None:
                raise Refused(f"Say what line {place} is worth.", "item_points")
            if line:
                items.append(Item(f"i{place}", line, points))
        return SoftRules(
            painting=Painting(self.painting.data),
            items=tuple(items),
            painting_counts=Counts(self.painting_counts.data),
            sports=Sports(self.sports.data),
            sports_counts=Counts(self.sports_counts.data),
            rulings_count=Counts(self.rulings_count.data),
            ruling_groups=self.ruling_groups.data,
            second_yellow=self.second_yellow.data,
            faction_least=self.faction_least.data,
            one_each=self.one_each.data,
        )


def _shown(event: Event) -> dict[str, object]:
    rules = soft_rules(event)
    at = {item.id: item for item in rules.items}
    rows = [at.get(f"i{place}") for place in range(1, MOST_ITEMS + 1)]
    return {
        "painting": rules.painting.value,
        "painting_counts": rules.painting_counts.value,
        "sports": rules.sports.value,
        "sports_counts": rules.sports_counts.value,
        "item_texts": [item.text if item else "" for item in rows],
        "item_points": [item.points if item else None for item in rows],
        "rulings_count": rules.rulings_count.value,
        "ruling_groups": rules.ruling_groups,
        "second_yellow": rules.second_yellow,
        "faction_least": rules.faction_least,
        "one_each": rules.one_each,
    }


def _store(s: Session, event: Event, form: SoftForm, actor: str, now: datetime) -> None:
    set_soft_rules(s, event, form.wanted(), actor, now)


SOFT = Section("soft", "Painting, sportsmanship, penalties, awards", SoftForm, _shown, _store)
