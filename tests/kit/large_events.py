"""Events of 128 players, of each kind that has public pages of its own, to see what a page costs."""

from contextlib import suppress

from events.accounts import own_pages
from events.lists import actions as lists
from events.registration import actions as registration
from events.registration import team_actions
from events.results import actions as results
from events.results.actions import Claim
from events.seasons import league_actions as leagues
from events.setup import actions as setup
from events.setup.campaign_choice import set_campaign
from events.setup.circuit_forms import set_circuit
from events.setup.pairing_actions import set_teams
from events.setup.pairing_forms import set_season
from events.standings import awards, published_awards
from events.store.act import Act
from events.store.verdicts import terms_of
from events.tournament.circuit import Circuit
from events.tournament.season import Season
from models.event import Event
from models.play import Game, Player, ReportSide
from models.settings import BoardsMatched, EventFormat
from tests.kit.formats import formed
from tests.kit.stage import BY, Stage
from validators import SYSTEMS

PLAYERS, RATED = 128, 40
ROBIN = EventFormat.ROUND_ROBIN
ANSWERS = {"a.objectives": 3, "b.objectives": 1}
SERIES, SERIES_SLUG = "Iron Circuit", "iron-circuit"


def made(stage: Stage) -> list[Event]:
    """One that is over, one in its last round, one of teams, a knockout, a ladder and a campaign."""
    return [
        _over(stage),
        _running(stage),
        _teams(stage),
        _knockout(stage),
        _ladder(stage),
        _round_robin(stage),
        _campaign(stage),
    ]


def _over(stage: Stage) -> Event:
    event = stage.event("Iron Open", rounds=3, series=SERIES, convention=SERIES, painting_points=1)
    stage.do(event, set_circuit, Circuit((10, 7, 5)))
    _enter(stage, event, lists_too=True)
    for number in (1, 2, 3):
        _play(stage, event, number)
    stage.do(event, awards.add_usual)
    stage.do(event, published_awards.publish_awards)
    stage.do(event, setup.finish)
    for player in stage.all(Player, event_id=event.id)[:RATED]:
        person = own_pages.make_page(stage.s, player, stage.clock())
        person.shown, person.rated_since = True, stage.clock()
    stage.s.commit()
    return event


def _running(stage: Stage) -> Event:
    event = stage.event("Running", rounds=3, series=SERIES, convention=SERIES)
    _enter(stage, event, lists_too=True)
    for number in (1, 2):
        _play(stage, event, number)
    stage.publish(event, 3)
    return event


def _teams(stage: Stage) -> Event:
    event = stage.event("Teams", rounds=3)
    stage.do(event, set_teams, 4, BoardsMatched.ORDER, False)
    with stage.changing(event) as s:
        for number in range(PLAYERS):
            act = Act(s, event, BY, stage.clock())
            team_actions.enter_team(
                act, f"Player {number}", {"club": "Dustbowl"}, "", here=True, team=f"Team {number // 4}"
            )
    _play(stage, event, 1)
    stage.publish(event, 2)
    return event


def _knockout(stage: Stage) -> Event:
    event = formed(stage, of=stage.event("Knockout"), format=EventFormat.KNOCKOUT)
    _enter(stage, event)
    for number in (1, 2):
        _play(stage, event, number)
    return event


def _ladder(stage: Stage) -> Event:
    event = stage.event("Ladder")
    stage.do(event, set_season, Season(days=7, kind="ladder"))
    _enter(stage, event)
    return event


def _round_robin(stage: Stage) -> Event:
    """The largest one: an event has at most 20 rounds."""
    event = formed(stage, *(f"Player {number}" for number in range(20)), of=stage.event("Round robin"), format=ROBIN)
    stage.do(event, set_season, Season(days=7))
    stage.do(event, leagues.draw_season, 7)
    return event


def _campaign(stage: Stage) -> Event:
    event = stage.event("Campaign", rounds=2, game="fallout_warfare", size=800)
    stage.do(event, set_season, Season(days=7))
    stage.do(event, set_campaign, {}, 4)
    _enter(stage, event, lists_too=True)
    stage.publish(event, 1)
    return event


def _enter(stage: Stage, event: Event, *, lists_too: bool = False) -> None:
    system = SYSTEMS[event.system]
    with stage.changing(event) as s:
        act = Act(s, event, BY, stage.clock())
        terms = terms_of(event)
        documents = []
        for faction in terms.edition.factions if lists_too else ():
            with suppress(ValueError):  # some cannot field a list of this size
                documents.append(system.forces.sample(terms, faction, 1))
        for number in range(PLAYERS):
            player = registration.register(act, f"Player {number}", {"club": f"Club {number % 7}"}, "", here=True)
            if documents:
                lists.save_force(act, player, documents[number % len(documents)], by_organiser=True)
                lists.submit_force(act, player)


def _play(stage: Stage, event: Event, number: int) -> None:
    games = stage.publish(event, number)
    with stage.changing(event) as s:
        for game in games:
            if game.b_id is not None:
                claim = Claim(ReportSide.ORGANISER, ANSWERS, game.version, True)
                results.report(Act(s, event, BY, stage.clock()), s.get_one(Game, game.id), claim)
