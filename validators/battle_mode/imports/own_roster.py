"""Our own exports as rosters of another program: each selection says what it is, so that nothing is looked up."""

from collections.abc import Sequence
from typing import Any

from validators.battle_mode.force import FILE_TOTAL, SYSTEM_ID, bare_model, priced, read_force
from validators.battle_mode.imports.written import Written, WrittenList
from validators.contract import EditionInfo, Imported, Terms

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
