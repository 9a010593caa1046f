"""The standings page, worked out by hand; closing the event and opening it again."""

from dataclasses import dataclass

import pytest

from events.registration.leaving import drop
from events.results.corrections import correction
from events.rounds.byes import ask_bye
from events.setup.actions import finish
from events.tournament.endings import Ending
from events.tournament.scores import Ended
from models.event import Event, EventState
from models.play import Absent, Player, ReportSide
from tests.kit.papers import texts
from tests.kit.people import Links
from tests.kit.person import ADD, CLOSE_EVENT, DROP_PLAYER, PREVIEW, STORE, Enter, Page, Person, Value
from tests.kit.stage import Stage
from validators.scenario import Answers

PAGE = "/e/iron-open/standings"


@dataclass(frozen=True)
class Played:
    """Two rounds: one beat last 5-2 and drew-with-each-other met 3-3; then first beat one 4-1, second beat last 2-0.

    Tournament points 3/1/0: first 1 + 3 = 4, second 1 + 3 = 4, one 3 + 0 = 3, last 0.
    VP: first 3 + 4 = 7, second 3 + 2 = 5, one 5 + 1 = 6, last 2 + 0 = 2.
    """

    first: Player
    second: Player
    one: Player
    last: Player


@pytest.fixture
def played(stage: Stage, event: Event) -> Played:
    """The event with these two rounds."""
    people = {player.id: player for player in stage.enter(event, "Ada", "Bo", "Cy", "Di")}
    win, level = stage.publish(event, 1)
    stage.decide(event, win, 5, 2)
    stage.decide(event, level, 3, 3)
    number, last = win.a_id, win.b_id
    games = {frozenset((game.a_id, game.b_id)): game for game in stage.publish(event, 2)}
    top = next(pair for pair in games if number in pair)
    low = next(pair for pair in games if last in pair)
    assert top != low, "the winner meets one of those who drew"
    (first,), (second,) = top - {number}, low - {last}
    for pair, better, figures in ((top, first, (4, 1)), (low, second, (2, 0))):
        game = games[pair]
        stage.decide(event, game, *(figures if game.a_id == better else figures[::-1]))
    assert first and second and last
    return Played(people[first], people[second], people[number], people[last])


def figures(page: Page) -> list[list[str]]:
    return [[row[0], row[1], row[4], *(cell.split()[0] for cell in row[5:8])] for row in page.rows(".standings")]


@pytest.mark.proves("I6")
def test_page_shows_figures_worked_out_by_hand(played: Played, visitor: Person, stage: Stage, link_of: Links) -> None:
    page = visitor.open(PAGE)
    assert page.part("h1") == "Standings"
    assert figures(page) == [
        ["1", played.first.name, "1-1-0", "4", "7", "1.750"],  # met one 3/2 and second 4/2
        ["2", played.second.name, "1-1-0", "4", "5", "1.000"],  # met first 4/2 and last 0/2
        ["3", played.one.name, "1-0-1", "3", "6", "1.000"],
        ["4", played.last.name, "0-0-2", "0", "2", "1.750"],
    ]
    assert "Points: 1 win × 3 + 1 draw × 1 = 4" in page.text
    assert "After round 2 of 3" in page.text
    page = visitor.open(f"{PAGE}?after=1")
    assert figures(page)[0][1:5] == [played.one.name, "1-0-0", "3", "5"]
    assert page.part("nav[aria-label='After round'] [aria-current]") == "After round 1"
    assert visitor.open(f"{PAGE}?after=3").status == 404
    for odd in ("-1", "01", "99999999999999999999"):
        assert visitor.http.get(f"{PAGE}?after={odd}").location == PAGE, "an argument that the page does not know"
    assert "Standings appear when the first round is complete" in visitor.open(f"{PAGE}?after=0").text
    visitor.open(link_of(stage.now(played.one)))
    assert played.one.name in visitor.open(PAGE).part(".std .own"), "a player's own row is marked"


