"""A draw whose inputs change before it is published, and the questions before round 1 is published."""

from collections.abc import Callable

import pytest

from events.play.errors import Refused
from models.event import AvoidClubs, Event, Round, RoundState
from models.play import GameState, Player
from tests.conftest import Clock
from tests.kit.forces import sample_force
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators import SYSTEMS

SYSTEM = SYSTEMS["battle_mode"]
DESK = "/e/iron-open/desk"
STALE = "The standings, the field or the settings changed after this draw: draw again."
Enter = Callable[..., list[Person]]


@pytest.fixture
def drawn(olga: Person, enter: Enter, stage: Stage, event: Event) -> Event:
    """Five players, round 1 played and round 2 drawn."""
    enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    stage.play(event, 1)
    stage.draw(event, 2)
    assert STALE not in olga.open(f"{DESK}/rounds/2").text
    return event


def correct(stage: Stage, event: Event) -> None:
    """Reverse the result of table 1 in round 1."""
    game = stage.games(event, 1)[0]
    assert game.answers is not None
    before = SYSTEM.scoring.score(SYSTEM.scenario(stage.all(Round)[0].scenario or ""), game.answers)
    stage.decide(event, game, *((1, 3) if before.a > before.b else (3, 1)))


def test_stale_draw_is_not_published_until_it_is_redrawn(olga: Person, drawn: Event, stage: Stage) -> None:
    old_page = olga.page
    correct(stage, drawn)
    assert "Round 2 is drawn, but the standings, the field" in olga.open(DESK).part(".next-text")
    olga.page = old_page
    before = stage.digest()
    page = olga.press("Publish round 2")
    assert page.flashes == STALE
    assert stage.digest() == before
    assert page.part(".verdict.query p") == STALE
    assert [button.get_text().strip() for button in page.soup.select("form .primary")] == ["Draw round 2 again"]
    assert "drawn from the standings and players at that time" in page.text
    page = olga.press("Draw round 2 again")
    assert STALE not in page.text
    assert "Round 2 is drawn. Nobody" in olga.open(DESK).part(".next-text")
    olga.open(f"{DESK}/rounds/2")
    assert olga.press("Publish round 2").flashes == "Round 2 is published."
    assert stage.journal(drawn, "publish-round")[-1] == "Published round 2"


def test_stale_draw_can_be_published_after_confirmation(olga: Person, drawn: Event, stage: Stage) -> None:
    (one, _), (other, _), _ = stage.pairs(drawn, 2)
    olga.press("Swap", one=f"{one} (", other=f"{other} (")
    pairs = stage.pairs(drawn, 2)
    correct(stage, drawn)
    olga.open(f"{DESK}/rounds/2")
    assert olga.press("Publish anyway").flashes == "Round 2 is published."
    assert stage.pairs(drawn, 2) == pairs
    assert stage.journal(drawn, "publish-round")[-1].startswith("Published round 2, although the standings")
    assert STALE not in olga.open(f"{DESK}/rounds/2").text


def test_every_input_of_the_draw_can_make_it_stale(olga: Person, drawn: Event, stage: Stage) -> None:
    def stale() -> bool:
        return STALE in olga.open(f"{DESK}/rounds/2").text

    for name, other in (("points_win", 4), ("avoid_clubs", AvoidClubs.ALWAYS)):
        kept = getattr(stage.now(drawn), name)
        for value in (other, kept):
            with stage.changing(drawn):
                setattr(drawn, name, value)
            assert stale() is (value == other), name
    ada = stage.all(Player)[0]
    with stage.changing(drawn):
        ada.club, ada.painted = "Reds", True
    assert not stale(), "clubs count in round 1 alone, painting never"
    stage.enter(drawn, "Late")
    assert stale()
    olga.press("Draw again")
    assert not stale()
    assert "Late" in {name for pair in stage.pairs(drawn, 2) for name in pair}


def test_stale_draw_that_cannot_be_redrawn_is_explained(olga: Person, drawn: Event, stage: Stage) -> None:
    game = stage.games(drawn, 1)[0]
    with stage.changing(drawn):
        game.state, game.answers = GameState.DISPUTED, None
    page = olga.open(f"{DESK}/rounds/2")
    assert page.part(".verdict.query p") == f"{STALE} Round 1 is not complete yet: 1 game has no result."
    assert not page.soup.select("form[action$='/draw']")
    compared = olga.open(f"{DESK}/rounds/2/compare?seed=12")
    assert (compared.path, "Round 1 is not complete yet" in compared.flashes) == (f"{DESK}/rounds/2", True)
    with pytest.raises(Refused, match="Round 1 is not complete yet"):
        stage.draw(drawn, 2)
    assert stage.all(Round)[1].state == RoundState.DRAWN


def test_desk_warns_before_round_1_and_asks_only_about_the_day(
    olga: Person, enter: Enter, stage: Stage, event: Event, clock: Clock
) -> None:
    enter(event, "Ada", "Bo")

    def said() -> tuple[str, str]:
        """The question before publishing, and the page's message."""
        stage.draw(event, 1)
        page = olga.open(f"{DESK}/rounds/1")
        asked = page.soup.select("form[action$='/publish'] button")[0].get("data-confirm", "")
        return str(asked), page.part(".next")

    asked, words = said()
    assert asked == (
        "The event’s date is Saturday 5 December 2026, not today. "
        "The lists lock now, before their deadline (Fri 4 Dec 2026, 20:00)."
    )
    assert "No list: Ada, Bo." in words
    assert "locks and shows all lists" in words
    with stage.changing(event):
        event.starts_on = event.ends_on = clock().date()
    assert said()[0] == "The lists lock now, before their deadline (Fri 4 Dec 2026, 20:00)."
    with stage.changing(event):
        event.list_deadline = None
    asked, words = said()
    assert (asked, "No list: Ada, Bo." in words) == ("", True), "said, not asked"
    for number, player in enumerate(stage.all(Player)):
        stage.force(event, player, sample_force(SYSTEM.editions[0].factions[0], 750, number))
    assert "No list" not in said()[1]
    with stage.changing(event):
        event.size = 10
    assert "Not legal: Ada, Bo." in said()[1]
