"""Every route of the staff for every role: what each may open and press, and that no page offers what it may not do.

The rows are made from the application's own routes; what is expected stands in ``GET`` and ``POST`` below.
"""

from collections.abc import Callable

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException

from events.accounts.access import is_of_staff
from events.accounts.staff_routes import QUESTIONS, question_of
from events.play.visitor import Visitor
from models.event import Event
from models.play import Player
from models.staff import Role
from tests.accounts.test_access import STAFF, an_event
from tests.accounts.test_route_matrix import filled, what_stands
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.stage import PASSWORD, Stage
from tests.kit.writing import give_mail, write_to

O, G, J, S, L, C = "owner", "organiser", "judge", "scorekeeper", "list_checker", "check_in"  # noqa: E741 - one letter a role
ALL, RUN, JUDGE, SCORE = "OGJSLC", "OG", "OGJ", "OGJS"
LETTERS = {"O": O, "G": G, "J": J, "S": S, "L": L, "C": C}
# Who may open a page of the desk; the letters of the roles.
GET = {
    "desk.desk": ALL, "players.players": ALL, "players.player": ALL, "teams.manage": ALL,
    "rounds.manage": SCORE, "results_desk.decide": SCORE, "results_desk.results_page": SCORE,
    "sheet.enter": SCORE, "sheet.verify": SCORE, "print.room": "OGJSC", "print.sheets": "OGJSC",
    "force_paper.check_in": "OGC", "force_paper.force_copies": "OGJL", "force_paper.list_check": "OGJL",
    "force_paper.teams": ALL, "round_paper.setups": "OGJSC", "round_paper.stands": "OGJSC",
    "print.blanks": "OGJSC", "print.record_of_round": SCORE,
    "lists_desk.lists": "OGJL", "lists_desk.one": "OGJL", "lists_desk.missing": RUN,
    "clock.page": JUDGE, "journal.page": JUDGE, "journal.one": JUDGE, "journal.as_csv": JUDGE,
    "journal.as_json_lines": JUDGE,
    "ruling.manage": JUDGE, "sideboard.theirs": JUDGE,
    "soft.overview": JUDGE, "soft.painting": JUDGE,
    "print.badges": "OGC", "check_in.check_in_queue": "OGC",
    "desk.readiness_group": SCORE, "desk.search_page": ALL, "staff.manage": "O", "staff.invitation": "O",
    "round_pack.paper": "OGJSC", "setup.archive_page": "O", "setup.archive_file": "O", "journal.ways_back_page": "O",
}  # fmt: skip
# Who may press; what is missing here and in GET is for owners and organisers.
POST = {
    "players.act_on_player": "OGC", "players.player": RUN, "players.players": RUN, "teams.manage": RUN,
    "lists_desk.lists": RUN, "lists_desk.one": "OGL", "clock.press": JUDGE, "knockout.send_through": JUDGE,
    "players.absent": JUDGE, "results_desk.confirm": SCORE, "results_desk.second_pass_rule": JUDGE,
    "ruling.take_back": JUDGE, "results_desk.open_again": JUDGE, "sideboard.again": JUDGE, "staff.leave": ALL,
    "ruling.take_back_of_team": JUDGE,
    "desk.check_in_several": "OGC", "desk.undo_check_in": ALL, "messages.mail_links": "OGC",
    "staff.change_role": "O", "staff.remove": "O", "staff.withdraw": "O", "journal.go_back": "O",

}  # fmt: skip
# By the verb of the address, where it has several; every other verb is for owners and organisers.
VERBS = {
    "players.act_on_player": (
        "check-in", "check-in-painted", "check-in-paid", "paid", "unpaid", "undo-check-in"
    ),
    "desk.check_in_several": ("check-in", "paid"),
}  # fmt: skip


