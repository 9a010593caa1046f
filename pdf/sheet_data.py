"""What a table's scoresheet says: its players, its scenario, what is filled in and how it is reported."""

from dataclasses import dataclass
from typing import Literal

from pdf.fonts import plain
from pdf.score_form import FEW, FormRow, ScoreForm
from pdf.score_grids import MarkerGrid, VpGrid
from pdf.table_map import TableMap


@dataclass(frozen=True)
class SheetPlayer:
    """One side of a table. An empty ``name`` leaves a line to write on (blank sheets)."""

    name: str
    faction: str = ""
    club: str = ""
    force_total: int | None = None
    leader: str = ""
    """The line about the leader: "Leader: Piper, Commander". Without a name, these are what the game calls them."""
    role: str = ""
    """The role in the scenario ("Convoy"); "" for none."""
    fielded: int | None = None
    """The most that is fielded of the force; None for all."""

    @property
    def about(self) -> str:
        """Faction, role and club, on one line."""
        return " · ".join(part for part in (self.played, self.club) if plain(part))

    @property
    def played(self) -> str:
        """Faction and role: a role can be called what a faction is."""
        return " · ".join(filter(plain, (self.faction, f"Role: {self.role}" if plain(self.role) else "")))


@dataclass(frozen=True)
class SideResult:
    """What was reported of one side: a figure for each column of the grid, its choice, its markers, its VP."""

    figures: tuple[int | None, ...] = ()
    choice: str = ""
    objectives: int | None = None
    total: int | None = None
    parts: tuple[int, ...] = ()
    """What the total is added up from, in the order of the form's ``sums``."""


@dataclass(frozen=True)
class SheetResult:
    """The result of a game that is over. ``sentences`` say how it ended, who confirmed it and when."""

    a: SideResult
    b: SideResult
    winner: Literal["a", "b", "draw", ""]
    sentences: tuple[str, ...]
    ended: Literal["a", "b", "time", ""] = ""
    """Which box of games that were not played out is ticked: conceded by A or by B, unfinished."""


@dataclass(frozen=True)
class Scoresheet:
    """All that one sheet says. ``unit`` is what forces are paid in ("Caps")."""

    event: str
    round_number: int
    minutes: int
    """How long the round lasts; 0 prints nothing."""
    table: int | None
    """None leaves it to be written, but for a game that is played ``by`` a day."""
    a: SheetPlayer
    b: SheetPlayer
    unit: str
    scenario: str
    """"" leaves a line to write on."""
    setup: tuple[str, ...]
    scoring: tuple[str, ...]
    table_map: TableMap | None
    """None where no scenario is known: there are lines to write on instead."""
    grid: VpGrid
    objectives: MarkerGrid
    by: str = ""
    """The last day to play it, in a season: "6 Dec". It has no table."""
    order: str = ""
    """Who acts when, where a game's forces say so, or lines to write it on."""
    form: ScoreForm | None = None
    """What is noted in the place of both, where that is not VP by game round."""
    url: str = ""
    """Address of this game's form, drawn as a QR code; "" draws none."""
    code: str = ""
    """The short code that leads to the same form."""
    address: str = ""
    """Where the code is typed in, as people read an address ("desk.example/g")."""
    result: SheetResult | None = None
    """What the sheet is filled in with, for the records."""

    @property
    def what(self) -> str:
        """The round and how long it lasts."""
        return f"Round {self.round_number}" + (f" · {self.minutes} minutes" if self.minutes else "")

    @property
    def named(self) -> str:
        """What a list of sheets calls this one."""
        if self.by:
            return f"{self.a.name} – {self.b.name}"
        return f"Table {self.table}" if self.table is not None else "Blank sheet"

    @property
    def is_blank(self) -> bool:
        """Whether it is of no game yet."""
        return self.table is None and not self.by

    @property
    def blocks(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The texts next to the map with their titles, the most important first."""
        if self.result:
            return ("Result", self.result.sentences), ("Scoring", self.scoring)
        order = (("Order", (self.order,)),) if self.order else ()
        return ("Scoring", self.scoring), *order, ("Setting up", self.setup)

    @property
    def listed(self) -> tuple[str, ...]:
        """What a choice is made from that is written down: many choices, each by its number."""
        row = self._written
        return row.choices if row else ()

    @property
    def listed_for(self) -> str:
        """What is written down of that list."""
        row = self._written
        return row.label if row else ""

    @property
    def _written(self) -> FormRow | None:
        rows = self.form.a if self.form and self.scenario and not self.result else ()
        return next((row for row in rows if len(row.choices) > FEW), None)

    @property
    def elsewhere(self) -> str:
        """Where the texts are whole that have no room here."""
        return "All of it is on the game’s page." if self.result else "All of it is on the scenario sheet."

    @property
    def marked(self) -> bool:
        """Whether objective markers are ticked: a record has their number in the sum."""
        return bool(self.objectives.each) and self.result is None

    @property
    def summed(self) -> tuple[str, ...]:
        """What the total of a side is the sum of."""
        return ("Rounds", "Markers") if self.objectives.each else ("Rounds",)

    @property
    def grid_note(self) -> str:
        """What binds the figures, and what hatching means where there is any."""
        if self.form is not None:
            return self.form.note
        hatched = "Hatched: nothing to score" if 0 in (*self.grid.most_a, *self.grid.most_b) else ""
        return " · ".join(filter(None, (self.grid.note, hatched)))


def called(side: str, player: SheetPlayer) -> str:
    """A side by its letter and its name: "A · Ada"."""
    return f"{side} · {player.name}" if plain(player.name) else f"Player {side}"
