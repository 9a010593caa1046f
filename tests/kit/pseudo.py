"""A language that no one speaks, for tests: each text in brackets and 40 % longer, its figures and markup kept."""

from collections.abc import Container
from gettext import NullTranslations

import pytest

from languages.catalogues import read_catalogue
from languages.words import offered
from tests.kit import sources

CODE = "eo"
"""Esperanto, of which Overseer has no catalogue."""
PAD = "~~~~~ "


class Pseudo(NullTranslations):
    """A catalogue that has every text, or with ``known`` these texts alone."""

    def __init__(self, known: Container[str] | None = None) -> None:
        super().__init__()
        self.known = known
        self.missed = set[str]()
        """The texts that it was asked for and does not know."""

    def gettext(self, message: str) -> str:
        if self.known is not None and message not in self.known:
            self.missed.add(message)
            return message
        return f"⟦{message} {(PAD * len(message))[: len(message) * 2 // 5]}⟧" if message else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


def offer_pseudo(patch: pytest.MonkeyPatch, *, whole: bool = True) -> Pseudo:
    """Offer it, and German, and return its catalogue.

    Not ``whole``: it has the texts that are marked in the code, and none put together there.
    """
    found = read_catalogue
    marked = () if whole else sources.texts()
    texts = {text for message in marked for text in ([message.id] if isinstance(message.id, str) else message.id)}
    pseudo = Pseudo(None if whole else texts)
    patch.setitem(offered(), "de", "Deutsch")
    patch.setitem(offered(), CODE, "Esperanto")
    patch.setattr("events.web.language.WITH_DESK", {CODE, "de"})
    patch.setattr("languages.words.read_catalogue", lambda code: pseudo if code == CODE else found(code))
    return pseudo
