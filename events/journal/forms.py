"""Forms: what the journal shows."""

from wtforms import SelectField
from wtforms.fields import SelectChoice

from events.journal.kinds import KINDS, kind_of
from events.journal.queries import Wanted, people_and_verbs
from events.journal.readers import Reader
from events.store.players import by_name
from events.store.visitor import actor_words, role_words
from events.visitors.event_loading import players_in
from events.web.forms import SiteForm, number, text
from events.web.request import db
from languages.words import capital, gettext, lazy_gettext
from models.settings import MOST_TABLES


class JournalFilter(SiteForm):
    class Meta:
        csrf = False

    words = text(lazy_gettext("Words"), 80, required=False)
    player = SelectField(lazy_gettext("Player"), default="")
    round = SelectField(lazy_gettext("Round"), default="")
    table = number(lazy_gettext("Table"), 1, MOST_TABLES, required=False)
    by = SelectField(lazy_gettext("Person"), default="")
    role = SelectField(lazy_gettext("Role"), default="")
    kind = SelectField(lazy_gettext("Kind"), default="")

    def offer(self, reader: Reader) -> None:
        event = reader.event
        people, roles, verbs = people_and_verbs(db(), reader)
        self.verbs = verbs
        players = sorted(players_in(event), key=by_name)
        choices = {
            self.player: [(str(player.id), player.name) for player in players],
            self.round: [
                (str(round_.number), gettext("Round %(number)s", number=round_.number)) for round_ in event.schedule
            ],
            self.by: [(person, actor_words(person)) for person in people],
            self.role: [(role, capital(role_words(role))) for role in roles],
            self.kind: [(key, gettext(kind.label)) for key, kind in KINDS.items() if key in map(kind_of, verbs)],
        }
        for field, offered in choices.items():
            field.choices = [
                SelectChoice("", gettext("All")),
                *(SelectChoice(value, label) for value, label in offered),
            ]

    def wanted(self) -> Wanted:
        return Wanted(
            player=int(self.player.data) if self.player.data else None,
            table=self.table.data,
            round=int(self.round.data) if self.round.data else None,
            by=self.by.data or "",
            role=self.role.data or "",
            verbs=[verb for verb in self.verbs if kind_of(verb) == self.kind.data] if self.kind.data else [],
            words=self.words.data or "",
        )
