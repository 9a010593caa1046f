"""The club's own editions on the pages, without script: a file, previewed, stored, read, removed."""

import json
import time
from random import Random
from typing import Any

import pytest
from itsdangerous import URLSafeSerializer

from models.own import OwnEdition
from tests.kit.forces import SYSTEM
from tests.kit.own_editions import FILES, GONE, ID, NAME, club_document, data_of
from tests.kit.person import Page, Person, words
from tests.kit.stage import Event, Stage
from tests.kit.statements import RUN_AWAY

HOME, NEW = "/desk/editions", "/desk/editions/battle-mode/new"
RULES = "/rules/battle-mode"
CLUB = f"{RULES}/editions/{ID}"


def read(olga: Person, data: bytes = b"", **typed: str) -> Page:
    """Upload a file for a preview; by default the club's edition."""
    return olga.press("Read the file", at=NEW, file=("club.json", data or data_of(club_document())), **typed)


def store(olga: Person, **changed: Any) -> Page:
    read(olga, data_of(club_document() | changed))
    return olga.press("Store this edition")


def refused(page: Page, field: str, words: str) -> None:
    assert page.status == 422
    assert words in page.error_at(field) + page.part("#faults"), (page.errors, page.part("#faults"))
    assert page.errors


def test_file_is_previewed_then_stored_then_read_by_everybody(olga: Person, visitor: Person, stage: Stage) -> None:
    with stage.unchanged():  # a preview stores nothing
        page = read(olga, against="2021-01")
        assert f"Compared with {SYSTEM.edition('2021-01').name}" in page.text
        page = olga.press("Compare", against="2018-08")
        assert (page.status, page.path) == (200, NEW)
        assert "Nothing is stored yet" in page.text
        for shown in (NAME, "15 Jan 2027", "Our club", "Models: 38, Items: 134"):
            assert shown in page.part("#look") + page.part("h1")
        assert "Compared with Force lists 1.0, August 2018" in page.text
        assert page.rows("#look table.changes") == [
            ["Survivors", "Dogmeat", "removed", "104", "–"],
            ["Survivors", "Piper", "Caps", "76", "83"],
            ["Perks", "Sneak", "Caps", "20", "9"],
        ]
    page = olga.press("Store this edition")
    assert page.path == CLUB
    assert page.flashes == f"Stored. New events start with {NAME}; others can choose it in their settings."
    row = stage.one(OwnEdition)
    assert (row.edition, row.name, row.date, row.by) == (ID, NAME, "2027-01-15", "organiser Olga")
    assert NAME in visitor.open(RULES).part("#editions")
    page = visitor.open(CLUB)
    piper = next(cells for cells in page.rows("table.prices") if cells[0].startswith("Piper"))
    assert (page.status, piper[1]) == (200, "83")
    assert "unique" in piper[0] and "Pipe Pistol" in piper[0]
    assert "Olga" not in page.text, "only the desk shows who added it"
    assert "20 Aug 2018" in visitor.open(f"{RULES}/editions/2018-08").text
    compared = visitor.open(f"{CLUB}?against=2018-08").rows("#difference table.changes")
    assert compared[0][:3] == ["Survivors", GONE, "removed"]
    for missing in (f"{CLUB}?against=none", f"{RULES}/editions/none"):
        assert visitor.open(missing).status == 404


def test_downloaded_file_is_the_stored_one_and_is_read_again(olga: Person, visitor: Person, stage: Stage) -> None:
    store(olga)
    sent = visitor.ask("GET", f"{CLUB}/file.json")
    assert sent.headers["Content-Disposition"] == f'attachment; filename="{ID}.json"'
    assert sent.text == stage.one(OwnEdition).text
    shipped = visitor.ask("GET", f"{RULES}/editions/2021-01/file.json")
    assert FILES.read(shipped.data).lists == SYSTEM.edition("2021-01").lists
    assert visitor.ask("GET", f"{RULES}/editions/none/file.json").status_code == 404
    read(olga, sent.data, id="club-2028", name="Next year's")
    assert olga.press("Store this edition").path == f"{RULES}/editions/club-2028"
    assert [(row.edition, row.name) for row in stage.all(OwnEdition)] == [(ID, NAME), ("club-2028", "Next year's")]
    assert '"id": "club-2028"' in stage.one(OwnEdition, edition="club-2028").text


def test_edition_is_stored_once_as_previewed_and_its_id_is_unique(olga: Person, stage: Stage) -> None:
    preview_of_other = read(olga, data_of(club_document() | {"heroic_caps": 61, "name": "Mine"}))
    preview = read(olga)
    packed = str(preview.value("packed"))
    signer = URLSafeSerializer(str(olga.http.application.secret_key), salt="edition-look")
    other_game = str(signer.dumps(["golf", club_document(), None]))
    changed = packed[:-1] + ("A" if packed[-1] != "A" else "B")
    for forged in (changed, "x", packed.replace(".", "", 1) + "y", other_game):
        olga.page = preview
        refused(olga.forge("Store this edition", packed=forged), "file", "This page is out of date")
    assert stage.all(OwnEdition) == []
    for _ in range(2):
        olga.page = preview
        assert olga.press("Store this edition").path == CLUB
    olga.page = preview_of_other
    page = olga.press("Store this edition")
    assert (page.status, f"The id {ID} is taken" in page.errors) == (422, True), "stored since the preview"
    refused(read(olga, id="2018-08", name="X"), "id", "The id 2018-08 is taken")
    refused(read(olga, id="X-1"), "id", "Only a to z")
    assert olga.page.value("id") == "X-1", "the typed id is kept"
    assert len(stage.all(OwnEdition)) == 1


