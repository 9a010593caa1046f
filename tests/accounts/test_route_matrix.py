"""Every route: its status for each kind of visitor, and what each role may open and change.

More than 450 lines because of the tables.
"""

from collections.abc import Mapping

import pytest
from flask import Flask

from events.visitors.access import is_of_staff
from events.visitors.staff_routes import QUESTIONS, question_of
from tests.kit.people import let_in
from tests.kit.person import Enter, Person
from tests.kit.profiles import every_nth
from tests.kit.routes import addresses, begin, filled, rules, values_of
from tests.kit.stage import Event, Role, Stage
from tests.kit.visitors import STAFF, an_event


def by_name(rows: Mapping[str, str]) -> dict[str, str]:
    return {name: value for value, found in rows.items() for name in found.split()}


def table(rows: Mapping[str, str]) -> dict[str, str]:
    """The four statuses by rule; a rule without a leading slash belongs to an event."""
    return {text if text.startswith("/") else f"/e/<slug>/{text}": statuses for text, statuses in by_name(rows).items()}


# By the four statuses. The event is in progress: round 1 is published, the lists are shown, a game is unreported.
# Pages of the event's staff are in NOT_FOR_OTHERS.

GET = table(
    {
        "200 200 200 200": """
        / /events.atom /events.ics /e/<slug> hall hall/<view> raffle
        /api/v1/rules/<game:system_id>/<calculator_id>
        hall/<view>/version /privacy privacy
        hall/version card.jpg event.ics event.xlsx lists lists.csv pack.pdf plan.pdf scenarios.pdf players.csv
        players/<int:player_id> players/<int:player_id>/force.<format_id> players/<int:player_id>/force.json
        players/<int:player_id>/force.pdf players/<int:player_id>/games.ics players/<int:player_id>/sealed/<sha256>
        rounds/<int:number> rounds/<int:number>/pairings.json rounds/<int:number>/round.csv rounds/<int:number>/text
        rounds/<int:number>/pairings.pdf scenarios/<scenario_id> standings standings.csv standings/text
        standings.pdf version standings.trf /g /healthz /readyz /rules/<game:system_id>
        /rules/<game:system_id>/<calculator_id> /rules/<game:system_id>/editions/<edition_id>
        /rules/<game:system_id>/editions/<edition_id>/file.json /sign-in /static/<path:filename> /verify /worker.js
        /texts/<language>.js
        /robots.txt /phone app.webmanifest /me /sign-in/passkey /statistics /api/v1 /api/v1/openapi.json /api/v1/events
        /api/v1/events/<slug> /api/v1/events/<slug>/players /api/v1/events/<slug>/players/<int:player_id>
        /api/v1/events/<slug>/lists /api/v1/events/<slug>/rounds /api/v1/events/<slug>/rounds/<int:number>/games
        /api/v1/events/<slug>/results /api/v1/events/<slug>/announcements
        /api/v1/events/<slug>/games/<int:game_id> /api/v1/events/<slug>/standings
    """,
        "403 200 403 200": "games/<int:game_id>",
        "401 401 401 401": "/api/v1/events/<slug>/payments",  # cookies do not count for programs
        "403 200 403 403": """
        me me/data me/data.json me/game me/journal me/link me/mail me/notices me/page me/passkeys me/share me/votes
    """,
        "403 403 403 200": """
        /desk/archive-in /desk/phones /desk/editions /desk/editions/<game:system_id>/new
        /desk/editions/<game:system_id>/<edition_id>/correct /desk/new /desk/scenarios
        /desk/scenarios/<game:system_id>/<scenario_id>.json /desk/scenarios/<game:system_id>/new /desk/copy/<slug>
    """,
        "403 403 403 404": "/desk/scenarios/<game:system_id>/<scenario_id>",  # the club has no such one
        "403 404 403 403": "me/fielded",  # no sideboard here
        "403 404 403 404": "games/<int:game_id>/sheet.pdf",  # the game is not over
        "403 403 403 403": "me/answers me/come-back /me/link /me/passkeys /me/settings",  # none here
        "404 404 404 200": "awards",  # not published
        # no such row, or a link that was not opened; /metrics and security.txt are off
        "404 404 404 404": """
        /c/<slug> /c/<slug>/hall /c/<slug>/hall/version
        /series/<slug> /series/<slug>/points.csv /series/<slug>/events.ics /api/v1/series/<slug>
        /series/<slug>/statistics
        /series/<slug>/statistics/<game:system_id> statistics
        /statistics/<game:system_id> season campaign campaign/groups/<int:player_id> me/campaign campaign/book.pdf
        bracket bracket.pdf
        crosstable me/boards me/team /mail /mail/<token> standings/teams standings/teams.pdf teams
        players/<int:player_id>/card.jpg lost-link teams/<int:team_id>
        /metrics /i/<token> /invitation /set-up
        /people/<int:person_id> /m/<token> /me/open
        /ranking /ranking/<game:system_id> /ranking/<game:system_id>/ranking.csv /api/v1/ranking/<system_id>
        /.well-known/security.txt /l/<token> /p/<token> /p/<token>/<mark> /confirm-mail /switch-player /set-up/<token>
        /account-mail/<token> /api/v1/events/<slug>/awards
    """,
        "404 302 404 404": "games/<int:game_id>/report",  # no visitor has opened its sheet
        "302 302 302 200": "/account /account/mail /desk /account/passkeys /account/second-factor",
        "302 302 302 302": "/g/<code> /sign-in/code badge/<int:player_id> tables/<int:number>",
        "403 302 403 403": "me/force register",
    }
)
NOT_FOR_OTHERS = {f"403 403 403 {status}" for status in (200, 302, 404)}
# Posted with nothing but a token, in this order. 302: done, or refused with a message.
POST = table(
    {
        "200 200 200 200": "/g",
        # cookies do not count for programs
        "401 401 401 401": """
        /api/v1/events/<slug>/players/<int:player_id>/payment /api/v1/events/<slug>/players/<int:player_id>/given-back
        /api/v1/events/<slug>/players /api/v1/events/<slug>/players/<int:player_id>/check-in
        /api/v1/events/<slug>/players/<int:player_id>/drop /api/v1/events/<slug>/players/<int:player_id>/list
        /api/v1/events/<slug>/cut /api/v1/events/<slug>/rounds/<int:number>/draw
        /api/v1/events/<slug>/rounds/<int:number>/publish
        /api/v1/events/<slug>/games/<int:game_id>/report /api/v1/events/<slug>/games/<int:game_id>/confirm
    """,
        "403 403 403 200": """
        desk/door desk/lists desk/lists/<int:player_id> desk/players desk/webhooks
        desk/players/<int:player_id>/payment
    """,
        # no questions, no vote, no own page
        "403 403 403 403": """
        me/answers me/come-back me/votes /me/link/renew /me/settings /me/separate/<int:page_id> /me/delete
        /me/passkeys/new
        /me/passkeys/<int:passkey_id>/remove /me/events/<int:player_id> /me/events/<int:player_id>/off
        desk/players/<int:player_id>/move
    """,
        # no such row or verb, or a field is missing
        "403 403 403 404": """
        desk/tokens/<int:token_id>/end
        desk/webhooks/<int:webhook_id>/trial desk/webhooks/<int:webhook_id>/end
        desk/webhooks/<int:webhook_id>/calls/<int:call_id>
        desk/lists/several/<verb> desk/season/draw desk/season/start desk/season/games/<int:game_id> desk/campaign
        desk/campaign/<int:player_id> desk/campaign/<int:player_id>/<verb> desk/campaign/<int:player_id>/closed
        desk/campaign/<int:player_id>/rule
        /desk/editions/<game:system_id>/<edition_id>/remove /desk/scenarios/<game:system_id>/<scenario_id>
        /desk/scenarios/<game:system_id>/<scenario_id>/remove desk/awards desk/awards/<int:award_id>/<verb>
        desk/awards/<verb> desk/raffle/<verb>
        desk/presses/<int:entry_id>/undo desk/announcements/<int:announcement_id>/take-back
        desk/clock/<int:round_number>/<verb> desk/games/<int:game_id>/absent desk/rounds/<int:number>/entry
        desk/kept-apart/<int:pair_id>/remove
        desk/games/<int:game_id>/fielded/<int:player_id> desk/players/selected/<verb>
        desk/rounds/<int:number>/close-choice desk/teams desk/teams/<int:team_id>
        desk/teams/<int:team_id>/<verb> desk/soft/<verb> desk/codes/<int:code_id>/end
        desk/rulings/<int:ruling_id>/take-back desk/rulings/of-teams/<int:ruling_id>/take-back desk/seeding
        desk/staff/<int:staff_id>/role
    """,
        # an empty form
        "403 403 403 422": """
        desk/tokens desk/cancel desk/delete /desk/copy/<slug> /desk/archive-in /desk/editions/<game:system_id>/new
        /desk/editions/<game:system_id>/<edition_id>/correct /desk/new
        /desk/scenarios /desk/scenarios/<game:system_id>/new desk/announcements desk/clock desk/games/<int:game_id>
        desk/games/<int:game_id>/through desk/kept-apart desk/undo desk/messages/new desk/rounds/<int:number>/exchange
        desk/players/<int:player_id>/erase desk/restrictions desk/rulings desk/settings/<section>
        desk/codes
    """,
        "403 404 403 403": "me/devices me/fielded",
        "403 409 403 403": "me/game",
        "403 422 403 403": "me/erase me/passkeys/new",
        "404 404 404 404": """
        me/campaign me/campaign/<verb> me/season/<int:game_id> me/season/challenge me/season/<int:game_id>/<verb>
        /c/<slug>
        me/boards me/team lost-link /account-mail/<token> /mail /confirm-mail /switch-player /invitation /set-up
        /me/open
        /me/ranking
    """,
        "422 422 422 422": "/sign-in /sign-in/passkey /verify",
        "404 302 404 404": "games/<int:game_id>/report",
        "200 302 200 200": "/g/<code>",
        "302 302 302 302": """
        /account/second-factor/off /sign-in/code /account/passkeys/new /account/passkeys/<int:passkey_id>/remove
        /me/sign-out
    """,
        "302 302 302 422": "/account/second-factor /account /account/mail /account/passkeys",
        "403 302 403 403": """
        me/devices/<int:device_id>/remove me/force me/here me/judge me/notices me/mail me/mail/stay me/messages
        me/leave me/page me/passkeys/<int:passkey_id>/remove me/share register
    """,
        "403 403 403 302": """
        desk/self-check-in desk/games/<int:game_id>/call desk/players/<int:player_id>/mail desk/cut desk/ready/<verb>
        desk/soft desk/raffle
        desk/finish desk/listing desk/next desk/take-place desk/games/<int:game_id>/choose-again
        desk/games/<int:game_id>/open-again
        desk/ways-back/<int:point_id> desk/messages desk/messages/<int:message_id>/again desk/open-registration
        desk/players/<int:player_id> desk/players/<int:player_id>/<verb> desk/players/<int:player_id>/byes
        desk/players/<int:player_id>/force desk/players/<int:player_id>/mail-link desk/reopen
        desk/rounds/<int:number>/discard desk/rounds/<int:number>/draw desk/rounds/<int:number>/publish
        desk/rounds/<int:number>/leaders
        desk/rounds/<int:number>/lock desk/rounds/<int:number>/swap desk/rounds/<int:number>/confirm
        desk/rounds/<int:number>/game desk/rounds/<int:number>/undo desk/staff
        desk/staff/<int:staff_id>/remove desk/staff/invitations/<int:invitation_id>/withdraw desk/leave
    """,
        # These end the session, the player or the round that others need.
    }
) | table(
    {
        "403 403 403 302": "desk/rounds/<int:number>/unpublish",
        "403 302 403 403": "me/forget",
        "302 302 302 302": """
        /sign-out /language /account/others /account/sign-ins/<int:sign_in_id>/end
        """,
    }
)


