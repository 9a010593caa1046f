"""The pages of no-shows, requested byes, stand-ins, drops and players kept apart."""

from collections.abc import Callable

import pytest

from events.registration.actions import drop, reinstate
from models.event import AskedBye, Event, KeptApart
from models.play import Absent, GameState, Player, PlayerState
from tests.kit.papers import texts
from tests.kit.person import Person
from tests.kit.stage import Stage

Enter = Callable[..., list[Person]]
EVENT = "/e/iron-open"
DESK = "/e/iron-open/desk"
NAMES = ("Ada", "Bo", "Cy", "Di", "Ed")


def page_of(stage: Stage, name: str) -> str:
    return f"{DESK}/players/{stage.one(Player, name=name).id}"


# ---- no-shows


def test_missed_round_is_shown_with_its_reason(enter: Enter, visitor: Person, stage: Stage, event: Event) -> None:
    people = dict(zip(NAMES, enter(event, *NAMES), strict=True))
    stage.play(event, 1)
    (late,) = enter(event, "Late")
    stage.do(event, drop, stage.one(Player, name="Ed"))
    stage.play(event, 2)
    stage.do(event, reinstate, stage.one(Player, name="Ed"))
    stage.play(event, 3)
    for person, number, why in ((late, 1, "Joined in round 2"), (people["Ed"], 2, "Had dropped out")):
        assert person.open(f"{EVENT}/me").rows("table.record")[number - 1][1:3] == [why, "Missed"]
    ed = visitor.open(f"{EVENT}/players/{stage.one(Player, name='Ed').id}").rows("table.cards")
    assert ["2", "", "Had dropped out", "", "missed"] in ed
    standings = visitor.open(f"{EVENT}/standings").text
    assert "missed round 1 (joined in round 2)" in standings and "missed round 2 (had dropped out)" in standings


