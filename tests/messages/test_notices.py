"""Notices that reach a closed phone: who hears of what, by mail and by push, once."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest

from events.lists import actions as lists_actions
from events.messages import devices
from events.messages.delivery import LOST_AFTER
from events.messages.notices import Channels, send_notices, take_next
from events.messages.push import Pusher, is_public
from events.play.errors import Refused
from events.play.journal import answered, notify, seated, to_confirm
from events.registration import actions as registration_actions
from models.message import MailState
from models.notice import Device, Notice, Occasion
from models.play import ForceList, Game, GameState, Player, PlayerState, ReportSide
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.mail_server import Mailbox
from tests.kit.push_service import PushService, push_service
from tests.kit.stage import BY, Stage
from tests.kit.writing import deliver, give_mail, write_to

SECRET = "a secret for tests, of enough characters"
LOW, HIGH = {"a.objectives": 1, "b.objectives": 3}, {"a.objectives": 3, "b.objectives": 1}


@pytest.fixture(scope="module")
def pushes() -> Iterator[PushService]:
    """One push service for this file's tests."""
    with push_service() as service:
        yield service


@pytest.fixture
def service(pushes: PushService) -> PushService:
    """The push service without pushes of earlier tests."""
    pushes.arrived.clear()
    pushes.asked.clear()
    pushes.status.clear()
    return pushes


def add(stage: Stage, service: PushService, player: Player, name: str = "") -> Device:
    """Notify the player on one more browser."""
    with stage.changing() as s:
        sent = service.browser(name or player.name)
        return devices.add_device(
            s, player, sent["endpoint"], sent["p256dh"], sent["auth"], service.address, stage.clock()
        )


def send(stage: Stage, box: Mailbox | None = None, service: PushService | None = None, **mail: object) -> list[str]:
    """One pass of the worker; the states of the notices that it tried."""
    stage.s.rollback()
    channels = Channels(SECRET, box.server(**mail) if box else None, service is not None)
    if service is not None:
        channels = replace(channels, allowed=service.address)
    return [one.state.value for one in send_notices(stage.engine, channels, stage.clock)]


def text_of(box: Mailbox, address: str) -> EmailMessage:
    """The only mail to this address."""
    (mail,) = [mail for mail, to in zip(box.arrived, box.to, strict=True) if to == address]
    return mail


# ---- who hears of what


def game(state: GameState, a: int = 1, b: int | None = 2) -> Game:
    return Game(round_id=1, a_id=a, b_id=b, code="x", notes=[], state=state)


def player(id_: int, state: PlayerState) -> Player:
    return Player(id=id_, event_id=1, name="", name_key="", state=state, registered_at=datetime.now(UTC))


def test_who_hears_of_a_round() -> None:
    here = player(7, PlayerState.CHECKED_IN)
    gone = player(8, PlayerState.DROPPED)
    assert seated([game(GameState.OPEN), game(GameState.OPEN, 3, None)], [here]) == {1, 2, 3}
    assert seated([], [here, gone]) == {7}, "teams have yet to seat their players"


def test_who_has_to_confirm() -> None:
    reported = game(GameState.REPORTED)
    assert to_confirm(reported, ReportSide.A, by_sheet=False) == {2}
    assert to_confirm(reported, ReportSide.B, by_sheet=False) == {1}
    assert to_confirm(reported, ReportSide.A, by_sheet=True) == {1, 2}
    assert to_confirm(game(GameState.CONFIRMED), ReportSide.A, by_sheet=False) == set()


def test_who_hears_of_a_decision() -> None:
    decided = game(GameState.CONFIRMED)
    assert answered(decided, GameState.DISPUTED, ReportSide.ORGANISER, corrected=False) == {1, 2}
    assert answered(decided, GameState.CONFIRMED, ReportSide.ORGANISER, corrected=True) == {1, 2}
    assert answered(decided, GameState.OPEN, ReportSide.ORGANISER, corrected=False) == set()
    assert answered(decided, GameState.DISPUTED, ReportSide.A, corrected=False) == set()


# ---- the five occasions, by mail and by push