@pytest.mark.proves("ASVS 8.1.1", "ASVS 8.2.1")
def test_every_route_has_its_row_and_its_permission_question(app: Flask) -> None:
    assert {rule for rule in rules(app, "GET") if not is_of_staff(rule)} == set(GET)
    assert set(rules(app, "POST")) == set(POST)
    assert {method for rule in app.url_map.iter_rules() for method in rule.methods or ()} == {
        "GET", "HEAD", "OPTIONS", "POST",
    }  # fmt: skip
    of_staff = {rule.endpoint for rule in app.url_map.iter_rules() if is_of_staff(rule.rule)}
    assert of_staff == set(QUESTIONS), "events/visitors/staff_routes.py names each"


@pytest.mark.postgres  # sends every page's statements; other tests open the pages on SQLite
@pytest.mark.proves("ASVS 8.2.1", "ASVS 8.3.1", "attack 26", "ASVS 3.5.3")
@every_nth(4, 1)
def test_reading_is_allowed_by_the_table_and_changes_nothing(
    app: Flask, four_people: list[Person], stage: Stage, step: int
) -> None:
    """Usually one of the four opens each page, in turn. A file that all may read is opened by the visitor."""
    wrong: dict[tuple[str, int], str] = {}
    before = stage.digest()
    for number, (rule, address) in enumerate(addresses([*GET, *filter(is_of_staff, rules(app, "GET"))], stage).items()):
        rows = {GET[rule]} if rule in GET else NOT_FOR_OTHERS
        same_file = rows == {"200 200 200 200"} and address.endswith((".pdf", ".csv", ".trf", ".json"))
        for place in [0] if same_file else range(-number % step, 4, step):
            status = str(four_people[place].ask("GET", address).status_code)
            wrong |= {(rule, place): status} if status not in {row.split()[place] for row in rows} else {}
    assert wrong == {}
    for method in ("GET", "HEAD", "OPTIONS"):
        for address in [*addresses(POST, stage).values()][::step]:
            four_people[-1].ask(method, address)
    assert stage.digest() == before


