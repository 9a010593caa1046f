"""The titles and file names of standings: after a round, or of a season on a day."""

from collections.abc import Sequence
from datetime import date

from events.play.rounds import RoundView, completed_rounds
from languages.dates import dated
from languages.words import gettext, ngettext
from models.event import Event, EventState


def standings_title(
    event: Event, views: Sequence[RoundView], after: int, today: date, *, of_teams: bool = False
) -> str:
    """What the standings after a round are: "Final standings after round 4".

    A season counts results of rounds with open games, so its standings have ``today`` and the number of games played.
    """
    final = event.state == EventState.FINISHED and after == completed_rounds(views)
    if not after:
        return gettext("Team standings before round 1") if of_teams else gettext("Standings before round 1")
    if has_open_games(event, views, after):
        if final:
            return gettext("Final standings")
        games = [(view, game) for view in views[:after] for game in view.games if game.b_id]
        return ngettext(
            "Standings on %(day)s, %(played)s of %(num)s game played",
            "Standings on %(day)s, %(played)s of %(num)s games played",
            len(games),
            day=dated(today, "%-d %B"),
            played=sum(not view.is_open(game) for view, game in games),
        )
    if of_teams and final:
        return gettext("Final team standings after round %(number)s", number=after)
    if of_teams:
        return gettext("Team standings after round %(number)s", number=after)
    if final:
        return gettext("Final standings after round %(number)s", number=after)
    return gettext("Standings after round %(number)s", number=after)


def name_of_standings(event: Event, views: Sequence[RoundView], after: int, today: date) -> str:
    """The file name of the standings, without its ending: "standings-after-3"."""
    if has_open_games(event, views, after):
        return f"standings-{today.isoformat()}"
    return f"standings-after-{after}"


def has_open_games(event: Event, views: Sequence[RoundView], after: int) -> bool:
    """Whether these are standings of a season of which games up to the round are still to be played."""
    return event.season is not None and not all(view.complete for view in views[:after])
