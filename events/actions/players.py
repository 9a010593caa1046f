"""Players: signing up, walking in, checking in, dropping, coming back."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, select

from events.actions.journal import note
from events.errors import Refused
from events.names import forbidden_character, name_key, tidy, visible
from events.reading import factions_of, places_left, players_of, round_views, system_of
from models.event import Event, EventState, RoundState
from models.play import Player, PlayerState
from validators.restrictions import from_document

NAME_LENGTH = 80
PASTED_LINES = 500


def register(
    s: Session, event: Event, name: str, club: str, faction: str, actor: str, now: datetime, *, here: bool = False
) -> Player:
    """Enter a player: with a place where one is free, else on the waiting list.

    ``here`` says that the player stands at the desk, and checks them in at once. In a running event the first round
    that they can play is the next one not yet drawn. Raises Refused.
    """
    if event.state == EventState.FINISHED:
        raise Refused("This event is over.")
    key = name_key(name)
    if not key or not visible(name):
        raise Refused("Please give a name that can be read.", "name")
    if s.exec(select(Player).where(Player.event_id == event.id, Player.name_key == key)).first():
        raise Refused(
            f"{name} is registered already, and has a private link. Somebody else of the same name needs an initial or "
            "a nickname beside it.",
            "name",
        )
    if faction and faction not in factions_of(s, event):
        raise Refused(f"This {system_of(event).words.faction} is not in the event's edition.", "faction")
    full = places_left(event, players_of(s, event)) == 0
    if full and not event.waiting_list:
        raise Refused(f"All {event.places} places are taken, and this event keeps no waiting list.")
    here = here and not from_document(event.restrictions).painted  # the organiser looks at the force first
    state = PlayerState.WAITING if full else PlayerState.CHECKED_IN if here else PlayerState.REGISTERED
    player = Player(
        event_id=event.id,
        name=name,
        name_key=key,
        club=club,
        faction=faction,
        state=state,
        registered_at=now,
        entered_round=_next_round(s, event),
    )
    s.add(player)
    s.flush()  # makes the player's id for the journal and the private link
    where = {PlayerState.WAITING: " on the waiting list", PlayerState.CHECKED_IN: " and checked them in"}.get(state, "")
    note(s, event, actor, now, "register", f"Registered {name}{where}", player=player.id, club=club, faction=faction)
    return player


@dataclass(frozen=True)
class Pasted:
    """One line of a pasted list, and what became of it."""

    line: str
    player: Player | None
    refusal: str = ""


def register_pasted(s: Session, event: Event, text: str, actor: str, now: datetime) -> list[Pasted]:
    """Enter every line of a pasted list: a name, then club and faction, divided by tabs or semicolons.

    A line that cannot be entered is given back with the reason; the others stand. Blank lines are passed over.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > PASTED_LINES:
        raise Refused(f"{len(lines)} lines; at most {PASTED_LINES} are taken at once.", "names")
    done: list[Pasted] = []
    for line in lines:
        cells = [tidy(cell) for cell in line.replace("\t", ";").split(";")]
        name, club, faction = [*cells, "", ""][:3]
        try:
            if len(cells) > 3:
                raise Refused(f"More than three parts: name; club; {system_of(event).words.faction}.")
            if any(forbidden_character(cell) for cell in cells):
                raise Refused("It holds a character that cannot be printed.")
            if max(map(len, (name, club, faction))) > NAME_LENGTH:
                raise Refused(f"A part is longer than {NAME_LENGTH} characters.")
            known = {f.casefold(): f for f in factions_of(s, event)}
            player = register(s, event, name, club, known.get(faction.casefold(), faction), actor, now)
        except Refused as refusal:
            done.append(Pasted(line.strip(), None, refusal.message))
        else:
            done.append(Pasted(line.strip(), player))
    return done


def change_player(
    s: Session,
    event: Event,
    player: Player,
    name: str,
    club: str,
    faction: str,
    painted: bool,
    list_points: int | None,
    actor: str,
    now: datetime,
) -> None:
    """Correct what is known of a player. ``list_points`` is the organiser's own figure; None reckons it."""
    key = name_key(name)
    if not key or not visible(name):
        raise Refused("Please give a name that can be read.", "name")
    namesake = s.exec(select(Player).where(Player.event_id == event.id, Player.name_key == key)).first()
    if namesake is not None and namesake.id != player.id:
        raise Refused(f"Another player of this event is called {namesake.name}.", "name")
    for name_of, new in (("painted", painted), ("list_points_set", list_points)):
        if event.state == EventState.FINISHED and new != getattr(player, name_of):
            raise Refused("The standings are final. Open the event again at the desk to change this.", name_of)
    before = [player.name, player.club, player.faction, player.painted, player.list_points_set]
    player.name, player.name_key, player.club, player.faction, player.painted = name, key, club, faction, painted
    player.list_points_set = list_points
    after = [name, club, faction, painted, list_points]
    if before != after:
        note(s, event, actor, now, "change-player", f"Changed {name}", player=player.id, before=before, after=after)


