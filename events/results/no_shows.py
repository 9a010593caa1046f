"""Games to which a player did not come, or that a player who left will not play."""

from collections.abc import Collection

from sqlmodel import Session

from events.results import calls
from events.results.reports import apply_reports, latest
from events.rounds.formats import why_settled
from events.store.act import Act
from events.store.errors import Refused, Stale
from events.store.games import scenario_in
from events.store.journal import check_takes_place, note
from events.store.outcomes import missing, set_ended
from events.store.players import players_by_id
from events.store.rounds import current_round, round_views
from events.store.tournaments import Loaded, tournament_of
from events.tournament.scores import PLAYED_OUT
from languages.message import joined, message
from languages.words import N_, gettext
from models.event import Event, EventState, Round, RoundState
from models.play import Absent, Game, GameState, Player, PlayerState


def set_absent(act: Act, game: Game, absent: Absent | None, *, version: int, reason: str = "") -> None:
    """Record a no-show, or with None undo it, so that earlier reports count again.

    ``version`` is the game's version that the organiser saw. A no-show in place of a confirmed result needs a
    ``reason``. Raises Refused, and Stale for an outdated version.
    """
    s, event = act.s, act.event
    the_round = s.get_one(Round, game.round_id)
    if game.b_id is None or the_round.state != RoundState.PUBLISHED:
        raise Refused(gettext("This game is not open for results."))
    check_takes_place(event)
    if event.state == EventState.FINISHED:
        raise Refused(gettext("The event is closed; open it again at the desk for a correction."))
    if game.absent == absent:
        return
    if settled := why_settled(tournament_of(event), the_round.number):
        raise Refused(settled)
    if game.version != version:
        raise Stale(gettext("Another person has changed this game. Reload the page."))
    before = game.absent
    if before is None and game.state == GameState.CONFIRMED and not reason:
        raise Refused(gettext("Give the reason for replacing the confirmed result: both players read it."))
    mark_absent(s, event, game, absent)
    people = players_by_id(event)
    names = joined([people[id_].name for id_ in people if id_ in missing(game, absent or before)], "and")
    gone = N_("Round %(round)s, table %(table)s: %(names)s did not come")
    text = gone if absent else N_("Round %(round)s, table %(table)s: %(names)s turned up")
    sentence = message(text, round=the_round.number, table=game.table_number, names=names)
    note(act, "no-show", sentence, game=game.id, before=before, after=absent, why=reason)
    if absent is not None:
        calls.close(act, game)


def mark_absent(s: Session, event: Event, game: Game, absent: Absent | None, *, forfeited: bool = False) -> None:
    """Store a no-show: the game is decided without a result. None restores the state given by the reports.

    ``forfeited``: the absent players left the event.
    """
    game.absent, game.forfeited, game.goes_through = absent, forfeited, None
    game.version += 1
    if absent is not None:
        game.state, game.answers = GameState.CONFIRMED, None
        set_ended(game, PLAYED_OUT)
        return
    scenario = scenario_in(s, event, s.get_one(Round, game.round_id), game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    apply_reports(game, scenario, latest(s, game))


def forfeit(act: Act, game: Game, gone: Collection[int]) -> None:
    """Let the players in ``gone`` lose a game because they left the event; nobody in it: the game is open again."""
    a, b = game.a_id in gone, game.b_id in gone
    absent = Absent.BOTH if a and b else Absent.A if a else Absent.B if b else None
    mark_absent(act.s, act.event, game, absent, forfeited=absent is not None)
    calls.close(act, game)


def undecided_absences(loaded: Loaded) -> list[Player]:
    """The players who did not come to the newest round, and whom staff have neither dropped nor kept since.

    Empty while the round is played, in a knockout, where they are out, and in a season, whose rounds are open together.
    """
    newest = current_round(loaded.views)
    if newest is None or not newest.now.complete or newest.stage.counts != "complete":
        return []
    gone = {id_ for game in newest.games if not game.forfeited for id_ in missing(game, game.absent)}
    return [
        player
        for player in loaded.players
        if player.id in gone
        and player.state == PlayerState.CHECKED_IN
        and (player.no_show_kept or 0) < newest.round.number
    ]


def keep_absent(act: Act, player: Player) -> None:
    """Keep a player who did not come to the newest round in the event, so that staff are not asked again."""
    newest = current_round(round_views(act.event))
    if newest is not None and player.no_show_kept != newest.round.number:
        player.no_show_kept = newest.round.number
        text = N_("Kept %(name)s after the no-show in round %(number)s")
        note(act, "keep-absent", message(text, name=player.name, number=player.no_show_kept), player=player.id)
