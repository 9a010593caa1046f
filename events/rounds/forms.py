"""Forms: drafts, published rounds, byes and kept-apart players."""

from flask_wtf.file import FileField
from wtforms import RadioField, SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import NumberRange

from events.store.players import by_name
from events.visitors.event_loading import players_in
from events.web.forms import SiteForm
from events.web.forms import number as number_field
from events.web.parsing import whole_number
from languages.words import gettext, lazy_gettext
from models.event import Event, KeptWhen
from models.settings import MOST_TABLES


def _chosen(label: str, message: str, **more: str) -> SelectField:
    return SelectField(label, [NumberRange(min=1, message=message)], coerce=whole_number, **more)


class SwapForm(SiteForm):
    one = _chosen(lazy_gettext("Player"), lazy_gettext("Choose a player."))
    other = _chosen(lazy_gettext("changes places with"), lazy_gettext("Choose a player."))


class GameForm(SiteForm):
    """A game with its new table or scenario; ``player`` is the game's first player."""

    player = _chosen(lazy_gettext("Game"), lazy_gettext("Choose a game."))
    table = number_field(lazy_gettext("plays at table"), 1, MOST_TABLES, required=False)
    scenario = SelectField(lazy_gettext("plays"))


class ByeForm(SiteForm):
    number = SelectField(lazy_gettext("Round"), coerce=whole_number)


class KeptApartForm(SiteForm):
    one = _chosen(lazy_gettext("Player"), lazy_gettext("Choose a player."))
    other = _chosen(lazy_gettext("and"), lazy_gettext("Choose a player."))
    when = RadioField(
        lazy_gettext("Kept apart"),
        choices=[
            SelectChoice(KeptWhen.FIRST_ROUND.value, lazy_gettext("In round 1")),
            SelectChoice(KeptWhen.ALWAYS.value, lazy_gettext("In every round")),
        ],
        default=KeptWhen.FIRST_ROUND.value,
    )
    asked = RadioField(
        lazy_gettext("Who asked"),
        choices=[
            SelectChoice("organiser", lazy_gettext("Nobody: the organiser’s decision")),
            SelectChoice("one", lazy_gettext("The first player")),
            SelectChoice("other", lazy_gettext("The second player")),
        ],
        default="organiser",
        description=lazy_gettext("Shown only on this page, not to players or in the journal."),
    )

    def offer(self, event: Event) -> None:
        people = sorted(players_in(event), key=by_name)
        choices = [SelectChoice("0", gettext("Choose a player")), *(SelectChoice(str(p.id), p.name) for p in people)]
        self.one.choices = self.other.choices = choices


class RoundForm(SiteForm):
    """A round of this installation."""

    round = SelectField(lazy_gettext("Round"), validate_choice=False)


class UploadForm(SiteForm):
    file = FileField(lazy_gettext("File"))


class SwapTeamsForm(SwapForm):
    one = _chosen(lazy_gettext("Team"), lazy_gettext("Choose a team."))
    other = _chosen(lazy_gettext("changes places with"), lazy_gettext("Choose a team."))
