"""Forms: what the journal shows."""

from flask_wtf import FlaskForm
from wtforms import SelectField
from wtforms.fields import SelectChoice

from events.accounts.loading import players_in
from events.journal.queries import Wanted, people_and_kinds
from events.journal.readers import Reader
from events.play.players import by_name
from events.play.rounds import rounds_of
from events.web.forms import number, text
from events.web.parsing import MOST_TABLES
from events.web.request import db
from languages.words import gettext, lazy_gettext


class JournalFilter(FlaskForm):
    """The search of the journal, in the address."""

    class Meta:
        """The form is sent by GET."""

        csrf = False

    words = text(lazy_gettext("Words"), 80, required=False)
    player = SelectField(lazy_gettext("Player"), default="")
    round = SelectField(lazy_gettext("Round"), default="")
    table = number(lazy_gettext("Table"), 1, MOST_TABLES, required=False)
    by = SelectField(lazy_gettext("Person"), default="")
    role = SelectField(lazy_gettext("Role"), default="")
    kind = SelectField(lazy_gettext("Kind"), default="")

    def offer(self, reader: Reader) -> None:
        """Fill in the choices."""
        event = reader.event
        people, roles, kinds = people_and_kinds(db(), reader)
        players = sorted(players_in(event), key=by_name)
        choices = {
            self.player: [(str(one.id), one.name) for one in players],
            self.round: [
                (str(one.number), gettext("Round %(number)s", number=one.number)) for one in rounds_of(db(), event)
            ],
            self.by: [(one, one) for one in people],
            self.role: [(one, one.replace("_", " ")) for one in roles],
            self.kind: [(one, one.replace("-", " ")) for one in kinds],
        }
        for field, offered in choices.items():
            field.choices = [
                SelectChoice("", gettext("All")),
                *(SelectChoice(value, label) for value, label in offered),
            ]

    def wanted(self) -> Wanted:
        """The submitted search."""
        return Wanted(
            player=int(self.player.data) if self.player.data else None,
            table=self.table.data,
            round=int(self.round.data) if self.round.data else None,
            by=self.by.data or "",
            role=self.role.data or "",
            kind=self.kind.data or "",
            words=self.words.data or "",
        )
