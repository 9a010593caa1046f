"""A few ways to make an illegal army legal: one removal each, tried with the real check."""

from collections.abc import Iterator
from typing import Any

from validators.canonical import canonical_text
from validators.contract import Document, Fix, Terms
from validators.fallout_warfare.check import CHECKS
from validators.kit.tried import fix_of, replaced, without

MOST_OFFERED = 3
MOST_TRIED = 300
_LINE_CHANGES: dict[str, Any] = {"weapon": "", "grenades": 0, "items": [], "skills": [], "level": 1}


def fixes(document: Document, terms: Terms) -> tuple[Fix, ...]:
    """Up to three single changes after which the army is legal, those that keep the most points first."""
    if not document["squads"] or not CHECKS.check(document, terms).may_be_fixed:
        return ()
    found: dict[str, Fix] = {}
    for tried, (words, changed) in enumerate(_changes(document)):
        if tried >= MOST_TRIED:
            break
        verdict = CHECKS.check(changed, terms)
        if verdict.legal and changed["squads"]:
            found.setdefault(canonical_text(changed), fix_of([words], verdict.total, changed))
    return tuple(sorted(found.values(), key=lambda way: -way.total)[:MOST_OFFERED])


def _changes(document: Document) -> Iterator[tuple[str, Document]]:
    """Every single removal: equipment of figures, a figure, a line, a squad, a vehicle, mines."""
    for i, squad in enumerate(document["squads"]):
        for j, model in enumerate(squad["models"]):
            line, who = ("squads", i, "models", j), f"{model['name']} in squad {i + 1}"
            for key, nothing in _LINE_CHANGES.items():
                if model[key] != nothing:
                    what = {"weapon": model["weapon"], "level": "the level"}.get(key, key)
                    yield f"Take {what} off {who}", replaced(document, nothing, *line, key)
            for fewer in range(model["count"] - 1, 0, -1):
                gone = model["count"] - fewer
                yield f"Take out {gone} × {who}", replaced(document, fewer, *line, "count")
            yield f"Take out {who}", without(document, *line)
        yield f"Take out squad {i + 1}", without(document, "squads", i)
    for k, name in enumerate(document["vehicles"]):
        yield f"Take out {name}", without(document, "vehicles", k)
    if document["mines"]:
        yield "Take out the mines", document | {"mines": 0}
