"""The pages of formats: choosing one, the cut, the bracket, the cross table, the player meeting, seeds."""

from typing import Any

from events.rounds import actions as rounds_actions
from models.event import Event, EventFormat, Round
from tests.kit.formats import NAMES, cut, cut_event, decide_all, drop, formed, knockout_of, league
from tests.kit.person import PREVIEW, PUBLISH, STORE, Enter, Person, Value
from tests.kit.stage import Player, Stage

DESK = "/e/iron-open/desk"


def chosen(**values: Value) -> dict[str, Any]:
    return {f"format-{name}": value for name, value in values.items()}


def test_format_is_chosen_and_shown(olga: Person, stage: Stage, event: Event) -> None:
    assert "This event has no cut" in olga.open(f"{DESK}/cut").text
    assert olga.open(f"{DESK}/seeding").status == 404
    page = olga.press("Save", at=f"{DESK}/pairing", inside="#format", **chosen(cut="4", third_place=True))
    assert page.flashes == "Format: saved."
    assert stage.journal(event, "change-pairing") == [
        "Changed the format: “Cut to the top”, “The losers of the semi-finals play for third place”"
    ]
    home = olga.open("/e/iron-open").text
    assert "Then the top 4 by the standings play a knockout. The losers of the semi-finals play for third" in home
    assert "round 1 is not complete yet" in olga.open(f"{DESK}/cut").text
    page = olga.press("Save", at=f"{DESK}/pairing", inside="#format", **chosen(format="Knockout"))
    assert page.error_at("format-cut") == "A knockout from the start has no cut: leave it empty."
    assert olga.press("Save", inside="#format", **chosen(cut="")).flashes == "Format: saved."
    assert "A knockout in rounds of 90 minutes: losers are out." in olga.open("/e/iron-open").text


def test_from_the_cut_to_the_final_standings(olga: Person, stage: Stage, visitor: Person) -> None:
    event = cut_event(stage, 4, entered=6, third_place=True)
    swiss = {row.name: (row.points, row.figures) for row in stage.standings(event)}
    order = [*swiss]
    desk = olga.open(DESK)
    assert desk.part(".next-text").startswith("All rounds are complete: check who is in the cut to the top 4.")
    page = olga.open(f"{DESK}/cut")
    assert [row[:2] for row in page.rows("table")] == [[str(n), name] for n, name in enumerate(order[:4], start=1)]
    assert page.part(".matches > li") == f"1 {order[0]} 4 {order[3]}"
    assert f"First out: {order[4]}" in page.text
    drawn = olga.press("Cut to the top 4", scenario=["raiders", "raiders"])
    assert (drawn.path, drawn.part("h1")) == (f"{DESK}/rounds/2", "Round 2, semi-finals: Raiders")
    assert "seeded bracket of 4 by the standings after round 1, semi-finals" in drawn.text
    assert drawn.part("td[data-label=A] .record") == "3 points, 1-0-0", "of the rounds before"
    assert olga.open("/e/iron-open/bracket").status == 200
    assert visitor.open("/e/iron-open/bracket").status == 404, "not published yet"
    olga.press(f"{PUBLISH} 2", at=f"{DESK}/rounds/2")
    one, two = stage.games(event, 2)
    decide_all(stage, event, [two])
    stage.decide(event, one, 2, 2)
    assert olga.open(DESK).part("#group-tied summary").startswith("1 ")
    assert [one["href"] for one in olga.page.soup.select(".next .primary")] == [f"{DESK}/rounds/2#tied"]
    lower = stage.name(one.b_id)
    assert olga.press(f"{lower} goes through", at=f"{DESK}/rounds/2").flashes == "Saved."
    assert f"{lower} goes through" in visitor.open("/e/iron-open/rounds/2").text
    assert "drawn, decided by the organiser" in visitor.open("/e/iron-open/bracket").text
    decide_all(stage, event, stage.publish(event, 3))
    page = visitor.open("/e/iron-open/bracket")
    assert [part.get_text().strip() for part in page.soup.select(".bracket-round > h2")] == ["Semi-finals", "Final"]
    assert page.part(".third-place").startswith("Third place")
    assert len(page.soup.select(".match-side.winner")) == 4
    standing = visitor.open("/e/iron-open/standings")
    places = [row[1] for row in standing.rows("table.standings")]
    assert [p.split(" ", 1)[1] for p in places[:4]] == [
        "won the final", "lost the final", "won the game for third place", "lost the game for third place",
    ]  # fmt: skip
    assert places[4:] == order[4:]
    assert "Knockout games do not count." in standing.text
    assert {row.name: (row.points, row.figures) for row in stage.standings(event)} == swiss
    assert visitor.open("/e/iron-open/standings?after=1").rows("table.standings")[0][1] == order[0]


