"""Forms: new events, copies, cancellations, archives, added rules, and scores from outside games."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from flask_wtf.file import FileField
from wtforms import (
    BooleanField,
    DateField,
    HiddenField,
    RadioField,
    SelectField,
    SelectMultipleField,
    ValidationError,
)
from wtforms.fields import SelectChoice
from wtforms.validators import InputRequired
from wtforms.widgets import CheckboxInput, ListWidget

from events.journal.setting_words import CHOICES, VALUES, label_of
from events.setup.actions import DEFAULT_PLACES, DEFAULT_ROUNDS
from events.setup.event_rules import effective_use
from events.setup.field_forms import setting_field
from events.setup.pairing_actions import set_soft_rules, set_teams
from events.setup.pairing_forms import SectionForm
from events.store.act import Act
from events.store.editions import edition_of, system_of
from events.store.errors import Refused
from events.tournament.soft_rules import Counts, Painting, SoftRules, Sports
from events.tournament.team_ranking import LEAST_BOARDS, MOST_BOARDS
from events.tournament.tie_breaks import TIE_BREAKS
from events.web.forms import ZONES, SiteForm, choices_in, day_time, lines, number, sensible_year, text
from events.web.parsing import whole_number
from languages.words import capital, gettext, lazy_gettext, lazy_pgettext, ngettext
from models.event import Event
from validators.game_system import GameSystem
from validators.names import fold
from validators.restrictions import LONGEST_SHOWN, MOST_LISTED, Restrictions


def _choice(name: str, description: str = "") -> SelectField:
    return SelectField(lazy_gettext(label_of(name)), choices=choices_in(VALUES[name]), description=description)


class SoftForm(SectionForm):
    id = "soft"
    painting = _choice(
        "painting", lazy_gettext("A figure that the staff types replaces the votes or marks of the player.")
    )
    painting_counts = _choice("painting_counts")
    sports = _choice("sports", lazy_gettext("Only staff read the marks. They count once you close them."))
    sports_counts = _choice("sports_counts")
    rulings_count = _choice("rulings_count")
    ruling_groups = BooleanField(lazy_gettext(label_of("ruling_groups")))
    second_yellow = BooleanField(lazy_gettext(label_of("second_yellow")))
    faction_least = number(lazy_gettext(label_of("faction_least")), 1, 100)
    one_each = BooleanField(lazy_gettext(label_of("one_each")))
    hold = BooleanField(lazy_gettext(label_of("hold")))

    def offer(self, event: Event) -> None:
        self.faction_least.label.text = gettext("Best of the %(faction)s", faction=system_of(event).words.faction)

    @classmethod
    def shown(cls, event: Event) -> Mapping[str, Any]:
        """The rules; a soft score counts in its tie-break only if the event has that."""
        rules = event.soft_rules
        return asdict(rules) | {
            "painting_counts": effective_use(event.tie_breaks, "painting", rules.painting_counts),
            "sports_counts": effective_use(event.tie_breaks, "sportsmanship", rules.sports_counts),
        }

    def store(self, act: Act) -> None:
        """Store the rules. Raises Refused for a tie-break that the event lacks."""
        for field, name in ((self.painting_counts, "painting"), (self.sports_counts, "sportsmanship")):
            if effective_use(act.event.tie_breaks, name, Counts(field.data)) != field.data:
                text = gettext(
                    "The tie-breaks do not have “%(tie_break)s”. Add it there first, or choose another.",
                    tie_break=gettext(TIE_BREAKS[name].label),
                )
                raise Refused(text, field.short_name)
        rules = SoftRules(
            painting=Painting(self.painting.data),
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
    id = "teams"
    columns = ("team_size", "boards", "doubles")
    team_size = SelectField(
        lazy_gettext(label_of("team_size")),
        choices=[
            SelectChoice("1", lazy_gettext("Individual players")),
            *(
                SelectChoice(str(size), lazy_gettext("Teams of %(team_size)s", team_size=size))
                for size in range(LEAST_BOARDS, MOST_BOARDS + 1)
            ),
        ],
        coerce=whole_number,
    )
    boards = RadioField(
        lazy_gettext(label_of("boards")),
        choices=choices_in(CHOICES["boards"]),
        description=lazy_gettext("A secret choice is shown to everybody when both captains have made it."),
    )

    def store(self, act: Act) -> None:
        set_teams(act, **self.values())


class ArchiveForm(SiteForm):
    file = FileField(lazy_gettext("Archive"))


ROUNDS_FOR = lazy_gettext("For one unbeaten winner: 3 for up to 8 players, 4 for 16, 5 for 32, 6 for 64.")


class NewEventForm(SiteForm):
    """The fields of a new event; everything else has a default."""

    kind = RadioField(
        lazy_gettext("What it is"),
        choices=[
            SelectChoice("event", lazy_gettext("Event: all rounds on one day, or a weekend")),
            SelectChoice("season", lazy_gettext("Season (league): players agree on the days of their games")),
            SelectChoice("campaign", lazy_gettext("Campaign: a season with forces that grow")),
        ],
        default="event",
    )
    name = text(lazy_gettext("Name of the event"), 120)
    place = text(
        lazy_gettext("Place"), 200, description=lazy_gettext("Club, street and town, so that players can find it.")
    )
    starts_on = DateField(lazy_gettext("First day"), [InputRequired(lazy_gettext("Enter a date.")), sensible_year])
    starts_at = day_time(lazy_gettext("Start"), description=lazy_gettext("When round 1 begins."))
    timezone = SelectField(lazy_gettext("Time zone"), choices=ZONES)
    places = setting_field("places", default=DEFAULT_PLACES)
    rounds = setting_field("rounds", default=DEFAULT_ROUNDS, description=ROUNDS_FOR)
    tables = setting_field("tables")
    system = SelectField(lazy_pgettext("which game", "Game"))

    def offer(self, games: Mapping[str, GameSystem]) -> None:
        self.games = games
        self.system.choices = [SelectChoice(game.id, game.name) for game in games.values()]

    def validate_kind(self, field: RadioField) -> None:
        """Refuse a campaign of a game that has none."""
        game = self.games.get(self.system.data)
        if game and field.data == "campaign" and game.campaign is None:
            raise ValidationError(gettext("The rules of %(game)s describe no campaign.", game=game.name))


MOST_LINES, LONGEST_LINE = 200, 200
_TIMES = re.compile(
    r"(?:(?P<first>\d{1,3})\s*[xX×]?\s+(?P<name>\S.*))|(?:(?P<alone>.*\S)\s*[:xX×]\s*(?P<last>\d{1,3}))"
)


class RestrictionsForm(SiteForm):
    banned = lines(lazy_gettext("Banned"), 6000)
    most_copies = lines(
        lazy_gettext("Most copies"),
        6000,
    )
    same_model = number(
        lazy_gettext("Copies of one model"),
        1,
        99,
        required=False,
        description=lazy_gettext("The most copies of any model that is not named above."),
    )
    factions = SelectMultipleField(
        lazy_gettext("Factions that may be played"),
        option_widget=CheckboxInput(),
        widget=ListWidget(prefix_label=False),
        description=lazy_gettext("Tick none to allow all."),
    )
    faction_locked = BooleanField(lazy_gettext("A player keeps one faction for the whole event"))
    roster_size = number(
        lazy_gettext("Roster size"),
        1,
        100_000,
        required=False,
    )
    choose_minutes = number(lazy_gettext("Minutes to choose"), 1, 60)
    painted = BooleanField(lazy_gettext("Only fully painted forces"))
    on_time_points = number(
        lazy_gettext("List on time"), 0, 100, description=lazy_gettext("Submitted when lists lock.")
    )
    error_free_points = number(
        lazy_gettext("List without error"),
        0,
        100,
        description=lazy_gettext("On time, legal, and not changed afterwards."),
    )
    late_points = number(
        lazy_gettext("Late list"), 0, 100, description=lazy_gettext("Deducted if no list is submitted when lists lock.")
    )
    was = HiddenField()
    seen = HiddenField()

    def offer(self, event: Event) -> None:
        edition = edition_of(event)
        self.factions.choices = list(map(SelectChoice, edition.factions))
        words = system_of(event).words
        self.factions.label.text = gettext("%(capital)s that may be played", capital=capital(words.factions))
        self.faction_locked.label.text = gettext(
            "A player keeps one %(faction)s for the whole event", faction=words.faction
        )
        self.painted.label.text = gettext("Only fully painted %(forces)s", forces=words.forces)
        self.roster_size.description = gettext(
            "Larger than the event's size. In every game each player fields %(a_force)s of the "
            "event's size from this roster. Leave blank for no sideboard.",
            a_force=words.a_force,
        )
        kinds = ", ".join(kind for kind, names in edition.names if names)
        examples = [names[0] for _, names in edition.names if names]
        self.banned.description = gettext("One name per line, as the force lists spell it (%(kinds)s).", kinds=kinds)
        if examples:
            first, last = examples[0], examples[min(1, len(examples) - 1)]
            self.most_copies.description = gettext(
                "One per line, with the most copies in %(a_force)s: 1 × %(first)s, or %(last)s: 1.",
                a_force=words.a_force,
                first=first,
                last=last,
            )

    def validate_banned(self, field: object) -> None:
        if len(_lines(self.banned.data)) > MOST_LINES:
            raise ValidationError(ngettext("At most %(num)s line.", "At most %(num)s lines.", MOST_LINES))

    def validate_most_copies(self, field: object) -> None:
        """Check each line's number, and that limits contradict neither each other nor a ban. Raises ValidationError."""
        texts = _lines(self.most_copies.data)
        if len(texts) > MOST_LINES:
            raise ValidationError(ngettext("At most %(num)s line.", "At most %(num)s lines.", MOST_LINES))
        faults = _line_faults(texts, set(map(fold, _lines(self.banned.data))))
        if faults:
            more = (
                ngettext(" And %(num)s more line.", " And %(num)s more lines.", len(faults) - MOST_LISTED)
                if len(faults) > MOST_LISTED
                else ""
            )
            raise ValidationError(" ".join(faults[:MOST_LISTED]) + more)

    def wanted(self) -> Restrictions:
        plain = {name: self[name].data for name in Restrictions.__dataclass_fields__}
        plain["banned"] = tuple(_lines(self.banned.data))
        plain["factions"] = tuple(self.factions.data or ())
        plain["most_copies"] = tuple(map(_limit, _lines(self.most_copies.data)))
        return Restrictions(**plain)


