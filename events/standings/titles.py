"""The titles and file names of standings: after a round, or of a season on a day."""

from datetime import date

from events.store.rounds import first_stage
from events.tournament.tournament import Tournament
from languages.dates import dated
from languages.words import N_, gettext, ngettext
from models.event import Event, EventState


def ranked_words(event: Event) -> str:
    """What ranks the players if points do not, in a sentence; "" where they do."""
    stage = first_stage(event)
    if stage.counts == "places":
        return gettext("Ranked by the bracket; players out in the same round share their place.")
    by_ladder = N_(
        "Ranked by the ladder: a challenger who wins takes the place of the player challenged, who moves down by one."
    )
    return gettext(by_ladder) if stage.by_ladder else ""


def standings_title(
    event: Event, t: Tournament, after: int, today: date, *, of_teams: bool = False, corrected: bool = False
) -> str:
    """What the standings after a round are; where the published final ones are ``corrected``, with that."""
    title = _title(event, t, after, today, of_teams=of_teams)
    sign = gettext("Being corrected")
    return f"{title} · {sign}" if corrected and after >= len(t.rounds) - 1 else title


def _title(event: Event, t: Tournament, after: int, today: date, *, of_teams: bool) -> str:
    """What the standings after a round are: "Final standings after round 4".

    A season counts results of rounds with open games, so its standings have ``today`` and the number of games played;
    so have those of challenges, which have no rounds.
    """
    final = event.state == EventState.FINISHED and after == t.counted
    by_day = not first_stage(event).has_rounds
    if not after and by_day:
        return gettext("Standings before the first game")
    if not after:
        return gettext("Team standings before round 1") if of_teams else gettext("Standings before round 1")
    if by_day or t.has_open_games(after):
        if final:
            return gettext("Final standings")
        games = [(round_, board) for round_ in t.rounds[:after] for board in round_.boards if board.b]
        return ngettext(
            "Standings on %(day)s, %(played)s of %(num)s game played",
            "Standings on %(day)s, %(played)s of %(num)s games played",
            len(games),
            day=dated(today, "%-d %B"),
            played=sum(not round_.is_open(board) for round_, board in games),
        )
    if of_teams and final:
        return gettext("Final team standings after round %(number)s", number=after)
    if of_teams:
        return gettext("Team standings after round %(number)s", number=after)
    if final:
        return gettext("Final standings after round %(number)s", number=after)
    return gettext("Standings after round %(number)s", number=after)


def name_of_standings(event: Event, t: Tournament, after: int, today: date) -> str:
    """The file name of the standings, without its ending: "standings-after-3"."""
    if not first_stage(event).has_rounds or t.has_open_games(after):
        return f"standings-{today.isoformat()}"
    return f"standings-after-{after}"