def test_cut_is_made_as_previewed_and_undone_with_its_draw(olga: Person, stage: Stage) -> None:
    event = cut_event(stage, 2, entered=6)
    first, _ = olga.open(f"{DESK}/cut").rows("table")
    drop(stage, event, first[1])
    assert "Check who is in the cut" in olga.press("Cut to the top 2").flashes
    assert f"Passed over because they are absent: {first[1]} (rank 1)" in olga.open(f"{DESK}/cut").text
    olga.press("Cut to the top 2")
    page = olga.press("Discard")
    assert (page.path, page.flashes, len(page.rows("table"))) == (f"{DESK}/cut", "The draw is discarded.", 2)


def test_knockout_round_offers_corrections_but_no_exchange(olga: Person, stage: Stage) -> None:
    event = formed(stage, *NAMES[:4], format=EventFormat.KNOCKOUT, third_place=True)
    game, other = stage.publish(event, 1)
    address = f"{DESK}/games/{game.id}"
    assert olga.post(f"{address}/through", side="c").status_code == 422
    olga.post(f"{address}/through", side="a")
    assert "did not end in a draw" in olga.open(f"{DESK}/rounds/1").flashes
    decide_all(stage, event, [game])
    part = olga.open(f"{DESK}/rounds/1").part("#not-right")
    assert "Results are in (table 1): round 1 stays published. A result can still be corrected." in part
    assert "xchange" not in part
    decide_all(stage, event, [other])
    lower = stage.name(game.b_id if game.a_id < (game.b_id or 0) else game.a_id)
    ours, theirs = ("b", "a") if lower == stage.name(game.b_id) else ("a", "b")
    last = stage.draw(event, 2)
    for vp, other_vp, words in (
        ("5", "1", (f"{lower} goes through then", "a next round that is drawn already is out of date")),
        ("2", "2", ("The game is then a draw: you decide who goes through.",)),
        ("0", "3", ("The same player goes through.",)),
    ):
        olga.open(address)
        page = olga.press(PREVIEW, **{f"{ours}__objectives": vp, f"{theirs}__objectives": other_vp})
        assert all(said in page.part("#look") for said in words)
    assert olga.press(STORE, reason="Misread").path == f"{DESK}/rounds/1"
    stage.do(event, rounds_actions.publish_round, 2)
    decide_all(stage, event, last)
    for game, title in zip(last, ("final", "game for third place"), strict=True):
        olga.open(f"{DESK}/games/{game.id}")
        loser, (a, b) = (game.b_id, "05") if game.a_id < (game.b_id or 0) else (game.a_id, "50")
        page = olga.press(PREVIEW, a__objectives=a, b__objectives=b)
        assert f"{stage.name(loser)} wins the {title}." in page.part("#look")


