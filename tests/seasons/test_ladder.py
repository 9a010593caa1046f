"""A ladder and a season of challenges: who may challenge whom, what a result does, and the pages."""

import random
import re
from datetime import date

import pytest

from events.journal.replay import replay
from events.results import challenges
from events.seasons import league_actions as leagues
from events.seasons.league_queries import fixtures
from events.setup import actions as setup_actions
from events.setup.pairing_actions import set_format
from events.setup.pairing_forms import set_season
from events.store.act import Act
from events.store.outcomes import absence
from events.store.rounds import ends_of, round_views
from events.tournament.figures import Result
from events.tournament.ladder import Challenge, ladder_order, why_not_challenged
from events.tournament.season import Kind, Season
from models.event import Event
from models.play import Game, GameState, Player, PlayerState, ReportSide
from tests.conftest import Clock
from tests.kit.archives import archived, taken_in, without_moment
from tests.kit.formats import NAMES, cut, drop
from tests.kit.papers import texts
from tests.kit.person import Enter, Person
from tests.kit.stage import Stage
from tests.kit.statements import sent

TODAY = date(2026, 12, 6)


def won(challenger: str, challenged: str, winner: str) -> Challenge:
    """A challenge decided at the table; no winner: it is open."""
    own, other = {"a": (3, 1), "b": (1, 3), "draw": (2, 2)}.get(winner, (0, 0))
    return Challenge(challenger, challenged, Result(1, challenger, challenged, own, other) if winner else None)


def test_order_of_a_ladder_equals_a_second_calculation() -> None:
    for seed in range(50):
        chance = random.Random(seed)
        names = "abcdefg"[: chance.randint(2, 7)]
        place = {name: float(number) for number, name in enumerate(names)}  # places as numbers instead of a list
        made = []
        for _ in range(20):
            text, other = chance.sample(names, 2)
            result = chance.choice(("a", "b", "draw", ""))
            made.append(won(text, other, result))
            if result == "a" and place[text] > place[other]:
                place[text] = place[other] - 0.5
                place = {name: float(n) for n, name in enumerate(sorted(names, key=lambda name: place[name]))}
        assert ladder_order(names, made) == sorted(names, key=lambda name: place[name]), seed


def test_challenge_is_allowed_or_refused_with_its_reason() -> None:
    made = [won("g", "h", "b"), won("h", "g", "b"), won("f", "e", "")]
    for own, other, above, words in (
        ("d", "b", 2, ""),
        ("d", "a", 2, "at most 2 places above"),
        ("d", "a", None, ""),
        ("c", "d", 2, "a player above you"),
        ("d", "d", 2, "not on the ladder"),
        ("d", "x", 2, "not on the ladder"),
        ("f", "e", 2, "You have an open challenge"),
        ("g", "f", 2, "This player has an open challenge"),
        ("h", "g", 2, "You played this player last"),
        ("h", "g", None, "You played this player last"),
    ):
        reason = str(why_not_challenged("abcdefgh", made, own, other, above))
        assert words in reason if words else reason == "", (own, other)


def begun(
    stage: Stage,
    *names: str,
    kind: Kind = "ladder",
    ends_on: date = date(2027, 3, 1),
    cut: int = 0,
    **rules: int,
) -> Event:
    """A season of challenges between these players, begun; ``cut`` is the size of its play-off."""
    event = stage.event(ends_on=ends_on, players=names)
    stage.do(event, set_season, Season(kind=kind, **rules))
    if cut:
        stage.do(event, set_format, cut=cut)
    stage.do(event, leagues.start_season)
    return event


def challenge(stage: Stage, event: Event, own: str, other: str, today: date = TODAY) -> Game:
    player, two = (stage.one(Player, event_id=event.id, name=name) for name in (own, other))
    return stage.do(event, leagues.challenge, player, two, today)


def answer_of(act: Act, game: Game, player: Player, *, accept: bool) -> None:
    """The answer to a challenge, as an action of the stage."""
    leagues.answer_challenge(act, game, player, accept=accept)


def names_of(stage: Stage, event: Event) -> list[str]:
    return [row.name for row in stage.standings(event)]


