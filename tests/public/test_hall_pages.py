"""The projector: which slide the hall shows when, and its pages, without sign-in and with nothing unpublished."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from events.public import projector
from events.public.projector import Slide, line_showing, showing, slides
from events.registration import leaving
from events.rounds import actions as rounds_actions
from events.setup import actions as setup_actions
from events.web.request import local
from service.settings import Settings, address_in_network
from tests.conftest import PUBLIC, Clock
from tests.kit.person import START_CLOCK, Page, Person, cell_words
from tests.kit.stage import Absent, Event, Player, Stage
from tests.kit.statements import sent

HALL = "/e/iron-open/hall"
NAMES = [f"Player {n:03}" for n in range(1, 41)]


@pytest.fixture
def four(stage: Stage, event: Event) -> Event:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    return event


def lines(page: Page) -> list[str]:
    return [cell_words(row) for row in page.soup.select(".hall-list > li")]


def test_names_are_shown_page_by_page(visitor: Person, olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES)
    stage.publish(event, 1)
    first = visitor.open(f"{HALL}/names")
    assert " · Scenario: " in first.part(".hall-of")
    assert (first.part(".hall-turn"), len(lines(first))) == ("1 of 2", 20)
    assert first.part(".hall-page") == olga.open(f"{HALL}/names").part(".hall-page")
    (meta,) = first.soup.select("meta[name=live]")
    news = visitor.http.get(str(meta["content"]))
    assert news.text == meta["data-mark"]
    seen = [visitor.http.get(str(meta["content"]), headers={"If-None-Match": news.headers["ETag"]}).status_code]
    stage.clock.advance(seconds=projector.SECONDS["names"] - 0.1)
    assert visitor.open(f"{HALL}/names").part(".hall-turn") == "1 of 2"
    stage.clock.advance(seconds=0.1)
    seen.append(visitor.http.get(str(meta["content"]), headers={"If-None-Match": news.headers["ETag"]}).status_code)
    assert seen == [304, 200], "the polled address changes when the page turns"
    second = visitor.open(f"{HALL}/names")
    assert (second.part(".hall-turn"), len(lines(second))) == ("2 of 2", 20)
    assert first.part("h1").endswith("find your table, P"), "all begin with one letter"
    rows = lines(first) + lines(second)
    assert [row.rpartition(" ")[0] for row in rows] == NAMES
    seats = {stage.name(part): str(g.table_number) for g in stage.games(event, 1) for part in (g.a_id, g.b_id)}
    assert dict(row.rsplit(" ", 1) for row in rows) == seats


def test_every_slide_shows_the_time_of_day_at_the_event(visitor: Person, stage: Stage, four: Event) -> None:
    stage.set(four, timezone="Asia/Tokyo")
    stage.clock.advance(minutes=7)
    stage.publish(four, 1)
    at = stage.clock().astimezone(ZoneInfo("Asia/Tokyo")).strftime("%H:%M")
    for view in ("", "/names", "/pairings", "/clock"):
        (shown,) = visitor.open(HALL + view).soup.select(".hall-now time[data-zone]")
        assert (shown.text, shown["data-zone"], "data-clock" in shown.attrs) == (at, "Asia/Tokyo", True), view


def test_tables_show_results_as_they_come_in(visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", "Cy")
    game, bye = stage.publish(event, 1)
    a, b = stage.name(game.a_id), stage.name(game.b_id)
    assert lines(visitor.open(f"{HALL}/pairings")) == [f"1 {a} {b}", f"bye {stage.name(bye.a_id)}"]
    stage.decide(event, game, 2, 1)
    visitor.open(f"{HALL}/pairings")
    assert visitor.page.soup.select(".done .hall-score")[0].text
    assert visitor.page.part(".won .hall-name") == a
    stage.no_show(event, game, Absent.B)
    visitor.open(f"{HALL}/pairings")
    assert visitor.page.part(".won .hall-name") == a


def test_unpublished_round_and_draft_event_are_hidden(visitor: Person, olga: Person, stage: Stage, four: Event) -> None:
    stage.draw(four, 1)
    for person in (visitor, olga):
        for view in ("", "/names", "/pairings", "/clock", "/standings"):
            page = person.open(HALL + view)
            assert page.status == 200
            assert not {"Ada", "Bo", "Cy", "Di"} & set(page.text.split()), view
    game, other = stage.games(four, 1)
    stage.do(four, rounds_actions.publish_round, 1)
    stage.decide(four, game, 2, 1)
    assert visitor.open(f"{HALL}/standings").part("h1") == "Round 1: 1 of 2 tables decided"
    stage.decide(four, other, 2, 1)
    assert len(lines(visitor.open(f"{HALL}/standings"))) == 4
    stage.event("Secret Cup", draft=True)
    for view in ("", "/names", "/names/version"):
        assert visitor.open(f"/e/secret-cup/hall{view}").status == 404
    assert visitor.open(f"{HALL}/lists").status == 404


def test_screen_shows_what_matters_now(visitor: Person, olga: Person, stage: Stage, four: Event) -> None:
    def shown() -> set[str]:
        found = set()
        for _ in range(9):
            page = visitor.open(HALL)
            found.add("clock" if page.soup.select(".hall-big") else page.part("h1"))
            stage.clock.advance(seconds=10)
        return found

    assert shown() == {"Welcome"}
    page = visitor.open(HALL)
    assert page.soup.select(".hall-qr svg") and page.part(".hall-qr p") == PUBLIC + "/e/iron-open"
    assert page.soup.select("noscript meta[http-equiv=refresh][content='10']"), "without script the screen reloads"
    games = stage.publish(four, 1)
    assert shown() == {"Round 1: find your table", "Round 1: tables", "clock"}
    assert visitor.open(f"{HALL}/names").soup.select("ol.hall-arrives")
    olga.press(START_CLOCK, at="/e/iron-open/desk/clock")
    stage.clock.advance(minutes=20)
    assert not visitor.open(f"{HALL}/names").soup.select("ol.hall-arrives"), "a round arrives once"
    assert shown() == {"clock", "Round 1: tables"}
    stage.clock.advance(minutes=60)
    assert shown() == {"clock"}
    olga.press("+10 min", at="/e/iron-open/desk/clock", inside="#one-table", table="2")
    stage.clock.advance(minutes=10, seconds=7)
    for view in ("", "/clock"):
        page = visitor.open(HALL + view)
        assert (page.part(".clock"), page.part(".badge")) == ("−03:07", "Overtime")
        assert "Table 2 : 10 minutes more, to 11:43" in page.text
    assert (
        visitor.open(f"{HALL}/names").part(".hall-now") == f"Overtime −03:07 now {local(stage.clock(), four, '%H:%M')}"
    )
    for game in games:
        stage.decide(four, game, 2, 1)
    assert shown() == {"Standings after round 1", "Between the rounds"}


def test_standings_show_tie_breaks_and_who_dropped(visitor: Person, olga: Person, stage: Stage, four: Event) -> None:
    stage.play(four, 1)
    first, *_, last = stage.standings(four)
    stage.do(four, leaving.drop, stage.one(Player, name=last.name))
    rows = lines(visitor.open(f"{HALL}/standings"))
    assert rows[0] == f"1 {first.name} 1-0-0 {first.vp} VP 3"
    assert rows[-1] == f"{last.rank} {last.name} 0-0-1 {last.vp} VP, dropped 0"


def test_after_the_end_the_podium_and_no_welcome(visitor: Person, stage: Stage, four: Event) -> None:
    assert "when the organiser closes the event" in visitor.open(f"{HALL}/podium").text
    for game in stage.publish(four, 1):
        stage.decide(four, game, 2, 1)
    assert "Ada" not in visitor.open(f"{HALL}/podium").part(".hall-podium"), "not before the end"
    stage.do(four, setup_actions.finish)
    found = set()
    for _ in range(4):
        found.add(visitor.open(HALL).part("h1"))
        stage.clock.advance(seconds=10)
    assert found == {"Podium", "Final standings"}
    assert 2 <= len(visitor.open(f"{HALL}/podium").soup.select(".hall-podium li")) <= 4
    page = visitor.open("/e/iron-open")
    assert page.part("[data-poll-part=now] h2") == "Winner" and len(page.soup.select(".podium li")) >= 2


def test_address_of_this_machine_alone_is_replaced(visitor: Person, event: Event, settings: Settings) -> None:
    visitor.http.application.extensions["overseer_settings"] = replace(settings, host="0.0.0.0")  # noqa: S104
    found = address_in_network()
    shown = visitor.open(HALL).part(".hall-qr p")
    assert shown == (f"http://{found}:8000/e/iron-open" if found else ""), "no code that only this machine could open"
    other = visitor.http.get(HALL, base_url="http://hall.local:8000").text
    assert "http://hall.local:8000/e/iron-open" in other, "a name that phones use stays"


NINE = datetime(2026, 12, 5, 9, tzinfo=UTC)


def test_list_is_split_into_even_pages() -> None:
    for players, pages in ((0, 1), (1, 1), (32, 1), (33, 1), (34, 2), (120, 4), (500, 16)):
        those = slides(["names"], {"names": players})
        assert those == [Slide("names", page, pages, players) for page in range(1, pages + 1)]
        shown = [row for slide in those for row in range(players)[slide.rows]]
        assert shown == list(range(players))
        sizes = [len(range(players)[slide.rows]) for slide in those]
        assert max(sizes) - min(sizes) <= 1, "no page of three names after full ones"
        assert max(sizes) <= min(projector.ROWS["names"], those[0].columns * those[0].lines)
        assert {slide.lines for slide in those} == {max(1, -(-max(sizes) // those[0].columns))}


def test_empty_list_is_left_out_unless_it_is_alone() -> None:
    assert slides(["clock", "standings"], {"standings": 0}) == [Slide("clock", 1, 1)]
    assert slides(["standings"], {"standings": 0}) == [Slide("standings", 1, 1)]
    assert showing([Slide("clock", 1, 1)], NINE, NINE + timedelta(days=1)) == (Slide("clock", 1, 1), None)


@given(
    names=st.integers(0, 300), tables=st.integers(0, 300), microseconds=st.integers(0, 10**12),
    moment=st.sampled_from(projector.Moment),
)  # fmt: skip
def test_each_slide_stays_its_time_before_the_next(
    names: int, tables: int, microseconds: int, moment: projector.Moment
) -> None:
    those = slides(projector.TURNING[moment], {"names": names, "pairings": tables, "standings": names})
    now = NINE + timedelta(microseconds=microseconds)
    slide, turns = showing(those, NINE, now)
    if turns is None:
        assert len(those) == 1
        return
    assert now < turns <= now + timedelta(seconds=projector.SECONDS[slide.view])
    assert showing(those, NINE, turns - timedelta(microseconds=1)) == (slide, turns)
    following = showing(those, NINE, turns)[0]
    places = [place for place, one in enumerate(those) if one == slide]
    assert following in [those[(place + 1) % len(those)] for place in places]
    assert showing(those, NINE, NINE)[0] == those[0]


def test_announcements_take_turns(visitor: Person, olga: Person, event: Event, clock: Clock) -> None:
    assert line_showing(0, NINE, NINE) == line_showing(1, NINE, NINE + timedelta(hours=1)) == (0, None)
    assert [line_showing(3, NINE, NINE + timedelta(seconds=s))[0] for s in (0, 9.9, 10, 20, 30)] == [0, 0, 1, 2, 0]
    assert line_showing(2, NINE, NINE + timedelta(seconds=12))[1] == NINE + timedelta(seconds=20)
    for text in ("Lunch is served", "The <i>bar</i> is open"):
        olga.press("Announce", at="/e/iron-open/desk/clock", text=text)
    first = visitor.open(HALL).part(".hall-said")
    clock.advance(seconds=10)
    assert {first, visitor.open(HALL).part(".hall-said")} == {"Lunch is served", "The <i>bar</i> is open"}


def test_standings_of_more_players_take_no_more_statements(app: Flask, visitor: Person, stage: Stage) -> None:
    counts = []
    for name, size in (("Small Cup", 4), ("Large Cup", 12)):
        event = stage.event(name, rounds=1, players=tuple(f"Player {number}" for number in range(size)))
        stage.play(event, 1)
        with sent(app.extensions["overseer_engine"]) as seen:
            assert len(lines(visitor.open(f"/e/{event.slug}/hall/standings"))) == size
        counts.append(len(seen))
    assert counts[0] == counts[1]
