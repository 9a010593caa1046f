"""Every route, and what it answers to a visitor, a player, a player of another event, and the organiser.

A route without a row fails: whoever adds one says here who may use it.
"""

from collections.abc import Callable, Iterable, Mapping

import pytest
from flask import Flask

from events.accounts.access import is_of_staff
from events.accounts.staff_routes import QUESTIONS
from models.event import Event
from models.message import Message
from models.play import ListSeal, Player
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.writing import give_mail, write_to

WHO = ("visitor", "player", "stranger", "organiser")
ALL = "200 200 200 200"
ORGANISER = "403 403 403 200"
NOBODY = "404 404 404 404"
OWN = "403 200 403 403"

# The event is in progress, round 1 is published, the lists are shown, the player has a game to report.
GET = {
    "/": ALL,
    "/account": "302 302 302 200",
    "/api/v1/rules/<game:system_id>/<calculator_id>": ALL,
    "/desk": "302 302 302 200",
    "/desk/archive-in": ORGANISER,
    "/desk/editions": ORGANISER,
    "/desk/editions/<game:system_id>/new": ORGANISER,
    "/desk/new": ORGANISER,
    "/desk/scenarios": ORGANISER,
    "/desk/scenarios/<game:system_id>/<scenario_id>": "403 403 403 404",  # one of the game's is nobody's to change
    "/desk/scenarios/<game:system_id>/<scenario_id>.json": ORGANISER,
    "/desk/scenarios/<game:system_id>/new": ORGANISER,
    "/e/<slug>": ALL,
    "/e/<slug>/awards": "404 404 404 200",  # not published
    "/e/<slug>/bracket": NOBODY,  # no knockout here
    "/e/<slug>/crosstable": NOBODY,  # nor a round robin
    "/e/<slug>/desk": ORGANISER,
    "/e/<slug>/desk/archive": ORGANISER,
    "/e/<slug>/desk/archive.json": ORGANISER,
    "/e/<slug>/desk/awards": ORGANISER,
    "/e/<slug>/desk/awards/certificates.pdf": "403 403 403 404",  # no award here
    "/e/<slug>/desk/badges.pdf": ORGANISER,
    "/e/<slug>/desk/cut": ORGANISER,
    "/e/<slug>/desk/door": ORGANISER,
    "/e/<slug>/desk/fee": ORGANISER,
    "/e/<slug>/desk/ready/<key>": ORGANISER,
    "/e/<slug>/desk/search": ORGANISER,
    "/e/<slug>/desk/clock": ORGANISER,
    "/e/<slug>/desk/games/<int:game_id>": ORGANISER,
    "/e/<slug>/desk/games/<int:game_id>/fielded/<int:player_id>": "403 403 403 404",  # no sideboard here
    "/e/<slug>/desk/journal": ORGANISER,
    "/e/<slug>/desk/journal.csv": ORGANISER,
    "/e/<slug>/desk/journal.jsonl": ORGANISER,
    "/e/<slug>/desk/journal/<int:change_set_id>": ORGANISER,
    "/e/<slug>/desk/kept-apart": ORGANISER,
    "/e/<slug>/desk/lists": ORGANISER,
    "/e/<slug>/desk/lists/<int:player_id>": ORGANISER,
    "/e/<slug>/desk/lists/missing": ORGANISER,
    "/e/<slug>/desk/messages": ORGANISER,
    "/e/<slug>/desk/messages/<int:message_id>": ORGANISER,
    "/e/<slug>/desk/messages/new": ORGANISER,
    "/e/<slug>/desk/pairing": ORGANISER,
    "/e/<slug>/desk/meeting": ORGANISER,
    "/e/<slug>/desk/players": ORGANISER,
    "/e/<slug>/desk/players/<int:player_id>": ORGANISER,
    "/e/<slug>/desk/players/<int:player_id>/mail": ORGANISER,
    "/e/<slug>/desk/players/<int:player_id>/force": ORGANISER,
    "/e/<slug>/desk/print": ORGANISER,
    "/e/<slug>/desk/check-in.pdf": ORGANISER,
    "/e/<slug>/desk/forces.pdf": ORGANISER,
    "/e/<slug>/desk/list-check.pdf": ORGANISER,
    "/e/<slug>/desk/table-numbers.pdf": ORGANISER,
    "/e/<slug>/desk/teams.pdf": "403 403 403 404",  # no teams here
    "/e/<slug>/desk/rounds/<int:number>": ORGANISER,
    "/e/<slug>/desk/rounds/<int:number>/entry": ORGANISER,
    "/e/<slug>/desk/rounds/<int:number>/exchange": ORGANISER,
    "/e/<slug>/desk/rounds/<int:number>/pack.pdf": ORGANISER,
    "/e/<slug>/desk/rounds/<int:number>/pack.zip": ORGANISER,
    "/e/<slug>/desk/rounds/<int:number>/results": ORGANISER,
    "/e/<slug>/desk/rounds/<int:number>/second-pass": ORGANISER,
    "/e/<slug>/desk/rounds/<int:number>/compare": "403 403 403 302",  # published: nothing to compare
    "/e/<slug>/desk/restrictions": ORGANISER,
    "/e/<slug>/desk/rulings": ORGANISER,
    "/e/<slug>/desk/painting/<int:player_id>": "403 403 403 404",  # no check list here
    "/e/<slug>/desk/soft": ORGANISER,
    "/e/<slug>/desk/seeding": "403 403 403 404",  # no knockout here
    "/e/<slug>/desk/settings": ORGANISER,
    "/e/<slug>/desk/staff": ORGANISER,
    "/e/<slug>/desk/staff/invitations/<int:invitation_id>": "403 403 403 404",
    "/e/<slug>/desk/teams": "403 403 403 404",  # everybody plays alone here; team events: test_team_secrecy
    "/e/<slug>/desk/teams/<int:team_id>": "403 403 403 404",
    "/e/<slug>/desk/undo": ORGANISER,
    "/e/<slug>/desk/ways-back": ORGANISER,
    "/e/<slug>/desk/rounds/<int:number>/blank-sheets.pdf": ORGANISER,
    "/e/<slug>/desk/rounds/<int:number>/records.pdf": "403 403 403 404",  # no game is over
    "/e/<slug>/games/<int:game_id>": "403 200 403 200",  # its two players and the desk
    "/e/<slug>/games/<int:game_id>/sheet.pdf": "403 404 403 404",  # of a game that is over
    "/e/<slug>/hall": ALL,
    "/e/<slug>/hall/<view>": ALL,
    "/e/<slug>/hall/<view>/version": ALL,
    "/e/<slug>/hall/version": ALL,
    "/e/<slug>/lists": ALL,
    "/e/<slug>/me": OWN,
    "/e/<slug>/me/boards": NOBODY,
    "/e/<slug>/me/fielded": "403 404 403 403",
    "/e/<slug>/me/force": "403 302 403 403",
    "/e/<slug>/me/game": OWN,
    "/e/<slug>/me/journal": OWN,
    "/e/<slug>/me/link": OWN,
    "/e/<slug>/meeting": NOBODY,  # no player meeting here
    "/e/<slug>/meeting.pdf": NOBODY,
    "/e/<slug>/me/mail": OWN,
    "/mail": NOBODY,  # nobody here has opened the link of a mail: test_mail_changes
    "/mail/<token>": NOBODY,
    "/e/<slug>/me/votes": OWN,
    "/e/<slug>/pack.pdf": ALL,
    "/e/<slug>/plan.pdf": ALL,
    "/e/<slug>/scenarios.pdf": ALL,
    "/e/<slug>/players.csv": ALL,
    "/e/<slug>/players/<int:player_id>": ALL,
    "/e/<slug>/players/<int:player_id>/force.<format_id>": ALL,
    "/e/<slug>/players/<int:player_id>/force.json": ALL,
    "/e/<slug>/players/<int:player_id>/force.pdf": ALL,
    "/e/<slug>/players/<int:player_id>/sealed/<sha256>": ALL,
    "/e/<slug>/register": "403 302 403 403",
    "/e/<slug>/rounds/<int:number>": ALL,
    "/e/<slug>/rounds/<int:number>/pairings.json": ALL,
    "/e/<slug>/rounds/<int:number>/round.csv": ALL,
    "/e/<slug>/rounds/<int:number>/pairings.pdf": ALL,
    "/e/<slug>/rounds/<int:number>/scoresheets.pdf": ORGANISER,
    "/e/<slug>/rounds/<int:number>/setup.pdf": ORGANISER,
    "/e/<slug>/scenarios/<scenario_id>": ALL,
    "/e/<slug>/standings": ALL,
    "/e/<slug>/standings.csv": ALL,
    "/e/<slug>/standings.pdf": ALL,
    "/e/<slug>/version": ALL,
    "/e/<slug>/standings.trf": ALL,
    "/e/<slug>/standings/teams": NOBODY,
    "/e/<slug>/standings/teams.pdf": NOBODY,
    "/e/<slug>/teams": NOBODY,
    "/e/<slug>/teams/<int:team_id>": NOBODY,
    "/e/<slug>/games/<int:game_id>/report": "404 302 404 404",  # whose sheet nobody here has opened: test_sheets
    "/g": ALL,
    "/g/<code>": "302 302 302 302",
    "/healthz": ALL,
    "/metrics": NOBODY,  # off, and with it on for who sends its word: test_watched
    "/readyz": ALL,
    "/i/<token>": NOBODY,
    "/invitation": NOBODY,  # nobody here has opened a link
    "/rules/<game:system_id>": ALL,
    "/rules/<game:system_id>/<calculator_id>": ALL,
    "/rules/<game:system_id>/editions/<edition_id>": ALL,
    "/rules/<game:system_id>/editions/<edition_id>/file.json": ALL,
    "/set-up": NOBODY,  # nobody here has opened a link
    "/account/second-factor": "302 302 302 200",
    "/sign-in/code": "302 302 302 302",  # nobody here is half in
    "/p/<token>": NOBODY,
    "/switch-player": NOBODY,  # nobody here has opened another player's link
    "/set-up/<token>": NOBODY,
    "/sign-in": ALL,
    "/static/<path:filename>": ALL,
    "/verify": ALL,
    "/worker.js": ALL,
    "/e/<slug>/app.webmanifest": ALL,
}
# Posted with nothing but a token of the own browser: 302 is done or told, 422 is a form that lacks something.
POST = {
    "/account/second-factor": "302 302 302 422",
    "/desk/archive-in": "403 403 403 422",
    "/desk/editions/<game:system_id>/<edition_id>/remove": "403 403 403 404",  # one that ships is nobody's to remove
    "/desk/editions/<game:system_id>/new": "403 403 403 422",
    "/desk/new": "403 403 403 422",
    "/desk/scenarios": "403 403 403 422",
    "/desk/scenarios/<game:system_id>/<scenario_id>": "403 403 403 404",
    "/desk/scenarios/<game:system_id>/<scenario_id>/remove": "403 403 403 404",
    "/desk/scenarios/<game:system_id>/new": "403 403 403 422",
    "/e/<slug>/desk/awards": "403 403 403 404",  # which form was pressed is not said
    "/e/<slug>/desk/awards/<int:award_id>/<verb>": "403 403 403 404",
    "/e/<slug>/desk/awards/<verb>": "403 403 403 404",
    "/e/<slug>/desk/cut": "403 403 403 302",
    "/e/<slug>/desk/door": ORGANISER,
    "/e/<slug>/desk/fee": "403 403 403 302",
    "/e/<slug>/desk/presses/<int:entry_id>/undo": "403 403 403 404",  # the event's first line is no such press
    "/e/<slug>/desk/ready/<verb>": "403 403 403 302",
    "/e/<slug>/desk/announcements": "403 403 403 422",
    "/e/<slug>/desk/announcements/<int:announcement_id>/take-back": "403 403 403 404",
    "/e/<slug>/desk/clock": "403 403 403 422",
    "/e/<slug>/desk/clock/<int:round_number>/<verb>": "403 403 403 404",  # "check-in" is no press on a clock
    "/e/<slug>/desk/finish": "403 403 403 302",
    "/e/<slug>/desk/games/<int:game_id>": "403 403 403 422",
    "/e/<slug>/desk/games/<int:game_id>/absent": "403 403 403 404",  # who, and of which version, is not said
    "/e/<slug>/desk/games/<int:game_id>/choose-again": "403 403 403 302",
    "/e/<slug>/desk/games/<int:game_id>/confirm": "403 403 403 302",
    "/e/<slug>/desk/games/<int:game_id>/open-again": "403 403 403 302",
    "/e/<slug>/desk/games/<int:game_id>/through": "403 403 403 422",
    "/e/<slug>/desk/kept-apart": "403 403 403 422",
    "/e/<slug>/desk/rounds/<int:number>/entry": "403 403 403 404",  # of which game is not said
    "/e/<slug>/desk/rounds/<int:number>/second-pass": "403 403 403 404",
    "/e/<slug>/desk/second-pass": "403 403 403 302",
    "/e/<slug>/desk/undo": "403 403 403 422",
    "/e/<slug>/desk/ways-back/<int:point_id>": "403 403 403 302",  # no such step
    "/e/<slug>/desk/kept-apart/<int:pair_id>/remove": "403 403 403 404",
    "/e/<slug>/desk/games/<int:game_id>/fielded/<int:player_id>": "403 403 403 404",
    "/e/<slug>/desk/lists": ORGANISER,
    "/e/<slug>/desk/lists/<int:player_id>": ORGANISER,
    "/e/<slug>/desk/messages": "403 403 403 302",
    "/e/<slug>/desk/messages/<int:message_id>/again": "403 403 403 302",
    "/e/<slug>/desk/messages/new": "403 403 403 422",
    "/e/<slug>/desk/open-registration": "403 403 403 302",
    "/e/<slug>/desk/pairing": "403 403 403 404",  # which section was pressed is not said
    "/e/<slug>/desk/meeting/<verb>": "403 403 403 404",  # only draw, publish, discard
    "/e/<slug>/desk/players": ORGANISER,
    "/e/<slug>/desk/players/<int:player_id>": "403 403 403 302",  # what is not sent stays
    "/e/<slug>/desk/players/<int:player_id>/<verb>": "403 403 403 302",
    "/e/<slug>/desk/players/selected/<verb>": "403 403 403 404",  # "check-in" is for one player
    "/e/<slug>/desk/players/<int:player_id>/byes": "403 403 403 302",
    "/e/<slug>/desk/players/<int:player_id>/mail": "403 403 403 404",  # two rows above, the tick was taken out
    "/e/<slug>/desk/players/<int:player_id>/force": "403 403 403 302",
    "/e/<slug>/desk/players/<int:player_id>/mail-link": "403 403 403 302",
    "/e/<slug>/desk/reopen": "403 403 403 302",
    "/e/<slug>/desk/rounds/<int:number>/close-choice": "403 403 403 404",
    "/e/<slug>/desk/rounds/<int:number>/discard": "403 403 403 302",
    "/e/<slug>/desk/rounds/<int:number>/draw": "403 403 403 302",
    "/e/<slug>/desk/rounds/<int:number>/lock-match": "403 403 403 404",
    "/e/<slug>/desk/rounds/<int:number>/publish": "403 403 403 302",
    "/e/<slug>/desk/rounds/<int:number>/adopt": "403 403 403 302",
    "/e/<slug>/desk/rounds/<int:number>/exchange": "403 403 403 422",
    "/e/<slug>/desk/rounds/<int:number>/lock": "403 403 403 302",
    "/e/<slug>/desk/rounds/<int:number>/swap": "403 403 403 302",
    "/e/<slug>/desk/rounds/<int:number>/scenario": "403 403 403 302",
    "/e/<slug>/desk/rounds/<int:number>/table": "403 403 403 302",
    "/e/<slug>/desk/rounds/<int:number>/undo": "403 403 403 302",
    "/e/<slug>/desk/rounds/<int:number>/swap-teams": "403 403 403 404",
    "/e/<slug>/desk/rounds/<int:number>/undo-teams": "403 403 403 404",
    "/e/<slug>/desk/teams": "403 403 403 404",
    "/e/<slug>/desk/teams/<int:team_id>": "403 403 403 404",
    "/e/<slug>/desk/teams/<int:team_id>/<verb>": "403 403 403 404",
    "/e/<slug>/desk/restrictions": "403 403 403 422",
    "/e/<slug>/desk/painting/<int:player_id>": "403 403 403 404",
    "/e/<slug>/desk/soft/<verb>": "403 403 403 404",  # only open and close
    "/e/<slug>/desk/rulings": "403 403 403 422",
    "/e/<slug>/desk/rulings/<int:ruling_id>/take-back": "403 403 403 404",
    "/e/<slug>/desk/rulings/of-teams/<int:ruling_id>/take-back": "403 403 403 404",
    "/e/<slug>/desk/seeding": "403 403 403 404",
    "/e/<slug>/desk/settings": "403 403 403 422",
    "/e/<slug>/desk/staff": "403 403 403 302",
    "/e/<slug>/desk/staff/<int:staff_id>/remove": "403 403 403 302",  # told: the last owner stays
    "/e/<slug>/desk/staff/<int:staff_id>/role": "403 403 403 404",  # which role is not said
    "/e/<slug>/desk/staff/invitations/<int:invitation_id>/withdraw": "403 403 403 302",
    "/e/<slug>/desk/leave": "403 403 403 302",  # told: the last owner stays
    "/e/<slug>/me/boards": NOBODY,
    "/e/<slug>/me/fielded": "403 404 403 403",
    "/e/<slug>/me/force": "403 302 403 403",
    "/e/<slug>/me/game": "403 422 403 403",
    "/e/<slug>/me/mail": "403 302 403 403",
    "/e/<slug>/me/mail/stay": "403 302 403 403",
    "/mail": NOBODY,
    "/e/<slug>/me/messages": "403 302 403 403",
    "/e/<slug>/me/votes": "403 403 403 403",  # nothing to vote for here
    "/e/<slug>/me/leave": "403 302 403 403",
    "/e/<slug>/register": "403 302 403 403",
    "/e/<slug>/games/<int:game_id>/report": "404 302 404 404",
    "/g": ALL,
    "/g/<code>": "200 302 200 200",  # a form of before codes left the address
    "/switch-player": NOBODY,
    "/account": "302 302 302 422",
    "/invitation": NOBODY,
    "/set-up": NOBODY,
    "/sign-in": "422 422 422 422",
    "/verify": "422 422 422 422",
    "/e/<slug>/desk/rounds/<int:number>/unpublish": "403 403 403 302",  # late: after it the event has not begun
    "/e/<slug>/me/forget": "403 302 403 403",  # the very last of the player's
    "/sign-out": "302 302 302 302",
    "/account/second-factor/off": "302 302 302 302",  # it is off
    "/sign-in/code": "302 302 302 302",
    "/account/others": "302 302 302 302",  # last of all, for it gives the browser another token: test_sign_in
}


