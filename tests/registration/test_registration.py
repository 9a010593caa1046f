"""Players come in: by phone, by a pasted list, at the desk; they get a link, wait, withdraw, come back."""

import re
from collections.abc import Callable

import pytest
import zxingcpp
from bs4 import Tag
from flask import Flask
from PIL import Image

from models.event import Event
from models.play import Player, PlayerState
from tests.conftest import Clock
from tests.kit.person import Page, Person, Value, controls
from tests.kit.stage import Stage

pytestmark = pytest.mark.fast

REGISTER = "/e/iron-open/register"
PLAYERS = "/e/iron-open/desk/players"


def decoded(svg: Tag) -> str:
    """What a phone reads from a QR code drawn as one path of horizontal strokes."""
    path = svg.find("path")
    assert isinstance(path, Tag)
    side = int(str(svg["viewbox" if svg.has_attr("viewbox") else "viewBox"]).split()[2])
    transform = re.search(r"scale\((\d+)\)", str(path.get("transform", "")))
    scale = int(transform[1]) if transform else 1
    image = Image.new("L", (side, side), 255)
    x = y = 0.0
    for command, numbers in re.findall(r"([Mmh])([-\d. ]+)", str(path["d"])):
        steps = [float(n) for n in numbers.split()]
        if command == "h":
            image.paste(
                0, (int(x * scale), int((y - 0.5) * scale), int((x + steps[0]) * scale), int((y + 0.5) * scale))
            )
            x += steps[0]
        else:
            x, y = (steps[0], steps[1]) if command == "M" else (x + steps[0], y + steps[1])
    return str(zxingcpp.read_barcodes(image)[0].text)


# ---- signing up on a phone


def test_a_player_signs_up_without_an_account_and_gets_a_private_link(
    visitor: Person, stage: Stage, event: Event
) -> None:
    visitor.open("/e/iron-open")
    assert visitor.page.soup.find("a", href=REGISTER)
    visitor.open(REGISTER)
    page = visitor.press("Register", name="Ωμέγα O’Brien", club="Reds", faction="Survivors")
    assert page.path == "/e/iron-open/me/link"
    address = page.part(".copy-text")
    assert address.startswith("http://localhost/p/")
    svg = page.soup.select_one("svg.qr-code")
    assert svg is not None
    assert decoded(svg) == address, "the code on the page holds the link beside it"
    player = stage.one(Player)
    assert (player.name, player.club, player.faction) == ("Ωμέγα O’Brien", "Reds", "Survivors")
    assert player.state == PlayerState.REGISTERED
    assert "Ωμέγα O’Brien" in visitor.open("/e/iron-open").part("table")
    assert visitor.open(REGISTER).path == "/e/iron-open/me", "one who is registered is led to their page"


@pytest.mark.proves("attack 22", "ASVS 14.2.1")
@pytest.mark.proves("F11")
def test_sign_up_form_sent_twice_enters_once_and_signs_in_both_times(app: Flask, stage: Stage, event: Event) -> None:
    """The answer to the first may be lost on its way: the browser then has only the cookie that came with the form."""
    phone = Person(app)
    form = dict(controls(phone.open(REGISTER).soup.select("main form")[0])) | {"name": "Ada", "club": "Vault 3"}
    cookie = phone.http.get_cookie("overseer")
    assert cookie is not None
    links = []
    for _ in range(2):
        phone.http.set_cookie("overseer", cookie.value)
        assert phone.ask("POST", REGISTER, form).location == "/e/iron-open/me/link"
        links.append(phone.open("/e/iron-open/me/link").part("code"))
    assert links[0] == links[1] != ""
    assert stage.one(Player).name == "Ada"
    phone.http.set_cookie("overseer", cookie.value)
    assert phone.ask("POST", REGISTER, form | {"name": "Bo"}).status_code == 422, "the key was used for another name"
    assert len(stage.all(Player)) == 1


def test_the_link_becomes_a_cookie_on_another_phone_and_leaves_the_address_bar(
    app: Flask, visitor: Person, event: Event
) -> None:
    visitor.open(REGISTER)
    address = visitor.press("Register", name="Ada").part(".copy-text").removeprefix("http://localhost")
    other_phone = Person(app)
    assert other_phone.open("/e/iron-open/me").status == 403
    answer = other_phone.http.get(address)
    assert (answer.status_code, answer.location) == (302, "/e/iron-open/me")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    page = other_phone.open("/e/iron-open/me")
    assert page.status == 200
    assert "Ada" in page.text
    assert address not in page.response.text, "today's page does not show the key over the shoulder"


