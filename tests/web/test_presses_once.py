"""A report that is sent more than once is stored once; what cannot be stored yet, or ever, says so to the phone."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest

from events.journal.replay import replay
from events.web.idempotency import Result, Submission, store_result, submission_from
from models.event import Event
from models.journal import ChangeSet, RowChange, RowChangeKind
from models.kept_answer import KeptAnswer
from models.play import Game, GameState, Player, Report
from tests.kit.person import Person, controls
from tests.kit.stage import Stage

pytestmark = pytest.mark.fast

GAME = "/e/iron-open/me/game"
OUTBOX = {"X-Outbox": "1", "Accept": "application/json"}
Enter = Callable[..., list[Person]]


@pytest.fixture
def event(stage: Stage) -> Event:
    return stage.event(scenarios=("hold-the-line", "", ""))


@pytest.fixture
def seated(stage: Stage, event: Event, enter: Enter) -> tuple[Person, Person]:
    """Player A and player B of the only game of round 1."""
    people = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    (game,) = stage.publish(event, 1)
    names = {player.id: player.name for player in stage.all(Player)}
    assert game.b_id is not None
    return people[names[game.a_id]], people[names[game.b_id]]


def filled(person: Person, address: str = GAME, **changed: str) -> dict[str, str]:
    """What a browser would send of the report's form, with these changes (dots as __)."""
    page = person.open(address)
    form = page.soup.select_one("form.report")
    assert form is not None, page.text
    return {str(key): str(value) for key, value in controls(form)} | {
        key.replace("__", "."): value for key, value in changed.items()
    }


def sent(person: Person, body: dict[str, str], address: str = GAME) -> tuple[int, dict[str, Any]]:
    """The form as a phone's outbox sends it: the status and the answer."""
    answer = person.http.post(address, data=body, headers=OUTBOX)
    assert answer.is_json, answer.text
    told: dict[str, Any] = answer.get_json()
    return answer.status_code, told


@pytest.mark.parametrize("game", ["9" * 5000, "0", "٣", "-1", "x"])
def test_a_game_that_is_none_is_answered_in_words(seated: tuple[Person, Person], game: str) -> None:
    a, _ = seated
    status, told = sent(a, filled(a, a__r2="2") | {"game": game})
    assert (status, told["state"]) in ((409, "refused"), (200, "saved"))


@pytest.mark.proves("I1", "I2", "ASVS 15.3.1")
def test_the_same_press_gets_the_same_answer_and_is_stored_once(stage: Stage, seated: tuple[Person, Person]) -> None:
    a, _ = seated
    body = filled(a, a__objectives="3", b__objectives="1")
    answers = [sent(a, body) for _ in range(3)]
    assert answers[0] == (
        200,
        {
            "state": "saved",
            "key": body["key"],
            "said": "Saved. Now your opponent confirms it on their own page.",
            "go": "/e/iron-open/me",
        },
    )
    assert answers == [answers[0]] * 3
    assert (len(stage.all(Report)), len(stage.all(KeptAnswer)), stage.one(Game).version) == (1, 1, 1)
    newest = stage.all(ChangeSet)[-1]
    assert newest.version == stage.one(Event).version
    assert [one.actor for one in stage.all(ChangeSet)].count(newest.actor) == 1, "what is stored is written once"


def test_the_journal_tells_the_report_and_not_the_answer_that_is_kept_of_it(
    olga: Person, stage: Stage, event: Event, seated: tuple[Person, Person]
) -> None:
    a, _ = seated
    assert sent(a, filled(a, a__objectives="3", b__objectives="1"))[1]["state"] == "saved"
    assert len(stage.all(KeptAnswer)) == 1
    page = olga.open("/e/iron-open/desk/journal")
    assert "Kept answer" not in page.text
    assert "Report, round 1" in page.text
    assert "kept_answer" not in olga.ask("GET", "/e/iron-open/desk/journal.jsonl").text
    # A journal of before has rows of them, which are told of no more, and replay does not ask for them.
    change = stage.all(RowChange)[-1]
    row = {"who": "player 1", "key": "k" * 20, "sha256": "0" * 64, "said": "Saved.", "at": event.created_at.isoformat()}
    stage.s.add(RowChange(change_set_id=change.change_set_id, table_name="kept_answer", row_id=1,
                          kind=RowChangeKind.ADDED, before={}, after=row | {"event_id": event.id}))  # fmt: skip
    stage.s.commit()
    assert "Kept answer" not in olga.open("/e/iron-open/desk/journal").text
    assert replay(stage.s, event).difference is None