def test_standings_follow_changed_points_and_tie_breaks(played: Played, olga: Person, visitor: Person) -> None:
    olga.press("Save", at="/e/iron-open/desk/settings/points", painting_points="2")
    olga.open(f"/e/iron-open/desk/players/{played.second.id}")
    assert "Counts 2 tournament points in this event." in olga.page.text
    olga.press("Save", painted=True)
    page = visitor.open(PAGE)
    assert [row[1] for row in figures(page)][:2] == [f"{played.second.name} +2 painted", played.first.name]
    assert "1 win × 3 + 1 draw × 1 + 2 painted = 6" in page.text
    assert "0 a loss, 2 more from the start for a fully painted force), then" in page.text
    assert f"{played.second.name} +2 painted" in page.part(".std > li"), "in the row as in the table"
    olga.press("Save", painted=False)
    olga.press("Save", at="/e/iron-open/desk/settings/points", points_win="2", points_draw="1", points_loss="0")
    olga.open("/e/iron-open/desk/settings/tie-breaks")
    order: dict[str, Value] = {"tie-breaks-tie_breaks-0": "vp_difference", "tie-breaks-tie_breaks-1": "wins"}
    order |= {"tie-breaks-tie_breaks-2": "", "tie-breaks-sure": True}
    olga.press("Save", at="", inside="#tie-breaks", **order)
    rows = visitor.open(PAGE).rows(".standings")
    assert [[row[1], *(cell.split()[0] for cell in row[5:8])] for row in rows] == [
        [played.first.name, "3", "3", "1"],
        [played.second.name, "3", "2", "1"],
        [played.one.name, "2", "0", "1"],
        [played.last.name, "0", "−5", "0"],
    ]


