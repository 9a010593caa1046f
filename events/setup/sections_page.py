"""The list of an event's settings: each section with its sentence and what is changed in it, and the search in it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from flask import request, url_for
from sqlalchemy import JSON, Boolean, Enum, Integer
from sqlmodel import col, func, select
from wtforms import Field, FieldList, FormField, HiddenField, SelectFieldBase
from wtforms.fields import SelectChoice

from events.accounts.tokens import tokens_of
from events.journal.setting_words import label_of
from events.setup.actions import default_settings
from events.setup.circuit_forms import CircuitForm
from events.setup.field_forms import COLUMNS
from events.setup.forms import RestrictionsForm, SoftForm, TeamsForm
from events.setup.pairing_forms import (
    CountingForm,
    DrawForm,
    FormatForm,
    SeasonForm,
    SectionForm,
    TablesForm,
    TieBreaksForm,
)
from events.setup.said import GROUPS, SECTIONS
from events.setup.section import Rows, Section
from events.setup.settings_forms import (
    EventForm,
    ListsForm,
    PointsForm,
    PrivacyForm,
    QuestionsForm,
    RegistrationForm,
    RepeatForm,
    ReportsForm,
    RoundsForm,
    SettingsForm,
)
from events.store.editions import system_of
from events.tournament.pairing.seats import rules_of_event
from events.tournament.season import Season
from events.visitors.loading import may_follow
from events.web.error_pages import try_part
from events.web.request import db, now
from languages.words import capital, gettext
from models.base import Document
from models.dispatch import Webhook
from models.event import Event
from models.play_settings import PlaySettings
from models.settings import EventFormat, EventSettings

# A section needs a template setup/settings/<id>.html.
FORMS: dict[str, type[SettingsForm | SectionForm]] = {
    form.id: form
    for form in (
        EventForm, RepeatForm, RegistrationForm, QuestionsForm, PrivacyForm, ListsForm, RoundsForm, PointsForm,
        ReportsForm, FormatForm, SeasonForm, DrawForm, TablesForm, CountingForm, TieBreaksForm, SoftForm, TeamsForm,
        CircuitForm,
    )
}  # fmt: skip
PAGES = frozenset(
    {
        "settings.overview", "settings.change_section", "restriction.change_restrictions",
        "field.kept_apart_page", "token.manage_tokens", "webhooks.all",
    }
)  # fmt: skip
"""The pages that show the list."""


HIDDEN = ("move", "remove", "fee_for")
"""Fields without a place of their own on the page, or not always."""


@dataclass(frozen=True)
class SectionEntry:
    id: str
    title: str
    sentence: str
    changed: list[str]
    """The labels of its settings that are not as in a new event."""
    address: str
    current: bool
    """Whether its page is requested."""


@dataclass(frozen=True)
class Listed:
    groups: dict[str, list[SectionEntry]]
    unused: list[SectionEntry]
    """Those that the event does not use: they have no sentence."""

    @property
    def entries(self) -> list[SectionEntry]:
        return [*chain(*self.groups.values()), *self.unused]

    @property
    def current(self) -> SectionEntry | None:
        """The section whose page is requested; None at the list itself."""
        return next((entry for entry in self.entries if entry.current), None)


def settings_list(event: Event) -> Listed:
    """The sections of the event's settings that the visitor may open."""
    webhooks = select(func.count()).where(Webhook.event_id == event.id, col(Webhook.ended_at).is_(None))
    rows = Rows(len(event.kept_apart), len(tokens_of(db(), event)), db().exec(webhooks).one())
    usual = default_settings(system_of(event), event.name, event.place, event.starts_on, event.timezone, now())
    groups: dict[str, list[SectionEntry]] = {group: [] for group in GROUPS}
    unused = list[SectionEntry]()
    for group, sections in GROUPS.items():
        for section in sections:
            entry = _entry(section, event, rows, usual)
            if may_follow(entry.address):
                (groups[group] if entry.sentence else unused).append(entry)
    return Listed(groups, unused)


