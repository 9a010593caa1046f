"""Standings, players and rounds as files: CSV without formulas, and a workbook."""

import csv
import io
import re
import zipfile

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st

from events.lists import locks
from events.registration import leaving
from events.web.csv_cells import PLAIN_NUMBER, as_typed, cell
from models.event import Event
from models.play import Player
from models.settings import ListsShown
from tests.kit.lists import store_force
from tests.kit.person import ADD_ALL, Enter, Person
from tests.kit.stage import Stage
from tests.kit.team_events import COLOURS, decide_all, enter_teams, team_event

NAMES = ("太郎 田中", "אבגדה", 'Müller, "Max"', "=1+1", "Ωμέγα", "علي")


def rows(visitor: Person, address: str) -> list[list[str]]:
    answer = visitor.ask("GET", address)
    assert (answer.status_code, answer.mimetype) == (200, "text/csv")
    assert answer.data.startswith(b"\xef\xbb\xbf"), "Excel needs the mark to read UTF-8"
    assert b"\r\n" in answer.data
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"), newline="")))


@pytest.mark.proves("attack 32", "attack 62", "ASVS 1.2.1")
def test_no_part_of_a_cell_starts_a_formula() -> None:
    shown = {
        "=HYPERLINK(1)": "'=HYPERLINK(1)", "+49 171": "'+49 171", "-x": "'-x", "@SUM": "'@SUM", "\tx": "'\tx",
        "＝1": "'＝1", "-3": "-3", -3: "-3", "+2.5": "+2.5", "2-1": "2-1", None: "", "Ada": "Ada", "-1+1": "'-1+1",
    }  # fmt: skip
    assert {value: cell(value) for value in shown} == shown


@pytest.mark.proves("attack 62")
@given(st.text("ab;,\t\r\n\"' =+-@\uff1d\uff0b\uff0d\uff20\uff1b\u3000123.", max_size=12))
def test_cell_is_read_back_as_it_was_written(value: str) -> None:
    written = cell(value)
    assert as_typed(written) == value
    parts = [part.strip() for part in re.split(r'[;,\t\r\n"]', written)]  # the cells that spreadsheets see
    assert PLAIN_NUMBER.fullmatch(value) or not [p for p in parts if p[:1] in tuple("=+-@\uff1d\uff0b\uff0d\uff20")]


@pytest.mark.proves("attack 62", "attack 74")
def test_no_download_has_a_formula_after_a_separator(stage: Stage, event: Event, visitor: Person, olga: Person) -> None:
    stage.enter(event, "Ada;=1+1;y", 'Bo"=2+2', "Cy, @SUM(A1)", "Di;\uff1d1", club="Reds;-1+1;x")
    stage.play(event, 1)
    public = [f"/e/iron-open/{part}.csv" for part in ("players", "rounds/1/round", "standings")]
    sheets = {one: visitor.ask("GET", one).data.decode("utf-8-sig") for one in public}
    sheets["journal"] = olga.ask("GET", "/e/iron-open/desk/journal.csv").data.decode("utf-8-sig")
    with zipfile.ZipFile(io.BytesIO(olga.ask("GET", "/e/iron-open/desk/rounds/1/pack.zip").data)) as pack:
        sheets |= {name: pack.read(name).decode("utf-8-sig") for name in pack.namelist() if name.endswith(".csv")}
    assert len(sheets) >= 6
    for name, sheet in sheets.items():
        assert "Ada;" in sheet, name
        for separator in (";", ",", "\t"):
            cells = [part.strip() for line in sheet.splitlines() for part in re.split(f'[{separator}"]', line)]
            bad = [part for part in cells if part[:1] in tuple("=+-@\uff1d") and not PLAIN_NUMBER.fullmatch(part)]
            assert not bad, (name, separator)


@pytest.mark.proves("attack 62")
def test_player_sheet_is_pasted_into_another_event(stage: Stage, event: Event, visitor: Person, olga: Person) -> None:
    names = ["Ada;=1+1;y", "=1+1", "'=1+1", "-3", "Cy, @home", "'Bo'"]
    stage.enter(event, *names, club="Reds;-1")
    other = stage.event("Brass Open")
    lines = ["\t".join(row[:3]) for row in rows(visitor, "/e/iron-open/players.csv")[1:]]
    olga.press(ADD_ALL, at=f"/e/{other.slug}/desk/players", **{"p-names": "\n".join(lines)})
    entered = [player for player in stage.all(Player) if player.event_id == other.id]
    assert sorted(player.name for player in entered) == sorted(names)
    assert {player.club for player in entered} == {"Reds;-1"}


def test_player_sheet_has_those_who_dropped_after_a_round(stage: Stage, event: Event, visitor: Person) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    stage.do(event, leaving.drop, stage.one(Player, name="Ada"))
    sheet = rows(visitor, "/e/iron-open/players.csv")
    assert [(row[0], row[-1]) for row in sheet[1:]] == [("Bo", "yes"), ("Cy", "yes"), ("Di", "yes"), ("Ada", "dropped")]