def test_knockout_player_without_a_game_sees_why(enter: Enter, stage: Stage, olga: Person) -> None:
    event = knockout_of(stage, 0)
    people = dict(zip(NAMES, enter(event, *NAMES[:5]), strict=False))
    games = stage.publish(event, 1)
    idle = next(stage.name(g.a_id) for g in games if g.b_id is None)
    assert "You go through without a game: bye, quarter-final" in people[idle].open("/e/iron-open/me").text
    decide_all(stage, event, games)
    stage.enter(event, "Late")
    stage.publish(event, 2)
    out = next(name for name in people if name not in {n for pair in stage.pairs(event, 2) for n in pair})
    page = people[out].open("/e/iron-open/me")
    assert page.part("h1") == "You have no game in round 2"
    assert "It is the knockout: semi-finals." in page.text
    decide_all(stage, event, stage.games(event, 2))
    assert {row.byes for row in stage.standings(event)} == {0}, "a bye of the bracket is none of the standings"
    standing = people[out].open("/e/iron-open/standings")
    assert "W-D-L" not in standing.text, "a knockout from the start has places alone"
    assert len(standing.rows("table.standings")) == 6
    assert standing.rows("table.standings")[-1][1].startswith("Late"), "who came after the draw is last"


def test_round_robin_has_a_cross_table(olga: Person, stage: Stage, visitor: Person) -> None:
    event = league(stage, 4)
    assert visitor.open("/e/iron-open/crosstable").status == 404
    assert "when round 1 is drawn" in visitor.open("/e/iron-open").part(".timeline")
    stage.play(event, 1)
    stage.play(event, 2)
    assert "Cross table" in visitor.open("/e/iron-open").part(".tabs")
    decide_all(stage, event, stage.publish(event, 3)[:1])
    page = visitor.open("/e/iron-open/crosstable")
    rows = {row[1]: row[2:] for row in page.rows("table.crosstable")}
    assert len(rows) == 4
    assert sum(cell.startswith("W") for row in rows.values() for cell in row) == 5
    assert sum(cell == "L 1:3" for row in rows.values() for cell in row) == 5
    assert "results of the current round" in page.text
    assert rows[page.rows("table.crosstable")[0][1]][-1] == str(stage.standings(event)[0].points)


def test_player_meeting_is_drawn_and_published(olga: Person, stage: Stage, visitor: Person, enter: Enter) -> None:
    event = formed(stage, player_meeting=True)
    ada, *_ = enter(event, *NAMES[:5])
    assert olga.open(DESK).part(".next-text").startswith("5 players here. The player meeting")
    page = olga.press("Seat 5 players", at=f"{DESK}/meeting")
    assert page.flashes == "Everybody is seated. Nobody else sees it until you publish it."
    assert len(page.rows("table.pairings")) == 2
    for address in ("/e/iron-open/meeting", "/e/iron-open/meeting.pdf"):
        assert visitor.open(address).status == 404
        assert olga.open(address).status == 200
    assert ada.open("/e/iron-open/me").part("h1") == "You are checked in"
    assert olga.press("Publish the seating", at=f"{DESK}/meeting").flashes == "The seating is published."
    rows = visitor.open("/e/iron-open/meeting").rows("table.pairings")
    assert [row[0] for row in rows] == sorted(NAMES[:5])
    assert sorted(len(row[2].split(", ")) for row in rows) == [1, 1, 2, 2, 2]
    assert len(visitor.open("/e/iron-open/meeting?order=table").rows("table.pairings")) == 2
    for order in ("name", "table"):
        assert visitor.ask("GET", f"/e/iron-open/meeting.pdf?order={order}").data.startswith(b"%PDF")
    mine = next(row for row in rows if row[0] == "Ada")
    assert ada.open("/e/iron-open/me").part("h1") == f"Player meeting Table {mine[1]}"
    assert ada.open("/e/iron-open/meeting").part(".own-game") == f"You sit at table {mine[1]}"
    stage.enter(event, "Zoe")
    drop(stage, event, "Bo")
    page = olga.open(f"{DESK}/meeting")
    assert "not seated: Zoe" in page.text
    assert "Bo" in page.part("table.pairings"), "a player who leaves stays seated"
    assert "Seats by name" in olga.open(f"{DESK}/print").text
    assert len({str(stage.do(event, rounds_actions.draw_meeting, seed).outcome["pairs"]) for seed in range(6)}) > 1
    assert visitor.open("/e/iron-open/meeting").status == 404, "drawn again it is a draft again"
    assert olga.press("Discard", at=f"{DESK}/meeting").flashes == "The seating is discarded."


