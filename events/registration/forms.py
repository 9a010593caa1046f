"""Forms: sign-up, players, teams, check-in times and rulings."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from flask_wtf import FlaskForm
from wtforms import BooleanField, Field, RadioField, SelectField, StringField
from wtforms.fields import SelectChoice
from wtforms.validators import DataRequired, NoneOf, Optional

from events.accounts import limits
from events.accounts.limits import WrongCode
from events.registration.questions import LARGEST_ANSWER, LONGEST_ANSWER, Kind, Question, questions_of, valid_answers
from events.store.editions import factions_of, system_of
from events.store.errors import Refused
from events.store.players import DETAILS, by_name
from events.store.scoring import knows_vp
from events.store.team_queries import is_team_event, seat_id, teams_of
from events.visitors import access
from events.visitors.event_loading import players_in
from events.web.forms import OpenedForm, SiteForm, lines, mail_address, moment, name_text, number, show_at_field, text
from events.web.parsing import whole_number
from events.web.request import changing_club, now
from languages.words import capital, gettext, lazy_gettext
from models.award import Card
from models.event import Event, RoundState
from models.person import Person
from models.play import Player
from models.settings import MOST_TABLES, SignUpBy


class DetailsForm(SiteForm):
    helped = True
    """Whether the fields say what they are for."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name, fact in DETAILS.items():
            length = Player.__table__.columns[name].type.length  # type: ignore[attr-defined]
            help_ = lazy_gettext(fact.help) if cls.helped and fact.help else ""
            setattr(cls, name, name_text(lazy_gettext(fact.head), length, required=False, description=help_))

    @property
    def details(self) -> list[Field]:
        return [self[name] for name in DETAILS]

    @property
    def typed_details(self) -> dict[str, str]:
        return {field.short_name: field.data for field in self.details}


def show_refused(form: FlaskForm, refused: Refused) -> int:
    """Show a refusal at its field, and count a wrong code. Returns the page's status."""
    if isinstance(refused, WrongCode):
        with changing_club() as s:
            limits.count_attempt(s, refused.counts, now())
    return show_at_field(form, refused)


def code_of_team() -> StringField:
    """The field for the code with which players join a team."""
    help_ = lazy_gettext("From your captain. Leave blank to start a new team.")
    return text(lazy_gettext("Team code"), 20, required=False, description=help_)


class RegisterForm(DetailsForm):
    name = name_text(lazy_gettext("Your name"), 80, description=lazy_gettext("As shown in pairings and standings."))
    faction = SelectField(lazy_gettext("Faction"), validate_choice=True)
    partner = name_text(
        lazy_gettext("Your partner’s name"),
        80,
        required=False,
        description=lazy_gettext("You share one place, one side and one force."),
    )
    team = name_text(
        lazy_gettext("Team"),
        80,
        required=False,
        description=lazy_gettext(
            "Your new or existing team: it keeps places for all its players. Leave blank if you have none yet."
        ),
    )
    team_code = code_of_team()
    join_code = text(lazy_gettext("Join code"), 20, required=False)
    mail = mail_address(
        lazy_gettext("Mail address"),
        description=lazy_gettext("For messages from the organiser. Only organisers see it."),
    )
    keep = BooleanField(lazy_gettext("Keep this event on my page"), default=True)
    partner_needed = True
    mail_offered = True
    code_asked = True

    def offer(self, event: Event, person: Person | None = None) -> None:
        """Fill the factions from the event's edition; remove fields that this event does not use.

        ``person``: whose own page the browser has opened, for a player's own sign-up.
        """
        if person is None:
            del self.keep
        else:
            self.keep.label.text = gettext("Keep this event on the page of %(name)s", name=person.name)
        if not event.doubles:
            del self.partner
        elif self.partner_needed:
            self.partner.validators = [DataRequired(gettext("Enter your partner’s name.")), *self.partner.validators]
            self.partner.flags.optional, self.partner.flags.required = False, True
        if not is_team_event(event):
            del self.team
        if not (is_team_event(event) and self.code_asked):
            del self.team_code
        if not (self.code_asked and access.needs_code(event, now())):
            del self.join_code
        else:
            self.join_code.flags.optional, self.join_code.flags.required = False, not is_team_event(event)
            if is_team_event(event):
                help_ = gettext(
                    "Leave blank to join a team with its code, while its captain’s join code has uses left."
                )
                if event.sign_up_by == SignUpBy.INVITATION:
                    help_ = gettext("Each player of a team needs an invitation.")
                self.join_code.description = help_
        if not (event.mail_asked and self.mail_offered):
            del self.mail
        faction = system_of(event).words.faction
        self.faction.label.text = capital(faction)
        undecided = gettext("Please choose") if event.restrictions.faction_locked else gettext("Not decided yet")
        self.faction.choices = [SelectChoice("", undecided), *map(SelectChoice, factions_of(event))]
        if event.restrictions.faction_locked:
            self.faction.description = gettext(
                "You play this %(faction)s in the whole event; everybody sees it.", faction=faction
            )
            self.faction.flags.required = True
            self.faction.validators = [
                DataRequired(gettext("Choose the %(faction)s that you will play.", faction=faction))
            ]

    def asked(self, name: str) -> str:
        """The value of an optional field; "" if this event does not ask for it."""
        return self[name].data or "" if name in self else ""


