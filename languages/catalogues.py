"""The catalogues: one ``<language>/messages.po`` for each language, compiled at the first start."""

import logging
import os
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

CATALOGUES = Path(__file__).parent
log = logging.getLogger("overseer")


@cache
def read_catalogue(code: str) -> NullTranslations:
    """The texts of a language; an empty catalogue for an unknown one."""
    source = CATALOGUES / code / "messages.po"
    return GNUTranslations(BytesIO(_compiled(source))) if source.exists() else NullTranslations()


def compile_catalogues() -> None:
    """Compile the catalogues that are new, in a second for each; if one cannot be written, log why."""
    for source in CATALOGUES.glob("*/messages.po"):
        try:
            _compiled(source)
        except OSError as failed:
            log.warning("the catalogue %s could not be compiled: %s", source, failed)


def _compiled(source: Path) -> bytes:
    made = source.with_suffix(".mo")
    if made.exists() and made.stat().st_mtime >= source.stat().st_mtime:
        return made.read_bytes()
    with source.open("rb") as file:
        catalogue = read_po(file, locale=source.parent.name)
    packed = BytesIO()
    write_mo(packed, catalogue)
    new = made.with_suffix(f".{os.getpid()}")
    try:
        new.write_bytes(packed.getvalue())
        new.replace(made)
    except OSError as failed:  # a service's user may not write here: it compiles at every start
        log.warning("the catalogue %s could not be stored: %s", made, failed)
    return packed.getvalue()
