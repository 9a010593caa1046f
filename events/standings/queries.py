"""The standings of an event's players, calculated from its rows."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from sqlmodel import Session

from events.lists.queries import Bonus, counts_lists, list_points
from events.play.brackets import bracket_of
from events.play.editions import system_of
from events.play.journal import entries_of_kind
from events.play.outcomes import result_of
from events.play.players import placed, players_of
from events.play.rounds import RoundView, completed_rounds, public_round_views
from events.play.rulings import Counts, Ruled, bonus_words, disqualified, ruled, soft_rules
from events.play.team_queries import members, teams_of
from events.play.verdicts import seals_of, terms_of
from events.standings.scale import in_shares, knows_vp, points_table_of, tie_breaks_of
from events.standings.soft_scores import NOTHING, soft_scores
from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.ladder import Challenge, ladder_order
from events.tournament.pairing.knockout import Place, places
from events.tournament.ranking import Row, final_places
from events.tournament.ranking import ranking_rows as rank
from events.tournament.season import season_in
from events.tournament.tie_breaks import TIE_BREAKS
from events.tournament.trf import SYSTEMS, Heading, report_file
from languages.words import gettext, in_order, language, noted
from models.event import Event, EventState, RoundState
from models.play import GameState, Player, PlayerState

NO_BONUSES: Mapping[int, Bonus] = {}
ELSEWHERE = noted("does not count as a tie-break in this event")


def played(event: Event, views: Sequence[RoundView], after: int, *, every_bye: bool = False) -> list[Result]:
    """Every decided game of the rounds up to ``after``, without knockout games.

    With ``every_bye``, also byes that score nothing, which a draw lists.
    """
    return [result for view in views[:after] for result in results_of(event, view, every_bye=every_bye)]


def results_of(event: Event, view: RoundView, *, every_bye: bool = False) -> list[Result]:
    """The decided games of one round that count in the standings; none in a knockout.

    In a season a round robin's bye scores nothing, because everyone has equally many, and some long before others.
    """
    if view.stage.counts == "places":
        return []
    games = [game for game in view.games if game.b_id is not None or every_bye or view.stage.byes_score]
    results = (result_of(event, view.round.number, view.scenario_at(game), game) for game in games)
    return [result for result in results if result is not None]


def open_pairs(views: Sequence[RoundView]) -> dict[tuple[str, str], int]:
    """The round of each published game without a confirmed result, by both players' ids, from either side."""
    games = [
        (view.round.number, game)
        for view in views
        if view.round.state == RoundState.PUBLISHED
        for game in view.games
        if game.b_id is not None and game.state != GameState.CONFIRMED
    ]
    return {(str(x), str(y)): n for n, game in games for x, y in ((game.a_id, game.b_id), (game.b_id, game.a_id))}


def dropped_within(event: Event, after: int | None, last: int | None) -> int | None:
    """After which round they dropped, as known after round ``last``; a season's rounds are all open together."""
    return None if after is not None and last is not None and event.season is None and after > last else after


def entrants(
    event: Event,
    players: Sequence[Player],
    bonuses: Mapping[int, Bonus] = NO_BONUSES,
    last: int | None = None,
) -> list[Entrant]:
    """The players as entrants of the standings after round ``last``.

    Draws may omit ``bonuses``, because they count only what rulings move.
    """
    found = []
    rules, scores, rulings, out = (
        soft_rules(event),
        soft_scores(event, players),
        ruled(event, last),
        disqualified(event),
    )
    for player in players:
        bonus = bonuses.get(player.id, Bonus(0, "bonus"))
        painting, sports = scores.painting.get(player.id, NOTHING), scores.sports.get(player.id, NOTHING)
        given = rulings.get(player.id, Ruled())
        found.append(
            Entrant(
                id=str(player.id),
                name=player.name,
                club=player.club,
                bonus=bonus.points,
                bonus_for=bonus.why,
                dropped_after=dropped_within(event, player.dropped_after, last),
                entered_round=player.entered_round,
                ringer=player.ringer,
                painting=painting.value if rules.painting_counts == Counts.TIE_BREAK else 0,
                painting_how=painting.how if rules.painting_counts == Counts.TIE_BREAK else gettext(ELSEWHERE),
                sportsmanship=sports.value if rules.sports_counts == Counts.TIE_BREAK else 0,
                sportsmanship_how=sports.how if rules.sports_counts == Counts.TIE_BREAK else gettext(ELSEWHERE),
                conduct=given.points if rules.rulings_count == Counts.TIE_BREAK else 0,
                vp_ruled=given.vp if rules.rulings_count == Counts.POINTS and knows_vp(event) else 0,
                moves=given.moves,
                disqualified=player.id in out,
            )
        )
    return found


