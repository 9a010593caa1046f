"""What only the whole list shows: which model a line marks, who has a Leader card, and quoted lines."""

from collections.abc import Sequence

from languages.words import gettext
from validators.battle_mode.imports.line import OUT, what_is
from validators.battle_mode.imports.reading import Doubt, LineEntry, Option, Row, Unit

MarkedLine = tuple[Row, str, str, list[LineEntry]]
"""A line that marks a model of the list: the row, the model, the role, and cards for it."""
CardLine = tuple[Row, LineEntry, Unit | None]
"""A Leader card on a line of its own, and the model above."""


def ask_of_row(row: Row, unit: Unit | None, sentence: str, *options: Option) -> None:
    doubt = Doubt(row.number, sentence, options, must_ask=True)
    row.doubts.append(doubt)
    if unit:
        unit.doubts.append(doubt)


def ask_quoted(rows: Sequence[Row]) -> None:
    """Models on quoted lines, if not all of them are, may be those of another message."""
    quoted = [row for row in rows if row.units and row.written.mark == "quoted"]
    for row in quoted if any(row.units and row not in quoted for row in rows) else ():
        for unit in row.units:
            unit.model.is_out = True
        buy = Option("keep", gettext("As read"), tuple((unit.model, "is_out", False) for unit in row.units))
        ask_of_row(row, row.units[0], what_is(row.shown), Option(OUT, gettext("Leave it out")), buy)


def ask_named_twice(row: Row, unit: Unit, units: Sequence[Unit]) -> None:
    """Ask whether a line that begins with the Leader buys a model that another line has with the same parts."""
    same = [other for other in units if other is not unit and _bought(other) == _bought(unit)]
    if same:
        marks = ((unit.model, "is_out", True), (unit, "leader", False), (same[0], "leader", True))
        leads = gettext("%(model)s is the Leader", model=unit.model.name)
        ask_of_row(row, unit, what_is(row.shown), Option("keep", gettext("As read")), Option("mark", leads, marks))


def _bought(unit: Unit) -> tuple[str, tuple[tuple[str, int], ...]]:
    return unit.model.name, tuple(sorted((part.name, part.copies or 1) for part in unit.parts))


def place_marks(marks: Sequence[MarkedLine], units: Sequence[Unit]) -> None:
    """Give each marked model its role; of models that differ, the first until the question is answered."""
    for row, model, role, cards in marks:
        named = [unit for unit in units if unit.model.name == model and not unit.model.is_out]
        if not named:
            ask_of_row(row, None, what_is(row.shown), Option(OUT, gettext("Leave it out")))
        elif role == "heroic":
            row.ours = gettext("%(model)s is Heroic", model=model)
            is_one_of = (named[0].model.copies or 1) > 1
            heroic = LineEntry("heroic", "Heroic", row.number, groups=int(is_one_of))
            named[0].parts.append(heroic)
            row.parts.append(heroic)
        else:
            row.ours = gettext("%(model)s is the Leader", model=model)
            _mark(row, named)
        if named:
            named[0].parts += cards
            row.parts += cards


def _mark(row: Row, named: Sequence[Unit]) -> None:
    if any(unit.leader for unit in named):
        return
    kinds: dict[object, Unit] = {}
    for unit in named:
        kinds.setdefault(_bought(unit), unit)
    first, *others = kinds.values()
    first.leader = True
    options = [Option(f"line{first.model.line}", _called(first))]
    options += [
        Option(f"line{unit.model.line}", _called(unit), ((unit, "leader", True), (first, "leader", False)))
        for unit in others
    ]
    if others:
        ask_of_row(row, first, gettext("Which %(model)s leads?", model=first.model.name), *options)


def _called(unit: Unit) -> str:
    return ", ".join([unit.model.name, *(part.name for part in unit.parts)])


def place_cards(cards: Sequence[CardLine], units: Sequence[Unit]) -> list[str]:
    """Give cards on lines of their own to the marked Leader; without one, a card marks its model. Returns notes."""
    notes = []
    leaders = [unit for unit in units if unit.leader and not unit.model.is_out]
    holders = [unit for unit in units if any(part.sort == "card" for part in unit.parts)]
    if not leaders and holders:
        leaders = holders[:1]
        leaders[0].leader = True
        notes.append(gettext("%(name)s is taken as the Leader, for the card", name=leaders[0].model.name))
    for row, card, above in cards:
        unit = above if above and (above.leader or not leaders) else leaders[0] if leaders else None
        unit = unit or (units[0] if len(units) == 1 else None)
        if unit is None:
            ask_of_row(row, None, gettext("Who has the Leader card?"), Option(OUT, gettext("Leave it out")))
            continue
        if card not in unit.parts:
            unit.parts.append(card)
        if card not in row.parts:
            row.parts.append(card)
        if not leaders:
            unit.leader = True
            row.notes.append(gettext("%(name)s is taken as the Leader, for the card", name=unit.model.name))
            if not row.written.kind:
                no = Option(OUT, gettext("Leave it out"), ((card, "is_out", True), (unit, "leader", False)))
                ask_of_row(row, unit, gettext("Who has the Leader card?"), Option("keep", unit.model.name), no)
        elif unit is not above:
            row.notes.append(gettext("For %(name)s, the Leader", name=unit.model.name))
    return notes


def ask_cards_of_others(rows: Sequence[Row], units: Sequence[Unit]) -> None:
    """Ask about a Leader card on a model that is not the marked Leader."""
    leader = next((unit for unit in units if unit.leader and not unit.model.is_out), None)
    for row in rows if leader else ():
        for card in [part for part in row.parts if part.sort == "card"]:
            unit = next((unit for unit in units if card in unit.parts and not unit.leader), None)
            if unit and leader:
                moved = LineEntry("card", card.name, row.number, is_out=True)
                leader.parts.append(moved)
                moves = ((card, "is_out", True), (moved, "is_out", False))
                options = Option("keep", unit.model.name), Option("leader", leader.model.name, moves)
                ask_of_row(row, unit, gettext("Who has the Leader card?"), *options)
