"""The desk's board by role: groups with their numbers, rows and actions; the search, the tabs, the front page."""

import pytest
from flask import Flask
from sqlalchemy import Engine

from events.desk.readiness import KINDS
from events.lists.actions import save_force
from events.public.clock import start_round_clock
from events.registration import payments
from events.setup.actions import finish
from models.journal import JournalEntry
from models.message import Delivery
from tests.kit.forces import read_force
from tests.kit.formats import decide_all, drop, knockout_of
from tests.kit.lists import PIPER
from tests.kit.people import Links, let_in
from tests.kit.person import CLOSE_EVENT, SIGN_UP, START_CLOCK, Enter, Page, Person
from tests.kit.stage import Event, Game, GameState, Player, PlayerState, Role, Stage
from tests.kit.statements import sent

DESK = "/e/iron-open/desk"


def counts(page: Page) -> dict[str, str]:
    return {
        str(entry["id"]).removeprefix("group-"): " ".join(entry.select("summary")[0].get_text(" ").split())
        for entry in page.soup.select(".attention details")
    }


@pytest.fixture
def paying(stage: Stage, event: Event) -> Event:
    stage.set(event, fee="15 €")
    return event


def test_board_counts_what_is_missing_before_and_after_the_event(olga: Person, stage: Stage, paying: Event) -> None:
    stage.event("Draft Cup", draft=True, players=("Ada",))
    assert counts(olga.open("/e/draft-cup/desk")) == {}
    ada, *others = stage.enter(paying, "Ada", "Bo", "Cy", here=False)
    stage.force(paying, ada, read_force(PIPER))
    stage.do(paying, payments.mark_paid, [ada])
    assert counts(olga.open(DESK)) == {
        "not_here": "3 not checked in", "unpaid": "2 have not paid", "no_list": "2 without a submitted list",
        "to_approve": "1 list waits for approval",
    }  # fmt: skip
    page = olga.press("Drop : Cy", inside="#group-not_here")
    assert (page.path, stage.now(others[1]).state) == (DESK, PlayerState.DROPPED)
    assert counts(page)["not_here"] == "2 not checked in"
    for name in ("Ada", "Bo"):
        olga.press(f"Check in : {name}", inside="#group-not_here")
    for number in (1, 2, 3):
        stage.play(paying, number)
    olga.press(CLOSE_EVENT, at=DESK)
    assert counts(olga.open(DESK)) == {"unpaid": "1 has not paid"}


def test_lists_of_players_who_are_out_are_missed_neither_on_the_board_nor_in_the_strip(
    olga: Person, stage: Stage
) -> None:
    event = knockout_of(stage, 4)
    decide_all(stage, event, stage.publish(event, 1))
    page = olga.open(f"/e/{event.slug}/desk")
    assert ("Lists: 2 missing" in page.part(".stages"), counts(page)["no_list"][:2]) == (True, "2 ")


def test_sign_ups_to_approve_are_counted_once_and_not_as_a_waiting_list(
    app: Flask, olga: Person, stage: Stage, event: Event
) -> None:
    stage.set(event, approval=True)
    for name in ("Ada", "Bo"):
        Person(app).press(SIGN_UP, at="/e/iron-open/register", name=name)
    page = olga.open(DESK)
    assert counts(page) == {"approval": "2 wait for approval"}
    assert "waiting list" not in page.text and page.text.count("wait for approval") == 2, "on the board and the bar"
    approve = page.soup.find("a", string="Approve sign-ups")
    assert approve is not None
    page = olga.open(str(approve["href"]))
    assert [" ".join(one.get_text(" ").split()) for one in page.soup.select(".filters a")][1:] == [
        "Last hour 2", "Waiting for approval 2",
    ]  # fmt: skip
    assert "Waiting list" not in page.text and page.text.count("Waiting for approval") >= 2, "the filter and the badges"
    one = olga.open(f"/e/iron-open/desk/players/{stage.one(Player, name='Ada').id}")
    assert "Waiting for approval" in one.text and "Waiting list" not in one.text


