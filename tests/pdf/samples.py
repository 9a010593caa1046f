"""Samples that the sheet tests share."""

from collections.abc import Callable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from pdf.cuts import Each
from pdf.page import PageSize, render
from pdf.reference_sheet import Reference
from pdf.scoresheet import draw_scoresheets
from pdf.sheet_data import MarkerGrid, Scoresheet, SheetPlayer, SheetResult, VpGrid
from pdf.table_map import TableMap
from validators.measures import Measure
from validators.scenario import Marker

PRINTED_AT = datetime(2026, 11, 20, 14, 5, tzinfo=ZoneInfo("Europe/Warsaw"))
RULERS = (
    Measure(0, 12, 0, "Black 12″", ((0, 12, "#000000"),)),
    Measure(24, 36, 0, "Black 12″", ((24, 36, "#000000"),)),
    Measure(0, 18, 1, "Black + Red 18″", ((0, 12, "#000000"), (12, 18, "#E6332B"))),
)
KINDS = (
    "Locked Safe (Lock Pick)", "Hidden Item (Search)", "Secure Console (Computer)", "Passing Wastelander (Presence)",
    "Trophy Wrack (Melee)", "Trick Shot (Ranged)",
)  # fmt: skip
NASTY = {
    "Ωmega Ą́ Ẫ Łódź": "Ωmega Ą́ Ẫ Łódź", "Юлия Кузнецова": "Юлия Кузнецова", "山田太郎": "山田太郎", "李小龙": "李小龙",
    "김민수": "김민수", "مريم": "مريم", "שרה": "שרה", "ქეთევან": "ქეთევან",
    "🦊 Fox 🏳️\u200d🌈": "🦊 Fox 🏳️\u200d🌈", "☠️ Bones 👩🏽\u200d🚀 3️⃣": "☠️ Bones 👩🏽\u200d🚀 3️⃣",
    "<b>&amp;</b> <img src='file:///etc/passwd'/>": "<b>&amp;</b> <img src='file:///etc/passwd'/>",
    "Eve\u202eevil\u202c\u2066x\u2069": "Eveevilx", "Two\nlines\tand\x00 nul": "Two lines and nul",
    "e\u0301clair": "éclair", "नमन": "नमन", "สมชาย": "สมชาย", "\ud83d lone": "\ufffd lone",
}  # fmt: skip
"""Names as typed, and as they must be found again on the paper."""
LONG = "Bartholomew Maximilian von und zu Hohenstaufen-Featherstonehaugh the Third"
EXTRACT = Scoresheet(
    event="Autumn Wasteland Open", round_number=2, minutes=90, table=7,
    a=SheetPlayer(
        "Zofia Wiśniewska", "Brotherhood of Steel", "Vault 13 Kraków", 748, "Leader: Paladin Danse, Tactician"
    ),
    b=SheetPlayer("Miles O'Hara", "Super Mutants", "", 750, "Leader: Super Mutant Brute"),
    unit="Caps",
    scenario="Extract the Information",
    setup=(
        "Three searchable markers with the computer side up stand on the centre line.",
        "Both roll 2 Black dice; the higher roll picks an edge. The other decides who deploys first.",
        "Deploy in turn, one model at a time, within Red (6″) of your own edge. The player who is done "
        "first takes the Advantage Marker and says who has priority in game round 1.",
    ),
    scoring=(
        "Before the game each side chooses: hackers or smashers. Both may choose the same.",
        "From game round 2, for each marker once a round: 1 VP when a model touching it passes its test, "
        "computers for hackers, Agility for smashers.",
        "The game lasts 6 rounds; more VP wins, even with no model left.",
    ),
    table_map=TableMap(
        36, 6, (Marker(12, 18, "1"), Marker(18, 18, "2"), Marker(24, 18, "3")), RULERS, RULERS[2:],
        "Red (6″)", "#E6332B",
    ),
    grid=VpGrid(
        (0, 3, 3, 3, 3, 3), (0, 3, 3, 3, 3, 3), "Both players together: at most 3 VP a round",
        ("Hackers", "Smashers"),
    ),
    objectives=MarkerGrid(KINDS, 5, "Each kind at most twice. Secret until turned face up: tick it then."),
    url="https://desk.example.org/g/7K3QX2",
    code="7K3 QX2",
    address="desk.example.org/g",
)  # fmt: skip
"""Extract the Information: a choice, a limit for both together, a game round that cannot score."""
SENTENCES = ("Decided in game round 6.", "Confirmed Fri 20 Nov, 15:31 by Miles O'Hara.")
RESULT = SheetResult(
    (("Choice", "Smashers", ""), ("Game round 2", "811 VP", "821 VP"), ("Markers", "808 VP", "809 VP")), (11, 5),
    SENTENCES[:1], SENTENCES[1:], "Winner: Zofia Wiśniewska", ("Won", "Lost"),
)  # fmt: skip
"""A record of it."""
WHOLE: tuple[PageSize, ...] = ("A4", "Letter")
HALVES: tuple[tuple[PageSize, Each], ...] = (("A4", 2), ("Letter", 2), ("A5", 1))
PLACES: tuple[tuple[PageSize, Each], ...] = (("A4", 1), ("Letter", 1), *HALVES)
FILLED: tuple[tuple[PageSize, Each], ...] = (("A4", 1), ("A4", 2), ("Letter", 2), ("A5", 1))
"""Whole sheets, half sheets, and both; and of each kind of paper those that records are tested on."""


def as_pdf(
    draw: Callable[..., None], size: PageSize, *content: object, event: str = "Iron Open", at: datetime = PRINTED_AT
) -> bytes:
    """What ``draw`` draws from ``content``, as a document."""
    return render(draw, size, "", event, at, *content)


def scoresheets(
    sheets: Sequence[Scoresheet], size: PageSize, at: datetime, each: Each = 1, back: Reference | None = None
) -> bytes:
    """The scoresheets as a document of the first one's event."""
    return as_pdf(draw_scoresheets, size, sheets, each, back, event=sheets[0].event if sheets else "", at=at)