@pytest.mark.both_at_length
@pytest.mark.proves("ASVS 8.2.1", "ASVS 8.3.1")
@every_nth(4, 1)
def test_changing_is_allowed_by_the_table_and_refusals_change_nothing(
    four_people: list[Person], stage: Stage, step: int
) -> None:
    """Usually one of the four sends each form, in turn, and everybody who may."""
    tokens = [str(person.open("/sign-in").value("csrf_token")) for person in four_people]
    wrong: dict[tuple[str, int], str] = {}
    before, values = stage.digest(), values_of(stage)
    for place, (person, token) in enumerate(zip(four_people, tokens, strict=True)):
        for number, (rule, statuses) in enumerate(POST.items()):
            expected = statuses.split()[place]
            may_change = expected in ("200", "302")
            if not may_change and (number + place) % step:
                continue
            assert not may_change or stage.digest() == before, f"a refused form before {rule} changed something"
            status = str(person.ask("POST", filled(rule, values), {"csrf_token": token}).status_code)
            wrong |= {(rule, place): status} if status != expected else {}
            if may_change:
                before, values = stage.digest(), values_of(stage)
    assert stage.digest() == before
    assert wrong == {}


@pytest.mark.proves("attack 26", "ASVS 3.5.1")
def test_form_without_a_token_of_its_own_browser_changes_nothing(four_people: list[Person], stage: Stage) -> None:
    visitor, ada, stranger, olga = four_people
    of_visitor = {"csrf_token": str(visitor.open("/sign-in").value("csrf_token"))}
    made_up, empty = {"csrf_token": "made-up"}, {"csrf_token": ""}
    with stage.unchanged():

        def refused(person: Person, address: str, data: dict[str, str]) -> None:
            answer = person.ask("POST", address, data)
            assert (answer.status_code, "This form is out of date" in answer.text) == (400, True), (address, data)

        by_cookie = [rule for rule in POST if not rule.startswith("/api/v1/") and rule != "/language"]
        for address in addresses(by_cookie, stage).values():
            refused(visitor, address, {})
            refused(olga, address, of_visitor)
        for person in (ada, stranger, olga):
            for forged in ({}, empty, made_up):
                for path in ("me/leave", "desk/players/1/drop"):
                    refused(person, f"/e/iron-open/{path}", forged)


