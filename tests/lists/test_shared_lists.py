"""Lists that travel: copied as text, shared by a link until it is ended, taken over from another event."""

import pytest
from flask import Flask

from events.lists.sharing import for_chat, missing_names, plain_text
from events.visitors.queries import link_token
from models.event import Event
from models.play import ForceList, Player
from tests.kit.forces import read_force
from tests.kit.lists import EVERY_GAME, MINE, PIPER, event_of_game, file
from tests.kit.person import Enter, Page, Person
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.contract import Terms
from validators.game_system import GameSystem

SHARE = "/e/iron-open/me/share"


@pytest.fixture
def piper(enter: Enter, event: Event) -> Person:
    (ada,) = enter(event, "Ada")
    ada.press("Read the list", at=MINE, file=file(PIPER | {"name": "The Late Shift"}))
    return ada


def link_of(page: Page) -> str:
    """The address in a page without its server."""
    link = page.soup.select_one("#link .copy-text")
    return "/l/" + link.get_text().partition("/l/")[2] if link else ""


def test_text_of_a_list_is_read_back_whole(piper: Person, enter: Enter, stage: Stage, event: Event) -> None:
    (bo,) = enter(event, "Bo")
    mods = {"name": "Minuteman", "items": [{"name": "Laser Musket", "mods": ["Long Barrel"], "count": 2}]}
    models = [PIPER["models"][0] | {"perks": ["Sneak"], "leader_card": "Commander"}, mods, {"name": "Dog"}]
    piper.press("Read the list", file=file(PIPER | {"name": "The Late Shift", "models": models}))
    mine = stage.all(ForceList)[0].document
    page = piper.open(SHARE)
    shown = [part.get_text() for part in page.soup.select(".copy-text")]
    assert [str(button["data-copy"]) for button in page.soup.select("[data-copy]")] == shown
    plain, chat = shown
    assert chat == for_chat(plain) and chat.startswith("```\n") and chat.endswith("\n```")
    for text in (plain, chat.removeprefix("```").removesuffix("```")):
        bo.press("Read the list", at=MINE, text=text)
        bo.press("Use this list")
        assert stage.all(ForceList)[1].document == mine


def test_text_stays_in_its_code_block() -> None:
    assert for_chat("a ``` b") == "```\na ''' b\n```"


@pytest.mark.parametrize("game", SYSTEMS.values(), ids=lambda game: game.id)
def test_every_game_has_a_text_and_a_link(game: GameSystem, enter: Enter, stage: Stage, app: Flask) -> None:
    event = event_of_game(stage, game)
    (ada,) = enter(event, "Ada")
    edition = game.edition(event.edition)
    sample = game.forces.sample(Terms(edition, game.default_size), edition.factions[0], 3)
    stage.force(event, stage.one(Player), sample)
    text = plain_text(game, sample, edition)
    assert text in ada.open(f"{EVERY_GAME}/me/share").soup.get_text()
    shared = Person(app).open(link_of(ada.press("Make a link")))
    assert game.name in shared.text and text in shared.soup.get_text()


@pytest.mark.proves("G4")
def test_link_shows_the_list_alone_until_it_is_ended(piper: Person, app: Flask, stage: Stage, event: Event) -> None:
    reader = Person(app)
    page = piper.open(SHARE)
    assert "an opponent can read yours now" in page.text and link_of(page) == ""
    link = link_of(piper.press("Make a link"))
    assert len(link) > 20
    page = reader.open(link)
    assert page.part("h1") == "The Late Shift" and "166" in page.part("table.force tfoot")
    assert "Ada" not in page.text and event.name not in page.text and event.slug not in page.response.text
    assert page.response.headers["X-Robots-Tag"] == "noindex"
    assert page.response.headers["Cache-Control"] == "no-store"
    piper.press("Save", at=MINE, inside="#builder", name="Changed")
    assert reader.open(link).part("h1") == "Changed"
    assert link_of(piper.open(SHARE)) == link
    assert stage.one(ForceList).document["name"] not in reader.open("/e/iron-open/lists").text, "the event hides it"
    piper.press("End this link")
    ended, wrong = (reader.ask("GET", address) for address in (link, "/l/AAAAAAAAAAAAAAAAAAAAAAAA"))
    assert (ended.status_code, wrong.status_code) == (404, 404)
    assert ended.text.replace(link, "") == wrong.text.replace("/l/AAAAAAAAAAAAAAAAAAAAAAAA", "")
    assert link_of(piper.press("Make a link")) not in ("", link)
    assert stage.journal(event, "share-list") == ["Ada shared the list by a link"] * 2
    assert stage.journal(event, "end-share") == ["Ada ended the link to the list"]