@pytest.fixture
def people(app: Flask, olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event) -> list[Person]:
    """The four of ``WHO``."""
    ada, *_ = enter(event, "Ada", "Bo")
    (cy,) = enter(stage.event("Rust Cup"), "Cy")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    give_mail(stage, event)
    write_to(stage, event)
    stage.publish(event, 1)
    return [Person(app), ada, cy, olga]


def what_stands(stage: Stage, name: str = "Ada") -> dict[str, str]:
    """What stands in the addresses of the prepared event in place of the rules' variables."""
    game = stage.games(stage.one(Event, slug="iron-open"), 1)[0]
    return {
        "<slug>": "iron-open",
        "<int:game_id>": str(game.id),
        "<int:player_id>": str(stage.one(Player, name=name).id),
        "<int:message_id>": str(stage.all(Message)[0].id),
        "<int:number>": "1",
        "<int:pair_id>": "1",
        "<int:point_id>": "1",
        "<int:team_id>": "1",
        "<int:round_number>": "1",
        "<int:ruling_id>": "1",
        "<int:award_id>": "1",
        "<int:change_set_id>": "1",
        "<int:announcement_id>": "1",
        "<int:staff_id>": "1",
        "<int:invitation_id>": "1",
        "<verb>": "check-in",
        "<key>": "playing",
        "<int:entry_id>": "1",
        "<view>": "names",
        "<edition_id>": "2018-08",
        "<scenario_id>": "raiders",
        "<game:system_id>": "battle-mode",
        "<calculator_id>": "attack",
        "<code>": game.code,
        "<sha256>": stage.all(ListSeal)[0].sha256,
        "<token>": "made-up",
        "<path:filename>": "overseer.css",
        "<format_id>": "ros",
    }


