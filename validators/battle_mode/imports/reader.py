"""The reader of lists: one pass over the lines, with the faction, the models read so far and the last unit in mind.

A line becomes units and parts, marks a Leader, is a title or a total, is left out, or is asked about. Words and numbers
that none of this uses become doubts. What costs decide is decided in ``settle``.
"""

import re
from collections import Counter
from collections.abc import Sequence

from languages.words import N_, gettext, listed
from validators.battle_mode.imports import line_words as look
from validators.battle_mode.imports.entries import read_entries
from validators.battle_mode.imports.leaders import (
    CardLine,
    MarkedLine,
    ask_cards_of_others,
    ask_named_twice,
    ask_of_row,
    ask_quoted,
    place_cards,
    place_marks,
)
from validators.battle_mode.imports.line import OUT, PastedLine, what_is
from validators.battle_mode.imports.names import MOST_UNKNOWN, Names
from validators.battle_mode.imports.reading import Cost, LineEntry, Option, Row, Unit
from validators.battle_mode.imports.roster_lines import read_selection
from validators.battle_mode.imports.scan import Piece, pieces_of
from validators.battle_mode.imports.unknown import Unknown
from validators.battle_mode.imports.written import CARDS_HEADING, NAME_LINE, WrittenList
from validators.contract import Choice, ListAnswers, ListQuestion

_TOTAL_IN_TITLE = re.compile(r"\[(\d{1,3}(?:[,.]\d{3})+|\d{1,5})\s?[^\W\d]+\]")


