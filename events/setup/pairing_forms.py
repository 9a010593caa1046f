"""Forms of settings: format, counting, draw, tables, tie-breaks, season, and points table of the series."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar, Self

from flask_wtf import FlaskForm
from wtforms import BooleanField, FieldList, HiddenField, SelectField, StringField
from wtforms.fields import SelectChoice
from wtforms.validators import Optional, Regexp, ValidationError

from events.play.act import Act
from events.play.errors import Refused
from events.play.rounds import rounds_of
from events.play.setting_words import CHOICES, label_of
from events.play.team_queries import is_team_event
from events.setup.pairing_actions import (
    FEWEST,
    MOST,
    FormatSettings,
    RoomSettings,
    note_change,
    set_counting,
    set_draw_rules,
    set_format,
    set_room,
    set_tie_breaks,
)
from events.standings.scale import knows_vp
from events.tournament.circuit import MOST_EVENTS, Circuit, circuit_document, circuit_in
from events.tournament.figures import OF_VP
from events.tournament.pairing.seats import LEVEL_WORDS, METHODS, Rules, rules_of_event
from events.tournament.season import MOST_ABOVE, MOST_BEST, MOST_DAYS, Season, season_document, season_in
from events.tournament.tie_breaks import TIE_BREAKS
from events.web.forms import choices_in, number, text
from events.web.parsing import as_text, numbers_in, whole_number
from events.web.request import db
from models.endings import ConcededVp, NotPlayed
from models.event import Event, RoundState
from models.settings import AskedBye, AvoidClubs, EventFormat
from validators.canonical import fingerprint


class SectionForm(FlaskForm):
    """The form of one section. ``was`` is the fingerprint of the values it was opened with."""

    id: ClassVar[str]
    """Its section (``said.SECTIONS``), the end of its address, its template and the prefix of its fields."""
    columns: ClassVar[tuple[str, ...]] = ()
    """Columns of the event with a field of the same name."""
    was = HiddenField()

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

    def offer(self, event: Event) -> None:
        """Fill choices and labels from the event."""

    @classmethod
    def shown(cls, event: Event) -> Mapping[str, Any]:
        """The stored values by form field; plain values, because the fingerprint is made from them."""
        return {name: getattr(event, name) for name in cls.columns}

    def store(self, act: Act) -> None:
        """Store the values as typed. Raises Refused."""
        raise NotImplementedError


class FormatForm(SectionForm):
    """The format of the event."""

    id = "format"
    columns = ("format", "legs", "cut", "third_place", "player_meeting")
    format = SelectField(
        label_of("format"),
        choices=choices_in(CHOICES["format"]),
        description="In a round robin or knockout, the number of players decides the number of rounds.",
    )
    legs = SelectField(
        label_of("legs"),
        choices=[SelectChoice("1", "Once each"), SelectChoice("2", "Twice each, with sides changed")],
        coerce=whole_number,
    )
    cut = number(
        label_of("cut"), FEWEST, MOST, required=False,
        description="They play a seeded knockout after the rounds. Usually 4, 8 or 16; with another number the top "
        "seeds have byes. Leave blank for no knockout.",
    )  # fmt: skip
    third_place = BooleanField(label_of("third_place"))
    player_meeting = BooleanField(label_of("player_meeting"))

    def store(self, act: Act) -> None:
        """Store the format. Raises Refused."""
        own = {name: self[name].data for name in self.columns}
        set_format(act, FormatSettings(**own | {"format": EventFormat(self.format.data)}))


class CountingForm(SectionForm):
    """The worth of rounds without a game."""

    id = "counting"
    columns = ("bye_vp", "asked_bye", "conceded_vp", "not_played", "late_points", "vp_cap")
    bye_vp = number(
        label_of("bye_vp"), 0, 10_000, required=False, description="Leave blank for the mean of the winners."
    )
    asked_bye = SelectField(
        label_of("asked_bye"),
        choices=choices_in(CHOICES["asked_bye"]),
    )
    conceded_vp = SelectField(
        label_of("conceded_vp"),
        choices=choices_in(CHOICES["conceded_vp"]),
    )
    not_played = SelectField(
        label_of("not_played"),
        choices=choices_in(CHOICES["not_played"]),
    )
    late_points = number(
        label_of("late_points"), 0, 100, description="Tournament points for each round before a late player's first."
    )
    vp_cap = number(
        label_of("vp_cap"),
        1,
        10_000,
        required=False,
        description="The most that one game adds or subtracts. Leave blank for no limit.",
    )

    def store(self, act: Act) -> None:
        """Store the worth. Raises Refused."""
        kinds = {"asked_bye": AskedBye, "conceded_vp": ConcededVp, "not_played": NotPlayed}
        own = {name: self[name].data for name in self.columns}
        set_counting(act, own | {name: kind(own[name]) for name, kind in kinds.items()})


MOST_TIE_BREAKS = 8
WEIGHTS = [
    SelectChoice("on", "Considered, in this order"),
    SelectChoice("banned", "As good as forbidden"),
    SelectChoice("off", "Ignored"),
]


class DrawForm(SectionForm):
    """How a round is drawn."""

    id = "draw"
    method = SelectField(
        label_of("method"),
        choices=[SelectChoice(name, words) for name, words in METHODS.items()],
        description="From round 2 on; round 1 is by lot.",
    )
    avoid_clubs = SelectField(
        label_of("avoid_clubs"),
        choices=choices_in(CHOICES["avoid_clubs"]),
        description="If the numbers allow it.",
    )
    levels = FieldList(SelectField("Level", choices=WEIGHTS), label="Levels", min_entries=6, max_entries=6)

    def offer(self, event: Event) -> None:
        """Name the levels."""
        for place, (entry, words) in enumerate(zip(self.levels, LEVEL_WORDS.values(), strict=True), start=1):
            entry.label.text = f"{place}. {words}"

    @classmethod
    def shown(cls, event: Event) -> Mapping[str, Any]:
        """The rules of the draw."""
        rules = rules_of_event(event.draw_rules)
        weights = ["off" if name in rules.off else "banned" if name in rules.banned else "on" for name in LEVEL_WORDS]
        return {"method": rules.method, "avoid_clubs": event.avoid_clubs, "levels": weights}

    def store(self, act: Act) -> None:
        """Store the rules. Raises Refused."""
        weights = dict(zip(LEVEL_WORDS, self.levels.data, strict=True))
        off, banned = (tuple(name for name in LEVEL_WORDS if weights[name] == kind) for kind in ("off", "banned"))
        rules = Rules(method=self.method.data, off=off, banned=banned)
        set_draw_rules(act, rules, AvoidClubs(self.avoid_clubs.data))


class TablesForm(SectionForm):
    """Tables and scenarios."""

    id = "tables"
    tables = number(
        label_of("tables"), 1, 1000, required=False, description="Leave blank for as many as there are games."
    )
    tables_out = text(
        label_of("tables_out"),
        200,
        required=False,
        description="No games are seated there. Numbers and ranges: 3, 7-9.",
    )
    top_tables = SelectField(
        label_of("top_tables"),
        choices=[SelectChoice("top", "Top pairs on the first tables"), SelectChoice("lots", "By lot")],
    )
    tables_vary = SelectField(
        label_of("tables_vary"),
        choices=[
            SelectChoice("vary", "As few as possible, even if top pairs move to later tables"),
            SelectChoice("order", "Allowed: pairs stay in the order of the tables"),
        ],
    )
    scenario_per_table = SelectField(
        label_of("scenario_per_table"),
        choices=[SelectChoice("round", "One for the round"), SelectChoice("table", "One for each table")],
        description="For each table: drawn evenly from the pool, one that neither player has played. A round with a "
        "chosen scenario plays it at all tables.",
    )

    def validate_tables_out(self, field: StringField) -> None:
        """Check the numbers of tables. Raises ValidationError."""
        try:
            numbers_in(field.data)
        except ValueError as error:
            raise ValidationError(str(error)) from error

    @classmethod
    def shown(cls, event: Event) -> Mapping[str, Any]:
        """The tables and scenarios."""
        return {
            "tables": event.tables,
            "tables_out": as_text(event.tables_out or ()),
            "top_tables": "top" if event.top_tables else "lots",
            "tables_vary": "vary" if event.tables_vary else "order",
            "scenario_per_table": "table" if event.scenario_per_table else "round",
        }

    def store(self, act: Act) -> None:
        """Store the tables and scenarios. Raises Refused."""
        room = RoomSettings(
            self.tables.data,
            numbers_in(self.tables_out.data),
            self.top_tables.data == "top",
            self.tables_vary.data == "vary",
            self.scenario_per_table.data == "table",
        )
        set_room(act, room)


class TieBreaksForm(SectionForm):
    """The tie-breaks in order."""

    id = "tie-breaks"
    columns = ("tie_breaks",)
    tie_breaks = FieldList(
        SelectField("Tie-break"), label=label_of("tie_breaks"), min_entries=5, max_entries=MOST_TIE_BREAKS
    )
    move = StringField(validators=[Optional(), Regexp(r"(up|down)-[0-7]\Z", message="There is no such move.")])
    """The submitted button: the direction, and the index of the tie-break to move."""
    sure = BooleanField(
        "Change the tie-breaks of published rounds too", description="The standings say so, with the tie-breaks before."
    )

    def offer(self, event: Event) -> None:
        """Fill the choices; nothing to confirm before a round is published."""
        if not any(one.state == RoundState.PUBLISHED for one in rounds_of(db(), event)):
            del self.sure
        counting = [t for t in TIE_BREAKS.values() if knows_vp(event) or t.id not in OF_VP]
        kept = [t for t in TIE_BREAKS.values() if t not in counting and t.id in event.tie_breaks]
        for entry in self.tie_breaks:
            entry.choices = [
                SelectChoice("", "None"),
                *(SelectChoice(t.id, f"{t.label}: {t.explanation}") for t in counting),
                *(SelectChoice(t.id, f"{t.label}: does not count, no VP are reported") for t in kept),
            ]

    def store(self, act: Act) -> None:
        """Store the chosen tie-breaks, after the requested move. Raises Refused."""
        names = list(self.tie_breaks.data)
        if self.move.data:
            way, _, place = self.move.data.partition("-")
            one, other = int(place), int(place) + (1 if way == "down" else -1)
            if min(one, other) >= 0 and max(one, other) < len(names):
                names[one], names[other] = names[other], names[one]
        set_tie_breaks(act, [name for name in names if name], sure=bool(self.sure and self.sure.data))

    def validate_tie_breaks(self, field: FieldList) -> None:
        """Reject a repeated tie-break. Raises ValidationError."""
        chosen = [name for name in field.data if name]
        if len(set(chosen)) < len(chosen):
            raise ValidationError("Choose each tie-break only once.")


NO_SEASON = {"days": None, "answer_days": None}
"""What is left blank where an event is no season."""


class SeasonForm(SectionForm):
    """The windows of a season."""

    id = "season"
    days = number(
        label_of("days"), 1, MOST_DAYS, required=False,
        description="Round 1 opens on the event’s first day, each other round when the window before it ends. Leave "
        "blank for an event that is played in one go.",
    )  # fmt: skip
    kind = SelectField(
        label_of("kind"),
        choices=[
            SelectChoice("rounds", "Rounds, by the format above"),
            SelectChoice("ladder", "A ladder: players challenge those above them"),
            SelectChoice("challenge", "Challenges: any player challenges any other"),
        ],
        description="A player has one open challenge at a time, and cannot challenge the same opponent twice in a row.",
    )
    above = number(label_of("above"), 1, MOST_ABOVE)
    answer_days = number(
        label_of("answer_days"), 1, MOST_DAYS, required=False,
        description="The days for each round are then the time to play it. Leave blank for half of them.",
    )  # fmt: skip
    best = number(
        label_of("best"), 1, MOST_BEST, required=False,
        description="Of each player; the others are left out. Leave blank to count all.",
    )  # fmt: skip

    @classmethod
    def shown(cls, event: Event) -> Mapping[str, Any]:
        """The rules of the season."""
        return asdict(season_in(event.season) or Season()) | ({} if event.season else NO_SEASON)

    def store(self, act: Act) -> None:
        """Store the season; none without days. Raises Refused."""
        days, answer = self.days.data, self.answer_days.data
        self.answer_days.data = answer or max(1, (days or 1) // 2)
        if answer and days and self.kind.data != "rounds" and not answer < max(2, days):
            raise Refused(f"Enter fewer than the {days} days to play: an answer comes first.", "answer_days")
        names = ("days", "best", "kind", "above", "answer_days")
        wanted = None if self.days.data is None else Season(**{name: self[name].data for name in names})
        set_season(act, wanted)


def set_season(act: Act, wanted: Season | None) -> None:
    """Store the season. Raises Refused."""
    s, event = act.s, act.event
    if wanted is not None and is_team_event(event):
        raise Refused("A season is for individual players: choose them first.", "days")
    if event.campaign is not None and wanted is None:
        raise Refused("The season is a campaign: end that first.", "days")
    begun = any(one.state != RoundState.PLANNED for one in rounds_of(s, event))
    kinds = [season.kind if season else "rounds" for season in (season_in(event.season), wanted)]
    if begun and kinds[0] != kinds[1]:
        raise Refused("The season has begun. Its kind can no longer change.", "kind")
    if begun and event.season is not None and wanted is None:
        raise Refused("The season has begun. Enter at least one day for each round.", "days")
    none = asdict(Season()) | {"days": None}
    if note_change(act, "Changed the season", event.season or none, season_document(wanted) or none):
        event.season = season_document(wanted)


class CircuitForm(SectionForm):
    """The points table of the series."""

    id = "circuit"
    points = text(
        label_of("points"), 500, required=False,
        description="From the first place on, such as 25, 18, 15, 12, 10, 8, 6, 4, 2, 1. Leave blank for no table.",
    )  # fmt: skip
    best = number(
        "Best events that count", 1, MOST_EVENTS, required=False, description="Of each player. Leave blank for all."
    )

    @classmethod
    def shown(cls, event: Event) -> Mapping[str, Any]:
        """The points table."""
        circuit = circuit_in(event.circuit)
        points = ", ".join(map(str, circuit.points)) if circuit else ""
        return {"points": points, "best": circuit.best if circuit else None}

    def store(self, act: Act) -> None:
        """Store the points table; none without points. Raises Refused."""
        typed = [part.strip() for part in self.points.data.replace(";", ",").split(",") if part.strip()]
        try:
            if not all(part.isascii() and part.isdecimal() and len(part) < 6 for part in typed):
                raise ValueError("enter whole numbers, separated by commas")
            wanted = Circuit(tuple(map(int, typed)), self.best.data) if typed else None
        except ValueError as error:
            raise Refused(f"This table is not possible: {error}.", "points") from error
        set_circuit(act, wanted)


def set_circuit(act: Act, wanted: Circuit | None) -> None:
    """Store the points table of the event's series. Raises Refused."""
    if wanted is not None and not act.event.series:
        raise Refused("The event is in no series: name one in the settings first.", "points")
    before, after = act.event.circuit or {"points": []}, circuit_document(wanted) or {"points": []}
    if note_change(
        act, "Changed the points table of the series", dict.fromkeys(after) | before, after,
        {"best": "Best events that count"},
    ):  # fmt: skip
        act.event.circuit = circuit_document(wanted)
