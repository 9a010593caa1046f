"""Pairings of a round for the wall: by table for the hall, by name so that players find their tables."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pdf.flow import LaidPage, draw_laid
from pdf.fonts import plain, text_width
from pdf.page import PageSize, Paper, drawn, headline_height, turned
from pdf.table import BELOW, Col, Table, filled


@dataclass(frozen=True)
class PairedPlayer:
    """One player of a pairing; ``standing`` is an optional text after the name ("2–0–0, 6 points")."""

    name: str
    club: str = ""
    faction: str = ""
    standing: str = ""


@dataclass(frozen=True)
class PairingRow:
    """A table with both players; without ``b`` player ``a`` has the bye and ``table`` is None.

    ``scenario`` is what this table plays, where that differs from table to table; ``fixed``: a player cannot play at
    another table.
    """

    table: int | None
    a: PairedPlayer
    b: PairedPlayer | None = None
    without: str = "bye"
    """Why there is no game, where there is none."""
    scenario: str = ""
    fixed: bool = False
    between: str = "v"
    by: str = ""
    """The last day to play it, in a season, in place of a table."""

    @property
    def at(self) -> str:
        """Its table, or its last day."""
        return self.by or ("" if self.table is None else str(self.table))


@dataclass(frozen=True)
class RoundPairings:
    """All pairings of one round. ``scenario`` and ``starts`` ("starts 14:15, 90 minutes") may be empty.

    ``title`` stands for "Round 3" where that does not say enough, or it is no round.
    """

    event: str
    round_number: int
    rows: tuple[PairingRow, ...]
    scenario: str = ""
    starts: str = ""
    title: str = ""
    between: str = "against"

    @property
    def headed(self) -> str:
        """What the sheet is called."""
        return self.title or f"Round {self.round_number}"

    @property
    def season(self) -> bool:
        """Whether its games have last days and no tables."""
        return any(row.by for row in self.rows)

    @property
    def tables(self) -> str:
        """The title of the sheet by table."""
        return f"{self.headed} · {'Games' if self.season else 'Tables'}"

    @property
    def names(self) -> str:
        """The title of the sheet by name."""
        return f"{self.headed} · Find your {'opponent' if self.season else 'table'}"

    @property
    def place(self) -> Col:
        """The column of tables, or of last days."""
        return Col("Play by" if self.season else "Table", "centre", strong=True, size=NAME if self.season else NUMBER)


EMPTY = "No pairings yet: draw the round and publish it, then print again."
LARGEST_FIRST = (2.8, 2.5, 2.2, 1.9, 1.6, 1.4, 1.2, 1.1, 1.0)
"""How much larger than its least size a list is set when the page has room for it."""
NAME, NUMBER, SMALL, HEADS = 14.0, 21.0, 9.0, 26.0
"""Sizes of names, of tables and of the rest, and the height of the heads."""
TALLEST = 108.0
FEW, TWO_COLUMNS = 22, 400.0
"""Names that one column holds; a frame narrower than this has no room for two."""
HALF, HALF_SCALE = 0.44, 1.2
"""Opponents have a column of this part of the width where every name fits it at this scale."""
NO_GAME = {"bye": "no game this round"}
"""Texts for players without a game; any other reason is printed as it is."""


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if plain(part))


def _named(name: str, below: str) -> str:
    return f"{name}{BELOW}{below}"


def _draw(
    paper: Paper,
    pairings: RoundPairings,
    title: str,
    heads: Sequence[Col],
    rows: Sequence[tuple[str, ...]],
    across: int,
) -> None:
    """The list in as many columns, as large as its page allows; longer ones in the least size."""
    notes = [_joined(pairings.scenario, pairings.starts) if rows else EMPTY]
    frame = paper.frame
    top = frame.top - headline_height(frame, notes, large=True)
    deep = min(TALLEST, (top - frame.bottom - HEADS) / max(1, -(-len(rows) // across)))

    ways = []
    for scale in LARGEST_FIRST:
        columns = tuple(replace(one, size=one.size * scale) for one in heads)
        high = [deep * share for share in (1.0, 0.85, 0.7) if deep * share > NAME * 2.4 * scale]
        ways += [Table(columns, rows, size=SMALL * min(scale, 1.6), high=one) for one in (*high, 0.0)]
    pages = filled(frame, top, ways, across) if rows else [[]]
    draw_laid(
        paper,
        [LaidPage(title, notes, marks, "" if place else title, large=True) for place, marks in enumerate(pages)],
    )


def pairings_by_table(pairings: RoundPairings, page_size: PageSize, printed_at: datetime) -> bytes:
    """The round in table order, byes last, as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    return drawn(draw_pairings_by_table, page_size, pairings.tables, pairings.event, printed_at, pairings)