def test_a_lost_answer_is_given_again_after_the_game_was_decided(stage: Stage, seated: tuple[Person, Person]) -> None:
    a, b = seated
    body = filled(a, a__objectives="3", b__objectives="1")
    first = sent(a, body)
    b.open(GAME)
    assert "confirmed" in b.press("Yes, that is right").flashes
    assert sent(a, body) == first
    late = body | {"key": "another-key-of-this-phone"}
    status, told = sent(a, late)
    assert (status, told["state"]) == (409, "refused")
    assert len(stage.all(Report)) == 2


def test_the_key_of_one_form_takes_no_other_figures(stage: Stage, seated: tuple[Person, Person]) -> None:
    a, _ = seated
    body = filled(a, a__objectives="3", b__objectives="1")
    sent(a, body)
    status, told = sent(a, body | {"a.objectives": "4"})
    assert (status, told["state"]) == (422, "refused")
    assert "sent before with other figures" in told["said"]
    assert stage.one(Report).answers["a.objectives"] == 3


def test_repeated_field_is_rejected_and_the_order_of_fields_counts(app: Flask) -> None:
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


def test_a_key_is_sent_back_as_long_as_one_can_be(seated: tuple[Person, Person]) -> None:
    a, _ = seated
    answer = a.http.post(GAME, data=filled(a, a__r2="2"), headers=OUTBOX | {"X-Outbox-Key": "k" * 100})
    assert answer.get_json()["key"] == "k" * 64


def test_a_key_says_nothing_of_anybody_else_s(stage: Stage, seated: tuple[Person, Person]) -> None:
    a, b = seated
    body = filled(a, a__objectives="3", b__objectives="1")
    sent(a, body)
    own = filled(b, a__objectives="2", b__objectives="1")
    status, told = sent(b, own | {"key": body["key"]})
    assert (status, told["state"]) == (200, "saved")
    assert len(stage.all(Report)) == 2


def test_a_form_is_never_sent_as_somebody_else_s(stage: Stage, seated: tuple[Person, Person]) -> None:
    a, b = seated
    body = filled(a, a__objectives="3", b__objectives="1")
    token = filled(b)["csrf_token"]
    status, told = sent(b, body | {"csrf_token": token})
    assert (status, told["state"]) == (409, "other")
    answer = b.http.post(GAME, data=body | {"csrf_token": token}, follow_redirects=True)
    assert "Not stored: This form is of another player" in answer.text
    assert not stage.all(Report)


@pytest.mark.proves("F12")
def test_a_form_of_before_the_sign_in_gets_a_token_and_is_sent_again(
    app: Flask, stage: Stage, seated: tuple[Person, Person], link_of: Callable[[Player], str]
) -> None:
    a, _ = seated
    body = filled(a, a__objectives="3", b__objectives="1")
    stranger = Person(app)
    status, told = sent(stranger, body)
    assert (status, told["state"], told["key"]) == (400, "token", body["key"])
    fresh = body | {"csrf_token": told["csrf"]}
    status, told = sent(stranger, fresh)
    assert (status, told["state"]) == (403, "signed-out")
    player = next(p for p in stage.all(Player) if p.id == stage.one(Game).a_id)
    stranger.open(link_of(player))
    assert sent(stranger, fresh)[1]["state"] == "saved"
    assert sent(a, body)[1]["state"] == "saved"
    assert len(stage.all(Report)) == 1


@pytest.mark.proves("F12")
def test_a_refusal_brings_the_form_with_what_was_typed(stage: Stage, seated: tuple[Person, Person]) -> None:
    a, _ = seated
    status, told = sent(a, filled(a, a__r2="2", b__r2="1"))
    assert (status, told["state"]) == (422, "refused")
    assert "This cannot have happened" in told["page"]
    assert 'value="2"' in told["page"]
    assert not stage.all(KeptAnswer)