class ReturnForm(SiteForm):
    join_code = text(lazy_gettext("Join code"), 20, required=False)


class WindowForm(SiteForm):
    starts = moment(lazy_gettext("From"), description=lazy_gettext("Local time. Leave blank if only staff check in."))
    ends = moment(lazy_gettext("Until"), description=lazy_gettext("Local time. Leave blank to end with round 1."))


class WalkInForm(RegisterForm):
    name = name_text(lazy_gettext("Name"), 80)
    here = BooleanField(lazy_gettext("Check in at once"))
    paid = BooleanField(lazy_gettext("Paid"))
    partner_needed = mail_offered = code_asked = False


class PasteForm(SiteForm):
    names = lines(
        lazy_gettext("List of names"),
        40_000,
        required=True,
        whole=False,
    )


class PlayerForm(DetailsForm, OpenedForm):
    """The details of a player that the organiser can correct."""

    helped = False
    name = name_text(lazy_gettext("Name"), 80)
    partner = name_text(lazy_gettext("Partner"), 80, required=False)
    faction = SelectField(lazy_gettext("Faction"))
    painted = BooleanField(lazy_gettext("The force is fully painted"))
    list_points_set = number(lazy_gettext("Points for the list"), -100, 100, required=False)
    fixed_table = number(lazy_gettext("Fixed table"), 1, MOST_TABLES, required=False)


class Follows(StrEnum):
    """The consequence of a red card."""

    NOTHING = ""
    GAME_LOST = "game_lost"
    DISQUALIFIED = "disqualified"


@dataclass(frozen=True)
class Given:
    """A penalty, bonus or card to give. ``round_number`` is None for the whole event."""

    reason: str
    points: int = 0
    vp: int = 0
    card: Card | None = None
    round_number: int | None = None
    follows: Follows = Follows.NOTHING


MOST_POINTS, MOST_VP = 100, 1000
NOBODY = "0"


