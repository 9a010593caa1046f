"""The pages of a campaign: set up at the desk, steps taken on a phone, groups read by other players."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from events.seasons import campaign_actions as campaigns
from events.seasons import league_actions as leagues
from events.setup import actions as setup_actions
from events.setup.campaign_choice import set_campaign
from events.setup.pairing_forms import set_season
from events.tournament.season import Season
from models.campaign import CampaignStep
from models.event import Event
from models.play import Game, Player
from models.settings import EventFormat, ListsInPlay, ListsShown
from models.staff import Role
from tests.kit.formats import formed
from tests.kit.people import let_in
from tests.kit.person import PREVIEW, Enter, Person
from tests.kit.stage import Stage
from tests.seasons.earning import EARNING, earning, list_of, playing, season_of

__all__ = ["earning"]
pytestmark = pytest.mark.usefixtures("earning")
AT = "/e/iron-open"


Start = Callable[..., tuple[Event, list[Person]]]


@pytest.fixture
def start(stage: Stage, enter: Enter) -> Start:
    """Make an event a campaign of these players with round 1 published; gives the event and the players' browsers."""

    def make(*names: str, **changed: Any) -> tuple[Event, list[Person]]:
        event = stage.event(**changed)
        people = enter(event, *(names or ("Ada", "Bo")))
        season_of(stage, event, settings={"start": "20"})
        return event, people

    return make


def test_season_is_made_a_campaign_at_the_desk(stage: Stage, enter: Enter, olga: Person) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    enter(event, "Ada", "Bo")
    page = olga.open(f"{AT}/desk/settings/event")
    assert "The season ends on" not in page.text
    assert page.soup.select(f"a[href='{AT}/desk/settings/season']")
    page = olga.open(f"{AT}/desk/settings/season")
    assert "Save the days for each round first" in page.part("#season")
    stage.do(event, set_season, Season(days=7))
    for player in stage.all(Player):
        list_of(stage, event, player)
    assert "The season ends on" in olga.open(f"{AT}/desk/settings/event").text
    olga.open(f"{AT}/desk/settings/season")
    assert olga.page.soup.select(f"#season a[href='{AT}/desk/campaign']")
    olga.open(f"{AT}/desk/campaign")
    assert "Page 2 says 10. By default: 10 Caps." in olga.page.text
    assert "This season is not a campaign yet." in olga.page.part("main header")
    page = olga.press("Make this season a campaign", **{"set-start": "20"})
    assert page.flashes == "The season is a campaign now. Next, players hand in their lists."
    assert "This season is a campaign." in page.part("main header")
    stage.refuse("end that first", event, set_season, None)
    olga.press("No campaign")
    assert stage.now(event).campaign is None
    olga.press("Make this season a campaign", **{"set-start": "20"})
    olga.press("Draw another map")
    stage.do(event, leagues.draw_season, 7)
    assert "Map 3" in olga.open(f"{AT}/campaign").part("#map"), "each map is counted, also after “No campaign”"
    assert olga.page.rows("#groups")[0][:2] == ["Ada", "20"]


def test_start_names_who_has_no_group_and_the_desk_can_give_one(
    stage: Stage, enter: Enter, olga: Person, visitor: Person
) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    enter(event, "Ada", "Bo", "Cy")
    stage.do(event, set_season, Season(days=7))
    stage.do(event, set_campaign, {}, 4)
    assert olga.open(f"{AT}/desk").soup.select(f".tabs a[href='{AT}/campaign']"), "before round 1 too"
    assert visitor.open(AT).soup.select(f".tabs a[href='{AT}/campaign']")
    ada, bo, cy = stage.all(Player)
    list_of(stage, event, ada)
    list_of(stage, event, cy)
    page = olga.open(f"{AT}/desk")
    none = "No group without a legal list: Bo. You can give one after the start."
    assert "No list: Bo." in page.text
    assert none in page.text
    (button,) = page.soup.select("form[action$='/season/draw'] [data-confirm]")
    assert none in str(button["data-confirm"])
    stage.draw(event, 1)
    for address in (f"{AT}/desk", f"{AT}/desk/rounds/1"):
        asked = [
            str(entry["data-confirm"]) for entry in olga.open(address).soup.select("form[action$='/publish'] button")
        ]
        assert asked and all(none in one for one in asked), address
        assert none not in olga.page.part(".next-text"), "a note of its own"
    stage.do(event, leagues.draw_season, 7)
    page = olga.open(f"{AT}/desk")
    assert "Without a group: Bo." in page.text
    assert page.soup.select(f"a[href='{AT}/desk/campaign#no-group']")
    page = olga.open(f"{AT}/desk/campaign")
    assert page.soup.select(f"#no-group a[href='{AT}/desk/lists/{bo.id}#lock']")
    list_of(stage, event, bo)
    assert "Without a group" not in olga.open(f"{AT}/desk").text


