"""Editions of the club's own: a file, a look, stored, read by all, removed; as a person without script does it."""

import io
import json
import time
import zipfile
from random import Random
from typing import Any

import pytest
from itsdangerous import URLSafeSerializer

from models.edition import OwnEdition
from models.event import Event
from tests.kit.bounds import RUN_AWAY
from tests.kit.own_editions import FILES, GONE, ID, NAME, club_document, data_of
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from tests.validators.edition_documents import data_of as edition_data
from validators import SYSTEMS

SYSTEM = SYSTEMS["battle_mode"]
HOME, NEW = "/desk/editions", "/desk/editions/battle-mode/new"
RULES = "/rules/battle-mode"
CLUB = f"{RULES}/editions/{ID}"


def read(olga: Person, data: bytes = b"", file: str = "club.json", **typed: str) -> Page:
    """Send a file for a look."""
    olga.open(NEW)
    return olga.press("Read the files", files=(file, data or data_of(club_document())), **typed)


def store(olga: Person, **changed: Any) -> Page:
    """Add the club's edition."""
    read(olga, data_of(club_document() | changed))
    return olga.press("Store this edition")


def refused(page: Page, field: str, words: str) -> None:
    assert page.status == 422
    assert words in page.error_at(field) + page.part("#faults"), (page.errors, page.part("#faults"))
    assert page.errors


def test_a_file_is_looked_at_then_stored_then_read_by_everybody(olga: Person, visitor: Person, stage: Stage) -> None:
    before = stage.digest()
    page = read(olga)
    assert (page.status, page.path) == (200, NEW)
    assert "Nothing is stored yet" in page.text
    for words in (NAME, "2027-01-15", "Our club", "38 models, 134 items"):
        assert words in page.part("#look") + page.part("h1")
    assert "Otherwise than in Force lists 1.0, August 2018" in page.text
    assert page.rows("#look table.changes") == [
        ["Survivors", "Dogmeat", "removed", "104", "–"],
        ["Survivors", "Piper", "Caps", "76", "83"],
        ["Perks", "Sneak", "Caps", "20", "9"],
    ]
    assert stage.digest() == before, "nothing is stored by a look"
    page = olga.press("Store this edition")
    assert (page.status, page.path, page.flashes) == (200, CLUB, f"Stored. Events can choose {NAME} in their settings.")
    row = stage.one(OwnEdition)
    assert (row.edition, row.name, row.date, row.by, row.report) == (ID, NAME, "2027-01-15", "organiser Olga", None)
    assert json.loads(row.text) == json.loads(FILES.write(FILES.read(data_of(club_document()))))
    assert NAME in visitor.open(RULES).part("#editions")
    page = visitor.open(CLUB)
    assert page.status == 200
    piper = next(cells for cells in page.rows("table.prices") if cells[0].startswith("Piper"))
    assert piper[1] == "83"
    assert "unique" in piper[0] and "Pipe Pistol" in piper[0]
    assert "Olga" not in page.text, "who added it is the desk's business"
    assert visitor.open(f"{CLUB}?against=2018-08").rows("#difference table.changes")[0][:3] == [
        "Survivors", GONE, "removed",
    ]  # fmt: skip
    assert visitor.open(f"{CLUB}?against=none").status == 404
    assert visitor.open(f"{RULES}/editions/none").status == 404


def test_the_file_goes_out_as_it_is_stored_and_comes_in_again(olga: Person, visitor: Person, stage: Stage) -> None:
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


def test_the_look_is_compared_with_any_edition_and_keeps_what_was_read(olga: Person, stage: Stage) -> None:
    read(olga, against="2021-01")
    assert f"Otherwise than in {SYSTEM.edition('2021-01').name}" in olga.page.text
    page = olga.press("Compare", against="2018-08")
    assert page.status == 200
    assert "Otherwise than in Force lists 1.0, August 2018" in page.text
    assert stage.all(OwnEdition) == []
    assert olga.press("Store this edition").path == CLUB


def test_pressed_twice_it_is_one_and_a_second_of_the_id_or_name_is_none(olga: Person, stage: Stage) -> None:
    look = read(olga)
    olga.press("Store this edition")
    olga.page = look
    assert olga.press("Store this edition").path == CLUB
    assert len(stage.all(OwnEdition)) == 1
    other = data_of(club_document() | {"heroic_caps": 61})
    refused(read(olga, other), "id", f"There is an edition with the id {ID} already, and what is stored never changes")
    refused(read(olga, other, id="club-2"), "name", f"There is an edition called {NAME} already")
    refused(read(olga, other, id="2018-08", name="X"), "id", "the id 2018-08 already")
    refused(read(olga, other, id="X-1"), "id", "Only a to z")
    assert olga.page.value("id") == "X-1", "what was typed is kept"
    assert len(stage.all(OwnEdition)) == 1
    assert "83" in olga.open(CLUB).text


