"""Notices to closed phones: each goes once to the right players; players choose them; lost private links."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from flask import Flask

from events.lists import actions as lists_actions
from events.messages import devices, permits
from events.messages.devices import public_key
from events.messages.dispatching import Sent, send_due
from events.messages.notices import push_ways
from events.messages.push import Pusher
from events.registration import actions as registration_actions
from events.registration import leaving, places
from events.store.errors import Refused
from events.store.notices import notified_of_report, notified_of_round, notify, to_confirm
from models.dispatch import Device, Dispatch, DispatchKind, DispatchState, NoticeOff, Occasion, queued
from models.play import ForceList, Game, GameState, Player, PlayerState, ReportSide
from service.settings import Settings
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.mail_server import Mailbox, mailbox
from tests.kit.people import browser
from tests.kit.person import Person
from tests.kit.push_service import PushService, push_service
from tests.kit.stage import Event, Stage
from tests.kit.writing import deliver, give_mail, mails, notices, write_to

SECRET = "a secret for tests, of enough characters"
LOW, HIGH = {"a.objectives": 1, "b.objectives": 3}, {"a.objectives": 3, "b.objectives": 1}


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as service:
        yield service


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event with Ada, who has a mail address, and Bo, who has none."""
    event = stage.event(players=("Ada", "Bo"))
    give_mail(stage, event, ada(stage))
    return event


def ada(stage: Stage) -> Player:
    return stage.one(Player, name="Ada")


def add(stage: Stage, service: PushService, player: Player, name: str = "") -> Device:
    sent = service.browser(name or player.name)
    with stage.changing() as s:
        return devices.add_device(s, player, **sent, allowed=service.address, now=stage.clock())


def send(stage: Stage, box: Mailbox | None = None, service: PushService | None = None, **mail: object) -> list[str]:
    """One pass of each worker; the states of the notices that they tried, if no other one follows."""
    stage.s.rollback()
    pushed = Sent()
    if service is not None:
        with closing(Pusher(SECRET, "mailto:desk@localhost", service.address)) as pusher:
            ways = push_ways(pusher, box.server(**mail) if box else None)
            pushed = send_due(stage.engine, ways, stage.clock)
    if box is not None:
        kinds = {DispatchKind.NOTICE} | ({DispatchKind.PUSH} if service is None else set())
        pushed += deliver(stage, box, SECRET, kinds, **mail).sent
        del pushed[DispatchKind.PUSH, DispatchState.QUEUED]
    return sorted(state.value for (_, state), number in pushed.items() for _ in range(number))


def notice_to(event: Event, player_id: int | None, about: str, now: datetime) -> Dispatch:
    return queued(DispatchKind.PUSH, now, event_id=event.id, player_id=player_id, occasion=Occasion.PLACE, about=about)


def subjects(box: Mailbox) -> list[str]:
    return [mail["Subject"] for mail in box.arrived]


def test_recipients_of_notices_of_rounds_reports_and_decisions() -> None:
    def game(state: GameState, a: int = 1, b: int | None = 2) -> Game:
        return Game(round_id=1, a_id=a, b_id=b, code="x", notes=[], state=state)

    def player(id_: int, state: PlayerState) -> Player:
        return Player(id=id_, event_id=1, name="", name_key="", state=state, registered_at=datetime.now(UTC))

    here, gone = player(7, PlayerState.CHECKED_IN), player(8, PlayerState.DROPPED)
    reported, decided = game(GameState.REPORTED), game(GameState.CONFIRMED)
    assert notified_of_round([game(GameState.OPEN), game(GameState.OPEN, 3, None)], [here]) == {1, 2, 3}
    assert notified_of_round([], [here, gone]) == {7}, "teams have yet to seat their players"
    assert to_confirm(reported, ReportSide.A, by_sheet=False) == {2}
    assert to_confirm(reported, ReportSide.B, by_sheet=False) == {1}
    assert to_confirm(reported, ReportSide.A, by_sheet=True) == {1, 2}
    assert to_confirm(decided, ReportSide.A, by_sheet=False) == set()
    assert notified_of_report(decided, GameState.DISPUTED, ReportSide.ORGANISER, corrected=False) == {1, 2}
    assert notified_of_report(decided, GameState.CONFIRMED, ReportSide.ORGANISER, corrected=True) == {1, 2}
    assert notified_of_report(decided, GameState.OPEN, ReportSide.ORGANISER, corrected=False) == set()
    assert notified_of_report(decided, GameState.DISPUTED, ReportSide.A, corrected=False) == set()