def begun(stage: Stage, event: Event, ada: Person) -> Game:
    """The only game of round 1, which its player A has won, and after which Ada has begun her steps."""
    (game,) = stage.games(event, 1)
    stage.decide(event, game, 3, 1)
    ada.open(f"{AT}/me/campaign")
    ada.press("Begin the steps")
    return game


def field_of(person: Person, key: str) -> str:
    """The name of the first field on the page for this question of a step."""
    return str(person.page.soup.select_one(f"[name$='-{key}']")["name"])  # type: ignore[index]


def test_typed_answers_of_a_step_are_kept_until_they_are_recorded(stage: Stage, start: Start) -> None:
    event, (ada, _) = start()
    begun(stage, event, ada)
    places, caps = field_of(ada, "places"), field_of(ada, "caps")
    ada.press("Type what we rolled", **{places: "1", caps: "7"})
    page = ada.press("Save the dice", **{"die-0": "4"})
    assert (page.value(places), page.value(caps)) == ("1", "7"), "one is recorded, the other is kept"
    page = ada.press("Next phase")
    assert (page.part("h1"), page.value(caps)) == ("Income", "7")
    assert page.flashes == "Not recorded yet: Gift. Record your entries there or clear them, then go on."
    page = ada.press("Undo the last step")
    assert (page.value(places), page.value(caps)) == ("1", "7")
    page = ada.press("Give", **{caps: "many", places: "2"})
    assert (page.status, page.value(places), page.value(caps)) == (422, "2", "many")
    ada.press("Type what we rolled")
    page = ada.press("Save the dice", **{"die-0": "5"})
    page = ada.press("Save the dice", **{"die-0": "3"})
    assert (page.part("h1"), page.value(caps)) == ("Income", "many")
    page = ada.press("Record nothing", **{caps: "6"})
    assert (page.value(caps), len(stage.all(CampaignStep, kind="give"))) == ("6", 0)
    ada.press("Next phase", **{caps: ""})
    assert ada.page.part("h1") == "Rest"


