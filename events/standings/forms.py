"""Forms: awards, the raffle, painting and sportsmanship."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from wtforms import HiddenField, RadioField, SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import InputRequired, NumberRange

from events.standings.awards import Decided
from events.store.players import by_name
from events.visitors.event_loading import players_in
from events.web.forms import OpenedForm, SiteForm, lines, number, text
from events.web.parsing import tidy, visible, whole_number
from languages.words import gettext, lazy_gettext, lazy_pgettext
from models.event import Event
from models.play import Player
from validators.strict_json import fingerprint

MOST_POINTS = 999
"""The largest figure for painting or sportsmanship."""


def figures_form(players: Sequence[Player]) -> OpenedForm:
    """The staff's figures of these players: two fields of each, named by id so that late entries cannot shift them."""
    fields = {}
    for player in players:
        painting, sports = typed_figures(player)
        label = gettext("Painting of %(name)s", name=player.name)
        fields[f"painting-{player.id}"] = number(label, 0, MOST_POINTS, required=False, default=painting)
        label = gettext("Sportsmanship of %(name)s", name=player.name)
        fields[f"sportsmanship-{player.id}"] = number(label, 0, MOST_POINTS, required=False, default=sports)
    form: OpenedForm = type("FiguresForm", (OpenedForm,), fields)(data={"was": fingerprint(stored_figures(players))})
    return form


def typed_figures(player: Player) -> tuple[int | Fraction | None, int | Fraction | None]:
    """Painting and sportsmanship as the staff typed them; None where votes or marks count."""
    painting = player.painting if player.painting_by_hand else None
    return painting, player.sportsmanship if player.sportsmanship_by_hand else None


def stored_figures(players: Iterable[Player]) -> list[list[object]]:
    return [[player.id, *typed_figures(player)] for player in players]


class VoteForm(SiteForm):
    for_id = RadioField(lazy_gettext("Best painted"), [InputRequired(lazy_gettext("Choose one."))], coerce=whole_number)


class MarkForm(SiteForm):
    """The mark for one opponent, or the choice of a favourite opponent."""

    mark = RadioField(lazy_gettext("Mark"), [InputRequired(lazy_gettext("Choose one."))], coerce=whole_number)


class AwardForm(SiteForm):
    name = text(lazy_gettext("Name of the award"), 80)
    kind = SelectField(lazy_gettext("Awarded to"), choices=[])
    place = number(
        lazy_pgettext("rank", "Place"), 1, 100, required=False,
        description=lazy_gettext("Only for a place in the standings."),
    )  # fmt: skip


class WinnerForm(SiteForm):
    award = SelectField(lazy_gettext("Award"), choices=[])
    player = SelectField(
        lazy_gettext("Winner"), [NumberRange(min=1, message=lazy_gettext("Choose a player."))], coerce=whole_number
    )
    reason = text(lazy_gettext("Reason"), 300, description=lazy_gettext("Shown with the award to everybody."))

    def offer(self, event: Event, current: list[Decided]) -> None:
        self.award.choices = [SelectChoice(decided.key, str(decided.title)) for decided in current]
        people = sorted(players_in(event), key=by_name)
        self.player.choices = [
            SelectChoice("0", gettext("Choose a player")),
            *(SelectChoice(str(p.id), p.name) for p in people),
        ]


class PrizesForm(SiteForm):
    """The door prizes to come, one on each line."""

    prizes = lines(lazy_gettext("Prizes to come, one on each line"), 8000, render_kw={"rows": 6})
    mark = HiddenField()

    @property
    def names(self) -> list[str]:
        return [name for name in map(tidy, self.prizes.data.splitlines()) if visible(name)]
