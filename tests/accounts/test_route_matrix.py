"""Every route, and the status that it answers to a visitor, a player, a player of another event, and the organiser.

A new route fails this test until its row says who may use it.
"""

from collections.abc import Mapping

import pytest
from flask import Flask

from events.accounts.access import is_of_staff
from events.accounts.staff_routes import QUESTIONS
from tests.kit.person import Person
from tests.kit.routes import addresses, filled, rules, values_of
from tests.kit.stage import Stage


def table(rows: Mapping[str, str]) -> dict[str, str]:
    """The four statuses by rule; a rule without a leading slash belongs to an event."""
    return {
        rule if rule.startswith("/") else f"/e/<slug>/{rule}": statuses
        for statuses, found in rows.items()
        for rule in found.split()
    }


# By the four statuses. The event is in progress: round 1 is published, the lists are shown, a game is unreported.

GET = table(
    {
        "200 200 200 200": """
        / /api/v1/rules/<game:system_id>/<calculator_id> /e/<slug> hall hall/<view> hall/<view>/version hall/version
        lists pack.pdf plan.pdf scenarios.pdf players.csv players/<int:player_id>
        players/<int:player_id>/force.<format_id> players/<int:player_id>/force.json players/<int:player_id>/force.pdf
        players/<int:player_id>/sealed/<sha256> rounds/<int:number> rounds/<int:number>/pairings.json
        rounds/<int:number>/round.csv rounds/<int:number>/pairings.pdf scenarios/<scenario_id> standings standings.csv
        standings.pdf version standings.trf /g /healthz /readyz /rules/<game:system_id>
        /rules/<game:system_id>/<calculator_id> /rules/<game:system_id>/editions/<edition_id>
        /rules/<game:system_id>/editions/<edition_id>/file.json /sign-in /static/<path:filename> /verify /worker.js
        app.webmanifest
    """,
        "403 200 403 200": "games/<int:game_id>",
        "403 200 403 403": "me me/game me/journal me/link me/mail me/notices me/votes",
        "403 403 403 200": """
        /desk/archive-in /desk/editions /desk/editions/<game:system_id>/new /desk/new /desk/scenarios
        /desk/scenarios/<game:system_id>/<scenario_id>.json /desk/scenarios/<game:system_id>/new desk desk/archive
        desk/archive.json desk/awards desk/badges.pdf desk/cut desk/door desk/ready/<key> desk/search
        desk/cancel desk/delete /desk/copy/<slug>
        desk/clock desk/games/<int:game_id> desk/journal desk/journal.csv desk/journal.jsonl
        desk/journal/<int:change_set_id> desk/kept-apart desk/lists desk/lists/<int:player_id> desk/lists/missing
        desk/messages desk/messages/<int:message_id> desk/messages/new desk/pairing desk/meeting desk/players
        desk/players.csv desk/players/<int:player_id> desk/players/<int:player_id>/mail
        desk/players/<int:player_id>/force desk/print
        desk/check-in.pdf desk/forces.pdf desk/list-check.pdf desk/table-numbers.pdf desk/rounds/<int:number>
        desk/rounds/<int:number>/entry desk/rounds/<int:number>/exchange desk/rounds/<int:number>/pack.pdf
        desk/rounds/<int:number>/pack.zip desk/rounds/<int:number>/results desk/rounds/<int:number>/second-pass
        desk/look desk/restrictions desk/rulings desk/soft desk/settings desk/staff desk/undo desk/ways-back
        desk/poster.pdf desk/door/<int:player_id> desk/self-check-in
        desk/rounds/<int:number>/blank-sheets.pdf rounds/<int:number>/scoresheets.pdf rounds/<int:number>/setup.pdf
    """,
        # no such row here: no sideboard, team, award, painting or knockout, no game that is over
        "403 403 403 404": """
        /desk/scenarios/<game:system_id>/<scenario_id> desk/awards/certificates.pdf
        desk/games/<int:game_id>/fielded/<int:player_id> desk/teams.pdf desk/painting/<int:player_id> desk/seeding
        desk/staff/invitations/<int:invitation_id> desk/teams desk/teams/<int:team_id>
        desk/rounds/<int:number>/records.pdf desk/season desk/season/games/<int:game_id>
        desk/campaign desk/campaign/<int:player_id>
    """,
        "403 404 403 403": "me/fielded",  # no sideboard here
        "403 404 403 404": "games/<int:game_id>/sheet.pdf",  # the game is not over
        "403 403 403 403": "me/answers",  # no questions here
        "404 404 404 200": "awards",  # not published
        # nothing of the kind here, or a link that nobody has opened; /metrics is off
        "404 404 404 404": """
        /series/<slug> season campaign campaign/groups/<int:player_id> me/campaign
        campaign/book.pdf campaign/groups/<int:player_id>/roster.pdf
        bracket crosstable me/boards meeting meeting.pdf /mail /mail/<token> standings/teams standings/teams.pdf teams
        cover/<digest>.jpg /accent/<colour>.css lost-link
        teams/<int:team_id> /metrics /i/<token> /invitation /set-up /p/<token> /switch-player /set-up/<token>
    """,
        "404 302 404 404": "games/<int:game_id>/report",  # nobody here has opened its sheet
        "302 302 302 200": "/account /desk /account/second-factor",
        "302 302 302 302": "/g/<code> /sign-in/code badge/<int:player_id> tables/<int:number>",
        "403 302 403 403": "me/force register",
        # a published round has no draft to compare; the lists are locked
        "403 403 403 302": "desk/rounds/<int:number>/compare desk/lists/lock",
    }
)
# Posted with nothing but a token, in this order. 302: done, or refused with a message.
POST = table(
    {
        "200 200 200 200": "/g",
        "403 403 403 200": "desk/door desk/lists desk/lists/<int:player_id> desk/players",
        "403 403 403 403": "me/answers me/votes",  # nothing asked, nothing to vote for
        # no such row or verb, or the form does not say which
        "403 403 403 404": """
        desk/lists/several/<verb> desk/season/draw desk/season/start desk/season/games/<int:game_id>
        desk/campaign desk/campaign/<int:player_id> desk/campaign/<int:player_id>/<verb>
        /desk/editions/<game:system_id>/<edition_id>/remove /desk/scenarios/<game:system_id>/<scenario_id>
        /desk/scenarios/<game:system_id>/<scenario_id>/remove desk/awards desk/awards/<int:award_id>/<verb>
        desk/awards/<verb> desk/presses/<int:entry_id>/undo desk/announcements/<int:announcement_id>/take-back
        desk/clock/<int:round_number>/<verb> desk/games/<int:game_id>/absent desk/rounds/<int:number>/entry
        desk/rounds/<int:number>/second-pass desk/kept-apart/<int:pair_id>/remove
        desk/games/<int:game_id>/fielded/<int:player_id> desk/pairing desk/meeting/<verb> desk/players/selected/<verb>
        desk/rounds/<int:number>/close-choice desk/rounds/<int:number>/swap-teams desk/teams desk/teams/<int:team_id>
        desk/teams/<int:team_id>/<verb> desk/painting/<int:player_id> desk/soft/<verb>
        desk/rulings/<int:ruling_id>/take-back desk/rulings/of-teams/<int:ruling_id>/take-back desk/seeding
        desk/staff/<int:staff_id>/role desk/settings
    """,
        # an empty form
        "403 403 403 422": """
        desk/cancel desk/delete /desk/copy/<slug>
        /desk/archive-in /desk/editions/<game:system_id>/new /desk/new /desk/scenarios
        /desk/scenarios/<game:system_id>/new desk/announcements desk/clock desk/games/<int:game_id>
        desk/games/<int:game_id>/through desk/kept-apart desk/undo desk/messages/new desk/rounds/<int:number>/exchange
        desk/restrictions desk/rulings
    """,
        "403 404 403 403": "me/devices me/fielded",
        "403 422 403 403": "me/game",
        "404 404 404 404": """
        me/campaign me/campaign/<verb>
        me/season/<int:game_id> me/season/challenge me/season/<int:game_id>/<verb> me/boards lost-link /mail
        /switch-player /invitation /set-up
    """,
        "422 422 422 422": "/sign-in /verify",
        "404 302 404 404": "games/<int:game_id>/report",
        "200 302 200 200": "/g/<code>",
        "302 302 302 302": "/account/second-factor/off /sign-in/code",
        "302 302 302 422": "/account/second-factor /account",
        "403 302 403 403": """
        me/devices/<int:device_id>/remove me/force me/here me/judge me/notices me/mail me/mail/stay me/messages
        me/leave register
    """,
        "403 403 403 302": """
        desk/self-check-in desk/games/<int:game_id>/call
        desk/players/<int:player_id>/mail desk/cut desk/ready/<verb> desk/finish desk/listing desk/take-place
        desk/games/<int:game_id>/choose-again
        desk/games/<int:game_id>/confirm desk/games/<int:game_id>/open-again desk/second-pass
        desk/ways-back/<int:point_id> desk/messages desk/messages/<int:message_id>/again desk/open-registration
        desk/players/<int:player_id> desk/players/<int:player_id>/<verb> desk/players/<int:player_id>/byes
        desk/players/<int:player_id>/force desk/players/<int:player_id>/mail-link
        desk/reopen desk/rounds/<int:number>/discard desk/rounds/<int:number>/draw desk/rounds/<int:number>/publish
        desk/look desk/rounds/<int:number>/adopt desk/rounds/<int:number>/lock desk/rounds/<int:number>/swap
        desk/rounds/<int:number>/scenario desk/rounds/<int:number>/table desk/rounds/<int:number>/undo desk/staff
        desk/staff/<int:staff_id>/remove desk/staff/invitations/<int:invitation_id>/withdraw desk/leave
    """,
        # These end what the others need: a session, the player, the round.
    }
) | table(
    {
        "403 403 403 302": "desk/rounds/<int:number>/unpublish",
        "403 302 403 403": "me/forget",
        "302 302 302 302": "/sign-out /account/others",
    }
)


