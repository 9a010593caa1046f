"""The page "Pairing", and its sections for soft scores, teams and doubles."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import BooleanField, FieldList, RadioField, SelectField
from wtforms.fields import SelectChoice

from events.accounts.loading import managed_event
from events.play.act import Act
from events.play.editions import system_of
from events.play.errors import Refused, Stale
from events.play.rulings import (
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
from events.play.setting_words import CHOICES
from events.setup.pairing_actions import set_soft_rules, set_teams
from events.setup.pairing_forms import (
    CircuitForm,
    CountingForm,
    DrawForm,
    FormatForm,
    SeasonForm,
    SectionForm,
    TablesForm,
    TieBreaksForm,
)
from events.tournament.team_ranking import LEAST_BOARDS, MOST_BOARDS
from events.web.forms import choices_in, number, show_at_field, text
from events.web.parsing import whole_number
from events.web.request import changing
from models.event import BoardsMatched, Event
from validators.canonical import fingerprint

blueprint = Blueprint("pairing", __name__)


WHERE = {
    Counts.POINTS: "in tournament points",
    Counts.TIE_BREAK: "in the tie-break of its name",
    Counts.OVERALL: "in the overall score for awards",
    Counts.NOTHING: "only in its own award",
}


def _counts(label: str, **also: str) -> SelectField:
    words = {one.value: said for one, said in WHERE.items()} | also
    return SelectField(label, choices=[SelectChoice(value, said) for value, said in words.items()])


class SoftForm(SectionForm):
    """Painting, sportsmanship, penalties and awards."""

    id, title = "soft", "Painting, sportsmanship, penalties, awards"
    painting = SelectField(
        "Painting",
        choices=[
            SelectChoice(Painting.OFF.value, "is not judged here"),
            SelectChoice(Painting.LIST.value, "is judged by a checklist"),
            SelectChoice(Painting.VOTE.value, "is voted for by the players"),
            SelectChoice(Painting.BOTH.value, "both: by list, and by vote"),
        ],
        description="With both, the vote is an award. A figure on a player's page overrides the judged points.",
    )
    painting_counts = _counts("Painting counts")
    sports = SelectField(
        "Marks for opponents",
        choices=[
            SelectChoice(Sports.OFF.value, "nothing"),
            SelectChoice(Sports.FAVOURITE.value, "favourite opponent of the event"),
            SelectChoice(Sports.THUMBS.value, "thumb up or down"),
            SelectChoice(Sports.SCALE.value, "a mark from 1 to 5"),
        ],
        description="Only staff read the marks. They count once you close them.",
    )
    sports_counts = _counts("Sportsmanship counts")
    item_texts = FieldList(text("Line", LONGEST_ITEM, required=False), label="Checklist", max_entries=MOST_ITEMS)
    item_points = FieldList(number("Points", 0, MOST_POINTS, required=False), label="Points", max_entries=MOST_ITEMS)
    rulings_count = _counts(
        "Penalties and bonuses count",
        points="in the standings: points and VP",
        nothing="nowhere: they are only recorded",
    )
    ruling_groups = BooleanField("Their points move players to other score groups of the draw")
    second_yellow = BooleanField("A second yellow card counts as a red card")
    faction_least = number("Best of a faction", 1, 100)
    one_each = BooleanField("One award per player: the lower one goes to the next in line")
    hold = BooleanField("Show the final standings once the awards are published")

    def offer(self, event: Event) -> None:
        """Pad the checklist to its full number of lines, and use the game's word for a faction."""
        self.faction_least.label.text = f"Best of the {system_of(event).words.faction}"
        while len(self.item_texts) < MOST_ITEMS:
            self.item_texts.append_entry("")
        while len(self.item_points) < MOST_ITEMS:
            self.item_points.append_entry(None)

    @classmethod
    def shown(cls, event: Event) -> Mapping[str, Any]:
        """The rules, with a row for each possible line of the checklist."""
        rules = soft_rules(event)
        at = {item.id: item for item in rules.items}
        rows = [at.get(f"i{place}") for place in range(1, MOST_ITEMS + 1)]
        return asdict(rules) | {
            "item_texts": [item.text if item else "" for item in rows],
            "item_points": [item.points if item else None for item in rows],
        }

    def store(self, act: Act) -> None:
        """Store the rules. Raises Refused for a line without points."""
        rows = zip(self.item_texts.data, self.item_points.data, strict=False)
        items = []
        for place, (line, points) in enumerate(rows, start=1):
            if line and points is None:
                raise Refused(f"Enter the points of line {place}.", "item_points")
            if line:
                items.append(Item(f"i{place}", line, points))
        rules = SoftRules(
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
            hold=self.hold.data,
        )
        set_soft_rules(act, rules)


