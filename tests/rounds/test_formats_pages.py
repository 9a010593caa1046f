"""The pages of the formats beside Swiss: choosing one, the cut, the bracket, the cross table, final standings."""

from collections.abc import Callable
from typing import Any

import pytest

from events.play.queries import players_of
from events.registration import actions as registration_actions
from events.setup.pairing_actions import FormatSettings, set_format
from models.event import Event, EventFormat, Round
from models.play import Player
from tests.kit.person import Person, Value
from tests.kit.stage import BY, Game, Stage

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")


def formed(stage: Stage, wanted: FormatSettings, *names: str, rounds: int = 1) -> Event:
    """An event of this format with its players."""
    event = stage.event(rounds=rounds)
    with stage.changing(event) as s:
        set_format(s, event, wanted, BY, stage.clock())
    stage.enter(event, *names)
    return event


def chosen(**values: Value) -> dict[str, Any]:
    """Fields of the section by their names in the form."""
    return {f"format-{name}": value for name, value in values.items()}


def decide(stage: Stage, event: Event, games: list[Game], *, drawn: bool = False) -> None:
    """The player entered first wins."""
    for game in games:
        if game.b_id is not None:
            first = game.a_id < game.b_id
            stage.decide(event, game, *((2, 2) if drawn else (3, 1) if first else (1, 3)))


def test_a_format_is_chosen_and_told(olga: Person, stage: Stage, event: Event) -> None:
    olga.open("/e/iron-open/desk/pairing")
    page = olga.press("Save", inside="#format", **chosen(cut="4", third_place=True))
    assert page.flashes == "Format: saved."
    assert stage.journal(event, "change-pairing") == ["Changed the format: cut, third_place"]
    told = olga.open("/e/iron-open")
    assert "Then the top 4 by the standings play a knockout. The losers of the semi-finals play for third" in told.text
    assert "The top 4 play a knockout" in told.part(".timeline")
    olga.open("/e/iron-open/desk/pairing")
    page = olga.press("Save", inside="#format", **chosen(format="Knockout"))
    assert page.status == 422
    assert page.error_at("format-cut") == "A knockout from the start has no cut: leave it empty."
    page = olga.press("Save", inside="#format", **chosen(cut="1"))
    assert page.status == 422
    assert "2" in page.error_at("format-cut")
    assert olga.press("Save", inside="#format", **chosen(cut="")).flashes == "Format: saved."
    assert "A knockout in rounds of 90 minutes: who loses is out." in olga.open("/e/iron-open").text


def test_from_the_cut_to_the_final_standings(olga: Person, stage: Stage, visitor: Person) -> None:
    event = formed(stage, FormatSettings(cut=4, third_place=True), *NAMES)
    stage.play(event, 1)
    order = [row.name for row in stage.standings(event)]
    desk = olga.open("/e/iron-open/desk")
    assert desk.part(".steps .first").startswith("All rounds are complete: look who is in the cut to the top 4.")
    assert visitor.open("/e/iron-open/bracket").status == 404

    page = olga.open("/e/iron-open/desk/cut")
    assert [row[:2] for row in page.rows("table")] == [[str(n), name] for n, name in enumerate(order[:4], start=1)]
    assert page.part(".matches > li") == f"1 {order[0]} 4 {order[3]}"
    assert f"First not in: {order[4]}" in page.text
    drawn = olga.press("Cut to the top 4", scenario=["raiders", "raiders"])
    assert drawn.part("h1") == "Round 2, semi-finals: Raiders"
    assert drawn.path == "/e/iron-open/desk/rounds/2"
    assert drawn.part("h1").startswith("Round 2, semi-finals")
    assert "seeded bracket of 4 by the standings after round 1, semi-finals" in drawn.text
    assert olga.open("/e/iron-open/bracket").status == 200
    assert visitor.open("/e/iron-open/bracket").status == 404, "not published yet"
    assert "Bracket" not in visitor.open("/e/iron-open").part(".tabs")
    olga.open("/e/iron-open/desk/rounds/2")
    olga.press("Publish round 2")
    one, two = stage.games(event, 2)
    decide(stage, event, [two])
    decide(stage, event, [one], drawn=True)

    # A drawn game: the desk asks, one press decides.
    desk = olga.open("/e/iron-open/desk")
    assert desk.part("#group-tied summary").startswith("1 ")
    assert "drawn" in visitor.open("/e/iron-open/bracket").part(".matches")
    olga.open("/e/iron-open/desk/rounds/2")
    lower = stage.name(one.b_id)
    assert olga.press(f"{lower} goes through").flashes == "Noted."
    assert f"{lower} goes through" in visitor.open("/e/iron-open/rounds/2").text
    assert "drawn, decided by the organiser" in visitor.open("/e/iron-open/bracket").text

    desk = olga.open("/e/iron-open/desk")
    assert desk.part(".steps .first").startswith("Draw the final.")
    olga.open("/e/iron-open/desk/rounds/3")
    olga.press("Draw round 3")
    olga.press("Publish round 3")
    decide(stage, event, stage.games(event, 3))
    page = visitor.open("/e/iron-open/bracket")
    rounds = [part.get_text() for part in page.soup.select(".bracket-round > h2")]
    assert rounds == ["Semi-finals", "Final"]
    assert page.part(".third-place").startswith("Third place")
    assert len(page.soup.select(".match-side.winner")) == 4
    standing = visitor.open("/e/iron-open/standings")
    places = [row[1] for row in standing.rows("table.standings")]
    assert [p.split(" ", 1)[1] for p in places[:4]] == [
        "won the final", "lost the final", "won the game for third place", "lost the game for third place",
    ]  # fmt: skip
    assert places[4:] == order[4:]
    assert "Games of the knockout count into none of them" in standing.text
    assert visitor.open("/e/iron-open/standings?after=1").rows("table.standings")[0][1] == order[0]
    assert visitor.ask("GET", "/e/iron-open/standings.pdf").status_code == 200