@pytest.mark.both_at_length
def test_published_round_reaches_phones_once(stage: Stage, event: Event, box: Mailbox, service: PushService) -> None:
    _, bo, *_ = *stage.all(Player), *stage.enter(event, "Cy", "Dee")
    add(stage, service, bo)
    stage.publish(event, 1)
    assert [notice.player_id for notice in notices(stage)] == [ada(stage).id, bo.id], "only those who can be reached"
    assert send(stage, box, service) == ["sent", "sent"]
    assert (box.to, subjects(box)) == (["ada@mail.example"], ["Iron Open: round 1"])
    body = box.arrived[0].get_content().replace("\r\n", "\n")
    assert body.startswith("Hello Ada,\n\nRound 1 is published. Your game: table ")
    assert "https://iron.example/p/" in body
    assert "open Notifications on your page" in body
    ((name, said),) = service.arrived
    assert (name, said["title"], said["page"]) == ("Bo", "Iron Open: round 1", "/e/iron-open/me")
    assert said["body"].startswith("Round 1 is published. Your game: table ")
    assert service.signed_by == devices.public_key(SECRET) != devices.public_key(SECRET + "x")
    assert send(stage, box, service) == []
    with stage.changing(event) as s:
        notify(s, Occasion.ROUND, notices(stage)[0].about, [ada(stage).id, bo.id], stage.clock())
    assert len(notices(stage)) == 2


def test_place_from_the_waiting_list(stage: Stage, box: Mailbox) -> None:
    event = stage.event(places=1)
    people = stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed", here=False)
    give_mail(stage, event, *people)
    stage.do(event, leaving.drop, people[0])
    send(stage, box)
    assert (box.to, subjects(box)) == (["bo@mail.example"], ["Iron Open: you have a place"])
    stage.do(event, leaving.drop, people[1])
    stage.do(event, leaving.drop, people[2])
    assert send(stage, box) == ["failed", "sent"], "Cy left before it was sent"
    stage.set(event, places=None)
    stage.enter(event, "Flo")
    stage.do(event, places.give_places, [people[4]])
    assert send(stage, box) == ["sent"]
    assert box.to[1:] == ["di@mail.example", "ed@mail.example"]


def test_list_sent_back(stage: Stage, event: Event, box: Mailbox) -> None:
    stage.force(event, ada(stage), read_force(PIPER))
    for words in ("No name.", "Still none."):
        stage.do(event, lists_actions.send_back, ada(stage), words, lists_actions.document_mark(stage.one(ForceList)))
        assert send(stage, box) == ["sent"]
        stage.clock.advance(minutes=1)
        stage.do(event, lists_actions.submit_force, ada(stage))
    assert subjects(box) == ["Iron Open: please change your list"] * 2


def test_report_dispute_and_decision(stage: Stage, event: Event, box: Mailbox, service: PushService) -> None:
    (played,) = stage.publish(event, 1)
    a, b = (stage.one(Player, id=id_) for id_ in (played.a_id, played.b_id))
    give_mail(stage, event, a, b)
    add(stage, service, b)
    send(stage, box, service)
    for of_the_round in (box.arrived, box.to, service.arrived):
        del of_the_round[:]
    stage.report(event, played, ReportSide.A, LOW)
    send(stage, box, service)
    assert box.to == [f"{b.name.lower()}@mail.example"], "the opponent alone"
    assert [said["title"] for _, said in service.arrived] == ["Iron Open: please confirm your result"]
    stage.report(event, played, ReportSide.B, HIGH)
    send(stage, box, service)
    assert subjects(box)[1:] == ["Iron Open: the two reports differ"] * 2, "to both players"
    assert service.arrived[1][1]["body"] == (
        "The two reports of your game in round 1 differ. Talk to your opponent, or the organiser decides."
    )
    stage.report(event, played, ReportSide.ORGANISER, LOW)
    send(stage, box, service)
    assert subjects(box)[3:] == ["Iron Open: your game is decided"] * 2
    assert service.arrived[2][1]["body"] == "An organiser decided your game in round 1. Your page shows the result."


def test_notice_that_is_late_or_no_longer_true_is_not_sent(stage: Stage, event: Event, box: Mailbox) -> None:
    give_mail(stage, event, *stage.all(Player))
    (played,) = stage.publish(event, 1)
    stage.clock.advance(hours=3)
    assert send(stage, box) == ["failed", "failed"]
    stage.report(event, played, ReportSide.A, LOW)
    stage.report(event, played, ReportSide.B, LOW)
    assert send(stage, box) == ["failed"], "confirmed before the notice was sent"
    assert box.arrived == []


def test_message_is_pushed_and_mailed_once(stage: Stage, event: Event, box: Mailbox, service: PushService) -> None:
    add(stage, service, ada(stage))
    write_to(stage, event, subject="{name}, lunch is here")
    send(stage, box, service)
    deliver(stage, box, SECRET)
    assert [said["body"] for _, said in service.arrived] == ["Ada, lunch is here"]
    assert subjects(box) == ["Ada, lunch is here"]