def bonuses_of(s: Session, event: Event, players: Sequence[Player], last: int | None = None) -> dict[int, Bonus]:
    """Each player's bonus in tournament points after round ``last``, from painting, list, soft scores and rulings."""
    terms = terms_of(s, event)
    seals = seals_of(s, event) if counts_lists(event, terms) else {}
    rules, scores, rulings = soft_rules(event), soft_scores(event, players), ruled(event, last)
    found = {}
    for player in players:
        painted = Bonus(event.painting_points if player.painted else 0, gettext("painted"))
        of_list = list_points(event, player, seals.get(player.id, ()), terms)
        earned = [painted, of_list]
        if rules.painting_counts == Counts.POINTS:
            earned.append(Bonus(scores.painting.get(player.id, NOTHING).whole, gettext("painting")))
        if rules.sports_counts == Counts.POINTS:
            earned.append(Bonus(scores.sports.get(player.id, NOTHING).whole, gettext("sportsmanship")))
        if rules.rulings_count == Counts.POINTS:
            given = rulings.get(player.id, Ruled()).points
            earned.append(Bonus(given, bonus_words(given)))
        counted = [one for one in earned if one.points]
        each = ", ".join(f"{one.points} {one.why}" for one in counted)
        why = counted[0].why if len(counted) == 1 else gettext("bonus (%(terms)s)", terms=each)
        found[player.id] = Bonus(sum(one.points for one in earned), why)
    return found


def tie_breaks_changed(s: Session, event: Event) -> str:
    """In a sentence, after which published round the tie-breaks changed and what they were; "" if they are as then."""
    first = next(
        (one.details for one in entries_of_kind(s, event, "change-pairing") if one.details.get("after_round")), None
    )
    if first is None or (before := first["changed"]["tie_breaks"][0]) == event.tie_breaks:
        return ""
    labels = in_order([gettext(TIE_BREAKS[name].label) for name in before]) or gettext("shared ranks")
    return gettext(
        "Changed after round %(number)s was published. Before: %(labels)s.",
        number=first["after_round"],
        labels=labels,
    )


def scheme_of(event: Event) -> Scheme:
    """The event's scoring scheme for games."""
    table = points_table_of(event)
    scheme = match_scheme_of(event)
    return replace(scheme, win=table.bye, draw=table.draw, loss=table.least, table=table) if table else scheme


def standings(s: Session, event: Event, after: int | None = None) -> list[Row]:
    """The standings after round ``after``, by default the last complete round. Only complete rounds count.

    Places from a knockout come first.
    """
    views = public_round_views(s, event)
    return standings_by(s, event, views if after is None else views[:after], players_of(s, event))


def standings_by(s: Session, event: Event, views: Sequence[RoundView], players: Sequence[Player]) -> list[Row]:
    """The standings by the complete ones of these rounds, for all ``players`` of the event."""
    last = completed_rounds(views)
    rows = ranked(s, event, played(event, views, last), last, players, views[:last])
    return _with_knockout(event, views[:last], rows)


def standings_after_each(
    s: Session, event: Event, views: Sequence[RoundView], players: Sequence[Player]
) -> list[list[Row]]:
    """The standings after each complete round, in the order of rounds."""
    results: list[Result] = []
    found = []
    for last in range(1, completed_rounds(views) + 1):
        results += results_of(event, views[last - 1])
        found.append(_with_knockout(event, views[:last], ranked(s, event, results, last, players, views[:last])))
    return found


def _with_ladder(event: Event, rows: list[Row], views: Sequence[RoundView]) -> list[Row]:
    """In a ladder season, the rows in the ladder's order, with players who left last; else unchanged."""
    season = season_in(event.season)
    if season is None or season.kind != "ladder":
        return rows
    out = {row.id for row in rows if row.dropped}
    order = ladder_order(sorted((row.id for row in rows), key=int), challenges_of(event, views))
    return final_places(
        rows, [Place(place, id_, "") for place, id_ in enumerate((i for i in order if i not in out), 1)]
    )


def challenges_of(event: Event, views: Sequence[RoundView]) -> list[Challenge]:
    """The challenges of a season, in the order of making."""
    games = [
        (game, view) for view in views for game in view.games if game.b_id and (game.arranged or {}).get("challenged")
    ]
    return [
        Challenge(str(game.a_id), str(game.b_id), result_of(event, view.round.number, view.scenario_at(game), game))
        for game, view in sorted(games, key=lambda one: one[0].id)
    ]