@pytest.mark.proves("G5", "F12")
def test_a_stale_form_stores_nothing_and_shows_both(stage: Stage, seated: tuple[Person, Person]) -> None:
    a, b = seated
    old = filled(a, a__objectives="4", b__objectives="1")
    sent(b, filled(b, a__objectives="3", b__objectives="1"))
    status, told = sent(a, old)
    assert (status, told["state"]) == (409, "refused")
    assert "What was reported" in told["page"]
    assert len(stage.all(Report)) == 1


def test_what_is_typed_is_looked_at_and_not_stored(stage: Stage, seated: tuple[Person, Person]) -> None:
    a, _ = seated
    body = filled(a, a__r2="2", b__r2="1") | {"do": "check"}
    assert [(d["keys"], d["refused"]) for d in sent(a, body)[1]["doubts"]] == [(["a.r2", "b.r2"], True)]
    odd = filled(a) | {"do": "check"}
    assert [d["refused"] for d in sent(a, odd)[1]["doubts"]] == [False]
    for ending in ("unfinished", "conceded_b", "not_played"):
        assert sent(a, odd | {"ending": ending})[1]["doubts"] == []
    assert not stage.all(Report)


def test_the_sheet_s_form_is_stored_once_too(app: Flask, stage: Stage, seated: tuple[Person, Person]) -> None:
    game = stage.one(Game)
    holder, address = Person(app), f"/e/iron-open/games/{game.id}/report?side=b"
    body = filled(holder, f"/g/{game.code}?side=b", a__objectives="3", b__objectives="1")
    first = sent(holder, body, address)
    assert first[1]["state"] == "saved"
    assert sent(holder, body, address) == first
    assert sent(holder, body, f"/g/{game.code}?side=b") == first, "as a phone kept it before codes left the address"
    assert sent(holder, body | {"key": "another-key-of-this-phone"}, address)[0] == 409
    assert len(stage.all(Report)) == 1


@pytest.mark.proves("F12")
def test_without_script_a_double_press_is_stored_once(stage: Stage, seated: tuple[Person, Person]) -> None:
    a, b = seated
    for person, body in (
        (a, filled(a, a__objectives="3", b__objectives="1", ending="conceded_a")),
        (b, filled(b, a__objectives="3", b__objectives="1", ending="conceded_a")),
    ):
        version = body["version"]
        body = body | {"version": str(stage.one(Game).version)}
        answers = [person.http.post(GAME, data=body) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [302, 302], version
    assert (len(stage.all(Report)), stage.one(Game).state) == (2, GameState.CONFIRMED)


@pytest.mark.proves("G3", "I2", "F1")
@pytest.mark.both_databases
def test_phones_that_send_at_the_same_moment_are_stored_once(
    app: Flask, stage: Stage, seated: tuple[Person, Person]
) -> None:
    a, _ = seated
    body = filled(a, a__objectives="3", b__objectives="1")
    cookie = a.http.get_cookie("overseer")
    assert cookie is not None
    barrier, answers = threading.Barrier(6), list[str]()

    def post() -> None:
        phone = app.test_client()
        phone.set_cookie("overseer", cookie.value)
        barrier.wait()
        answers.append(phone.post(GAME, data=body, headers=OUTBOX).get_json()["state"])

    threads = [threading.Thread(target=post) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == ["saved"] * 6
    assert (len(stage.all(Report)), len(stage.all(KeptAnswer)), stage.one(Game).version) == (1, 1, 1)


@pytest.mark.both_databases
def test_without_a_lock_the_database_keeps_one_answer_of_a_key(engine: Engine, stage: Stage, event: Event) -> None:
    submission, now = Submission("player 1", "the-key-of-one-form", "0" * 64), datetime(2026, 12, 5, tzinfo=UTC)
    with Session(engine) as one:
        store_result(one, event, submission, Result("Saved."), now)
        one.commit()
        store_result(one, event, Submission("player 2", submission.key, submission.sha256), Result("Saved."), now)
        one.commit()
    with Session(engine) as other, pytest.raises(IntegrityError):
        store_result(other, event, submission, Result("Saved."), now)
        other.commit()
    assert len(stage.all(KeptAnswer)) == 2