def test_sheets_of_a_played_event(stage: Stage, event: Event, visitor: Person) -> None:
    stage.enter(event, *NAMES, "Zoë", club="@home")
    stage.play(event, 1)
    stage.publish(event, 2)
    people = rows(visitor, "/e/iron-open/players.csv")
    assert people[0] == ["Player", "Club", "Faction", "Place"]
    assert [row[0] for row in people[1:]] == [*("'=1+1" if name == "=1+1" else name for name in NAMES), "Zoë"]
    assert {row[1] for row in people[1:]} == {"'@home"}

    first = rows(visitor, "/e/iron-open/rounds/1/round.csv")
    assert first[0][:2] == ["Round", "Table"]
    assert [{row[7], row[8], row[10]} for row in first[1:4]] == [{"3", "1", "played"}] * 3
    assert all(row[9] == (row[3] if row[7] == "3" else row[5]) for row in first[1:4])
    assert first[4][1] == first[4][5] == "" and "bye" in first[4][10]
    assert {row[10] for row in rows(visitor, "/e/iron-open/rounds/2/round.csv")[1:4]} == {"not reported"}

    table = rows(visitor, "/e/iron-open/standings.csv")
    ranked = stage.standings(event)
    assert [(row[0], row[1].removeprefix("'"), row[8]) for row in table[1:]] == [
        (str(one.rank), one.name, str(one.points)) for one in ranked
    ]
    assert [row[9:-1] for row in table[1:]] == [[str(figure.shown) for figure in one.figures] for one in ranked]
    assert visitor.ask("GET", "/e/iron-open/standings.csv?after=2").status_code == 404
    decide_all(stage, event, 2)
    stage.draw(event, 3)
    assert visitor.ask("GET", "/e/iron-open/rounds/3/round.csv").status_code == 404, "a draft"
    for page in ("", "/rounds/1", "/standings"):
        links = visitor.open(f"/e/iron-open{page}").soup.find_all("a")
        (link,) = [a["href"] for a in links if a.get_text() in ("CSV", "Players as CSV")]
        assert visitor.ask("GET", str(link)).mimetype == "text/csv"


def test_sheets_of_a_team_event(stage: Stage, visitor: Person) -> None:
    event = team_event(stage)
    enter_teams(stage, event, *COLOURS[:2])
    stage.publish(event, 1)
    decide_all(stage, event, 1)
    assert rows(visitor, f"/e/{event.slug}/players.csv")[1][:2] == ["Reds 1", "Reds"]
    table = rows(visitor, f"/e/{event.slug}/standings.csv")
    assert table[0][:2] == ["Rank", "Team"]
    assert [row[1] for row in table[1:]] == ["Reds", "Blues"]


SPREADSHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def workbook_rows(data: bytes) -> dict[str, list[list[str]]]:
    """The cells of a workbook by sheet, as text; fails for a formula or a link."""
    with zipfile.ZipFile(io.BytesIO(data)) as files:
        trees = {name: fromstring(files.read(name)) for name in files.namelist() if name.endswith(".xml")}
        assert not [name for name in files.namelist() if "externalLink" in name or "worksheets/_rels" in name]
    shared = ["".join(a_tree.itertext()) for a_tree in trees["xl/sharedStrings.xml"]]
    names = [one.attrib["name"] for one in trees["xl/workbook.xml"].iter(f"{SPREADSHEET}sheet")]
    found: dict[str, list[list[str]]] = {}
    for number, name in enumerate(names, 1):
        tree = trees[f"xl/worksheets/sheet{number}.xml"]
        assert not [*tree.iter(f"{SPREADSHEET}f")]
        found[name] = [
            [shared[int(text)] if c.get("t") == "s" else text for c in row for text in ["".join(c.itertext())]]
            for row in tree.iter(f"{SPREADSHEET}row")
        ]
    return found


@pytest.mark.proves("attack 62")
def test_workbook_holds_what_the_csv_files_hold_and_no_formula(
    enter: Enter, stage: Stage, event: Event, visitor: Person
) -> None:
    enter(event, "Ada", "=1+1", "太郎 田中", "-x")
    store_force(stage, "Ada")
    assert workbook_rows(visitor.ask("GET", "/e/iron-open/event.xlsx").data).keys() == {
        "Players", "Lists", "Standings after 0"
    }  # fmt: skip
    stage.play(event, 1)
    stage.publish(event, 2)
    book = workbook_rows(visitor.ask("GET", "/e/iron-open/event.xlsx").data)
    files = {
        "Players": "players.csv", "Lists": "lists.csv", "Round 1": "rounds/1/round.csv",
        "Round 2": "rounds/2/round.csv", "Standings after 1": "standings.csv",
    }  # fmt: skip
    assert [*book] == [*files]
    for name, file in files.items():
        typed = [[as_typed(one) for one in row if one] for row in rows(visitor, f"/e/iron-open/{file}")]
        assert book[name] == typed, name
    assert "=1+1" in {row[0] for row in book["Players"]}
    assert ["Ada", "Pipe Wrench"] in [[row[0], word] for row in book["Lists"] for word in row[4].split(", ")]


def test_lists_are_in_no_file_before_everybody_may_read_them(
    enter: Enter, stage: Stage, visitor: Person, olga: Person
) -> None:
    event = stage.event(lists_shown=ListsShown.AFTER_EVENT)
    enter(event, "Ada", "Bo")
    store_force(stage, "Ada")
    stage.play(event, 1)
    for person in (visitor, olga):
        assert len(rows(person, "/e/iron-open/lists.csv")) == 1, "only the heads, also for staff"
    stage.do(event, locks.reveal)
    assert {row[0] for row in rows(visitor, "/e/iron-open/lists.csv")} == {"Player", "Ada"}
