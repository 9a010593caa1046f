"""The standings while a round is played: the table as it stands, what can still move, and what stays complete."""

from events.setup.pairing_actions import set_soft_rules
from events.standings.awards import add_usual
from events.tournament.soft_rules import SoftRules
from models.play import ReportSide
from tests.kit.person import Enter, Page, Person
from tests.kit.stage import Stage

PAGE = "/e/iron-open/standings"
SIX = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay")


def order(page: Page) -> list[str]:
    return [tag.text for tag in page.soup.select(".std .who b")]


def places(page: Page) -> dict[str, str]:
    """The dashed places of the rows, by name."""
    rows = page.soup.select(".std > li")
    return {row.select(".who b")[0].text: tag.text for row in rows for tag in row.select(".range")}


def test_round_one_shows_who_plays_whom_until_the_first_result(visitor: Person, stage: Stage) -> None:
    event = stage.event(players=SIX)
    games = stage.publish(event, 1)
    page = visitor.open(PAGE)
    assert page.part(".in-play strong") == "Round 1: 0 of 3 tables decided"
    assert order(page) == [stage.name(id_) for game in games for id_ in (game.a_id, game.b_id)]
    stage.decide(event, games[0], 3, 1)
    page = visitor.open(PAGE)
    assert page.part(".in-play strong") == "Round 1: 1 of 3 tables decided"
    assert order(page)[0] == stage.name(games[0].a_id)


def test_table_counts_the_results_that_are_in(visitor: Person, stage: Stage) -> None:
    event = stage.event(players=SIX)
    stage.play(event, 1)
    complete = [row.name for row in stage.standings(event)]
    games = stage.publish(event, 2)
    for game in games[1:]:
        stage.decide(event, game, 1, 4)
    page = visitor.open(PAGE)
    assert page.part(".in-play strong") == "Round 2: 2 of 3 tables decided"
    assert "Final ranks and awards count complete rounds only." in page.text
    table = {row[2]: row for row in page.rows(".standings")}
    assert [table[name][0] for name in order(page)] == ["1", "2", "3", "4", "5", "6"], "both have the same figures"
    assert {name: row[1] for name, row in table.items() if row[1]} == places(page)
    assert {stage.name(games[0].a_id), stage.name(games[0].b_id)} <= places(page).keys()
    links = [link.get_text(" ", strip=True) for link in page.soup.select("nav[aria-label='After round'] a")]
    assert links == ["After round 1", "Now"]
    page = visitor.open(f"{PAGE}?after=1")
    assert (order(page), places(page), page.soup.select(".in-play")) == (complete, {}, [])
    sheet = visitor.ask("GET", f"{PAGE}.csv").text.splitlines()[1:]
    assert [name in line for name, line in zip(complete, sheet, strict=True)] == [True] * 6, "files stay complete"


def test_disputed_table_is_not_in(visitor: Person, stage: Stage) -> None:
    event = stage.event(players=SIX[:4])
    game, other = stage.publish(event, 1)
    stage.decide(event, other, 2, 1)
    stage.report(event, game, ReportSide.A, {"a.objectives": 3})
    stage.report(event, game, ReportSide.B, {"b.objectives": 3})
    page = visitor.open(PAGE)
    assert page.part(".in-play strong") == "Round 1: 1 of 2 tables decided"
    assert {stage.name(game.a_id), stage.name(game.b_id)} <= places(page).keys()


def test_last_round_is_held_back_with_the_awards(visitor: Person, olga: Person, stage: Stage) -> None:
    event = stage.event(players=SIX[:4], rounds=2)
    stage.play(event, 1)
    stage.do(event, add_usual)
    stage.do(event, set_soft_rules, SoftRules(hold=True))
    complete = [row.name for row in stage.standings(event)]
    stage.decide(event, stage.publish(event, 2)[0], 0, 5)
    page = visitor.open(PAGE)
    assert (order(page), page.soup.select(".in-play")) == (complete, [])
    assert "The final standings are shown once the awards are published." in page.text
    assert "after round 1" in visitor.open("/e/iron-open/hall/standings").part("h1")
    assert olga.open(PAGE).soup.select(".in-play"), "staff read it"


def test_hall_shows_the_table_as_it_stands(visitor: Person, stage: Stage) -> None:
    event = stage.event(players=SIX)
    games = stage.publish(event, 1)
    assert "Standings appear with the first result." in visitor.open("/e/iron-open/hall/standings").text
    stage.decide(event, games[0], 3, 1)
    page = visitor.open("/e/iron-open/hall/standings")
    assert page.part("h1") == "Round 1: 1 of 3 tables decided"
    assert page.soup.select(".hall-standings .range") and "a dashed place can still change" in page.text


def test_own_place_says_after_which_round_it_is_while_the_next_one_is_played(enter: Enter, stage: Stage) -> None:
    event = stage.event()
    ada, *_ = enter(event, *SIX[:4])

    def place() -> str:
        return ada.open("/e/iron-open/me").part("[data-poll-part=record] > .panel > p")

    stage.play(event, 1)
    assert place().endswith("of 4")
    stage.publish(event, 2)
    assert place().endswith("of 4 after round 1")