def test_closed_event_is_reopened(played: Played, olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    desk = "/e/iron-open/desk"
    olga.post(f"{desk}/reopen")
    assert "Only a finished event" in olga.open(desk).flashes
    unstarted = f"/e/{stage.event('Rust Cup').slug}/desk"
    olga.post(f"{unstarted}/finish")
    assert "Only an event in progress can be closed." in olga.open(unstarted).flashes
    game, other = stage.publish(event, 3)
    stage.decide(event, game, 5, 0)
    assert not any(button.text == CLOSE_EVENT for button in olga.open(desk).soup.find_all("button"))
    olga.post(f"{desk}/finish")
    said = olga.open(desk).flashes
    assert said.startswith("1 game is still open: ") and said.endswith(" (round 3). Decide it first.")
    stage.decide(event, other, 4, 0)
    assert "The event is closed; the standings are final." in olga.press(CLOSE_EVENT, at=desk).flashes
    assert stage.now(event).state == EventState.FINISHED
    page = visitor.open(PAGE)
    assert page.part("h1") == "Final standings"
    assert visitor.open("/e/iron-open/register").status == 403
    page = olga.open(f"{desk}/games/{game.id}")
    assert "open the event again" in page.text and not page.soup.select("form.report")
    before = stage.digest()
    sent = olga.post(f"{desk}/games/{game.id}", **{"a.objectives": "0"})
    assert (sent.status_code, "The event is closed" in sent.text) == (422, True)
    assert ADD not in [button.text for button in olga.open(f"{desk}/players").soup.find_all("button")]
    page = olga.press("Save", at=f"{desk}/settings/points", points_win="5")
    assert (page.status, "The event is closed and its standings are final." in page.text) == (422, True)
    page = olga.press("Save", at=f"{desk}/players/{game.a_id}", painted=True)
    assert "The standings are final." in page.error_at("painted")
    assert "This event is over." in olga.press(DROP_PLAYER, at=f"{desk}/players/{game.a_id}").flashes
    assert stage.digest() == before
    winner = figures(visitor.open(PAGE))[0][1]
    assert "The event is open again." in olga.press("Open the event again", at=desk).flashes
    olga.press(PREVIEW, at=f"{desk}/games/{game.id}", a__objectives="0", b__objectives="5")
    olga.press(STORE, reason="Misread")
    olga.press(CLOSE_EVENT, at=desk)
    assert figures(visitor.open(PAGE))[0][1] != winner or stage.name(game.a_id) != winner
    assert stage.journal(event, "reopen-event") == ["Opened the event again"]


def test_scenarios_of_different_scales_count_as_shares(stage: Stage, visitor: Person, olga: Person) -> None:
    """S1: 240 to 160, a bye 60. S3: six chests, 5 to 2, a bye 71."""
    event = stage.event("Wasteland", game="fallout_warfare", rounds=2, scenarios=("skirmish", "treasure-hunt"))
    stage.enter(event, "Ada", "Bo", "Cy")

    def gained(number: int) -> dict[int | None, int]:
        before = {row.id: row.vp for row in stage.standings(event, number - 1)}
        return {int(row.id): row.vp - before[row.id] for row in stage.standings(event, number)}

    game, bye = stage.publish(event, 1)
    both = {"a.fielded": 200, "b.fielded": 200}
    stage.report(event, game, ReportSide.ORGANISER, both | {"a.dead": 80, "b.dead": 120})
    assert gained(1) == {game.a_id: 60, game.b_id: 40, bye.a_id: 60}
    game, bye = stage.publish(event, 2)
    hunt: Answers = {"a.role": "Scavengers", "a.chests": 4, "a.dead": 10, "b.dead": 20}
    stage.report(event, game, ReportSide.ORGANISER, hunt)
    assert gained(2) == {game.a_id: 71, game.b_id: 29, bye.a_id: 71}
    preview = correction(stage.s, event, stage.games(event, 1)[0], both | {"a.dead": 80, "b.dead": 160})
    assert (preview.bye_was, preview.bye_now, preview.byes) == (60, 70, 1), "280 to 120; the other bye was in S3"
    form = {"a__fielded": "200", "b__fielded": "200", "a__dead": "80", "b__dead": "160"}
    olga.press("Preview the changes", at=f"/e/wasteland/desk/games/{stage.games(event, 1)[0].id}", **form)
    assert "A bye is worth 60 becomes 70 percent of the VP, the mean" in olga.page.part("#look")
    stage.set(event, scenario_pool=["skirmish", "treasure-hunt"])
    decides = "decided mostly by Treasure Hunt!, where a side can get 0 to 100 percent. In Skirmish both sides"
    for section in ("tie-breaks", "rounds"):
        assert decides in olga.open(f"/e/wasteland/desk/settings/{section}").text, section
    stage.set(event, scenario_pool=["skirmish"])
    assert "decided mostly" not in olga.open("/e/wasteland/desk/settings/tie-breaks").text
    keeps = "both shares add up to at most 100: if the winner has 70, the conceding player has at most 30"
    assert keeps in visitor.open("/e/wasteland").text, "a conceding player keeps no more"
    worth = "a win with the mean share of VP of the winners so far in the scenarios of the round"
    assert worth in visitor.open("/e/wasteland").text
    says = "The scenarios of this game score on different scales"
    for address in ("/standings", ""):
        assert f"{says}: the standings count each" in visitor.open(f"/e/wasteland{address}").text, address
    stage.report(event, game, ReportSide.ORGANISER, hunt, how=Ended(Ending.CONCEDED_B))
    assert "counts" not in visitor.open("/e/wasteland/rounds/2").part("table"), "a share is not shown as VP"
    stage.report(event, game, ReportSide.ORGANISER, hunt)
    stage.set(event, tie_breaks=["vp"])
    assert keeps not in visitor.open("/e/wasteland").text
    assert gained(2) == {game.a_id: 5, game.b_id: 2, bye.a_id: 5}, "a bye was worth 123"


def test_byes_are_counted_and_explained(visitor: Person, stage: Stage, event: Event) -> None:
    *_, di = stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.do(event, ask_bye, di, 1)
    bye = next(game for game in stage.play(event, 1) if game.b_id is None and not game.asked)
    page, sheet = visitor.open(PAGE), " ".join(texts(visitor.open(f"{PAGE}.pdf")))
    shown = {row[1]: row[4] for row in page.rows(".standings")}
    assert shown[f"{stage.name(bye.a_id)} bye"] == "0-0-0 +1"
    assert shown["Di bye asked for"] == "0-0-0 +1"
    assert sheet.count("0–0–0 +1") == 2
    for text in (page.text, sheet):
        assert "+1 is a bye: 3 points and 3 VP, the mean of the winners so far. " in text
        assert "+1 is a bye asked for: 1 point and 2 VP, half of the winners’ mean of 3, rounded up" in text
        assert "no-show" not in text


def test_victory_points_of_a_bye_are_provisional_until_the_event_is_closed(
    visitor: Person, enter: Enter, stage: Stage
) -> None:
    event = stage.event(rounds=1, scenarios=("hold-the-line",))
    people = dict(zip(("Ada", "Bo", "Cy"), enter(event, "Ada", "Bo", "Cy"), strict=True))
    game, bye = stage.publish(event, 1)
    own = people[stage.name(bye.a_id)]
    stage.set(event, tie_breaks=["vp", "sos"])
    assert "with the winners’ mean VP, provisional until the event is closed" in own.open("/e/iron-open/me").text
    stage.decide(event, game, 3, 1)
    note = "* provisional: it includes the winners’ mean, which changes until the event is closed."
    for closed, mark in ((False, "*"), (True, "")):
        page, sheet = visitor.open(PAGE), " ".join(texts(visitor.open(f"{PAGE}.pdf")))
        shown = {row[1].removesuffix(" bye"): row[6].split(" VP")[0] for row in page.rows(".standings")}
        assert shown == {stage.name(game.a_id): "3", stage.name(game.b_id): "1", stage.name(bye.a_id): f"3{mark}"}
        assert (note in page.text, note.rstrip(".") in sheet, f"3{mark}" in sheet) == (not closed, not closed, True)
        assert ",3,0.000," in visitor.ask("GET", "/e/iron-open/standings.csv").text
        worth = f"3 VP{mark and ' , provisional'}"
        assert own.open("/e/iron-open/me").part(".record-result") == f"Bye {worth}"
        assert f"win (bye) {worth}" in visitor.open(f"/e/iron-open/players/{bye.a_id}").text
        if not closed:
            stage.do(event, finish)


def test_drop_is_shown_from_its_round_on(visitor: Person, stage: Stage, event: Event, played: Played) -> None:
    stage.do(event, drop, played.last)
    for query, shown in (("?after=1", False), ("?after=2", True), ("", True)):
        assert ("dropped" in visitor.open(f"{PAGE}{query}").part(".standings")) == shown, query
        sheet = visitor.open(f"/e/iron-open/standings.pdf{query}")
        assert ("dropped" in " ".join(texts(sheet))) == shown, query
        assert ("dropped" in visitor.ask("GET", f"/e/iron-open/standings.csv{query}").text) == shown, query


def test_page_shows_no_worth_of_a_bye_that_depends_on_the_scenario(stage: Stage, visitor: Person) -> None:
    for game, shown in (("battle_mode", True), ("fallout_warfare", False)):
        event = stage.event(game, game=game)
        stage.enter(event, "Ada", "Bo")
        stage.no_show(event, stage.publish(event, 1)[0], Absent.A)
        page = visitor.open(f"/e/{event.slug}/standings")
        assert "+1 is a win by no-show: 3 points" in page.text
        assert ("VP, the mean of the winners" in page.text) is shown, game


def test_ranks_of_complete_rounds_follow_the_table(played: Played, visitor: Person, stage: Stage, event: Event) -> None:
    page = visitor.open(f"{PAGE}?after=1")
    assert not page.soup.select("figure.chart")
    before = {row[1]: row[0] for row in figures(page)}
    third = stage.publish(event, 3)
    stage.decide(event, third[0], 5, 0)
    assert not visitor.open(PAGE).soup.select("figure.chart"), "it would tell another story than the table of now"
    page = visitor.open(f"{PAGE}?after=2")
    assert page.part("figure.chart figcaption") == f"{played.first.name} took the lead in round 2."
    order = (played.first, played.second, played.one, played.last)
    assert page.rows("figure.chart table") == [[p.name, before[p.name], str(i)] for i, p in enumerate(order, 1)]
    stage.decide(event, third[1], 5, 0)
    stage.do(event, drop, played.one)
    page = visitor.open(PAGE)
    assert "dropped" in page.part(".standings")
    after = {row[1]: row[0] for row in figures(page)}
    drawn = {row[0]: row[3] for row in page.rows("figure.chart table")}
    assert drawn[played.one.name] in after.values(), "who left keeps the rank of the table"
