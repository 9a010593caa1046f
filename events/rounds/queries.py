"""The picture of a round before its draw, loaded once; and the scores and scenarios of a round's games."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from events.play.brackets import follows_rounds, knockout_views
from events.play.errors import Refused
from events.play.outcomes import result_of, score_of
from events.play.players import players_of
from events.play.rounds import RoundView, round_views
from events.play.scenarios import scenarios_of
from events.play.team_queries import checked_in_by_board, is_team_event, playing, seat_id
from events.rounds.byes import players_to_draw
from events.standings.queries import entrants, match_scheme_of, played, scheme_of, standings_by
from events.standings.team_standings import matches_played, player_records, team_entrants
from events.tournament.figures import Entrant
from events.tournament.pairing.history import Past
from events.tournament.pairing.seats import AvoidClubs, Rules, rules_of_event
from events.tournament.pairing.tables import block_of
from events.tournament.ranking import Row, ranking_rows
from events.tournament.records import past_of
from events.tournament.team_ranking import team_ranking_rows, team_results
from languages.words import gettext, ngettext
from models.event import Event, EventState, KeptWhen, Round, RoundKind, RoundState
from models.play import Player, PlayerState
from validators.scenario import Scenario, Score

Plan = tuple[tuple[RoundKind, int | None], ...]
"""The kinds of rounds, each with the size of its bracket in a knockout."""


@dataclass(frozen=True)
class Earlier:
    """The field of a round, and what its draw counts of the rounds before. In a team event the ids are of teams."""

    here: Mapping[str, int | None]
    """The ids to draw, each with its fixed table or block of tables."""
    entrants: Sequence[Entrant]
    """Those to draw, and those who left."""
    past: tuple[Past, ...]
    ranks: Mapping[str, int]
    """The ranks in the standings; empty if the draw needs none."""


@dataclass(frozen=True)
class Picture:
    """Everything on which the draw of a round depends."""

    event: Event
    players: Sequence[Player]
    """All players, dropped ones too."""
    views: Sequence[RoundView]
    """All rounds, planned ones too."""
    number: int
    """The round to draw."""
    scenarios: Mapping[str, Scenario]
    """All scenarios of the event, by id."""
    rules: Rules
    earlier: Earlier
    cut: Sequence[Row] | None
    """The standings that seed a cut; None except before its first round."""
    plan: Plan = ()
    """The rounds from this one on, as the format plans them; () if they stay as they are."""

    @property
    def view(self) -> RoundView:
        """The round to draw, with the games of its earlier draw."""
        return self.views[self.number - 1]

    @property
    def round(self) -> Round:
        """The row of the round to draw."""
        return self.view.round

    @property
    def kind(self) -> tuple[RoundKind, int | None]:
        """The kind of the round, and the size of its bracket."""
        return self.plan[0] if self.plan else (self.round.kind, self.round.bracket)


def picture_to_draw(s: Session, event: Event, number: int) -> Picture:
    """The picture of a round that can be drawn now. Raises Refused if it cannot."""
    scenarios = scenarios_of(s, event)
    views, players = round_views(s, event, scenarios), players_of(s, event)
    if reason := why_not_drawn(event, players, views, number):
        raise Refused(reason)
    return picture_of(s, event, players, views, number, scenarios)


def picture_of(
    s: Session,
    event: Event,
    players: Sequence[Player],
    views: Sequence[RoundView],
    number: int,
    scenarios: Mapping[str, Scenario],
) -> Picture:
    """The picture of a round of this event with these, all its players, rounds and scenarios."""
    rules = rules_of(event, number)
    ranked = number > 1 and rules.method != "random"
    is_cut = follows_rounds(views[number - 1].round, views)
    cut = standings_by(s, event, views[: number - 1], players) if is_cut else None
    earlier = (_of_teams if is_team_event(event) else _of_players)(event, players, views, number, ranked=ranked)
    return Picture(event, players, views, number, scenarios, rules, earlier, cut)


def _of_players(
    event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int, *, ranked: bool
) -> Earlier:
    scheme, results = scheme_of(event), played(event, views, number - 1, every_bye=True)
    present = {str(player.id) for player in players if player.state == PlayerState.CHECKED_IN}
    field = _entered(entrants(event, players, last=number - 1), present, number)
    still_open = [
        Past(view.round.number, "open", str(game.a_id), str(game.b_id), table=game.table_number,
             scenario=None if (scenario := view.scenario_at(game)) is None else scenario.id)
        for view in views[: number - 1]
        for game in view.games
        if game.b_id is not None and result_of(event, view.round.number, view.scenario_at(game), game) is None
    ]  # fmt: skip
    ranks = {row.id: row.rank for row in ranking_rows(results, field, scheme)} if ranked else {}
    here = {str(player.id): player.fixed_table for player in players_to_draw(players, number)}
    return Earlier(here, field, past_of(results, field, scheme, number, still_open), ranks)


def _of_teams(
    event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int, *, ranked: bool
) -> Earlier:
    here: dict[str, int | None] = {}
    for team in playing(views[0].teams, players):  # with several players at fixed tables, the lowest board's counts
        tables = [one.fixed_table for one in checked_in_by_board(players, team) if one.fixed_table is not None]
        here[seat_id(team.id)] = block_of(tables[0], event.team_size) if tables else None
    scheme, book = match_scheme_of(event), player_records(event, players, views, number - 1)
    matches = matches_played(views, number - 1)
    field = _entered(team_entrants(event, views[0].teams, number - 1), here, number)
    ranks = {row.id: row.rank for row in team_ranking_rows(matches, field, book, scheme)} if ranked else {}
    return Earlier(here, field, past_of(team_results(matches, book)[0], field, scheme, number), ranks)


def _entered(field: Sequence[Entrant], present: Container[str], number: int) -> list[Entrant]:
    """The entrants, of whom those present have entered by round ``number``."""
    return [replace(one, entered_round=min(one.entered_round, number)) if one.id in present else one for one in field]


def rules_of(event: Event, number: int) -> Rules:
    """The rules of this round's draw."""
    ways: dict[str, AvoidClubs] = {"first_round": "first_round", "always": "always", "never": "never"}
    apart = tuple(
        (str(pair.a_id), str(pair.b_id))
        for pair in event.kept_apart
        if event.team_size == 1 and (number == 1 or pair.when == KeptWhen.ALWAYS)
    )
    chosen = rules_of_event(event.draw_rules)
    return replace(chosen, avoid_clubs=ways[event.avoid_clubs.value], keep_apart=apart)


