"""Every staff route for every role: what each role may open and change, and that no page offers more."""

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException

from events.accounts.access import is_of_staff
from events.accounts.staff_routes import QUESTIONS, question_of
from events.play.visitor import Visitor
from models.event import Event
from models.play import Player
from models.staff import Role
from tests.kit.people import let_in
from tests.kit.person import Page, Person
from tests.kit.routes import begin, filled, values_of
from tests.kit.stage import Stage
from tests.kit.visitors import STAFF, an_event

ROLES = dict(zip("OGJSLC", Role, strict=True))
"""O owner, G organiser, J judge, S scorekeeper, L list checker, C check-in."""
ALL, RUN, JUDGE, SCORE = "OGJSLC", "OG", "OGJ", "OGJS"
# The roles that may open a page of the desk; an endpoint that is missing here is for owners and organisers.
GET = {
    "desk.desk": ALL, "players.players": ALL, "players.player": ALL, "teams.manage": ALL, "export.staff_sheet": ALL,
    "leagues.manage": SCORE, "leagues.dates": JUDGE, "campaigns.manage": SCORE, "campaigns.desk_steps": JUDGE,
    "rounds.manage": SCORE, "results_desk.decide": SCORE, "results_desk.results_page": SCORE,
    "sheet.enter": SCORE, "sheet.verify": SCORE, "print.room": "OGJSC", "print.sheets": "OGJSC",
    "force_paper.check_in": "OGC", "force_paper.force_copies": "OGJL", "force_paper.list_check": "OGJL",
    "force_paper.teams": ALL, "round_paper.setups": "OGJSC", "round_paper.stands": "OGJSC",
    "print.blanks": "OGJSC", "print.poster": ALL, "print.record_of_round": SCORE,
    "lists_desk.lists": "OGJL", "lists_desk.one": "OGJL", "lists_desk.missing": RUN,
    "lists_desk.before": RUN,
    "clock.page": JUDGE, "journal.page": JUDGE, "journal.one": JUDGE, "journal.as_csv": JUDGE,
    "journal.as_json_lines": JUDGE,
    "ruling.manage": JUDGE, "sideboard.theirs": JUDGE,
    "soft.overview": JUDGE, "soft.painting": JUDGE,
    "print.badges": "OGC", "check_in.check_in_queue": "OGC",
    "check_in.scanned": "OGC",
    "desk.readiness_group": SCORE, "desk.search_page": ALL, "staff.manage": "O", "staff.invitation": "O",
    "event_life.delete": "O",
    "round_pack.paper": "OGJSC", "setup.archive_page": "O", "setup.archive_file": "O", "journal.ways_back_page": "O",
}  # fmt: skip
# The roles that may post, where they differ from GET.
POST = {
    "call.answer": SCORE,
    "players.act_on_player": "OGC", "players.player": RUN, "players.players": RUN, "teams.manage": RUN,
    "lists_desk.lists": RUN, "lists_desk.one": "OGL", "lists_desk.several": "OGL",
    "clock.press": JUDGE, "field.send_through": JUDGE,
    "players.absent": JUDGE, "results_desk.confirm": SCORE, "results_desk.second_pass_rule": JUDGE,
    "campaigns.manage": RUN, "campaigns.desk_steps": JUDGE, "campaigns.desk_act": JUDGE,
    "ruling.take_back": JUDGE, "results_desk.open_again": JUDGE, "sideboard.again": JUDGE, "staff.leave": ALL,
    "ruling.take_back_of_team": JUDGE,
    "desk.check_in_several": "OGC", "desk.undo_check_in": ALL, "messages.mail_links": "OGC",
    "staff.change_role": "O", "staff.remove": "O", "staff.withdraw": "O", "journal.go_back": "O",
}  # fmt: skip
# The verbs that check-in may use too; every other verb of these is for owners and organisers.
VERBS = {
    "players.act_on_player": ("check-in", "check-in-painted", "check-in-paid", "paid", "unpaid", "undo-check-in"),
    "desk.check_in_several": ("check-in", "paid"),
}


