"""Players sign up, within limits, answer questions, are entered at the desk or pasted, wait, withdraw and come back."""

import csv
import io
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
import segno
from flask import Flask

from events.accounts.limits import SIGN_UPS_BY_BROWSER
from events.registration.places import LEAST_WAITING
from events.setup.actions import finish
from models.people import SignInAttempt
from tests.conftest import PUBLIC
from tests.kit.accounts import with_cookie_of
from tests.kit.person import ADD, ADD_ALL, SIGN_UP, Page, Person, Value
from tests.kit.stage import Event, Player, PlayerState, Stage

pytestmark = pytest.mark.fast

REGISTER = "/e/iron-open/register"
PLAYERS = "/e/iron-open/desk/players"
ME = "/e/iron-open/me"
SAME_NAMES = (
    "ada lovelace", "  Ada   Lovelace ", "ADA LOVELACE", "Ａｄａ Ｌｏｖｅｌａｃｅ", "Ada\u200b Love\u200dlace",
    "Ada\u00a0Lovelace",
)  # fmt: skip


def sign_up(person: Person, **fields: str) -> Page:
    return person.press(SIGN_UP, at=REGISTER, **fields)


def states(stage: Stage) -> list[str]:
    return [player.state.value for player in stage.all(Player)]


def test_sign_up_needs_no_account_and_gives_a_private_link(visitor: Person, stage: Stage) -> None:
    stage.enter(stage.event("Rust Cup"), "Ωμέγα O’Brien")
    stage.event()
    stage.clock.advance(minutes=7)
    assert visitor.open("/e/iron-open").soup.find("a", href=REGISTER)
    page = sign_up(visitor, name="Ωμέγα O’Brien", club="Reds", faction="Survivors")
    assert page.path == "/e/iron-open/me/link"
    address = page.part(".copy-text")
    assert address.startswith(PUBLIC + "/p/")
    (strokes,) = page.soup.select("svg.qr-code path")
    assert str(strokes["d"]) in segno.make(address, error="m", micro=False).svg_inline(border=4)
    player = stage.all(Player)[1]
    assert (player.name, player.club, player.faction) == ("Ωμέγα O’Brien", "Reds", "Survivors")
    assert (player.state, player.registered_at) == (PlayerState.REGISTERED, stage.clock.now)
    assert "Ωμέγα O’Brien" in visitor.open("/e/iron-open").part(".people")
    assert visitor.open(REGISTER).path == ME, "a registered player is led to their page"
    visitor.press(SIGN_UP, at="/e/rust-cup/register", name="Ada of rust-cup")
    assert "Ωμέγα O’Brien" in visitor.open(ME).text, "one phone holds players of several events"
    assert "Ada of rust-cup" in visitor.open("/e/rust-cup/me").text


@pytest.mark.proves("attack 22")
def test_renewed_link_ends_the_old_one_and_its_cookie(
    olga: Person, visitor: Person, event: Event, link_of: Callable[[Player], str], stage: Stage
) -> None:
    old = sign_up(visitor, name="Ada").part(".copy-text").removeprefix(PUBLIC)
    player = stage.one(Player)
    page = olga.press("Make a new link", at=f"{PLAYERS}/{player.id}")
    assert page.flashes == "New link made; the old one no longer works."
    assert page.response.history[-1].location.endswith("#link")
    new = page.part(".copy-text").removeprefix(PUBLIC)
    assert new != old
    assert new == link_of(stage.now(player))
    page = visitor.open(ME)
    assert page.status == 403, "the cookie made with the old link"
    assert [a.get_text() for a in page.soup.select("main a.button")] == ["Iron Open", "Staff sign-in", "All events"]
    assert page.part("main a.primary") == "Iron Open"
    assert visitor.open(f"{PLAYERS}/{player.id}").part("main a.primary") == "Staff sign-in"
    for dead in (old, "/p/no-such-link"):
        page = visitor.open(dead)
        assert (page.status, "Ask the organiser" in page.text, "overseer" in page.part("main")) == (404, True, False)
    assert visitor.open(new).path == ME