def test_somebody_else_stored_the_id_between_look_and_press(olga: Person, stage: Stage) -> None:
    look = read(olga, data_of(club_document() | {"heroic_caps": 61, "name": "Mine"}))
    store(olga)
    olga.page = look
    page = olga.press("Store this edition")
    assert page.status == 422
    assert f"the id {ID} already" in page.errors
    assert len(stage.all(OwnEdition)) == 1


def test_every_fault_is_told_with_its_line_as_it_stands(olga: Person, stage: Stage) -> None:
    document = club_document() | {"date": "15.1.2027"}
    document["factions"][0]["models"][1]["caps"] = "many"
    page = read(olga, data_of(document))
    assert page.status == 422
    faults = [item.get_text(" ", strip=True) for item in page.soup.select("#faults li")]
    assert len(faults) == 2
    assert 'date: is no date like "2018-08-20"' in faults[0] and '"date": "15.1.2027",' in faults[0]
    assert "factions[0].models[1].caps: is not a whole number" in faults[1] and '"caps": "many",' in faults[1]
    assert stage.all(OwnEdition) == []


def bomb(entries: int = 1, size: int = 200_000_000) -> bytes:
    """Zeros in a zip."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(entries):
            archive.writestr(f"{number}.cat", b"\0" * size)
    return packed.getvalue()


DEEP = b'{"system": ' + b"[" * 500_000
BROKEN = {
    "empty": (b" ", "not JSON"),
    "cut off": (data_of(club_document())[:-200], "not JSON at line"),
    "nan": (b'{"system": "battle_mode",\n"heroic_caps": NaN}', "line 2, heroic_caps: NaN is no JSON number"),
    "twice": (b'{"id": "a",\n"id": "b"}', "line 2, id: stands twice in one object"),
    "deep": (DEEP, "nested too deeply"),
    "huge number": (b'{"heroic_caps": ' + b"9" * 5000 + b"}", "a number in it is too long"),
    "large number": (data_of(club_document() | {"heroic_caps": 10**30}), "heroic_caps: is more than 9999"),
    "nul": (data_of(club_document() | {"name": "A\0B"}), "name: holds a character that does not print"),
    "nul byte": (data_of(club_document()).replace(b"Our club", b"Our\0club"), "not JSON at line"),
    "utf-16": (data_of(club_document()).decode().encode("utf-16"), "not UTF-8 text"),
    "latin-1": ("{é}".encode("latin-1"), "not UTF-8 text"),
    "zeros": (b"\0" * 3_000_000, "3000000 bytes, at most 2000000 are read"),
    "wrong game": (data_of(club_document() | {"system": "golf"}), "line 2, system: is not 'battle_mode'"),
    "a force": (b'{"system": "battle_mode", "edition": "2018-08", "models": []}', "edition: is not a field"),
    "a list": (b"[1, 2]", "an edition is a JSON object"),
    "surrogate": (b'{"name": "\\ud800"}', "name: is not valid text"),
}


@pytest.mark.proves("attack 36", "attack 37", "attack 38")
@pytest.mark.parametrize("sort", BROKEN)
def test_a_broken_or_hostile_file_is_refused_in_words_and_soon(olga: Person, stage: Stage, sort: str) -> None:
    data, words = BROKEN[sort]
    olga.open(NEW)
    before, started = stage.digest(), time.process_time()
    page = olga.press("Read the files", files=("lists.json", data))
    took = time.process_time() - started
    refused(page, "files", words)
    assert "\0" not in page.response.text
    assert took < RUN_AWAY, f"{sort} took {took:.1f} s"
    assert stage.digest() == before


@pytest.mark.proves("attack 38", "ASVS 5.2.1")
def test_more_than_a_request_may_hold_is_refused_before_it_is_read(olga: Person, stage: Stage) -> None:
    olga.open(NEW)
    page = olga.press("Read the files", files=("zeros.json", bytes(10_500_000)))
    assert page.status == 413
    assert "Too large" in page.text
    assert "larger than this page takes: 10 MB" in page.text
    assert stage.all(OwnEdition) == []
    olga.open("/desk/scenarios")
    page = olga.press("Read the file", file=("zeros.json", bytes(3_000_000)))
    assert page.status == 413, "other pages take less"
    assert "larger than this page takes: 2.5 MB" in page.text


def test_a_file_that_is_longer_as_it_is_written_out_is_refused(olga: Person, stage: Stage) -> None:
    """And one with unknown names among very many: neither takes long."""
    document = without_permissions(club_document())
    document["items"] = [
        {"category": "N", "kind": f"K{group}", "caps": {f"i{group * 1900 + n}": 1 for n in range(1900)}}
        for group in range(90)
    ]
    data = json.dumps(document, separators=(",", ":")).encode()
    assert len(data) < 2_000_000
    refused(read(olga, data), "files", "written out it has 2")
    document["factions"][0]["models"] = [
        {"name": f"m{n}", "caps": 1, "may_carry": {"K0": [f"j{n}"]}} for n in range(100)
    ]
    olga.open(NEW)
    started = time.process_time()
    page = olga.press("Read the files", files=("x.json", json.dumps(document, separators=(",", ":")).encode()))
    refused(page, "files", "j0 is no item of this file")
    assert time.process_time() - started < RUN_AWAY
    assert stage.all(OwnEdition) == []


def without_permissions(document: dict[str, Any]) -> dict[str, Any]:
    """The document with no model that may carry anything, so that its items can be exchanged."""
    for faction in document["factions"]:
        for model in faction["models"]:
            model.pop("may_carry", None)
    return document | {"disputed": [], "aliases": {}}


def test_an_edition_of_noise_that_no_page_can_take_along_is_refused(olga: Person, stage: Stage) -> None:
    dice = Random(1)
    names = {
        "".join(dice.choice("abcdefghijklmnopqrstuvwxyzäöüßéèàçñøåæœ0123456789") for _ in range(80))
        for _ in range(12_000)
    }
    document = without_permissions(club_document())
    document["items"] = [
        {"category": "Noise", "kind": f"Noise {n}", "caps": dict.fromkeys(sorted(names)[n * 1000 : n * 1000 + 1000], 1)}
        for n in range(12)
    ]
    refused(read(olga, json.dumps(document, ensure_ascii=False).encode()), "files", "larger than any")
    assert stage.all(OwnEdition) == []


def test_no_file_and_two_edition_files(olga: Person) -> None:
    olga.open(NEW)
    refused(olga.press("Read the files"), "files", "Please choose a file.")
    olga.open(NEW)
    one = ("a.json", data_of(club_document()))
    refused(
        olga.press("Read the files", files=[one, ("b.json", one[1])]), "files", "holds a whole edition; send it alone"
    )


def test_a_look_that_was_tampered_with_stores_nothing(olga: Person, stage: Stage) -> None:
    look = read(olga)
    packed = str(look.value("packed"))
    for forged in (packed[:-1] + ("A" if packed[-1] != "A" else "B"), "x", packed.replace(".", "", 1) + "y"):
        olga.page = look
        page = olga.forge("Store this edition", packed=forged)
        refused(page, "files", "This page is out of date")
    olga.page = look
    signer = URLSafeSerializer(str(olga.http.application.secret_key), salt="edition-look")
    other_game = str(signer.dumps(["golf", club_document(), None]))
    refused(olga.forge("Store this edition", packed=other_game), "files", "This page is out of date")
    assert stage.all(OwnEdition) == []


def test_the_desk_s_list_tells_all_of_each_and_removes_only_what_nobody_uses(
    olga: Person, stage: Stage, event: Event
) -> None:
    store(olga)
    page = olga.open(HOME)
    rows = {row[0].split(" 20")[0]: row for row in page.rows("table")}
    club = next(row for row in page.rows("table") if row[0].startswith(NAME))
    assert club[1:5] == [
        "2027-01-15",
        "Survivors, Brotherhood of Steel, Super Mutants 38 models, 134 items, 29 mods, 33 perks, 17 leader cards",
        "no event",
        "21 Nov 2026, organiser Olga",
    ]
    assert any("ships with Overseer" in row[4] and "Iron Open" in row[3] for row in rows.values())
    olga.open("/e/iron-open/desk/settings")
    assert olga.press("Save", edition=NAME).flashes == "Saved."
    assert "Iron Open" in olga.open(HOME).rows("table")[2][3]
    assert not olga.page.soup.find("form", action=f"{HOME}/battle-mode/{ID}/remove")
    token = str(olga.open(NEW).value("csrf_token"))
    olga.ask("POST", f"{HOME}/battle-mode/{ID}/remove", {"csrf_token": token})
    assert "It cannot be removed: Iron Open uses it." in olga.open(HOME).flashes
    assert stage.one(OwnEdition)
    olga.open("/e/iron-open/desk/settings")
    olga.press("Save", edition="2018-08")
    olga.open(HOME)
    assert olga.press("Remove").flashes == "Removed."
    assert stage.all(OwnEdition) == []
    assert olga.open(CLUB).status == 404


def test_an_id_that_comes_back_with_another_file_is_read_anew(olga: Person, visitor: Person) -> None:
    store(olga)
    assert "83" in visitor.open(CLUB).part("#list-1")
    olga.open(HOME)
    olga.press("Remove")
    document = club_document()
    document["factions"][0]["models"][0]["caps"] = 1234
    read(olga, edition_data(document))
    olga.press("Store this edition")
    assert "1234" in visitor.open(CLUB).part("#list-1")