@pytest.fixture
def staffed(
    app: Flask, olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> dict[str, Person]:
    """A browser for each role, by role, and the owner of another event as "stranger"; round 1 is in play."""
    enter(event, "Ada", "Bo", "Cy", "Dee")
    begin(stage, event)
    stage.event("Secret Cup", draft=True)
    people = {role.value: let_in(app, stage.hire(event, f"The {role.value}", role)) for role in Role}
    return people | {"stranger": let_in(app, stage.hire(stage.event("Rust Cup"), "A stranger", Role.OWNER))}


def routes(app: Flask, method: str) -> list[tuple[str, str]]:
    """Endpoint and rule of every staff route for this method."""
    found = [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]
    return [(rule.endpoint, rule.rule) for rule in found if is_of_staff(rule.rule)]


def allowed(letters: str) -> set[str]:
    """The roles with these letters."""
    return {ROLES[letter].value for letter in letters}


@pytest.mark.proves("attack 7", "ASVS 8.2.1")
def test_each_role_opens_exactly_its_desk_pages(app: Flask, staffed: dict[str, Person], stage: Stage) -> None:
    """Of the roles that may open a page, the last in its list requests it.

    Permissions are tested for each role below.
    """
    wrong, values = [], values_of(stage)
    for endpoint, rule in routes(app, "GET"):
        letters = GET.get(endpoint, RUN)
        for name in {ROLES[letters[-1]].value, *(staffed.keys() - allowed(letters))}:
            status = staffed[name].ask("GET", filled(rule, values)).status_code
            if (status == 403) is (name in allowed(letters)) or status >= 500:
                wrong.append((endpoint, name, status))
    assert wrong == []


@pytest.mark.proves("attack 7", "ASVS 8.2.1")
def test_desk_forms_reject_roles_without_permission(app: Flask, staffed: dict[str, Person], stage: Stage) -> None:
    wrong, values, before = [], values_of(stage), stage.digest()
    tokens = {name: str(person.open("/sign-in").value("csrf_token")) for name, person in staffed.items()}
    for endpoint, rule in routes(app, "POST"):
        for name in staffed.keys() - allowed(POST.get(endpoint, GET.get(endpoint, RUN))):
            status = staffed[name].ask("POST", filled(rule, values), {"csrf_token": tokens[name]}).status_code
            if status != 403:
                wrong.append((endpoint, name, status))
    assert wrong == []
    assert stage.digest() == before


@pytest.mark.proves("ASVS 8.2.1")
def test_permission_question_of_each_route_is_as_in_the_tables() -> None:
    """Only the permission functions, without pages."""

    def asked(endpoint: str, method: str, verb: str = "check-in") -> str:
        question, event = question_of(endpoint, {"verb": verb}, method), an_event()
        return "".join(letter for letter, role in ROLES.items() if question(STAFF[role.value], event))

    assert set(GET) | set(POST) <= set(QUESTIONS)
    for endpoint in set(QUESTIONS) - {"desk.readiness_group"}:  # asks one more question of each group
        assert asked(endpoint, "POST") == POST.get(endpoint, GET.get(endpoint, RUN)), endpoint
        if endpoint in GET:
            assert asked(endpoint, "GET") == GET[endpoint], endpoint
    assert asked("desk.readiness_group", "GET") == ALL
    for endpoint, verbs in VERBS.items():
        assert {asked(endpoint, "POST", verb) for verb in verbs} == {"OGC"}
        assert asked(endpoint, "POST", "drop") == RUN
    assert asked("of.nothing.known", "GET") == asked("of.nothing.known", "POST") == "O"


@pytest.mark.proves("attack 13", "ASVS 8.4.1")
def test_draft_is_not_found_by_staff_of_another_event(app: Flask, staffed: dict[str, Person], stage: Stage) -> None:
    values = values_of(stage)
    found = [filled(rule, values).replace("iron-open", "secret-cup") for _, rule in routes(app, "GET")]
    assert [one for one in found if staffed["stranger"].ask("GET", one).status_code != 404] == []


def offers(page: Page, here: str) -> Iterator[tuple[str, str]]:
    """The addresses on a page, with their methods."""
    for link in page.soup.select("a[href]"):
        yield str(link["href"]), "GET"
    for form in page.soup.select("form"):
        if any(not button.has_attr("formaction") for button in form.select("button")):
            yield str(form.get("action") or here), str(form.get("method", "get")).upper()
    for button in page.soup.select("[formaction]"):
        yield str(button["formaction"]), "POST"


def test_pages_offer_a_role_only_what_it_may_do(app: Flask, staffed: dict[str, Person], stage: Stage) -> None:
    """Every link and form on every page that the role can reach from its desk, checked against the route's
    permission.
    """
    event, urls = stage.one(Event, slug="iron-open"), app.url_map.bind("localhost")
    for role in Role:
        visitor = Visitor(stage.hire_of(role.value), roles={event.id: role})
        waiting, seen, dead = ["/e/iron-open/desk"], set[str](), []
        while waiting:
            here = waiting.pop()
            if here in seen:
                continue
            seen.add(here)
            page = staffed[role.value].open(here)
            if page.status != 200:
                dead.append((here, str(page.status)))
            for offered, method in offers(page, here) if page.status == 200 else ():
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
        assert dead == [], role
        assert len(seen) > 3, role


@pytest.mark.proves("ASVS 8.2.3")
def test_scorekeeper_enters_results_and_changes_no_confirmed_one(staffed: dict[str, Person], stage: Stage) -> None:
    event, scorekeeper = stage.one(Event, slug="iron-open"), staffed["scorekeeper"]
    first, second = stage.games(event, 1)
    stage.decide(event, first, 3, 1)
    token = {"csrf_token": str(scorekeeper.open("/sign-in").value("csrf_token"))}
    before = stage.digest()
    for path in ("", "/absent", "/choose-again", "/confirm"):
        address = f"/e/iron-open/desk/games/{first.id}{path}"
        assert scorekeeper.ask("POST", address, token).status_code == 403, path
    assert stage.digest() == before
    page = scorekeeper.open(f"/e/iron-open/desk/games/{first.id}")
    assert "Only a judge can change this result" in page.text and not page.soup.select("main form")
    scorekeeper.open(f"/e/iron-open/desk/games/{second.id}")
    assert scorekeeper.press("Save", a__objectives="3", b__objectives="1").status in (200, 422)
    if "Please check" in scorekeeper.page.text:
        scorekeeper.press("Save", sure=True)
    assert stage.now(second).state == "confirmed"
    assert "scorekeeper The scorekeeper" in staffed["judge"].open("/e/iron-open/desk/journal").text


def test_pages_show_private_links_and_list_states_only_to_some_roles(staffed: dict[str, Person], stage: Stage) -> None:
    desk, ada = "/e/iron-open/desk", stage.one(Player, name="Ada")
    for name, person in staffed.items():
        links = "/p/" in person.open(f"{desk}/players/{ada.id}").response.text
        assert links is (name in allowed("OG")), name
        states = ("Submitted" in person.open(f"{desk}/players").part("table"),
                  "submitted" in person.open(f"{desk}/search?q=Ada").part("#found").lower())  # fmt: skip
        assert states == (name in allowed("OGJL"),) * 2, name