def test_notice_waits_to_be_mailed_not_pushed(stage: Stage, event: Event, box: Mailbox, service: PushService) -> None:
    add(stage, service, ada(stage))
    stage.publish(event, 1)
    assert send(stage, box, service, port=1) == ["queued"]
    assert send(stage, box, service) == [], "a minute later"
    stage.clock.advance(minutes=2)
    assert send(stage, box, service) == ["sent"]
    assert (len(box.arrived), len(service.arrived)) == (1, 1)


def test_notice_that_cannot_be_prepared_ends_no_pass(stage: Stage, event: Event, service: PushService) -> None:
    (game,), now = stage.publish(event, 1), stage.clock()
    add(stage, service, ada(stage))
    with stage.changing(event) as s:
        s.add(notice_to(event, game.a_id, "round ²", now))
    with stage.changing(event) as s:
        s.add(notice_to(event, ada(stage).id, "place 1", now))
    assert sorted(send(stage, service=service)) == ["failed", "sent", "sent"]


def test_push_service_that_fails_delays_no_mail(stage: Stage, event: Event, box: Mailbox, service: PushService) -> None:
    add(stage, service, ada(stage))
    service.status["Ada"] = 503
    stage.publish(event, 1)
    assert send(stage, box, service) == ["sent"]
    assert (len(box.arrived), service.arrived) == (1, [])


def test_mails_are_limited_for_one_player_and_for_the_event(stage: Stage, event: Event, box: Mailbox) -> None:
    id_, now = ada(stage).id, stage.clock()
    with stage.changing(event) as s:
        for number in range(permits.NOTICES.most + 2):
            s.add(notice_to(event, id_, f"place {number}", now))
    send(stage, box)
    assert len(box.arrived) == permits.NOTICES.most
    other = stage.event("Rust Cup")
    give_mail(stage, other, *stage.enter(other, "Cy", "Di"))
    stage.publish(other, 1)
    send(stage, box, a_day=1)
    assert len(box.arrived) == permits.NOTICES.most + 1


def test_gone_browser_is_forgotten_and_failing_one_asked_again(
    stage: Stage, event: Event, service: PushService
) -> None:
    service.status |= {"gone": 410, "unknown": 404, "moved": 307}
    for name in ("kept", *service.status):
        add(stage, service, ada(stage), name)
    stage.publish(event, 1)
    assert send(stage, service=service) == ["sent"]
    assert [device.endpoint.rsplit("/", 1)[1] for device in stage.all(Device)] == ["kept", "moved"]
    assert "/push/elsewhere" not in service.asked, "no redirect is followed"
    other = stage.event("Rust Cup")
    cy, _ = stage.enter(other, "Cy", "Di")
    add(stage, service, cy)
    service.status["Cy"] = 503
    stage.publish(other, 1)
    assert send(stage, service=service) == ["queued"]
    service.status.clear()
    stage.clock.advance(minutes=1)
    assert send(stage, service=service) == ["sent"]


def test_player_has_a_few_devices(stage: Stage, event: Event, service: PushService) -> None:
    for number in [*range(7), 6]:
        add(stage, service, ada(stage), f"phone-{number}")
    names = [device.endpoint.rsplit("/", 1)[1] for device in stage.all(Device)]
    assert names == [f"phone-{number}" for number in range(2, 7)]
    stage.do(event, registration_actions.renew_link, ada(stage))
    assert stage.all(Device) == [], "devices that the old link signed in get no notices"


@pytest.mark.proves("attack 49")
def test_push_address_is_https_at_a_named_host(stage: Stage, event: Event, service: PushService) -> None:
    good = service.browser("x")
    cases = [(text, good["p256dh"], good["auth"]) for text in (
        "http://push.example/x", "https://127.0.0.1/x", "https://[::1]/x", "https://localhost/x",
        "https://push.example:22/", "https://user@push.example/x", "ftp://push.example/", "https://push.example/ x",
        "https://2130706433/", "", "https://", "https://push.example/" + "x" * 1000, "http://127.0.0.1:1/x",
        "https://10.0.0.1/",
    )]  # fmt: skip
    cases += [("https://push.example/x", p256dh, auth) for p256dh, auth in
              (("BA" * 40, good["auth"]), (good["p256dh"], "c2hvcnQ"), ("", ""), ("é", "é"))]  # fmt: skip
    for case in cases:
        with pytest.raises(Refused), stage.changing() as s:
            devices.add_device(s, ada(stage), *case, service.address, stage.clock())
    assert stage.all(Device) == []


NOTICES, LOST = "/e/iron-open/me/notices", "/e/iron-open/lost-link"
BROWSER = PushService(address="https://push.example").browser("ada")


@pytest.fixture
def settings(settings: Settings, box: Mailbox) -> Settings:
    return replace(settings, mail=box.server(), public="https://localhost", hosts=frozenset({"localhost"}))