def why_not_drawn(event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int) -> str:
    """Why this round cannot be drawn now, in a sentence; "" if it can."""
    if event.state == EventState.FINISHED:
        return gettext("This event is over.")
    if (event.season or {}).get("kind", "rounds") != "rounds" and not knockout_views(views):
        return gettext("In this season players challenge each other: no round is drawn.")
    if number > len(views):
        return ngettext(
            "This event has %(num)s round; more can be planned in the settings.",
            "This event has %(num)s rounds; more can be planned in the settings.",
            len(views),
        )
    if views[number - 1].round.state == RoundState.PUBLISHED:
        return gettext("Round %(number)s is published already.", number=number)
    together = views[number - 1].stage.opens_together
    before = next((v for v in views[: number - 1] if not (v.complete or (together and v.state == "playing"))), None)
    if before is not None:
        state = before.round.state
        if state == RoundState.PUBLISHED:
            if before.tied:
                return ngettext(
                    "Round %(round)s is not complete yet: %(num)s game has no winner.",
                    "Round %(round)s is not complete yet: %(num)s games have no winner.",
                    before.open_games,
                    round=before.round.number,
                )
            return ngettext(
                "Round %(round)s is not complete yet: %(num)s game has no result.",
                "Round %(round)s is not complete yet: %(num)s games have no result.",
                before.open_games,
                round=before.round.number,
            )
        if state == RoundState.DRAWN:
            return gettext("Round %(number)s is drawn but not published yet.", number=before.round.number)
        return gettext("Round %(number)s is not drawn yet.", number=before.round.number)
    if is_team_event(event) and len(playing(views[0].teams, players)) < 2:
        return gettext("At least two teams must have a player checked in before a round can be drawn.")
    if len(players_to_draw(players, number)) < 2:
        return gettext("At least two players must be checked in before a round can be drawn.")
    return ""


def scores_of(event: Event, view: RoundView) -> dict[int, Score]:
    """The scores of a round's games by game id, without games that have none."""
    scores = {g.id: score_of(event, view.round.number, view.scenario_at(g), g) for g in view.games}
    return {id_: score for id_, score in scores.items() if score is not None}


def scenarios_by_game(view: RoundView) -> dict[int, Scenario]:
    """The scenarios of a round's games by game id."""
    return {g.id: scenario for g in view.games if (scenario := view.scenario_at(g))}
