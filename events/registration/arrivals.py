"""Checking players in, painted or later, and undoing it."""

from collections.abc import Iterable, Sequence

from events.registration.actions import first_round
from events.registration.places import next_round
from events.store.act import Act
from events.store.editions import system_of
from events.store.errors import Refused
from events.store.journal import note, note_players
from languages.message import message
from languages.words import gettext
from models.event import Event, EventState
from models.play import Player, PlayerState
from validators.restrictions import from_document


def check_in(act: Act, player: Player) -> None:
    """Check a registered player in; does nothing if the player is checked in. Raises Refused."""
    if player.state == PlayerState.CHECKED_IN:
        return
    arrive(act.event, player, next_round(act.s, act.event))
    note_checked_in(act, [player])


def arrive(event: Event, player: Player, coming: int) -> None:
    """Set a registered player to checked in; ``coming`` is the first undrawn round. Raises Refused."""
    if player.state != PlayerState.REGISTERED:
        raise Refused(gettext("%(player)s has no place: give the player a place first.", player=player.name))
    if paint_first(event, player):
        words = system_of(event).words
        raise Refused(
            gettext(
                "This event takes only fully painted %(forces)s: check the %(force)s of %(player)s first.",
                forces=words.forces,
                force=words.force,
                player=player.name,
            )
        )
    player.state = PlayerState.CHECKED_IN
    player.entered_round = max(player.entered_round, coming)


def paint_first(event: Event, player: Player) -> bool:
    """*.event.painted: whether staff must check this player's painting before check-in."""
    return from_document(event.restrictions).painted and not player.painted


def check_in_painted(act: Act, player: Player) -> None:
    """Mark the player's force as fully painted, and check the player in. Raises Refused."""
    if not player.painted:
        player.painted = True
        note_painted(act, [player])
    check_in(act, player)


def mark_painted(act: Act, chosen: Iterable[Player]) -> list[Player]:
    """Mark the players' forces as fully painted. Returns those that were not. Raises Refused."""
    if act.event.state == EventState.FINISHED:
        raise Refused(gettext("The standings are final. Open the event again at the desk to change this."))
    done = [player for player in chosen if not player.painted]
    for player in done:
        player.painted = True
    note_painted(act, done)
    return done


def note_painted(act: Act, players: Sequence[Player]) -> None:
    words = system_of(act.event).checks.words
    note_players(
        act, players, "painted",
        "The %(force)s of %(names)s is fully painted", "%(num)s %(force)s are fully painted: %(names)s",
        force=message(words.force if len(players) == 1 else words.forces),
    )  # fmt: skip


def note_checked_in(act: Act, players: Sequence[Player]) -> None:
    """Note that these players are checked in, and from when late ones play."""
    player = players[0] if players else None
    if player is None or player.state != PlayerState.CHECKED_IN or player.entered_round == 1:
        note_players(act, players, "check-in", "Checked in %(names)s", "Checked in %(num)s players: %(names)s")
        return
    when = first_round(act.s, act.event, player.entered_round)
    note_players(
        act, players, "check-in",
        "Checked in %(names)s; plays %(when)s", "Checked in %(num)s players: %(names)s; they play %(when)s", when=when,
    )  # fmt: skip


def undo_check_in(act: Act, player: Player) -> None:
    """Undo a check-in, until round 1 is drawn. Raises Refused."""
    if player.state == PlayerState.CHECKED_IN:
        check_undrawn(act, player)
        player.state = PlayerState.REGISTERED
        note(act, "undo-check-in", message("Undid the check-in of %(name)s", name=player.name), player=player.id)


def check_undrawn(act: Act, player: Player) -> None:
    """Raise Refused if it is too late to undo the check-in of a player."""
    if next_round(act.s, act.event) > 1:
        raise Refused(gettext("Round 1 is drawn: drop %(player)s instead.", player=player.name))
