"""Forces of other programs on the builder's page: by file, by pasted text, what it says of them, and out again."""

import pytest

from models.event import Event
from models.play import ForceList
from tests.kit.forces import SYSTEM, sample_force
from tests.kit.lists import MINE, PIPER, Enter, file
from tests.kit.stage import Stage
from tests.validators.imports.rosters import BATTLESCRIBE_TEXT, BUILDER_TEXT, SAMPLE, SETTLER, ros, rosz

FORMATS = {
    "list.ros": (SAMPLE, "BattleScribe roster (.ros)"),
    "list.rosz": (rosz(SAMPLE), "BattleScribe roster (.rosz)"),
    "list.txt": (BATTLESCRIBE_TEXT.encode(), "BattleScribe text"),
    "photo.jpg": (SAMPLE, "BattleScribe roster (.ros)"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_of_another_program_is_read_and_explained(enter: Enter, stage: Stage, event: Event, name: str) -> None:
    data, called = FORMATS[name]
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    page = ada.press("Read the file", file=(name, data))
    assert page.status == 200
    assert "The force was read and saved. Nothing is submitted until you press Submit." in page.flashes
    told = page.part("#understood")
    assert f"It was read as {called}." in told
    assert "It says 450 Caps, and so does the edition." in told
    assert "Dog Bite: built into Dogmeat Scout, not bought; left out." in told
    assert "Piper was taken as the Leader, for the Leader card Commander." in told
    kept = stage.one(ForceList)
    assert len(kept.document["models"]) == 4
    assert kept.submitted_at is None
    ada.open(MINE)
    assert ada.page.part("#understood") == ""


def test_a_pasted_list_is_read(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    page = ada.press("Read the file", text=BUILDER_TEXT.replace("Piper", "Pipper").replace("\n", "\r\n"))
    told = page.part("#understood")
    assert "It says 382 Caps, the edition 306 Caps; the edition counts." in told
    assert "Pipper: not known to the edition, kept as it is. Near: Piper." in told
    for rule in ("bm.cost", "bm.leader", "bm.faction"):
        assert rule in ada.page.part("#verdict")
    assert stage.one(ForceList).document["models"][0]["name"] == "Pipper"


def test_a_file_goes_before_a_text(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    ada.press("Read the file", file=file(PIPER), text=BUILDER_TEXT)
    assert len(stage.one(ForceList).document["models"]) == len(PIPER["models"])


@pytest.mark.parametrize("format_id", [known.id for known in SYSTEM.export_formats])
def test_each_format_comes_back_the_same(enter: Enter, stage: Stage, event: Event, format_id: str) -> None:
    document = sample_force("Survivors", 750, 5)
    ada, bo = enter(event, "Ada Ωmega", "Bo")
    ada.open(MINE)
    ada.press("Read the file", file=file(document))
    link = next(str(a["href"]) for a in ada.page.soup.find_all("a") if str(a["href"]).endswith(f"force.{format_id}"))
    out = ada.open(link).response
    assert out.status_code == 200
    assert out.mimetype == next(known.mimetype for known in SYSTEM.export_formats if known.id == format_id)
    assert out.headers["Content-Disposition"] == f'attachment; filename="ada-mega-force.{format_id}"'
    assert out.headers["X-Content-Type-Options"] == "nosniff"
    assert bo.open(link).status == 404, "a draft is the player's own"
    bo.open(MINE)
    bo.press("Read the file", file=(f"list.{format_id}", out.data))
    assert [kept.document for kept in stage.all(ForceList)] == [document, document]


def test_no_other_format_is_given_out(enter: Enter, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    ada.press("Read the file", file=file(PIPER))
    link = next(str(a["href"]) for a in ada.page.soup.find_all("a") if a.text == "Save as a file")
    for made_up in ("exe", "JSON", "ros.bak", "%00"):
        assert ada.open(link.replace("force.json", f"force.{made_up}")).status == 404


@pytest.mark.proves("attack 36", "attack 37", "attack 38", "F24", "ASVS 5.2.2")
@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "b">]><roster name="&a;"/>', "document type"),
        (ros(SETTLER, game="Warhammer 40,000"), "a roster of Warhammer 40,000, not of Fallout"),
        (rosz(b"\0" * 3_000_000), "unpacks to more than"),
        (rosz(SAMPLE)[:-40], "damaged"),
        ("<roster>".encode("utf-16"), "not UTF-8 text"),
        (b"<roster>" * 50_000, "nested too deeply"),
    ],
    ids=["entities", "another game", "bomb", "broken", "utf-16", "deep"],
)
def test_a_hostile_or_broken_file_is_refused_and_nothing_is_stored(
    enter: Enter, stage: Stage, event: Event, sent: bytes, words: str
) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    before = stage.digest()
    page = ada.press("Read the file", file=("list.ros", sent))
    assert page.status == 422
    assert "This file cannot be read as a force." in page.error_at("file")
    assert words in page.errors
    assert stage.digest() == before


@pytest.mark.parametrize("text", ["my army", "Nobody (5 caps)", "\ud800", "a\0b", "<script>alert(1)</script>", "{}"])
def test_a_text_that_is_no_list_is_refused_and_kept_in_the_field(
    enter: Enter, stage: Stage, event: Event, text: str
) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    before = stage.digest()
    sent = text.encode(errors="replace").decode()
    page = ada.press("Read the file", text=sent)
    assert page.status == 422
    assert "This text cannot be read as a force." in page.error_at("text")
    assert "<script>alert" not in page.response.text
    assert page.value("text") == sent
    assert stage.digest() == before


def test_a_name_that_looks_like_a_page_is_shown_as_text(enter: Enter, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    page = ada.press("Read the file", text="Piper (76 caps)\n\t-<b>bold</b>\n")
    assert "<b>bold</b>: not known to the edition" in page.part("#understood")
    assert "<b>bold" not in page.response.text


def test_a_force_file_of_another_edition_is_read_by_the_events_own(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    page = ada.press("Read the file", file=file(PIPER | {"edition": "2099-01"}))
    assert "made with the edition '2099-01'; it was read by “Force lists 1.0, August 2018”." in page.text
    assert stage.one(ForceList).document["edition"] == event.edition
