"""The standings of an event as a report file for chess tools: from rows to the pure writer."""

from sqlmodel import Session

from events.actions.standings import played, scheme_of, standings
from events.pairing.trf import Heading, report_file
from events.public_rounds import public_round_views
from events.reading import players_of
from events.team_reading import is_team_event, members, teams_of
from models.event import Event, Round, RoundKind

KINDS = {
    RoundKind.SWISS: "Swiss system",
    RoundKind.ROUND_ROBIN: "Round robin",
    RoundKind.KNOCKOUT: "Knockout",
}


def standings_trf(s: Session, event: Event, after: int) -> str:
    """The file of the standings after a complete round. Games of a knockout are not in it, its places are."""
    views = public_round_views(s, event)
    people = players_of(s, event)
    teams = teams_of(s, event) if is_team_event(event) else ()
    heading = Heading(
        name=event.name,
        city=event.place,
        starts=event.starts_on,
        ends=event.ends_on,
        kind=kind_of([view.round for view in views], teams=bool(teams)),
        rounds=len(views),
        minutes=event.round_minutes,
        teams={team.name: [str(player.id) for player in members(people, team)] for team in teams},
    )
    return report_file(heading, standings(s, event, after), played(event, views, after), scheme_of(event))


def kind_of(rounds: list[Round], *, teams: bool) -> str:
    """What kind of tournament it is, in words."""
    kinds = [KINDS[kind] for kind in KINDS if any(one.kind == kind for one in rounds)] or [KINDS[RoundKind.SWISS]]
    return f"{'Team' if teams else 'Individual'}: {', then '.join(kinds)}"