class Reader:
    def __init__(self, written: WrittenList, names: Names, own: str, answers: ListAnswers) -> None:
        self.written, self.names = written, names
        self.questions: list[ListQuestion] = []
        self.notes: list[str] = []
        self.rows = [Row(line) for line in written.lines]
        self.units: list[Unit] = []
        self.marks: list[MarkedLine] = []
        self.cards: list[CardLine] = []
        self.loose_cards: list[dict[str, str]] = []
        self.name = written.name
        self.usual_for_all: str = ""
        self.head_total: int | None = None
        self._unit: Unit | None = None
        self._owner_lost = False
        """Whether the model above was not read, so that nobody has the parts below."""
        self._reserve = self._in_cards = self._next_leads = False
        self.faction = self._faction(own, answers)
        self.unknown = Unknown(names, self.faction)
        self._pieces = [pieces_of(row.written.text, names, self.faction) for row in self.rows]
        self._named = look.models_named(self._pieces)
        names.count_unknown(word for pieces in self._pieces for piece in pieces if piece.kind == "unknown"
                            for word in piece.words)  # fmt: skip

    def _faction(self, own: str, answers: ListAnswers) -> str:
        """The faction that the list names; else the one whose list has most of its models."""
        factions = self.names.edition.factions
        for part in (self.written.faction, *reversed(self.written.faction.split(" - "))):
            if known := factions.find(part.strip()):
                return known.name
        rows = [pieces_of(row.written.text, self.names, "") for row in self.rows]
        named_above = False
        for pieces in rows:
            if look.has_names(pieces) and not look.is_about_list(pieces, after_models=False):
                named_above = True
                continue
            if named_above and any(piece.kind == "unknown" for piece in pieces):
                continue  # "Danny the Robot" below other models heads nothing
            if (named := look.faction_in(pieces)) and (known := factions.find(named)):
                return known.name
        models: Counter[str] = sum(look.models_named(rows), Counter()) or self._nearly_named(rows)
        counts = {
            faction.name: sum(name in self.names.models_of(faction.name) for name in models)
            for faction in factions.values()
        }
        most = max(counts.values(), default=0)
        fitting = [name for name, count in counts.items() if count == most > 0]
        if self.written.faction and fitting:
            other = N_("%(written)s is not a faction of the edition; by its models it is %(found)s.")
            self.notes.append(gettext(other, written=self.written.faction, found=listed(fitting, style="or")))
        if len(fitting) < 2 or own in fitting:
            return own if own in fitting else fitting[0] if fitting else own
        if answers.get("faction") in fitting:
            return answers["faction"]
        choices = tuple(Choice(name, name) for name in fitting)
        sentence = gettext("Which faction? The models fit %(factions)s.", factions=listed(fitting, style="or"))
        self.questions.append(ListQuestion("faction", sentence, (), choices))
        return fitting[0]

    def _nearly_named(self, rows: Sequence[Sequence[Piece]]) -> Counter[str]:
        """The models, and those of the factions, whose words are nearly those of a text without a right name."""
        words = {word for pieces in rows for piece in pieces if piece.kind == "unknown" for word in piece.words}
        near = Counter(name for word in sorted(words)[:MOST_UNKNOWN] for known in self.names.near(word)
                       for name in self.names.with_word(known))  # fmt: skip
        factions = [name.name for name in near if name.sort == "faction"]
        return Counter(name.name for name in near if name.sort == "model") + Counter(
            model for faction in factions[:1] for model in self.names.models_of(faction)
        )

    def read(self) -> None:
        for at, row in enumerate(self.rows):
            if (row.written.kind and row.written.kind != "force") or row.written.caps is not None:
                read_selection(self, row)
            else:
                self._line(row, self._pieces[at], at)
        ask_quoted(self.rows)
        for row, pieces in zip(self.rows, self._pieces, strict=True):
            first = next((piece for piece in pieces if piece.kind != "sign"), None)
            if row.units and first and first.means("leader"):
                ask_named_twice(row, row.units[0], self.units)
        place_marks(self.marks, self.units)
        self.notes += place_cards(self.cards, self.units)
        ask_cards_of_others(self.rows, self.units)

    # lines of a text
    def _line(self, row: Row, pieces: list[Piece], at: int) -> None:
        line = row.written
        if self._reserve and (line.gap or any(piece.means("total") for piece in pieces)):
            self._reserve = False
        if line.mark in ("mail", "struck") or "://" in line.text:
            struck = gettext("Struck out") if line.mark == "struck" else gettext("No part of a list")
            row.state, row.notes = "left out", [struck]
        elif line.text.startswith(NAME_LINE):
            self.name = " ".join(line.shown.removeprefix(NAME_LINE).split())
            row.state, row.notes = "title", [gettext("Kept as the name of the force")]
        elif not pieces or not any(piece.kind != "sign" for piece in pieces):
            row.state = "title"
        elif self._in_cards and not line.kind:
            kind, _, name = line.shown.partition(": ")
            self.loose_cards.append({"kind": kind.strip(), "name": name.strip()})
            row.ours = gettext("A card outside the models")
        elif self._reserve and not line.kind:
            row.state, row.notes = "left out", [gettext("Listed as not taken")]
        elif look.is_about_list(pieces, bool(self._unit)) or not (look.has_names(pieces) or self._has_guess(pieces)):
            self._nameless(row, pieces)
        elif look.is_not_taken(pieces):
            row.state, row.notes = "left out", [gettext("Listed as not taken")]
        elif self._is_heading_of_models(row, pieces, at):
            row.state, self._owner_lost = "title", True
        elif (mark := look.mark_of(pieces)) and self._marks(row, mark, at):
            pass
        else:
            self._entries(row, pieces)

    def _is_heading_of_models(self, row: Row, pieces: Sequence[Piece], at: int) -> bool:
        """Whether a line only names, perhaps in the plural and with their cost, the models below: "Settlers [104]:"."""
        below = self.rows[at + 1] if at + 1 < len(self.rows) else None
        is_plain = pieces[-1].is_sign(":") and all(piece.kind in ("name", "sign", "cost", "number") for piece in pieces)
        is_deeper = below is not None and below.written.depth > row.written.depth
        return is_plain and is_deeper and look.names_model(pieces) and look.names_model(self._pieces[at + 1])

    def _marks(self, row: Row, mark: look.Mark, at: int) -> bool:
        """Whether the line gives a model of the list a role, or the Leader a card, and buys nothing else."""
        cards = [LineEntry("card", name, row.number) for name in mark.cards]
        if not mark.model:
            is_below = self._unit is not None and row.written.depth > self._unit.depth
            if mark.role == "leader" and is_below and self._unit:
                self._unit.leader = True
            for card in cards:
                self.cards.append((row, card, self._unit if is_below or mark.role == "leader" else None))
            row.ours = gettext("Leader card %(card)s", card=", ".join(mark.cards))
            return True
        models = [name for name in mark.model if name in self.names.models_of(self.faction)] or list(mark.model)
        others = any(name in models for place, named in enumerate(self._named) if place != at for name in named)
        below = self.rows[at + 1] if at + 1 < len(self.rows) else None
        has_parts = below is not None and below.written.depth > row.written.depth and not look.names_model(
            self._pieces[at + 1])  # fmt: skip
        entry = self.names.model(models[0], self.faction)
        is_suffix = not mark.is_statement and not (entry and entry.unique)
        if not others or has_parts or is_suffix:
            return False
        self.marks.append((row, models[0], mark.role, cards))
        return True

    def _nameless(self, row: Row, pieces: list[Piece]) -> None:
        """A line that names no model and no part."""
        words = [piece for piece in pieces if piece.kind in ("word", "name", "unknown")]
        unknown = [piece for piece in pieces if piece.kind == "unknown"]
        row.numbers = tuple(piece.value for piece in pieces if piece.kind in ("number", "cost"))
        first = words[0] if words else None
        if first and first.means("footer"):
            row.state, row.notes = "left out", [gettext("No part of a list")]
        elif (first and first.means("reserve")) or (first and first.means("without") and len(words) > 1
                                                  and words[1].means("reserve")):  # fmt: skip
            self._reserve = len(unknown) == 0
            row.state, row.notes = "left out", [gettext("Listed as not taken")]
        elif not unknown and any(piece.means("total") for piece in pieces) and row.numbers:
            row.state = "total"
        elif not unknown and (flags := [piece for piece in pieces if piece.means("leader", "heroic")]):
            self._flags(row, pieces, flags)
        elif not unknown and any(piece.means("usual", "unarmed", "without") for piece in pieces):
            self._armed(row, pieces)
        elif not words and not any(piece.kind == "copies" for piece in pieces):
            row.state = "total"
        elif not unknown and look.is_heading(pieces):
            self._heading(row, pieces)
        elif not self.units and (faction := self._near_faction(unknown)):
            row.state, row.notes = (
                "title",
                [gettext("“%(written)s” read as %(name)s", written=row.shown[:60], name=faction)],
            )
        elif self._unit is None and not self.units and look.may_be_title(pieces, self.names, self.faction):
            is_first = not any(other.state == "title" and other.ours for other in self.rows)
            row.state = "title"
            if not self.name and is_first:
                self.name = look.title_in(row.shown, self.names)
                self._read_head_total(row)
                row.notes = [gettext("Kept as the name of the force")]
            elif not row.numbers:
                row.state, row.notes = "left out", [gettext("No name of the game in it")]
        else:
            self._owner_lost = self._owner_lost or row.written.depth == 0
            self._entries(row, pieces)

    def _near_faction(self, unknown: Sequence[Piece]) -> str:
        """The list's faction, if all unknown words are nearly its own."""
        own = look.words_of_text(self.faction)
        words = [word for piece in unknown for word in piece.words]
        return self.faction if words and all(set(self.names.near(word)) & set(own) for word in words) else ""

    def _heading(self, row: Row, pieces: list[Piece]) -> None:
        row.state = "title"
        self._reserve = False
        if not self.units:
            self._read_head_total(row)
        self._in_cards = row.written.kind == "force" and row.written.text == CARDS_HEADING
        if self._in_cards or row.written.kind == "force":
            self._owner_lost = False

    def _read_head_total(self, row: Row) -> None:
        """The total of the list in a title: "Survivors [500 Caps]"."""
        if match := _TOTAL_IN_TITLE.search(row.written.text):
            self.head_total = int(re.sub(r"[.,]", "", match[1]))

    def _flags(self, row: Row, pieces: list[Piece], flags: Sequence[Piece]) -> None:
        """Roles on a line of their own: of the model above, or "Leader:" of the next one."""
        unit, at = self._unit, self.rows.index(row)
        if any(piece.means("without") for piece in pieces):
            self._entries(row, pieces)
            return
        if unit is None or (pieces[-1].is_sign(":") and flags[-1].means("leader")):
            self._next_leads = any(flag.means("leader") for flag in flags)
            row.state, row.notes = "title", [gettext("The next model is the Leader")] if self._next_leads else []
            return
        names_next = at + 1 < len(self.rows) and look.names_model(self._pieces[at + 1])
        if flags[0].means("leader") and names_next and row.written.depth <= unit.depth:
            no = Option(OUT, gettext("Leave it out"), ((unit, "leader", False),))
            leads = gettext("%(model)s is the Leader", model=unit.model.name)
            ask_of_row(row, unit, what_is(row.shown), Option("keep", leads), no)
        for flag in flags:
            if flag.means("leader"):
                unit.leader = True
                row.parts.append(LineEntry("leader", "Leader", row.number))
            else:
                self._heroic(unit, row)
        counts = [piece for piece in pieces if piece.is_count or piece.kind == "cost"]
        for piece in counts:
            if piece.kind == "copies":
                row.parts[-1].groups = piece.value
            else:
                unit.costs.append(Cost(row.parts[-1], piece.value, row.number))
        unit.flush_parts = unit.flush_parts or row.written.depth <= unit.depth

    def _heroic(self, unit: Unit, row: Row) -> LineEntry:
        entry = LineEntry("heroic", "Heroic", row.number)
        unit.parts.append(entry)
        row.parts.append(entry)
        return entry

    def _armed(self, row: Row, pieces: list[Piece]) -> None:
        """A line that says that a model, or all models, have their usual weapons or none."""
        is_usual = any(piece.means("usual") for piece in pieces) and not any(piece.means("without") for piece in pieces)
        row.ours = gettext("With their usual weapons") if is_usual else gettext("Unarmed")
        if self._unit is None or (row.written.depth <= self._unit.depth and any(p.means("each") for p in pieces)):
            self.usual_for_all = "usual" if is_usual else "unarmed"
        else:
            self._unit.is_usual, self._unit.is_armed = is_usual, True

    def _has_guess(self, pieces: Sequence[Piece]) -> bool:
        owner = self.owner.model.name if self.owner else None
        run: list[str] = []
        for piece in [*pieces, None]:
            if piece and piece.kind in ("unknown", "number", "name") and piece.words:
                run += piece.words
                continue
            if run and (self.unknown.guess(tuple(run), None) or (owner and self.unknown.guess(tuple(run), owner))):
                return True
            run = []
        return False

    def _entries(self, row: Row, pieces: list[Piece]) -> None:
        """A line with names: models, parts of a model on it, or parts of the model above."""
        above = self.owner
        read_entries(PastedLine(self, row, pieces))
        if row.written.mark == "numbered" and row.units:
            model = row.units[0].model
            number, model.copies = model.copies, None
            label = Option("number", gettext("%(number)s: the number of the line", number=number))
            many = Option("copies", f"{number} × {model.name}", ((model, "copies", number),))
            ask_of_row(row, row.units[0], what_is(str(number)), label, many)
        if above and not row.units and row.parts and not self._is_alone(above):
            out = Option(OUT, gettext("Leave it out"), tuple((part, "is_out", True) for part in row.parts))
            sentence = gettext("%(part)s: for which model?", part=row.parts[0].name)
            ask_of_row(row, above, sentence, Option(above.model.name, above.model.name), out)

    def _is_alone(self, unit: Unit) -> bool:
        return sum(other.model.line == unit.model.line and not other.model.is_out for other in self.units) < 2

    def begin(self, row: Row, model: LineEntry) -> Unit:
        unit = Unit(model, row.written.depth, leader=self._next_leads)
        self._next_leads = False
        self.units.append(unit)
        row.units.append(unit)
        self._unit, self._owner_lost = unit, False
        return unit

    def lose_owner(self) -> None:
        """Give what follows to no model: the one above it was not read."""
        self._owner_lost = True

    @property
    def owner(self) -> Unit | None:
        return None if self._owner_lost else self._unit
