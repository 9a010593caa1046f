"""Mails, notices and the pages of players: each in the language of whoever reads it."""

import pytest

from events.messages import actions as messages_actions
from events.messages.queries import language_of
from models.message import Message
from models.play import Player
from tests.kit.mail_server import Mailbox
from tests.kit.people import Links
from tests.kit.person import Person
from tests.kit.pseudo import CODE, offer_pseudo
from tests.kit.stage import Event, Stage
from tests.kit.writing import ALL_MAILS, deliver, give_mail

SECRET = "a secret for tests, of enough characters"


@pytest.fixture(autouse=True)
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    offer_pseudo(monkeypatch)


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event with Ada, who reads the pretend language, and Bo, who has chosen none."""
    event = stage.event(players=("Ada", "Bo"))
    give_mail(stage, event, *players(stage))
    stage.set(event, players(stage)[0], language=CODE)
    return event


def players(stage: Stage) -> tuple[Player, Player]:
    return stage.one(Player, name="Ada"), stage.one(Player, name="Bo")


def arrived(box: Mailbox) -> list[tuple[str, str]]:
    """Subject and text of each mail, by address."""
    mails = sorted(box.arrived, key=lambda mail: str(mail["To"]))
    return [(mail["Subject"], mail.get_content().replace("\r\n", "\n")) for mail in mails]


def test_notices_are_worded_for_each_recipient(stage: Stage, event: Event, box: Mailbox) -> None:
    stage.publish(event, 1)
    stage.s.rollback()
    deliver(stage, box, SECRET, ALL_MAILS)
    (subject, text), (plain_subject, plain) = arrived(box)
    assert subject.startswith("⟦Iron Open: round 1 ~")
    assert text.startswith("⟦Hello Ada,\n\n⟦Round 1 is published. Your game: ⟦table 1, against Bo ~")
    assert "⟦You get this because this address was given for Iron Open. ~" in text
    assert "⟦To stop some or all of these mails" in text
    assert plain_subject == "Iron Open: round 1"
    assert plain.startswith("Hello Bo,\n\nRound 1 is published. Your game: table 1, against Ada.\n\nYour page: ")
    assert "⟦" not in plain


def test_links_by_mail_and_their_copies_are_worded_for_the_recipient(
    stage: Stage, event: Event, box: Mailbox, visitor: Person, link_of: Links
) -> None:
    for player in players(stage):
        stage.do(event, messages_actions.mail_link, player, 100)
    deliver(stage, box, SECRET)
    (subject, text), (plain_subject, plain) = arrived(box)
    assert subject.startswith("⟦Iron Open: your private link ~")
    assert text.startswith("⟦Hello Ada,\n\nthis is the private link")
    assert (plain_subject, "⟦" in plain) == ("Iron Open: your private link", False)
    assert {message.subject for message in stage.all(Message)} == {"{event}: your private link"}, "stored in English"
    assert "⟦Iron Open: your private link ~" in visitor.open(link_of(players(stage)[0])).text


def test_mails_are_in_the_language_in_which_a_player_signed_up(stage: Stage, event: Event, visitor: Person) -> None:
    """Where the event names none, and nobody chose one: that of the browser."""
    visitor.http.environ_base["HTTP_ACCEPT_LANGUAGE"] = "pl"
    visitor.open(f"/e/{event.slug}/register")
    label = next(button.get_text() for button in visitor.page.soup.select("main button.primary"))
    visitor.press(label.strip(), name="Zofia")
    zofia = stage.one(Player, name="Zofia")
    assert language_of(zofia, event) == "pl"


def test_templates_of_the_desk_are_in_the_events_language(olga: Person, stage: Stage, event: Event) -> None:
    address = f"/e/{event.slug}/desk/messages/new?template=starts"
    assert olga.open(address).part("#text").startswith("Round {round} of {event} starts now.")
    stage.set(event, language=CODE)
    assert olga.open(address).part("#text").startswith("⟦Round {round} of {event} starts now.")
