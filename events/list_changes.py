"""The differences between two versions of a force, in words."""

from collections import Counter

from validators.contract import Document, EditionInfo, GameSystem


def differences(system: GameSystem, edition: EditionInfo, before: Document | None, after: Document) -> str:
    """The total before and after, and the models that were added or removed, each with its upgrades and its cost.

    A model with other upgrades counts as removed and added. ``before`` is None where there was no force.
    """
    if before is None or any(one["edition"] != edition.id for one in (before, after)):
        return "a new list"
    was, now = (system.summarise(one, edition) for one in (before, after))
    old, new = Counter(was.lines), Counter(now.lines)
    parts = [f"{was.faction} became {now.faction}"] if was.faction != now.faction else []
    for word, lines in (("added", new - old), ("removed", old - new)):
        found = [
            f"{count} × {line} ({cost} {system.unit} each)" if count > 1 else f"{line} ({cost} {system.unit})"
            for (line, cost), count in lines.items()
        ]
        parts += [f"{word} {', '.join(found)}"] if found else []
    total = f"{was.total} to {now.total} {system.unit}" if was.total != now.total else f"{now.total} {system.unit}"
    return f"{total}, {'; '.join(parts) or 'the same models'}"
