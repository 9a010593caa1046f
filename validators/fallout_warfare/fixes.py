"""A few ways to make an illegal army legal: one thing taken out, tried and checked again."""

from collections.abc import Iterator
from typing import Any

from validators.canonical import canonical_text, sha256_of
from validators.contract import Document, Fix, Terms
from validators.fallout_warfare.check import CHECKS

MOST_OFFERED = 3
MOST_TRIED = 300
_LINE_CHANGES: tuple[tuple[str, Any], ...] = (
    ("weapon", ""),
    ("grenades", 0),
    ("items", []),
    ("skills", []),
    ("level", 1),
)


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
            found.setdefault(canonical_text(changed), Fix(sha256_of(words)[:12], (words,), verdict.total, changed))
    return tuple(sorted(found.values(), key=lambda way: -way.total)[:MOST_OFFERED])


def _changes(document: Document) -> Iterator[tuple[str, Document]]:
    """Every single removal: a thing that figures have, a figure, a line, a squad, a vehicle, mines."""
    squads = document["squads"]
    for i, squad in enumerate(squads):
        for j, model in enumerate(squad["models"]):
            who = f"{model['name']} in squad {i + 1}"
            for key, nothing in _LINE_CHANGES:
                if model[key] != nothing:
                    what = {"weapon": model["weapon"], "level": "the level"}.get(key, key)
                    yield f"Take {what} off {who}", _with_line(document, i, j, model | {key: nothing})
            for fewer in range(model["count"] - 1, 0, -1):
                gone = model["count"] - fewer
                yield f"Take out {gone} × {who}", _with_line(document, i, j, model | {"count": fewer})
            yield f"Take out {who}", _with_line(document, i, j, None)
        yield f"Take out squad {i + 1}", document | {"squads": [*squads[:i], *squads[i + 1 :]]}
    for k, name in enumerate(document["vehicles"]):
        yield f"Take out {name}", document | {"vehicles": [n for at, n in enumerate(document["vehicles"]) if at != k]}
    if document["mines"]:
        yield "Take out the mines", document | {"mines": 0}


def _with_line(document: Document, i: int, j: int, line: Document | None) -> Document:
    squads = list(document["squads"])
    lines = [*squads[i]["models"][:j], *([line] if line else []), *squads[i]["models"][j + 1 :]]
    squads[i] = squads[i] | {"models": lines}
    return document | {"squads": squads}