def check_in(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Mark a registered player as present. Pressed twice, it stays done."""
    if player.state == PlayerState.CHECKED_IN:
        return
    if player.state != PlayerState.REGISTERED:
        raise Refused(f"{player.name} holds no place: give them one first.")
    if paint_first(event, player):
        words = system_of(event).words
        raise Refused(
            f"This event takes fully painted {words.forces} only: look at the {words.force} of {player.name} first."
        )
    player.state = PlayerState.CHECKED_IN
    player.entered_round = max(player.entered_round, _next_round(s, event))
    note(s, event, actor, now, "check-in", f"Checked in {player.name}", player=player.id)


def paint_first(event: Event, player: Player) -> bool:
    """*.event.painted: whether the event takes painted forces only and nobody has seen this one to be painted."""
    return from_document(event.restrictions).painted and not player.painted


def check_in_painted(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """The organiser has looked at the force, it is fully painted, and its player is here."""
    if not player.painted:
        player.painted = True
        note(
            s,
            event,
            actor,
            now,
            "painted",
            f"The {system_of(event).words.force} of {player.name} is fully painted",
            player=player.id,
        )
    check_in(s, event, player, actor, now)


def undo_check_in(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Take a check-in back, while the player has not been drawn into a round."""
    if player.state != PlayerState.CHECKED_IN:
        return
    if _next_round(s, event) > 1:
        raise Refused(f"Round 1 is drawn: drop {player.name} instead.")
    player.state = PlayerState.REGISTERED
    note(s, event, actor, now, "undo-check-in", f"Took back the check-in of {player.name}", player=player.id)


def give_place(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Move a player from the waiting list to a free place."""
    if player.state != PlayerState.WAITING:
        return
    if places_left(event, players_of(s, event)) == 0:
        raise Refused(f"All {event.places} places are taken: drop somebody, or set more places in the settings.")
    player.state = PlayerState.REGISTERED
    note(s, event, actor, now, "give-place", f"Gave {player.name} a place", player=player.id)


def drop(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Take a player out of the rounds to come; what they played stays.

    Before the event starts the place goes to the first on the waiting list.
    """
    if player.state == PlayerState.DROPPED:
        return
    if event.state == EventState.FINISHED:
        raise Refused("This event is over.")
    views = round_views(s, event)
    drawn = next((v for v in views if v.round.state == RoundState.DRAWN), None)
    if drawn and any(player.id in (g.a_id, g.b_id) for g in drawn.games):
        raise Refused(
            f"Round {drawn.round.number} is drawn with {player.name} in it but not published: discard that draw, "
            "drop the player, and draw again."
        )
    held_place = player.state != PlayerState.WAITING
    player.state = PlayerState.DROPPED
    player.dropped_after = sum(v.round.state == RoundState.PUBLISHED for v in views)
    note(s, event, actor, now, "drop", f"Dropped {player.name} after round {player.dropped_after}", player=player.id)
    if held_place and event.state in (EventState.DRAFT, EventState.REGISTRATION):
        following = next((p for p in players_of(s, event) if p.state == PlayerState.WAITING), None)
        if following is not None and places_left(event, players_of(s, event)) != 0:
            give_place(s, event, following, actor, now)


def reinstate(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Bring a dropped player back, from the next round on; the rounds missed count nothing."""
    if player.state != PlayerState.DROPPED:
        return
    if event.state == EventState.FINISHED:
        raise Refused("This event is over.")
    if places_left(event, players_of(s, event)) == 0:
        raise Refused(f"All {event.places} places are taken: set more places in the settings first.")
    player.state = PlayerState.CHECKED_IN if event.state == EventState.IN_PROGRESS else PlayerState.REGISTERED
    player.dropped_after = None
    note(s, event, actor, now, "reinstate", f"Reinstated {player.name}", player=player.id)


def renew_link(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """End every private link given out for this player; the page shows the new one."""
    player.link_generation += 1
    note(s, event, actor, now, "renew-link", f"Renewed the private link of {player.name}", player=player.id)


def _next_round(s: Session, event: Event) -> int:
    return 1 + sum(v.round.state != RoundState.PLANNED for v in round_views(s, event))