def test_no_show_is_marked_shown_to_everybody_and_taken_back(
    enter: Enter, olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    people = dict(zip(NAMES[:4], enter(event, *NAMES[:4]), strict=True))
    game, other = stage.publish(event, 1)
    here, gone = stage.name(game.a_id), stage.name(game.b_id)
    olga.open(f"{DESK}/games/{game.id}")
    page = olga.press(f"{gone} did not come")
    assert "Undo it here" in page.flashes
    assert f"{gone} did not come: no points, and a win with the VP of a bye for {here} ." in page.part("#absent")
    assert stage.now(game).state == GameState.CONFIRMED
    own = people[here].open(f"{EVENT}/me").text
    assert own.count(f"Win: {gone} did not come") == 2, "by the game and in the record"
    assert f"Win: {gone} did not come . You have the VP of a bye." in own
    assert "You did not come . Come to the desk if you are here." in people[gone].open(f"{EVENT}/me").text
    assert f"{gone} did not come" in visitor.open(f"{EVENT}/rounds/1").part(".pairings")
    stage.decide(event, other, 3, 1)
    row = next(row for row in visitor.open(f"{EVENT}/standings").rows(".standings") if row[1] == here)
    assert row[4] == "win by no-show"
    assert "1 win by no-show × 3 = 3" in visitor.page.text
    assert f"Win: {gone} did not come" in visitor.open(f"{EVENT}/players/{game.a_id}").text
    assert visitor.open(f"{EVENT}/players/{game.b_id}").rows("table.cards")[0][-1] == f"{gone} did not come"
    olga.open(f"{DESK}/games/{game.id}")
    page = olga.press("Turned up after all")
    assert "Report a no-show" in page.part("#absent")
    assert stage.now(game).state == GameState.OPEN
    page = olga.press("Nobody came")
    assert ("Enter the result" in page.text, "Correct the result" in page.text) == (True, False)
    olga.press("Save", **{"a.objectives": "3", "b.objectives": "1"})
    assert (stage.now(game).absent, game.state) == (None, GameState.CONFIRMED)


def test_absent_players_can_be_dropped_at_once(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    first, second = stage.publish(event, 1)
    olga.open(f"{DESK}/games/{first.id}")
    olga.press("Nobody came", drops=True)
    olga.open(f"{DESK}/games/{second.id}")
    olga.press(f"{stage.name(second.a_id)} did not come", drops=True)
    dropped = {player.id for player in stage.all(Player) if player.state == PlayerState.DROPPED}
    assert dropped == {first.a_id, first.b_id, second.a_id}


def test_outdated_or_forged_no_show_is_refused(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    mine = olga.open(f"{DESK}/games/{game.id}")
    stage.decide(event, game, 3, 1)
    olga.page = mine
    assert "Another person has changed this game." in olga.press("Nobody came").flashes
    assert stage.now(game).absent is None
    for wrong in ("x", "9" * 30, "²", ""):
        olga.page = mine
        assert olga.forge("Nobody came", version=wrong).status == 404
    token = str(olga.open(f"{DESK}/games/{game.id}").value("csrf_token"))
    data = {"csrf_token": token, "version": "1", "who": "c"}
    assert olga.ask("POST", f"{DESK}/games/{game.id}/absent", data).status_code == 404


# ---- byes asked for


def test_requested_bye_is_shown_on_every_page_and_paper(
    enter: Enter, olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    people = dict(zip(NAMES, enter(event, *NAMES), strict=True))
    ed = stage.one(Player, name="Ed")
    olga.open(page_of(stage, "Ed"))
    for wrong in ("9", "one"):
        assert "Choose one of the event's rounds." in olga.forge("Miss round 1", number=wrong).flashes
    assert olga.press("Miss round 1").flashes == "Ed has a bye in round 1."
    assert olga.press("Play round 1").flashes == "Ed plays round 1."
    olga.press("Miss round 1")
    stage.play(event, 1)
    assert "Miss round 1" not in olga.open(page_of(stage, "Ed")).text, "that round is published"
    byes = [row for row in visitor.open(f"{EVENT}/rounds/1").rows(".pairings") if row[0] == "bye"]
    assert [row[-1] for row in byes] == ["asked for"]
    for worth in (AskedBye.WIN, AskedBye.DRAW, AskedBye.LOSS):
        with stage.changing(event):
            event.asked_bye = worth
        assert f"it counts as a {worth.value}" in olga.open(page_of(stage, "Ed")).part("#byes")
        assert f"{worth.value} (bye asked for)" in visitor.open(f"{EVENT}/players/{ed.id}").text
        assert f"a bye that you asked for as a {worth.value}" in visitor.open(EVENT).text
    for sheet in ("rounds/1/pairings.pdf", "rounds/1/pairings.pdf?order=name", "standings.pdf"):
        assert "bye asked for" in " ".join(texts(olga.open(f"{EVENT}/{sheet}"))).lower(), sheet
    stage.enter(event, "Flo", "Gus")
    olga.open(page_of(stage, "Ed"))
    olga.press("Miss round 2")
    stage.publish(event, 2)
    text = people["Ed"].open(f"{EVENT}/me").text
    assert "You asked for a bye in this round: it counts as a loss." in text


# ---- stand-ins, drops, marks


def test_player_is_dropped_now_or_after_the_round(
    enter: Enter, olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    people = dict(zip(NAMES[:4], enter(event, *NAMES[:4]), strict=True))
    first, second = stage.publish(event, 1)
    gone, here = stage.name(first.a_id), stage.name(first.b_id)
    olga.open(page_of(stage, gone))
    olga.press("Drop now")
    assert stage.now(first).absent == Absent.A
    assert f"{gone} dropped out" in visitor.open(f"{EVENT}/rounds/1").part(".pairings")
    assert f"Win: {gone} dropped out" in people[here].open(f"{EVENT}/me").text
    taken_back = f"The no-show at table {first.table_number} is then open again."
    assert taken_back in olga.open(f"{DESK}/rounds/1").part("#not-right")
    olga.open(page_of(stage, stage.name(second.a_id)))
    olga.press("Drop after round 1")
    leaver = people[stage.name(second.b_id)]
    leaver.open(f"{EVENT}/me")
    leaver.press("Drop from the event")
    assert stage.now(second).absent is None, "players who leave still play the current game"


def test_figures_for_painting_and_sportsmanship_count(olga: Person, stage: Stage, event: Event) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo")
    fields = {one.get("name") for one in olga.open(page_of(stage, "Ada")).soup.select("main input")}
    assert "fixed_table" in fields
    assert not fields & {"painting", "sportsmanship", "list_points_set"}, "this event uses none of them"
    olga.open(f"{DESK}/pairing")
    chosen = {"tie-breaks-tie_breaks-0": "painting", "tie-breaks-tie_breaks-1": "sportsmanship"}
    olga.press("Save", inside="#tie-breaks", **chosen)
    olga.open(page_of(stage, "Ada"))
    assert "Enter a number from 0 to 100." in olga.press("Save", sportsmanship="101").error_at("sportsmanship")
    olga.press("Save", painting="7", sportsmanship="3")
    assert (stage.now(ada).painting, ada.painting_by_hand) == (7, True)
    assert (ada.sportsmanship, ada.sportsmanship_by_hand) == (3, True)
    stage.play(event, 1, {player.id: 1 for player in stage.all(Player)})
    page = olga.open(f"{EVENT}/standings")
    assert page.rows(".standings")[0][1] == "Ada"
    assert "7 for painting, set by the organiser" in page.text


def test_worth_of_rounds_without_a_game_is_set_on_the_pairing_page(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(f"{DESK}/pairing")
    chosen = {"bye_vp": "7", "asked_bye": "win", "late_points": "1", "vp_cap": "12"}
    page = olga.press("Save", inside="#counting", **{f"counting-{name}": typed for name, typed in chosen.items()})
    assert page.flashes == "Rounds without a game: saved."
    stage.now(event)
    assert (event.bye_vp, event.asked_bye, event.late_points, event.vp_cap) == (7, AskedBye.WIN, 1, 12)
    olga.press("Save", inside="#counting", **{"counting-vp_cap": "", "counting-bye_vp": ""})
    assert (stage.now(event).bye_vp, event.vp_cap) == (None, None)
    assert stage.journal(event, "change-pairing")[0] == (
        "Changed what rounds without a game count for: “Victory points of a bye”, “A requested bye counts "
        "as”, “Late entry” from 0 to 1, “Limit of the VP difference”"
    )


# ---- kept apart


@pytest.mark.proves("attack 6")
def test_pair_is_kept_apart_and_may_meet_again(olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    ada, *_ = stage.enter(event, *NAMES[:4])
    olga.open(f"{DESK}/kept-apart")
    page = olga.press("Keep apart", one="Ada")
    assert (page.status, "Choose a player." in page.error_at("other")) == (422, True)
    page = olga.press("Keep apart", other="Ada", asked="one")
    assert "Choose two different players" in page.error_at("other")
    assert (page.value("one"), page.value("asked")) == (str(ada.id), "one")
    page = olga.press("Keep apart", one="Ada", other="Bo", when="always", asked="other")
    assert page.flashes == "They are kept apart from the next draw on."
    assert page.rows("table.cards") == [["Ada and Bo", "in every round", "Bo", "May meet"]]
    assert "1 pair" in olga.open(f"{DESK}/pairing").part("#draw")
    stage.draw(event, 1)
    assert not {frozenset(pair) for pair in stage.pairs(event, 1)} & {frozenset(("Ada", "Bo"))}
    assert visitor.ask("GET", f"{DESK}/kept-apart").status_code == 403
    assert "asked" not in " ".join(stage.journal(event, "keep-apart"))
    token = str(olga.open(f"{DESK}/kept-apart").value("csrf_token"))
    assert olga.ask("POST", f"{DESK}/kept-apart/{2**40}/remove", {"csrf_token": token}).status_code == 404
    assert olga.press("May meet").flashes == "They may meet again."
    assert stage.all(KeptApart) == []