ROLES = dict(zip("OGJSLCT", Role, strict=True))
"""O owner, G organiser, J judge, S scorekeeper, L list checker, C check-in, T treasurer."""
ALL, RUN, JUDGE, SCORE, PAID, MONEY = "OGJSLCT", "OG", "OGJ", "OGJS", "OGCT", "OGT"
# The roles that may open a page of the desk; an endpoint that is missing here is for owners and organisers.
OF_STAFF = by_name({
    ALL: """
        desk.desk players.players players.player_details teams.manage export.staff_sheet force_paper.team_sheets
        print.poster
        desk.search_page
    """,
    SCORE: """
        leagues.manage_season campaigns.manage_campaign rounds.manage_round results_desk.decide
        results_desk.results_page sheet.enter_sheet
        print.record_of_round desk.readiness_group
    """,
    JUDGE: """
        closed.open_steps_again closed.rule_on_group
        leagues.dates steps.desk_steps clock.clock_page journal.journal_page journal.one_write journal.as_csv
        ruling.manage_rulings sideboard.choice_for_player
    """,
    "OGJSC": """
        print.room print.sheets round_paper.setups round_paper.stands print.blanks round_pack.paper
    """,
    "OGC": "force_paper.check_in_sheet print.badges check_in.check_in_queue check_in.scanned",
    MONEY: "money.money_page money.payment money.sheet",
    "OGJL": "force_paper.force_copies force_paper.list_check lists_desk.review_lists lists_desk.one",
    RUN: "lists_desk.missing_lists lists_desk.before",
    "O": """
        staff.manage_staff staff.invitation event_life.delete setup.archive_page setup.archive_file
        journal.ways_back_page
    """,
})  # fmt: skip
# The roles that may post, where they differ from GET.
OF_STAFF_POST = by_name({
    SCORE: "call.answer_call results_desk.confirm_reported",
    "OGC": "players.act_on_player desk.check_in_several messages.mail_links",
    RUN: "players.player_details players.players teams.manage lists_desk.review_lists campaigns.manage_campaign",
    "OGL": "lists_desk.one lists_desk.several",
    JUDGE: """
        clock.press field.send_through players.absent steps.desk_steps
        closed.open_steps_again closed.rule_on_group
        steps.desk_change_steps ruling.withdraw_ruling results_desk.open_again sideboard.open_choices_again
        ruling.take_back_of_team
    """,
    ALL: "staff.leave_staff desk.undo_press",
    "O": "staff.change_role staff.remove_staff staff.withdraw journal.go_back",
})  # fmt: skip
# The verbs that others may use too; every other verb of these is for owners and organisers.
VERBS: dict[str, dict[str, tuple[str, ...]]] = {
    "players.act_on_player": {
        "OGC": ("check-in", "check-in-painted", "check-in-paid", "undo-check-in"),
        PAID: ("paid",),
        MONEY: ("give-back",),
    },
    "desk.check_in_several": {"OGC": ("check-in",), PAID: ("paid",), MONEY: ("give-back",)},
}  # fmt: skip