def filled(rule: str, values: Mapping[str, str]) -> str:
    """A rule's address, with ``what_stands`` there."""
    if "<calculator_id>" in rule:
        rule = rule.replace("<game:system_id>", "skill-combat")
    for name, value in values.items():
        rule = rule.replace(name, value)
    return rule


def addresses(rules: Iterable[str], stage: Stage, name: str = "Ada") -> dict[str, str]:
    """The address of each rule, asked of the database once for all."""
    values = what_stands(stage, name)
    return {rule: filled(rule, values) for rule in rules}


@pytest.mark.proves("ASVS 8.1.1", "ASVS 8.2.1")
def test_every_route_has_its_row(app: Flask) -> None:
    routes = {(method, rule.rule) for rule in app.url_map.iter_rules() for method in rule.methods or ()}
    rows = {("GET", rule) for rule in GET} | {("POST", rule) for rule in POST}
    assert {route for route in routes if route[0] not in ("HEAD", "OPTIONS")} == rows


def test_every_route_of_the_staff_asks_a_question_of_its_own(app: Flask) -> None:
    rules = [rule for rule in app.url_map.iter_rules() if is_of_staff(rule.rule)]
    assert {rule.endpoint for rule in rules} == set(QUESTIONS), "events/accounts/staff_routes.py names each"