def test_campaign_is_played_by_its_pages_from_founding_to_a_correction(
    stage: Stage, olga: Person, visitor: Person, start: Start
) -> None:
    event, (ada, bo) = start()
    page = ada.open(f"{AT}/campaign")
    assert [row[0] for row in page.rows("#groups")] == ["Ada", "Bo"], "the first request founds the groups"
    assert "Your next game: by" in page.part("#next-games")
    (game,) = stage.games(event, 1)
    winner, loser = (ada, bo) if stage.name(game.a_id) == "Ada" else (bo, ada)
    name = stage.name(game.a_id)
    stage.decide(event, game, 3, 1)

    next_steps = f"Next: the steps after your game against {stage.name(game.b_id)}"
    page = winner.open(f"{AT}/me")
    assert [one.get_text().strip() for one in page.soup.select(".primary")] == [next_steps]
    page = winner.press(next_steps)
    assert (page.path, page.part("h1")) == (f"{AT}/me/campaign", "Income")
    assert "Phase 1 of 2 · next: Rest" in page.part("main header")
    assert [one.get("aria-current") for one in page.soup.select(".phases > li")] == ["step", None]
    assert (
        visitor.open(f"{AT}/campaign").part("main header .lede")
        == "The games are fought; now the groups take their steps."
    )
    assert visitor.page.part("#leads b") == stage.name(game.a_id)
    group = f"{AT}/campaign/groups/{game.a_id}"
    assert "Income, 1 of 2" in visitor.open(group).part(".profile")
    assert "at step 1 of 2" in visitor.open(f"{AT}/campaign").part("#groups")
    assert "The game was a win." in page.part("#done")
    assert "25 Caps" in page.part("main header")

    page = winner.press("Type what we rolled", inside=".offer", **{field_of(winner, "places"): "2"})
    assert page.part("h1") == "Caps found at place 1: roll 1D6"
    assert page.response.request.method == "GET", "the browser’s Back asks for nothing"
    page = winner.press("Save the dice", **{"die-0": "9"})
    assert (page.value("die-0"), page.error_at("die-0")) == ("9", "Caps found at place 1: a D6 shows 1 to 6.")
    assert page.response.request.method == "GET", "Back does not send refused dice again"
    page = winner.press("Save the dice", **{"die-0": "5"})
    assert (page.response.request.method, page.part("h1")) == ("GET", "Caps found at place 2: roll 1D6")
    assert "Caps found at place 1: D6 5" in page.part("main header")
    page = winner.press("Save the dice", **{"die-0": ""})
    assert page.error_at("die-0") == "Enter every die."
    page = winner.press("Save the dice", **{"die-0": "3"})
    assert (page.status, page.flashes) == (200, "Found 8 Caps.")
    assert "Caps found at place 2: D6 3" in page.part("#done")

    page = winner.press("Undo the last step")
    assert "Found 8 Caps." not in page.part("#done")
    page = winner.press("Roll: roll 1D6 for each place for me", **{field_of(winner, "places"): "1"})
    (step,) = stage.all(CampaignStep, kind="earn")
    assert (step.typed, len(step.rolls)) == (False, 1)
    rolled = step.seed, step.rolls
    page = winner.press("Undo the last step")
    assert page.flashes == "Set aside. Its dice were seen: redo it as it was."
    page = winner.press("Redo them in order")
    (again,) = stage.all(CampaignStep, kind="earn")
    assert (again.seed, again.rolls) == rolled, "undoing a roll gives no other dice"
    assert "taken again after a seen roll" in page.part("#done")
    page = winner.press("Give", **{field_of(winner, "caps"): "50"})
    assert page.status == 422
    assert "too few Caps" in page.part(".errors"), "the page begins with it, the offer may be far below"
    winner.press("Next phase", **{field_of(winner, "caps"): ""})
    assert winner.page.part("h1") == "Rest"
    winner.press("Buy for 3 Caps")
    page = winner.press("Close")
    assert page.path == f"{AT}/campaign/groups/{game.a_id}"
    assert page.rows("#ledger table")[0] == ["1" if name == "Ada" else "2", "Caps", "Start", "+20", "20"]
    assert page.rows("#ledger table")[-1][1:] == ["Knife", "Bought", "+1", "1"]
    assert "Bought a knife." in page.part("#history")
    assert page.soup.select("#history summary bdi"), "a long name of one word breaks"
    assert "Bought a knife." in page.part("#history .told")
    assert "Old Longfellow Grunt · Died in round 1" in page.part("#members")

    page = visitor.open(f"{AT}/campaign")
    assert page.part("#battles li").startswith(f"W {name} beat L {stage.name(game.b_id)}")
    assert "Old Longfellow" in page.part("#fallen")
    assert len(page.soup.select("#map .seg-fill, #map .land-free")) == 4
    assert page.rows("#map table")[0] == ["1", "Place 0", stage.one(Player, id=1).name, "Water"]
    assert f"{stage.one(Player, id=1).name} 1" in page.part("#map .key")
    assert "Nick" in page.text
    assert visitor.open(f"{AT}/campaign/groups/{game.b_id}").status == 200
    assert visitor.ask("GET", f"{AT}/me/campaign").status_code == 403

    page = olga.open(f"{AT}/campaign")
    open_steps = f"{AT}/desk/campaign/{game.b_id}"
    assert [entry["href"] for entry in page.soup.select("#groups td a[href*='/desk/']")] == [open_steps]
    assert "All rounds are complete" in olga.open(f"{AT}/desk").text
    still = f"1 group has open steps: {stage.name(game.b_id)} (not begun)."
    warning = f"{still} None can be taken once the campaign is closed."
    assert f"{still} See the groups" in olga.page.text
    (button,) = olga.page.soup.select("form[action$='/finish'] [data-confirm]")
    assert str(button["data-confirm"]).startswith(warning)
    olga.open(open_steps)
    assert olga.press("Begin the steps").path == open_steps
    olga.press("Next phase")
    olga.press("Close")
    assert "All steps are closed" in loser.open(f"{AT}/me/campaign").text
    assert loser.open(f"{AT}/me/campaign?typed=o1&rolled=3").flashes == "This step is not possible any more."
    olga.open(f"{AT}/desk/games/{game.id}")
    changes = olga.press(PREVIEW, **{"a.objectives": "1", "b.objectives": "3"}).part("#look")
    assert "Ada and Bo took steps after this game: they stay as they are and count the old result." in changes
    stage.decide(event, stage.now(game), 1, 3)
    warning = "Steps of Ada and Bo count a result that was corrected later. Rule on the difference or open them again."
    assert warning in olga.open(f"{AT}/desk").text
    assert "the steps count a win" in olga.open(f"{AT}/desk/campaign").part("#differ")
    stage.decide(event, stage.now(game), 2, 2)
    olga.open(f"{AT}/desk/games/{game.id}")
    changes = olga.press("Preview the changes", **{"a.objectives": "1", "b.objectives": "1"}).part("#look")
    assert "Ada and Bo took steps after this game" in changes, "the figures of a draw can count in steps"