class RulingForm(SiteForm):
    player = SelectField(lazy_gettext("Player"), [NoneOf([NOBODY], message=lazy_gettext("Choose a player."))])
    round_number = SelectField(lazy_gettext("For"), coerce=whole_number)
    points = number(
        lazy_gettext("Tournament points"),
        -MOST_POINTS,
        MOST_POINTS,
        description=lazy_gettext("Less than 0 is a penalty."),
        default=0,
    )
    vp = number(
        lazy_gettext("Victory points"),
        -MOST_VP,
        MOST_VP,
        description=lazy_gettext("Less than 0 is a penalty."),
        default=0,
    )
    card = RadioField(
        lazy_gettext("Card"),
        choices=[
            SelectChoice("", lazy_gettext("None")),
            SelectChoice("yellow", lazy_gettext("Yellow")),
            SelectChoice("red", lazy_gettext("Red")),
        ],
        default="",
    )
    follows = RadioField(
        lazy_gettext("A red card costs"),
        choices=[
            SelectChoice(Follows.NOTHING.value, lazy_gettext("Nothing: no red card")),
            SelectChoice(Follows.GAME_LOST.value, lazy_gettext("The game of that round, whatever its result")),
            SelectChoice(Follows.DISQUALIFIED.value, lazy_gettext("The event: disqualified, and out at once")),
        ],
        default="",
    )
    sure = BooleanField(lazy_gettext("Disqualify, with what that does to the games"))
    """Asked only if games change."""
    reason = text(
        lazy_gettext("Reason"),
        300,
        description=lazy_gettext("Only the player and the staff read it. Everybody sees the points."),
    )

    def offer(self, event: Event, *, cards: bool) -> None:
        """Fill the choices of players, teams and rounds; ``cards`` if the visitor may give cards."""
        people = sorted(players_in(event), key=by_name)
        self.player.choices = [
            SelectChoice(NOBODY, gettext("Choose")),
            *(SelectChoice(str(p.id), p.name) for p in people),
        ]
        if is_team_event(event):
            teams = sorted(teams_of(event), key=by_name)
            self.player.label.text = gettext("Team or player")
            self.player.choices = [
                SelectChoice(NOBODY, gettext("Choose")),
                *(SelectChoice(seat_id(t.id), t.name, optgroup=gettext("Teams")) for t in teams),
                *(SelectChoice(str(p.id), p.name, optgroup=gettext("Players")) for p in people),
            ]
            self.reason.description = gettext(
                "Only the player, or the team’s players, and the staff read it. Everybody sees the points."
            )
        published = [round_.number for round_ in event.schedule if round_.state == RoundState.PUBLISHED]
        self.round_number.choices = [
            SelectChoice("0", gettext("The whole event")),
            *(SelectChoice(str(n), gettext("Round %(n)s", n=n)) for n in reversed(published)),
        ]
        if not knows_vp(event):
            del self.vp
        if not cards:
            del self.card, self.follows, self.sure
        elif event.soft_rules.second_yellow:
            self.card.description = gettext("A player’s second yellow card counts as a red card.")

    def given(self) -> Given:
        return Given(
            self.reason.data,
            self.points.data,
            self.vp.data if self.vp else 0,
            Card(self.card.data) if self.card and self.card.data else None,
            self.round_number.data or None,
            Follows(self.follows.data) if self.follows else Follows.NOTHING,
        )


class CodesForm(SiteForm):
    people = lines(lazy_gettext("For whom"), 40_000, required=True, whole=False, render_kw={"rows": 4})
    uses = number(
        lazy_gettext("Players with each code"), 1, 2000, required=False,
        description=lazy_gettext("1 is an invitation. Leave blank for no limit."),
    )  # fmt: skip


class TeamForm(SiteForm):
    name = name_text(lazy_gettext("Team"), 80)
    club = name_text(lazy_gettext("Club"), 80, required=False)


class JoinTeamForm(SiteForm):
    team = name_text(lazy_gettext("Team"), 80, description=lazy_gettext("The name of your new or existing team."))
    team_code = code_of_team()


class SeatsForm(SiteForm):
    """The captain, and a choice for each of the event's boards."""

    captain = SelectField(lazy_gettext("Captain"), coerce=whole_number)


AnyForm = TypeVar("AnyForm", bound=FlaskForm)


def with_questions(base: type[AnyForm], event: Event, *, at_desk: bool = False) -> type[AnyForm]:
    """The form with a field for each of the event's questions. At the desk none of them is required."""
    fields = {
        f"answer_{question.id}": _field(question, required=question.required and not at_desk)
        for question in questions_of(event)
    }
    return type(base.__name__, (base,), fields) if fields else base


def _field(question: Question, *, required: bool) -> Any:
    if question.kind == Kind.NUMBER:
        return number(question.label, 0, LARGEST_ANSWER, required=required)
    if question.kind == Kind.TEXT:
        return text(question.label, LONGEST_ANSWER, required=required)
    need = DataRequired(gettext("Please choose an answer.")) if required else Optional()
    first = SelectChoice("", gettext("Please choose") if required else gettext("No answer"))
    return SelectField(question.label, [need], choices=[first, *map(SelectChoice, question.choices)])


def answers_as_form(event: Event, player: Player) -> dict[str, str | int]:
    """The player's answers by the name of their field."""
    given = valid_answers(questions_of(event), player.answers or {}) or {}
    numbers = {question.id for question in questions_of(event) if question.kind == Kind.NUMBER}
    return {f"answer_{id_}": int(answer) if id_ in numbers else answer for id_, answer in given.items()}


def typed_answers(form: FlaskForm, event: Event) -> dict[str, str]:
    """The answers as typed, by question id."""
    data = {question.id: form[f"answer_{question.id}"].data for question in questions_of(event)}
    return {id_: str(answer) for id_, answer in data.items() if answer not in (None, "")}


def fields_of(form: FlaskForm, event: Event) -> list[Field]:
    """The fields of the questions, in order."""
    return [form[f"answer_{question.id}"] for question in questions_of(event)]