@pytest.fixture
def staffed(app: Flask, olga: Person, enter: Enter, stage: Stage, event: Event) -> dict[str, Person]:
    """A browser for each role, by role, and the owner of another event as "stranger"; round 1 is in play."""
    enter(event, "Ada", "Bo", "Cy", "Dee")
    begin(stage, event)
    stage.event("Secret Cup", draft=True)
    people = {role.value: let_in(app, stage.hire(event, f"The {role.value}", role)) for role in Role}
    return people | {"stranger": let_in(app, stage.hire(stage.event("Rust Cup"), "A stranger", Role.OWNER))}


def routes(app: Flask, method: str) -> list[tuple[str, str]]:
    found = [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]
    return [(rule.endpoint, rule.rule) for rule in found if is_of_staff(rule.rule)]


def in_turn(names: list[str], number: int, step: int) -> list[str]:
    """Each ``step``-th name, from another one for each ``number``, but at least one."""
    return names[number % min(step, len(names)) :: step]


def allowed(letters: str) -> set[str]:
    return {ROLES[letter].value for letter in letters}


@pytest.mark.proves("attack 7", "attack 13", "ASVS 8.2.1", "ASVS 8.4.1")
@every_nth(4, 1)
def test_each_role_opens_exactly_its_desk_pages_and_strangers_find_no_draft(
    app: Flask, staffed: dict[str, Person], stage: Stage, step: int
) -> None:
    """Of the roles that may open a page, the last in its list requests it; usually roles take turns."""
    wrong, values = [], values_of(stage)
    for number, (endpoint, rule) in enumerate(routes(app, "GET")):
        letters, address = OF_STAFF.get(endpoint, RUN), filled(rule, values)
        for name in in_turn([ROLES[letters[-1]].value, *sorted(staffed.keys() - allowed(letters))], number, step):
            status = staffed[name].ask("GET", address).status_code
            if (status == 403) is (name in allowed(letters)) or status >= 500:
                wrong.append((endpoint, name, status))
        draft = staffed["stranger"].ask("GET", address.replace("iron-open", "secret-cup")).status_code
        wrong += [(endpoint, "stranger", draft)] if draft != 404 else []
    assert wrong == []


