"""``./run texts``: which of the code's texts, as ``pybabel`` extracts them, wait for translators."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import write_po

from languages.catalogues import CATALOGUES, WITH_DESK, read_source, source_of, translated

ROOT = CATALOGUES.parent
KEYWORDS = DEFAULT_KEYWORDS | {
    "lazy_gettext": None, "lazy_pgettext": ((1, "c"), 2), "N_": None, "noted": None, "remark": None,
    "message": None, "counted_message": (1, 2), "remark_many": (1, 2), "note_players": (4, 5),
}  # fmt: skip
FOR_STAFF = (
    "models/", "events/desk/", "events/papers/", "/desk_", "/_desk", "edition_file.py",
    "battle_mode/corrections.py", "events/setup/", "events/journal/", "api/webhook", "templates/webhooks/",
    "service/", "accounts/staff", "accounts/token", "campaigns/closed.html", "campaigns/desk.html",
    "campaigns/rule.html", "lists/_uses.html", "lists/corrections.py", "lists/edition", "lists/forms.py",
    "lists/lock.html", "lists/missing.html", "lists/scenario_file.html", "lists/scenario_views.py",
    "lists/scenarios.html", "messages/actions.py", "messages/delivery.py", "messages/message",
    "messages/player_mail.html", "messages/views.py", "pairing/request.py",
    "registration/_player_now.html", "registration/erase_player.html",
    "registration/move.html", "registration/player", "registration/remove_players.html", "registration/ruling",
    "registration/scanned.html", "registration/self_check_in.html", "results/_absent.html",
    "results/_correction.html", "results/corrections.py", "results/results.html", "results/sheet_entry.html",
    "rounds/cut.html", "rounds/draft", "rounds/field_views.py", "rounds/inputs.py", "rounds/kept_apart.html",
    "rounds/seeding.html", "rounds/team_rounds_views.py", "rounds/unpublishing.py", "standings/soft.html",
    "validators/readings.py", "validators/scenario_file.py",
)  # fmt: skip
"""Parts of paths whose texts staff alone read: those are English and German."""
FOR_ALL = (
    "event_rules.py",
    "setup/day.py",
    "setup/event_life.py",
    "event_pack",
    "_paper",
    "campaign_book",
    "force_sheets",
    "print_views",
    "phone.html",
    "own_journal.html",
    "papers/records.py",
    "papers/scoresheets.py",
)
"""Parts of paths there whose texts players read, too."""
MADE = datetime(2026, 11, 28, tzinfo=UTC)


def main(arguments: Sequence[str]) -> None:
    """Drop the texts that the code no longer has and count those that wait for a translation; print what waits.

    With ``--check`` no file changes. Of each language named, beginning it if it has no catalogue, the waiting texts
    are printed as entries for its catalogue, with the files that they are from.
    """
    texts = texts_of_code()
    for code in sorted({*translated(), *arguments} - {"--check"}):
        catalogue = read_source(code) if source_of(code).exists() else Catalog(locale=code, charset="utf-8")
        if "--check" not in arguments:
            catalogue.update(texts, no_fuzzy_matching=True)
            _write(code, catalogue)
        missing = waiting(catalogue, texts)
        for_readers = sum(not for_staff(message.locations) for message in missing)
        sys.stdout.write(f"{code}: {len(missing)} texts wait, {for_readers} of them for players and visitors\n")
        if code in arguments:
            entries = Catalog(locale=code, charset="utf-8")
            for message in missing:
                entries[message.id] = message
            write_po(sys.stdout.buffer, entries, width=0, include_lineno=False, omit_header=True)


def waiting(catalogue: Catalog, texts: Catalog) -> list[Message]:
    """The texts that the catalogue does not translate; a desk that stays English waits for nothing."""
    translations = {(message.id, message.context) for message in catalogue if is_translated(message)}
    with_desk = str(catalogue.locale) in WITH_DESK
    return [
        message
        for message in texts
        if message.id
        and (message.id, message.context) not in translations
        and (with_desk or not for_staff(message.locations))
    ]


def texts_of_code() -> Catalog:
    """The texts in the code, its templates, scripts and data files, in the order of the files."""
    with (CATALOGUES / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    catalog = Catalog(charset="utf-8", header_comment="")
    for name, line, message, comments, context in extract_from_dir(ROOT, methods, options, KEYWORDS, ("Translators:",)):
        catalog.add(message, None, [(Path(name).as_posix(), line)], auto_comments=comments, context=context)
    return catalog


def for_staff(locations: Sequence[tuple[str, int | None]]) -> bool:
    return all(
        any(text in name for text in FOR_STAFF) and not any(text in name for text in FOR_ALL) for name, _ in locations
    )


def is_translated(message: Message) -> bool:
    """Whether the catalogue has the text, in each of the language's forms. A text marked as unsure is not used."""
    forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return not message.fuzzy and all(forms)


def _write(code: str, catalogue: Catalog) -> None:
    """Translated entries alone, without the files that they are from: a text's place is found by searching for it."""
    kept = Catalog(locale=code, charset="utf-8", project="Overseer", version="", fuzzy=False)
    kept.header_comment = f"# Overseer in {catalogue.locale.english_name if catalogue.locale else code}."
    kept.msgid_bugs_address = kept.last_translator = kept.language_team = ""
    kept.creation_date = kept.revision_date = MADE  # else each run would change all files
    for message in catalogue:
        if message.id and is_translated(message):
            kept.add(message.id, message.string, context=message.context).flags.clear()  # a test compares the figures
    source_of(code).parent.mkdir(exist_ok=True)
    with source_of(code).open("wb") as file:
        write_po(file, kept, width=0, ignore_obsolete=True, sort_output=True)


if __name__ == "__main__":
    main(sys.argv[1:])
