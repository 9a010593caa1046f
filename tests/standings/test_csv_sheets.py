"""Standings, players and rounds as files: CSV without formulas, and the report file for chess tools."""

import csv
import io
import re
import zipfile
from dataclasses import dataclass
from datetime import date

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.cell import Cell

from events.lists import locks
from events.registration import leaving
from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.ranking import ranking_rows
from events.tournament.tie_breaks import TIE_BREAKS
from events.tournament.trf import Heading, report_file
from events.web.csv_cells import PLAIN_NUMBER, as_typed, cell
from languages.words import minus
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
    text = visitor.ask("GET", f"/e/{event.slug}/standings.trf").text
    assert "092 Team: Swiss system\r\n" in text and f"013 {'Reds':<31}    1    2    3\r\n" in text


HEADING = Heading("Iron Open", "Łódź", date(2026, 12, 5), date(2026, 12, 6), "Individual: Swiss system", 5, 90, {})


@dataclass(frozen=True)
class Line:
    """A player's line as a tool reads it."""

    start: int
    name: str
    points: float
    rank: int
    rounds: tuple[tuple[int, str, str], ...]
    """The opponent's number (0: none), the colour, the result."""


def read(text: str) -> tuple[dict[str, str], dict[int, Line]]:
    """The other lines by code, and the players' lines by number."""
    heads, players = {}, {}
    assert text.endswith("\r\n")
    for line in text.split("\r\n")[:-1]:
        code, blank = line[0:3], line[3]
        assert blank == " "
        if code != "001":
            assert code not in heads
            heads[code] = line[4:]
            continue
        assert len(line) >= 89
        assert (len(line) - 89) % 10 == 0, "whole rounds of ten columns"
        assert line[8:14] + line[47:80] == " " * 39, "no sex, title, rating, federation, number, birthday"
        rounds = []
        for at in range(89, len(line), 10):
            cell = line[at : at + 10]
            assert cell[0:2] + cell[6] + cell[8] == "    "
            rounds.append((int(cell[2:6]), cell[7], cell[9]))
        one = Line(int(line[4:8]), line[14:47].rstrip(), float(line[80:84]), int(line[85:89]), tuple(rounds))
        assert one.start not in players
        players[one.start] = one
    return heads, players


def test_every_kind_of_round_is_in_its_columns() -> None:
    """Six players over two rounds, with every kind of round without a game."""
    names = ("Zoë Łódź", "Ωμέγα Ivanova", "Иван", "O’Hara with the very longest name of all", "★ Star", "Björn ß")
    results = [
        Result(1, "1", "2", 3, 1),
        Result(1, "3", "4", 2, 2),
        Result(1, "5", None),
        Result(2, "2", "3", 0, 0, absent="b"),
        Result(2, "5", "1", 0, 4),
        Result(2, "4", None, asked=True),
        Result(2, "6", None),
    ]
    people = [Entrant(str(n), name) for n, name in enumerate(names, start=1)]
    rows = ranking_rows(results, people, Scheme())
    text = report_file(HEADING, rows, results, Scheme())
    assert text.isascii()
    heads, players = read(text)
    assert [players[n].name for n in range(1, 7)] == [
        "Zoe Lodz", "Ivanova", "Player 3", "O'Hara with the very longest name", "Star", "Bjorn ss",
    ]  # fmt: skip
    assert [players[n].rounds for n in range(1, 7)] == [
        ((2, "w", "1"), (5, "b", "1")),
        ((1, "b", "0"), (3, "w", "+")),
        ((4, "w", "="), (2, "b", "-")),
        ((3, "b", "="), (0, "-", "H")),
        ((0, "-", "U"), (1, "w", "0")),
        ((0, "-", "Z"), (0, "-", "U")),
    ]
    assert [players[n].points for n in range(1, 7)] == [6, 3, 1, 2, 3, 3]
    assert {n: one.rank for n, one in players.items()} == {int(row.id): row.rank for row in rows}
    assert [heads[code] for code in ("012", "022", "042", "052", "062", "XXR", "122")] == [
        "Iron Open", "Lodz", "2026/12/05", "2026/12/06", "6", "5", "90 minutes a round",
    ]  # fmt: skip
    assert dict(pair.split("=") for pair in heads["XXS"].split()) == {
        "WW": "3.0", "BW": "3.0", "WD": "1.0", "BD": "1.0", "WL": "0.0", "BL": "0.0",
        "ZPB": "0.0", "HPB": "1.0", "FPB": "3.0", "PAB": "3.0", "FW": "3.0", "FL": "0.0",
    }  # fmt: skip
    assert [heads[code] for code in ("BBW", "BBD", "BBL", "BBU")] == [" 3.0", " 1.0", " 0.0", " 3.0"]