@pytest.mark.proves("attack 19")
def test_same_name_or_unknown_faction_is_refused_at_its_field(visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada Lovelace")
    visitor.open(REGISTER)
    with stage.unchanged():
        for again in SAME_NAMES:
            page = visitor.press(SIGN_UP, name=again, club="Reds")
            assert (page.status, page.value("club")) == (422, "Reds"), again
            assert "is registered already" in page.error_at("name"), again
            assert "you lost it, ask the organiser for it" in page.error_at("name")
            assert "is registered already" in page.errors
        page = visitor.forge(SIGN_UP, name="Bo", faction="Vikings")
        assert (page.status, "Not a valid choice" in page.error_at("faction")) == (422, True)


def test_full_event_without_a_waiting_list_offers_nothing(app: Flask, visitor: Person, stage: Stage) -> None:
    event = stage.event(places=2, waiting_list=False, convention="North Con")
    stage.enter(event, "Ada")
    assert visitor.open("/e/iron-open").soup.select(f'a[href="{REGISTER}"]'), "the control"
    late = Person(app)
    late.open(REGISTER)
    stage.enter(event, "Bo")
    for path in ("/", "/e/iron-open", "/c/north-con", REGISTER):
        page = visitor.open(path)
        assert "Full" in page.text and "waiting list" not in page.text, path
        assert not page.soup.select(f'a[href="{REGISTER}"], main form button'), path
    page = late.press(SIGN_UP, name="Flo")
    assert (page.status, "Too few places are free" in page.errors) == (422, True)
    assert "you go on the waiting list" not in page.text
    stage.set(event, places=1)
    assert "2 of 1 place taken 0 left" in visitor.open("/e/iron-open").text


def test_waiting_list_moves_up_when_a_player_withdraws(app: Flask, stage: Stage, olga: Person) -> None:
    event = stage.event(places=2)
    people = [Person(app) for _ in range(4)]
    for person, name in zip(people, ("Ada", "Bo", "Cy", "Di"), strict=True):
        assert ("You are on the waiting list" in sign_up(person, name=name).text) is (name in ("Cy", "Di"))
    assert "All places are taken" in Person(app).open(REGISTER).text
    assert "Join the waiting list" in Person(app).open("/e/iron-open").text
    ada, _, cy, di = people
    page = ada.press("Withdraw", at=ME)
    assert (page.path, "You have left this event" in page.text) == (ME, True)
    assert states(stage) == ["dropped", "registered", "registered", "waiting"]
    assert "Your table is shown here" in cy.open(ME).text
    assert "You are on the waiting list" in di.open(ME).text
    assert stage.journal(event, "give-place") == ["Gave Cy a place"]
    stage.enter(event, "Ed")
    di.press("Withdraw")
    assert states(stage)[3:] == ["dropped", "waiting"], "a waiting player frees no place"
    olga.open(f"{PLAYERS}/{stage.one(Player, name='Ada').id}")
    assert "All places are taken: Ada is on the waiting list." in olga.press("Bring back").flashes
    assert states(stage)[0] == "waiting"
    olga.press("Drop")
    flo = Person(app)
    flo.open(REGISTER)
    stage.set(event, waiting_list=False)
    assert "Too few places are free" in olga.press("Bring back").flashes
    with stage.unchanged():
        page = flo.press(SIGN_UP, name="Flo")
    assert (page.status, page.value("name"), "Too few places are free" in page.errors) == (422, "Flo", True)


def test_organiser_gives_a_place_only_if_one_is_free(olga: Person, stage: Stage) -> None:
    event = stage.event(places=1)
    _, bo = stage.enter(event, "Ada", "Bo", here=False)
    assert "Too few places are free" in olga.press("Give a place", at=PLAYERS, inside=f"#player-{bo.id}").flashes
    stage.set(event, places=2)
    for label, state in (("Give a place", "registered"), ("Drop", "dropped"), ("Bring back", "registered")):
        olga.press(label, at=f"{PLAYERS}/{bo.id}")
        assert states(stage) == ["registered", state]
    assert stage.now(bo).dropped_after is None


def test_walk_in_is_entered_and_checked_in_at_once_on_the_day(olga: Person, stage: Stage, event: Event) -> None:
    assert not olga.open(PLAYERS).soup.select('[name="w-here"][checked]'), "two weeks before it"
    stage.set(event, starts_on=date(2026, 11, 21))
    olga.open(PLAYERS)
    page = olga.press(ADD, inside="#walk-in", **{"w-name": "Mei Lin", "w-club": "Reds", "w-faction": "Survivors"})
    assert (page.path, page.flashes) == (PLAYERS, "Mei Lin is entered.")
    player = stage.one(Player)
    assert links(page) == [f"{PLAYERS}/{player.id}#link"]
    assert (player.name, player.faction, player.state) == ("Mei Lin", "Survivors", PlayerState.CHECKED_IN)
    olga.press(ADD, at=PLAYERS, inside="#walk-in", **dict[str, Value]({"w-name": "Not yet here", "w-here": False}))
    assert states(stage) == ["checked_in", "registered"]
    with stage.unchanged():
        page = olga.press(ADD, inside="#walk-in", **{"w-name": "MEI LIN", "w-club": "Reds"})
        assert (page.status, page.value("w-name"), page.value("w-club")) == (422, "MEI LIN", "Reds")
        assert "is registered already" in page.error_at("w-name")


def links(page: Page) -> list[str]:
    """The private links that the page of players offers of who was added."""
    return [str(tag["href"]) for tag in page.soup.select("[data-added] a")]


def paste(olga: Person, text: str) -> Page:
    return olga.press(ADD_ALL, at=PLAYERS, **{"p-names": text})


def test_list_is_pasted_from_a_spreadsheet_or_a_mail(olga: Person, stage: Stage, event: Event) -> None:
    page = paste(
        olga, 'Ada\tReds\tSurvivors\n\n  Bo ; Blues ; super mutants  \nCy\nDi;;Brotherhood of Steel\n=1+1;"x"\n'
    )
    assert "5 of 5 lines entered." in page.text
    assert links(page) == [f"{PLAYERS}/{p.id}#link" for p in stage.all(Player)]
    assert [(p.name, p.club, p.faction) for p in stage.all(Player)] == [
        ("Ada", "Reds", "Survivors"), ("Bo", "Blues", "Super Mutants"), ("Cy", "", ""),
        ("Di", "", "Brotherhood of Steel"), ("=1+1", "x", ""),
    ]  # fmt: skip
    assert page.value("p-names") == ""
    olga.press(ADD, inside="#walk-in", **{"w-name": "Ed"})
    assert stage.all(Player)[-1].state == PlayerState.REGISTERED, "before the day"


def test_names_pasted_from_other_programs_lose_their_wrapping(olga: Person, stage: Stage, event: Event) -> None:
    lines = [
        '\ufeff"Ada; Countess";"Reds ""A"""', '"Bo"\t"Blues"', '"Cy, Jr.","Greens","Survivors"',
        "D\u00adi\u200bna\u200e;Re\ufeffds",
        'Ed "The Gun" Ash;"x" and "y"', "علی\u200cرضا", "Fay\u200c;Re\u200dds", "\u200b", '"Gus"',
    ]  # fmt: skip
    page = paste(olga, "\n".join(lines))
    assert "8 of 9 lines entered." in page.text
    assert [(p.name, p.club, p.faction) for p in stage.all(Player)] == [
        ("Ada; Countess", 'Reds "A"', ""), ("Bo", "Blues", ""), ("Cy, Jr.", "Greens", "Survivors"),
        ("Dina", "Reds", ""),
        ('Ed "The Gun" Ash', '"x" and "y"', ""), ("علی\u200cرضا", "", ""), ("Fay", "Reds", ""), ("Gus", "", ""),
    ]  # fmt: skip


def test_pasted_names_lose_direction_marks_and_what_cannot_be_printed_names_its_line(
    olga: Person, stage: Stage, event: Event
) -> None:
    page = paste(olga, "\u202aAda\u202c;\u2067Reds\u2069\n\u202bעדה\u202c\nB\u202eo\nCy")
    assert [(p.name, p.club) for p in stage.all(Player)] == [("Ada", "Reds"), ("עדה", ""), ("Cy", "")]
    assert "3 of 4 lines entered." in page.text
    assert "Line 3, B\u202eo : It contains a character that cannot be printed." in page.part("#paste")


def test_commas_separate_the_parts_of_a_pasted_line(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Zoë")
    page = paste(olga, 'Ada, Vault 13\n"Bo, Jr.", Reds, survivors\n"Cy, Jr."\nDi, Jr.; Reds, Blues\nEd, a, b, c')
    assert [(p.name, p.club, p.faction) for p in stage.all(Player)[1:]] == [
        ("Ada", "Vault 13", ""), ("Bo, Jr.", "Reds", "Survivors"), ("Cy, Jr.", "", ""), ("Di, Jr.", "Reds, Blues", ""),
    ]  # fmt: skip
    assert "Line 5, Ed, a, b, c : More than three parts." in page.part("#paste .verdict")
    assert "Put a name with a comma in quotes." in page.part("#paste .verdict")


def test_refused_lines_stay_in_the_field_with_their_reasons(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada")
    assert "Names of factions: Survivors, Brotherhood of Steel, Super Mutants." in olga.open(PLAYERS).text
    bad = ["ADA;Reds", "Bo;Reds;Survivors;extra", "Cy;;Vikings", "Di;;Mutants", "x" * 81, ";Reds", "\u200b\u200b"]
    page = paste(olga, "\n".join(["Good One", "", *bad, "Good Two", "good two"]))
    assert (page.status, "2 of 10 lines entered." in page.text) == (200, True)
    assert str(page.value("p-names")).split("\r\n") == [*bad, "good two"]
    for reason in ("is registered already", "More than three parts", "longer than 80", "name with visible letters",
                   "Line 5, Cy;;Vikings : No faction is called Vikings. Type one of: Survivors, Brotherhood of Steel",
                   "Line 6, Di;;Mutants : No faction is called Mutants. Did you mean Super Mutants?"):  # fmt: skip
        assert reason in page.part("#paste .verdict"), "next to the field"
    assert [p.name for p in stage.all(Player)] == ["Ada", "Good One", "Good Two"]
    with stage.unchanged():
        for text, words in (
            ("\n".join(f"P{n}" for n in range(501)), "501 lines: paste at most 500 at once."),
            ("   \n ", "Please fill this in."), ("x" * 40_001, "At most 40000 characters."),
        ):  # fmt: skip
            page = paste(olga, text)
            assert (page.status, words in page.error_at("p-names")) == (422, True), words


def test_organiser_corrects_a_player(olga: Person, stage: Stage, event: Event) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo")
    olga.open(f"{PLAYERS}/{ada.id}")
    page = olga.press("Save", name="Ada L.", club="Greens", faction="Super Mutants", painted=True)
    assert page.flashes == "Saved."
    stage.now(ada)
    assert (ada.name, ada.club, ada.faction, ada.painted) == ("Ada L.", "Greens", "Super Mutants", True)
    olga.press("Save", painted=False, fixed_table="4")
    said = ["Changed Ada L.: name, club, faction, painted", "Changed Ada L.: not painted, fixed table"]
    assert stage.journal(event, "change-player") == said
    with stage.unchanged():
        page = olga.press("Save", name="bo", club="Kept")
        assert (page.status, page.value("name"), page.value("club")) == (422, "bo", "Kept")
        assert "Another player is called Bo." in page.error_at("name")
    olga.press("Save", at=f"{PLAYERS}/{ada.id}", name="ADA L.")
    assert stage.now(ada).name == "ADA L.", "the own name in other letters is free"


SETTINGS = "/e/iron-open/desk/settings"
ANSWERS = "/e/iron-open/me/answers"
ASKED: list[dict[str, Any]] = [
    {"id": "q1", "label": "Allergies", "kind": "text", "choices": [], "required": False},
    {"id": "q2", "label": "Lunch", "kind": "choice", "choices": ["Soup", "Bread"], "required": True},
    {"id": "q3", "label": "Guests", "kind": "number", "choices": [], "required": False},
]


@pytest.fixture
def asking(stage: Stage) -> Event:
    return stage.event(questions=tuple(ASKED))


def sheet(person: Person) -> list[list[str]]:
    return list(csv.reader(io.StringIO(person.ask("GET", f"{PLAYERS}.csv").data.decode("utf-8-sig"))))


def test_questions_are_written_in_the_settings_and_keep_their_ids(olga: Person, stage: Stage, event: Event) -> None:
    page = olga.press(
        "Save", at=f"{SETTINGS}/questions", **{"questions-0-label": "Lunch", "questions-0-kind": "choice"}
    )
    assert page.status == 422 and "needs 2 to 20 choices" in page.part("#questions .errors")
    assert page.value("questions-0-label") == "Lunch", "what was typed stays"
    olga.press("Save", **{"questions-0-choices": "Soup\nBread\n", "questions-1-label": "Allergies"})
    asked = [(question["id"], question["label"]) for question in stage.now(event).questions or ()]
    assert asked == [("q1", "Lunch"), ("q2", "Allergies")]
    olga.press("Save", **{"questions-0-label": "", "questions-1-label": "Diet"})
    assert [(question["id"], question["label"]) for question in stage.now(event).questions or ()] == [("q2", "Diet")]


def test_player_answers_and_changes_it_until_the_close(app: Flask, olga: Person, stage: Stage, asking: Event) -> None:
    ada = Person(app)
    assert sign_up(ada, name="Ada", answer_q1="nuts").status == 422, "lunch must be chosen"
    ada.press(SIGN_UP, answer_q2="Soup", answer_q3="2")
    assert stage.one(Player).answers == {"q1": "nuts", "q2": "Soup", "q3": "2"}
    ada.press("Save", at=ANSWERS, answer_q2="Bread", answer_q3="")
    assert stage.one(Player).answers == {"q1": "nuts", "q2": "Bread"}
    assert stage.journal(asking, "answers")[-1] == "Changed the answers of Ada", "never what they are"
    assert "nuts" in olga.open(f"{PLAYERS}/{stage.one(Player).id}").text and "Bread" in olga.open(PLAYERS).text
    assert sheet(olga)[0][-3:] == ["Allergies", "Lunch", "Guests"]
    assert sheet(olga)[1][-3:] == ["nuts", "Bread", ""]
    assert "nuts" not in Person(app).open(f"/e/iron-open/players/{stage.one(Player).id}").text
    assert Person(app).ask("GET", f"{PLAYERS}.csv").status_code == 403
    stage.set(asking, registration_closes=stage.clock.now)
    assert ada.open(ANSWERS).status == 403


def test_desk_answers_when_it_likes_until_the_question_is_removed(olga: Person, stage: Stage, asking: Event) -> None:
    stage.set(asking, fee="15 €")
    walk_in: dict[str, Value] = {"w-name": "Bo", "w-paid": True}
    olga.press(ADD, at=PLAYERS, inside="#walk-in", **walk_in)
    bo = stage.one(Player)
    assert (bo.answers, len(bo.payments)) == (None, 1)
    olga.press("Save", at=f"{PLAYERS}/{bo.id}", answer_q1="gluten", answer_q2="Soup")
    assert stage.now(bo).answers == {"q1": "gluten", "q2": "Soup"}
    olga.press("Save", at=f"{SETTINGS}/questions", **{"questions-0-label": ""})
    assert stage.now(bo).answers == {"q2": "Soup"}


def test_required_question_added_later_is_asked_of_all_who_have_not_answered(
    app: Flask, olga: Person, stage: Stage, event: Event
) -> None:
    ada = Person(app)
    sign_up(ada, name="Ada")
    stage.enter(event, "Bo", here=False)
    stage.set(event, questions=ASKED, registration_closes=stage.clock.now)
    bo, listed = stage.one(Player, name="Bo"), "/e/iron-open/desk/ready/unanswered"
    rows = {tag["id"] for tag in olga.open(listed).soup.select(".ready-lines li")}
    assert rows == {f"ready-unanswered-{player.id}" for player in stage.all(Player)}
    assert asked(ada.open("/e/iron-open/me")) == ["Lunch"]
    page = ada.press("Save", at=ANSWERS, answer_q2="Soup")
    assert asked(page) == []
    assert ada.open(ANSWERS).status == 403, "all are answered, and registration is over"
    olga.press("Save", at=f"{PLAYERS}/{bo.id}", answer_q2="Bread")
    assert "This group is empty now." in olga.open(listed).text


def asked(page: Page) -> list[str]:
    return [tag.get_text() for tag in page.soup.select("#unanswered a")]


def test_nobody_is_added_after_the_event_is_closed(olga: Person, stage: Stage) -> None:
    event = stage.event(rounds=1, places=4, players=("Ada", "Bo"))
    assert "2 places free" in olga.open(PLAYERS).text
    assert olga.page.soup.select("#walk-in")
    stage.play(event, 1)
    stage.do(event, finish)
    page = olga.open(PLAYERS)
    assert ("free" in page.part("main"), "Add" in page.part("main")) == (False, False)


def test_registration_is_open_at_its_times_until_round_1(
    olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    olga.open(f"{SETTINGS}/registration")
    page = olga.press("Save", registration_opens="2026-12-02T18:00", registration_closes="2026-12-01T18:00")
    assert "close after it opens" in page.error_at("registration_closes")
    olga.press("Save", registration_closes="2026-12-03T18:00")
    opens, closes = stage.now(event).registration_opens, event.registration_closes
    assert opens is not None and closes is not None
    stage.clock.now = opens - timedelta(minutes=1)
    assert "Registration opens on Wed 2 Dec 2026, 18:00" in visitor.open("/e/iron-open").text
    assert (visitor.open(REGISTER).status, "It opens on" in visitor.page.text) == (403, True)
    stage.clock.now = opens
    form = visitor.open(REGISTER)
    assert form.status == 200
    stage.clock.now = closes
    assert "Registration is closed." in visitor.open("/e/iron-open").text
    assert (visitor.open(REGISTER).status, "It closed on" in visitor.page.text) == (403, True)
    olga.press(ADD, at=PLAYERS, inside="#walk-in", **{"w-name": "Walk In"})
    assert stage.one(Player).name == "Walk In", "the desk is not bound by them"
    stage.set(event, registration_opens=None, registration_closes=None)
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    stage.event("Draft", draft=True)
    visitor.page = form
    with stage.unchanged():
        page = visitor.press(SIGN_UP, name="Late")
    assert (page.status, "ask at the desk" in page.text) == (403, True)
    assert olga.open("/e/draft/register").status == 403


@pytest.mark.proves("attack 60")
def test_new_players_of_all_copies_of_a_browsers_cookie_are_counted(app: Flask, event: Event, stage: Stage) -> None:
    first = Person(app)
    first.open(REGISTER)
    form = {name: str(first.page.value(name)) for name in ("csrf_token", "key", "club", "faction")} | {"name": "Ada"}
    for copy in [with_cookie_of(first, app) for _ in range(2)]:
        assert copy.ask("POST", REGISTER, form).status_code == 302, "the same form twice is one player"
    for _ in range(SIGN_UPS_BY_BROWSER.most + 1):
        assert sign_up(first, name="Ada").status == 422, "nothing refused is counted"
    assert sorted(attempt.kind for attempt in stage.all(SignInAttempt)) == ["burst", "phone", "sign-up"]
    for n in range(SIGN_UPS_BY_BROWSER.most - 1):
        assert sign_up(with_cookie_of(first, app), name=f"Player {n}").status == 200
    assert sign_up(with_cookie_of(first, app), name="One More").part("h1") == "Waiting for the organiser’s approval"
    assert sign_up(Person(app), name="Another Phone").part("h1") == "You are registered"
    stage.clock.advance(minutes=10)
    assert sign_up(with_cookie_of(first, app), name="Yet Another").part("h1") == "You are registered"
    assert [player.name for player in stage.all(Player, held=True)] == ["One More"]


@pytest.mark.both_at_length
@pytest.mark.proves("attack 60")
def test_waiting_list_is_bounded_for_visitors_but_not_for_the_desk(app: Flask, stage: Stage, olga: Person) -> None:
    event = stage.event(places=2)
    stage.enter(event, *(f"Player {n}" for n in range(2 + LEAST_WAITING - 1)))
    assert sign_up(Person(app), name="Last").status == 200
    page = sign_up(Person(app), name="Too Late")
    assert page.status == 422
    assert "The waiting list is full." in page.text
    assert page.value("name") == "Too Late"
    assert olga.press(ADD, at="/e/iron-open/desk/players", **{"w-name": "At The Desk"}).status == 200
    assert len(stage.all(Player, state=PlayerState.WAITING)) == LEAST_WAITING + 1


@pytest.mark.proves("attack 60")
def test_waiting_list_is_as_long_as_the_event_has_places(app: Flask, stage: Stage) -> None:
    event = stage.event(places=LEAST_WAITING + 1)
    stage.enter(event, *(f"Player {n}" for n in range(2 * LEAST_WAITING + 1)))
    assert sign_up(Person(app), name="Last").status == 200
    assert sign_up(Person(app), name="Too Late").status == 422


def test_who_played_before_signs_up_again_with_what_they_entered_then(visitor: Person, stage: Stage) -> None:
    first, second = stage.event("Rust Cup"), stage.event()
    assert not visitor.open("/e/iron-open/register").soup.select("#before")
    visitor.press("Register", at=f"/e/{first.slug}/register", name="Ada Archer", club="Vault 13", faction="Survivors")
    page = visitor.open("/e/iron-open/register")
    assert "as at Rust Cup" in page.part("#before")
    assert [page.value(name) for name in ("name", "club", "faction")] == ["Ada Archer", "Vault 13", "Survivors"]
    visitor.press("Register")
    again = stage.one(Player, event_id=second.id)
    assert (again.name, again.club, again.faction) == ("Ada Archer", "Vault 13", "Survivors")
    third = stage.event("Dust Cup", game="fallout_warfare")
    page = visitor.open(f"/e/{third.slug}/register")
    assert (page.value("name"), page.value("faction") or "") == ("Ada Archer", ""), "another game's factions are others"
    page = visitor.press("Register", name="")
    assert (page.status, page.value("name")) == (422, ""), "what was typed stays, not what was before"