@pytest.mark.fast
@pytest.mark.proves("ASVS 8.2.1", "ASVS 8.3.1")
def test_who_sees_what(people: list[Person], stage: Stage) -> None:
    answered = {
        rule: " ".join(str(person.ask("GET", address).status_code) for person in people)
        for rule, address in addresses(GET, stage).items()
    }
    assert answered == GET


@pytest.mark.proves("attack 26", "ASVS 3.5.3")
def test_seeing_changes_nothing(people: list[Person], stage: Stage) -> None:
    before = stage.digest()
    for method in ("GET", "HEAD", "OPTIONS"):
        for address in addresses(GET | POST, stage).values():
            for person in people:
                person.ask(method, address)
    assert stage.digest() == before


@pytest.mark.proves("ASVS 8.2.1", "ASVS 8.3.1")
def test_who_may_change_what(people: list[Person], stage: Stage) -> None:
    tokens = [str(person.open("/sign-in").value("csrf_token")) for person in people]
    answered: dict[str, list[str]] = {rule: [] for rule in POST}
    before, values = stage.digest(), what_stands(stage)
    for person, token in zip(people, tokens, strict=True):
        for rule in POST:
            status = person.ask("POST", filled(rule, values), {"csrf_token": token}).status_code
            answered[rule].append(str(status))
            after = stage.digest()
            assert status in (200, 302) or after == before, f"{rule} refused and changed something"
            if after != before:
                before, values = after, what_stands(stage)
    assert {rule: " ".join(statuses) for rule, statuses in answered.items()} == POST


