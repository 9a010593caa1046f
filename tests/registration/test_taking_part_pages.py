"""No-shows, byes asked for, stand-ins and people kept apart as organisers press them and players read them."""

from collections.abc import Callable

import pytest

from models.event import AskedBye, Event, KeptApart
from models.play import Absent, Game, GameState, Player, PlayerState
from tests.desk.test_printed import texts
from tests.kit.person import Person
from tests.kit.stage import Stage

Enter = Callable[..., list[Person]]
DESK = "/e/iron-open/desk"
NAMES = ("Ada", "Bo", "Cy", "Di", "Ed")


def page_of(stage: Stage, name: str) -> str:
    return f"{DESK}/players/{stage.one(Player, name=name).id}"


def at_the_table(stage: Stage, event: Event, number: int = 1) -> Game:
    return next(game for game in stage.games(event, number) if game.b_id is not None)


# ---- no-shows


def test_one_press_marks_who_did_not_come_and_one_takes_it_back(
    enter: Enter, olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    here, gone = stage.name(game.a_id), stage.name(game.b_id)
    olga.open(f"{DESK}/rounds/1")
    olga.open(f"{DESK}/games/{game.id}")
    page = olga.press(f"{gone} did not come")
    assert "undone by one press" in page.flashes
    assert f"{gone} did not come: no points, and a win with the VP of a bye for {here} ." in page.part("#absent")
    assert stage.now(game).state == GameState.CONFIRMED
    assert "B did not come" in visitor.open("/e/iron-open/rounds/1").part(".pairings")
    row = next(row for row in visitor.open("/e/iron-open/standings").rows(".standings") if row[1] == here)
    assert row[4] == "win by no-show"
    assert "1 win by no-show × 3 = 3" in visitor.page.text
    assert "win (no-show of the opponent)" in visitor.open(f"/e/iron-open/players/{game.a_id}").text
    assert "no-show" in visitor.open(f"/e/iron-open/players/{game.b_id}").rows("table.cards")[0][-1]
    olga.open(f"{DESK}/games/{game.id}")
    page = olga.press("Turned up after all")
    assert "Did somebody not come?" in page.part("#absent")
    assert stage.now(game).state == GameState.OPEN


def test_a_player_reads_on_the_own_page_that_the_other_did_not_come(
    enter: Enter, stage: Stage, event: Event, olga: Person
) -> None:
    people = dict(zip(NAMES[:4], enter(event, *NAMES[:4]), strict=True))
    game, _ = stage.publish(event, 1)
    olga.open(f"{DESK}/games/{game.id}")
    olga.press(f"{stage.name(game.a_id)} did not come")
    assert "Your opponent did not come: you have a win." in people[stage.name(game.b_id)].open("/e/iron-open/me").text
    assert "The organiser marked you as a no-show" in people[stage.name(game.a_id)].open("/e/iron-open/me").text


def test_the_absent_can_be_dropped_at_once(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    enter(event, "Ada", "Bo", "Cy", "Di")
    first, second = stage.publish(event, 1)
    olga.open(f"{DESK}/games/{first.id}")
    olga.press("Nobody came", drops=True)
    olga.open(f"{DESK}/games/{second.id}")
    olga.press(f"{stage.name(second.a_id)} did not come", drops=True)
    states = {player.id: player.state for player in stage.all(Player)}
    gone = (first.a_id, first.b_id, second.a_id)
    assert [states[id_] for id_ in gone if id_] == [PlayerState.DROPPED] * 3
    assert states[second.b_id or 0] == PlayerState.CHECKED_IN


def test_a_result_entered_at_the_desk_ends_a_no_show(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    olga.open(f"{DESK}/games/{game.id}")
    page = olga.press("Nobody came")
    assert "Decide the result" in page.text
    assert "Correct the result" not in page.text
    olga.press("Decide", **{"a.objectives": "3", "b.objectives": "1"})
    assert (stage.now(game).absent, game.state) == (None, GameState.CONFIRMED)


def test_a_stale_or_made_up_press_is_refused(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    mine = olga.open(f"{DESK}/games/{game.id}")
    stage.decide(event, game, 3, 1)
    olga.page = mine
    assert "Look at it again" in olga.press("Nobody came").flashes
    assert stage.now(game).absent is None
    for wrong in ("x", "9" * 30, "²", ""):
        olga.page = mine
        assert olga.forge("Nobody came", version=wrong).status == 404
    token = str(olga.open(f"{DESK}/games/{game.id}").value("csrf_token"))
    data = {"csrf_token": token, "version": "1", "who": "c"}
    assert olga.ask("POST", f"{DESK}/games/{game.id}/absent", data).status_code == 404


# ---- byes asked for


@pytest.mark.parametrize("worth", [AskedBye.WIN, AskedBye.DRAW, AskedBye.LOSS])
def test_a_bye_asked_for_is_said_everywhere(
    enter: Enter, olga: Person, visitor: Person, stage: Stage, event: Event, worth: AskedBye
) -> None:
    people = dict(zip(NAMES, enter(event, *NAMES), strict=True))
    with stage.changing(event):
        event.asked_bye = worth
    olga.open(page_of(stage, "Ed"))
    page = olga.press("Misses round 1")
    assert page.flashes == "Ed has a bye in round 1."
    assert f"it counts as a {worth.value}" in page.part("#byes")
    page = olga.press("Plays round 1 after all")
    assert page.flashes == "Ed plays round 1."
    olga.press("Misses round 1")
    stage.publish(event, 1)
    byes = [row for row in visitor.open("/e/iron-open/rounds/1").rows(".pairings") if row[0] == "bye"]
    assert [row[-1] for row in byes] == ["asked for"]
    today = people["Ed"].open("/e/iron-open/me")
    assert f"You asked for a bye in this round: it counts as a {worth.value}." in today.text
    assert (
        f"{worth.value} (bye asked for)" in visitor.open(f"/e/iron-open/players/{stage.one(Player, name='Ed').id}").text
    )
    assert f"a bye that you asked for as a {worth.value}" in visitor.open("/e/iron-open").text
    assert "Misses round 1" not in olga.open(page_of(stage, "Ed")).text, "that round is published"


def test_no_round_is_no_bye(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada")
    olga.open(page_of(stage, "Ada"))
    assert "Choose one of the event's rounds." in olga.forge("Misses round 1", number="9").flashes
    assert "Choose one of the event's rounds." in olga.forge("Misses round 1", number="one").flashes
    assert stage.one(Player).asked_byes is None


# ---- stand-ins, drops, marks


def test_a_stand_in_is_made_on_the_player_s_page(olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:4])
    olga.open(page_of(stage, "Di"))
    page = olga.press("Only a stand-in for odd fields")
    assert "A stand-in: plays only where the field is odd" in page.text
    stage.play(event, 1)
    assert "Di" in {name for pair in stage.pairs(event, 1) for name in pair}
    assert "Di" not in visitor.open("/e/iron-open/standings").part(".standings")
    assert "Takes part like everybody" not in olga.open(page_of(stage, "Di")).text


def test_leaving_in_the_middle_of_a_round_is_now_or_after_it(
    enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    people = dict(zip(NAMES[:4], enter(event, *NAMES[:4]), strict=True))
    first, second = stage.publish(event, 1)
    olga.open(page_of(stage, stage.name(first.a_id)))
    olga.press("Drop now")
    assert stage.now(first).absent == Absent.A
    olga.open(page_of(stage, stage.name(second.a_id)))
    olga.press("Drop after round 1")
    assert stage.now(second).absent is None
    leaver = people[stage.name(second.b_id)]
    leaver.open("/e/iron-open/me")
    leaver.press("Drop from the event")
    assert stage.now(second).absent is None, "who leaves on the own page plays the game at hand yet"


def test_marks_for_painting_and_sportsmanship(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    olga.open(page_of(stage, "Ada"))
    assert "From 0 to 100." in olga.press("Save", sportsmanship="101").error_at("sportsmanship")
    olga.press("Save", painting="7", sportsmanship="3")
    ada = stage.all(Player)[0]
    assert (ada.painting, ada.sportsmanship) == (7, 3)
    olga.open(f"{DESK}/pairing")
    olga.press("Save", inside="#tie-breaks", **{"tie-breaks-tie_breaks-0": "painting"})
    stage.play(event, 1, {player.id: 1 for player in stage.all(Player)})
    page = olga.open("/e/iron-open/standings")
    assert page.rows(".standings")[0][1] == "Ada"
    assert "7 for painting, set by the organiser" in page.text


def test_what_rounds_without_a_game_count_for_is_set_on_the_pairing_page(
    olga: Person, stage: Stage, event: Event
) -> None:
    olga.open(f"{DESK}/pairing")
    page = olga.press(
        "Save",
        inside="#counting",
        **{
            "counting-bye_vp": "7",
            "counting-asked_bye": "win",
            "counting-late_points": "1",
            "counting-vp_cap": "12",
        },
    )
    assert page.flashes == "Rounds without a game: saved."
    stage.now(event)
    assert (event.bye_vp, event.asked_bye, event.late_points, event.vp_cap) == (7, AskedBye.WIN, 1, 12)
    page = olga.press("Save", inside="#counting", **{"counting-vp_cap": "0", "counting-bye_vp": "-1"})
    assert page.status == 422
    assert "From 1 to 10000." in page.error_at("counting-vp_cap")
    assert "From 0 to 10000." in page.error_at("counting-bye_vp")
    page = olga.press("Save", inside="#counting", **{"counting-vp_cap": "", "counting-bye_vp": ""})
    stage.now(event)
    assert (event.bye_vp, event.vp_cap) == (None, None)
    assert stage.journal(event, "change-pairing") == [
        "Changed what rounds without a game count for: bye_vp, asked_bye, late_points, vp_cap",
        "Changed what rounds without a game count for: bye_vp, vp_cap",
    ]


# ---- kept apart


def test_pairs_are_kept_apart_and_let_meet_again(olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:4])
    olga.open(f"{DESK}/kept-apart")
    page = olga.press("Keep apart", one="Ada", other="Bo", when="always", asked="other")
    assert page.flashes == "They are kept apart from the next draw on."
    assert page.rows("table.cards") == [["Ada and Bo", "in every round", "Bo", "May meet"]]
    assert "1 pair" in olga.open(f"{DESK}/pairing").part("#draw")
    stage.draw(event, 1)
    assert not {frozenset(pair) for pair in stage.pairs(event, 1)} & {frozenset(("Ada", "Bo"))}
    assert visitor.ask("GET", f"{DESK}/kept-apart").status_code == 403
    assert "asked" not in " ".join(stage.journal(event, "keep-apart"))
    olga.open(f"{DESK}/kept-apart")
    assert olga.press("May meet").flashes == "They may meet again."
    assert stage.all(KeptApart) == []


def test_what_is_no_pair_is_told_at_its_field(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    olga.open(f"{DESK}/kept-apart")
    page = olga.press("Keep apart", one="Ada")
    assert page.status == 422
    assert "Choose a player." in page.error_at("other")
    page = olga.press("Keep apart", other="Ada", asked="one")
    assert "Choose two different players" in page.error_at("other")
    assert (page.value("one"), page.value("asked")) == (str(stage.all(Player)[0].id), "one")


@pytest.mark.proves("attack 6")
def test_a_pair_of_another_event_is_not_removed(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    olga.open(f"{DESK}/kept-apart")
    olga.press("Keep apart", one="Ada", other="Bo")
    stage.event("Rust Cup")
    token = str(olga.page.value("csrf_token"))
    pair = stage.one(KeptApart)
    for address in (f"/e/rust-cup/desk/kept-apart/{pair.id}/remove", f"{DESK}/kept-apart/{2**40}/remove"):
        assert olga.ask("POST", address, {"csrf_token": token}).status_code == 404
    assert stage.one(KeptApart).id == pair.id


def test_the_round_s_page_says_who_will_not_be_drawn(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES, "Rin")
    olga.open(page_of(stage, "Rin"))
    olga.press("Only a stand-in for odd fields")
    page = olga.open(f"{DESK}/rounds/1")
    assert "6 players are checked in: one of them will play Rin , who stands in for the bye." in page.text
    olga.open(page_of(stage, "Ed"))
    olga.press("Misses round 1")
    page = olga.open(f"{DESK}/rounds/1")
    assert "6 players are checked in." in page.text
    assert "Asked for a bye in this round: Ed ." in page.text


# ---- on paper


def test_the_printed_lists_say_why_there_is_no_game(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES)
    olga.open(page_of(stage, "Ed"))
    olga.press("Misses round 1")
    stage.play(event, 1)
    for order in ("", "?order=name"):
        told = " ".join(texts(olga.open(f"/e/iron-open/rounds/1/pairings.pdf{order}")))
        assert "bye asked for" in told.lower()
    assert "bye asked for" in " ".join(texts(olga.open("/e/iron-open/standings.pdf")))