@pytest.mark.proves("attack 36", "attack 37", "attack 38", "ASVS 5.2.1")
def test_broken_or_hostile_file_is_refused_soon_and_each_fault_named(olga: Person, stage: Stage) -> None:
    before, started = stage.digest(), time.process_time()
    for data, error in (
        (b" ", "it is empty"),
        (data_of(club_document()).replace(b"Our club", b"Our\0club"), ": not JSON ("),
        (b"\0" * 2_400_000, "2400000 bytes, at most 2000000 are read"),
        (b'{"name": "\\ud800"}', "name: is not valid text"),
        (b"<catalogue/>", ": not JSON ("),
        (b"PK\x03\x04\xff", ": not "),
    ):
        page = read(olga, data)
        refused(page, "file", error)
        assert "\0" not in page.response.text
        assert stage.digest() == before, error
    for address in (NEW, "/desk/scenarios"):
        page = olga.press("Read the file", at=address, file=("zeros.json", bytes(3_000_000)))
        assert (page.status, "accepts at most 2.5 MB" in page.text, stage.digest()) == (413, True, before)
    assert time.process_time() - started < RUN_AWAY
    document = club_document() | {"date": "15.1.2027"}
    document["factions"][0]["models"][1]["caps"] = "many"
    first, second = (words(item) for item in read(olga, data_of(document)).soup.select("#faults li"))
    assert 'date: is not a date like "2018-08-20"' in first and '"date": "15.1.2027",' in first
    assert "factions[0].models[1].caps: is not a whole number" in second and '"caps": "many",' in second
    refused(olga.press("Read the file", at=NEW), "file", "Please choose a file.")


def without_permissions(document: dict[str, Any]) -> dict[str, Any]:
    """The document with no model that may carry anything, so that its items can be replaced."""
    for faction in document["factions"]:
        for model in faction["models"]:
            model.pop("may_carry", None)
    return document | {"disputed": [], "aliases": {}}


@pytest.mark.long
def test_edition_too_large_to_store_or_preview_is_refused_soon(olga: Person, stage: Stage) -> None:
    document = without_permissions(club_document())
    document["items"] = [
        {"category": "N", "kind": f"K{group}", "caps": {f"i{group * 1900 + n}": 1 for n in range(1900)}}
        for group in range(90)
    ]
    data = json.dumps(document, separators=(",", ":")).encode()
    assert len(data) < 2_000_000
    started = time.process_time()
    refused(read(olga, data), "file", " bytes, at most 2000000 are read")
    assert time.process_time() - started < RUN_AWAY
    dice, letters = Random(1), "abcdefghijklmnopqrstuvwxyzäöüßéèàçñøåæœ0123456789"
    names = sorted({"".join(dice.choices(letters, k=80)) for _ in range(12_000)})
    document = without_permissions(club_document())
    document["items"] = [
        {"category": "Noise", "kind": f"Noise {n}", "caps": dict.fromkeys(names[n * 1000 : n * 1000 + 1000], 1)}
        for n in range(12)
    ]
    refused(read(olga, json.dumps(document, ensure_ascii=False).encode()), "file", "too large to preview")
    assert stage.all(OwnEdition) == []


def test_desk_lists_editions_and_removes_unused_ones(olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    store(olga)
    assert "83" in visitor.open(CLUB).part("#list-1")
    page = olga.open(HOME)
    rows = {row.a.text: words(row) for row in page.soup.select(".desk-rows > li") if row.a}
    assert [part for part in (
        "15 Jan 2027 · 21 Nov 2026, organiser Olga", "3 factions · used by no event",
        "Survivors, Brotherhood of Steel, Super Mutants Models: 38, Items: 134, Mods: 29, Perks: 33, Leader cards: 17",
    ) if part not in rows[NAME]] == []  # fmt: skip
    assert any("ships with Overseer" in row and "Used by: Iron Open" in row for row in rows.values())
    assert olga.press("Save", at="/e/iron-open/desk/settings/lists", edition=NAME).flashes == "Saved."
    rows = {row.a.text: words(row) for row in olga.open(HOME).soup.select(".desk-rows > li") if row.a}
    assert "Used by: Iron Open" in rows[NAME]
    assert not olga.page.soup.find("form", action=f"{HOME}/battle-mode/{ID}/remove")
    olga.post(f"{HOME}/battle-mode/{ID}/remove")
    assert "It cannot be removed: Iron Open uses it." in olga.open(HOME).flashes
    assert stage.one(OwnEdition)
    olga.press("Save", at="/e/iron-open/desk/settings/lists", edition="2018-08")
    assert olga.press("Remove", at=HOME).flashes == "Removed."
    assert stage.all(OwnEdition) == []
    assert olga.open(CLUB).status == 404


def test_page_of_the_newest_lists_says_what_they_are_and_links_what_changed(visitor: Person) -> None:
    page = visitor.open(f"{RULES}/editions/2024-community")
    for said in ("Community transcription; newest public costs, 2023 or 2024", "“Correct it”", "not stated"):
        assert said in page.text
    (link,) = (tag for tag in page.soup.select("#difference a") if "What changed since" in tag.get_text())
    page = visitor.open(str(link["href"]))
    assert "Compared with Community force lists, 2021 to 2022" in page.text
    assert ["Brotherhood of Steel", "Knight", "Caps", "62", "53"] in page.rows("#difference table.changes")
