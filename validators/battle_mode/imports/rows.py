"""The lines of a list as its page shows them, its questions, and its force."""

from collections.abc import Sequence
from dataclasses import replace

from languages.words import N_, gettext, listed, ngettext
from validators.battle_mode.force import FILE_TOTAL, MOST_NOT_READ, NOT_READ, SYSTEM_ID, priced, read_force
from validators.battle_mode.imports.building import MOST_LINES_OF_UNIT, Built
from validators.battle_mode.imports.doubts import BARE, NUMBERS
from validators.battle_mode.imports.line import OUT
from validators.battle_mode.imports.reading import Doubt, Option, Row, Unit
from validators.battle_mode.imports.settle import Settled
from validators.contract import (
    Choice,
    EditionInfo,
    Imported,
    LineRead,
    ListQuestion,
    Terms,
    UnreadableForce,
)  # fmt: skip
from validators.faults import of_file
from validators.force_file import LONGEST_NAME, MOST_MODELS

_HINT = N_("Write each model in a line, and its parts below it or after it: “2x Settler (80 caps)”")
_COSTS = "costs"
_LONGEST_SHOWN = 400


def imported(settled: Settled, info: EditionInfo) -> Imported:
    """Everything that was read. Raises UnreadableForce."""
    reader = settled.reader
    built = [settled.built(unit) for unit in settled.units]
    if sum(unit.number for unit in built) > MOST_MODELS:
        limit = ngettext(
            "This list is too large: more than %(num)s model",
            "This list is too large: more than %(num)s models",
            MOST_MODELS,
        )
        raise UnreadableForce(limit)
    models = [model for unit in built for model in unit.models]
    lines = _lines(settled)
    if not settled.faction or (not models and not any(len(line.choices) > 1 for line in lines)):
        raise UnreadableForce(of_file(gettext("no model in it is known to this game")), gettext(_HINT))
    force = {
        "name": reader.name[:LONGEST_NAME],
        "faction": settled.faction,
        "models": models,
        "cards": reader.loose_cards,
    }
    document = read_force({"system": SYSTEM_ID, "edition": info.id, **force}, info)
    total, stated = priced(document, Terms(info)).total, settled.stated()
    if stated not in (None, total):
        document[FILE_TOTAL] = stated
    lines = tuple(_checked_total(settled, line, stated, total) for line in lines)
    questions = _questions(settled, total)
    asked = [" ".join(line.written.split()) for line in lines if line.state == "check"]
    if asked := asked or [question.sentence for question in questions]:
        document[NOT_READ] = [f"{text[: LONGEST_NAME - 3]}..." if len(text) > LONGEST_NAME else text for text in asked][
            :MOST_NOT_READ
        ]
    notes = (*reader.written.notes, *reader.notes)
    return Imported(document, reader.written.format, stated, total, notes, lines, questions)


def _lines(settled: Settled) -> tuple[LineRead, ...]:
    caps: dict[int, int] = {}
    for unit in settled.units:
        before, lines = 0, unit.lines
        if len(lines) > MOST_LINES_OF_UNIT:
            caps[unit.model.line] = caps.get(unit.model.line, 0) + settled.built(unit).caps
            continue
        for line in lines:
            after = Built(unit, {}, settled.edition, settled.faction, line).caps
            caps[line], before = caps.get(line, 0) + after - before, after
    return tuple(_line(settled, row, caps.get(row.number)) for row in settled.reader.rows)


def _line(settled: Settled, row: Row, caps: int | None) -> LineRead:
    doubts = [doubt for doubt in row.asked if not doubt.question]
    has_wrong_cost = settled.answers.get(_COSTS) != "edition" and settled.is_wrong(row.number)
    state, notes = row.state, list(dict.fromkeys(row.notes))
    names, parts = _ours(settled, row)
    waits_for = next((unit for unit in settled.units if unit.model.is_out and unit.model.line != row.number
                      and any(part.line == row.number for part in unit.parts)), None)  # fmt: skip
    for settled_doubt in row.doubts:
        if (chosen := settled_doubt.chosen) and chosen.key in row.answered:
            notes.append(" ".join((settled_doubt.sentence, gettext("Your answer: %(answer)s", answer=chosen.label))))
    if row.asked or has_wrong_cost:
        state = "check"
    elif waits_for and state == "read":
        state = "check" if settled.open(waits_for) else "left out"
        notes.append(gettext("Belongs to line %(line)s", line=waits_for.model.line))
    elif state == "read" and not (names or parts):
        state = "left out"
    choices: tuple[Choice, ...] = ()
    if doubt := next(iter(doubts or row.asked), None):
        notes = [doubt.sentence]
        choices = tuple(_choice(settled, row, doubt, option) for option in doubt.options)
    elif has_wrong_cost:
        notes.append(gettext("The edition has another cost"))
    shows_caps = state in ("read", "check") and bool(row.units or row.parts)
    return LineRead(row.number, row.shown[:_LONGEST_SHOWN], state, names, parts, "; ".join(notes),
                    caps if shows_caps else None, choices, state == "check" and not doubts)  # fmt: skip


