"""Words of which other languages need two, each by its context."""

import pytest

from events.tournament.pairing.knockout import stage
from languages.words import gettext, pgettext, speaking


@pytest.mark.parametrize(
    ("code", "context", "text", "words"),
    [
        ("es", "button", "Hide", ("Ocultar", "Esconderse")),
        ("it", "button", "Start", ("Inizia", "Inizio")),
        ("fr", "which game", "Game", ("Jeu", "Partie")),
        ("pl", "game", "Lost", ("Przegrana", "Stracone")),
        ("pl", "model", "lost", ("strata", "przegrana")),
        ("pl", "thing", "Name", ("Nazwa", "Imię / nazwa")),
    ],
)
def test_word_is_chosen_by_its_context(code: str, context: str, text: str, words: tuple[str, str]) -> None:
    with speaking(code):
        assert (pgettext(context, text), gettext(text)) == words


@pytest.mark.parametrize(("code", "said"), [("es", "octavos de final"), ("it", "ottavi di finale")])
def test_rounds_of_16_have_their_own_name(code: str, said: str) -> None:
    with speaking(code):
        assert str(stage(16, many=True)) == said