def _lines(text: str | None) -> list[str]:
    return [" ".join(line.split()) for line in (text or "").splitlines() if line.strip()]


def _line_faults(texts: list[str], banned: set[str]) -> list[str]:
    """A sentence for each faulty line of most copies."""
    faults: list[str] = []
    before: dict[str, tuple[str, int]] = {}
    for line in texts:
        if len(line) > LONGEST_LINE or not _TIMES.fullmatch(line):
            faults.append(
                gettext("%(quoted)s: add the number of copies, as in the examples below.", quoted=_quoted(line))
            )
            continue
        name, most = _limit(line)
        first, limit = before.setdefault(fold(name), (line, most))
        if most == 0:
            faults.append(gettext("%(quoted)s: to allow none, enter it under Banned instead.", quoted=_quoted(line)))
        elif fold(name) in banned:
            faults.append(gettext("%(quoted)s: it is banned above. Remove one of the two.", quoted=_quoted(line)))
        elif limit not in (most, 0):
            faults.append(
                gettext(
                    "%(quoted)s and %(quoted2)s are two limits for one name; keep only one.",
                    quoted=_quoted(first),
                    quoted2=_quoted(line),
                )
            )
    return faults


def _quoted(line: str) -> str:
    return f"“{line if len(line) <= LONGEST_SHOWN else f'{line[:LONGEST_SHOWN]}…'}”"


def _limit(line: str) -> tuple[str, int]:
    match = _TIMES.fullmatch(line)
    if match is None:  # the form has rejected such a line already
        raise ValueError(line)
    return (match["name"] or match["alone"]).strip(), int(match["first"] or match["last"])


class CopyForm(SiteForm):
    name = text(lazy_gettext("Name of the new event"), 120)
    starts_on = DateField(lazy_gettext("Date"), [InputRequired(lazy_gettext("Enter a date.")), sensible_year])
    series = text(
        lazy_gettext("Series"),
        80,
        required=False,
        description=lazy_gettext("Events of one series share a page. Leave blank for none."),
    )


class CancelForm(SiteForm):
    reason = lines(
        lazy_gettext("Reason"),
        1000,
        required=True,
        description=lazy_gettext("Players read this message. Say what happens to entry fees."),
    )