@pytest.fixture
def staffed(
    app: Flask, olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> dict[str, Person]:
    """Somebody of each role, signed in, and two owners of another event; round 1 is being played."""
    enter(event, "Ada", "Bo", "Cy", "Dee")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    give_mail(stage, event)
    write_to(stage, event)
    stage.publish(event, 1)
    stage.event("Secret Cup", draft=True)
    people = {}
    for role in Role:
        people[role.value] = let_in(app, stage.hire(event, f"The {role.value}", role))
    people["stranger"] = let_in(app, stage.hire(stage.event("Rust Cup"), "A stranger", Role.OWNER))
    return people


def signed_in(app: Flask, name: str) -> Person:
    """A browser in which this account is signed in."""
    person = Person(app)
    person.open("/sign-in")
    assert person.press("Sign in", name=name, password=PASSWORD).path == "/desk"
    return person


def rows(app: Flask, method: str) -> list[tuple[str, str]]:
    """Endpoint and rule of every route of the staff that takes this method."""
    return [
        (rule.endpoint, rule.rule)
        for rule in app.url_map.iter_rules()
        if is_of_staff(rule.rule) and method in (rule.methods or ())
    ]


@pytest.mark.proves("attack 7", "ASVS 8.2.1")
def test_who_opens_which_page_of_the_desk(app: Flask, staffed: dict[str, Person], stage: Stage) -> None:
    wrong = []
    values = what_stands(stage)
    for endpoint, rule in rows(app, "GET"):
        may = {LETTERS[letter] for letter in GET.get(endpoint, RUN)}
        for name, person in staffed.items():
            status = person.ask("GET", filled(rule, values)).status_code
            if (status == 403) is (name in may) or status >= 500:
                wrong.append((endpoint, name, status))
    assert wrong == []


@pytest.mark.proves("attack 7", "ASVS 8.2.1")
def test_who_presses_which_button_of_the_desk(app: Flask, staffed: dict[str, Person], stage: Stage) -> None:
    """Whoever may not is refused and nothing changes; who may is asked of the same questions without pressing."""
    wrong = []
    tokens = {name: str(person.open("/sign-in").value("csrf_token")) for name, person in staffed.items()}
    event = stage.one(Event, slug="iron-open")
    before, values = stage.digest(), what_stands(stage)
    for endpoint, rule in rows(app, "POST"):
        may = {LETTERS[letter] for letter in POST.get(endpoint, GET.get(endpoint, RUN))}
        for name, person in staffed.items():
            if name in may:
                question = question_of(endpoint, {"verb": "check-in"}, "POST")
                role = Visitor(stage.hire_of(name), roles={event.id: Role(name)})
                if not question(role, event):
                    wrong.append((endpoint, name, 0))
                continue
            status = person.ask("POST", filled(rule, values), {"csrf_token": tokens[name]}).status_code
            if status != 403:
                wrong.append((endpoint, name, status))
    assert wrong == []
    assert stage.digest() == before


@pytest.mark.proves("ASVS 8.2.1")
def test_each_address_asks_what_the_matrix_says() -> None:
    """Asked of the questions alone, without pages; a group of the desk's readiness asks one more of its own."""

    def asked(endpoint: str, method: str, verb: str = "check-in") -> str:
        question, event = question_of(endpoint, {"verb": verb}, method), an_event()
        return "".join(letter for letter, name in LETTERS.items() if question(STAFF[name], event))

    for endpoint in set(QUESTIONS) - {"desk.readiness_group"}:
        assert asked(endpoint, "POST") == POST.get(endpoint, GET.get(endpoint, RUN)), endpoint
    for endpoint in set(GET) - {"desk.readiness_group"}:
        assert asked(endpoint, "GET") == GET[endpoint], endpoint
    assert asked("desk.readiness_group", "GET") == ALL
    for endpoint, verbs in VERBS.items():
        assert {asked(endpoint, "POST", verb) for verb in verbs} == {"OGC"}
        assert asked(endpoint, "POST", "drop") == RUN
    assert asked("of.nothing.known", "GET") == asked("of.nothing.known", "POST") == "O"


@pytest.mark.proves("attack 13", "ASVS 8.4.1")
def test_staff_of_another_event_find_a_draft_nowhere(app: Flask, staffed: dict[str, Person], stage: Stage) -> None:
    values = what_stands(stage)
    for _, rule in rows(app, "GET"):
        there = filled(rule, values).replace("iron-open", "secret-cup")
        assert staffed["stranger"].ask("GET", there).status_code == 404, rule


@pytest.mark.parametrize("role", Role)
def test_no_page_offers_what_its_reader_may_not_do(
    app: Flask, staffed: dict[str, Person], stage: Stage, role: Role
) -> None:
    """Every link and every form of every page that the role can open from its desk, asked of the route's question."""
    person, event = staffed[role.value], stage.one(Event, slug="iron-open")
    visitor = Visitor(stage.hire_of(role.value), roles={event.id: role})
    urls = app.url_map.bind("localhost")
    waiting, seen, dead = ["/e/iron-open/desk"], set[str](), []
    while waiting:
        here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        page = person.open(here)
        if page.status != 200:
            dead.append((here, str(page.status)))
            continue
        offers = [(str(link["href"]), "GET") for link in page.soup.select("a[href]")]
        for form in page.soup.select("form"):
            method = str(form.get("method", "get")).upper()
            if any(not button.has_attr("formaction") for button in form.select("button")):
                offers.append((str(form.get("action") or here), method))
        offers += [(str(button["formaction"]), "POST") for button in page.soup.select("[formaction]")]
        for offered, method in offers:
            path = offered.split("#")[0].split("?")[0] or here
            if not path.startswith("/e/iron-open/desk") and "scoresheets" not in path:
                continue
            try:
                rule, args = urls.match(path, method, return_rule=True)
            except HTTPException as none:
                dead.append((here, f"{method} {path}: {none}"))
                continue
            if not question_of(rule.endpoint, args, method)(visitor, event):
                dead.append((here, f"{method} {path}"))
            elif method == "GET" and not path.endswith((".pdf", ".zip")):
                waiting.append(path)
    assert dead == []
    assert len(seen) > 3


@pytest.mark.proves("ASVS 8.2.3")
def test_a_scorekeeper_enters_results_but_changes_none_that_stands(
    app: Flask, staffed: dict[str, Person], stage: Stage
) -> None:
    event = stage.one(Event, slug="iron-open")
    first, second = stage.games(event, 1)
    stage.decide(event, first, 3, 1)
    scorekeeper = staffed[S]
    token = str(scorekeeper.open("/sign-in").value("csrf_token"))
    before = stage.digest()
    for path in ("", "/absent", "/choose-again", "/confirm"):
        at = f"/e/iron-open/desk/games/{first.id}{path}"
        assert scorekeeper.ask("POST", at, {"csrf_token": token}).status_code == 403, path
    assert stage.digest() == before
    page = scorekeeper.open(f"/e/iron-open/desk/games/{first.id}")
    assert "Only a judge can change this result" in page.text and not page.soup.select("main form")
    scorekeeper.open(f"/e/iron-open/desk/games/{second.id}")
    values = {"a__objectives": "3", "b__objectives": "1"}
    assert scorekeeper.press("Decide", **values).status in (200, 422)
    if "Please look again" in scorekeeper.page.text:
        scorekeeper.press("Decide", sure=True)
    assert stage.now(second).state == "confirmed"
    assert "scorekeeper The scorekeeper" in staffed[J].open("/e/iron-open/desk/journal").text


def test_only_who_may_see_private_links_is_sent_one(staffed: dict[str, Person], stage: Stage) -> None:
    ada = stage.one(Player, name="Ada")
    for name, person in staffed.items():
        page = person.open(f"/e/iron-open/desk/players/{ada.id}")
        assert ("/p/" in page.response.text) is (name in (O, G)), name


@pytest.mark.proves("attack 12")
def test_the_draft_of_a_round_is_for_those_who_pair(staffed: dict[str, Person], stage: Stage) -> None:
    event = stage.one(Event, slug="iron-open")
    for game in stage.games(event, 1):
        stage.decide(event, game, 3, 1)
    stage.draw(event, 2)
    for name in (J, S):
        page = staffed[name].open("/e/iron-open/desk/rounds/2")
        assert "being drawn" in page.text and "Ada" not in page.part("main")
    assert "Ada" in staffed[G].open("/e/iron-open/desk/rounds/2").part("main")


def test_how_lists_stand_is_told_to_those_who_read_lists(staffed: dict[str, Person]) -> None:
    for name in set(staffed) - {"stranger"}:
        told = "Submitted" in staffed[name].open("/e/iron-open/desk/players").part("table")
        found = "submitted" in staffed[name].open("/e/iron-open/desk/search?q=Ada").part("#found").lower()
        assert (told, found) == (name in (O, G, J, L),) * 2, name


def test_the_rows_name_no_route_that_is_none() -> None:
    assert set(GET) | set(POST) <= set(QUESTIONS)
