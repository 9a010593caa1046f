"""Properties of every sheet: names in all scripts, margins, same bytes, its own title, no files and no sockets."""

import ast
import ctypes
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from hashlib import sha256
from itertools import product
from math import hypot
from pathlib import Path
from random import Random
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw
import pytest
from pypdf import PdfReader
from pypdf.generic import ContentStream
from reportlab.lib.units import mm

import events
from pdf.page import SIZES, PageSize, finish, new_paper, next_page
from pdf.reference_sheet import Reference
from pdf.scenario_page import TableSetup, draw_table_setups
from pdf.table_map import ScenerySpot, TableMap, draw_map
from tests.kit.boxes import faults
from tests.kit.papers import page_texts, picture, plain, tagged
from tests.kit.profiles import every_nth, full_run
from tests.pdf.every_sheet import (
    COUNTED_APART,
    EVENT,
    REFERENCE,
    SHEETS,
    WITHOUT_FOOT,
    WITHOUT_NAMES,
    Sheet,
    a_scoresheet,
    a_setup,
)
from tests.pdf.samples import EXTRACT, LONG, NASTY, PRINTED_AT, as_pdf, scoresheets
from validators import SYSTEMS
from validators.game_system import GameSystem
from validators.measures import measured
from validators.scenario import Marker, Scenario, Side
from validators.scenery import layout
from validators.sheet import ReferencePart

pytestmark = pytest.mark.slow

NAMED = {name: sheet for name, sheet in SHEETS.items() if name not in WITHOUT_NAMES}


@cache
def on_several_pages(sheet: Sheet) -> bytes:
    few = sheet([f"Player{n:02}" for n in range(3)], "A4", PRINTED_AT)
    if len(PdfReader(io.BytesIO(few)).pages) > 1:
        return few
    return sheet([f"Player{n:02}" for n in range(60)], "A4", PRINTED_AT)


@cache
def of_all_scripts(sheet: Sheet) -> bytes:
    return sheet([*NASTY, LONG], "A4", PRINTED_AT)


