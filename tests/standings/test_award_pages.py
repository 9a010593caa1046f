"""Awards: which player wins which; set up, previewed, presented one by one, published, printed."""

from dataclasses import replace
from fractions import Fraction

import pytest

from events.journal.replay import replay
from events.results.actions import open_again
from events.setup.actions import finish
from events.setup.pairing_actions import set_soft_rules
from events.standings.awards import MOST_AWARDS, add_award, decided
from events.standings.published_awards import publish_awards
from events.standings.queries import standings_of
from events.tournament.award_rules import Contender, Kind, Wanted, award_winners
from events.tournament.soft_rules import SoftRules
from models.award import Award, AwardKind, AwardPick
from models.event import Event
from models.play import Player
from models.settings import ReportDetail
from tests.kit.formats import drop
from tests.kit.papers import page_texts
from tests.kit.person import Enter, Person, words
from tests.kit.stage import Stage
from tests.kit.team_events import enter_teams, team_event

DESK, PAGE, HALL = "/e/iron-open/desk/awards", "/e/iron-open/awards", "/e/iron-open/hall/awards"


@pytest.fixture
def event(stage: Stage, event: Event) -> Event:
    """Four players have played one round; the player entered first wins."""
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    return event


@pytest.fixture
def usual(olga: Person, event: Event) -> Person:
    """The organiser at the desk, with the usual awards."""
    olga.press("Add the usual awards", at=DESK)
    return olga


def shown(person: Person) -> list[str]:
    return [words(one).split(" ")[0] for one in person.page.soup.select("#awards .row-meta")]