def test_impossible_meeting_is_explained(stage: Stage) -> None:
    for words, players, changed in (
        ("has no player meeting", 4, {}),
        ("At least two players", 1, {"name": "Rust Cup"}),
        ("2 pairs need a table each, and the event has 1", 4, {"name": "Third", "tables": 1}),
    ):
        event = stage.event(**changed)
        formed(stage, *NAMES[:players], of=event, player_meeting=bool(changed))
        stage.refuse(words, event, rounds_actions.draw_meeting, 1)
    for action in (rounds_actions.publish_meeting, rounds_actions.discard_meeting):
        stage.refuse("not drawn yet", event, action)
    stage.set(event, tables=None)
    stage.publish(event, 1)
    stage.refuse("Round 1 is published", event, rounds_actions.draw_meeting, 1)


def test_organiser_seeds_a_knockout(olga: Person, stage: Stage) -> None:
    event = knockout_of(stage, 5)
    ids = {player.name: f"seed-{player.id}" for player in stage.all(Player)}
    assert "Seeds" in olga.open(f"{DESK}/rounds/1").text
    page = olga.press("Save", at=f"{DESK}/seeding", **{ids["Ed"]: "1", ids["Bo"]: "1"})
    assert page.status == 422
    assert "Bo has seed 1 already" in page.text or "Ed has seed 1 already" in page.text
    page = olga.press("Save", **{ids["Ed"]: "1", ids["Bo"]: "9"})
    assert (page.status, "5" in page.errors) == (422, True)
    assert olga.press("Save", **{ids["Ed"]: "1", ids["Bo"]: "2"}).flashes == "Saved."
    assert stage.journal(event, "seed") == ["Seeded the knockout: Ed, Bo"]
    assert [row[1].split()[0] for row in olga.open(f"{DESK}/seeding").rows("table")][:2] == ["Ed", "Bo"]
    games = stage.draw(event, 1)
    assert {stage.name(g.a_id) for g in games if g.b_id is None} >= {"Ed", "Bo"}, "the best seeds have the byes"
    olga.press("Save", at=f"{DESK}/seeding", **{ids["Ed"]: "", ids["Ada"]: "1"})
    assert "changed after this draw" in olga.open(f"{DESK}/rounds/1").text
    stage.publish(event, 1)
    assert "Round 1 is published: the seeds stay as they are." in olga.open(f"{DESK}/seeding").text
    with stage.unchanged():
        assert olga.post(f"{DESK}/seeding").status_code == 422


def test_saving_settings_keeps_the_rounds_planned_by_a_format(olga: Person, stage: Stage) -> None:
    event = cut_event(stage, 4, entered=6)
    cut(stage, event)
    assert olga.press("Save", at=f"{DESK}/settings", round_minutes="75").flashes == "Saved."
    assert [r.kind for r in stage.all(Round, event_id=event.id)] == ["swiss", "knockout", "knockout"]
    page = olga.press("Save", at=f"{DESK}/settings", rounds="2")
    assert page.error_at("rounds") == "The knockout is drawn: the number of rounds can no longer change."

    circle = stage.event("Rust Cup", rounds=2, scenario_pool=("raiders", "scrapyard"))
    formed(stage, *NAMES[:4], of=circle, format=EventFormat.ROUND_ROBIN)
    stage.play(circle, 1)
    assert len(stage.all(Round, event_id=circle.id)) == 3, "more than there are scenarios in the pool"
    assert olga.press("Save", at="/e/rust-cup/desk/settings", round_minutes="75").flashes == "Saved."
    olga.open("/e/rust-cup/desk/settings")
    assert "The format sets the number of rounds" in olga.press("Save", rounds="5").error_at("rounds")
    stage.publish(circle, 2)
    stage.publish(circle, 3)
    uses = [r.scenario for r in stage.all(Round, event_id=circle.id)]
    assert max(map(uses.count, uses)) == 2, "the rarest come again"
