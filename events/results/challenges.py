"""The end of a challenge without a result: withdrawn, cancelled by the desk, or cancelled because a player has left.

The rule is the table in docs/changes_of_mind.md.
"""

from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import check_not_over, note
from events.store.notices import notify
from events.tournament.season import arranged_in
from languages.message import message
from languages.words import N_, gettext
from models.captured import rows_naming
from models.dispatch import Occasion
from models.play import Game, GameState, Player


def withdraw_challenge(act: Act, game: Game, player: Player) -> None:
    """Let the challenger take back a challenge that is not answered. Raises Refused."""
    if game.a_id != player.id or arranged_in(game.arranged).unanswered is None or game.state != GameState.OPEN:
        raise Refused(gettext("Only the challenger can withdraw a challenge, until it is answered."))
    end_challenge(act, game, player)


def cancel_challenge(act: Act, game: Game, reason: str) -> None:
    """Cancel an open challenge at the desk. Raises Refused."""
    if arranged_in(game.arranged).challenged is None or game.state != GameState.OPEN:
        raise Refused(gettext("Only a challenge without a report can be cancelled."))
    if not reason:
        raise Refused(gettext("Give the reason: both players read it."), "reason")
    end_challenge(act, game, None, reason)


def end_challenge(act: Act, game: Game, by: Player | None, reason: str = "") -> None:
    """Delete the game of a challenge, with the rows that name it: withdrawn ``by`` the challenger, or a player left."""
    check_not_over(act.event)
    challenger, challenged = (act.s.get_one(Player, id_) for id_ in (game.a_id, game.b_id) if id_ is not None)
    text = N_("Cancelled the challenge of %(name)s to %(other)s: %(reason)s")
    if by is not None:
        text = N_("%(name)s withdrew the challenge to %(other)s")
        if by.dropped_after is not None:
            text = N_("Cancelled the challenge of %(name)s to %(other)s: %(leaver)s has left")
    leaver = by.name if by else ""
    sentence = message(text, name=challenger.name, other=challenged.name, reason=reason, leaver=leaver)
    note(act, "cancel-challenge", sentence, players=[challenger.id, challenged.id])
    for player, other in ((challenger, challenged), (challenged, challenger)):
        about = f"challenge {other.id} cancelled {act.now:%Y-%m-%d} {int(act.now.timestamp())}"
        notify(act.s, Occasion.CHALLENGE, about, [player.id] if player is not by else [], act.now)
    for row in rows_naming(act.s, "game", [game.id]):
        act.s.delete(row)
    act.s.flush()  # no row refers to the game when it is deleted
    act.s.delete(game)
    act.s.flush()  # the round's list of games is read again
