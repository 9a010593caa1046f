"""The form of corrections to an edition: its rows, its search, and the edition that it makes."""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, count

from events.lists.forms import MOST_CORRECTED, CorrectionForm, CostForm
from events.store.errors import Refused
from events.web.forms import choices_in
from events.web.parsing import slug_of, unused_slug
from languages.words import N_, gettext, labelled
from validators.contract import EditionInfo, UnreadableEdition
from validators.editions import CorrectionError, Corrections, CostEntry, EditionTitle, NewModel
from validators.game_system import Corrector, EditionFiles, Understood, understand
from validators.names import fold

MOST_FOUND = 40
"""The most entries that one search shows."""
_LONGEST_BASE = 34
"""The most characters of an id before its number."""
_LONGEST_NAME = 80
_ID_SUFFIX = "-corrected"
_CORRECTED = re.compile(r"(?:, |-)corrected(?:[ -]\d{1,3})?$")
"""The end of a corrected edition's name or id."""

Listed = Mapping[CostEntry, CostEntry]
"""The costs of an edition by their entries' keys."""


def correction_form(info: EditionInfo, listed: Iterable[CostEntry], *, taken: Collection[str]) -> CorrectionForm:
    """The form for corrections of this edition, as sent or empty; it proposes a name that is not taken."""
    form = CorrectionForm(name=_unused_name(_CORRECTED.sub("", info.name), taken))
    models = [entry for entry in listed if entry.faction]
    form.model_faction.choices = choices_in({entry.faction: entry.faction for entry in models})
    names = map(_full_name, models)
    form.model_like.choices = choices_in({"": N_("None: it carries nothing")} | {name: name for name in names})
    return form


def corrections_in(form: CorrectionForm, info: EditionInfo, listed: Listed, *, taken: Collection[str]) -> Corrections:
    """The corrections in a valid form; the new edition gets an id that is not taken. Raises CorrectionError."""
    name = form.name.data or ""
    base, room = _CORRECTED.sub("", slug_of(name, "edition")), _LONGEST_BASE - len(_ID_SUFFIX)
    if len(base) > room:
        base = base[: room + 1].rpartition("-")[0] or base[:room]  # no half words
    title = EditionTitle(unused_slug(base + _ID_SUFFIX, taken), name, info.date)
    return Corrections(title, tuple(_entry(row.form) for row in form.costs), _new_model(form, listed))


def _unused_name(base: str, taken: Collection[str]) -> str:
    ends = chain([", corrected"], (f", corrected {number}" for number in count(2)))
    names = (base[: _LONGEST_NAME - len(end)].rstrip() + end for end in ends)
    return next(name for name in names if name not in taken)


def corrected(files: EditionFiles, corrector: Corrector, info: EditionInfo, wanted: Corrections) -> Understood:
    """The corrected edition, as it would be stored. Raises CorrectionError, or Refused if it is no valid edition."""
    document = corrector.correct(info, wanted)
    try:
        return understand(files, json.dumps(document).encode(), EditionTitle())
    except UnreadableEdition as unreadable:
        raise Refused(
            gettext("These corrections do not make a valid edition: %(faults)s", faults=str(unreadable))
        ) from unreadable


@dataclass(frozen=True)
class CostMatches:
    """What a search finds: how many entries, and how many of them are the first rows of the form."""

    total: int
    shown: int


def show_found(form: CorrectionForm, listed: Listed) -> CostMatches:
    """Show the nearest names first, then the others that are corrected. A form with errors keeps its rows."""
    typed = fold(form.search.data or "")
    words = typed.split()
    cost_entries = [key for key in listed if words and all(word in fold(_full_name(key)) for word in words)]
    cost_entries.sort(key=lambda key: (fold(key.name) != typed, not fold(key.name).startswith(typed)))
    shown: list[CostEntry] = []
    if not form.errors:
        sent = [_entry(row.form) for row in form.costs]
        changed = {entry.key: entry for entry in sent if entry.key in listed and entry != listed[entry.key]}
        shown = cost_entries[: min(MOST_FOUND, MOST_CORRECTED - len(changed))]
        kept = [entry for key, entry in changed.items() if key not in shown]
        form.show([*(changed.get(key, listed[key]) for key in shown), *kept])
    for row in form.costs:
        row.form.cost.label.text = row.form.name.data or row.form.cost.label.text
    return CostMatches(len(cost_entries), len(shown))


def listed_cost(row: CostForm, listed: Listed) -> CostEntry | None:
    return listed.get(_entry(row).key)


def show_correction(form: CorrectionForm, wrong: CorrectionError) -> None:
    """Show a wrong correction at its field, or at the top of the form."""
    if wrong.place is not None:
        form.costs[wrong.place].form.cost.errors = [wrong.message]
        form.costs.errors = [row.form.errors for row in form.costs]
    elif wrong.field:
        form[f"model_{wrong.field}"].errors = [wrong.message]
    else:
        form.form_errors.append(wrong.message)


def _entry(row: CostForm) -> CostEntry:
    return CostEntry(row.kind.data or "", row.name.data or "", row.cost.data or 0, row.faction.data or "")


def _full_name(entry: CostEntry) -> str:
    return labelled(entry.faction, entry.name) if entry.faction else entry.name


def _new_model(form: CorrectionForm, listed: Listed) -> NewModel | None:
    name, cost = form.model_name.data, form.model_cost.data
    if not name and cost is None:
        return None
    if not name:
        raise CorrectionError(gettext("Enter the model’s name, or remove its cost."), "name")
    if cost is None:
        raise CorrectionError(gettext("Enter the model’s cost."), "cost")
    like = next((entry for entry in listed if entry.faction and _full_name(entry) == form.model_like.data), None)
    return NewModel(
        name=name,
        faction=form.model_faction.data or "",
        cost=cost,
        unique=bool(form.model_unique.data),
        heroic=bool(form.model_heroic.data),
        carries_as=(like.faction, like.name) if like else None,
    )
