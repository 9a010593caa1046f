"""The standings of an event, loaded; what its players bring from outside games."""

from collections.abc import Mapping, Sequence

from sqlmodel import Session

from events.lists.queries import counts_lists, list_points
from events.standings.soft_scores import NOTHING, SoftScores, soft_scores
from events.store.editions import system_of
from events.store.journal import entries_of_kind
from events.store.scoring import match_scheme_of, tie_breaks_in
from events.store.team_queries import members, teams_of
from events.store.tournaments import tournament_of
from events.store.verdicts import sealed_lists, terms_of
from events.tournament.soft_rules import Counts
from events.tournament.standings import Standings
from events.tournament.tournament import Extra, Extras, Tournament
from events.tournament.trf import SYSTEMS, Heading, report_file
from languages.message import message
from languages.words import N_, gettext, in_order
from models.event import Event
from models.play import Player

ELSEWHERE = N_("does not count as a tie-break in this event")


def figures_of_players(event: Event, players: Sequence[Player]) -> Extras:
    """What players bring to a draw: their figures for painting and sportsmanship, without tournament points."""
    scores = soft_scores(event, players)
    return {str(player.id): Extra(values=_tie_breaks(event, player, scores)) for player in players}


def _tie_breaks(event: Event, player: Player, scores: SoftScores) -> Mapping[str, object]:
    """The figures of the player's tie-breaks, as fields of an entrant."""
    rules, values = event.soft_rules, dict[str, object]()
    for name, of, counts in (
        ("painting", scores.painting, rules.painting_counts),
        ("sportsmanship", scores.sports, rules.sports_counts),
    ):
        score, used = of.get(player.id, NOTHING), counts == Counts.TIE_BREAK
        values |= {name: score.value if used else 0, f"{name}_how": score.how if used else message(ELSEWHERE)}
    return values


def extras_of(event: Event, players: Sequence[Player]) -> Extras:
    """What players bring to the standings: also tournament points from painting, lists and soft scores."""
    terms = terms_of(event)
    seals = sealed_lists(event) if counts_lists(event, terms) else {}
    rules, scores = event.soft_rules, soft_scores(event, players)
    extras = {}
    for player in players:
        of_list = list_points(event, player, seals.get(player.id, ()), terms)
        earned = [(event.painting_points if player.painted else 0, message("painted")), (of_list.points, of_list.why)]
        if rules.painting_counts == Counts.POINTS:
            earned.append((scores.painting.get(player.id, NOTHING).whole, message("painting")))
        if rules.sports_counts == Counts.POINTS:
            earned.append((scores.sports.get(player.id, NOTHING).whole, message("sportsmanship")))
        extras[str(player.id)] = Extra(tuple(earned), _tie_breaks(event, player, scores))
    return extras


def tie_breaks_changed(s: Session, event: Event) -> str:
    """In a sentence, after which published round the tie-breaks changed and what they were; "" if they are as then."""
    first = next(
        (
            journal_entry.details
            for journal_entry in entries_of_kind(s, event, "change-pairing")
            if journal_entry.details.get("after_round")
        ),
        None,
    )
    if first is None or (before := first["changed"]["tie_breaks"][0]) == event.tie_breaks:
        return ""
    known = tie_breaks_in(system_of(event))
    labels = in_order([gettext(known[name].label) for name in before]) or gettext("shared ranks")
    return gettext(
        "Changed after round %(number)s was published. Before: %(labels)s.",
        number=first["after_round"],
        labels=labels,
    )


def standings_of(event: Event, t: Tournament | None = None, players: Sequence[Player] | None = None) -> Standings:
    """The event's standings; ``t`` is the event as it stands, ``players`` are all its players, if they are loaded."""
    everybody = event.players if players is None else players
    return Standings(tournament_of(event) if t is None else t, extras_of(event, everybody))


def standings_trf(event: Event, after: int) -> str:
    """The TRF of the standings after a complete round. Knockout games are left out, knockout places are not.

    The format has points only by outcome. Under a points table the file therefore counts wins, draws and losses, in the
    true order of players.
    """
    table = standings_of(event)
    people, teams = event.players, teams_of(event) if table.t.rules.teams else ()
    systems = dict.fromkeys(SYSTEMS[round_.stage.kind] for round_ in table.t.rounds)
    heading = Heading(
        name=event.name,
        city=event.place,
        starts=event.starts_on,
        ends=event.ends_on,
        kind=f"{'Team' if teams else 'Individual'}: {', then '.join(systems) or SYSTEMS['swiss']}",
        rounds=len(table.t.rounds),
        minutes=event.round_minutes,
        teams={team.name: [str(player.id) for player in members(people, team)] for team in teams},
    )
    return report_file(heading, table.of_players(after), table.t.results(after), match_scheme_of(event))
