"""Files that cannot be read: staff and players read why in their language."""

import json
import re
from collections.abc import Callable, Iterator

import pytest

from languages.words import speaking
from tests.validators.imports.rosters import read
from tests.validators.imports.test_import_hostile import HOSTILE as ROSTERS
from tests.validators.test_edition_file import FAULTS, changed
from tests.validators.test_fallout_skirmish_edition import FAULTS as OF_SKIRMISH
from tests.validators.test_fallout_skirmish_edition import FILES, fresh_document
from validators.battle_mode.edition_file import read_edition
from validators.contract import UnreadableEdition, UnreadableForce

ENGLISH = re.compile(r"\b(?:the|is|are|has|have|not|with|than|more|file|bytes?|lists?|neither|nothing)\b")


def refused(read: Callable[[], object]) -> str:
    try:
        read()
    except (UnreadableEdition, UnreadableForce) as refusal:
        return str(refusal)
    return ""


def unread_editions() -> Iterator[str]:
    for _, _, change in FAULTS:
        data = changed(change)
        yield refused(lambda data=data: read_edition(data))  # type: ignore[misc]
    for broken in (b"{", b"[]", b"", b"[" * 100_000, b'{"a": NaN}', b'{"a": 1, "a": 2}', b"\xff"):
        yield refused(lambda data=broken: read_edition(data))  # type: ignore[misc]
    for altered, _ in OF_SKIRMISH:
        document = fresh_document()
        altered(document)
        data = json.dumps(document).encode()
        yield refused(lambda data=data: FILES.read(data))  # type: ignore[misc]


def unread_rosters() -> Iterator[str]:
    for make, _ in ROSTERS.values():
        data = make()
        yield refused(lambda data=data: read(data))  # type: ignore[misc]


@pytest.mark.slow
@pytest.mark.parametrize("found", [unread_editions, unread_rosters])
def test_file_that_cannot_be_read_is_refused_in_german(found: Callable[[], Iterator[str]]) -> None:
    with speaking("de"):
        said = list(found())
    assert all(said) and len(said) > 15
    assert [text for text in said if ENGLISH.search(re.sub(r"[“„«].*?[”“»]|<.*?>", "", text))] == []
