"""Signed archives: whose, unchanged, and whether the stated standings follow from the games."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from events.setup.archive import checksum
from events.setup.archive_check import ArchiveCheck
from events.setup.signing import fingerprint
from service.commands.archive_check import checked_archive
from service.commands.pair import verify
from tests.kit.archives import signed as with_checksum
from tests.kit.one_person import planted
from tests.kit.person import Person
from tests.kit.stage import Stage

Document = dict[str, Any]


@pytest.fixture
def data(olga: Person, stage: Stage) -> bytes:
    planted(stage)
    return bytes(olga.ask("GET", "/e/iron-open/desk/archive.json?level=publication").data)


@pytest.fixture
def mark(visitor: Person) -> str:
    published = json.loads(visitor.ask("GET", "/.well-known/overseer-key.json").data)
    assert published["fingerprint"] == fingerprint(published["key"])
    return str(published["fingerprint"])


def said(check: ArchiveCheck) -> str:
    return " ".join(check.lines)


def test_whose_file_it_is_and_what_follows_is_said_in_plain_words(data: bytes, mark: str, olga: Person) -> None:
    check = checked_archive(data, mark)
    assert (check.result, check.status) == ("signed", 0)
    assert f"Signed with the key {mark}" in said(check)
    assert "It is the key that you expect, and the file is unchanged since." in said(check)
    assert "Iron Open, 2026-12-05: 4 players, 4 games" in said(check)
    assert "The standings that it states follow from its games." in said(check)
    assert "Compare the key with the club’s" in said(checked_archive(data, ""))
    other = checked_archive(data, "0000-0000-0000-0000-0000")
    assert (other.result, other.status) == ("foreign", 1)
    assert mark in olga.open("/e/iron-open/desk/archive").part("#signature")


def winner(document: Document) -> None:
    document["standings"][0]["rank"] = 4


def shorter(document: Document) -> None:
    del document["standings"][-1]


@pytest.mark.parametrize("change", [winner, shorter])
def test_changed_file_is_recognised_with_and_without_a_new_checksum(
    data: bytes, mark: str, change: Callable[[Document], None]
) -> None:
    document: Document = json.loads(data)
    change(document)
    check = checked_archive(json.dumps(document).encode(), mark)
    assert (check.result, check.status) == ("changed", 1)
    assert "does not match the rest of the file" in said(check)
    document["sha256"] = checksum(document)
    again = checked_archive(json.dumps(document).encode(), mark)
    assert (again.result, "signature: does not fit the file" in said(again)) == ("changed", True)
    bare = checked_archive(with_checksum(document), mark)
    assert (bare.result, bare.status) == ("different", 1)
    assert "Nobody signed it" in said(bare)
    assert "do not follow from its games" in said(bare)


def test_address_in_the_signature_cannot_be_changed(data: bytes, mark: str) -> None:
    document: Document = json.loads(data)
    document["signature"]["address"] = "https://another.example"
    assert checked_archive(json.dumps(document).encode(), mark).result == "changed"


def test_file_that_is_no_event_is_unreadable() -> None:
    check = checked_archive(b'{"format": "overseer-event/1"}', "")
    assert (check.result, check.status) == ("unreadable", 2)


def test_empty_key_is_refused_before_anything_is_checked() -> None:
    answer = CliRunner().invoke(verify, ["--key", "", "archive.json"])
    assert answer.exit_code == 2 and "it is empty" in answer.output


def test_key_is_read_in_each_form_that_a_club_publishes(data: bytes, mark: str) -> None:
    key = json.loads(data)["signature"]["key"]
    for given in (mark.upper(), key, json.dumps({"algorithm": "Ed25519", "key": key})):
        assert checked_archive(data, given).result == "signed", given
    for given in ("key.json", "http://club.example/", "abc"):
        check = checked_archive(data, given)
        assert check.result == "unreadable" and "gives no key" in said(check), given
