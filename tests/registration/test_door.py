"""Check-in and its search, entry fees, undoing either; names that look alike."""

from datetime import UTC, datetime

import pytest
from flask import Flask

from events.registration import check_in, leaving, payments
from events.registration.search import Findable, find
from events.rounds import actions as rounds_actions
from events.web.parsing import search_key
from models.journal import JournalEntry
from models.people import Account
from models.play import Payment
from tests.conftest import PUBLIC
from tests.kit.accounts import STAFF, join, link_for
from tests.kit.papers import codes
from tests.kit.people import let_in
from tests.kit.person import ADD, DROP_PLAYER, PUBLISH, SET_UP, SIGN_UP, Enter, Page, Person
from tests.kit.stage import PASSWORD, Event, Player, PlayerState, Role, Stage
from tests.kit.team_events import enter_teams, team_event

pytestmark = pytest.mark.fast

SLUG = "/e/iron-open"
DOOR = f"{SLUG}/desk/door"


@pytest.fixture
def desk(olga: Person, event: Event) -> Person:
    olga.open(DOOR)
    return olga


def enter(desk: Person, letters: str) -> Page:
    return desk.press("Check in", inside="form.door", q=letters)


def paid(player: Player) -> list[datetime]:
    return [payment.at for payment in player.payments]


def states(stage: Stage) -> dict[str, str]:
    return {player.name: player.state.value for player in stage.all(Player)}


