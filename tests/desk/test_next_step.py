"""The one next step of an event, by its facts; and on the pages of the desk."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from flask import Flask

from events.desk.due import due, stages
from events.desk.event_facts import EventFacts, OpenGame, RoundFacts
from events.registration.leaving import drop
from events.rounds.actions import unpublish
from events.setup.actions import finish
from events.standings.awards import add_usual
from models.event import EventState
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.stage import Event, Role, Round, Stage

DESK = "/e/iron-open/desk"
PLANNED = (RoundFacts(1, "planned"), RoundFacts(2, "planned"))
OPEN = EventFacts("registration", PLANNED, here=8)
SECOND = EventFacts("in_progress", (RoundFacts(1, "complete"), RoundFacts(2, "planned")), here=8)
FINAL = (RoundFacts(1, "complete", "semi-finals"), RoundFacts(2, "planned", "final"))
PLAYING = RoundFacts(2, "playing", games=4, clock="running")
FOUR, SIX = OpenGame(40, 4), OpenGame(60, 6)


def playing(**changed: object) -> EventFacts:
    return replace(SECOND, rounds=(SECOND.rounds[0], replace(PLAYING, **changed)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("facts", "label", "posts"),
    [
        (EventFacts("draft", PLANNED), "Open registration", True),
        (EventFacts("draft", PLANNED, here=1, absent=8), "Open registration", True),
        (EventFacts("draft", PLANNED, here=8), "Draw round 1", True),
        (replace(OPEN, here=0, absent=0), "Add players", False),
        (replace(OPEN, here=0, absent=8, before_the_day=True), "Add players", False),
        (replace(OPEN, here=5, absent=3), "Open check-in", False),
        (replace(OPEN, here=0, to_approve=2), "Approve sign-ups", False),
        (replace(OPEN, here=5, absent=3, to_approve=1), "Approve sign-ups", False),
        (OPEN, "Draw round 1", True),
        (replace(OPEN, rounds=(RoundFacts(1, "drawn"),)), "Publish round 1", True),
        (replace(OPEN, rounds=(RoundFacts(1, "drawn", stale="Ada left.", seed="7"),)), "Draw round 1 again", True),
        (SECOND, "Draw round 2", True),
        (replace(SECOND, absent=1), "Draw round 2", True),
        (replace(SECOND, rounds=FINAL, season=True, by_challenge=True), "Draw round 2", True),
        (playing(clock="waiting"), "Start the clock", True),
        (playing(clock="waiting", decided=1), "See the results", False),
        (playing(decided=3), "See the results", False),
        (playing(decided=3, disputed=[FOUR]), "Decide table 4", False),
        (playing(decided=2, disputed=[FOUR, SIX]), "Decide 2 disputes", False),
        (playing(decided=3, reported=[FOUR]), "Confirm table 4", False),
        (playing(decided=2, reported=[FOUR]), "See the results", False),
        (playing(decided=3, tied=[FOUR]), "Choose who wins", False),
        (replace(SECOND, rounds=(RoundFacts(1, "complete"),)), "Add the usual awards", True),
        (replace(SECOND, rounds=(RoundFacts(1, "complete"),), awards_given=True), "Close the event", True),
        (replace(SECOND, rounds=FINAL[:1], awards_given=True, kind="season"), "Close the season", True),
        (replace(OPEN, here=0, absent=0, kind="campaign"), "Add players", False),
        (replace(SECOND, rounds=(RoundFacts(1, "complete"),), cut=4), "Cut to the top 4", False),
        (replace(SECOND, rounds=(RoundFacts(1, "complete"),), awards_wait=True), "Give the awards", False),
        (replace(SECOND, rounds=(RoundFacts(1, "complete"),), awards_wait=True, cut=4), "Cut to the top 4", False),
        (EventFacts("finished"), "See the final standings", False),
        (EventFacts("finished", awards_wait=True), "Give the awards", False),
        (EventFacts("finished", awards_wait=True, awards_shown="some"), "Give the awards", False),
        (EventFacts("finished", awards_wait=True, awards_shown="all"), "Publish the awards", True),
        (replace(SECOND, rounds=FINAL[:1], awards_wait=True, awards_shown="all"), "Publish the awards", True),
    ],
)
def test_each_state_has_one_next_step(facts: EventFacts, label: str, posts: bool) -> None:
    act = due(facts)[0].act
    assert (act.label, act.post) == (label, posts)


@pytest.mark.parametrize("awards_wait", [True, False])
def test_closed_event_can_always_be_opened_again(awards_wait: bool) -> None:
    other = due(EventFacts("finished", awards_wait=awards_wait))[0].other
    assert other and other.label == "Open the event again"


@pytest.mark.parametrize("clock", ["waiting", "running"])
def test_results_are_entered_from_paper_once_a_round_is_published(clock: str) -> None:
    other = due(playing(clock=clock))[0].other
    assert other and (other.label, other.args) == ("Enter from paper", {"number": 2})
    later = replace(PLAYING, number=3)
    season = replace(SECOND, rounds=(PLAYING, later), season=True, opened=2)
    for facts, number in ((season, 2), (replace(season, opened=3), 3), (replace(season, opened=9), 2)):
        other = due(facts)[0].other
        assert other and (other.label, other.args) == ("Enter from paper", {"number": number})
    disputed = due(replace(season, rounds=(replace(PLAYING, disputed=[FOUR]), later)))[0]
    assert disputed.other and disputed.other.label == "Enter from paper"


def test_what_else_is_due_names_what_is_missing_and_lead_to_it() -> None:
    _, *others = due(replace(OPEN, no_list=2, illegal=1, alone=1, not_full=["Reds"]))
    assert [(other.text, other.act.endpoint) for other in others] == [
        ("Teams: 1 player in no team; not full: Reds.", "teams.manage"),
        ("2 players have no submitted list.", "lists_desk.review_lists"),
        ("1 list is not legal.", "lists_desk.review_lists"),
    ]
    drawn = RoundFacts(
        1,
        "drawn",
        question="The event’s date is tomorrow.",
        doubts="The event’s date is tomorrow.",
        notes=["No list: Ada."],
    )
    assert [other.text for other in due(replace(OPEN, absent=1, rounds=(drawn,)))[1:]] == [
        "1 registered player not checked in, so not drawn.", "The event’s date is tomorrow.", "No list: Ada.",
    ]  # fmt: skip
    _, *others = due(playing(decided=1, disputed=[FOUR], reported=[SIX]))
    assert [(other.text, other.act.label) for other in others] == [
        ("Table 6 is reported, but not confirmed.", "Confirm table 6")
    ]


def test_open_games_without_a_table_are_counted() -> None:
    final = playing(stage="final", disputed=[OpenGame(40, None)], reported=[OpenGame(60, None)] * 2)
    step, *others = due(replace(final, season=True))
    assert step.text == "Round 2 (final): 0 of 4 tables decided. 1 game disputed."
    assert [other.text for other in others] == ["2 games reported, but not confirmed."]


def test_a_round_that_cannot_be_drawn_says_why_and_offers_no_draw() -> None:
    step = due(replace(OPEN, here=1, rounds=(RoundFacts(1, "planned", why_not="At least two players."),)))[0]
    assert (step.text, step.act.post, step.other) == ("At least two players.", False, None)


@pytest.mark.parametrize(
    ("facts", "now"),
    [
        (replace(OPEN, here=0, absent=3, before_the_day=True), ["Registration"]),
        (OPEN, ["Check-in"]),
        (replace(OPEN, rounds=(RoundFacts(1, "drawn"),)), ["Round 1"]),
        (playing(), ["Round 2"]),
        (replace(SECOND, rounds=(RoundFacts(1, "complete"),)), ["End"]),
        (EventFacts("finished", (RoundFacts(1, "complete"),)), []),
        (replace(SECOND, rounds=(RoundFacts(1, "planned"), PLAYING)), ["Round 2"]),
        (replace(SECOND, rounds=(RoundFacts(1, "complete"),), season=True, by_challenge=True), ["Challenges"]),
        (replace(SECOND, rounds=(RoundFacts(1, "complete"),), season=True, by_challenge=True, ended=True), ["End"]),
    ],
)
def test_at_most_one_stage_is_current(facts: EventFacts, now: list[str]) -> None:
    assert [stage.label for stage in stages(facts) if stage.state == "now"] == now


def test_strip_of_a_season_names_the_round_of_its_days_and_the_open_games_before_it() -> None:
    late, later = RoundFacts(1, "playing", games=5, decided=3), RoundFacts(3, "playing", games=4)
    season = replace(SECOND, rounds=(late, PLAYING, later), season=True, opened=2)
    found = {stage.label: stage.state for stage in stages(season)}
    assert found == found | {"Round 1: 2 open": "coming", "Round 2": "now", "Round 3": "coming"}
    beyond = {stage.label: stage.state for stage in stages(replace(season, opened=3))}
    assert beyond == beyond | {"Round 2: 4 open": "coming", "Round 3": "now"}


def test_strip_says_whether_registration_is_done_and_which_lists_are_missing() -> None:
    for rounds in (PLANNED, (RoundFacts(1, "drawn"),)):
        for signing_up, state in ((True, "coming"), (False, "done")):
            first, *_ = stages(replace(OPEN, rounds=rounds, signing_up=signing_up))
            assert (first.label, first.state) == ("Registration", state)
    labels = {stage.label: stage.state for stage in stages(replace(playing(), no_list=2, lists_locked=True))}
    assert labels["Lists: 2 missing"] == "coming"
    assert "Lists" in {stage.label for stage in stages(replace(playing(), no_list=2, state="finished"))}, (
        "nobody needs them"
    )
    assert "Lists" in {stage.label for stage in stages(playing()) if stage.state == "done"}


def test_a_round_takes_three_presses(olga: Person, stage: Stage, event: Event) -> None:
    stage.clock.now = datetime(2026, 12, 5, 9, tzinfo=UTC)
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    (eve,) = stage.enter(event, "Eve", here=False)
    assert olga.open(DESK).part(".next .primary") == "Open check-in"
    door = olga.open(f"{DESK}/door")
    assert (door.part(".next .primary"), door.part(".next-ways .quiet")) == ("", "Draw round 1"), "no link to itself"
    assert olga.open(f"{DESK}/door?did=1").part(".next .primary") == ""
    stage.do(event, drop, eve)
    for number in (1, 2):
        olga.open(DESK)
        presses = [f"Draw round {number}", f"Publish round {number}", "Start the clock"]
        for label in presses:
            (button,) = olga.page.soup.select(".next .button.primary")
            assert (button.get_text().strip(), button.get("data-confirm")) == (label, None)
            olga.press(label, inside=".next")
        assert olga.page.path == f"{DESK}/rounds/{number}"
        assert stage.all(Round)[number - 1].started_at == stage.clock()
        assert f"Round {number}: 0 of 2 tables decided." in olga.page.part(".next-text")
        assert olga.page.part(".next-clock") == "Running 1:30:00"
        for game in stage.games(event, number):
            stage.decide(event, game, 2, 1)


def test_draft_with_players_who_are_here_starts_without_open_registration(
    olga: Person, visitor: Person, stage: Stage
) -> None:
    event = stage.event(draft=True, players=("Ada", "Bo"))
    olga.open(DESK)
    for label in ("Draw round 1", "Publish round 1"):
        assert [tag.get_text().strip() for tag in olga.page.soup.select(".next .primary")] == [label]
        assert "until registration opens or it starts. Open registration" in olga.page.part(".next")
        assert visitor.open("/e/iron-open").status == 404, "nobody else sees it before"
        olga.press(label, inside=".next")
    assert visitor.open("/e/iron-open/rounds/1").status == 200
    assert (stage.now(event).state, stage.now(event).lists_locked_at) == (EventState.IN_PROGRESS, stage.clock())
    stage.do(event, unpublish, 1)
    assert stage.now(event).state == EventState.REGISTRATION
    assert "Registration is closed" in visitor.open("/e/iron-open/register").text, "it was never open"


def test_draft_with_players_who_are_not_here_offers_registration_and_check_in(olga: Person, stage: Stage) -> None:
    event = stage.event(draft=True)
    stage.set(event, starts_on=stage.clock().date())
    stage.enter(event, "Ada", "Bo", here=False)
    page = olga.open(DESK)
    assert [tag.get_text().strip() for tag in page.soup.select(".next .primary")] == ["Open registration"]
    assert "2 players not checked in. Open check-in" in page.part(".next")
    assert "At least two players must be checked in" in olga.open(f"{DESK}/rounds/1").text


def test_staff_without_the_permission_see_who_may_do_the_step(app: Flask, stage: Stage, event: Event) -> None:
    judge = let_in(app, stage.hire(event, "Judy", Role.JUDGE))
    assert "Add players" not in judge.open(DESK).part(".next")
    assert "add a player" not in judge.open(f"{DESK}/players").text
    stage.enter(event, "Ada", "Bo")
    page = judge.open(DESK)
    assert page.part(".next-text") == "2 players here. Next, for an organiser: draw round 1."
    assert not page.soup.select(".next .button.primary")


def test_standings_stay_in_the_desk_for_staff(olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    (link,) = [tag for tag in olga.open(DESK).soup.select(".tabs a") if tag.get_text() == "Standings"]
    assert olga.open(str(link["href"])).part(".tabs.grouped a[aria-current=page]") == "Standings"
    assert not visitor.open(str(link["href"])).soup.select(".tabs.grouped")


def test_awards_are_given_before_the_event_is_closed(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    for number in (1, 2, 3):
        stage.play(event, number)
    stage.do(event, add_usual)
    olga.open(DESK)
    assert olga.page.part(".next .primary") == "Give the awards"
    (publish,) = olga.open(f"{DESK}/awards").soup.select("button[data-confirm*='Everybody can read who won']")
    assert "You can unpublish the page again." in str(publish["data-confirm"])
    for left in ("Show: Third place", "Show: Second place", "Show: Champion"):
        if left not in olga.page.text:
            continue
        olga.press(left)
        done = not olga.page.soup.select("button:-soup-contains('Show:')")
        assert ("The hall has shown every award" in olga.page.part(".next-text")) == done, "what is public"
    assert not olga.page.soup.select("#run .primary"), "one amber button a page"
    olga.open(DESK)
    olga.press("Publish the awards", inside=".next")
    assert stage.now(event).awards_published_at == stage.clock()
    page = olga.open(DESK)
    (button,) = page.soup.select(".next .primary")
    assert button.text == "Close the event"
    assert "announcements end. You can open the event again" in str(button["data-confirm"])
    stage.do(event, finish)
    assert olga.open(DESK).part(".next-ways .quiet") == "Open the event again"
    assert "missing" not in olga.open(DESK).part(".stages")