class TeamsForm(SectionForm):
    """Teams and doubles."""

    id, title = "teams", "Teams and doubles"
    columns = ("team_size", "boards", "doubles")
    team_size = SelectField(
        "Pairing of",
        choices=[
            SelectChoice("1", "Individual players"),
            *(SelectChoice(str(size), f"Teams of {size}") for size in range(LEAST_BOARDS, MOST_BOARDS + 1)),
        ],
        coerce=whole_number,
    )
    boards = RadioField(
        "Boards of a team match",
        choices=choices_in(CHOICES["boards"]),
        description="A secret choice is shown to everybody when both captains have made it.",
    )
    doubles = BooleanField("Doubles: two players share one side and one force")

    def store(self, act: Act) -> None:
        """Store the size of teams and doubles. Raises Refused."""
        boards = BoardsMatched(self.boards.data)
        set_teams(act, self.team_size.data, boards, self.doubles.data)


# A section needs a template setup/pairing/<id>.html.
SECTIONS: tuple[type[SectionForm], ...] = (
    FormatForm, SeasonForm, DrawForm, TablesForm, CountingForm, TieBreaksForm, SoftForm, TeamsForm, CircuitForm,
)  # fmt: skip
STALE = "Another person changed this after you opened it. Your entries are kept below; save again to replace theirs."


@blueprint.route("/e/<slug>/desk/pairing", methods=["GET", "POST"])
def change(slug: str) -> ResponseReturnValue:
    """The page with all sections; stores the submitted one."""
    event = managed_event(slug)
    pressed = request.form.get("do", "") if request.method == "POST" else ""
    if request.method == "POST" and pressed not in {section.id for section in SECTIONS}:
        abort(404)
    forms = {section.id: _form(event, section, sent=section.id == pressed) for section in SECTIONS}
    form, status = forms.get(pressed), 200
    if form is not None and form.validate():
        try:
            with changing(event) as act:
                if form.was.data != _mark(event, form):
                    raise Stale(STALE)
                form.store(act)
        except Refused as refused:
            status = show_at_field(form, refused)
            form.was.data = _mark(event, form)
        else:
            flash(f"{form.title}: saved.", f"at-{form.id}")
            return redirect(url_for("pairing.change", slug=slug, _anchor=f"save-{pressed}"))
    elif form is not None:
        status = 422
    page = render_template(
        "setup/pairing.html", sections=SECTIONS, forms=forms, pressed=pressed, kept_apart=len(event.kept_apart)
    )
    return page, status


def _form(event: Event, section: type[SectionForm], *, sent: bool) -> SectionForm:
    """The section's form, as submitted or with the stored values."""
    stored = {**section.shown(event), "was": _mark(event, section)}
    prefix = f"{section.id}-"
    form = section(prefix=prefix, data=stored) if sent else section(None, prefix=prefix, data=stored)
    form.offer(event)
    return form


def _mark(event: Event, section: SectionForm | type[SectionForm]) -> str:
    return fingerprint(dict(section.shown(event)))
