"""Forms: awards, painting and sportsmanship."""

from wtforms import RadioField, SelectField, SelectMultipleField
from wtforms.fields import SelectChoice
from wtforms.validators import InputRequired, NumberRange
from wtforms.widgets import CheckboxInput, ListWidget

from events.accounts.event_loading import players_in
from events.play.players import by_name
from events.standings.awards import Decided
from events.web.forms import SiteForm, number, text
from events.web.parsing import whole_number
from languages.words import gettext, lazy_gettext, lazy_pgettext
from models.event import Event


class PaintingForm(SiteForm):
    """The checklist for one player."""

    items = SelectMultipleField(
        lazy_gettext("What the force has"), option_widget=CheckboxInput(), widget=ListWidget(prefix_label=False)
    )


class VoteForm(SiteForm):
    """One vote for the best painted force."""

    for_id = RadioField(lazy_gettext("Best painted"), [InputRequired(lazy_gettext("Choose one."))], coerce=whole_number)


class MarkForm(SiteForm):
    """The mark for one opponent, or the choice of a favourite opponent."""

    mark = RadioField(lazy_gettext("Mark"), [InputRequired(lazy_gettext("Choose one."))], coerce=whole_number)


class AwardForm(SiteForm):
    """A new award."""

    name = text(lazy_gettext("Name of the award"), 80)
    kind = SelectField(lazy_gettext("Awarded to"), choices=[])
    place = number(
        lazy_pgettext("rank", "Place"), 1, 100, required=False,
        description=lazy_gettext("Only for a place in the standings."),
    )  # fmt: skip


class WinnerForm(SiteForm):
    """A manually named winner."""

    award = SelectField(lazy_gettext("Award"), choices=[])
    player = SelectField(
        lazy_gettext("Winner"), [NumberRange(min=1, message=lazy_gettext("Choose a player."))], coerce=whole_number
    )
    reason = text(lazy_gettext("Reason"), 300, description=lazy_gettext("Shown with the award to everybody."))

    def offer(self, event: Event, found: list[Decided]) -> None:
        """Fill in the choices of awards and players."""
        self.award.choices = [SelectChoice(one.key, str(one.title)) for one in found]
        people = sorted(players_in(event), key=by_name)
        self.player.choices = [
            SelectChoice("0", gettext("Choose a player")),
            *(SelectChoice(str(p.id), p.name) for p in people),
        ]