def test_awards_of_a_closed_event_begin_with_the_podium(
    usual: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    usual.press("Add", at=DESK, **{"a-name": "King of the hill", "a-kind": "place", "a-place": "1"})
    usual.press("Publish the awards", at=DESK)
    stage.do(event, finish)
    titles = [one.text for one in visitor.open(PAGE).soup.select(".awards h2")]
    assert titles == ["King of the hill"], "usual awards for places are on the podium"
    assert visitor.page.part(".winner-name") == stage.standings(event)[0].name
    assert len(visitor.page.soup.select(".podium > li")) == 3
    ways = ["".join(one.text for one in way.select(".pip")) for way in visitor.page.soup.select("#ways > li")]
    assert len(ways) == 3 and ways[0].count("W") >= ways[2].count("W"), "each game of the first three is a letter"
    assert len({*map(len, ways)}) == 1 and ways[0], "round below round"


def test_usual_awards_are_hidden_until_published(usual: Person, visitor: Person, stage: Stage, event: Event) -> None:
    ranks = [row.name for row in stage.standings(event)]
    assert [one.name for one in stage.all(Award)] == ["Champion", "Second place", "Third place", "Best of the faction"]
    assert shown(usual) == [*ranks[:3], "no"], "no faction has three players"
    assert "Add the missing usual awards" not in usual.page.text
    usual.press("Remove: Third place")
    usual.press("Add the missing usual awards")
    assert len(stage.all(Award)) == 4
    assert visitor.open(PAGE).status == 404
    assert "Preview" in usual.open(PAGE).text
    assert "Champion" not in visitor.open(HALL).text
    usual.press("Publish the awards", at=DESK)
    assert (visitor.open(PAGE).part(".awards h2"), visitor.page.part(".awards .player")) == ("Champion", ranks[0])
    assert not visitor.page.soup.select(".podium"), "a round is to come"
    assert visitor.open("/e/iron-open").soup.find("a", href=PAGE)
    usual.press("Unpublish the page", at=DESK)
    assert visitor.open(PAGE).status == 404
    early = stage.event("Rust Cup")
    stage.enter(early, "Ada", "Bo")
    usual.press("Add the usual awards", at="/e/rust-cup/desk/awards")
    assert shown(usual) == ["no"] * 4, "lots alone win no award"


def test_prize_giving_shows_one_award_at_a_time(usual: Person, visitor: Person, stage: Stage, event: Event) -> None:
    names = [row.name for row in stage.standings(event)]
    assert "Awards appear here one by one" in visitor.open(HALL).text
    seen = []
    for award in ("Third place", "Second place", "Champion"):
        page = usual.open(DESK)
        usual.press(f"Show: {award}")
        usual.page = page
        usual.press(f"Show: {award}")  # a repeated submission shows no further award
        seen.append((visitor.open(HALL).part(".prize-title"), visitor.page.part(".prize-name")))
    assert seen == [("Third place", names[2]), ("Second place", names[1]), ("Champion", names[0])]
    assert not any("Show:" in b.get_text() for b in usual.page.soup.find_all("button"))
    usual.post(f"{DESK}/next", shown="3")
    assert "Every award has been given." in usual.open(DESK).flashes
    usual.press("From the start")
    assert "Awards appear here one by one" in visitor.open(HALL).text
    for player in stage.all(Player):
        stage.set(event, player, faction="Raiders")
    usual.press("Show: Best of the faction: Raiders", at=DESK)
    assert visitor.open(HALL).part(".prize-name") == names[3], "the best without a place"
    assert "rank" not in visitor.page.part(".hall-prize")
    assert not visitor.page.soup.select(".hall-prize .av"), "initials and faction would name the winner before the name"


def test_hall_keeps_its_award_when_another_one_gets_a_winner(usual: Person, visitor: Person, event: Event) -> None:
    def hall() -> str:
        return visitor.open(HALL).part(".prize-title")

    usual.press("Add", at=DESK, **{"a-name": "Best sport", "a-kind": "own"})
    for title in ("Third place", "Second place", "Champion"):
        usual.press(f"Show: {title}", at=DESK)
    usual.press("Add", **{"a-name": "Wooden spoon", "a-kind": "spoon"})
    assert hall() == "Champion"
    usual.press("Name the winner", **{"w-award": "Best sport", "w-player": "Di", "w-reason": "kind"})
    assert hall() == "Champion"
    for title in ("Best sport", "Wooden spoon"):
        usual.press(f"Show: {title}", at=DESK)
        assert hall() == title
    for button in ("Remove: Champion", "Add the missing usual awards", "Move down: Wooden spoon"):
        usual.press(button, at=DESK)
        assert hall() == "Wooden spoon"


def test_turning_screen_follows_the_prize_giving(usual: Person, visitor: Person, stage: Stage, event: Event) -> None:
    def seen() -> str:
        return visitor.open("/e/iron-open/hall").part("h1")

    usual.press("Show: Third place")
    (link,) = [entry for entry in usual.page.soup.select("#run > .meta a") if entry["href"] == HALL]
    assert link.get_text() == "the hall’s page of awards"
    assert seen() == "Standings after round 1", "the rounds go on"
    usual.press("From the start")
    for number in (2, 3):
        stage.play(event, number)
    assert seen() == "After the last round", "no place is shown before its award"
    usual.press("Show: Third place", at=DESK)
    assert (seen(), visitor.page.part(".prize-title")) == ("Awards", "Third place")
    assert "The hall shows" in usual.page.part(".on-stage")
    usual.press("Publish the awards")
    assert seen() == "Standings after round 3"
    assert "The hall’s page of awards shows" in usual.page.part(".on-stage"), "the turning hall shows none"


def test_final_standings_wait_for_the_awards_where_the_event_says_so(
    usual: Person, visitor: Person, enter: Enter, stage: Stage, event: Event
) -> None:
    def read(person: Person) -> str:
        return person.open("/e/iron-open/standings").part(".lede")

    stage.do(event, set_soft_rules, SoftRules(hold=True))
    (ed,) = enter(event, "Ed")
    stage.play(event, 2)
    assert read(visitor) == "After round 2 of 3"
    assert " of " in ed.open("/e/iron-open/me").part(".path > li:last-child > .meta:last-child"), (
        "no other round is held back"
    )
    stage.play(event, 3)
    assert (read(visitor), read(ed), read(usual)) == ("After round 2 of 3",) * 2 + ("After round 3 of 3",)
    for address in ("standings", "standings.csv", "standings.trf", "standings.pdf"):
        found = [part.ask("GET", f"/e/iron-open/{address}?after=3").status_code for part in (visitor, usual)]
        assert found == [404, 200], address
    for hold, shown in ((False, 3), (True, 2)):
        stage.do(event, set_soft_rules, SoftRules(hold=hold))
        assert read(visitor) == f"After round {shown} of 3"
    page = ed.open("/e/iron-open/me")
    assert page.part(".lede").endswith("The final standings are shown once the awards are published.")
    assert " of " not in page.part(".path > li:last-child"), "no rank"
    assert "after round 2" in visitor.open(f"/e/iron-open/players/{stage.one(Player, name='Ed').id}").text
    assert visitor.open("/e/iron-open/hall/standings").part("h1") == "Standings after round 2"
    assert visitor.open("/e/iron-open/hall").part("h1") == "After the last round"
    usual.press("Publish the awards", at=DESK)
    assert read(visitor) == "After round 3 of 3"
    assert "of 5, with" in ed.open("/e/iron-open/me").part(".lede")


def test_winner_is_named_with_a_reason_and_taken_back(usual: Person, stage: Stage, event: Event) -> None:
    usual.press("Add", **{"a-name": "<i>Best</i> hat", "a-kind": "own"})
    page = usual.press("Name the winner", **{"w-award": "<i>Best</i> hat", "w-player": "Di"})
    assert page.status == 422 and page.error_at("w-reason")
    usual.press("Name the winner", **{"w-reason": "a <b>fez</b>"})
    row = next(words(row) for row in usual.page.soup.select("#awards li") if "<i>Best</i> hat" in words(row))
    assert " Di " in row and "a <b>fez</b> named by owner Olga" in row
    again = usual.press("Name the winner", **{"w-award": "<i>Best</i> hat", "w-player": "Di", "w-reason": "x"})
    assert again.error_at("w-player") == "Di is named already."
    usual.press("Name the winner", **{"w-award": "Champion", "w-player": "Cy", "w-reason": "dice"})
    assert shown(usual)[0] == "Cy"
    usual.press("Remove winner: Champion")
    assert shown(usual)[0] == stage.standings(event)[0].name
    assert [pick.reason for pick in stage.all(AwardPick)] == ["a <b>fez</b>"]
    assert "a <b>fez</b>" in usual.open(PAGE).text


def test_awards_are_reordered_and_removed(usual: Person, stage: Stage) -> None:
    order = [len(one.select("button")) for one in usual.page.soup.select(".order-buttons")]
    assert order == [2, 3, 3, 2], "the first goes no further up, the last no further down"
    usual.press("Move down: Champion")
    usual.press("Move up: Best of the faction")
    usual.press("Remove: Third place")
    names = [one.name for one in sorted(stage.all(Award), key=lambda one: one.position)]
    assert names == ["Second place", "Champion", "Best of the faction"]
    assert usual.press("Add", **{"a-name": "Champion", "a-kind": "own"}).status == 422
    assert "Choose a place." in usual.press("Add", **{"a-name": "Fifth", "a-kind": "place"}).error_at("a-place")


def test_event_without_victory_points_has_at_most_40_other_awards(stage: Stage, event: Event) -> None:
    stage.set(event, report_detail=ReportDetail.OUTCOME)
    stage.refuse("records no victory points", event, add_award, AwardKind.MOST_VP, "Most VP", None)
    for n in range(MOST_AWARDS):
        stage.do(event, add_award, AwardKind.OWN, f"Award {n}", None)
    stage.refuse("at most 40 awards", event, add_award, AwardKind.OWN, "One more", None)
    stage.refuse("No award has a winner yet", event, publish_awards)


def test_best_of_a_faction_needs_enough_players(usual: Person, stage: Stage, event: Event) -> None:
    for player in stage.all(Player):  # three of one faction
        stage.set(event, player, faction="Survivors" if player.name == "Ada" else "Raiders")
    usual.open(DESK)
    titles = [words(one) for one in usual.page.soup.select("#awards .row-title") if "faction" in words(one)]
    assert titles == ["Best of the faction: Raiders"]
    usual.press("Name the winner", **{"w-award": "Best of the faction: Raiders", "w-player": "Ada", "w-reason": "x"})
    assert "does not play Raiders" in usual.page.error_at("w-player")


def test_certificates_are_printed_after_the_end(usual: Person, stage: Stage, event: Event) -> None:
    champion = stage.one(Award, name="Champion").id
    for query in ("", f"?for={champion}", "?for=everybody"):
        assert usual.ask("GET", f"{DESK}/certificates.pdf{query}").status_code == 404, "one round of three is played"
    assert "once the last round is complete" in usual.page.part("#certificates")
    stage.do(event, finish)  # two rounds are still planned
    assert "no winner yet" in usual.page.text
    assert "Print" in usual.open(DESK).part("#certificates")
    assert "no winner: no faction has 3 players" in usual.page.text
    for query, count in {f"?for={champion}": 1, "?for=everybody": 4, "?for=awards&shape=upright": 3}.items():
        answer = usual.ask("GET", f"{DESK}/certificates.pdf{query}")
        texts = page_texts(answer.data)
        assert (answer.mimetype, len(texts)) == ("application/pdf", count), query
        assert stage.standings(event)[0].name in texts[0]
    everybody = f"{DESK}/certificates.pdf?for=everybody"
    ranked, unranked = (page_texts(usual.ask("GET", f"{everybody}&rank={rank}").data) for rank in ("yes", "no"))
    assert "2nd of 4" in ranked[1] and "2nd" not in unranked[1]
    assert ["Champion" in page for page in ranked] == [True, False, False, False]
    assert "the certificate of the first says Champion" in usual.open(DESK).part("#certificates")
    assert "Champion" not in "".join(unranked) and "Battle Mode" in unranked[0]
    for query in ("?for=999", "?shape=round", "?paper=a3", "?rank=2"):
        assert usual.ask("GET", f"{DESK}/certificates.pdf{query}").status_code == 404, query


def player(id_: str, rank: int, *, faction: str = "", stays: bool = True, **figures: int) -> Contender:
    plain = {"vp": 0, "overall": 0, "painting": 0, "votes": 0, "sport": 0} | figures
    return Contender(
        id_, rank, faction, plain["vp"], Fraction(plain["overall"]), Fraction(plain["painting"]), plain["votes"],
        Fraction(plain["sport"]), stays,
    )  # fmt: skip


FIELD = [
    player("a", 1, faction="Reds", vp=9, overall=7, painting=3, votes=2, sport=4),
    player("b", 2, faction="Blues", vp=12, overall=9, painting=8, votes=2, sport=4),
    player("c", 3, faction="Reds", vp=12, overall=5, painting=8, votes=1),
    player("d", 3, faction="Reds", vp=12, overall=5, painting=8, votes=1),
    player("e", 5, faction="Greens", vp=1),
]


def test_best_figure_wins_and_ties_go_to_the_higher_rank() -> None:
    kinds: dict[Kind, tuple[str, str]] = {
        "overall": ("b", ""), "painted": ("b", "cd"), "painted_vote": ("a", "b"), "sport": ("a", "b"),
        "most_vp": ("b", "cd"), "spoon": ("e", ""),
    }  # fmt: skip
    for kind, (won, level) in kinds.items():
        (found,) = award_winners([Wanted(1, kind)], FIELD, least=1, one_each=False)
        assert (found.winners, found.level) == (tuple(won), tuple(level)), kind
    field = [replace(one, painting=Fraction(9)) if one.id in "cd" else one for one in FIELD]
    (found,) = award_winners([Wanted(1, "painted")], field, least=1, one_each=False)
    assert found.winners == ("c", "d"), "players of the same rank share it"
    for kind in ("painted", "painted_vote", "sport", "most_vp"):
        (found,) = award_winners([Wanted(1, kind)], [player("a", 1)], least=1, one_each=False)
        assert found.winners == (), "zero wins no award"


def test_winners_of_places_factions_and_named_players() -> None:
    first, second = Wanted(1, "place", 1), Wanted(2, "place", 2)
    faction, reds_a = Wanted(3, "faction"), Wanted(3, "faction", named=(("Reds", "a"),))
    mixed = (Wanted(1, "painted"), second, Wanted(3, "most_vp"), Wanted(4, "faction"))
    named = (Wanted(1, "painted", named=(("", "e"), ("", "a"))), Wanted(2, "own"),
             Wanted(3, "faction", named=(("Reds", "d"),)))  # fmt: skip
    for awards, least, one_each, winners in (
        ((first, Wanted(2, "place", 3), Wanted(3, "place", 4)), 1, False, "a cd -"),  # a shared rank leaves 4 empty
        ((faction,), 1, False, "Blues:b Greens:e Reds:a"),
        ((faction,), 2, False, "Reds:a"),
        (mixed, 3, True, "b b cd Reds:a"),  # one award each does not limit places
        (mixed, 3, False, "b b b Reds:a"),
        (named, 1, True, "ea - Blues:b Greens:- Reds:d"),
        ((faction, first, second), 1, False, "Blues:- Greens:e Reds:cd a b"),  # the best without a place
        ((first, second, reds_a), 1, False, "a b Blues:- Greens:e Reds:a"),  # the organiser may name the champion
        ((replace(first, named=(("", "e"),)), faction), 1, False, "e Blues:b Greens:- Reds:a"),
    ):
        won = [
            (winner.faction, "".join(winner.winners) or "-")
            for winner in award_winners(awards, FIELD, least=least, one_each=one_each)
        ]
        assert " ".join(f"{name}:{ids}" if name else ids for name, ids in won) == winners, awards
    teams = [replace(one, team=("Aces", 1 if one.id in "bd" else 2)) for one in FIELD]
    (of_team,) = award_winners([Wanted(1, "team", 1)], teams, least=1, one_each=True)
    assert of_team.winners == ("b", "d"), "the players of the team share it"
    gone = [replace(one, stays=one.id != "a") for one in FIELD]
    wanted = [Wanted(1, "faction"), Wanted(2, "place", 1), Wanted(3, "own", named=(("", "a"),))]
    found = award_winners(wanted, gone, least=3, one_each=False)
    assert [won.winners for won in found] == [("c", "d"), ("b",), ("a",)], "those behind move up"


def test_usual_awards_of_teams_go_to_the_first_teams(stage: Stage, olga: Person, visitor: Person) -> None:
    event = team_event(stage, size=2)
    reds, blues = enter_teams(stage, event, "Reds", "Blues")
    stage.play(event, 1)
    olga.press("Add the usual awards", at=DESK)
    assert [one.name for one in stage.all(Award)][:4] == ["Winning team", "Second team", "Third team", "Best player"]
    stage.s.rollback()
    first = [row.name for row in standings_of(stage.now(event)).of_teams()]
    won = {one.award.name: list({p.team_id for p in one.winners}) for one in decided(stage.s, event)}
    by_name = {"Reds": reds.id, "Blues": blues.id}
    assert (won["Winning team"], won["Second team"]) == ([by_name[first[0]]], [by_name[first[1]]])
    assert len(decided(stage.s, event)[0].winners) == 2
    row = olga.open(DESK).part("#awards .row-meta")
    assert first[0] in row and "shared" not in row
    drop(stage, event, f"{first[0]} 1")
    drop(stage, event, f"{first[0]} 2")
    (moved, *_) = decided(stage.s, event)
    assert {p.team_id for p in moved.winners} == {by_name[first[1]]}, "the team left, so the next one moves up"
    stage.refuse("No teams play", stage.event("Solo"), add_award, AwardKind.TEAM, "Team", 1)


def test_every_output_says_that_published_awards_are_being_corrected(
    usual: Person, visitor: Person, enter: Enter, stage: Stage, event: Event
) -> None:
    (ed,) = enter(event, "Ed")
    for number in (2, 3):
        games = stage.play(event, number)
    usual.press("Publish the awards", at=DESK)
    usual.press("Show: Third place")
    before = [row.name for row in stage.standings(event)]
    (final,) = [game for game in games if before[0] in (stage.name(game.a_id), stage.name(game.b_id))]
    a_wins = stage.name(final.a_id) != before[0]
    stage.do(event, open_again, stage.now(final), version=stage.now(final).version, reason="The sheet says otherwise")
    stage.decide(event, stage.now(final), *((5, 0) if a_wins else (0, 5)))
    now = [row.name for row in stage.standings(event)]
    assert now[0] != before[0], "the control: another champion"
    said = "The published awards and final standings are no longer those of the results."
    for page, note in (
        (visitor.open("/e/iron-open/standings"), "Being corrected"),
        (visitor.open("/e/iron-open/standings?after=2"), said),
        (ed.open("/e/iron-open/me"), said),
    ):
        assert note in page.text and "once the awards are published" not in page.text
    page = visitor.open("/e/iron-open/hall/standings")
    assert [row.text.strip() for row in page.soup.select(".hall-standings .hall-name")] == before
    assert page.part("h1") == "Final standings" and "Being corrected" in page.part(".hall-foot")
    assert "Being corrected" in visitor.open(HALL).part(".hall-foot")
    assert visitor.page.part(".prize-name") in usual.open(DESK).part(".on-stage"), "the desk says what the hall shows"
    assert "Being corrected" in page_texts(visitor.ask("GET", "/e/iron-open/standings.pdf").data)[0]
    assert "Being corrected" in visitor.open("/e/iron-open/standings/text").text
    assert "corrected" in visitor.ask("GET", "/e/iron-open/standings.csv").headers["Content-Disposition"]
    for address in ("standings", "awards"):
        found = visitor.ask("GET", f"/api/v1/events/iron-open/{address}").get_json()["items"]
        assert {item["corrected"] for item in found} == {True}, address
    awards, everybody = (
        page_texts(usual.ask("GET", f"{DESK}/certificates.pdf?for={which}").data) for which in ("awards", "everybody")
    )
    assert before[0] in awards[0] and "1st of 5" in awards[0]
    assert before[0] in everybody[0] and "1st of 5" in everybody[0] and "Champion" in everybody[0]


@pytest.mark.proves("attack 104")
def test_published_awards_and_standings_stay_until_published_again(
    usual: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    def read() -> tuple[str, int, list[str]]:
        """The winner, whether the page says that it is being corrected, and the standings shown as published."""
        page = visitor.open(PAGE)
        winner, corrected = page.part(".winner-name"), page.text.count("Being corrected")
        rows = visitor.open("/e/iron-open/standings").soup.select("#published li bdi")
        return winner, corrected, [row.text for row in rows]

    stage.play(event, 2)
    games = stage.play(event, 3)
    usual.press("Publish the awards", at=DESK)
    before = [row.name for row in stage.standings(event)]
    assert read() == (before[0], 0, [])
    (final,) = [game for game in games if before[0] in (stage.name(game.a_id), stage.name(game.b_id))]
    stage.do(event, open_again, stage.now(final), version=stage.now(final).version, reason="The sheet says otherwise")
    assert read() == (before[0], 1, before)
    a_wins = stage.name(final.a_id) != before[0]
    stage.decide(event, stage.now(final), *((5, 0) if a_wins else (0, 5)))
    after = [row.name for row in stage.standings(event)]
    assert after[0] != before[0], "the control: another champion"
    assert read() == (before[0], 1, before)
    assert decided(stage.s, stage.now(event))[0].names == before[0], "the interface, the hall and certificates too"
    assert visitor.ask("GET", "/e/iron-open/standings.csv?after=3").status_code == 404
    stage.refuse("are no longer those of the results", event, finish)
    assert "Close the event" not in usual.open("/e/iron-open/desk").text
    usual.press("Publish the awards again", at="/e/iron-open/desk")
    assert read() == (after[0], 0, [])
    assert "Publish the awards again" not in usual.open("/e/iron-open/desk").text
    assert replay(stage.s, stage.now(event)).difference is None