def test_every_page_counts_the_players_who_took_part(olga: Person, visitor: Person, enter: Enter, stage: Stage) -> None:
    event = stage.event(places=12, rounds=1)
    ada, *_ = enter(event, "Ada", "Bo", "Cy", "Di")
    stage.enter(event, "Late", here=False)
    assert "7 of 12 places free" in visitor.open("/").text
    assert "5/12" in olga.open(DESK).part(".dials .dial")
    stage.play(event, 1)
    for name in ("Late", "Di"):
        drop(stage, event, name)
    for closed in (False, True):
        if closed:
            stage.do(event, finish)
        assert "· 4 players" in visitor.open("/").text, closed
        assert "Players 4" in visitor.open("/e/iron-open").part(".event-tiles"), closed
        assert olga.open("/desk").part(".row-meta").endswith("· 4 players"), closed
        assert olga.page.part(".desk-groups h2") == ("Finished" if closed else "Running")
        said = "Won by" if closed else "Round 1 of 1 · 2 of 2 tables decided"
        assert said in olga.page.part(".desk-groups"), "how far it is, and who won"
        assert "of 4" in ada.open("/e/iron-open/me").text, closed


def test_each_row_has_its_actions_and_an_undo(olga: Person, stage: Stage, paying: Event) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo", here=False)
    page = olga.press("Mark as paid : Ada", at=DESK, inside="#group-unpaid")
    assert len(stage.now(ada).payments) == 1
    assert page.path == DESK
    assert "Ada has paid" in page.part(".done-bar")
    assert page.soup.select("#group-unpaid[open]"), "the group in use stays open"
    page = olga.press("Undo", inside=".done-bar")
    assert (stage.now(ada).payments, "Undone." in page.flashes) == ([], True)
    olga.press("Paid, check in : Bo", inside="#group-not_here")
    assert (stage.now(bo).state, len(stage.now(bo).payments)) == (PlayerState.CHECKED_IN, 1)
    olga.press("Check in : Ada", inside="#group-not_here")
    assert stage.now(ada).state == PlayerState.CHECKED_IN
    assert "not_here" not in counts(olga.page)
    assert [a["href"] for a in olga.page.soup.select("#group-no_list li .button")] == [
        f"{DESK}/lists/{ada.id}", f"{DESK}/players/{ada.id}#link",
        f"{DESK}/lists/{bo.id}", f"{DESK}/players/{bo.id}#link",
    ]  # fmt: skip


def test_ticked_players_are_checked_in_or_marked_as_paid_together(olga: Person, stage: Stage, paying: Event) -> None:
    ada, bo, cy = stage.enter(paying, "Ada", "Bo", "Cy", here=False)
    page = olga.press("Check in ticked players", at=f"{DESK}/ready/not_here", chosen=[str(ada.id), str(cy.id)])
    assert page.path == f"{DESK}/ready/not_here"
    assert [stage.now(part).state.value for part in (ada, bo, cy)] == ["checked_in", "registered", "checked_in"]
    assert "Checked in 2 players: Ada, Cy" in page.part(".done-bar")
    olga.press("Undo", inside=".done-bar")
    assert [stage.now(part).state.value for part in (ada, bo, cy)] == ["registered"] * 3
    assert "Nothing was done" in olga.press("Check in ticked players").flashes
    (stranger,) = stage.enter(stage.event("Rust Cup"), "Di", here=False)
    ids = [str(stranger.id), "99999999999", "-1", "x", "²", "2147483648"]
    olga.forge("Check in ticked players", chosen=ids)
    assert stage.now(stranger).state == PlayerState.REGISTERED
    assert len(stage.journal(paying, "check-in")) == 1
    olga.press("Mark ticked players as paid", at=f"{DESK}/ready/unpaid", chosen=[str(bo.id), str(cy.id)])
    assert [len(stage.now(part).payments) for part in (ada, bo, cy)] == [0, 1, 1]


