"""Checking players in, painted or later, and undoing it."""

from collections.abc import Iterable

from events.play.act import Act
from events.play.editions import system_of
from events.play.errors import Refused
from events.play.journal import note, note_players
from events.registration.actions import next_round, plays_from
from languages.words import gettext
from models.event import Event, EventState
from models.play import Player, PlayerState
from validators.restrictions import from_document


def check_in(act: Act, player: Player) -> None:
    """Check a registered player in; does nothing if the player is checked in. Raises Refused."""
    if player.state == PlayerState.CHECKED_IN:
        return
    arrive(act.event, player, next_round(act.s, act.event))
    text = f"Checked in {player.name}{plays_from(act.s, act.event, player)}"
    note(act, "check-in", text, player=player.id)


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
        text = f"The {system_of(act.event).checks.words.force} of {player.name} is fully painted"
        note(act, "painted", text, player=player.id)
    check_in(act, player)


def mark_painted(act: Act, chosen: Iterable[Player]) -> list[Player]:
    """Mark the players' forces as fully painted. Returns those that were not. Raises Refused."""
    if act.event.state == EventState.FINISHED:
        raise Refused(gettext("The standings are final. Open the event again at the desk to change this."))
    done, words = [player for player in chosen if not player.painted], system_of(act.event).checks.words
    for player in done:
        player.painted = True
    one = ("painted", f"The {words.force} of {{name}} is fully painted")
    note_players(act, done, one, ("painted", f"{{count}} {words.forces} are fully painted: {{names}}"))
    return done


def undo_check_in(act: Act, player: Player) -> None:
    """Undo a check-in, until round 1 is drawn. Raises Refused."""
    if player.state == PlayerState.CHECKED_IN:
        undo_arrival(act, player, next_round(act.s, act.event))


def undo_arrival(act: Act, player: Player, coming: int) -> None:
    """Undo the check-in of a checked-in player; ``coming`` is the first undrawn round. Raises Refused."""
    if coming > 1:
        raise Refused(gettext("Round 1 is drawn: drop %(player)s instead.", player=player.name))
    player.state = PlayerState.REGISTERED
    note(act, "undo-check-in", f"Undid the check-in of {player.name}", player=player.id)