def test_file_lists_teams_stand_ins_and_requested_byes() -> None:
    people = [Entrant(n, f"P{n}") for n in "12"]
    results = [Result(1, "1", "9", 3, 1), Result(1, "2", None)]
    heading = Heading("A", "", date(2026, 1, 1), date(2026, 1, 1), "Team: Swiss system", 1, 60, {"Reds": ["2", "1"]})
    rows = ranking_rows(results, [*people, Entrant("9", "Stand-in", ringer=True)], Scheme())
    heads, players = read(report_file(heading, [row for row in rows if row.id != "9"], results, Scheme()))
    assert heads["013"] == f"{'Reds':<31}    2    1"
    assert heads["082"] == "1"
    assert players[1].rounds == ((3, "w", "1"),)
    assert (players[3].name, players[3].rounds) == ("Player 3", ((1, "b", "0"),))
    asked = [Result(1, "1", None, asked=True)]
    for scheme, sign, points in (
        (Scheme(asked_bye="win"), "F", 3), (Scheme(), "H", 1), (Scheme(asked_bye="loss"), "Z", 0),
    ):  # fmt: skip
        _, players = read(report_file(HEADING, ranking_rows(asked, people, scheme), asked, scheme))
        assert (players[1].rounds, players[1].points) == (((0, "-", sign),), points)


def test_download_matches_the_standings_after_each_round(stage: Stage, event: Event, visitor: Person) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    _, players = read(visitor.ask("GET", "/e/iron-open/standings.trf").text)
    assert [(one.name, one.points, one.rounds) for one in players.values()][:2] == [("Ada", 0, ()), ("Bo", 0, ())]
    stage.play(event, 1)
    stage.play(event, 2)
    page = visitor.open("/e/iron-open/standings")
    (link,) = [str(a["href"]) for a in page.soup.find_all("a", href=True) if ".trf" in str(a["href"])]
    answer = visitor.ask("GET", link)
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    assert 'filename="iron-open-after-round-2.trf"' in answer.headers["Content-Disposition"]
    heads, players = read(answer.text)
    assert (heads["012"], heads["062"], heads["XXR"]) == ("Iron Open", "5", "3")
    assert [len(one.rounds) for one in players.values()] == [2] * 5
    rows = {row.name: (row.rank, row.points) for row in stage.standings(event)}
    assert {one.name: (one.rank, one.points) for one in players.values()} == rows
    _, earlier = read(visitor.ask("GET", "/e/iron-open/standings.trf?after=1").text)
    assert [len(one.rounds) for one in earlier.values()] == [1] * 5
    assert visitor.ask("GET", "/e/iron-open/standings.trf?after=3").status_code == 404


def opened(data: bytes) -> openpyxl.Workbook:
    """The workbook, without formulas or links."""
    with zipfile.ZipFile(io.BytesIO(data)) as files:
        assert not [name for name in files.namelist() if "externalLink" in name or "worksheets/_rels" in name]
    book = openpyxl.load_workbook(io.BytesIO(data))
    assert "f" not in {cell.data_type for sheet in book for row in sheet for cell in row}
    return book


def workbook_rows(data: bytes) -> dict[str, list[list[str]]]:
    """The cells of a workbook by sheet, as it shows them."""
    return {
        sheet.title: [[shown(cell) for cell in row if cell.value is not None] for row in sheet]
        for sheet in opened(data)
    }


def shown(cell: Cell) -> str:
    decimals = len(cell.number_format.partition(".")[2])
    return minus(f"{cell.value:.{decimals}f}") if isinstance(cell.value, int | float) else str(cell.value)


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


def test_figures_of_a_workbook_are_numbers(enter: Enter, stage: Stage, event: Event, visitor: Person) -> None:
    stage.set(event, tie_breaks=["head_to_head", "vp", "vp_difference", "sos", "omw", "lots"])
    enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    stage.play(event, 1)
    stage.play(event, 2)
    heads, *table = opened(visitor.ask("GET", "/e/iron-open/event.xlsx").data)["Standings after 2"].iter_rows()
    named = {head.value: place for place, head in enumerate(heads)}
    rows = stage.standings(event)
    assert [row[named["Points"]].value for row in table] == [row.points for row in rows]
    for cells, row in zip(table, rows, strict=True):
        for tie_break, figure in zip(event.tie_breaks, row.figures, strict=True):
            cell = cells[named[TIE_BREAKS[tie_break].label]]
            if figure.shown == "–":
                assert (cell.data_type, cell.value) == ("s", "–"), "head to head, where it does not count"
            else:
                exact = -figure.value if tie_break == "lots" else figure.value
                assert cell.data_type == "n" and abs(cell.value - exact) < 1e-12
                assert shown(cell) == str(figure.shown)
    shares = [cells[named[TIE_BREAKS["omw"].label]] for cells in table]
    assert {cell.number_format for cell in shares} == {"0.000"}
    assert any(cell.value != round(cell.value, 3) for cell in shares), "exact, not as shown"
    differences = [cells[named[TIE_BREAKS["vp_difference"].label]].value for cells in table]
    assert min(differences) < 0 < max(differences)
    first = opened(visitor.ask("GET", "/e/iron-open/event.xlsx").data)["Round 1"]
    kinds = {
        head.value: {cell.data_type for cell in column if cell.value is not None} for head, *column in first.iter_cols()
    }
    assert kinds["Round"] == kinds["Table"] == kinds["VP A"] == kinds["VP B"] == {"n"} and kinds["Player A"] == {"s"}


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