def _choice(settled: Settled, row: Row, doubt: Doubt, option: Option) -> Choice:
    """An answer, with what the models would cost that it is about."""
    about = [unit for unit in settled.units if doubt in unit.doubts and row.number in unit.lines]
    built = [settled.built_with(unit, option) for unit in about]
    caps = sum(unit.caps for unit in built if unit) if any(built) else None
    return Choice(";".join([*row.answered, option.key]), option.label, caps)


def _ours(settled: Settled, row: Row) -> tuple[str, str]:
    names, parts = [], [part.name for part in row.parts if part.sort == "leader"]
    for unit in settled.units:
        is_here, number = unit.model.line == row.number, settled.built(unit).number
        if is_here and number:
            name = f"{number} {unit.model.name}" if number > 1 else unit.model.name
            names.append(", ".join([name, gettext("Leader")] if unit.leader else [name]))
        parts += [
            f"{part.copies} {part.name}" if (part.copies or 1) > 1 else part.name
            for part in unit.parts if part.line == row.number and not part.is_out and number
        ]  # fmt: skip
        parts += [gettext("With their usual weapons")] if is_here and unit.is_usual else []
    return "; ".join(filter(None, [*names, row.ours])), ", ".join(parts)


def _questions(settled: Settled, total: int) -> tuple[ListQuestion, ...]:
    asked = list(settled.reader.questions)
    for key in (BARE, NUMBERS):
        open_ = [(unit, doubt) for unit in settled.units for doubt in settled.open(unit) if doubt.question == key]
        if open_:
            asked.append(_question(settled, key, open_))
    wrong = tuple(row.number for row in settled.reader.rows if settled.is_wrong(row.number))
    if wrong and settled.answers.get(_COSTS) != "edition":
        sentence = ngettext("%(num)s cost is not the edition’s. Use the edition’s?",
                            "%(num)s costs are not the edition’s. Use the edition’s?", len(wrong))  # fmt: skip
        choice = Choice("edition", gettext("The edition’s costs"), total)
        asked.append(ListQuestion(_COSTS, sentence, wrong, (choice,)))
    return tuple(asked)


def _question(settled: Settled, key: str, open_: Sequence[tuple[Unit, Doubt]]) -> ListQuestion:
    lines = tuple(sorted({doubt.line for _, doubt in open_}))
    names = listed(list(dict.fromkeys(unit.model.name for unit, _ in open_))[:5])
    sentence = gettext("Only names: %(names)s. Do they carry weapons?", names=names)
    if key == NUMBERS:
        sentence = gettext("The lines begin with 1, 2, 3: is that how many models?")
    choices = []
    for place, option in enumerate(open_[0][1].options):
        built = [settled.built_with(unit, doubt.options[place]) for unit, doubt in open_]
        choices.append(
            Choice(option.key, option.label, sum(unit.caps for unit in built if unit) if all(built) else None)
        )
    return ListQuestion(key, sentence, lines, tuple(choices))


def _checked_total(settled: Settled, line: LineRead, stated: int | None, total: int) -> LineRead:
    """A total that is neither ours nor the one that is compared with ours is asked about."""
    numbers = settled.row_of[line.number].numbers
    is_known = not numbers or total in numbers or numbers[0] == stated
    if line.state != "total" or is_known or settled.answers.get(str(line.number)) == OUT:
        return line
    choices = (Choice(OUT, gettext("Leave it out")),)
    return replace(line, state="check", note=gettext("Not the total of the list"), choices=choices)
