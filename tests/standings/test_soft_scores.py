"""Painting and sportsmanship: typed, voted, marked; where and when they count; which players read votes and marks."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from events.registration.leaving import drop
from events.setup.actions import finish
from events.setup.pairing_actions import set_soft_rules
from events.standings import soft_scores as scores
from events.standings.awards import overall
from events.standings.soft_scores import soft_scores, sports_score, votes
from events.store.scoring import adjustments_of, play_rules
from events.tournament.soft_rules import Counts, Painting, SoftRules, Sports
from events.tournament.tournament import ruled
from models.award import PaintingVote, SportsMark
from models.event import Event
from models.play import Player
from tests.kit.person import Enter, Person
from tests.kit.profiles import every_nth
from tests.kit.secrets_planted import addresses, read_by
from tests.kit.stage import Stage

OFF = SoftRules(
    painting=Painting.VOTE, sports=Sports.SCALE, painting_counts=Counts.POINTS,
    sports_counts=Counts.NOTHING, rulings_count=Counts.OVERALL, ruling_groups=False, second_yellow=False,
    faction_least=5, one_each=True, hold=True,
)  # fmt: skip


@pytest.fixture
def event(stage: Stage) -> Event:
    """Four players have played one round; the player entered first wins."""
    event = stage.event(tie_breaks=("painting", "sportsmanship", "vp"), players=("Ada", "Bo", "Cy", "Di"))
    stage.play(event, 1)
    return event


def rules(stage: Stage, event: Event, **chosen: Any) -> None:
    stage.do(event, set_soft_rules, replace(SoftRules(), **chosen))


def who(stage: Stage, name: str) -> Player:
    return stage.one(Player, name=name)


def figures(stage: Stage, event: Event) -> dict[str, tuple[str, ...]]:
    return {row.name: tuple(str(figure.shown) for figure in row.figures[:2]) for row in stage.standings(event)}


def test_painting_counts_where_the_event_sets(stage: Stage, event: Event) -> None:
    before = {row.name: row.points for row in stage.standings(event)}
    stage.do(event, scores.set_figures, who(stage, "Ada"), 3, None)
    for where, points, figure in (
        (Counts.POINTS, 3, "0"), (Counts.TIE_BREAK, 0, "3"), (Counts.OVERALL, 0, "0"), (Counts.NOTHING, 0, "0"),
    ):  # fmt: skip
        rules(stage, event, painting_counts=where)
        (ada,) = (row for row in stage.standings(event) if row.name == "Ada")
        assert (ada.points - before["Ada"], str(ada.figures[0].shown)) == (points, figure), where
        assert ("3 painting" in str(ada.how["points"])) == bool(points), where


def test_figure_of_the_staff_replaces_votes_and_marks(stage: Stage, event: Event) -> None:
    rules(stage, event, painting=Painting.VOTE, sports=Sports.THUMBS)
    ada = who(stage, "Ada")
    stage.do(event, scores.open_vote)
    stage.do(event, scores.vote, who(stage, "Bo"), ada.id)
    stage.do(event, scores.close_vote)
    assert figures(stage, event)["Ada"] == ("1", "0")
    stage.do(event, scores.set_figures, ada, 0, 9)
    assert figures(stage, event)["Ada"] == ("0", "9")
    before = {row.name: row.points for row in stage.standings(event)}
    rules(stage, event, sports=Sports.THUMBS, sports_counts=Counts.POINTS, painting_counts=Counts.NOTHING)
    (row,) = (row for row in stage.standings(event) if row.name == "Ada")
    assert (row.points - before["Ada"], "9 sportsmanship" in str(row.how["points"])) == (9, True)
    assert str(row.how["sportsmanship"]) == str(row.how["painting"]) == "does not count as a tie-break in this event"


def test_overall_score_adds_soft_scores_that_count_only_there(stage: Stage, event: Event) -> None:
    ada = who(stage, "Ada")
    stage.set(event, ada, painting=9, painting_by_hand=True, sportsmanship=9, sportsmanship_by_hand=True)
    for where, added in ((Counts.OVERALL, 18), (Counts.NOTHING, 0)):
        counts = {"painting_counts": where, "sports_counts": where, "rulings_count": where}
        rules(stage, event, sports=Sports.THUMBS, **counts)
        (row,) = (row for row in stage.standings(event) if row.name == "Ada")
        score = overall(event, row, soft_scores(event, event.players), ruled(play_rules(event), adjustments_of(event)))
        assert score == row.points + added, where


def test_votes_count_once_the_vote_is_closed(stage: Stage, event: Event) -> None:
    rules(stage, event, painting=Painting.VOTE)
    ada, bo, cy = (who(stage, name) for name in ("Ada", "Bo", "Cy"))
    stage.refuse("not open", event, scores.vote, ada, bo.id)
    stage.do(event, scores.open_vote)
    stage.do(event, scores.vote, ada, bo.id)
    stage.do(event, scores.vote, cy, ada.id)
    stage.do(event, scores.vote, cy, bo.id)
    (far,) = stage.enter(stage.event("Rust Cup"), "Eve")
    (late,) = stage.enter(event, "Flo", here=False)
    for id_, why in ((bo.id, "own force"), (far.id, "a player who is here"), (late.id, "a player who is here")):
        stage.refuse(why, event, scores.vote, bo, id_)
    assert (votes(event), figures(stage, event)["Bo"][0]) == ({}, "0"), "nobody knows yet"
    stage.do(event, scores.close_vote)
    assert (votes(event), figures(stage, event)["Bo"][0]) == ({bo.id: 2}, "2")
    stage.refuse("not open", event, scores.vote, ada, cy.id)


def test_marks_from_1_to_5_are_averaged_and_others_counted() -> None:
    assert sports_score((5, 4, 4), Sports.SCALE).shown == "4.333"
    assert sports_score((1, 0, 1), Sports.THUMBS).shown == "2"
    assert sports_score((1, 1), Sports.FAVOURITE).shown == "2"


def test_marks_count_once_they_are_closed(stage: Stage, event: Event) -> None:
    rules(stage, event, sports=Sports.SCALE)
    game = stage.games(event, 1)[0]
    player, other = (stage.one(Player, id=id_) for id_ in (game.a_id, game.b_id))
    stage.do(event, scores.mark_opponent, player, 1, 2)
    stage.do(event, scores.mark_opponent, player, 1, 4)
    for number, mark in ((2, 3), (1, 0), (1, 6)):
        stage.refuse(".", event, scores.mark_opponent, other, number, mark)
    assert figures(stage, event)[other.name][1] == "0"
    stage.refuse_to("marked opponents already", rules, stage, event, sports=Sports.THUMBS)
    stage.do(event, scores.close_marks)
    assert figures(stage, event)[other.name][1] == "4"
    stage.refuse("The staff has closed the marks", event, scores.mark_opponent, player, 1, 1)


def test_each_player_has_one_favourite_opponent(stage: Stage, event: Event) -> None:
    rules(stage, event, sports=Sports.FAVOURITE)
    stage.play(event, 2)
    for number in (1, 2):
        stage.do(event, scores.mark_opponent, who(stage, "Ada"), number, 1)
    stage.do(event, scores.close_marks)
    (score,) = soft_scores(event, event.players).sports.values()
    assert (score.value, str(score.how)) == (1, "favourite opponent of 1")


def test_closing_the_event_closes_votes_and_marks(stage: Stage, event: Event) -> None:
    rules(stage, event, painting=Painting.VOTE, sports=Sports.THUMBS)
    stage.do(event, scores.open_vote)
    stage.do(event, finish)
    assert event.painting_vote_closed_at == event.sports_closed_at == stage.clock()
    stage.refuse("final", event, scores.open_vote)


SOFT, VOTES = "/e/iron-open/desk/soft", "/e/iron-open/me/votes"


@pytest.fixture
def voting(stage: Stage) -> Event:
    """Players vote for the best painted, and mark opponents from 1 to 5."""
    made = stage.event(tie_breaks=("vp", "painting", "sportsmanship"))
    stage.do(made, set_soft_rules, SoftRules(painting=Painting.VOTE, sports=Sports.SCALE))
    return made


def test_staff_type_the_figures_of_all_players_on_one_page(
    olga: Person, enter: Enter, stage: Stage, voting: Event
) -> None:
    enter(voting, "Ada", "Bo")
    ada, bo = stage.all(Player)
    page = olga.press("Save", at=SOFT, **{f"painting-{ada.id}": "7", f"sportsmanship-{bo.id}": "1000"})
    assert page.error_at(f"sportsmanship-{bo.id}") == "Enter a number from 0 to 999."
    assert olga.press("Save", **{f"sportsmanship-{bo.id}": "3"}).flashes == "Saved."
    assert (stage.now(ada).painting, ada.painting_by_hand, ada.sportsmanship_by_hand) == (7, True, False)
    assert (stage.now(bo).sportsmanship, bo.sportsmanship_by_hand) == (3, True)
    assert stage.journal(voting, "change-player") == [
        "Changed Ada: painting figure",
        "Changed Bo: sportsmanship figure",
    ]
    stage.play(voting, 1)
    assert "7 for painting, set by the organiser" in olga.open("/e/iron-open/standings").text
    olga.open(SOFT)
    stage.do(voting, finish)
    refused = olga.press("Save", **{f"painting-{ada.id}": ""})
    assert "standings are final" in refused.error_at(f"painting-{ada.id}")
    assert "Save" not in [tag.get_text() for tag in olga.open(SOFT).soup.select("button")]


def test_vote_can_be_changed_until_it_is_counted(olga: Person, enter: Enter, stage: Stage, voting: Event) -> None:
    ada, bo, cy = enter(voting, "Ada", "Bo", "Cy")
    stage.play(voting, 1)
    olga.press("Open the vote", at=SOFT)
    for person, name in ((ada, "Bo"), (cy, "Ada"), (cy, "Bo")):
        person.open(VOTES)
        assert ("Ada" in person.page.part("#form-vote")) == (person is cy), "players cannot vote for their own force"
        person.press("Vote", **{"vote-for_id": str(stage.one(Player, name=name).id)})
    assert "2 of 3 have voted" in olga.open(SOFT).text
    for name in ("Bo", "Cy"):
        stage.do(voting, drop, stage.one(Player, name=name))
    assert "2 of 2 have voted" in olga.open(SOFT).text, "Ada, and Cy before leaving"
    assert len(stage.all(PaintingVote)) == 2
    olga.press("Close and count")
    assert "Most: Bo with 2" in olga.page.text
    assert bo.open(VOTES).soup.select("#form-vote") == []


@every_nth(9, 3)
def test_ballot_and_mark_change_no_page_of_anybody_else(
    app: Flask, olga: Person, enter: Enter, stage: Stage, voting: Event, step: int
) -> None:
    ada, bo, cy, di = enter(voting, "Ada", "Bo", "Cy", "Di")
    stage.play(voting, 1)
    olga.press("Open the vote", at=SOFT)
    people = dict(zip((player.id for player in stage.all(Player)), (ada, bo, cy, di), strict=True))
    by_ada = stage.one(Player, name="Ada").id
    (game,) = (game for game in stage.games(voting, 1) if by_ada in (game.a_id, game.b_id))
    (opponent,) = (people[id_] for id_ in (game.a_id, game.b_id) if id_ not in (None, by_ada))
    pages = addresses(app, stage, voting, **{"<int:player_id>": str(game.b_id), "<view>": "standings"})[::step]
    assert len(pages) > 50 // step

    public = [page for page in pages if "/desk" not in page]
    of_staff = [page for page in pages if "/desk" in page or "." not in page]  # the opponent reads the public files

    def seen(reader: Person) -> list[object]:
        return [read_by(reader, address) for address in (of_staff if reader is olga else public)]

    def ballot(name: str) -> None:
        ada.press("Vote", at=VOTES, **{"vote-for_id": str(stage.one(Player, name=name).id)})

    def mark(value: str) -> None:
        ada.press("Store", at=VOTES, **{"r1-mark": value})

    mark("3")
    mark("1")
    for name in ("Bo", "Cy") * 5:  # the desk shows the newest entries of the journal: make all of them votes
        ballot(name)
    ballot("Bo")
    by_player, by_staff = seen(opponent), seen(olga)
    ballot("Di")
    assert seen(olga) == by_staff, "the staff reads marks, but nobody's ballot"
    assert read_by(ada, VOTES) != read_by(bo, VOTES), "the control: the voter sees the ballot"
    mark("5")
    assert seen(opponent) == by_player
    assert "Ada marked the opponent of round 1" in olga.open("/e/iron-open/desk/journal").text


def test_desk_asks_for_votes_and_marks_before_the_event_is_closed(
    olga: Person, enter: Enter, stage: Stage, voting: Event
) -> None:
    enter(voting, "Ada", "Bo")
    for number in (1, 2, 3):
        stage.publish(voting, number)
        page = olga.open("/e/iron-open/desk").part(".next")
        assert ("The vote for the best painted is not open." in page) == (number == 3)
        for game in stage.games(voting, number):
            stage.decide(voting, game, 3, 1)
    olga.press("Open the vote", at=SOFT)
    page = olga.open("/e/iron-open/desk").part(".next")
    assert "The vote for the best painted is not counted." in page and "Marks for opponents are not counted." in page
    stage.do(voting, scores.close_vote)
    stage.do(voting, scores.close_marks)
    assert "not counted" not in olga.open("/e/iron-open/desk").part(".next")


def test_closed_event_does_not_offer_the_vote(olga: Person, enter: Enter, stage: Stage, voting: Event) -> None:
    enter(voting, "Ada", "Bo")
    stage.play(voting, 1)
    assert "Open the vote" in olga.open(SOFT).text
    stage.do(voting, finish)
    assert "Open the vote" not in olga.open(SOFT).text and "The vote was never opened." in olga.page.text


def test_marks_need_a_result_and_are_read_by_the_staff(olga: Person, enter: Enter, stage: Stage, voting: Event) -> None:
    ada, _ = enter(voting, "Ada", "Bo")
    (game,) = stage.publish(voting, 1)
    assert "as soon as the result of your game is in" in ada.open(VOTES).text
    stage.decide(voting, game, 2, 1)
    assert ada.press("Store", at=VOTES).status == 422
    ada.press("Store", **{"r1-mark": "2"})
    assert ada.page.value("r1-mark") == "2"
    assert "round 1, Ada : 2" in olga.open(SOFT).text
    assert stage.one(SportsMark).mark == 2
    assert ada.forge("Store", **{"r1-mark": "9"}).status == 422


def test_painting_and_sports_count_as_tie_breaks_only_if_the_tie_breaks_have_them(stage: Stage, olga: Person) -> None:
    event = stage.event()
    assert "painting" not in event.tie_breaks
    rules(stage, event, painting=Painting.VOTE, sports=Sports.SCALE)
    said = "It counts as a tie-break, in the order listed.", "It counts only for its own award."
    assert [olga.open("/e/iron-open").text.count(text) for text in said] == [0, 2]
    settings = "/e/iron-open/desk/settings/soft"
    where = {f"soft-{judged}_counts": Counts.TIE_BREAK.value for judged in ("painting", "sports")}
    for (field, value), missing in zip(where.items(), ("Painting", "Sports"), strict=True):
        page = olga.press("Save", at=settings, inside="#soft", **{field: value})
        assert page.error_at(field) == (
            f"The tie-breaks do not have “{missing}”. Add it there first, or choose another."
        )
    assert "Saved" in olga.press("Save", at=settings, inside="#soft").flashes, "what is preset is what counts"
    stage.set(event, tie_breaks=["vp", "painting", "sportsmanship"])
    assert "Saved" in olga.press("Save", at=settings, inside="#soft", **where).flashes
    assert [olga.open("/e/iron-open").text.count(text) for text in said] == [2, 0]