@pytest.mark.both_at_length
def test_ladder_moves_with_each_result_and_declined_challenge(stage: Stage) -> None:
    event = begun(stage, *NAMES[:5])
    assert names_of(stage, event) == ["Ada", "Bo", "Cy", "Di", "Ed"]
    first, second = challenge(stage, event, "Ed", "Cy"), challenge(stage, event, "Bo", "Ada")
    assert first.round_id == second.round_id, "both have room in round 1"
    stage.refuse_to("You have an open challenge", challenge, stage, event, "Ed", "Di")
    stage.decide(event, second, 3, 1)
    assert names_of(stage, event) == ["Bo", "Ada", "Cy", "Di", "Ed"]
    bo, ada, cy = (stage.one(Player, name=name) for name in ("Bo", "Ada", "Cy"))
    stage.refuse("Only the challenged player can answer", event, answer_of, first, bo, accept=True)
    stage.do(event, answer_of, first, cy, accept=False)
    people = {player.id: player for player in stage.all(Player)}
    assert absence(stage.now(event), stage.now(first), people, cy.id, reads=True) == "You did not accept"
    assert names_of(stage, event) == ["Bo", "Ada", "Ed", "Cy", "Di"], "declined: the challenger takes the place"
    again = challenge(stage, event, "Ed", "Ada")
    assert again.round_id != first.round_id
    stage.do(event, answer_of, again, ada, accept=True)
    stage.refuse("answered already", event, answer_of, again, ada, accept=False)
    late = stage.enter(event, "Late")[0]
    assert names_of(stage, event)[-1] == late.name
    drop(stage, event, "Di")
    assert names_of(stage, event)[:4] == ["Bo", "Ada", "Ed", "Cy"]
    stage.refuse_to("no round is drawn", stage.draw, event, 3)
    stage.decide(event, again, 1, 3)
    assert replay(stage.s, stage.now(event)).difference is None
    stage.do(event, setup_actions.finish)


def test_ladder_ends_with_the_last_day_of_a_final_of_its_leaders(stage: Stage, visitor: Person) -> None:
    event = begun(stage, *NAMES[:3], ends_on=date(2026, 12, 11), cut=2, days=7)
    stage.decide(event, challenge(stage, event, "Cy", "Ada"), 3, 1)
    cut(stage, event)
    (final,) = stage.publish(event, 2)
    assert "to 18 December 2026: 1 of 2" in visitor.open("/e/iron-open/season").part(".lede")
    assert {stage.name(final.a_id), stage.name(final.b_id)} == {"Cy", "Ada"}
    stage.decide(event, final, *((1, 3) if stage.name(final.a_id) == "Cy" else (3, 1)))
    assert names_of(stage, event) == ["Ada", "Cy", "Bo"]


def test_ladder_leaves_time_to_play_after_the_answer(olga: Person, stage: Stage) -> None:
    event = stage.event()
    olga.press(
        "Save",
        at="/e/iron-open/desk/settings/season",
        inside="#season",
        **{"season-days": "7", "season-kind": "ladder"},
    )
    assert stage.now(event).season == Season(days=7, kind="ladder", answer_days=3)
    page = olga.press("Save", inside="#season", **{"season-answer_days": "7"})
    assert (page.status, "fewer than the 7 days to play" in page.error_at("season-answer_days")) == (422, True)
    assert olga.press("Save", inside="#season", **{"season-answer_days": "", "season-days": "14"}).status == 200
    assert stage.now(event).season == Season(days=14, kind="ladder", answer_days=7)


def test_challenge_is_overdue_after_its_last_day_to_answer_and_then_to_play(stage: Stage) -> None:
    event = begun(stage, "Ada", "Bo", days=14, answer_days=7)
    game = challenge(stage, event, "Bo", "Ada")

    def overdue(*days: int) -> list[list[bool]]:
        views = round_views(stage.now(event))
        return [[fixture.overdue for fixture in fixtures(event, views, date(2026, 12, day))] for day in days]

    assert overdue(13, 14) == [[False], [True]]
    stage.do(event, answer_of, game, stage.one(Player, name="Ada"), accept=True)
    assert overdue(14, 20, 21) == [[False], [False], [True]]