@pytest.fixture
def phones(app: Flask, stage: Stage, event: Event, link_of: Callable[[Player], str]) -> list[Person]:
    return [browser(app, link_of, player) for player in stage.all(Player)]


def test_player_chooses_notifications(phones: list[Person], stage: Stage, event: Event) -> None:
    ada, bo = phones
    assert "Notifications on your phone or by mail" in ada.open("/e/iron-open/me").text
    page = ada.open(NOTICES)
    assert page.value("wanted") == ["round", "place", "moved", "list_back", "confirm", "answer"]
    for wanted in (["round", "answer"], ["place", "confirm"]):
        assert ada.press("Save", wanted=wanted).flashes == "Saved."
        assert ada.open(NOTICES).value("wanted") == wanted
    assert {notice_off.occasion.value for notice_off in stage.all(NoticeOff)} == {
        "round",
        "moved",
        "list_back",
        "answer",
    }
    stage.publish(event, 1)
    assert notices(stage) == []
    assert bo.open(NOTICES).value("wanted") == ["round", "place", "moved", "list_back", "confirm", "answer"]


def test_device_is_added_and_removed(phones: list[Person], stage: Stage, event: Event, settings: Settings) -> None:
    ada, bo = phones
    assert ada.open(NOTICES).soup.select_one("form[data-push]")["data-push"] == public_key(settings.secret)  # type: ignore[index]
    assert ada.post("/e/iron-open/me/devices", **BROWSER).status_code == 302
    assert ada.post("/e/iron-open/me/devices", endpoint="https://10.0.0.1/x", p256dh="x", auth="x").status_code == 422
    (device,) = stage.all(Device)
    assert BROWSER["endpoint"] not in ada.open(NOTICES).response.text, "a secret, also on the page"
    assert bo.post(f"/e/iron-open/me/devices/{device.id}/remove").status_code == 302
    assert len(stage.all(Device)) == 1, "of another player"
    assert ada.press("Remove").flashes == "Removed: that device gets no more notifications."
    assert stage.all(Device) == []
    ada.post("/e/iron-open/me/devices", **BROWSER)
    ada.press("Sign out on this device", at="/e/iron-open/me")
    assert stage.all(Device) == [], "who signs out gets no more notifications"


def test_mail_server_that_cannot_be_reached_is_asked_once_in_a_pass(
    stage: Stage, event: Event, settings: Settings
) -> None:
    with mailbox() as closed:
        pass
    with stage.changing() as s:
        s.add_all(
            queued(DispatchKind.LINKS, stage.clock(), event_id=event.id, mail="ada@mail.example") for _ in range(3)
        )
    deliver(stage, closed, settings.secret, {DispatchKind.LINKS})
    assert sorted(request.attempts for request in mails(stage, DispatchKind.LINKS)) == [0, 0, 1]


@pytest.mark.proves("attack 57")
def test_lost_link_is_mailed_to_the_address_on_file(
    visitor: Person, stage: Stage, event: Event, box: Mailbox, settings: Settings
) -> None:
    assert "Registered already? Send my link again" in visitor.open("/e/iron-open").text
    assert "Send it again by mail" in visitor.open("/e/iron-open/me").text
    answers = []
    for typed in ("ada@mail.example", "eve@mail.example"):
        answers.append(visitor.press("Send my link", at=LOST, mail=typed).text)
        assert stage.journal(event, "mail-link") == [], "nothing is looked up while the visitor waits"
    assert answers[0] == answers[1]
    assert "If this address is registered, its link is on the way." in answers[0]
    before = stage.now(event).version
    stage.s.rollback()
    deliver(stage, box, settings.secret, {DispatchKind.LINKS})
    assert (mails(stage, DispatchKind.LINKS), stage.now(event).version) == ([], before), (
        "known or not, no event changes"
    )
    assert (box.to, stage.journal(event, "mail-link")) == (["ada@mail.example"], [])
    assert "https://iron.example/p/" in box.arrived[0].get_content()


def test_lost_links_need_an_address_and_are_limited(
    visitor: Person, stage: Stage, event: Event, box: Mailbox, settings: Settings
) -> None:
    stage.event("Rust Cup")
    assert visitor.open("/e/rust-cup/lost-link").status == 404, "this event takes no addresses"
    form = visitor.open(LOST)
    for typed in ("", "ada"):
        page = visitor.press("Send my link", mail=typed)
        assert (page.status, bool(page.error_at("mail"))) == (422, True)
    assert mails(stage, DispatchKind.LINKS) == []
    for number in range(21):
        visitor.page = form
        assert visitor.press("Send my link", mail="ADA@mail.example").status == (200 if number < 20 else 429)
    stage.s.rollback()
    deliver(stage, box, settings.secret, {DispatchKind.LINKS})
    assert len(box.arrived) == permits.ASKED.most, "the most to one mailbox within a day"
