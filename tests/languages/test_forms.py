"""The errors that WTForms words itself, in the reader's language."""

import pytest

from tests.kit.person import Person
from tests.kit.stage import Stage

NOT_OFFERED = {
    "en": "Not a valid choice",
    "de": "Keine gültige Auswahl",
    "fr": "pas un choix valide",
    "es": "Opción inválida",
    "pl": "Nieprawidłowy wybór",
    "it": "Non è una opzione valida",
}


@pytest.mark.parametrize(("code", "said"), NOT_OFFERED.items())
def test_choice_that_is_not_offered(olga: Person, stage: Stage, code: str, said: str) -> None:
    event = stage.event()
    olga.post("/language", language=code, back="/")
    assert said in olga.post(f"/e/{event.slug}/register", name="Ada", faction="Nowhere").text