@pytest.mark.both_databases
def test_published_round_reaches_closed_phones_once(
    stage: Stage, box: Mailbox, service: PushService, database_url: str
) -> None:
    event = stage.event()
    ada, bo, _, _ = stage.enter(event, "Ada", "Bo", "Cy", "Dee")
    give_mail(stage, event, ada)
    add(stage, service, bo)
    stage.publish(event, 1)
    assert [one.player_id for one in stage.all(Notice)] == [ada.id, bo.id], "only those who can be reached"
    assert send(stage, box, service) == ["sent", "sent"]
    mail = text_of(box, "ada@mail.example")
    assert mail["Subject"] == "Iron Open: round 1"
    body = mail.get_content().replace("\r\n", "\n")
    assert body.startswith("Hello Ada,\n\nRound 1 is published. Your game: table ")
    assert "https://iron.example/p/" in body
    assert "open Notifications on your page" in body
    ((name, said),) = service.arrived
    assert (name, said["title"], said["page"]) == ("Bo", "Iron Open: round 1", "/e/iron-open/me")
    assert said["body"].startswith("Round 1 is published. Your game: table ")
    assert service.signed_by == devices.public_key(SECRET)
    assert send(stage, box, service) == []
    with stage.changing(event) as s:
        notify(s, Occasion.ROUND, stage.all(Notice)[0].about, [ada.id, bo.id], stage.clock())
    assert len(stage.all(Notice)) == 2


def test_place_from_the_waiting_list(stage: Stage, box: Mailbox) -> None:
    event = stage.event(places=1)
    ada, bo, cy = stage.enter(event, "Ada", "Bo", "Cy", here=False)
    give_mail(stage, event, ada, bo, cy)
    stage.do(event, registration_actions.drop, ada)
    send(stage, box)
    assert box.to == ["bo@mail.example"]
    assert box.arrived[0]["Subject"] == "Iron Open: you have a place"
    stage.do(event, registration_actions.drop, bo)
    stage.do(event, registration_actions.drop, cy)
    assert send(stage, box) == ["failed"], "Cy left before it was sent"


def test_places_given_to_several_players(stage: Stage, box: Mailbox) -> None:
    event = stage.event(places=1)
    _, bo, cy = stage.enter(event, "Ada", "Bo", "Cy", here=False)
    give_mail(stage, event, bo, cy)
    with stage.changing(event) as s:
        s.merge(event).places = None
        registration_actions.give_places(s, event, [bo, cy], BY, stage.clock())
    send(stage, box)
    assert sorted(box.to) == ["bo@mail.example", "cy@mail.example"]


def test_list_sent_back(stage: Stage, box: Mailbox) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    give_mail(stage, event, ada)
    stage.force(event, ada, read_force(PIPER))
    for words in ("No name.", "Still none."):
        force = stage.one(ForceList)
        stage.do(event, lists_actions.send_back, ada, words, lists_actions.mark_of(force))
        assert send(stage, box) == ["sent"]
        stage.clock.advance(minutes=1)
        with stage.changing(event) as s:
            lists_actions.submit_force(s, event, ada, "Ada", stage.clock())
    assert [mail["Subject"] for mail in box.arrived] == ["Iron Open: please change your list"] * 2


def test_report_dispute_and_decision(stage: Stage, box: Mailbox, service: PushService) -> None:
    event = stage.event()
    ada, bo = stage.enter(event, "Ada", "Bo")
    (played,) = stage.publish(event, 1)
    by_id = {ada.id: ada, bo.id: bo}
    a, b = by_id[played.a_id], by_id[played.b_id or 0]
    give_mail(stage, event, a, b)
    add(stage, service, b)
    stage.report(event, played, ReportSide.A, LOW)
    send(stage, box, service)
    assert box.to == [f"{b.name.lower()}@mail.example"], "the opponent alone"
    assert [said["title"] for _, said in service.arrived] == ["Iron Open: please confirm your result"]
    stage.report(event, played, ReportSide.B, HIGH)
    assert send(stage, box, service) == []
    stage.report(event, played, ReportSide.ORGANISER, LOW)
    send(stage, box, service)
    assert [mail["Subject"] for mail in box.arrived[1:]] == ["Iron Open: your game is decided"] * 2
    assert service.arrived[1][1]["body"] == "An organiser decided your game in round 1. Your page shows the result."