def test_ladder_of_one_day_lasts_as_long_as_its_challenges(stage: Stage) -> None:
    event = begun(stage, "Ada", "Bo", ends_on=date(2026, 12, 5), days=14)
    assert ends_of(stage.now(event)) == date(2026, 12, 19), "the last day of a challenge of the first day"
    game = challenge(stage, event, "Bo", "Ada", date(2026, 12, 19))
    stage.refuse("ends on 2 January 2027", event, leagues.propose, game, "a", date(2027, 1, 3), TODAY)
    stage.do(event, leagues.propose, game, "a", date(2027, 1, 2), TODAY)


@pytest.mark.parametrize("first", ["a", "b", "desk"])
def test_day_that_is_agreed_on_accepts_the_challenge(stage: Stage, enter: Enter, olga: Person, first: str) -> None:
    event = stage.event(ends_on=date(2027, 3, 1))
    ada, bo = enter(event, "Ada", "Bo")
    stage.do(event, set_season, Season(kind="ladder"))
    stage.do(event, leagues.start_season)
    game, day = challenge(stage, event, "Bo", "Ada"), date(2026, 12, 10)
    dates = f"/e/iron-open/desk/season/games/{game.id}"
    if first == "desk":
        olga.press("Save", at=dates, day=day.isoformat())
    else:
        proposes, agrees = (bo, ada) if first == "a" else (ada, bo)
        proposes.press("Propose this day", at="/e/iron-open/me", day=day.isoformat())
        assert "not answered yet" in olga.open("/e/iron-open/desk/season").text
        assert "Accept or decline" in ada.open("/e/iron-open/me").text, "a day that one proposes answers nothing"
        agrees.press("Agree to 10 December", at="/e/iron-open/me")
    for person in (ada, bo):
        page = person.open("/e/iron-open/me")
        assert page.part("h1") == "Your next game: on 10 December"
        assert not [word for word in ("Accept", "Decline", "Withdraw") if word in page.part("main")]
    assert "not answered yet" not in olga.open("/e/iron-open/desk/season").text
    stage.refuse("answered already", event, answer_of, game, stage.one(Player, name="Ada"), accept=False)
    stage.refuse("Only the challenger", event, challenges.withdraw_challenge, game, stage.one(Player, name="Bo"))
    olga.press("Save", at=dates, day="")
    assert ada.open("/e/iron-open/me").part("h1").startswith("Your next game: by"), "it stays accepted without the day"


def test_every_standings_of_a_ladder_ranks_by_the_ladder_without_points(stage: Stage, olga: Person) -> None:
    event = begun(stage, *NAMES[:3])
    assert [row[0] for row in olga.open("/e/iron-open/standings").rows(".standings")] == ["1", "2", "3"], "at once"
    declined = challenge(stage, event, "Cy", "Ada")
    stage.do(event, answer_of, declined, stage.one(Player, name="Ada"), accept=False)
    stage.decide(event, challenge(stage, event, "Bo", "Cy"), 1, 3)
    order, shown = ["Cy", "Ada", "Bo"], 0
    for address in ("standings", f"players/{declined.a_id}", f"games/{declined.id}", "standings.pdf"):
        page = olga.open(f"/e/iron-open/{address}")
        words = " ".join(texts(page)) if address.endswith(".pdf") else page.text
        assert not re.findall("win by no-show|wins by no-show|did not come|VP, provisional", words), address
    assert "Ada did not accept" in olga.open(f"/e/iron-open/games/{declined.id}").text
    event_item = olga.open("/api/v1/events/iron-open").response.json
    assert event_item and event_item["ends_on"] == ends_of(stage.now(event)).isoformat()
    for address in ("standings.pdf", "desk/rounds/1/all.pdf", "pack.pdf", "plan.pdf"):
        page = olga.open(f"/e/iron-open/{address}")
        if page.status != 200:
            continue
        words, shown = " ".join(texts(page)), shown + 1
        spoken = re.findall(r"Ranked in this order|after round|(?<!game )\bRound \d|\bTP\b|SoS|Lot\b|points?\b", words)
        assert not [word for word in spoken if word != "points"], (address, spoken)
        if address in ("standings.pdf", "pack.pdf"):
            assert "Ranked by the ladder: a challenger who wins takes the place" in words, address
    assert shown > 2
    heads, *rows = olga.open("/e/iron-open/standings.csv").response.text.splitlines()
    assert not [word for word in ("Points", "VP", "Lot", "Strength", "SoS") if word in heads]
    assert [row.split(",")[1] for row in rows] == order
    items = olga.open("/api/v1/events/iron-open/standings").response.json
    assert items
    assert [(entry["name"], entry["points"], entry["tie_breaks"]) for entry in items["items"]] == [
        (n, None, {}) for n in order
    ]


