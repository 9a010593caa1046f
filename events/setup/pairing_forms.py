"""Forms of settings: format, counting, draw, tables, tie-breaks, season, and points table of the series."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, ClassVar, Self

from wtforms import BooleanField, FieldList, HiddenField, SelectField, StringField
from wtforms.fields import SelectChoice
from wtforms.validators import Optional, Regexp, ValidationError

from events.journal.setting_words import SEASONS, label_of
from events.registration.conventions import shared_tables
from events.setup.field_forms import setting_field, setting_typed
from events.setup.pairing_actions import (
    change_section,
    note_change,
    set_draw_rules,
    set_format,
    set_room,
    set_tie_breaks,
)
from events.store.act import Act
from events.store.editions import system_of
from events.store.errors import Refused
from events.store.players import placed, state_with_place
from events.store.rounds import is_unbegun
from events.store.scenarios import deciding_shares, scenarios_of
from events.store.scoring import knows_vp, tie_breaks_in
from events.store.team_queries import is_team_event
from events.tournament.figures import OF_VP, OTHER_FIGURES
from events.tournament.pairing.seats import LEVEL_WORDS, METHODS, Rules, rules_of_event
from events.tournament.season import MOST_ABOVE, MOST_BEST, MOST_DAYS, Season
from events.visitors.loading import visitor
from events.web.forms import SiteForm, choices_in, number, text
from events.web.parsing import as_text, numbers_in
from events.web.request import db
from languages.words import N_, gettext, lazy_gettext, ngettext
from models.event import Event, RoundState
from models.settings import AvoidClubs
from validators.strict_json import fingerprint


class SectionForm(SiteForm):
    """The form of one section. ``was`` is the fingerprint of the values it was opened with."""

    id: ClassVar[str]
    """Its section (``said.SECTIONS``), the end of its address, its template and the prefix of its fields."""
    columns: ClassVar[tuple[str, ...]] = ()
    """Columns of the event with a field of the same name, which follows from the column unless it is made by hand."""
    store: Callable[[Act], None]
    """The method of each section that stores the values as typed. Raises Refused."""
    was = HiddenField()

    def __init_subclass__(cls) -> None:
        """Add the fields that follow from their columns, in the order of these."""
        super().__init_subclass__()
        for name in cls.columns:
            if name not in vars(cls):
                setattr(cls, name, setting_field(name))

    @classmethod
    def opened(cls, event: Event, *, sent: bool) -> Self:
        """The section's form, as submitted or with the stored values."""
        stored = {**cls.shown(event), "was": fingerprint(dict(cls.shown(event)))}
        form = cls(prefix=f"{cls.id}-", data=stored) if sent else cls(None, prefix=f"{cls.id}-", data=stored)
        form.offer(event)
        return form

    def mark(self, event: Event) -> str:
        """The fingerprint of the section's values now."""
        return fingerprint(dict(self.shown(event)))

    @property
    def is_changed(self) -> bool:
        return any(field.data != field.object_data for field in self if not isinstance(field, HiddenField))

    def offer(self, event: Event) -> None:
        """Fill choices and labels from the event."""

    @classmethod
    def shown(cls, event: Event) -> Mapping[str, Any]:
        """The stored values by form field; plain values, because the fingerprint is made from them."""
        return {name: getattr(event, name) for name in cls.columns}

    def values(self) -> dict[str, Any]:
        return {name: setting_typed(self[name]) for name in self.columns}


class FormatForm(SectionForm):
    id = "format"
    columns = ("format", "legs", "cut", "third_place")

    def store(self, act: Act) -> None:
        set_format(act, **self.values())


class CountingForm(SectionForm):
    """The worth of rounds without a game, also of past ones."""

    id = "counting"
    columns = ("bye_vp", "asked_bye", "conceded_vp", "not_played", "late_points", "vp_cap")

    def store(self, act: Act) -> None:
        change_section(act, N_("Changed what rounds without a game count for: %(settings)s"), self.values())


MOST_TIE_BREAKS = 8
WEIGHTS = [
    SelectChoice("on", lazy_gettext("Considered, in this order")),
    SelectChoice("banned", lazy_gettext("As good as forbidden")),
    SelectChoice("off", lazy_gettext("Ignored")),
]


