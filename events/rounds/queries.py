"""The picture of a round before its draw, loaded once; and the scores and scenarios of a round's games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from events.rounds.byes import players_to_draw
from events.standings.queries import figures_of_players, standings_of
from events.store.errors import Refused
from events.store.players import has_check_in
from events.store.rounds import RoundView, round_views
from events.store.scenarios import scenarios_of
from events.store.team_queries import checked_in_by_board, playing, seat_id
from events.store.tournaments import Loaded
from events.tournament.figures import Entrant
from events.tournament.pairing.history import Past
from events.tournament.pairing.seats import AvoidClubs, Rules, rules_of_event
from events.tournament.pairing.tables import block_of
from events.tournament.ranking import Row
from events.tournament.records import past_of
from events.tournament.standings import Standings
from languages.words import gettext, ngettext
from models.event import Event, EventState, KeptWhen, Round, RoundKind
from models.parts import load_parts
from models.play import Player
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

    loaded: Loaded
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
    def event(self) -> Event:
        return self.loaded.event

    @property
    def players(self) -> Sequence[Player]:
        """All players, dropped ones too."""
        return self.loaded.players

    @property
    def views(self) -> Sequence[RoundView]:
        """All rounds, planned ones too."""
        return self.loaded.views

    @property
    def view(self) -> RoundView:
        """The round to draw, with the games of its earlier draw."""
        return self.views[self.number - 1]

    @property
    def round(self) -> Round:
        return self.view.round

    @property
    def kind(self) -> tuple[RoundKind, int | None]:
        """The kind of the round, and the size of its bracket."""
        return self.plan[0] if self.plan else (self.round.kind, self.round.bracket)


def picture_to_draw(event: Event, number: int) -> Picture:
    """The picture of a round that can be drawn now. Raises Refused if it cannot."""
    scenarios = scenarios_of(event)
    views = round_views(event, scenarios)
    loaded = Loaded(event, event.players, views)
    if reason := why_not_drawn(loaded, number):
        raise Refused(reason)
    return picture_of(loaded, number, scenarios)


def picture_of(loaded: Loaded, number: int, scenarios: Mapping[str, Scenario]) -> Picture:
    """The picture of a round of this event with its ``scenarios``."""
    event, t, rules = loaded.event, loaded.t, rules_of(loaded.event, number)
    load_parts([loaded.views[number - 1].round], "draw")
    cut = standings_of(event, t, loaded.players).of_players(number - 1) if t.is_cut(number) else None
    ranked = number > 1 and rules.method != "random"
    return Picture(loaded, number, scenarios, rules, _earlier(loaded, number, ranked=ranked), cut)


def _earlier(loaded: Loaded, number: int, *, ranked: bool) -> Earlier:
    t, after = loaded.t, number - 1
    table = Standings(t, {} if t.rules.teams else figures_of_players(loaded.event, loaded.players))
    field = [
        replace(entrant, entered_round=min(entrant.entered_round, number)) if t.sides[entrant.id].plays else entrant
        for entrant in table.entrants_to_draw(after)
    ]
    still_open = [
        Past(board.round, "open", board.a, board.b, table=board.table,
             scenario=None if board.scenario is None else board.scenario.id)
        for round_ in t.rounds[: 0 if t.rules.teams else after]
        for board in round_.boards
        if board.b is not None and board.result is None
    ]  # fmt: skip
    scheme = t.rules.match_scheme if t.rules.teams else t.rules.scheme
    ranks = {row.id: row.rank for row in table.ranked_to_draw(field, after)} if ranked else {}
    return Earlier(
        _here(loaded, number), field, past_of(t.side_results(after), field, scheme, number, still_open), ranks
    )


def _here(loaded: Loaded, number: int) -> dict[str, int | None]:
    """The ids to draw, each with its fixed table; of teams, the block of the lowest board at a fixed table."""
    event, players = loaded.event, loaded.players
    if not loaded.t.rules.teams:
        return {str(player.id): player.fixed_table for player in players_to_draw(players, number)}
    here: dict[str, int | None] = {}
    for team in playing(loaded.views[0].teams, players):
        tables = [p.fixed_table for p in checked_in_by_board(players, team) if p.fixed_table is not None]
        here[seat_id(team.id)] = block_of(tables[0], event.team_size) if tables else None
    return here


def rules_of(event: Event, number: int) -> Rules:
    ways: dict[str, AvoidClubs] = {"first_round": "first_round", "always": "always", "never": "never"}
    apart = tuple(
        (str(pair.a_id), str(pair.b_id))
        for pair in event.kept_apart
        if event.team_size == 1 and (number == 1 or pair.when == KeptWhen.ALWAYS)
    )
    chosen = rules_of_event(event.draw_rules)
    return replace(chosen, avoid_clubs=ways[event.avoid_clubs.value], keep_apart=apart)


def why_not_drawn(loaded: Loaded, number: int) -> str:
    """Why this round cannot be drawn now, in a sentence; "" if it can."""
    event, t, players = loaded.event, loaded.t, loaded.players
    if event.state == EventState.FINISHED:
        return gettext("This event is over.")
    if t.rules.season and t.rules.season.by_challenge and not t.knockout:
        return gettext("In this season players challenge each other: no round is drawn.")
    if number > len(t.rounds):
        return ngettext(
            "This event has %(num)s round; more can be planned in the settings.",
            "This event has %(num)s rounds; more can be planned in the settings.",
            len(t.rounds),
        )
    if t.rounds[number - 1].state == "published":
        return gettext("Round %(number)s is published already.", number=number)
    together = t.rounds[number - 1].stage.opens_together
    earlier = t.rounds[: number - 1]
    before = next((r for r in earlier if not (r.complete or (together and r.state == "published"))), None)
    if before is not None:
        if before.state == "drawn":
            return gettext("Round %(number)s is drawn but not published yet.", number=before.number)
        if before.state == "planned":
            return gettext("Round %(number)s is not drawn yet.", number=before.number)
        if before.tied:
            return ngettext(
                "Round %(round)s is not complete yet: %(num)s game has no winner.",
                "Round %(round)s is not complete yet: %(num)s games have no winner.",
                before.open_games,
                round=before.number,
            )
        return ngettext(
            "Round %(round)s is not complete yet: %(num)s game has no result.",
            "Round %(round)s is not complete yet: %(num)s games have no result.",
            before.open_games,
            round=before.number,
        )
    if t.rules.teams and len(playing(loaded.views[0].teams, players)) < 2:
        return gettext("At least two teams must have a player checked in before a round can be drawn.")
    if t.bracket(number - 1) is not None:
        return "" if t.in_bracket(number - 1) else gettext("Nobody is left to play in the knockout: close the event.")
    if len(players_to_draw(players, number)) < 2:
        if not has_check_in(event):
            return gettext("At least two players must be signed up before the season starts.")
        return gettext("At least two players must be checked in before a round can be drawn.")
    return ""


def scores_of(view: RoundView) -> dict[int, Score]:
    """The scores of a round's games by game id, without games that have none."""
    return {board.id: board.score for board in view.now.boards if board.score is not None}


def scenarios_by_game(view: RoundView) -> dict[int, Scenario]:
    return {g.id: scenario for g in view.games if (scenario := view.scenario_at(g))}