@pytest.mark.parametrize("token", [None, "", "made-up"])
@pytest.mark.proves("attack 26", "ASVS 3.5.1")
def test_nothing_is_changed_without_a_token_of_the_own_browser(
    people: list[Person], stage: Stage, token: str | None
) -> None:
    before = stage.digest()
    for person in people:
        person.open("/sign-in")
        for rule, address in addresses(POST, stage).items():
            answer = person.ask("POST", address, data={} if token is None else {"csrf_token": token})
            assert answer.status_code == 400, rule
            assert "This form is out of date" in answer.text
    assert stage.digest() == before


@pytest.mark.proves("attack 26", "ASVS 3.5.1")
def test_a_token_of_another_browser_is_none(people: list[Person], stage: Stage) -> None:
    visitor, ada, _, olga = people
    stolen = str(visitor.open("/sign-in").value("csrf_token"))
    before = stage.digest()
    for person in (ada, olga):
        for address in addresses(POST, stage).values():
            assert person.ask("POST", address, {"csrf_token": stolen}).status_code == 400
    assert stage.digest() == before


def test_an_organiser_s_right_ends_with_the_next_request(people: list[Person], stage: Stage) -> None:
    *_, olga = people
    form = olga.open("/e/iron-open/desk/settings")
    visitor = Person(olga.http.application)
    visitor.open(stage.password_link("Olga"))
    visitor.press("Set password and sign in", password="a new password", again="a new password")
    before = stage.digest()
    olga.page = form
    assert olga.press("Save", name="Mine").status == 403
    assert stage.digest() == before


@pytest.mark.proves("attack 6")
def test_ids_of_one_event_open_nothing_in_another(people: list[Person], stage: Stage) -> None:
    *_, olga = people
    ada = stage.one(Player, name="Ada")
    token = str(olga.open("/sign-in").value("csrf_token"))
    before = stage.digest()
    for address in (f"/e/rust-cup/players/{ada.id}", f"/e/rust-cup/players/{ada.id}/force.json",
                    f"/e/rust-cup/desk/players/{ada.id}", f"/e/rust-cup/desk/players/{ada.id}/force"):  # fmt: skip
        assert olga.open(address).status == 404
        assert olga.ask("POST", address, {"csrf_token": token, "name": "X"}).status_code in (404, 405)
    for verb in ("drop", "renew-link", "check-in"):
        answer = olga.ask("POST", f"/e/rust-cup/desk/players/{ada.id}/{verb}", {"csrf_token": token})
        assert answer.status_code == 404
    assert stage.digest() == before
