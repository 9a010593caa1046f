"""Who sent a request: what ``access`` answers its questions about."""

from dataclasses import dataclass, field

from events.roles import WORDS
from models.event import Event
from models.journal import Actor
from models.people import Account
from models.play import Player
from models.staff import Role


@dataclass(frozen=True)
class Visitor:
    """Somebody with an account, a player of some events, both, or neither."""

    account: Account | None = None
    players: dict[int, Player] = field(default_factory=dict)
    """By event id: whom a private link made this visitor."""
    roles: dict[int, Role] = field(default_factory=dict)
    """By event id: what the account is at events."""
    events: dict[int, Event] = field(default_factory=dict)
    """By event id: the events of ``players``, which were read with them."""

    def player_in(self, event: Event) -> Player | None:
        """The visitor's own entry in this event."""
        return self.players.get(event.id)

    def is_player(self, player: Player) -> bool:
        """Whether this entry is the visitor's own."""
        own = self.players.get(player.event_id)
        return own is not None and own.id == player.id

    def role_in(self, event: Event) -> Role | None:
        """What the visitor is at this event; None for whoever is none of its staff."""
        return self.roles.get(event.id) if self.account is not None else None

    def acting_in(self, event: Event, *, at_desk: bool) -> Actor:
        """What the journal calls the visitor, "judge Anna" or "player Bo", and as what: a role, player, or visitor.

        Whoever is both acts as staff at the desk (``at_desk``) and as a player everywhere else.
        """
        role, player = self.role_in(event), self.player_in(event)
        if self.account is not None and role is not None and (at_desk or player is None):
            return Actor(f"{WORDS[role]} {self.account.name}", role.value)
        return Actor(f"player {player.name}", "player") if player else Actor("visitor", "visitor")

    @property
    def name_in_club(self) -> str:
        """The same where no event is concerned: "organiser Olga"."""
        return f"organiser {self.account.name}" if self.account is not None else "visitor"