def test_games_of_the_round_are_grouped_with_the_clock(olga: Person, stage: Stage, event: Event) -> None:
    for person in stage.enter(event, "Ada", "Bo", "Cy", "Dee", "Eli", "Fay"):
        stage.force(event, person, read_force(PIPER))
    first, second, _ = stage.publish(event, 1)
    with stage.changing(event):
        stage.now(first).state = GameState.DISPUTED
        game = stage.s.get_one(Game, second.id)
        game.state, game.answers = GameState.REPORTED, {"a.objectives": 1}
    page = olga.open(DESK)
    assert counts(page) == {
        "disputed": "1 result disputed", "reported": "1 result waits for confirmation",
    }  # fmt: skip
    assert "3 playing" in page.part(".tablegrid")
    assert page.soup.select("#group-disputed[open]")
    (decide,) = page.soup.select("#group-disputed li a.button")
    assert decide["href"] == f"{DESK}/games/{first.id}"
    olga.press(START_CLOCK)
    assert not olga.open(DESK).soup.select("#group-playing"), "there is time left"
    stage.clock.advance(minutes=104)
    page = olga.open(DESK)
    assert "−14:00 over the clock" in page.part("#group-playing summary")
    assert "No-show" in page.part("#group-playing li")
    (figure,) = page.soup.select("#group-playing summary time[data-ends]")
    assert "over" in figure["class"]


def test_reminder_goes_to_its_group_at_the_time_it_is_sent(olga: Person, stage: Stage, paying: Event) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo", here=False)
    for number, group in enumerate(("not_here", "no_list", "illegal", "unpaid"), start=1):
        if group == "illegal":
            for player in (ada, bo):
                stage.force(paying, player, read_force(PIPER))
            stage.set(paying, size=1)
        links = olga.open(DESK).soup.select(f"#group-{group} a")
        (remind,) = [a for a in links if "Write to these 2 players" in a.get_text()]
        page = olga.open(str(remind["href"]))
        assert "The message goes to 2 players: Ada , Bo" in page.part(".goes"), page.text
        if group == "unpaid":
            assert "15 €" in page.part(".letter")
            stage.do(paying, payments.mark_paid, [ada])
        olga.press("Send to 2 players")
        assert len(stage.all(Delivery)) == 2 * number - (group == "unpaid"), group
    assert stage.all(Delivery)[-1].player_id == bo.id


def test_payment_is_shown_to_staff_and_to_no_other_player(
    olga: Person, visitor: Person, stage: Stage, paying: Event, link_of: Links
) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo", here=False)
    pages = ["/e/iron-open", f"/e/iron-open/players/{ada.id}", "/e/iron-open/lists", "/e/iron-open/me"]
    visitor.open(link_of(bo))
    before = [visitor.open(page).part("main") for page in pages]
    stage.do(paying, payments.mark_paid, [ada])
    assert [visitor.open(page).part("main") for page in pages] == before
    assert "15 €" in before[0], "the fee is public"
    assert "Paid" in olga.open(f"{DESK}/players/{ada.id}").part("#now")


def test_queries_do_not_grow_with_the_players(olga: Person, stage: Stage, paying: Event, engine: Engine) -> None:
    addresses = (DESK, f"{DESK}/ready/unpaid", f"{DESK}/door?q=d", f"{DESK}/search?show=list&q=d", f"{DESK}/players")

    def queries() -> dict[str, int]:
        found = {}
        for address in addresses:
            with sent(engine) as seen:
                assert olga.open(address).status == 200
            found[address] = len(seen)
        return found

    for person in stage.enter(paying, "Ada", "Bo", "Cy", "Dee"):
        stage.force(paying, person, read_force(PIPER))
    stage.enter(paying, "Eve", here=False)
    stage.publish(paying, 1)
    few = queries()
    for person in stage.enter(paying, *(f"Dan {chr(65 + at)}" for at in range(6))):
        stage.do(paying, save_force, person, read_force(PIPER), by_organiser=True)
    stage.enter(paying, *(f"Dot {chr(65 + at)}" for at in range(6)), here=False)
    many = queries()
    assert all(many[address] <= few[address] for address in addresses), (few, many)
    assert max(few.values()) <= 30


