"""An event's page: its players, its files, and the rounds and the leader of a season."""

from tests.kit.formats import NAMES
from tests.kit.person import Person
from tests.kit.stage import Event, Stage
from tests.leagues.season import season_of

PAGE = "/e/iron-open"


def test_of_many_players_the_others_wait_in_a_fold(visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, *(f"Player {n:02}" for n in range(30)))
    assert not visitor.open(PAGE).soup.select("#all-players"), "thirty are not many"
    stage.enter(event, "One more")
    page = visitor.open(PAGE)
    shown, folded = page.soup.select(".people > li"), page.soup.select("#all-players .people > li")
    assert (len(shown), len(folded)) == (31, 7)
    assert page.part("#all-players summary") == "Show all 31"


def test_files_are_at_the_foot_and_the_draw_of_scenarios_is_said_once(visitor: Person, stage: Stage) -> None:
    stage.event(rounds=3, players=("Ada", "Bo"))
    page = visitor.open(PAGE)
    assert page.text.index("The pack") < page.text.index("Players as CSV")
    assert page.text.lower().count("drawn with the") == 1


def test_season_names_its_leader_and_rounds_to_come_have_no_state(visitor: Person, stage: Stage) -> None:
    event = season_of(stage, *NAMES[:6])
    page = visitor.open(PAGE)
    assert page.part("[data-poll-part=now] h2") == "The season is being played"
    states = [bool(one.select(".badge")) for one in page.soup.select(".weeks > li")]
    assert states == [True, False, False, False, False]
    one = next(game for game in stage.games(event, 1) if game.b_id)
    stage.decide(event, one, 3, 1)
    stage.clock.advance(seconds=15)
    assert visitor.open(PAGE).part("[data-poll-part=now] h2") == f"{stage.name(one.a_id)} leads with 3 points"