class DrawForm(SectionForm):
    id = "draw"
    columns = ("avoid_clubs",)
    method = SelectField(
        lazy_gettext(label_of("method")),
        choices=choices_in(METHODS),
        description=lazy_gettext("From round 2 on; round 1 is by lot."),
    )
    levels = FieldList(
        SelectField(lazy_gettext("Level"), choices=WEIGHTS), label=lazy_gettext("Levels"), min_entries=6, max_entries=6
    )

    def offer(self, event: Event) -> None:
        for place, (entry, words) in enumerate(zip(self.levels, LEVEL_WORDS.values(), strict=True), start=1):
            entry.label.text = f"{place}. {gettext(words)}"

    @classmethod
    def shown(cls, event: Event) -> Mapping[str, Any]:
        rules = rules_of_event(event.draw_rules)
        weights = ["off" if name in rules.off else "banned" if name in rules.banned else "on" for name in LEVEL_WORDS]
        return {**super().shown(event), "method": rules.method, "levels": weights}

    def store(self, act: Act) -> None:
        weights = dict(zip(LEVEL_WORDS, self.levels.data, strict=True))
        off, banned = (tuple(name for name in LEVEL_WORDS if weights[name] == kind) for kind in ("off", "banned"))
        rules = Rules(method=self.method.data, off=off, banned=banned)
        set_draw_rules(act, rules, AvoidClubs(self.avoid_clubs.data))


class TablesForm(SectionForm):
    id = "tables"
    columns = ("tables", "tables_out", "top_tables", "tables_vary", "scenario_per_table")
    tables_out = text(
        lazy_gettext(label_of("tables_out")),
        200,
        required=False,
        description=lazy_gettext("No games are seated there. Numbers and ranges: 3, 7-9."),
    )

    def offer(self, event: Event) -> None:
        """Warn of tables that another event of the convention uses at the same time."""
        for other, tables in shared_tables(db(), visitor(), event):
            warning = gettext("Also used by %(event)s at the same time: %(tables)s.", event=other.name, tables=tables)
            self.tables_out.description = f"{self.tables_out.description} {warning}"

    def validate_tables_out(self, field: StringField) -> None:
        try:
            numbers_in(field.data)
        except ValueError as error:
            raise ValidationError(str(error)) from error

    @classmethod
    def shown(cls, event: Event) -> Mapping[str, Any]:
        return {**super().shown(event), "tables_out": as_text(event.tables_out or ())}

    def store(self, act: Act) -> None:
        set_room(act, **self.values() | {"tables_out": list(numbers_in(self.tables_out.data))})


class TieBreaksForm(SectionForm):
    id = "tie-breaks"
    columns = ("tie_breaks",)
    tie_breaks = FieldList(
        SelectField(lazy_gettext("Tie-break")),
        label=lazy_gettext(label_of("tie_breaks")),
        min_entries=5,
        max_entries=MOST_TIE_BREAKS,
    )
    move = StringField(
        validators=[Optional(), Regexp(r"(up|down)-[0-7]\Z", message=lazy_gettext("There is no such move."))]
    )
    """The submitted button: the direction, and the index of the tie-break to move."""
    sure = BooleanField(
        lazy_gettext("Change the tie-breaks of published rounds too"),
        description=lazy_gettext("The standings say so, with the tie-breaks before."),
    )

    def offer(self, event: Event) -> None:
        """Fill the choices; nothing to confirm before a round is published."""
        if not any(round_.state == RoundState.PUBLISHED for round_ in event.schedule):
            del self.sure
        self.tie_breaks.description = deciding_shares(event, scenarios_of(event))
        known = tie_breaks_in(system_of(event)).values()
        counting = [t for t in known if knows_vp(event) or t.id not in (*OF_VP, *OTHER_FIGURES)]
        kept = [t for t in known if t not in counting and t.id in event.tie_breaks]
        uncounted = N_("%(label)s: does not count, no VP are reported")
        for entry in self.tie_breaks:
            entry.choices = [
                SelectChoice("", gettext("None")),
                *(SelectChoice(t.id, f"{gettext(t.label)}: {gettext(t.explanation)}") for t in counting),
                *(SelectChoice(t.id, gettext(uncounted, label=gettext(t.label))) for t in kept),
            ]

    def store(self, act: Act) -> None:
        """Store the chosen tie-breaks, after the requested move. Raises Refused."""
        names = list(self.tie_breaks.data)
        if self.move.data:
            way, _, place = self.move.data.partition("-")
            at, other = int(place), int(place) + (1 if way == "down" else -1)
            if min(at, other) >= 0 and max(at, other) < len(names):
                names[at], names[other] = names[other], names[at]
        set_tie_breaks(act, [name for name in names if name], sure=bool(self.sure and self.sure.data))

    def validate_tie_breaks(self, field: FieldList) -> None:
        """Reject a repeated tie-break. Raises ValidationError."""
        chosen = [name for name in field.data if name]
        if len(set(chosen)) < len(chosen):
            raise ValidationError(gettext("Choose each tie-break only once."))