def test_form_sent_twice_takes_one_step(stage: Stage, start: Start) -> None:
    event, (ada, _) = start()
    begun(stage, event, ada)
    before = ada.page
    assert ada.press("Type what we rolled").part("h1") == "Caps found at place 1: roll 1D6", "of figures as offered"
    ada.page = before
    ada.press("Roll: roll 1D6 for each place for me")
    ada.page = before
    ada.press("Roll: roll 1D6 for each place for me")
    assert len(stage.all(CampaignStep, kind="earn")) == 1
    ada.page = before
    ada.forge("Roll: roll 1D6 for each place for me", key="another-key-of-24-letters")
    assert "Another step was taken meanwhile" in ada.page.text
    ada.forge("Next phase", seen="1")
    assert "Another step was taken meanwhile" in ada.page.text
    assert len(stage.all(CampaignStep, kind="next")) == 0


def test_page_reports_a_step_from_another_device_and_a_corrected_result(stage: Stage, start: Start) -> None:
    event, (ada, _) = start()
    game = begun(stage, event, ada)
    before = ada.page
    ada.press("Next phase")
    ada.page = before
    page = ada.press("Give", **{field_of(ada, "caps"): "3"})
    assert page.flashes == (
        "This step was already taken, perhaps on another device: press the button of a step that is possible now."
    )
    stage.decide(event, stage.now(game), 1, 3)
    result = "loss" if stage.name(game.a_id) == "Ada" else "win"
    assert f"since these steps began: it is a {result} now." in ada.open(f"{AT}/me/campaign").part("main header")
    for _ in range(2):
        ada.press("Undo the last step")
    page = ada.press("Begin the steps")
    assert "these steps began" not in page.text
    assert f"After round 1: {result} against" in page.part("main header")


def test_groups_of_hidden_lists_are_visible_only_to_owner_desk_and_perhaps_opponents(
    stage: Stage, olga: Person, visitor: Person, start: Start
) -> None:
    event, (ada, bo) = start(lists_shown=ListsShown.AFTER_EVENT)
    for in_play, ratings, status in (
        (ListsInPlay.STAFF, ["20", "secret"], 403),
        (ListsInPlay.OPPONENTS, ["20", "20"], 200),
    ):
        stage.set(event, lists_in_play=in_play)
        assert [row[1] for row in ada.open(f"{AT}/campaign").rows("#groups")] == ratings
        assert [row[1] for row in visitor.open(f"{AT}/campaign").rows("#groups")] == ["secret", "secret"]
        assert "Longfellow" not in visitor.page.text
        assert [who.open(f"{AT}/campaign/groups/2").status for who in (bo, ada, olga)] == [200, status, 200]


def test_judge_takes_steps_for_a_player_and_scorekeeper_does_not(stage: Stage, olga: Person, start: Start) -> None:
    event, _ = start()
    bo_id = stage.one(Player, name="Bo").id
    for role, status in ((Role.JUDGE, 200), (Role.SCOREKEEPER, 403)):
        staff = let_in(olga.http.application, stage.hire(event, f"The {role}", role))
        assert staff.open(f"{AT}/desk/campaign/{bo_id}").status == status
        assert staff.open(f"{AT}/desk/campaign").status == 200


def test_event_without_a_campaign_has_no_campaign_pages_and_takes_no_steps(stage: Stage, olga: Person) -> None:
    event = stage.event(players=["Ada"])
    for page in ("campaign", "desk/campaign", "campaign/groups/1"):
        assert olga.open(f"{AT}/{page}").status == 404, page
    stage.refuse("No campaign is being played", event, campaigns.begin_steps, stage.one(Player, name="Ada"))


def test_desk_founds_a_group_again_from_its_changed_list(stage: Stage, olga: Person, start: Start) -> None:
    event, _ = start()
    olga.open(f"{AT}/desk/campaign")
    before = [one.data for one in stage.all(CampaignStep)]
    list_of(stage, event, stage.one(Player, name="Bo"), seed=8)
    assert "Bo" in olga.open(f"{AT}/desk/campaign").part("#again")
    olga.press("Found these groups again")
    assert [one.data for one in stage.all(CampaignStep)] != before
    assert olga.page.part("#again") == ""