def test_result_confirmed_before_the_notice_was_sent(stage: Stage, box: Mailbox) -> None:
    event = stage.event()
    ada, bo = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event, ada, bo)
    (played,) = stage.publish(event, 1)
    send(stage, box)
    stage.report(event, played, ReportSide.A, LOW)
    stage.report(event, played, ReportSide.B, LOW)
    assert send(stage, box) == ["failed"]
    assert len(box.arrived) == 2, "those of the round"


def test_message_is_pushed_and_mailed_once(stage: Stage, box: Mailbox, service: PushService) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    give_mail(stage, event, ada)
    add(stage, service, ada)
    write_to(stage, event, subject="{name}, lunch is here")
    send(stage, box, service)
    deliver(stage, box, SECRET)
    assert [said["body"] for _, said in service.arrived] == ["Ada, lunch is here"]
    assert [mail["Subject"] for mail in box.arrived] == ["Ada, lunch is here"]


# ---- switched off, late, lost, limited


def test_player_switches_an_occasion_off(stage: Stage) -> None:
    event = stage.event()
    ada, _ = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event, ada)
    with stage.changing() as s:
        devices.switch(s, ada, {Occasion.CONFIRM})
    stage.publish(event, 1)
    assert stage.all(Notice) == []
    assert devices.switched_off(stage.s, ada) == {*Occasion} - {Occasion.CONFIRM}
    with stage.changing() as s:
        devices.switch(s, ada, {*Occasion})
    assert devices.switched_off(stage.s, ada) == set()


def test_late_notice_is_not_sent(stage: Stage, box: Mailbox) -> None:
    event = stage.event()
    ada, _ = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event, ada)
    stage.publish(event, 1)
    stage.clock.advance(hours=3)
    assert send(stage, box) == ["failed"]
    assert box.arrived == []


def test_notice_waits_for_the_mail_server_but_is_pushed_once(stage: Stage, box: Mailbox, service: PushService) -> None:
    event = stage.event()
    ada, _ = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event, ada)
    add(stage, service, ada)
    stage.publish(event, 1)
    assert send(stage, box, service, port=1) == ["queued"]
    assert send(stage, box, service) == [], "a minute later"
    stage.clock.advance(minutes=2)
    assert send(stage, box, service) == ["sent"]
    assert (len(box.arrived), len(service.arrived)) == (1, 1)


def test_notice_of_a_stopped_worker_is_not_sent_again(stage: Stage, box: Mailbox) -> None:
    event = stage.event()
    ada, _ = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event, ada)
    stage.publish(event, 1)
    with stage.changing() as s:
        assert take_next(s, stage.clock()) is not None
        assert take_next(s, stage.clock()) is None, "one worker takes it"
    stage.clock.now += LOST_AFTER * 2
    assert send(stage, box) == []
    assert [one.state for one in stage.all(Notice)] == [MailState.UNSURE]


def test_mails_to_one_player_are_limited(stage: Stage, box: Mailbox) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    give_mail(stage, event, ada)
    for number in range(25):
        with stage.changing(event) as s:
            s.add(
                Notice(
                    player_id=ada.id, occasion=Occasion.PLACE, about=f"place {number}", at=stage.clock(),
                    next_try=stage.clock(),
                )
            )  # fmt: skip
    send(stage, box)
    assert len(box.arrived) == 20
    assert send(stage, box, a_day=3) == []


def test_notices_count_in_the_limit_of_the_event(stage: Stage, box: Mailbox) -> None:
    event = stage.event()
    ada, bo = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event, ada, bo)
    stage.publish(event, 1)
    send(stage, box, a_day=1)
    assert len(box.arrived) == 1


# ---- devices


