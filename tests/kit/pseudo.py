"""A language that no one speaks, for tests: each text in brackets and 40 % longer, its figures and markup kept."""

from gettext import NullTranslations

import pytest

from languages.catalogues import read_catalogue
from languages.words import offered

CODE = "eo"
"""Esperanto, of which Overseer has no catalogue."""
PAD = "~~~~~ "


class Pseudo(NullTranslations):
    """A catalogue that has every text."""

    def gettext(self, message: str) -> str:
        return f"⟦{message} {(PAD * len(message))[: len(message) * 2 // 5]}⟧" if message else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


def offer_pseudo(patch: pytest.MonkeyPatch) -> None:
    """Offer it, and German."""
    found = read_catalogue
    patch.setitem(offered(), "de", "Deutsch")
    patch.setitem(offered(), CODE, "Esperanto")
    patch.setattr("events.web.language.WITH_DESK", {CODE, "de"})
    patch.setattr("languages.words.read_catalogue", lambda code: Pseudo() if code == CODE else found(code))