def test_every_drawing_function_is_listed() -> None:
    found = set()
    for file in Path(events.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("pdf."):
                found |= {f"{node.module}.{name.name}" for name in node.names if name.name.startswith("draw_")}
    assert found == SHEETS.keys()
    assert WITHOUT_FOOT.keys() | WITHOUT_NAMES.keys() <= SHEETS.keys()


@every_nth(4, 1)
def test_names_of_the_world_are_found_again(step: int) -> None:
    for name, sheet in [*NAMED.items()][::step]:
        pages = PdfReader(io.BytesIO(of_all_scripts(sheet))).pages  # as copied out, in all scripts
        text = " ".join(plain(page.extract_text()) for page in pages)
        missing = [ascii(typed) for typed, printed in NASTY.items() if printed not in text]
        assert missing == [], name
        assert [word for word in LONG.split() if word not in text.replace("- ", "-")] == [], (
            "a long name is shrunk or wrapped, not cut"
        )


def test_margins_are_white() -> None:
    for (name, sheet), size in product(SHEETS.items(), SIZES):
        document = sheet([LONG, "W" * 80], size, PRINTED_AT)
        margin = int(10 * mm)
        for number, page in enumerate(PdfReader(io.BytesIO(document)).pages):
            paper = sorted((float(page.mediabox.width), float(page.mediabox.height)))
            assert paper == pytest.approx(sorted(SIZES[size]), abs=0.1), (name, size)
            drawn = picture(document, number, 1.0)
            drawn.paste(255, (margin, margin, drawn.width - margin, drawn.height - margin))
            assert drawn.getextrema() == (255, 255), f"page {number + 1}"


def test_every_face_is_embedded_and_the_date_is_true() -> None:
    for name, sheet in SHEETS.items():
        document = of_all_scripts(sheet)
        assert b"Helvetica" not in document, name
        read = PdfReader(io.BytesIO(document))
        assert read.metadata is not None
        assert read.metadata.creation_date == read.metadata.modification_date == PRINTED_AT, name
        fonts: dict[str, Any] = {}
        for page in read.pages:
            resources: Any = page["/Resources"]
            fonts.update(resources.get("/Font", {}))
        assert fonts, name
        for font in fonts.values():
            (glyphs,) = font.get_object()["/DescendantFonts"]
            descriptor = glyphs.get_object()["/FontDescriptor"]
            assert re.fullmatch("/[A-Z]{6}\\+.*", descriptor["/FontName"]), "only the glyphs that are used"
            assert len(descriptor["/FontFile2"].get_data()) > 100


EVERY = """
import hashlib, json
from tests.pdf.samples import LONG, NASTY, PRINTED_AT
from tests.pdf.every_sheet import SHEETS
made = {name: SHEETS[name]([*NASTY, LONG], "A4", PRINTED_AT) for name in reversed(SHEETS)}
print(json.dumps({name: hashlib.sha256(document).hexdigest() for name, document in made.items()}))
"""


def test_another_process_makes_the_same_bytes() -> None:
    """With another time zone, language and order of sets, and after other drawings."""
    env = {"TZ": "Asia/Tokyo", "LC_ALL": "ja_JP.UTF-8", "PYTHONHASHSEED": "2", "PATH": "", "PYTHONPATH": "."}
    done = subprocess.run([sys.executable, "-c", EVERY], capture_output=True, text=True, check=True, env=env)
    here = {name: sha256(of_all_scripts(sheet)).hexdigest() for name, sheet in SHEETS.items()}
    assert json.loads(done.stdout) == here


ON_ONE_PAGE = "pdf.signs.draw_poster", "pdf.bracket.draw_bracket"


def test_sheet_has_all_players_title_time_and_page_numbers() -> None:
    for name, sheet in SHEETS.items():
        document = on_several_pages(sheet)
        read = PdfReader(io.BytesIO(document))
        title = (read.metadata and read.metadata.title) or ""
        assert EVENT in title != EVENT, name
        assert str(read.root_object["/Lang"]) == "en-GB", name
        assert "'/DisplayDocTitle': True" in str(read.root_object["/ViewerPreferences"]), name
        texts = page_texts(document)
        assert len(texts) > 1 or name in ON_ONE_PAGE, name
        found = [n for n in range(60) if f"Player{n:02}" in " ".join(texts)]
        assert name in WITHOUT_NAMES or found in ([*range(3)], [*range(60)]), "nobody is lost"
        if name not in WITHOUT_FOOT:
            apart = name in COUNTED_APART  # these may have blank backs
            for number, text in enumerate(filter(None, texts) if apart else texts, 1):
                assert f"Page {number} of {len(texts)}" in text or (apart and re.search(r"Page \d+ of \d+", text)), name
                assert "Printed 20 Nov 2026, 14:05 CET" in text, name
                assert EVENT in text, name
            assert sheet(["Zofia"], "A4", PRINTED_AT) != sheet(["Zofia"], "A4", PRINTED_AT + timedelta(minutes=1)), name


@pytest.mark.proves("attack 27", "attack 34")
def test_markup_and_addresses_are_text() -> None:
    typed = ["<img src='http://127.0.0.1:9/x.png'/>", "file:///etc/passwd", "<font color='[[[1]]]'>Eve</font>"]
    seen: list[tuple[str, object]] = []
    watching = False

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if watching and (event == "open" or event.startswith(("socket.", "subprocess.", "urllib."))):
            seen.append((event, arguments))

    sys.addaudithook(hook)
    for name, sheet in NAMED.items():
        sheet(["Zofia"], "A4", PRINTED_AT)  # the fonts are read once, before any user text
        watching = True
        document = sheet(typed, "A4", PRINTED_AT)
        opened = list(seen)
        with open(__file__):  # noqa: PTH123 (the hook itself must be seen to work)
            pass
        watching = False
        assert (opened, len(seen)) == ([], 1), name
        seen.clear()
        text = " ".join(page_texts(document)).replace("- ", "").replace(" ", "")
        assert all(part.replace(" ", "") in text for part in typed), (name, text)


def test_structure_for_screen_readers_is_whole() -> None:
    for name, sheet in SHEETS.items():
        read = PdfReader(io.BytesIO(on_several_pages(sheet)))
        root: Any = read.root_object
        assert root["/MarkInfo"]["/Marked"]
        pages: list[Any] = list(read.pages)
        found: dict[tuple[int, int], str] = {}
        _walk(root["/StructTreeRoot"]["/K"], pages, found)
        parents = root["/StructTreeRoot"]["/ParentTree"]["/Nums"]
        assert parents[::2] == list(range(len(pages)))
        for number, page in enumerate(pages):
            assert page["/StructParents"] == number
            depth = 0
            shown: dict[int, str] = {}
            for operands, operator in ContentStream(page.get_contents(), read).operations:
                if operator in (b"BDC", b"BMC"):
                    if operands[0] == "/Span":
                        assert depth == 1 and operands[1]["/ActualText"], "the letters of what was shaped"
                    else:
                        assert depth == 0, "no mark holds another"
                    if operator == b"BDC" and "/MCID" in operands[1]:
                        shown[operands[1]["/MCID"]] = operands[0]
                    depth += 1
                elif operator == b"EMC":
                    depth -= 1
                elif operator in (b"Tj", b"TJ", b"Do"):
                    assert depth, "everything that is shown is marked"
            assert depth == 0
            assert shown == {mark: role for (place, mark), role in found.items() if place == number}, name
            of_page = [one.get_object()["/S"] for one in parents[2 * number + 1].get_object()]
            assert of_page == [shown[mark] for mark in range(len(of_page))]
        assert list(found.values()).count("/H1") == 1, (name, "one heading is that of the document")
        if name in ("pdf.wall.draw_standings", "pdf.wall.draw_pairings_by_table"):
            assert "/H2" not in found.values(), "the heads of further pages are no headings"


def _walk(node: Any, pages: list[Any], found: dict[tuple[int, int], str]) -> None:
    """Every mark of the structure, under the rules of the parts that it is in."""
    role = node["/S"]
    inside = {"/Table": {"/TR"}, "/TR": {"/TH", "/TD"}, "/L": {"/LI"}, "/LI": {"/LBody"}}.get(role)
    assert node["/K"], "no part is empty"
    assert (role == "/Figure") == ("/Alt" in node)
    for kid in node["/K"]:
        number = kid.get_object()
        if isinstance(number, int):
            assert (pages.index(node["/Pg"]), number) not in found and inside is None
            found[pages.index(node["/Pg"]), number] = role
        else:
            assert number["/P"] == node and (inside is None or number["/S"] in inside)
            _walk(number, pages, found)


def test_tables_lists_and_figures_are_tagged_as_such() -> None:
    roles: dict[str, set[str]] = {}
    words: dict[str, str] = {}
    for name, sheet in SHEETS.items():
        document = PdfReader(io.BytesIO(sheet(["Ada", "Bo"], "A4", PRINTED_AT)))
        every: list[Any] = [document.get_object(n) for n in range(1, len(document.xref[0]) + 1)]
        parts = [entry for entry in every if isinstance(entry, dict) and entry.get("/Type") == "/StructElem"]
        roles[name] = {entry["/S"] for entry in parts}
        words[name] = " ".join(entry.get("/Alt", "") for entry in parts)
    lists = "pdf.wall.draw_standings", "pdf.wall.draw_pairings_by_table", "pdf.wall.draw_pairings_by_name"
    for name in (*lists, "pdf.game_sheet.draw_game_sheets"):
        assert roles[name] >= {"/H1", "/Table", "/TR", "/TH", "/TD"}, name
    assert roles["pdf.force_card.draw_force_cards"] >= {"/H1", "/L", "/LI", "/LBody"}
    for name in (
        "pdf.scoresheet.draw_scoresheets",
        "pdf.scenario_page.draw_scenario_sheets",
        "pdf.scenario_page.draw_table_setups",
    ):
        assert roles[name] >= {"/H1", "/H2", "/Figure"}, name
        assert sheet(["Ada"], "A4", PRINTED_AT).startswith(b"%PDF-1.7"), "the version that has these tags"
        assert "Map of the table, 36 inches a side" in words[name] and "2 at 24 and 18" in words[name], name
    assert "QR code: https://desk.example.org/g/000001" in words["pdf.scoresheet.draw_scoresheets"]


def test_bullets_and_titles_of_scoresheets_and_their_backs_are_lists_and_headings() -> None:
    names, size = ("Ada", "Bo"), next(iter(SIZES))
    of_tables = scoresheets([a_scoresheet(n, name) for n, name in enumerate(names, 1)], size, PRINTED_AT, 1, REFERENCE)
    steps = [f"• {step}" for step in (*EXTRACT.setup, *EXTRACT.scoring)]
    read = tagged(of_tables)
    assert [text for role, text in read if role == "H1"] == [EVENT]
    headings = [text for role, text in read if role == "H2"]
    assert headings == ["TABLE 1", "Battle Mode, reference sheet", "TABLE 2", "Battle Mode, reference sheet"]
    sections = [text for role, text in read if role == "H3"]
    for title in (EXTRACT.scenario, "Set-up", "Scoring", "Markers"):
        assert sections.count(title) == 2, title
    assert [text for role, text in read if role == "LBody"] == [*steps, "• One VP."] * 2
    setup = tagged(as_pdf(draw_table_setups, size, [a_setup(1, "Ada")]))
    assert [text for role, text in setup if role == "H1"] == ["Table 1: Ada"]
    assert ("H2", "Set-up") in setup and ("LBody", "1. Ada") in setup


def test_a_list_item_that_continues_in_the_next_column_stays_one_item() -> None:
    long = "A rule that is long enough for several lines and several columns of a page. " * 60
    part = ReferencePart("Markers", "", (), (), (long, "One VP."))
    document = scoresheets([a_scoresheet(1, "Ada")], "A4", PRINTED_AT, 1, Reference("Battle Mode", (part,)))
    items = [text for role, text in tagged(document) if role == "LBody"][-3:]
    assert [text.startswith("•") for text in items] == [True, False, True] and items[2] == "• One VP."
    root: Any = PdfReader(io.BytesIO(document)).root_object["/StructTreeRoot"]["/K"]  # type: ignore[index]
    last = [kid.get_object() for kid in root["/K"] if kid.get_object()["/S"] == "/L"][-1]
    assert [len(kid.get_object()["/K"]) for kid in last["/K"]] == [2, 1]


def test_no_text_lies_over_another() -> None:
    """Half of the scenarios on each larger paper; the next test draws those with scenery on the smallest."""
    for system in SYSTEMS.values():
        setups = [_setup(system, scenario, "table 1") for scenario in system.scenarios]
        parts: dict[PageSize, list[TableSetup]] = {"A4": setups[::2], "Letter": setups[1::2]}
        for size, some in (parts if system.scenery else {"A5": setups, **parts}).items():
            assert [*faults(as_pdf(draw_table_setups, size, some))] == [], (system.id, size)


@pytest.mark.parametrize("size", full_run(SIZES, ["A5"]))
@pytest.mark.parametrize(
    "system_id", full_run([game.id for game in SYSTEMS.values() if game.scenery], ["battle_mode", "new_vegas"])
)
def test_scenery_covers_no_marker_and_no_text(system_id: str, size: PageSize) -> None:
    """Markers are largest beside scenery on the smallest paper, because letters do not shrink with the map."""
    system, drawn = SYSTEMS[system_id], 0
    for scenario in (*system.scenarios, *_own_scenarios(system)):
        setup = _setup(system, scenario, "table 1")
        document = as_pdf(draw_table_setups, size, [setup])
        assert [*faults(document, cut=True)] == [], (scenario.id, size)  # a label between pieces may have no room
        shapes, pieces = _shapes(document), len(setup.spots)
        assert len(shapes) == pieces + len(scenario.markers), "each piece and each marker is outlined and filled"
        for marker, piece in product(shapes[pieces:], shapes[:pieces]):
            apart = _from_rim(piece, marker.x, marker.y)
            assert apart > marker.half, (scenario.id, size, scenario.table_inches, marker, piece)
        drawn += pieces
    assert drawn > 70


def _own_scenarios(system: GameSystem) -> Iterator[Scenario]:
    """A club's own: small and large tables with up to 12 markers, in rows and scattered, some owned."""
    dice, first = Random(7), system.scenarios[0]
    for table, many in product((36, 48, 60), (7, 12)):
        step = table / (8 if many == 7 else 6)
        spots = [(round(2 * step * x) / 2, round(2 * step * y) / 2) for x in range(1, 8) for y in range(1, 8)]
        places = dice.sample([spot for spot in spots if max(spot) < table], many)
        owners: list[Side | None] = [dice.choice(("a", "b", None, None)) for _ in places]
        marked = (Marker(x, y, f"Marker {n}", owners[n - 1]) for n, (x, y) in enumerate(places, 1))
        setup = tuple(f"{first.setup[0]} Step {n}." for n in range(1, 3 + dice.randint(0, 9)))
        yield replace(
            first, id=f"own-{table}-{many}", table_inches=table, markers=tuple(marked), setup=setup,
            deployment_inches=dice.choice((0, 6, 9)),
        )  # fmt: skip


@dataclass(frozen=True)
class _Shape:
    """An outlined and filled shape: its middle, half the width of its ink, and whether it is round."""

    x: float
    y: float
    half: float
    round: bool


def _shapes(document: bytes) -> list[_Shape]:
    """The outlined and filled shapes of the first page, in the order in which they are drawn."""
    opened = pdfium.PdfDocument(document)
    found = []
    for thing in opened[0].get_objects(filter=[raw.FPDF_PAGEOBJ_PATH]):
        fill, stroke, line = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
        raw.FPDFPageObj_GetStrokeWidth(thing, line)
        raw.FPDFPath_GetDrawMode(thing, fill, stroke)
        left, bottom, right, top = thing.get_bounds()
        if fill.value and stroke.value:
            is_round = raw.FPDFPath_CountSegments(thing) > 5 or right - left != pytest.approx(top - bottom)
            found.append(_Shape((left + right) / 2, (bottom + top) / 2, (right - left - line.value) / 2, is_round))
    opened.close()
    return found


def _from_rim(shape: _Shape, x: float, y: float) -> float:
    across, up = abs(shape.x - x), abs(shape.y - y)
    if shape.round:
        return hypot(across, up) - shape.half
    return hypot(max(0, across - shape.half), max(0, up - shape.half))


@pytest.mark.parametrize(
    ("id_", "name", "size", "many"),
    [
        ("raiders", "3 × Face down", "A4", 2),
        ("defend-your-stash", "Home", "A5", 2),
        ("wild-america", "circle", "A5", 1),
        ("treasure-hunt", "6 chests in the circle", "A4", 1),
    ],
)
def test_scenery_leaves_each_marker_its_name(id_: str, name: str, size: PageSize, many: int) -> None:
    system, scenario = next(
        (game, a_scenario) for game in SYSTEMS.values() for a_scenario in game.scenarios if a_scenario.id == id_
    )
    for table in range(1, 4):
        setup = _setup(system, scenario, f"wasteland-open, table {table}")
        setup = replace(setup, table_map=replace(setup.table_map, across=(), up=(), depth="", depth_colour=""))
        near = min(
            hypot(piece.x - marker.x, piece.y - marker.y) for piece, marker in product(setup.spots, scenario.markers)
        )
        assert near > 4, "a disc of 4 inches leaves half of that between its rim and the marker's middle"
        text = " ".join(page_texts(as_pdf(draw_table_setups, size, [setup])))
        assert text.count(name) == many, (table, "on two lines where one has no room")


def _setup(system: GameSystem, scenario: Scenario, seed: str) -> TableSetup:
    scenery, measures = system.scenery and system.scenery(scenario), measured(scenario, system.rulers)
    markers = tuple(replace(m, label=label) for m, label in zip(scenario.markers, measures.labels, strict=True))
    drawn = TableMap(
        scenario.table_inches, scenario.deployment_inches, markers, measures.across, measures.up, measures.deployment,
        measures.deployment_colour,
    )  # fmt: skip
    listed = next((question.choices for question in scenario.questions if len(question.choices) > 4), ())
    pieces = layout(scenery, scenario, seed) if scenery else ()
    names = [piece.kind.name.partition(",")[0] * (scenario.document["system"] != "battle_mode") for piece in pieces]
    return TableSetup(
        f"Table 1: {scenario.name}", "Round 2", drawn,
        tuple(
            ScenerySpot(piece.x, piece.y, piece.kind.shape, name, piece.kind.letter)
            for piece, name in zip(pieces, names, strict=True)
        ),
        scenery.across if scenery else 0, scenario.setup, scenario.needs, listed=listed,
    )  # fmt: skip


def test_numbers_of_both_sides_are_in_their_markers_on_the_smallest_map() -> None:
    lines = tuple(Marker(12 * n, 8 * n, f"Line {n}/{6 - n}") for n in (1, 2))
    paper = new_paper("A5", event="Open", printed_at=PRINTED_AT)
    draw_map(paper.canvas, 50, 50, 70, TableMap(48, 0, lines))
    next_page(paper)
    (text,) = page_texts(finish(paper))
    assert "1/5" in text and "2/4" in text and "Line" not in text