@pytest.mark.proves("attack 22")
def test_a_renewed_link_ends_the_old_one_and_its_cookie(
    olga: Person, visitor: Person, event: Event, link_of: Callable[[Player], str], stage: Stage
) -> None:
    visitor.open(REGISTER)
    old = visitor.press("Register", name="Ada").part(".copy-text").removeprefix("http://localhost")
    player = stage.one(Player)
    olga.open(f"{PLAYERS}/{player.id}")
    page = olga.press("Make a new link")
    new = page.part(".copy-text").removeprefix("http://localhost")
    assert new != old
    assert new == link_of(stage.now(player))
    assert visitor.open("/e/iron-open/me").status == 403, "the cookie made with the old link"
    assert visitor.open(old).status == 404
    assert visitor.open(new).path == "/e/iron-open/me"


@pytest.mark.proves("attack 22", "ASVS 9.1.1")
def test_a_tampered_link_is_no_link(
    visitor: Person, event: Event, stage: Stage, link_of: Callable[[Player], str]
) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    good, other = link_of(ada), link_of(bo)
    crossed = other.split(".")[0] + "." + good.rpartition(".")[2]
    for address in (good[:-1], good + "x", crossed, "/p/x", "/p/WzEsMV0", "/p/%ED%A0%80", "/p/" + "a." * 900):
        page = visitor.open(address)
        assert (page.status, page.soup.h1 and page.soup.h1.text) == (404, "This link does not work any more"), address


def test_one_phone_holds_players_of_several_events(visitor: Person, stage: Stage, event: Event) -> None:
    stage.event("Rust Cup")
    for slug in ("iron-open", "rust-cup"):
        visitor.open(f"/e/{slug}/register")
        visitor.press("Register", name=f"Ada of {slug}")
    assert "Ada of iron-open" in visitor.open("/e/iron-open/me").text
    assert "Ada of rust-cup" in visitor.open("/e/rust-cup/me").text


@pytest.mark.parametrize(
    "again",
    [
        "ada lovelace",
        "  Ada   Lovelace ",
        "ADA LOVELACE",
        "Ａｄａ Ｌｏｖｅｌａｃｅ",
        "Ada\u200b Love\u200dlace",
        "Ada\u00a0Lovelace",
    ],
)
@pytest.mark.proves("attack 19")
def test_a_name_that_reads_the_same_is_refused(visitor: Person, stage: Stage, event: Event, again: str) -> None:
    stage.enter(event, "Ada Lovelace")
    visitor.open(REGISTER)
    before = stage.digest()
    page = visitor.press("Register", name=again, club="Reds")
    assert page.status == 422
    assert "is registered already" in page.error_at("name")
    assert "is registered already" in page.errors
    assert page.value("club") == "Reds"
    assert stage.digest() == before