@pytest.mark.proves("ASVS 8.1.1", "ASVS 8.2.1")
def test_every_route_has_its_row(app: Flask) -> None:
    assert set(rules(app, "GET")) == set(GET)
    assert set(rules(app, "POST")) == set(POST)
    assert {method for rule in app.url_map.iter_rules() for method in rule.methods or ()} == {
        "GET", "HEAD", "OPTIONS", "POST",
    }  # fmt: skip


def test_every_route_of_the_staff_asks_a_permission_question(app: Flask) -> None:
    of_staff = {rule.endpoint for rule in app.url_map.iter_rules() if is_of_staff(rule.rule)}
    assert of_staff == set(QUESTIONS), "events/accounts/staff_routes.py names each"


@pytest.mark.postgres  # every page's statements; on SQLite each page has tests of its own
@pytest.mark.proves("ASVS 8.2.1", "ASVS 8.3.1", "attack 26", "ASVS 3.5.3")
def test_reading_is_allowed_by_the_table_and_changes_nothing(four_people: list[Person], stage: Stage) -> None:
    before, olga, answered = stage.digest(), four_people[-1], {}
    for rule, address in addresses(GET, stage).items():
        visitor = four_people[0].ask("GET", address).status_code
        same_file = visitor == 200 and address.endswith((".pdf", ".csv", ".trf", ".json"))
        others = [visitor if same_file else person.ask("GET", address).status_code for person in four_people[1:]]
        answered[rule] = " ".join(map(str, [visitor, *others]))
    assert answered == GET
    for method in ("GET", "HEAD", "OPTIONS"):
        for address in addresses(POST, stage).values():
            olga.ask(method, address)
    assert stage.digest() == before