ROLES = {
    Role.ORGANISER: {"disputed", "playing", "not_here", "unpaid", "no_list", "waiting"},
    Role.JUDGE: {"disputed", "playing", "not_here", "no_list", "waiting"},
    Role.SCOREKEEPER: {"disputed", "playing", "not_here", "waiting"},
    Role.LIST_CHECKER: {"not_here", "no_list", "waiting"},
    Role.CHECK_IN: {"not_here", "unpaid", "waiting"},
    Role.TREASURER: {"not_here", "unpaid", "waiting"},
}
CURES = {
    Role.JUDGE: ["Decide", "Enter the result", "No-show", *["Open the list"] * 5],
    Role.SCOREKEEPER: ["View", "Enter the result"],
    Role.LIST_CHECKER: ["Open the list", "Unlock"] * 5,
}
SAME_PERMISSION = {
    "steps": "disputed", "to_check": "disputed", "open": "disputed", "tied": "disputed", "reported": "disputed",
    "due_back": "unpaid",
    "illegal": "no_list", "to_approve": "no_list", "approval": "waiting", "names": "waiting", "no_faction": "waiting",
    "twice": "waiting", "unanswered": "waiting",
}  # fmt: skip

NOT_SEEN = {("tied", Role.SCOREKEEPER), ("due_back", Role.CHECK_IN)}


def test_empty_or_unknown_group_and_state_are_answered(olga: Person, event: Event) -> None:
    assert "This group is empty now." in olga.open(f"{DESK}/ready/unpaid").text
    assert olga.open(f"{DESK}/ready/nonsense").status == 404
    assert olga.open(f"{DESK}?open=nonsense&did=99999999999").status == 200


def test_each_role_sees_its_own_groups_and_actions(app: Flask, stage: Stage, paying: Event) -> None:
    stage.set(paying, places=5)
    stage.enter(paying, "Ada", "Bo", "Cy", "Dee")
    stage.enter(paying, "Eve", "Fay", here=False)
    first, _ = stage.publish(paying, 1)
    stage.do(paying, start_round_clock, 1)
    stage.clock.advance(minutes=104)
    stage.set(paying, stage.now(first), state=GameState.DISPUTED)
    stage.do(paying, payments.mark_paid, [stage.one(Player, name="Ada")])
    entry = stage.all(JournalEntry, verb="paid")[-1]
    eve = stage.one(Player, name="Eve")
    for role, groups in ROLES.items():
        hal = let_in(app, stage.hire(paying, f"Hal {role}", role))
        page = hal.open(DESK)
        assert set(counts(page)) == groups, role
        if role in CURES:
            labels = [str(one.contents[0]).strip() for one in page.soup.select(".ready-cures .button")]
            usual = ("Check in", "Paid, check in", "Drop", "Give a place", "Mark as paid")
            assert [label for label in labels if label not in usual] == CURES[role]
        for key in KINDS:
            seen = SAME_PERMISSION.get(key, key) in groups and (key, role) not in NOT_SEEN
            assert hal.open(f"{DESK}/ready/{key}").status == (200 if seen else 403), (role, key)
        pays = role in (Role.ORGANISER, Role.CHECK_IN, Role.TREASURER)
        found_eve = hal.open(f"{DESK}/search?show=list&q=eve")
        assert ("Not paid" in found_eve.part(".found-marks")) == pays
        assert ("No list" in found_eve.part(".found-marks")) == ("no_list" in groups)
        assert ("Paid" in hal.open(f"{DESK}/players").part("table thead")) == pays
        undoes = pays and role != Role.CHECK_IN
        assert ("has paid" in hal.open(f"{DESK}?did={entry.id}").part(".done-bar")) == undoes
        if not pays:
            for action in ("ready/paid", "ready/check-in", f"presses/{entry.id}/undo"):
                assert hal.post(f"{DESK}/{action}", chosen=str(eve.id)).status_code == 403, (role, action)


SEARCH = f"{DESK}/search"


def names(page: Page) -> list[str]:
    return [one.get_text() for one in page.soup.select(".found-who a")]


