"""Forces of other programs in the builder: uploaded, pasted, explained, and exported again."""

import re

import pytest

from models.event import Event
from models.play import ForceList
from tests.kit.forces import SYSTEM, sample_force
from tests.kit.lists import MINE, PIPER, Enter, file
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.validators.imports.rosters import BATTLESCRIBE_TEXT, BUILDER_TEXT, SAMPLE, SETTLER, ros, rosz


@pytest.fixture
def ada(enter: Enter, event: Event) -> Person:
    """A player in the builder, without a force."""
    (ada,) = enter(event, "Ada Ωmega")
    ada.open(MINE)
    return ada


def test_file_of_another_program_is_read_and_explained(ada: Person, stage: Stage) -> None:
    for name, data, called in (
        ("list.ros", SAMPLE, "BattleScribe roster (.ros)"),
        ("list.txt", BATTLESCRIBE_TEXT.encode(), "BattleScribe text"),
    ):
        ada.open(MINE)
        page = ada.press("Read the list", file=(name, data))
        assert page.status == 200
        assert "The force was read and saved. Nothing is submitted until you press Submit." in page.flashes
        for words in (
            f"Read as {called}.",
            "450 Caps: the file’s total is right.",
            "Dog Bite: built into Dogmeat Scout, not bought; left out.",
            "Piper was taken as the Leader, for the Leader card Commander.",
        ):
            assert words in page.part("#understood"), name
        kept = stage.one(ForceList)
        assert (len(kept.document["models"]), kept.submitted_at) == (4, None)
        assert ada.open(MINE).part("#understood") == ""


def test_pasted_list_is_read(ada: Person, stage: Stage) -> None:
    page = ada.press("Read the list", text=BUILDER_TEXT.replace("Piper", "Pipper").replace("\n", "\r\n"))
    assert "The file’s total is 382 Caps; by the edition it is 306 Caps, which counts." in page.part("#understood")
    assert "Pipper: not known to the edition, kept as it is. Near: Piper." in page.part("#understood")
    for rule in ("bm.cost", "bm.leader", "bm.faction"):
        assert rule in page.part("#verdict")
    assert stage.one(ForceList).document["models"][0]["name"] == "Pipper"
    ada.press("Read the list", file=file(PIPER), text=BUILDER_TEXT)
    assert stage.one(ForceList).document["models"][0]["name"] == "Piper", "a file is read before a text"
    page = ada.press("Read the list", text="Piper (76 caps)\n\t-<b>bold</b>\n")
    assert "<b>bold</b>: not known to the edition" in page.part("#understood")
    assert "<b>bold" not in page.response.text


def test_every_export_is_read_back(ada: Person, enter: Enter, stage: Stage, event: Event) -> None:
    document = sample_force("Survivors", 750, 5)
    (bo,) = enter(event, "Bo")
    ada.press("Read the list", file=file(document))
    links = [str(a["href"]) for a in ada.page.soup.find_all("a")]
    for known in SYSTEM.forces.files.formats:
        link = next(one for one in links if one.endswith(f"force.{known.id}"))
        out = ada.open(link).response
        assert (out.status_code, out.mimetype) == (200, known.mimetype)
        assert out.headers["Content-Disposition"] == f'attachment; filename="ada-mega-force.{known.id}"'
        assert out.headers["X-Content-Type-Options"] == "nosniff"
        assert bo.open(link).status == 404, "a draft is the player's own"
        bo.open(MINE)
        bo.press("Start" if len(stage.all(ForceList)) == 1 else "Delete and start again", faction="Survivors")
        bo.open(MINE)
        bo.press("Read the list", file=(f"list.{known.id}", out.data))
        assert [kept.document for kept in stage.all(ForceList)] == [document, document], known.id
    assert ada.open(link.replace(f"force.{known.id}", "force.exe")).status == 404


@pytest.mark.proves("attack 36", "attack 37", "attack 38", "F24", "ASVS 5.2.2")
def test_hostile_file_or_text_is_refused_and_nothing_is_stored(ada: Person, stage: Stage) -> None:
    form, before = ada.page, stage.digest()
    for data, words in (
        (b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "b">]><roster name="&a;"/>', "document type"),
        (ros(SETTLER, game="Warhammer 40,000"), "a roster of Warhammer 40,000, not of Fallout"),
        (rosz(b"\0" * 3_000_000), "unpacks to more than"),
        (b"<roster>" * 50_000, "nested too deeply"),
    ):
        ada.page = form
        page = ada.press("Read the list", file=("list.ros", data))
        assert (page.status, words in page.error_at("file"), stage.digest()) == (422, True, before)
        assert words not in page.errors, "said once"
        assert "This file cannot be read as a force." in page.error_at("file")
    for text in ("my army", "Nobody (5 caps)", "?", "a\0b", "<script>alert(1)</script>", "{}"):
        ada.page = form
        page = ada.press("Read the list", text=text)
        assert (page.status, page.value("text"), stage.digest()) == (422, text, before)
        assert "This text cannot be read as a force." in page.error_at("text")
        assert "<script>alert" not in page.response.text
        assert "the file:" not in page.error_at("text")
    (example,) = set(re.findall(r"“(2x Settler .+?)”", ada.press("Read the list", text="my army").error_at("text")))
    assert "the file’s total is right" in ada.press("Read the list", text=example).text, "the example is read"


def test_force_of_another_edition_is_read_by_the_events_own(ada: Person, stage: Stage, event: Event) -> None:
    page = ada.press("Read the list", file=file(PIPER | {"edition": "2099-01"}))
    assert "made with the edition '2099-01'; it was read by “Force lists 1.0, August 2018”." in page.text
    assert stage.one(ForceList).document["edition"] == event.edition
