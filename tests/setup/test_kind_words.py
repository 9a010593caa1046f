"""What kind of event it is, on the form, the front page and the event's page; pairs counted as pairs."""

import pytest

from events.journal.setting_words import kind_words
from events.setup.pairing_actions import set_teams
from models.settings import BoardsMatched
from tests.kinds.moments import KINDS, Desk, Kind, opened
from tests.kit.person import Person
from tests.kit.stage import Stage

WORDS = {
    "Swiss": [], "round robin": ["Round robin"], "knockout of 4": ["Knockout"], "doubles": ["Doubles"],
    "doubles, knockout of 5": ["Doubles", "Knockout"], "doubles, season": ["Doubles", "Season"],
    "teams of 3": ["Teams of 3"], "season, ladder": ["Ladder"], "season, Swiss": ["Season"],
    "skirmish campaign": ["Campaign"],
}  # fmt: skip


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.name in WORDS], ids=lambda kind: kind.name)
def test_front_page_and_event_page_name_the_kind(visitor: Person, stage: Stage, kind: Kind) -> None:
    desk = Desk(stage.engine, stage.clock)
    event = opened(desk, kind)
    words = WORDS[kind.name]
    assert kind_words(desk.now(event)) == words
    for page in (visitor.open("/").part(".lead"), visitor.open(f"/e/{event.slug}").part(".hero .row")):
        assert all(word in page for word in words), page


def test_form_of_a_new_event_says_where_other_kinds_are_chosen(olga: Person, stage: Stage) -> None:
    said = "Teams, doubles or another way to play (Knockout, Round robin and Ladder): choose it in the settings next."
    assert said in olga.open("/desk/new").text


def test_pairs_are_counted_as_pairs_and_one_link_is_for_both(visitor: Person, stage: Stage) -> None:
    event = stage.event(places=8)
    stage.do(event, set_teams, 1, BoardsMatched.ORDER, True)
    visitor.press("Register", at="/e/iron-open/register", name="Ada", partner="Nell")
    both = "It is for both of you: send it to your partner too."
    assert both in visitor.open("/e/iron-open/me/link").text
    assert both in visitor.open("/e/iron-open/me").text and "do not share it" not in visitor.page.text
    assert "1 pair" in visitor.open("/e/iron-open/hall").text
    stage.set(event, registration_closes=stage.clock())
    assert "1 pair of 8" in visitor.open("/").text.replace("\xa0", " ")
