"""Pictures of shared links: an event's card and a player's, without a word that does not fit or that is hidden."""

import io

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from events.charts.card import BOARD, EDGE, STRIP, Card, card_picture
from events.setup import actions as setup_actions
from tests.kit.person import Enter, Person
from tests.kit.stage import Event, Player, Stage

CARD = "/e/iron-open/card.jpg"
PUBLIC = "http://hall.lan"


def drawn(card: Card) -> Image.Image:
    picture = Image.open(io.BytesIO(card_picture(card)))
    picture.load()
    assert (picture.format, picture.size) == ("JPEG", (1200, 630))
    return picture


def shown_at(person: Person, address: str) -> bytes:
    answer = person.http.get(address)
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    data: bytes = answer.data
    return data


@settings(max_examples=10, deadline=None)
@example("Mm " * 40, [("1", "Mm " * 20)] * 3)
@example("W" * 60, [("1", "W" * 60)] * 6)
@example("\ufdfd", [("1", "\ufdfd")] * 3)
@given(
    st.one_of(st.text(max_size=120), st.sampled_from(["W" * 60, "Mm " * 40, "武" * 60])),
    st.lists(st.tuples(st.sampled_from(["1", "12", "100th"]), st.text(max_size=60)), max_size=6),
)
def test_every_text_stays_on_the_card(name: str, facts: list[tuple[str, str]]) -> None:
    picture = drawn(Card("Iron Open", name, (name, name), tuple(facts)))
    board = Image.new("RGB", picture.size, BOARD)
    below = ImageChops.difference(picture, board).convert("L").point(lambda grey: 255 if grey > 60 else 0)
    written = below.crop((0, STRIP + 20, 1200, 630)).getbbox()
    if written:
        left, _, right, low = written
        assert left >= EDGE - 12 and right <= 1200 - EDGE + 12 and low <= 630 - STRIP - 20 - 8


def test_event_page_names_its_card_which_follows_the_event(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=1, places=8)
    (meta,) = visitor.open("/e/iron-open").soup.select("meta[property='og:image']")
    assert meta["content"] == PUBLIC + CARD
    first = shown_at(visitor, CARD)
    mark = visitor.http.get(CARD).headers["ETag"]
    assert visitor.http.get(CARD, headers={"If-None-Match": mark}).status_code == 304
    stage.enter(event, "Ada", "Bo")
    assert visitor.http.get(CARD, headers={"If-None-Match": mark}).status_code == 200
    seen = [first, shown_at(visitor, CARD)]
    stage.play(event, 1)
    seen.append(shown_at(visitor, CARD))
    stage.do(event, setup_actions.finish)
    seen.append(shown_at(visitor, CARD))
    assert len(set(seen)) == 4, "places, players, podium"


def test_draft_has_no_card_for_visitors(visitor: Person, olga: Person, stage: Stage) -> None:
    stage.event(draft=True)
    assert (visitor.http.get(CARD).status_code, olga.http.get(CARD).status_code) == (404, 200)


def test_held_or_running_standings_are_not_on_a_card(visitor: Person, stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    stage.play(event, 1, {ada.id: 2, bo.id: 1})
    first = shown_at(visitor, CARD)
    assert visitor.http.get(f"/e/iron-open/players/{ada.id}/card.jpg").status_code == 404
    (game,) = stage.games(event, 1)
    stage.decide(event, game, 1, 3)
    assert shown_at(visitor, CARD) == first


@pytest.mark.usefixtures("event")
def test_players_card_comes_with_the_end_and_is_linked_from_the_own_page(
    visitor: Person, stage: Stage, enter: Enter
) -> None:
    event = stage.one(Event, slug="iron-open")
    ada, bo = enter(event, "Ada", "Bo")
    stage.play(event, 1)
    pages = {name: f"/e/iron-open/players/{stage.one(Player, name=name).id}" for name in ("Ada", "Bo")}
    assert "Picture to share" not in ada.open("/e/iron-open/me").text + visitor.open(pages["Ada"]).text
    stage.do(event, setup_actions.finish)
    for person, name in ((ada, "Ada"), (bo, "Bo")):
        (link,) = [a["href"] for a in person.open("/e/iron-open/me").soup.select("a") if a.text == "Picture to share"]
        assert link == f"{pages[name]}/card.jpg"
        actions = [a.text for a in person.page.soup.select("[data-poll-part=act] a")]
        assert actions == ["Final standings", "Picture to share", "Next events"], "one row of three"
        page = visitor.open(pages[name])
        assert "Picture to share" in page.text
        place = "1st" if name == "Ada" else "2nd"
        said = page.soup.select("meta[property='og:title'], meta[property='og:image']")
        assert [meta["content"] for meta in said] == [f"{name} came {place} of 2", f"{PUBLIC}{link}"]
    assert shown_at(visitor, f"{pages['Ada']}/card.jpg") != shown_at(visitor, f"{pages['Bo']}/card.jpg")
    assert visitor.http.get("/e/iron-open/players/999/card.jpg").status_code == 404


def test_players_card_names_the_champion_and_the_faction(visitor: Person, stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    stage.set(event, ada, faction="Raiders")
    stage.play(event, 1, {ada.id: 2, bo.id: 1})
    stage.do(event, setup_actions.finish)
    day = "Saturday 5 December 2026"
    for player, about, facts in (
        (ada, ("Raiders, first of 2", "Iron Open", day), (("Champion", ""), ("3", "points"), ("1", "of 1 game won"))),
        (bo, ("Iron Open", day), (("2nd", "of 2"), ("0", "points"), ("0", "of 1 game won"))),
    ):
        drawn_so = card_picture(Card("iron-open", player.name, about, facts))
        assert shown_at(visitor, f"/e/iron-open/players/{player.id}/card.jpg") == drawn_so