def test_search_shows_what_staff_need_to_know(olga: Person, stage: Stage, event: Event) -> None:
    stage.set(event, fee="15 €")
    (ada,) = stage.enter(event, "Ada Bauer", club="Łódź Dice")
    stage.enter(event, "Bo Rossi")
    stage.force(event, ada, read_force(PIPER))
    assert "No round is published" in olga.open(f"{SEARCH}?show=list&q=bauer").part(".found-one")
    (game,) = stage.publish(event, 1)
    page = olga.open(f"{SEARCH}?show=list&q=lodz")
    assert names(page) == ["Ada Bauer"]
    for words in ("Round 1, table 1, against Bo Rossi", "Checked in", "Legal", "Not paid", "Łódź Dice"):
        assert words in page.part(".found-one")
    for typed in (game.code.lower(), "table+1"):
        assert names(olga.open(f"{SEARCH}?show=list&q={typed}")) == ["Ada Bauer", "Bo Rossi"]
    page = olga.press("Mark as paid : Ada Bauer", at=f"{SEARCH}?show=list&q=ada")
    assert (page.path, page.soup.select("#find")[0]["value"]) == (SEARCH, "ada")
    assert "Paid" in page.part(".found-marks")
    assert len(stage.now(ada).payments) == 1
    page = olga.open(str(page.soup.select(".found-who a")[0]["href"]))
    assert page.rows("#history") == [["1", "Bo Rossi table 1", "Not reported"]]


def test_search_finds_dropped_players_and_counts_the_rest(olga: Person, stage: Stage) -> None:
    event = stage.event(places=2)
    *_, cy = stage.enter(event, "Ada", "Bo", "Cy", here=False)
    drop(stage, event, "Ada")
    assert stage.now(cy).state == PlayerState.REGISTERED
    assert "Dropped" in olga.open(f"{SEARCH}?show=list&q=ad").part(".found-one")
    assert not olga.page.soup.select(".found-one button")
    stage.enter(event, *(f"Dan {chr(65 + at // 26)}{chr(65 + at % 26)}" for at in range(43)), here=False)
    page = olga.open(f"{SEARCH}?show=list&q=dan")
    assert (len(names(page)), "and 3 more" in page.text) == (40, True)


def test_search_is_on_every_page_for_staff(
    olga: Person, visitor: Person, stage: Stage, event: Event, link_of: Links
) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    for address in ["", "/standings", "/rounds/1", "/desk/settings", "/lists"]:
        assert len(olga.open(f"/e/iron-open{address}").soup.select("form.find #find")) == 1, address
    visitor.open(link_of(ada))
    for address in ["/standings", "/me"]:
        assert not visitor.open(f"/e/iron-open{address}").soup.select("form.find"), address
    assert visitor.open(f"{SEARCH}?show=list&q=bo").status == 403
    assert not olga.open("/desk").soup.select("form.find")


def test_search_finds_no_other_event_and_answers_any_text(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    other = stage.event("Rust Cup", players=("Adam", "Bob"))
    (game,) = stage.publish(other, 1)
    assert names(olga.open(f"{SEARCH}?show=list&q=ad")) == ["Ada"]
    hostile = ("", "%20", "<script>x</script>", "%00", "a" * 3000, "%ff%fe", "{{7*7}}", "%25")
    for typed in (game.code, *hostile):
        page = olga.open(f"{SEARCH}?show=list&q={typed}")
        assert page.status == (404 if typed == "%00" else 200), typed
        assert (names(page), page.soup.select("main script")) == ([], []), typed


def test_home_page_takes_as_many_statements_for_many_events(app: Flask, stage: Stage, visitor: Person) -> None:
    counts = {}
    for number in (2, 3):
        stage.event(name=f"Open {number}", players=("Ada", "Bo", "Cy")[:number])
        with sent(app.extensions["overseer_engine"]) as counts[number]:
            page = visitor.open("/")
    assert "2 registered" in page.text and "3 registered" in page.text
    assert len(counts[2]) == len(counts[3]), counts