def ladder(players: Sequence[Player], challenges: Sequence[Challenge]) -> list[str]:
    """The ids of the ladder's current players, first place first; at the start in the order of registration."""
    here = {str(player.id) for player in placed(players) if not player.ringer}
    return [id_ for id_ in ladder_order([str(player.id) for player in players], challenges) if id_ in here]


def _with_knockout(event: Event, views: Sequence[RoundView], rows: list[Row]) -> list[Row]:
    """The rows with places already decided in a knockout among these rounds first."""
    rows, bracket = _with_ladder(event, rows, views), bracket_of(event, views)
    return final_places(rows, places(bracket)) if bracket else rows


def _was_entered(player: Player, number: int) -> bool:
    gone_before = player.state == PlayerState.DROPPED and player.dropped_after == 0
    return player.state != PlayerState.WAITING and player.entered_round <= number and not gone_before


def ranked(
    s: Session,
    event: Event,
    results: Sequence[Result],
    last: int,
    players: Sequence[Player] | None = None,
    views: Sequence[RoundView] = (),
) -> list[Row]:
    """The standings from these results of the rounds up to ``last``, without a knockout; ``views`` are those rounds.

    Includes every player with a result, all seeds of a bracket, and those who had entered by then; except in a season,
    only players who came.
    """
    bracket = bracket_of(event, views)
    met = {id_ for result in results for id_ in (result.a, result.b)} | set(bracket.seeds if bracket else ())
    everybody = players_of(s, event) if players is None else players
    all_rank = not last or event.season is not None
    field = [
        p
        for p in everybody
        if str(p.id) in met or (_was_entered(p, max(last, 1)) and (all_rank or p.state == PlayerState.CHECKED_IN))
    ]
    listed = entrants(event, field, bonuses_of(s, event, field, last), last)
    if waits := _open_rounds(views):
        listed = [replace(one, open_rounds=tuple(waits[one.id])) for one in listed]
    return [*_ranked(tuple(results), tuple(listed), scheme_of(event), language())]


def _open_rounds(views: Sequence[RoundView]) -> Mapping[str, list[int]]:
    """The rounds in which each player's game is open or a bye scores nothing."""
    found = defaultdict[str, list[int]](list)
    for view in views:
        for game in view.games if view.stage.by_days or not view.complete else ():
            for id_ in (game.a_id, game.b_id):
                if game.state != GameState.CONFIRMED or (game.b_id is None and not view.stage.byes_score):
                    found[str(id_)].append(view.round.number)
    return found


@lru_cache(maxsize=10)
def _ranked(results: tuple[Result, ...], listed: tuple[Entrant, ...], scheme: Scheme, said_in: str) -> list[Row]:
    """Cached, because most pages need the same standings; ``said_in`` is the language of their explanations."""
    return rank(results, listed, scheme)


def standings_trf(s: Session, event: Event, after: int) -> str:
    """The TRF of the standings after a complete round. Knockout games are left out, knockout places are not.

    The format has points only by outcome. Under a points table the file therefore counts wins, draws and losses, in the
    true order of players.
    """
    views = public_round_views(s, event)
    people = players_of(s, event)
    teams = teams_of(s, event)
    systems = dict.fromkeys(SYSTEMS[view.stage.kind] for view in views)
    heading = Heading(
        name=event.name,
        city=event.place,
        starts=event.starts_on,
        ends=event.ends_on,
        kind=f"{'Team' if teams else 'Individual'}: {', then '.join(systems) or SYSTEMS['swiss']}",
        rounds=len(views),
        minutes=event.round_minutes,
        teams={team.name: [str(player.id) for player in members(people, team)] for team in teams},
    )
    return report_file(heading, standings(s, event, after), played(event, views, after), match_scheme_of(event))


def match_scheme_of(event: Event) -> Scheme:
    """The scoring scheme for matches of teams: always points for a win, a draw and a loss, even with a points table."""
    season = season_in(event.season)
    return Scheme(
        win=event.points_win,
        draw=event.points_draw,
        loss=event.points_loss,
        tie_breaks=tuple(tie_breaks_of(event)),
        best=season.best if season else None,
        by_challenge=season is not None and season.by_challenge,
        bye_vp=event.bye_vp,
        seed=event.seed,
        asked_bye=event.asked_bye.value,
        late_points=event.late_points,
        vp_cap=event.vp_cap,
        conceded_vp=event.conceded_vp.value,
        not_played=event.not_played.value,
        shares=in_shares(event),
        by_scenario=not system_of(event).scoring.one_scale,
        vp_known=knows_vp(event),
        unfinished=event.state != EventState.FINISHED,
    )