def test_the_same_name_may_stand_in_another_event(visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(stage.event("Rust Cup"), "Ada")
    visitor.open(REGISTER)
    assert visitor.press("Register", name="Ada").path == "/e/iron-open/me/link"


def test_a_faction_that_is_not_offered_is_refused(visitor: Person, stage: Stage, event: Event) -> None:
    visitor.open(REGISTER)
    before = stage.digest()
    page = visitor.forge("Register", name="Ada", faction="Vikings")
    assert page.status == 422
    assert "Not a valid choice" in page.error_at("faction")
    assert stage.digest() == before


def test_registration_is_closed_before_it_opens_and_once_the_event_runs(
    olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    form = visitor.open(REGISTER)
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    visitor.page = form
    before = stage.digest()
    page = visitor.press("Register", name="Late")
    assert (page.status, "ask at the desk" in page.text) == (403, True)
    assert stage.digest() == before
    stage.event("Draft", draft=True)
    assert olga.open("/e/draft/register").status == 403


# ---- places and the waiting list


def test_the_waiting_list_moves_up_when_somebody_withdraws(app: Flask, stage: Stage, olga: Person) -> None:
    event = stage.event(places=2)
    people = [Person(app) for _ in range(4)]
    for person, name in zip(people, ("Ada", "Bo", "Cy", "Di"), strict=True):
        person.open(REGISTER)
        page = person.press("Register", name=name)
        waits = name in ("Cy", "Di")
        assert ("You are on the waiting list" in page.text) is waits
    assert "All places are taken" in Person(app).open(REGISTER).text
    assert "Join the waiting list" in Person(app).open("/e/iron-open").text
    ada, _, cy, di = people
    ada.open("/e/iron-open/me")
    page = ada.press("Withdraw")
    assert (page.path, "You have left this event" in page.text) == ("/e/iron-open/me", True)
    assert [p.state.value for p in stage.all(Player)] == ["dropped", "registered", "registered", "waiting"]
    assert "Your table is shown here" in cy.open("/e/iron-open/me").text
    assert "You are on the waiting list" in di.open("/e/iron-open/me").text
    assert stage.journal(event, "give-place") == ["Gave Cy a place"]


def test_one_who_waits_and_withdraws_frees_no_place(app: Flask, stage: Stage) -> None:
    event = stage.event(places=1)
    stage.enter(event, "Ada", here=False)
    waiting = Person(app)
    waiting.open(REGISTER)
    waiting.press("Register", name="Bo")
    stage.enter(event, "Cy")
    waiting.open("/e/iron-open/me")
    waiting.press("Withdraw")
    assert [p.state.value for p in stage.all(Player)] == ["registered", "dropped", "waiting"]


def test_without_a_waiting_list_a_full_event_takes_nobody(visitor: Person, stage: Stage) -> None:
    event = stage.event(places=1, waiting_list=False)
    stage.enter(event, "Ada")
    visitor.open(REGISTER)
    before = stage.digest()
    page = visitor.press("Register", name="Bo")
    assert page.status == 422
    assert "All 1 places are taken" in page.errors
    assert page.value("name") == "Bo"
    assert stage.digest() == before


def test_the_organiser_gives_a_place_only_where_one_is_free(olga: Person, stage: Stage) -> None:
    event = stage.event(places=1)
    _, bo = stage.enter(event, "Ada", "Bo", here=False)
    olga.open(PLAYERS)
    assert "All 1 places are taken" in olga.press("Give a place", inside=f"#player-{bo.id}").flashes
    olga.open("/e/iron-open/desk/settings")
    olga.press("Save", places="2")
    olga.open(PLAYERS)
    olga.press("Give a place", inside=f"#player-{bo.id}")
    assert [p.state.value for p in stage.all(Player)] == ["registered", "registered"]


def test_one_who_left_can_be_brought_back(olga: Person, stage: Stage, event: Event) -> None:
    (ada,) = stage.enter(event, "Ada", here=False)
    olga.open(f"{PLAYERS}/{ada.id}")
    olga.press("Drop")
    assert stage.one(Player).state == PlayerState.DROPPED
    olga.press("Bring back")
    assert (stage.one(Player).state, stage.one(Player).dropped_after) == (PlayerState.REGISTERED, None)


# ---- at the desk


def test_a_walk_in_is_entered_and_checked_in_at_once(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(PLAYERS)
    page = olga.press("Add", inside="#walk-in", **{"w-name": "Mei Lin", "w-club": "Reds", "w-faction": "Survivors"})
    assert (page.path, page.flashes) == (PLAYERS, "Mei Lin is entered.")
    player = stage.one(Player)
    assert (player.name, player.faction, player.state) == ("Mei Lin", "Survivors", PlayerState.CHECKED_IN)
    olga.press("Add", inside="#walk-in", **dict[str, Value]({"w-name": "Not yet here", "w-here": False}))
    assert stage.all(Player)[1].state == PlayerState.REGISTERED


def test_a_walk_in_of_a_known_name_is_refused_with_what_was_typed_kept(
    olga: Person, stage: Stage, event: Event
) -> None:
    stage.enter(event, "Ada")
    olga.open(PLAYERS)
    before = stage.digest()
    page = olga.press("Add", inside="#walk-in", **{"w-name": "ADA", "w-club": "Reds"})
    assert page.status == 422
    assert "is registered already" in page.error_at("w-name")
    assert (page.value("w-name"), page.value("w-club")) == ("ADA", "Reds")
    assert stage.digest() == before


def paste(olga: Person, text: str) -> Page:
    """Paste a list of names at the desk."""
    olga.open(PLAYERS)
    return olga.press("Add all", **{"p-names": text})


def test_pasting_a_list_leaves_the_walk_in_form_as_it_was(olga: Person, stage: Stage, event: Event) -> None:
    page = paste(olga, "Ada")
    assert page.soup.select_one('input[name="w-here"][checked]'), "the next walk-in is checked in as before"
    olga.press("Add", inside="#walk-in", **{"w-name": "Bo"})
    assert [player.state for player in stage.all(Player)] == [PlayerState.REGISTERED, PlayerState.CHECKED_IN]


def test_a_list_of_names_is_pasted_from_a_spreadsheet_or_a_mail(olga: Person, stage: Stage, event: Event) -> None:
    page = paste(
        olga, 'Ada\tReds\tSurvivors\n\n  Bo ; Blues ; super mutants  \nCy\nDi;;Brotherhood of Steel\n=1+1;"x"\n'
    )
    assert "5 of 5 lines entered." in page.text
    assert [(p.name, p.club, p.faction) for p in stage.all(Player)] == [
        ("Ada", "Reds", "Survivors"),
        ("Bo", "Blues", "Super Mutants"),
        ("Cy", "", ""),
        ("Di", "", "Brotherhood of Steel"),
        ("=1+1", '"x"', ""),
    ]
    assert page.value("p-names") == ""


def test_lines_that_cannot_be_taken_stay_in_the_box_with_their_reason(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada")
    long = "x" * 81
    bad = ["ADA;Reds", "Bo;Reds;Survivors;extra", "Cy;;Vikings", long, ";Reds", "\u200b\u200b"]
    page = paste(olga, "\n".join(["Good One", *bad, "Good Two", "good two"]))
    assert page.status == 200
    assert "2 of 9 lines entered." in page.text
    assert str(page.value("p-names")).split("\r\n") == [*bad, "good two"]
    for reason in ("is registered already", "More than three parts", "This faction is not in", "longer than 80",
                   "give a name that can be read"):  # fmt: skip
        assert reason in page.part(".verdict")
    assert [p.name for p in stage.all(Player)] == ["Ada", "Good One", "Good Two"]


def test_a_pasted_list_has_an_end(olga: Person, stage: Stage, event: Event) -> None:
    before = stage.digest()
    page = paste(olga, "\n".join(f"P{n}" for n in range(501)))
    assert page.status == 422
    assert "501 lines; at most 500 are taken at once." in page.errors
    page = paste(olga, "   \n ")
    assert page.status == 422
    assert "Please fill in: list of names." in page.error_at("p-names")
    page = paste(olga, "x" * 40_001)
    assert (page.status, "At most 40000 characters." in page.errors) == (422, True)
    assert stage.digest() == before


def test_those_pasted_beyond_the_places_wait(olga: Person, stage: Stage) -> None:
    stage.event(places=2)
    paste(olga, "Ada\nBo\nCy\nDi")
    assert [p.state.value for p in stage.all(Player)] == ["registered", "registered", "waiting", "waiting"]


def test_checking_in_and_back_pressed_twice_is_done_once(olga: Person, stage: Stage, event: Event) -> None:
    (ada,) = stage.enter(event, "Ada", here=False)
    before = olga.open(PLAYERS)
    page = olga.press("Check in", inside=f"#player-{ada.id}")
    assert "1 here, 0 expected" in page.text
    olga.page = before
    olga.press("Check in", inside=f"#player-{ada.id}")
    assert stage.journal(event, "check-in") == ["Checked in Ada"]
    olga.press("Undo")
    assert stage.one(Player).state == PlayerState.REGISTERED


def test_the_organiser_corrects_a_player(olga: Person, stage: Stage, event: Event) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo")
    address = f"{PLAYERS}/{ada.id}"
    olga.open(address)
    page = olga.press("Save", name="Ada L.", club="Greens", faction="Super Mutants", painted=True)
    assert page.flashes == "Saved."
    stage.now(ada)
    assert (ada.name, ada.club, ada.faction, ada.painted) == ("Ada L.", "Greens", "Super Mutants", True)
    before = stage.digest()
    page = olga.press("Save", name="bo", club="Kept")
    assert page.status == 422
    assert "Another player of this event is called Bo." in page.error_at("name")
    assert (page.value("name"), page.value("club")) == ("bo", "Kept")
    assert stage.digest() == before
    olga.open(address)
    olga.press("Save", name="ADA L.")
    assert stage.all(Player)[0].name == "ADA L.", "the own name in other letters is no namesake"


def test_nobody_leaves_a_round_that_is_drawn_but_not_published(
    enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    ada.open("/e/iron-open/me")
    stage.draw(event, 1)
    page = ada.press("Withdraw")
    assert page.status == 422
    assert "discard that draw" in page.text
    assert stage.all(Player)[0].state == PlayerState.CHECKED_IN


def test_the_clock_of_registration_is_the_server_s(visitor: Person, stage: Stage, event: Event, clock: Clock) -> None:
    clock.advance(minutes=7)
    visitor.open(REGISTER)
    visitor.press("Register", name="Ada")
    assert stage.one(Player).registered_at == clock.now