def test_season_of_challenges_ranks_by_points_and_lets_all_players_be_challenged(stage: Stage) -> None:
    event = begun(stage, *NAMES[:4], kind="challenge")
    stage.decide(event, challenge(stage, event, "Ada", "Di"), 1, 3)
    stage.refuse_to("You played this player last", challenge, stage, event, "Ada", "Di")
    stage.decide(event, challenge(stage, event, "Ada", "Bo"), 3, 1)
    assert [(row.name, row.points) for row in stage.standings(event)][:2] == [("Ada", 3), ("Di", 3)]


def test_ladder_is_started_and_played_by_its_pages(stage: Stage, enter: Enter, olga: Person) -> None:
    event = stage.event(draft=True, ends_on=date(2027, 3, 1))
    ada, bo, _ = enter(event, *NAMES[:3])
    olga.open("/e/iron-open/desk/settings/season")
    olga.press("Save", inside="#season", **{"season-days": "14", "season-kind": "ladder"})
    olga.open("/e/iron-open/desk")
    olga.press("Start the season", inside=".next")
    assert olga.page.path == "/e/iron-open/season"
    assert bo.open("/e/iron-open/me").part("h1") == "You have no open challenge"
    bo.open("/e/iron-open/season")
    assert bo.page.rows("#ladder")[0] == ["1", "Ada Challenge", "0-0-0", "0"], "the button needs no column on a phone"
    bo.press("Challenge")
    assert bo.page.part("h1") == "You challenged Ada"
    assert "Ada answers by 28 November. Until then you can withdraw the challenge." in bo.page.part(".lede")
    assert not [words for words in ("Report the result", "Round 1", "Not reported") if words in bo.page.text]
    (game,) = stage.games(event, 1)
    assert (stage.name(game.a_id), stage.name(game.b_id)) == ("Bo", "Ada")
    answers = {"a.objectives": 3, "b.objectives": 1}
    stage.refuse_to("This challenge is not accepted yet", stage.report, event, game, ReportSide.A, answers)
    ada.open("/e/iron-open/me")
    assert [tag.get_text().strip() for tag in ada.page.soup.select(".primary")] == ["Accept the challenge"]
    assert ada.page.part("h1") == "Bo challenges you"
    assert (
        "Accept or decline by 28 November. To agree on a day accepts the challenge, too; to decline"
        in ada.page.part(".lede")
    )
    assert [button.get_text().strip() for button in ada.page.soup.select("#day button")] == [
        "Decline",
        "Propose this day",
    ]
    ada.press("Accept the challenge")
    assert (ada.page.part("h1"), ada.page.part(".lede")) == ("Your next game: by 5 December", "Against Bo")
    assert [tag.get_text().strip() for tag in ada.page.soup.select(".primary")] == ["Report the result"]
    assert "The season is being played: 0 of 1 game" in olga.open("/e/iron-open/desk").part(".next-text")
    for address in ("desk/rounds/1", "desk/season", "desk/rounds/1/results", "standings", "rounds/1", "season"):
        assert olga.open(f"/e/iron-open/{address}").status == 200
    stage.decide(event, game, 3, 1)
    assert stage.now(game).state == GameState.CONFIRMED
    page = ada.open("/e/iron-open/standings")
    assert "Ranked by the ladder" in page.text and "tournament points" not in page.text
    page = ada.open("/e/iron-open/season")
    last = "Bo You played this player last: play another one first."
    assert [row[1] for row in page.rows("#ladder")] == [last, "Ada", "Cy"]
    assert "No challenge is open." in olga.open("/e/iron-open/desk").part(".next-text")
    assert "Close the season" in olga.page.part(".next-ways")


def test_nobody_challenges_after_the_last_day(stage: Stage) -> None:
    event = begun(stage, "Ada", "Bo", ends_on=date(2026, 12, 25), days=7)
    words = "while the season is being played"
    stage.refuse_to(words, challenge, stage, event, "Bo", "Ada", date(2026, 12, 26))