def test_browser_that_is_gone_is_forgotten(stage: Stage, service: PushService) -> None:
    event = stage.event()
    ada, _ = stage.enter(event, "Ada", "Bo")
    for name, status in (("kept", 201), ("gone", 410), ("unknown", 404), ("moved", 307)):
        add(stage, service, ada, name)
        service.status[name] = status
    stage.publish(event, 1)
    assert send(stage, service=service) == ["sent"]
    assert [one.endpoint.rsplit("/", 1)[1] for one in stage.all(Device)] == ["kept", "moved"]
    assert "/push/elsewhere" not in service.asked, "no redirect is followed"


def test_push_service_that_fails_is_asked_again(stage: Stage, service: PushService) -> None:
    event = stage.event()
    ada, _ = stage.enter(event, "Ada", "Bo")
    add(stage, service, ada)
    service.status["Ada"] = 503
    stage.publish(event, 1)
    assert send(stage, service=service) == ["queued"]
    service.status.clear()
    stage.clock.advance(minutes=1)
    assert send(stage, service=service) == ["sent"]


def test_player_has_a_few_devices(stage: Stage, service: PushService) -> None:
    event = stage.event()
    ada, bo = stage.enter(event, "Ada", "Bo")
    for number in [*range(7), 6]:
        add(stage, service, ada, f"phone-{number}")
    names = [one.endpoint.rsplit("/", 1)[1] for one in stage.all(Device)]
    assert names == [f"phone-{number}" for number in range(2, 7)]
    with stage.changing() as s:
        devices.remove_device(s, bo, stage.all(Device)[0].id)
    assert len(stage.all(Device)) == 5, "another player’s stays"
    stage.do(event, registration_actions.renew_link, ada)
    assert stage.all(Device) == [], "devices that the old link signed in get no notices"


@pytest.mark.proves("attack 49")
def test_push_address_is_https_at_a_named_host(stage: Stage, service: PushService) -> None:
    (ada,) = stage.enter(stage.event(), "Ada")
    good = service.browser("x")
    cases = [(one, good["p256dh"], good["auth"]) for one in (
        "http://push.example/x", "https://127.0.0.1/x", "https://[::1]/x", "https://localhost/x",
        "https://push.example:22/", "https://user@push.example/x", "ftp://push.example/", "https://push.example/ x",
        "https://2130706433/", "", "https://", "https://push.example/" + "x" * 1000, "http://127.0.0.1:1/x",
        "https://10.0.0.1/",
    )]  # fmt: skip
    cases += [("https://push.example/x", p256dh, auth) for p256dh, auth in
              (("BA" * 40, good["auth"]), (good["p256dh"], "c2hvcnQ"), ("", ""), ("é", "é"))]  # fmt: skip
    for address, p256dh, auth in cases:
        allowed = service.address if auth == good["auth"] and p256dh == good["p256dh"] else ""
        with pytest.raises(Refused), stage.changing() as s:
            devices.add_device(s, ada, address, p256dh, auth, allowed, stage.clock())
    assert stage.all(Device) == []


@pytest.mark.proves("attack 49")
def test_only_public_addresses_are_called(stage: Stage, service: PushService) -> None:
    local = ("127.0.0.1", "10.1.2.3", "192.168.1.1", "172.16.0.9", "169.254.169.254", "100.64.0.1", "0.1.2.3",
             "::1", "fe80::1", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "224.0.0.1",
             "ff02::1")  # fmt: skip
    assert [one for one in local if is_public(one)] == []
    assert is_public("8.8.8.8")
    assert is_public("2606:4700:4700::1111")
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    device = add(stage, service, ada)
    for address in ("https://localhost.localdomain/x", service.browser("x")["endpoint"]):
        device.endpoint = address
        pusher = Pusher(SECRET, "mailto:desk@localhost")
        answer = pusher.send(device, {"title": "x"}, LOST_AFTER, stage.clock()).value
        assert answer in ("never", "later"), "never, or no such name here"
    assert service.asked == []


def test_key_is_the_same_on_every_host() -> None:
    assert devices.public_key(SECRET) == devices.public_key("".join(SECRET))
    assert devices.public_key(SECRET) != devices.public_key(SECRET + "x")
    assert len(devices.public_key(SECRET)) == 87
