"""What a table's scoresheet says: its players, its scenario, what is filled in and how it is reported."""

from dataclasses import dataclass

from pdf.fonts import plain
from pdf.table_map import TableMap

FEW = 4
"""Choices that are ticked; of more, one is written down."""


@dataclass(frozen=True)
class VpGrid:
    """The most VP that each side can have in each game round: 0 is impossible (hatched), None has no limit."""

    most_a: tuple[int | None, ...]
    most_b: tuple[int | None, ...]
    note: str = ""
    """What binds both together: "both players together: at most 2 a round"."""
    choice: tuple[str, ...] = ()
    """What each side chooses before the game, to tick: ("Hackers", "Smashers")."""

    def __post_init__(self) -> None:
        if len(self.most_a) != len(self.most_b):
            raise ValueError("Both sides play the same number of game rounds")


@dataclass(frozen=True)
class MarkerGrid:
    """Each player's objective markers: how many (0 draws none), of which kinds and of each, the rule in a few words."""

    kinds: tuple[str, ...]
    each: int = 5
    note: str = ""
    most: int = 2


@dataclass(frozen=True)
class FormRow:
    """A number of a side, ticked if it is 1 at most; or a choice.

    ``worth`` is the VP of each, or of each choice in turn; nothing where the game's scoring says it otherwise.
    """

    label: str
    most: int | None = None
    worth: tuple[int, ...] = ()
    choices: tuple[str, ...] = ()
    parts: str = ""
    """What a number is added up from: where there is room, it has lines to write these on."""
    names: tuple[str, ...] = ()
    """These, where they are known."""


@dataclass(frozen=True)
class ScoreForm:
    """The rows of both sides. ``sums`` says what a total is added up from, where the rows do not show it."""

    a: tuple[FormRow, ...]
    b: tuple[FormRow, ...]
    note: str = ""
    sums: tuple[str, ...] = ()
    to_enemy: bool = False
    """The VP of a side's rows are the enemy's."""
    total: bool = True
    """Whether VP are reported at all."""
    is_filled: bool = False
    """Whether it is filled in: each row shows its VP, and a last one the total."""

    @property
    def heads(self) -> bool:
        """Whether what scores is written down: the lines for it have heads."""
        return any(not row.label for row in self.a)

    def sum_label(self, side: str) -> str:
        """What a last row adds up on this side's half of the form; nothing where one row says it all."""
        if self.heads or (self.is_filled and self.total and not self.sums and not self.to_enemy):
            return f"Total VP of {side}"
        several = sum(any(row.worth) for row in self.a) > 1
        said = f"VP for {'B' if side == 'A' else 'A'}" if several else f"VP of {side}" if self.is_filled else ""
        return said if self.to_enemy else ""


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
    """The result of a game that is over. ``sentences`` say who has won, how it ended, who confirmed it and when."""

    a: SideResult
    b: SideResult
    sentences: tuple[str, ...]


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
    table_map: TableMap
    """Without a scenario it is drawn on by hand."""
    grid: VpGrid
    objectives: MarkerGrid
    by: str = ""
    """The last day to play it, in a season: "6 Dec". It has no table."""
    order: tuple[str, ...] = ()
    """Who acts when, where a game's forces say so; what ends in a colon is a line to write it on."""
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
    def sides(self) -> tuple[tuple[str, SheetPlayer, SideResult], ...]:
        """The letter of each side, its player, and what was reported of it."""
        a, b = (self.result.a, self.result.b) if self.result else (SideResult(), SideResult())
        return ("A", self.a, a), ("B", self.b, b)

    @property
    def winners(self) -> tuple[str, str, str]:
        """What can be ticked of who has won."""
        return called("A", self.a), called("B", self.b), "Draw"

    @property
    def named(self) -> str:
        """What a list of sheets calls this one."""
        if self.by:
            return f"{self.a.name} – {self.b.name}"
        return f"Table {self.table}" if self.table is not None else "Blank sheet"

    @property
    def is_unnamed(self) -> bool:
        """Whether the players' names are left to write."""
        return not plain(self.a.name)

    @property
    def is_blank(self) -> bool:
        """Whether it is of no game yet."""
        return self.table is None and not self.by

    @property
    def blocks(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The texts next to the map with their titles, in the order of the game; a record has no lines to write on."""
        turns = "Turns", tuple(one for one in self.order if not (self.result and one.endswith(":")))
        if self.result:
            return ("Result", self.result.sentences), ("Scenario", self.setup), turns, ("Scoring", self.scoring)
        return ("Setting up", self.setup), turns, ("Scoring", self.scoring)

    @property
    def written(self) -> FormRow:
        """The choice that is written down: one of many, each with its number; an empty row where there is none."""
        rows = self.form.a if self.form and self.scenario and not self.result else ()
        return next((row for row in rows if len(row.choices) > FEW), FormRow(""))

    @property
    def marked(self) -> bool:
        """Whether objective markers are ticked: a record has their number in the sum."""
        return bool(self.objectives.each) and self.result is None

    @property
    def summed(self) -> tuple[str, ...]:
        """What the total of a side is the sum of, where that is more than the figures."""
        return self.form.sums if self.form else ("Rounds", "Markers") if self.objectives.each else ()

    @property
    def grid_note(self) -> str:
        """What binds the figures, and what hatching means where there is any."""
        if self.form is not None:
            return self.form.note
        hatched = "Hatched: nothing to score" if 0 in (*self.grid.most_a, *self.grid.most_b) else ""
        return " · ".join(filter(None, (self.grid.note, hatched)))


def lettered(words: str, side: str) -> str:
    """What is "Own …" or "Enemy …" of a side, by the letter of whose it is: "B’s points lost"."""
    first, _, rest = words.partition(" ")
    whose = {"Own": side, "Enemy": "BA"["AB".index(side)]}.get(first)
    return f"{whose}’s {rest}" if whose else words


def called(side: str, player: SheetPlayer) -> str:
    """A side by its letter and its name: "A · Ada"."""
    return f"{side} · {player.name}" if plain(player.name) else f"Player {side}"