def test_ladder_starts_before_its_first_day_with_all_who_signed_up(stage: Stage, enter: Enter, olga: Person) -> None:
    event = stage.event(ends_on=date(2027, 3, 1))
    stage.do(event, set_season, Season(kind="ladder"))
    desk = "/e/iron-open/desk"
    assert "Start the season" not in olga.open(desk).part(".next")
    ada = enter(event, "Ada")[0]
    assert "At least two players must be signed up" in olga.open(desk).part(".next-text")
    stage.enter(event, "Bo", here=False)
    step = olga.open(desk).part(".next-text")
    assert step == "2 players signed up. The season starts on Saturday 5 December."
    olga.press("Start the season", inside=".next")
    assert [player.state for player in stage.all(Player)] == [PlayerState.CHECKED_IN] * 2
    assert stage.enter(event, "Late", here=False)[0].state == PlayerState.CHECKED_IN, "a late player can play, too"
    assert "not checked in" not in olga.open(desk).text
    assert "not checked in" not in ada.open("/e/iron-open/me").text
    challenge(stage, event, "Late", "Bo")


@pytest.mark.parametrize("how", ["withdrawn", "cancelled", "left"])
def test_challenge_ends_without_a_game_and_both_players_read_why(
    stage: Stage, enter: Enter, olga: Person, how: str
) -> None:
    event = stage.event(ends_on=date(2027, 3, 1))
    ada, bo = enter(event, "Ada", "Bo")
    stage.do(event, set_season, Season(kind="ladder"))
    stage.do(event, leagues.start_season)
    player, other = stage.one(Player, name="Ada"), stage.one(Player, name="Bo")
    game = challenge(stage, event, "Bo", "Ada")
    stage.refuse("Only the challenger can withdraw", event, challenges.withdraw_challenge, game, player)
    stage.refuse("Give the reason", event, challenges.cancel_challenge, game, "")
    before = names_of(stage, event)
    if how == "withdrawn":
        assert bo.press("Withdraw the challenge", at="/e/iron-open/me").flashes == "You withdrew the challenge."
        why = "Bo withdrew the challenge to Ada."
    elif how == "cancelled":
        stage.do(event, answer_of, game, player, accept=True)
        stage.refuse(
            "Only the challenger can withdraw a challenge, until", event, challenges.withdraw_challenge, game, other
        )
        dates = f"/e/iron-open/desk/season/games/{game.id}"
        assert (
            olga.press("Cancel the challenge", at=dates).error_at("reason") == "Give the reason: both players read it."
        )
        olga.press("Cancel the challenge", reason="Bo is ill")
        assert olga.page.flashes == "The challenge is cancelled. Both players read why."
        why = "Cancelled the challenge of Bo to Ada: Bo is ill."
    else:
        drop(stage, event, "Bo")
        why = "Cancelled the challenge of Bo to Ada: Bo has left."
    assert stage.all(Game) == []
    for person in (ada, bo) if how != "left" else (ada,):
        page = person.open("/e/iron-open/me")
        assert (page.part("h1"), page.part(".note-text")) == ("You have no open challenge", why)
    if how != "left":
        assert names_of(stage, event) == before
        stage.decide(event, challenge(stage, event, "Bo", "Ada"), 3, 1)
        assert not ada.open("/e/iron-open/me").soup.select(".note-text"), "another challenge came since"
        stage.refuse(
            "Only a challenge without a report", event, challenges.cancel_challenge, stage.one(Game), "Too late"
        )


def test_challenge_loads_the_rounds_once(stage: Stage) -> None:
    event = begun(stage, *NAMES[:4])
    challenge(stage, event, "Di", "Cy")
    with sent(stage.engine) as statements:
        challenge(stage, event, "Bo", "Ada")
    loaded = [statement for statement in statements if "FROM round" in statement and "round.event_id" in statement]
    assert len([statement for statement in loaded if "JOIN" not in statement]) == 1, loaded


def test_ladder_continues_from_its_archive(stage: Stage, other: Stage, clock: Clock) -> None:
    event = begun(stage, *NAMES[:4])
    stage.decide(event, challenge(stage, event, "Bo", "Ada"), 3, 1)
    challenge(stage, event, "Di", "Cy")
    data = archived(stage.engine, event, clock())
    here = taken_in(other.s, data, clock())
    assert without_moment(archived(other.engine, here, clock())) == without_moment(data)
    assert names_of(other, here) == ["Bo", "Ada", "Cy", "Di"]
