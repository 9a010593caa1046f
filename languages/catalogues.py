"""The catalogues: one ``<language>/messages.po`` for each language, compiled at the first start."""

import logging
import os
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

CATALOGUES = Path(__file__).parent
WITH_DESK = {"de"}
"""The languages whose catalogues have the texts of staff, too; in others the desk is English."""
log = logging.getLogger("overseer")


def translated() -> list[str]:
    """The codes of the languages that have a catalogue, sorted."""
    return sorted(path.parent.name for path in CATALOGUES.glob("*/messages.po"))


def source_of(code: str) -> Path:
    return CATALOGUES / code / "messages.po"


def read_source(code: str) -> Catalog:
    """What translators have written. Raises OSError."""
    with source_of(code).open("rb") as file:
        return read_po(file, locale=code)


@cache
def read_catalogue(code: str) -> NullTranslations:
    if not source_of(code).exists():
        return NullTranslations()
    compiled = _compiled_file(code)
    return GNUTranslations(BytesIO(_compile(code) if compiled is None else compiled.read_bytes()))


def compile_catalogues() -> None:
    for code in translated():
        if _compiled_file(code) is None:
            _compile(code)


def _compiled_file(code: str) -> Path | None:
    """The compiled catalogue; None if there is none, or an older one than its source."""
    source = source_of(code)
    made = source.with_suffix(".mo")
    return made if made.exists() and made.stat().st_mtime >= source.stat().st_mtime else None


def _compile(code: str) -> bytes:
    """The compiled catalogue, stored beside its source if that is allowed here."""
    packed, made = BytesIO(), source_of(code).with_suffix(".mo")
    write_mo(packed, read_source(code))
    new = made.with_suffix(f".{os.getpid()}")
    try:
        new.write_bytes(packed.getvalue())
        new.replace(made)
    except OSError as failed:  # a service's user may not write here: it compiles at every start
        log.warning("the catalogue %s could not be stored: %s", made, failed)
    return packed.getvalue()