NO_SEASON = {"days": None, "answer_days": None}
"""What is left blank where an event is no season."""


class SeasonForm(SectionForm):
    id = "season"
    days = number(
        lazy_gettext(label_of("days")), 1, MOST_DAYS, required=False,
        description=lazy_gettext("Round 1 opens on the event’s first day, each other round when the window before it "
            "ends. Leave "
        "blank for an event that is played in one go."),
    )  # fmt: skip
    kind = SelectField(
        lazy_gettext(label_of("kind")),
        choices=choices_in(SEASONS),
        description=lazy_gettext(
            "A player has one open challenge at a time, and cannot challenge the same opponent twice in a row."
        ),
    )
    above = number(lazy_gettext(label_of("above")), 1, MOST_ABOVE)
    answer_days = number(
        lazy_gettext(label_of("answer_days")), 1, MOST_DAYS, required=False,
        description=lazy_gettext("The days for each round are then the time to play it. Leave blank for half of them."),
    )  # fmt: skip
    best = number(
        lazy_gettext(label_of("best")), 1, MOST_BEST, required=False,
        description=lazy_gettext("Of each player; the others are left out. Leave blank to count all."),
    )  # fmt: skip

    @classmethod
    def shown(cls, event: Event) -> Mapping[str, Any]:
        return asdict(event.season or Season()) | ({} if event.season else NO_SEASON)

    def store(self, act: Act) -> None:
        """Store the season; none without days. Raises Refused."""
        days, answer = self.days.data, self.answer_days.data
        self.answer_days.data = answer or max(1, (days or 1) // 2)
        if answer and days and self.kind.data != "rounds" and not answer < max(2, days):
            raise Refused(
                ngettext(
                    "Enter fewer than the %(num)s day to play: an answer comes first.",
                    "Enter fewer than the %(num)s days to play: an answer comes first.",
                    days,
                ),
                "answer_days",
            )
        names = ("days", "best", "kind", "above", "answer_days")
        wanted = None if self.days.data is None else Season(**{name: self[name].data for name in names})
        set_season(act, wanted)


def set_season(act: Act, wanted: Season | None) -> None:
    """Store the season. Raises Refused."""
    event = act.event
    if wanted is not None and is_team_event(event):
        raise Refused(gettext("A season is for individual players: choose them first."), "days")
    if event.campaign is not None and wanted is None:
        raise Refused(gettext("The season is a campaign: end that first."), "days")
    begun = any(round_.state != RoundState.PLANNED for round_ in event.schedule)
    kinds = [season.kind if season else "rounds" for season in (event.season, wanted)]
    if begun and kinds[0] != kinds[1]:
        raise Refused(gettext("The season has begun. Its kind can no longer change."), "kind")
    if begun and event.season is not None and wanted is None:
        raise Refused(gettext("The season has begun. Enter at least one day for each round."), "days")
    before, after = (
        asdict(season) if season else asdict(Season()) | {"days": None} for season in (event.season, wanted)
    )
    if note_change(act, N_("Changed the season: %(settings)s"), before, after):
        became, event.season = (event.season is None) != (wanted is None), wanted
        for player in placed(event.players) if became and is_unbegun(event) else ():
            player.state = state_with_place(event)