def test_link_is_the_players_own(piper: Person, enter: Enter, event: Event, olga: Person) -> None:
    (bo,) = enter(event, "Bo")
    assert bo.open(SHARE).path == MINE, "there is no list to share yet"
    assert olga.open(SHARE).status == 403
    assert piper.open(MINE).soup.select_one(f"a[href='{SHARE}']")


def also_in(app: Flask, person: Person, stage: Stage, edition: str = "2018-08") -> None:
    """Let the same browser play in the Rust Cup, too."""
    (player,) = stage.enter(stage.event("Rust Cup", edition=edition), "Ada")
    person.open(f"/p/{link_token(app.secret_key, player)}")


def test_list_of_another_event_is_taken_over(app: Flask, piper: Person, stage: Stage) -> None:
    also_in(app, piper, stage)
    page = piper.open("/e/rust-cup/me/force")
    assert [tag.get_text() for tag in page.soup.select("#elsewhere option")] == ["Iron Open: The Late Shift"]
    page = piper.press("Use this list")
    assert "166 of 750 Caps: legal" in page.part("#understood")
    first, second = stage.all(ForceList)
    assert first.document == second.document and second.submitted_at is None


def test_what_this_edition_lacks_is_named(app: Flask, piper: Person, stage: Stage, event: Event) -> None:
    battle = SYSTEMS["battle_mode"]
    known, other = battle.edition("2018-08"), battle.edition("2021-01")
    has = {name for _, listed in other.names for name in listed}
    (kind, lacking), *_ = [(kind, name) for kind, listed in known.names for name in listed if name not in has]
    models = [{"name": "Piper", "leader": True, "perks": [lacking], "items": [{"name": "Pipe Pistol"}]}] * 2
    document = read_force(PIPER | {"name": "Own name", "models": models})
    assert missing_names(document, known, other) == (lacking,), kind
    assert missing_names(document, known, known) == ()
    stage.set(event, stage.one(ForceList), document=document)
    also_in(app, piper, stage, edition=other.id)
    page = piper.press("Use this list", at="/e/rust-cup/me/force")
    assert f"Not in “{other.name}”: {lacking}." in page.part("#understood ul")


def test_another_list_than_ones_own_is_not_taken_over(app: Flask, piper: Person, stage: Stage, olga: Person) -> None:
    also_in(app, piper, stage)
    piper.open("/e/rust-cup/me/force")
    with stage.unchanged():
        page = piper.forge("Use this list", elsewhere="77")
        assert (page.status, "Choose the event whose list to use." in page.errors) == (422, True)
    desk = f"/e/rust-cup/desk/players/{stage.all(Player)[1].id}/force"
    assert not olga.open(desk).soup.select("#elsewhere"), "an organiser has other lists than the player"


def test_link_pasted_into_the_builder_is_read(piper: Person, enter: Enter, stage: Stage) -> None:
    link = link_of(piper.press("Make a link", at=SHARE))
    rust = stage.event("Rust Cup")
    (bo,) = enter(rust, "Bo")
    page = bo.press("Read the list", at="/e/rust-cup/me/force", text=f" https://elsewhere.example{link} ")
    assert "166 of 750 Caps: legal" in page.part("#understood")
    assert "Iron Open" not in page.part("#understood"), "the page of the link does not name the event either"
    piper.press("End this link", at=SHARE)
    page = bo.press("Read the list", at="/e/rust-cup/me/force", text=link)
    assert (page.status, "it was ended; ask for a new one." in page.error_at("text")) == (422, True)
    other = event_of_game(stage, SYSTEMS["skill_combat"])
    (cy,) = enter(other, "Cy")
    link = link_of(piper.press("Make a link", at=SHARE))
    page = cy.press("Read the list", at=f"{EVERY_GAME}/me/force", text=link)
    assert (page.status, "This link leads to a list for Battle Mode." in page.error_at("text")) == (422, True)