def draw_pairings_by_table(paper: Paper, pairings: RoundPairings) -> None:
    """The round in table order, byes last."""
    ordered = sorted(pairings.rows, key=lambda row: (row.b is None, row.table or 0))
    own = any(plain(row.scenario) for row in ordered)

    def player(one: PairedPlayer) -> str:
        return _named(one.name, _joined(one.faction, one.club, one.standing))

    rows = [
        (
            _named(row.at or "–", "fixed table" if row.fixed else ""),
            player(row.a),
            row.between if row.b else "",
            player(row.b) if row.b else row.without.capitalize(),
            *([row.scenario] if own else []),
        )
        for row in ordered
    ]
    a, b = (Col(f"Player {side}", strong=True, size=NAME, share=0.33 if own else 0.4) for side in "AB")
    side = [a, Col("", "centre"), b]
    columns = [pairings.place, *side, *([Col("Scenario")] if own else [])]
    _draw(turned(paper, wide=False), pairings, pairings.tables, columns, rows, 1)


def name_key(name: str) -> tuple[str, str]:
    """Names in the order people look them up: case and accents aside ("Öz" by "Oz"), then as written."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return bare.casefold().replace("ł", "l"), name


def pairings_by_name(pairings: RoundPairings, page_size: PageSize, printed_at: datetime) -> bytes:
    """Every player by name with the table and the opponent, as a PDF; two columns when there are many.

    Players with a bye are sorted among the others. ``printed_at`` must know its time zone (ValueError).
    """
    return drawn(draw_pairings_by_name, page_size, pairings.names, pairings.event, printed_at, pairings)


def draw_pairings_by_name(paper: Paper, pairings: RoundPairings) -> None:
    """Every player by name; two columns when there are many."""
    paper = turned(paper, wide=False)
    seats = [
        (one, other, row) for row in pairings.rows for one, other in ((row.a, row.b), (row.b, row.a)) if one is not None
    ]
    seats.sort(key=lambda seat: (name_key(plain(seat[0].name)), seat[2].table or 0))
    known = Counter(plain(one.name) for one, *_ in seats)
    across = 1 if len(seats) <= FEW or paper.frame.width < TWO_COLUMNS else 2
    longest = max((text_width(one.name, NAME * HALF_SCALE, bold=True) for one, *_ in seats), default=0.0)
    side = across == 1 and longest <= paper.frame.width * HALF
    rows: list[tuple[str, ...]] = []
    for one, other, row in seats:
        against = f"{pairings.between} {other.name}" if other else NO_GAME.get(row.without, row.without)
        # The club is shown only for players who share a name; after an opponent's name it could be either's.
        club = one.club if known[plain(one.name)] > 1 else ""
        number = row.at or ("Bye" if row.without.startswith("bye") else "–")
        if side:
            rows.append((number, _named(one.name, _joined(club, row.scenario)), other.name if other else against))
        else:
            rows.append((number, _named(one.name, _joined(club, against, row.scenario))))
    columns = [pairings.place, Col("Player", strong=True, size=NAME)]
    columns += [Col(pairings.between.capitalize(), size=NAME, share=HALF)] if side else []
    _draw(paper, pairings, pairings.names, columns, rows, across)