@pytest.mark.proves("attack 7", "ASVS 8.2.1")
@every_nth(4, 1)
def test_desk_forms_reject_roles_without_permission(
    app: Flask, staffed: dict[str, Person], stage: Stage, step: int
) -> None:
    wrong, values, before = [], values_of(stage), stage.digest()
    tokens = {name: str(person.open("/sign-in").value("csrf_token")) for name, person in staffed.items()}
    for number, (endpoint, rule) in enumerate(routes(app, "POST")):
        denied = staffed.keys() - allowed(OF_STAFF_POST.get(endpoint, OF_STAFF.get(endpoint, RUN)))
        for name in in_turn(sorted(denied), number, step):
            status = staffed[name].ask("POST", filled(rule, values), {"csrf_token": tokens[name]}).status_code
            if status != 403:
                wrong.append((endpoint, name, status))
    assert wrong == []
    assert stage.digest() == before


@pytest.mark.proves("ASVS 8.2.1")
def test_permission_question_of_each_route_is_as_in_the_tables() -> None:
    def asked(endpoint: str, method: str, verb: str = "check-in") -> str:
        question, event = question_of(endpoint, {"verb": verb}, method), an_event()
        return "".join(letter for letter, role in ROLES.items() if question(STAFF[role.value], event))

    assert set(OF_STAFF) | set(OF_STAFF_POST) <= set(QUESTIONS)
    for endpoint in set(QUESTIONS) - {"desk.readiness_group"}:  # asks one more question of each group
        assert asked(endpoint, "POST") == OF_STAFF_POST.get(endpoint, OF_STAFF.get(endpoint, RUN)), endpoint
        if endpoint in OF_STAFF:
            assert asked(endpoint, "GET") == OF_STAFF[endpoint], endpoint
    assert asked("desk.readiness_group", "GET") == ALL
    for endpoint, verbs in VERBS.items():
        for letters, of_them in verbs.items():
            assert {asked(endpoint, "POST", verb) for verb in of_them} == {letters}
        assert asked(endpoint, "POST", "drop") == RUN
    assert asked("of.nothing.known", "GET") == asked("of.nothing.known", "POST") == "O"


@pytest.mark.proves("ASVS 8.2.3")
def test_scorekeeper_enters_results_and_changes_no_confirmed_one(staffed: dict[str, Person], stage: Stage) -> None:
    event, scorekeeper = stage.one(Event, slug="iron-open"), staffed["scorekeeper"]
    first, second = stage.games(event, 1)
    stage.decide(event, first, 3, 1)
    with stage.unchanged():
        for path in ("", "/absent", "/choose-again"):
            assert scorekeeper.post(f"/e/iron-open/desk/games/{first.id}{path}").status_code == 403, path
    page = scorekeeper.open(f"/e/iron-open/desk/games/{first.id}")
    assert "Only a judge can change this result" in page.text and not page.soup.select("main form")
    scorekeeper.open(f"/e/iron-open/desk/games/{second.id}")
    assert scorekeeper.press("Save", a__objectives="3", b__objectives="1").status in (200, 422)
    if "Please check" in scorekeeper.page.text:
        scorekeeper.press("Save", sure=True)
    assert stage.now(second).state == "confirmed"
    assert "scorekeeper The scorekeeper" in staffed["judge"].open("/e/iron-open/desk/journal").text


def test_pages_show_list_states_only_to_roles_that_read_lists(staffed: dict[str, Person]) -> None:
    desk = "/e/iron-open/desk"
    for name, person in staffed.items():
        states = ("No list" in person.open(f"{desk}/players").part("main"),
                  "submitted" in person.open(f"{desk}/search?show=list&q=Ada").part("#found").lower())  # fmt: skip
        assert states == (name in allowed("OGJL"),) * 2, name