def test_two_letters_or_initials_check_the_only_match_in(desk: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Anna Bauer", "Anouk Rossi", "Søren Weiß", here=False)
    assert "No player of this event matches <b>zed" in enter(desk, "<b>zed").part("#matches")
    assert enter(desk, "   ").part("#matches") == ""
    for typed in ("a" * 5000, "\u202e", "%00", "'; DROP TABLE player; --", "{{7*7}}", "\ud7ff"):
        assert enter(desk, typed).status == 200, typed
    page = enter(desk, "an")
    assert set(states(stage).values()) == {"registered"}, "none of several is guessed"
    assert page.soup.select("#door-q")[0]["value"] == "an"
    listed = page.part("#matches")
    assert [name in listed for name in ("Anna Bauer", "Anouk Rossi", "Søren Weiß")] == [True, True, False]
    page = enter(desk, "so")
    assert page.path == DOOR
    assert "Checked in Søren Weiß" in page.part(".done-bar")
    assert "1 here, 2 expected" in page.part(".lede")
    (field,) = page.soup.select("#door-q")
    assert field.has_attr("autofocus") and not field["value"], "ready for the next in the queue"
    assert field.has_attr("required"), "a browser asks for a name"
    assert "Checked in Anouk Rossi" in enter(desk, "ar").part(".done-bar"), "by initials"
    assert desk.press("Undo", inside=".done-bar").path == DOOR
    assert states(stage) == {"Anna Bauer": "registered", "Anouk Rossi": "registered", "Søren Weiß": "checked_in"}
    enter(desk, "an")
    assert desk.press("Check in : Anouk Rossi", inside="#matches").path == DOOR
    assert states(stage)["Anouk Rossi"] == "checked_in"
    (link,) = (a["href"] for a in desk.open(DOOR).soup.select("main a") if a.text == "Players here")
    here = desk.open(str(link))
    assert [name in here.part(".check-in") for name in ("Anna Bauer", "Anouk Rossi")] == [False, True]
    desk.open(DOOR)
    enter(desk, "an")
    assert states(stage)["Anna Bauer"] == "checked_in", "the only one still expected"
    assert enter(desk, "an").part("#matches").count("Is here") == 2


def test_unpaid_player_is_let_in_and_asked_for_the_fee(olga: Person, stage: Stage, event: Event) -> None:
    page = olga.press("Save", at="/e/iron-open/desk/settings/registration", fee_amount="x" * 61)
    assert (page.status, page.value("fee_amount"), stage.now(event).fee) == (422, "x" * 61, "")
    assert "At most 60 characters." in page.error_at("fee_amount")
    assert olga.press("Save", fee_amount="15 €").value("fee_amount") == "15 €"
    ada, bo = stage.enter(event, "Ada", "Bo", here=False)
    olga.open(DOOR)
    page = enter(olga, "ad")
    assert stage.now(ada).state == PlayerState.CHECKED_IN
    assert "Ada has not paid: 15.00" in page.part(".owing")
    page = olga.press("Mark as paid", inside=".owing")
    assert paid(stage.now(ada)) == [stage.clock()]
    assert "Ada has paid" in page.part(".done-bar")
    stage.do(event, payments.mark_paid, [bo])
    assert not enter(olga, "bo").soup.select(".owing")


def test_fee_and_the_page_to_pay_it_are_said_to_those_who_sign_up(
    olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    settings = f"{SLUG}/desk/settings/registration"
    for bad in ("javascript:alert(1)", "http://pay.example", "https://olga@pay.example", "https://pay.example/a b"):
        page = olga.press("Save", at=settings, fee_amount="15 €", pay_link=bad)
        assert (page.value("pay_link"), stage.now(event).pay_link) == (bad, "")
        assert "Enter an address that begins with https://" in page.error_at("pay_link")
    olga.press("Save", at=settings, fee_amount="15 €", pay_link="https://pay.example/cup?n=1")
    assert "15 €" in visitor.open(f"{SLUG}/register").text
    (link,) = (a for a in visitor.open(SLUG).soup.select("main a") if a.text == "Pay the fee")
    assert link["href"] == "https://pay.example/cup?n=1"
    visitor.press("Register", at=f"{SLUG}/register", name="Ada")
    own = visitor.open(f"{SLUG}/me")
    assert ["15 €" in own.part("#fee"), "Not paid" in own.part("#fee"), "Pay the fee" in own.part("#fee")] == [True] * 3
    stage.do(event, payments.mark_paid, [stage.one(Player, name="Ada")])
    paid = visitor.open(f"{SLUG}/me").part("#fee")
    assert ["Paid" in paid, "Pay the fee" in paid] == [True, False]
    stage.set(event, fee="")
    assert "15 €" not in visitor.open(f"{SLUG}/me").part("#fee"), "what was paid is due back"
    stage.do(event, payments.remove_payment, stage.one(Player, name="Ada"), stage.all(Payment)[0].id)
    assert not visitor.open(f"{SLUG}/me").soup.select("#fee")


@pytest.fixture
def paying(stage: Stage) -> Event:
    event = stage.event(places=3)
    stage.set(event, fee="15 €")
    return event


def undo(stage: Stage, event: Event) -> None:
    entry = check_in.newest_undoable(stage.s, event)
    assert entry is not None
    stage.do(event, check_in.undo_entry, entry)


@pytest.mark.both_at_length
def test_only_players_checked_in_together_are_undone_together(stage: Stage, paying: Event) -> None:
    (dee,) = stage.enter(paying, "Dee")
    ada, bo, cy = stage.enter(paying, "Ada", "Bo", "Cy", here=False)
    done, refused = stage.do(paying, check_in.check_in_many, [ada, bo, cy, dee])
    assert (done, refused) == ([ada, bo], ["Cy has no place: give the player a place first."])
    assert states(stage) == {"Dee": "checked_in", "Ada": "checked_in", "Bo": "checked_in", "Cy": "waiting"}
    assert stage.journal(paying, "check-in")[-1] == "Checked in 2 players: Ada, Bo"
    entry = check_in.newest_undoable(stage.s, paying)
    assert entry is not None
    assert check_in.undoable_entry(stage.s, paying, entry.id) is entry
    assert check_in.undoable_entry(stage.s, stage.event("Rust Cup"), entry.id) is None, "of another event"
    registered = stage.all(JournalEntry, event_id=paying.id, verb="register")[0]
    assert check_in.undoable_entry(stage.s, paying, registered.id) is None, "no check-in or payment"
    undo(stage, paying)
    assert states(stage) == {"Dee": "checked_in", "Ada": "registered", "Bo": "registered", "Cy": "waiting"}


def test_late_check_in_plays_from_the_next_draw_and_stays(stage: Stage) -> None:
    event = stage.event(players=("Ada", "Bo"))
    late = stage.enter(event, "Cy", "Dee", here=False)
    stage.draw(event, 1)
    stage.do(event, check_in.check_in_many, late)
    said = "Checked in 2 players: Cy, Dee; they play from round 2, or in round 1 if that is drawn again"
    assert stage.journal(event, "check-in")[-1] == said
    stage.do(event, rounds_actions.discard_draw, 1)
    stage.publish(event, 1)
    assert sorted(name for pair in stage.pairs(event, 1) for name in pair) == ["Ada", "Bo", "Cy", "Dee"]
    later = stage.enter(event, "Ed", "Flo", here=False)
    stage.do(event, check_in.check_in_many, later)
    assert [stage.now(player).entered_round for player in later] == [2, 2]
    assert stage.journal(event, "check-in")[-1] == "Checked in 2 players: Ed, Flo; they play from round 2"
    stage.refuse_to("Round 1 is drawn", undo, stage, event)


def test_payment_needs_a_fee_and_a_player_who_has_not_left(stage: Stage, paying: Event) -> None:
    ada, bo, _, dee = stage.enter(paying, "Ada", "Bo", "Cy", "Dee", here=False)
    for _ in range(2):
        stage.do(paying, payments.mark_paid, [bo])
    assert stage.journal(paying, "paid") == ["Bo has paid"], "twice is once"
    undo(stage, paying)
    assert not paid(stage.now(bo))
    stage.refuse_to("changed again since", undo, stage, paying)
    stage.do(paying, payments.mark_paid, [bo])
    stage.do(paying, check_in.check_in_paid, ada)
    stage.refuse("has no place", paying, check_in.check_in_paid, dee)
    assert (paid(stage.now(dee)), stage.now(ada).state) == ([], PlayerState.CHECKED_IN)
    stage.set(paying, fee="")
    stage.refuse("has no entry fee", paying, payments.mark_paid, [dee])
    assert paid(stage.now(ada)) == [stage.clock()], "removing the fee keeps the marks"
    stage.do(paying, leaving.drop, ada)
    stage.set(paying, fee="15 €")
    stage.refuse("has left", paying, payments.mark_paid, [ada])


def buttons(page_of: Person, address: str) -> list[str]:
    return [tag.get_text(" ", strip=True) for tag in page_of.open(address).soup.select("main button")]


def test_player_checks_in_by_phone_during_the_window(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    ada, bo = enter(event, "Ada", "Bo", here=False)
    assert "I am here" not in buttons(ada, f"{SLUG}/me"), "staff check in, unless the organiser opens it"
    olga.open(f"{SLUG}/desk/self-check-in")
    assert olga.press("Save", ends="2026-11-21T12:00").error_at("ends") == "The end must come after the start."
    assert olga.press("Save", starts="2026-11-21T11:00", ends="2026-11-21T12:00").path == f"{SLUG}/desk/door"
    assert stage.journal(event, "check-in-window") == ["Players may check themselves in"]
    page = olga.open(f"{SLUG}/desk/self-check-in")
    assert (page.value("starts"), page.value("ends")) == ("2026-11-21T11:00", "2026-11-21T12:00")
    assert "I am here" not in buttons(ada, f"{SLUG}/me"), "too early"
    stage.clock.now = stage.now(event).check_in_from or stage.clock.now
    for address in ("/me", ""):
        assert "I am here" in buttons(ada, SLUG + address), "on the own page, and on the event's page by the poster"
    assert "I am here" not in buttons(Person(olga.http.application), SLUG)
    stage.set(event, stage.one(Player, name="Bo"), list_waived_at=stage.clock())
    old = bo.open(f"{SLUG}/me")
    assert "Next: press “I am here” when you arrive." in old.text
    assert ada.press("I am here", at=f"{SLUG}/me").flashes == "You are checked in."
    assert stage.one(Player, name="Ada").state == PlayerState.CHECKED_IN
    assert "I am here" not in buttons(ada, f"{SLUG}/me")
    assert stage.journal(event, "check-in") == ["Checked in Ada"]
    stage.clock.now = stage.now(event).check_in_until or stage.clock.now
    bo.page = old
    assert "Tell the desk" in bo.press("I am here").flashes
    assert stage.one(Player, name="Bo").state == PlayerState.REGISTERED


def test_scanned_badge_checks_in_for_staff_and_shows_others_the_public_page(
    app: Flask, enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    ada, bo = enter(event, "Ada", "Bo", here=False)
    (code, _) = codes(olga.open(f"{SLUG}/desk/badges.pdf?code=desk"))
    address = code.removeprefix(PUBLIC)
    assert address == f"{SLUG}/badge/{stage.one(Player, name='Ada').id}", "no private link, nothing secret"
    assert Person(app).open(address).path == f"{SLUG}/players/1"
    assert bo.open(address).path == f"{SLUG}/players/1"
    assert ada.open(address).path == f"{SLUG}/me"
    judge = let_in(app, stage.hire(event, "Judy", Role.JUDGE))
    assert judge.open(address).path == f"{SLUG}/players/1"
    door = let_in(app, stage.hire(event, "Hal", Role.CHECK_IN))
    assert "Ada" in door.open(address).part("h1")
    page = door.press("Check in : Ada")
    assert (page.path, stage.one(Player, name="Ada").state) == (f"{SLUG}/desk/door", PlayerState.CHECKED_IN)


PEOPLE = (
    "Søren O’Brien-Łukasz", "Anna Bauer", "Anouk Rossi", "Bea Ångström", "Юлия Nowak", "太郎 Hughes", "Zoë Yılmaz",
    "İnci Weiß", "Ada & Bo", "Łucja Möller",
)  # fmt: skip
SØREN, ANNA, ANOUK, BEA, ЮЛИЯ, TARO, ZOË, İNCI, _, MÖLLER = PEOPLE
MATCHES = {
    "an": [ANNA, ANOUK, BEA], "AN": [ANNA, ANOUK, BEA], "ann": [ANNA], "bau": [ANNA], "bau an": [ANNA],
    "a b": ["Ada & Bo", ANNA, BEA], "angs": [BEA], "ång": [BEA], "A\u030angstrom": [BEA], "soren": [SØREN],
    "lukasz": [SØREN], "soeren": [SØREN], "lucja moeller": [MÖLLER],
    "brien": [SØREN], "o'brien": [SØREN], "zoe yilm": [ZOË], "inci weiss": [İNCI], "юл": [ЮЛИЯ],
    "太": [TARO],
    "郎": [TARO],  # inside a word, as no word begins with it
    "ar": [ANOUK],  # initials, as no name begins with it
    "ba": [ANNA],  # a name that begins with it goes before initials
    "lodz": [ANNA], "anna lodz": [ANNA], "wurfel": [ANNA], "12": [ANNA], "table 2": [ANOUK], "t2": [ANOUK],
    "moeller": [MÖLLER], "moller": [MÖLLER], "MÖLLER": [MÖLLER], "lu moel": [MÖLLER], "aangstroem": [BEA],
    "7kq2 mm34": [ANNA], "7kq2-MM34": [ANNA],
    "13": [], "": [], "  ": [], "-'’.": [], "nobody": [], "%": [], "x" * 5000: [], "\u200b": [],
}  # fmt: skip


def found(typed: str) -> list[str]:
    rows = [Findable(person(name)) for name in PEOPLE]
    rows[1] = Findable(person(ANNA, club="Łódź Dice"), team="Die Würfel", table=12, code="7KQ2MM34")
    rows[2] = Findable(person(ANOUK, club="Table Six"), table=2, code="99999999")
    return [player.name for player in find(typed, rows)]


def person(name: str, club: str = "") -> Player:
    return Player(
        id=1, event_id=1, name=name, name_key=search_key(name), club=club, state=PlayerState.REGISTERED,
        registered_at=datetime(2026, 12, 5, tzinfo=UTC),
    )  # fmt: skip


def test_search_finds_names_initials_clubs_tables_and_codes() -> None:
    assert {typed: found(typed) for typed in MATCHES} == MATCHES


PLAYERS = "/e/iron-open/desk/players"
CYRILLIC_ANNA = "Аnna"
"""With a Cyrillic first letter."""


def warnings(person: Person, address: str = PLAYERS) -> list[str]:
    page = person.open(address)
    return [" ".join(tag.get_text(" ").split()) for tag in page.soup.select(".name-warnings .badge")]


@pytest.mark.proves("attack 68")
@pytest.mark.both_at_length
def test_look_alike_is_accepted_and_staff_are_warned(app: Flask, olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Anna", "Bo", here=False)
    visitor = Person(app)
    assert visitor.press(SIGN_UP, at="/e/iron-open/register", name=CYRILLIC_ANNA).path == "/e/iron-open/me/link"
    assert warnings(olga) == [f"Looks like {CYRILLIC_ANNA}", "Looks like Anna", "Mixes Cyrillic and Latin"]
    twin = stage.one(Player, name=CYRILLIC_ANNA)
    assert warnings(olga, f"{PLAYERS}/{twin.id}") == ["Looks like Anna", "Mixes Cyrillic and Latin"]
    assert len(olga.open(f"{PLAYERS}?show=names").rows("table.check-in")) == 2
    assert "2 names to check" in olga.open("/e/iron-open/desk").part("#group-names summary")
    assert "Looks like Anna" in olga.open("/e/iron-open/desk/ready/names").text
    for address in ("/e/iron-open", "/e/iron-open/me"):
        assert "Looks like" not in visitor.open(address).text, "only staff are warned"


@pytest.mark.proves("attack 68")
def test_warning_names_the_table_at_pairings_paper_entry_and_search(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Anna", "Bo", CYRILLIC_ANNA, "Dee")
    stage.draw(event, 1)
    assert len(warnings(olga, "/e/iron-open/desk/rounds/1")) == 3, "on the draft"
    olga.press(f"{PUBLISH} 1")
    assert len(warnings(olga, "/e/iron-open/desk/rounds/1")) == 3
    table = {stage.name(id_): game.table_number for game in stage.games(event, 1) for id_ in (game.a_id, game.b_id)}
    warning = f"Looks like Anna (table {table['Anna']})"
    assert warning in warnings(olga)
    sheet = warnings(olga, f"/e/iron-open/desk/rounds/1/entry?table={table[CYRILLIC_ANNA]}")
    assert warning in sheet
    game = next(game for game in stage.games(event, 1) if game.table_number == table[CYRILLIC_ANNA])
    assert warnings(olga, f"/e/iron-open/desk/games/{game.id}") == sheet
    assert warnings(olga, "/e/iron-open/desk/search?show=list&q=Anna")


@pytest.mark.proves("attack 68")
def test_look_alikes_of_staff_and_teams_are_found_but_not_the_same_person(olga: Person, stage: Stage) -> None:
    event = team_event(stage, 2)
    enter_teams(stage, event, "Reds")
    stage.hire(event, "Igor", Role.JUDGE)
    stage.enter(event, "Olga", here=False)
    assert warnings(olga) == [], "an organiser who plays"
    stage.enter(event, "0lga", "lgor", "Rеds", here=False)
    found = warnings(olga)
    for words in ("Looks like Igor (judge)", "Looks like Reds (team)", "Mixes Latin and Cyrillic"):
        assert words in found
    assert any(words.startswith("Looks like Olga") for words in found)


def test_dropped_players_and_partners_are_compared(olga: Person, stage: Stage, event: Event) -> None:
    anna, _ = stage.enter(event, "Anna", "Bo", here=False)
    olga.press(DROP_PLAYER, at=f"{PLAYERS}/{anna.id}")
    stage.enter(event, "Ánna", here=False)
    assert warnings(olga) == ["Looks like Anna"], "the dropped player gets no warning"
    stage.set(event, doubles=True)
    for name, partner in (("Emma", "Di"), ("Cy", "Еmma")):
        olga.press(ADD, at=PLAYERS, inside="#walk-in", **{"w-name": name, "w-partner": partner})
    found = warnings(olga)
    assert {"Looks like Еmma", "Looks like Emma", "Mixes Cyrillic and Latin"} <= set(found), "each partner by itself"


@pytest.mark.proves("attack 68")
@pytest.mark.both_at_length
def test_staff_page_warns_of_look_alikes_among_accounts(app: Flask, olga: Person, event: Event) -> None:
    join(app, link_for(olga, Role.JUDGE), "Anna Organiser")
    assert warnings(olga, STAFF) == []
    join(app, link_for(olga, Role.JUDGE), f"{CYRILLIC_ANNA} Organiser")
    join(app, link_for(olga, Role.SCOREKEEPER), "Оl")
    assert sorted(warnings(olga, STAFF)) == [
        "Looks like Anna Organiser (judge)",
        f"Looks like {CYRILLIC_ANNA} Organiser (judge)",
        "Mixes Cyrillic and Latin",
        "Mixes Cyrillic and Latin",
    ]  # fmt: skip


@pytest.mark.proves("attack 68")
def test_account_name_with_invisible_character_is_refused(app: Flask, olga: Person, stage: Stage, event: Event) -> None:
    words = "A name cannot contain invisible characters. Type it again."
    invitation, set_up = Person(app), Person(app)
    invitation.open(link_for(olga, Role.JUDGE))
    set_up.open(stage.set_up_link())
    for hidden in ("\u200b", "\u3164"):
        name = f"An{hidden}na"
        page = invitation.press("Create account and accept", **{"n-name": name, "n-password": PASSWORD})
        assert (page.status, page.error_at("n-name")) == (422, words), repr(hidden)
        page = set_up.press(SET_UP, name=name, password=PASSWORD)
        assert (page.status, page.error_at("name")) == (422, words), repr(hidden)
    assert [account.name for account in stage.all(Account)] == ["Olga"]