def test_steps_of_other_rules_are_reported_as_unreadable(stage: Stage, olga: Person, start: Start) -> None:
    _, (_, bo) = start()
    assert olga.open(f"{AT}/campaign").status == 200
    stage.s.rollback()
    with stage.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE campaign_step SET kind = 'conjure' WHERE number = 2")
    page = olga.open(f"{AT}/campaign")
    assert page.status == 422
    assert "This version of Overseer cannot read step 2, which was taken with the campaign’s rules" in page.text
    assert "Organiser: ask the operator to run the version of Overseer" in page.text
    with playing(replace(EARNING, version=2)):
        assert "step 2, which was taken with version 1 of the campaign’s rules" in olga.open(f"{AT}/campaign").text
        assert bo.open(f"{AT}/me").status == 200
    assert olga.open(f"{AT}/rounds/1").status == 200


def test_open_steps_are_shown_before_the_next_game(app: Flask, stage: Stage, olga: Person, start: Start) -> None:
    event, (ada, *_) = start("Ada", "Bo", "Cy")
    ada.open(f"{AT}/campaign")
    own = stage.one(Player, name="Ada").id
    first, second = [game for game in stage.all(Game) if own in (game.a_id, game.b_id) and game.b_id]
    assert olga.open(f"{AT}/desk").part("#ready-steps") == ""
    stage.decide(event, first, 3, 1)
    winner, other = (stage.one(Player, id=id_) for id_ in (first.a_id, first.b_id))
    page = olga.open(f"{AT}/desk")
    assert "2 groups have open steps: " in page.text
    assert "See the groups" in page.text
    helper = let_in(app, stage.hire(event, "Door", Role.CHECK_IN))
    assert "See the groups" not in helper.open(f"{AT}/desk").text, "its page is for those who enter results"
    page = olga.open(f"{AT}/desk/ready/steps")
    assert f"after the game against {other.name}" in page.text
    assert page.soup.select(f"a[href='{AT}/desk/campaign/{other.id}']")
    assert "underdog" not in olga.open(f"{AT}/campaign").part("#next-games"), "all ratings are 20"
    stage.do(event, campaigns.begin_steps, winner)
    next_games = olga.open(f"{AT}/campaign").part("#next-games")
    assert next_games.count(" is the underdog by 5") == 1, "only one of the next games is the winner’s"
    assert f"{winner.name} is the underdog" not in next_games
    assert "Your group’s steps are open. Close them before you play." in ada.open(f"{AT}/me/game?game={second.id}").text
    page = olga.open(f"{AT}/desk/games/{second.id}")
    assert "The steps of Ada are open: the group plays without what they change." in page.text
    assert "Take them" in page.text
    assert "The steps of" not in olga.open(f"{AT}/desk/games/{first.id}").text, "it is decided"


def test_steps_that_stayed_open_when_the_event_was_closed_are_offered_nowhere(
    stage: Stage, olga: Person, start: Start
) -> None:
    event, (ada, bo) = start()
    game = begun(stage, event, ada)
    group = f"campaign/groups/{stage.one(Player, name='Ada').id}"
    before = ada.page
    stage.do(event, setup_actions.finish)
    ada.page = before
    assert "This event is over." in ada.press("Next phase").text
    other = stage.name(game.b_id if stage.name(game.a_id) == "Ada" else game.a_id)
    said = f"The steps after the game against {other} stayed open when the event was closed."
    for who, pages in ((ada, ("campaign", "me", "me/campaign", group)), (bo, ("campaign", "me", "me/campaign"))):
        for path in pages:
            page = who.open(f"{AT}/{path}")
            assert page.status == 200
            assert "Next: the steps" not in page.text, path
            assert "Begin the steps" not in page.text, path
            assert not page.soup.select("main form[action*='/me/campaign']"), path
    assert said in ada.open(f"{AT}/me/campaign").text
    assert not ada.page.soup.select("#offers")
    assert "stayed open when the event was closed." in bo.open(f"{AT}/me/campaign").text
    assert said in ada.open(f"{AT}/campaign").part("main header")
    assert [row[3] for row in ada.page.rows("#groups")] == ["stayed open", "stayed open"]
    assert ada.page.part(".podium-board .winner-name") == stage.name(game.a_id), (
        "a campaign that is over begins with its winner"
    )
    for name in ("Ada", "Bo"):
        marks = ada.page.soup.select(".podium .av:has(svg), #groups .av:has(svg)")
        hues = {str(mark["class"]) for mark in marks if mark.text.strip() == name[:2].upper()}
        assert len(hues) == 1, "a group has one mark on all of the page"
    page = olga.open(f"{AT}/desk/campaign/{stage.one(Player, name='Bo').id}")
    assert "stayed open when the event was closed." in page.text
    assert not page.soup.select("main .primary")