@pytest.mark.both_at_length
@pytest.mark.proves("ASVS 8.2.1", "ASVS 8.3.1")
def test_changing_is_allowed_by_the_table_and_a_refusal_changes_nothing(
    four_people: list[Person], stage: Stage
) -> None:
    tokens = [str(person.open("/sign-in").value("csrf_token")) for person in four_people]
    answered: dict[str, list[str]] = {rule: [] for rule in POST}
    before, values = stage.digest(), values_of(stage)
    for place, (person, token) in enumerate(zip(four_people, tokens, strict=True)):
        for rule, statuses in POST.items():
            may_change = statuses.split()[place] in ("200", "302")
            assert not may_change or stage.digest() == before, f"a refused form before {rule} changed something"
            status = person.ask("POST", filled(rule, values), {"csrf_token": token}).status_code
            answered[rule].append(str(status))
            if may_change:
                before, values = stage.digest(), values_of(stage)
    assert stage.digest() == before
    assert {rule: " ".join(statuses) for rule, statuses in answered.items()} == POST


@pytest.mark.proves("attack 26", "ASVS 3.5.1")
def test_form_without_a_token_of_its_own_browser_changes_nothing(four_people: list[Person], stage: Stage) -> None:
    visitor, ada, stranger, olga = four_people
    of_visitor = {"csrf_token": str(visitor.open("/sign-in").value("csrf_token"))}
    made_up, empty = {"csrf_token": "made-up"}, {"csrf_token": ""}
    before = stage.digest()

    def refused(person: Person, address: str, data: dict[str, str]) -> None:
        answer = person.ask("POST", address, data)
        assert (answer.status_code, "This form is out of date" in answer.text) == (400, True), (address, data)

    for address in addresses(POST, stage).values():
        refused(visitor, address, {})
        refused(olga, address, of_visitor)
    for person in (ada, stranger, olga):
        for forged in ({}, empty, made_up):
            for path in ("me/leave", "desk/players/1/drop"):
                refused(person, f"/e/iron-open/{path}", forged)
    assert stage.digest() == before