def test_the_cut_that_is_made_is_the_one_looked_at(olga: Person, stage: Stage) -> None:
    event = formed(stage, FormatSettings(cut=2), *NAMES)
    stage.play(event, 1)
    page = olga.open("/e/iron-open/desk/cut")
    first, _ = page.rows("table")
    with stage.changing(event) as s:
        registration_actions.drop(
            s, event, next(p for p in players_of(s, event) if p.name == first[1]), BY, stage.clock()
        )
    assert "Look again who is in" in olga.press("Cut to the top 2").flashes
    page = olga.open("/e/iron-open/desk/cut")
    assert f"Passed over, for they are not here: {first[1]} (rank 1)" in page.text


def test_a_draft_of_a_knockout_shows_the_points_of_the_rounds_before(olga: Person, stage: Stage) -> None:
    event = formed(stage, FormatSettings(cut=2), *NAMES)
    stage.play(event, 1)
    olga.open("/e/iron-open/desk/cut")
    page = olga.press("Cut to the top 2")
    assert page.part("td[data-label=A] .record") == "3 points, 1-0-0"
    assert page.part("td[data-label=B] .record") == "3 points, 1-0-0"


def test_a_running_knockout_offers_no_exchange_in_words_either(olga: Person, stage: Stage) -> None:
    event = formed(stage, FormatSettings(EventFormat.KNOCKOUT), *NAMES[:4])
    decide(stage, event, stage.publish(event, 1)[:1])
    told = olga.open("/e/iron-open/desk/rounds/1").part("#not-right")
    assert "Results are in (table 1): round 1 stays published. A result can still be corrected." in told
    assert "xchange" not in told


def test_a_cut_goes_with_the_draw_of_its_first_round(olga: Person, stage: Stage) -> None:
    event = formed(stage, FormatSettings(cut=4), *NAMES)
    stage.play(event, 1)
    olga.open("/e/iron-open/desk/cut")
    olga.press("Cut to the top 4")
    page = olga.press("Discard")
    assert (page.status, page.path) == (200, "/e/iron-open/desk/cut")
    assert page.flashes == "The draw is discarded."
    assert len(page.rows("table")) == 4
    assert olga.open("/e/iron-open/desk/rounds/2").status == 404


def test_where_there_is_no_cut_the_page_says_why(olga: Person, stage: Stage, event: Event) -> None:
    assert "This event has no cut" in olga.open("/e/iron-open/desk/cut").text
    with stage.changing(event) as s:
        set_format(s, event, FormatSettings(cut=2), BY, stage.clock())
    assert "round 1 is not complete yet" in olga.open("/e/iron-open/desk/cut").text


def test_who_goes_through_is_one_of_the_two(olga: Person, stage: Stage) -> None:
    event = formed(stage, FormatSettings(EventFormat.KNOCKOUT), *NAMES[:4])
    game = stage.publish(event, 1)[0]
    token = str(olga.open("/e/iron-open/desk/settings").value("csrf_token"))
    address = f"/e/iron-open/desk/games/{game.id}/through"
    assert olga.ask("POST", address, {"csrf_token": token, "side": "c"}).status_code == 422
    olga.ask("POST", address, {"csrf_token": token, "side": "a"})
    assert "did not end in a draw" in olga.open("/e/iron-open/desk/rounds/1").flashes