def _entry(section: Section, event: Event, rows: Rows, usual: EventSettings) -> SectionEntry:
    address, title = section_address(section, event), gettext(section.title)
    current = address.partition("#")[0] == request.path
    said, altered = try_part(title, lambda: (section.said(event, rows), changed(section, event, usual)), ("?", []))
    return SectionEntry(section.id, title, said, altered, address, current)


def section_address(section: Section, event: Event, anchor: str | None = None) -> str:
    """The address of a section's page, or of a field there."""
    here: dict[str, Any] = {"section": section.id} if section.endpoint == "settings.change_section" else {}
    return url_for(section.endpoint, slug=event.slug, **here, _anchor=anchor or section.anchor)


@dataclass(frozen=True)
class SettingMatch:
    """A setting that a search found, or a whole section (``label`` is then its title)."""

    label: str
    help: str
    section: str
    """The section's title; "" for a whole section."""
    address: str


def find_settings(event: Event, typed: str) -> list[SettingMatch]:
    """The settings whose label, help or choices have all the words; those whose label has them come first."""
    words = typed.casefold().split()
    matches: list[tuple[bool, SettingMatch]] = []
    for entry in settings_list(event).entries if words else ():
        section = SECTIONS[entry.id]
        if _has(words, f"{entry.title} {entry.sentence}"):
            whole = SettingMatch(entry.title, entry.sentence, "", entry.address)
            matches.append((not _has(words, entry.title), whole))
        for field in _fields(event, entry.id):
            label, anchor, more = _shown(field)
            if _has(words, f"{label} {field.description} {more}"):
                match = SettingMatch(label, field.description, entry.title, section_address(section, event, anchor))
                matches.append((not _has(words, label), match))
    return [row for _, row in sorted(matches, key=lambda pair: pair[0])]


def _has(words: list[str], text: str) -> bool:
    return all(word in text.casefold() for word in words)


def _fields(event: Event, section: str) -> Iterator[Field]:
    """The fields of a section's form that its page shows; none of a page of another room."""
    if section == "restrictions":
        form = RestrictionsForm(None)
        form.offer(event)
    elif section in FORMS:
        form = FORMS[section].opened(event, sent=False)
    else:
        return
    yield from (field for field in form if not isinstance(field, HiddenField) and field.short_name not in HIDDEN)


def _shown(field: Field) -> tuple[str, str | None, str]:
    """A field's label, its anchor on the page, and the words of its choices."""
    label, anchor = field.label.text, field.id
    if isinstance(field, FieldList):
        rows = [entry for entry in field if not isinstance(entry, FormField)]
        return label, rows[0].id if rows else None, " ".join(str(entry.label.text) for entry in field)
    choices = field.choices if isinstance(field, SelectFieldBase) else None
    return (
        label,
        anchor,
        " ".join(str(choice.label or choice.value) for choice in choices or () if isinstance(choice, SelectChoice)),
    )


READ: Mapping[str, Callable[[Any], Any]] = {
    "draw_rules": rules_of_event,
    "tables_out": lambda numbers: numbers or [],
    "questions": lambda questions: questions or [],
}
"""What a stored document means, for those with several forms of one meaning."""


def changed(section: Section, event: Event, usual: EventSettings) -> list[str]:
    """The labels of the section's choices, figures, ticks and documents that are not as in a new event (``usual``).

    Texts, days and hours are no choices: an event fills them in.
    """
    chosen = Boolean | Document | Enum | Integer | JSON
    names = [name for name in section.columns if isinstance(COLUMNS[name].type, chosen)]
    as_made: dict[str, Any] = {} if event.season is None else {"season": Season()}
    if event.season is not None and event.campaign is None:
        as_made["format"] = EventFormat.ROUND_ROBIN
    worths = {name: as_made.get(name, _worth(name, usual)) for name in names}
    return [capital(gettext(label_of(name))) for name in names if _worth(name, event) != worths[name]]


def _worth(name: str, settings: EventSettings) -> Any:
    value = getattr(settings, name) if hasattr(settings, name) else PlaySettings.model_fields[name].default
    return READ.get(name, lambda stored: stored)(value)
