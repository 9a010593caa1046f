"""Idempotency keys: a resubmitted form is stored once, and a rejection says whether resubmitting can help."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest

from events.journal.replay import replay
from events.web.idempotency import submission_from
from models.event import Event
from models.journal import ChangeSet, RowChange, RowChangeKind
from models.kept_answer import KeptAnswer
from models.play import Game, Player, Report
from tests.kit.accounts import with_cookie_of
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.tables import MINE, WITHOUT_KEY, form_of, sent

pytestmark = pytest.mark.fast

Enter = Callable[..., list[Person]]


@pytest.fixture
def event(stage: Stage) -> Event:
    return stage.event(scenarios=("hold-the-line", "", ""))


@pytest.fixture
def seated(stage: Stage, event: Event, enter: Enter) -> tuple[Person, Person]:
    """Players A and B of the only game in round 1."""
    people = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    (game,) = stage.publish(event, 1)
    names = {player.id: player.name for player in stage.all(Player)}
    assert game.b_id is not None
    return people[names[game.a_id]], people[names[game.b_id]]


@pytest.mark.proves("I1", "I2", "ASVS 15.3.1")
def test_repeated_form_gets_the_same_answer_and_is_stored_once(stage: Stage, seated: tuple[Person, Person]) -> None:
    a, _ = seated
    body = form_of(a, a__objectives="3", b__objectives="1")
    answers = [sent(a, body) for _ in range(3)]
    said = "Saved. Now your opponent confirms it on their own page."
    assert answers == [(200, {"state": "saved", "key": body["key"], "said": said, "go": "/e/iron-open/me"})] * 3
    assert (len(stage.all(Report)), len(stage.all(KeptAnswer)), stage.one(Game).version) == (1, 1, 1)
    newest = stage.all(ChangeSet)[-1]
    assert newest.version == stage.one(Event).version
    assert [one.actor for one in stage.all(ChangeSet)].count(newest.actor) == 1, "written once"


def test_stored_answers_are_not_in_the_journal(
    olga: Person, stage: Stage, event: Event, seated: tuple[Person, Person]
) -> None:
    a, _ = seated
    assert sent(a, form_of(a, a__objectives="3", b__objectives="1"))[1]["state"] == "saved"
    assert len(stage.all(KeptAnswer)) == 1
    page = olga.open("/e/iron-open/desk/journal")
    assert "Kept answer" not in page.text
    assert "Report, round 1" in page.text
    assert "kept_answer" not in olga.ask("GET", "/e/iron-open/desk/journal.jsonl").text
    # An old journal has rows of them: they are not shown, and replay skips them.
    change = stage.all(RowChange)[-1]
    row = {"who": "player 1", "key": "k" * 20, "sha256": "0" * 64, "said": "Saved.", "at": event.created_at.isoformat()}
    stage.s.add(RowChange(change_set_id=change.change_set_id, table_name="kept_answer", row_id=1,
                          kind=RowChangeKind.ADDED, before={}, after=row | {"event_id": event.id}))  # fmt: skip
    stage.s.commit()
    assert "Kept answer" not in olga.open("/e/iron-open/desk/journal").text
    assert replay(stage.s, event).difference is None


def test_lost_answer_is_given_again_even_after_the_game_was_confirmed(
    stage: Stage, seated: tuple[Person, Person]
) -> None:
    a, b = seated
    body = form_of(a, a__objectives="3", b__objectives="1")
    first = sent(a, body)
    status, answer = sent(a, body | {"a.objectives": "4"})
    assert (status, answer["state"]) == (422, "refused")
    assert "sent before with other figures" in answer["said"]
    b.open(MINE)
    assert "confirmed" in b.agree().flashes
    assert sent(a, body) == first
    status, answer = sent(a, body | {"key": "another-key-of-this-phone"})
    assert (status, answer["state"]) == (409, "refused")
    assert [report.answers["a.objectives"] for report in stage.all(Report)] == [3, 3]


def test_digest_of_a_form_counts_the_order_of_fields_and_rejects_repeated_ones(app: Flask) -> None:
    def content(*fields: tuple[str, str]) -> str:
        data = MultiDict([("key", "k" * 20), ("csrf_token", fields[0][1]), *fields])
        with app.test_request_context("/", method="POST", data=data):
            submission = submission_from("player 1")
            assert (submission.sender, submission.key) == ("player 1", "k" * 20)
            return submission.sha256

    one, two = ("one", "1"), ("two", "2")
    assert content(one, two) == content(one, two)
    assert content(one, two) != content(two, one)
    assert content(one, two) != content(one, ("two", "3"))
    for repeated in ([one, one], [one, ("one", "2")], [one, ("key", "k" * 20)]):
        with pytest.raises(BadRequest):
            content(*repeated)


def test_key_and_form_of_one_player_are_not_used_for_another(stage: Stage, seated: tuple[Person, Person]) -> None:
    a, b = seated
    body = form_of(a, a__objectives="3", b__objectives="1")
    own = form_of(b, a__objectives="2", b__objectives="1")
    foreign = body | {"csrf_token": own["csrf_token"]}
    status, answer = sent(b, foreign)
    assert (status, answer["state"]) == (409, "other")
    page = b.http.post(MINE, data=foreign, follow_redirects=True)
    assert "Not stored: This form belongs to another player" in page.text
    assert not stage.all(Report)
    sent(a, body)
    own = form_of(b, a__objectives="2", b__objectives="1")
    status, answer = sent(b, own | {"key": body["key"]})
    assert (status, answer["state"], len(stage.all(Report))) == (200, "saved", 2)


@pytest.mark.proves("F12")
def test_form_from_before_the_sign_in_gets_a_token_and_is_sent_again(
    app: Flask, stage: Stage, seated: tuple[Person, Person], link_of: Callable[[Player], str]
) -> None:
    a, _ = seated
    body = form_of(a, a__objectives="3", b__objectives="1")
    stranger = Person(app)
    status, answer = sent(stranger, body)
    assert (status, answer["state"], answer["key"]) == (400, "token", body["key"])
    fresh = body | {"csrf_token": answer["csrf"]}
    status, answer = sent(stranger, fresh)
    assert (status, answer["state"]) == (403, "signed-out")
    player = next(p for p in stage.all(Player) if p.id == stage.one(Game).a_id)
    stranger.open(link_of(player))
    assert sent(stranger, fresh)[1]["state"] == "saved"
    assert sent(a, body)[1]["state"] == "saved"
    assert len(stage.all(Report)) == 1


@pytest.mark.proves("G5", "F12")
def test_refusal_brings_the_form_and_stores_nothing(stage: Stage, seated: tuple[Person, Person]) -> None:
    a, b = seated
    for game, expected in (("0", 409), ("9" * 5000, 422), ("٣", 422), ("-1", 422), ("x", 422)):
        status, answer = sent(a, form_of(a, a__r2="2", b__r2="1") | {"game": game})
        assert (status, answer["state"]) == (expected, "refused"), game[:9]
    status, answer = sent(a, form_of(a, a__r2="2", b__r2="1"))
    assert (status, answer["state"]) == (422, "refused")
    assert "This cannot have happened" in answer["page"]
    assert 'value="2"' in answer["page"], "with the values that were entered"
    assert not stage.all(KeptAnswer)
    key = a.http.post(MINE, data=form_of(a, a__r2="2", b__r2="1"), headers=WITHOUT_KEY | {"X-Outbox-Key": "k" * 100})
    assert key.get_json()["key"] == "k" * 64
    old = form_of(a, a__objectives="4", b__objectives="1")
    sent(b, form_of(b, a__objectives="3", b__objectives="1"))
    status, answer = sent(a, old)
    assert (status, answer["state"]) == (409, "refused")
    assert "What was reported" in answer["page"], "a stale form shows the stored report too"
    assert len(stage.all(Report)) == 1


def test_form_of_the_sheet_is_stored_once_too(app: Flask, stage: Stage, seated: tuple[Person, Person]) -> None:
    game = stage.one(Game)
    holder, address = Person(app), f"/e/iron-open/games/{game.id}/report?side=b"
    body = form_of(holder, f"/g/{game.code}?side=b", a__objectives="3", b__objectives="1")
    first = sent(holder, body, address)
    assert first[1]["state"] == "saved"
    assert sent(holder, body, address) == first
    assert sent(holder, body, f"/g/{game.code}?side=b") == first, "an old address that a phone may still keep"
    assert sent(holder, body | {"key": "another-key-of-this-phone"}, address)[0] == 409
    assert len(stage.all(Report)) == 1


@pytest.mark.proves("G3", "I2", "F1")
@pytest.mark.both_databases
def test_simultaneous_copies_of_a_form_are_stored_once(app: Flask, stage: Stage, seated: tuple[Person, Person]) -> None:
    a, _ = seated
    body = form_of(a, a__objectives="3", b__objectives="1")
    barrier = threading.Barrier(6)

    def post(phone: Person) -> str:
        barrier.wait()
        return str(phone.http.post(MINE, data=body, headers=WITHOUT_KEY).get_json()["state"])

    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(post, [with_cookie_of(a, app) for _ in range(6)])) == ["saved"] * 6
    assert (len(stage.all(Report)), len(stage.all(KeptAnswer)), stage.one(Game).version) == (1, 1, 1)