def test_a_player_without_a_game_in_a_knockout_is_told(
    enter: Callable[..., list[Person]], stage: Stage, olga: Person
) -> None:
    event = stage.event()
    with stage.changing(event) as s:
        set_format(s, event, FormatSettings(EventFormat.KNOCKOUT), BY, stage.clock())
    people = dict(zip(NAMES, enter(event, *NAMES[:5]), strict=False))
    games = stage.publish(event, 1)
    idle = next(stage.name(g.a_id) for g in games if g.b_id is None)
    assert "You go through without a game: bye, quarter-final" in people[idle].open("/e/iron-open/me").text
    decide(stage, event, games)
    stage.publish(event, 2)
    out = next(name for name in people if name not in {n for pair in stage.pairs(event, 2) for n in pair})
    page = people[out].open("/e/iron-open/me")
    assert page.part("h1") == "You have no game in round 2"
    assert "It is the knockout: semi-finals." in page.text
    standing = people[out].open("/e/iron-open/standings")
    assert "W-D-L" not in standing.text, "a knockout from the start has places alone"
    assert len(standing.rows("table.standings")) == 5


def test_the_cross_table_of_a_round_robin(olga: Person, stage: Stage, visitor: Person) -> None:
    event = formed(stage, FormatSettings(EventFormat.ROUND_ROBIN), *NAMES[:4])
    assert visitor.open("/e/iron-open/crosstable").status == 404
    assert "when round 1 is drawn" in visitor.open("/e/iron-open").part(".timeline")
    stage.play(event, 1)
    stage.play(event, 2)
    assert "Cross table" in visitor.open("/e/iron-open").part(".tabs")
    decide(stage, event, stage.publish(event, 3)[:1])
    page = visitor.open("/e/iron-open/crosstable")
    rows = {row[1]: row[2:] for row in page.rows("table.crosstable")}
    assert len(rows) == 4
    assert sum(cell.startswith("W") for row in rows.values() for cell in row) == 5
    assert sum(cell == "L 1:3" for row in rows.values() for cell in row) == 5
    assert "results of the round that is played" in page.text
    assert rows[page.rows("table.crosstable")[0][1]][-1] == str(stage.standings(event)[0].points)


@pytest.mark.parametrize("address", ["bracket", "crosstable"])
def test_other_events_have_no_such_page(olga: Person, stage: Stage, event: Event, address: str) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    assert olga.open(f"/e/iron-open/{address}").status == 404


def test_the_player_meeting(olga: Person, stage: Stage, visitor: Person, enter: Callable[..., list[Person]]) -> None:
    event = formed(stage, FormatSettings(player_meeting=True))
    ada, *_ = enter(event, *NAMES[:5])
    assert olga.open("/e/iron-open/desk").part(".steps .first").startswith("5 players here: seat them")
    assert "Seat 5 players" in olga.open("/e/iron-open/desk/meeting").text
    page = olga.press("Seat 5 players")
    assert page.flashes == "Everybody is seated. Nobody else sees it until you publish it."
    assert len(page.rows("table.pairings")) == 2
    for address in ("/e/iron-open/meeting", "/e/iron-open/meeting.pdf"):
        assert visitor.open(address).status == 404
        assert olga.open(address).status == 200
    assert ada.open("/e/iron-open/me").part("h1") == "You are registered"
    olga.open("/e/iron-open/desk/meeting")
    assert olga.press("Publish the seating").flashes == "The seating is published."
    assert "Meeting" in visitor.open("/e/iron-open").part(".tabs")
    rows = visitor.open("/e/iron-open/meeting").rows("table.pairings")
    assert [row[0] for row in rows] == sorted(NAMES[:5])
    assert sorted(len(row[2].split(", ")) for row in rows) == [1, 1, 2, 2, 2]
    assert len(visitor.open("/e/iron-open/meeting?order=table").rows("table.pairings")) == 2
    for order in ("name", "table"):
        assert visitor.ask("GET", f"/e/iron-open/meeting.pdf?order={order}").data.startswith(b"%PDF")
    mine = next(row for row in rows if row[0] == "Ada")
    assert ada.open("/e/iron-open/me").part("h1") == f"Player meeting Table {mine[1]}"
    assert ada.open("/e/iron-open/meeting").part(".own-game") == f"You sit at table {mine[1]}"
    assert olga.open("/e/iron-open/desk").part(".steps .first").startswith("5 players here: draw round 1.")
    stage.enter(event, "Zoe")
    assert "not seated: Zoe" in olga.open("/e/iron-open/desk/meeting").text
    assert "Seats by name" in olga.open("/e/iron-open/desk/print").text
    olga.open("/e/iron-open/desk/meeting")
    assert olga.press("Discard").flashes == "The seating is discarded."
    assert visitor.open("/e/iron-open/meeting").status == 404


