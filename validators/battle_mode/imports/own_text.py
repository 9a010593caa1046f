"""Our own exports, as texts and as rosters of another program: each line says what it is, so nothing is looked up."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from languages.words import N_
from validators.battle_mode.edition import Edition
from validators.battle_mode.force import FILE_TOTAL, SYSTEM_ID, bare_model, priced, read_force
from validators.battle_mode.imports.written import CARDS_HEADING, NAME_LINE, Written, WrittenList
from validators.contract import EditionInfo, Imported, LineRead, Terms

_STANDS_IN = {
    "model": "", "card": "", "heroic": "model", "leader": "model", "leader-card": "model", "perk": "model",
    "item": "model", "mod": "item", "card-name": "card",
}  # fmt: skip


def read_own_roster(written: WrittenList, info: EditionInfo) -> Imported | None:
    """The force of such a file, or of an empty one; None if it is another program's. Raises UnreadableForce."""
    force = _force(written.lines)
    if force is None or not written.faction:
        return None
    head = {"system": SYSTEM_ID, "edition": info.id, "name": written.name, "faction": written.faction}
    document = read_force(head | force, info)
    total = priced(document, Terms(info)).total
    added = sum(line.caps or 0 for line in written.lines)
    differing = [figure for figure in (written.total, added) if figure not in (None, total)]
    if differing:
        document[FILE_TOTAL] = differing[0]
    return Imported(document, written.format, written.total, total, written.notes)


def _force(lines: Sequence[Written]) -> dict[str, Any] | None:
    models: list[dict[str, Any]] = []
    cards: list[dict[str, str]] = []
    above: list[str] = []
    for line in lines:
        del above[line.depth :]
        if _STANDS_IN.get(line.mark) != (above[-1] if above else ""):
            return None
        above.append(line.mark)
        copies = 1 if line.copies is None else line.copies
        match line.mark:
            case "model" if copies == 1:
                models.append(bare_model(line.text))
            case "card":
                cards.append({"kind": line.text, "name": ""})
            case "card-name":
                cards[-1]["name"] = line.text
            case "heroic" | "leader":
                models[-1][line.mark] = True
            case "leader-card":
                models[-1]["leader_card"] = line.text
            case "perk":
                models[-1]["perks"] += [line.text] * copies
            case "item":
                models[-1]["items"].append({"name": line.text, "mods": [], "count": copies})
            case "mod":
                models[-1]["items"][-1]["mods"].append(line.text)
            case _:
                return None
    return {"models": models, "cards": cards}


_HEAD = re.compile(r"\+\+ Battle Mode \(Fallout: Wasteland Warfare - (.{1,80})\) \[(\d{1,9}) Caps\] \+\+")
_MODEL = re.compile(r"([^\[\]]{1,80}) \[(\d{1,9}) Caps\](: Heroic)?")
_LEADER = re.compile(r"\. (Leader|Leader card)(?:: ([^\[\]]{1,80}))?")
_PART = re.compile(r"\. (?:(\d{1,2})x )?([^\[\]]{1,80}) \[(\d{1,9}) Caps\](?:: (.{1,900}))?")
_TOTAL = re.compile(r"\+\+ Total: \[(\d{1,9}) Caps\] \+\+")


def read_own_text(text: str, info: EditionInfo) -> Imported | None:
    """The force of such a text, if each of its lines is as we write it and it costs what it says; else None."""
    rows = [(number, row) for number, row in enumerate(text.splitlines(), start=1) if row.strip()]
    head = _HEAD.fullmatch(rows[0][1]) if rows else None
    if head is None or not _TOTAL.fullmatch(rows[-1][1]):
        return None
    name, in_cards = "", False
    lines: list[Written] = []
    shown = [LineRead(*rows[0], "title")]
    for number, row in rows[1:-1]:
        below = [] if row in ("+ Units +", f"+ {CARDS_HEADING} +") else [*_lines(number, row, info.lists, in_cards)]
        in_cards = in_cards or row == f"+ {CARDS_HEADING} +"
        if row.startswith(NAME_LINE) and not lines:
            name, below = row.removeprefix(NAME_LINE).strip(), []
        elif not below and not row.startswith("+ "):
            return None
        lines += below
        names = ", ".join(line.text for line in below)
        is_model = bool(below) and below[0].mark in ("model", "card")
        state = "read" if below else "title"
        shown.append(LineRead(number, row, state, names if is_model else "", "" if is_model else names))  # type: ignore[arg-type]
    written = WrittenList(N_("Plain text (.txt)"), tuple(lines), name, head[1], int(head[2]))
    imported = read_own_roster(written, info)
    if imported is None or imported.total != int(head[2]):
        return None
    document = {key: value for key, value in imported.document.items() if key != FILE_TOTAL}
    return replace(imported, document=document, lines=(*shown, LineRead(*rows[-1], "total")))


def _lines(number: int, row: str, edition: Edition, in_cards: bool) -> Iterator[Written]:
    """The selections of one line; none if it is not as we write it."""
    if in_cards:
        kind, _, name = row.partition(": ")
        yield Written(number, kind, mark="card")
        if name:
            yield Written(number, name, 1, mark="card-name")
    elif match := _LEADER.fullmatch(row):
        if match[1] == "Leader":
            yield Written(number, "Leader", 1, mark="leader")
        if match[2]:
            yield Written(number, match[2], 1, mark="leader-card")
    elif match := _PART.fullmatch(row):
        perk = edition.items.find(match[2]) is None and edition.perks.find(match[2]) is not None
        yield Written(number, match[2], 1, int(match[1] or 1), mark="perk" if perk else "item")
        for mod in match[4].split(", ") if match[4] else ():
            yield Written(number, re.sub(r"^\d{1,2}x ", "", mod), 2, mark="mod")
    elif match := _MODEL.fullmatch(row):
        yield Written(number, match[1], mark="model")
        if match[3]:
            yield Written(number, "Heroic", 1, mark="heroic")