def test_seeds_in_the_organiser_s_order(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:5])
    ids = {player.name: f"seed-{player.id}" for player in stage.all(Player)}
    assert olga.open("/e/iron-open/desk/seeding").status == 404
    with stage.changing(event) as s:
        set_format(s, event, FormatSettings(EventFormat.KNOCKOUT), BY, stage.clock())
    assert "Seeds" in olga.open("/e/iron-open/desk/rounds/1").text
    olga.open("/e/iron-open/desk/seeding")
    page = olga.press("Save", **{ids["Ed"]: "1", ids["Bo"]: "1"})
    assert page.status == 422
    assert "Bo has seed 1 already" in page.text or "Ed has seed 1 already" in page.text
    page = olga.press("Save", **{ids["Ed"]: "1", ids["Bo"]: "9"})
    assert page.status == 422
    assert "5" in page.errors
    assert olga.press("Save", **{ids["Ed"]: "1", ids["Bo"]: "2"}).flashes == "Saved."
    assert stage.journal(event, "seed") == ["Seeded the knockout: Ed, Bo"]
    assert [row[1].split()[0] for row in olga.open("/e/iron-open/desk/seeding").rows("table")][:2] == ["Ed", "Bo"]
    games = stage.draw(event, 1)
    assert {stage.name(g.a_id) for g in games if g.b_id is None} >= {"Ed", "Bo"}
    olga.open("/e/iron-open/desk/seeding")
    olga.press("Save", **{ids["Ed"]: "", ids["Ada"]: "1"})
    assert "changed after this draw" in olga.open("/e/iron-open/desk/rounds/1").text
    stage.publish(event, 1)
    page = olga.open("/e/iron-open/desk/seeding")
    assert "Round 1 is published: the seeds stay as they are." in page.text
    assert not page.soup.select("form button.primary")
    token = str(olga.open("/e/iron-open/desk/settings").value("csrf_token"))
    before = stage.digest()
    assert olga.ask("POST", "/e/iron-open/desk/seeding", {"csrf_token": token}).status_code == 422
    assert stage.digest() == before


def test_a_correction_in_a_knockout_tells_who_goes_through(olga: Person, stage: Stage) -> None:
    event = formed(stage, FormatSettings(EventFormat.KNOCKOUT), *NAMES[:4])
    games = stage.publish(event, 1)
    decide(stage, event, games)
    game = stage.games(event, 1)[0]
    lower = stage.name(game.b_id if game.a_id < (game.b_id or 0) else game.a_id)
    side, other = ("b", "a") if lower == stage.name(game.b_id) else ("a", "b")
    stage.draw(event, 2)
    address = f"/e/iron-open/desk/games/{game.id}"
    olga.open(address)
    page = olga.press("See what changes", **{f"{side}__objectives": "5", f"{other}__objectives": "1"})
    assert f"{lower} goes through then" in page.part("#look")
    assert "a next round that is drawn already is out of date" in page.part("#look")
    olga.open(address)
    page = olga.press("See what changes", **{f"{side}__objectives": "2", f"{other}__objectives": "2"})
    assert "Nobody has won it then: you say who goes through." in page.part("#look")
    olga.open(address)
    page = olga.press("See what changes", **{f"{side}__objectives": "0", f"{other}__objectives": "3"})
    assert "Who goes through stays the same." in page.part("#look")
    assert olga.press("Store the correction", reason="Misread").path == "/e/iron-open/desk/rounds/1"


def test_settings_are_saved_whatever_the_format_planned(olga: Person, stage: Stage) -> None:
    """Rounds that a format made are not the organiser's to plan, and hinder nothing else."""
    event = formed(stage, FormatSettings(cut=4), *NAMES)
    stage.play(event, 1)
    olga.open("/e/iron-open/desk/cut")
    olga.press("Cut to the top 4")
    olga.open("/e/iron-open/desk/settings")
    assert olga.press("Save", round_minutes="75").flashes == "Saved."
    assert [r.kind for r in stage.all(Round, event_id=event.id)] == ["swiss", "knockout", "knockout"]
    olga.open("/e/iron-open/desk/settings")
    page = olga.press("Save", rounds="2")
    assert page.status == 422
    assert page.error_at("rounds") == "The knockout is drawn: the rounds before it stay as they are."

    league = stage.event("Rust Cup")
    with stage.changing(league) as s:
        set_format(s, league, FormatSettings(EventFormat.ROUND_ROBIN), BY, stage.clock())
    stage.enter(league, *(f"P{n}" for n in range(7)))
    stage.play(league, 1)
    assert len(stage.all(Round, event_id=league.id)) == 7, "more than there are scenarios in the pool"
    olga.open("/e/rust-cup/desk/settings")
    assert olga.press("Save", round_minutes="75").flashes == "Saved."
    olga.open("/e/rust-cup/desk/settings")
    assert "The format says how many rounds there are" in olga.press("Save", rounds="5").error_at("rounds")
    for number in range(2, 7):
        stage.play(league, number)
    uses = [r.scenario for r in stage.all(Round, event_id=league.id)]
    assert max(map(uses.count, uses)) == 2, "the rarest come again"
